//! The command `iriscan` held to its contract: the real program, run as a user
//! runs it.
//!
//! Knows options, streams, files and exit codes; what counts as a link is the
//! library's own matter and tested there. A test's name says the promise.

mod cases;
mod charset;
mod check;
mod color;
mod common;
mod compressed;
mod convert;
mod dependencies;
mod exit;
mod files;
mod find;
mod format;
mod in_place;
mod jobs;
mod layers;
mod mail;
mod manual;
mod neighbour;
mod options;
mod pictures;
mod progress;
mod readme;
mod report;
mod rewrite;
mod stats;
mod trees;
mod warc;
