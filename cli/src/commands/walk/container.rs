//! Zip containers: the links of each member that is text.

use std::{
    io::{self, Read},
    path::Path,
};

use iriscan::Finder;

use super::visitor::{End, Place, Visitor};
use crate::{
    args::scan::ScanArgs,
    inputs::{
        container::{Container, Entry},
        open::Opened,
    },
    messages::{
        notes, say,
        text::{name, plural},
        trouble::{Trouble, Unfinished, complain},
    },
    printers::readable::is_markup,
};

/// The members and bytes that were searched so far.
struct Searched {
    /// The bytes, inflated.
    bytes: u64,
    members: u64,
    /// True if all members were read to their ends. The user was told of others.
    whole: bool,
}

/// Gives every member that is text to the visitor.
pub(super) fn walk(
    finder: &Finder,
    path: &Path,
    opened: &Opened,
    args: &ScanArgs,
    visitor: &mut dyn Visitor,
) -> Result<End, Trouble> {
    let mut searched = Searched { bytes: 0, members: 0, whole: true };
    let container = match opened.plain_file() {
        Some((file, len)) => Container::open(file, len),
        None => Err(io::Error::from(io::ErrorKind::NotSeekable)),
    };
    match container {
        Ok(container) => members(finder, path, container, args, visitor, &mut searched)?,
        Err(e) => {
            complain(path, &e, Unfinished::Used);
            searched.whole = false;
        }
    }
    if let Some((_, len)) = opened.plain_file() {
        opened.meter().reached(len);
    }
    let Searched { bytes, members, whole } = searched;
    if let Some(stats) = visitor.stats() {
        stats.archive(bytes, "zip");
    }
    Ok(End { note: format!("zip container; {}", plural(members, "text")), whole })
}

/// Reads the members.
fn members(
    finder: &Finder,
    path: &Path,
    mut container: Container,
    args: &ScanArgs,
    visitor: &mut dyn Visitor,
    searched: &mut Searched,
) -> Result<(), Trouble> {
    while let Some(entry) = container.next() {
        if !member(finder, path, &mut container, &entry, args, visitor, searched)? {
            let name = name(path);
            say(format_args!(
                "{name}: inflates to more than 64 MiB and 256 times its length; the rest is not \
                 searched, unpack it if you trust it"
            ));
            break;
        }
    }
    if args.run.verbose {
        let (name, count) = (name(path), plural(container.len() as u64, "member"));
        let members = searched.members;
        say(format_args!("{name}: zip container by its first bytes; {count}, {members} searched"));
    }
    Ok(())
}

/// Reads one member. Returns false if the container inflates to too much.
fn member(
    finder: &Finder,
    path: &Path,
    container: &mut Container,
    entry: &Entry,
    args: &ScanArgs,
    mut visitor: &mut dyn Visitor,
    searched: &mut Searched,
) -> Result<bool, Trouble> {
    let (inner, format) = (entry.path(path), entry.format);
    if let Some(why) = entry.closed {
        say(format_args!("{}: not searched, {why}", name(&inner)));
        searched.whole = false;
        return Ok(true);
    }
    let mut reader = match container.read(entry) {
        Ok(reader) => reader,
        Err(e) => {
            complain(&inner, &e, Unfinished::Used);
            searched.whole = false;
            return Ok(true);
        }
    };
    let finder = finder.clone().format(args.rules.read_as(format));
    let Some(head) = reader.head(&finder, format).map_err(Trouble::Output)? else {
        return Ok(!reader.full);
    };
    let markup = is_markup(finder.config().get_format());
    visitor.enter(Place::Member(inner.clone()), markup);
    let text = head.chain(&mut reader);
    let summary = finder.scan(text, &mut visitor).map_err(Trouble::Output)?;
    searched.bytes += reader.bytes;
    searched.members += 1;
    if let Some(e) = &reader.trouble {
        complain(&inner, e, Unfinished::Used);
    }
    searched.whole &= reader.trouble.is_none() && !reader.full;
    if args.run.verbose {
        notes::report_charset(&inner, &summary, format, entry.basis);
    }
    Ok(!reader.full)
}
