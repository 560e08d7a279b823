//! Hosts in the form in which they are compared.

use alloc::{borrow::Cow, format};
use core::net::Ipv6Addr;

use percent_encoding::percent_decode_str;

use super::to_uri::to_ascii;

/// Returns `host` in the form in which hosts are compared: without escapes and without a dot at
/// the end, its ASCII form by UTS #46, in lower case. A host without an ASCII form is put in lower
/// case; an IPv6 address is written as RFC 5952 has it.
pub(crate) fn comparable(host: &str) -> Cow<'_, str> {
    let host = match host.strip_suffix('.') {
        Some(rest) if !rest.is_empty() => rest,
        _ => host,
    };
    if let Some(address) = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return Cow::Owned(match address.parse::<Ipv6Addr>() {
            Ok(address) => format!("[{address}]"),
            Err(_) => host.to_lowercase(),
        });
    }
    let is_plain = |b: u8| b.is_ascii() && !b.is_ascii_uppercase() && b != b'%';
    if host.bytes().all(is_plain) {
        return Cow::Borrowed(host);
    }
    let name = percent_decode_str(host).decode_utf8().unwrap_or(Cow::Borrowed(host));
    if name.is_ascii() {
        return Cow::Owned(name.to_ascii_lowercase());
    }
    let mut ascii = to_ascii(&name).unwrap_or_else(|| name.to_lowercase());
    if ascii.ends_with('.') {
        ascii.pop();
    }
    Cow::Owned(ascii)
}

/// The bytes of most hosts: lower case, digits, `-`, `_` and `.`.
const PLAIN_HOST: [bool; 256] = {
    let mut table = [false; 256];
    let mut b = 0;
    while b < 256 {
        table[b] = matches!(b as u8, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.');
        b += 1;
    }
    table
};

/// The host of a reference with `http` or `https`, if it is seen at once that it is in the form of
/// [`comparable`]: lower case, digits, hyphens and dots. `None` says nothing.
#[inline]
pub(crate) fn plain_host(reference: &[u8]) -> Option<&[u8]> {
    let https = reference.strip_prefix(b"https://");
    let authority = https.or_else(|| reference.strip_prefix(b"http://"))?;
    let end = authority.iter().position(|b| !PLAIN_HOST[usize::from(*b)]);
    let end = end.unwrap_or(authority.len());
    let host = &authority[..end];
    let ends = matches!(authority.get(end), None | Some(b'/' | b'?' | b'#'));
    (ends && host.last().is_some_and(|b| *b != b'.')).then_some(host)
}

/// Whether `host` in the form of [`comparable`] may have another form in Unicode.
pub(crate) fn may_be_unicode(host: &str) -> bool {
    !host.is_ascii() || host.contains("xn--")
}

/// The first character of `text` that no host has, and its offset in bytes.
pub(crate) fn not_of_a_host(text: &str) -> Option<(usize, char)> {
    let literal = text.starts_with('[');
    text.char_indices().find(|&(_, c)| match c {
        ':' | '[' | ']' => !literal,
        c => {
            c.is_whitespace()
                || c.is_control()
                || matches!(
                    c,
                    '/' | '\\'
                        | '@'
                        | '#'
                        | '<'
                        | '>'
                        | '"'
                        | '{'
                        | '}'
                        | '|'
                        | '^'
                        | '`'
                        | ','
                        | '$'
                        | '&'
                        | '='
                        | ';'
                        | '('
                        | ')'
                        | '\''
                        | '!'
                        | '+'
                )
        }
    })
}

/// The full stops that UTS #46 maps to the dot between labels.
pub(crate) fn is_dot(c: char) -> bool {
    matches!(c, '.' | '\u{3002}' | '\u{FF0E}' | '\u{FF61}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_of_a_host_are_one() {
        for (host, form) in [
            ("example.org", "example.org"),
            ("EXAMPLE.org.", "example.org"),
            ("B\u{fc}cher.example", "xn--bcher-kva.example"),
            ("XN--bcher-KVA.example", "xn--bcher-kva.example"),
            ("b%C3%BCcher%2Eexample", "xn--bcher-kva.example"),
            ("例え。jp。", "xn--r8jz45g.jp"),
            ("[2001:DB8:0::1]", "[2001:db8::1]"),
            ("[V1.X]", "[v1.x]"),
            ("a_b.example", "a_b.example"),
            (".", "."),
            ("", ""),
            ("%FF.example", "%ff.example"),
        ] {
            assert_eq!(comparable(host), form, "{host}");
        }
    }
}
