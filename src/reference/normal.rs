//! Normalisation and comparison (RFC 3986 section 6, RFC 3987 section 5).
//!
//! Invariant: two references with one normal form identify one resource, by the documents that
//! define the level. NFKC is never used, and NFC only at the level of that name.

use alloc::{borrow::Cow, format, string::String};
use core::net::Ipv6Addr;

use percent_encoding::percent_decode_str;

use super::{
    class::{is_bidi_control, is_escape, is_ucschar, is_unreserved},
    components::{Component, Components},
    resolve::{protect, push_without_dots},
    syntax::Reference,
    to_iri::{Digits, decode_escapes, to_unicode},
    to_uri::{HostForm, UriOptions, to_ascii},
    unicode::compose,
};
use crate::data::{names::named, schemes};

/// A level of comparison. From [`Level::Syntax`] on, each level includes the ones before it;
/// `Case`, `Percent` and `Path` are single steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Level {
    /// Code point by code point (RFC 3987, section 5.3.1).
    String,
    /// Scheme, ASCII-only host and hexadecimal digits of one case (RFC 3986,
    /// section 6.2.2.1; RFC 3987, section 5.3.2.1).
    Case,
    /// Escapes of unreserved characters decoded (sections 6.2.2.2 and 5.3.2.3).
    Percent,
    /// Dot segments removed if there is a scheme (sections 6.2.2.3 and 5.3.2.4). Those of a
    /// relative reference have a meaning and stay.
    Path,
    /// Case, percent and path; no empty port (RFC 3986, section 3.2.3); IPv6
    /// addresses as RFC 5952 writes them.
    #[default]
    Syntax,
    /// Also the rules of the scheme (sections 6.2.3 and 5.3.3): no empty or default
    /// port, `/` for an empty path, no host in place of `localhost` in `file:` (RFC 8089),
    /// the domains of `mailto:` and the namespace of `urn:` of one case.
    Scheme,
    /// Also the names of hosts (RFC 3987, section 5.3.3): UTS #46 checks and maps the labels.
    /// Those of an IRI are written in Unicode, and no other label becomes punycode.
    Idn,
    /// Also NFC, for references that people typed or scanned from paper. No document allows it
    /// for comparison (RFC 3987, section 5.3.2.2).
    Nfc,
}

named! {
    Level is "a level of normalization":
    String = "string",
    Case = "case",
    Percent = "percent",
    Path = "path",
    Syntax = "syntax",
    Scheme = "scheme",
    Idn = "idn",
    Nfc = "nfc",
}

/// How a normal form is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Form {
    /// A URI stays a URI; a reference with a character that is not ASCII stays an IRI.
    #[default]
    Same,
    /// A URI, its host percent-encoded.
    Uri,
    /// An IRI: escapes of `iunreserved` characters are decoded.
    Iri,
}

named!(Form is "a form of a reference": Same = "same", Uri = "uri", Iri = "iri");

