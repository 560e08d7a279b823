//! The grammars by which a reference is parsed, and the documents that define them.
//!
//! Only their names, and what tells one rule from another: whether a scheme is needed and whether a fragment
//! is allowed. [`syntax`](super::syntax) has the parser.

use crate::data::names::named;

/// A rule of the grammars by which a [`Reference`](super::Reference) is parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Grammar {
    /// `IRI = scheme ":" ihier-part [ "?" iquery ] [ "#" ifragment ]` (RFC
    /// 3987, section 2.2).
    Iri,
    /// `IRI-reference = IRI / irelative-ref`
    IriReference,
    /// `absolute-IRI = scheme ":" ihier-part [ "?" iquery ]`
    AbsoluteIri,
    /// `URI = scheme ":" hier-part [ "?" query ] [ "#" fragment ]` (RFC 3986,
    /// appendix A).
    Uri,
    /// `URI-reference = URI / relative-ref`
    UriReference,
    /// `absolute-URI = scheme ":" hier-part [ "?" query ]`
    AbsoluteUri,
    /// Legacy Extended IRI reference: IRI-reference with `leiri-ucschar` for
    /// `ucschar` (3987bis, section 6.1).
    Leiri,
}

named! {
    Grammar is "a grammar":
    Iri = "iri",
    IriReference = "iri-reference",
    AbsoluteIri = "absolute-iri",
    Uri = "uri",
    UriReference = "uri-reference",
    AbsoluteUri = "absolute-uri",
    Leiri = "leiri",
}

impl Grammar {
    pub(super) fn needs_scheme(self) -> bool {
        !matches!(self, Grammar::IriReference | Grammar::UriReference | Grammar::Leiri)
    }

    pub(super) fn allows_fragment(self) -> bool {
        !matches!(self, Grammar::AbsoluteIri | Grammar::AbsoluteUri)
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Grammar::Iri => "an IRI",
            Grammar::IriReference => "an IRI reference",
            Grammar::AbsoluteIri => "an absolute IRI",
            Grammar::Uri => "a URI",
            Grammar::UriReference => "a URI reference",
            Grammar::AbsoluteUri => "an absolute URI",
            Grammar::Leiri => "a LEIRI",
        }
    }
}

/// Which document defines an IRI.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Edition {
    /// RFC 3987.
    #[default]
    Rfc3987,
    /// draft-ietf-iri-3987bis: the query may hold U+E0000–E0FFF too, and a host has no `%HH`.
    /// URIs are those of RFC 3986 in either case.
    Bis,
}

named!(Edition is "an edition": Rfc3987 = "rfc3987", Bis = "3987bis");
