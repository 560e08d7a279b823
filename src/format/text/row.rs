//! What this format is: its row in the table of formats.

use super::writer;
use crate::format::{
    any_lexer::AnyLexer,
    html::Html,
    kinds::Format,
    row::{Division, Row},
};

pub(in crate::format) static ROW: Row = Row {
    names: &["plain", "plain text"],
    extensions: &["txt", "text"],
    has_media_type: |name| name.starts_with("text/"),
    division: Division::Text,
    ..Row::new(
        Format::Text,
        "Plain text",
        |start| AnyLexer::Html(Html::new(start.triggers(), &start.rules.tuning)),
        &writer::Text,
    )
};
