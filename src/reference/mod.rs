//! RFC 3986, RFC 3987 and 3987bis on a whole reference.
//!
//! Pure: text in, text out; knows nothing of documents or positions, and of
//! charsets only that an http query may be written in one.

mod bidi;
mod class;
mod components;
mod diagnose;
mod field;
mod idna2008;
mod normal;
mod resolve;
mod syntax;
mod text;
mod to_iri;
mod to_uri;
mod unicode;

use alloc::string::String;

pub use bidi::{BidiFault, BidiFinding, Embedding, embed};
pub use components::{Component, Components};
pub use field::{CharacterReferences, FieldOptions, InnerSpace, trim};
pub(crate) use field::{encode_space, entity, legacy, remapped};
pub use idna2008::is_idna2008_name;
pub use normal::{Form, Level, equivalent};
pub use resolve::{BaseError, SameScheme};
pub use syntax::{Edition, Grammar, HostKind, Reference, SyntaxError};
pub use text::{LinkParts, to_text};
pub use to_iri::{HostLabels, Inadvisable, IriOptions, PrivateUse, Unreserved, leiri_to_iri};
pub use to_uri::{
    Backslash, Disallowed, HostEscapes, HostForm, Nfc, QueryCharset, Unmappable, UriError,
    UriOptions,
};

/// The reference put together again from what `write` makes of each component.
fn map_components(
    parts: &Components<'_>,
    mut write: impl FnMut(Component, &str, &mut String),
) -> String {
    let mut out = String::with_capacity(parts.as_str().len());
    if let Some(scheme) = parts.scheme() {
        write(Component::Scheme, scheme, &mut out);
        out.push(':');
    }
    if let Some(host) = parts.host() {
        out.push_str("//");
        if let Some(userinfo) = parts.userinfo() {
            write(Component::Userinfo, userinfo, &mut out);
            out.push('@');
        }
        write(Component::Host, host, &mut out);
        if let Some(port) = parts.port() {
            out.push(':');
            write(Component::Port, port, &mut out);
        }
    }
    write(Component::Path, parts.path(), &mut out);
    if let Some(query) = parts.query() {
        out.push('?');
        write(Component::Query, query, &mut out);
    }
    if let Some(fragment) = parts.fragment() {
        out.push('#');
        write(Component::Fragment, fragment, &mut out);
    }
    out
}
