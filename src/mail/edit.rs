//! The changes of rewriting in a text, one by one.
//!
//! This file knows the rewriter and nothing of mail. Invariant: the text with the edits applied
//! is the output of the rewriter for these links.

use core::ops::Range;
use std::vec::Vec;

use crate::{
    api::{finder::Finder, rewriter::Rewriter},
    charset::{Charset, Shape, Shift, detect::Basis},
    links::{
        matched::Match,
        sink::{Sink, Summary},
    },
    reference::host_cache::HostCache,
};

/// A range, and the bytes that replace it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) range: Range<usize>,
    pub(super) with: Vec<u8>,
}

/// How much of the text before a link the rewriter sees: eight characters of UTF-32.
const NEAR: usize = 32;

const MEMORY: &str = "a vector should take all";

/// How many links change, how many stay though there is something to change, and how many identifiers stay, if this
/// is the only link.
pub(super) fn counts(
    finder: &Finder,
    link: &Match<'_>,
    ascii: bool,
    hosts: &mut HostCache,
) -> (u64, u64, u64) {
    let mut rewriter = Rewriter::new(Vec::new(), finder);
    if ascii {
        rewriter.only_ascii();
    }
    core::mem::swap(rewriter.hosts(), hosts);
    rewriter.link(link).expect(MEMORY);
    core::mem::swap(rewriter.hosts(), hosts);
    (rewriter.changed(), rewriter.unconvertible(), rewriter.identifiers())
}

/// Makes the edits of a text, link by link. It holds only the last one.
pub(super) struct Writer<'t, 'h> {
    text: &'t [u8],
    /// How much of the text is done.
    at: usize,
    charset: Charset,
    rewriter: Rewriter<Vec<u8>>,
    /// Lines are folded, so that all of a line counts.
    folds: bool,
    /// The last link and its edit. The text after the link may add to the edit.
    last: Option<(Match<'h>, Edit)>,
}

impl<'t, 'h> Writer<'t, 'h> {
    /// `ascii`: replacements have ASCII characters only.
    pub(super) fn new(finder: &Finder, text: &'t [u8], ascii: bool) -> Writer<'t, 'h> {
        let mut rewriter = Rewriter::new(Vec::new(), finder);
        if ascii {
            rewriter.only_ascii();
        }
        let folds = finder.format.row().is_folded;
        Writer { text, at: 0, charset: Charset::UTF_8, rewriter, folds, last: None }
    }

    /// Replaces the next link. Returns the link before it, whose edit is done now.
    /// `n`: the number of the link.
    pub(super) fn link(&mut self, link: &Match<'h>, n: u64) -> Option<(Match<'h>, Edit)> {
        self.rewriter.number(n);
        if self.charset != link.charset() {
            self.charset = link.charset();
            self.rewriter.charset(self.charset, Basis::Given).expect(MEMORY);
        }
        let mut range = link.range();
        let held = self.between(&self.text[self.at..range.start]);
        self.at = range.end;
        self.rewriter.link(link).expect(MEMORY);
        let mut with = core::mem::take(self.rewriter.get_mut());
        // An escape sequence before the link was held back for it, or the text of its line.
        if held > 0 && with.starts_with(&self.text[range.start - held..range.start]) {
            with.drain(..held);
        } else {
            range.start -= held;
        }
        // Quoted-printable ignores white space at the end of a line.
        let before = self.text[..range.start].last().filter(|b| matches!(b, b' ' | b'\t'));
        if let (Some(blank), [b'\r', b'\n', ..] | [b'\n', ..]) = (before, &with[..]) {
            with.insert(0, *blank);
            range.start -= 1;
        }
        self.last.replace((link.clone(), Edit { range, with }))
    }

    /// Takes the text between two links. Returns how many bytes at its end are held back for
    /// the next link.
    fn between(&mut self, text: &[u8]) -> usize {
        let stateful = self.charset.shape() == Shape::Stateful;
        if !(stateful || self.folds) || text.is_empty() {
            self.settle(text);
            self.rewriter.see(&text[text.len().saturating_sub(NEAR)..]);
            return 0;
        }
        let shown = self.show(text);
        if !stateful {
            return self.take(shown);
        }
        let waits = text.last_chunk::<3>().is_some_and(|e| Shift::from_escape(e).is_some());
        let held = if waits { 3 } else { 0 };
        self.take(shown - held);
        held
    }

    /// Adds to the last edit what has to be between a link that was replaced by nothing and `text`.
    fn settle(&mut self, text: &[u8]) {
        self.rewriter.settle(text).expect(MEMORY);
        self.take(0);
    }

    /// Writes a text without the middle of a long one, because the state depends on its two
    /// ends only. Returns how many bytes were written.
    fn show(&mut self, text: &[u8]) -> usize {
        // The start of a line that is folded may be far from a link.
        let (first, last) = if self.folds { (256, 1024) } else { (32, 3) };
        let (start, end) = match text.len().checked_sub(last) {
            Some(end) if end > first => (&text[..first], &text[end..]),
            _ => (text, &[][..]),
        };
        for part in [start, end].into_iter().filter(|part| !part.is_empty()) {
            self.rewriter.text(part).expect(MEMORY);
        }
        start.len() + end.len()
    }

    /// Adds to the last edit the output beyond `len` bytes of text: an escape sequence for the
    /// state that the text after the link needs, or a fold. Returns how many bytes of the text were
    /// not written.
    fn take(&mut self, len: usize) -> usize {
        let written = core::mem::take(self.rewriter.get_mut());
        let added = written.len().saturating_sub(len);
        if let Some((_, edit)) = self.last.as_mut() {
            edit.with.extend_from_slice(&written[..added]);
        }
        len.saturating_sub(written.len())
    }

    /// Characters of replacements that are written as `?`.
    pub(super) fn lost(&self) -> u64 {
        self.rewriter.lost()
    }

    /// Ends the text. Returns the last link and its edit.
    pub(super) fn end(mut self) -> Option<(Match<'h>, Edit)> {
        if self.charset.shape() == Shape::Stateful || self.folds {
            let (text, charset) = (&self.text[self.at..], self.charset);
            let shown = self.show(text);
            let (basis, stopped) = (Basis::Given, false);
            let summary = Summary { bytes: 0, links: 0, overlong: 0, charset, basis, stopped };
            self.rewriter.finish(&summary).expect(MEMORY);
            self.take(shown);
        } else {
            let text = self.text;
            self.settle(&text[self.at..]);
        }
        self.last
    }
}
