//! What this format is: its row in the table of formats.

use super::{style_sheet::Sheet, writer};
use crate::format::{document::declared, kinds::Format, reader::Reader, row::Row};

pub(in crate::format) static ROW: Row = Row {
    extensions: &["css"],
    media_types: &["text/css"],
    declared: Some(declared::css),
    ..Row::new(
        Format::Css,
        "Style sheets: URLs, comments and strings",
        |_| Reader::Css(Sheet::new()),
        &writer::Css,
    )
};
