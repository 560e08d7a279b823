//! The grammars of RFC 3986, RFC 3987 and 3987bis.
//!
//! The parser makes one pass over the bytes without an allocation. It goes back only if what
//! looked like a host turns out to be a userinfo. It knows the ABNF, not the meaning of a
//! reference.

use core::{net, str::FromStr};

use super::{
    class::{
        self, PATH, QUERY, REG_NAME, SEGMENT_NC, Set, USERINFO, is_escape, is_iprivate,
        is_iprivate_bis, is_leiri_ucschar, is_ucschar,
    },
    components::{Component, Components, Ends, scheme_end},
    ip_literal::is_ip_literal,
    syntax_error::Fault,
};
pub use super::{
    grammar::{Edition, Grammar},
    syntax_error::{SyntaxError, SyntaxErrorKind},
};

/// A reference that is valid by its grammar. It borrows the text.
///
/// It dereferences to its [`Components`].
///
/// ```
/// use iriscan::reference::{Grammar, Reference};
///
/// let iri = Reference::parse("https://ja.wikipedia.org/wiki/日本語", Grammar::Iri)?;
/// assert_eq!(iri.path(), "/wiki/日本語");
/// let e = Reference::parse("https://ja.wikipedia.org/日 本", Grammar::Iri).unwrap_err();
/// assert_eq!(e.offset(), 28);
/// assert_eq!(
///     e.to_string(),
///     "byte 28: a path cannot hold ' '; percent-encode it as %20",
/// );
/// # Ok::<(), iriscan::reference::SyntaxError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reference<'a> {
    pub(super) components: Components<'a>,
    /// Whether it is a URI without an escape in its authority.
    pub(super) plain: bool,
}

/// The parts of a reference, as [`Components`] has them.
macro_rules! parts {
    ($($name:ident: $type:ty),*) => {
        impl<'a> Reference<'a> {
            $(
                #[doc = concat!("[`Components::", stringify!($name), "`].")]
                #[must_use]
                pub fn $name(&self) -> $type {
                    self.components.$name()
                }
            )*
        }
    };
}

parts! {
    as_str: &'a str, scheme: Option<&'a str>, authority: Option<&'a str>, userinfo: Option<&'a str>,
    host: Option<&'a str>, port: Option<&'a str>, path: &'a str, query: Option<&'a str>,
    fragment: Option<&'a str>
}

/// The kind of a host. The first rule that matches wins (RFC 3986, section 3.2.2), so
/// `999.1.1.1` is a registered name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HostKind {
    /// `"[" IPv6address "]"`
    Ipv6(net::Ipv6Addr),
    /// `"[" "v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" ) "]"`
    IpvFuture,
    /// `dec-octet "." dec-octet "." dec-octet "." dec-octet`
    Ipv4(net::Ipv4Addr),
    /// `*( iunreserved / pct-encoded / sub-delims )`, perhaps empty.
    RegName,
}

impl<'a> Reference<'a> {
    /// Parses `text` by `grammar` (RFC 3987).
    ///
    /// # Errors
    ///
    /// Names the first byte at which no rule of the grammar can continue, and why.
    pub fn parse(text: &'a str, grammar: Grammar) -> Result<Reference<'a>, SyntaxError> {
        Reference::parse_edition(text, grammar, Edition::Rfc3987)
    }

    /// Parses `text` by `grammar` of `edition`.
    ///
    /// # Errors
    ///
    /// See [`Reference::parse`].
    pub fn parse_edition(
        text: &'a str,
        grammar: Grammar,
        edition: Edition,
    ) -> Result<Reference<'a>, SyntaxError> {
        let bytes = text.as_bytes();
        let ends = match (grammar, edition) {
            (Grammar::Uri | Grammar::UriReference | Grammar::AbsoluteUri, _) => {
                parse::<Uri>(bytes, grammar)
            }
            (Grammar::Leiri, _) => parse::<Leiri>(bytes, grammar),
            (_, Edition::Rfc3987) => parse::<Iri>(bytes, grammar),
            (_, Edition::Bis) => parse::<IriBis>(bytes, grammar),
        };
        match ends {
            Ok((ends, seen)) => Ok(Reference {
                components: Components::of(text, ends),
                plain: !seen.wide && !seen.authority_escape && grammar != Grammar::Leiri,
            }),
            Err(fault) => Err(SyntaxError::of(text, fault, grammar)),
        }
    }

