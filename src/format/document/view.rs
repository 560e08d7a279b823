//! The bytes that a lexer reads: the source, or the text that it was transcoded to.

use alloc::vec::Vec;
use core::ops::Range;

use crate::{
    charset::{
        Shape,
        cursor::Cursor,
        source_map::{SAME, SourceMap},
        transcoder::decode,
        window::Window,
    },
    format::lexing::lookahead::Lookahead,
};

/// A window over the view of a document.
#[derive(Clone, Copy, Debug)]
pub(in crate::format) struct View<'v> {
    pub(in crate::format) window: Window<'v>,
    /// From the view to the source, if that was transcoded.
    pub(in crate::format) above: Option<&'v SourceMap>,
}

impl<'v> View<'v> {
    /// The bytes from `at` on.
    pub(in crate::format) fn from(&self, at: u64) -> &'v [u8] {
        self.window.from(at)
    }

    /// What a lexer may look at from `at` on.
    pub(in crate::format) fn ahead(&self, at: u64) -> Lookahead<'v> {
        self.window.lookahead(at)
    }

    /// The offset after the last byte.
    pub(in crate::format) fn end(&self) -> u64 {
        self.window.end()
    }

    /// Where the place `at` between two characters is in the source.
    pub(in crate::format) fn source(&self, at: u64) -> u64 {
        self.above.map_or(at, |above| above.start(at))
    }

    /// The bytes of `range`.
    pub(in crate::format) fn slice(&self, range: Range<u64>) -> &'v [u8] {
        &self.window.bytes[self.window.index(range.start)..self.window.index(range.end)]
    }
}

/// Appends the text of `bytes`, which are a part of the view. Returns how many of them were decoded: all, but for an
/// incomplete character at the end that may go on.
#[inline]
pub(in crate::format) fn append_text(
    cursor: &mut Cursor,
    bytes: Lookahead<'_>,
    text: &mut Vec<u8>,
    map: &mut SourceMap,
) -> usize {
    if cursor.shape() == Shape::Utf8 {
        text.extend_from_slice(&bytes);
        map.push(bytes.len(), bytes.len(), SAME);
        return bytes.len();
    }
    decode(cursor, bytes, text, map)
}
