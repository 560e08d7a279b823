//! A link that was found.

use alloc::{
    borrow::Cow,
    string::{String, ToString},
    vec::Vec,
};
use core::{fmt, ops::Range};

use crate::{
    Warning,
    charset::Charset,
    reference::{Components, UriError, UriOptions},
    syntax::link::Found,
};

/// A half-open range of absolute byte offsets in the original bytes.
pub type Span = Range<u64>;

/// What kind of link a match is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A reference with a scheme.
    Iri,
}

impl Kind {
    /// The kind as records and options spell it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Iri => "iri",
        }
    }
}

/// A link: where it is, and what it says.
///
/// Text and URI are made when asked for.
#[derive(Clone, Copy)]
pub struct Match<'h> {
    source: &'h [u8],
    found: Found,
    charset: Charset,
    options: UriOptions,
}

impl<'h> Match<'h> {
    pub(crate) fn of(
        source: &'h [u8],
        found: Found,
        charset: Charset,
        options: UriOptions,
    ) -> Match<'h> {
        Match { source, found, charset, options }
    }

    pub(crate) fn found(&self) -> Found {
        self.found
    }

    #[cfg(feature = "bytes")]
    pub(crate) fn options(&self) -> UriOptions {
        self.options
    }

    /// Where the link is, in bytes of the original stream.
    #[must_use]
    pub fn span(&self) -> Span {
        self.found.start..self.found.end
    }

    /// [`Match::span`] as a range of a slice. Of a stream longer than the
    /// address space it gives the last offset that fits.
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        let fit = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
        fit(self.found.start)..fit(self.found.end)
    }

    /// The kind of link.
    #[must_use]
    pub fn kind(&self) -> Kind {
        Kind::Iri
    }

    /// The bytes of the link, as they stand in the source.
    #[must_use]
    pub fn source(&self) -> &'h [u8] {
        self.source
    }

    /// The charset that the link is read in. A link before the first byte that
    /// tells charsets apart is read as UTF-8, whatever the document turns out
    /// to be: its bytes are ASCII.
    #[must_use]
    pub fn charset(&self) -> Charset {
        self.charset
    }

    /// The characters of the link, decoded by the charset, nothing else undone.
    #[must_use]
    pub fn text(&self) -> Cow<'h, str> {
        self.charset.decode_shifted(self.source, self.found.shift_before)
    }

    /// The reference. In running text it is [`Match::text`].
    #[must_use]
    pub fn iri(&self) -> Cow<'h, str> {
        self.text()
    }

    /// Whether every character of the link is ASCII, so that it is its own URI.
    #[must_use]
    pub fn is_ascii(&self) -> bool {
        !self.found.non_ascii
    }

    /// The URI form of the link (RFC 3987 section 3.1, by component), in the
    /// shape in which it stands.
    ///
    /// # Errors
    ///
    /// The host has no ASCII form under UTS #46.
    pub fn uri(&self) -> Result<Uri<'h>, UriError> {
        let unchanged = self.is_ascii();
        let options = self.options.charset(self.charset);
        let text = match self.text() {
            iri if unchanged => iri,
            Cow::Borrowed(iri) => options.to_uri(iri)?,
            Cow::Owned(iri) => Cow::Owned(options.to_uri(&iri)?.into_owned()),
        };
        Ok(Uri { text, unchanged })
    }

    /// The scheme, in lower case.
    #[must_use]
    pub fn scheme(&self) -> Option<String> {
        Components::split(&self.text()).scheme().map(str::to_ascii_lowercase)
    }

    /// The host as it stands in the link, an IP literal with its brackets;
    /// `None` where there is no authority.
    #[must_use]
    pub fn host(&self) -> Option<String> {
        Components::split(&self.text()).host().map(str::to_string)
    }

    /// What a reader should know about the link, each at most once.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        let mut warnings = Components::split(&self.text()).warnings();
        // A link in text is encoded whatever it holds.
        warnings.retain(|&warning| warning != Warning::LeiriOnly);
        if self.found.malformed_adjacent {
            warnings.push(Warning::MalformedBytesAdjacent);
        }
        warnings
    }
}

impl fmt::Debug for Match<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Match")
            .field("span", &self.span())
            .field("text", &self.text())
            .field("charset", &self.charset)
            .finish_non_exhaustive()
    }
}

/// The URI form of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uri<'m> {
    text: Cow<'m, str>,
    unchanged: bool,
}

impl Uri<'_> {
    /// The URI.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether the link is its own URI form, so that rewriting leaves it.
    #[must_use]
    pub fn is_unchanged(&self) -> bool {
        self.unchanged
    }
}

impl fmt::Display for Uri<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