    /// The reference's components.
    #[must_use]
    pub fn components(&self) -> Components<'a> {
        self.components
    }

    /// The kind of its host; `None` without an authority.
    ///
    /// ```
    /// use iriscan::reference::{Grammar, HostKind, Reference};
    ///
    /// let kind = |text| Reference::parse(text, Grammar::Uri).unwrap().host_kind();
    /// assert_eq!(kind("http://127.0.0.01/"), Some(HostKind::RegName));
    /// assert_eq!(kind("http://[v7.x]/"), Some(HostKind::IpvFuture));
    /// assert!(matches!(kind("http://[::1]/"), Some(HostKind::Ipv6(_))));
    /// assert_eq!(kind("urn:isbn:0451450523"), None);
    /// ```
    #[must_use]
    pub fn host_kind(&self) -> Option<HostKind> {
        let host = self.host()?;
        let literal = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
        Some(match literal.map(net::Ipv6Addr::from_str) {
            Some(Ok(address)) => HostKind::Ipv6(address),
            Some(Err(_)) => HostKind::IpvFuture,
            None => host.parse().map_or(HostKind::RegName, HostKind::Ipv4),
        })
    }
}

/// The characters that a family of grammars allows.
trait Alphabet {
    /// The sets of each ASCII character.
    const TABLE: &'static [Set; 256];
    /// Whether a host may hold `%HH`.
    const HOST_PERCENT: bool = true;

    /// Whether `c`, which is not ASCII, is allowed.
    fn allows(c: u32, private: Private) -> bool;
}

/// Whether characters for private use are allowed: in a query alone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Private {
    Allowed,
    Refused,
}

struct Uri;
struct Iri;
struct IriBis;
struct Leiri;

impl Alphabet for Uri {
    const TABLE: &'static [Set; 256] = &class::URI;

    fn allows(_: u32, _: Private) -> bool {
        false
    }
}

impl Alphabet for Iri {
    const TABLE: &'static [Set; 256] = &class::URI;

    fn allows(c: u32, private: Private) -> bool {
        is_ucschar(c) || private == Private::Allowed && is_iprivate(c)
    }
}

impl Alphabet for IriBis {
    const TABLE: &'static [Set; 256] = &class::URI;
    const HOST_PERCENT: bool = false;

    fn allows(c: u32, private: Private) -> bool {
        is_ucschar(c) || private == Private::Allowed && is_iprivate_bis(c)
    }
}

impl Alphabet for Leiri {
    const TABLE: &'static [Set; 256] = &class::LEIRI;

    fn allows(c: u32, _: Private) -> bool {
        is_leiri_ucschar(c)
    }
}

/// The code point that begins at `at` of UTF-8, and its length. Not for ASCII.
fn code_point(bytes: &[u8], at: usize) -> (u32, usize) {
    let continuation = |i: usize| u32::from(bytes.get(at + i).map_or(0, |b| b & 0x3F));
    let lead = u32::from(bytes[at]);
    match lead {
        ..0xE0 => ((lead & 0x1F) << 6 | continuation(1), 2),
        0xE0..0xF0 => ((lead & 0xF) << 12 | continuation(1) << 6 | continuation(2), 3),
        _ => {
            let high = (lead & 7) << 18 | continuation(1) << 12;
            (high | continuation(2) << 6 | continuation(3), 4)
        }
    }
}

/// The first place from `at` on with a character that is neither in `set`, nor an escape, nor
/// an allowed one outside ASCII.
#[inline(always)]
fn run<A: Alphabet>(
    bytes: &[u8],
    mut at: usize,
    set: Set,
    private: Private,
    seen: &mut Seen,
) -> usize {
    loop {
        while let Some(&b) = bytes.get(at)
            && A::TABLE[usize::from(b)] & set != 0
        {
            at += 1;
        }
        match bytes.get(at) {
            Some(b'%') if is_escape(bytes, at) => {
                seen.escape = true;
                at += 3;
            }
            Some(0x80..) => {
                let (c, len) = code_point(bytes, at);
                if !A::allows(c, private) {
                    return at;
                }
                seen.wide = true;
                at += len;
            }
            _ => return at,
        }
    }
}

/// What the parser has seen.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    /// A character that is not ASCII.
    wide: bool,
    /// An escape.
    escape: bool,
    /// An escape in the authority.
    authority_escape: bool,
}

