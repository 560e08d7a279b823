//! What this format is: its row in the table of formats.

use super::{BbCode, writer};
use crate::format::{any_lexer::AnyLexer, kinds::Format, lexing::marked::Marked, row::Row};

pub(in crate::format) static ROW: Row = Row {
    ..Row::new(
        Format::BbCode,
        "BBCode: the tags of forums",
        |_| AnyLexer::BbCode(Marked::new(BbCode::default())),
        &writer::BbCode,
    )
};
