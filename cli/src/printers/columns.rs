//! `find --print`, `--csv` and `--tsv`: the fields of a link, in the order that the user wants.
//!
//! In go a link and its place; out come the values of fields, as bytes. What must hold: a record of
//! `--csv` has the same fields for every input, and a field that a link does not have is empty.

use std::{
    borrow::Cow,
    io::{self, Write},
};

use csv_core::{WriteResult, WriterBuilder};
use iriscan::{Field, Match, Template, TemplatePart, Viewer, mail::Headers};

use super::item::{Place, name_bytes, path_bytes};
use crate::messages::{
    terminal,
    text::{one_record, shown},
};

/// The columns of `--csv` and `--tsv`.
const COLUMNS: [Field; 13] = [
    Field::File,
    Field::Start,
    Field::End,
    Field::Line,
    Field::Column,
    Field::Kind,
    Field::Scheme,
    Field::Host,
    Field::Uri,
    Field::Iri,
    Field::Open,
    Field::Charset,
    Field::Warnings,
];

impl Place<'_> {
    /// The value of a field of `link`, which is here; empty if it has none. What `hosts` has of a
    /// host is not made again.
    fn value<'l>(&'l self, field: Field, link: &Match<'l>, viewer: &mut Viewer) -> Cow<'l, [u8]> {
        let number = |n: Option<u64>| n.map(|n| n.to_string()).unwrap_or_default().into();
        let of = |read: fn(&Headers) -> Option<&str>| {
            self.message.and_then(read).unwrap_or_default().into()
        };
        let text: Cow<'l, str> = match field {
            Field::File => return safe(path_bytes(self.path)),
            Field::Start => number(self.span.as_ref().map(|span| span.start)),
            Field::End => number(self.span.as_ref().map(|span| span.end)),
            Field::Line => number(self.line),
            Field::Column => number(self.column),
            Field::N => number(Some(self.n)),
            Field::MessageId => of(Headers::message_id),
            Field::Subject => of(Headers::subject),
            Field::From => of(Headers::from),
            Field::Date => of(Headers::date),
            Field::Before => self.around.map_or("", |around| around[0]).into(),
            Field::After => self.around.map_or("", |around| around[1]).into(),
            field => viewer.get(field, link).unwrap_or_default(),
        };
        // No value may end a line or a record.
        let text = match one_record(&text) {
            Cow::Borrowed(_) => text,
            Cow::Owned(text) => text.into(),
        };
        safe(match text {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        })
    }
}

/// A value may contain characters that a terminal obeys.
fn safe(value: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    match terminal::is_output() {
        true => Cow::Owned(shown(&String::from_utf8_lossy(&value)).into_bytes()),
        false => value,
    }
}

/// Writes the text of a template for a link, and the byte `end`.
pub(crate) fn print(
    template: &Template,
    link: &Match<'_>,
    place: &Place<'_>,
    end: u8,
    viewer: &mut Viewer,
    out: &mut impl Write,
) -> io::Result<()> {
    for part in template.parts() {
        match part {
            TemplatePart::Text(text) => out.write_all(text.as_bytes())?,
            TemplatePart::Field(Field::File) => {
                out.write_all(&safe(name_bytes(place.path, place.is_member && end != 0)))?
            }
            TemplatePart::Field(field) => out.write_all(&place.value(field, link, viewer))?,
            TemplatePart::Marked { before, field, after } => {
                let value = place.value(field, link, viewer);
                if link.get(field).is_some() {
                    for part in [before.as_bytes(), &value, after.as_bytes()] {
                        out.write_all(part)?;
                    }
                }
            }
            _ => unreachable!("a template should have texts and fields only"),
        }
    }
    out.write_all(&[end])
}

/// How a table is written.
#[derive(Clone, Copy)]
pub(crate) struct Table {
    pub(crate) delimiter: u8,
    /// No cell is a formula to a spreadsheet.
    pub(crate) safe: bool,
}

/// The first characters of a cell of which a spreadsheet makes a formula. White space may come before the
/// sign, and Japanese editions take the wide signs too.
const FORMULA: [&[u8]; 11] = [
    b"=",
    b"+",
    b"-",
    b"@",
    b"\t",
    b"\r",
    b"\n",
    "＝".as_bytes(),
    "＋".as_bytes(),
    "－".as_bytes(),
    "＠".as_bytes(),
];

/// The value, with an apostrophe before what would be a formula: spreadsheets then take the cell for
/// text.
fn without_formula(value: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    match FORMULA.iter().any(|sign| value.starts_with(sign)) {
        true => Cow::Owned([b"'", &*value].concat()),
        false => value,
    }
}

/// Writes the record of a link for `--csv` or `--tsv`.
pub(crate) fn record(
    table: Table,
    link: &Match<'_>,
    place: &Place<'_>,
    viewer: &mut Viewer,
    out: &mut impl Write,
) -> io::Result<()> {
    let fields = COLUMNS.map(|field| match place.value(field, link, viewer) {
        value if table.safe => without_formula(value),
        value => value,
    });
    write_record(table.delimiter, fields, out)
}

/// Writes the names of the columns.
pub(crate) fn header(delimiter: u8, out: &mut impl Write) -> io::Result<()> {
    write_record(delimiter, COLUMNS.map(|field| field.as_str().as_bytes().into()), out)
}

/// Writes fields, with quotes where RFC 4180 wants them.
fn write_record(
    delimiter: u8,
    fields: [Cow<'_, [u8]>; COLUMNS.len()],
    out: &mut impl Write,
) -> io::Result<()> {
    let mut writer = WriterBuilder::new().delimiter(delimiter).build();
    for (i, field) in fields.iter().enumerate() {
        if i > 0 {
            all(out, |into| writer.delimiter(into))?;
        }
        let mut rest = &field[..];
        all(out, |into| {
            let (result, read, written) = writer.field(rest, into);
            rest = &rest[read..];
            (result, written)
        })?;
    }
    all(out, |into| writer.terminator(into))
}

/// Writes all that `write` gives, buffer by buffer.
fn all(
    out: &mut impl Write,
    mut write: impl FnMut(&mut [u8]) -> (WriteResult, usize),
) -> io::Result<()> {
    let mut buffer = [0; 256];
    loop {
        let (result, written) = write(&mut buffer);
        out.write_all(&buffer[..written])?;
        if result == WriteResult::InputEmpty {
            return Ok(());
        }
    }
}
