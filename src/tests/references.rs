//! Generates references by the grammar, and texts that just break it.
//!
//! The generator knows the rules of RFC 3987 and the characters at the edges of its ranges. It does
//! not know what the tests do with them. About half of the texts of [`any_reference`] are valid.

use std::{format, string::String, vec::Vec};

use proptest::{prelude::*, sample::select};

use crate::reference::{
    Component, Components, Grammar, HostForm, HostLabels, Inadvisable, IriOptions, Level, Nfc,
    PrivateUse, Reference, Unreserved, UriOptions,
};

/// `ucschar` and `iprivate`, and the ranges between them.
const RANGES: &[(u32, u32)] = &[
    (0x80, 0x9F),
    (0xA0, 0xD7FF),
    (0xE000, 0xF8FF),
    (0xF900, 0xFDCF),
    (0xFDD0, 0xFDEF),
    (0xFDF0, 0xFFEF),
    (0xFFF0, 0xFFFD),
    (0xFFFE, 0xFFFF),
    (0x1_0000, 0x1_FFFD),
    (0x1_FFFE, 0x1_FFFF),
    (0x2_0000, 0x2_FFFD),
    (0xD_0000, 0xD_FFFD),
    (0xD_FFFE, 0xD_FFFF),
    (0xE_0000, 0xE_0FFF),
    (0xE_1000, 0xE_FFFD),
    (0xE_FFFE, 0xE_FFFF),
    (0xF_0000, 0xF_FFFD),
    (0xF_FFFE, 0xF_FFFF),
    (0x10_0000, 0x10_FFFD),
    (0x10_FFFE, 0x10_FFFF),
];

/// Characters that some rule names: directions, joiners, marks that compose with ASCII, characters
/// that NFC maps to ASCII or that UTS #46 maps or deletes, dots that are not full stops,
/// look-alikes of delimiters.
const LETTERS: &str = "éÉüßςσяЯ日本語한ไมא\u{627}😀𠀀♥ﬁﾊＡ．。｡／：℀℡ﷺĿ·\
    \u{301}\u{307}\u{327}\u{338}\u{345}\u{37E}\u{1FEF}\u{212A}\u{212B}\u{2126}\u{2260}\u{340}\
    \u{AC00}\u{11A8}\u{1100}\u{1161}\u{AD}\u{200B}\u{200C}\u{200D}\u{2060}\u{61C}\u{200E}\u{200F}\
    \u{202A}\u{202E}\u{2066}\u{2069}\u{A0}\u{3000}\u{2028}\u{FEFF}\u{FE0F}\u{378}\u{958}\u{1D165}";

/// Delimiters, and ASCII that no reference holds.
const WRONG: &str = ":/?#[]@%%%!$&'()*+,;= <>\"{}|\\^`\0\t\n\x7F-._~aF0";

fn edges() -> impl Iterator<Item = char> {
    RANGES.iter().flat_map(|&(a, b)| [a, b]).filter_map(char::from_u32)
}

fn edge() -> impl Strategy<Value = char> {
    // Mostly the edges of ranges, and sometimes any character.
    prop_oneof![3 => select(edges().collect::<Vec<_>>()), 1 => any::<char>()]
}

/// A `ucschar`.
fn letter() -> impl Strategy<Value = char> {
    let edges: Vec<char> = edges().filter(|&c| is_ucschar(c.into())).collect();
    prop_oneof![8 => select(LETTERS.chars().collect::<Vec<_>>()), 1 => select(edges)]
}

fn is_ucschar(c: u32) -> bool {
    match c {
        ..0xA0 => false,
        0xA0..=0xD7FF | 0xF900..=0xFDCF | 0xFDF0..=0xFFEF => true,
        0xE_0000..=0xE_0FFF => false,
        0x1_0000..=0xE_FFFF => c & 0xFFFF < 0xFFFE,
        _ => false,
    }
}

fn private() -> impl Strategy<Value = char> {
    let private = ['\u{E000}', '\u{F8FF}', '\u{F0000}', '\u{FFFFD}', '\u{100000}', '\u{10FFFD}'];
    select(private.to_vec())
}

