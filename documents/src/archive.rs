//! Web archives (WARC): the records, and the HTTP messages in them.
//!
//! In go the bytes of an archive; out come records, and from each the payload if it is text.
//! What must hold: at most one record is held in memory, of at most [`RECORD_MAX`] bytes, and
//! as much again decoded; and what is wrong with one record hides no other one.
//!
//! ```text
//! WARC/1.0, fields, empty line     Content-Length is the length of the block
//! block   response: HTTP status, fields, empty line, body
//!         resource, conversion: the payload; other records are skipped
//! body    chunks joined, content coding decoded: the payload
//! two empty lines
//! ```
//!
//! A length is believed if a record, or the end, follows what it counts. Else the record ends at the
//! next line with the version of a record, or where a member of the file starts with one. Where no
//! record begins, bytes are passed over up to such a place.

use std::io::{self, Read};

use iriscan::{Charset, Format};

#[cfg(any(feature = "gzip", feature = "zstd"))]
use crate::codecs;
use crate::seams::{self, Seams, VERSION_MAX};

/// The longest block and the longest payload that are searched, because a hostile archive may
/// have longer ones.
const RECORD_MAX: u64 = 64 << 20;

/// The longest head of a record or of an HTTP message.
const HEAD_MAX: u64 = 256 << 10;

/// True if the text begins with a byte order mark, which counts more than the charset that a
/// server declared.
fn has_mark(bytes: &[u8]) -> bool {
    [&b"\xEF\xBB\xBF"[..], b"\xFE\xFF", b"\xFF\xFE"].iter().any(|mark| bytes.starts_with(mark))
}

/// The fields of a head, with their names in lower case.
#[derive(Debug, Default)]
pub(crate) struct Fields(Vec<(String, String)>);

impl Fields {
    /// The fields of a head, whose first line is skipped.
    fn of(head: &[u8]) -> Fields {
        let mut fields: Vec<(String, String)> = Vec::new();
        for line in String::from_utf8_lossy(head).lines().skip(1) {
            match (line.starts_with([' ', '\t']), fields.last_mut(), line.split_once(':')) {
                (true, Some((_, value)), _) => {
                    value.push(' ');
                    value.push_str(line.trim());
                }
                (_, _, Some((name, value))) => {
                    fields.push((name.trim().to_ascii_lowercase(), value.trim().to_owned()));
                }
                _ => {}
            }
        }
        Fields(fields)
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| &**value)
    }
}

/// One record of an archive.
pub(crate) struct ArchiveRecord {
    /// The byte of the archive that the record starts at.
    pub(crate) at: u64,
    /// The byte of the archive that its block starts at.
    body_at: u64,
    fields: Fields,
    /// `None` if it is of a kind that has no text, or too long.
    block: Option<Vec<u8>>,
    /// What is wrong with it.
    pub(crate) problem: Option<String>,
}

/// What an archive has next.
pub(crate) enum Item {
    Record(ArchiveRecord),
    /// Bytes that are no record: what to say of them.
    Passed(String),
}

impl ArchiveRecord {
    /// True if the record is of a kind that may have text.
    pub(crate) fn is_wanted(&self) -> bool {
        is_wanted(&self.fields)
    }

    /// The address that the payload came from.
    pub(crate) fn target(&self) -> &str {
        let uri = self.fields.get("warc-target-uri").unwrap_or_default();
        // In the standard of 2009 it is in angle brackets, and some programs still write them.
        uri.strip_prefix('<').and_then(|uri| uri.strip_suffix('>')).unwrap_or(uri)
    }

    /// Takes the payload out of the record.
    pub(crate) fn payload(&mut self) -> Result<Payload, NoPayload> {
        let block = self.block.take().ok_or(NoPayload::TooLong)?;
        Payload::of(&self.fields, block, self.body_at)
    }
}

fn is_wanted(fields: &Fields) -> bool {
    let kind = fields.get("warc-type").unwrap_or_default();
    ["response", "resource", "conversion"].iter().any(|known| kind.eq_ignore_ascii_case(known))
}

