//! What this format is: its row in the table of formats.

use super::Html;
use crate::{
    format::{
        any_lexer::AnyLexer,
        document::declared,
        kinds::Format,
        markup::writer::Markup,
        row::{Clue, Division, Row, begins},
    },
    links::{logical::References, place::Inside},
};

pub(in crate::format) static ROW: Row = Row {
    names: &["html5"],
    extensions: &["html", "htm", "shtml"],
    media_types: &["text/html"],
    clues: &[Clue::Start(is_html)],
    declared: Some(declared::html),
    division: Division::Tags,
    has_escapes: true,
    has_tags: true,
    is_markup: true,
    stays_divided: true,
    ends_at_quotes: true,
    references: |place| match place.inside() {
        // The text of a comment, and JSON.
        Inside::Plain | Inside::Name => References::None,
        _ => References::Single,
    },
    ..Row::new(
        Format::Html,
        "HTML",
        |start| {
            let html = Html::new(start.triggers(), &start.rules.tuning);
            AnyLexer::Html(html.comments(start.rules.options.comments).with_scripts())
        },
        &Markup,
    )
};

/// True if a document type of HTML is at the start, one of its tags, or a comment after which nothing shows more.
fn is_html(head: &[u8]) -> bool {
    // The second one is that of files of bookmarks.
    let types = ["html", "netscape-bookmark-file-1"];
    let is_type = begins(head, "<!doctype")
        && types.iter().any(|name| begins(head["<!doctype".len()..].trim_ascii_start(), name));
    is_type || begins(head, "<!--") || has_tag(head)
}

/// True if a tag that most documents have is at the start.
fn has_tag(head: &[u8]) -> bool {
    let names = ["html", "head", "body", "title", "meta", "div", "p", "a", "table", "script"];
    names.iter().any(|name| {
        let tag = head.get(1..1 + name.len());
        head.first() == Some(&b'<')
            && tag.is_some_and(|tag| tag.eq_ignore_ascii_case(name.as_bytes()))
            && head.get(1 + name.len()).is_some_and(|b| b" \t\r\n>/".contains(b))
    })
}
