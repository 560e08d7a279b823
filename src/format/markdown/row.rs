//! What this format is: its row in the table of formats.

use super::{Markdown, writer};
use crate::{
    format::{
        any_lexer::AnyLexer,
        kinds::Format,
        row::{Clue, Row},
    },
    links::logical::References,
};

pub(in crate::format) static ROW: Row = Row {
    extensions: &["md", "markdown"],
    media_types: &["text/markdown"],
    has_tags: true,
    references: |_| References::Single,
    cell: Some('|'),
    clues: &[Clue::Somewhere(has_target)],
    ..Row::new(
        Format::Markdown,
        "Markdown (CommonMark)",
        |start| {
            let lexer = Markdown::new(start.rules.options.code, start.triggers());
            AnyLexer::Markdown(lexer.divided(start.divided()))
        },
        &writer::Markdown,
    )
};

/// True if a link has a target with a scheme, or a definition has one.
fn has_target(head: &[u8]) -> bool {
    let has = |text: &[u8]| memchr::memmem::find(head, text).is_some();
    [&b"](http://"[..], b"](https://", b"]: http://", b"]: https://"].iter().any(|text| has(text))
}