/// Reads an archive record by record.
///
/// Invariant: `buffer` has bytes that were read, of which those from `pos` on were not used yet;
/// the first of these is byte `at` of the archive.
pub(crate) struct Records<R> {
    reader: R,
    seams: Seams,
    buffer: Vec<u8>,
    pos: usize,
    at: u64,
    ended: bool,
    /// The error that ended the archive.
    trouble: Option<io::Error>,
}

/// So many bytes are read at once.
const CHUNK: usize = 64 << 10;

/// So many bytes after a block show whether a record or the end follows.
const FOLLOWING: usize = 64;

impl<R: Read> Records<R> {
    /// `seams` is that of the members of the file, if `reader` gives their content.
    pub(crate) fn new(reader: R, seams: Seams) -> Records<R> {
        let (buffer, pos) = (Vec::new(), 0);
        Records { reader, seams, buffer, pos, at: 0, ended: false, trouble: None }
    }

    /// The number of bytes that were read.
    pub(crate) fn bytes(&self) -> u64 {
        self.at
    }

    /// Reads the next record; `None` at the end of the archive.
    pub(crate) fn next(&mut self) -> io::Result<Option<Item>> {
        // The record before ends with empty lines.
        while let Some(n) = empty_line(self.ahead(2)) {
            self.consume(n);
        }
        let is_end = self.ahead(1).is_empty();
        if let Some(what) = self.seams.passed(self.at) {
            return Ok(Some(Item::Passed(what)));
        }
        if is_end {
            return self.trouble.take().map_or(Ok(None), Err);
        }
        if !self.ahead(5).starts_with(b"WARC/") {
            return Ok(Some(self.pass_over("no WARC record begins here")));
        }
        let Some(head) = self.head_len() else {
            return Ok(Some(self.pass_over("the head of this record does not end")));
        };
        let fields = Fields::of(&self.ahead(head)[..head]);
        let len = fields.get("content-length").and_then(|len| len.parse::<u64>().ok());
        let Some(len) = len else {
            return Ok(Some(self.pass_over("this record has no Content-Length")));
        };
        let at = self.at;
        self.consume(head);
        let body_at = self.at;
        let (block, problem) = match len <= RECORD_MAX {
            true => self.block(len as usize, is_wanted(&fields)),
            false => (None, self.skip(len)),
        };
        Ok(Some(Item::Record(ArchiveRecord { at, body_at, fields, block, problem })))
    }

