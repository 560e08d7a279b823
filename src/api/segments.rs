//! Pulling text and links out of a stream that comes in chunks.
//!
//! [`Segments`] is fed chunk by chunk, [`SegmentIter`] takes the chunks from an iterator.
//! Both hand on the bytes of a chunk without a copy where the type of the chunk allows it.

use alloc::{borrow::Cow, collections::VecDeque, vec::Vec};
use core::{convert::Infallible, fmt, ops::ControlFlow};

use super::{finder::Finder, scanner::Scanner};
use crate::links::{
    link::{Link, Source, own},
    matched::Match,
    sink::{Sink, Summary},
};

/// A piece of a stream: `P` is the type of its text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Segment<P> {
    /// Bytes that belong to no link.
    Text(P),
    /// A link.
    Link(Link),
}

impl<P: AsRef<[u8]>> Segment<P> {
    /// The bytes of the segment, as they came in.
    #[must_use]
    pub fn source(&self) -> &[u8] {
        match self {
            Segment::Text(piece) => piece.as_ref(),
            Segment::Link(link) => link.source(),
        }
    }
}

/// A chunk of a stream, and how a piece of it is handed on.
pub trait Chunk: AsRef<[u8]> {
    /// The type of the text of a [`Segment`].
    type Piece: AsRef<[u8]>;

    /// `bytes` as a piece: without a copy, if they lie in this chunk and its type can share
    /// them.
    fn piece(&self, bytes: &[u8]) -> Self::Piece;

    /// A copy of `bytes`, which were held back from earlier chunks.
    fn copied(bytes: &[u8]) -> Self::Piece;

    /// `bytes` for a link that owns them.
    #[doc(hidden)]
    fn source(&self, bytes: &[u8]) -> Source {
        own(bytes)
    }
}

/// Copies.
impl Chunk for Vec<u8> {
    type Piece = Vec<u8>;

    fn piece(&self, bytes: &[u8]) -> Vec<u8> {
        bytes.to_vec()
    }

    fn copied(bytes: &[u8]) -> Vec<u8> {
        bytes.to_vec()
    }
}

/// Borrows the text that lies in one chunk.
impl<'a> Chunk for &'a [u8] {
    type Piece = Cow<'a, [u8]>;

    fn piece(&self, bytes: &[u8]) -> Cow<'a, [u8]> {
        let start = (bytes.as_ptr() as usize).wrapping_sub(self.as_ptr() as usize);
        let same = start.checked_add(bytes.len()).and_then(|end| self.get(start..end));
        same.map_or_else(|| Cow::Owned(bytes.to_vec()), Cow::Borrowed)
    }

    fn copied(bytes: &[u8]) -> Cow<'a, [u8]> {
        Cow::Owned(bytes.to_vec())
    }
}

/// Shares the memory of the chunk, for text and for links.
#[cfg(feature = "bytes")]
impl Chunk for bytes::Bytes {
    type Piece = bytes::Bytes;

    fn piece(&self, bytes: &[u8]) -> bytes::Bytes {
        let chunk = self.as_ptr_range();
        let piece = bytes.as_ptr_range();
        if chunk.start <= piece.start && piece.end <= chunk.end && !bytes.is_empty() {
            self.slice_ref(bytes)
        } else {
            bytes::Bytes::copy_from_slice(bytes)
        }
    }

    fn copied(bytes: &[u8]) -> bytes::Bytes {
        bytes::Bytes::copy_from_slice(bytes)
    }

    fn source(&self, bytes: &[u8]) -> Source {
        self.piece(bytes)
    }
}

/// Text and links of a stream, pulled one by one out of chunks that are fed.
///
/// Text that lies in one chunk is handed on without a copy if the chunks are slices or
/// `bytes::Bytes` (feature `bytes`). Text that was held back for the next chunk is copied. At
/// most the segments of the chunks that were fed and not yet taken are in memory.
///
/// ```
/// use iriscan::{Finder, Segment, Segments};
///
/// let mut segments = Segments::new(&Finder::new());
/// segments.feed(&b"see htt"[..]);
/// segments.feed("p://bücher.example, now".as_bytes());
/// segments.end();
/// let mut out = Vec::new();
/// while let Some(segment) = segments.next_segment() {
///     match segment {
///         Segment::Text(text) => out.extend_from_slice(&text),
///         Segment::Link(link) => out.extend_from_slice(link.uri()?.as_str().as_bytes()),
///         _ => unreachable!(),
///     }
/// }
/// assert_eq!(out, b"see http://xn--bcher-kva.example, now");
/// # Ok::<(), iriscan::UriError>(())
/// ```
#[derive(Debug)]
pub struct Segments<C: Chunk> {
    scanner: Option<Scanner>,
    queue: VecDeque<Segment<C::Piece>>,
    summary: Option<Summary>,
}

