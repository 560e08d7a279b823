//! What this format is: its row in the table of formats.

use super::{Csv, writer};
use crate::format::{
    kinds::Format,
    reader::Reader,
    row::{Division, Fields, Row},
};

pub(in crate::format) static CSV: Row = Row {
    extensions: &["csv"],
    media_types: &["text/csv"],
    fields: Fields::Sought,
    division: Division::Lines,
    ..Row::new(
        Format::Csv,
        "CSV: each field is text",
        |start| Reader::Csv(Csv::new(start.delimiter, start.first, start.triggers())),
        &writer::Fields,
    )
};

pub(in crate::format) static TSV: Row = Row {
    extensions: &["tsv", "tab"],
    media_types: &["text/tab-separated-values"],
    fields: Fields::By(b'\t'),
    division: Division::Lines,
    ..Row::new(
        Format::Tsv,
        "The same, with tabs between the fields",
        |start| Reader::Csv(Csv::new(start.delimiter, start.first, start.triggers())),
        &writer::Fields,
    )
};
