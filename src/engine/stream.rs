//! One stream of plain text: chunks in, text and links out.
//!
//! It owns the carry and the order; [`machine`](crate::engine::machine) owns the decisions.
//! Invariant: every byte from [`Progress::delivered`] on is in the carry or in the chunk that
//! is being scanned.

use alloc::sync::Arc;

use super::{carry::Carry, nested, progress::Progress, rules::Rules, search::Search};
use crate::{
    charset::{
        Charset,
        detect::Basis,
        window::{Ahead, Window},
    },
    grammar::types::Found,
    links::{
        matched::Match,
        sink::{Halt, Receiver, Summary},
    },
};

/// Scans plain text.
#[derive(Clone, Debug)]
pub(crate) struct TextScanner {
    rules: Arc<Rules>,
    search: Search,
    carry: Carry,
    progress: Progress,
}

impl TextScanner {
    pub(crate) fn new(rules: &Arc<Rules>, charset: Option<Charset>) -> TextScanner {
        TextScanner::of(rules, Search::new(rules.clone(), charset), 0)
    }

    /// Of a text in UTF-8 that is part of something.
    pub(crate) fn within(rules: &Arc<Rules>) -> TextScanner {
        TextScanner::of(rules, Search::within(rules.clone(), Charset::UTF_8), 0)
    }

    /// For the rest of the stream.
    pub(crate) fn rest(&self, offset: u64) -> TextScanner {
        TextScanner::of(&self.rules, self.search.rest(self.rules.clone(), offset), offset)
    }

    fn of(rules: &Arc<Rules>, search: Search, start: u64) -> TextScanner {
        let (carry, progress) = (Carry::at(start), Progress::at(start));
        TextScanner { rules: rules.clone(), search, carry, progress }
    }

    /// Scans the next bytes of the stream; an empty chunk changes nothing.
    ///
    /// # Errors
    ///
    /// The sink's. [`TextScanner::delivered`] is then how far it came, and later calls do
    /// nothing.
    pub(crate) fn push<S: Receiver + ?Sized>(
        &mut self,
        chunk: &[u8],
        sink: &mut S,
    ) -> Result<(), Halt> {
        if self.progress.halted || chunk.is_empty() {
            return Ok(());
        }
        let chunk_at = self.progress.pushed;
        self.progress.pushed += chunk.len() as u64;
        // A sink that panics leaves it so.
        self.progress.halted = true;
        let result = self.scan(chunk, chunk_at, sink);
        self.progress.scanned(result)
    }

    /// As [`Scanner::flush`](crate::api::scanner::Scanner::flush).
    pub(crate) fn flush<S: Receiver + ?Sized>(&mut self, sink: &mut S) -> Result<(), Halt> {
        if self.progress.halted || !self.awaits_charset() {
            return Ok(());
        }
        self.progress.halted = true;
        self.search.hurry(true);
        let mut carry = core::mem::take(&mut self.carry);
        let result = carry.again(|w| {
            self.run(w, &[], self.progress.pushed, sink)?;
            Ok(self.search.keep())
        });
        self.carry = carry;
        self.search.hurry(false);
        self.progress.scanned(result)
    }

    /// Scans what was held back: the stream is over.
    ///
    /// # Errors
    ///
    /// The sink's.
    pub(crate) fn finish<S: Receiver + ?Sized>(mut self, sink: &mut S) -> Result<Summary, Halt> {
        if self.settle(sink) == Err(Halt::Failed) {
            return Err(Halt::Failed);
        }
        let summary = self.progress.summary(self.search.overlong(), self.search.charset());
        if self.progress.ends() {
            sink.finish(&summary)?;
        }
        Ok(summary)
    }

    /// Scans the last bytes of a text, and starts over with another. How many links of the
    /// text that ended were too long.
    pub(crate) fn end_text<S: Receiver + ?Sized>(
        &mut self,
        chunk: &[u8],
        sink: &mut S,
    ) -> Result<u64, Halt> {
        if self.carry.is_empty() && !self.progress.halted {
            // Where nothing follows, what is at the end need not be held back.
            let chunk_at = self.progress.pushed;
            self.progress.pushed += chunk.len() as u64;
            self.progress.halted = true;
            let base = self.search.keep().max(chunk_at);
            let bytes = &chunk[(base - chunk_at) as usize..];
            let w = Window { bytes, base, ahead: Ahead::Nothing };
            let result = self.run(w, chunk, chunk_at, sink);
            self.progress.scanned(result)?;
        } else {
            self.push(chunk, sink)?;
            self.settle(sink)?;
        }
        let overlong = self.search.overlong();
        self.search.restart();
        self.carry.restart();
        (self.progress.pushed, self.progress.delivered) = (0, 0);
        Ok(overlong)
    }

    fn settle<S: Receiver + ?Sized>(&mut self, sink: &mut S) -> Result<(), Halt> {
        if !self.progress.halted {
            let carry = core::mem::take(&mut self.carry);
            let result = self.run(carry.last(), &[], self.progress.pushed, sink);
            self.carry = carry;
            self.progress.scanned(result)?;
        }
        Ok(())
    }

    /// How many links of the text were too long.
    pub(crate) fn overlong(&self) -> u64 {
        self.search.overlong()
    }

