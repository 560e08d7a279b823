//! Web archives (WARC): the records, and the HTTP messages in them.
//!
//! In go the bytes of an archive; out come records, and from each the payload if it is text.
//! What must hold: at most one record is held in memory, of at most [`RECORD_MAX`] bytes, and
//! as much again decoded.
//!
//! ```text
//! WARC/1.0, fields, empty line     Content-Length is the length of the block
//! block   response: HTTP status, fields, empty line, body
//!         resource, conversion: the payload; other records are skipped
//! body    chunks joined, content coding decoded: the payload
//! two empty lines
//! ```

use std::io::{self, BufRead, Read};

use iriscan::{Charset, Format};

/// The longest block and the longest payload that are searched, because a hostile archive may
/// have longer ones.
const RECORD_MAX: u64 = 64 << 20;

/// The longest head of a record or of an HTTP message.
const HEAD_MAX: u64 = 256 << 10;

/// True if the first bytes are those of an archive.
pub(crate) fn sniff(head: &[u8]) -> bool {
    head.starts_with(b"WARC/0.") || head.starts_with(b"WARC/1.")
}

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
pub(crate) struct Records<R> {
    reader: R,
    /// The number of bytes that were read.
    at: u64,
}

impl<R: BufRead> Records<R> {
    pub(crate) fn new(reader: R) -> Records<R> {
        Records { reader, at: 0 }
    }

    /// The number of bytes that were read.
    pub(crate) fn bytes(&self) -> u64 {
        self.at
    }

    /// Reads the next record; `None` at the end of the archive.
    pub(crate) fn next(&mut self) -> io::Result<Option<ArchiveRecord>> {
        let wrong = |at: u64, what: &str| {
            io::Error::new(io::ErrorKind::InvalidData, format!("byte {at}: {what}"))
        };
        // The record before ends with empty lines.
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
        Ok(Some(ArchiveRecord { at, body_at, fields, block }))
    }

    /// Reads a line, up to the limit for a head. Returns the number of bytes.
    fn line(&mut self, head: &mut Vec<u8>) -> io::Result<usize> {
        let read = (&mut self.reader).take(HEAD_MAX).read_until(b'\n', head)?;
        self.at += read as u64;
        Ok(read)
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
            let Some(decoder) = decoder(&coding, &bytes)? else { continue };
            let mut plain = Vec::new();
            cut |= decoder.take(RECORD_MAX + 1).read_to_end(&mut plain).is_err();
            cut |= plain.len() as u64 > RECORD_MAX;
            plain.truncate(RECORD_MAX as usize);
            (bytes, start) = (plain, None);
        }
        let kind = fields.get("content-type").unwrap_or_default();
        let (format, charset) = media(kind, &bytes).ok_or(NoPayload::NoText)?;
        Ok(Payload { bytes, format, charset, start, cut })
    }
}

/// A decoder for `bytes` in this content coding; `None` if they need none.
fn decoder<'b>(coding: &str, bytes: &'b [u8]) -> Result<Option<Box<dyn Read + 'b>>, NoPayload> {
    Ok(Some(match coding {
        "" | "identity" | "utf-8" | "none" => return Ok(None),
        // Some servers say gzip and send plain text.
        "gzip" | "x-gzip" if !bytes.starts_with(b"\x1F\x8B") => return Ok(None),
        "gzip" | "x-gzip" => Box::new(flate2::read::MultiGzDecoder::new(bytes)),
        // The standard wants a zlib head, and some servers leave it out.
        "deflate" if bytes.first().is_some_and(|b| b & 0x0F == 8) => {
            Box::new(flate2::read::ZlibDecoder::new(bytes))
        }
        "deflate" => Box::new(flate2::read::DeflateDecoder::new(bytes)),
        "zstd" => match zstd::Decoder::new(bytes) {
            Ok(decoder) => Box::new(decoder),
            Err(_) => return Err(NoPayload::Coding(coding.to_owned())),
        },
        _ => return Err(NoPayload::Coding(coding.to_owned())),
    }))
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
