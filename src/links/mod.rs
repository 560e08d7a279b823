//! What every scan hands out: links, and the sink they go to.
//!
//! A [`matched::Match`] is made of the place that the grammar found, the bytes there, and the
//! charset they are read in. Invariant: text and URI are made only when asked for.

pub(crate) mod logical;
pub(crate) mod matched;
pub(crate) mod sink;
