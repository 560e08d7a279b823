//! What this format is: its row in the table of formats.

use super::{Rst, writer};
use crate::format::{
    any_lexer::AnyLexer,
    kinds::Format,
    lexing::marked::Marked,
    row::{Clue, Row},
};

pub(in crate::format) static ROW: Row = Row {
    names: &["restructuredtext"],
    extensions: &["rst", "rest"],
    media_types: &["text/x-rst", "text/prs.fallenstein.rst"],
    clues: &[Clue::Lines(&[
        ".. _",
        ".. image:: ",
        ".. figure:: ",
        ".. toctree::",
        ".. code-block:: ",
    ])],
    ..Row::new(
        Format::Rst,
        "reStructuredText",
        |_| AnyLexer::Rst(Marked::new(Rst::default())),
        &writer::Rst,
    )
};
