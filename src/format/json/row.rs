//! What this format is: its row in the table of formats.

use super::{Json, writer};
use crate::format::{
    kinds::Format,
    reader::Reader,
    row::{Division, Row},
};

pub(in crate::format) static ROW: Row = Row {
    names: &["json lines"],
    extensions: &[
        "json",
        "jsonl",
        "ndjson",
        "geojson",
        "jsonld",
        "webmanifest",
        "ipynb",
        "har",
        "map",
    ],
    media_types: &["application/json"],
    has_media_type: |name| name.starts_with("application/") && name.ends_with("json"),
    division: Division::Unescaped,
    has_escapes: true,
    ..Row::new(
        Format::Json,
        "JSON and JSON Lines",
        |start| {
            Reader::Json(Json::new(start.rules.options.fields.clone()).divided(start.divided()))
        },
        &writer::Json,
    )
};
