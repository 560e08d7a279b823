//! What `iriscan find` does with the places and the links of an input.

use std::{
    io::{self, Write},
    mem,
    path::Path,
    sync::Arc,
};

use iriscan::{
    Field, Finder,
    mail::{Headers, MailLink},
};
use iriscan_documents::{self as documents, Content};

use crate::{
    args::find::OffsetsArg,
    commands::walk::{Place, Visitor},
    inputs::{
        open::Opened,
        scan::{Reading, scan},
    },
    messages::trouble::Trouble,
    ordered::pieces::{Buffers, Extent, SharedFile},
    printers::{context::Near, list::Lister, stats::Stats},
};

impl<W: Write> Visitor for Lister<'_, W> {
    fn near(&self) -> Option<Near> {
        Lister::near(self)
    }

    fn stats(&mut self) -> Option<&mut Stats> {
        Lister::stats(self)
    }

    fn begin(&mut self, content: Content) -> Result<(), Trouble> {
        let what = match content {
            Content::Mail => {
                "--offsets other than bytes are of a decoded text, and mail has many; leave them \
                 out, or say --format text"
            }
            Content::Archive => {
                "--offsets other than bytes are of one text, and an archive has many; leave them \
                 out"
            }
            Content::Document(_) | Content::Container => return Ok(()),
        };
        match self.args().offsets.iter().all(|unit| *unit == OffsetsArg::Bytes) {
            true => Ok(()),
            false => Err(Trouble::Usage(what.into())),
        }
    }

    fn enter(&mut self, place: Place, markup: bool) {
        match place {
            Place::Whole => {}
            Place::In(documents::Place::Record(record)) => self.enter_record(record),
            Place::In(documents::Place::Member(path)) => self.enter_member(path),
        }
        self.set_markup(markup);
    }

    fn document(
        &mut self,
        finder: &Finder,
        path: &Path,
        opened: Opened,
    ) -> Result<Reading, Trouble> {
        let args = self.args();
        let counting = args.counts_positions();
        if counting {
            self.count_positions();
        }
        // These depend on all text before a link, so the document is not cut into pieces.
        let alone = counting || args.unique || args.prints(Field::N) || self.shows_lines();
        let jobs = if alone { 1 } else { args.scan.run.threads_of_one() };
        let Some(file) = SharedFile::of(&opened, jobs) else {
            return scan(finder, path, opened, self, args.scan.run.pace());
        };
        let (piece, buffers) = (self.piece(), Buffers::default());
        let make = || piece(buffers.take());
        let pour = &mut |piece: &mut Lister<'_, Vec<u8>>, extent| {
            self.take_piece(piece)?;
            if extent == Extent::Whole {
                buffers.put(mem::take(piece.out()));
            }
            Ok(())
        };
        file.scan(finder, path, &make, pour)
    }

    fn mail_link(
        &mut self,
        link: &MailLink,
        at: u64,
        line: u64,
        message: &Arc<Headers>,
    ) -> io::Result<()> {
        Lister::mail_link(self, link, at, line, message)
    }

    fn end_input(&mut self, _: &Path, _: &str) -> io::Result<()> {
        self.end()
    }

    fn unreadable(&mut self, _: &Path) {}
}
