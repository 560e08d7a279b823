//! Compares whole references with four peers. `src/tests/reference_laws.rs` has the laws.
//!
//! There is no known difference in validity, components, and conversion from IRI to URI
//! (percent-encoded hosts). Each known difference of another kind has a row in this table and a
//! function in [`known`], which turns our answer into the peer's; everything else must be equal.
//! `normalize` is [`Level::Syntax`] as [`Form::Iri`], `normalize URI` the same as [`Form::Uri`].
//! `host` is the host that [`UriOptions::to_uri`] gives. fluent-uri gets no list of default ports.
//!
//! | peer | operation | input | ours | theirs | because |
//! |---|---|---|---|---|---|
//! | iri-string | normalize | `http://[0::1]/` | `http://[::1]/` | `http://[0::1]/` | RFC 5952, section 4: one address has one text |
//! | iri-string | normalize | `http://a/%E2%80%AE` | `http://a/%E2%80%AE` | `http://a/\u{202E}` | RFC 3987, section 4.1: Bidi_Control must not be in an IRI |
//! | iri-string | resolve | `http://a/b/c + %2E%2E/d` | `http://a/b/%2E%2E/d` | `http://a/d` | RFC 3986, section 5.2.4: dot segments are "." and ".."; decoding is section 6.2.2.2 |
//! | oxiri | resolve | `foo:/a + /.//b` | `foo:/.//b` | refuses | RFC 3986, section 3.3, forbids the path "//b"; 5.2 has no errors; the URL Standard writes "/." |
//! | fluent-uri | resolve | `http://a/b/c + %2E%2E/d` | `http://a/b/%2E%2E/d` | `http://a/d` | RFC 3986, section 5.2.4: dot segments are "." and ".."; decoding is section 6.2.2.2 |
//! | fluent-uri | resolve | `foo:a + b` | `foo:b` | refuses | RFC 3986, section 5.2.3: no slash, no base path; "opaque" is of the URL Standard |
//! | fluent-uri | resolve | `http://a/b/.. + c` | `http://a/b/c` | `http://a/c` | RFC 3986, section 5.2.1: normalising the base is optional |
//! | fluent-uri | resolve | `http://a/./b + #c` | `http://a/./b#c` | `http://a/b#c` | RFC 3986, section 5.2.2: T.path = Base.path |
//! | fluent-uri | resolve | `http://a + foo:b/../c` | `foo:/c` | `foo:b/../c` | RFC 3986, section 5.2.2: T.path = remove_dot_segments(R.path) |
//! | fluent-uri | normalize | `foo:bar/../baz` | `foo:/baz` | `foo:bar/../baz` | RFC 3986, section 6.2.2.3: applies to every path except that of a relative reference |
//! | fluent-uri | normalize | `http://éA/` | `http://éA/` | `http://éa/` | RFC 3987, section 5.3.2.1: only for a host that is all ASCII |
//! | fluent-uri | normalize | `http://a/?%EE%80%80` | `http://a/?%EE%80%80` | `http://a/?\u{E000}` | RFC 3987, section 5.3.2.3: only escapes of iunreserved are decoded, which has no private use |
//! | fluent-uri | normalize | `http://a/%E2%80%AE` | `http://a/%E2%80%AE` | `http://a/\u{202E}` | RFC 3987, section 4.1: Bidi_Control must not be in an IRI |
//! | fluent-uri | normalize URI | `http://%C3%A9A/` | `http://%C3%A9A/` | `http://%C3%A9a/` | RFC 3987, section 5.3.2.1, so that an IRI and its URI stay the same; RFC 3986, section 6.2.2.1, gives theirs |
//! | url | host | `http://A/` | `A` | `a` | RFC 3987, section 3.1: mapping is the identity on URIs |
//! | url | host | `http://%41/` | `%41` | `a` | RFC 3987, section 3.1: mapping is the identity on URIs |
//! | url | host | `http://1.2.3/` | `1.2.3` | `1.2.0.3` | RFC 3986, section 3.2.2: fewer than four numbers are a registered name |
//! | url | host | `http://[0::1]/` | `[0::1]` | `[::1]` | RFC 3987, section 3.1: mapping is the identity on URIs |
//! | url | host | `http:///a` | empty | `a` | RFC 3986, section 3.2.2: a host may be empty |
//! | url | host | `http://xn--a/` | `xn--a` | refuses | RFC 3987, section 3.1: mapping is the identity on URIs |
//! | url | host | `http://é!/` | refuses | `xn--!-9fa` | RFC 3987, section 3.1: UseSTD3ASCIIRules |
//! | url | host | `http://．/` | refuses | `.` | a name without labels has no ASCII form; "." would be another host |

