//! Columns of Apache Arrow: text in, links or rewritten text out, without Python objects for rows.
//!
//! Every library with the Arrow PyCapsule interface can give and take them; none is a dependency.
//! The layers, from the bottom: `foreign` (the structures of a caller, checked), `column` (text of a
//! caller), `text` and `fields` (columns under construction), `links` and `rewrite` (what is made of a column), `objects` (its rows in Python), `stream` (chunk after chunk), `capsule` (how
//! all of it passes through Python).

pub(crate) mod capsule;
mod column;
mod fields;
mod foreign;
mod links;
mod objects;
mod rewrite;
mod stream;
mod text;

use std::sync::Arc;

use arrow_data::{ArrayData, transform::MutableArrayData};
use arrow_schema::{ArrowError, DataType, Field};
use iriscan::Finder;

use column::Column;
pub(crate) use fields::{LinkField, USUAL};
pub(crate) use links::Wanted;

/// What offsets of links count.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Bytes,
    Characters,
}

impl Unit {
    pub(crate) fn from_word(word: &str) -> Option<Unit> {
        match word {
            "bytes" => Some(Unit::Bytes),
            "chars" => Some(Unit::Characters),
            _ => None,
        }
    }

    fn as_str(self) -> &'static str {
        match self {
            Unit::Bytes => "bytes",
            Unit::Characters => "chars",
        }
    }
}

/// What is done with each chunk of a column.
#[derive(Clone)]
pub(crate) enum Work {
    Find(Finder, Wanted),
    Rewrite(Finder),
}

impl Work {
    /// The type of the result for a column of `text`.
    fn output(&self, text: &DataType) -> DataType {
        match (self, text) {
            (_, DataType::Dictionary(_, text)) => self.output(text),
            (Work::Find(_, wanted), _) => wanted.data_type(text),
            (Work::Rewrite(_), _) => text.clone(),
        }
    }

    /// The result for one chunk, which is of `text`.
    fn run(&self, array: ArrayData, text: &DataType) -> Result<ArrayData, String> {
        match text {
            DataType::Null => Ok(ArrayData::new_null(&self.output(text), array.len())),
            DataType::Dictionary(_, text) => {
                let keys = column::keys(&array)?;
                let texts = array.child_data().first().ok_or("the column has no dictionary")?;
                // Each text is read once, however many rows have it.
                take(&self.run(texts.clone(), text)?, &keys).map_err(|e| e.to_string())
            }
            _ => match self {
                Work::Find(finder, wanted) => {
                    links::find(finder, &Column::of(array, text)?, wanted)
                }
                Work::Rewrite(finder) => rewrite::rewrite(finder, &Column::of(array, text)?),
            },
        }
    }
}

/// The rows of `values` with these numbers; `None` is a null.
fn take(values: &ArrayData, rows: &[Option<usize>]) -> Result<ArrayData, ArrowError> {
    let mut taken = MutableArrayData::new(vec![values], true, rows.len());
    for row in rows {
        match row {
            Some(row) => taken.try_extend(0, *row, row + 1)?,
            None => taken.try_extend_nulls(1)?,
        }
    }
    Ok(taken.freeze())
}

/// All chunks of a column in one.
fn joined(chunks: &[ArrayData], data_type: &DataType) -> Result<ArrayData, ArrowError> {
    match chunks {
        [] => Ok(ArrayData::new_empty(data_type)),
        [chunk] => Ok(chunk.clone()),
        _ => {
            let len = chunks.iter().map(ArrayData::len).sum();
            let mut joined = MutableArrayData::new(chunks.iter().collect(), false, len);
            for (i, chunk) in chunks.iter().enumerate() {
                joined.try_extend(i, 0, chunk.len())?;
            }
            Ok(joined.freeze())
        }
    }
}

/// How a column is read and what is made of it: of a text column another column, of record
/// batches with one text column record batches with one column.
#[derive(Clone)]
struct Plan {
    work: Work,
    /// The type of the text.
    text: DataType,
    /// The type of the arrays that come in. Text is read as binary, because nobody has checked
    /// that it is UTF-8.
    input: DataType,
    output: Field,
}

impl Plan {
    /// Fails with what is expected instead.
    fn of(work: Work, given: &Field) -> Result<Plan, String> {
        let (text, input, output) = match given.data_type() {
            DataType::Struct(fields) => {
                let [field] = &**fields else {
                    return Err(foreign::one_column(fields.len()));
                };
                let text = field.data_type().clone();
                let read =
                    column::read_as(&text).ok_or_else(|| foreign::no_text(&text.to_string()))?;
                let inner = Field::new(field.name(), read, true);
                let name = match work {
                    Work::Find(..) => "links",
                    Work::Rewrite(_) => field.name(),
                };
                let made = Field::new(name, work.output(&text), true);
                let output = DataType::Struct(vec![made].into());
                (text, DataType::Struct(vec![inner].into()), Field::new("", output, false))
            }
            text => {
                let read =
                    column::read_as(text).ok_or_else(|| foreign::no_text(&text.to_string()))?;
                (text.clone(), read, Field::new(given.name(), work.output(text), true))
            }
        };
        Ok(Plan { work, text, input, output })
    }

    /// The result for one array of `input`.
    fn run(&self, array: ArrayData) -> Result<ArrayData, String> {
        let DataType::Struct(_) = self.input else {
            return self.work.run(array, &self.text);
        };
        let [child] = array.child_data() else {
            return Err("a record batch lacks its column".into());
        };
        if child.len() < array.offset() + array.len() {
            return Err("a column is shorter than its record batch".into());
        }
        let column = child.slice(array.offset(), array.len());
        let builder = ArrayData::builder(self.output.data_type().clone())
            .len(array.len())
            .nulls(array.nulls().cloned())
            .add_child_data(self.work.run(column, &self.text)?);
        Ok(unchecked(builder))
    }
}

/// An array of parts that fit together. Other programs read it; this one never does, so a column
/// of strings may have bytes that are not UTF-8 if the caller's had.
#[expect(unsafe_code)]
fn unchecked(builder: arrow_data::ArrayDataBuilder) -> ArrayData {
    // SAFETY: `links`, `rewrite` and `Plan` give as many elements, offsets and children as the
    // length says.
    unsafe { builder.build_unchecked() }
}

/// The field of the elements of a list.
fn item(data_type: DataType, nullable: bool) -> Arc<Field> {
    Arc::new(Field::new("item", data_type, nullable))
}
