//! What this format is: its row in the table of formats.

use super::{Turtle, writer};
use crate::format::{
    any_lexer::AnyLexer,
    kinds::Format,
    row::{Clue, Row, begins},
};

pub(in crate::format) static ROW: Row = Row {
    names: &["n-triples", "n-quads"],
    extensions: &["ttl", "turtle", "nt", "nq", "trig"],
    media_types: &[
        "text/turtle",
        "application/n-triples",
        "application/n-quads",
        "application/trig",
    ],
    clues: &[Clue::Start(is_turtle)],
    ..Row::new(
        Format::Turtle,
        "Turtle, TriG, N-Triples, N-Quads",
        |_| AnyLexer::Turtle(Turtle::new()),
        &writer::Turtle,
    )
};

/// True if a directive is at the start, or a triple.
fn is_turtle(head: &[u8]) -> bool {
    ["@prefix ", "@base ", "prefix "].iter().any(|directive| begins(head, directive))
        || begins(head, "<http") && is_triple(head)
}

/// True if the first line is `<…> <…> … .`, as in N-Triples.
fn is_triple(head: &[u8]) -> bool {
    let line = head.split(|b| *b == b'\n').next().unwrap_or_default().trim_ascii_end();
    line.ends_with(b".") && line.iter().filter(|b| **b == b'<').count() >= 2
}
