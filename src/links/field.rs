//! The fields of a link: what a template, a list or a report says about it, each by its name.
//!
//! A link and a field go in, the value comes out as text; `None` if the link has none, or if only the caller
//! can know it, as the name of the file. Nothing else is computed than that field.

use alloc::{
    borrow::Cow,
    string::{String, ToString},
    vec::Vec,
};

use super::{ip, matched::Match};
use crate::{
    data::names::named,
    grammar::types::Kind,
    reference::{components::Components, host_cache::HostCache, to_uri::UriError},
};

/// A field of a [`Template`](crate::Template).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Field {
    /// The URI form ([`Match::uri`]).
    Uri,
    /// The reference without the escapes of the format ([`Match::iri`]).
    Iri,
    /// What to give to a browser or mailer ([`Match::open`]); a relative reference without a base has none.
    Open,
    /// The URI form as an absolute URI ([`Match::absolute`]); a relative reference without a base has none.
    Absolute,
    /// The characters of the link as they are written ([`Match::text`]).
    Text,
    /// What to show to a person ([`Match::display`]).
    Display,
    /// The host of the IRI ([`Match::host`]).
    Host,
    /// The registrable domain of the host, by the Public Suffix List (`Match::domain`). Needs the feature
    /// `psl`; without it no link has one.
    Domain,
    /// The scheme in lower case ([`Match::scheme`]).
    Scheme,
    /// The kind of link ([`Match::kind`]).
    Kind,
    /// The path of the IRI; of an address all before the `@` is left out.
    Path,
    /// The query of the IRI, without the `?`.
    Query,
    /// The fragment of the IRI, without the `#`.
    Fragment,
    /// The user information of the IRI, without the `@`.
    Userinfo,
    /// The port of the IRI, without the `:`.
    Port,
    /// The number of the link in its input, from 1.
    N,
    /// The name of the input.
    File,
    /// The first byte of the link.
    Start,
    /// The byte after the link.
    End,
    /// The line on which the link starts, from 1.
    Line,
    /// The column in which the link starts, in characters, from 1.
    Column,
    /// The charset that the link is read in.
    Charset,
    /// The names of the warnings, with spaces between them.
    Warnings,
    /// In HTML and XML, if the option `elements` asks for it, the element that the link is in ([`Match::element`]).
    Element,
    /// The attribute that the link is in ([`Match::attribute`]); none in the text of an element.
    Attribute,
    /// The text of the element `a` or `area` that the link is the target of ([`Match::anchor`]), white space
    /// folded, at most 200 characters.
    Anchor,
    /// The identifier of the message that the link is in, without `<` and `>`.
    MessageId,
    /// The subject of the message that the link is in.
    Subject,
    /// Who wrote the message that the link is in.
    From,
    /// When the message that the link is in was written.
    Date,
    /// The text before the link.
    Before,
    /// The text after the link.
    After,
}

named! {
    Field is "a field of a template":
    Uri = "uri",
    Iri = "iri",
    Open = "open",
    Absolute = "absolute",
    Text = "text",
    Display = "display",
    Host = "host",
    Domain = "domain",
    Scheme = "scheme",
    Kind = "kind",
    Path = "path",
    Query = "query",
    Fragment = "fragment",
    Userinfo = "userinfo",
    Port = "port",
    N = "n",
    File = "file",
    Start = "start",
    End = "end",
    Line = "line",
    Column = "column",
    Charset = "charset",
    Warnings = "warnings",
    Element = "element",
    Attribute = "attribute",
    Anchor = "anchor",
    MessageId = "message_id",
    Subject = "subject",
    From = "from",
    Date = "date",
    Before = "before",
    After = "after",
}

