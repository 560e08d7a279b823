//! What this format is: its row in the table of formats.

use super::{Ipynb, Makes, writer};
use crate::{
    format::{any_lexer::AnyLexer, kinds::Format, row::Row},
    links::{logical::References, place::Around},
};

pub(in crate::format) static ROW: Row = Row {
    names: &["notebook", "jupyter"],
    extensions: &["ipynb"],
    media_types: &["application/x-ipynb+json"],
    has_escapes: true,
    has_tags: true,
    is_markup: true,
    stays_divided: true,
    references: |place| match place.around() {
        Around::Cdata => References::None,
        _ => References::Single,
    },
    ..Row::new(
        Format::Ipynb,
        "Notebooks of Jupyter",
        |start| {
            AnyLexer::Ipynb(Ipynb::new(Makes {
                triggers: start.triggers(),
                tuning: start.rules.tuning,
                code: start.rules.options.code,
                divided: start.divided(),
            }))
        },
        &writer::Ipynb,
    )
};