impl<C: Chunk> Segments<C> {
    /// Segments of a stream of which nothing was fed yet.
    #[must_use]
    pub fn new(finder: &Finder) -> Segments<C> {
        Segments { scanner: Some(finder.scanner()), queue: VecDeque::new(), summary: None }
    }

    /// Takes the next chunk of the stream. After [`Segments::end`] it does nothing.
    pub fn feed(&mut self, chunk: C) {
        let Some(scanner) = &mut self.scanner else { return };
        let mut sink = Queue { chunk: Some(&chunk), queue: &mut self.queue };
        let Ok(()) = scanner.push(chunk.as_ref(), &mut sink);
    }

    /// Ends the stream: the bytes that were held back become segments.
    pub fn end(&mut self) {
        let Some(scanner) = self.scanner.take() else { return };
        let mut sink = Queue::<C> { chunk: None, queue: &mut self.queue };
        let Ok(summary) = scanner.finish(&mut sink);
        self.summary = Some(summary);
    }

    /// The next segment. `None`: feed more; after [`Segments::end`]: there are no more.
    pub fn next_segment(&mut self) -> Option<Segment<C::Piece>> {
        self.queue.pop_front()
    }

    /// The figures of the whole stream; `None` before [`Segments::end`].
    #[must_use]
    pub fn summary(&self) -> Option<Summary> {
        self.summary
    }
}

/// Collects segments.
struct Queue<'q, C: Chunk> {
    /// `None` at the end of the stream.
    chunk: Option<&'q C>,
    queue: &'q mut VecDeque<Segment<C::Piece>>,
}

impl<C: Chunk> Sink for Queue<'_, C> {
    type Error = Infallible;

    fn text(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        let piece = self.chunk.map_or_else(|| C::copied(bytes), |chunk| chunk.piece(bytes));
        self.queue.push_back(Segment::Text(piece));
        Ok(())
    }

    fn matched(&mut self, link: &Match<'_>) -> Result<ControlFlow<()>, Infallible> {
        let bytes = link.source();
        let source = self.chunk.map_or_else(|| own(bytes), |chunk| chunk.source(bytes));
        self.queue.push_back(Segment::Link(Link::of(link, source)));
        Ok(ControlFlow::Continue(()))
    }
}

/// The segments of a stream whose chunks come from an iterator; made by
/// [`Finder::segments`].
pub struct SegmentIter<I: Iterator<Item: Chunk>> {
    chunks: I,
    segments: Segments<I::Item>,
}

impl<I: Iterator<Item: Chunk>> fmt::Debug for SegmentIter<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SegmentIter").field("summary", &self.summary()).finish_non_exhaustive()
    }
}

impl<I: Iterator<Item: Chunk>> SegmentIter<I> {
    /// The figures of the whole stream; `None` before its end.
    #[must_use]
    pub fn summary(&self) -> Option<Summary> {
        self.segments.summary()
    }
}

impl<I: Iterator<Item: Chunk>> Iterator for SegmentIter<I> {
    type Item = Segment<<I::Item as Chunk>::Piece>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.segments.queue.is_empty() && self.segments.summary.is_none() {
            match self.chunks.next() {
                Some(chunk) => self.segments.feed(chunk),
                None => self.segments.end(),
            }
        }
        self.segments.next_segment()
    }
}

impl<I: Iterator<Item: Chunk>> core::iter::FusedIterator for SegmentIter<I> {}

impl Finder {
    /// Text and links of a stream, pulled out of chunks: vectors, slices, or `bytes::Bytes`.
    ///
    /// ```
    /// use iriscan::{Finder, Segment};
    ///
    /// let chunks = [&b"see htt"[..], b"p://a.example/ or not"];
    /// let segments: Vec<_> = Finder::new().segments(chunks).collect();
    /// let links = segments.iter().filter(|segment| matches!(segment, Segment::Link(_)));
    /// assert_eq!(links.count(), 1);
    /// let all: Vec<u8> = segments.iter().flat_map(Segment::source).copied().collect();
    /// assert_eq!(all, b"see http://a.example/ or not");
    /// ```
    pub fn segments<I>(&self, chunks: I) -> SegmentIter<I::IntoIter>
    where
        I: IntoIterator<Item: Chunk>,
    {
        SegmentIter { chunks: chunks.into_iter(), segments: Segments::new(self) }
    }
}
