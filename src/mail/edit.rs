//! What rewriting changes in a text, change by change.
//!
//! Knows what the rewriter writes, and nothing of mail. Invariant: the text with
//! its edits made is what the rewriter writes of it, if it is to replace these links.

use core::ops::Range;
use std::vec::Vec;

use crate::{
    Basis, Charset, Finder, Match, Rewriter, Sink, Summary,
    charset::{Shape, Shift},
};

/// A range, and what comes in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) range: Range<usize>,
    pub(super) with: Vec<u8>,
}

const MEMORY: &str = "a vector should take all";

/// Whether rewriting replaces this link.
pub(super) fn changes(finder: &Finder, link: &Match<'_>) -> bool {
    if link.is_ascii() {
        return false;
    }
    let mut rewriter = Rewriter::new(Vec::new(), finder);
    rewriter.matched(link).expect(MEMORY);
    rewriter.changed() > 0
}

/// The edits of `text` that replace `links`, in their order.
pub(super) fn edits<'h>(
    finder: &Finder,
    text: &[u8],
    links: impl IntoIterator<Item = Match<'h>>,
) -> Vec<Edit> {
    let mut writer = Writer { rewriter: Rewriter::new(Vec::new(), finder), edits: Vec::new() };
    let (mut at, mut charset) = (0, Charset::UTF_8);
    for link in links {
        if charset.shape() != Shape::Stateful && link.charset().shape() == Shape::Stateful {
            // Told another charset, it would not hold the first escape sequence.
            writer.rewriter = Rewriter::new(Vec::new(), &Finder::new());
        }
        charset = link.charset();
        let mut range = link.range();
        let held = writer.text(&text[at..range.start], charset);
        at = range.end;
        writer.rewriter.matched(&link).expect(MEMORY);
        let mut with = core::mem::take(writer.rewriter.get_mut());
        // An escape sequence before the link waited for it.
        if held > 0 && with.starts_with(&text[range.start - held..range.start]) {
            with.drain(..held);
        } else {
            range.start -= held;
        }
        writer.edits.push(Edit { range, with });
    }
    if charset.shape() == Shape::Stateful {
        writer.end(&text[at..], charset);
    }
    writer.edits
}

struct Writer {
    rewriter: Rewriter<Vec<u8>>,
    edits: Vec<Edit>,
}

impl Writer {
    /// Text between two links. Gives how much of its end waits for the next.
    fn text(&mut self, text: &[u8], charset: Charset) -> usize {
        if charset.shape() != Shape::Stateful || text.is_empty() {
            return 0;
        }
        self.rewriter.text(text).expect(MEMORY);
        let waits = text.last_chunk::<3>().is_some_and(|e| Shift::from_escape(e).is_some());
        let held = if waits { 3 } else { 0 };
        self.take(text.len() - held);
        held
    }

    /// What was written beyond `len` bytes of text belongs to the link before: the
    /// state that the text behind it counts on.
    fn take(&mut self, len: usize) {
        let written = core::mem::take(self.rewriter.get_mut());
        let added = written.len().saturating_sub(len);
        if let Some(edit) = self.edits.last_mut() {
            edit.with.extend_from_slice(&written[..added]);
        }
    }

    fn end(&mut self, text: &[u8], charset: Charset) {
        let rewriter = &mut self.rewriter;
        if !text.is_empty() {
            rewriter.text(text).expect(MEMORY);
        }
        let summary = Summary { bytes: 0, links: 0, overlong: 0, charset, basis: Basis::Given };
        rewriter.finish(&summary).expect(MEMORY);
        self.take(text.len());
    }
}
