//! A link that owns its bytes.
//!
//! A [`Match`] borrows the buffer that it was found in. A [`Link`] has a copy of the link's
//! bytes, so it can be kept, sent to another thread and put into a collection.

use alloc::{borrow::Cow, string::String, sync::Arc, vec::Vec};
use core::ops::Range;

use super::{
    logical::Logical,
    markup::Markup,
    matched::{Match, Span, Uri},
};
use crate::{
    charset::Charset,
    grammar::types::{Found, Kind, Trait},
    reference::{
        base::BaseUri,
        to_uri::{UriError, UriOptions},
        warning::Warning,
    },
};

/// The bytes of a [`Link`]. With the feature `bytes` they may share the memory of a chunk.
#[cfg(feature = "bytes")]
pub(crate) type Source = bytes::Bytes;
/// The bytes of a [`Link`].
#[cfg(not(feature = "bytes"))]
pub(crate) type Source = Arc<[u8]>;

/// A link that owns its bytes: what [`Match::to_link`] returns, and what segments and
/// messages hold.
///
/// It has the accessors of [`Match`], with the same names and types.
///
/// ```
/// use iriscan::{Finder, Link};
///
/// let links: Vec<Link> = {
///     let page = String::from("http://a.example/é and http://b.example/");
///     Finder::new().find_iter(&page).map(|link| link.to_link()).collect()
/// };
/// assert_eq!(links[0].text(), "http://a.example/é");
/// assert_eq!(links[0].uri()?.as_str(), "http://a.example/%C3%A9");
/// assert_eq!(links[1].range(), 24..41);
/// # Ok::<(), iriscan::UriError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    source: Source,
    found: Found,
    charset: Charset,
    options: UriOptions,
    logical: Option<Arc<Logical>>,
    markup: Option<Arc<Markup>>,
}

impl Link {
    /// `found`, with `source` for its bytes.
    pub(crate) fn of(found: &Match<'_>, source: Source) -> Link {
        Link {
            source,
            found: found.found(),
            charset: found.charset(),
            options: found.options(),
            logical: found.logical(),
            markup: found.markup(),
        }
    }

    /// `found` as it is written in another text: there its bytes are `source` and start at
    /// `start`. If they differ from those in which it was found, they are another spelling
    /// of the same reference, as in quoted-printable.
    #[cfg(feature = "mail")]
    pub(crate) fn spelled(found: &Match<'_>, source: &[u8], start: u64) -> Link {
        let mut link = Link::of(found, own(source));
        link.found.start = start;
        link.found.end = start + source.len() as u64;
        if source != found.source() {
            let iri = found.iri().into_owned();
            link.logical = Some(Arc::new(match &link.logical {
                Some(logical) => logical.saying(iri),
                None => Logical::unescaped(iri),
            }));
            let (_, after) = link.found.shifts();
            let ascii = crate::charset::Shift::Ascii;
            link.found = link.found.with(Trait::Wrapped, false).shifted(ascii, after);
        }
        link
    }

    /// Another host of the same message looks like that of the link.
    #[cfg(feature = "mail")]
    pub(crate) fn set_twin(&mut self) {
        let markup = self.markup.as_deref().cloned().unwrap_or_default();
        self.markup = Some(Arc::new(Markup { has_twin: true, ..markup }));
    }

