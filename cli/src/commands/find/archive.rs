//! `iriscan find` of web archives: lists the links of each payload that is text.

use std::{
    io::{BufReader, Write},
    path::Path,
};

use iriscan::Finder;

use crate::{
    args::find::{FindArgs, OffsetsArg},
    inputs::{
        archive::{ArchiveRecord, NoPayload, Payload, Records},
        open::Opened,
    },
    messages::{
        say,
        text::{name, plural, shown},
        trouble::{Trouble, complain},
    },
    printers::list::{ArchivePlace, Lister},
};

/// Lists the links. Returns true if the archive was read to its end.
pub(super) fn find<W: Write>(
    finder: &Finder,
    args: &FindArgs,
    lister: &mut Lister<'_, W>,
    path: &Path,
    opened: Opened,
) -> Result<bool, Trouble> {
    if args.offsets.iter().any(|unit| *unit != OffsetsArg::Bytes) {
        let what = "--offsets other than bytes are of one text, and an archive has many; leave \
                    them out";
        return Err(Trouble::Usage(what.into()));
    }
    let (rules, verbose) = (&args.scan.rules, args.scan.run.verbose);
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
        // The charset that the server declared, unless the user gave one.
        let charset = payload.declared().filter(|_| !rules.has_charset());
        let mut finder = finder.clone().format(payload.format);
        if charset.is_some() {
            finder = finder.charset(charset);
        }
        let target = record.target().to_owned();
        lister.enter_record(ArchivePlace { target, offset: record.at, start: payload.start });
        finder.scan(&payload.bytes[..], lister, |_| Ok(())).map_err(Trouble::Output)?;
    }
    if let Some(stats) = lister.stats() {
        stats.archive(records.bytes());
    }
    if verbose {
        let (name, count) = (name(path), plural(count, "record"));
        say(format_args!("{name}: format warc; {count}, {searched} searched"));
    }
    if whole {
        lister.write_count().map_err(Trouble::Output)?;
    }
    Ok(whole)
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
