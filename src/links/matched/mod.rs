//! A link that was found: its place, its text, its URI and its host.
//!
//! `rewriting` has what replaces it, `target` where it leads, `display` what to show of it, and `warnings` what
//! to know about it. What must hold: all of that is computed from the bytes only when a caller asks.

mod display;
mod rewriting;
mod target;
mod warnings;

use alloc::{
    borrow::Cow,
    string::{String, ToString},
    sync::Arc,
};
use core::{fmt, ops::Range};

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use super::{ip, logical::Logical, markup::Markup};
#[cfg(feature = "psl")]
use crate::reference::lookalike;
use crate::{
    charset::{Charset, Shape},
    grammar::types::{Found, Kind, Trait},
    links::place::Surroundings,
    reference::{
        browser::{Opened, may_differ, opened},
        components::{Components, scheme_end},
        host_cache::HostCache,
        host_name::{comparable, plain_host},
        mailto,
        to_uri::{UriError, UriOptions},
    },
};

/// A half-open range of absolute byte offsets in the original bytes.
pub type Span = Range<u64>;

/// The scheme that a host without one is given.
const WEB: &str = "https://";

/// The invisible characters of ASCII, which no URI has.
const SPACES: &AsciiSet = &CONTROLS.add(b' ');

/// U+FFFD, percent-encoded.
const REPLACEMENT: &str = "%EF%BF%BD";

/// A link that was found: its place, its text and its URI.
///
/// It borrows the input; [`Match::to_link`] makes a [`Link`](crate::links::link::Link) that
/// owns its bytes. Text and URI are computed when asked for.
#[derive(Clone)]
pub struct Match<'h> {
    source: &'h [u8],
    found: Found,
    charset: Charset,
    options: UriOptions,
    /// In a format: the reference and its escapes, if it is written with any.
    logical: Option<Arc<Logical>>,
    /// In markup, if that is wanted: where it is.
    markup: Option<Arc<Markup>>,
}

