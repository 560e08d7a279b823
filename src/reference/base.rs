//! What relative references are relative to (RFC 3986, section 5.1).

use alloc::{borrow::ToOwned, boxed::Box, string::String, sync::Arc};
use core::{fmt, str::FromStr};

use super::{
    components::Components, host_name::comparable, resolve::transform, to_uri::UriOptions,
};

/// The URI that the relative references of a document are relative to (RFC 3986, section 5.1).
///
/// It has a scheme, and an authority or a path that begins with `/`; it has no fragment. A copy is
/// cheap.
///
/// ```
/// use iriscan::reference::BaseUri;
///
/// let base: BaseUri = "http://例え.jp/b/c?q#s".parse()?;
/// assert_eq!(base.as_str(), "http://xn--r8jz45g.jp/b/c?q");
/// assert_eq!(base.resolve("../%C3%B6"), "http://xn--r8jz45g.jp/%C3%B6");
/// # Ok::<(), iriscan::reference::BaseUriError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BaseUri(Arc<str>);

impl BaseUri {
    /// The base that `iri`, an IRI or a URI, names. It is converted to a URI (RFC 3987, section 3.1),
    /// and its fragment is dropped.
    ///
    /// # Errors
    ///
    /// `iri` is relative, nothing can be relative to it (`mailto:a@b`), or it has no URI form.
    pub fn new(iri: &str) -> Result<BaseUri, BaseUriError> {
        let error = || BaseUriError(iri.to_owned());
        let uri = UriOptions::new().to_uri(iri).map_err(|_| error())?;
        let parts = Components::split(&uri);
        let leads = parts.authority().is_some() || parts.path().starts_with('/');
        if parts.scheme().is_none() || !leads {
            return Err(error());
        }
        let fragment = parts.fragment().map_or(0, |fragment| "#".len() + fragment.len());
        Ok(BaseUri(uri[..uri.len() - fragment].into()))
    }

    /// The URI.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether both are copies of one base, so that they need not be compared.
    pub(crate) fn is_copy_of(&self, other: &BaseUri) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Its host in the form in which hosts are compared.
    pub(crate) fn host_key(&self) -> Option<Box<str>> {
        Components::split(&self.0).host().map(|host| comparable(host).into())
    }

    /// `reference`, a URI or a relative reference, resolved against this base (RFC 3986, section 5.2,
    /// strict).
    #[must_use]
    pub fn resolve(&self, reference: &str) -> String {
        let (base, reference) = (Components::split(&self.0), Components::split(reference));
        transform(&reference, reference.scheme(), &base, base.scheme().unwrap_or_default())
    }
}

/// `uri` resolved, which needs no base, because it is absolute; `None` if it is relative.
pub(crate) fn without_dots(uri: &str) -> Option<String> {
    let parts = Components::split(uri);
    let scheme = parts.scheme()?;
    Some(transform(&parts, Some(scheme), &parts, scheme))
}

impl FromStr for BaseUri {
    type Err = BaseUriError;

    fn from_str(iri: &str) -> Result<BaseUri, BaseUriError> {
        BaseUri::new(iri)
    }
}

impl AsRef<str> for BaseUri {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Display for BaseUri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A text that is no [`BaseUri`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseUriError(String);

impl fmt::Display for BaseUriError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:?} is no absolute URI that references can be relative to; give one such as \
             https://example.org/page",
            self.0
        )
    }
}

impl core::error::Error for BaseUriError {}

#[cfg(test)]
mod tests {
    use super::BaseUri;

    #[test]
    fn bases_are_absolute_and_hierarchical() {
        for (text, base) in [
            ("http://a", Some("http://a")),
            ("http://a/b?c#d", Some("http://a/b?c")),
            ("file:/a", Some("file:/a")),
            ("http://é/é", Some("http://xn--9ca/%C3%A9")),
            ("", None),
            ("a", None),
            ("//a/b", None),
            ("mailto:a@b", None),
            ("urn:a:b", None),
            ("data:,a", None),
        ] {
            assert_eq!(BaseUri::new(text).ok().as_ref().map(BaseUri::as_str), base, "{text}");
        }
    }
}