use std::net::{Ipv4Addr, Ipv6Addr};

use fluent_uri::normalize::Normalizer;
use iri_string::{
    convert::MappedToUri,
    spec::{IriSpec, Spec, UriSpec},
    types::{IriStr, RiAbsoluteStr, RiReferenceStr, RiStr, UriStr},
};
use proptest::prelude::*;

use crate::{
    cases_count,
    reference::{
        Component, Components, Form, Grammar, HostForm, HostKind, Level, Reference, UriOptions,
    },
    references::{self, BIDI_CONTROLS, COMPONENTS, GRAMMARS, iri_reference},
};

/// Every known difference, one row each; the same as the table above.
const KNOWN: &[[&str; 6]] = &[
    [
        "iri-string",
        "normalize",
        "http://[0::1]/",
        "http://[::1]/",
        "http://[0::1]/",
        "RFC 5952, section 4: one address has one text",
    ],
    [
        "iri-string",
        "normalize",
        "http://a/%E2%80%AE",
        "http://a/%E2%80%AE",
        "http://a/\u{202E}",
        "RFC 3987, section 4.1: Bidi_Control must not be in an IRI",
    ],
    [
        "iri-string",
        "resolve",
        "http://a/b/c + %2E%2E/d",
        "http://a/b/%2E%2E/d",
        "http://a/d",
        "RFC 3986, section 5.2.4: dot segments are \".\" and \"..\"; decoding is section 6.2.2.2",
    ],
    [
        "oxiri",
        "resolve",
        "foo:/a + /.//b",
        "foo:/.//b",
        "-",
        "RFC 3986, section 3.3, forbids the path \"//b\"; 5.2 has no errors; the URL Standard writes \"/.\"",
    ],
    [
        "fluent-uri",
        "resolve",
        "http://a/b/c + %2E%2E/d",
        "http://a/b/%2E%2E/d",
        "http://a/d",
        "RFC 3986, section 5.2.4: dot segments are \".\" and \"..\"; decoding is section 6.2.2.2",
    ],
    [
        "fluent-uri",
        "resolve",
        "foo:a + b",
        "foo:b",
        "-",
        "RFC 3986, section 5.2.3: no slash, no base path; \"opaque\" is of the URL Standard",
    ],
    [
        "fluent-uri",
        "resolve",
        "http://a/b/.. + c",
        "http://a/b/c",
        "http://a/c",
        "RFC 3986, section 5.2.1: normalising the base is optional",
    ],
    [
        "fluent-uri",
        "resolve",
        "http://a/./b + #c",
        "http://a/./b#c",
        "http://a/b#c",
        "RFC 3986, section 5.2.2: T.path = Base.path",
    ],
    [
        "fluent-uri",
        "resolve",
        "http://a + foo:b/../c",
        "foo:/c",
        "foo:b/../c",
        "RFC 3986, section 5.2.2: T.path = remove_dot_segments(R.path)",
    ],
    [
        "fluent-uri",
        "normalize",
        "foo:bar/../baz",
        "foo:/baz",
        "foo:bar/../baz",
        "RFC 3986, section 6.2.2.3: applies to every path except that of a relative reference",
    ],
    [
        "fluent-uri",
        "normalize",
        "http://éA/",
        "http://éA/",
        "http://éa/",
        "RFC 3987, section 5.3.2.1: only for a host that is all ASCII",
    ],
    [
        "fluent-uri",
        "normalize",
        "http://a/?%EE%80%80",
        "http://a/?%EE%80%80",
        "http://a/?\u{E000}",
        "RFC 3987, section 5.3.2.3: only escapes of iunreserved are decoded, which has no private use",
    ],
    [
        "fluent-uri",
        "normalize",
        "http://a/%E2%80%AE",
        "http://a/%E2%80%AE",
        "http://a/\u{202E}",
        "RFC 3987, section 4.1: Bidi_Control must not be in an IRI",
    ],
    [
        "fluent-uri",
        "normalize URI",
        "http://%C3%A9A/",
        "http://%C3%A9A/",
        "http://%C3%A9a/",
        "RFC 3987, section 5.3.2.1, so that an IRI and its URI stay the same; RFC 3986, section 6.2.2.1, gives theirs",
    ],
    [
        "url",
        "host",
        "http://A/",
        "A",
        "a",
        "RFC 3987, section 3.1: mapping is the identity on URIs",
    ],
    [
        "url",
        "host",
        "http://%41/",
        "%41",
        "a",
        "RFC 3987, section 3.1: mapping is the identity on URIs",
    ],
    [
        "url",
        "host",
        "http://1.2.3/",
        "1.2.3",
        "1.2.0.3",
        "RFC 3986, section 3.2.2: fewer than four numbers are a registered name",
    ],
    [
        "url",
        "host",
        "http://[0::1]/",
        "[0::1]",
        "[::1]",
        "RFC 3987, section 3.1: mapping is the identity on URIs",
    ],
    ["url", "host", "http:///a", "", "a", "RFC 3986, section 3.2.2: a host may be empty"],
    [
        "url",
        "host",
        "http://xn--a/",
        "xn--a",
        "-",
        "RFC 3987, section 3.1: mapping is the identity on URIs",
    ],
    ["url", "host", "http://é!/", "-", "xn--!-9fa", "RFC 3987, section 3.1: UseSTD3ASCIIRules"],
    [
        "url",
        "host",
        "http://．/",
        "-",
        ".",
        "a name without labels has no ASCII form; \".\" would be another host",
    ],
];

