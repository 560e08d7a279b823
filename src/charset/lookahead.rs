//! The next bytes, and whether more may follow.
//!
//! A text comes in chunks, so the bytes that decide may not have come yet. Functions that read ahead take a
//! [`Lookahead`] and return an `Option`. In all of them `None` means the same: more bytes are needed.

use core::ops::Deref;

/// The next bytes of a text or a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lookahead<'b> {
    bytes: &'b [u8],
    last: bool,
}

impl<'b> Lookahead<'b> {
    /// `last`: nothing follows these bytes.
    #[inline]
    pub(crate) const fn new(bytes: &'b [u8], last: bool) -> Lookahead<'b> {
        Lookahead { bytes, last }
    }

    /// All the rest: nothing follows these bytes.
    #[inline]
    pub(crate) const fn whole(bytes: &'b [u8]) -> Lookahead<'b> {
        Lookahead { bytes, last: true }
    }

    /// A part: more bytes may follow these.
    #[inline]
    pub(crate) const fn part(bytes: &'b [u8]) -> Lookahead<'b> {
        Lookahead { bytes, last: false }
    }

    /// The bytes, which live longer than the `Lookahead`.
    #[inline]
    pub(crate) const fn as_slice(&self) -> &'b [u8] {
        self.bytes
    }

    /// Whether nothing follows these bytes.
    #[inline]
    pub(crate) const fn is_last(&self) -> bool {
        self.last
    }

    /// Whether more bytes may follow.
    #[inline]
    pub(crate) const fn is_partial(&self) -> bool {
        !self.last
    }

    /// The same without the first `at` bytes.
    #[inline]
    pub(crate) fn from(&self, at: usize) -> Lookahead<'b> {
        Lookahead { bytes: &self.bytes[at..], last: self.last }
    }

    /// `bytes` instead of these, with the same after them.
    #[inline]
    pub(crate) fn with(&self, bytes: &'b [u8]) -> Lookahead<'b> {
        Lookahead { bytes, last: self.last }
    }

    /// The first `most` bytes, for a decision that needs no more: if there are as many, nothing follows them.
    #[inline]
    pub(crate) fn near(&self, most: usize) -> Lookahead<'b> {
        match self.bytes.get(..most) {
            Some(bytes) => Lookahead { bytes, last: true },
            None => *self,
        }
    }

    /// Whether the bytes begin with `with`, in any case. `None`: more bytes are needed.
    #[inline]
    pub(crate) fn begins(&self, with: &[u8]) -> Option<bool> {
        let seen = &self.bytes[..self.bytes.len().min(with.len())];
        match seen.eq_ignore_ascii_case(&with[..seen.len()]) {
            true if seen.len() < with.len() && !self.last => None,
            same => Some(same && seen.len() == with.len()),
        }
    }
}

impl Deref for Lookahead<'_> {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        self.bytes
    }
}
