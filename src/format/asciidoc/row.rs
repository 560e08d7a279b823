//! What this format is: its row in the table of formats.

use super::{AsciiDoc, writer};
use crate::format::{kinds::Format, reader::Reader, row::Row};

pub(in crate::format) static ROW: Row = Row {
    extensions: &["adoc", "asciidoc"],
    media_types: &["text/asciidoc"],
    ..Row::new(
        Format::AsciiDoc,
        "AsciiDoc",
        |_| Reader::AsciiDoc(AsciiDoc::new()),
        &writer::AsciiDoc,
    )
};