/// Default ports, and whether an empty path is `/`, by scheme.
///
/// Schemes for which a default port differs from no port (`sip`, `sips`, `msrp`) are left out.
const SCHEMES: [(&str, &str, EmptyPath); 33] = [
    ("acap", "674", EmptyPath::Stays),       // RFC 2244
    ("coap", "5683", EmptyPath::Slash),      // RFC 7252, section 6.3
    ("coap+tcp", "5683", EmptyPath::Slash),  // RFC 8323, section 8.1
    ("coap+ws", "80", EmptyPath::Slash),     // RFC 8323, section 8.3
    ("coaps", "5684", EmptyPath::Slash),     // RFC 7252, section 6.3
    ("coaps+tcp", "5684", EmptyPath::Slash), // RFC 8323, section 8.2
    ("coaps+ws", "443", EmptyPath::Slash),   // RFC 8323, section 8.4
    ("dict", "2628", EmptyPath::Stays),      // RFC 2229
    ("dns", "53", EmptyPath::Stays),         // RFC 4501
    ("ftp", "21", EmptyPath::Slash),         // RFC 1738; URL Standard
    ("git", "9418", EmptyPath::Stays),       // IANA, provisional
    ("gopher", "70", EmptyPath::Stays),      // RFC 4266
    ("http", "80", EmptyPath::Slash),        // RFC 9110, section 4.2.3
    ("https", "443", EmptyPath::Slash),      // RFC 9110, section 4.2.3
    ("imap", "143", EmptyPath::Stays),       // RFC 5092
    ("ipp", "631", EmptyPath::Slash),        // RFC 3510, section 4.4
    ("ipps", "631", EmptyPath::Slash),       // RFC 7472
    ("ldap", "389", EmptyPath::Stays),       // RFC 4516
    ("mtqp", "1038", EmptyPath::Stays),      // RFC 3887
    ("nfs", "2049", EmptyPath::Stays),       // RFC 2224
    ("nntp", "119", EmptyPath::Stays),       // RFC 5538
    ("pop", "110", EmptyPath::Stays),        // RFC 2384
    ("rsync", "873", EmptyPath::Stays),      // RFC 5781
    ("rtsp", "554", EmptyPath::Stays),       // RFC 7826
    ("rtsps", "322", EmptyPath::Stays),      // RFC 7826
    ("rtspu", "554", EmptyPath::Stays),      // RFC 2326
    ("ssh", "22", EmptyPath::Stays),         // IANA, provisional
    ("svn", "3690", EmptyPath::Stays),       // IANA, provisional
    ("telnet", "23", EmptyPath::Stays),      // RFC 4248
    ("tn3270", "23", EmptyPath::Stays),      // RFC 6270
    ("vnc", "5900", EmptyPath::Stays),       // RFC 7869
    ("ws", "80", EmptyPath::Slash),          // RFC 6455, section 3
    ("wss", "443", EmptyPath::Slash),        // RFC 6455, section 3
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum EmptyPath {
    Slash,
    Stays,
}

impl<'a> Reference<'a> {
    /// The reference normalised up to `level`; a URI stays a URI, an IRI an
    /// IRI. Borrowed if nothing changes.
    ///
    /// ```
    /// use iriscan::reference::{Grammar, Level, Reference};
    ///
    /// let iri = Reference::parse("eXAMPLE://a/./b/../b/%63/%7bfoo%7d/ros%C3%A9/é", Grammar::Iri)?;
    /// assert_eq!(iri.normalize(Level::Syntax), "example://a/b/c/%7Bfoo%7D/rosé/é");
    /// # Ok::<(), iriscan::reference::SyntaxError>(())
    /// ```
    #[must_use]
    pub fn normalize(&self, level: Level) -> Cow<'a, str> {
        self.normalize_as(level, Form::Same)
    }

    /// As [`Reference::normalize`], written as `form`.
    #[must_use]
    pub fn normalize_as(&self, level: Level, form: Form) -> Cow<'a, str> {
        let normal = match (form, self.as_str().is_ascii()) {
            // Characters are composed, their escapes are not.
            (Form::Uri, _) if level == Level::Nfc => {
                let iri = normalize(&self.components, level, Alphabet::Iri);
                normalize(&Components::split(&to_uri(&iri)), level, Alphabet::Uri)
            }
            (Form::Uri, _) => {
                normalize(&Components::split(&to_uri(self.as_str())), level, Alphabet::Uri)
            }
            (Form::Same, true) => normalize(&self.components, level, Alphabet::Uri),
            (Form::Iri, _) | (Form::Same, false) => {
                normalize(&self.components, level, Alphabet::Iri)
            }
        };
        if normal == self.as_str() { Cow::Borrowed(self.as_str()) } else { Cow::Owned(normal) }
    }
}

/// The URI form, its host percent-encoded.
fn to_uri(iri: &str) -> Cow<'_, str> {
    let uri = UriOptions::new().host(HostForm::Percent).to_uri(iri);
    uri.expect("a percent-encoded host should always have a form")
}