/// `[ scheme ":" ] [ "//" authority ] path [ "?" query ] [ "#" fragment ]`
#[inline(always)]
fn parse<A: Alphabet>(bytes: &[u8], grammar: Grammar) -> Result<(Ends, Seen), Fault> {
    let mut ends = Ends::default();
    let mut seen = Seen::default();
    let stopped = |at: usize, component: Component| {
        let kind = match bytes.get(at) {
            Some(b'%') => SyntaxErrorKind::Percent,
            _ => SyntaxErrorKind::Character(component),
        };
        Err(Fault { at, kind })
    };
    let mut at = 0;
    match scheme_end(bytes) {
        Some(colon) => {
            ends.scheme = colon;
            at = colon + 1;
        }
        None if grammar.needs_scheme() => {
            return Err(Fault { at: 0, kind: SyntaxErrorKind::NoScheme });
        }
        None => {}
    }
    if bytes[at..].starts_with(b"//") {
        at = authority::<A>(bytes, at + 2, &mut ends, &mut seen)?;
        seen.authority_escape = seen.escape;
    } else if ends.scheme == 0 {
        // irelative-part = ... / ipath-noscheme: no ":" in the first segment.
        let end = run::<A>(bytes, 0, SEGMENT_NC, Private::Refused, &mut seen);
        if bytes.get(end) == Some(&b':') {
            return Err(Fault { at: end, kind: SyntaxErrorKind::Colon });
        }
    }
    ends.path = at;
    at = run::<A>(bytes, at, PATH, Private::Refused, &mut seen);
    ends.query = at;
    if bytes.get(at) == Some(&b'?') {
        at = run::<A>(bytes, at + 1, QUERY, Private::Allowed, &mut seen);
    }
    ends.fragment = at;
    if bytes.get(at) == Some(&b'#') {
        if !grammar.allows_fragment() {
            return Err(Fault { at, kind: SyntaxErrorKind::Fragment });
        }
        at = run::<A>(bytes, at + 1, QUERY, Private::Refused, &mut seen);
        if at < bytes.len() {
            return stopped(at, Component::Fragment);
        }
    }
    if at < bytes.len() {
        let query = ends.query < ends.fragment;
        return stopped(at, if query { Component::Query } else { Component::Path });
    }
    Ok((ends, seen))
}

/// Parses `[ iuserinfo "@" ] ihost [ ":" port ]` from `start` on. Returns its end.
#[inline(always)]
fn authority<A: Alphabet>(
    bytes: &[u8],
    start: usize,
    ends: &mut Ends,
    seen: &mut Seen,
) -> Result<usize, Fault> {
    (ends.authority, ends.host) = (start, start);
    let mut at = run::<A>(bytes, start, REG_NAME, Private::Refused, seen);
    if bytes.get(at) == Some(&b':') {
        // A port, or more of the userinfo.
        let digits = |from: usize| {
            bytes[from..].iter().position(|b| !b.is_ascii_digit()).map_or(bytes.len(), |i| from + i)
        };
        let port = digits(at + 1);
        if is_authority_end(bytes, port) {
            return host_ends::<A>(bytes, at, port, ends);
        }
        let userinfo = run::<A>(bytes, port, USERINFO, Private::Refused, seen);
        if is_authority_end(bytes, userinfo) {
            return Err(Fault { at: port, kind: SyntaxErrorKind::Port });
        }
        if bytes[userinfo] != b'@' {
            let kind = match bytes[userinfo] {
                b'%' => SyntaxErrorKind::Percent,
                _ => SyntaxErrorKind::Character(Component::Userinfo),
            };
            return Err(Fault { at: userinfo, kind });
        }
        at = userinfo;
    }
    if bytes.get(at) == Some(&b'@') {
        ends.host = at + 1;
        at = run::<A>(bytes, at + 1, REG_NAME, Private::Refused, seen);
    }
    let mut otherwise = SyntaxErrorKind::Character(Component::Host);
    if at == ends.host && bytes.get(at) == Some(&b'[') {
        at = literal(bytes, at)?;
        otherwise = SyntaxErrorKind::AfterLiteral;
    }
    let host_end = at;
    if bytes.get(at) == Some(&b':') {
        at += 1;
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        otherwise = SyntaxErrorKind::Port;
    }
    if !is_authority_end(bytes, at) {
        let percent = bytes[at] == b'%' && otherwise == SyntaxErrorKind::Character(Component::Host);
        let kind = if percent { SyntaxErrorKind::Percent } else { otherwise };
        return Err(Fault { at, kind });
    }
    host_ends::<A>(bytes, host_end, at, ends)
}

#[inline(always)]
fn host_ends<A: Alphabet>(
    bytes: &[u8],
    host_end: usize,
    end: usize,
    ends: &mut Ends,
) -> Result<usize, Fault> {
    if !A::HOST_PERCENT
        && let Some(at) = bytes[ends.host..host_end].iter().position(|&b| b == b'%')
    {
        let kind = SyntaxErrorKind::Character(Component::Host);
        return Err(Fault { at: ends.host + at, kind });
    }
    ends.host_end = host_end;
    Ok(end)
}

fn is_authority_end(bytes: &[u8], at: usize) -> bool {
    matches!(bytes.get(at), None | Some(b'/' | b'?' | b'#'))
}

/// Parses `"[" ( IPv6address / IPvFuture ) "]"` from `start` on. Returns its end. RFC 3987 has
/// no zone identifiers.
#[cold]
fn literal(bytes: &[u8], start: usize) -> Result<usize, Fault> {
    let fault = Fault { at: start + 1, kind: SyntaxErrorKind::Literal };
    let Some(len) = bytes[start..].iter().position(|&b| b == b']') else {
        return Err(fault);
    };
    let inner = &bytes[start + 1..start + len];
    let valid = is_ip_literal(inner);
    if valid { Ok(start + len + 1) } else { Err(fault) }
}
