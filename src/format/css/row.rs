//! What this format is: its row in the table of formats.

use super::{style_sheet::Sheet, writer};
use crate::format::{any_lexer::AnyLexer, document::declared, kinds::Format, row::Row};

pub(in crate::format) static ROW: Row = Row {
    extensions: &["css"],
    media_types: &["text/css"],
    declared: Some(declared::css),
    ..Row::new(
        Format::Css,
        "Style sheets: URLs, comments and strings",
        |_| AnyLexer::Css(Sheet::new()),
        &writer::Css,
    )
};
