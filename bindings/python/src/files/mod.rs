//! Files: the links of one, and its rewriting, step by step.
//!
//! In goes a path or a file object; out come links, or rewritten bytes, a step at a time, so that the
//! caller can show progress and be interrupted. The crate `iriscan-documents` opens them, as it does for
//! the command. The files, from the bottom: `object` (file objects of Python), `open`, `find`, `rewrite`.

mod find;
mod object;
mod open;
mod rewrite;

pub(crate) use self::{
    find::FileLinks,
    open::{_inner_name, Source},
    rewrite::FileRewriter,
};
