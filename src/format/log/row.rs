//! What this format is: its row in the table of formats.

use super::{Log, writer};
use crate::format::{
    any_lexer::AnyLexer,
    kinds::Format,
    row::{Division, Row},
};

pub(in crate::format) static ROW: Row = Row {
    names: &["logs"],
    extensions: &["log"],
    division: Division::Unescaped,
    has_escaped_bytes: true,
    ..Row::new(
        Format::Log,
        "Logs: text with \\xHH, \\uXXXX and terminal sequences",
        |start| AnyLexer::Log(Log::new(start.divided()).targets(start.rules.options.targets)),
        &writer::Log,
    )
};
