//! What takes the places and the links of inputs.

use std::{io, path::Path, sync::Arc};

use iriscan::{
    Finder, Sink,
    mail::{Headers, MailLink},
};
use iriscan_documents::{self as documents, Content};

use crate::{
    inputs::{open::Opened, scan::Reading},
    messages::trouble::Trouble,
    printers::{context::Near, stats::Stats},
};

/// Takes the places and the links of inputs, one input after the other. The texts of an input are
/// scanned into it.
pub(in crate::commands) trait Visitor: Sink<Error = io::Error> {
    /// How much of the text around links is wanted, if any is.
    fn near(&self) -> Option<Near>;

    /// The numbers for `--stats`, if they are wanted.
    fn stats(&mut self) -> Option<&mut Stats>;

    /// An input with this content begins. An error refuses it.
    fn begin(&mut self, _: Content) -> Result<(), Trouble> {
        Ok(())
    }

    /// The text that comes next is at `place`, and is markup or not.
    fn enter(&mut self, place: Place, markup: bool);

    /// Scans an input that is one text.
    fn document(
        &mut self,
        finder: &Finder,
        path: &Path,
        opened: Opened,
    ) -> Result<Reading, Trouble>;

    /// Takes a link of a message, which starts at byte `at` and in line `line`.
    fn mail_link(
        &mut self,
        link: &MailLink,
        at: u64,
        line: u64,
        message: &Arc<Headers>,
    ) -> io::Result<()>;

    /// The input at `path` is over; `note` says how it was read.
    fn end_input(&mut self, path: &Path, note: &str) -> io::Result<()>;

    /// The input at `path` could not be opened, of which the user was told.
    fn unreadable(&mut self, path: &Path);
}

/// The place of a text in its input.
pub(in crate::commands) enum Place {
    /// It is the input.
    Whole,
    /// It is in the input, which is a web archive or a container.
    In(documents::Place),
}

/// The end of an input.
pub(super) struct End {
    /// How it was read.
    pub(super) note: String,
    /// True if it was read to its end; else the user was told of that.
    pub(super) whole: bool,
}