/// Turns our answers into a peer's where they are known to differ. Each function covers one
/// difference, or one operation of one peer, and says why they differ; everything else must be
/// equal.
mod known {
    use super::*;

    /// Returns `text` with some components replaced.
    fn rewrite(text: &str, write: impl Fn(Component, &str) -> Option<String>) -> String {
        let parts = Components::split(text);
        let mut out = text.to_owned();
        // The last component first, so that the offsets of the others stay valid.
        for &component in COMPONENTS.iter().rev() {
            let Some(range) = parts.range(component) else { continue };
            if let Some(new) = write(component, &text[range.clone()]) {
                out.replace_range(range, &new);
            }
        }
        out
    }

    /// Returns `text` with the upper-case escapes of `characters` decoded. None of them can be part
    /// of the escape of another character.
    fn decoded(text: &str, characters: impl Fn(char) -> bool) -> String {
        let octets = |text: &str| -> Option<char> {
            let digits: String =
                text.split('%').skip(1).map(|hh| hh.get(..2)).collect::<Option<_>>()?;
            let octet = |i: usize| u8::from_str_radix(digits.get(i..i + 2)?, 16).ok();
            let octets: Option<Vec<u8>> = (0..digits.len()).step_by(2).map(octet).collect();
            let text = String::from_utf8(octets?).ok()?;
            let mut chars = text.chars();
            chars.next().filter(|_| chars.next().is_none())
        };
        let (mut out, mut rest) = (String::new(), text);
        while let Some(c) = rest.chars().next() {
            let escape = [6, 9, 12].iter().find_map(|&len| {
                let escape = rest
                    .get(..len)
                    .filter(|e| e.bytes().enumerate().all(|(i, b)| (i % 3 == 0) == (b == b'%')))?;
                octets(escape).filter(|&c| characters(c)).map(|c| (c, len))
            });
            let (c, len) = escape.unwrap_or((c, c.len_utf8()));
            out.push(c);
            rest = &rest[len..];
        }
        out
    }

    fn bidi(c: char) -> bool {
        BIDI_CONTROLS.contains(&c)
    }

    fn private(c: char) -> bool {
        matches!(c, '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{FFFFD}' | '\u{100000}'..='\u{10FFFD}')
    }

