//! The pull face: chunks of [`Bytes`] in, segments out.
//!
//! Knows how to hand on a chunk's own bytes; decides nothing.

use alloc::{collections::VecDeque, sync::Arc};
use core::convert::Infallible;

use bytes::Bytes;

use super::{finder::Finder, scanner::Scanner};
use crate::{
    charset::Charset,
    grammar::types::Found,
    links::{
        logical::Logical,
        matched::Match,
        sink::{Sink, Summary},
    },
    reference::to_uri::UriOptions,
};

/// A piece of the stream.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Segment {
    /// Bytes that belong to no link.
    Text(Bytes),
    /// A link.
    Link(Link),
}

impl Segment {
    /// The bytes of the segment, as they came in.
    #[must_use]
    pub fn source(&self) -> &Bytes {
        match self {
            Segment::Text(bytes) => bytes,
            Segment::Link(link) => &link.source,
        }
    }
}

/// A link that owns its bytes.
#[derive(Clone, Debug)]
pub struct Link {
    source: Bytes,
    found: Found,
    charset: Charset,
    options: UriOptions,
    logical: Option<Arc<Logical>>,
}

impl Link {
    /// The link, borrowed from here.
    #[must_use]
    pub fn as_match(&self) -> Match<'_> {
        Match::of(&self.source, self.found, self.charset, self.options).with(self.logical.clone())
    }
}

/// Text and links of a stream of [`Bytes`], pulled one by one.
///
/// Text and links that lie in one chunk are handed on without a copy: they
/// share the chunk's memory. What was held back for the next chunk is copied.
/// At most the segments of the chunks fed and not yet taken are in memory.
///
/// ```
/// use bytes::Bytes;
/// use iriscan::{Finder, Segment, Segments};
///
/// let mut segments = Segments::new(&Finder::new());
/// segments.feed(Bytes::from_static(b"see htt"));
/// segments.feed(Bytes::from_static("p://bücher.example, now".as_bytes()));
/// segments.end();
/// let mut out = Vec::new();
/// while let Some(segment) = segments.next_segment() {
///     match segment {
///         Segment::Text(text) => out.extend_from_slice(&text),
///         Segment::Link(link) => out.extend_from_slice(link.as_match().uri()?.as_str().as_bytes()),
///         _ => unreachable!(),
///     }
/// }
/// assert_eq!(out, b"see http://xn--bcher-kva.example, now");
/// # Ok::<(), iriscan::UriError>(())
/// ```
#[derive(Debug)]
pub struct Segments {
    scanner: Option<Scanner>,
    queue: VecDeque<Segment>,
    summary: Option<Summary>,
}

impl Segments {
    /// Segments of a stream that has not begun.
    #[must_use]
    pub fn new(finder: &Finder) -> Segments {
        Segments { scanner: Some(finder.scanner()), queue: VecDeque::new(), summary: None }
    }

    /// Takes the next chunk of the stream. After [`Segments::end`] it does
    /// nothing.
    pub fn feed(&mut self, chunk: Bytes) {
        let Some(scanner) = &mut self.scanner else { return };
        let mut sink = Queue { chunk: &chunk, queue: &mut self.queue };
        let Ok(()) = scanner.push(&chunk, &mut sink);
    }

    /// The stream is over: what was held back becomes segments.
    pub fn end(&mut self) {
        let Some(scanner) = self.scanner.take() else { return };
        let mut sink = Queue { chunk: &Bytes::new(), queue: &mut self.queue };
        let Ok(summary) = scanner.finish(&mut sink);
        self.summary = Some(summary);
    }

    /// The next segment; `None`: feed more, or, after [`Segments::end`], that
    /// was all.
    pub fn next_segment(&mut self) -> Option<Segment> {
        self.queue.pop_front()
    }

    /// What the stream was; `None` before [`Segments::end`].
    #[must_use]
    pub fn summary(&self) -> Option<Summary> {
        self.summary
    }
}

/// Collects segments, those of `chunk` without a copy.
struct Queue<'q> {
    chunk: &'q Bytes,
    queue: &'q mut VecDeque<Segment>,
}

impl Queue<'_> {
    fn own(&self, bytes: &[u8]) -> Bytes {
        let chunk = self.chunk.as_ptr_range();
        let piece = bytes.as_ptr_range();
        if chunk.start <= piece.start && piece.end <= chunk.end && !bytes.is_empty() {
            self.chunk.slice_ref(bytes)
        } else {
            Bytes::copy_from_slice(bytes)
        }
    }
}

impl Sink for Queue<'_> {
    type Error = Infallible;

    fn text(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        self.queue.push_back(Segment::Text(self.own(bytes)));
        Ok(())
    }

    fn matched(&mut self, link: &Match<'_>) -> Result<(), Infallible> {
        self.queue.push_back(Segment::Link(Link {
            source: self.own(link.source()),
            found: link.found(),
            charset: link.charset(),
            options: link.options(),
            logical: link.logical(),
        }));
        Ok(())
    }
}
