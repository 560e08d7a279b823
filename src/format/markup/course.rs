//! How far the skipper of HTML came: the last tag, the last end of a tag, and the bytes that have a token.
//!
//! Blocks are passed, and from that come the place where skipping stops, and the name and the start of the value
//! that a byte is in. What must hold: all bytes before [`Course::said`] have a token.

use core::{hint::select_unpredictable, ops::Range};

use super::layout::Block;
use crate::format::lexing::lexer::is_space;

/// Where skipping stops, by an offset.
pub(in crate::format) enum Stop {
    /// At text, or at markup.
    Data(usize),
    /// In a tag, where an attribute may begin.
    Tag(usize),
    /// At the value of the attribute with this name, after this quote (0: without one).
    Value(Range<usize>, u8, usize),
}

/// The last block with any of some bits, and where it begins.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::format) struct Last {
    bits: u64,
    at: usize,
}

impl Last {
    #[inline(always)]
    fn pass(&mut self, bits: u64, at: usize) {
        // A branch would often be mispredicted.
        self.at = select_unpredictable(bits == 0, self.at, at);
        self.bits = select_unpredictable(bits == 0, self.bits, bits);
    }

    pub(in crate::format) fn set(&mut self, at: usize) {
        *self = Last { bits: 1, at };
    }

    /// Returns the offset of the last bit.
    #[inline(always)]
    pub(in crate::format) fn get(self) -> Option<usize> {
        self.bits.checked_ilog2().map(|i| self.at + i as usize)
    }
}

/// The part that was skipped so far, as offsets in `bytes`.
pub(in crate::format) struct Course<'a> {
    pub(in crate::format) bytes: &'a [u8],
    /// Where it began.
    pub(in crate::format) from: usize,
    /// The last `<` of a tag; empty if the current tag began before `bytes`.
    pub(in crate::format) tags: Last,
    /// The `<` of the tag whose name is in [`Skipper::tag`](crate::format::markup::skip::Skipper::tag).
    pub(in crate::format) named: Option<usize>,
    /// The last `>` of a tag.
    pub(in crate::format) ends: Last,
    /// The end of the last value or tag that was read.
    pub(in crate::format) past: usize,
    /// The last character reference.
    pub(in crate::format) reference: Option<usize>,
    /// All bytes before have tokens.
    pub(in crate::format) said: usize,
    /// So many bytes before the first one have no token yet.
    pub(in crate::format) before: usize,
}

impl Course<'_> {
    /// Passes the bytes of `block` in `by`; it begins at `at`.
    #[inline(always)]
    pub(in crate::format) fn pass(&mut self, block: &Block, at: usize, by: u64) {
        self.tags.pass(block.starts & by, at);
        self.ends.pass(block.ends & by, at);
    }

    /// Returns the last tag, if it is a closing one.
    pub(in crate::format) fn closing(&self) -> Option<usize> {
        self.tags.get().filter(|tag| self.bytes[tag + 1] == b'/')
    }

    /// Stops in the last tag, after the last value that has a token.
    pub(in crate::format) fn in_tag(&self) -> Stop {
        let begun = self.tags.get().filter(|tag| self.past <= *tag);
        begun.map_or(Stop::Tag(self.past), Stop::Data)
    }

    /// Returns the end of the last tag.
    pub(in crate::format) fn text(&self) -> usize {
        self.ends.get().map_or(self.from, |at| at + 1)
    }

    /// Returns where the value begins that `at` is in, between these quotes (0: without).
    fn value(&self, at: usize, quote: u8) -> usize {
        if quote == 0 {
            // After the first `=` in the run without white space.
            let least = self.tags.get().map_or(self.past, |tag| tag.max(self.past));
            let before = &self.bytes[least..at];
            let word = before.iter().rposition(|b| is_never_bare(*b)).map_or(0, |i| i + 1);
            let equals = before[word..].iter().position(|b| *b == b'=');
            return equals.map_or(at, |i| least + word + i + 1);
        }
        let open = self.bytes[self.from..at].iter().rposition(|b| *b == quote);
        open.map_or(self.from, |i| self.from + i + 1)
    }

    /// Whether `before` and `at` are in the same value, between these quotes.
    pub(in crate::format) fn are_in_one_value(&self, before: usize, at: usize, quote: u8) -> bool {
        #[cfg(test)]
        crate::charset::cursor::STEPS
            .set(crate::charset::cursor::STEPS.get() + (at - before) as u64);
        let begun = self.tags.get().is_some_and(|tag| before < tag);
        let apart = |b: &u8| if quote == 0 { is_never_bare(*b) } else { *b == quote };
        !begun && !self.bytes[before..at].iter().any(apart)
    }

    /// Stops at the value that `at` is in; in a closing tag, at its `<`.
    pub(in crate::format) fn at_value(&self, at: usize, quote: u8) -> Stop {
        let value = self.value(at, quote);
        let equals = value - 1 - usize::from(quote != 0);
        let stop = || Stop::Value(self.name(equals), quote, value);
        self.closing().map_or_else(stop, Stop::Data)
    }

    /// Returns the name before the `=` at `at`.
    pub(in crate::format) fn name(&self, at: usize) -> Range<usize> {
        let before = &self.bytes[self.from..at];
        let start = before.iter().rposition(|b| is_apart(*b));
        start.map_or(self.from, |i| self.from + i + 1)..at
    }

    /// Whether the name before the `=` at `at` is `name`.
    pub(in crate::format) fn is_name(&self, at: usize, name: &[u8]) -> bool {
        let rest = self.bytes[self.from..at].strip_suffix(name);
        rest.is_some_and(|rest| rest.last().is_none_or(|b| is_apart(*b)))
    }
}

/// Whether a byte is between attributes.
fn is_apart(b: u8) -> bool {
    is_never_bare(b) || b == b'/'
}

/// Whether a byte is in no regular value without quotes.
fn is_never_bare(b: u8) -> bool {
    is_space(b) || matches!(b, b'"' | b'\'')
}
