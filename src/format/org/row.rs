//! What this format is: its row in the table of formats.

use super::{Org, writer};
use crate::format::{
    any_lexer::AnyLexer,
    kinds::Format,
    lexing::marked::Marked,
    row::{Clue, Row},
};

pub(in crate::format) static ROW: Row = Row {
    names: &["org-mode"],
    extensions: &["org"],
    media_types: &["text/org", "text/x-org"],
    clues: &[Clue::Lines(&[
        "#+title:",
        "#+author:",
        "#+startup:",
        "#+options:",
        "#+begin_",
        "[[http://",
        "[[https://",
    ])],
    ..Row::new(Format::Org, "Org", |_| AnyLexer::Org(Marked::new(Org::default())), &writer::Org)
};
