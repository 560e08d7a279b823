//! What this format is: its row in the table of formats.

use super::{Latex, writer};
use crate::{
    format::{
        any_lexer::AnyLexer,
        kinds::Format,
        lexing::marked::Marked,
        row::{Clue, Row},
    },
    links::{
        logical::References,
        place::{Around, Inside},
    },
};

pub(in crate::format) static ROW: Row = Row {
    names: &["bibtex"],
    extensions: &["tex", "bib", "ltx", "sty", "latex"],
    media_types: &[
        "text/x-tex",
        "text/x-latex",
        "text/x-bibtex",
        "application/x-tex",
        "application/x-latex",
        "application/x-bibtex",
    ],
    clues: &[
        Clue::Start(is_bibtex),
        Clue::Lines(&["\\documentclass", "\\documentstyle", "\\usepackage", "\\begin{document}"]),
    ],
    references: |place| match (place.inside(), place.around()) {
        (Inside::Text, _) => References::Backslash,
        (Inside::Attribute { .. }, Around::Escaped) => References::Argument,
        _ => References::None,
    },
    ..Row::new(
        Format::Latex,
        "LaTeX and BibTeX",
        |_| AnyLexer::Latex(Marked::new(Latex::default())),
        &writer::Latex,
    )
};

/// True if an entry of BibTeX is at the start: `@article{key,`.
fn is_bibtex(head: &[u8]) -> bool {
    let Some(entry) = head.strip_prefix(b"@") else { return false };
    let name = entry.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    let rest = entry[name..].trim_ascii_start();
    name > 2 && rest.starts_with(b"{") && rest.contains(&b',')
}
