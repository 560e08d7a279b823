//! What this format is: its row in the table of formats.

use super::{Markdown, writer};
use crate::{
    format::{kinds::Format, reader::Reader, row::Row},
    links::logical::References,
};

pub(in crate::format) static ROW: Row = Row {
    extensions: &["md", "markdown"],
    media_types: &["text/markdown"],
    has_tags: true,
    references: |_| References::Single,
    cell: Some('|'),
    ..Row::new(
        Format::Markdown,
        "Markdown (CommonMark)",
        |start| {
            let lexer = Markdown::new(start.rules.options.code, start.triggers());
            Reader::Markdown(lexer.divided(start.divided()))
        },
        &writer::Markdown,
    )
};
