//! `--format warc`: web archives, for `find`.
//!
//! Knows records and the HTTP in them, and hands payloads that are text to the
//! scanner. Invariant: at most one record is held, of at most [`RECORD_MAX`] bytes,
//! and as much again decoded.
//!
//! ```text
//! WARC/1.0, fields, empty line     Content-Length says how long the block is
//! block   response: HTTP status, fields, empty line, body
//!         resource, conversion: the payload; all others are passed over
//! body    chunks joined, content coding undone; then it is the payload
//! two empty lines
//! ```

use std::{
    collections::HashMap,
    io::{self, BufRead, BufReader, Read, Write},
    path::Path,
};

use iriscan::{Charset, Finder, Format};

use crate::{
    context::Context,
    find::{Lister, Place},
    input::{self, Opened, Outcome, Trouble},
};

/// The longest block, and the longest payload, that is searched: a hostile archive
/// has longer ones.
const RECORD_MAX: u64 = 64 << 20;

/// The longest head of a record or of HTTP.
const HEAD_MAX: u64 = 256 << 10;

/// Whether a file of this name is an archive.
pub(crate) fn is_name(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("warc"))
}

/// Whether what begins like this is one.
pub(crate) fn sniff(head: &[u8]) -> bool {
    head.starts_with(b"WARC/0.") || head.starts_with(b"WARC/1.")
}

/// Lists the links of the payloads of an archive.
pub(crate) fn find<W: Write>(
    opened: Opened,
    lister: &mut Lister<'_, W>,
) -> Result<Outcome, Trouble> {
    let (path, scan) = (lister.path, &lister.args.scan);
    let mut outcome = Outcome { links: 0, whole: true };
    let (reader, _) = opened.into_reader();
    let mut records = Records { reader: BufReader::new(reader), at: 0 };
    let mut finders: HashMap<Option<&str>, Finder> = HashMap::new();
    let (mut count, mut searched) = (0_u64, 0_u64);
    loop {
        let record = match records.next() {
            Ok(Some(record)) => record,
            Ok(None) => break,
            Err(e) => {
                input::complain(path, &e);
                outcome.whole = false;
                break;
            }
        };
        count += 1;
        let say = |what: &str| {
            let name = input::name(path);
            input::say(format_args!("{name}: the record at byte {} {what}", record.at));
        };
        let Some(block) = record.block else {
            if record.is_wanted() {
                say("is longer than 64 MiB and is not searched");
            }
            continue;
        };
        let payload = match Payload::of(&record.fields, block, record.body_at) {
            Ok(payload) => payload,
            Err(Unread::NoText) => continue,
            Err(Unread::Coding(coding)) => {
                if scan.verbose {
                    say(&format!("is not searched: content coding {}", input::shown(&coding)));
                }
                continue;
            }
        };
        if payload.cut {
            say("has a payload that is damaged, or longer than 64 MiB; its start was searched");
        }
        searched += 1;
        let charset = payload.charset.filter(|_| !scan.has_charset() && !has_mark(&payload.bytes));
        let finder = match finders.entry(charset.map(Charset::name)) {
            std::collections::hash_map::Entry::Occupied(entry) => entry.into_mut(),
            std::collections::hash_map::Entry::Vacant(entry) => {
                entry.insert(scan.finder_in(charset).map_err(Trouble::Config)?)
            }
        };
        let finder = finder.clone().format(payload.format);
        let uri = record.fields.get("warc-target-uri").unwrap_or_default();
        // Some writers put it in angle brackets, as the standard of 2009 had it.
        let uri = uri.strip_prefix('<').and_then(|uri| uri.strip_suffix('>')).unwrap_or(uri);
        lister.place =
            Some(Place { record: uri.to_owned(), offset: record.at, start: payload.start });
        if let Some((_, context)) = &mut lister.view {
            *context = Context::new();
        }
        finder.scan(&payload.bytes[..], lister, |_| Ok(())).map_err(Trouble::Output)?;
    }
    lister.place = None;
    lister.stats.iter_mut().for_each(|stats| stats.archive(records.at));
    outcome.links = lister.listed;
    if scan.verbose {
        let name = input::name(path);
        let count = input::plural(count, "record");
        input::say(format_args!("{name}: format warc; {count}, {searched} searched"));
    }
    Ok(outcome)
}