/// Whether two references are the same at `level`. By the documents that define it, `true` is
/// never wrong, and `false` may be. An IRI and its URI form are the same from
/// [`Level::Percent`] on (except at `Path`). Fragments count, and relative references are not
/// resolved.
///
/// ```
/// use iriscan::reference::{Grammar, Level, Reference, equivalent};
///
/// let parse = |text| Reference::parse(text, Grammar::IriReference).unwrap();
/// let (a, b) = (parse("http://résumé.example.org"), parse("HTTP://xn--rsum-bpad.example.org:80/"));
/// assert!(!equivalent(&a, &b, Level::Scheme));
/// assert!(equivalent(&a, &b, Level::Idn));
/// ```
#[must_use]
pub fn equivalent(a: &Reference<'_>, b: &Reference<'_>, level: Level) -> bool {
    if a.as_str() == b.as_str() {
        return true;
    }
    match level {
        Level::String => false,
        Level::Case | Level::Path => a.normalize(level) == b.normalize(level),
        // A character that an IRI may hold but that is never decoded equals its escape.
        _ => {
            let [a, b] = [a, b].map(|reference| reference.normalize_as(level, Form::Iri));
            to_uri(&a) == to_uri(&b)
        }
    }
}

/// What escapes may be decoded to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Alphabet {
    Uri,
    Iri,
}

struct Normalizer<'s> {
    level: Level,
    alphabet: Alphabet,
    scheme: &'s str,
}

impl Normalizer<'_> {
    fn does(&self, step: Level) -> bool {
        self.level == step || self.level >= Level::Syntax && self.level >= step
    }

    /// Case of escapes, unreserved characters, NFC: of every component.
    fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut text = Cow::Borrowed(text);
        if text.contains('%') {
            if self.does(Level::Percent) {
                let iri = self.alphabet == Alphabet::Iri;
                text = Cow::Owned(decode_escapes(&text, Digits::AsWritten, |c, _, _| {
                    let unreserved = c.is_ascii() && is_unreserved(c as u8);
                    unreserved || iri && is_ucschar(c.into()) && !is_bidi_control(c)
                }));
            }
            if self.does(Level::Case) {
                text = Cow::Owned(map_case(&text, |c| c));
            }
        }
        if self.does(Level::Nfc) {
            text = Cow::Owned(compose(&text).into_owned());
        }
        text
    }

    fn host(&self, host: &str, out: &mut String) {
        let literal = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
        if self.does(Level::Syntax)
            && let Some(Ok(address)) = literal.map(str::parse::<Ipv6Addr>)
        {
            out.push_str(&format!("[{address}]"));
            return;
        }
        if self.does(Level::Idn)
            && schemes::is_dns(self.scheme)
            && literal.is_none()
            && let Ok(name) = percent_decode_str(host).decode_utf8()
            && let Some(ascii) = to_ascii(&name)
        {
            let unicode = to_unicode(&ascii);
            match self.alphabet {
                Alphabet::Uri if name.is_ascii() => out.push_str(&ascii),
                Alphabet::Uri => out.push_str(&to_uri(&unicode)),
                Alphabet::Iri => out.push_str(&unicode),
            }
            return;
        }
        let text = self.text(host);
        // RFC 3987, section 5.3.2.1: the case of a host counts for nothing if
        // all of it is ASCII.
        let ascii = percent_decode_str(&text).decode_utf8().is_ok_and(|name| name.is_ascii());
        if self.does(Level::Case) && ascii {
            out.push_str(&map_case(&text, |c| c.to_ascii_lowercase()));
        } else {
            out.push_str(&text);
        }
    }

    fn path(&self, parts: &Components<'_>, out: &mut String) {
        let mut path = self.text(parts.path());
        let authority = parts.authority().is_some();
        if self.does(Level::Path) && parts.scheme().is_some() {
            let mut without = String::with_capacity(path.len());
            push_without_dots(&mut without, &path);
            protect(&mut without, 0, authority);
            path = Cow::Owned(without);
        }
        if self.does(Level::Scheme) {
            match self.scheme {
                "mailto" => path = Cow::Owned(lower_domains(&path)),
                "urn" => path = Cow::Owned(lower_namespace(&path)),
                _ => {}
            }
            let slash = known(self.scheme).is_some_and(|(.., empty)| *empty == EmptyPath::Slash);
            if path.is_empty() && authority && slash {
                path = Cow::Borrowed("/");
            }
        }
        out.push_str(&path);
    }
}

