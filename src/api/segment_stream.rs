//! Text and links of an asynchronous stream of chunks.

use core::{
    pin::Pin,
    task::{Context, Poll, ready},
};

use bytes::Bytes;
use futures_core::Stream;

use super::{
    finder::Finder,
    segments::{Segment, Segments},
};
use crate::links::sink::Summary;

/// The segments of a stream of [`Bytes`], such as the body of a request of hyper, axum or
/// reqwest, or of tokio's `ReaderStream`. Text and links that lie in one chunk share its
/// memory.
///
/// An error of the inner stream is passed on and loses nothing: the next poll goes on after
/// the last chunk. If the inner stream has stopped for good, [`SegmentStream::end`] hands
/// on the bytes that were held back.
///
/// ```
/// use futures_util::{StreamExt, stream};
/// use iriscan::{Finder, Segment, SegmentStream};
///
/// # use futures_util::FutureExt;
/// # async {
/// let body = stream::iter(["see htt", "p://a.example/é and"])
///     .map(|chunk| Ok::<_, std::io::Error>(bytes::Bytes::from(chunk)));
/// let mut segments = SegmentStream::new(body, &Finder::new());
/// while let Some(segment) = segments.next().await {
///     if let Segment::Link(link) = segment? {
///         assert_eq!(link.iri(), "http://a.example/é");
///     }
/// }
/// assert_eq!(segments.summary().unwrap().links, 1);
/// # Ok::<(), std::io::Error>(())
/// # }.now_or_never().unwrap().unwrap();
/// ```
#[derive(Debug)]
pub struct SegmentStream<S> {
    chunks: S,
    segments: Segments<Bytes>,
}

impl<S> SegmentStream<S> {
    /// The segments of `chunks`.
    #[must_use]
    pub fn new(chunks: S, finder: &Finder) -> SegmentStream<S> {
        SegmentStream { chunks, segments: Segments::new(finder) }
    }

    /// The figures of the whole stream; `None` before its end.
    #[must_use]
    pub fn summary(&self) -> Option<Summary> {
        self.segments.summary()
    }

    /// Ends the stream here: the bytes that were held back come as segments, and then there
    /// are no more. For an inner stream that failed for good.
    pub fn end(&mut self) {
        self.segments.end();
    }

    /// The inner stream.
    pub fn into_inner(self) -> S {
        self.chunks
    }
}

impl<S, B, E> Stream for SegmentStream<S>
where
    S: Stream<Item = Result<B, E>> + Unpin,
    B: Into<Bytes>,
{
    type Item = Result<Segment<Bytes>, E>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        loop {
            if let Some(segment) = this.segments.next_segment() {
                return Poll::Ready(Some(Ok(segment)));
            }
            if this.segments.summary().is_some() {
                return Poll::Ready(None);
            }
            match ready!(Pin::new(&mut this.chunks).poll_next(cx)) {
                Some(Ok(chunk)) => this.segments.feed(chunk.into()),
                Some(Err(e)) => return Poll::Ready(Some(Err(e))),
                None => this.segments.end(),
            }
        }
    }
}
