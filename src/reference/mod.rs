//! RFC 3986 and RFC 3987 on a whole reference.
//!
//! Pure: text in, text out; knows nothing of documents or positions, and of
//! charsets only that an http query may be written in one.

mod to_uri;

pub use to_uri::{HostForm, Nfc, QueryCharset, UriError};
pub(crate) use to_uri::{UriOptions, to_uri};

/// A reference split by RFC 3986, appendix B. Nothing is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parts<'a> {
    pub(crate) scheme: Option<&'a str>,
    pub(crate) authority: Option<&'a str>,
    pub(crate) path: &'a str,
    pub(crate) query: Option<&'a str>,
    pub(crate) fragment: Option<&'a str>,
}

impl<'a> Parts<'a> {
    pub(crate) fn of(reference: &'a str) -> Parts<'a> {
        let (rest, fragment) = cut(reference, '#');
        let (rest, query) = cut(rest, '?');
        let (scheme, rest) = match rest.split_once(':') {
            Some((scheme, rest)) if !scheme.is_empty() && !scheme.contains('/') => {
                (Some(scheme), rest)
            }
            _ => (None, rest),
        };
        let (authority, path) = match rest.strip_prefix("//") {
            Some(rest) => {
                let end = rest.find('/').unwrap_or(rest.len());
                (Some(&rest[..end]), &rest[end..])
            }
            None => (None, rest),
        };
        Parts { scheme, authority, path, query, fragment }
    }
}

/// The text before the first `at`, and the text behind it, if there is one.
fn cut(text: &str, at: char) -> (&str, Option<&str>) {
    match text.split_once(at) {
        Some((before, behind)) => (before, Some(behind)),
        None => (text, None),
    }
}

/// An authority split at its last `@` and the `:` of its port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Authority<'a> {
    pub(crate) userinfo: Option<&'a str>,
    /// With its brackets, if it is an IP literal.
    pub(crate) host: &'a str,
    pub(crate) port: Option<&'a str>,
}

impl<'a> Authority<'a> {
    pub(crate) fn of(authority: &'a str) -> Authority<'a> {
        let (userinfo, rest) = match authority.rsplit_once('@') {
            Some((userinfo, rest)) => (Some(userinfo), rest),
            None => (None, authority),
        };
        let literal = rest.starts_with('[').then(|| rest.find(']')).flatten();
        let from = literal.map_or(0, |i| i + 1);
        let (host, port) = match rest[from..].rfind(':') {
            Some(i) => (&rest[..from + i], Some(&rest[from + i + 1..])),
            None => (rest, None),
        };
        Authority { userinfo, host, port }
    }
}
