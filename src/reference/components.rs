//! The places of the components in a reference.
//!
//! A reference is split at its delimiters (RFC 3986, appendix B), and nothing is checked but
//! the characters of the scheme. `syntax` finds the same places and checks.

use alloc::string::String;
use core::ops::Range;

use super::class::{SCHEME, is_in};
use crate::data::names::named;

/// The components of a reference: borrowed, exactly as written.
///
/// [`Components::split`] makes them of any text; those of a
/// [`Reference`](crate::reference::syntax::Reference) are valid too. Ranges are in bytes of UTF-8.
///
/// ```
/// use iriscan::reference::{Component, Components};
///
/// let parts = Components::split("http://u@例え.jp:80/パス?q#f");
/// assert_eq!(parts.host(), Some("例え.jp"));
/// assert_eq!(parts.port(), Some("80"));
/// assert_eq!(parts.path(), "/パス");
/// assert_eq!(parts.range(Component::Userinfo), Some(7..8));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Components<'a> {
    text: &'a str,
    pub(super) ends: Ends,
}

/// The places between the components, in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Ends {
    /// The `:` after the scheme; 0 without a scheme.
    pub(super) scheme: usize,
    /// The byte after `//`; 0 without an authority.
    pub(super) authority: usize,
    /// The start of the host, after the `@` if there is one.
    pub(super) host: usize,
    /// The end of the host.
    pub(super) host_end: usize,
    /// The start of the path, which is the end of the authority.
    pub(super) path: usize,
    /// The `?`; without a query the end of the path.
    pub(super) query: usize,
    /// The `#`; without a fragment the end.
    pub(super) fragment: usize,
}

/// A component of a reference (RFC 3986, section 3).
///
/// ```
/// use iriscan::reference::{Component, Components};
///
/// let parts = Components::split("//host/path?");
/// let there = Component::ALL.iter().copied().filter(|&c| parts.range(c).is_some());
/// let names: Vec<_> = there.map(Component::as_str).collect();
/// assert_eq!(names, ["authority", "host", "path", "query"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Component {
    /// Before the first `:`.
    Scheme,
    /// Between `//` and the path.
    Authority,
    /// Before the last `@` of the authority.
    Userinfo,
    /// The host; an IP literal with its brackets.
    Host,
    /// After the `:` of the authority; digits, perhaps none.
    Port,
    /// The path, perhaps empty; always there.
    Path,
    /// After the first `?`.
    Query,
    /// After the first `#`.
    Fragment,
}

named! {
    Component is "a component of a reference":
    Scheme = "scheme",
    Authority = "authority",
    Userinfo = "userinfo",
    Host = "host",
    Port = "port",
    Path = "path",
    Query = "query",
    Fragment = "fragment",
}

impl<'a> Components<'a> {
    /// Splits any text at its delimiters. Only the characters of the scheme are checked. If
    /// there are several `@`, the last one ends the userinfo, as in browsers (RFC 3986 allows
    /// one).
    #[must_use]
    pub fn split(text: &'a str) -> Components<'a> {
        Components { text, ends: Ends::of(text.as_bytes()) }
    }

    pub(super) fn of(text: &'a str, ends: Ends) -> Components<'a> {
        debug_assert_eq!(Components::split(text).ends, ends, "{text:?}");
        Components { text, ends }
    }

    /// The whole reference.
    #[must_use]
    pub fn as_str(&self) -> &'a str {
        self.text
    }

    /// The scheme as it is written.
    #[must_use]
    pub fn scheme(&self) -> Option<&'a str> {
        self.get(Component::Scheme)
    }

    /// Userinfo, host and port with their delimiters.
    #[must_use]
    pub fn authority(&self) -> Option<&'a str> {
        self.get(Component::Authority)
    }

    /// The userinfo: the text before the `@` of the authority.
    #[must_use]
    pub fn userinfo(&self) -> Option<&'a str> {
        self.get(Component::Userinfo)
    }

    /// The host, an IP literal with its brackets; perhaps empty.
    #[must_use]
    pub fn host(&self) -> Option<&'a str> {
        self.get(Component::Host)
    }

    /// The port: the text after the `:` of the authority, perhaps empty.
    #[must_use]
    pub fn port(&self) -> Option<&'a str> {
        self.get(Component::Port)
    }

    /// The path, perhaps empty.
    #[must_use]
    pub fn path(&self) -> &'a str {
        &self.text[self.ends.path..self.ends.query]
    }

    /// The query without its `?`.
    #[must_use]
    pub fn query(&self) -> Option<&'a str> {
        self.get(Component::Query)
    }

    /// The fragment without its `#`.
    #[must_use]
    pub fn fragment(&self) -> Option<&'a str> {
        self.get(Component::Fragment)
    }

    /// The place of a component, in bytes of UTF-8; `None` if the reference has no such component.
    #[must_use]
    pub fn range(&self, component: Component) -> Option<Range<usize>> {
        self.ends.range(component, self.text.len())
    }

    fn get(&self, component: Component) -> Option<&'a str> {
        self.range(component).map(|range| &self.text[range])
    }

    /// See [`Ends::before_colon`].
    pub(super) fn before_colon(&self) -> usize {
        self.ends.before_colon(self.text.as_bytes())
    }

    /// Scheme and authority with their delimiters.
    pub(super) fn before_path(&self) -> &'a str {
        &self.text[..self.ends.path]
    }

    /// Query and fragment with their delimiters.
    pub(super) fn after_path(&self) -> &'a str {
        &self.text[self.ends.query..]
    }

    /// The query with its `?`, if there is one.
    pub(super) fn query_part(&self) -> &'a str {
        &self.text[self.ends.query..self.ends.fragment]
    }

    /// The reference without its fragment.
    pub(super) fn before_fragment(&self) -> &'a str {
        &self.text[..self.ends.fragment]
    }
}

