//! Cases as data (`testdata/mail`), the promises as properties, and real mail if there is
//! any on this machine.

use core::ops::Range;
use std::{
    fs, io,
    path::{Path, PathBuf},
    println,
    string::{String, ToString},
    vec,
    vec::Vec,
};

use base64::{Engine, engine::general_purpose::STANDARD};
use proptest::prelude::*;
use serde::Deserialize;

use super::{
    transfer::{Base64, Decoded, LINE, base64, flowed, quoted, utf7, write_quoted},
    view::View,
    *,
};
use crate::{
    api::finder::Finder,
    charset::Charset,
    engine::{rules::Rules, tuning::Tuning},
    reference::to_uri::HostForm,
};

/// `bytes` in base64, in lines as those of `like`.
fn write_base64(bytes: &[u8], like: &[u8], line_feed: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut base64 = Base64::like(like, line_feed);
    base64.start(&mut out).unwrap();
    bytes.chunks(5).for_each(|octets| base64.push(octets, &mut out).unwrap());
    base64.end(&mut out).unwrap();
    out
}

/// The same finder, for which a message of a few bytes has many links.
fn with_small_tuning(finder: &Finder) -> Finder {
    let rules = Rules { tuning: Tuning::SMALL, ..Rules::clone(&finder.rules) };
    Finder { rules: rules.into(), ..finder.clone() }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/mail")
}

fn read(name: &str) -> Vec<u8> {
    fs::read(folder().join(name)).expect("the message should be there")
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    message: Vec<Case>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    #[allow(dead_code, reason = "for readers")]
    because: String,
    #[serde(default)]
    links: Vec<Expected>,
    #[serde(default)]
    left: Vec<String>,
    /// The message is rewritten with it.
    template: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    part: String,
    header: Option<String>,
    line: u64,
    iri: String,
    text: Option<String>,
    uri: Option<String>,
    charset: Option<String>,
}

#[test]
fn messages_as_told() {
    let cases: Cases = toml::from_str(&fs::read_to_string(folder().join("cases.toml")).unwrap())
        .expect("the cases should be well-formed");
    let files = fs::read_dir(folder()).unwrap().flatten();
    let messages = files.filter(|f| f.path().extension().is_some_and(|e| e == "eml")).count();
    assert_eq!(messages, cases.message.len(), "each message should have its case");
    for case in &cases.message {
        let message = read(&[&case.name, ".eml"].concat());
        let links = find(&Finder::new(), &message);
        let iris: Vec<_> = links.iter().map(|found| found.link().iri()).collect();
        let expected: Vec<&str> = case.links.iter().map(|link| &*link.iri).collect();
        assert_eq!(iris, expected, "{}", case.name);
        for (link, expected) in links.iter().zip(&case.links) {
            let (found, link) = (link, link.link());
            let what = std::format!("{}: {}", case.name, link.iri());
            assert_eq!(found.part(), expected.part, "{what}");
            assert_eq!(found.header(), expected.header.as_deref(), "{what}");
            assert_eq!(found.line(), expected.line, "{what}");
            let uri = expected.uri.as_ref().unwrap_or(&expected.iri);
            assert_eq!(link.uri().unwrap().as_str(), uri, "{what}");
            let charset = expected.charset.as_deref().unwrap_or("UTF-8");
            assert_eq!(link.charset().name(), charset, "{what}");
            assert_eq!(found.span().is_none(), expected.text.as_deref() == Some(""), "{what}");
            if let Some(span) = found.span() {
                assert_eq!(link.span(), span, "{what}");
                assert_eq!(link.text(), *expected.text.as_ref().unwrap_or(&expected.iri), "{what}");
                let feeds = message[..span.start as usize].iter().filter(|b| **b == b'\n').count();
                assert_eq!(found.line(), feeds as u64 + 1, "{what}");
            }
        }
        let finder = case.template.as_ref().map_or_else(Finder::new, |template| {
            let template = crate::Template::new(template).expect("it should be valid");
            crate::Config::new().rewrite(template).build().expect("it should be valid")
        });
        let (written, done) = rewrite(&finder, &message, &Options::new());
        let left: Vec<String> = done.kept.iter().map(|left| left.reason.to_string()).collect();
        assert_eq!(left, case.left, "{}", case.name);
        assert_eq!(done.links, links.len() as u64);
        let out = folder().join(&case.name).with_extension("out");
        let expected = if out.exists() { fs::read(out).unwrap() } else { message.clone() };
        assert!(*written == *expected, "{}:\n{}", case.name, String::from_utf8_lossy(&written));
        assert!(
            case.template.is_some() || *rewrite(&finder, &written, &Options::new()).0 == *written
        );
    }
}

#[test]
fn signed_messages_on_request() {
    for (name, signature) in [
        ("dkim", Signature::Dkim),
        ("signed", Signature::Multipart),
        ("smime", Signature::Smime),
        ("pgp-inline", Signature::Pgp),
    ] {
        let message = read(&[name, ".eml"].concat());
        let (kept, done) = rewrite(&Finder::new(), &message, &Options::new());
        assert_eq!((&*kept, done.signed), (&message[..], Some(signature)), "{name}");
        assert!(done.kept.iter().all(|left| left.reason == KeptReason::Signed), "{name}");
        let even = Options::new().even_signed(true);
        let (written, done) = rewrite(&Finder::new(), &message, &even);
        assert_eq!((done.changed, done.kept.len()), (1, 0), "{name}");
        assert!(memchr::memmem::find(&written, b"http://a.example/%C3%BC").is_some(), "{name}");
    }
}

