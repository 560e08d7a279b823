//! What this format is: its row in the table of formats.

use super::{Wikitext, writer};
use crate::{
    format::{
        any_lexer::AnyLexer,
        kinds::Format,
        lexing::marked::Marked,
        row::{Clue, Row},
    },
    links::logical::References,
};

pub(in crate::format) static ROW: Row = Row {
    extensions: &["wiki", "mediawiki", "wikitext"],
    media_types: &["text/x-wiki", "text/mediawiki"],
    clues: &[Clue::Lines(&["{{infobox", "{{short description", "[[category:", "{|", "__notoc__"])],
    references: |_| References::Single,
    ..Row::new(
        Format::Wikitext,
        "Wikitext: MediaWiki, DokuWiki, Creole",
        |_| AnyLexer::Wikitext(Marked::new(Wikitext::default())),
        &writer::Wikitext,
    )
};
