//! A part of a stream that is in memory, with its place in the stream.

use super::lookahead::Lookahead;

/// A part of the stream that is in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window<'w> {
    pub(crate) bytes: &'w [u8],
    /// Absolute offset of the first byte.
    pub(crate) base: u64,
    pub(crate) ahead: Ahead,
}

/// Whether more bytes follow the window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ahead {
    More,
    Nothing,
}

impl<'w> Window<'w> {
    pub(crate) fn last(&self) -> bool {
        self.ahead == Ahead::Nothing
    }

    pub(crate) fn end(&self) -> u64 {
        self.base + self.bytes.len() as u64
    }

    pub(crate) fn index(&self, at: u64) -> usize {
        debug_assert!(self.base <= at && at <= self.end(), "{at} should lie in the window");
        (at - self.base) as usize
    }

    pub(crate) fn from(&self, at: u64) -> &'w [u8] {
        &self.bytes[self.index(at)..]
    }

    /// The bytes from `at` on, and whether more follow.
    #[inline]
    pub(crate) fn lookahead(&self, at: u64) -> Lookahead<'w> {
        Lookahead::new(self.from(at), self.last())
    }

    /// The window up to `at`, with more to come.
    pub(crate) fn until(&self, at: u64) -> Window<'w> {
        Window { bytes: &self.bytes[..self.index(at)], base: self.base, ahead: Ahead::More }
    }
}
