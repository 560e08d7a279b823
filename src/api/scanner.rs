//! One stream: chunks in, text and links out.
//!
//! Everything with state that outlives a call: [`text`] for plain text, and for the
//! other formats [`document`](crate::format::document), which runs it over the text
//! they hold.

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
/// What can no longer change goes to the [`Sink`] at once; held back are an
/// incomplete character, letters that may begin a scheme, and an open link. At
/// most `max_len`, the bytes that decide on a charset (64 KiB) and a small
/// constant are held (of a document in a format up to eight times that: a value of
/// references is held whole, and once more as text), and how the stream is cut never
/// changes what is found.
///
/// ```
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
///     fn matched(&mut self, link: &Match<'_>) -> Result<(), Self::Error> {
///         self.0.push(link.text().into_owned());
///         Ok(())
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
    face: Face,
}

/// Text without an allocation.
#[expect(clippy::large_enum_variant)]
#[derive(Clone, Debug)]
enum Face {
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
        let face = match finder.format {
            Format::Text => Face::Text(TextScanner::new(&finder.rules)),
            _ => Face::Document(Box::new(Document::new(
                &finder.rules,
                finder.format,
                finder.rules.charset,
            ))),
        };
        Scanner { face }
    }

    /// A scanner for the rest of the stream, from `offset` on, where it may be cut
    /// ([`Finder::boundary`]). It knows of the charset what this one does: all before
    /// `offset` is ASCII if this one has not decided. Spans count from the start of the
    /// stream, the [`Summary`] does not. No stream is longer than 2⁶³ bytes: an `offset`
    /// above that is taken for it.
    #[must_use]
    pub fn rest(&self, offset: u64) -> Scanner {
        let offset = offset.min(LONGEST);
        let face = match &self.face {
            Face::Text(text) => Face::Text(text.rest(offset)),
            Face::Document(document) => Face::Document(Box::new(document.rest(offset))),
        };
        Scanner { face }
    }

    /// Whether the stream may be cut where the last chunk ended, which is a place that
    /// [`Finder::boundary`] named: of plain text always. In other formats that takes
    /// more than the bytes around it: a tag in a script is none.
    #[must_use]
    pub fn is_at_boundary(&self) -> bool {
        match &self.face {
            Face::Text(_) => true,
            Face::Document(document) => document.is_at_boundary(),
        }
    }

    /// Scans the next bytes of the stream; an empty chunk changes nothing.
    ///
    /// # Errors
    ///
    /// The sink's. [`Scanner::delivered`] then tells how far it came, and later
    /// calls do nothing.
    ///
    /// # Panics
    ///
    /// Only if the sink does. The scanner is poisoned then: later calls do nothing, as
    /// after an error, and [`Scanner::delivered`] may tell less than the sink took.
    pub fn push<S: Sink>(&mut self, chunk: &[u8], sink: &mut S) -> Result<(), S::Error> {
        erased(sink, |sink| match &mut self.face {
            Face::Text(text) => text.push(chunk, sink),
            Face::Document(document) => document.push(chunk, sink),
        })
    }

    /// Scans what was held back: the stream is over. After an error or a panic of the sink
    /// it is not called again; the [`Summary`] then tells what was seen until then.
    ///
    /// # Errors
    ///
    /// The sink's.
    pub fn finish<S: Sink>(self, sink: &mut S) -> Result<Summary, S::Error> {
        erased(sink, |sink| match self.face {
            Face::Text(text) => text.finish(sink),
            Face::Document(document) => document.finish(sink),
        })
    }

    /// Up to which byte of the stream the sink has taken it without an error.
    #[must_use]
    pub fn delivered(&self) -> u64 {
        match &self.face {
            Face::Text(text) => text.delivered(),
            Face::Document(document) => document.delivered(),
        }
    }

    /// Up to which byte of the stream it has been pushed.
    #[must_use]
    pub fn pushed(&self) -> u64 {
        match &self.face {
            Face::Text(text) => text.pushed(),
            Face::Document(document) => document.pushed(),
        }
    }

    /// The charset the stream is read in, and why. Until the bytes tell, it is
    /// UTF-8, because all are ASCII.
    #[must_use]
    pub fn charset(&self) -> (crate::charset::Charset, crate::charset::detect::Basis) {
        match &self.face {
            Face::Text(text) => text.charset(),
            Face::Document(document) => document.charset(),
        }
    }

    /// Whether bytes are being held because they tell the charset, and more of them
    /// are needed: up to 64 KiB from the first that is not ASCII, and of HTML and XML
    /// the first 1024 bytes.
    #[must_use]
    pub fn awaits_charset(&self) -> bool {
        match &self.face {
            Face::Text(text) => text.awaits_charset(),
            Face::Document(document) => document.awaits_charset(),
        }
    }

    /// Bytes held at this moment: not yet delivered, or context before them.
    #[must_use]
    pub fn held(&self) -> usize {
        match &self.face {
            Face::Text(text) => text.held(),
            Face::Document(document) => document.held(),
        }
    }
}
