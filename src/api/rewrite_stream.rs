//! Rewriting an asynchronous stream of chunks.

use core::{
    mem,
    pin::Pin,
    task::{Context, Poll, ready},
};
use std::vec::Vec;

use bytes::Bytes;
use futures_core::Stream;

use super::{finder::Finder, rewriter::Rewriter, rewritten::Rewritten, scanner::Scanner};

/// A stream of [`Bytes`] with each link replaced, as [`Finder::rewrite`] does it for readers: a stream of the same
/// kind, such as the body of a response of hyper, axum or reqwest.
///
/// What can no longer change comes at once; memory does not grow with the stream. Chunks are never empty. The length
/// of a body changes, so a `Content-Length` has to go. An error of the inner stream is passed on and loses nothing:
/// the next poll goes on after the last chunk. If the inner stream has stopped for good, [`RewriteStream::end`] makes
/// the bytes that were held back come.
///
/// ```
/// use futures_util::{StreamExt, TryStreamExt, stream};
/// use iriscan::{Finder, Format, RewriteStream};
///
/// # use futures_util::FutureExt;
/// # async {
/// let body = stream::iter(["<a href='/caf", "é'>x</a>"])
///     .map(|chunk| Ok::<_, std::io::Error>(bytes::Bytes::from(chunk)));
/// let mut body = RewriteStream::new(body, &Finder::new().format(Format::Html));
/// let written: Vec<bytes::Bytes> = body.by_ref().try_collect().await?;
/// assert_eq!(written.concat(), b"<a href='/caf%C3%A9'>x</a>");
/// assert_eq!(body.done().unwrap().changed, 1);
/// # Ok::<(), std::io::Error>(())
/// # }.now_or_never().unwrap().unwrap();
/// ```
#[derive(Debug)]
pub struct RewriteStream<S> {
    chunks: S,
    /// `None` after the end of the stream.
    scanner: Option<Scanner>,
    rewriter: Rewriter<Vec<u8>>,
}

impl<S> RewriteStream<S> {
    /// The bytes of `chunks`, with links replaced as `finder` says.
    #[must_use]
    pub fn new(chunks: S, finder: &Finder) -> RewriteStream<S> {
        let rewriter = Rewriter::new(Vec::new(), finder);
        RewriteStream { chunks, scanner: Some(finder.scanner()), rewriter }
    }

    /// The figures of the whole stream; `None` before its end.
    #[must_use]
    pub fn done(&self) -> Option<Rewritten> {
        self.rewriter.done()
    }

    /// Ends the stream here: the bytes that were held back come, and then there are no more. For an inner stream
    /// that failed for good.
    pub fn end(&mut self) {
        if let Some(scanner) = self.scanner.take() {
            scanner.finish(&mut self.rewriter).expect(TO_MEMORY);
        }
    }

    /// The inner stream.
    pub fn into_inner(self) -> S {
        self.chunks
    }
}

/// Why writing cannot fail.
const TO_MEMORY: &str = "a vector should take all bytes";

impl<S, B, E> Stream for RewriteStream<S>
where
    S: Stream<Item = Result<B, E>> + Unpin,
    B: Into<Bytes>,
{
    type Item = Result<Bytes, E>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        loop {
            let written = mem::take(this.rewriter.get_mut());
            if !written.is_empty() {
                return Poll::Ready(Some(Ok(written.into())));
            }
            let Some(scanner) = &mut this.scanner else { return Poll::Ready(None) };
            match ready!(Pin::new(&mut this.chunks).poll_next(cx)) {
                Some(Ok(chunk)) => {
                    scanner.push(&chunk.into(), &mut this.rewriter).expect(TO_MEMORY);
                }
                Some(Err(e)) => return Poll::Ready(Some(Err(e))),
                None => this.end(),
            }
        }
    }
}
