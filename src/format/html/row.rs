//! What this format is: its row in the table of formats.

use super::Html;
use crate::{
    format::{
        document::declared,
        kinds::Format,
        markup::writer::Markup,
        reader::Reader,
        row::{Division, Row},
    },
    links::logical::References,
};

pub(in crate::format) static ROW: Row = Row {
    names: &["html5"],
    extensions: &["html", "htm", "shtml"],
    media_types: &["text/html"],
    declared: Some(declared::html),
    division: Division::Tags,
    has_escapes: true,
    has_tags: true,
    is_markup: true,
    stays_divided: true,
    references: |_| References::Single,
    ..Row::new(
        Format::Html,
        "HTML",
        |start| Reader::Html(Html::new(start.triggers(), &start.rules.tuning)),
        &Markup,
    )
};