    /// iri-string's normal form of `reference`.
    pub(super) fn iri_string_normal(reference: &Reference<'_>, form: Form) -> String {
        let ours = reference.normalize_as(Level::Syntax, form);
        // iri-string leaves IPv6 addresses as they are written; RFC 5952, section 4, does not.
        let out = match reference.host_kind() {
            Some(HostKind::Ipv6(_)) => rewrite(&ours, |component, _| {
                (component == Component::Host).then(|| lower(reference.host().unwrap()))
            }),
            _ => ours.into_owned(),
        };
        match form {
            // iri-string decodes Bidi_Control, which RFC 3987 forbids (section 4.1).
            Form::Iri => decoded(&out, bidi),
            _ => out,
        }
    }

    /// fluent-uri's normal form of `reference`.
    pub(super) fn fluent_uri_normal(reference: &Reference<'_>, form: Form) -> String {
        let rootless = !reference.path().starts_with('/');
        // fluent-uri removes no dot segments from a rootless path. RFC 3986 removes them from every
        // path after a scheme (section 6.2.2.3).
        let ours = reference.normalize_as(Level::Syntax, form).into_owned();
        let ours = if rootless {
            let percent = reference.normalize_as(Level::Percent, form);
            let cased = iri_reference(&percent).unwrap().normalize_as(Level::Case, form);
            with_path(&ours, |_| Components::split(&cased).path().to_owned())
        } else {
            ours
        };
        let out = ours;
        rewrite(&out, |component, text| match component {
            // fluent-uri also lower-cases the ASCII letters of a host that is not ASCII. RFC 3987,
            // section 5.3.2.1, does so only if all of the host is ASCII.
            Component::Host => Some(lower(&bidi_decoded(text, form))),
            // fluent-uri decodes private use in a query. Private use is not iunreserved (RFC 3987,
            // section 2.2), and section 5.3.2.3 decodes only iunreserved characters.
            Component::Query if form == Form::Iri => Some(decoded(text, |c| bidi(c) || private(c))),
            _ => Some(bidi_decoded(text, form)),
        })
    }

    fn bidi_decoded(text: &str, form: Form) -> String {
        if form == Form::Iri { decoded(text, bidi) } else { text.to_owned() }
    }

    /// Returns `text` with ASCII letters in lower case, except for the digits of escapes.
    fn lower(text: &str) -> String {
        let mut digits = 0;
        text.chars()
            .map(|c| {
                digits = if c == '%' { 2 } else { i32::max(digits - 1, -1) };
                if c != '%' && digits >= 0 { c } else { c.to_ascii_lowercase() }
            })
            .collect()
    }

    /// Returns `path` with the `%2E` of dot segments decoded.
    fn plain_dots(path: &str) -> String {
        let plain = |segment: &str| {
            let plain = segment.replace("%2E", ".").replace("%2e", ".");
            if matches!(&*plain, "." | "..") { plain } else { segment.to_owned() }
        };
        let segments: Vec<String> = path.split('/').map(plain).collect();
        segments.join("/")
    }

    fn with_path(text: &str, path: impl Fn(&str) -> String) -> String {
        rewrite(text, |component, text| (component == Component::Path).then(|| path(text)))
    }

    fn resolved(base: &str, reference: &str) -> String {
        let base = Reference::parse(base, Grammar::Iri).unwrap();
        iri_reference(reference).unwrap().resolve(&base).unwrap()
    }

    /// True if `host`, which a URL parser returned, has a character that is not a letter, digit or
    /// `-`, or has nothing but dots. (RFC 3987, section 3.1: UseSTD3ASCIIRules. We accept `_`,
    /// because there are such hosts.)
    pub(super) fn url_maps(host: &str) -> bool {
        host.contains(|c| "!\"$&'()*+,;=`{}~".contains(c)) || host.trim_matches('.').is_empty()
    }

    /// iri-string resolves `%2E` as a dot, as browsers do. RFC 3986, section 5.2.4, names only `.`
    /// and `..`; decoding is another step (section 6.2.2.2).
    pub(super) fn iri_string_resolved(base: &str, reference: &str) -> String {
        let path = Components::split(reference).path();
        let own = !path.is_empty() || Components::split(reference).authority().is_some();
        let base = if own { with_path(base, plain_dots) } else { base.to_owned() };
        resolved(&base, &with_path(reference, plain_dots))
    }

