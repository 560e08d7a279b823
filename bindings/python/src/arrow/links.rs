//! Columns of links: for each row of text a list of its links, of one field of them, their number, or
//! the first of them.

use std::sync::Arc;

use arrow_buffer::{ArrowNativeType, BooleanBufferBuilder, Buffer};
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field, Fields};
use iriscan::{Charset, Finder, Input, Viewer};

use super::{
    Unit,
    column::{Column, Rows},
    fields::{Columns, LinkField, Parts},
    text::{Offset, Text, fits, list_of},
    unchecked,
};
use crate::data::Offsets;

/// The result for each row of its links.
#[derive(Clone)]
pub(crate) enum Wanted {
    /// A list of structs with these fields.
    Links(Unit, Vec<LinkField>),
    /// A list of texts: this field of each link that has it.
    Texts(LinkField),
    /// This field of the first link.
    First(LinkField),
    Count,
    /// Whether there is one.
    Any,
}

impl Wanted {
    /// The type for a column of `text`. Columns with 64-bit offsets have results with such.
    pub(super) fn data_type(&self, text: &DataType) -> DataType {
        match text {
            DataType::LargeUtf8 | DataType::LargeBinary => self.data_type_as::<i64>(),
            _ => self.data_type_as::<i32>(),
        }
    }

    fn data_type_as<O: Offset>(&self) -> DataType {
        match self {
            Wanted::Links(unit, fields) => {
                let fields = fields.iter().map(|field| field.column::<O>(*unit));
                list_of::<O>(DataType::Struct(fields.collect()))
            }
            Wanted::Texts(_) => list_of::<O>(O::TEXT),
            Wanted::First(_) => O::TEXT,
            Wanted::Count => DataType::Int64,
            Wanted::Any => DataType::Boolean,
        }
    }
}

/// The result for each row.
pub(super) fn find(finder: &Finder, column: &Column, wanted: &Wanted) -> Result<ArrayData, String> {
    match column.text {
        DataType::LargeUtf8 | DataType::LargeBinary => find_as::<i64>(finder, column, wanted),
        _ => find_as::<i32>(finder, column, wanted),
    }
}

fn find_as<O: Offset>(
    finder: &Finder,
    column: &Column,
    wanted: &Wanted,
) -> Result<ArrayData, String> {
    let search = Search { finder, column, rows: column.rows() };
    match wanted {
        Wanted::Links(unit, fields) => search.links::<O>(*unit, fields, wanted),
        Wanted::Texts(field) => search.texts::<O>(*field),
        Wanted::First(field) => search.first::<O>(*field),
        Wanted::Count => {
            let mut counts = Vec::with_capacity(column.len());
            search.each(|input, _| {
                counts.push(input.map_or(0, |input| finder.find_iter(input).count() as i64));
                Ok(())
            })?;
            Ok(search.result(DataType::Int64, Buffer::from_vec(counts), None))
        }
        Wanted::Any => {
            let mut found = BooleanBufferBuilder::new(column.len());
            search.each(|input, _| {
                found.append(input.is_some_and(|input| finder.has_link(input)));
                Ok(())
            })?;
            Ok(search.result(DataType::Boolean, found.finish().into_inner(), None))
        }
    }
}

/// The search of one chunk of a column.
struct Search<'a> {
    finder: &'a Finder,
    column: &'a Column,
    rows: Rows<'a>,
}

impl<'a> Search<'a> {
    /// Calls `work` with each row, `None` for a null, and with its bytes.
    #[inline(always)]
    fn each(
        &self,
        mut work: impl FnMut(Option<Input<'a>>, &'a [u8]) -> Result<(), String>,
    ) -> Result<(), String> {
        let (nulls, is_utf8) = (self.column.nulls(), self.column.is_utf8());
        for i in 0..self.column.len() {
            if nulls.is_some_and(|nulls| nulls.is_null(i)) {
                work(None, &[])?;
                continue;
            }
            let bytes = self.rows.get(i)?;
            let input = Input::new(bytes);
            work(Some(if is_utf8 { input.charset(Charset::UTF_8) } else { input }), bytes)?;
        }
        Ok(())
    }

    /// An array with a value for each row, and the nulls of the column.
    fn result(&self, data_type: DataType, buffer: Buffer, child: Option<ArrayData>) -> ArrayData {
        let mut builder = ArrayData::builder(data_type)
            .len(self.column.len())
            .nulls(self.column.nulls().cloned())
            .add_buffer(buffer);
        if let Some(child) = child {
            builder = builder.add_child_data(child);
        }
        unchecked(builder)
    }

