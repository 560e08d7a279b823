//! Web archives: the links of each payload that is text.

use std::{collections::BTreeMap, path::Path};

use iriscan::{Finder, reference::BaseUri};

use super::visitor::{End, Place, Visitor};
use crate::{
    args::scan::{RuleArgs, ScanArgs},
    inputs::{
        archive::{ArchiveRecord, Item, NoPayload, Payload, Records},
        open::Opened,
    },
    messages::{
        say,
        text::{name, plural, shown},
        trouble::{Trouble, Unfinished, complain},
    },
    printers::{item::ArchivePlace, readable::is_markup},
};

/// Gives the text of every record to the visitor.
pub(super) fn walk(
    finder: &Finder,
    path: &Path,
    opened: Opened,
    args: &ScanArgs,
    mut visitor: &mut dyn Visitor,
) -> Result<End, Trouble> {
    let verbose = args.run.verbose;
    let seams = opened.seams();
    let (reader, _) = opened.into_reader();
    let mut records = Records::new(reader, seams);
    let (mut count, mut searched, mut whole) = (0_u64, 0_u64, true);
    let mut codings = BTreeMap::new();
    let say_of = |what: &str| say(format_args!("{}: {what}", name(path)));
    loop {
        let mut record = match records.next() {
            Ok(Some(Item::Record(record))) => record,
            Ok(Some(Item::Passed(what))) => {
                say_of(&what);
                whole = false;
                continue;
            }
            Ok(None) => break,
            Err(e) => {
                complain(path, &e, Unfinished::Used);
                whole = false;
                break;
            }
        };
        count += 1;
        if let Some(problem) = &record.problem {
            say_of(&format!("byte {}: {problem}", record.at));
            whole = false;
        }
        let Some(payload) = payload(path, &mut record, verbose, &mut codings) else { continue };
        searched += 1;
        let (target, offset) = (record.target().to_owned(), record.at);
        let finder = finder_of(finder, &args.rules, &payload, &target);
        let place = ArchivePlace { target, offset, start: payload.start };
        visitor.enter(Place::Record(place), is_markup(finder.config().get_format()));
        finder.scan(&payload.bytes[..], &mut visitor).map_err(Trouble::Output)?;
    }
    whole &= codings.is_empty();
    report_codings(path, &codings, verbose);
    if verbose {
        let (name, count) = (name(path), plural(count, "record"));
        say(format_args!("{name}: format warc; {count}, {searched} searched"));
    }
    if let Some(stats) = visitor.stats() {
        stats.archive(records.bytes(), "warc");
    }
    Ok(End { note: format!("format warc; {}", plural(searched, "text")), whole })
}

/// The finder for a payload that came from `target`.
fn finder_of(finder: &Finder, rules: &RuleArgs, payload: &Payload, target: &str) -> Finder {
    let mut finder = finder.clone().format(rules.read_as(payload.format));
    // The charset that the server declared, unless the user gave one.
    if let Some(charset) = payload.declared().filter(|_| !rules.has_charset()) {
        finder = finder.charset(charset);
    }
    let outer = rules.base().and_then(|base| BaseUri::new(&base.resolve(target)).ok());
    match outer.or_else(|| BaseUri::new(target).ok()) {
        Some(base) => finder.base(base),
        None => finder,
    }
}

/// The most content codings that are counted apart; a hostile archive may have any number.
const CODINGS_MAX: usize = 16;

/// Says how many records have content codings that are not known.
fn report_codings(path: &Path, codings: &BTreeMap<String, u64>, verbose: bool) {
    let advice = if verbose { "see above" } else { "-v names each" };
    for (coding, count) in codings {
        let (are, were) = if *count == 1 { ("is", "was") } else { ("are", "were") };
        let (name, records, coding) = (name(path), plural(*count, "record"), shown(coding));
        say(format_args!(
            "{name}: {records} {are} in the content coding {coding}, which is not known here, and \
             {were} not searched; {advice}"
        ));
    }
}

/// The payload of a record, if it can be searched. If it should be and cannot, says so; of content
/// codings that are not known, `codings` counts the records.
fn payload(
    path: &Path,
    record: &mut ArchiveRecord,
    verbose: bool,
    codings: &mut BTreeMap<String, u64>,
) -> Option<Payload> {
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
        Err(NoPayload::Coding(coding)) => {
            if verbose {
                say_of(&format!("is not searched: content coding {}", shown(&coding)));
            }
            let is_listed = codings.len() < CODINGS_MAX || codings.contains_key(&coding);
            let coding = if is_listed { coding } else { "of others".to_owned() };
            *codings.entry(coding).or_default() += 1;
            None
        }
        Err(_) => None,
    }
}
