//! Transfer encodings: decoding and encoding (RFC 2045, section 6; RFC 2152).
//!
//! Invariants: any bytes can be decoded, and malformed ones stay as they are; no encoded line
//! is longer than [`LINE`].

use core::ops::Range;
use std::{
    io::{self, Write},
    string::String,
    vec::Vec,
};

use base64::{
    Engine, alphabet,
    engine::{
        DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig,
        general_purpose::{STANDARD, STANDARD_NO_PAD},
    },
};

use super::{
    lines::line_end,
    view::{Maker, View},
};
use crate::{
    charset::{Charset, Shift},
    reference::class::hex,
};

/// The longest line of quoted-printable and base64, without its end.
pub(super) const LINE: usize = 76;

/// The byte of an escape such as `=C3` at the start of `bytes`.
pub(super) fn escaped(bytes: &[u8]) -> Option<u8> {
    match bytes {
        [b'=', a, b, ..] => Some(hex(*a)? << 4 | hex(*b)?),
        _ => None,
    }
}

/// Decodes quoted-printable in `range` of `base`. White space at the end of a line is not part
/// of the text.
pub(super) fn quoted(base: &[u8], range: Range<usize>) -> View<'static> {
    let mut made = Maker::with_capacity(range.len());
    let body = &base[..range.end];
    let mut at = range.start;
    while at < body.len() {
        let (end, next) = line_end(body, at);
        let trimmed = at + trim_end(&body[at..end]);
        // `=` at the end continues the line in the next one.
        let soft = trimmed > at && body[trimmed - 1] == b'=';
        let stop = if soft { trimmed - 1 } else { trimmed };
        let line = &body[..stop];
        while at < stop {
            let plain = memchr::memchr(b'=', &line[at..]).map_or(stop, |i| at + i);
            made.plain(&line[at..plain], at);
            at = plain;
            if at == stop {
                break;
            }
            match escaped(&line[at..]) {
                Some(byte) => {
                    made.escape(byte, at);
                    at += 3;
                }
                None => {
                    made.plain(b"=", at);
                    at += 1;
                }
            }
        }
        if !soft {
            made.plain(&body[end..next], end);
        }
        at = next;
    }
    made.view()
}

fn trim_end(line: &[u8]) -> usize {
    line.iter().rposition(|b| !matches!(b, b' ' | b'\t')).map_or(0, |i| i + 1)
}

/// Writes `text` in quoted-printable, with soft breaks if its line gets too long.
///
/// `column`: the column of its first byte. `rest`: how many unchanged bytes follow on the line.
/// `room`: how long the line may become with them. Returns the column after it.
pub(super) fn write_quoted(
    text: &[u8],
    column: usize,
    rest: usize,
    room: usize,
    line_feed: &[u8],
    out: &mut Vec<u8>,
) -> usize {
    let breaks = text.contains(&b'\n');
    if column + width(text) + rest <= room && !breaks {
        text.iter().for_each(|b| write_octet(*b, out));
        return column + width(text);
    }
    let (mut column, mut text) = (column, text);
    while !text.is_empty() {
        if let Some(others) = line_break(text) {
            // A line end of the text itself.
            out.extend_from_slice(line_feed);
            (text, column) = (others, 0);
            continue;
        }
        // A `%HH` is not split, so that the source stays readable.
        let escape = matches!(text, [b'%', a, b, ..] if hex(*a).is_some() && hex(*b).is_some());
        let (unit, others) = text.split_at(if escape { 3 } else { 1 });
        text = others;
        let fits = column + width(unit) < LINE;
        // The unchanged rest stays with the last unit, because the first octet of a line may
        // have to be escaped.
        let stays = !text.is_empty() || column + width(unit) + rest <= room;
        if column > 0 && !(fits && stays) {
            column = soft_break(line_feed, out);
        }
        if column == 0 && unit == b"-" {
            // A line that begins with `-` could be taken for a delimiter.
            write_escape(b'-', out);
            column = 3;
        } else {
            unit.iter().for_each(|b| write_octet(*b, out));
            column += width(unit);
        }
    }
    if column + rest > room && rest > 0 {
        column = soft_break(line_feed, out);
    }
    column
}

/// What follows the line end that `text` begins with.
fn line_break(text: &[u8]) -> Option<&[u8]> {
    text.strip_prefix(b"\r\n").or_else(|| text.strip_prefix(b"\n"))
}

/// The length of `text` in quoted-printable.
fn width(text: &[u8]) -> usize {
    text.iter().map(|b| if is_literal(*b) { 1 } else { 3 }).sum()
}

/// Writes a soft line break. Returns the column after it.
fn soft_break(line_feed: &[u8], out: &mut Vec<u8>) -> usize {
    out.push(b'=');
    out.extend_from_slice(line_feed);
    0
}

fn is_literal(byte: u8) -> bool {
    matches!(byte, b'!'..=b'~') && byte != b'='
}

fn write_octet(byte: u8, out: &mut Vec<u8>) {
    if is_literal(byte) { out.push(byte) } else { write_escape(byte, out) }
}

