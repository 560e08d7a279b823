//! What this format is: its row in the table of formats.

use super::{Json, writer};
use crate::format::{
    any_lexer::AnyLexer,
    kinds::Format,
    row::{Clue, Division, Row},
};

pub(in crate::format) static JSON: Row = Row {
    names: &["json lines"],
    extensions: &["json", "jsonl", "ndjson", "geojson", "webmanifest", "har", "map"],
    media_types: &["application/json"],
    has_media_type: |name| name.starts_with("application/") && name.ends_with("json"),
    clues: &[Clue::Start(is_json)],
    division: Division::Unescaped,
    has_escapes: true,
    ends_at_quotes: true,
    ..Row::new(
        Format::Json,
        "JSON and JSON Lines",
        |start| {
            AnyLexer::Json(Json::new(start.rules.options.fields.clone()).divided(start.divided()))
        },
        &writer::Json,
    )
};

pub(in crate::format) static JSON_LD: Row = Row {
    names: &["json-ld"],
    extensions: &["jsonld"],
    media_types: &["application/ld+json"],
    division: Division::Unescaped,
    has_escapes: true,
    ends_at_quotes: true,
    ..Row::new(
        Format::JsonLd,
        "JSON-LD: JSON with links that are identifiers",
        |start| {
            let json = Json::linked(start.rules.options.fields.clone());
            AnyLexer::Json(json.divided(start.divided()))
        },
        &writer::Json,
    )
};

/// True if an object or an array is at the start, with a first member as in JSON.
fn is_json(head: &[u8]) -> bool {
    let [open, rest @ ..] = head else { return false };
    let rest = rest.trim_ascii_start();
    match (open, rest.first()) {
        (b'{', Some(b'}')) | (b'[', Some(b']')) => rest[1..].trim_ascii().is_empty(),
        (b'{', Some(b'"')) => {
            let key = memchr::memchr(b'"', &rest[1..]).map(|end| &rest[end + 2..]);
            key.is_some_and(|after| after.trim_ascii_start().first() == Some(&b':'))
        }
        // Links of wikis and of Org begin with two brackets too.
        (b'[', Some(b'[')) => {
            let first = rest[1..].trim_ascii_start().first();
            first.is_some_and(|b| b"\"{[]-".contains(b) || b.is_ascii_digit())
        }
        (b'[', Some(b)) => matches!(b, b'"' | b'{'),
        _ => false,
    }
}
