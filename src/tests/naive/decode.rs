//! Every character of a document, by a decoder that gets one byte at a time.

use std::{vec, vec::Vec};

use encoding_rs::DecoderResult;

use crate::charset::Charset;

/// A decoded character, or a malformed sequence, and its position in the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tests) struct Char {
    pub(in crate::tests) c: Option<char>,
    pub(in crate::tests) start: usize,
    pub(in crate::tests) end: usize,
}

/// Every character of `bytes`.
pub(in crate::tests) fn decode(bytes: &[u8], charset: Charset) -> Vec<Char> {
    match charset.name() {
        "UTF-16LE" => utf16(bytes, u16::from_le_bytes),
        "UTF-16BE" => utf16(bytes, u16::from_be_bytes),
        "UTF-32LE" => utf32(bytes, u32::from_le_bytes),
        "UTF-32BE" => utf32(bytes, u32::from_be_bytes),
        name => {
            let encoding = encoding_rs::Encoding::for_label(name.as_bytes())
                .expect("every other charset should be of encoding_rs");
            stream(bytes, encoding)
        }
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Vec<Char> {
    let units = bytes.chunks_exact(2).map(|b| unit([b[0], b[1]]));
    let (mut at, mut out) = (0, vec![]);
    for result in char::decode_utf16(units) {
        let len = result.as_ref().map_or(2, |c| c.len_utf16() * 2);
        out.push(Char { c: result.ok(), start: at, end: at + len });
        at += len;
    }
    if at < bytes.len() {
        // One error, together with a lead surrogate before it.
        let lead = at >= 2 && (0xD800..0xDC00).contains(&unit([bytes[at - 2], bytes[at - 1]]));
        let start = if lead { out.pop().map_or(at, |c| c.start) } else { at };
        out.push(Char { c: None, start, end: bytes.len() });
    }
    out
}

fn utf32(bytes: &[u8], unit: fn([u8; 4]) -> u32) -> Vec<Char> {
    let chunks = bytes.chunks(4).enumerate();
    chunks
        .map(|(i, b)| {
            let c = <[u8; 4]>::try_from(b).ok().and_then(|b| char::from_u32(unit(b)));
            Char { c, start: i * 4, end: i * 4 + b.len() }
        })
        .collect()
}

/// Decodes with one decoder that gets one byte at a time.
fn stream(bytes: &[u8], encoding: &'static encoding_rs::Encoding) -> Vec<Char> {
    let jis = encoding == encoding_rs::ISO_2022_JP;
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut out: Vec<Char> = vec![];
    let mut buffer = [0u8; 32];
    // `kept`: the end of the bytes that the decoder kept of an invalid escape sequence.
    let (mut at, mut kept) = (0, 0);
    loop {
        let last = at == bytes.len();
        let src = if last { &bytes[at..] } else { &bytes[at..=at] };
        let (result, read, written) =
            decoder.decode_to_utf8_without_replacement(src, &mut buffer, last);
        at += read;
        let text = core::str::from_utf8(&buffer[..written]).expect("output should be UTF-8");
        for (i, c) in text.chars().enumerate() {
            let before = out.last().map_or(0, |p| p.end);
            let late = before < kept && bytes[before] != 0x1B;
            let start = if jis && late {
                before
            } else if jis {
                // The character comes after any escape sequence; its width gives its start.
                let narrow = c.is_ascii() || matches!(c, '¥' | '‾' | '\u{FF61}'..='\u{FF9F}');
                at - if narrow { 1 } else { 2 }
            } else if i > 0 && !c.is_ascii() && out.last().is_some_and(|p| p.end - p.start > 1) {
                // The second scalar value of one sequence.
                out.last().map_or(0, |p| p.start)
            } else {
                before
            };
            // ASCII that comes out late was kept inside the decoder.
            let end = if jis && !(late && c.is_ascii()) {
                at
            } else if c.is_ascii() {
                start + 1
            } else {
                at
            };
            out.push(Char { c: Some(c), start, end });
        }
        match result {
            DecoderResult::Malformed(len, after) => {
                // Of two escape sequences in a row, encoding_rs calls the first malformed, and the
                // standard the second.
                let after = if jis && (len, after) == (3, 3) { 0 } else { after };
                let end = at - usize::from(after);
                out.push(Char { c: None, start: end - usize::from(len), end });
                kept = at;
            }
            DecoderResult::InputEmpty if last => return out,
            DecoderResult::InputEmpty | DecoderResult::OutputFull => {}
        }
    }
}
