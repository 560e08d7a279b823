//! A reader that rewrites what another reader gives.
//!
//! Invariant: the bytes that come out are those of [`Finder::rewrite_slice`], however they are
//! read. An error of the inner reader is passed on and loses nothing: reading again goes on after
//! the last byte that came.

use std::{
    boxed::Box,
    io::{self, BufRead, Read},
    vec,
    vec::Vec,
};

use super::{finder::Finder, rewriter::Rewriter, rewritten::Rewritten, scanner::Scanner};

/// A reader that replaces each link of what it reads by its URI form.
///
/// It implements [`Read`] and [`BufRead`] over a [`Read`], and with the feature `futures`
/// `AsyncRead` and `AsyncBufRead` over an `AsyncRead`. Bytes that can no longer change are
/// handed on before the inner reader is read again. Memory is bounded, whatever the stream
/// holds.
///
/// [`io::ErrorKind::Interrupted`] is tried again. Any other error is passed on and loses
/// nothing: reading again goes on where the inner reader stopped. If it has stopped for
/// good, [`RewriteReader::end`] hands on the bytes that were held back.
///
/// ```
/// use std::io::Read;
///
/// use iriscan::{Finder, RewriteReader};
///
/// let page = "siehe http://bücher.example/ü, danke".as_bytes();
/// let mut reader = RewriteReader::new(page, &Finder::new());
/// let mut text = String::new();
/// reader.read_to_string(&mut text)?;
/// assert_eq!(text, "siehe http://xn--bcher-kva.example/%C3%BC, danke");
/// assert_eq!(reader.done().unwrap().changed, 1);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct RewriteReader<R> {
    inner: R,
    /// `None` after the end of the stream.
    scanner: Option<Scanner>,
    rewriter: Rewriter<Vec<u8>>,
    /// How many bytes of the rewriter's output were handed on.
    at: usize,
    block: Box<[u8]>,
}

impl<R> RewriteReader<R> {
    /// Rewrites what `inner` gives.
    #[must_use]
    pub fn new(inner: R, finder: &Finder) -> RewriteReader<R> {
        RewriteReader {
            inner,
            scanner: Some(finder.scanner()),
            rewriter: Rewriter::new(Vec::new(), finder),
            at: 0,
            block: vec![0; finder.rules.tuning.block].into_boxed_slice(),
        }
    }

    /// The figures of the stream; `None` before its end.
    #[must_use]
    pub fn done(&self) -> Option<Rewritten> {
        self.rewriter.done()
    }

    /// Ends the stream here: the bytes that were held back can be read, and then there are
    /// no more. For an inner reader that failed for good.
    pub fn end(&mut self) {
        if let Some(scanner) = self.scanner.take() {
            scanner.finish(&mut self.rewriter).expect(TAKES_ALL);
        }
    }

    /// The inner reader.
    #[must_use]
    pub fn get_ref(&self) -> &R {
        &self.inner
    }

    /// The inner reader. Bytes that are read from it here are not part of the stream.
    pub fn get_mut(&mut self) -> &mut R {
        &mut self.inner
    }

    /// The inner reader. Bytes that were read from it and not handed on are lost.
    pub fn into_inner(self) -> R {
        self.inner
    }

    /// The output that was not handed on yet.
    fn output(&self) -> &[u8] {
        &self.rewriter.get_ref()[self.at..]
    }

    /// Whether more of the inner reader is needed.
    fn needs_input(&self) -> bool {
        self.output().is_empty() && self.scanner.is_some()
    }

    /// Scans the first `len` bytes of the block; 0 is the end of the stream.
    fn scan(&mut self, len: usize) {
        self.rewriter.get_mut().clear();
        self.at = 0;
        match &mut self.scanner {
            Some(_) if len == 0 => self.end(),
            Some(scanner) => {
                scanner.push(&self.block[..len], &mut self.rewriter).expect(TAKES_ALL);
            }
            None => {}
        }
    }
}

const TAKES_ALL: &str = "a vector should take all";

impl<R: Read> BufRead for RewriteReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.needs_input() {
            match self.inner.read(&mut self.block) {
                Ok(len) => self.scan(len),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
        Ok(self.output())
    }

    fn consume(&mut self, len: usize) {
        self.at += len.min(self.output().len());
    }
}

impl<R: Read> Read for RewriteReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        let len = self.fill_buf()?.read(buffer)?;
        self.consume(len);
        Ok(len)
    }
}

#[cfg(feature = "futures")]
mod asynchronous {
    use core::{
        pin::Pin,
        task::{Context, Poll, ready},
    };
    use std::io::{self, Read as _};

    use futures_io::{AsyncBufRead, AsyncRead};

    use super::RewriteReader;

    impl<R: AsyncRead + Unpin> AsyncBufRead for RewriteReader<R> {
        fn poll_fill_buf(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<&[u8]>> {
            let this = self.get_mut();
            while this.needs_input() {
                match ready!(Pin::new(&mut this.inner).poll_read(cx, &mut this.block)) {
                    Ok(len) => this.scan(len),
                    Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                    Err(e) => return Poll::Ready(Err(e)),
                }
            }
            Poll::Ready(Ok(this.output()))
        }

        fn consume(self: Pin<&mut Self>, len: usize) {
            let this = self.get_mut();
            this.at += len.min(this.output().len());
        }
    }

    impl<R: AsyncRead + Unpin> AsyncRead for RewriteReader<R> {
        fn poll_read(
            mut self: Pin<&mut Self>,
            cx: &mut Context<'_>,
            buffer: &mut [u8],
        ) -> Poll<io::Result<usize>> {
            if buffer.is_empty() {
                return Poll::Ready(Ok(0));
            }
            let len = ready!(self.as_mut().poll_fill_buf(cx))?.read(buffer)?;
            self.consume(len);
            Poll::Ready(Ok(len))
        }
    }
}
