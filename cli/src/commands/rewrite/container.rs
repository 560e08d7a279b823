//! `iriscan rewrite -z` of zip containers: rewrites the members that are text.
//!
//! What must hold: members that do not change keep their bytes, times and order, and a container that is signed, or
//! that cannot be read to its end, stays as it is.

use std::path::Path;

use iriscan::Finder;
use iriscan_documents::{Member, NextMember, NoteKind, Repacker};

use super::document;
use crate::{
    args::rewrite::RewriteArgs,
    commands::walk::tell,
    inputs::{
        Outcome,
        open::{InputOpener, Opened},
    },
    messages::{
        say,
        text::{name, plural},
        trouble::{Trouble, Unfinished, complain},
    },
    output::Destination,
    printers::stats::Stats,
};

/// Rewrites the container at `path`.
pub(super) fn rewrite(
    finder: &Finder,
    path: &Path,
    opened: Opened,
    opener: &InputOpener<'_>,
    args: &RewriteArgs,
    to: &mut Destination<'_>,
    mut stats: Option<&mut Stats>,
) -> Result<Outcome, Trouble> {
    let verbose = args.scan.run.verbose;
    let (unfinished, len) = (opened.unfinished(), opened.plain_file().map(|(_, len)| len));
    let meter = opened.meter().clone();
    let Some(mut repacker) = open_repacker(path, opened) else { return Ok(Outcome::NOTHING) };
    if repacker.is_signed() && !args.even_signed {
        let what = "signed, and stays as it is; --even-signed rewrites it and breaks the signature";
        say(format_args!("{}: {what}", name(path)));
        finish(repacker, to)?;
        return Ok(Outcome::LEFT_OUT);
    }
    let (mut links, mut whole, mut searched) = (0, true, 0);
    while let Some(next) = repacker.next(finder) {
        let member = match next {
            NextMember::Member(member) => member,
            NextMember::Note(note) => {
                // What cannot be read at all is copied.
                whole &= matches!(note.kind(), NoteKind::Closed(_));
                tell(path, &note, verbose);
                continue;
            }
        };
        searched += 1;
        let mut new = Vec::new();
        let mut into = to.with_all_in(&mut new);
        let stats = stats.as_deref_mut();
        let done = rewrite_member(finder, member, opener, unfinished, args, &mut into, stats)?;
        whole &= done.whole;
        links += done.links;
        if done.links > 0 && matches!(to, Destination::Probe) {
            return Ok(Outcome { links, whole });
        }
        if done.links > 0 && matches!(to, Destination::All(_)) {
            repacker.put(&new).map_err(Trouble::Output)?;
        }
    }
    if let Some(len) = len {
        meter.reached(len);
        if let Some(stats) = stats {
            stats.archive(len, "zip");
        }
    }
    if verbose && !matches!(to, Destination::Probe) {
        let texts = plural(searched, "text");
        say(format_args!("{}: zip container by its first bytes; {texts} read", name(path)));
    }
    finish(repacker, to)?;
    Ok(Outcome { links, whole })
}

/// Begins to read the container. `None`: it cannot be read, of which the user was told.
fn open_repacker(path: &Path, opened: Opened) -> Option<Repacker> {
    let unfinished = opened.unfinished();
    let repacker = opened.into_document().into_repacker();
    repacker.inspect_err(|e| complain(path, e, unfinished)).ok()
}

/// Rewrites one text of the container.
fn rewrite_member(
    finder: &Finder,
    member: Member,
    opener: &InputOpener<'_>,
    unfinished: Unfinished,
    args: &RewriteArgs,
    to: &mut Destination<'_>,
    stats: Option<&mut Stats>,
) -> Result<Outcome, Trouble> {
    let Member { path, format, why, bytes, .. } = member;
    match opener.open_member(&path, format, why, bytes) {
        Ok(opened) => {
            let finder = finder.clone().format(format);
            document::rewrite(&finder, format, &path, opened, args, to, stats)
        }
        Err(e) => {
            complain(&path, &e, unfinished);
            Ok(Outcome::NOTHING)
        }
    }
}

/// Writes the container, if it is written at all.
fn finish(repacker: Repacker, to: &mut Destination<'_>) -> Result<(), Trouble> {
    match to {
        Destination::All(out) => repacker.finish(&mut **out).map_err(Trouble::Output),
        _ => Ok(()),
    }
}
