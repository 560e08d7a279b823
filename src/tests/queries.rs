//! Queries of pages in every legacy charset, character by character: the expectations of the Web
//! Platform Tests (`encode-href`), computed with the encoders of the Encoding Standard.
//!
//! A reference holds one character, and its query has the octets of it: as bytes of the page, or
//! as a character reference in a page that declares its charset, or whose charset is given.

use std::{
    fmt::Write,
    format,
    string::{String, ToString},
    vec::Vec,
};

use super::cases;
use crate::{Charset, Finder, Format};

/// Up to here nearly all characters are tried, and after it one of a hundred.
const DENSE: u32 = 0x3_0000;

/// Characters that a reference can stand for: `&#128;` means another one in HTML.
fn characters(charset: Charset) -> impl Iterator<Item = char> {
    let encoding = encoding_rs::Encoding::for_label(charset.name().as_bytes()).expect("a label");
    // gb18030 holds them all, nearly all by one formula.
    let step = if charset.name() == "gb18030" && !super::are_long() { 11 } else { 1 };
    (0xA0..=0x10_FFFF).filter_map(char::from_u32).filter(move |c| {
        let n = u32::from(*c);
        n % 97 == 0 || n < DENSE && n % step == 0 && !encoding.encode(c.encode_utf8(&mut [0; 4])).2
    })
}

/// The octets of the query `c`, as browsers write them, but that all become `%HH`.
fn octets(charset: Charset, c: char) -> String {
    let encoding = encoding_rs::Encoding::for_label(charset.name().as_bytes()).expect("a label");
    let text = c.to_string();
    let (bytes, _, lacks) = encoding.encode(&text);
    match lacks {
        true => format!("%26%23{}%3B", u32::from(c)),
        false => bytes.iter().fold(String::new(), |mut all, b| {
            let _ = write!(all, "%{b:02X}");
            all
        }),
    }
}

fn legacy() -> impl Iterator<Item = Charset> {
    cases::charsets().into_iter().filter(|charset| !charset.is_unicode())
}

/// The charset of a page that declares this one.
fn declared(charset: Charset) -> Charset {
    match charset.name() {
        "x-user-defined" => Charset::for_label("windows-1252").expect("a label"),
        _ => charset,
    }
}

/// Whether a reference is without `c` at its ends (RFC 3987, section 4.1; docs/decisions.md), other
/// than in browsers.
fn is_trimmed(c: char) -> bool {
    matches!(c, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}')
        || matches!(c, '\u{61C}' | '\u{2066}'..='\u{2069}')
}

/// The text after the character in its query.
fn end(c: char) -> &'static str {
    if is_trimmed(c) { "x" } else { "" }
}

/// The links of `page` have these queries.
fn has_queries(finder: &Finder, page: &[u8], charset: Charset, chars: &[char]) {
    let links: Vec<_> = finder.find_iter(page).collect();
    assert_eq!(links.len(), chars.len(), "{charset}");
    for (link, c) in links.iter().zip(chars) {
        let uri = link.uri().expect("it has a URI").to_string();
        let query = uri.strip_prefix("http://h/?").expect("it has a query");
        assert_eq!(query, octets(charset, *c) + end(*c), "{charset}: {c:?}");
        assert_eq!(link.charset(), charset);
    }
}

/// `head`, and after it a reference for each character.
fn page(head: &str, chars: &[char]) -> String {
    chars.iter().fold(head.to_string(), |mut page, c| {
        let _ = writeln!(page, "<a href=\"http://h/?&#{};{}\">x</a>", u32::from(*c), end(*c));
        page
    })
}

#[test]
fn character_references_in_a_charset_that_is_declared_or_given() {
    let html = Finder::new().format(Format::Html);
    for charset in legacy() {
        let in_page = declared(charset);
        let chars: Vec<char> = characters(in_page).collect();
        let head = format!("<!doctype html><meta charset={}>", charset.name());
        has_queries(&html, page(&head, &chars).as_bytes(), in_page, &chars);
        let head = format!(
            "<meta http-equiv=Content-Type content=\"text/html; charset={}\">",
            charset.name()
        );
        has_queries(&html, page(&head, &chars[..99]).as_bytes(), in_page, &chars[..99]);
        let xml = format!("<?xml version=\"1.0\" encoding=\"{}\"?>", charset.name());
        let few = page(&xml, &chars[..99]);
        has_queries(&html.clone().format(Format::Xml), few.as_bytes(), in_page, &chars[..99]);
        let chars: Vec<char> = characters(charset).collect();
        let given = html.clone().charset(charset);
        has_queries(&given, page("", &chars).as_bytes(), charset, &chars);
    }
}

