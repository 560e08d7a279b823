//! Web archives, for `find` and `report`: each payload that is text goes to the command.

use std::{io::BufReader, path::Path};

use iriscan::Finder;

use crate::{
    args::scan::ScanArgs,
    inputs::{
        archive::{ArchiveRecord, NoPayload, Payload, Records},
        open::Opened,
    },
    messages::{
        say,
        text::{name, plural, shown},
        trouble::{Trouble, complain},
    },
};

/// The text of a record.
pub(super) struct ArchivedText {
    /// The address that it came from.
    pub(super) target: String,
    /// The byte that its record starts at.
    pub(super) offset: u64,
    pub(super) payload: Payload,
}

/// The end of an archive.
pub(super) struct ArchiveEnd {
    pub(super) bytes: u64,
    /// False if the archive could not be read to its end, of which the user was told.
    pub(super) whole: bool,
}

/// Gives `each` the text of every record, and a finder for it.
pub(super) fn each_text(
    finder: &Finder,
    args: &ScanArgs,
    path: &Path,
    opened: Opened,
    each: &mut dyn FnMut(&Finder, ArchivedText) -> Result<(), Trouble>,
) -> Result<ArchiveEnd, Trouble> {
    let (rules, verbose) = (&args.rules, args.run.verbose);
    let (reader, _) = opened.into_reader();
    let mut records = Records::new(BufReader::new(reader));
    let (mut count, mut searched, mut whole) = (0_u64, 0_u64, true);
    loop {
        let mut record = match records.next() {
            Ok(Some(record)) => record,
            Ok(None) => break,
            Err(e) => {
                complain(path, &e);
                whole = false;
                break;
            }
        };
        count += 1;
        let Some(payload) = payload(path, &mut record, verbose) else { continue };
        searched += 1;
        let mut finder = finder.clone().format(payload.format);
        // The charset that the server declared, unless the user gave one.
        if let Some(charset) = payload.declared().filter(|_| !rules.has_charset()) {
            finder = finder.charset(charset);
        }
        let (target, offset) = (record.target().to_owned(), record.at);
        each(&finder, ArchivedText { target, offset, payload })?;
    }
    if verbose {
        let (name, count) = (name(path), plural(count, "record"));
        say(format_args!("{name}: format warc; {count}, {searched} searched"));
    }
    Ok(ArchiveEnd { bytes: records.bytes(), whole })
}

/// The payload of a record, if it can be searched. If it should be and cannot, says so.
fn payload(path: &Path, record: &mut ArchiveRecord, verbose: bool) -> Option<Payload> {
    let (at, wanted) = (record.at, record.is_wanted());
    let say_of = |what: &str| {
        let name = name(path);
        say(format_args!("{name}: the record at byte {at} {what}"));
    };
    match record.payload() {
        Ok(payload) => {
            if payload.cut {
                say_of(
                    "has a payload that is damaged, or longer than 64 MiB; its start was searched",
                );
            }
            Some(payload)
        }
        Err(NoPayload::TooLong) if wanted => {
            say_of("is longer than 64 MiB and is not searched");
            None
        }
        Err(NoPayload::Coding(coding)) if verbose => {
            say_of(&format!("is not searched: content coding {}", shown(&coding)));
            None
        }
        Err(_) => None,
    }
}
