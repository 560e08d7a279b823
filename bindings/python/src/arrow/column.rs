//! The rows of a column of text.
//!
//! Invariant: every access is checked, so that wrong offsets make an error, whatever the column
//! says about itself.

use arrow_buffer::{ArrowNativeType, Buffer, NullBuffer};
use arrow_data::ArrayData;
use arrow_schema::DataType;

/// The binary type with the layout of the text type `text`; `None` if that is no text. A column of
/// nulls only has no layout, and a dictionary that of its texts.
pub(super) fn read_as(text: &DataType) -> Option<DataType> {
    match text {
        DataType::Utf8 | DataType::Binary => Some(DataType::Binary),
        DataType::LargeUtf8 | DataType::LargeBinary => Some(DataType::LargeBinary),
        DataType::Utf8View | DataType::BinaryView => Some(DataType::BinaryView),
        DataType::Dictionary(key, text) => {
            Some(DataType::Dictionary(key.clone(), Box::new(read_as(text)?)))
        }
        DataType::Null => Some(DataType::Null),
        _ => None,
    }
}

/// One chunk of a column.
pub(super) struct Column {
    pub(super) array: ArrayData,
    /// The type that the caller gave.
    pub(super) text: DataType,
}

impl Column {
    /// Fails if the array is too short for its length.
    pub(super) fn of(array: ArrayData, text: &DataType) -> Result<Column, String> {
        array.validate().map_err(|e| format!("the column is broken: {e}"))?;
        Ok(Column { array, text: text.clone() })
    }

    pub(super) fn len(&self) -> usize {
        self.array.len()
    }

    pub(super) fn nulls(&self) -> Option<&NullBuffer> {
        self.array.nulls()
    }

    /// True if the text is UTF-8, not in the charset of the finder.
    pub(super) fn is_utf8(&self) -> bool {
        matches!(self.text, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
    }

    pub(super) fn rows(&self) -> Rows<'_> {
        let (offset, len) = (self.array.offset(), self.array.len());
        let buffers = self.array.buffers();
        match self.array.data_type() {
            DataType::Binary | DataType::Utf8 => {
                Rows::Small(offsets(&buffers[0], offset, len), &buffers[1])
            }
            DataType::LargeBinary | DataType::LargeUtf8 => {
                Rows::Large(offsets(&buffers[0], offset, len), &buffers[1])
            }
            _ => {
                let views = buffers[0].get(offset * 16..(offset + len) * 16).unwrap_or_default();
                Rows::Views(views.as_chunks().0, &buffers[1..])
            }
        }
    }
}

/// For each row of a dictionary the number of its text, or `None` for a null.
pub(super) fn keys(array: &ArrayData) -> Result<Vec<Option<usize>>, String> {
    fn of<T: ArrowNativeType>(array: &ArrayData) -> Result<Vec<Option<usize>>, String> {
        let texts = array.child_data().first().map_or(0, ArrayData::len);
        let keys = array.buffer::<T>(0).get(..array.len()).unwrap_or_default();
        let keys = keys.iter().enumerate().map(|(i, key)| {
            if array.is_null(i) {
                return Ok(None);
            }
            let key = key.to_usize().filter(|key| *key < texts);
            let wrong = || format!("the column is broken: row {i} is outside of its dictionary");
            key.map(Some).ok_or_else(wrong)
        });
        keys.collect()
    }
    match array.data_type() {
        DataType::Dictionary(key, _) => match **key {
            DataType::Int8 => of::<i8>(array),
            DataType::UInt8 => of::<u8>(array),
            DataType::Int16 => of::<i16>(array),
            DataType::UInt16 => of::<u16>(array),
            DataType::Int32 => of::<i32>(array),
            DataType::UInt32 => of::<u32>(array),
            DataType::Int64 => of::<i64>(array),
            _ => of::<u64>(array),
        },
        _ => Err("the column has no dictionary".into()),
    }
}

/// The offsets of `len` rows: one more than rows, or none if an empty column has no buffer.
fn offsets<O: ArrowNativeType>(buffer: &Buffer, offset: usize, len: usize) -> &[O] {
    buffer.typed_data::<O>().get(offset..=offset + len).unwrap_or_default()
}

/// The bytes of the rows.
pub(super) enum Rows<'a> {
    Small(&'a [i32], &'a [u8]),
    Large(&'a [i64], &'a [u8]),
    Views(&'a [[u8; 16]], &'a [Buffer]),
}

impl<'a> Rows<'a> {
    /// The bytes of row `i`, whose value is not null.
    #[inline]
    pub(super) fn get(&self, i: usize) -> Result<&'a [u8], String> {
        let bytes = match self {
            Rows::Small(offsets, bytes) => between(offsets, i, bytes),
            Rows::Large(offsets, bytes) => between(offsets, i, bytes),
            Rows::Views(views, buffers) => viewed(views, i, buffers),
        };
        bytes.ok_or_else(|| format!("the column is broken: row {i} is outside of its buffer"))
    }
}

#[inline]
fn between<'a, O: ArrowNativeType>(offsets: &[O], i: usize, bytes: &'a [u8]) -> Option<&'a [u8]> {
    let (start, end) = (offsets.get(i)?, offsets.get(i + 1)?);
    bytes.get(start.to_usize()?..end.to_usize()?)
}

/// A view has the length, and then up to 12 bytes of text, or the first four bytes of the text,
/// the number of its buffer and its offset there.
#[inline]
fn viewed<'a>(views: &'a [[u8; 16]], i: usize, buffers: &'a [Buffer]) -> Option<&'a [u8]> {
    let view = views.get(i)?;
    let number = |at: usize| Some(u32::from_ne_bytes(*view.get(at..)?.first_chunk()?) as usize);
    let len = number(0)?;
    if len <= 12 {
        return view.get(4..4 + len);
    }
    let start = number(12)?;
    buffers.get(number(8)?)?.get(start..start.checked_add(len)?)
}