#[test]
fn a_signature_that_is_quoted_is_none() {
    for (before, signed) in [("", true), ("Hi,\n", true), ("> ", false), ("Hi,\n> ", false)] {
        let text = ["\n", before, "-----BEGIN PGP SIGNATURE-----\nhttp://a.example/ü\n"].concat();
        let (_, done) = rewrite(&Finder::new(), text.as_bytes(), &Options::new());
        assert_eq!(done.signed.is_some(), signed, "{before:?}");
        assert_eq!(done.changed == 0, signed, "{before:?}");
    }
}

#[test]
fn units_of_two_bytes_in_base64() {
    let text: Vec<u8> =
        "siehe http://a.example/ü\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let header = "Content-Type: text/plain; charset=utf-16le; format=flowed; delsp=yes\n\
                  Content-Transfer-Encoding: base64\n\n";
    let body = write_base64(&text, b"AAAA\n", b"\n");
    let message = [header.as_bytes(), &body].concat();
    let links = find(&Finder::new(), &message);
    assert_eq!((links.len(), &*links[0].link().iri()), (1, "http://a.example/ü"));
    assert_eq!(links[0].link().charset(), Charset::UTF_16LE);
    let (written, done) = rewrite(&Finder::new(), &message, &Options::new());
    assert_eq!(done.changed, 1);
    let decoded = base64(&written[header.len()..]).bytes;
    assert_eq!(Charset::UTF_16LE.decode(&decoded), "siehe http://a.example/%C3%BC\r\n");
}

#[test]
fn a_charset_that_says_nothing_is_the_finders() {
    let koi8 = crate::api::config::Config::new()
        .charset(Charset::for_label("koi8-r").unwrap())
        .build()
        .unwrap();
    for label in ["us-ascii", "ANSI_X3.4-1968", "x-unknown", "\"\""] {
        let message = [b"Content-Type: text/plain; charset=", label.as_bytes(), b"\n\n"].concat();
        let message = [&message[..], b"http://a.example/\xCD\xC9\xD2\n"].concat();
        assert_eq!(find(&koi8, &message)[0].link().iri(), "http://a.example/мир", "{label}");
    }
    let declared = "Content-Type: text/plain; charset=utf-8\n\nhttp://a.example/ü\n";
    assert_eq!(find(&koi8, declared.as_bytes())[0].link().iri(), "http://a.example/ü");
}

#[test]
fn references_are_relative_to_what_the_header_says() {
    let part = |fields: &str| {
        std::format!(
            "--b\nContent-Type: text/html\n{fields}\n<a href='x/y'><base href='/z/'><a href='w'>\n"
        )
    };
    let message = [
        "Content-Type: multipart/related; boundary=b\nContent-Location: http://a.example/d/e\n\n",
        &part(""),
        &part("Content-Location: f/g\n"),
        &part("Content-Base: \"http://b.example/\n h/\"\nContent-Location: http://c.example/\n"),
        &part("Content-Location: cid:a@b\n"),
        "--b\nContent-Type: message/rfc822\n\nContent-Type: text/html\n\n<a href='x'>\n--b--\n",
    ]
    .concat();
    let absolute = |finder: &Finder| -> Vec<Option<String>> {
        let links = find(finder, message.as_bytes());
        let bodies = links.iter().filter(|link| link.header().is_none());
        bodies.map(|link| link.link().absolute().ok()).collect()
    };
    let want = [
        "http://a.example/d/x/y http://a.example/z/ http://a.example/z/w",
        "http://a.example/d/f/x/y http://a.example/z/ http://a.example/z/w",
        "http://b.example/h/x/y http://b.example/z/ http://b.example/z/w",
        "http://a.example/d/x/y http://a.example/z/ http://a.example/z/w",
    ];
    let mut want: Vec<Option<String>> =
        want.iter().flat_map(|uris| uris.split(' ')).map(|uri| Some(uri.to_string())).collect();
    want.push(None);
    assert_eq!(absolute(&Finder::new()), want);
    let base = crate::reference::base::BaseUri::new("http://o.example/").unwrap();
    want.pop();
    want.push(Some("http://o.example/x".to_string()));
    assert_eq!(absolute(&Finder::new().base(base)), want);
}

#[test]
fn a_message_longer_than_the_limit_stays() {
    let message = "\nhttp://a.example/ü\n".as_bytes();
    for (limit, changed) in [(19, 0), (20, 0), (21, 1), (22, 1)] {
        assert_eq!(message.len(), 21);
        let (_, done) = rewrite(&Finder::new(), message, &Options::new().limit(limit));
        assert_eq!(done.changed, changed, "{limit}");
        assert_eq!(done.kept.len() as u64, 1 - changed, "{limit}");
    }
}

#[test]
fn characters_that_the_charsets_lack_are_counted_over_all_parts() {
    let template = crate::Template::new("日{host}本").expect("it should be valid");
    let finder = crate::Config::new().rewrite(template).build().expect("it should be valid");
    let part = "--b\nContent-Type: text/plain; charset=iso-8859-1\n\nsee http://a.example/ now\n";
    let header = "Content-Type: multipart/mixed; boundary=b\n\n";
    let message = [header, part, part, "--b--\n"].concat();
    let (written, done) = rewrite(&finder, message.as_bytes(), &Options::new());
    assert_eq!((done.changed, done.lost), (2, 4));
    let want = message.replace("http://a.example/", "?a.example?");
    assert_eq!(String::from_utf8_lossy(&written), want);
}

#[test]
fn the_first_link_has_the_number_that_is_asked_for() {
    let template = crate::Template::new("{n}").expect("it should be valid");
    let finder = crate::Config::new().rewrite(template).build().expect("it should be valid");
    let message = b"\nsee http://a.example/ and http://b.example/ now\n";
    let (written, _) = rewrite(&finder, message, &Options::new().first(7));
    assert_eq!(String::from_utf8_lossy(&written), "\nsee 7 and 8 now\n");
}

