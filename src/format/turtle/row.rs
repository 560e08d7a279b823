//! What this format is: its row in the table of formats.

use super::{Turtle, writer};
use crate::format::{kinds::Format, reader::Reader, row::Row};

pub(in crate::format) static ROW: Row = Row {
    names: &["n-triples", "n-quads"],
    extensions: &["ttl", "turtle", "nt", "nq", "trig"],
    media_types: &[
        "text/turtle",
        "application/n-triples",
        "application/n-quads",
        "application/trig",
    ],
    ..Row::new(
        Format::Turtle,
        "Turtle, TriG, N-Triples, N-Quads",
        |_| Reader::Turtle(Turtle::new()),
        &writer::Turtle,
    )
};
