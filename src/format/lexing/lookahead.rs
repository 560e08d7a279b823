//! The bytes that a lexer may look at, and whether the document ends with them.
//!
//! A document comes in chunks, so the bytes that decide may not have come yet. Functions that read ahead take a
//! [`Lookahead`] and return an `Option`. In all of them `None` means the same: more bytes are needed. What was looked
//! for and is not there is [`Here::Nothing`].

use core::ops::Deref;

/// The next bytes of a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lookahead<'b> {
    bytes: &'b [u8],
    last: bool,
}

impl<'b> Lookahead<'b> {
    /// `last`: the document ends with these bytes.
    #[inline]
    pub(crate) const fn new(bytes: &'b [u8], last: bool) -> Lookahead<'b> {
        Lookahead { bytes, last }
    }

    /// All the rest of a document.
    #[inline]
    pub(crate) const fn whole(bytes: &'b [u8]) -> Lookahead<'b> {
        Lookahead { bytes, last: true }
    }

    /// The bytes, which live longer than the `Lookahead`.
    #[inline]
    pub(crate) const fn as_slice(&self) -> &'b [u8] {
        self.bytes
    }

    /// Whether the document ends with these bytes.
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
    pub(in crate::format) fn from(&self, at: usize) -> Lookahead<'b> {
        Lookahead { bytes: &self.bytes[at..], last: self.last }
    }

    /// `rest`, which is the end of these bytes.
    #[inline]
    pub(in crate::format) fn with(&self, rest: &'b [u8]) -> Lookahead<'b> {
        Lookahead { bytes: rest, last: self.last }
    }

    /// The first `most` bytes, for a decision that needs no more: if there are as many, nothing follows them.
    #[inline]
    pub(in crate::format) fn near(&self, most: usize) -> Lookahead<'b> {
        match self.bytes.get(..most) {
            Some(bytes) => Lookahead { bytes, last: true },
            None => *self,
        }
    }

    /// Whether the bytes begin with `with`, in any case. `None`: more bytes are needed.
    #[inline]
    pub(in crate::format) fn begins(&self, with: &[u8]) -> Option<bool> {
        let seen = &self.bytes[..self.bytes.len().min(with.len())];
        match seen.eq_ignore_ascii_case(&with[..seen.len()]) {
            true if seen.len() < with.len() && !self.last => None,
            same => Some(same && seen.len() == with.len()),
        }
    }
}

/// The thing that a function looks for, if the bytes begin with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Here<T> {
    Is(T),
    Nothing,
}

impl<T> Here<T> {
    /// The same as an `Option`, for its methods.
    #[inline]
    pub(in crate::format) fn found(self) -> Option<T> {
        match self {
            Here::Is(found) => Some(found),
            Here::Nothing => None,
        }
    }
}

impl<T> From<Option<T>> for Here<T> {
    #[inline]
    fn from(found: Option<T>) -> Here<T> {
        found.map_or(Here::Nothing, Here::Is)
    }
}

impl Deref for Lookahead<'_> {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        self.bytes
    }
}
