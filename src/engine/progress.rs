//! How far a stream has come: the same for plain text and for documents.

use crate::{
    charset::{Charset, detect::Basis},
    links::sink::{Halt, Summary},
};

/// How far a stream has come.
#[derive(Clone, Debug)]
pub(crate) struct Progress {
    /// Where in the stream it began.
    start: u64,
    /// Where the bytes that were pushed end.
    pub(crate) pushed: u64,
    /// Where the next byte for the sink begins.
    pub(crate) delivered: u64,
    pub(crate) links: u64,
    /// The sink knows the charset.
    pub(crate) announced: bool,
    /// A sink failed, panicked or stopped the scan: the bytes that were not delivered are lost.
    pub(crate) halted: bool,
    /// A sink stopped the scan.
    stopped: bool,
}

impl Progress {
    /// At the start of a stream, or of the rest of one.
    pub(crate) fn at(start: u64) -> Progress {
        let (pushed, delivered) = (start, start);
        Progress {
            start,
            pushed,
            delivered,
            links: 0,
            announced: false,
            halted: false,
            stopped: false,
        }
    }

    /// The sink has taken a link that ends at `end`, or it failed.
    #[inline]
    pub(crate) fn took(&mut self, end: u64, taken: Result<(), Halt>) -> Result<(), Halt> {
        if taken != Err(Halt::Failed) {
            self.links += 1;
            self.delivered = end;
        }
        taken
    }

    /// The sink has taken a link that does not count, and ends at `end`, as text; or it failed.
    pub(crate) fn passed(&mut self, end: u64, taken: Result<(), Halt>) -> Result<(), Halt> {
        taken?;
        self.delivered = end;
        Ok(())
    }

    /// A chunk, or the end of the stream, was scanned, or the sink halted it.
    pub(crate) fn scanned(&mut self, result: Result<(), Halt>) -> Result<(), Halt> {
        self.halted = result.is_err();
        self.stopped = result == Err(Halt::Stopped);
        result
    }

    /// Whether the sink is still called at the end.
    pub(crate) fn ends(&self) -> bool {
        !self.halted || self.stopped
    }

    /// Whether a sink stopped the scan.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// The summary of a stream that is over.
    pub(crate) fn summary(&self, overlong: u64, (charset, basis): (Charset, Basis)) -> Summary {
        debug_assert!(
            self.announced || self.halted,
            "the end of a stream should decide on its charset"
        );
        let (links, stopped) = (self.links, self.stopped);
        let scanned = if stopped { self.delivered } else { self.pushed };
        Summary { bytes: scanned - self.start, links, overlong, charset, basis, stopped }
    }
}
