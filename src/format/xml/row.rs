//! What this format is: its row in the table of formats.

use super::Xml;
use crate::{
    format::{
        document::declared,
        kinds::Format,
        markup::writer::Markup,
        reader::Reader,
        row::{Division, Row},
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
    declared: Some(declared::xml),
    division: Division::Tags,
    has_escapes: true,
    has_tags: true,
    is_markup: true,
    stays_divided: true,
    references: |place| match place.around() {
        Around::Escaped => References::Double,
        _ => References::Single,
    },
    wraps_html: true,
    ..Row::new(
        Format::Xml,
        "XML: feeds, RDF, SVG, XHTML",
        |start| Reader::Xml(Xml::new(start.triggers(), &start.rules.tuning)),
        &Markup,
    )
};
