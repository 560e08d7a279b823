//! The cells of the matrix (`src/tests/cells.rs`) as other parsers read them, before and after
//! rewriting: they read the same document, with the link rewritten.

use crate::{
    Finder, Format,
    cells::{self, Cell},
    encode::encode,
    markup,
};

/// True if there is another parser of the format.
fn is_parsed(format: Format) -> bool {
    matches!(format, Format::Html | Format::Xml | Format::Json | Format::JsonLd | Format::Turtle)
}

fn check(cell: &Cell, finder: &Finder) -> Result<(), String> {
    if !is_parsed(cell.format) {
        return Ok(());
    }
    let before = [&*cell.before, &cell.source, &cell.after].concat();
    let bytes = encode(&before, cell.charset).ok_or("the charset should hold it")?;
    let after = cell.charset.decode(&finder.rewrite_slice(&bytes[..]).0).into_owned();
    other_parser(cell, &before, &after)
        .map_err(|why| format!("{} {}: {before:?}: {why}", cell.format.as_str(), cell.charset))
}

/// What another parser reads is what it read before, but for the link.
fn other_parser(cell: &Cell, before: &str, after: &str) -> Result<(), String> {
    let read = match cell.format {
        Format::Html => markup::strings,
        Format::Xml => xml,
        Format::Json | Format::JsonLd => json,
        Format::Turtle => turtle,
        _ => return Err("no parser".into()),
    };
    let (before, after) = (read(before)?, read(after)?);
    let links = before.iter().filter(|text| text.contains(&cell.iri)).count();
    if links != 1 {
        return Err(format!("the other parser reads {before:?}"));
    }
    let iri = if cell.iri.is_ascii() { &cell.iri } else { &cell.uri };
    let want: Vec<_> = before.iter().map(|text| text.replace(&cell.iri, iri)).collect();
    let same = want == after;
    same.then_some(()).ok_or_else(|| format!("the other parser reads {after:?}"))
}

/// Names, values and text, as quick-xml reads them.
fn xml(document: &str) -> Result<Vec<String>, String> {
    use quick_xml::{XmlVersion, events::Event};

    let mut reader = quick_xml::Reader::from_str(document.trim_start_matches('\u{FEFF}'));
    let mut strings = vec![];
    let mut text = String::new();
    loop {
        let event = reader.read_event().map_err(|e| e.to_string())?;
        match &event {
            Event::Text(piece) => {
                text += &piece.xml10_content();
                continue;
            }
            Event::GeneralRef(reference) => {
                match reference.resolve_char_ref().map_err(|e| e.to_string())? {
                    Some(c) => text.push(c),
                    None if &*reference.xml10_content() == "amp" => text.push('&'),
                    None => return Err(format!("{reference:?}")),
                }
                continue;
            }
            _ => strings.push(std::mem::take(&mut text)),
        }
        match event {
            Event::Start(tag) | Event::Empty(tag) => {
                for attribute in tag.attributes() {
                    let attribute = attribute.map_err(|e| e.to_string())?;
                    let value = attribute.normalized_value(XmlVersion::Implicit1_0);
                    strings.push(value.map_err(|e| e.to_string())?.into_owned());
                }
            }
            Event::Eof => return Ok(strings),
            _ => {}
        }
    }
}

/// Keys and strings, as serde_json reads them.
fn json(document: &str) -> Result<Vec<String>, String> {
    fn strings(value: &serde_json::Value, out: &mut Vec<String>) {
        match value {
            serde_json::Value::String(text) => out.push(text.clone()),
            serde_json::Value::Array(items) => items.iter().for_each(|item| strings(item, out)),
            serde_json::Value::Object(pairs) => pairs.iter().for_each(|(key, value)| {
                out.push(key.clone());
                strings(value, out);
            }),
            _ => {}
        }
    }
    let document = document.trim_start_matches('\u{FEFF}');
    let value = serde_json::from_str(document).map_err(|e| e.to_string())?;
    let mut out = vec![];
    strings(&value, &mut out);
    Ok(out)
}

/// Terms, as oxttl reads them.
fn turtle(document: &str) -> Result<Vec<String>, String> {
    let document = document.trim_start_matches('\u{FEFF}');
    let mut strings = vec![];
    for triple in oxttl::TurtleParser::new().for_slice(document.as_bytes()) {
        let triple = triple.map_err(|e| e.to_string())?;
        strings.push(match triple.object {
            oxrdf::Term::NamedNode(node) => node.into_string(),
            oxrdf::Term::Literal(literal) => literal.value().to_string(),
            other => other.to_string(),
        });
    }
    Ok(strings)
}

#[test]
fn every_part_by_every_escape_in_every_format_and_charset() {
    cells::every_part(&check).finish(45_000);
}

#[test]
fn letters_directly_after_ascii() {
    cells::letters_after_ascii(&check).finish(10_000);
}

#[test]
fn ascii_links_in_every_format_and_charset() {
    let all = 2 * cells::SAMPLES.len() * cells::places().len();
    cells::ascii_links(&check).finish(all);
}
