//! Columns of Apache Arrow: text in, links or rewritten text out, without Python objects for rows.
//!
//! Every library with the Arrow PyCapsule interface can give and take them; none is a dependency.
//! The layers, from the bottom: `foreign` (the structures of a caller, checked), `column` (text of a
//! caller), `links` and `rewrite` (what is made of it), `stream` (chunk after chunk), `capsule` (how
//! all of it passes through Python).

pub(crate) mod capsule;
mod column;
mod foreign;
mod links;
mod rewrite;
mod stream;

use std::sync::Arc;

use arrow_data::ArrayData;
use arrow_schema::{DataType, Field};
use iriscan::Finder;

use column::Column;

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
    Find(Finder, Unit),
    Rewrite(Finder),
}

impl Work {
    /// The type of the result for a column of `text`.
    fn output(&self, text: &DataType) -> DataType {
        match self {
            Work::Find(_, unit) => links::data_type(text, *unit),
            Work::Rewrite(_) => text.clone(),
        }
    }

    /// The result for one chunk.
    fn run(&self, column: &Column) -> Result<ArrayData, String> {
        match self {
            Work::Find(finder, unit) => links::find(finder, column, *unit),
            Work::Rewrite(finder) => rewrite::rewrite(finder, column),
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
            return self.work.run(&Column::of(array, &self.text)?);
        };
        let [child] = array.child_data() else {
            return Err("a record batch lacks its column".into());
        };
        if child.len() < array.offset() + array.len() {
            return Err("a column is shorter than its record batch".into());
        }
        let column = Column::of(child.slice(array.offset(), array.len()), &self.text)?;
        let builder = ArrayData::builder(self.output.data_type().clone())
            .len(array.len())
            .nulls(array.nulls().cloned())
            .add_child_data(self.work.run(&column)?);
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