/// The `%HH` of a character or of a part of one, with digits of either case.
fn escape() -> impl Strategy<Value = String> {
    fn escaped(bytes: &[u8], lower: bool) -> String {
        let digits = |b: &u8| if lower { format!("%{b:02x}") } else { format!("%{b:02X}") };
        bytes.iter().map(digits).collect()
    }
    let octets = |c: char| c.encode_utf8(&mut [0; 4]).as_bytes().to_vec();
    let character = prop_oneof![
        4 => letter(),
        2 => edge(),
        1 => private(),
        3 => select((0..128u8).map(char::from).collect::<Vec<_>>()),
        2 => select("AzZ09-._~/:%".chars().collect::<Vec<_>>()),
    ];
    let broken: &[&[u8]] = &[
        b"\x80",
        b"\xC0\x80",
        b"\xE0\x80\x80",
        b"\xED\xA0\x80",
        b"\xF5",
        b"\xFF",
        b"\xF9\xA8\x8E\x80",
        b"\xF4\x90\x80\x80",
        b"\xE3\x81",
        b"\xF0\x9F\x8E",
        b"\xC3",
        b"\xC3\xC3\xA9\xA9",
    ];
    let bytes = prop_oneof![
        8 => character.prop_map(octets),
        1 => select(broken).prop_map(<[u8]>::to_vec),
        1 => any::<u8>().prop_map(|b| [b].to_vec()),
    ];
    (bytes, any::<bool>()).prop_map(|(bytes, lower)| escaped(&bytes, lower))
}

/// A few characters of a component: unreserved, sub-delims and those of `more`.
fn word(more: &'static [&'static str]) -> impl Strategy<Value = String> {
    let plain = select(
        ["a", "b", "B", "K", "z", "0", "9", "-", ".", "_", "~", "!", "$", "&", "'", "(", ")"]
            .iter()
            .chain(&["*", "+", ",", ";", "="])
            .chain(more)
            .copied()
            .collect::<Vec<_>>(),
    );
    let piece = prop_oneof![
        6 => plain.prop_map(String::from),
        2 => letter().prop_map(String::from),
        2 => escape(),
    ];
    prop::collection::vec(piece, 0..5).prop_map(|pieces| pieces.concat())
}

fn scheme() -> impl Strategy<Value = &'static str> {
    select(
        &[
            "http", "http", "http", "https", "HTTP", "hTTps", "ws", "wss", "ftp", "file", "coap",
            "mailto", "urn", "URN", "tag", "data", "foo", "foo", "x", "a+b-c.1", "Z39.50r", "ldap",
        ][..],
    )
}

/// `h16` groups before and after `::`, and sometimes an IPv4 address last. Makes all nine forms of
/// `IPv6address`, and a few invalid ones.
fn ipv6() -> impl Strategy<Value = String> {
    let group = select(&["0", "0", "1", "00", "0db8", "DB8", "ffff", "FFFF", "a", "00001"][..]);
    let groups = prop::collection::vec(group, 8);
    let v4 = select(&["1.2.3.4", "255.255.255.255", "0.0.0.0", "01.2.3.4", "256.1.1.1"][..]);
    (groups, 0..9usize, 0..9usize, prop::option::weighted(0.3, v4)).prop_map(
        |(groups, before, after, v4)| {
            let room = 8 - 2 * usize::from(v4.is_some());
            // `::` means at least one group, so it cannot be among eight groups.
            let elided = before < 8;
            let before = before.min(room);
            let after = if elided { after.min(room.saturating_sub(before + 1)) } else { 0 };
            let head = groups[..before].join(":");
            let mut tail: Vec<&str> = groups[8 - after..].to_vec();
            tail.extend(v4);
            let tail = tail.join(":");
            match (elided, tail.is_empty()) {
                (true, _) => format!("[{head}::{tail}]"),
                (false, true) => format!("[{head}]"),
                (false, false) => format!("[{head}:{tail}]"),
            }
        },
    )
}

fn host() -> impl Strategy<Value = String> {
    let known = select(
        &[
            "",
            "example.com",
            "EXAMPLE.com",
            "a",
            "1.2.3.4",
            "256.1.1.1",
            "01.2.3.4",
            "1.2.3",
            "0x7f.1",
            "127.0.0.1.",
            "%31.2.3.4",
            "bücher.example",
            "BÜCHER.Example",
            "例え.jp",
            "例え。ＪＰ",
            "b%C3%BCcher.example",
            "B%c3%9cCHER.example",
            "faß.de",
            "xn--bcher-kva.example",
            "XN--BCHER-KVA.example",
            "xn--a.b",
            "xn--.b",
            "xn--fa-hia.de",
            "☃.net",
            "נאa.com",
            "ex%41mple.%43om",
            "a%2Fb",
            "%FF.com",
            "a..b",
            "_a-.b",
            "é!b",
            "[v1.x]",
            "[VF.a:b!$]",
            "[v1.]",
            "[v.x]",
            "[::1%25eth0]",
            "[1.2.3.4]",
            "[]",
        ][..],
    );
    prop_oneof![3 => known.prop_map(String::from), 2 => word(&[]), 2 => ipv6()]
}

