//! What wraps the text: formats as regions and escapes over the one scanner.
//!
//! A [`Lexer`] knows one syntax and no links; [`document`] runs the scanner for
//! plain text over what the lexer says is text, and takes what is found back to the
//! bytes of the source.

mod declared;
pub(crate) mod document;
mod entities;
pub(crate) mod escape;
mod html;
mod json;
mod layout;
pub(crate) mod lexer;
mod log;
pub(crate) mod logical;
mod map;
mod names;
mod nested;
mod prose;
mod sniff;
mod tag;
#[cfg(test)]
mod tests;
mod transcoder;
mod turtle;
mod value;
mod xml;

use crate::{charset::Charset, finder::Rules, scanner::machine::anchors};
use lexer::{Lexer, Token};

/// The syntax that wraps the text of a document.
///
/// It says where text is, and what stands in it for something else; the links are
/// those of the text, spans are in the bytes of the source, and rewriting changes
/// the links and nothing else, with the format's own escapes.
///
/// ```
/// use iriscan::{Finder, Format};
///
/// let page = "<p title='é'>http://a.example/&eacute;<a href='?q=ü&amp;r=1'>";
/// let finder = Finder::new().format(Format::Html);
/// let links: Vec<_> = finder.find_iter(page).map(|link| link.iri().into_owned()).collect();
/// assert_eq!(links, ["http://a.example/é", "?q=ü&r=1"]);
/// let (rewritten, _) = finder.rewrite_slice(page);
/// assert_eq!(
///     str::from_utf8(&rewritten).unwrap(),
///     "<p title='é'>http://a.example/%C3%A9<a href='?q=%C3%BC&amp;r=1'>",
/// );
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Plain text.
    #[default]
    Text,
    /// HTML, by the tokenizer of the HTML standard: text and attribute values are
    /// prose, URL attributes are references; scripts, comments and `<textarea>` are
    /// neither.
    Html,
    /// XML 1.0: text, CDATA and attribute values are prose, attributes that are
    /// known to hold a reference are references, and so are elements that hold nothing
    /// but one (`<link>`, `<guid>`, `<loc>`), and those of HTML that stands
    /// escaped in text; namespace names, comments and processing instructions are
    /// neither.
    Xml,
    /// JSON and JSON Lines: strings are prose, with their escapes; of fields that are
    /// asked for ([`Config::fields`](crate::Config::fields)), or all.
    Json,
    /// Logs: prose, with the escapes that servers and loggers write (`\\xC3\\xA9`,
    /// `\\u00e9`, `\\"`), and sequences of terminals.
    Log,
    /// Turtle, TriG, N-Triples, N-Quads: IRIs in `<…>` are references, literals and
    /// comments are prose.
    Turtle,
}

impl Format {
    /// Every format.
    pub const ALL: &'static [Format] =
        &[Format::Text, Format::Html, Format::Xml, Format::Json, Format::Log, Format::Turtle];

    /// The format by its name in options: that of [`Format::as_str`].
    #[must_use]
    pub fn from_name(name: &str) -> Option<Format> {
        Format::ALL.iter().copied().find(|format| format.as_str() == name)
    }

