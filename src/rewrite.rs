//! Writing the stream back, each link replaced by its URI form.
//!
//! Knows bytes on the way out and the ISO-2022-JP state they leave a reader in;
//! finds nothing. Invariants: bytes outside a replaced link go out as they came
//! in, but for escape sequences directly beside it; what is written decodes, in
//! the same charset, to the text with the link replaced.

use alloc::{borrow::Cow, vec::Vec};

use crate::{
    charset::{Shape, Shift},
    finder::Finder,
    input::Input,
    matched::Match,
    reference::UriError,
    sink::Summary,
};

/// What a rewriting did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rewritten {
    /// The stream as it came in.
    pub stream: Summary,
    /// Links replaced.
    pub changed: u64,
    /// Links that have no URI form, and stay.
    pub unconvertible: u64,
    /// Identifiers of RDF that are not ASCII, and stay
    /// ([`Config::identifiers`](crate::Config::identifiers)).
    pub identifiers: u64,
}

/// Bytes in, bytes out: the part of rewriting that knows no writer.
#[derive(Clone, Debug, Default)]
struct Splice {
    changed: u64,
    unconvertible: u64,
    identifiers: u64,
    /// An escape sequence at the end of the text, whose need the next link
    /// decides.
    escape: Option<[u8; 3]>,
    /// What a reader of the output is in, and what the source assumes there;
    /// they differ only directly behind a replaced link.
    reader: Option<(Shift, Shift)>,
    scratch: Vec<u8>,
}

impl Splice {
    /// Text, in the pieces to write. Only in a stateful charset (`jis`) may the
    /// first and the last escape sequence matter.
    fn text<E>(
        &mut self,
        mut bytes: &[u8],
        jis: bool,
        mut write: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        if !jis {
            return write(bytes);
        }
        if let Some((reader, source)) = self.reader.take() {
            // An escape that follows stays, even where it changes nothing now:
            // what stands behind it may be malformed because of it.
            if reader != source && Shift::from_escape(bytes).is_none() {
                write(source.escape())?;
            }
        }
        if let Some(escape) = self.escape.take() {
            write(&escape)?;
        }
        if let Some((text, escape)) = bytes.split_last_chunk::<3>()
            && Shift::from_escape(escape).is_some()
        {
            self.escape = Some(*escape);
            bytes = text;
        }
        if bytes.is_empty() { Ok(()) } else { write(bytes) }
    }

    /// A link: its URI in the charset of the document, or its own bytes. `jis`: text is
    /// in ISO-2022-JP, or may turn out to be.
    fn link<E>(
        &mut self,
        link: &Match<'_>,
        jis: bool,
        mut write: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let shape = link.charset().shape();
        if link.is_ascii() {
            return self.text(link.source(), jis, write);
        }
        let writable = |uri: &Cow<'_, str>| {
            let encoding = link.charset().encoding().filter(|_| !uri.is_ascii());
            // A broken character before the link would swallow its new first byte
            // (the law of rewriting met it).
            let swallows = shape == Shape::Multi && link.is_malformed_adjacent();
            let first = uri.bytes().next();
            // A `<` before the link would make a tag of it.
            let tag =
                link.found().after_less_than && first.is_some_and(|b| b.is_ascii_alphabetic());
            // A kept host that does not come back from its charset.
            encoding.is_none_or(|e| e.output_encoding() != e || !e.encode(uri).2)
                && !(swallows && first != link.source().first().copied())
                && !tag
        };
        let uri = match link.rewritten() {
            // It is its own URI form, such as one whose host is kept.
            Ok(None) => return self.text(link.source(), jis, write),
            Ok(Some(_)) if link.found().identifier => {
                self.identifiers += 1;
                return self.text(link.source(), jis, write);
            }
            Ok(Some(uri)) if writable(&uri) => uri,
            Ok(Some(_)) | Err(_) => {
                self.unconvertible += 1;
                return self.text(link.source(), jis, write);
            }
        };
        self.changed += 1;
        if shape != Shape::Stateful
            && let Some(escape) = self.escape.take()
        {
            write(&escape)?;
        }
        let uri = &*uri;
        match shape {
            Shape::Utf8 => write(uri.as_bytes()),
            Shape::Single | Shape::Multi => {
                // Only a host that is kept is not ASCII.
                let (bytes, ..) = match link.charset().encoding() {
                    Some(encoding) => encoding.encode(uri),
                    None => return write(link.source()),
                };
                write(&bytes)
            }
            Shape::Wide { width, big } => {
                self.scratch.clear();
                wide(uri, width, big, &mut self.scratch);
                write(&self.scratch)
            }
            Shape::Stateful => self.shifted(uri, link, write),
        }
    }

    fn shifted<E>(
        &mut self,
        uri: &str,
        link: &Match<'_>,
        mut write: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let found = link.found();
        let escape = self.escape.take();
        let reader = match self.reader.take() {
            Some((reader, _)) => reader,
            None => found.shift_before,
        };
        let fits = match reader {
            Shift::Ascii => true,
            // 5C and 7E are other characters there.
            Shift::Roman => uri.is_ascii() && !uri.contains(['\\', '~']),
            Shift::Katakana | Shift::Kanji => false,
        };
        match (fits, escape) {
            (true, Some(escape)) => write(&escape)?,
            (true, None) => {}
            // In place of the escape that stood there, or of none.
            (false, _) => write(Shift::Ascii.escape())?,
        }
        let mut behind = if fits { reader } else { Shift::Ascii };
        if uri.is_ascii() {
            write(uri.as_bytes())?;
        } else {
            // A kept host. The encoder starts and ends in the ASCII state; its
            // last escape waits, because another may follow.
            let encoded = encoding_rs::ISO_2022_JP.encode(uri).0;
            let open = encoded.strip_suffix(Shift::Ascii.escape()).unwrap_or(&encoded);
            write(open)?;
            let last = memchr::memrchr(0x1B, open).and_then(|at| Shift::from_escape(&open[at..]));
            behind = last.unwrap_or(Shift::Ascii);
        }
        self.reader = Some((behind, found.shift_after));
        Ok(())
    }

    /// The end of the stream.
    fn end<E>(&mut self, mut write: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        if let Some((reader, source)) = self.reader.take()
            && !reader.is_latin()
            && source.is_latin()
        {
            write(source.escape())?;
        }
        self.escape.take().map_or(Ok(()), |escape| write(&escape))
    }
}

