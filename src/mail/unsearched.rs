//! The parts of a message that are not searched, because nobody but their reader can read them.

use std::{string::String, vec::Vec};

use super::{
    lines::Lines,
    outline::{self, What},
    types::Closed,
};

/// A part of a message that is not searched for links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsearched {
    part: String,
    why: Closed,
    line: u64,
}

impl Unsearched {
    /// The part, numbered as in [`MailLink::part`](super::MailLink::part).
    #[must_use]
    pub fn part(&self) -> &str {
        &self.part
    }

    /// Why it is not searched.
    #[must_use]
    pub fn why(&self) -> Closed {
        self.why
    }

    /// The line of the message on which its body starts, from 1.
    #[must_use]
    pub fn line(&self) -> u64 {
        self.line
    }
}

/// The parts of a message that are encrypted, or in a container that only some programs read.
/// They may hold links, and no function of this module finds them.
///
/// ```
/// use iriscan::mail::{self, Closed};
///
/// let message = b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nhttp://a.example/\n--b\n\
///     Content-Type: application/ms-tnef; name=winmail.dat\n\nAAAA\n--b--\n";
/// let parts = mail::unsearched(message);
/// assert_eq!((parts.len(), parts[0].part(), parts[0].why()), (1, "2", Closed::Tnef));
/// assert_eq!(parts[0].line(), 9);
/// ```
#[must_use]
pub fn unsearched(message: &[u8]) -> Vec<Unsearched> {
    let (mut parts, mut lines) = (Vec::new(), Lines::of(message));
    outline::walk(message, &mut |piece| {
        if let What::Closed(why) = piece.what {
            let line = lines.at(piece.range.start);
            parts.push(Unsearched { part: piece.part.into(), why, line });
        }
    });
    parts
}