    /// Up to which byte of the stream the sink has taken it without an error.
    pub(crate) fn delivered(&self) -> u64 {
        self.progress.delivered
    }

    /// Up to which byte of the stream it has been pushed.
    pub(crate) fn pushed(&self) -> u64 {
        self.progress.pushed
    }

    /// Returns the charset of the stream, and why. Until it is decided, it is UTF-8, because all
    /// bytes read so far are ASCII.
    pub(crate) fn charset(&self) -> (Charset, Basis) {
        self.search.charset()
    }

    /// Whether bytes are held until they decide the charset: up to 64 KiB from the first one that
    /// is not ASCII.
    pub(crate) fn awaits_charset(&self) -> bool {
        self.search.awaits()
    }

    /// Whether a sink stopped the scan.
    pub(crate) fn is_stopped(&self) -> bool {
        self.progress.is_stopped()
    }

    /// Bytes held at this moment: not yet delivered, or context before them.
    pub(crate) fn held(&self) -> usize {
        self.carry.len() + self.search.held()
    }

    fn scan<S: Receiver + ?Sized>(
        &mut self,
        chunk: &[u8],
        chunk_at: u64,
        sink: &mut S,
    ) -> Result<(), Halt> {
        // `keep` trails the settled place by about the length of the carry, so it reaches the chunk
        // only after that many bytes of the chunk.
        let tuning = &self.rules.tuning;
        let kept = if tuning.bridge_by_carry { self.carry.len() } else { 0 };
        let (bridge, mut carry) = (kept + tuning.bridge, core::mem::take(&mut self.carry));
        let result = carry.feed(chunk, chunk_at, bridge, |w| {
            self.run(w, chunk, chunk_at, sink)?;
            Ok(self.search.keep())
        });
        self.carry = carry;
        result
    }

    /// Runs the machine over `w` and delivers all it settles.
    fn run<S: Receiver + ?Sized>(
        &mut self,
        w: Window<'_>,
        chunk: &[u8],
        chunk_at: u64,
        sink: &mut S,
    ) -> Result<(), Halt> {
        loop {
            let mut found = Found::NONE;
            let is_link = self.search.next(w, &mut found);
            if !self.progress.announced && self.search.is_decided() {
                self.progress.announced = true;
                let (charset, basis) = self.search.charset();
                sink.charset(charset, basis)?;
            }
            if !is_link {
                break;
            }
            self.text(w, chunk, chunk_at, found.start, sink)?;
            // From the chunk itself, where it lies there.
            let source = match found.start.checked_sub(chunk_at) {
                Some(start) => &chunk[start as usize..(found.end - chunk_at) as usize],
                None => &w.bytes[w.index(found.start)..w.index(found.end)],
            };
            let charset = self.search.charset_before(found.end);
            let context = found.context().undecided(self.search.is_undecided(found.end));
            let link = Match::of(source, found.in_context(context), charset, self.rules.uri);
            if self.rules.nested.is_some() {
                self.with_nested(link, sink)?;
                continue;
            }
            let taken = match self.search.has_surroundings() {
                true => self.surrounded(link, sink),
                // Most links, which are in registers here.
                false => sink.matched(&link),
            };
            self.progress.took(found.end, taken)?;
        }
        let settled = self.search.settled();
        self.text(w, chunk, chunk_at, settled, sink)
    }

    /// Delivers a link that may have others in its query.
    #[cold]
    #[inline(never)]
    fn with_nested<S: Receiver + ?Sized>(
        &mut self,
        mut link: Match<'_>,
        sink: &mut S,
    ) -> Result<(), Halt> {
        self.search.surround(&mut link);
        let end = link.span().end;
        match self.rules.choose(&link) {
            true => self.progress.took(end, sink.matched(&link))?,
            false => self.progress.passed(end, sink.text(link.source()))?,
        }
        nested::each(&self.rules, &link, |inner| sink.nested(&inner, &link))
    }

    /// Delivers a link with what is around it.
    #[cold]
    #[inline(never)]
    fn surrounded<S: Receiver + ?Sized>(
        &mut self,
        mut link: Match<'_>,
        sink: &mut S,
    ) -> Result<(), Halt> {
        self.search.surround(&mut link);
        sink.matched(&link)
    }

    /// Delivers text up to `to`: from the chunk itself where it lies there, so
    /// that a sink can hand it on without a copy.
    #[inline]
    fn text<S: Receiver + ?Sized>(
        &mut self,
        w: Window<'_>,
        chunk: &[u8],
        chunk_at: u64,
        to: u64,
        sink: &mut S,
    ) -> Result<(), Halt> {
        if self.progress.delivered < to.min(chunk_at) {
            // A character may lie across the edge of the chunk: its first bytes are here.
            let carried = if to <= chunk_at {
                to
            } else {
                self.search.border_after(w, self.progress.delivered, chunk_at).min(to)
            };
            sink.text(&w.bytes[w.index(self.progress.delivered)..w.index(carried)])?;
            self.progress.delivered = carried;
        }
        if self.progress.delivered < to {
            let range = (self.progress.delivered - chunk_at) as usize..(to - chunk_at) as usize;
            sink.text(&chunk[range])?;
            self.progress.delivered = to;
        }
        Ok(())
    }
}
