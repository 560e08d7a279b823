//! Zip containers, for `find` and `report`: each member that is text goes to the command.

use std::{
    io::{self, Read},
    path::Path,
};

use iriscan::{Finder, Summary};

use crate::{
    args::scan::ScanArgs,
    inputs::{
        container::{Container, Entry},
        open::Opened,
    },
    messages::{
        notes, say,
        text::{name, plural},
        trouble::{Trouble, complain},
    },
};

/// The end of a container.
#[derive(Default)]
pub(super) struct ContainerEnd {
    /// The bytes that were searched, inflated.
    pub(super) bytes: u64,
    /// The members that were searched.
    pub(super) members: u64,
    /// True if all of them were read to their ends. The user was told of others.
    pub(super) whole: bool,
}

/// Does something with a member, whose path and bytes it gets. Its errors are those of the output.
type Each<'e> = dyn FnMut(&Finder, &Path, &mut dyn Read) -> io::Result<Summary> + 'e;

/// Gives `each` every member that is text, and a finder for it.
pub(super) fn each_member(
    finder: &Finder,
    args: &ScanArgs,
    path: &Path,
    opened: &Opened,
    each: &mut Each<'_>,
) -> Result<ContainerEnd, Trouble> {
    let container = match opened.plain_file() {
        Some((file, len)) => Container::open(file, len),
        None => Err(io::Error::from(io::ErrorKind::NotSeekable)),
    };
    let mut container = match container {
        Ok(container) => container,
        Err(e) => {
            complain(path, &e);
            return Ok(ContainerEnd::default());
        }
    };
    let mut end = ContainerEnd { whole: true, ..ContainerEnd::default() };
    while let Some(entry) = container.next() {
        if !member(finder, args, path, &mut container, &entry, &mut end, each)? {
            let name = name(path);
            say(format_args!(
                "{name}: inflates to more than 64 MiB and 256 times its length; the rest is not \
                 searched, unpack it if you trust it"
            ));
            break;
        }
    }
    if let Some((_, len)) = opened.plain_file() {
        opened.meter().reached(len);
    }
    if args.run.verbose {
        let (name, count) = (name(path), plural(container.len() as u64, "member"));
        let searched = end.members;
        say(format_args!("{name}: zip container by its first bytes; {count}, {searched} searched"));
    }
    Ok(end)
}

/// Reads one member. Returns false if the container inflates to too much.
fn member(
    finder: &Finder,
    args: &ScanArgs,
    path: &Path,
    container: &mut Container,
    entry: &Entry,
    end: &mut ContainerEnd,
    each: &mut Each<'_>,
) -> Result<bool, Trouble> {
    let (inner, format) = (entry.path(path), entry.format);
    if let Some(why) = entry.closed {
        say(format_args!("{}: not searched, {why}", name(&inner)));
        end.whole = false;
        return Ok(true);
    }
    let mut reader = match container.read(entry) {
        Ok(reader) => reader,
        Err(e) => {
            complain(&inner, &e);
            end.whole = false;
            return Ok(true);
        }
    };
    let finder = finder.clone().format(args.rules.read_as(format));
    let Some(head) = reader.head(&finder, format).map_err(Trouble::Output)? else {
        return Ok(!reader.full);
    };
    let summary = each(&finder, &inner, &mut head.chain(&mut reader)).map_err(Trouble::Output)?;
    end.bytes += reader.bytes;
    end.members += 1;
    if let Some(e) = &reader.trouble {
        complain(&inner, e);
    }
    end.whole &= reader.trouble.is_none() && !reader.full;
    if args.run.verbose {
        notes::report_charset(&inner, &summary, format, entry.basis);
    }
    Ok(!reader.full)
}
