//! The fast path: links of a common shape, read in one go from bytes that are all there.
//!
//! Most links have a scheme with a host, hold letters, digits and a few marks, and have white
//! space, quotes or brackets on both sides. The fast path reads these with masks over blocks of
//! 64 bytes. At any doubt it returns `None`, and the slow path (the grammar, character by
//! character) decides.
//!
//! What must hold: where the fast path answers, the slow path gives the same answer. All cases,
//! laws and corpora run with the fast path on and off ([`Tuning`](super::tuning::Tuning)).

pub(crate) mod address;
mod blocks;
pub(crate) mod name;
pub(crate) mod web;