/// `text` in units of `width` bytes.
fn wide(text: &str, width: usize, big: bool, out: &mut Vec<u8>) {
    let mut put = |bytes: &mut [u8]| {
        if !big {
            bytes.reverse();
        }
        out.extend_from_slice(bytes);
    };
    for c in text.chars() {
        if width == 4 {
            put(&mut u32::from(c).to_be_bytes());
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                put(&mut unit.to_be_bytes());
            }
        }
    }
}

impl Finder {
    /// `input` with each link replaced by its URI form; borrowed if nothing
    /// changes.
    ///
    /// A link whose every character is ASCII is never changed, one without a
    /// URI form stays. Idempotent for a fixed charset.
    ///
    /// ```
    /// use iriscan::Finder;
    ///
    /// let (text, done) = Finder::new().rewrite_slice("→ http://пример.рф/å, да");
    /// assert_eq!(&*text, "→ http://xn--e1afmkfd.xn--p1ai/%C3%A5, да".as_bytes());
    /// assert_eq!(done.changed, 1);
    /// ```
    pub fn rewrite_slice<'h>(&self, input: impl Into<Input<'h>>) -> (Cow<'h, [u8]>, Rewritten) {
        let input = input.into();
        let bytes = input.bytes();
        let mut links = self.find_iter(input);
        let (mut splice, mut out, mut at, mut count) = (Splice::default(), Vec::new(), 0, 0);
        let mut push = |piece: &[u8]| -> Result<(), core::convert::Infallible> {
            out.extend_from_slice(piece);
            Ok(())
        };
        for link in links.by_ref() {
            count += 1;
            if link.is_ascii() {
                continue;
            }
            let jis = link.charset().shape() == Shape::Stateful;
            let text = &bytes[at..link.range().start];
            let Ok(()) = if text.is_empty() { Ok(()) } else { splice.text(text, jis, &mut push) };
            let Ok(()) = splice.link(&link, jis, &mut push);
            at = link.range().end;
        }
        let (charset, basis) = links.charset();
        let jis = charset.shape() == Shape::Stateful;
        if splice.changed > 0 {
            let text = &bytes[at..];
            let Ok(()) = if text.is_empty() { Ok(()) } else { splice.text(text, jis, &mut push) };
            let Ok(()) = splice.end(&mut push);
        }
        let overlong = links.overlong();
        let stream = Summary { bytes: bytes.len() as u64, links: count, overlong, charset, basis };
        let Splice { changed, unconvertible, identifiers, .. } = splice;
        let done = Rewritten { stream, changed, unconvertible, identifiers };
        (if done.changed > 0 { Cow::Owned(out) } else { Cow::Borrowed(bytes) }, done)
    }
}

#[cfg(feature = "std")]
pub use self::stream::Rewriter;

#[cfg(feature = "std")]
mod stream {
    use std::io::{self, Read, Write};

    use super::{Match, Rewritten, Splice, Summary};
    use crate::{Basis, Charset, Finder, Scanner, Sink};

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
        /// ([`Config::identifiers`](crate::Config::identifiers)).
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
}

impl Match<'_> {
    /// Why rewriting leaves this link as it is, though it is not ASCII.
    #[must_use]
    #[inline]
    pub fn unconvertible(&self) -> Option<UriError> {
        if self.is_ascii() || self.surely_converts() { None } else { self.uri().err() }
    }
}