fn write_escape(byte: u8, out: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    out.extend([b'=', DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]);
}

/// Decoded base64.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Decoded {
    pub(super) bytes: Vec<u8>,
    /// Whether there was nothing but complete base64 and line ends, so that it can be encoded
    /// again.
    pub(super) clean: bool,
}

/// Accepts leftover bits and missing padding, which other programs write.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

const fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/')
}

/// How many digits are decoded at once.
const DIGITS: usize = 1024;

/// Decodes base64 and ignores other bytes in between. It ends at the first padding.
pub(super) fn base64(text: &[u8]) -> Decoded {
    match clean_base64(text) {
        Some(bytes) => Decoded { bytes, clean: true },
        None => Decoded { bytes: any_base64(text), clean: false },
    }
}

/// Decodes base64 of nothing but digits, as much padding as there must be, and white space. `None` for
/// others.
fn clean_base64(text: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 3);
    let (mut some, mut len) = ([0; DIGITS], 0);
    let mut decode = |digits: &[u8], engine: &GeneralPurpose| {
        let mut octets = [0; DIGITS / 4 * 3];
        let decoded = engine.decode_slice_unchecked(digits, &mut octets).ok()?;
        bytes.extend_from_slice(&octets[..decoded]);
        Some(())
    };
    for mut line in text.split(u8::is_ascii_whitespace) {
        while !line.is_empty() {
            if len == DIGITS {
                // More digits follow: these have no padding.
                decode(&some, &STANDARD_NO_PAD)?;
                len = 0;
            }
            let (piece, rest) = line.split_at(line.len().min(DIGITS - len));
            some[len..len + piece.len()].copy_from_slice(piece);
            (line, len) = (rest, len + piece.len());
        }
    }
    decode(&some[..len], &STANDARD)?;
    Some(bytes)
}

/// As [`base64`], for a text that may be damaged.
fn any_base64(text: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 3);
    let significant = text.iter().copied().filter(|b| is_base64(*b) || *b == b'=');
    let mut digits = significant.take_while(|b| *b != b'=');
    let (mut some, mut octets) = ([0; DIGITS], [0; DIGITS / 4 * 3]);
    loop {
        let mut len = 0;
        some.iter_mut()
            .zip(&mut digits)
            .for_each(|(place, digit)| (*place, len) = (digit, len + 1));
        if len % 4 == 1 {
            // The six bits of one digit are not enough for a byte.
            len -= 1;
        }
        let decoded = BASE64.decode_slice_unchecked(&some[..len], &mut octets);
        let decoded = decoded.expect("digits that make bytes should decode");
        bytes.extend_from_slice(&octets[..decoded]);
        if len < DIGITS {
            break;
        }
    }
    bytes
}

/// Encodes `octets`. Returns how many digits that makes.
fn encode(octets: &[u8], digits: &mut [u8; DIGITS]) -> usize {
    BASE64.encode_slice(octets, digits).expect("all digits should have room")
}

/// Writes base64 in lines as long as those of another text, and keeps the white space around
/// that text.
#[derive(Debug)]
pub(super) struct Base64<'l> {
    like: &'l [u8],
    line_feed: &'l [u8],
    /// The length of a line.
    line: usize,
    column: usize,
    /// Octets that are held back, because three of them make four digits.
    held: Vec<u8>,
}

impl<'l> Base64<'l> {
    pub(super) fn like(like: &'l [u8], line_feed: &'l [u8]) -> Base64<'l> {
        let trimmed = like.trim_ascii();
        let first = line_end(trimmed, 0).0;
        let one_line = first == trimmed.len();
        let line = if one_line || first == 0 { LINE } else { first.min(LINE) };
        let held = Vec::with_capacity(DIGITS / 4 * 3);
        Base64 { like, line_feed, line, column: 0, held }
    }

    /// Writes the white space at the start. To be called first.
    pub(super) fn start(&self, out: &mut dyn Write) -> io::Result<()> {
        let lead = self.like.len() - self.like.trim_ascii_start().len();
        out.write_all(&self.like[..lead])
    }

    pub(super) fn push(&mut self, mut octets: &[u8], out: &mut dyn Write) -> io::Result<()> {
        while !octets.is_empty() {
            let room = self.held.capacity().min(DIGITS / 4 * 3) - self.held.len();
            let (now, later) = octets.split_at(room.min(octets.len()));
            self.held.extend_from_slice(now);
            octets = later;
            if now.len() == room {
                self.write(out)?;
            }
        }
        Ok(())
    }

    /// Writes the octets that are held.
    fn write(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let mut digits = [0; DIGITS];
        let len = encode(&self.held, &mut digits);
        self.held.clear();
        let mut digits = &digits[..len];
        while !digits.is_empty() {
            if self.column == self.line {
                out.write_all(self.line_feed)?;
                self.column = 0;
            }
            let (now, later) = digits.split_at(digits.len().min(self.line - self.column));
            out.write_all(now)?;
            self.column += now.len();
            digits = later;
        }
        Ok(())
    }

    pub(super) fn end(mut self, out: &mut dyn Write) -> io::Result<()> {
        self.write(out)?;
        let lead = self.like.len() - self.like.trim_ascii_start().len();
        out.write_all(&self.like[lead + self.like.trim_ascii().len()..])
    }
}

