//! What this format is: its row in the table of formats.

use super::{Defanged, writer};
use crate::{
    format::{any_lexer::AnyLexer, kinds::Format, row::Row},
    links::logical::References,
};

pub(in crate::format) static ROW: Row = Row {
    references: |_| References::Harmless,
    is_harmless: true,
    ..Row::new(
        Format::Defanged,
        "Text in which links were made harmless: `hxxps[:]//a[.]example/`",
        |_| AnyLexer::Defanged(Defanged::default()),
        &writer::Defanged,
    )
};
