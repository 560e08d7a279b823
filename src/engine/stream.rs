//! One stream of plain text: chunks in, text and links out.
//!
//! It owns the carry and the order; [`machine`](crate::engine::machine) owns the decisions.
//! Invariant: `delivered` is the place of the next byte to deliver, and every byte from there on is
//! in the carry or in the current chunk.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::{rules::Rules, search::Engine};
use crate::{
    charset::{
        Charset,
        window::{Ahead, Window},
    },
    links::{
        matched::Match,
        sink::{Failed, Sink, Summary},
    },
};

/// Scans plain text.
#[derive(Clone, Debug)]
pub(crate) struct TextScanner {
    rules: Arc<Rules>,
    engine: Engine,
    /// Bytes before the next chunk that are still needed.
    carry: Vec<u8>,
    /// Absolute offset of `carry[0]`.
    carry_at: u64,
    /// Where in the stream it began.
    start: u64,
    /// Where what was pushed ends.
    pushed: u64,
    delivered: u64,
    links: u64,
    /// The sink knows the charset.
    announced: bool,
    /// A sink failed or panicked: what was not delivered is gone.
    failed: bool,
}

impl TextScanner {
    pub(crate) fn new(rules: &Arc<Rules>, charset: Option<Charset>) -> TextScanner {
        TextScanner::of(rules, Engine::new(rules.clone(), charset), 0)
    }

    /// Of a text in UTF-8 that is part of something.
    pub(crate) fn within(rules: &Arc<Rules>) -> TextScanner {
        TextScanner::of(rules, Engine::within(rules.clone(), Charset::UTF_8), 0)
    }

    /// For the rest of the stream.
    pub(crate) fn rest(&self, offset: u64) -> TextScanner {
        TextScanner::of(&self.rules, self.engine.rest(self.rules.clone(), offset), offset)
    }

    fn of(rules: &Arc<Rules>, engine: Engine, start: u64) -> TextScanner {
        TextScanner {
            rules: rules.clone(),
            engine,
            carry: Vec::new(),
            carry_at: start,
            start,
            pushed: start,
            delivered: start,
            links: 0,
            announced: false,
            failed: false,
        }
    }

    /// Scans the next bytes of the stream; an empty chunk changes nothing.
    ///
    /// # Errors
    ///
    /// The sink's error. [`TextScanner::delivered`] then gives the place that it reached, and later
    /// calls do nothing.
    pub(crate) fn push<S: Sink<Error = Failed> + ?Sized>(
        &mut self,
        chunk: &[u8],
        sink: &mut S,
    ) -> Result<(), Failed> {
        if self.failed || chunk.is_empty() {
            return Ok(());
        }
        let chunk_at = self.pushed;
        self.pushed += chunk.len() as u64;
        // A sink that panics leaves it so.
        self.failed = true;
        let result = self.scan(chunk, chunk_at, sink);
        self.failed = result.is_err();
        result
    }

    /// Scans what was held back: the stream is over.
    ///
    /// # Errors
    ///
    /// The sink's.
    pub(crate) fn finish<S: Sink<Error = Failed> + ?Sized>(
        mut self,
        sink: &mut S,
    ) -> Result<Summary, Failed> {
        self.settle(sink)?;
        let (charset, basis) = self.engine.charset();
        let summary = Summary {
            bytes: self.pushed - self.start,
            links: self.links,
            overlong: self.engine.overlong(),
            charset,
            basis,
        };
        if !self.failed {
            sink.finish(&summary)?;
        }
        Ok(summary)
    }

    /// Scans the last bytes of a text, and starts over with another. How many links of the
    /// text that ended were too long.
    pub(crate) fn end_text<S: Sink<Error = Failed> + ?Sized>(
        &mut self,
        chunk: &[u8],
        sink: &mut S,
    ) -> Result<u64, Failed> {
        if self.carry.is_empty() && !self.failed {
            // Where nothing follows, what is at the end need not be held back.
            let chunk_at = self.pushed;
            self.pushed += chunk.len() as u64;
            self.failed = true;
            let result = self.run_chunk(chunk, chunk_at, Ahead::Nothing, sink);
            self.failed = result.is_err();
            result?;
        } else {
            self.push(chunk, sink)?;
            self.settle(sink)?;
        }
        let overlong = self.engine.overlong();
        self.engine.restart();
        self.carry.clear();
        (self.carry_at, self.pushed, self.delivered) = (0, 0, 0);
        Ok(overlong)
    }

    fn settle<S: Sink<Error = Failed> + ?Sized>(&mut self, sink: &mut S) -> Result<(), Failed> {
        if !self.failed {
            let carry = core::mem::take(&mut self.carry);
            let w = Window { bytes: &carry, base: self.carry_at, ahead: Ahead::Nothing };
            self.run(w, &[], self.pushed, sink)?;
            debug_assert!(self.announced, "the end of a stream should decide on its charset");
            self.carry = carry;
        }
        Ok(())
    }

    /// How many links of the text were too long.
    pub(crate) fn overlong(&self) -> u64 {
        self.engine.overlong()
    }

    /// Up to which byte of the stream the sink has taken it without an error.
    pub(crate) fn delivered(&self) -> u64 {
        self.delivered
    }