fn authority() -> impl Strategy<Value = String> {
    let userinfo = prop::option::weighted(0.2, word(&[":", ":"]));
    let port = prop::option::weighted(0.3, select(&["", "80", "443", "8080", "0", "99999"][..]));
    (userinfo, host(), port).prop_map(|(userinfo, host, port)| {
        let userinfo = userinfo.map_or(String::new(), |userinfo| userinfo + "@");
        let port = port.map_or(String::new(), |port| format!(":{port}"));
        userinfo + &host + &port
    })
}

fn segment() -> impl Strategy<Value = String> {
    let known = select(
        &["", "", ".", "..", "..", "%2e", "%2E%2e", ".%2E", "...", "a", "b", "c", "b:c", "a@b"][..],
    );
    prop_oneof![3 => known.prop_map(String::from), 1 => word(&[":", "@"])]
}

fn path(most: usize) -> impl Strategy<Value = String> {
    prop::collection::vec(segment(), 0..most).prop_map(|segments| segments.join("/"))
}

/// The query and the fragment, with their delimiters.
fn tail() -> impl Strategy<Value = String> {
    let query = (word(&["/", "?", ":", "@"]), prop::option::weighted(0.2, private())).prop_map(
        |(query, private)| private.into_iter().fold(query + "?", |q, c| q + &String::from(c)),
    );
    let fragment = word(&["/", "?", ":", "@"]);
    (prop::option::weighted(0.3, query), prop::option::weighted(0.3, fragment)).prop_map(
        |(query, fragment)| {
            let query = query.map_or(String::new(), |query| format!("?{query}"));
            query + &fragment.map_or(String::new(), |fragment| format!("#{fragment}"))
        },
    )
}

/// `ihier-part` or `irelative-part`, and a few invalid ones.
fn hierarchy() -> impl Strategy<Value = String> {
    prop_oneof![
        5 => (authority(), path(5)).prop_map(|(authority, path)| {
            let slash = if path.is_empty() { "" } else { "/" };
            format!("//{authority}{slash}{path}")
        }),
        2 => path(5),
        2 => path(5).prop_map(|path| format!("/{path}")),
    ]
}

/// A reference with a scheme, nearly always valid.
pub(super) fn absolute() -> impl Strategy<Value = String> {
    (scheme(), hierarchy(), tail())
        .prop_map(|(scheme, hierarchy, tail)| format!("{scheme}:{hierarchy}{tail}"))
}

/// A reference, nearly always valid.
pub(super) fn reference() -> impl Strategy<Value = String> {
    let relative = (hierarchy(), tail()).prop_map(|(hierarchy, tail)| hierarchy + &tail);
    prop_oneof![2 => absolute(), 1 => relative]
}

/// A base, and a reference that shares a part of it.
pub(super) fn pair() -> impl Strategy<Value = (String, String)> {
    let near = (absolute(), any::<prop::sample::Index>(), path(4), tail()).prop_map(
        |(base, at, path, tail)| {
            // The reference differs from a delimiter of the base on.
            let cuts: Vec<usize> = base.match_indices([':', '/', '?', '#']).map(|m| m.0).collect();
            let kept = &base[..=*at.get(&cuts)];
            let near = format!("{kept}{path}{tail}");
            (base, near)
        },
    );
    prop_oneof![2 => near, 1 => (absolute(), reference())]
}

/// Two spellings that may be equivalent.
pub(super) fn spellings() -> impl Strategy<Value = (String, String)> {
    let respelt = (reference(), 0..6u8, any::<prop::sample::Index>()).prop_map(|(a, how, at)| {
        let b = match how {
            0 => a.to_ascii_uppercase(),
            1 => a.to_ascii_lowercase(),
            2 => UriOptions::new().to_uri(&a).map_or_else(|_| a.clone(), |uri| uri.into_owned()),
            3 => {
                let options = UriOptions::new().host(HostForm::Percent);
                options.to_uri(&a).map_or_else(|_| a.clone(), |uri| uri.into_owned())
            }
            4 => IriOptions::new().host(HostLabels::Unicode).to_iri(&a).into_owned(),
            _ => {
                // One letter becomes an escape.
                let letters: Vec<usize> =
                    a.match_indices(|c: char| c.is_ascii_alphanumeric()).map(|m| m.0).collect();
                match letters.is_empty() {
                    true => a.clone(),
                    false => {
                        let i = *at.get(&letters);
                        format!("{}%{:02x}{}", &a[..i], a.as_bytes()[i], &a[i + 1..])
                    }
                }
            }
        };
        (a, b)
    });
    let colons = (reference(), select(&[":", ":80", ":443"][..])).prop_map(|(a, port)| {
        let split = Components::split(&a);
        let at = split.range(Component::Host).map_or(a.len(), |host| host.end);
        let b = format!("{}{port}{}", &a[..at], &a[at..]);
        (a, b)
    });
    prop_oneof![4 => respelt, 1 => colons, 1 => (reference(), reference())]
}

