//! Links that are IP addresses without a scheme: their host, and the reference that they mean.

use alloc::{borrow::Cow, string::String};

use core::net::Ipv6Addr;

/// Whether the link is an IPv6 address without brackets, which has neither port nor path.
pub(super) fn is_unbracketed(text: &str) -> bool {
    text.parse::<Ipv6Addr>().is_ok()
}

/// The host of the link `text`, as written.
pub(super) fn host(text: &str) -> &str {
    let end = match text.find(']') {
        _ if is_unbracketed(text) => text.len(),
        Some(close) if text.starts_with('[') => close + 1,
        _ => text.find([':', '/', '?', '#']).unwrap_or(text.len()),
    };
    &text[..end]
}

/// `host`, with the brackets that it has in a URI.
pub(super) fn in_uri(host: &str) -> Cow<'_, str> {
    match is_unbracketed(host) {
        true => Cow::Owned(["[", host, "]"].concat()),
        false => Cow::Borrowed(host),
    }
}

/// The reference that the link `text` means: with two slashes before it.
pub(super) fn reference(text: &str) -> String {
    match is_unbracketed(text) {
        true => ["//[", text, "]"].concat(),
        false => ["//", text].concat(),
    }
}
