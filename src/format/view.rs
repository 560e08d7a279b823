//! The bytes that a lexer reads: the source, or the text that it was transcoded to.

use core::ops::Range;

use super::source_map::SourceMap;
use crate::charset::window::Window;

/// A window over the view of a document.
#[derive(Clone, Copy, Debug)]
pub(super) struct View<'v> {
    pub(super) window: Window<'v>,
    /// From the view to the source, if that was transcoded.
    pub(super) above: Option<&'v SourceMap>,
}

impl<'v> View<'v> {
    /// The bytes from `at` on.
    pub(super) fn from(&self, at: u64) -> &'v [u8] {
        self.window.from(at)
    }

    /// The offset after the last byte.
    pub(super) fn end(&self) -> u64 {
        self.window.end()
    }

    /// Where the place `at` between two characters is in the source.
    pub(super) fn source(&self, at: u64) -> u64 {
        self.above.map_or(at, |above| above.start(at))
    }

    /// The bytes of `range`.
    pub(super) fn slice(&self, range: Range<u64>) -> &'v [u8] {
        &self.window.bytes[self.window.index(range.start)..self.window.index(range.end)]
    }
}
