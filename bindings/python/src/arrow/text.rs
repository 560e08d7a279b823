//! Columns of text under construction, with offsets of 32 or 64 bits.

use arrow_buffer::{ArrowNativeType, Buffer, NullBufferBuilder};
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field};

use super::{item, unchecked};

/// The offsets of a list or of text in the result.
pub(super) trait Offset: ArrowNativeType {
    const LIST: fn(std::sync::Arc<Field>) -> DataType;
    const TEXT: DataType;
}

impl Offset for i32 {
    const LIST: fn(std::sync::Arc<Field>) -> DataType = DataType::List;
    const TEXT: DataType = DataType::Utf8;
}

impl Offset for i64 {
    const LIST: fn(std::sync::Arc<Field>) -> DataType = DataType::LargeList;
    const TEXT: DataType = DataType::LargeUtf8;
}

/// A list with elements of this type, which are never null.
pub(super) fn list_of<O: Offset>(element: DataType) -> DataType {
    O::LIST(item(element, false))
}

/// Fails if an offset of the result does not fit into its type.
pub(super) fn fits<O: Offset>(len: usize) -> Result<(), String> {
    match O::from_usize(len) {
        Some(_) => Ok(()),
        None => Err("the links of one chunk exceed 2 GiB; cast the column to large_string or \
                     large_binary, or use smaller chunks"
            .into()),
    }
}

/// A column of text under construction.
pub(super) struct Text<O> {
    /// The start of the first value, and the end of each.
    ends: Vec<O>,
    text: String,
    nulls: NullBufferBuilder,
}

impl<O: Offset> Default for Text<O> {
    fn default() -> Text<O> {
        Text { ends: vec![O::usize_as(0)], text: String::new(), nulls: NullBufferBuilder::new(0) }
    }
}

impl<O: Offset> Text<O> {
    /// Adds what `write` appends, or a null if that returns false.
    #[inline]
    pub(super) fn add(&mut self, write: impl FnOnce(&mut String) -> bool) -> Result<(), String> {
        let is_there = write(&mut self.text);
        self.end(is_there)
    }

    /// Adds what `write` appends, or nothing if that returns false.
    #[inline]
    pub(super) fn add_if(&mut self, write: impl FnOnce(&mut String) -> bool) -> Result<(), String> {
        if write(&mut self.text) { self.end(true) } else { Ok(()) }
    }

    /// Adds a null.
    #[inline]
    pub(super) fn add_null(&mut self) -> Result<(), String> {
        self.end(false)
    }

    #[inline]
    fn end(&mut self, is_there: bool) -> Result<(), String> {
        self.nulls.append(is_there);
        fits::<O>(self.text.len())?;
        self.ends.push(O::usize_as(self.text.len()));
        Ok(())
    }

    /// The number of values.
    pub(super) fn len(&self) -> usize {
        self.ends.len() - 1
    }

    /// A copy of a column without nulls.
    pub(super) fn copy(&self) -> Text<O> {
        let mut nulls = NullBufferBuilder::new(0);
        nulls.append_n_non_nulls(self.ends.len() - 1);
        Text { ends: self.ends.clone(), text: self.text.clone(), nulls }
    }

    pub(super) fn finish(mut self) -> ArrayData {
        let builder = ArrayData::builder(O::TEXT)
            .len(self.ends.len() - 1)
            .nulls(self.nulls.finish())
            .add_buffer(Buffer::from_vec(self.ends))
            .add_buffer(Buffer::from_vec(self.text.into_bytes()));
        unchecked(builder)
    }
}
