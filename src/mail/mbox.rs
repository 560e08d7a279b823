//! The messages of a stream: of an mbox, or a single one.
//!
//! This file looks for lines that begin with `From `, and for nothing else in a message.
//! Invariant: the pieces, one after the other, are the stream, byte for byte, however it is
//! read.

use std::{
    io::{self, Read},
    vec::Vec,
};

use super::lines::{is_envelope, line_end};

/// How many bytes are read at once.
const BLOCK: usize = 128 * 1024;

/// The longest line before a message. A longer line that begins with `From ` is text, so that
/// a stream without line ends is not searched for a line end again and again.
const FROM_MAX: usize = 1000;

/// A piece of a stream of messages.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Piece {
    /// A whole message, with the line that an mbox has before it.
    Message(Vec<u8>),
    /// Bytes of a message that is longer than the limit. Pass them on as they are.
    TooLong {
        /// The bytes; the rest comes in the next pieces.
        bytes: Vec<u8>,
        /// Whether the message starts with them.
        first: bool,
    },
}

impl Piece {
    /// The bytes of the piece, as they came in.
    ///
    /// ```
    /// use iriscan::mail::{Messages, Piece};
    ///
    /// let mut messages = Messages::new(&b"Subject: hi\n\nGr\xC3\xBC\xC3\x9Fe"[..], 16);
    /// let Piece::TooLong { bytes, first: true } = messages.next().unwrap()? else { panic!() };
    /// assert!(bytes.starts_with(b"Subject: hi\n\n"));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        match self {
            Piece::Message(bytes) | Piece::TooLong { bytes, .. } => bytes,
        }
    }
}

/// The messages of a reader, one by one.
///
/// A stream that begins with `From `, perhaps after a byte order mark, is an mbox. In it a message begins with each line that
/// starts so, has a time of day and a year, and comes after an empty line. Any other stream is
/// one message. All pieces, one after the other, are the stream, byte for byte; `>From ` stays
/// as it is. An error comes after all bytes that could be read, and is the last item.
///
/// ```
/// use iriscan::mail::{Messages, Piece};
///
/// let mbox = "From a@b.example Sat Jan  3 01:05:34 1996\nSubject: one\n\nEins\n\n\
///             From a@b.example Sat Jan  3 01:05:35 1996\nSubject: two\n\n>From here\n";
/// let messages: Vec<Piece> = Messages::new(mbox.as_bytes(), 1 << 20).collect::<Result<_, _>>()?;
/// assert_eq!(messages.len(), 2);
/// assert!(messages[0].bytes().ends_with(b"Eins\n\n"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Messages<R> {
    reader: R,
    limit: usize,
    /// How many bytes are read at once.
    block: usize,
    held: Vec<u8>,
    /// The start of the bytes in `held` that were not handed out.
    at: usize,
    /// Before this place no message begins, except at `at`.
    searched: usize,
    /// The message at `at` began earlier and is longer than the limit.
    passing: bool,
    mbox: Option<bool>,
    end: Option<io::Result<()>>,
    /// The last bytes before `at`, in which an empty line may be.
    before: [u8; 3],
}

impl<R: Read> Messages<R> {
    /// The messages of `reader`, of at most `limit` bytes each: longer ones are
    /// [`Piece::TooLong`]. At most about twice the length of a message is held.
    #[must_use]
    pub fn new(reader: R, limit: usize) -> Messages<R> {
        Messages::in_blocks(reader, limit, BLOCK)
    }

    /// As [`Messages::new`], reading `block` bytes at once.
    pub(super) fn in_blocks(reader: R, limit: usize, block: usize) -> Messages<R> {
        Messages {
            reader,
            limit: limit.max(1),
            block,
            held: Vec::new(),
            at: 0,
            searched: 0,
            passing: false,
            mbox: None,
            end: None,
            before: *b"\0\0\0",
        }
    }

    fn fill(&mut self) {
        if self.at > 0 {
            self.held.drain(..self.at);
            self.searched -= self.at;
            self.at = 0;
        }
        let len = self.held.len();
        if self.held.capacity() < len + self.block {
            // Grows by a quarter, because a vector that doubles would take twice the length of a
            // long message.
            self.held.reserve_exact(self.block.max(len / 4));
        }
        self.held.resize(len + self.block, 0);
        let read = loop {
            match self.reader.read(&mut self.held[len..]) {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                other => break other,
            }
        };
        self.held.truncate(len + read.as_ref().copied().unwrap_or(0).min(self.block));
        match read {
            Ok(0) => self.end = Some(Ok(())),
            Ok(_) => {}
            Err(e) => self.end = Some(Err(e)),
        }
    }

