//! Compares whole references with four other libraries, and checks laws of our own.
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

use std::{
    borrow::{Cow, ToOwned},
    format,
    net::{Ipv4Addr, Ipv6Addr},
    string::{String, ToString},
    vec,
    vec::Vec,
};

use fluent_uri::normalize::Normalizer;
use iri_string::{
    convert::MappedToUri,
    spec::{IriSpec, Spec, UriSpec},
    types::{IriStr, RiAbsoluteStr, RiReferenceStr, RiStr, UriStr},
};
use proptest::prelude::*;

use super::{laws, references};
use crate::reference::{
    components::{Component, Components},
    normal::{Form, Level, equivalent},
    syntax::{Edition, Grammar, HostKind, Reference},
    text::to_text,
    to_iri::{HostLabels, leiri_to_iri},
    to_uri::{HostForm, UriOptions},
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

const GRAMMARS: [Grammar; 7] = [
    Grammar::Iri,
    Grammar::IriReference,
    Grammar::AbsoluteIri,
    Grammar::Uri,
    Grammar::UriReference,
    Grammar::AbsoluteUri,
    Grammar::Leiri,
];

const FORMS: [Form; 3] = [Form::Same, Form::Uri, Form::Iri];

/// Bidi_Control, all twelve characters (PropList.txt of Unicode).
const BIDI_CONTROLS: &[char] = &[
    '\u{61C}', '\u{200E}', '\u{200F}', '\u{202A}', '\u{202B}', '\u{202C}', '\u{202D}', '\u{202E}',
    '\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}',
];

fn iri_reference(text: &str) -> Option<Reference<'_>> {
    Reference::parse(text, Grammar::IriReference).ok()
}

