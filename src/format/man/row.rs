//! What this format is: its row in the table of formats.

use super::{Man, writer};
use crate::format::{kinds::Format, lexing::marked::Marked, reader::Reader, row::Row};

pub(in crate::format) static ROW: Row = Row {
    names: &["groff", "nroff", "manpage"],
    extensions: &["man", "mdoc", "roff", "troff"],
    media_types: &["text/troff", "application/x-troff", "application/x-troff-man"],
    has_escapes: true,
    stays_divided: true,
    ..Row::new(
        Format::Man,
        "Manual pages: roff with the macros of man and mdoc",
        |_| Reader::Man(Marked::new(Man::default())),
        &writer::Man,
    )
};

/// True if a document that begins with these bytes is a manual page.
pub(in crate::format) fn begins(head: &[u8]) -> bool {
    let starts: [&[u8]; 5] = [b".\\\"", b"'\\\"", b".TH ", b".Dd ", b".so "];
    starts.iter().any(|start| head.starts_with(start))
}
