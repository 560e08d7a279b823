//! What this format is: its row in the table of formats.

use super::{Latex, writer};
use crate::{
    format::{kinds::Format, lexing::marked::Marked, reader::Reader, row::Row},
    links::{logical::References, place::Inside},
};

pub(in crate::format) static ROW: Row = Row {
    extensions: &["tex", "bib", "ltx", "sty", "latex"],
    media_types: &[
        "text/x-tex",
        "text/x-latex",
        "text/x-bibtex",
        "application/x-tex",
        "application/x-latex",
        "application/x-bibtex",
    ],
    references: |place| match place.inside() {
        Inside::Text => References::Backslash,
        _ => References::None,
    },
    ..Row::new(
        Format::Latex,
        "LaTeX and BibTeX",
        |_| Reader::Latex(Marked::new(Latex::default())),
        &writer::Latex,
    )
};
