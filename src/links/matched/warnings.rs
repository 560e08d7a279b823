//! What a reader should know about a link before following it.
//!
//! A link goes in, its warnings come out, each at most once: those of its reference, and those of its place in
//! the document, such as malformed bytes beside it or a text that names another host. What must hold: the
//! quick answer, that there are none, is given only where the judge would give it too.

use alloc::{borrow::Cow, vec::Vec};

use super::{Match, WEB};
#[cfg(feature = "psl")]
use crate::reference::{components::Components, host_name::comparable, lookalike};
use crate::{
    grammar::types::Kind,
    links::{ip, markup::Markup},
    reference::{
        browser::Opened,
        diagnose::{has_plain_parts, judge},
        grammar::Grammar,
        host_cache::HostCache,
        syntax::Reference,
        warning::Warning,
    },
};

impl<'h> Match<'h> {
    /// What a reader should know about the link, each warning at most once.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        self.judged(None)
    }

    /// Whether it is seen at once that there is nothing to know about the link, as about most. False
    /// says nothing.
    fn is_beyond_doubt(&self) -> bool {
        let host = || self.plain_host().and_then(|host| core::str::from_utf8(host).ok());
        let is_alone =
            |markup: &Markup| markup.named.is_none() && !markup.has_twin && !markup.is_in_another;
        self.markup.as_deref().is_none_or(is_alone)
            && !self.is_malformed_adjacent()
            && host().is_some_and(|host| has_plain_parts(self.source, host))
    }

    pub(in crate::links) fn judged(&self, hosts: Option<&mut HostCache>) -> Vec<Warning> {
        if self.is_beyond_doubt() {
            return Vec::new();
        }
        let browser = self.browser();
        let text = match self.kind() {
            _ if let Some(Opened { url, .. }) = &browser => Cow::Borrowed(&**url),
            Kind::Iri => self.iri(),
            Kind::Bare | Kind::Email => Cow::Owned([WEB, &*self.iri()].concat()),
            Kind::Ip => Cow::Owned(["https:", &ip::reference(&self.iri())].concat()),
        };
        let mut found = judge(&text, hosts);
        // Rewriting encodes every character, so no link is "LEIRI only". The local part of an
        // address looks like userinfo and is not.
        found.remove(Warning::LeiriOnly);
        // The address of the browser was judged, and the URI is written.
        let invalid = browser.is_some() && self.uri().is_ok_and(|uri| !is_reference(uri.as_str()));
        found.add(Warning::NotRfc3986, invalid || self.options.keeps_disallowed(text.as_bytes()));
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
        if self.markup.as_ref().is_some_and(|markup| markup.is_in_another) {
            warnings.push(Warning::NestedInAnotherHost);
        }
        warnings
    }

    /// Whether the text of the element names a host of another registrable domain.
    #[cfg(feature = "psl")]
    fn is_named_another(&self) -> bool {
        let named = self.markup.as_ref().and_then(|markup| markup.named.as_deref());
        let Some(named) = named else { return false };
        // Nobody takes a mailer for the site that the text names.
        if self.scheme().as_deref() == Some("mailto") {
            return false;
        }
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
}

/// Whether `uri` is a URI reference, apart from letters in a host that is kept.
fn is_reference(uri: &str) -> bool {
    let grammar = if uri.is_ascii() { Grammar::UriReference } else { Grammar::IriReference };
    Reference::parse(uri, grammar).is_ok()
}
