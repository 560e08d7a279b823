//! Tests of the command `iriscan`: the program is run as a user runs it.
//!
//! They test options, streams, files and exit codes; the rules for links are tested in the
//! library. Most of them are data, in `cli/tests/transcripts`. What is here needs a program: a
//! terminal, a signal, memory, a huge input, permissions, or two runs that have to agree. The
//! name of a test is the promise that it checks.

mod cases;
mod charset;
mod check;
mod choosing;
mod color;
mod common;
mod compressed;
mod container;
mod convert;
mod dependencies;
mod exit;
mod explain;
mod files;
mod find;
mod in_place;
mod jobs;
mod layers;
mod mail;
mod manifests;
mod manual;
mod neighbour;
mod notation;
mod opened;
mod options;
mod pick;
mod pictures;
mod progress;
mod readme;
mod replace;
mod report;
mod rewrite;
mod stats;
mod transcripts;
mod trees;
mod warc;

/// The path of the program.
fn program() -> &'static str {
    env!("CARGO_BIN_EXE_iriscan")
}
