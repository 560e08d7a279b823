//! Files of mail: a message, or an mbox of several.
//!
//! In goes an input; out come its messages with the byte and the line that each starts at.
//! What must hold: at most one message is held in memory.

use std::io::{self, Read};

use iriscan::mail::{Messages, Options, Piece};

/// Reads an input message by message: an iterator over [`MailPiece`]. An error ends it.
pub struct Mailbox {
    pieces: Messages<Box<dyn Read + Send>>,
    /// The byte that the next piece starts at.
    at: u64,
    /// The line that the next piece starts in, from 1.
    line: u64,
    messages: u64,
    /// The number of messages that have begun, also of those that are too long.
    begun: u64,
}

/// A message, or a part of one that is too long.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MailPiece {
    /// Its bytes.
    pub piece: Piece,
    /// The byte of the file that it starts at.
    pub at: u64,
    /// The line of the file that it starts in, from 1.
    pub line: u64,
    /// The number of the message in the file, from 1.
    pub number: u64,
}

impl std::fmt::Debug for Mailbox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mailbox").field("at", &self.at).finish_non_exhaustive()
    }
}

impl Mailbox {
    pub(crate) fn new(reader: Box<dyn Read + Send>) -> Mailbox {
        let pieces = Messages::new(reader, Mailbox::longest());
        Mailbox { pieces, at: 0, line: 1, messages: 0, begun: 0 }
    }

    /// The longest message that is read, in bytes. A longer one comes in pieces.
    #[must_use]
    pub fn longest() -> usize {
        Options::new().get_limit()
    }

    /// The number of bytes that were read.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.at
    }

    /// The number of messages that were read, without those that are too long.
    #[must_use]
    pub fn messages(&self) -> u64 {
        self.messages
    }
}

impl Iterator for Mailbox {
    type Item = io::Result<MailPiece>;

    fn next(&mut self) -> Option<io::Result<MailPiece>> {
        let piece = match self.pieces.next()? {
            Ok(piece) => piece,
            Err(e) => return Some(Err(e)),
        };
        let (at, line) = (self.at, self.line);
        self.at += piece.bytes().len() as u64;
        self.line += piece.bytes().iter().filter(|b| **b == b'\n').count() as u64;
        self.messages += u64::from(matches!(piece, Piece::Message(_)));
        self.begun += u64::from(!matches!(piece, Piece::TooLong { first: false, .. }));
        Some(Ok(MailPiece { piece, at, line, number: self.begun }))
    }
}
