//! The scanner: chunks of one stream go in, text and links come out.
//!
//! It chooses between the scanner of plain text and, for the other formats,
//! [`document`](crate::format::document), which runs that scanner over the text in them.

use alloc::boxed::Box;

use super::finder::Finder;
use crate::{
    engine::stream::TextScanner,
    format::{document::Document, kinds::Format},
    links::sink::{Sink, Summary, erased},
};

/// The longest stream, in bytes: sums of its offsets and of lengths in memory fit a `u64`.
const LONGEST: u64 = 1 << 63;

/// Scans one stream, chunk by chunk.
///
/// Bytes that can no longer change go to the [`Sink`] at once. An incomplete character,
/// letters that may begin a scheme, and an open link are held back: at most `max_len`, the
/// bytes that decide on a charset (64 KiB) and a small constant. In formats other than text
/// it can be eight times that, because a value that holds references is held whole, and
/// once more as text. How the stream is cut into chunks never changes the links.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use iriscan::{Finder, Match, Sink};
///
/// #[derive(Default)]
/// struct Links(Vec<String>);
///
/// impl Sink for Links {
///     type Error = std::convert::Infallible;
///     fn text(&mut self, _: &[u8]) -> Result<(), Self::Error> {
///         Ok(())
///     }
///     fn matched(&mut self, link: &Match<'_>) -> Result<ControlFlow<()>, Self::Error> {
///         self.0.push(link.text().into_owned());
///         Ok(ControlFlow::Continue(()))
///     }
/// }
///
/// let (mut links, mut scanner) = (Links::default(), Finder::new().scanner());
/// for byte in "見よhttp://例え.jp/道、と".bytes() {
///     scanner.push(&[byte], &mut links)?;
/// }
/// scanner.finish(&mut links)?;
/// assert_eq!(links.0, ["http://例え.jp/道"]);
/// # Ok::<(), std::convert::Infallible>(())
/// ```
#[derive(Clone, Debug)]
pub struct Scanner {
    inner: Inner,
}

/// Plain text needs no allocation, other formats do.
#[expect(clippy::large_enum_variant)]
#[derive(Clone, Debug)]
enum Inner {
    Text(TextScanner),
    Document(Box<Document>),
}

impl Finder {
    /// A scanner for one stream.
    #[must_use]
    pub fn scanner(&self) -> Scanner {
        Scanner::new(self)
    }
}

impl Scanner {
    pub(crate) fn new(finder: &Finder) -> Scanner {
        let inner = match finder.format {
            Format::Text => Inner::Text(TextScanner::new(&finder.rules, finder.charset)),
            _ => Inner::Document(Box::new(Document::new(
                &finder.rules,
                finder.format,
                finder.charset,
            ))),
        };
        Scanner { inner }
    }

    /// A scanner for the rest of the stream, from `offset` on, where the stream may be cut
    /// ([`Finder::boundary`]). It takes over the charset of this scanner; if that is not
    /// decided, all bytes before `offset` must be ASCII. Spans count from the start of the
    /// stream, the [`Summary`] does not. No stream is longer than 2⁶³ bytes, so a larger
    /// `offset` counts as that.
    #[must_use]
    pub fn rest(&self, offset: u64) -> Scanner {
        let offset = offset.min(LONGEST);
        let inner = match &self.inner {
            Inner::Text(text) => Inner::Text(text.rest(offset)),
            Inner::Document(document) => Inner::Document(Box::new(document.rest(offset))),
        };
        Scanner { inner }
    }

    /// Whether the stream may be cut at the end of the last chunk, if [`Finder::boundary`]
    /// named that place. In plain text this is always true. In other formats the bytes
    /// around a place are not enough: a tag within a script is not a boundary.
    #[must_use]
    pub fn is_at_boundary(&self) -> bool {
        match &self.inner {
            Inner::Text(_) => true,
            Inner::Document(document) => document.is_at_boundary(),
        }
    }