#[test]
fn a_line_has_998_bytes_at_most() {
    for (fill, changed) in [(973, 1), (974, 1), (975, 0), (976, 0)] {
        let text = std::format!("Content-Type: text/plain; charset=utf-8\n\n{}", "x".repeat(fill));
        let message = [&text, " http://a.example/ü\r\n"].concat();
        let (written, done) = rewrite(&Finder::new(), message.as_bytes(), &Options::new());
        let longest = written.split(|b| *b == b'\n').map(|l| l.trim_ascii_end().len()).max();
        assert_eq!(done.changed, changed, "{fill}");
        assert!(longest <= Some(998), "{longest:?}");
        // One byte for the space, 23 for the URI.
        assert_eq!(fill + 1 + 23 <= 998, changed == 1, "{fill}");
    }
}

/// Messages nested to the limit are read; deeper ones are named, and nothing of them is.
#[test]
fn messages_are_read_to_a_depth_of_a_hundred() {
    let inner = "\nhttp://a.example/\n";
    for (depth, read) in [(99, true), (100, true), (101, false)] {
        let header = "Content-Type: message/rfc822\n\n".repeat(depth);
        let message = [&header, inner].concat();
        assert_eq!(found_and_unsearched(message.as_bytes()), limited(read), "{depth}");
    }
    // A multipart is a level too.
    for (depth, read) in [(99, true), (100, true), (101, false)] {
        let open = |i| std::format!("Content-Type: multipart/mixed; boundary=b{i}x\n\n--b{i}x\n");
        let message = [(0..depth).map(open).collect::<String>(), inner.to_string()].concat();
        assert_eq!(found_and_unsearched(message.as_bytes()), limited(read), "{depth}");
    }
}

#[test]
fn encoded_messages_are_read_to_a_depth_of_three() {
    for (depth, read) in [(2, true), (3, true), (4, false)] {
        let mut message = b"\nhttp://a.example/\n".to_vec();
        for _ in 0..depth {
            let header = "Content-Type: message/global\nContent-Transfer-Encoding: base64\n\n";
            message = [header, &STANDARD.encode(&message), "\n"].concat().into_bytes();
        }
        assert_eq!(found_and_unsearched(&message), limited(read), "{depth}");
    }
}

/// How many links a message has, and why parts of it are not searched.
fn found_and_unsearched(message: &[u8]) -> (u64, Vec<UnsearchedReason>) {
    let (mut links, mut parts) = (0, Vec::new());
    let unsearched = |part: Unsearched| parts.push(part.reason());
    find_noting(&Finder::new(), message, |_| None, |_| links += 1, unsearched);
    let (_, done) = rewrite(&Finder::new(), message, &Options::new());
    let again: Vec<_> = done.unsearched.iter().map(Unsearched::reason).collect();
    assert_eq!((done.links, &again), (links, &parts), "rewriting says the same");
    (links, parts)
}

fn limited(read: bool) -> (u64, Vec<UnsearchedReason>) {
    if read { (1, vec![]) } else { (0, vec![UnsearchedReason::TooDeep]) }
}

