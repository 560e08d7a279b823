//! A column of text with the URI in place of each link. Text that stays is not copied if it need
//! not be: a column in which nothing changes is returned as it is, and views of rows that stay
//! point to the caller's buffers.

use std::borrow::Cow;

use arrow_buffer::{ArrowNativeType, Buffer};
use arrow_data::{ArrayData, ByteView, MAX_INLINE_VIEW_LEN};
use arrow_schema::DataType;
use iriscan::{Charset, Finder, Input};

use super::{
    column::{Column, Rows},
    unchecked,
};

/// A buffer of views is full at this size, so that its offsets fit into 31 bits.
const FULL: usize = 1 << 30;

/// The column with its links rewritten, in the type of `column`.
pub(super) fn rewrite(finder: &Finder, column: &Column) -> Result<ArrayData, String> {
    if column.len() == 0 {
        // The buffers of an empty column may be too short for its offset.
        return Ok(ArrayData::new_empty(&column.text));
    }
    let changed = match column.rows() {
        Rows::Small(offsets, bytes) => rewrite_offsets(finder, column, offsets, bytes)?,
        Rows::Large(offsets, bytes) => rewrite_offsets(finder, column, offsets, bytes)?,
        Rows::Views(views, _) => rewrite_views(finder, column, views)?,
    };
    let array = changed.unwrap_or_else(|| column.array.clone());
    Ok(unchecked(array.into_builder().data_type(column.text.clone())))
}

/// The bytes of row `i` with its links rewritten; `None` for a null.
fn row<'a>(
    finder: &Finder,
    column: &Column,
    rows: &Rows<'a>,
    i: usize,
) -> Result<Option<Cow<'a, [u8]>>, String> {
    if column.nulls().is_some_and(|nulls| nulls.is_null(i)) {
        return Ok(None);
    }
    let input = Input::new(rows.get(i)?);
    let input = if column.is_utf8() { input.charset(Charset::UTF_8) } else { input };
    Ok(Some(finder.rewrite_slice(input).0))
}

/// The new array, or `None` if nothing changes.
fn rewrite_offsets<O: ArrowNativeType>(
    finder: &Finder,
    column: &Column,
    offsets: &[O],
    bytes: &[u8],
) -> Result<Option<ArrayData>, String> {
    let rows = column.rows();
    // The first row that changes, and from there on all bytes.
    let mut made: Option<(Vec<O>, Vec<u8>)> = None;
    for i in 0..column.len() {
        let new = row(finder, column, &rows, i)?;
        if made.is_none() && matches!(new, Some(Cow::Owned(_))) {
            made = Some(before(offsets, bytes, i, column.len()).ok_or("the column is broken")?);
        }
        if let Some((ends, out)) = &mut made {
            out.extend_from_slice(new.as_deref().unwrap_or_default());
            ends.push(O::from_usize(out.len()).ok_or(
                "the rewritten text of one chunk exceeds 2 GiB; cast the column to large_string \
                 or large_binary, or use smaller chunks",
            )?);
        }
    }
    Ok(made.map(|(ends, out)| {
        let builder = ArrayData::builder(column.array.data_type().clone())
            .len(column.len())
            .nulls(column.nulls().cloned())
            .add_buffer(Buffer::from_vec(ends))
            .add_buffer(Buffer::from_vec(out));
        unchecked(builder)
    }))
}

/// Copies of the rows before row `i`, and of their offsets, which start at 0; `None` if the
/// offsets are wrong.
fn before<O: ArrowNativeType>(
    offsets: &[O],
    bytes: &[u8],
    i: usize,
    len: usize,
) -> Option<(Vec<O>, Vec<u8>)> {
    let start = offsets.first()?.to_usize()?;
    let mut ends = Vec::with_capacity(len + 1);
    let mut last = 0;
    for offset in offsets.get(..=i)? {
        let end = offset.to_usize()?.checked_sub(start)?;
        if end < last {
            return None;
        }
        last = end;
        ends.push(O::from_usize(end)?);
    }
    let mut out = Vec::with_capacity(bytes.len() - start.min(bytes.len()));
    out.extend_from_slice(bytes.get(start..start + last)?);
    Some((ends, out))
}

/// The new array, or `None` if nothing changes. Views of rows that stay are copied; text is not.
fn rewrite_views(
    finder: &Finder,
    column: &Column,
    views: &[[u8; 16]],
) -> Result<Option<ArrayData>, String> {
    let rows = column.rows();
    let theirs = column.array.buffers()[1..].to_vec();
    let (mut full, mut out): (Vec<Vec<u8>>, Vec<u8>) = (Vec::new(), Vec::new());
    let mut made: Option<Vec<u128>> = None;
    for (i, view) in views.iter().enumerate() {
        match row(finder, column, &rows, i)? {
            Some(Cow::Owned(new)) => {
                let old = || views[..i].iter().map(|view| u128::from_ne_bytes(*view)).collect();
                if !out.is_empty() && out.len() + new.len() > FULL {
                    full.push(std::mem::take(&mut out));
                }
                let buffer = theirs.len() + full.len();
                let view = new_view(&new, buffer, out.len())
                    .ok_or("a rewritten row exceeds 2 GiB; views cannot be longer")?;
                if new.len() > MAX_INLINE_VIEW_LEN as usize {
                    out.extend_from_slice(&new);
                }
                made.get_or_insert_with(old).push(view);
            }
            _ => {
                if let Some(made) = &mut made {
                    made.push(u128::from_ne_bytes(*view));
                }
            }
        }
    }
    Ok(made.map(|made| {
        full.push(out);
        let builder = ArrayData::builder(DataType::BinaryView)
            .len(column.len())
            .nulls(column.nulls().cloned())
            .add_buffer(Buffer::from_vec(made))
            .add_buffers(theirs)
            .add_buffers(full.into_iter().map(Buffer::from_vec));
        unchecked(builder)
    }))
}

/// The view of `text`, which is at `offset` of `buffer` unless it is short; `None` if a number
/// does not fit into 31 bits.
fn new_view(text: &[u8], buffer: usize, offset: usize) -> Option<u128> {
    let number = |n: usize| i32::try_from(n).ok().map(i32::cast_unsigned);
    let len = number(text.len())?;
    if len <= MAX_INLINE_VIEW_LEN {
        let mut view = [0; 16];
        view[..4].copy_from_slice(&len.to_ne_bytes());
        view[4..4 + text.len()].copy_from_slice(text);
        return Some(u128::from_ne_bytes(view));
    }
    let view = ByteView::new(len, text.get(..4)?);
    Some(view.with_buffer_index(number(buffer)?).with_offset(number(offset)?).as_u128())
}
