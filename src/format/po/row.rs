//! What this format is: its row in the table of formats.

use super::{Po, writer};
use crate::format::{
    any_lexer::AnyLexer,
    kinds::Format,
    row::{Clue, Row},
};

pub(in crate::format) static ROW: Row = Row {
    names: &["gettext"],
    extensions: &["po", "pot"],
    media_types: &["text/x-po", "text/x-gettext-translation"],
    clues: &[Clue::Lines(&["msgid \""])],
    has_placeholders: true,
    ..Row::new(Format::Po, "PO: translations of gettext", |_| AnyLexer::Po(Po::new()), &writer::Po)
};