/// RFC 5322, 3.4.1: what is before the `@` of an address in its fields.
#[test]
fn local_parts_of_fields() {
    let finder = crate::Config::new().kinds([crate::Kind::Email]).build().unwrap();
    let cases: [(&str, &[(&str, &str)]); 9] = [
        (
            "prvs=12ab=joe@h.example",
            &[("prvs=12ab=joe@h.example", "mailto:prvs%3D12ab%3Djoe@h.example")],
        ),
        (
            "a&b@h.example, {c}@h.example",
            &[
                ("a&b@h.example", "mailto:a%26b@h.example"),
                ("{c}@h.example", "mailto:%7Bc%7D@h.example"),
            ],
        ),
        (
            "\"john doe\"@h.example",
            &[("\"john doe\"@h.example", "mailto:%22john%20doe%22@h.example")],
        ),
        (
            "J <\"j. (d)\"@h.example>",
            &[("\"j. (d)\"@h.example", "mailto:%22j.%20(d)%22@h.example")],
        ),
        (r#""a\"b"@h.example"#, &[(r#""a\"b"@h.example"#, "mailto:%22a%5C%22b%22@h.example")]),
        (r#""a\\"@h.example"#, &[(r#""a\\"@h.example"#, "mailto:%22a%5C%5C%22@h.example")]),
        (
            "\"J D\" <j@h.example>, \"k@h.example\" <k@h.example>",
            &[
                ("j@h.example", "mailto:j@h.example"),
                ("k@h.example", "mailto:k@h.example"),
                ("k@h.example", "mailto:k@h.example"),
            ],
        ),
        // Not their half.
        ("a.\"b c\"@h.example, \"\"@h.example", &[]),
        ("b c\"@h.example", &[]),
    ];
    for (value, addresses) in cases {
        let message = std::format!("From: {value}\nSubject: \"x y\"@h.example\n\nhi\n");
        let found: Vec<_> = find(&finder, message.as_bytes())
            .iter()
            .map(|found| (found.link().iri().into_owned(), found.link().open().unwrap()))
            .collect();
        let found: Vec<_> = found.iter().map(|(text, open)| (&**text, &**open)).collect();
        assert_eq!(found, addresses, "{value}");
        let (out, _) = rewrite(&finder, message.as_bytes(), &Options::new());
        assert_eq!(out, message.as_bytes(), "addresses of fields stay");
    }
}

/// A longer value is read as far as that.
#[test]
fn a_field_is_read_to_16_kibibytes() {
    let whole = "text/html; x=\"\"; charset=iso-8859-15".len();
    for (more, charset) in [(-1, "ISO-8859-15"), (0, "ISO-8859-15"), (1, "windows-1252")] {
        let fill = "a".repeat(((16 << 10) + more) as usize - whole);
        let header = std::format!("Content-Type:text/html; x=\"{fill}\"; charset=iso-8859-15\n\n");
        let message = [header.as_bytes(), b"<a href='http://a.example/\xFC'>\n"].concat();
        let mut charsets = Vec::new();
        find_each(&Finder::new(), &message, |found| charsets.push(found.link().charset().name()));
        assert_eq!(charsets, [charset], "{more}");
    }
}

/// A line `From ` of an mbox that is longer is text.
#[test]
fn a_line_between_messages_has_a_thousand_bytes_at_most() {
    for (len, messages) in [(999, 2), (1000, 2), (1001, 1)] {
        let end = " Thu Jan  1 00:00:00 2026";
        let from = ["From ", &"a".repeat(len - 5 - end.len()), end].concat();
        assert_eq!(from.len(), len);
        let mbox =
            std::format!("From a Thu Jan  1 00:00:00 2026\n\nhttp://a.example/\n\n{from}\n\nb\n");
        assert_eq!(split(mbox.as_bytes(), &[mbox.len()], usize::MAX).len(), messages, "{len}");
    }
}

#[test]
fn a_host_that_is_kept_is_written_once() {
    let link = "http://bücher.example/ä";
    let written_link = "http://b=C3=BCcher.example/%C3%A4";
    let text =
        to_quoted([link, "/", &"x".repeat(40), " ", link, "\n"].concat().as_bytes(), &[60], "\n");
    let head =
        "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n";
    let message = [head, &text].concat();
    let keep = crate::api::config::Config::new().host(HostForm::Keep).build().unwrap();
    let (written, done) = rewrite(&keep, message.as_bytes(), &Options::new());
    assert_eq!((done.changed, done.kept.len()), (2, 0));
    assert!(memchr::memmem::find(&written, written_link.as_bytes()).is_some());
    let (again, done) = rewrite(&keep, &written, &Options::new());
    assert_eq!(String::from_utf8_lossy(&again), String::from_utf8_lossy(&written));
    assert_eq!((done.links, done.changed, done.kept.len()), (2, 0, 0));
    // On a line that is too long there is nothing to report either.
    let long = [&"x".repeat(990), " http://bücher.example/ http://bücher.example/ä\n"].concat();
    let (_, done) = rewrite(&keep, ["\n", &long].concat().as_bytes(), &Options::new());
    assert_eq!((done.changed, done.kept.len()), (0, 1));
}

#[test]
fn what_quoted_printable_is_a_view_of() {
    let source = b"..a=C3=bc b=\r\n=3D  \t\r\nc==\n=4";
    let view = quoted(source, 2..source.len());
    assert_eq!(view.bytes(), "aü b=\r\nc==4".as_bytes());
    let of = |range| view.source(range).map(|range: Range<usize>| &source[range]);
    assert_eq!(of(0..1), Some(&b"a"[..]));
    assert_eq!(of(1..3), Some(&b"=C3=bc"[..]));
    assert_eq!(of(4..6), Some(&b"b=\r\n=3D"[..]));
    assert_eq!(of(0..view.bytes().len()), Some(&source[2..]));
    assert_eq!(view.source(3..3), None);
}

#[test]
fn quoted_printable_is_written_within_76() {
    for column in 0..=80 {
        for len in 1..100 {
            for rest in [0, 1, 30, 74, 75, 76] {
                let text: Vec<u8> = (0..len).map(|i| b"a-%C3=\xE9"[i % 7]).collect();
                let mut out = vec![];
                let end = write_quoted(&text, column, rest, LINE, b"\n", &mut out);
                let decoded = quoted(&out, 0..out.len());
                assert_eq!(decoded.bytes(), text, "{}", out.escape_ascii());
                let mut lines: Vec<usize> = out.split(|b| *b == b'\n').map(<[u8]>::len).collect();
                lines[0] += column;
                assert_eq!(*lines.last().unwrap(), end);
                *lines.last_mut().unwrap() += rest;
                let first = lines.remove(0);
                assert!(first <= LINE.max(column + 1), "{column} {len} {rest}");
                assert!(lines.iter().all(|len| *len <= LINE), "{column} {len} {rest} {lines:?}");
                assert!(!out.windows(2).any(|w| w == b"\n-"));
            }
        }
    }
}

/// Decodes base64. What is clean can be encoded again.
fn read_base64(text: &[u8]) -> Decoded {
    let decoded = base64(text);
    let written = STANDARD.encode(&decoded.bytes);
    let digits = text.iter().copied().filter(|b| !b.is_ascii_whitespace());
    assert_eq!(decoded.clean, digits.eq(written.bytes()), "{text:?}");
    decoded
}

#[test]
fn base64_there_and_back() {
    // A piece of 1,024 digits makes 768 bytes.
    for len in (0..200).chain(760..776).chain(1530..1545) {
        let bytes: Vec<u8> = (0..len).map(|i| (i * 37) as u8).collect();
        for like in [&b"\r\nAAAA\r\nAA==\r\n\r\n"[..], b"AA==", b"", b"AAAAAAAA\nAAAA\n"] {
            let written = write_base64(&bytes, like, b"\r\n");
            let decoded = read_base64(&written);
            assert_eq!(decoded.bytes, bytes);
            assert!(decoded.clean);
            let damaged = read_base64(&[b".", &written[..]].concat());
            assert_eq!((damaged.bytes, damaged.clean), (decoded.bytes, false));
            assert!(written.split(|b| *b == b'\n').all(|l| l.trim_ascii_end().len() <= LINE));
            assert!(like.is_empty() || written.ends_with(b"\n") == like.ends_with(b"\n"));
        }
    }
    for (text, bytes, clean) in [
        ("YQ==", "a", true),
        ("YQ", "a", false),
        ("YR==", "a", false),
        ("YWI=\n", "ab", true),
        ("YWI==", "ab", false),
        ("YW.Jj", "abc", false),
        ("YWJj\n-- \n", "abc", false),
        ("YQ==\nYQ==", "a", false),
        ("YW Jj\t\nYQ==", "abca", true),
        ("Y", "", false),
        ("", "", true),
    ] {
        let decoded = read_base64(text.as_bytes());
        assert_eq!(decoded.clean, clean, "{text:?}");
        assert!(decoded.bytes.starts_with(bytes.as_bytes()), "{text:?}");
    }
}

#[test]
fn utf_7_as_in_its_document() {
    // RFC 2152, "Examples", and what is malformed.
    for (source, text) in [
        ("A+ImIDkQ.", "A≢Α."),
        ("Hi Mom -+Jjo--!", "Hi Mom -☺-!"),
        ("+ZeVnLIqe-", "日本語"),
        ("1 +- 1", "1 + 1"),
        ("a+", "a+"),
        ("+2D3eAA-", "😀"),
        ("+2D0-x", "\u{FFFD}x"),
    ] {
        let view = utf7(&View::plain(source.as_bytes(), 0));
        assert_eq!(String::from_utf8_lossy(view.bytes()), text, "{source}");
    }
}

#[test]
fn flowed_lines_of_one_depth_are_one() {
    for (source, text) in [
        ("a \nb", Some("ab")),
        ("a  \nb", Some("a b")),
        ("a \r\n  b", Some("a b")),
        ("> a \n>b \n> c\nd", Some("> abc\nd")),
        ("> a \nb", None),
        ("a \n-- \nb", None),
        ("-- \nb", None),
        (">-- \n>b", None),
        ("a \n", None),
        ("a\n\nb", None),
        ("a \n\nb", Some("a\nb")),
    ] {
        let view = flowed(&View::plain(source.as_bytes(), 0), false);
        let made = view.as_ref().map(|view| String::from_utf8_lossy(view.bytes()));
        assert_eq!(made.as_deref(), text, "{source:?}");
    }
}

/// A reader that gives so many bytes at once, in turn.
struct Slow<'b> {
    bytes: &'b [u8],
    sizes: Vec<usize>,
    turn: usize,
}

impl io::Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.turn += 1;
        let size = self.sizes[self.turn % self.sizes.len()];
        let (now, later) = self.bytes.split_at(size.min(buffer.len()).min(self.bytes.len()));
        buffer[..now.len()].copy_from_slice(now);
        self.bytes = later;
        Ok(now.len())
    }
}

