//! Finds the links of a stream of plain text.
//!
//! Windows over the stream go in, places of links come out. [`candidates`] names the bytes where
//! a link may begin, [`machine`] reads from there with the grammar ([`fast`] does so for links of
//! a common shape), [`search`] adds the charset, and [`stream`] carries over to the next
//! chunk what is not settled.

pub(crate) mod boundaries;
pub(crate) mod candidates;
pub(crate) mod carry;
mod fast;
pub(crate) mod machine;
pub(crate) mod progress;
pub(crate) mod rules;
pub(crate) mod search;
pub(crate) mod stream;
pub(crate) mod tuning;
