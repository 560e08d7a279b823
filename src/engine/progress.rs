//! How far a stream has come: the same for plain text and for documents.

use crate::{
    charset::{Charset, detect::Basis},
    links::sink::Summary,
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
    /// A sink failed or panicked: the bytes that were not delivered are lost.
    pub(crate) failed: bool,
}

impl Progress {
    /// At the start of a stream, or of the rest of one.
    pub(crate) fn at(start: u64) -> Progress {
        let (pushed, delivered) = (start, start);
        Progress { start, pushed, delivered, links: 0, announced: false, failed: false }
    }

    /// The summary of a stream that is over.
    pub(crate) fn summary(&self, overlong: u64, (charset, basis): (Charset, Basis)) -> Summary {
        debug_assert!(
            self.announced || self.failed,
            "the end of a stream should decide on its charset"
        );
        Summary { bytes: self.pushed - self.start, links: self.links, overlong, charset, basis }
    }
}