#[test]
fn characters_in_the_bytes_of_the_page() {
    for charset in legacy() {
        let given = Finder::new().format(Format::Html).charset(charset);
        let chars: Vec<char> =
            characters(charset).filter(|c| charset.holds(&c.to_string())).collect();
        let encoding =
            encoding_rs::Encoding::for_label(charset.name().as_bytes()).expect("a label");
        let mut page = Vec::new();
        for c in &chars {
            let link = format!("<a href=\"http://h/?{c}{}\">x</a>\n", end(*c));
            page.extend_from_slice(&encoding.encode(&link).0);
        }
        has_queries(&given, &page, charset, &chars);
    }
}

#[test]
fn a_reference_before_the_declaration_stays_in_utf_8() {
    let page =
        "<a href='http://h/?&#1078;'><meta charset=windows-1251><a href='http://h/?&#1078;'>";
    let links = |finder: &Finder, page: &[u8]| -> Vec<String> {
        let links = finder.find_iter(page);
        links.map(|link| format!("{} {}", link.uri().expect("a URI"), link.charset())).collect()
    };
    let html = Finder::new().format(Format::Html);
    let (utf8, legacy) = ("http://h/?%D0%B6 UTF-8", "http://h/?%E6 windows-1251");
    assert_eq!(links(&html, page.as_bytes()), [utf8, legacy]);
    // The charset that is given counts more, and so does a byte order mark.
    assert_eq!(links(&html.clone().charset(Charset::UTF_8), page.as_bytes()), [utf8, utf8]);
    let marked = ["\u{FEFF}", page].concat();
    assert_eq!(links(&html, marked.as_bytes()), [utf8, utf8]);
    // Rewriting writes the same, and a byte of the charset later does not change it.
    for after in [&b""[..], b" \xE6"] {
        let page = [page.as_bytes(), after].concat();
        let (written, _) = html.rewrite_slice(&page);
        let expected =
            "<a href='http://h/?%D0%B6'><meta charset=windows-1251><a href='http://h/?%E6'>";
        assert_eq!(&*written, [expected.as_bytes(), after].concat());
    }
}

/// A URL of a style sheet has its query in UTF-8 in every charset (CSSWG issue 9301).
#[test]
fn queries_of_style_sheets_are_in_utf_8() {
    for (page, link) in [
        ("<p style=\"background: url(http://h/?ж)\">", "http://h/?%D0%B6"),
        ("<p style=\"background: url('http://h/?&#1078;')\">", "http://h/?%D0%B6"),
        ("<style>@import 'http://h/?ж';</style>", "http://h/?%D0%B6"),
        ("<style>@font-face { src: url(http://h/?ж) }</style>", "http://h/?%D0%B6"),
        ("<svg><rect fill=\"url(http://h/?ж)\"></svg>", "http://h/?%D0%B6"),
        ("<svg><g clip-path='url(\"http://h/?ж#x\")'></svg>", "http://h/?%D0%B6#x"),
        ("<rect title=\"url(http://h/?ж)\">", "http://h/?%E6"),
        ("<img src=\"http://h/?ж\">", "http://h/?%E6"),
    ] {
        for (charset, label) in [("windows-1251", "windows-1251"), ("utf-8", "utf-8")] {
            let charset = Charset::for_label(charset).expect("a label");
            let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).expect("a label");
            let bytes = encoding.encode(page).0;
            for format in [Format::Html, Format::Xml] {
                let finder = Finder::new().format(format).charset(charset);
                let uris =
                    finder.find_iter(&*bytes).map(|link| link.uri().expect("a URI").to_string());
                let link = if charset == Charset::UTF_8 {
                    link.replace("%E6", "%D0%B6")
                } else {
                    link.into()
                };
                assert_eq!(uris.collect::<Vec<_>>(), [link], "{page} {charset} {format:?}");
            }
        }
    }
}
