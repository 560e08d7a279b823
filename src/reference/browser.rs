//! The URL that a browser opens, where it is another one than RFC 3986 says.
//!
//! A reference of HTML goes in. A browser reads it by the URL Standard (WHATWG), which repairs what
//! RFC 3986 forbids: a `\` counts as `/`, any number of slashes comes before the host of a web address,
//! controls around the reference and line ends and tabs in it are dropped, and the host may be an IPv4
//! address in other numbers than four decimal ones. So `https:\\evil.example` and
//! `https://evil.example\@good.example/` lead to `evil.example`.
//!
//! Only what decides about scheme and host is read here; the document is taken to be one of the web.
//! A reference whose host is invalid, so that a browser cannot read it, is treated like any other.

use alloc::{
    borrow::Cow,
    string::{String, ToString},
};
use core::net::Ipv4Addr;

use super::{
    components::{Components, scheme_end},
    host_name::comparable,
};

/// How a browser reads a reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Opened {
    /// In the form in which hosts are compared.
    pub(crate) host: String,
    /// The reference as it would be written by RFC 3986; what follows the host is not encoded. It begins
    /// with `//` if the reference has no scheme.
    pub(crate) url: String,
}

/// The schemes whose URLs have a host after any number of slashes ("special schemes", without `file`).
const SPECIAL: [&str; 5] = ["http", "https", "ws", "wss", "ftp"];

/// Whether a browser may read `reference` in another way: if not, [`opened`] returns `None`. Reads no
/// further than to the end of the host, and only the first bytes of most references.
pub(crate) fn may_differ(reference: &[u8]) -> bool {
    let rest = match reference {
        [b'h', b't', b't', b'p', b':', b'/', b'/', rest @ ..]
        | [b'h', b't', b't', b'p', b's', b':', b'/', b'/', rest @ ..]
        | [b'/', b'/', rest @ ..] => rest,
        [b'h' | b'H' | b'f' | b'F' | b'w' | b'W', ..] => {
            let end = reference.iter().find(|b| !is_scheme(**b));
            return matches!(end, Some(b':' | b'\t' | b'\n' | b'\r'));
        }
        [b'/', b, ..] | [b, ..] => return *b <= b' ' || *b == b'\\',
        [] => return false,
    };
    // A host that begins with a letter is no number.
    let end = rest.iter().find(|b| !PLAIN[usize::from(**b)]);
    let is_named = rest.first().is_some_and(u8::is_ascii_alphabetic);
    let is_simple = is_named && matches!(end, None | Some(b'/' | b'?' | b'#'));
    !(is_simple || ends_with_name(rest))
}

/// The bytes of most hosts and ports.
static PLAIN: [bool; 256] = {
    let (mut plain, mut b) = ([false; 256], 0);
    while b < 256 {
        plain[b] =
            (b as u8).is_ascii_alphanumeric() || matches!(b as u8, b'-' | b'.' | b'_' | b':');
        b += 1;
    }
    plain
};

/// Whether a byte is part of a scheme.
fn is_scheme(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.')
}

/// Whether the host that `bytes` begin with is no number, because its last label is a name of ASCII, and
/// has nothing that a browser reads in another way.
fn ends_with_name(bytes: &[u8]) -> bool {
    let authority = bytes.split(|b| matches!(b, b'/' | b'?' | b'#')).next().unwrap_or_default();
    let is_odd = |b: &u8| *b <= b' ' || *b == 0x7F || matches!(b, b'%' | b'@' | b'[' | b'\\');
    let last = authority.rsplit(|b| *b == b'.').next().unwrap_or_default();
    let is_name = last.first().is_some_and(u8::is_ascii_alphabetic) && last.is_ascii();
    is_name && !authority.iter().any(is_odd)
}