    /// Reads more bytes. Returns false at the end.
    fn more(&mut self) -> bool {
        if self.ended {
            return false;
        }
        if self.pos > self.buffer.len() / 2 {
            self.buffer.drain(..self.pos);
            self.pos = 0;
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
        self.ended = !matches!(read, Ok(n) if n > 0);
        self.trouble = read.err();
        !self.ended
    }

    /// The bytes that come next: at least so many, unless the archive ends.
    fn ahead(&mut self, least: usize) -> &[u8] {
        while self.buffer.len() - self.pos < least && self.more() {}
        &self.buffer[self.pos..]
    }

    fn consume(&mut self, n: usize) {
        self.pos += n;
        self.at += n as u64;
    }

    /// Consumes `n` bytes that are there, and returns them.
    fn take(&mut self, n: usize) -> Vec<u8> {
        let rest = self.buffer.len() - self.pos - n;
        self.at += n as u64;
        if rest > n {
            self.pos += n;
            return self.buffer[self.pos - n..self.pos].to_vec();
        }
        // A long block is not copied.
        let rest = self.buffer.split_off(self.pos + n);
        let mut taken = std::mem::replace(&mut self.buffer, rest);
        taken.drain(..self.pos);
        self.pos = 0;
        taken
    }

    /// How far it is to the next member that starts with a record, at least `from` bytes.
    fn seam(&mut self, from: usize) -> Option<usize> {
        let mut from = self.at + from as u64;
        loop {
            let start = self.seams.next_start(from)?;
            let distance = usize::try_from(start - self.at).ok()?;
            if seams::is_record(self.ahead(distance + VERSION_MAX).get(distance..)?) {
                return Some(distance);
            }
            from = start + 1;
        }
    }

    /// The length of the head that comes next, with the empty line that ends it.
    fn head_len(&mut self) -> Option<usize> {
        let mut end = 0;
        loop {
            let there = self.ahead(0);
            let Some(len) = memchr::memchr(b'\n', &there[end..]) else {
                let there = there.len();
                if there as u64 > HEAD_MAX || self.ahead(there + 1).len() == there {
                    return None;
                }
                continue;
            };
            let is_empty = empty_line(&there[end..=end + len]).is_some();
            end += len + 1;
            if is_empty {
                return Some(end).filter(|end| self.seam(1).is_none_or(|seam| *end <= seam));
            }
            if end as u64 > HEAD_MAX {
                return None;
            }
        }
    }

    /// Reads a block of so many bytes, or what there is of it, and says what is wrong. It is returned
    /// if it is wanted.
    fn block(&mut self, len: usize, wanted: bool) -> (Option<Vec<u8>>, Option<String>) {
        let there = self.ahead(len + FOLLOWING).len();
        let end = self.seam(0).unwrap_or(there).min(there);
        let (mut taken, mut problem) = (len.min(end), None);
        if end < len || !(end == len || self.is_followed(len)) {
            // Its last bytes may be the first ones of the next record.
            let searched = len.saturating_add(VERSION_MAX).min(end);
            let next = seams::next_record(&self.ahead(0)[..searched]);
            match next.filter(|next| *next < len) {
                Some(next) => {
                    let next_at = self.at + next as u64;
                    taken = next;
                    problem = Some(format!(
                        "the Content-Length of this record is wrong; it was read up to the next \
                         record, at byte {next_at}"
                    ));
                }
                None if end < len && !self.seams.is_damaged(self.at + end as u64) => {
                    let what = "this record is cut short; what could be read was used";
                    problem = Some(what.to_owned());
                }
                None => {}
            }
        }
        if wanted {
            return (Some(self.take(taken)), problem);
        }
        self.consume(taken);
        (None, problem)
    }

    /// True if after so many bytes come empty lines, and then a record or the end.
    fn is_followed(&mut self, len: usize) -> bool {
        let mut rest = self.ahead(len + FOLLOWING).get(len..).unwrap_or_default();
        while let Some(n) = empty_line(rest) {
            rest = &rest[n..];
        }
        rest.is_empty() || rest.starts_with(b"WARC/")
    }

    /// Passes over a block that is too long to be held, up to a record in it. Returns what is wrong.
    fn skip(&mut self, len: u64) -> Option<String> {
        let end = self.at.saturating_add(len);
        while self.at < end {
            let there = self.ahead(CHUNK).len();
            let left = usize::try_from(end - self.at).unwrap_or(usize::MAX);
            let stop = self.seam(0).unwrap_or(there).min(there).min(left);
            let searched = stop.saturating_add(VERSION_MAX).min(there);
            let next = seams::next_record(&self.ahead(0)[..searched]);
            if let Some(next) = next.filter(|next| *next < stop) {
                self.consume(next);
                return Some(format!(
                    "the Content-Length of this record is wrong, or there is an archive in it; what \
                     is read next begins at byte {}",
                    self.at
                ));
            }
            if stop < there.min(left) || there == 0 {
                self.consume(stop);
                let is_told = self.seams.is_damaged(self.at);
                let what = "this record is cut short; what could be read was used";
                return (!is_told).then(|| what.to_owned());
            }
            // The version of a record may go on in the next bytes.
            let kept = if self.ended || stop == left { 0 } else { VERSION_MAX.min(stop) };
            self.consume(stop - kept);
        }
        None
    }

    /// Goes to the next record, and says how far that is.
    fn pass_over(&mut self, why: &str) -> Item {
        let from = self.at;
        let is_there = self.find_record();
        let rest = match is_there {
            true => {
                let passed = self.at - from;
                format!("{passed} bytes are passed over, up to the next record")
            }
            false => "the rest is passed over; what could be read was used".to_owned(),
        };
        Item::Passed(format!("byte {from}: {why}; {rest}"))
    }

    /// Goes to the next record after the byte that comes next. Returns false if there is none.
    fn find_record(&mut self) -> bool {
        loop {
            let there = self.ahead(CHUNK).len();
            let seam = self.seam(1);
            let stop = seam.unwrap_or(there).min(there);
            if let Some(next) = seams::next_record(&self.ahead(0)[..stop]) {
                self.consume(next);
                return true;
            }
            if stop < there || seam == Some(there) {
                self.consume(stop);
                return true;
            }
            if self.ended {
                self.consume(there);
                return false;
            }
            self.consume(there.saturating_sub(VERSION_MAX));
        }
    }
}

/// The length of the empty line that `bytes` begins with.
fn empty_line(bytes: &[u8]) -> Option<usize> {
    match bytes {
        [b'\n', ..] => Some(1),
        [b'\r', b'\n', ..] => Some(2),
        _ => None,
    }
}

/// Text to be searched.
pub(crate) struct Payload {
    pub(crate) bytes: Vec<u8>,
    pub(crate) format: Format,
    /// The charset that the server declared.
    charset: Option<Charset>,
    /// The byte of the archive that the text starts at; `None` if it was decoded.
    pub(crate) start: Option<u64>,
    /// Some of it is missing: it is damaged or too long.
    pub(crate) cut: bool,
}

/// Why a record has no payload that can be searched.
pub(crate) enum NoPayload {
    /// The block was skipped, because it is too long or its kind has no text.
    TooLong,
    /// The payload is no text.
    NoText,
    /// The payload is in a content coding that is not known here.
    Coding(String),
}

impl Payload {
    /// The charset that the server declared, unless the text begins with a byte order mark.
    pub(crate) fn declared(&self) -> Option<Charset> {
        self.charset.filter(|_| !has_mark(&self.bytes))
    }

