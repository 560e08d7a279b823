//! The gzip members of a web archive, of which some may be damaged.
//!
//! In go the bytes of the file; out come those of its members, one after the other. What must hold:
//! a damaged member hides no other one. Each record of an archive is usually a member, so the
//! starts of members also say where records are, whatever their heads say.
//!
//! ```text
//! at a member        inflate it; at its end go on with what follows
//! damage             search the bytes after the start of the member for the next one
//! the next one       has the first bytes of gzip, and its content begins as a record does
//! ```
//!
//! Bytes are kept from the start of a member on, so that the search need not begin where the damage
//! was noticed: an inflater may have read over the ends of several members by then.

use std::io::{self, BufRead, Read};

use flate2::bufread::GzDecoder;

use crate::seams::{Seams, is_record, next_record};

const MAGIC: &[u8] = b"\x1F\x8B\x08";

/// So many bytes are read at once.
const CHUNK: usize = 64 << 10;

/// The most bytes of a member that are kept. In a longer one, the search begins where the damage
/// was noticed.
const KEPT_MAX: usize = 8 << 20;

/// The bytes that are inflated to see what a member contains; its head may have a name in it.
const HEADS: [usize; 2] = [512, 128 << 10];

/// The first bytes of the content of a member that is a record.
const RECORD: usize = 7;

/// The content of the members of a file; of a file that begins with a record, the bytes of the file.
pub(crate) struct Members<R> {
    state: State<R>,
    seams: Seams,
    /// Bytes of the content so far.
    out: u64,
}

enum State<R> {
    /// The start of the member, in bytes of the file.
    Member(GzDecoder<Raw<R>>, u64),
    Plain(Raw<R>),
    Ended,
}

/// What may be an archive: its members, or the bytes of a file that is none.
pub(crate) enum Maybe<R> {
    Archive(Members<R>),
    Other(Raw<R>),
}

impl<R: Read> Members<R> {
    /// The members of a file, if the first one is a record.
    pub(crate) fn sniff(reader: R, seams: Seams) -> io::Result<Maybe<R>> {
        let mut raw = Raw::new(reader);
        Ok(match raw.is_member(0)? {
            true => Maybe::Archive(Members { state: State::member(raw), seams, out: 0 }),
            false => Maybe::Other(raw),
        })
    }

    /// The members of a file, which may begin with other bytes. If no member is as near as a record
    /// that is not compressed, the file is plain.
    pub(crate) fn new(reader: R, seams: Seams) -> io::Result<Members<R>> {
        let mut raw = Raw::new(reader);
        let state = match raw.starts_with(MAGIC)? {
            true => State::member(raw),
            false if raw.is_plain()? => State::Plain(raw),
            false => {
                let mut members = Members { state: State::Ended, seams, out: 0 };
                members.resume(raw, 0, "no gzip member begins here")?;
                return Ok(members);
            }
        };
        Ok(Members { state, seams, out: 0 })
    }

    /// Goes on with the next member after byte `from` of the file, where something is wrong.
    fn resume(&mut self, mut raw: Raw<R>, from: u64, what: &str) -> io::Result<()> {
        let next = raw.find_member(from + 1)?;
        let rest = match next {
            Some(next) => {
                format!("{} bytes are passed over, up to the next member", next - from)
            }
            None => "the rest of the file is passed over".to_owned(),
        };
        let message = format!("byte {from} of the file: {what}; {rest}");
        self.seams.pass(self.out, message);
        self.state = match next {
            Some(_) => {
                self.seams.start(self.out);
                State::member(raw)
            }
            None => State::Ended,
        };
        Ok(())
    }

    /// Goes on after the end of a member.
    fn follow(&mut self, mut raw: Raw<R>) -> io::Result<()> {
        // A tape or a block device is written in whole blocks, so zeros may fill the last one.
        let from = raw.at();
        while raw.fill_buf()?.first() == Some(&0) {
            let zeros = raw.fill_buf()?.iter().take_while(|byte| **byte == 0).count();
            raw.consume(zeros);
        }
        if raw.fill_buf()?.is_empty() {
            self.state = State::Ended;
            return Ok(());
        }
        if raw.at() == from && raw.starts_with(MAGIC)? {
            self.seams.start(self.out);
            self.state = State::member(raw);
            return Ok(());
        }
        raw.keep_from(from);
        self.resume(raw, from, "no gzip member begins here")
    }
}

impl<R: Read> State<R> {
    /// The member that `raw` is at.
    fn member(mut raw: Raw<R>) -> State<R> {
        let at = raw.at();
        raw.keep_from(at);
        State::Member(GzDecoder::new(raw), at)
    }
}

impl<R: Read> Read for Members<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = match &mut self.state {
                State::Ended => return Ok(0),
                State::Plain(raw) => return raw.read(buffer),
                State::Member(member, _) => member.read(buffer),
            };
            match read {
                Ok(n) if n > 0 || buffer.is_empty() => {
                    self.out += n as u64;
                    return Ok(n);
                }
                Err(e) if e.kind() == io::ErrorKind::Interrupted || e.raw_os_error().is_some() => {
                    return Err(e);
                }
                ended => {
                    let state = std::mem::replace(&mut self.state, State::Ended);
                    let State::Member(member, start) = state else { return Ok(0) };
                    let raw = member.into_inner();
                    match ended {
                        Ok(_) => self.follow(raw)?,
                        Err(e) => {
                            let what = format!("the gzip member is cut short or damaged ({e})");
                            self.resume(raw, start, &what)?;
                        }
                    }
                }
            }
        }
    }
}

