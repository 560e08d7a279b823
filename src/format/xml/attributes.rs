//! What the attributes of XML hold: a reference, a list of them, text, or nothing that is read.
//!
//! An attribute goes in with its element; out comes the region of its value. HTML has its own table in
//! [`attributes`](crate::format::markup::attributes). What must hold: names of namespaces are no references, because they are
//! compared and not opened.

use crate::format::{
    lexing::{
        lexer::{Region, Value},
        triggers::Triggers,
    },
    markup::tag::{Meaning, Part, Tag},
};

/// The processing instruction that names a style sheet (Associating Style Sheets with XML documents).
pub(in crate::format) const STYLESHEET: &[u8] = b"xml-stylesheet";

/// Text up to this length is searched for triggers before it becomes a region.
const SHORT: usize = 256;

/// Returns what the value is that `bytes` begin with: text only if it may hold a link.
pub(in crate::format) fn meaning(tag: &Tag, triggers: Triggers, bytes: &[u8]) -> Meaning {
    match (region_of(tag), tag.part) {
        (None, _) => Meaning::NoText,
        (Some(Region::Field), Part::Value { quote: quote @ 1.., .. })
            if idle(triggers, bytes, quote).is_some() =>
        {
            Meaning::NoText
        }
        (Some(region), _) => Meaning::Text(region),
    }
}

/// Returns what the value of the current attribute is, if it is text.
pub(in crate::format) fn region_of(tag: &Tag) -> Option<Region> {
    let is_in = |element: &[u8]| local(tag.element.get()) == element;
    let value = match tag.attribute.get() {
        b"href" if is_in(b"base") => Value::Base,
        // Of a processing instruction nothing else is text.
        name if tag.element.get() == STYLESHEET => match name {
            b"href" => Value::One,
            _ => return None,
        },
        b"rdf:about" | b"rdf:resource" | b"rdf:datatype" => Value::About,
        // What identifiers are relative to.
        b"xml:base" if is_in(b"rdf") => Value::About,
        b"href" | b"src" | b"xlink:href" | b"url" | b"xml:base" | b"poster" | b"cite"
        | b"formaction" | b"background" | b"longdesc" => Value::One,
        b"action" if is_in(b"form") => Value::One,
        b"data" if is_in(b"object") => Value::One,
        b"srcset" | b"imagesrcset" => Value::Srcset,
        b"style" => Value::Css,
        // OPML.
        b"xmlurl" | b"htmlurl" => Value::One,
        // TEI.
        b"target" if is_in(b"ref") || is_in(b"ptr") => Value::List,
        // Office documents.
        b"target" if is_in(b"relationship") => Value::One,
        b"type" if is_in(b"relationship") => return None,
        // XML Schema.
        b"schemalocation"
            if [&b"import"[..], b"include", b"redefine", b"override"].into_iter().any(is_in) =>
        {
            Value::One
        }
        name if local(name) == b"schemalocation" => Value::Pairs,
        name if local(name) == b"nonamespaceschemalocation" => Value::One,
        name if is_name(name) => return None,
        // In office documents, the kind of a drawing, of a property, or of data.
        name if local(name) == b"uri"
            && [&b"graphicdata"[..], b"compatsetting", b"schemaref"].into_iter().any(is_in) =>
        {
            return None;
        }
        _ => return Some(Region::Field),
    };
    Some(Region::Reference(value))
}

/// Whether the current value is the base of its element (XML Base, section 3).
pub(in crate::format) fn is_base(tag: &Tag) -> bool {
    tag.attribute.get() == b"xml:base"
}

/// Whether an attribute holds names of namespaces, which are compared, not opened.
fn is_name(attribute: &[u8]) -> bool {
    attribute.starts_with(b"xmlns") || matches!(attribute, b"targetnamespace" | b"namespace")
}

/// A name without its prefix.
pub(in crate::format) fn local(name: &[u8]) -> &[u8] {
    name.iter().rposition(|b| *b == b':').map_or(name, |colon| &name[colon + 1..])
}

/// Returns the length of the text that `bytes` begin with, up to `end`, if it is short and cannot
/// hold a link.
pub(in crate::format) fn idle(triggers: Triggers, bytes: &[u8], end: u8) -> Option<usize> {
    let ends = |b: u8| b == end || matches!(b, b'&' | b'@' | b'(') || triggers.has(b);
    let len = bytes.iter().take(SHORT).position(|b| ends(*b))?;
    (bytes[len] == end && triggers != Triggers::Any).then_some(len)
}
