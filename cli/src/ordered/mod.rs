//! Work on several threads whose results come out in order.
//!
//! ```text
//! sequence   the queue: numbers the work, keeps results that are early, bounds how many
//! each       many inputs: each is worked on by one thread
//! pieces     one large file: it is cut, and the pieces are scanned side by side
//! ```
//!
//! What must hold: the output and the messages are those of one thread, and the memory for
//! results that wait is bounded.

pub(crate) mod each;
pub(crate) mod pieces;
mod sequence;

/// A thread panicked, which the program does not survive.
const POISONED: &str = "no thread should have panicked";
