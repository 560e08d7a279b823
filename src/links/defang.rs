//! Links that were made harmless: how they are written.
//!
//! A reference goes in; a text comes out of which no program makes a link. The format `defanged` reads it as
//! the reference again.

use alloc::{format, string::String};

use crate::{grammar::types::Kind, reference::components::Components};

/// `reference` so that no program makes a link of it: the colon after the scheme and the dots of
/// the host in brackets, `hxxp` for `http` and `fxp` for `ftp`.
pub(crate) fn defanged(reference: &str, kind: Kind) -> String {
    let (mut out, mut rest) = (String::with_capacity(reference.len() * 2), reference);
    let scheme = Components::split(reference).scheme().filter(|_| kind == Kind::Iri);
    if let Some(scheme) = scheme {
        let (head, after) = reference.split_at(scheme.len());
        out.push_str(&harmless(head));
        out.push_str("[:]");
        rest = &after[1..];
    }
    // The authority; of `mailto:` and the like, the address.
    let from = if rest.starts_with("//") { 2 } else { 0 };
    let end = rest[from..].find(['/', '?', '#']).map_or(rest.len(), |at| from + at);
    let named = from == 2 || scheme.is_some() || kind != Kind::Iri;
    let end = if named { end } else { 0 };
    for c in rest[..end].chars() {
        match c {
            '.' | '\u{3002}' | '\u{FF0E}' | '\u{FF61}' => out += &format!("[{c}]"),
            '@' => out.push_str("[@]"),
            c => out.push(c),
        }
    }
    out.push_str(&rest[end..]);
    out
}

/// The scheme that no program knows: `hxxp` for `http`, `fxp` for `ftp`. One in mixed case stays, so that
/// reading it again gives what it was.
fn harmless(scheme: &str) -> String {
    let known = [
        ("http", "hxxp"),
        ("HTTP", "HXXP"),
        ("Http", "Hxxp"),
        ("ftp", "fxp"),
        ("FTP", "FXP"),
        ("Ftp", "Fxp"),
    ];
    let found = known.into_iter().find(|(from, _)| scheme.starts_with(from));
    let (from, to) = found.unwrap_or_default();
    [to, &scheme[from.len()..]].concat()
}
