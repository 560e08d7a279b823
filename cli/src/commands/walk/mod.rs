//! The walk through an input for its links, for `find`, `report` and `pick`.
//!
//! In goes an input; its places and its links go to a visitor, whatever the input is. What must
//! hold: the user was told of all that could not be read.

mod mail;
mod texts;
mod visitor;

use std::path::Path;

use iriscan::{Finder, Format};
use iriscan_documents::Content;

pub(super) use self::texts::tell;
use self::visitor::End;
pub(super) use self::visitor::{Place, Visitor};
use crate::{
    args::scan::ScanArgs,
    inputs::{
        list::Input,
        open::{InputOpener, Opened},
    },
    messages::{notes, trouble::Trouble},
    printers::{page::UNREADABLE, readable::is_markup},
};

/// Gives an input to the visitor. Returns true if it was read to its end, or left out as it should
/// be.
pub(super) fn walk(
    finder: &Finder,
    input: &Input,
    opener: &InputOpener<'_>,
    visitor: &mut dyn Visitor,
) -> Result<bool, Trouble> {
    let (path, args) = (&input.path, opener.args());
    let opened = match opener.open(finder, input, None) {
        Ok(opened) => opened,
        Err(outcome) => {
            if !outcome.whole {
                visitor.unreadable(path);
            }
            return Ok(outcome.whole);
        }
    };
    let content = opened.content();
    visitor.begin(content)?;
    let End { note, whole } = match content {
        Content::Archive | Content::Container => texts::walk(finder, path, opened, args, visitor)?,
        Content::Mail => mail::walk(finder, path, opened, args, visitor)?,
        Content::Document(format) => document(finder, format, path, opened, args, visitor)?,
    };
    // Of an input that could not be read to its end, what could be read was used.
    visitor.end_input(path, &note).map_err(Trouble::Output)?;
    Ok(whole)
}

fn document(
    finder: &Finder,
    format: Format,
    path: &Path,
    opened: Opened,
    args: &ScanArgs,
    visitor: &mut dyn Visitor,
) -> Result<End, Trouble> {
    let why = opened.why();
    visitor.enter(Place::Whole, is_markup(format));
    let read = visitor.document(&finder.clone().format(format), path, opened)?;
    if let Some(stats) = visitor.stats() {
        stats.document(read.summary(), format);
    }
    if let Some(summary) = read.summary().filter(|_| args.run.verbose) {
        notes::report_charset(path, summary, format, why);
    }
    let how = |summary| notes::how(summary, format, why);
    let note = read.summary().map_or(UNREADABLE.to_owned(), how);
    Ok(End { note, whole: read.is_whole() })
}