impl<'h> Match<'h> {
    /// The value of a field; `None` if the link has none, or if it is not of the link but of its place in an
    /// input: [`Field::N`], [`Field::File`], [`Field::Line`], [`Field::Column`], the fields of a message and
    /// the text around.
    ///
    /// ```
    /// use iriscan::{Field, Finder};
    ///
    /// let link = Finder::new().find_iter("see http://a.example/é?q").next().unwrap();
    /// assert_eq!(link.get(Field::Path).as_deref(), Some("/é"));
    /// assert_eq!(link.get(Field::Fragment), None);
    /// ```
    #[must_use]
    pub fn get(&self, field: Field) -> Option<Cow<'h, str>> {
        field.value_with(self, None)
    }
}

impl Field {
    pub(super) fn value_with<'h>(
        self,
        link: &Match<'h>,
        hosts: Option<&mut HostCache>,
    ) -> Option<Cow<'h, str>> {
        let parts =
            |read: fn(&Components<'_>) -> Option<String>| with_parts(link, read).map(Cow::Owned);
        match self {
            Field::Uri => link.uri_with(hosts).ok().map(super::matched::Uri::into_text),
            Field::Iri => Some(link.iri()),
            Field::Open => absolute(link, Match::open).ok().flatten().map(Cow::Owned),
            Field::Absolute => absolute(link, Match::absolute).ok().flatten().map(Cow::Owned),
            Field::Text => Some(link.text()),
            Field::Display => Some(link.displayed(hosts)),
            Field::Host => match link.plain_host().map(core::str::from_utf8) {
                Some(Ok(host)) => Some(Cow::Borrowed(host)),
                _ => link.host().map(Cow::Owned),
            },
            #[cfg(feature = "psl")]
            Field::Domain => link.domain().map(Cow::Owned),
            #[cfg(not(feature = "psl"))]
            Field::Domain => None,
            Field::Scheme => link.scheme().map(Cow::Owned),
            Field::Kind => Some(Cow::Borrowed(link.kind().as_str())),
            Field::Path => parts(|parts| Some(parts.path().to_string())),
            Field::Query => parts(|parts| parts.query().map(str::to_string)),
            Field::Fragment => parts(|parts| parts.fragment().map(str::to_string)),
            Field::Userinfo => parts(|parts| parts.userinfo().map(str::to_string)),
            Field::Port => parts(|parts| parts.port().map(str::to_string)),
            Field::Start => Some(Cow::Owned(link.span().start.to_string())),
            Field::End => Some(Cow::Owned(link.span().end.to_string())),
            Field::Charset => Some(Cow::Borrowed(link.charset().name())),
            Field::Warnings => {
                let names: Vec<_> = link.judged(hosts).into_iter().map(|w| w.as_str()).collect();
                Some(Cow::Owned(names.join(" ")))
            }
            Field::Element => link.element().map(|name| Cow::Owned(name.to_string())),
            Field::Attribute => link.attribute().map(|name| Cow::Owned(name.to_string())),
            Field::Anchor => link.anchor().map(|text| Cow::Owned(text.to_string())),
            Field::N | Field::File | Field::Line | Field::Column => None,
            Field::MessageId | Field::Subject | Field::From | Field::Date => None,
            Field::Before | Field::After => None,
        }
    }
}

/// What `read` says of a link; `None` for a relative reference without a base.
pub(super) fn absolute<'h>(
    link: &Match<'h>,
    read: impl FnOnce(&Match<'h>) -> Result<String, UriError>,
) -> Result<Option<String>, UriError> {
    let relative = match link.kind() {
        Kind::Iri => link.base().is_none() && link.scheme().is_none(),
        Kind::Ip => true,
        Kind::Bare | Kind::Email => false,
    };
    if relative { Ok(None) } else { read(link).map(Some) }
}

/// What `read` says about the components of a link, which may have no scheme.
fn with_parts<T>(link: &Match<'_>, read: impl FnOnce(&Components<'_>) -> T) -> T {
    let iri = link.iri();
    match link.kind() {
        Kind::Iri => read(&Components::split(&iri)),
        Kind::Bare | Kind::Email => read(&Components::split(&["//", &*iri].concat())),
        Kind::Ip => read(&Components::split(&ip::reference(&iri))),
    }
}