    fn links<O: Offset>(
        &self,
        unit: Unit,
        fields: &[LinkField],
        wanted: &Wanted,
    ) -> Result<ArrayData, String> {
        let in_characters = unit == Unit::Characters;
        if in_characters && !self.column.is_utf8() {
            return Err("offsets: 'chars' needs a column of strings; use 'bytes'".into());
        }
        let mut links = Columns::<O>::new(fields);
        let mut ends = Vec::with_capacity(self.column.len() + 1);
        ends.push(O::usize_as(0));
        self.each(|input, bytes| {
            let mut offsets = Offsets::new(in_characters);
            if let Some(input) = input {
                // A loop over the iterator itself would move it, and it is large.
                for link in self.finder.find_iter(input).by_ref() {
                    let range = link.range();
                    let start = offsets.at(bytes, range.start);
                    links.push(&link, (start, offsets.at(bytes, range.end)))?;
                }
            }
            ends.push(O::usize_as(links.len()));
            Ok(())
        })?;
        let len = links.len();
        fits::<O>(len)?;
        let types = fields.iter().map(|field| field.column::<O>(unit)).collect();
        let table = ArrayData::builder(DataType::Struct(types)).len(len);
        let links = unchecked(table.child_data(links.finish()));
        Ok(self.result(wanted.data_type_as::<O>(), Buffer::from_vec(ends), Some(links)))
    }

    fn texts<O: Offset>(&self, field: LinkField) -> Result<ArrayData, String> {
        let (mut texts, mut viewer) = (Text::<O>::default(), Viewer::new());
        let mut ends = Vec::with_capacity(self.column.len() + 1);
        ends.push(O::usize_as(0));
        self.each(|input, _| {
            if let Some(input) = input {
                for link in self.finder.find_iter(input).by_ref() {
                    let mut parts = Parts::of(&link, &mut viewer);
                    texts.add_if(|text| parts.write(field, text))?;
                }
            }
            ends.push(O::usize_as(texts.len()));
            Ok(())
        })?;
        fits::<O>(texts.len())?;
        Ok(self.result(list_of::<O>(O::TEXT), Buffer::from_vec(ends), Some(texts.finish())))
    }

    fn first<O: Offset>(&self, field: LinkField) -> Result<ArrayData, String> {
        let (mut texts, mut viewer) = (Text::<O>::default(), Viewer::new());
        self.each(|input, _| match input.and_then(|input| self.finder.find_iter(input).next()) {
            Some(link) => {
                let mut parts = Parts::of(&link, &mut viewer);
                texts.add(|text| parts.write(field, text))
            }
            None => texts.add_null(),
        })?;
        Ok(texts.finish())
    }
}

/// The number of the row of a table of links.
fn row_field() -> Field {
    Field::new("row", DataType::Int64, false)
}

/// The fields of a table of links, of the type of a column of links; `None` if it is of another type.
pub(super) fn table_fields(links: &DataType) -> Option<Fields> {
    let (DataType::List(item) | DataType::LargeList(item)) = links else { return None };
    let DataType::Struct(fields) = item.data_type() else { return None };
    Some(std::iter::once(Arc::new(row_field())).chain(fields.iter().cloned()).collect())
}

/// A table with a row for each link of a column that `find` made. The rows of that are counted from `first`.
pub(super) fn table(links: &ArrayData, first: i64) -> Option<ArrayData> {
    let fields = table_fields(links.data_type())?;
    let inner = links.child_data().first()?;
    let ends: Vec<usize> = match links.data_type() {
        DataType::List(_) => links.buffer::<i32>(0).iter().map(|n| n.as_usize()).collect(),
        _ => links.buffer::<i64>(0).iter().map(|n| n.as_usize()).collect(),
    };
    let counts = (first..).zip(ends.windows(2).take(links.len()));
    let rows: Vec<i64> =
        counts.flat_map(|(row, ends)| std::iter::repeat_n(row, ends[1] - ends[0])).collect();
    let (start, len) = (*ends.first()?, rows.len());
    let rows = ArrayData::builder(DataType::Int64).len(len).add_buffer(Buffer::from_vec(rows));
    let inner = inner.slice(start, len);
    let columns = inner.child_data().iter().map(|column| column.slice(inner.offset(), len));
    let columns = std::iter::once(unchecked(rows)).chain(columns).collect();
    Some(unchecked(ArrayData::builder(DataType::Struct(fields)).len(len).child_data(columns)))
}