    /// fluent-uri resolves `%2E` as a dot too, and has further differences. `None` if it refuses.
    pub(super) fn fluent_uri_resolved(base: &str, reference: &str) -> Option<String> {
        let base = &base[..base.find('#').unwrap_or(base.len())];
        let (b, r) = (Components::split(base), Components::split(reference));
        // A base such as `foo:a`, whose path the URL Standard calls opaque.
        let opaque = b.authority().is_none() && !b.path().starts_with('/');
        let alone = r.as_str().is_empty() || r.as_str().starts_with('#');
        if opaque && r.scheme().is_none() && !alone {
            return None;
        }
        // fluent-uri keeps the dot segments of rootless paths. Section 5.2.2 removes them from
        // every path except the base's own.
        if r.scheme().is_some() && !r.path().starts_with('/') {
            return Some(reference.to_owned());
        }
        let own = r.scheme().is_some() || r.authority().is_some();
        if !own && r.path().is_empty() {
            // fluent-uri normalises the base's path. Section 5.2.2 takes it unchanged, and section
            // 5.2.1 makes normalisation optional.
            let path = match b.path().starts_with('/') {
                true => plain_dots(b.path()),
                false => b.path().to_owned(),
            };
            let query = r.query().or(b.query()).map_or(String::new(), |query| format!("?{query}"));
            let fragment = r.fragment().map_or(String::new(), |f| format!("#{f}"));
            let authority = b.authority().map_or(String::new(), |a| format!("//{a}"));
            let head = format!("{}:{authority}{path}", b.scheme().unwrap_or_default());
            let head = match path.starts_with('/') {
                true => iri_reference(&head).unwrap().normalize(Level::Path).into_owned(),
                false => head,
            };
            return Some(head + &query + &fragment);
        }
        // fluent-uri normalises the base first, so a last segment `..` of the base is not dropped.
        let base = with_path(base, |path| {
            let path = plain_dots(path);
            if path.ends_with("/..") { path + "/" } else { path }
        });
        Some(resolved(&base, &with_path(reference, plain_dots)))
    }
}

/// Returns the text of every component, in the order of [`COMPONENTS`].
type Parts<'t> = [Option<&'t str>; 7];

fn parts<'t>(reference: &Components<'t>) -> Parts<'t> {
    COMPONENTS.map(|c| reference.range(c).map(|range| &reference.as_str()[range]))
}

fn iri_string_parts<S: Spec + 'static>(text: &str) -> Parts<'_> {
    let r = RiReferenceStr::<S>::new(text).unwrap();
    let authority = r.authority_components();
    [
        r.scheme_str(),
        authority.as_ref().and_then(|a| a.userinfo()),
        authority.as_ref().map(|a| a.host()),
        authority.as_ref().and_then(|a| a.port()),
        Some(r.path_str()),
        r.query_str(),
        r.fragment().map(|f| f.as_str()),
    ]
}

fn fluent_uri_parts(text: &str) -> Parts<'_> {
    let r = fluent_uri::IriRef::parse(text).unwrap();
    let authority = r.authority();
    [
        r.scheme().map(|s| s.as_str()),
        authority.and_then(|a| a.userinfo()).map(|u| u.as_str()),
        authority.map(|a| a.host()),
        authority.and_then(|a| a.port()).map(|p| p.as_str()),
        Some(r.path().as_str()),
        r.query().map(|q| q.as_str()),
        r.fragment().map(|f| f.as_str()),
    ]
}

fn fluent_uri_host_kind(text: &str) -> Option<&'static str> {
    use fluent_uri::component::Host;

    let kind = fluent_uri::IriRef::parse(text).unwrap().authority()?.host_parsed();
    Some(match kind {
        Host::Ipv4 { .. } => "IPv4",
        Host::Ipv6 { .. } => "IPv6",
        Host::IpvFuture { .. } => "IPvFuture",
        Host::RegName(_) => "reg-name",
    })
}

