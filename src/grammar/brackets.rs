//! The brackets of a tail that are open (UTS #58, termination).

use alloc::vec::Vec;

use super::{
    blocks::{NESTED, SQUARES, TEXTS, mask, run, sorted},
    types::LinkEnd,
};
use crate::{
    data::properties,
    simd::{sets::Set, types::Level},
};

/// The most brackets that can be open at once (UTS #58, termination).
const OPEN_MAX: usize = 125;

/// The most brackets inside a `[` that may come before a text. It keeps `mailto:a[mailto:a[…`,
/// where each link is read on to the end, linear.
const NESTED_MAX: usize = 4;

/// True if `text`, which begins with the first `[` of a path, opens so many more that a text begins
/// there.
#[cold]
pub(super) fn is_nested(level: Level, text: &[u8]) -> bool {
    let ([squares], [taken]) = sorted(level, text, 0, (b"[", &SQUARES));
    (squares & mask(run(taken, 0))).count_ones() as usize > NESTED_MAX
}

/// Open `(` and `[`: one bit each, the innermost lowest. A set bit is a `[`.
#[derive(Clone, Debug, Default)]
struct Ascii {
    square: u128,
    len: usize,
}

/// A `[` without its `]`.
#[derive(Clone, Copy, Debug)]
struct Square {
    /// How many brackets were open before it.
    open: usize,
    /// The link if it gets no `]`: then a text in brackets follows.
    without: LinkEnd,
}

/// Open brackets. `(` and `[`, which no conversion touches, are counted apart from all others,
/// which it encodes: so the converted link ends where the original did.
#[derive(Clone, Debug, Default)]
pub(super) struct Brackets {
    ascii: Ascii,
    /// The closing brackets of the others, the innermost last.
    other: Vec<char>,
    square: Option<Square>,
}

impl Brackets {
    /// Closes all: each part of the tail, and each segment, has its own.
    pub(super) fn clear(&mut self) {
        self.ascii.len = 0;
        self.other.clear();
        self.square = None;
    }

    /// True if none is open.
    pub(super) fn is_empty(&self) -> bool {
        self.ascii.len == 0 && self.other.is_empty() && self.square.is_none()
    }

    /// True if brackets are open that conversion encodes.
    #[inline]
    pub(super) fn has_others(&self) -> bool {
        !self.other.is_empty()
    }

    /// How many `{` are open.
    pub(super) fn braces(&self) -> usize {
        self.other.iter().filter(|close| **close == '}').count()
    }

    /// Opens one. False if too many are open, so that the link ends.
    pub(super) fn open(&mut self, open: char) -> bool {
        if matches!(open, '(' | '[') {
            self.ascii.square = self.ascii.square << 1 | u128::from(open == '[');
            self.ascii.len += 1;
            return self.ascii.len <= OPEN_MAX;
        }
        self.other.push(properties::closing_bracket(open).unwrap_or(open));
        self.other.len() <= OPEN_MAX
    }

    /// Closes one. True if it was the innermost of its family.
    pub(super) fn close(&mut self, close: char) -> bool {
        if matches!(close, ')' | ']') {
            let Ascii { square, len } = &mut self.ascii;
            let matches = *len > 0 && (*square & 1 == 1) == (close == ']');
            *square >>= 1;
            *len = len.saturating_sub(1);
            return matches;
        }
        self.other.pop() == Some(close)
    }

    /// Remembers a `[` of the tail, before it is opened. Without its partner the link is `without`
    /// (case square-bracket-with-text).
    /// False inside another one.
    pub(super) fn open_square(&mut self, without: LinkEnd) -> bool {
        let first = self.square.is_none();
        if first {
            self.square = Some(Square { open: self.ascii.len, without });
        }
        first
    }

    /// True if the remembered `[` has too many brackets inside.
    pub(super) fn is_nested(&self) -> bool {
        self.square.is_some_and(|square| self.ascii.len > square.open + NESTED_MAX)
    }

    /// The ASCII characters that decide nothing with these brackets open.
    #[inline]
    pub(super) fn takes(&self) -> &'static [Set; 1] {
        match self.square {
            Some(_) => &SQUARES,
            None if self.is_empty() => &TEXTS,
            None => &NESTED,
        }
    }

    /// How many more `[` decide nothing inside the remembered one.
    pub(super) fn room(&self) -> usize {
        let most = self.square.map_or(0, |square| OPEN_MAX.min(square.open + NESTED_MAX));
        most.saturating_sub(self.ascii.len)
    }

    /// Opens each `[` of `text`, which has at most as many as [`Brackets::room`] said.
    #[cold]
    pub(super) fn pass(&mut self, text: &[u8]) {
        for _ in text.iter().filter(|b| **b == b'[') {
            self.open('[');
        }
    }

    /// Forgets the remembered `[` once it is closed.
    pub(super) fn close_square(&mut self) {
        if self.square.is_some_and(|square| self.ascii.len <= square.open) {
            self.square = None;
        }
    }

    /// The link if the remembered `[` gets no partner.
    pub(super) fn end_without(&self) -> Option<LinkEnd> {
        self.square.map(|square| square.without)
    }
}
