//! `libiriscan`: iriscan for C.
//!
//! `include/iriscan.h` is generated from this crate and is the documentation; the comments of
//! public items are written for its readers. The layers, from the bottom: `status` (errors and the
//! border that no panic crosses) and `names` (numbers); `handle` (objects that C holds) and `input`;
//! `options`, `strings`, `link` and `buffer`; `finder`; `list`, `iter`, `scanner`, `mail`, `rewrite` and
//! `reference`; `found` and `document`, which read files.

// Every function takes pointers of the caller. What must hold for them is in its comment, in the
// words of the header.
#![allow(clippy::missing_safety_doc)]
#![allow(non_camel_case_types)]

mod buffer;
mod document;
mod finder;
mod found;
mod handle;
mod input;
mod iter;
mod link;
mod list;
mod mail;
mod names;
mod options;
mod reference;
mod rewrite;
mod scanner;
mod status;
mod strings;

pub use buffer::*;
pub use document::*;
pub use finder::*;
pub use iter::*;
pub use link::*;
pub use list::*;
pub use mail::*;
pub use names::*;
pub use options::*;
pub use reference::*;
pub use rewrite::*;
pub use scanner::*;
pub use status::*;