/// Each message: whether it is handed out whole, and its bytes.
fn split(mbox: &[u8], sizes: &[usize], limit: usize) -> Vec<(bool, Vec<u8>)> {
    let mut messages: Vec<(bool, Vec<u8>)> = vec![];
    let reader = Slow { bytes: mbox, sizes: sizes.to_vec(), turn: 0 };
    for piece in Messages::in_blocks(reader, limit, 13) {
        match piece.expect("memory should be readable") {
            Piece::Message(bytes) => messages.push((true, bytes)),
            Piece::TooLong { bytes, first: true } => messages.push((false, bytes)),
            Piece::TooLong { bytes, first: false } => {
                messages.last_mut().expect("a first piece").1.extend(bytes);
            }
        }
    }
    messages
}

#[test]
fn an_mbox_is_split_at_every_chunking() {
    let mbox = read("box.mbox");
    let whole = split(&mbox, &[usize::MAX], usize::MAX);
    assert_eq!(whole.len(), 3);
    for sizes in (1..40).map(|n| vec![n]).chain([vec![1, 30, 2], vec![7, 1000]]) {
        assert_eq!(split(&mbox, &sizes, usize::MAX), whole, "{sizes:?}");
        for limit in [1, 100, 150, 180, 200, 230] {
            let messages = split(&mbox, &sizes, limit);
            assert_eq!(messages.len(), 3, "{sizes:?} {limit}");
            for ((fits, bytes), (_, expected)) in messages.iter().zip(&whole) {
                assert_eq!(bytes, expected, "{sizes:?} {limit}");
                assert_eq!(*fits, bytes.len() <= limit, "{sizes:?} {limit}");
            }
        }
    }
    // A byte order mark is no part of the line.
    let marked = [&b"\xEF\xBB\xBF"[..], &mbox].concat();
    for sizes in [1, 2, 5, usize::MAX] {
        assert_eq!(split(&marked, &[sizes], usize::MAX).len(), 3);
    }
    // A stream that does not begin as an mbox is one message.
    assert_eq!(split(&[b"\n", &*mbox].concat(), &[9], usize::MAX).len(), 1);
    assert_eq!(split(b"", &[9], 5), []);
    assert_eq!(split(b"From", &[9], 5), [(true, b"From".to_vec())]);
}

#[test]
fn a_broken_reader_loses_nothing() {
    struct Breaks(bool);
    impl io::Read for Breaks {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if core::mem::replace(&mut self.0, true) {
                return Err(io::Error::other("broken"));
            }
            buffer[..3].copy_from_slice(b"abc");
            Ok(3)
        }
    }
    let mut messages = Messages::in_blocks(Breaks(false), 100, 13);
    assert_eq!(messages.next().unwrap().unwrap(), Piece::Message(b"abc".to_vec()));
    assert!(messages.next().unwrap().is_err());
    assert!(messages.next().is_none());
}

