//! RFC 3986, RFC 3987 and 3987bis on a whole reference.
//!
//! All functions take text and return text. They do not depend on documents, and on charsets
//! only because an http query may be written in one.

pub(crate) mod base;
pub(crate) mod bidi;
pub(crate) mod browser;
pub(crate) mod class;
pub(crate) mod components;
pub(crate) mod diagnose;
pub(crate) mod field;
pub(crate) mod grammar;
pub(crate) mod host_cache;
#[cfg(iriscan_strings)]
pub(crate) mod host_map;
pub(crate) mod host_name;
pub(crate) mod idna2008;
pub(crate) mod ip_literal;
pub(crate) mod lookalike;
pub(crate) mod mailto;
pub(crate) mod normal;
pub(crate) mod octets;
pub(crate) mod resolve;
pub(crate) mod syntax;
pub(crate) mod syntax_error;
pub(crate) mod text;
pub(crate) mod to_iri;
pub(crate) mod to_uri;
pub(crate) mod unicode;
pub(crate) mod unwrap;
pub(crate) mod uri_error;
pub(crate) mod uri_options;
pub(crate) mod warning;

pub use base::{BaseUri, BaseUriError};
pub use bidi::{BidiFault, BidiFinding, Embedding, embed};
pub use components::{Component, Components};
pub use field::{CharacterReferences, FieldOptions, InnerSpace, trim};
#[cfg(iriscan_strings)]
pub use host_map::map_hosts_by;
pub use idna2008::is_idna2008_name;
pub use normal::{Form, Level, equivalent};
pub use resolve::{BaseError, SameScheme};
pub use syntax::{Edition, Grammar, HostKind, Reference, SyntaxError, SyntaxErrorKind};
pub use text::{LinkParts, to_text};
pub use to_iri::{HostLabels, Inadvisable, IriOptions, PrivateUse, Unreserved, leiri_to_iri};
pub use to_uri::{
    Backslash, Disallowed, HostEscapes, HostForm, Nfc, QueryCharset, Unmappable, UriError,
    UriErrorKind, UriOptions,
};
pub use unwrap::unwrap_link;
