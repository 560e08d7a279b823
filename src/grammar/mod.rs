//! What a link is in running text. Characters with their places go in, a verdict comes out;
//! no charset, no bytes, no input or output.
//!
//! ```text
//! types      what all of the grammar shares
//! classes    what a character is: in a host, in a tail, at the end of a sentence
//! start      where a link starts: the scheme before `:`, the opener before that
//! tail       the rest of a link: host, then the tail of UTS #58 with rules for prose
//! candidate  one candidate, read in two ways at once: as running text, and up to the
//!            partner of its opener; the second wins if the partner comes
//! uts58      the same by UTS #58 to the letter
//! ```

pub(crate) mod address;
pub(crate) mod adjoining;
pub(crate) mod bare;
mod brackets;
pub(crate) mod candidate;
pub(crate) mod classes;
mod escaped;
mod host;
pub(crate) mod name;
pub(crate) mod shape;
pub(crate) mod start;
pub(crate) mod tail;
pub(crate) mod types;
pub(crate) mod uts58;
mod wrap;