#[test]
fn hostile_messages_take_linear_time() {
    let size = if cfg!(debug_assertions) { 1 << 18 } else { 8 << 20 };
    let fill = |piece: &str| piece.repeat(size / piece.len());
    let multipart = "Content-Type: multipart/mixed; boundary=b\n\n--b\n";
    for message in [
        fill("a:\n"),
        fill("Content-Type:x/y\n"),
        fill("Subject: =?utf-8?Q?"),
        ["Subject:", &fill("=?utf-8?Q?a?= ")].concat(),
        ["Subject:", &fill("=?x?B?YQ==?=")].concat(),
        fill(multipart),
        fill("Content-Type: message/rfc822\n\n"),
        [multipart, &fill("--b\n")].concat(),
        [multipart, &fill("\n\n--b\n")].concat(),
        ["\n", &fill("http://é.b/")].concat(),
        ["\n", &fill("http://a.b/ü ")].concat(),
        ["\n", &fill("http://a.b/ü\n")].concat(),
        ["Content-Transfer-Encoding: quoted-printable\n\n", &fill("http://a.b/=C3=BC ")].concat(),
        ["Content-Transfer-Encoding: quoted-printable\n\n", &fill("=\n")].concat(),
        ["Content-Type: text/plain; format=flowed; delsp=yes\n\n", &fill("> \n")].concat(),
        ["Content-Type: text/plain; format=flowed; delsp=yes\n\n", &fill(">")].concat(),
        ["Content-Type: text/plain; charset=utf-7\n\n", &fill("+A")].concat(),
        ["Content-Type: text/plain; charset=utf-7\n\n", &fill("http://+AOQ-.b/+AOQ- ")].concat(),
    ] {
        let start = std::time::Instant::now();
        let (_, done) = rewrite(&Finder::new(), message.as_bytes(), &Options::new());
        let links = find(&Finder::new(), message.as_bytes()).len() as u64;
        assert_eq!(done.links, links);
        let took = start.elapsed();
        // A generous bound: what is quadratic takes hours.
        assert!(took.as_secs() < 60, "{took:?}: {}", &message[..40]);
        println!("{took:?} {:?}", &message[..40.min(message.len())]);
    }
    let mbox = ["From x\n\n", &"From ".repeat(size / 5)].concat();
    assert_eq!(split(mbox.as_bytes(), &[13], usize::MAX).len(), 1);
}

/// What hostile messages are made of.
const PIECES: &[&str] = &[
    "Content-Type: text/plain; charset=utf-8\n",
    "Content-Type: text/html; charset=koi8-r\r\n",
    "Content-Type: text/plain; charset=iso-2022-jp; format=flowed; delsp=yes\n",
    "Content-Type: text/plain; charset=utf-7\n",
    "Content-Type: multipart/mixed; boundary=b\n",
    "Content-Type: multipart/digest; boundary=\"b1\"\r\n",
    "Content-Type: message/rfc822\n",
    "Content-Type: ",
    "Content-Transfer-Encoding: quoted-printable\n",
    "Content-Transfer-Encoding: base64\r\n",
    "Content-Transfer-Encoding: 8bit\n",
    "Content-Transfer-Encoding: x-uue\n",
    "Content-Transfer-Encoding: (c) base64; charset=utf-8\n",
    "Content-Type: application/octet-stream\n",
    "Content-Type: application/octet-stream; name=a.html\n",
    "Content-Type: text/rfc822-headers\n",
    "Content-Type: text/calendar\n",
    "\u{FEFF}",
    "DKIM-Signature: v=1\n",
    "Subject: ",
    "\nURL:",
    "\r\n ",
    "\\,",
    "List-Post: <",
    "Content-Location: ",
    "To: ",
    "From ",
    "\n--b\n",
    "\r\n--b1\r\n",
    "--b--\n",
    "\n",
    "\r\n",
    "\n\n",
    "\r",
    " ",
    " \n",
    "\t",
    ">",
    "> ",
    "<",
    ":",
    "=",
    "=\n",
    "=\r\n",
    "=3D",
    "=C3=BC",
    "=E9",
    "%C3",
    "http://a.example/",
    "http://ü.example/",
    "mailto:ü@ä.example",
    "http://a.example/ü?q=я",
    "ü",
    "日本",
    "\u{1b}$B",
    "\u{1b}(B",
    "FZ",
    "=?utf-8?Q?",
    "=?utf-8?B?",
    "=?koi8-r?b?",
    "=?iso-2022-jp?Q?",
    "=?x-unknown?Q?",
    "<a href=\"",
    "\u{1b}(B \n\u{1b}$B",
    "?=",
    "_",
    "aHR0cDovL2EuZXhhbXBsZS/DvA==",
    "aHR0cDovL2EuZXhhbXBsZS/D",
    "vMO8\n",
    "+AOQ-",
    "+",
    "-- \n",
    "-----BEGIN PGP SIGNED MESSAGE-----\n",
    "word ",
    "\0",
];

fn hostile() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        8 => proptest::sample::select(PIECES).prop_map(|piece| piece.as_bytes().to_vec()),
        1 => proptest::collection::vec(any::<u8>(), 1..4),
    ];
    let header =
        proptest::sample::select(&PIECES[..19]).prop_map(|piece| piece.as_bytes().to_vec());
    let headers = proptest::collection::vec(header, 0..4).prop_map(|lines| lines.concat());
    let empty = proptest::sample::select(&["", "\n"][..]);
    let pieces = proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat());
    (headers, empty, pieces).prop_map(|(h, e, p)| [h, e.as_bytes().to_vec(), p].concat())
}

fn host() -> impl Strategy<Value = HostForm> {
    proptest::sample::select(&[HostForm::Punycode, HostForm::Percent, HostForm::Keep])
}

