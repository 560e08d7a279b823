//! What could not be read, in words: what happened, where, and what the user can do.

use std::{fmt, io, path::PathBuf};

use crate::mail::Mailbox;

/// A part of an input that could not be read, or only in part. Reading goes on after it.
///
/// Its text is a message for the user. Put the name of the input before it, or that of the member if
/// [`Note::member`] names one.
#[derive(Debug)]
pub struct Note {
    member: Option<PathBuf>,
    kind: NoteKind,
    /// The part was to be rewritten, and keeps its bytes.
    is_kept: bool,
}

/// What happened.
#[derive(Debug)]
#[non_exhaustive]
pub enum NoteKind {
    /// Bytes of a web archive that are no record were passed over.
    Passed(String),
    /// A record is damaged. With the byte that it starts at, and what is wrong with it.
    Damaged(u64, String),
    /// The payload of the record at this byte is damaged or too long; its start is read.
    Cut(u64),
    /// The record at this byte is too long.
    TooLong(u64),
    /// The record at this byte is in a content coding that is not known. These are counted, and
    /// [`NoteKind::Codings`] says at the end how many there were.
    Coding(u64, String),
    /// So many records are in this content coding, which is not known.
    Codings(u64, String),
    /// A member of a container cannot be read, and why.
    Closed(&'static str),
    /// An error ended a member of a container. What could be read was given.
    Unreadable(io::Error),
    /// The container inflates to too many bytes; the rest of it is not read.
    Overfull,
    /// The message at this byte is longer than [`Mailbox::longest`](crate::Mailbox::longest).
    LongMessage(u64),
    /// The container is signed, and so it is not rewritten.
    Signed,
}

impl Note {
    pub(crate) fn new(kind: NoteKind) -> Note {
        Note { member: None, kind, is_kept: false }
    }

    #[cfg(feature = "zip")]
    pub(crate) fn of_member(member: PathBuf, kind: NoteKind) -> Note {
        Note { member: Some(member), kind, is_kept: false }
    }

    /// The same of a part that was to be rewritten.
    pub(crate) fn kept(self) -> Note {
        Note { is_kept: true, ..self }
    }

    /// What happened.
    #[must_use]
    pub fn kind(&self) -> &NoteKind {
        &self.kind
    }

    /// The member of a container that this is about, such as `a.docx!word/document.xml`.
    #[must_use]
    pub fn member(&self) -> Option<&PathBuf> {
        self.member.as_ref()
    }

    /// True if a part of the input counts as not read. A part that is longer than a limit does not count so.
    #[must_use]
    pub fn is_loss(&self) -> bool {
        !matches!(
            self.kind,
            NoteKind::Cut(_)
                | NoteKind::TooLong(_)
                | NoteKind::Coding(..)
                | NoteKind::LongMessage(_)
        )
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            NoteKind::Passed(what) => f.write_str(what),
            NoteKind::Damaged(at, what) => write!(f, "byte {at}: {what}"),
            NoteKind::Cut(at) => write!(
                f,
                "the record at byte {at} has a payload that is damaged, or longer than 64 MiB; its \
                 start was searched"
            ),
            NoteKind::TooLong(at) => {
                write!(f, "the record at byte {at} is longer than 64 MiB and is not searched")
            }
            NoteKind::Coding(at, coding) => {
                write!(f, "the record at byte {at} is not searched: content coding {coding}")
            }
            NoteKind::Codings(count, coding) => {
                let (records, are, were) = match count {
                    1 => ("record", "is", "was"),
                    _ => ("records", "are", "were"),
                };
                write!(
                    f,
                    "{count} {records} {are} in the content coding {coding}, which is not known \
                     here, and {were} not searched"
                )
            }
            NoteKind::Closed(why) if self.is_kept => write!(f, "stays as written, {why}"),
            NoteKind::Closed(why) => write!(f, "not searched, {why}"),
            NoteKind::LongMessage(at) => {
                let mib = Mailbox::longest() >> 20;
                let what = if self.is_kept { "stays as written" } else { "is not searched" };
                write!(f, "the message at byte {at} is longer than {mib} MiB and {what}; split it")
            }
            NoteKind::Signed => {
                f.write_str("signed, and stays as it is; rewriting it would break the signature")
            }
            NoteKind::Unreadable(e) => write!(f, "{e}; what could be read was used"),
            NoteKind::Overfull => f.write_str(
                "inflates to more than 64 MiB and 256 times its length; the rest is not searched, \
                 unpack it if you trust it",
            ),
        }
    }
}
