//! What links are shown as and opened with, for many links.

use alloc::{borrow::Cow, string::String, vec::Vec};

use super::{
    field::Field,
    matched::{Match, Rewriting, Uri},
};
use crate::reference::{host_cache::HostCache, octets::Octets, to_uri::UriError, warning::Warning};

/// Reads many links faster than one by one: it remembers the last hosts, at most 128.
///
/// A document names few hosts, and to map and judge one costs more than all else that its link
/// needs. The results are those of the methods of [`Match`] with the same names. A viewer may be
/// kept from document to document, whatever their options are.
///
/// ```
/// use iriscan::{Field, Finder, Viewer};
///
/// let mut viewer = Viewer::new();
/// let text = "http://xn--bcher-kva.example/ http://bücher.example/%C3%BC";
/// for link in Finder::new().find_iter(text) {
///     assert_eq!(viewer.uri(&link)?.as_str(), link.uri()?.as_str());
///     assert_eq!(viewer.display(&link), link.display());
///     assert_eq!(viewer.warnings(&link), link.warnings());
///     assert_eq!(viewer.get(Field::Host, &link), link.get(Field::Host));
/// }
/// # Ok::<(), iriscan::UriError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Viewer {
    hosts: HostCache,
    /// The URI that was written last.
    uri: Octets,
}

impl Viewer {
    /// A viewer that has no memory yet.
    #[must_use]
    pub const fn new() -> Viewer {
        Viewer { hosts: HostCache::new(), uri: Octets::new() }
    }

    /// [`Match::uri`].
    ///
    /// # Errors
    ///
    /// See [`Match::uri`].
    pub fn uri<'h>(&mut self, link: &Match<'h>) -> Result<Uri<'h>, UriError> {
        link.uri_with(Some(&mut self.hosts))
    }

    /// Appends [`Match::uri`] to `out`, for many links: most need no memory but that of `out`.
    ///
    /// # Errors
    ///
    /// See [`Match::uri`]; `out` is as it was then.
    ///
    /// ```
    /// use iriscan::{Finder, Viewer};
    ///
    /// let (mut viewer, mut out) = (Viewer::new(), String::new());
    /// for link in Finder::new().find_iter("http://a.example/ö and http://b.example/") {
    ///     viewer.write_uri(&link, &mut out)?;
    ///     out.push('\n');
    /// }
    /// assert_eq!(out, "http://a.example/%C3%B6\nhttp://b.example/\n");
    /// # Ok::<(), iriscan::UriError>(())
    /// ```
    pub fn write_uri(&mut self, link: &Match<'_>, out: &mut String) -> Result<(), UriError> {
        if link.is_escaped() || link.is_ascii() {
            out.push_str(self.uri(link)?.as_str());
            return Ok(());
        }
        match link.rewriting(Some(&mut self.hosts), &mut self.uri) {
            Rewriting::Changed => out.push_str(self.uri.as_str()),
            Rewriting::Same => out.push_str(&link.iri_without_controls()),
            Rewriting::NoUri(e) => return Err(e),
        }
        Ok(())
    }

    /// [`Match::display`].
    #[must_use]
    pub fn display<'h>(&mut self, link: &Match<'h>) -> Cow<'h, str> {
        link.displayed(Some(&mut self.hosts))
    }

    /// [`Match::warnings`].
    #[must_use]
    pub fn warnings(&mut self, link: &Match<'_>) -> Vec<Warning> {
        link.judged(Some(&mut self.hosts))
    }

    /// [`Match::get`].
    #[must_use]
    pub fn get<'h>(&mut self, field: Field, link: &Match<'h>) -> Option<Cow<'h, str>> {
        field.value_with(link, Some(&mut self.hosts))
    }
}
