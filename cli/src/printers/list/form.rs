//! The forms that results have.

use std::io::{self, Write};

use iriscan::{Template, Viewer};

use crate::{
    args::find::{FindArgs, OffsetsArg},
    printers::{
        columns::{self, Table},
        item::{Item, Source},
        json, lines,
    },
};

/// How a result is written.
pub(super) enum Form<'a> {
    /// Not at all: only numbers are wanted.
    Nothing,
    /// As an object of JSON, with offsets in these units.
    Record { units: &'a [OffsetsArg], absolute: bool },
    /// As the text of a template, which ends with this byte.
    Template(&'a Template, u8),
    /// As a record of a table.
    Table(Table),
    /// As a line, or a record that ends with this byte.
    Line(u8),
}

impl<'a> Form<'a> {
    /// The form that the options want.
    pub(super) fn of(args: &'a FindArgs) -> Form<'a> {
        if let Some(template) = &args.print {
            return Form::Template(template, args.end());
        }
        if let Some(delimiter) = args.delimiter() {
            return Form::Table(Table { delimiter, safe: args.csv_safe });
        }
        match args.json {
            _ if args.count => Form::Nothing,
            true => {
                Form::Record { units: &args.offsets, absolute: args.scan.rules.base().is_some() }
            }
            false => Form::Line(args.end()),
        }
    }

    /// Writes a result, which is in `source`.
    pub(super) fn write(
        &self,
        item: &Item<'_>,
        source: &Source<'_>,
        viewer: &mut Viewer,
        out: &mut impl Write,
    ) -> io::Result<()> {
        match *self {
            Form::Nothing => Ok(()),
            Form::Record { units, absolute } => {
                json::record(item, source, units, absolute, viewer, out)
            }
            Form::Template(template, end) => {
                columns::print(template, item.link, &item.place(source), end, viewer, out)
            }
            Form::Table(table) => {
                columns::record(table, item.link, &item.place(source), viewer, out)
            }
            Form::Line(end) => lines::link(item, &source.name, end, out),
        }
    }
}
