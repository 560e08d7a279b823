//! Inputs: which there are, and how one is opened. What is in it, `iriscan-documents` says.
//!
//! ```text
//! list        the paths, in order: those named, those of a list, the files of folders
//! open        one input: opened as the options say, or left out, or refused
//! scan        a document: its bytes go through the scanner into a sink
//! mail        a file of messages, message by message
//! choosing    the filter, with the lists that options name
//! references  for `convert` and `check`: arguments, or the lines of standard input
//! ```

pub(crate) mod choosing;
pub(crate) mod list;
pub(crate) mod mail;
pub(crate) mod open;
pub(crate) mod references;
pub(crate) mod scan;

/// The result for one input.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Outcome {
    /// Links that were listed, or changed.
    pub(crate) links: u64,
    /// False if there was trouble, of which the user was told.
    pub(crate) whole: bool,
}

impl Outcome {
    /// There was trouble, of which the user was told, and no links.
    pub(crate) const NOTHING: Outcome = Outcome { links: 0, whole: false };

    /// The input was left out, as it should be.
    pub(crate) const LEFT_OUT: Outcome = Outcome { links: 0, whole: true };
}
