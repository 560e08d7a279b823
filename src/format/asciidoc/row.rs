//! What this format is: its row in the table of formats.

use super::{AsciiDoc, writer};
use crate::format::{
    any_lexer::AnyLexer,
    kinds::Format,
    row::{Clue, Row},
};

pub(in crate::format) static ROW: Row = Row {
    extensions: &["adoc", "asciidoc"],
    media_types: &["text/asciidoc"],
    clues: &[Clue::Heading(has_heading)],
    ..Row::new(
        Format::AsciiDoc,
        "AsciiDoc",
        |_| AnyLexer::AsciiDoc(AsciiDoc::new()),
        &writer::AsciiDoc,
    )
};

/// True if a title is at the start, and after it an attribute entry or a link macro.
fn has_heading(head: &[u8]) -> bool {
    let mut lines = head.split(|b| *b == b'\n').map(<[u8]>::trim_ascii_end);
    let is_title = lines.next().is_some_and(|line| line.starts_with(b"= "));
    let is_entry = |line: &[u8]| {
        let name = line.strip_prefix(b":").and_then(|rest| rest.iter().position(|b| *b == b':'));
        let is_name = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'!');
        name.is_some_and(|len| len > 0 && line[1..=len].iter().all(is_name))
    };
    let has_macro = |line: &[u8]| memchr::memmem::find(line, b"link:").is_some();
    is_title && lines.any(|line| is_entry(line) || has_macro(line))
}
