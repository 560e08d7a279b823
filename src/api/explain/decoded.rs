//! A text as characters, each with its place in the source.

use alloc::{string::String, vec::Vec};
use core::ops::Range;

use super::explanation::Near;
use crate::{
    charset::{Charset, cursor::Cursor, lookahead::Lookahead, unicode::Unit},
    format::document::regions::{ReadRegion, Region},
    grammar::types::Before,
};

/// How many characters of the line before and after a link an explanation has.
const BEFORE: usize = 24;
const AFTER: usize = 16;

/// A character of the text; `None` for malformed bytes.
#[derive(Clone, Copy)]
pub(super) struct Char {
    pub(super) c: Option<char>,
    /// Where it is in the decoded text.
    pub(super) at: usize,
    /// Where it is in the source, and where it ends.
    pub(super) source: u64,
    pub(super) end: u64,
}

/// A text as UTF-8, with the places of its characters in the source.
pub(super) struct Decoded {
    pub(super) text: String,
    /// In order, and one for the end.
    pub(super) chars: Vec<Char>,
    /// Those that are in the source: before and after them may stand what delimits the text.
    pub(super) inner: Range<usize>,
}

impl Decoded {
    /// A text in `charset`, without its byte order mark.
    pub(super) fn of(bytes: &[u8], charset: Charset) -> Decoded {
        let mark = charset.byte_order_mark();
        let start = if bytes.starts_with(mark) { mark.len() } else { 0 };
        Decoded::from(bytes, start, charset)
    }

    /// A text in `charset`, from byte `start` on.
    fn from(bytes: &[u8], start: usize, charset: Charset) -> Decoded {
        let mut text = Decoded::empty();
        each(&bytes[start..], charset, |c, range| {
            text.push(c, (start + range.start) as u64..(start + range.end) as u64);
        });
        text.ended(bytes.len() as u64)
    }

    /// The text of a region of a document.
    pub(super) fn of_region(region: &ReadRegion, document: &View<'_>) -> Decoded {
        let [start, end] = [region.range.start, region.range.end].map(|at| document.place(at).0);
        let mut text = Decoded::empty();
        // As a scan reads a region.
        let field = region.kind == Region::Field;
        let before =
            if field { [Some('='), Some('"')] } else { [region.before.map(char::from), None] };
        before.into_iter().flatten().for_each(|c| text.push(Some(c), start..start));
        text.inner.start = text.chars.len();
        each(&region.text, Charset::UTF_8, |c, range| {
            let (first, last) = (&region.sources[range.start], &region.sources[range.end - 1]);
            let malformed = document.is_malformed(first.start);
            let source = document.place(first.start).0..document.place(last.end - 1).1;
            text.push(c.filter(|_| !malformed), source);
        });
        let inner = text.inner.start..text.chars.len();
        if field {
            text.push(Some('"'), end..end);
        }
        Decoded { inner, ..text.ended(end) }
    }

    fn empty() -> Decoded {
        Decoded { text: String::new(), chars: Vec::new(), inner: 0..0 }
    }

    fn push(&mut self, c: Option<char>, source: Range<u64>) {
        self.chars.push(Char { c, at: self.text.len(), source: source.start, end: source.end });
        self.text.push(c.unwrap_or(char::REPLACEMENT_CHARACTER));
    }

    /// The same text, which ends here in the source.
    fn ended(mut self, source: u64) -> Decoded {
        self.inner.end = self.chars.len();
        self.chars.push(Char { c: None, at: self.text.len(), source, end: source });
        self
    }

    /// The index of the first character at or after this place of the source, which the text holds.
    pub(super) fn index(&self, source: u64) -> usize {
        let inner = &self.chars[self.inner.clone()];
        self.inner.start + inner.partition_point(|c| c.source < source)
    }

    /// The index of the character at this place of the decoded text.
    pub(super) fn index_in_text(&self, at: usize) -> usize {
        self.chars.partition_point(|c| c.at < at)
    }

    /// The text between two characters.
    pub(super) fn between(&self, range: Range<usize>) -> &str {
        &self.text[self.chars[range.start].at..self.chars[range.end].at]
    }