impl Ends {
    /// The places in a reference, which is UTF-8: see [`Components::split`].
    pub(super) fn of(bytes: &[u8]) -> Ends {
        let len = bytes.len();
        let scheme = scheme_end(bytes).unwrap_or(0);
        let mut ends = Ends { scheme, ..Ends::default() };
        ends.path = if scheme == 0 { 0 } else { scheme + 1 };
        if bytes[ends.path..].starts_with(b"//") {
            split_authority(bytes, &mut ends);
        }
        let find = |from: usize, stop: Option<usize>| stop.map_or(len, |i| from + i);
        ends.query = find(ends.path, memchr::memchr2(b'?', b'#', &bytes[ends.path..]));
        ends.fragment = match bytes.get(ends.query) {
            Some(b'?') => find(ends.query, memchr::memchr(b'#', &bytes[ends.query..])),
            _ => ends.query,
        };
        ends
    }

    /// The place of a component in a reference of `len` bytes.
    pub(super) fn range(&self, component: Component, len: usize) -> Option<Range<usize>> {
        let Ends { scheme, authority, host, host_end, path, query, fragment } = *self;
        let (there, range) = match component {
            Component::Scheme => (scheme > 0, 0..scheme),
            Component::Authority => (authority > 0, authority..path),
            Component::Userinfo => (host > authority, authority..host.saturating_sub(1)),
            Component::Host => (authority > 0, host..host_end),
            Component::Port => (authority > 0 && host_end < path, host_end + 1..path),
            Component::Path => (true, path..query),
            Component::Query => (query < fragment, query + 1..fragment),
            Component::Fragment => (fragment < len, fragment + 1..len),
        };
        there.then_some(range)
    }

    /// How many bytes at the start of the path must not be decoded, because they could become
    /// a scheme: in `%6As:a` these are `%6As`. 0 if the reference has a scheme or an authority,
    /// or no `:` in its first segment.
    pub(super) fn before_colon(&self, reference: &[u8]) -> usize {
        if self.path > 0 {
            return 0;
        }
        let path = &reference[..self.query];
        let segment = &path[..memchr::memchr(b'/', path).unwrap_or(path.len())];
        memchr::memrchr(b':', segment).unwrap_or(0)
    }
}

/// Finds the places in the authority whose `//` is at `ends.path`, and moves that to its end.
fn split_authority(bytes: &[u8], ends: &mut Ends) {
    let start = ends.path + 2;
    let (mut host, mut colon) = (start, None);
    let mut end = bytes.len();
    let mut at = start;
    while let Some(more) = bytes[at..].iter().position(|b| b"/?#@:".contains(b)) {
        at += more;
        match bytes[at] {
            b'@' => (host, colon) = (at + 1, None),
            b':' => colon = Some(at),
            _ => {
                end = at;
                break;
            }
        }
        at += 1;
    }
    // The colons of an IP literal are its own; without its `]` there is no port.
    let literal = match bytes.get(host) {
        Some(b'[') => memchr::memchr(b']', &bytes[host..end]).map_or(end, |i| host + i),
        _ => host,
    };
    let port = colon.filter(|&colon| colon >= literal);
    ends.host_end = port.unwrap_or(end);
    (ends.authority, ends.host, ends.path) = (start, host, end);
}

/// The place of the `:` after a scheme, if the text begins with a scheme.
pub(crate) fn scheme_end(bytes: &[u8]) -> Option<usize> {
    // Most schemes.
    match bytes {
        [b'h', b't', b't', b'p', b':', ..] => return Some(4),
        [b'h', b't', b't', b'p', b's', b':', ..] => return Some(5),
        _ => {}
    }
    bytes.first().filter(|b| b.is_ascii_alphabetic())?;
    let end = bytes.iter().position(|&b| !is_in(b, SCHEME))?;
    (bytes[end] == b':').then_some(end)
}

/// The reference with each component replaced by the text that `write` makes of it.
pub(super) fn map_components(
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
