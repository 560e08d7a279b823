//! Rewriting a stream into a writer.

use core::ops::ControlFlow;
use std::io::{self, Read, Write};

use super::{
    finder::Finder, replace::Replacement, rewrite::Splice, rewritten::Rewritten, scanner::Scanner,
    segments::Segment,
};
#[cfg(feature = "mail")]
use crate::reference::host_cache::HostCache;
use crate::{
    charset::{Charset, detect::Basis},
    links::{
        matched::Match,
        sink::{Sink, Summary},
    },
};

/// A sink that writes the stream with each link replaced by its URI form, or by the text of a
/// template ([`Config::rewrite`](crate::api::config::Config::rewrite)).
///
/// It writes to `W` piece by piece, so `W` should be buffered. [`Finder::rewrite`] does that.
///
/// ```
/// use iriscan::{Finder, Rewriter};
///
/// let finder = Finder::new();
/// let (mut rewriter, mut scanner) = (Rewriter::new(Vec::new(), &finder), finder.scanner());
/// for chunk in ["<http://bücher.exam", "ple/>"] {
///     scanner.push(chunk.as_bytes(), &mut rewriter)?;
/// }
/// scanner.finish(&mut rewriter)?;
/// let (out, done) = rewriter.into_inner();
/// assert_eq!(out, b"<http://xn--bcher-kva.example/>");
/// assert_eq!(done.unwrap().changed, 1);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Rewriter<W> {
    out: W,
    splice: Splice,
    done: Option<Rewritten>,
}

impl<W: Write> Rewriter<W> {
    /// A rewriter into `out`, for a stream from its start.
    #[must_use]
    pub fn new(out: W, finder: &Finder) -> Rewriter<W> {
        Rewriter { out, splice: Splice::new(finder), done: None }
    }

    /// The writer, and the figures of the stream; `None` before its end.
    pub fn into_inner(self) -> (W, Option<Rewritten>) {
        (self.out, self.done)
    }

    /// Writes a segment of the stream: text as it is, a link replaced. So who pulls [`Segments`](super::segments::Segments)
    /// can look at each link, leave some as they are (with [`Sink::text`]), and have the others in the charset of the
    /// document. [`Sink::finish`] with the summary of the segments ends the stream.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    ///
    /// ```
    /// use iriscan::{Charset, Finder, Rewriter, Sink};
    ///
    /// let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    /// let body = utf16("see http://a.example/é now");
    /// let finder = Finder::new().charset(Charset::UTF_16LE);
    /// let mut rewriter = Rewriter::new(Vec::new(), &finder);
    /// let mut segments = finder.segments(body.chunks(7));
    /// for segment in &mut segments {
    ///     rewriter.segment(&segment)?;
    /// }
    /// rewriter.finish(&segments.summary().unwrap())?;
    /// assert_eq!(rewriter.into_inner().0, utf16("see http://a.example/%C3%A9 now"));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn segment<P: AsRef<[u8]>>(&mut self, segment: &Segment<P>) -> io::Result<()> {
        match segment {
            Segment::Text(text) => self.text(text.as_ref()),
            Segment::Link(link) => self.link(&link.as_match()),
        }
    }

    /// Links replaced so far.
    #[must_use]
    pub fn changed(&self) -> u64 {
        self.splice.counts.changed
    }

    /// Links without a URI form so far; they stay as they are.
    #[must_use]
    pub fn unconvertible(&self) -> u64 {
        self.splice.counts.unconvertible
    }

    /// Identifiers of RDF and keys of PO so far that are not ASCII and were left as they are
    /// ([`Config::identifiers`](crate::api::config::Config::identifiers)).
    #[must_use]
    pub fn identifiers(&self) -> u64 {
        self.splice.counts.identifiers
    }

    /// Characters of replacements so far that are written as `?`
    /// ([`Config::rewrite`](crate::api::config::Config::rewrite)).
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.splice.counts.lost
    }

    /// Links so far that were written in UTF-8 before the charset was decided
    /// ([`Rewritten::before_charset`]).
    #[must_use]
    pub fn before_charset(&self) -> u64 {
        self.splice.counts.early
    }

    /// Writes what replaces a link.
    pub(crate) fn link(&mut self, link: &Match<'_>) -> io::Result<()> {
        let out = &mut self.out;
        self.splice.link(link, |piece| out.write_all(piece))
    }

    /// Makes `n` the number of the next link.
    #[cfg(feature = "mail")]
    pub(crate) fn number(&mut self, n: u64) {
        self.splice.n = n.saturating_sub(1);
    }

    /// The hosts that were converted last.
    #[cfg(feature = "mail")]
    pub(crate) fn hosts(&mut self) -> &mut HostCache {
        &mut self.splice.memory.hosts
    }

    /// Replacements have ASCII characters only.
    #[cfg(feature = "mail")]
    pub(crate) fn only_ascii(&mut self) {
        self.splice.ascii = true;
    }

    /// Learns what is directly before the next link, without writing it.
    #[cfg(feature = "mail")]
    pub(crate) fn see(&mut self, text: &[u8]) {
        self.splice.see(text);
    }

    /// Writes what has to be between a link that was replaced by nothing and `text`, which is not
    /// written.
    #[cfg(feature = "mail")]
    pub(crate) fn settle(&mut self, text: &[u8]) -> io::Result<()> {
        let out = &mut self.out;
        self.splice.settle(text, |piece| out.write_all(piece))
    }

    /// The figures of the whole stream; `None` before its end.
    #[must_use]
    pub fn done(&self) -> Option<Rewritten> {
        self.done
    }

    /// The writer.
    #[must_use]
    pub fn get_ref(&self) -> &W {
        &self.out
    }

    /// The writer. Bytes written to it here come between two pieces of the stream.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.out
    }
}

