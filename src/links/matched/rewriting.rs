//! What rewriting writes in the place of a link: its URI form, spelled with the escapes that the link has.
//!
//! A link goes in; out comes that it stays, the text that replaces it, or why it has no URI form. What must hold:
//! the charset has all characters of the text, and no other characters come about beside it.

use alloc::{borrow::Cow, string::String};

use super::{Match, Rewriting};
use crate::{
    charset::Shape,
    grammar::types::{Kind, Trait},
    reference::{
        class::{any, is_escape, is_kept},
        host_cache::HostCache,
        octets::Octets,
        to_uri::UriError,
    },
};

impl<'h> Match<'h> {
    /// Why rewriting leaves this link as it is, though it is not ASCII.
    #[must_use]
    #[inline]
    pub fn unconvertible(&self) -> Option<UriError> {
        if self.stays_ascii() || self.surely_converts() { None } else { self.uri().err() }
    }

    /// Whether rewriting to URIs leaves the link, because it is ASCII and nobody asked for more.
    #[inline]
    pub(crate) fn stays_ascii(&self) -> bool {
        self.is_ascii() && !self.options.get_rewrites_ascii()
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
        if self.stays_ascii() {
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

    /// `reference` with the escapes that the link has, which has the same ASCII punctuation.
    pub(crate) fn spelled<'t>(&self, reference: &'t str) -> Cow<'t, str> {
        match &self.logical {
            Some(logical) => logical.written(reference),
            None => Cow::Borrowed(reference),
        }
    }

    /// `reference` made harmless, if the link is.
    pub(crate) fn spelled_harmless(&self, reference: &str) -> Option<String> {
        let logical = self.logical.as_ref().filter(|logical| logical.is_harmless())?;
        Some(logical.written(reference).into_owned())
    }

    /// Whether rewriting changes the link.
    pub(crate) fn changes_by_rewriting(&self) -> bool {
        let mut text = Octets::default();
        !self.found.has(Trait::Identifier)
            && !self.is_nested()
            && matches!(self.rewriting(None, &mut text), Rewriting::Changed)
            && self.can_be(text.as_slice())
    }

    /// True if the link is in a program and has a placeholder or a part of a pattern.
    fn has_placeholder(&self) -> bool {
        self.found.has(Trait::InProgram) && {
            let iri = self.iri();
            let mut escapes = memchr::memchr_iter(b'%', iri.as_bytes());
            any(iri.as_bytes(), is_kept) || !escapes.all(|at| is_escape(iri.as_bytes(), at))
        }
    }

    /// Whether `text`, in UTF-8 and with the escapes of the format, can be in the place of the link: its
    /// charset has all characters, and no other characters come about.
    pub(crate) fn can_be(&self, text: &[u8]) -> bool {
        let first = text.first().copied();
        // Malformed bytes before the link would take its new first byte for the rest of a
        // character.
        let swallows = self.charset.shape() == Shape::Multi && self.is_malformed_adjacent();
        // A `<` before the link would make a tag of it.
        let place = self.found.context().place();
        let tag = self.found.context().is_after_less_than()
            && !place.is_comment_text()
            && !place.is_script()
            && first.is_some_and(|b| b.is_ascii_alphabetic());
        // The charset may lack a character of a host that is kept.
        let holds = || core::str::from_utf8(text).is_ok_and(|text| self.charset.holds(text));
        !self.found.has(Trait::Fixed)
            && !self.has_placeholder()
            && place.keeps_comment(text)
            && (text.is_ascii() || holds())
            && !(swallows && first != self.source.first().copied())
            && !tag
    }
}

/// The bytes of a text.
fn bytes_of(text: Cow<'_, str>) -> Cow<'_, [u8]> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}