fn normalize(parts: &Components<'_>, level: Level, alphabet: Alphabet) -> String {
    let lower = parts.scheme().unwrap_or_default().to_ascii_lowercase();
    let normalizer = Normalizer { level, alphabet, scheme: &lower };
    let mut out = String::with_capacity(parts.as_str().len() + 1);
    let port = parts.port().filter(|port| {
        let default = || default_port(&lower);
        !(port.is_empty() && normalizer.does(Level::Syntax)
            || normalizer.does(Level::Scheme) && Some(*port) == default())
    });
    if let Some(scheme) = parts.scheme() {
        out.push_str(if normalizer.does(Level::Case) { &lower } else { scheme });
        out.push(':');
    }
    if let Some(host) = parts.host() {
        out.push_str("//");
        if let Some(userinfo) = parts.userinfo() {
            out.push_str(&normalizer.text(userinfo));
            out.push('@');
        }
        let at = out.len();
        normalizer.host(host, &mut out);
        let bare = parts.userinfo().is_none() && port.is_none();
        if normalizer.does(Level::Scheme)
            && lower == "file"
            && bare
            && out[at..].eq_ignore_ascii_case("localhost")
        {
            out.truncate(at);
        }
        if let Some(port) = port {
            out.push(':');
            out.push_str(port);
        }
    }
    normalizer.path(parts, &mut out);
    for (mark, component) in [('?', Component::Query), ('#', Component::Fragment)] {
        if let Some(range) = parts.range(component) {
            out.push(mark);
            out.push_str(&normalizer.text(&parts.as_str()[range]));
        }
    }
    out
}

/// The port of a scheme, in lower case, that a reference without a port has.
pub(crate) fn default_port(scheme: &str) -> Option<&'static str> {
    known(scheme).map(|(_, port, _)| *port)
}

fn known(scheme: &str) -> Option<&'static (&'static str, &'static str, EmptyPath)> {
    SCHEMES.binary_search_by_key(&scheme, |row| row.0).ok().map(|i| &SCHEMES[i])
}

/// `map` of the ASCII letters outside escapes; the digits of escapes in upper
/// case.
fn map_case(text: &str, map: impl Fn(char) -> char) -> String {
    let cased = |(i, c): (usize, char)| {
        if in_escape(text, i) { c.to_ascii_uppercase() } else { map(c) }
    };
    text.char_indices().map(cased).collect()
}

/// Whether the character at `i` is a digit of an escape.
fn in_escape(text: &str, i: usize) -> bool {
    let bytes = text.as_bytes();
    (1..=2)
        .any(|back| i.checked_sub(back).is_some_and(|at| bytes[at] == b'%' && is_escape(bytes, at)))
}

/// The domains of the addresses in the path of a `mailto:` (RFC 6068) in lower
/// case.
fn lower_domains(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for (i, address) in path.split(',').enumerate() {
        if i > 0 {
            out.push(',');
        }
        match address.rfind('@') {
            Some(at) if address[at..].is_ascii() => {
                out.push_str(&address[..at]);
                out.push_str(&map_case(&address[at..], |c| c.to_ascii_lowercase()));
            }
            _ => out.push_str(address),
        }
    }
    out
}

/// The namespace identifier of a `urn:` (RFC 8141, section 3.1) in lower case.
fn lower_namespace(path: &str) -> String {
    let letters = |name: &str| name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    match path.split_once(':') {
        Some((name, rest)) if letters(name) => [&name.to_ascii_lowercase(), ":", rest].concat(),
        _ => path.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemes_are_sorted() {
        assert!(SCHEMES.is_sorted_by(|a, b| a.0 < b.0));
    }
}