/// Byte order marks tell more than what a server says.
fn has_mark(bytes: &[u8]) -> bool {
    [&b"\xEF\xBB\xBF"[..], b"\xFE\xFF", b"\xFF\xFE"].iter().any(|mark| bytes.starts_with(mark))
}

/// Fields of a head, by their names in lower case.
#[derive(Debug, Default)]
struct Fields(Vec<(String, String)>);

impl Fields {
    /// Of lines behind the first.
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

    fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| &**value)
    }
}

struct Record {
    /// Where it starts, and where its block does.
    at: u64,
    body_at: u64,
    fields: Fields,
    /// `None`: of no interest, or too long.
    block: Option<Vec<u8>>,
}

impl Record {
    fn is_wanted(&self) -> bool {
        is_wanted(&self.fields)
    }
}

fn is_wanted(fields: &Fields) -> bool {
    let kind = fields.get("warc-type").unwrap_or_default();
    ["response", "resource", "conversion"].iter().any(|known| kind.eq_ignore_ascii_case(known))
}

/// An archive, record by record.
struct Records<R> {
    reader: R,
    /// Where it is.
    at: u64,
}

impl<R: BufRead> Records<R> {
    fn next(&mut self) -> io::Result<Option<Record>> {
        let wrong = |at: u64, what: &str| {
            io::Error::new(io::ErrorKind::InvalidData, format!("byte {at}: {what}"))
        };
        // Empty lines are what the record before ends with.
        let mut head = Vec::new();
        let at = loop {
            let at = self.at;
            head.clear();
            if self.line(&mut head)? == 0 {
                return Ok(None);
            }
            if !matches!(&head[..], b"\r\n" | b"\n") {
                break at;
            }
        };
        if !head.starts_with(b"WARC/") {
            return Err(wrong(at, "no WARC record begins here"));
        }
        loop {
            let start = head.len();
            let more = self.line(&mut head)?;
            if more == 0 || head.len() as u64 > HEAD_MAX {
                return Err(wrong(at, "the head of this record does not end"));
            }
            if matches!(&head[start..], b"\r\n" | b"\n") {
                break;
            }
        }
        let fields = Fields::of(&head);
        let len = fields.get("content-length").and_then(|len| len.parse::<u64>().ok());
        let len = len.ok_or_else(|| wrong(at, "this record has no Content-Length"))?;
        let body_at = self.at;
        let mut body = (&mut self.reader).take(len);
        let (block, read) = if is_wanted(&fields) && len <= RECORD_MAX {
            let mut block = Vec::new();
            let read = body.read_to_end(&mut block)?;
            (Some(block), read as u64)
        } else {
            (None, io::copy(&mut body, &mut io::sink())?)
        };
        self.at += read;
        if read < len {
            return Err(wrong(at, "this record is cut short"));
        }
        Ok(Some(Record { at, body_at, fields, block }))
    }

    /// Reads a line, or as much of one as a head may have.
    fn line(&mut self, head: &mut Vec<u8>) -> io::Result<usize> {
        let read = (&mut self.reader).take(HEAD_MAX).read_until(b'\n', head)?;
        self.at += read as u64;
        Ok(read)
    }
}

/// Text to be searched.
struct Payload {
    bytes: Vec<u8>,
    format: Format,
    /// As HTTP has it.
    charset: Option<Charset>,
    /// Where it starts in the archive, if it stands there as it is.
    start: Option<u64>,
    /// It has no end.
    cut: bool,
}

/// Why there is none.
enum Unread {
    NoText,
    Coding(String),
}

