//! What this format is: its row in the table of formats.

use super::{Man, writer};
use crate::format::{
    any_lexer::AnyLexer,
    kinds::Format,
    lexing::marked::Marked,
    row::{Clue, Row},
};

pub(in crate::format) static ROW: Row = Row {
    names: &["groff", "nroff", "manpage"],
    extensions: &["man", "mdoc", "roff", "troff"],
    may_have_extension: is_section,
    media_types: &["text/troff", "application/x-troff", "application/x-troff-man"],
    clues: &[Clue::Start(|head| {
        let starts: [&[u8]; 5] = [b".\\\"", b"'\\\"", b".TH ", b".Dd ", b".so "];
        starts.iter().any(|start| head.starts_with(start))
    })],
    has_escapes: true,
    stays_divided: true,
    ..Row::new(
        Format::Man,
        "Manual pages: roff with the macros of man and mdoc",
        |_| AnyLexer::Man(Marked::new(Man::default())),
        &writer::Man,
    )
};

/// True for a section of the manual, such as those of `ls.1` and `printf.3p`. Logs that were rotated have such names too.
fn is_section(extension: &str) -> bool {
    let mut letters = extension.chars();
    letters.next().is_some_and(|c| matches!(c, '1'..='9' | 'l' | 'n'))
        && letters.all(|c| c.is_ascii_lowercase())
}