/// Text of one part, of lines that are short enough for 8bit.
fn text() -> impl Strategy<Value = String> {
    let word = proptest::sample::select(&[
        "http://a.example/weg",
        "http://bücher.example/Straße?q=ä",
        "http://例え.jp/写真",
        "https://x.example/ж-й=1&b=2",
        "http://a.example/%41%C3%BC/ü",
        "<http://c.example/é>",
        "„http://d.example/ö“",
        "Grüße",
        "a=b",
        "--b",
        "From",
        ".",
        "\n",
        "\n\n",
        "word",
        "(siehe",
    ]);
    proptest::collection::vec(word, 1..30).prop_map(|words| words.join(" "))
}

/// Quoted-printable with soft breaks at `widths`, in turn.
fn to_quoted(text: &[u8], widths: &[usize], feed: &str) -> String {
    let mut out = String::new();
    let (mut column, mut turn) = (0, 0);
    for (i, &byte) in text.iter().enumerate() {
        if byte == b'\n' {
            out += feed;
            column = 0;
            continue;
        }
        let ends = text.get(i + 1).is_none_or(|b| *b == b'\n');
        let unit = match byte {
            b'=' | 0..=31 | 127.. => std::format!("={byte:02X}"),
            b' ' if ends => "=20".into(),
            _ => char::from(byte).into(),
        };
        if column + unit.len() > widths[turn % widths.len()].min(75) {
            out += "=";
            out += feed;
            (column, turn) = (0, turn + 1);
        }
        column += unit.len();
        out += &unit;
    }
    out
}

proptest! {
    #[test]
    fn any_bytes_are_a_message(
        bytes in hostile(), even in any::<bool>(), host in host(), small in any::<bool>()
    ) {
        // Where none is declared, the charset may be another when links are ASCII.
        let finder = crate::api::config::Config::new().charset(Charset::UTF_8).host(host).build().unwrap();
        let finder = if small { with_small_tuning(&finder) } else { finder };
        let links = find(&finder, &bytes);
        for link in &links {
            if let Some(span) = link.span() {
                prop_assert!(span.start < span.end && span.end <= bytes.len() as u64);
                let feeds = bytes[..span.start as usize].iter().filter(|b| **b == b'\n').count();
                prop_assert_eq!(link.line(), feeds as u64 + 1);
            }
        }
        let options = Options::new().even_signed(even);
        let (written, done) = rewrite(&finder, &bytes, &options);
        prop_assert_eq!(done.links, links.len() as u64);
        let others = links.iter().filter(|link| !link.link().is_ascii()).count() as u64;
        let seen = done.changed + done.kept.len() as u64;
        // A link whose host is kept may be as it would be written.
        prop_assert!(seen == others || host == HostForm::Keep && seen < others);
        prop_assert_eq!(done.changed == 0, *written == *bytes);
        let again = rewrite(&finder, &written, &options).0;
        prop_assert_eq!(&*again, &*written, "{}", bytes.escape_ascii());
    }

    /// What a parser that is not ours decodes is what rewriting the text gives.
    #[test]
    fn a_part_decodes_to_its_text_rewritten(
        text in text(),
        widths in proptest::collection::vec(4..80usize, 1..5),
        crlf in any::<bool>(),
        transfer in 0..3,
        width in 1..=19usize,
    ) {
        let feed = if crlf { "\r\n" } else { "\n" };
        let text = text.replace('\n', feed);
        let header = "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\
                      Content-Transfer-Encoding: ";
        let (name, body) = match transfer {
            0 => ("8bit", text.clone()),
            1 => ("quoted-printable", to_quoted(text.replace('\r', "").as_bytes(), &widths, feed)),
            _ => {
                let like = std::format!("{}{feed}AAAA{feed}", "AAAA".repeat(width));
                let lines = write_base64(text.as_bytes(), like.as_bytes(), feed.as_bytes());
                ("base64", String::from_utf8(lines).unwrap())
            }
        };
        let header = std::format!("{header}{name}\n\n").replace('\n', feed);
        let message = [&*header, &*body].concat();
        let finder = Finder::new();
        let (written, done) = rewrite(&finder, message.as_bytes(), &Options::new());
        let expected = finder.rewrite_slice(&*text);
        prop_assert_eq!(done.changed, expected.1.changed);
        prop_assert_eq!(done.links, expected.1.summary.links);
        let parsed = mail_parser::MessageParser::new().with_mime_headers().parse(&*written).unwrap();
        let decoded = parsed.parts[0].text_contents().unwrap_or_default();
        prop_assert_eq!(decoded, &*String::from_utf8_lossy(&expected.0));
        if transfer > 0 {
            let longest = written.split(|b| *b == b'\n').map(|l| l.trim_ascii_end().len()).max();
            prop_assert!(longest <= Some(LINE), "{}", String::from_utf8_lossy(&written));
        }
        if transfer == 0 {
            prop_assert_eq!(&written[header.len()..], &*expected.0);
        }
        prop_assert_eq!(&*rewrite(&finder, &written, &Options::new()).0, &*written);
        // All between the links that changed is there, in order.
        if transfer == 1 {
            let links = find(&finder, message.as_bytes());
            let (mut rest, mut at) = (&written[..], 0);
            for link in links.iter().filter(|link| !link.link().is_ascii()) {
                let span = link.span().expect("quoted-printable has spans");
                let gap = &message.as_bytes()[at..span.start as usize];
                let found = memchr::memmem::find(rest, gap);
                prop_assert!(found.is_some() && (at > 0 || found == Some(0)), "{link:?}");
                rest = &rest[found.unwrap() + gap.len()..];
                at = span.end as usize;
            }
            prop_assert!(rest.ends_with(&message.as_bytes()[at..]));
        }
    }

    /// The law "mail twice": rewriting what was rewritten changes nothing.
    #[test]
    fn mail_twice(
        text in text(),
        more in text(),
        widths in proptest::collection::vec(4..80usize, 1..5),
        crlf in any::<bool>(),
        transfer in 0..3,
        label in proptest::sample::select(&[
            "utf-8", "koi8-r", "iso-2022-jp", "shift_jis", "gb18030", "windows-1252", "utf-16le",
        ]),
        kind in proptest::sample::select(&[
            "text/plain", "text/html", "text/plain; format=flowed; delsp=yes", "text/xml",
            "text/calendar",
        ]),
        host in host(),
        query in proptest::option::of(proptest::sample::select(&[
            crate::reference::to_uri::QueryCharset::Document, crate::reference::to_uri::QueryCharset::Utf8,
        ])),
    ) {
        let feed = if crlf { "\r\n" } else { "\n" };
        // Lines of the length that limits are about, too.
        let text = [&*text, "\n", &more.replace('\n', " ").repeat(4), "\n"].concat();
        let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
        let bytes = match label {
            "utf-16le" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            _ => encoding.encode(&text).0.into_owned(),
        };
        let (name, body) = match transfer {
            0 => ("8bit", bytes),
            1 => ("quoted-printable", to_quoted(&bytes, &widths, feed).into_bytes()),
            _ => ("base64", write_base64(&bytes, b"AAAA", feed.as_bytes())),
        };
        let header = std::format!(
            "Subject: http://b\u{fc}cher.example/\u{fc}\nMIME-Version: 1.0\n\
             Content-Type: {kind}; charset={label}\nContent-Transfer-Encoding: {name}\n\n",
        );
        let message = [header.replace('\n', feed).as_bytes(), &body].concat();
        let config = crate::api::config::Config::new().host(host).charset(Charset::UTF_8);
        let config = match query {
            Some(query) => config.query(query),
            None => config,
        };
        let finder = config.build().unwrap();
        let (written, done) = rewrite(&finder, &message, &Options::new());
        prop_assert_eq!(done.changed == 0, *written == *message);
        // Such a calendar is folded by octets, and no program writes one.
        if kind != "text/calendar" || label != "utf-16le" {
            let (again, done) = rewrite(&finder, &written, &Options::new());
            prop_assert_eq!(
                again.escape_ascii().to_string(), written.escape_ascii().to_string(),
                "of {}", message.escape_ascii(),
            );
            prop_assert_eq!(done.changed, 0);
        }
        let mut streamed = Vec::new();
        let done =
            rewrite_to(&finder, &message, &Options::new(), &mut streamed, |_| {}).unwrap();
        prop_assert_eq!(&streamed, &*written);
        prop_assert_eq!(done.changed == 0, *streamed == *message);
    }

    #[test]
    fn pieces_are_the_stream(
        pieces in proptest::collection::vec(
            proptest::sample::select(&[
                "From a Sat Jan  3 01:05:34 1996\n",
                "From a Sat Jan  3 01:05:34 1996\r\n",
                "From ",
                "From here\n",
                "\n",
                "\r\n",
                ">From ",
                "text",
                "a longer line of text 12:34 2020\n",
            ]),
            0..30,
        ),
        sizes in proptest::collection::vec(1..40usize, 1..4),
        limit in 1..200usize,
        mbox in any::<bool>(),
    ) {
        let start = if mbox { "From a Sat Jan  3 01:05:34 1996\n" } else { "" };
        let stream = [start, &pieces.concat()].concat();
        let messages = split(stream.as_bytes(), &sizes, limit);
        let joined: Vec<u8> = messages.iter().flat_map(|(_, bytes)| bytes.clone()).collect();
        prop_assert_eq!(joined, stream.as_bytes());
        let whole = split(stream.as_bytes(), &[usize::MAX], usize::MAX);
        let bytes = |messages: &[(bool, Vec<u8>)]| -> Vec<Vec<u8>> {
            messages.iter().map(|(_, bytes)| bytes.clone()).collect()
        };
        prop_assert_eq!(bytes(&messages), bytes(&whole));
        for (fits, bytes) in messages {
            prop_assert_eq!(fits, bytes.len() <= limit);
        }
    }
}

