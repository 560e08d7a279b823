//! Rewrites one input, whatever is in it.

use std::{fs::File, sync::Arc};

use iriscan::Finder;

use super::{document, mail};
use crate::{
    args::rewrite::RewriteArgs,
    inputs::{
        Outcome,
        compressed::Compressor,
        content::Content,
        list::Input,
        open::{self, Archives, Opened},
    },
    messages::{say, text::name, trouble::Trouble},
    output::Destination,
    printers::stats::Stats,
};

/// Rewrites an input. `file` is its file, if that is open already.
pub(super) fn rewrite(
    finder: &Finder,
    input: &Input,
    file: Option<&Arc<File>>,
    args: &RewriteArgs,
    to: &mut Destination<'_>,
    stats: Option<&mut Stats>,
) -> Result<Outcome, Trouble> {
    let opened = match open::open(finder, input, file, &args.scan, Archives::Refused) {
        Ok(opened) => opened,
        Err(outcome) => return Ok(outcome),
    };
    if opened.content() == Content::Archive {
        let name = name(&input.path);
        say(format_args!(
            "{name}: a web archive, whose lengths and digests would be wrong; `find` lists \
             its links"
        ));
        return Ok(Outcome::NOTHING);
    }
    if opened.content() == Content::Container {
        open::refuse_container(&input.path);
        return Ok(Outcome::NOTHING);
    }
    match (opened.compression(), to) {
        (Some(compression), Destination::All(out)) => {
            let mut out = Compressor::new(&compression, *out).map_err(Trouble::Output)?;
            let to = &mut Destination::All(&mut out);
            let done = rewrite_opened(finder, input, opened, args, to, stats)?;
            out.finish().map(|()| done).map_err(Trouble::Output)
        }
        (_, to) => rewrite_opened(finder, input, opened, args, to, stats),
    }
}

fn rewrite_opened(
    finder: &Finder,
    input: &Input,
    opened: Opened,
    args: &RewriteArgs,
    to: &mut Destination<'_>,
    stats: Option<&mut Stats>,
) -> Result<Outcome, Trouble> {
    match opened.content() {
        Content::Document(format) => {
            let finder = finder.clone().format(format);
            document::rewrite(&finder, format, &input.path, opened, args, to, stats)
        }
        _ => mail::rewrite(finder, &input.path, opened, args, to, stats),
    }
}
