//! What this format is: its row in the table of formats.

use super::Xml;
use crate::{
    format::{
        any_lexer::AnyLexer,
        document::declared,
        kinds::Format,
        markup::writer::Markup,
        row::{Clue, Division, Row, begins},
    },
    links::{logical::References, place::Around},
};

pub(in crate::format) static ROW: Row = Row {
    extensions: &[
        "xml", "rss", "atom", "rdf", "owl", "svg", "xhtml", "xht", "opml", "xsl", "xslt", "xsd",
        "kml", "gpx", "opf", "ncx", "wsdl", "tei",
    ],
    media_types: &["text/xml", "application/xml"],
    has_media_type: |name| name.starts_with("application/") && name.ends_with("+xml"),
    clues: &[Clue::Start(|head| {
        begins(head, "<?xml") || begins(head, "<!doctype") || has_root(head)
    })],
    declared: Some(declared::xml),
    division: Division::Tags,
    has_escapes: true,
    has_tags: true,
    is_markup: true,
    stays_divided: true,
    references: |place| match place.around() {
        Around::Escaped => References::Double,
        Around::Remark => References::None,
        _ => References::Single,
    },
    wraps_html: true,
    ..Row::new(
        Format::Xml,
        "XML: feeds, RDF, SVG, XHTML",
        |start| {
            let xml = Xml::new(start.triggers(), &start.rules.tuning);
            AnyLexer::Xml(xml.comments(start.rules.options.comments))
        },
        &Markup,
    )
};

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

/// True if the start tag of a root is at the start that is known or declares a namespace.
fn has_root(head: &[u8]) -> bool {
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
