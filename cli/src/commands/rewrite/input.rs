//! Rewrites one input, whatever is in it.

use std::{
    fs::File,
    sync::{Arc, atomic::AtomicU64},
};

use iriscan::Finder;
use iriscan_documents::{Compressor, Content};

use super::{container, document, mail};
use crate::{
    args::rewrite::RewriteArgs,
    inputs::{
        Outcome,
        list::Input,
        open::{InputOpener, Opened, refuse},
    },
    messages::trouble::Trouble,
    output::Destination,
    printers::stats::Stats,
};

/// Rewrites inputs.
pub(super) struct InputRewriter<'a> {
    pub(super) finder: &'a Finder,
    pub(super) args: &'a RewriteArgs,
    pub(super) opener: &'a InputOpener<'a>,
    /// The inputs that were read.
    pub(super) read: AtomicU64,
}

impl InputRewriter<'_> {
    /// Rewrites an input. `file` is its file, if that is open already. `is_read` becomes true if it is not left out.
    pub(super) fn rewrite(
        &self,
        input: &Input,
        file: Option<&Arc<File>>,
        to: &mut Destination<'_>,
        stats: Option<&mut Stats>,
        is_read: &mut bool,
    ) -> Result<Outcome, Trouble> {
        let opened = match self.opener.open(self.finder, input, file) {
            Ok(opened) => opened,
            Err(outcome) => return Ok(outcome),
        };
        *is_read = true;
        if refuse(&input.path, opened.content()) {
            return Ok(Outcome::NOTHING);
        }
        match (opened.compression(), to) {
            (Some(compression), Destination::All(out)) => {
                let mut out = Compressor::new(compression, &mut **out).map_err(Trouble::Output)?;
                let to = &mut Destination::All(&mut out);
                let done = self.rewrite_opened(input, opened, to, stats)?;
                out.finish().map(|_| done).map_err(Trouble::Output)
            }
            (_, to) => self.rewrite_opened(input, opened, to, stats),
        }
    }

    fn rewrite_opened(
        &self,
        input: &Input,
        opened: Opened,
        to: &mut Destination<'_>,
        stats: Option<&mut Stats>,
    ) -> Result<Outcome, Trouble> {
        let (finder, args) = (self.finder, self.args);
        match opened.content() {
            Content::Document(format) => {
                let finder = finder.clone().format(format);
                document::rewrite(&finder, format, &input.path, opened, args, to, stats)
            }
            Content::Container => {
                container::rewrite(finder, &input.path, opened, self.opener, args, to, stats)
            }
            _ => mail::rewrite(finder, &input.path, opened, args, to, stats),
        }
    }
}
