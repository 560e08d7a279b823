//! Rewriting from a reader to a writer.

use std::io::{self, Read, Write};

use super::{
    finder::Finder,
    rewrite::{Rewritten, Splice},
    scanner::Scanner,
};
use crate::{
    charset::{Charset, detect::Basis},
    links::{
        matched::Match,
        sink::{Sink, Summary},
    },
};

/// How much is read at once: what fits the caches best.
const BLOCK: usize = if cfg!(test) { 13 } else { 128 * 1024 };

/// How much is written at once; longer text is handed on from where it was read.
const BUFFER: usize = BLOCK / 2;

/// A sink that writes the stream, each link replaced by its URI form.
///
/// It writes through to `W` piece by piece: give it a buffered writer, or
/// use [`Finder::rewrite`].
#[derive(Debug)]
pub struct Rewriter<W> {
    out: W,
    splice: Splice,
    /// The stream is in ISO-2022-JP, or may turn out to be.
    jis: bool,
    done: Option<Rewritten>,
}

impl<W: Write> Rewriter<W> {
    /// A rewriter into `out`, for a stream that `scanner` has not begun.
    #[must_use]
    pub fn new(out: W, finder: &Finder) -> Rewriter<W> {
        // Only ISO-2022-JP needs an escape at the end of the text held back; in
        // other charsets that delays three bytes until the charset is known.
        let jis = finder.rules.charset.is_none_or(|c| c == Charset::ISO_2022_JP);
        Rewriter { out, splice: Splice::default(), jis, done: None }
    }

    /// The writer, and what was done; `None` before the end of the stream.
    pub fn into_inner(self) -> (W, Option<Rewritten>) {
        (self.out, self.done)
    }

    /// Links replaced so far.
    #[must_use]
    pub fn changed(&self) -> u64 {
        self.splice.changed
    }

    /// Links without a URI form so far; they stay as they are.
    #[must_use]
    pub fn unconvertible(&self) -> u64 {
        self.splice.unconvertible
    }

    /// Identifiers of RDF so far that are not ASCII and stay as they are
    /// ([`Config::identifiers`](crate::api::config::Config::identifiers)).
    #[must_use]
    pub fn identifiers(&self) -> u64 {
        self.splice.identifiers
    }

    /// The writer.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.out
    }
}

impl<W: Write> Sink for Rewriter<W> {
    type Error = io::Error;

    fn charset(&mut self, charset: Charset, _: Basis) -> io::Result<()> {
        self.jis = charset == Charset::ISO_2022_JP;
        match self.splice.escape.take_if(|_| !self.jis) {
            Some(escape) => self.out.write_all(&escape),
            None => Ok(()),
        }
    }

    fn text(&mut self, bytes: &[u8]) -> io::Result<()> {
        let out = &mut self.out;
        self.splice.text(bytes, self.jis, |piece| out.write_all(piece))
    }

    fn matched(&mut self, link: &Match<'_>) -> io::Result<()> {
        let out = &mut self.out;
        self.splice.link(link, self.jis, |piece| out.write_all(piece))
    }

    fn finish(&mut self, summary: &Summary) -> io::Result<()> {
        let out = &mut self.out;
        self.splice.end(|piece| out.write_all(piece))?;
        self.done = Some(Rewritten {
            stream: *summary,
            changed: self.splice.changed,
            unconvertible: self.splice.unconvertible,
            identifiers: self.splice.identifiers,
        });
        out.flush()
    }
}

impl Finder {
    /// Copies `reader` to `writer`, each link replaced by its URI form.
    ///
    /// Memory is bounded, whatever the stream holds. What is settled is
    /// written and flushed before the next read, so a slow pipe is passed
    /// on as it comes.
    ///
    /// ```
    /// use iriscan::Finder;
    ///
    /// let mut out = Vec::new();
    /// let done = Finder::new().rewrite(&b"<http://\xE4\xBE\x8B.jp/>"[..], &mut out)?;
    /// assert_eq!(out, b"<http://xn--fsq.jp/>");
    /// assert_eq!((done.stream.bytes, done.changed), (16, 1));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of the reader and of the writer; [`io::ErrorKind::Interrupted`]
    /// is tried again.
    pub fn rewrite<R: Read, W: Write>(&self, reader: R, writer: W) -> io::Result<Rewritten> {
        let mut rewriter = Rewriter::new(io::BufWriter::with_capacity(BUFFER, writer), self);
        self.scan(reader, &mut rewriter, |r| r.get_mut().flush())?;
        let done = rewriter.done;
        rewriter.into_inner().0.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(done.expect("a finished stream should have its figures"))
    }

    /// Reads `reader` to its end into `sink`; `before_read` is called
    /// before each read that may wait.
    ///
    /// # Errors
    ///
    /// Those of the reader, after what came before has been delivered, and
    /// of the sink.
    pub fn scan<R: Read, S: Sink<Error = io::Error>>(
        &self,
        mut reader: R,
        sink: &mut S,
        mut before_read: impl FnMut(&mut S) -> io::Result<()>,
    ) -> io::Result<Summary> {
        let mut scanner: Scanner = self.scanner();
        let mut block = std::vec![0; BLOCK];
        loop {
            before_read(sink)?;
            match reader.read(&mut block) {
                Ok(0) => return scanner.finish(sink),
                Ok(n) => scanner.push(&block[..n], sink)?,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => {
                    // What came before the trouble is not lost.
                    scanner.finish(sink)?;
                    return Err(e);
                }
            }
        }
    }
}