/// How a browser reads `reference`, if it opens another host or scheme than RFC 3986 says, or the same
/// written in another way.
pub(crate) fn opened(reference: &str) -> Option<Opened> {
    let text = stripped(reference);
    let (scheme, rest) = match scheme_end(text.as_bytes()) {
        Some(end) => (Some(text[..end].to_ascii_lowercase()), &text[end + 1..]),
        None => (None, &*text),
    };
    let slash = |c: char| matches!(c, '/' | '\\');
    let after = rest.trim_start_matches(slash);
    let slashes = rest.len() - after.len();
    match &scheme {
        Some(scheme) if !SPECIAL.contains(&&**scheme) => return None,
        None if slashes < 2 => return None,
        _ => {}
    }
    let end = after.find(|c| slash(c) || matches!(c, '?' | '#')).unwrap_or(after.len());
    let (authority, tail) = after.split_at(end);
    let (user, host) = match authority.rfind('@') {
        Some(at) => authority.split_at(at + 1),
        None => ("", authority),
    };
    let is_port = |port: &str| port.bytes().all(|b| b.is_ascii_digit());
    let (name, port) = match host.rfind(':').filter(|at| is_port(&host[at + 1..])) {
        Some(at) => host.split_at(at),
        None => (host, ""),
    };
    let host = self::host(name)?;
    let parts = Components::split(reference);
    let same_scheme = parts.scheme().map(str::to_ascii_lowercase) == scheme;
    if same_scheme && parts.host().is_some_and(|written| comparable(written) == host) {
        return None;
    }
    // In the path a `\` is a `/` too.
    let path = tail.find(['?', '#']).unwrap_or(tail.len());
    let (path, query) = (tail[..path].replace('\\', "/"), &tail[path..]);
    let scheme = scheme.map(|scheme| scheme + ":").unwrap_or_default();
    let url = [&scheme, "//", user, &host, port, &path, query].concat();
    Some(Opened { host, url })
}

/// The reference without what a browser drops: controls and spaces at both ends, line ends and tabs.
pub(crate) fn stripped(reference: &str) -> Cow<'_, str> {
    let trimmed = reference.trim_matches(|c: char| c <= ' ');
    let dropped = |c: char| matches!(c, '\t' | '\n' | '\r');
    match trimmed.contains(dropped) {
        true => Cow::Owned(trimmed.replace(dropped, "")),
        false => Cow::Borrowed(trimmed),
    }
}

/// The host by the URL Standard ("host parser"), in the form in which hosts are compared. `None`: it is
/// none.
fn host(name: &str) -> Option<String> {
    let host = comparable(name);
    if host.starts_with('[') {
        return host.ends_with(']').then(|| host.into_owned());
    }
    let forbidden = |b: u8| b <= b' ' || b >= 0x7F || b"#%/:<>?@[\\]^|".contains(&b);
    if host.is_empty() || host.bytes().any(forbidden) {
        return None;
    }
    let last = host.rsplit('.').next().unwrap_or_default();
    let is_number = !last.is_empty() && last.bytes().all(|b| b.is_ascii_digit());
    match is_number || number(last).is_some() {
        true => ipv4(&host).map(|address| address.to_string()),
        false => Some(host.into_owned()),
    }
}

/// An address of up to four numbers, of which the last one has the bytes that are left ("IPv4 parser").
fn ipv4(host: &str) -> Option<Ipv4Addr> {
    let parts = host.split('.').count();
    if parts > 4 {
        return None;
    }
    let mut address = 0;
    for (i, part) in host.split('.').enumerate() {
        let (number, last) = (number(part)?, i + 1 == parts);
        let room = if last { 8 * (4 - i as u32) } else { 8 };
        if number >> room != 0 {
            return None;
        }
        address |= if last { number } else { number << (24 - 8 * i as u32) };
    }
    u32::try_from(address).ok().map(Ipv4Addr::from)
}

/// A number in decimal, or with `0x` in hexadecimal, or with `0` in octal ("IPv4 number parser").
fn number(part: &str) -> Option<u64> {
    let (digits, radix) = match part.as_bytes() {
        [] => return None,
        [b'0', b'x' | b'X', ..] => (&part[2..], 16),
        [b'0', _, ..] => (&part[1..], 8),
        _ => (part, 10),
    };
    match digits.bytes().all(|b| char::from(b).is_digit(radix)) {
        // `0x` alone is zero. A number too large for the type is too large for an address.
        true if digits.is_empty() => Some(0),
        true => Some(u64::from_str_radix(digits, radix).unwrap_or(u64::MAX)),
        false => None,
    }
}