    /// The payload in `block`, which starts at byte `at` of the archive.
    fn of(fields: &Fields, block: Vec<u8>, at: u64) -> Result<Payload, NoPayload> {
        let kind = fields.get("content-type").unwrap_or_default();
        let http = kind.to_ascii_lowercase().starts_with("application/http");
        if !(http && block.starts_with(b"HTTP/")) {
            let (format, charset) = media(kind, &block).ok_or(NoPayload::NoText)?;
            return Ok(Payload { bytes: block, format, charset, start: Some(at), cut: false });
        }
        let end = head_end(&block).ok_or(NoPayload::NoText)?;
        let fields = Fields::of(&block[..end]);
        let kind = fields.get("content-type").unwrap_or_default();
        // What is no text need not be decoded.
        if !kind.trim().is_empty() && media(kind, &[]).is_none() {
            return Err(NoPayload::NoText);
        }
        let mut bytes = block;
        bytes.drain(..end);
        let (mut start, mut cut) = (Some(at + end as u64), false);
        let is_chunked = |value: &str| value.to_ascii_lowercase().contains("chunked");
        if fields.get("transfer-encoding").is_some_and(is_chunked)
            && let Some(joined) = unchunk(&bytes)
        {
            (bytes, start) = (joined, None);
        }
        for coding in fields.get("content-encoding").unwrap_or_default().split(',').rev() {
            let coding = coding.trim().to_ascii_lowercase();
            let Some(decoder) = decoder(&coding, &bytes)? else { continue };
            let mut plain = Vec::new();
            cut |= decoder.take(RECORD_MAX + 1).read_to_end(&mut plain).is_err();
            cut |= plain.len() as u64 > RECORD_MAX;
            plain.truncate(RECORD_MAX as usize);
            (bytes, start) = (plain, None);
        }
        let (format, charset) = media(kind, &bytes).ok_or(NoPayload::NoText)?;
        Ok(Payload { bytes, format, charset, start, cut })
    }
}

/// A decoder for `bytes` in this content coding; `None` if they need none.
fn decoder<'b>(coding: &str, bytes: &'b [u8]) -> Result<Option<Box<dyn Read + 'b>>, NoPayload> {
    match coding {
        "" | "identity" | "utf-8" | "none" => Ok(None),
        // Some servers say gzip and send plain text.
        "gzip" | "x-gzip" if !bytes.starts_with(b"\x1F\x8B") => Ok(None),
        #[cfg(feature = "gzip")]
        "gzip" | "x-gzip" => Ok(Some(codecs::gzip::body(bytes))),
        #[cfg(feature = "gzip")]
        "deflate" => Ok(Some(codecs::gzip::deflate_body(bytes))),
        #[cfg(feature = "zstd")]
        "zstd" => {
            codecs::zstd::body(bytes).map(Some).map_err(|_| NoPayload::Coding(coding.to_owned()))
        }
        _ => Err(NoPayload::Coding(coding.to_owned())),
    }
}