    /// The link, borrowed from here.
    #[must_use]
    pub fn as_match(&self) -> Match<'_> {
        Match::of(&self.source, self.found, self.charset, self.options)
            .with(self.logical.clone())
            .standing(self.markup.clone())
    }

    /// Where the link is, in bytes of the original stream; see [`Match::span`].
    #[must_use]
    pub fn span(&self) -> Span {
        self.found.start..self.found.end
    }

    /// [`Link::span`] as a range of a slice; see [`Match::range`].
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        self.as_match().range()
    }

    /// The element that the link is in; see [`Match::element`].
    #[must_use]
    pub fn element(&self) -> Option<&str> {
        self.markup.as_ref()?.element.as_deref()
    }

    /// The attribute that the link is in; see [`Match::attribute`].
    #[must_use]
    pub fn attribute(&self) -> Option<&str> {
        self.markup.as_ref()?.attribute.as_deref()
    }

    /// The text of the element that the link is the target of; see [`Match::anchor`].
    #[must_use]
    pub fn anchor(&self) -> Option<&str> {
        self.markup.as_ref()?.anchor.as_deref()
    }

    /// The kind of link.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.found.kind()
    }

    /// The bytes of the link, as they are in the source.
    #[must_use]
    pub fn source(&self) -> &[u8] {
        &self.source
    }

    /// The charset that the link is read in; see [`Match::charset`].
    #[must_use]
    pub fn charset(&self) -> Charset {
        self.charset
    }

    /// The characters of the link, decoded by the charset, nothing else undone.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        self.as_match().text()
    }

    /// The reference: [`Link::text`] with the escapes of the format resolved and line breaks
    /// removed; see [`Match::iri`].
    #[must_use]
    pub fn iri(&self) -> Cow<'_, str> {
        self.as_match().iri()
    }

    /// Whether every character of the link is ASCII.
    #[must_use]
    pub fn is_ascii(&self) -> bool {
        !self.found.has(Trait::NonAscii)
    }

    /// The URI form of the link; see [`Match::uri`].
    ///
    /// # Errors
    ///
    /// The host has no ASCII form under UTS #46.
    pub fn uri(&self) -> Result<Uri<'_>, UriError> {
        self.as_match().uri()
    }

    /// Why rewriting leaves this link as it is, though it is not ASCII.
    #[must_use]
    pub fn unconvertible(&self) -> Option<UriError> {
        self.as_match().unconvertible()
    }

    /// The text that replaces the link when it is rewritten; see [`Match::replacement`].
    ///
    /// # Errors
    ///
    /// See [`Link::uri`].
    pub fn replacement(&self) -> Result<Cow<'_, str>, UriError> {
        self.as_match().replacement()
    }

    /// What to give to a browser or mailer; see [`Match::open`].
    ///
    /// # Errors
    ///
    /// See [`Match::open`].
    pub fn open(&self) -> Result<String, UriError> {
        self.as_match().open()
    }

    /// The URI that the link is relative to; see [`Match::base`].
    #[must_use]
    pub fn base(&self) -> Option<&BaseUri> {
        self.markup.as_ref()?.base.as_ref()
    }

    /// The URI form as an absolute URI; see [`Match::absolute`].
    ///
    /// # Errors
    ///
    /// See [`Match::absolute`].
    pub fn absolute(&self) -> Result<String, UriError> {
        self.as_match().absolute()
    }

    /// The scheme, in lower case; `None` for a link without one.
    #[must_use]
    pub fn scheme(&self) -> Option<String> {
        self.as_match().scheme()
    }

    /// The host as written in the link, an IP literal with its brackets; `None` if there
    /// is no authority.
    #[must_use]
    pub fn host(&self) -> Option<String> {
        self.as_match().host()
    }

    /// The host in the form in which hosts are compared; see [`Match::host_key`].
    #[must_use]
    pub fn host_key(&self) -> Option<String> {
        self.as_match().host_key().map(Cow::into_owned)
    }

    /// The registrable domain of the host; see [`Match::domain`].
    #[cfg(feature = "psl")]
    #[must_use]
    pub fn domain(&self) -> Option<String> {
        self.as_match().domain()
    }

    /// The URI of the link inside a wrapper; see [`Match::unwrapped`].
    #[must_use]
    pub fn unwrapped(&self) -> Option<String> {
        self.as_match().unwrapped()
    }

    /// What to show to a person; see [`Match::display`].
    #[must_use]
    pub fn display(&self) -> String {
        self.as_match().display()
    }

    /// What a reader should know about the link, each warning at most once.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        self.as_match().warnings()
    }
}

/// A copy of `bytes`.
pub(crate) fn own(bytes: &[u8]) -> Source {
    #[cfg(feature = "bytes")]
    return Source::copy_from_slice(bytes);
    #[cfg(not(feature = "bytes"))]
    return Source::from(bytes);
}

impl Match<'_> {
    /// The link with a copy of its bytes, to keep after the input is gone.
    #[must_use]
    pub fn to_link(&self) -> Link {
        Link::of(self, own(self.source()))
    }
}

impl From<&Match<'_>> for Link {
    fn from(found: &Match<'_>) -> Link {
        found.to_link()
    }
}

impl From<Match<'_>> for Link {
    fn from(found: Match<'_>) -> Link {
        found.to_link()
    }
}
