//! HTML in the text of XML, as feeds have it: where it begins.
//!
//! The bytes of a text go in; out comes whether they begin with a tag of HTML, escaped or in a CDATA section.
//! [`Nested`](crate::format::xml::nested::Nested) reads the rest. What must hold: `a < b` begins no HTML.

use crate::format::{
    lexing::{lexer::AHEAD, lookahead::Lookahead},
    markup::tag::Name,
};

/// Elements of HTML that are looked for in the text of feeds, in order.
const ELEMENTS: [&[u8]; 64] = [
    b"a",
    b"abbr",
    b"address",
    b"article",
    b"aside",
    b"audio",
    b"b",
    b"big",
    b"blockquote",
    b"body",
    b"br",
    b"center",
    b"cite",
    b"code",
    b"dd",
    b"del",
    b"div",
    b"dl",
    b"dt",
    b"em",
    b"embed",
    b"figcaption",
    b"figure",
    b"font",
    b"footer",
    b"form",
    b"h1",
    b"h2",
    b"h3",
    b"h4",
    b"h5",
    b"h6",
    b"head",
    b"header",
    b"hr",
    b"html",
    b"i",
    b"iframe",
    b"img",
    b"ins",
    b"li",
    b"object",
    b"ol",
    b"p",
    b"picture",
    b"pre",
    b"q",
    b"s",
    b"script",
    b"section",
    b"small",
    b"source",
    b"span",
    b"strike",
    b"strong",
    b"style",
    b"sub",
    b"sup",
    b"table",
    b"td",
    b"tr",
    b"u",
    b"ul",
    b"video",
];

/// Whether `bytes` begin with a tag of HTML, escaped or in a CDATA section (`cdata`).
pub(in crate::format) fn is_html(cdata: bool, bytes: Lookahead<'_>) -> Option<bool> {
    let tag = match bytes.as_slice() {
        [b'<', rest @ ..] if cdata => rest,
        [b'&', b'l', b't', b';', rest @ ..] if !cdata => rest,
        _ => return Some(false),
    };
    let name = tag.strip_prefix(b"/").unwrap_or(tag);
    let len = name.iter().take(12).take_while(|b| b.is_ascii_alphanumeric()).count();
    let element = Name::from(&name[..len]);
    let behind = &name[len..];
    let known = ELEMENTS.binary_search(&element.get()).is_ok();
    if !known && (bytes.is_last() || !behind.is_empty()) {
        return Some(false);
    }
    // An attribute, or the end: `a < b and` is not a tag.
    let behind = &behind[..behind.len().min(AHEAD - 20)];
    let mut rest = behind.trim_ascii_start();
    if rest.len() < behind.len() {
        let word = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || b"-_:".contains(b));
        rest = rest[word.count()..].trim_ascii_start();
    }
    match rest.first() {
        None if behind.len() < AHEAD - 20 && bytes.is_partial() => None,
        Some(b'>' | b'/' | b'=') => Some(true),
        Some(b'&') if rest.len() < 4 && b"&gt;".starts_with(rest) && bytes.is_partial() => None,
        _ => Some(rest.starts_with(b"&gt;")),
    }
}
