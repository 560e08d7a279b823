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
    bytes: Vec<u8>,
    nulls: NullBufferBuilder,
}

impl<O: Offset> Default for Text<O> {
    fn default() -> Text<O> {
        Text { ends: vec![O::usize_as(0)], bytes: Vec::new(), nulls: NullBufferBuilder::new(0) }
    }
}

impl<O: Offset> Text<O> {
    #[inline]
    pub(super) fn push(&mut self, text: Option<&str>) -> Result<(), String> {
        self.nulls.append(text.is_some());
        self.bytes.extend_from_slice(text.unwrap_or_default().as_bytes());
        fits::<O>(self.bytes.len())?;
        self.ends.push(O::usize_as(self.bytes.len()));
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
        Text { ends: self.ends.clone(), bytes: self.bytes.clone(), nulls }
    }

    /// Adds `text` with lower-case ASCII letters.
    pub(super) fn push_lower(&mut self, text: Option<&str>) -> Result<(), String> {
        let start = self.bytes.len();
        self.push(text)?;
        self.bytes[start..].make_ascii_lowercase();
        Ok(())
    }

    pub(super) fn finish(mut self) -> ArrayData {
        let builder = ArrayData::builder(O::TEXT)
            .len(self.ends.len() - 1)
            .nulls(self.nulls.finish())
            .add_buffer(Buffer::from_vec(self.ends))
            .add_buffer(Buffer::from_vec(self.bytes));
        unchecked(builder)
    }
}