impl<'h> Match<'h> {
    #[inline]
    pub(crate) fn of(
        source: &'h [u8],
        found: Found,
        charset: Charset,
        options: UriOptions,
    ) -> Match<'h> {
        Match::of_document(source, found, charset, options, None, None)
    }

    /// As [`Match::of`], [`Match::with`] and [`Match::standing`], but a link is not moved so often.
    #[inline]
    pub(crate) fn of_document(
        source: &'h [u8],
        found: Found,
        charset: Charset,
        options: UriOptions,
        logical: Option<Arc<Logical>>,
        markup: Option<Arc<Markup>>,
    ) -> Match<'h> {
        Match { source, found, charset, options, logical, markup }
    }

    pub(crate) fn with(self, logical: Option<Arc<Logical>>) -> Match<'h> {
        Match { logical, ..self }
    }

    pub(crate) fn standing(self, markup: Option<Arc<Markup>>) -> Match<'h> {
        Match { markup, ..self }
    }

    /// Notes what is around the link.
    pub(crate) fn set_surroundings(&mut self, surroundings: Surroundings) {
        let markup = self.markup.as_deref().cloned().unwrap_or_default();
        let surroundings = Some(surroundings);
        self.markup = Some(Arc::new(Markup { surroundings, ..markup }));
    }

    pub(crate) fn surroundings(&self) -> Option<&Surroundings> {
        self.markup.as_ref()?.surroundings.as_ref()
    }

    pub(crate) fn found(&self) -> Found {
        self.found
    }

    pub(crate) fn options(&self) -> UriOptions {
        self.options
    }

    pub(crate) fn logical(&self) -> Option<Arc<Logical>> {
        self.logical.clone()
    }

    pub(crate) fn markup(&self) -> Option<Arc<Markup>> {
        self.markup.clone()
    }

    /// The element that the link is in, in HTML and XML with
    /// [`Config::elements`](crate::Config::elements): the one with the attribute, or the one whose
    /// text the link is, as in `<loc>` of a site map or `<style>`. `None` in running text. In HTML
    /// in small letters, in XML as in the document; of names over 32 bytes the first 32.
    #[must_use]
    pub fn element(&self) -> Option<&str> {
        self.markup.as_ref()?.element.as_deref()
    }

    /// The attribute that the link is in; `None` in the text of an element. See
    /// [`Match::element`].
    #[must_use]
    pub fn attribute(&self) -> Option<&str> {
        self.markup.as_ref()?.attribute.as_deref()
    }

    /// The text of the element `a` or `area` that the link is the `href` of, with
    /// [`Config::elements`](crate::Config::elements): white space folded, images by their `alt`, at
    /// most 200 characters. It ends where a parser of HTML closes the element, as far as tags show
    /// that, and at the latest 16,384 bytes after the link. `None` for other links.
    ///
    /// ```
    /// use iriscan::{Config, Format};
    ///
    /// let finder = Config::new().format(Format::Html).elements(true).build()?;
    /// let page = "<a href='http://a.example/x'>Read <b>all</b> of it</a>";
    /// let link = finder.find_iter(page).next().unwrap();
    /// assert_eq!(link.element(), Some("a"));
    /// assert_eq!(link.attribute(), Some("href"));
    /// assert_eq!(link.anchor(), Some("Read all of it"));
    /// # Ok::<(), iriscan::ConfigError>(())
    /// ```
    #[must_use]
    pub fn anchor(&self) -> Option<&str> {
        self.markup.as_ref()?.anchor.as_deref()
    }

    /// Whether a person can follow the link, as far as that is known: see
    /// [`FilterBuilder::links_only`](crate::FilterBuilder::links_only).
    pub(crate) fn is_followed(&self) -> bool {
        self.markup.as_ref().is_none_or(|markup| markup.is_followed())
            && !self.found.context().place().is_comment_text()
            && self.scheme().as_deref() != Some("cid")
    }

    /// The place of the link, in bytes of the original stream.
    #[must_use]
    pub fn span(&self) -> Span {
        self.found.start..self.found.end
    }

    /// [`Match::span`] as a range of a slice. An offset beyond the address space becomes the
    /// largest one that fits.
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        let fit = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
        fit(self.found.start)..fit(self.found.end)
    }

    /// The kind of link.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.found.kind()
    }

    /// The bytes of the link, as in the source.
    #[must_use]
    pub fn source(&self) -> &'h [u8] {
        self.source
    }

    /// The charset that the link is read in. A link before the byte that decides the charset
    /// is read as UTF-8, whatever the charset of the document is, because its bytes are
    /// ASCII.
    #[must_use]
    pub fn charset(&self) -> Charset {
        self.charset
    }

    /// The characters of the link, decoded by the charset, nothing else undone. A link in the query of another
    /// ([`Config::nested`](crate::Config::nested)) is decoded as a whole: its text is [`Match::iri`].
    #[must_use]
    pub fn text(&self) -> Cow<'h, str> {
        if self.is_nested() {
            return Cow::Owned(self.iri().into_owned());
        }
        // ASCII reads alike in most charsets.
        let as_it_stands = match self.charset.shape() {
            Shape::Utf8 => true,
            Shape::Single | Shape::Multi => self.is_ascii() && self.source.is_ascii(),
            Shape::Wide { .. } | Shape::Stateful => false,
        };
        if as_it_stands && let Ok(text) = core::str::from_utf8(self.source) {
            return Cow::Borrowed(text);
        }
        self.charset.decode_shifted(self.source, self.found.shifts().0)
    }

    /// The reference: [`Match::text`], with the escapes of the document's format
    /// resolved, and without the line breaks of a link that is wrapped between `<`
    /// and `>` (RFC 3986, appendix C).
    ///
    /// ```
    /// use iriscan::Finder;
    ///
    /// let text = "> <http://example.org/a/very/\n>  long/path>";
    /// let link = Finder::new().find_iter(text).next().unwrap();
    /// assert_eq!(link.iri(), "http://example.org/a/very/long/path");
    /// assert_eq!(link.range(), 3..42);
    /// ```
    #[must_use]
    pub fn iri(&self) -> Cow<'h, str> {
        let text = match &self.logical {
            Some(logical) => Cow::Owned(logical.iri.clone()),
            None => self.text(),
        };
        match text {
            text if self.found.has(Trait::Wrapped) => Cow::Owned(unwrapped(&text)),
            text => text,
        }
    }

    /// [`Match::iri`] with its spaces and controls percent-encoded.
    pub(super) fn iri_without_controls(&self) -> Cow<'h, str> {
        match self.found.has(Trait::Reference) {
            true => without_controls(self.iri()),
            false => self.iri(),
        }
    }

    /// How a browser reads the reference, if that is another way than that of RFC 3986.
    fn browser(&self) -> Option<Opened> {
        if cfg!(iriscan_strings) || !self.found.has(Trait::InHtml) {
            return None;
        }
        let iri = self.iri();
        may_differ(iri.as_bytes()).then(|| opened(&iri)).flatten()
    }

    /// Whether a browser reads the reference in another way than RFC 3986.
    pub(crate) fn is_opened(&self) -> bool {
        self.browser().is_some()
    }

    /// Whether malformed bytes are directly before or after the link.
    pub(crate) fn is_malformed_adjacent(&self) -> bool {
        self.found.has(Trait::MalformedAdjacent)
    }

    /// Whether every character of the link is ASCII.
    #[must_use]
    pub fn is_ascii(&self) -> bool {
        !self.found.has(Trait::NonAscii)
    }

    /// The URI form of the link (RFC 3987 section 3.1, by component). No scheme is added: a
    /// bare host stays one.
    ///
    /// It has printable ASCII without spaces only (unless its host
    /// [is kept](crate::reference::HostForm::Keep)), whatever an attribute or a string of the document
    /// holds: a space and controls are percent-encoded, and a NUL is U+FFFD, as HTML reads it. What else no URI
    /// has (`^`, `{`, a backslash) is encoded too, unless
    /// [`Config::disallowed`](crate::Config::disallowed) says otherwise.
    ///
    /// # Errors
    ///
    /// The host has no ASCII form under UTS #46, or [`Disallowed::Fail`](crate::reference::Disallowed::Fail) was
    /// asked for.
    pub fn uri(&self) -> Result<Uri<'h>, UriError> {
        self.uri_with(None)
    }

    /// As [`Match::uri`]. A host that `hosts` has is not mapped again.
    pub(super) fn uri_with(&self, hosts: Option<&mut HostCache>) -> Result<Uri<'h>, UriError> {
        if !self.is_ascii() && self.is_opened() {
            return Err(UriError::BROWSER_HOST);
        }
        let options = self.options.charset(self.charset);
        let text = match self.iri_without_controls() {
            text if self.is_ascii() && !options.changes_ascii(text.as_bytes()) => text,
            // Hosts and queries are mapped as if there were a scheme.
            text if self.kind() != Kind::Iri => {
                let uri = options.uri_with(&[WEB, &*text].concat(), hosts)?.into_owned();
                Cow::Owned(uri[WEB.len()..].to_string())
            }
            Cow::Borrowed(iri) => options.uri_with(iri, hosts)?,
            Cow::Owned(iri) => Cow::Owned(options.uri_with(&iri, hosts)?.into_owned()),
        };
        // If only a host that is kept is not ASCII, nothing changes.
        let unchanged = (self.is_ascii() || !text.is_ascii()) && *text == *self.iri();
        Ok(Uri { text, unchanged })
    }

    /// Whether the link is in the query of another.
    pub(super) fn is_nested(&self) -> bool {
        self.logical.as_ref().is_some_and(|logical| logical.is_decoded)
    }

    /// Whether the document has the link with escapes of its format.
    pub(super) fn is_escaped(&self) -> bool {
        self.logical.is_some()
    }

    /// Whether the bytes of the link are the reference in UTF-8.
    fn is_utf8_as_it_stands(&self) -> bool {
        self.charset == Charset::UTF_8 && self.logical.is_none() && !self.found.has(Trait::Wrapped)
    }

    /// The scheme, in lower case; `None` for a link without one.
    #[must_use]
    pub fn scheme(&self) -> Option<String> {
        if self.kind() != Kind::Iri {
            return None;
        }
        let iri = self.browser().map_or_else(|| self.iri(), |opened| Cow::Owned(opened.url));
        scheme_end(iri.as_bytes()).map(|end| iri[..end].to_ascii_lowercase())
    }

    /// The host as written in the link, an IP literal with its brackets; of an address, and of the first address of
    /// a `mailto:`, the domain. `None` if there is neither, or if the host of a reference has a control or a space. In HTML, where a browser opens another host
    /// ([`Warning::BrowserHost`](crate::Warning::BrowserHost)), that one.
    #[must_use]
    pub fn host(&self) -> Option<String> {
        self.with_host(|host| host.map(str::to_string))
    }

    /// What `read` says about the host ([`Match::host`]).
    pub(crate) fn with_host<T>(&self, read: impl FnOnce(Option<&str>) -> T) -> T {
        if let Some(host) = self.plain_host().and_then(|host| core::str::from_utf8(host).ok()) {
            return read(Some(host));
        }
        if let Some(Opened { host, .. }) = self.browser() {
            return read(Some(&host));
        }
        let text = self.iri();
        match self.kind() {
            // No program opens a host with a control or a space (URL Standard, section 3.2).
            Kind::Iri => {
                let parts = Components::split(&text);
                let host = parts.host().or_else(|| mailto::domain(&parts));
                read(host.filter(|host| {
                    !self.found.has(Trait::Reference) || has_no_controls(host.as_bytes())
                }))
            }
            Kind::Bare | Kind::Email => read(Components::split(&[WEB, &*text].concat()).host()),
            Kind::Ip => read(Some(ip::host(&text))),
        }
    }

    /// The host in the form in which hosts are compared: without escapes and without a dot at the
    /// end, its ASCII form by UTS #46, in lower case. So two links to one host have the same, in
    /// whatever form they are written. `None` if there is no authority.
    ///
    /// ```
    /// use iriscan::Finder;
    ///
    /// let text = "http://B\u{fc}cher.example/ http://b%C3%BCcher.example./";
    /// for link in Finder::new().find_iter(text) {
    ///     assert_eq!(link.host_key().as_deref(), Some("xn--bcher-kva.example"));
    /// }
    /// ```
    #[must_use]
    pub fn host_key(&self) -> Option<Cow<'h, str>> {
        if let Some(host) = self.plain_host().and_then(|host| core::str::from_utf8(host).ok()) {
            return Some(Cow::Borrowed(host));
        }
        self.with_host(|host| {
            let host = match self.kind() {
                Kind::Ip => ip::in_uri(host?),
                Kind::Iri | Kind::Bare | Kind::Email => Cow::Borrowed(host?),
            };
            Some(Cow::Owned(comparable(&host).into_owned()))
        })
    }

    /// The registrable domain of the host, by the Public Suffix List, in the form of
    /// [`host_key`](Match::host_key). `None` for an address, a public suffix and a name of one label.
    ///
    /// ```
    /// use iriscan::Finder;
    ///
    /// let link = Finder::new().find_iter("http://www.bücher.co.uk/").next().unwrap();
    /// assert_eq!(link.domain().as_deref(), Some("xn--bcher-kva.co.uk"));
    /// ```
    #[cfg(feature = "psl")]
    #[must_use]
    pub fn domain(&self) -> Option<String> {
        lookalike::registrable(&self.host_key()?).map(str::to_string)
    }

    /// The host, if it is seen at once that it is in the form in which hosts are compared: lower
    /// case, digits, hyphens and dots. `None` says nothing.
    #[inline]
    pub(crate) fn plain_host(&self) -> Option<&'h [u8]> {
        let plain = self.kind() == Kind::Iri
            && self.is_utf8_as_it_stands()
            && !(self.found.has(Trait::InHtml) && may_differ(self.source));
        if plain { plain_host(self.source) } else { None }
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