impl<W: Write> Sink for Rewriter<W> {
    type Error = io::Error;

    fn charset(&mut self, charset: Charset, _: Basis) -> io::Result<()> {
        self.splice.read_as(charset);
        let may_shift = self.splice.may_shift;
        match self.splice.shifts.escape.take_if(|_| !may_shift) {
            Some(escape) => self.out.write_all(&escape),
            None => Ok(()),
        }
    }

    fn text(&mut self, bytes: &[u8]) -> io::Result<()> {
        let out = &mut self.out;
        self.splice.text(bytes, |piece| out.write_all(piece))
    }

    fn matched(&mut self, link: &Match<'_>) -> io::Result<ControlFlow<()>> {
        self.link(link).map(ControlFlow::Continue)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.get_mut().flush()
    }

    fn finish(&mut self, summary: &Summary) -> io::Result<()> {
        let out = &mut self.out;
        self.splice.end(|piece| out.write_all(piece))?;
        self.done = Some(self.splice.counts.of(*summary));
        out.flush()
    }
}

impl Finder {
    /// Copies `reader` to `writer`, each link replaced by its URI form.
    ///
    /// Memory is bounded, whatever the stream holds. Bytes that can no longer change are
    /// written and flushed before the next read, so a slow pipe passes on without delay.
    ///
    /// ```
    /// use iriscan::Finder;
    ///
    /// let mut out = Vec::new();
    /// let done = Finder::new().rewrite(&b"<http://\xE4\xBE\x8B.jp/>"[..], &mut out)?;
    /// assert_eq!(out, b"<http://xn--fsq.jp/>");
    /// assert_eq!((done.summary.bytes, done.changed), (16, 1));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of the reader and of the writer. After [`io::ErrorKind::Interrupted`] the read
    /// is repeated.
    pub fn rewrite<R: Read, W: Write>(&self, reader: R, writer: W) -> io::Result<Rewritten> {
        // Text that is longer than the buffer is written from where it was read.
        let buffer = self.rules.tuning.block / 2;
        let mut rewriter = Rewriter::new(io::BufWriter::with_capacity(buffer, writer), self);
        self.scan(reader, &mut rewriter)?;
        let done = rewriter.done;
        rewriter.into_inner().0.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(done.expect("a finished stream should have its figures"))
    }

