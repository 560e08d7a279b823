//! The links of a document in memory, read piece by piece.

use alloc::{collections::VecDeque, sync::Arc};

use crate::{
    charset::{Charset, detect::Basis},
    engine::rules::Rules,
    format::{document::Document, kinds::Format},
    links::{
        matched::Match,
        sink::{Halt, Receiver},
    },
};

/// A document that is read piece by piece.
#[derive(Clone, Debug)]
pub(super) struct Paged<'h> {
    /// `None` after its end.
    document: Option<Document>,
    read: usize,
    /// How many bytes are read at once.
    page: usize,
    charset: (Charset, Basis),
    overlong: u64,
    links: VecDeque<Match<'h>>,
}

impl<'h> Paged<'h> {
    /// `given`: the charset, if the caller knows it.
    pub(super) fn new(rules: &Arc<Rules>, format: Format, given: Option<Charset>) -> Paged<'h> {
        let document = Document::new(rules, format, given);
        Paged {
            charset: document.charset(),
            document: Some(document),
            read: 0,
            page: rules.tuning.page,
            overlong: 0,
            links: VecDeque::new(),
        }
    }

    pub(super) fn charset(&self) -> (Charset, Basis) {
        self.charset
    }

    pub(super) fn overlong(&self) -> u64 {
        self.overlong
    }

    #[inline(never)]
    pub(super) fn next(&mut self, bytes: &'h [u8]) -> Option<Match<'h>> {
        while self.links.is_empty() && self.document.is_some() {
            self.turn(bytes);
        }
        self.links.pop_front()
    }

    /// Reads the next page, and after the last one the end.
    fn turn(&mut self, bytes: &'h [u8]) {
        let Some(mut document) = self.document.take() else { return };
        let mut sink = Whole { bytes, links: &mut self.links };
        let rest = &bytes[self.read..];
        let page = &rest[..rest.len().min(self.page)];
        document.push(page, &mut sink).expect(TAKES_ALL);
        self.read += page.len();
        self.charset = document.charset();
        if self.read < bytes.len() {
            self.document = Some(document);
            return;
        }
        let summary = document.finish(&mut sink).expect(TAKES_ALL);
        self.charset = (summary.charset, summary.basis);
        self.overlong = summary.overlong;
    }
}

/// Collects links that borrow from the whole slice instead of from a page.
struct Whole<'q, 'h> {
    bytes: &'h [u8],
    links: &'q mut VecDeque<Match<'h>>,
}

const TAKES_ALL: &str = "a queue should take all links";

impl Receiver for Whole<'_, '_> {
    fn text(&mut self, _: &[u8]) -> Result<(), Halt> {
        Ok(())
    }

    fn matched(&mut self, link: &Match<'_>) -> Result<(), Halt> {
        let source = &self.bytes[link.range()];
        let whole = Match::of(source, link.found(), link.charset(), link.options());
        self.links.push_back(whole.with(link.logical()).standing(link.markup()));
        Ok(())
    }

    fn nested(&mut self, link: &Match<'_>, _: &Match<'_>) -> Result<(), Halt> {
        self.matched(link)
    }
}