/// How rewriting treats a link.
pub(crate) enum Rewriting {
    /// The link is its own URI form and stays.
    Same,
    /// Another text replaces the link.
    Changed,
    /// The link has no URI form and stays.
    NoUri(UriError),
}

/// True if no byte is a control of ASCII or a space.
fn has_no_controls(text: &[u8]) -> bool {
    // Without a branch for each byte.
    text.iter().fold(true, |all, b| all & (*b > b' ') & (*b != 0x7F))
}

/// `text` with spaces and controls of ASCII percent-encoded, and with U+FFFD for NUL.
fn without_controls(text: Cow<'_, str>) -> Cow<'_, str> {
    match has_no_controls(text.as_bytes()) {
        true => text,
        false => {
            let mut out = String::with_capacity(text.len() + 8);
            for c in text.chars() {
                match c {
                    '\0' => out.push_str(REPLACEMENT),
                    c if c.is_ascii() => {
                        out.extend(utf8_percent_encode(c.encode_utf8(&mut [0; 4]), SPACES));
                    }
                    c => out.push(c),
                }
            }
            Cow::Owned(out)
        }
    }
}

/// The URI form of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uri<'m> {
    text: Cow<'m, str>,
    unchanged: bool,
}

impl<'m> Uri<'m> {
    pub(crate) fn into_text(self) -> Cow<'m, str> {
        self.text
    }
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

impl AsRef<str> for Uri<'_> {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Display for Uri<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// `text` without the line breaks of a wrapped link: line ends with the white space before
/// and after them, and the quote marks after them.
pub(crate) fn unwrapped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['\r', '\n']) {
        out.push_str(rest[..at].trim_end_matches([' ', '\t']));
        rest = rest[at..].trim_start_matches(['\r', '\n', ' ', '\t', '>']);
    }
    out.push_str(rest);
    out
}
