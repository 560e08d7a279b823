//! What this format is: its row in the table of formats.

use super::{Latex, writer};
use crate::{
    format::{kinds::Format, lexing::marked::Marked, reader::Reader, row::Row},
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
    references: |place| match (place.inside(), place.around()) {
        (Inside::Text, _) => References::Backslash,
        (Inside::Attribute { .. }, Around::Escaped) => References::Argument,
        _ => References::None,
    },
    ..Row::new(
        Format::Latex,
        "LaTeX and BibTeX",
        |_| Reader::Latex(Marked::new(Latex::default())),
        &writer::Latex,
    )
};