/// The length of an HTTP head, with the empty line that ends it.
fn head_end(block: &[u8]) -> Option<usize> {
    let mut at = 0;
    for line in block.split_inclusive(|b| *b == b'\n') {
        at += line.len();
        if matches!(line, b"\r\n" | b"\n") {
            return Some(at);
        }
        if at as u64 > HEAD_MAX {
            return None;
        }
    }
    None
}

/// The chunks of a body, joined. `None` if it does not begin with a chunk. Bytes after the
/// chunks that are no chunk are kept as they are.
fn unchunk(mut bytes: &[u8]) -> Option<Vec<u8>> {
    let mut joined = Vec::new();
    let mut first = true;
    loop {
        let end = bytes.iter().take(1024).position(|b| *b == b'\n');
        let size = end.and_then(|end| {
            let line = std::str::from_utf8(&bytes[..end]).ok()?;
            let digits = line.split(';').next()?.trim();
            Some((usize::from_str_radix(digits, 16).ok()?, end + 1))
        });
        match size {
            Some((0, _)) => return Some(joined),
            Some((size, start)) => {
                let end = start.saturating_add(size).min(bytes.len());
                joined.extend_from_slice(&bytes[start..end]);
                bytes = &bytes[end..];
                bytes = bytes.strip_prefix(b"\r").unwrap_or(bytes);
                bytes = bytes.strip_prefix(b"\n").unwrap_or(bytes);
            }
            None if first => return None,
            None => {
                joined.extend_from_slice(bytes);
                return Some(joined);
            }
        }
        first = false;
    }
}

/// The format and the charset of a media type; `None` if it is not a type of text. Without a
/// media type, the first bytes decide.
fn media(kind: &str, bytes: &[u8]) -> Option<(Format, Option<Charset>)> {
    let mut parts = kind.split(';');
    let name = parts.next().unwrap_or_default().trim();
    let charset = parts.find_map(|part| {
        let (name, value) = part.split_once('=')?;
        let label = value.trim().trim_matches(['"', '\'']);
        name.trim().eq_ignore_ascii_case("charset").then(|| Charset::for_label(label).ok())?
    });
    let format = match name {
        "" if bytes.iter().take(8192).any(|b| *b == 0) => return None,
        "" => Format::sniff(bytes),
        name => Format::from_media_type(name)?,
    };
    Some((format, charset))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_joined_and_other_bytes_kept() {
        let joined = |text: &str| unchunk(text.as_bytes()).map(|b| String::from_utf8(b).unwrap());
        assert_eq!(joined("3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n").as_deref(), Some("abcde"));
        assert_eq!(joined("3\nabc\n0\n\n").as_deref(), Some("abc"));
        assert_eq!(joined("<html>\r\n"), None);
        assert_eq!(joined("3\r\nabc\r\n<html>").as_deref(), Some("abc<html>"));
        assert_eq!(joined("ffffffffffffffff\r\nabc").as_deref(), Some("abc"));
        assert_eq!(joined("3\r\nabc").as_deref(), Some("abc"));
        assert_eq!(joined(""), None);
    }

    #[test]
    fn media_types_give_format_and_charset() {
        let html = media("Text/HTML; charset=\"Shift_JIS\"", b"");
        assert_eq!(html, Charset::for_label("shift_jis").ok().map(|c| (Format::Html, Some(c))));
        assert_eq!(media("text/plain; charset=nonsense", b""), Some((Format::Text, None)));
        assert_eq!(media("application/rss+xml", b""), Some((Format::Xml, None)));
        assert_eq!(media("image/png", b"x"), None);
        assert_eq!(media("", b"<!doctype html>"), Some((Format::Html, None)));
        assert_eq!(media("", b"\0<!doctype html>"), None);
    }
}
