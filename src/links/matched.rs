//! A link that was found.

use alloc::{
    borrow::Cow,
    string::{String, ToString},
    sync::Arc,
    vec::Vec,
};
use core::{fmt, ops::Range};

use percent_encoding::{AsciiSet, CONTROLS, NON_ALPHANUMERIC, percent_encode, utf8_percent_encode};

use super::{logical::Logical, markup::Markup};
use crate::{
    charset::{Charset, Shape},
    grammar::types::{Found, Kind, Trait},
    links::place::Surroundings,
    reference::{
        base::{BaseUri, without_dots},
        browser::{Opened, may_differ, opened},
        class::is_bidi_control,
        components::{Component, Components, scheme_end},
        diagnose::{has_plain_parts, judge},
        host_cache::HostCache,
        host_name::{comparable, plain_host},
        lookalike,
        octets::Octets,
        to_iri::IriOptions,
        to_uri::{UriError, UriOptions, ascii_form},
        unwrap::unwrap_link,
        warning::Warning,
    },
};

/// A half-open range of absolute byte offsets in the original bytes.
pub type Span = Range<u64>;

/// The scheme that a host without one is given.
const WEB: &str = "https://";

/// Characters that are encoded in the local part of an address in a `mailto:`: its own
/// delimiters and those of URIs (RFC 6068).
const MAILTO: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'&')
    .add(b'/')
    .add(b';')
    .add(b'<')
    .add(b'=')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

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

    /// The characters of the link, decoded by the charset, nothing else undone.
    #[must_use]
    pub fn text(&self) -> Cow<'h, str> {
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
        if !self.found.has(Trait::InHtml) {
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

    /// Whether every character of the link is ASCII, so that it is its own URI.
    #[must_use]
    pub fn is_ascii(&self) -> bool {
        !self.found.has(Trait::NonAscii)
    }

    /// The URI form of the link (RFC 3987 section 3.1, by component). No scheme is added: a
    /// bare host stays one.
    ///
    /// It has printable ASCII without spaces only (unless its host
    /// [is kept](crate::reference::HostForm::Keep)), whatever an attribute or a string of the document
    /// holds: a space and controls are percent-encoded, and a NUL is U+FFFD, as HTML reads it.
    ///
    /// # Errors
    ///
    /// The host has no ASCII form under UTS #46.
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
            text if self.is_ascii() => text,
            // Hosts and queries are mapped as if there were a scheme.
            text if self.kind() != Kind::Iri => {
                let uri = options.uri_with(&[WEB, &*text].concat(), hosts)?.into_owned();
                Cow::Owned(uri[WEB.len()..].to_string())
            }
            Cow::Borrowed(iri) => options.uri_with(iri, hosts)?,
            Cow::Owned(iri) => Cow::Owned(options.uri_with(&iri, hosts)?.into_owned()),
        };
        // If only a host that is kept is not ASCII, nothing changes.
        let unchanged = self.is_ascii() || !text.is_ascii() && *text == *self.iri();
        Ok(Uri { text, unchanged })
    }

    /// Whether [`Match::uri`] is certain to succeed. Cheaper than to compute it.
    fn surely_converts(&self) -> bool {
        let options = self.options.charset(self.charset);
        self.kind() == Kind::Iri
            && !self.is_opened()
            && match self.is_utf8_as_it_stands() {
                true => options.surely_converts(self.source),
                false => options.surely_converts(self.iri().as_bytes()),
            }
    }

    /// Why rewriting leaves this link as it is, though it is not ASCII.
    #[must_use]
    #[inline]
    pub fn unconvertible(&self) -> Option<UriError> {
        if self.is_ascii() || self.surely_converts() { None } else { self.uri().err() }
    }

    /// The text that replaces the link when it is rewritten: the URI, with the escapes of the
    /// document's format, spelled as in the link.
    ///
    /// # Errors
    ///
    /// See [`Match::uri`].
    ///
    /// ```
    /// use iriscan::{Finder, Format};
    ///
    /// let finder = Finder::new().format(Format::Html);
    /// let link = finder.find_iter("<a href='/caf&eacute;?a&amp;b'>").next().unwrap();
    /// assert_eq!(link.iri(), "/café?a&b");
    /// assert_eq!(link.uri()?.as_str(), "/caf%C3%A9?a&b");
    /// assert_eq!(link.replacement()?, "/caf%C3%A9?a&amp;b");
    /// # Ok::<(), iriscan::UriError>(())
    /// ```
    pub fn replacement(&self) -> Result<Cow<'h, str>, UriError> {
        let mut text = Octets::default();
        match self.rewriting(None, &mut text) {
            Rewriting::Same => Ok(self.text()),
            Rewriting::Changed => Ok(Cow::Owned(text.into_string())),
            Rewriting::NoUri(e) => Err(e),
        }
    }

    /// How rewriting treats the link. If that changes it, `text` becomes the text that replaces it,
    /// in UTF-8. A host that `hosts` has is not mapped again.
    pub(crate) fn rewriting(&self, hosts: Option<&mut HostCache>, text: &mut Octets) -> Rewriting {
        text.truncate(0);
        if self.is_ascii() {
            return Rewriting::Same;
        }
        if self.is_opened() {
            return Rewriting::NoUri(UriError::BROWSER_HOST);
        }
        if self.kind() == Kind::Iri && self.logical.is_none() {
            // The search has read these bytes as UTF-8, so they are not checked again.
            let iri = match self.is_utf8_as_it_stands() && !self.found.has(Trait::Reference) {
                true => Cow::Borrowed(self.source),
                false => bytes_of(self.iri_without_controls()),
            };
            debug_assert!(core::str::from_utf8(&iri).is_ok(), "{self:?}");
            return match self.options.charset(self.charset).write_uri(&iri, hosts, text) {
                Err(e) => Rewriting::NoUri(e),
                // If only a host that is kept is not ASCII, nothing changes.
                Ok(changed) => match changed && (text.is_ascii() || text.as_slice() != &*iri) {
                    true => Rewriting::Changed,
                    false => Rewriting::Same,
                },
            };
        }
        match self.uri_with(hosts) {
            Err(e) => return Rewriting::NoUri(e),
            Ok(uri) if uri.unchanged => return Rewriting::Same,
            Ok(uri) => text.push(self.spelled(&uri.text).as_bytes()),
        }
        Rewriting::Changed
    }

    /// Whether the document has the link with escapes of its format.
    pub(super) fn is_escaped(&self) -> bool {
        self.logical.is_some()
    }

    /// Whether the bytes of the link are the reference in UTF-8.
    fn is_utf8_as_it_stands(&self) -> bool {
        self.charset == Charset::UTF_8 && self.logical.is_none() && !self.found.has(Trait::Wrapped)
    }

    /// `reference` with the escapes that the link has, which has the same ASCII punctuation.
    pub(crate) fn spelled<'t>(&self, reference: &'t str) -> Cow<'t, str> {
        match &self.logical {
            Some(logical) => logical.written(reference),
            None => Cow::Borrowed(reference),
        }
    }

    /// Whether rewriting changes the link.
    pub(crate) fn changes_by_rewriting(&self) -> bool {
        let mut text = Octets::default();
        !self.found.has(Trait::Identifier)
            && matches!(self.rewriting(None, &mut text), Rewriting::Changed)
            && self.can_be(text.as_slice())
    }

    /// Whether `text`, in UTF-8 and with the escapes of the format, can be in the place of the link: its
    /// charset has all characters, and no other characters come about.
    pub(crate) fn can_be(&self, text: &[u8]) -> bool {
        let first = text.first().copied();
        // Malformed bytes before the link would take its new first byte for the rest of a
        // character.
        let swallows = self.charset.shape() == Shape::Multi && self.is_malformed_adjacent();
        // A `<` before the link would make a tag of it.
        let tag = self.found.context().is_after_less_than()
            && first.is_some_and(|b| b.is_ascii_alphabetic());
        // The charset may lack a character of a host that is kept.
        let holds = || core::str::from_utf8(text).is_ok_and(|text| self.charset.holds(text));
        !self.found.has(Trait::Divided)
            && (text.is_ascii() || holds())
            && !(swallows && first != self.source.first().copied())
            && !tag
    }

    /// The URI of the link inside, if the link is a wrapper of a mail gateway or a web site that forwards
    /// ([`unwrap_link`](crate::reference::unwrap_link)); `None` if it is not, or if the link inside has no URI form.
    ///
    /// ```
    /// use iriscan::Finder;
    ///
    /// let text = "https://urldefense.com/v3/__https://a.example/x__;!!abc$";
    /// let link = Finder::new().find_iter(text).next().unwrap();
    /// assert_eq!(link.unwrapped().as_deref(), Some("https://a.example/x"));
    /// ```
    #[must_use]
    pub fn unwrapped(&self) -> Option<String> {
        let inner = unwrap_link(self.uri().ok()?.as_str())?;
        let inner = without_controls(Cow::Owned(inner));
        UriOptions::new().to_uri(&inner).ok().map(Cow::into_owned)
    }

    /// The URI that the link is relative to: that of [`Config::base`](crate::Config::base), or a nearer
    /// one that the document says before the link, by `<base href>` in HTML or `xml:base` in XML. `None` if
    /// there is none, and for links of plain text ([`Format::Text`](crate::Format::Text)), which are never
    /// relative.
    ///
    /// ```
    /// use iriscan::{Finder, Format};
    ///
    /// let html = "<base href='http://a.example/b/'><a href='c'>";
    /// let links: Vec<_> = Finder::new().format(Format::Html).find_iter(html).collect();
    /// assert_eq!(links[0].base(), None);
    /// assert_eq!(links[1].base().map(|base| base.as_str()), Some("http://a.example/b/"));
    /// ```
    #[must_use]
    pub fn base(&self) -> Option<&BaseUri> {
        self.markup.as_ref()?.base.as_ref()
    }

    /// The URI form of the link as an absolute URI (RFC 3986, section 5.2): a relative reference is resolved
    /// against [`Match::base`], and the path of any reference has no segments `.` and `..`. A bare host or an
    /// address is as in [`Match::open`].
    ///
    /// # Errors
    ///
    /// See [`Match::uri`]; and a relative reference without a base has none
    /// ([`UriErrorKind::Relative`](crate::reference::UriErrorKind::Relative)).
    ///
    /// ```
    /// use iriscan::{Config, Format, reference::BaseUri};
    ///
    /// let base = BaseUri::new("http://a.example/b/c")?;
    /// let finder = Config::new().format(Format::Html).base(base).build()?;
    /// let html = "<a href='../ö?q'>1</a> <a href='http://b.example/'>2</a>";
    /// let links: Vec<_> = finder.find_iter(html).map(|link| link.absolute()).collect::<Result<_, _>>()?;
    /// assert_eq!(links, ["http://a.example/%C3%B6?q", "http://b.example/"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn absolute(&self) -> Result<String, UriError> {
        self.resolved(self.uri()?.into_text())
    }

    /// The absolute form of `uri`, which is the URI form of the link.
    fn resolved(&self, uri: Cow<'_, str>) -> Result<String, UriError> {
        match self.kind() {
            Kind::Iri => match self.base() {
                Some(base) => Ok(base.resolve(&uri)),
                None => without_dots(&uri).ok_or(UriError::RELATIVE),
            },
            Kind::Bare => Ok([WEB, &*uri].concat()),
            Kind::Email => {
                // RFC 6068, section 2: delimiters of `mailto:` are encoded.
                let (local, domain) = uri.rsplit_once('@').unwrap_or((&*uri, ""));
                let local: String = utf8_percent_encode(local, MAILTO).collect();
                Ok(["mailto:", &local, "@", domain].concat())
            }
        }
    }

    /// The URI for a browser or mailer: with `https://` before a bare host and `mailto:`
    /// before an address; a relative reference as in [`Match::absolute`]. With
    /// [`Config::unwrap`](crate::Config::unwrap), that of [`Match::unwrapped`] if there is one.
    ///
    /// # Errors
    ///
    /// See [`Match::uri`]; and a relative reference without a base has none
    /// ([`UriErrorKind::Relative`](crate::reference::UriErrorKind::Relative)).
    ///
    /// ```
    /// use iriscan::{Config, Kind};
    ///
    /// let finder = Config::new().kinds([Kind::Bare, Kind::Email]).build().unwrap();
    /// let mut links = finder.find_iter("www.müller.example, a?b@müller.example");
    /// assert_eq!(links.next().unwrap().open()?, "https://www.xn--mller-kva.example");
    /// # Ok::<(), iriscan::UriError>(())
    /// ```
    pub fn open(&self) -> Result<String, UriError> {
        if self.options.get_unwraps()
            && self.browser().is_none()
            && let Some(inner) = self.unwrapped()
        {
            return Ok(inner);
        }
        self.leads_to()
    }

    /// As [`Match::open`], for a link that is no wrapper.
    pub(crate) fn leads_to(&self) -> Result<String, UriError> {
        if let Some(Opened { url, .. }) = self.browser() {
            let options = self.options.charset(self.charset);
            return match (url.starts_with('/'), self.base()) {
                (true, None) => Err(UriError::RELATIVE),
                (relative, base) => {
                    let url = without_controls(Cow::Owned(url));
                    let uri = options.to_uri(&url).map(Cow::into_owned)?;
                    Ok(match base.filter(|_| relative) {
                        Some(base) => base.resolve(&uri),
                        None => uri,
                    })
                }
            };
        }
        let uri = self.uri()?.into_text();
        // A browser takes the dots of a path away itself.
        match scheme_end(uri.as_bytes()) {
            Some(_) if self.kind() == Kind::Iri => Ok(uri.into_owned()),
            _ => self.resolved(uri),
        }
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

    /// The host as written in the link, an IP literal with its brackets; `None` if there is no
    /// authority, or if the host of a reference has a control or a space. In HTML, where a browser opens another host
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
            Kind::Iri => read(Components::split(&text).host().filter(|host| {
                !self.found.has(Trait::Reference) || has_no_controls(host.as_bytes())
            })),
            Kind::Bare | Kind::Email => read(Components::split(&[WEB, &*text].concat()).host()),
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
        self.with_host(|host| host.map(|host| Cow::Owned(comparable(host).into_owned())))
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

    /// Whether the text of the element names a host of another registrable domain.
    #[cfg(feature = "psl")]
    fn is_named_another(&self) -> bool {
        let named = self.markup.as_ref().and_then(|markup| markup.named.as_deref());
        let Some(named) = named else { return false };
        // A gateway puts its wrapper around the link, and leaves the text.
        let inner = self.unwrapped();
        let host = match &inner {
            Some(inner) => Components::split(inner).host().map(comparable),
            None => self.host_key().or_else(|| self.base_host().map(Cow::Borrowed)),
        };
        host.is_some_and(|host| !lookalike::are_of_one_domain(named, &host))
    }

    /// The host that a relative reference without one leads to, by its base.
    #[cfg(feature = "psl")]
    fn base_host(&self) -> Option<&str> {
        let host = self.markup.as_ref()?.base_host.as_deref();
        host.filter(|_| self.kind() == Kind::Iri && self.scheme().is_none())
    }

    #[cfg(not(feature = "psl"))]
    fn is_named_another(&self) -> bool {
        false
    }

    /// What to show to a person: the readable IRI (RFC 3987, section 3.2) with its host in Unicode
    /// where that cannot deceive, and in ASCII elsewhere. A label of a host is shown in Unicode as
    /// in Chrome: if identifiers may have its characters, its scripts are written together (UTS
    /// #39, level Highly Restrictive), it does not look like ASCII (unless the top-level domain is of
    /// its script), and no mark is put on a letter of an alphabet that has its own. A query with
    /// characters of the document's charset is shown with them. A link without a URI form is shown
    /// as it is.
    ///
    /// It has no controls and no bidi controls: these are percent-encoded, and a NUL is U+FFFD.
    ///
    /// It may have letters that are written from right to left. A program that shows it in other
    /// text puts it between U+2066 and U+2069, so that it does not change the order of that text
    /// (RFC 3987, section 4.1).
    ///
    /// ```
    /// use iriscan::Finder;
    ///
    /// let text = "http://xn--bcher-kva.example/%C3%BC http://xn--80ak6aa92e.com/";
    /// let shown: Vec<_> = Finder::new().find_iter(text).map(|link| link.display()).collect();
    /// assert_eq!(shown, ["http://bücher.example/ü", "http://xn--80ak6aa92e.com/"]);
    /// ```
    #[must_use]
    pub fn display(&self) -> String {
        self.displayed(None).into_owned()
    }

    pub(super) fn displayed(&self, mut hosts: Option<&mut HostCache>) -> Cow<'h, str> {
        if let Some(Opened { url, .. }) = self.browser() {
            let options = self.options.charset(self.charset);
            let url = without_controls(Cow::Owned(url));
            let Ok(uri) = options.to_uri(&url) else { return harmless(url) };
            return harmless(Cow::Owned(self.shown(&uri, hosts)));
        }
        let soon = self.displayed_soon(hosts.as_deref_mut());
        harmless(soon.unwrap_or_else(|| self.displayed_by_uri(hosts)))
    }

    /// The form to show of most links, made without their URI. `None` says nothing.
    fn displayed_soon(&self, hosts: Option<&mut HostCache>) -> Option<Cow<'h, str>> {
        if let Some(text) = self.displayed_as_is() {
            return Some(Cow::Borrowed(text));
        }
        let text = self.iri();
        let options = self.options.charset(self.charset);
        let keeps = self.kind() == Kind::Iri && options.keeps_all_but_host(&text);
        keeps.then(|| self.with_shown_host(&text, hosts)).flatten().map(Cow::Owned)
    }

    /// The form to show of any link: that of its URI.
    fn displayed_by_uri(&self, mut hosts: Option<&mut HostCache>) -> Cow<'h, str> {
        let Ok(uri) = self.uri_with(hosts.as_deref_mut()) else { return self.iri() };
        let web = self.kind() != Kind::Iri;
        let uri = if web { Cow::Owned([WEB, uri.as_str()].concat()) } else { uri.text };
        let mut iri = self.shown(&uri, hosts);
        Cow::Owned(if web { iri.split_off(WEB.len()) } else { iri })
    }

    /// The form to show of a URI.
    fn shown(&self, uri: &str, hosts: Option<&mut HostCache>) -> String {
        // A query with characters of the document's charset is read back by it. What is ASCII in
        // the document may be in any charset.
        let escapes = Some(self.charset).filter(|_| !self.is_ascii());
        let mut iri = IriOptions::new().escapes(escapes).to_iri(uri).into_owned();
        if let Some(host) = Components::split(&iri).range(Component::Host) {
            let shown = lookalike::shown_form(&iri[host.clone()], hosts).into_owned();
            iri.replace_range(host, &shown);
        }
        iri
    }

    /// `text` with its host as it is shown; `None` says nothing.
    fn with_shown_host(&self, text: &str, mut hosts: Option<&mut HostCache>) -> Option<String> {
        let host = Components::split(text).range(Component::Host)?;
        let (before, name, after) = (&text[..host.start], &text[host.clone()], &text[host.end..]);
        // The ASCII form is a form of the same host, whose end is not cut off.
        let ascii = name.is_ascii()
            || ascii_form(name.as_bytes(), hosts.as_deref_mut())
                .is_some_and(|ascii| !ascii.ends_with('.'));
        let is_name = ascii && !name.starts_with('[');
        is_name.then(|| [before, &lookalike::shown_form(name, hosts), after].concat())
    }

    /// The link, if it is seen at once that [`Match::display`] does not change it: most links have
    /// neither an escape nor punycode.
    fn displayed_as_is(&self) -> Option<&'h str> {
        let host = self.plain_host().filter(|_| self.is_ascii())?;
        let text = core::str::from_utf8(self.source).ok()?;
        // Few bytes are an `x`, and only those are worth a call.
        let punycode = host.windows(4).any(|part| part[0] == b'x' && part == b"xn--");
        (!punycode && memchr::memchr(b'%', self.source).is_none()).then_some(text)
    }

    /// What a reader should know about the link, each warning at most once.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        self.judged(None)
    }

    /// Whether it is seen at once that there is nothing to know about the link, as about most. False
    /// says nothing.
    fn is_beyond_doubt(&self) -> bool {
        let host = || self.plain_host().and_then(|host| core::str::from_utf8(host).ok());
        let is_alone = |markup: &Markup| markup.named.is_none() && !markup.has_twin;
        self.markup.as_deref().is_none_or(is_alone)
            && !self.is_malformed_adjacent()
            && host().is_some_and(|host| has_plain_parts(self.source, host))
    }

    pub(super) fn judged(&self, hosts: Option<&mut HostCache>) -> Vec<Warning> {
        if self.is_beyond_doubt() {
            return Vec::new();
        }
        let browser = self.browser();
        let text = match self.kind() {
            _ if let Some(Opened { url, .. }) = &browser => Cow::Borrowed(&**url),
            Kind::Iri => self.iri(),
            Kind::Bare | Kind::Email => Cow::Owned([WEB, &*self.iri()].concat()),
        };
        let mut found = judge(&text, hosts);
        // Rewriting encodes every character, so no link is "LEIRI only". The local part of an
        // address looks like userinfo and is not.
        found.remove(Warning::LeiriOnly);
        if self.kind() == Kind::Email {
            found.remove(Warning::Userinfo);
            found.remove(Warning::UserinfoLikeHost);
        }
        let mut warnings = found.to_vec();
        if self.is_malformed_adjacent() {
            warnings.push(Warning::MalformedBytesAdjacent);
        }
        if self.is_named_another() {
            warnings.push(Warning::TextNamesAnotherHost);
        }
        let has_twin = self.markup.as_ref().is_some_and(|markup| markup.has_twin);
        if has_twin && !warnings.contains(&Warning::ConfusableHost) {
            warnings.push(Warning::ConfusableHost);
        }
        if browser.is_some() {
            warnings.push(Warning::BrowserHost);
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

/// `text` with what a terminal or a reader would obey percent-encoded: controls, line separators and
/// bidi controls; and with U+FFFD for NUL.
fn harmless(text: Cow<'_, str>) -> Cow<'_, str> {
    let may_begin = |b: u8| (b < b' ') | (b == 0x7F) | (b == 0xC2) | (b == 0xD8) | (b == 0xE2);
    if !text.bytes().fold(false, |any, b| any | may_begin(b)) {
        return text;
    }
    let is_obeyed =
        |c: char| c.is_control() || is_bidi_control(c) || matches!(c, '\u{2028}' | '\u{2029}');
    if !text.contains(is_obeyed) {
        return text;
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\0' => out.push('\u{FFFD}'),
            c if is_obeyed(c) => {
                out.extend(percent_encode(c.encode_utf8(&mut [0; 4]).as_bytes(), NON_ALPHANUMERIC))
            }
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// The bytes of a text.
fn bytes_of(text: Cow<'_, str>) -> Cow<'_, [u8]> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
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

#[cfg(test)]
mod tests {
    use std::{string::String, vec};

    use proptest::prelude::*;

    use super::*;
    use crate::{api::config::Config, links::viewer::Viewer};

    proptest! {
        /// The short way to the form that is shown leads to that of the URI, and so does the one over hosts
        /// that are known. The URI is the same too if it is written after another text.
        #[test]
        fn links_are_shown_alike_in_every_way(
            hosts in prop::collection::vec(
                prop_oneof![
                    3 => prop::sample::select(vec![
                        "a.example", "A.example", "bücher.example", "BÜCHER.example", "faß.de", "a。b", "a.b.",
                        "ü.", "ü。", "раураl.com", "xn--bcher-kva.example", "xn--80ak6aa92e.com", "xn--a", "[::1]",
                        "u@ü.de", "a%C3%BC.de", "例え.テスト", "\u{130}.de", "x_y.ü", "xn--Ü.example", "Ü.xn--zz.example", "Ü\u{4E00}\u{301}.example", "Ü.。", "Ü.。/", "ü..de", "1.2.3.4", "אב.co.il",
                    ]).prop_map(String::from),
                    1 => "[a-zü例.%-]{1,9}",
                ],
                1..5,
            ),
            schemes in prop::collection::vec(prop::sample::select(vec!["http://", "https://", "HTTP://", "ftp://", ""]), 4),
            tails in prop::collection::vec("(:[0-9]{1,2})?(/[a-zé例%:]{0,4}|/%C3%BC|/%2F|/e\u{301}|/\u{212B})?(\\?[aé=]{1,3})?", 4),
        ) {
            let links = hosts.iter().zip(&schemes).zip(&tails);
            let text: String = links.map(|((host, scheme), tail)| [*scheme, &**host, &**tail, " "].concat()).collect();
            let finder = Config::new().kinds([Kind::Iri, Kind::Bare]).build().unwrap();
            let mut known = Viewer::new();
            for link in finder.find_iter(&text) {
                let shown = link.displayed_by_uri(None);
                if let Some(soon) = link.displayed_soon(None) {
                    prop_assert_eq!(soon, &*shown, "{:?}", link);
                }
                prop_assert_eq!(known.display(&link), shown, "{:?}", link);
                let (mut written, uri) = (String::from("x"), link.uri());
                prop_assert_eq!(known.write_uri(&link, &mut written).err(), uri.clone().err());
                prop_assert_eq!(&written[1..], uri.as_ref().map_or("", Uri::as_str), "{:?}", link);
            }
        }
    }
}
