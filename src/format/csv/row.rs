//! What this format is: its row in the table of formats.

use alloc::string::String;

use super::{Csv, delimiter, writer};
use crate::format::{
    any_lexer::AnyLexer,
    kinds::Format,
    row::{Clue, Division, Fields, Row},
};

pub(in crate::format) static CSV: Row = Row {
    extensions: &["csv"],
    media_types: &["text/csv"],
    clues: &[Clue::Columns(|head| delimiter_of(head).is_some_and(|it| it != b'\t'))],
    fields: Fields::Sought,
    division: Division::Lines,
    ..Row::new(
        Format::Csv,
        "CSV: each field is text",
        |start| AnyLexer::Csv(Csv::new(start.delimiter, start.first, start.triggers())),
        &writer::Fields,
    )
};

pub(in crate::format) static TSV: Row = Row {
    extensions: &["tsv", "tab"],
    media_types: &["text/tab-separated-values"],
    clues: &[Clue::Columns(|head| delimiter_of(head) == Some(b'\t'))],
    fields: Fields::By(b'\t'),
    division: Division::Lines,
    ..Row::new(
        Format::Tsv,
        "The same, with tabs between the fields",
        |start| AnyLexer::Csv(Csv::new(start.delimiter, start.first, start.triggers())),
        &writer::Fields,
    )
};

/// The delimiter that the first records show.
fn delimiter_of(head: &[u8]) -> Option<u8> {
    delimiter::sniff(&String::from_utf8_lossy(&head[..head.len().min(delimiter::HEAD)]))
}
