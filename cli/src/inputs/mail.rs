//! Files of mail: a message, or an mbox of several.
//!
//! In goes an input; out come its messages with the byte and the line that each starts at.
//! What must hold: at most one message is held in memory.

use std::{io::Read, path::Path};

use iriscan::mail::{Messages, Options, Piece, Unsearched, UnsearchedReason};

use super::open::Opened;
use crate::messages::{
    notes, say,
    text::name,
    trouble::{Unfinished, complain},
};

/// Reads an input message by message.
pub(crate) struct Mailbox<'p> {
    path: &'p Path,
    pieces: Messages<Box<dyn Read>>,
    /// What becomes of a message that is too long, for the user.
    too_long: &'static str,
    /// With `-v`.
    verbose: bool,
    unfinished: Unfinished,
    /// True if a read may have to wait.
    pub(crate) waits: bool,
    /// The byte that the next piece starts at.
    at: u64,
    /// The line that the next piece starts in, from 1.
    line: u64,
    messages: u64,
    whole: bool,
    /// How many parts are not searched, for each reason.
    closed: Vec<(UnsearchedReason, u64)>,
}

/// A message, or a part of the file between messages.
pub(crate) struct MailPiece {
    pub(crate) piece: Piece,
    /// The byte of the file that it starts at.
    pub(crate) at: u64,
    /// The line of the file that it starts in, from 1.
    pub(crate) line: u64,
}

/// The advice about messages that are too long, in commands that only read.
pub(crate) const NOT_SEARCHED: &str = "is not searched; split it";

impl<'p> Mailbox<'p> {
    pub(crate) fn new(
        path: &'p Path,
        opened: Opened,
        too_long: &'static str,
        verbose: bool,
    ) -> Mailbox<'p> {
        let unfinished = opened.unfinished();
        let (reader, waits) = opened.into_reader();
        let pieces = Messages::new(reader, Options::new().get_limit());
        Mailbox {
            path,
            pieces,
            too_long,
            verbose,
            unfinished,
            waits,
            at: 0,
            line: 1,
            messages: 0,
            whole: true,
            closed: Vec::new(),
        }
    }

    /// The next piece; `None` at the end, or after an error. The user is told of messages that
    /// are too long, and of an error.
    pub(crate) fn next(&mut self) -> Option<MailPiece> {
        let piece = match self.pieces.next()? {
            Ok(piece) => piece,
            Err(e) => {
                complain(self.path, &e, self.unfinished);
                self.whole = false;
                return None;
            }
        };
        let (at, line) = (self.at, self.line);
        self.at += piece.bytes().len() as u64;
        self.line += piece.bytes().iter().filter(|b| **b == b'\n').count() as u64;
        match piece {
            Piece::TooLong { first: true, .. } => {
                let (name, what) = (name(self.path), self.too_long);
                let mib = Options::new().get_limit() >> 20;
                say(format_args!(
                    "{name}: the message at byte {at} is longer than {mib} MiB and {what}"
                ));
            }
            Piece::Message(_) => self.messages += 1,
            _ => {}
        }
        Some(MailPiece { piece, at, line })
    }

    /// Counts the parts that are not searched of the message at byte `at` and on `line`; with `-v` it
    /// names each.
    pub(crate) fn count_closed(&mut self, parts: &[Unsearched], at: u64, line: u64) {
        for part in parts {
            let why = part.reason();
            if self.verbose {
                notes::say_closed(self.path, at, line + part.line() - 1, part.part(), why);
            }
            match self.closed.iter_mut().find(|(closed, _)| *closed == why) {
                Some((_, count)) => *count += 1,
                None => self.closed.push((why, 1)),
            }
        }
    }

    /// The number of bytes that were read.
    pub(crate) fn bytes(&self) -> u64 {
        self.at
    }

    /// The number of messages that were read.
    pub(crate) fn messages(&self) -> u64 {
        self.messages
    }

    /// True unless an error ended the file.
    pub(crate) fn is_whole(&self) -> bool {
        self.whole
    }

    /// Says how many parts are not searched, if there are some; with `-v` how many messages there
    /// were, and how the format is known.
    pub(crate) fn say_end(&self, why: &str) {
        notes::report_closed(self.path, &self.closed, self.verbose);
        if self.verbose {
            say(format_args!("{}: {}", name(self.path), notes::how_mail(self.messages, why)));
        }
    }
}