/// A reference with one character inserted, removed or replaced. About half of them are valid.
pub(super) fn any_reference() -> impl Strategy<Value = String> {
    let wrong = prop_oneof![
        3 => select(WRONG.chars().collect::<Vec<_>>()),
        1 => edge(),
        1 => private(),
    ];
    let change = (0..3u8, any::<prop::sample::Index>(), wrong);
    let changed = (reference(), prop::collection::vec(change, 1..3)).prop_map(|(text, changes)| {
        let mut text: Vec<char> = text.chars().collect();
        for (how, at, c) in changes {
            let at = at.index(text.len() + 1);
            match how {
                0 => text.insert(at, c),
                _ if at == text.len() => text.push(c),
                1 => text[at] = c,
                _ => drop(text.remove(at)),
            }
        }
        text.into_iter().collect()
    });
    prop_oneof![1 => reference(), 3 => changed]
}

/// Any text: some of it is nearly a reference, some is not.
pub(super) fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => select(WRONG.chars().collect::<Vec<_>>()).prop_map(String::from),
        1 => letter().prop_map(String::from),
        1 => edge().prop_map(String::from),
        2 => escape(),
        1 => select(&["http:", "//", "xn--", "[::1]", "..", "mailto:", "urn:"][..])
            .prop_map(String::from),
    ];
    let pieces = prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat());
    prop_oneof![2 => any_reference(), 2 => pieces, 1 => any::<String>()]
}

/// Options of conversion to a URI that promise ASCII.
pub(super) fn uri_options() -> impl Strategy<Value = UriOptions> {
    let host = select(&[HostForm::Punycode, HostForm::Percent][..]);
    let nfc = select(&[Nfc::Auto, Nfc::Always, Nfc::Never][..]);
    (host, nfc).prop_map(|(host, nfc)| UriOptions::new().host(host).nfc(nfc))
}

/// Options of conversion to an IRI, and what they do to the labels of a host.
pub(super) fn iri_options() -> impl Strategy<Value = (HostLabels, IriOptions)> {
    (
        select(&[HostLabels::Keep, HostLabels::Unicode, HostLabels::UnicodeAlways][..]),
        select(&[PrivateUse::Keep, PrivateUse::Decode][..]),
        select(
            &[Inadvisable::Decode, Inadvisable::Unseen, Inadvisable::Keep, Inadvisable::All][..],
        ),
        select(&[Unreserved::Decode, Unreserved::Keep][..]),
    )
        .prop_map(|(host, private_use, inadvisable, unreserved)| {
            let options = IriOptions::new()
                .host(host)
                .private_use(private_use)
                .inadvisable(inadvisable)
                .unreserved(unreserved);
            (host, options)
        })
}

/// One level of the ladder.
pub(super) fn level() -> impl Strategy<Value = Level> {
    select(&LEVELS[..])
}

/// All levels of the ladder, in order.
pub(super) const LEVELS: [Level; 8] = [
    Level::String,
    Level::Case,
    Level::Percent,
    Level::Path,
    Level::Syntax,
    Level::Scheme,
    Level::Idn,
    Level::Nfc,
];

pub(super) const GRAMMARS: [Grammar; 7] = [
    Grammar::Iri,
    Grammar::IriReference,
    Grammar::AbsoluteIri,
    Grammar::Uri,
    Grammar::UriReference,
    Grammar::AbsoluteUri,
    Grammar::Leiri,
];

/// The components that do not overlap, in order.
pub(super) const COMPONENTS: [Component; 7] = [
    Component::Scheme,
    Component::Userinfo,
    Component::Host,
    Component::Port,
    Component::Path,
    Component::Query,
    Component::Fragment,
];

/// Bidi_Control, all twelve characters (PropList.txt of Unicode).
pub(super) const BIDI_CONTROLS: &[char] = &[
    '\u{61C}', '\u{200E}', '\u{200F}', '\u{202A}', '\u{202B}', '\u{202C}', '\u{202D}', '\u{202E}',
    '\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}',
];

pub(super) fn iri_reference(text: &str) -> Option<Reference<'_>> {
    Reference::parse(text, Grammar::IriReference).ok()
}

pub(super) fn is_valid(text: &str, grammar: Grammar) -> bool {
    Reference::parse(text, grammar).is_ok()
}