    /// Scans the next bytes of the stream; an empty chunk changes nothing. If the sink stops the scan
    /// ([`Sink::matched`]), the bytes after the link are not read, and later calls do nothing:
    /// [`Scanner::is_stopped`].
    ///
    /// # Errors
    ///
    /// Those of the sink. Then [`Scanner::delivered`] returns how far the sink came, and
    /// later calls do nothing.
    ///
    /// # Panics
    ///
    /// Only if the sink does. Then later calls do nothing, as after an error, and
    /// [`Scanner::delivered`] may be less than the sink took.
    pub fn push<S: Sink>(&mut self, chunk: &[u8], sink: &mut S) -> Result<(), S::Error> {
        let scanned = erased(sink, |sink| match &mut self.inner {
            Inner::Text(text) => text.push(chunk, sink),
            Inner::Document(document) => document.push(chunk, sink),
        });
        scanned.map(|_| ())
    }

    /// Decides the charset by the bytes that have come, if it is not decided yet, and delivers what was held back
    /// for that. To be called at the end of a line of a stream that someone waits for, such as a log that grows. So
    /// the charset depends on where this is called, which must therefore not depend on when the bytes come. Where
    /// the charset is known it does nothing; an incomplete character and an open link are held on, and so are the
    /// first 1024 bytes of HTML and XML, which may declare a charset.
    ///
    /// ```
    /// use iriscan::{Finder, Rewriter};
    ///
    /// let finder = Finder::new();
    /// let (mut rewriter, mut scanner) = (Rewriter::new(Vec::new(), &finder), finder.scanner());
    /// scanner.push("GET http://a.example/é\n".as_bytes(), &mut rewriter)?;
    /// scanner.flush(&mut rewriter)?;
    /// assert_eq!(rewriter.get_ref(), b"GET http://a.example/%C3%A9\n");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of the sink.
    pub fn flush<S: Sink>(&mut self, sink: &mut S) -> Result<(), S::Error> {
        let flushed = erased(sink, |sink| match &mut self.inner {
            Inner::Text(text) => text.flush(sink),
            Inner::Document(document) => document.flush(sink),
        });
        flushed.map(|_| ())
    }

    /// Ends the stream: scans the bytes that were held back. After an error or a panic of the
    /// sink, the sink is not called again, and the [`Summary`] is that of the bytes until then.
    ///
    /// # Errors
    ///
    /// Those of the sink.
    pub fn finish<S: Sink>(self, sink: &mut S) -> Result<Summary, S::Error> {
        let summary = erased(sink, |sink| match self.inner {
            Inner::Text(text) => text.finish(sink),
            Inner::Document(document) => document.finish(sink),
        });
        summary.map(|summary| summary.expect("the end should have a summary"))
    }

    /// Whether the sink stopped the scan, so that more bytes need not be pushed.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        match &self.inner {
            Inner::Text(text) => text.is_stopped(),
            Inner::Document(document) => document.is_stopped(),
        }
    }

    /// How many bytes of the stream the sink has taken without an error.
    #[must_use]
    pub fn delivered(&self) -> u64 {
        match &self.inner {
            Inner::Text(text) => text.delivered(),
            Inner::Document(document) => document.delivered(),
        }
    }

    /// How many bytes of the stream were pushed.
    #[must_use]
    pub fn pushed(&self) -> u64 {
        match &self.inner {
            Inner::Text(text) => text.pushed(),
            Inner::Document(document) => document.pushed(),
        }
    }

    /// The charset that the stream is read in, and why. Until it is decided, all bytes are
    /// ASCII, and this is UTF-8.
    #[must_use]
    pub fn charset(&self) -> (crate::charset::Charset, crate::charset::detect::Basis) {
        match &self.inner {
            Inner::Text(text) => text.charset(),
            Inner::Document(document) => document.charset(),
        }
    }

    /// Whether bytes are held back because the charset is not decided: up to 64 KiB from the
    /// first byte that is not ASCII, and of HTML and XML the first 1024 bytes.
    #[must_use]
    pub fn awaits_charset(&self) -> bool {
        match &self.inner {
            Inner::Text(text) => text.awaits_charset(),
            Inner::Document(document) => document.awaits_charset(),
        }
    }

    /// How many bytes are held now: those not delivered yet, and context before them.
    #[must_use]
    pub fn held(&self) -> usize {
        match &self.inner {
            Inner::Text(text) => text.held(),
            Inner::Document(document) => document.held(),
        }
    }
}