/// The bytes of the file, of which the last ones are kept.
///
/// Invariant: `buffer` has the bytes of the file from `base` on, and `pos` of them were read.
pub(crate) struct Raw<R> {
    reader: R,
    buffer: Vec<u8>,
    base: u64,
    pos: usize,
    /// The bytes from here on are kept.
    kept: usize,
    ended: bool,
}

impl<R: Read> Raw<R> {
    fn new(reader: R) -> Raw<R> {
        Raw { reader, buffer: Vec::new(), base: 0, pos: 0, kept: 0, ended: false }
    }

    /// The byte of the file that is read next.
    fn at(&self) -> u64 {
        self.base + self.pos as u64
    }

    /// Keeps the bytes from byte `at` of the file on, as far as they are there.
    fn keep_from(&mut self, at: u64) {
        self.kept = self.index(at).min(self.pos);
    }

    /// The place in `buffer` of a byte of the file; of one that is no longer there, the first.
    fn index(&self, at: u64) -> usize {
        usize::try_from(at.saturating_sub(self.base)).unwrap_or(usize::MAX)
    }

    /// Reads more bytes of the file. Returns false at its end.
    fn more(&mut self) -> io::Result<bool> {
        if self.ended {
            return Ok(false);
        }
        if self.pos - self.kept > KEPT_MAX {
            self.kept = self.pos;
        }
        // Now and then, because the bytes that are kept are moved.
        if self.kept > self.buffer.len() / 2 {
            self.buffer.drain(..self.kept);
            self.base += self.kept as u64;
            self.pos -= self.kept;
            self.kept = 0;
        }
        let len = self.buffer.len();
        self.buffer.resize(len + CHUNK, 0);
        let read = loop {
            match self.reader.read(&mut self.buffer[len..]) {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        self.buffer.truncate(len + *read.as_ref().unwrap_or(&0));
        self.ended = read? == 0;
        Ok(!self.ended)
    }

    /// Reads until so many bytes after byte `at` of the file are there, or it ends. Returns them.
    fn ahead(&mut self, at: u64, least: usize) -> io::Result<&[u8]> {
        while self.buffer.len() < self.index(at).saturating_add(least) && self.more()? {}
        let end = self.buffer.len().min(self.index(at).saturating_add(least));
        Ok(self.buffer.get(self.index(at)..end).unwrap_or_default())
    }

    fn starts_with(&mut self, bytes: &[u8]) -> io::Result<bool> {
        Ok(self.ahead(self.at(), bytes.len())? == bytes)
    }

    /// True if a gzip member starts at byte `at` of the file, and its content as a record does.
    fn is_member(&mut self, at: u64) -> io::Result<bool> {
        for size in HEADS {
            let head = self.ahead(at, size)?;
            if !head.starts_with(MAGIC) {
                return Ok(false);
            }
            let mut content = Vec::new();
            let read = GzDecoder::new(head).take(RECORD as u64).read_to_end(&mut content);
            if content.len() == RECORD {
                return Ok(is_record(&content));
            }
            // All of the member was there.
            if read.is_ok() {
                return Ok(false);
            }
        }
        Ok(false)
    }

    /// Goes to the next such member at or after byte `from` of the file, and returns where it is.
    fn find_member(&mut self, from: u64) -> io::Result<Option<u64>> {
        let mut at = from.max(self.base);
        loop {
            let searched = self.buffer.get(self.index(at)..).unwrap_or_default();
            match memchr::memmem::find(searched, MAGIC) {
                Some(found) => {
                    at += found as u64;
                    self.pos = self.index(at);
                    self.kept = self.pos;
                    if self.is_member(at)? {
                        self.pos = self.index(at);
                        return Ok(Some(at));
                    }
                    at += 1;
                }
                None => {
                    at += searched.len().saturating_sub(MAGIC.len() - 1) as u64;
                    self.pos = self.index(at).min(self.buffer.len());
                    self.kept = self.pos;
                    if !self.more()? {
                        return Ok(None);
                    }
                }
            }
        }
    }

    /// True if the file is an archive that is not compressed: if it begins so, or if a record, and no
    /// member, begins in its first bytes.
    fn is_plain(&mut self) -> io::Result<bool> {
        let head = self.ahead(0, RECORD)?;
        if is_record(head) || head.starts_with(b"\r\n") || head.starts_with(b"\n") {
            return Ok(true);
        }
        let head = self.ahead(0, KEPT_MAX / 2)?.to_vec();
        let mut member = None;
        for at in memchr::memmem::find_iter(&head, MAGIC) {
            if self.is_member(at as u64)? {
                member = Some(at);
                break;
            }
        }
        Ok(member.is_none_or(|member| next_record(&head[..member]).is_some()))
    }
}

impl<R: Read> Read for Raw<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.pos == self.buffer.len() {
            self.kept = self.pos;
        }
        let n = self.fill_buf()?.read(buffer)?;
        self.consume(n);
        Ok(n)
    }
}

impl<R: Read> BufRead for Raw<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.pos == self.buffer.len() {
            self.more()?;
        }
        Ok(&self.buffer[self.pos..])
    }

    fn consume(&mut self, n: usize) {
        self.pos += n;
    }
}
