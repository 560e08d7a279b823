//! Where a link leads: its absolute URI, and the one for a browser or mailer.
//!
//! A link goes in, and the base that it is relative to; a URI with a scheme comes out, or why there is none. What
//! must hold: what opens a link is what a browser opens, also where it reads the reference in another way than
//! RFC 3986.

use alloc::{borrow::Cow, string::String};

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use super::{Match, WEB, without_controls};
use crate::{
    grammar::types::Kind,
    reference::{
        base::{BaseUri, without_dots},
        browser::Opened,
        components::scheme_end,
        to_uri::{UriError, UriOptions},
        unwrap::unwrap_link,
    },
};

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

impl<'h> Match<'h> {
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
            // Nothing says what answers there.
            Kind::Ip => Err(UriError::RELATIVE),
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
        if !cfg!(iriscan_strings)
            && self.options.get_unwraps()
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
}
