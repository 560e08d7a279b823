//! `libiriscan`: iriscan for C.
//!
//! `include/iriscan.h` is generated from this crate and is the documentation; the comments of
//! public items are written for its readers. The layers, from the bottom: `status` (errors and the
//! border that no panic crosses); `handle` (objects that C holds) and `input`; `options`, `strings`,
//! `link` and `buffer`; `finder`; `list`, `iter`, `scanner`, `mail` and `reference`.

// Every function takes pointers of the caller. What must hold for them is in its comment, in the
// words of the header.
#![allow(clippy::missing_safety_doc)]
#![allow(non_camel_case_types)]

mod buffer;
mod finder;
mod handle;
mod input;
mod iter;
mod link;
mod list;
mod mail;
mod options;
mod reference;
mod scanner;
mod status;
mod strings;

pub use buffer::*;
pub use finder::*;
pub use iter::*;
pub use link::*;
pub use list::*;
pub use mail::*;
pub use options::*;
pub use reference::*;
pub use scanner::*;
pub use status::*;
