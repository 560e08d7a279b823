//! What a link is in running text. Characters with their places go in (runs of ASCII all at once),
//! a verdict comes out. Nothing is decoded here, and there is no input or output.
//!
//! ```text
//! blocks     classes of bytes, and masks of them over 64 bytes
//! types      what all of the grammar shares
//! classes    what a character is: in a host, in a tail, at the end of a sentence
//! start      where a link starts: the scheme before `:`
//! name_start the same of a link without a scheme: the name around `.`, the local part before `@`
//! opener     what is directly before the start: a delimiter, emphasis, a label
//! reading    the rest of a link: host, then the tail of UTS #58 with rules for prose
//!            (authority, host, ahead, brackets, wrap, escaped, adjoining, shape are parts of it;
//!            reading/runs takes many characters at once, reading/whole all of a simple link)
//! marks      marks of notes, numbers of lists and middle dots, which are next to names
//! name       a run: the characters of a host without a scheme, or after an `@`
//! name_end   where a run ends as a host, or as the domain of an address
//! bare       which of these names are hosts
//! address    which characters around an `@` are an e-mail address
//! ip         which numbers are IP addresses
//! candidate  one candidate: up to the partner of its opener, and if that does not come as running
//!            text
//! explain    the names of the rules that ended it
//! uts58      the same by UTS #58 to the letter
//! ```

pub(crate) mod address;
pub(crate) mod adjoining;
mod ahead;
mod authority;
pub(crate) mod bare;
pub(crate) mod blocks;
mod brackets;
pub(crate) mod candidate;
pub(crate) mod classes;
mod escaped;
pub(crate) mod explain;
mod host;
pub(crate) mod ip;
mod marks;
pub(crate) mod name;
mod name_end;
pub(crate) mod name_start;
pub(crate) mod opener;
pub(crate) mod reading;
pub(crate) mod shape;
pub(crate) mod start;
mod tagged;
pub(crate) mod types;
pub(crate) mod uts58;
mod wrap;