impl Payload {
    /// Of a record with the block `block`, which starts at `at`.
    fn of(fields: &Fields, block: Vec<u8>, at: u64) -> Result<Payload, Unread> {
        let kind = fields.get("content-type").unwrap_or_default();
        let http = kind.to_ascii_lowercase().starts_with("application/http");
        if !(http && block.starts_with(b"HTTP/")) {
            let (format, charset) = media(kind, &block).ok_or(Unread::NoText)?;
            return Ok(Payload { bytes: block, format, charset, start: Some(at), cut: false });
        }
        let end = head_end(&block).ok_or(Unread::NoText)?;
        let fields = Fields::of(&block[..end]);
        let mut bytes = block[end..].to_vec();
        drop(block);
        let (mut start, mut cut) = (Some(at + end as u64), false);
        let is_chunked = |value: &str| value.to_ascii_lowercase().contains("chunked");
        if fields.get("transfer-encoding").is_some_and(is_chunked)
            && let Some(joined) = unchunk(&bytes)
        {
            (bytes, start) = (joined, None);
        }
        for coding in fields.get("content-encoding").unwrap_or_default().split(',').rev() {
            let coding = coding.trim().to_ascii_lowercase();
            let decoder: Box<dyn Read + '_> = match &*coding {
                "" | "identity" | "utf-8" | "none" => continue,
                // Not all that is said to be gzip is.
                "gzip" | "x-gzip" if !bytes.starts_with(b"\x1F\x8B") => continue,
                "gzip" | "x-gzip" => Box::new(flate2::read::MultiGzDecoder::new(&bytes[..])),
                // With a head, as the standard has it, or without, as some servers do.
                "deflate" if bytes.first().is_some_and(|b| b & 0x0F == 8) => {
                    Box::new(flate2::read::ZlibDecoder::new(&bytes[..]))
                }
                "deflate" => Box::new(flate2::read::DeflateDecoder::new(&bytes[..])),
                "zstd" => match zstd::Decoder::new(&bytes[..]) {
                    Ok(decoder) => Box::new(decoder),
                    Err(_) => return Err(Unread::Coding(coding)),
                },
                _ => return Err(Unread::Coding(coding)),
            };
            let mut plain = Vec::new();
            cut |= decoder.take(RECORD_MAX + 1).read_to_end(&mut plain).is_err();
            cut |= plain.len() as u64 > RECORD_MAX;
            plain.truncate(RECORD_MAX as usize);
            (bytes, start) = (plain, None);
        }
        let kind = fields.get("content-type").unwrap_or_default();
        let (format, charset) = media(kind, &bytes).ok_or(Unread::NoText)?;
        Ok(Payload { bytes, format, charset, start, cut })
    }
}

/// Where the head of HTTP ends: behind the empty line.
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

/// The chunks joined; what is none stands as it is. `None`: there are no chunks.
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

/// The format and the charset that a media type names, if it is one of text; what has
/// none is told by its first bytes.
fn media(kind: &str, bytes: &[u8]) -> Option<(Format, Option<Charset>)> {
    let mut parts = kind.split(';');
    let name = parts.next().unwrap_or_default().trim().to_ascii_lowercase();
    let charset = parts.find_map(|part| {
        let (name, value) = part.split_once('=')?;
        let label = value.trim().trim_matches(['"', '\'']);
        name.trim().eq_ignore_ascii_case("charset").then(|| Charset::for_label(label).ok())?
    });
    let format = match &*name {
        "text/html" => Format::Html,
        "text/xml" | "application/xml" => Format::Xml,
        "application/json" => Format::Json,
        "text/turtle" | "application/n-triples" | "application/n-quads" | "application/trig" => {
            Format::Turtle
        }
        name if name.starts_with("text/") => Format::Text,
        name if name.starts_with("application/") && name.ends_with("+xml") => Format::Xml,
        name if name.starts_with("application/") && name.ends_with("json") => Format::Json,
        "" if !bytes.iter().take(8192).any(|b| *b == 0) => Format::sniff(bytes),
        _ => return None,
    };
    Some((format, charset))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_joined_and_what_is_none_stays() {
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
    fn media_types_tell_format_and_charset() {
        let html = media("Text/HTML; charset=\"Shift_JIS\"", b"");
        assert_eq!(html, Charset::for_label("shift_jis").ok().map(|c| (Format::Html, Some(c))));
        assert_eq!(media("text/plain; charset=nonsense", b""), Some((Format::Text, None)));
        assert_eq!(media("application/rss+xml", b""), Some((Format::Xml, None)));
        assert_eq!(media("image/png", b"x"), None);
        assert_eq!(media("", b"<!doctype html>"), Some((Format::Html, None)));
        assert_eq!(media("", b"\0<!doctype html>"), None);
    }
}
