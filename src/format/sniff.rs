//! Formats by the first bytes of a document.

use alloc::{string::String, vec::Vec};

use super::kinds::Format;
use crate::format::{csv::delimiter, man};

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
    if starts("<?xml") {
        return Format::Xml;
    }
    if starts("<!doctype") {
        return of_document_type(head[9..].trim_ascii_start());
    }
    if is_html(head) {
        return Format::Html;
    }
    if is_xml(head) {
        return Format::Xml;
    }
    if starts("<!--") {
        let after = memchr::memmem::find(head, b"-->").map_or(&head[..0], |at| &head[at + 3..]);
        return if after.is_empty() { Format::Html } else { sniff(after) };
    }
    if man::row::begins(head) {
        return Format::Man;
    }
    if starts("<?php") {
        return Format::Java;
    }
    if starts("#!/") || starts("#! /") {
        let line = head.split(|b| *b == b'\n').next().unwrap_or_default();
        let is_python = memchr::memmem::find(line, b"python").is_some();
        return if is_python { Format::Python } else { Format::Source };
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
    if let Some(format) = by_line(head) {
        return format;
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

/// True if a tag of HTML is at the start.
fn is_html(head: &[u8]) -> bool {
    let names = ["html", "head", "body", "title", "meta", "div", "p", "a", "table", "script"];
    names.iter().any(|name| {
        let tag = head.get(1..1 + name.len());
        head.first() == Some(&b'<')
            && tag.is_some_and(|tag| tag.eq_ignore_ascii_case(name.as_bytes()))
            && head.get(1 + name.len()).is_some_and(|b| b" \t\r\n>/".contains(b))
    })
}

/// The format of a document whose type has this name.
fn of_document_type(name: &[u8]) -> Format {
    // The second one is that of files of bookmarks.
    let is_html = ["html", "netscape-bookmark-file-1"].iter().any(|html| {
        name.get(..html.len()).is_some_and(|start| start.eq_ignore_ascii_case(html.as_bytes()))
    });
    if is_html { Format::Html } else { Format::Xml }
}

/// The roots of documents that are known by their name, without a prefix and in small letters.
const ROOTS: [&str; 17] = [
    "rss",
    "feed",
    "svg",
    "rdf",
    "urlset",
    "sitemapindex",
    "opml",
    "kml",
    "gpx",
    "tei",
    "teicorpus",
    "package",
    "ncx",
    "mediawiki",
    "schema",
    "stylesheet",
    "plist",
];

/// A start tag of a root that is known, or that declares a namespace.
fn is_xml(head: &[u8]) -> bool {
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b':' | b'_' | b'-' | b'.');
    let Some(tag) = head.strip_prefix(b"<") else { return false };
    let len = tag.iter().take_while(|b| is_name(b)).count();
    let (name, rest) = tag.split_at(len);
    if !name.first().is_some_and(u8::is_ascii_alphabetic)
        || !rest.first().is_some_and(|b| b" \t\r\n>/".contains(b))
    {
        return false;
    }
    let local = name.rsplit(|b| *b == b':').next().unwrap_or_default().to_ascii_lowercase();
    let attributes = &rest[..memchr::memchr(b'>', rest).unwrap_or(rest.len())];
    let declares =
        attributes.windows(6).any(|six| six[0].is_ascii_whitespace() && &six[1..] == b"xmlns");
    declares || ROOTS.iter().any(|root| root.as_bytes() == local)
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

/// The starts of lines that show a format, in small letters.
const LINES: [(Format, &[&str]); 5] = [
    (Format::Latex, &["\\documentclass", "\\documentstyle", "\\usepackage", "\\begin{document}"]),
    (Format::Po, &["msgid \""]),
    (
        Format::Org,
        &[
            "#+title:",
            "#+author:",
            "#+startup:",
            "#+options:",
            "#+begin_",
            "[[http://",
            "[[https://",
        ],
    ),
    (Format::Wikitext, &["{{infobox", "{{short description", "[[category:", "{|", "__notoc__"]),
    (Format::Rst, &[".. _", ".. image:: ", ".. figure:: ", ".. toctree::", ".. code-block:: "]),
];

/// The format by the start of a line, or by an entry of BibTeX.
fn by_line(head: &[u8]) -> Option<Format> {
    let found = LINES.iter().find(|(_, starts)| has_line(head, starts));
    found.map(|(format, _)| *format).or(is_bibtex(head).then_some(Format::Latex))
}

/// True if a line begins with one of `starts`, in any case.
fn has_line(head: &[u8], starts: &[&str]) -> bool {
    let begins = |line: &[u8], start: &str| {
        line.get(..start.len()).is_some_and(|it| it.eq_ignore_ascii_case(start.as_bytes()))
    };
    let mut lines = head.split(|b| *b == b'\n').map(<[u8]>::trim_ascii_start);
    lines.any(|line| starts.iter().any(|start| begins(line, start)))
}

/// An entry of BibTeX: `@article{key,`.
fn is_bibtex(head: &[u8]) -> bool {
    let Some(entry) = head.strip_prefix(b"@") else { return false };
    let name = entry.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    let rest = entry[name..].trim_ascii_start();
    name > 2 && rest.starts_with(b"{") && rest.contains(&b',')
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
    /// assert_eq!(Format::sniff(b"<opml version='2.0'>"), Format::Xml);
    /// assert_eq!(Format::sniff(b"<http://a.example/>"), Format::Text);
    /// ```
    #[must_use]
    pub fn sniff(head: &[u8]) -> Format {
        sniff(head)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bytes_show_a_format() {
        for (head, format) in [
            ("", Format::Text),
            ("a\n", Format::Text),
            ("\u{FEFF} <!DOCTYPE html>", Format::Html),
            ("<!doctype netscape-bookmark-file-1>", Format::Html),
            ("<!DOCTYPE svg>", Format::Xml),
            ("<!-- a --><p>b", Format::Html),
            ("<!-- a --><rss>", Format::Xml),
            ("<!-- a", Format::Html),
            ("<table class=a>", Format::Html),
            ("<tables>", Format::Text),
            ("BEGIN:VCALENDAR\r\n", Format::Ical),
            ("begin:vcard\r\n", Format::Ical),
            ("#!/bin/sh\n", Format::Source),
            (".TH LS 1\n", Format::Man),
            (".\\\" comment\n.Dd May 1, 2026\n", Format::Man),
            ("#! /usr/bin/env python3\n", Format::Python),
            ("<?php\n", Format::Java),
            ("#!a\n", Format::Text),
            ("@prefix a: <http://a.example/> .", Format::Turtle),
            ("@base <http://a.example/> .", Format::Turtle),
            ("PREFIX a: <http://a.example/>", Format::Turtle),
            ("<http://a.example/b> <http://a.example/c> \"d\" .", Format::Turtle),
            ("<http://a.example/b>, c", Format::Text),
            ("{\"a\": 1}", Format::Json),
            ("= A title\n:toc:\n", Format::AsciiDoc),
            ("# A title\n\n[a](http://b.example/)\n", Format::Markdown),
            ("a,b,c\n1,2,3\n4,5,6\n", Format::Csv),
            ("a\tb\n1\t2\n3\t4\n", Format::Tsv),
            ("a,b\n1,2\n3,4\n", Format::Text),
        ] {
            assert_eq!(sniff(head.as_bytes()), format, "{head}");
            let wide: Vec<u8> = head.encode_utf16().flat_map(u16::to_le_bytes).collect();
            let mark = head.starts_with('\u{FEFF}');
            assert!(mark || sniff(&wide) == format, "{head} in UTF-16");
        }
    }
}