    /// Up to which byte of the stream it has been pushed.
    pub(crate) fn pushed(&self) -> u64 {
        self.pushed
    }

    /// The charset of the stream, and how it was decided. It is UTF-8 until then, because all bytes
    /// so far are ASCII.
    pub(crate) fn charset(&self) -> (crate::charset::Charset, crate::charset::detect::Basis) {
        self.engine.charset()
    }

    /// True while bytes are held because the charset depends on them, and more of them are needed:
    /// up to 64 KiB from the first byte that is not ASCII.
    pub(crate) fn awaits_charset(&self) -> bool {
        self.engine.awaits()
    }

    /// Bytes held at this moment: not yet delivered, or context before them.
    pub(crate) fn held(&self) -> usize {
        self.carry.len()
    }

    fn scan<S: Sink<Error = Failed> + ?Sized>(
        &mut self,
        chunk: &[u8],
        chunk_at: u64,
        sink: &mut S,
    ) -> Result<(), Failed> {
        let tuning = &self.rules.tuning;
        let kept = if tuning.bridge_by_carry { self.carry.len() } else { 0 };
        let (mut copied, mut piece) = (0, kept + tuning.bridge);
        while !self.carry.is_empty() && copied < chunk.len() {
            let to = (copied + piece).min(chunk.len());
            self.carry.extend_from_slice(&chunk[copied..to]);
            (copied, piece) = (to, piece * 2);
            let carry = core::mem::take(&mut self.carry);
            let w = Window { bytes: &carry, base: self.carry_at, ahead: Ahead::More };
            let result = self.run(w, chunk, chunk_at, sink);
            self.carry = carry;
            result?;
            self.drop_before(self.engine.keep().min(self.engine.settled()), chunk_at);
        }
        if self.carry.is_empty() {
            self.run_chunk(chunk, chunk_at, Ahead::More, sink)?;
            let keep = self.engine.keep();
            self.carry.extend_from_slice(&chunk[(keep - chunk_at) as usize..]);
            self.carry_at = keep;
        }
        Ok(())
    }

    /// Runs the machine over what the chunk has of the text still needed; nothing before it
    /// is.
    fn run_chunk<S: Sink<Error = Failed> + ?Sized>(
        &mut self,
        chunk: &[u8],
        chunk_at: u64,
        ahead: Ahead,
        sink: &mut S,
    ) -> Result<(), Failed> {
        let base = self.engine.keep().max(chunk_at);
        let w = Window { bytes: &chunk[(base - chunk_at) as usize..], base, ahead };
        self.run(w, chunk, chunk_at, sink)
    }

    /// Lets go of the carry before `keep`; of all of it, if the chunk holds the
    /// rest.
    fn drop_before(&mut self, keep: u64, chunk_at: u64) {
        if keep >= chunk_at {
            self.carry.clear();
            self.carry_at = keep;
            return;
        }
        let dead = (keep - self.carry_at) as usize;
        // Move the rest down only when that pays: single bytes stay linear.
        if dead * 2 >= self.carry.len() {
            self.carry.drain(..dead);
            self.carry_at = keep;
        }
    }

    /// Runs the machine over `w` and delivers all it settles.
    fn run<S: Sink<Error = Failed> + ?Sized>(
        &mut self,
        w: Window<'_>,
        chunk: &[u8],
        chunk_at: u64,
        sink: &mut S,
    ) -> Result<(), Failed> {
        loop {
            let found = self.engine.next(w);
            if !self.announced && self.engine.is_decided() {
                self.announced = true;
                let (charset, basis) = self.engine.charset();
                sink.charset(charset, basis)?;
            }
            let Some(found) = found else { break };
            self.text(w, chunk, chunk_at, found.start, sink)?;
            // From the chunk itself, where it lies there.
            let source = match found.start.checked_sub(chunk_at) {
                Some(start) => &chunk[start as usize..(found.end - chunk_at) as usize],
                None => &w.bytes[w.index(found.start)..w.index(found.end)],
            };
            let charset = self.engine.charset_before(found.end);
            let link = Match::of(source, found, charset, self.rules.uri);
            sink.matched(&link)?;
            self.links += 1;
            self.delivered = found.end;
        }
        let settled = self.engine.settled();
        self.text(w, chunk, chunk_at, settled, sink)
    }

    /// Delivers text up to `to`: from the chunk itself where it lies there, so
    /// that a sink can hand it on without a copy.
    #[inline]
    fn text<S: Sink<Error = Failed> + ?Sized>(
        &mut self,
        w: Window<'_>,
        chunk: &[u8],
        chunk_at: u64,
        to: u64,
        sink: &mut S,
    ) -> Result<(), Failed> {
        if self.delivered < to.min(chunk_at) {
            // A character may lie across the border: its first bytes are here.
            let carried = if to <= chunk_at {
                to
            } else {
                self.engine.boundary(w, self.delivered, chunk_at).min(to)
            };
            sink.text(&w.bytes[w.index(self.delivered)..w.index(carried)])?;
            self.delivered = carried;
        }
        if self.delivered < to {
            let range = (self.delivered - chunk_at) as usize..(to - chunk_at) as usize;
            sink.text(&chunk[range])?;
            self.delivered = to;
        }
        Ok(())
    }
}
