//! The commands, a file or a folder for each. They read inputs and give them to printers.
//!
//! What must hold: the exit status is 0 for done or found, 1 for nothing found or changes that
//! `--check` sees, 2 for trouble.

pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod explain;
pub(crate) mod find;
pub(crate) mod manual;
pub(crate) mod pick;
pub(crate) mod report;
pub(crate) mod rewrite;
mod run;
mod shown;
mod walk;

use std::io::{self, Write};

use crate::messages::trouble::Trouble;

/// Writes bytes to standard output.
fn put(bytes: &[u8]) -> Result<(), Trouble> {
    let mut out = io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush()).map_err(Trouble::Output)
}