/// Turns our answers into a peer's where they are known to differ. Each function covers one
/// difference, or one operation of one peer, and says why they differ; everything else must be
/// equal.
mod known {
    use std::vec::Vec;

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

const COMPONENTS: [Component; 7] = [
    Component::Scheme,
    Component::Userinfo,
    Component::Host,
    Component::Port,
    Component::Path,
    Component::Query,
    Component::Fragment,
];

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

/// Returns `text` with `%41` as `A` and `%e3` as `%E3`: conversion to an IRI and back may change
/// these.
fn loose(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(c) = rest.chars().next() {
        let octet = rest.strip_prefix('%').and_then(|rest| rest.get(..2));
        match octet.and_then(|octet| u8::from_str_radix(octet, 16).ok()) {
            Some(b) if b.is_ascii_alphanumeric() || b"-._~".contains(&b) => {
                out.push(char::from(b));
                rest = &rest[3..];
            }
            Some(_) => {
                out.push_str(&rest[..3].to_ascii_uppercase());
                rest = &rest[3..];
            }
            None => {
                out.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    out
}

/// Applies only RFC 3986, sections 6.2.2.1 and 6.2.2.2.
fn case_and_percent(uri: &str) -> String {
    let uri = iri_reference(uri).unwrap().normalize_as(Level::Percent, Form::Uri).into_owned();
    iri_reference(&uri).unwrap().normalize_as(Level::Case, Form::Uri).into_owned()
}

fn has_escape(text: &str) -> bool {
    text.contains('%')
}

fn is_valid(text: &str, grammar: Grammar) -> bool {
    Reference::parse(text, grammar).is_ok()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: laws::cases_count(),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    // Peers.

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
        let ours = parts(&reference);
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

    // Laws.

    #[test]
    fn uri_laws(text in references::any_reference(), options in references::uri_options()) {
        let Some(reference) = iri_reference(&text) else { return Ok(()) };
        let Ok(uri) = options.to_uri(&text) else {
            // Only a host can lack a URI form.
            prop_assert!(reference.host().is_some());
            return Ok(());
        };
        prop_assert!(uri.is_ascii());
        prop_assert!(is_valid(&uri, Grammar::UriReference), "{}", uri);
        let again = options.to_uri(&uri).unwrap();
        prop_assert_eq!(&*again, &*uri);
        let plain = reference.host().is_none_or(|host| !host.contains('%'));
        if text.is_ascii() && plain {
            prop_assert!(matches!(uri, Cow::Borrowed(_)), "{}", uri);
            prop_assert_eq!(&*uri, &*text);
        }
    }

    #[test]
    fn iri_laws(
        text in references::any_reference(),
        (labels, options) in references::iri_options(),
    ) {
        let Ok(reference) = Reference::parse(&text, Grammar::UriReference) else { return Ok(()) };
        let iri = options.to_iri(&text);
        prop_assert!(is_valid(&iri, Grammar::IriReference), "{}", iri);
        prop_assert!(!iri.contains(BIDI_CONTROLS), "{:?}", iri);
        prop_assert_eq!(&options.to_iri(&iri), &iri);
        // Labels come back as Punycode if hosts of the scheme are DNS names; everything else comes
        // back unchanged.
        if labels == HostLabels::Keep {
            let back = UriOptions::new().host(HostForm::Percent).to_uri(&iri).unwrap();
            prop_assert_eq!(loose(&back), loose(&text), "{}", iri);
            prop_assert_eq!(case_and_percent(&back), case_and_percent(&text), "{}", iri);
        } else if labels == HostLabels::Unicode && !reference.host().is_some_and(has_escape) {
            let back = UriOptions::new().to_uri(&iri).unwrap();
            prop_assert_eq!(case_and_percent(&back), case_and_percent(&text), "{}", iri);
        }
    }

    #[test]
    fn conversion_keeps_the_components(
        text in references::text(),
        (_, to_iri) in references::iri_options(),
        to_uri in references::uri_options(),
    ) {
        let before = Components::split(&text);
        let there = |text: &str| {
            let parts = Components::split(text);
            Component::ALL.iter().map(|&c| parts.range(c).is_some()).collect::<Vec<_>>()
        };
        let mut converted = vec![to_iri.to_iri(&text).into_owned(), to_text(&text)];
        converted.extend(to_uri.to_uri(&text).map(|uri| uri.into_owned()));
        for converted in converted {
            prop_assert_eq!(there(&converted), there(&text), "{:?}", converted);
            let after = Components::split(&converted);
            prop_assert_eq!(after.scheme(), before.scheme(), "{:?}", converted);
        }
    }

    #[test]
    fn leiri_laws(text in references::text()) {
        for edition in [Edition::Rfc3987, Edition::Bis] {
            let iri = leiri_to_iri(&text, edition);
            prop_assert_eq!(iri.is_ok(), is_valid(&text, Grammar::Leiri));
            let Ok(iri) = iri else { continue };
            let parsed = Reference::parse_edition(&iri, Grammar::IriReference, edition);
            // The draft cannot escape a host: its ireg-name holds no `%HH`, although section 6.2
            // makes some.
            if edition == Edition::Bis && Components::split(&iri).host().is_some_and(has_escape) {
                continue;
            }
            prop_assert!(parsed.is_ok(), "{edition:?} {:?}", parsed);
            prop_assert!(!iri.contains(BIDI_CONTROLS));
            let again = leiri_to_iri(&iri, edition).unwrap();
            prop_assert_eq!(&*again, &*iri);
            let valid = Reference::parse_edition(&text, Grammar::IriReference, edition).is_ok();
            if valid && !text.contains(BIDI_CONTROLS) {
                prop_assert!(matches!(iri, Cow::Borrowed(_)));
            }
        }
        // Every IRI reference is a LEIRI.
        if is_valid(&text, Grammar::IriReference) {
            prop_assert!(is_valid(&text, Grammar::Leiri));
        }
    }

    #[test]
    fn normal_form_laws(text in references::any_reference(), level in references::level()) {
        let Some(reference) = iri_reference(&text) else { return Ok(()) };
        for form in FORMS {
            let normal = reference.normalize_as(level, form);
            prop_assert_eq!(*normal == text, matches!(normal, Cow::Borrowed(_)));
            let grammar = match form {
                Form::Uri => Grammar::UriReference,
                Form::Same if text.is_ascii() => Grammar::UriReference,
                _ => Grammar::IriReference,
            };
            let parsed = Reference::parse(&normal, grammar);
            prop_assert!(parsed.is_ok(), "{:?} {:?}: {:?}", level, form, parsed);
            let again = parsed.unwrap().normalize_as(level, form);
            prop_assert_eq!(&*again, &*normal, "{:?} {:?}", level, form);
            // The same components are present.
            let parsed = parsed.unwrap();
            prop_assert_eq!(parsed.scheme().is_some(), reference.scheme().is_some());
            prop_assert_eq!(parsed.authority().is_some(), reference.authority().is_some());
            prop_assert_eq!(parsed.userinfo().is_some(), reference.userinfo().is_some());
            prop_assert_eq!(parsed.query().is_some(), reference.query().is_some());
            prop_assert_eq!(parsed.fragment().is_some(), reference.fragment().is_some());
        }
    }

    #[test]
    fn equivalence_laws((a, b) in references::spellings()) {
        let (Some(a), Some(b)) = (iri_reference(&a), iri_reference(&b)) else { return Ok(()) };
        for level in references::LEVELS {
            prop_assert!(equivalent(&a, &a, level));
            prop_assert_eq!(equivalent(&a, &b, level), equivalent(&b, &a, level));
            prop_assert!(equivalent(&a, &b, level) || !equivalent(&a, &b, Level::String));
        }
        let ladder = [Level::Syntax, Level::Scheme, Level::Idn, Level::Nfc];
        for step in ladder.windows(2) {
            let (low, high) = (equivalent(&a, &b, step[0]), equivalent(&a, &b, step[1]));
            prop_assert!(high || !low, "{:?}: {:?} {:?}", step,
                a.normalize_as(step[1], Form::Iri), b.normalize_as(step[1], Form::Iri));
        }
        // Except for Path: at this level `%2E` is an ordinary segment, which a `..` removes.
        for step in [Level::Case, Level::Percent] {
            prop_assert!(equivalent(&a, &b, Level::Syntax) || !equivalent(&a, &b, step), "{step:?}");
        }
    }

    #[test]
    fn an_iri_is_equivalent_to_its_uri(text in references::reference()) {
        let Some(iri) = iri_reference(&text) else { return Ok(()) };
        let uri = UriOptions::new().host(HostForm::Percent).to_uri(&text).unwrap();
        let uri = Reference::parse(&uri, Grammar::UriReference).unwrap();
        for level in [Level::Percent, Level::Syntax, Level::Scheme, Level::Idn, Level::Nfc] {
            prop_assert!(equivalent(&iri, &uri, level), "{:?} {:?} {:?}", level,
                iri.normalize_as(level, Form::Iri), uri.normalize_as(level, Form::Iri));
        }
    }

    #[test]
    fn resolution_laws((base, text) in references::pair()) {
        let Ok(base) = Reference::parse(&base, Grammar::Iri) else { return Ok(()) };
        let Some(target) = iri_reference(&text) else { return Ok(()) };
        let resolved = target.resolve(&base).unwrap();
        prop_assert!(is_valid(&resolved, Grammar::Iri), "{}", resolved);
        prop_assert!(!text.is_ascii() || !base.as_str().is_ascii() || is_valid(&resolved, Grammar::Uri));
        let relative = target.make_relative(&base).unwrap();
        let parsed = iri_reference(&relative);
        prop_assert!(parsed.is_some(), "{}", relative);
        prop_assert_eq!(parsed.unwrap().resolve(&base).unwrap(), &*resolved, "{}", relative);
        prop_assert!(relative.len() <= text.len(), "{}", relative);
        // A resolved reference resolves to itself.
        let whole = Reference::parse(&resolved, Grammar::Iri).unwrap();
        if !reference_keeps_dots(&target) {
            prop_assert_eq!(whole.resolve(&base).unwrap(), &*resolved);
        }
        prop_assert!(whole.make_relative(&base).unwrap().len() <= resolved.len());
    }

    #[test]
    fn errors_point_into_the_text(text in references::text()) {
        for grammar in GRAMMARS {
            for edition in [Edition::Rfc3987, Edition::Bis] {
                let Err(e) = Reference::parse_edition(&text, grammar, edition) else { continue };
                prop_assert!(e.offset() <= text.len());
                prop_assert!(text.is_char_boundary(e.offset()));
                prop_assert_eq!(e.found(), text[e.offset()..].chars().next());
                let place = format!("byte {}: ", e.offset());
                prop_assert!(e.to_string().starts_with(&place), "{}", e);
            }
        }
    }

    #[test]
    fn nothing_panics(
        text in references::text(),
        uri in references::uri_options(),
        (_, iri) in references::iri_options(),
        level in references::level(),
    ) {
        let split = Components::split(&text);
        let mut at = 0;
        for range in COMPONENTS.iter().filter_map(|&c| split.range(c)) {
            prop_assert!(at <= range.start && range.start <= range.end);
            prop_assert!(text.get(range.clone()).is_some());
            at = range.end;
        }
        prop_assert_eq!(at, text.len());
        if let Ok(converted) = uri.to_uri(&text) {
            prop_assert!(converted.is_ascii());
            let again = uri.to_uri(&converted);
            prop_assert_eq!(again.as_deref(), Ok(&*converted));
        }
        let _ = iri.to_iri(&text);
        let base = Reference::parse("http://a/b/../c?q", Grammar::Iri).unwrap();
        for grammar in GRAMMARS {
            for edition in [Edition::Rfc3987, Edition::Bis] {
                let Ok(parsed) = Reference::parse_edition(&text, grammar, edition) else { continue };
                for form in FORMS {
                    let _ = parsed.normalize_as(level, form);
                }
                let _ = (parsed.host_kind(), parsed.resolve(&base), parsed.make_relative(&base));
                let _ = base.make_relative(&parsed);
            }
        }
    }
}

/// True if the reference takes the path of its base unchanged.
fn reference_keeps_dots(reference: &Reference<'_>) -> bool {
    reference.scheme().is_none() && reference.authority().is_none() && reference.path().is_empty()
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

/// Composition could break escapes and make ASCII that no IRI holds, and must come before the case
/// of the host. "IRIs SHOULD be created by using NFC" (RFC 3987, section 5.3.2.2) cannot ask for a
/// result that is not an IRI.
#[test]
fn nfc_gives_a_stable_reference() {
    let inputs =
        ["http://a/?%2F\u{307}", "http://a/\u{1FEF}", "http://a/%E1%BF%AF", "http://\u{212A}/"];
    for text in inputs {
        for form in FORMS {
            let normal = iri_reference(text).unwrap().normalize_as(Level::Nfc, form);
            let parsed = iri_reference(&normal)
                .unwrap_or_else(|| panic!("{normal}, made of {text}, should be an IRI"));
            assert_eq!(parsed.normalize_as(Level::Nfc, form), normal, "{text} {form:?}");
        }
    }
}

/// The namespace of a `urn:` and the domains of a `mailto:` are located after dot segments are
/// removed. Escapes are not letters (RFC 3986, section 6.2.2.1). A namespace consists of letters,
/// digits and `-` (RFC 8141, section 2).
#[test]
fn scheme_rules_apply_after_all_others() {
    let inputs = ["urn:%c3%a9:a", "urn:../CD:e", "urn:%AA/b:c/..", "mailto:a@B/c@/.."];
    for text in inputs {
        let normal = iri_reference(text).unwrap().normalize(Level::Scheme);
        assert_eq!(loose(&normal), &*normal, "{text}");
        let again = iri_reference(&normal).unwrap().normalize(Level::Scheme);
        assert_eq!(again, normal, "{text}");
    }
}

/// An IRI is equivalent to its URI from `Level::Percent` on: RFC 3987, section 3.1, maps both
/// references of a pair to one URI.
#[test]
fn a_raw_character_is_equivalent_to_its_escape() {
    let pairs = [
        ("http://a/?\u{E000}", "http://a/?%EE%80%80"),
        ("http://a/\u{202E}", "http://a/%E2%80%AE"),
    ];
    for (iri, uri) in pairs {
        let (iri, uri) = (iri_reference(iri).unwrap(), iri_reference(uri).unwrap());
        assert!(equivalent(&iri, &uri, Level::Percent), "{iri:?}");
    }
}

/// The generators make valid and invalid references.
#[test]
fn about_half_of_the_generated_references_are_valid() {
    use proptest::{strategy::ValueTree, test_runner::TestRunner};

    let mut runner = TestRunner::deterministic();
    let mut share = |grammar, strategy: &BoxedStrategy<String>| {
        let valid = (0..2000).filter(|_| {
            let text = strategy.new_tree(&mut runner).unwrap().current();
            is_valid(&text, grammar)
        });
        valid.count() / 20
    };
    let any = share(Grammar::IriReference, &references::any_reference().boxed());
    assert!((35..65).contains(&any), "{any} % of the changed references are valid");
    let plain = share(Grammar::IriReference, &references::reference().boxed());
    assert!(plain > 75, "{plain} % of the references are valid");
    let uris = share(Grammar::UriReference, &references::any_reference().boxed());
    assert!(uris > 10, "{uris} % of the changed references are URIs");
}