/// Decodes UTF-7 (RFC 2152) to UTF-8. A run from `+` to `-` corresponds to its characters as a
/// whole.
pub(super) fn utf7(view: &View<'_>) -> View<'static> {
    let bytes = view.bytes();
    let mut made = Maker::with_capacity(bytes.len() + bytes.len() / 8 + 3);
    let mut at = 0;
    while at < bytes.len() {
        let Some(plus) = memchr::memchr(b'+', &bytes[at..]).map(|i| at + i) else {
            made.take(view, at..bytes.len());
            break;
        };
        made.take(view, at..plus);
        let run = bytes[plus + 1..].iter().take_while(|b| is_base64(**b)).count();
        let stop = plus + 1 + run;
        let end = stop + usize::from(bytes.get(stop) == Some(&b'-'));
        if run == 0 {
            // `+-` is a plus, and so is a `+` before anything else.
            let source = view.source(plus..end);
            made.whole(b"+", source);
        } else {
            made.whole(&utf16(&bytes[plus + 1..stop]), view.source(plus..end));
        }
        at = end;
    }
    made.view()
}

/// Decodes UTF-16 in base64 to UTF-8.
fn utf16(digits: &[u8]) -> Vec<u8> {
    // Eight digits are three units, and a character of one has up to three bytes.
    let mut text = String::with_capacity(digits.len() / 8 * 9 + 9);
    let octets = base64(digits).bytes;
    let units = octets.chunks_exact(2).map(|unit| u16::from_be_bytes([unit[0], unit[1]]));
    text.extend(char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)));
    text.into_bytes()
}

/// Joins the lines of a `format=flowed; delsp=yes` text that belong together (RFC 3676,
/// section 4): the space, the line end, quote marks and stuffing between them are removed.
/// `None` if no line is joined.
///
/// `stateful`: the charset is ISO-2022-JP. A line of it ends in ASCII, and the next one begins with
/// an escape sequence again. Of the two that meet where lines are joined, the first one is left
/// out, because within a text they would be malformed.
pub(super) fn flowed(view: &View<'_>, stateful: bool) -> Option<View<'static>> {
    let bytes = view.bytes();
    let mut made = Maker::default();
    let (mut kept, mut at, mut joints) = (0, 0, 0);
    while at < bytes.len() {
        let (end, next) = line_end(bytes, at);
        let (depth, text) = quoting(&bytes[at..end]);
        let line = &bytes[at + text..end];
        let goes_on = line.ends_with(b" ") && line != b"-- " && next < bytes.len();
        if goes_on {
            let following = &bytes[next..line_end(bytes, next).0];
            let (deep, text) = quoting(following);
            // A signature starts a paragraph of its own.
            if deep == depth && &following[text..] != b"-- " {
                if joints == 0 {
                    made = Maker::with_capacity(bytes.len());
                }
                let start = next + text;
                let meet = stateful && is_escape(&line[..line.len() - 1], &bytes[start..]);
                made.take(view, kept..end - if meet { 4 } else { 1 });
                kept = start;
                joints += 1;
            }
        }
        at = next;
    }
    if joints == 0 {
        return None;
    }
    made.take(view, kept.min(bytes.len())..bytes.len());
    Some(made.view())
}

/// Whether `before` ends in an escape sequence of ISO-2022-JP and `after` begins with one.
fn is_escape(before: &[u8], after: &[u8]) -> bool {
    let last = before.last_chunk::<3>();
    last.is_some_and(|last| Shift::from_escape(last).is_some())
        && Shift::from_escape(after).is_some()
}

/// How deep a line is quoted, and the start of its text.
fn quoting(line: &[u8]) -> (usize, usize) {
    let depth = line.iter().take_while(|b| **b == b'>').count();
    (depth, depth + usize::from(line.get(depth) == Some(&b' ')))
}

/// The charset that a label of mail declares; `None`: nothing that is known. Senders that know
/// nothing about charsets write `us-ascii`.
pub(super) fn charset_of(label: &str) -> Option<Charset> {
    let label = label.trim();
    let says_nothing = ["us-ascii", "ascii", "ansi_x3.4-1968"];
    let declares = !says_nothing.iter().any(|name| label.eq_ignore_ascii_case(name));
    Charset::for_label(label).ok().filter(|_| declares)
}

/// Whether a label means UTF-7 (RFC 2152), which no browser reads.
pub(super) fn is_utf7(label: &str) -> bool {
    ["utf-7", "unicode-1-1-utf-7", "csunicode11utf7", "x-unicode-2-0-utf-7"]
        .iter()
        .any(|name| label.trim().eq_ignore_ascii_case(name))
}