    /// Reads `reader` to its end, or until `sink` stops the scan, and scans it into `sink`. Calls [`Sink::flush`] before each read, because
    /// that may wait.
    ///
    /// # Errors
    ///
    /// Those of the sink, and those of the reader, after the bytes before the error were
    /// delivered.
    pub fn scan<R: Read, S: Sink<Error = io::Error>>(
        &self,
        mut reader: R,
        sink: &mut S,
    ) -> io::Result<Summary> {
        let mut scanner: Scanner = self.scanner();
        let mut block = std::vec![0; self.rules.tuning.block];
        loop {
            sink.flush()?;
            match reader.read(&mut block) {
                Ok(0) => return scanner.finish(sink),
                Ok(n) => {
                    scanner.push(&block[..n], sink)?;
                    if scanner.is_stopped() {
                        return scanner.finish(sink);
                    }
                }
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => {
                    // The bytes before the error are not lost.
                    scanner.finish(sink)?;
                    return Err(e);
                }
            }
        }
    }
}

impl Finder {
    /// Copies `reader` to `writer`, each link replaced by the text that `replace` writes:
    /// [`Finder::replace_all`] for streams.
    ///
    /// Memory is bounded, as for [`Finder::rewrite`]. Until the charset is decided, that is as long as
    /// all bytes are ASCII, other characters are written with the escape of the format, or as `?` if
    /// it has none; [`Rewritten::lost`] counts those.
    ///
    /// ```
    /// use iriscan::Finder;
    ///
    /// let mut out = Vec::new();
    /// let done = Finder::new().replace_stream(&b"see http://a.example/x now"[..], &mut out, |link, out| {
    ///     out.push_str(&link.host().unwrap_or_default());
    /// })?;
    /// assert_eq!((&out[..], done.changed), (&b"see a.example now"[..], 1));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`Finder::rewrite`].
    pub fn replace_stream(
        &self,
        reader: impl Read,
        writer: impl Write,
        replace: impl FnMut(&Match<'_>, &mut Replacement),
    ) -> io::Result<Rewritten> {
        let mut rewriter = Rewriter::new(writer, self);
        rewriter.splice = Splice::replacing(self);
        let mut sink = Replacer { rewriter, replace };
        self.scan(reader, &mut sink)?;
        sink.rewriter.done.ok_or_else(|| io::Error::other("the stream has no end"))
    }
}

/// A sink that replaces links by what a function writes.
struct Replacer<W, F> {
    rewriter: Rewriter<W>,
    replace: F,
}

impl<W: Write, F: FnMut(&Match<'_>, &mut Replacement)> Sink for Replacer<W, F> {
    type Error = io::Error;

    fn charset(&mut self, charset: Charset, basis: Basis) -> io::Result<()> {
        self.rewriter.charset(charset, basis)
    }

    fn text(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.rewriter.text(bytes)
    }

    fn matched(&mut self, link: &Match<'_>) -> io::Result<ControlFlow<()>> {
        let mut replacement = Replacement::default();
        (self.replace)(link, &mut replacement);
        let Some(text) = replacement.text() else {
            self.rewriter.text(link.source())?;
            return Ok(ControlFlow::Continue(()));
        };
        let Rewriter { out, splice, .. } = &mut self.rewriter;
        let (charset, undecided) = (link.charset(), link.found().context().is_undecided());
        splice.replace(text, charset, undecided, link, |piece| out.write_all(piece))?;
        Ok(ControlFlow::Continue(()))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.rewriter.flush()
    }

    fn finish(&mut self, summary: &Summary) -> io::Result<()> {
        self.rewriter.finish(summary)
    }
}
