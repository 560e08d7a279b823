//! The results of a scan: links, and the sink that takes them.
//!
//! A [`matched::Match`] has the place that the grammar found, the bytes there, and the charset
//! they are read in. A [`link::Link`] is the same with its own copy of the bytes. A
//! [`filter::Filter`] chooses among them. Invariant: text and URI are computed only when a caller asks for them.

pub(crate) mod defang;
pub(crate) mod edit;
pub(crate) mod field;
pub(crate) mod filter;
mod ip;
pub(crate) mod link;
pub(crate) mod logical;
pub(crate) mod markup;
pub(crate) mod matched;
pub(crate) mod place;
pub(crate) mod rewrite;
pub(crate) mod sink;
pub(crate) mod spots;
pub(crate) mod template;
pub(crate) mod viewer;