#[cfg(test)]
mod tests {
    use std::{string::String, vec::Vec};

    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// A reference that [`opened`] reads in another way is never passed over.
        #[test]
        fn a_cheap_look_misses_nothing(
            pieces in prop::collection::vec(
                prop::sample::select(&[
                    "http:", "https:", "HTTP:", "ftp:", "wss:", "x:", "/", "//", "\\", "\t", "\n", " ",
                    "\u{1}", "a", "b.example", "1", "0x7f", ".", "\u{3002}", "\u{FF11}", "\u{2460}",
                    "\u{e9}", "\u{4f8b}", "@", ":", ":80", "%", "%31", "[::1]", "?", "#", "-", "_", "\u{ad}",
                    "\u{115f}", "&", "w", "f", "h",
                ][..]),
                0..8,
            ),
        ) {
            let reference: String = pieces.into_iter().collect::<Vec<_>>().concat();
            let opened = opened(&reference);
            prop_assert!(opened.is_none() || may_differ(reference.as_bytes()), "{:?}", opened);
        }
    }

    #[test]
    fn hosts_are_those_that_a_browser_opens() {
        for (reference, host, url) in [
            ("https:\\\\evil.example/x", "evil.example", "https://evil.example/x"),
            ("https:/evil.example/x", "evil.example", "https://evil.example/x"),
            ("HTTPS:Evil.example", "evil.example", "https://evil.example"),
            ("https:////evil.example\\x?a\\b", "evil.example", "https://evil.example/x?a\\b"),
            ("/\\evil.example", "evil.example", "//evil.example"),
            ("\\\\evil.example:80/", "evil.example", "//evil.example:80/"),
            ("///evil.example", "evil.example", "//evil.example"),
            ("\u{1} https://evil.example\u{0}", "evil.example", "https://evil.example"),
            ("https://ev\til.exa\r\nmple/", "evil.example", "https://evil.example/"),
            ("ht\ntps:\t//evil.example", "evil.example", "https://evil.example"),
            (
                "https://evil.example\\@good.example/",
                "evil.example",
                "https://evil.example/@good.example/",
            ),
            (
                "https:/u@b\u{fc}cher.example#\u{e9}",
                "xn--bcher-kva.example",
                "https://u@xn--bcher-kva.example#\u{e9}",
            ),
            ("http://2130706433/", "127.0.0.1", "http://127.0.0.1/"),
            ("http://0x7f.1/", "127.0.0.1", "http://127.0.0.1/"),
            ("http://0177.0.0.01:8080/", "127.0.0.1", "http://127.0.0.1:8080/"),
            ("http://%30x7F000001/", "127.0.0.1", "http://127.0.0.1/"),
            ("http://1.0x/", "1.0.0.0", "http://1.0.0.0/"),
            ("//\u{FF11}27.1", "127.0.0.1", "//127.0.0.1"),
            ("ftp:/1.2.3.4", "1.2.3.4", "ftp://1.2.3.4"),
            ("wss:[::1]", "[::1]", "wss://[::1]"),
        ] {
            let opened = opened(reference).unwrap_or_else(|| panic!("{reference:?}"));
            assert_eq!((&*opened.host, &*opened.url), (host, url), "{reference:?}");
            assert!(may_differ(reference.as_bytes()), "{reference:?}");
        }
    }

    #[test]
    fn most_hosts_are_those_of_the_reference() {
        for reference in [
            "https://good.example/\\x",
            "https://Good.example.:80/",
            "HTTP://b%C3%BCcher.example",
            "https://good@evil.example/",
            "//good.example/x",
            "/x//y",
            "\\x",
            "x\\y",
            "?\\\\x",
            "#",
            "",
            "mailto:a\\b",
            "x:/y",
            "file:\\\\x",
            "http://1.2.3.4/",
            "http://1.2.3.4.",
            "http://256.1.1.1.1/",
            "http://1.2.3.256/",
            "http://a.1/",
            "http://09/",
            "http://4294967296/",
            "http://[::1]/",
            "https:",
            "https:///",
            "https:/a b/",
            "https:/a^b",
            "http://0x7g/",
            "http://1..2/",
        ] {
            assert_eq!(opened(reference), None, "{reference:?}");
        }
        for reference in [
            "https://a.example/",
            "http://1.example:80?\u{e9}@",
            "https://\u{4f8b}\u{3048}.example/\\x",
            "/wiki/A:b",
            "#a",
            "//a.example",
            "help.html",
            "wiki/A:b",
            "a",
            "mailto:a",
            "",
        ] {
            assert!(!may_differ(reference.as_bytes()), "{reference:?}");
        }
    }
}
