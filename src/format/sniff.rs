//! Formats by the first bytes of a document.

use alloc::{string::String, vec::Vec};

use super::{delimiter, kinds::Format};

/// As [`Format::sniff`].
pub(super) fn sniff(head: &[u8]) -> Format {
    // UTF-16 and UTF-32: the letters of markup have NULs beside them.
    let narrow: Vec<u8> = head.iter().copied().filter(|b| *b != 0).collect();
    let marks: [&[u8]; 4] = [b"\xEF\xBB\xBF", b"\xFF\xFE", b"\xFE\xFF", b""];
    let head = marks.iter().find_map(|mark| narrow.strip_prefix(*mark)).unwrap_or(&narrow);
    let head = head.trim_ascii_start();
    let starts = |with: &str| {
        head.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with.as_bytes()))
    };
    let is_html = |head: &[u8]| {
        let names = ["html", "head", "body", "title", "meta", "div", "p", "a", "table", "script"];
        names.iter().any(|name| {
            let tag = head.get(1..1 + name.len());
            head.first() == Some(&b'<')
                && tag.is_some_and(|tag| tag.eq_ignore_ascii_case(name.as_bytes()))
                && head.get(1 + name.len()).is_some_and(|b| b" \t\r\n>/".contains(b))
        })
    };
    if starts("<?xml") || starts("<rss") || starts("<feed") || starts("<svg") || starts("<rdf:rdf")
    {
        return Format::Xml;
    }
    if starts("<!doctype html") || is_html(head) {
        return Format::Html;
    }
    if starts("<!--") {
        let after = memchr::memmem::find(head, b"-->").map_or(&head[..0], |at| &head[at + 3..]);
        return if after.is_empty() { Format::Html } else { sniff(after) };
    }
    if starts("begin:vcalendar") || starts("begin:vcard") {
        return Format::Ical;
    }
    if starts("@prefix ")
        || starts("@base ")
        || starts("PREFIX ")
        || starts("<http") && is_triple(head)
    {
        return Format::Turtle;
    }
    if is_json(head) {
        return Format::Json;
    }
    if is_asciidoc(head) {
        return Format::AsciiDoc;
    }
    if is_markdown(head) {
        return Format::Markdown;
    }
    match delimiter::sniff(&String::from_utf8_lossy(&head[..head.len().min(delimiter::HEAD)])) {
        Some(b'\t') => Format::Tsv,
        Some(_) => Format::Csv,
        None => Format::Text,
    }
}

/// An object or array whose first member is one of JSON.
fn is_json(head: &[u8]) -> bool {
    let [open, rest @ ..] = head else { return false };
    let rest = rest.trim_ascii_start();
    match (open, rest.first()) {
        (b'{', Some(b'}')) | (b'[', Some(b']')) => rest[1..].trim_ascii().is_empty(),
        (b'{', Some(b'"')) => {
            let key = memchr::memchr(b'"', &rest[1..]).map(|end| &rest[end + 2..]);
            key.is_some_and(|after| after.trim_ascii_start().first() == Some(&b':'))
        }
        (b'[', Some(b)) => matches!(b, b'"' | b'{' | b'['),
        _ => false,
    }
}

/// A title, and then an attribute entry or a link macro.
fn is_asciidoc(head: &[u8]) -> bool {
    let mut lines = head.split(|b| *b == b'\n').map(<[u8]>::trim_ascii_end);
    let is_title = lines.next().is_some_and(|line| line.starts_with(b"= "));
    let is_entry = |line: &[u8]| {
        let name = line.strip_prefix(b":").and_then(|rest| rest.iter().position(|b| *b == b':'));
        let is_name = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'!');
        name.is_some_and(|len| len > 0 && line[1..=len].iter().all(is_name))
    };
    let has_macro = |line: &[u8]| memchr::memmem::find(line, b"link:").is_some();
    is_title && lines.any(|line| is_entry(line) || has_macro(line))
}

/// A link with a target that has a scheme, or a definition of one.
fn is_markdown(head: &[u8]) -> bool {
    let has = |text: &[u8]| memchr::memmem::find(head, text).is_some();
    [&b"](http://"[..], b"](https://", b"]: http://", b"]: https://"].iter().any(|text| has(text))
}

/// A line `<…> <…> … .` of N-Triples.
fn is_triple(head: &[u8]) -> bool {
    let line = head.split(|b| *b == b'\n').next().unwrap_or_default().trim_ascii_end();
    line.ends_with(b".") && line.iter().filter(|b| **b == b'<').count() >= 2
}

impl Format {
    /// The format of a document that begins with `head`, of which a few hundred bytes
    /// are enough. [`Format::Text`] if nothing shows another one.
    ///
    /// ```
    /// use iriscan::Format;
    ///
    /// assert_eq!(Format::sniff(b"\n<!DOCTYPE html><title>x"), Format::Html);
    /// assert_eq!(Format::sniff(b"<?xml version='1.0'?><rss>"), Format::Xml);
    /// assert_eq!(Format::sniff(b"BEGIN:VCARD\r\nVERSION:4.0"), Format::Ical);
    /// assert_eq!(Format::sniff(b"<http://a.example/>"), Format::Text);
    /// ```
    #[must_use]
    pub fn sniff(head: &[u8]) -> Format {
        sniff(head)
    }
}