fn corpora() -> Vec<PathBuf> {
    fn walk(folder: &Path, out: &mut Vec<PathBuf>) {
        for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()) {
            if path.is_dir() { walk(&path, out) } else { out.push(path) }
        }
    }
    let mut out = vec![];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpora");
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with("mail-") {
            walk(&entry.path(), &mut out);
        }
    }
    out.sort();
    out
}

#[test]
fn real_mail_keeps_its_promises() {
    let files = corpora();
    if files.is_empty() {
        println!("skipped: ../shared/corpora is not here");
        return;
    }
    let finder = Finder::new();
    let (mut count, mut signed, mut changed) = (0, 0, 0);
    for path in &files {
        let bytes = fs::read(path).expect("the file should be readable");
        let pieces = split(&bytes, &[1000, 17], usize::MAX);
        assert_eq!(pieces.iter().map(|(_, b)| b.len()).sum::<usize>(), bytes.len());
        for (_, message) in pieces {
            let links = find(&finder, &message);
            count += links.len();
            let (written, done) = rewrite(&finder, &message, &Options::new());
            signed += usize::from(done.signed.is_some());
            changed += done.changed;
            assert_eq!(done.links, links.len() as u64, "{}", path.display());
            if links.iter().all(|found| found.link().is_ascii()) || done.signed.is_some() {
                assert!(*written == *message, "{} should stay", path.display());
            }
            let again = rewrite(&finder, &written, &Options::new()).0;
            assert!(*again == *written, "{}: rewriting twice changes more", path.display());
        }
    }
    println!("{} files, {count} links, {changed} changed, {signed} signed", files.len());
    assert!(count > 300, "only {count} links");
}