    /// The character with this index; `None` at the end and for malformed bytes.
    pub(super) fn char(&self, index: usize) -> Option<char> {
        self.chars[index].c
    }

    /// The character there, if it is in the source.
    pub(super) fn inner_char(&self, index: usize) -> Option<char> {
        if self.inner.contains(&index) { self.char(index) } else { None }
    }

    /// How many characters there are.
    pub(super) fn len(&self) -> usize {
        self.chars.len() - 1
    }

    /// The characters before one, nearest first, with their places in the decoded text.
    pub(super) fn before(&self, index: usize) -> impl Iterator<Item = Before> {
        self.chars[..index].iter().rev().map(|c| Before { c: c.c, start: c.at as u64 })
    }

    /// The text before a character in its line.
    pub(super) fn line_before(&self, at: usize) -> Near {
        let line = self.chars[self.inner.start..at].iter().rev();
        let count = line.take(BEFORE + 1).take_while(|c| !matches!(c.c, Some('\n' | '\r'))).count();
        let from = at - count.min(BEFORE);
        Near { text: self.between(from..at).into(), is_cut: count > BEFORE }
    }

    /// The text from a character on in its line.
    pub(super) fn line_after(&self, at: usize) -> Near {
        let line = self.chars[at..self.inner.end].iter().take(AFTER + 1);
        let count = line.take_while(|c| !matches!(c.c, Some('\n' | '\r'))).count();
        let to = at + count.min(AFTER);
        Near { text: self.between(at..to).into(), is_cut: count > AFTER }
    }

    /// How many bytes of the decoded text, from the place `at` on, are at most `max_len` bytes of the
    /// source; no end if that is all the rest.
    pub(super) fn room(&self, at: usize, max_len: u64) -> u64 {
        let end = self.chars[self.index_in_text(at)].source.saturating_add(max_len);
        let fit = self.chars.partition_point(|c| c.end <= end);
        self.chars.get(fit).map_or(u64::MAX, |c| (c.at - at) as u64)
    }

    /// Where characters are in the source.
    pub(super) fn source(&self, range: Range<usize>) -> Range<u64> {
        self.chars[range.start].source..self.chars[range.end - 1].end
    }
}

/// A document as its lexer reads it: with its byte order mark.
pub(super) enum View<'d> {
    /// As it is, because it is UTF-8.
    Source(&'d [u8]),
    Decoded(Decoded),
}

impl View<'_> {
    pub(super) fn of(bytes: &[u8], charset: Charset) -> View<'_> {
        match charset == Charset::UTF_8 {
            true => View::Source(bytes),
            false => View::Decoded(Decoded::from(bytes, 0, charset)),
        }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            View::Source(bytes) => bytes,
            View::Decoded(document) => document.text.as_bytes(),
        }
    }

    /// Where the character that has the byte `at` is in the source, and where it ends; of UTF-8 the byte alone.
    fn place(&self, at: usize) -> (u64, u64) {
        match self {
            View::Source(_) => (at as u64, at as u64 + 1),
            View::Decoded(document) => {
                let chars = &document.chars;
                let c = &chars[chars.partition_point(|c| c.at <= at).saturating_sub(1)];
                (c.source, c.end)
            }
        }
    }

    /// The byte `at` is not of the source, but stands for malformed bytes.
    fn is_malformed(&self, at: usize) -> bool {
        match self {
            View::Source(..) => false,
            View::Decoded(document) => {
                let c = document.chars[document.index_in_text(at)];
                c.at == at && c.c.is_none()
            }
        }
    }
}

/// Calls `take` with each character of `bytes`, and where it is there.
fn each(bytes: &[u8], charset: Charset, mut take: impl FnMut(Option<char>, Range<usize>)) {
    let (mut cursor, mut at) = (Cursor::new(charset), 0);
    while let Some((unit, len)) = cursor.step(Lookahead::whole(&bytes[at..])) {
        match unit {
            Unit::Char(c) => take(Some(c), at..at + len),
            Unit::Pair(a, b) => [a, b].into_iter().for_each(|c| take(Some(c), at..at + len)),
            Unit::Malformed => take(None, at..at + len),
            Unit::Escape => {}
        }
        at += len;
    }
}