    fn is_mbox(&mut self) -> Option<bool> {
        const STARTS: [&[u8]; 2] = [b"From ", b"\xEF\xBB\xBFFrom "];
        if self.mbox.is_none() {
            let held = &self.held[..];
            let open =
                STARTS.iter().any(|start| start.len() > held.len() && start.starts_with(held));
            if !open || self.end.is_some() {
                self.mbox = Some(STARTS.iter().any(|start| held.starts_with(start)));
            }
        }
        self.mbox
    }

    /// The byte `n` bytes before `at`.
    fn back(&self, at: usize, n: usize) -> u8 {
        match (at - self.at).checked_sub(n) {
            Some(_) => self.held[at - n],
            // It is in `before`, counted from its end.
            None => self.before.iter().rev().nth(n - (at - self.at) - 1).copied().unwrap_or(0),
        }
    }

    /// The start of the next message in the bytes that are held.
    fn search(&mut self) -> Option<usize> {
        let mut from = self.searched;
        loop {
            let Some(found) = memchr::memmem::find(&self.held[from..], b"From ") else {
                // `From ` may be cut by the end of the bytes.
                self.searched = self.held.len().saturating_sub(4).max(self.searched);
                return None;
            };
            let at = from + found;
            let starts = at > self.at || self.passing;
            let lf = |n| self.back(at, n) == b'\n';
            let after_empty = lf(1) && (lf(2) || self.back(at, 2) == b'\r' && lf(3));
            if starts && after_empty {
                let (end, next) = line_end(&self.held, at);
                let whole = next > end || self.end.is_some() || end - at > FROM_MAX;
                if !whole {
                    self.searched = at;
                    return None;
                }
                if end - at <= FROM_MAX && is_envelope(&self.held[at..end]) {
                    return Some(at);
                }
            }
            from = at + 1;
            self.searched = from;
        }
    }

    /// Hands out all bytes up to `end`.
    fn give(&mut self, end: usize, whole: bool) -> Option<Piece> {
        let len = end - self.at;
        let (bytes, end) = if len < self.held.len() / 2 {
            (self.held[self.at..end].to_vec(), end)
        } else {
            // A long message is not copied; the bytes after it are.
            let rest = self.held[end..].to_vec();
            let mut bytes = core::mem::replace(&mut self.held, rest);
            bytes.truncate(end);
            bytes.drain(..self.at);
            self.searched = self.searched.saturating_sub(end);
            (bytes, 0)
        };
        let first = !self.passing;
        for n in (1..=3.min(bytes.len())).rev() {
            self.before = [self.before[1], self.before[2], bytes[bytes.len() - n]];
        }
        self.at = end;
        self.searched = self.searched.max(end);
        if bytes.is_empty() {
            self.passing &= !whole;
            return None;
        }
        let fits = first && whole && bytes.len() <= self.limit;
        self.passing = !whole;
        Some(if fits { Piece::Message(bytes) } else { Piece::TooLong { bytes, first } })
    }
}

impl<R: Read> Iterator for Messages<R> {
    type Item = io::Result<Piece>;

    fn next(&mut self) -> Option<io::Result<Piece>> {
        loop {
            if self.is_mbox() == Some(true)
                && let Some(start) = self.search()
            {
                if let Some(piece) = self.give(start, true) {
                    return Some(Ok(piece));
                }
                // A message that was passed on had no bytes left.
                continue;
            }
            if self.end.is_some() {
                if let Some(piece) = self.give(self.held.len(), true) {
                    return Some(Ok(piece));
                }
                return match self.end.replace(Ok(())) {
                    Some(Err(e)) => Some(Err(e)),
                    _ => None,
                };
            }
            // Bytes that may begin a message are not handed out with the one before.
            let settled = match self.is_mbox() {
                Some(true) => self.searched.max(self.at),
                Some(false) => self.held.len(),
                None => self.at,
            };
            let too_long = settled - self.at > self.limit || self.passing && settled > self.at;
            if too_long && let Some(piece) = self.give(settled, false) {
                return Some(Ok(piece));
            }
            self.fill();
        }
    }
}