    /// The name of the format.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Format::Text => "text",
            Format::Html => "html",
            Format::Xml => "xml",
            Format::Json => "json",
            Format::Log => "log",
            Format::Turtle => "turtle",
        }
    }

    /// The format of files whose name ends in a dot and `extension`, in any case.
    ///
    /// ```
    /// use iriscan::Format;
    ///
    /// assert_eq!(Format::from_extension("HTM"), Some(Format::Html));
    /// assert_eq!(Format::from_extension("rss"), Some(Format::Xml));
    /// assert_eq!(Format::from_extension("c"), None);
    /// ```
    #[must_use]
    pub fn from_extension(extension: &str) -> Option<Format> {
        Some(match &*extension.to_ascii_lowercase() {
            "txt" | "text" | "md" | "markdown" => Format::Text,
            "html" | "htm" | "shtml" => Format::Html,
            "xml" | "rss" | "atom" | "rdf" | "owl" | "svg" | "xhtml" | "xht" | "opml" | "xsl"
            | "xslt" | "xsd" | "kml" | "gpx" => Format::Xml,
            "json" | "jsonl" | "ndjson" | "geojson" | "jsonld" | "webmanifest" | "ipynb"
            | "har" | "map" => Format::Json,
            "log" => Format::Log,
            "ttl" | "turtle" | "nt" | "nq" | "trig" => Format::Turtle,
            _ => return None,
        })
    }

    /// The format of a document that begins with `head`, of which a few hundred bytes
    /// tell. [`Format::Text`] if nothing shows another one.
    ///
    /// ```
    /// use iriscan::Format;
    ///
    /// assert_eq!(Format::sniff(b"\n<!DOCTYPE html><title>x"), Format::Html);
    /// assert_eq!(Format::sniff(b"<?xml version='1.0'?><rss>"), Format::Xml);
    /// assert_eq!(Format::sniff(b"<http://a.example/>"), Format::Text);
    /// ```
    #[must_use]
    pub fn sniff(head: &[u8]) -> Format {
        sniff::sniff(head)
    }

    /// Whether the start of a document may say in which charset it is.
    fn declares(self) -> bool {
        matches!(self, Format::Html | Format::Xml)
    }

    /// What the start of a document says of its charset.
    fn declared(self, head: &[u8]) -> Option<Charset> {
        match self {
            Format::Html => declared::html(head),
            Format::Xml => declared::xml(head),
            Format::Text | Format::Json | Format::Log | Format::Turtle => None,
        }
    }

    /// Whether every byte that the format gives a meaning stands for itself in the
    /// charsets of several bytes: 00–2F and 3A–3F.
    fn is_sync(self) -> bool {
        matches!(self, Format::Html | Format::Xml)
    }
}

/// The lexer of a format.
#[derive(Clone, Debug)]
enum Reader {
    Html(html::Html),
    Xml(xml::Xml),
    Json(json::Json),
    Log(log::Log),
    Turtle(turtle::Turtle),
}

impl Reader {
    fn new(format: Format, rules: &Rules) -> Reader {
        let told = || html::Told::by(anchors(rules));
        match format {
            Format::Xml => Reader::Xml(xml::Xml::new(told())),
            Format::Json => Reader::Json(json::Json::new(rules.fields.clone())),
            Format::Log => Reader::Log(log::Log::new()),
            Format::Turtle => Reader::Turtle(turtle::Turtle::new()),
            Format::Html | Format::Text => Reader::Html(html::Html::new(told())),
        }
    }

    /// Whether markup that follows, or text in a format without any, is what it would be
    /// at the start of a document.
    fn is_between(&self) -> bool {
        match self {
            Reader::Html(lexer) => lexer.is_between(),
            Reader::Xml(lexer) => lexer.is_between(),
            Reader::Json(lexer) => lexer.is_between(),
            Reader::Log(lexer) => lexer.is_between(),
            Reader::Turtle(_) => false,
        }
    }

    #[inline]
    fn next(&mut self, bytes: &[u8], last: bool) -> Option<Token> {
        #[cfg(test)]
        crate::cursor::STEPS.set(crate::cursor::STEPS.get() + 1);
        match self {
            Reader::Html(lexer) => lexer.next(bytes, last),
            Reader::Xml(lexer) => lexer.next(bytes, last),
            Reader::Json(lexer) => lexer.next(bytes, last),
            Reader::Log(lexer) => lexer.next(bytes, last),
            Reader::Turtle(lexer) => lexer.next(bytes, last),
        }
    }

    /// As [`Lexer::spell`].
    fn spell(&mut self, bytes: &[u8], last: bool, spelt: &mut lexer::Spelt<'_>) -> usize {
        match self {
            Reader::Html(lexer) => lexer.spell(bytes, last, spelt),
            Reader::Xml(lexer) => lexer.spell(bytes, last, spelt),
            Reader::Json(lexer) => lexer.spell(bytes, last, spelt),
            Reader::Log(lexer) => lexer.spell(bytes, last, spelt),
            Reader::Turtle(lexer) => lexer.spell(bytes, last, spelt),
        }
    }
}