fn host_kind(reference: &Reference<'_>) -> Option<&'static str> {
    Some(match reference.host_kind()? {
        HostKind::Ipv4(_) => "IPv4",
        HostKind::Ipv6(_) => "IPv6",
        HostKind::IpvFuture => "IPvFuture",
        HostKind::RegName => "reg-name",
        other => unreachable!("{other:?}"),
    })
}

/// Returns for each peer if `text` is valid by the grammar; `None` if the peer does not have this
/// grammar.
fn peers(text: &str, grammar: Grammar) -> [(&'static str, Option<bool>); 3] {
    use fluent_uri::{Iri, IriRef, Uri, UriRef};

    fn iri_string<S: Spec + 'static>(text: &str, kind: Kind) -> bool {
        match kind {
            Kind::Full => RiStr::<S>::new(text).is_ok(),
            Kind::Reference => RiReferenceStr::<S>::new(text).is_ok(),
            Kind::Absolute => RiAbsoluteStr::<S>::new(text).is_ok(),
        }
    }
    enum Kind {
        Full,
        Reference,
        Absolute,
    }
    let (iri, fluent, oxiri) = match grammar {
        Grammar::Iri => (
            iri_string::<IriSpec>(text, Kind::Full),
            Iri::parse(text).is_ok(),
            Some(oxiri::Iri::parse(text).is_ok()),
        ),
        Grammar::IriReference => (
            iri_string::<IriSpec>(text, Kind::Reference),
            IriRef::parse(text).is_ok(),
            Some(oxiri::IriRef::parse(text).is_ok()),
        ),
        Grammar::AbsoluteIri => (
            iri_string::<IriSpec>(text, Kind::Absolute),
            Iri::parse(text).is_ok_and(|iri| !iri.has_fragment()),
            Some(oxiri::Iri::parse(text).is_ok_and(|iri| iri.fragment().is_none())),
        ),
        Grammar::Uri => (
            iri_string::<UriSpec>(text, Kind::Full),
            Uri::parse(text).is_ok(),
            // A URI is an IRI in ASCII.
            Some(text.is_ascii() && oxiri::Iri::parse(text).is_ok()),
        ),
        Grammar::UriReference => (
            iri_string::<UriSpec>(text, Kind::Reference),
            UriRef::parse(text).is_ok(),
            Some(text.is_ascii() && oxiri::IriRef::parse(text).is_ok()),
        ),
        Grammar::AbsoluteUri => (
            iri_string::<UriSpec>(text, Kind::Absolute),
            Uri::parse(text).is_ok_and(|uri| !uri.has_fragment()),
            None,
        ),
        _ => return [("iri-string", None), ("fluent-uri", None), ("oxiri", None)],
    };
    [("iri-string", Some(iri)), ("fluent-uri", Some(fluent)), ("oxiri", oxiri)]
}

/// Resolves `text` by a peer. `base` has no fragment if the peer is fluent-uri or iri-string, which
/// refuse one.
fn resolved_by(peer: &str, base: &str, text: &str) -> Option<String> {
    let absolute = &base[..base.find('#').unwrap_or(base.len())];
    match peer {
        "iri-string" => {
            let base = RiAbsoluteStr::<IriSpec>::new(absolute).unwrap();
            let reference = RiReferenceStr::<IriSpec>::new(text).unwrap();
            Some(reference.resolve_against(base).to_string())
        }
        "fluent-uri" => {
            let base = fluent_uri::Iri::parse(absolute).unwrap();
            let reference = fluent_uri::IriRef::parse(text).unwrap();
            reference.resolve_against(&base).ok().map(|iri| iri.into_string())
        }
        "oxiri" => {
            let base = oxiri::Iri::parse(base).unwrap();
            base.resolve(&oxiri::IriRef::parse(text).unwrap()).ok().map(|iri| iri.into_inner())
        }
        _ => unreachable!("{peer}"),
    }
}

/// Normalises `text` by a peer. `None`: iri-string does not normalise references without a scheme.
fn normalized_by(peer: &str, text: &str, form: Form) -> Option<String> {
    match (peer, form) {
        ("iri-string", Form::Iri) => Some(IriStr::new(text).ok()?.normalize().to_string()),
        ("iri-string", _) => {
            let uri = MappedToUri::from(IriStr::new(text).ok()?).to_string();
            Some(UriStr::new(&uri).unwrap().normalize().to_string())
        }
        ("fluent-uri", _) => {
            let normalizer = Normalizer::new().default_port_with(|_| None);
            let iri = fluent_uri::IriRef::parse(text).unwrap();
            Some(match form {
                Form::Iri => normalizer.normalize(&iri).unwrap().into_string(),
                _ => normalizer.normalize(&iri.to_uri_ref()).unwrap().into_string(),
            })
        }
        _ => unreachable!("{peer}"),
    }
}

/// Returns the host that a browser would look up.
fn url_host(text: &str) -> Option<url::Host<String>> {
    url::Url::parse(text).ok()?.host().map(|host| host.to_owned())
}

fn is_special(scheme: &str) -> bool {
    let lower = scheme.to_ascii_lowercase();
    ["http", "https", "ws", "wss", "ftp"].contains(&&*lower)
}

/// Returns `host` with percent-encoded ASCII decoded and letters in lower case. A URL parser does
/// so; a reader of URIs need not.
fn plain_host(host: &str) -> String {
    percent_encoding::percent_decode_str(host).decode_utf8_lossy().to_ascii_lowercase()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: cases_count(),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn peers_agree_on_validity(text in references::any_reference()) {
        for grammar in GRAMMARS {
            let ours = Reference::parse(&text, grammar);
            for (peer, theirs) in peers(&text, grammar) {
                if let Some(theirs) = theirs {
                    prop_assert_eq!(ours.is_ok(), theirs, "{} {:?} {:?}", peer, grammar, ours);
                }
            }
        }
    }

    #[test]
    fn peers_agree_on_components(text in references::any_reference()) {
        let Some(reference) = iri_reference(&text) else { return Ok(()) };
        let ours = parts(&reference.components());
        prop_assert_eq!(ours, iri_string_parts::<IriSpec>(&text));
        prop_assert_eq!(ours, fluent_uri_parts(&text));
        prop_assert_eq!(host_kind(&reference), fluent_uri_host_kind(&text));
        let theirs = oxiri::IriRef::parse(&*text).unwrap();
        prop_assert_eq!(reference.scheme(), theirs.scheme());
        prop_assert_eq!(reference.authority(), theirs.authority());
        prop_assert_eq!(reference.path(), theirs.path());
        prop_assert_eq!(reference.query(), theirs.query());
        prop_assert_eq!(reference.fragment(), theirs.fragment());
        if text.is_ascii() {
            prop_assert_eq!(ours, iri_string_parts::<UriSpec>(&text));
        }
    }

    #[test]
    fn peers_agree_on_resolution((base, text) in references::pair()) {
        let Ok(parsed) = Reference::parse(&base, Grammar::Iri) else { return Ok(()) };
        let Some(reference) = iri_reference(&text) else { return Ok(()) };
        let ours = reference.resolve(&parsed).unwrap();
        let by = |peer| resolved_by(peer, &base, &text);

        prop_assert_eq!(Some(known::iri_string_resolved(&base, &text)), by("iri-string"));
        prop_assert_eq!(known::fluent_uri_resolved(&base, &text), by("fluent-uri"));
        match by("oxiri") {
            Some(theirs) => prop_assert_eq!(ours, theirs),
            // oxiri refuses if `/.` must be put before `//`.
            None => prop_assert!(Components::split(&ours).path().starts_with("/.//"), "{}", ours),
        }
    }

    #[test]
    fn peers_agree_on_normal_forms(text in references::reference()) {
        let Some(reference) = iri_reference(&text) else { return Ok(()) };
        for form in [Form::Iri, Form::Uri] {
            let ours = known::fluent_uri_normal(&reference, form);
            prop_assert_eq!(Some(ours), normalized_by("fluent-uri", &text, form));
            if let Some(theirs) = normalized_by("iri-string", &text, form) {
                prop_assert_eq!(known::iri_string_normal(&reference, form), theirs);
            }
        }
    }

    #[test]
    fn peers_agree_on_uris(text in references::reference()) {
        let Some(_) = iri_reference(&text) else { return Ok(()) };
        let ours = UriOptions::new().host(HostForm::Percent).to_uri(&text).unwrap();
        let theirs = MappedToUri::from(RiReferenceStr::<IriSpec>::new(&text).unwrap());
        prop_assert_eq!(&*ours, theirs.to_string());
        let theirs = fluent_uri::IriRef::parse(&*text).unwrap().to_uri_ref();
        prop_assert_eq!(&*ours, theirs.as_str());
    }

    #[test]
    fn browsers_agree_on_hosts(text in references::absolute()) {
        let Some(reference) = iri_reference(&text) else { return Ok(()) };
        if !is_special(reference.scheme().unwrap_or_default())
            // A URL parser reads `http:///a` as `http://a` (URL Standard, "special authority ignore
            // slashes state").
            || reference.host().is_none_or(str::is_empty)
        {
            return Ok(());
        }
        let Some(theirs) = url_host(&text) else { return Ok(()) };
        let Ok(ours) = UriOptions::new().to_uri(&text) else {
            prop_assert!(known::url_maps(&theirs.to_string()), "{:?}", theirs);
            return Ok(());
        };
        let ours = Components::split(&ours).host().unwrap();
        match theirs {
            url::Host::Ipv6(theirs) => {
                prop_assert_eq!(Ok(theirs), ours.trim_matches(['[', ']']).parse::<Ipv6Addr>());
            }
            url::Host::Ipv4(theirs) => match ours.parse::<Ipv4Addr>() {
                Ok(ours) => prop_assert_eq!(ours, theirs),
                // The URL Standard reads one to four numbers in any base as an address.
                Err(_) => {
                    let ours = plain_host(ours);
                    let last = ours.trim_end_matches('.').rsplit('.').next().unwrap();
                    prop_assert!(last.starts_with(|c: char| c.is_ascii_digit()), "{}", ours);
                }
            },
            url::Host::Domain(theirs) => prop_assert_eq!(plain_host(ours), theirs),
        }
    }
}

/// Returns our answer and the peer's; `-` for no answer.
fn answers(peer: &str, operation: &str, input: &str) -> (String, String) {
    let refused = |answer: Option<String>| answer.unwrap_or_else(|| "-".into());
    match operation {
        "resolve" => {
            let (base, text) = input.split_once(" + ").unwrap();
            let (parsed, reference) =
                (Reference::parse(base, Grammar::Iri).unwrap(), iri_reference(text).unwrap());
            let ours = reference.resolve(&parsed).unwrap();
            (ours, refused(resolved_by(peer, base, text)))
        }
        "normalize" => {
            let ours = iri_reference(input).unwrap().normalize_as(Level::Syntax, Form::Iri);
            (ours.into_owned(), normalized_by(peer, input, Form::Iri).unwrap())
        }
        "normalize URI" => {
            let ours = iri_reference(input).unwrap().normalize_as(Level::Syntax, Form::Uri);
            (ours.into_owned(), normalized_by(peer, input, Form::Uri).unwrap())
        }
        "host" => {
            let uri = UriOptions::new().to_uri(input).ok();
            let ours = uri.as_deref().and_then(|uri| Components::split(uri).host());
            let theirs = url_host(input).map(|host| host.to_string());
            (refused(ours.map(String::from)), refused(theirs))
        }
        _ => unreachable!("{operation}"),
    }
}

/// Each row of the table is true: a difference that no longer exists must be removed.
#[test]
fn known_differences_still_exist() {
    for &[peer, operation, input, ours, theirs, because] in KNOWN {
        let answers = answers(peer, operation, input);
        assert_eq!((&*answers.0, &*answers.1), (ours, theirs), "{peer} {operation} {input}");
        let cell = |text: &str| match text {
            "-" => String::from("refuses"),
            "" => String::from("empty"),
            text => format!(
                "`{}`",
                text.replace('\u{202E}', "\\u{202E}").replace('\u{E000}', "\\u{E000}")
            ),
        };
        let row = format!(
            "//! | {peer} | {operation} | `{input}` | {} | {} | {because} |\n",
            cell(ours),
            cell(theirs)
        );
        assert!(
            include_str!("differential.rs").contains(&row),
            "the table above should have the row\n{row}"
        );
    }
}
