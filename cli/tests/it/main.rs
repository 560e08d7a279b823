//! The command `iriscan` held to its contract: the real program, run as a user
//! runs it.
//!
//! Knows options, streams, files and exit codes; what counts as a link is the
//! library's own matter and tested there. A test's name says the promise.

mod cases;
mod charset;
mod check;
mod common;
mod compressed;
mod convert;
mod exit;
mod find;
mod format;
mod in_place;
mod jobs;
mod mail;
mod neighbour;
mod readme;
mod rewrite;
mod trees;
mod warc;
