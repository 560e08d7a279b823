//! Inputs: which there are, how one is opened, and what is in it.
//!
//! ```text
//! list        the paths, in order: those named, those of a list, the files of folders
//! open        one input: opened, decompressed, its format decided
//! scan        a document: its bytes go through the scanner into a sink
//! mail        a file of messages, message by message
//! members     the gzip members of a web archive, also of a damaged one
//! archive     a web archive, record by record
//! container   a zip container, member by member
//! choosing    the filter, with the lists that options name
//! references  for `convert` and `check`: arguments, or the lines of standard input
//! ```

pub(crate) mod archive;
pub(crate) mod choosing;
pub(crate) mod compressed;
pub(crate) mod container;
pub(crate) mod content;
pub(crate) mod list;
pub(crate) mod mail;
pub(crate) mod members;
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
