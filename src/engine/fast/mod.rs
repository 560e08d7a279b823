//! The fast path: hosts without a scheme and e-mail addresses of a common shape, read in one go from
//! bytes that are all there.
//!
//! Most of these are letters, digits and a few marks, with white space or punctuation on both sides.
//! The fast path reads them with masks over blocks of 64 bytes. At any doubt it returns `None`, and
//! the slow path (the grammar, in runs and character by character) decides.
//!
//! What must hold: where the fast path answers, the slow path gives the same answer. All cases,
//! laws and corpora run with the fast path on and off ([`Tuning`](super::tuning::Tuning)).

pub(crate) mod address;
pub(crate) mod name;
