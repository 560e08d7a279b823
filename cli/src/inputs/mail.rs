//! Files of mail, message by message.
//!
//! In goes an input; out come its messages. What must hold: the user was told of what cannot be read.

use std::path::Path;

use iriscan::mail::{Piece, Unsearched, UnsearchedReason};
use iriscan_documents::{self as documents, MailPiece};

use super::open::Opened;
use crate::messages::{
    notes, say,
    text::name,
    trouble::{Unfinished, complain},
};

/// Reads an input message by message.
pub(crate) struct Mailbox<'p> {
    path: &'p Path,
    mailbox: documents::Mailbox,
    /// What becomes of a message that is too long, for the user.
    too_long: &'static str,
    /// With `-v`.
    verbose: bool,
    unfinished: Unfinished,
    /// True if a read may have to wait.
    pub(crate) waits: bool,
    whole: bool,
    /// How many parts are not searched, for each reason.
    closed: Vec<(UnsearchedReason, u64)>,
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
        let (unfinished, waits) = (opened.unfinished(), opened.waits());
        let mailbox = opened.into_document().into_mailbox();
        Mailbox {
            path,
            mailbox,
            too_long,
            verbose,
            unfinished,
            waits,
            whole: true,
            closed: Vec::new(),
        }
    }

    /// The next piece; `None` at the end, or after an error. The user is told of messages that
    /// are too long, and of an error.
    pub(crate) fn next(&mut self) -> Option<MailPiece> {
        let piece = match self.mailbox.next()? {
            Ok(piece) => piece,
            Err(e) => {
                complain(self.path, &e, self.unfinished);
                self.whole = false;
                return None;
            }
        };
        if let Piece::TooLong { first: true, .. } = piece.piece {
            let (name, at, what) = (name(self.path), piece.at, self.too_long);
            let mib = documents::Mailbox::longest() >> 20;
            say(format_args!(
                "{name}: the message at byte {at} is longer than {mib} MiB and {what}"
            ));
        }
        Some(piece)
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
        self.mailbox.bytes()
    }

    /// The number of messages that were read.
    pub(crate) fn messages(&self) -> u64 {
        self.mailbox.messages()
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
            say(format_args!("{}: {}", name(self.path), notes::how_mail(self.messages(), why)));
        }
    }
}
