//! The parts of a message that are not searched, because nobody but their reader can read them, or because
//! they are nested too deep.

use std::{format, string::String, vec::Vec};

use super::{
    lines::Lines,
    outline::{self, What},
    types::UnsearchedReason,
};

/// A part of a message that is not searched for links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsearched {
    part: String,
    why: UnsearchedReason,
    line: u64,
}

impl Unsearched {
    pub(super) fn new(part: &str, why: UnsearchedReason, line: u64) -> Unsearched {
        Unsearched { part: part.into(), why, line }
    }

    /// As [`enclosed`](super::find::enclosed).
    pub(super) fn within(self, part: &str, line: u64) -> Unsearched {
        Unsearched { part: format!("{part}.{}", self.part), line, ..self }
    }

    /// The part, numbered as in [`MailLink::part`](super::MailLink::part).
    #[must_use]
    pub fn part(&self) -> &str {
        &self.part
    }

    /// Why it is not searched.
    #[must_use]
    pub fn reason(&self) -> UnsearchedReason {
        self.why
    }

    /// The line of the message on which its body starts, from 1.
    #[must_use]
    pub fn line(&self) -> u64 {
        self.line
    }
}

/// The parts of a message that are encrypted, in a container that only some programs read, or nested too
/// deep. They may hold links, and no function of this module finds them. [`find_noting`](super::find_noting)
/// and [`Rewritten::unsearched`](super::Rewritten::unsearched) give them without reading the message once
/// more; of these only `find_noting` looks into messages that are attached in base64 or quoted-printable.
///
/// ```
/// use iriscan::mail::{self, UnsearchedReason};
///
/// let message = b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nhttp://a.example/\n--b\n\
///     Content-Type: application/ms-tnef; name=winmail.dat\n\nAAAA\n--b--\n";
/// let parts = mail::unsearched(message);
/// assert_eq!((parts.len(), parts[0].part(), parts[0].reason()), (1, "2", UnsearchedReason::Tnef));
/// assert_eq!(parts[0].line(), 9);
/// ```
#[must_use]
pub fn unsearched(message: &[u8]) -> Vec<Unsearched> {
    let (mut parts, mut lines) = (Vec::new(), Lines::of(message));
    outline::walk(message, &mut |piece| {
        if let What::Closed(why) = piece.what {
            parts.push(Unsearched::new(piece.part, why, lines.at(piece.range.start)));
        }
    });
    parts
}
