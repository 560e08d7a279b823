//! A document as UTF-8, where its own bytes cannot be read as syntax: UTF-16,
//! UTF-32, ISO-2022-JP, and charsets whose characters may end in a byte that the
//! format gives a meaning.
//!
//! Malformed sequences become a byte that is never UTF-8.

use alloc::vec::Vec;

use super::map::{Make, Map};
use crate::{
    charset::{Charset, Shape, Shift},
    cursor::{Cursor, Unit},
};

/// What stands for a malformed sequence.
pub(crate) const MALFORMED: u8 = 0xFF;

/// Transcodes one stream; holds what is not settled.
#[derive(Clone, Debug)]
pub(crate) struct Transcoder {
    cursor: Cursor,
    /// The text that is held, and where it begins.
    pub(crate) text: Vec<u8>,
    pub(crate) text_at: u64,
    pub(crate) map: Map,
}

impl Transcoder {
    /// For the rest of a document, from `at` on. What stands before it was ASCII, and
    /// a link may begin there.
    pub(crate) fn new(charset: Charset, at: u64) -> Transcoder {
        let cursor = Cursor::new(charset);
        Transcoder { cursor, text: Vec::new(), text_at: at, map: Map::behind(at) }
    }

    /// The next bytes. What is incomplete is left: [`Map::outside`] tells where it
    /// begins.
    pub(crate) fn push(&mut self, mut bytes: &[u8], last: bool) {
        decode(&mut self.cursor, &mut bytes, last, &mut self.text, &mut self.map);
    }

    /// Lets go of the text before `at`.
    pub(crate) fn forget(&mut self, at: u64) {
        let Some(dead) = at.checked_sub(self.text_at) else { return };
        let dead = dead as usize;
        // Move the rest down only when that pays: single bytes stay linear.
        if dead * 2 >= self.text.len() {
            self.text.drain(..dead);
            self.text_at = at;
            self.map.forget(at);
        }
    }
}

/// Decodes the whole characters at the start of `bytes`, and moves it behind them.
pub(crate) fn decode(
    cursor: &mut Cursor,
    bytes: &mut &[u8],
    last: bool,
    text: &mut Vec<u8>,
    map: &mut Map,
) {
    let narrow = matches!(cursor.shape(), Shape::Single | Shape::Multi);
    loop {
        if narrow {
            // Between characters, ASCII stands for itself.
            let n = encoding_rs::Encoding::ascii_valid_up_to(bytes);
            let (ascii, rest) = bytes.split_at(n);
            text.extend_from_slice(ascii);
            map.push(n, n, Make::Same { width: 1, shift: Shift::Ascii });
            *bytes = rest;
        }
        let shift = cursor.jis.shift;
        let Some((unit, len)) = cursor.step(bytes, last) else { return };
        let before = text.len();
        let mut put = |c: char| text.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        let make = match unit {
            Unit::Char(c) if c.is_ascii() => {
                put(c);
                Make::Same { width: len as u8, shift }
            }
            Unit::Char(c) => {
                put(c);
                Make::Decoded { shift }
            }
            Unit::Pair(a, b) => {
                put(a);
                put(b);
                Make::Decoded { shift }
            }
            Unit::Malformed => {
                text.push(MALFORMED);
                Make::Decoded { shift }
            }
            Unit::Escape => Make::Decoded { shift },
        };
        map.push(text.len() - before, len, make);
        *bytes = &bytes[len..];
    }
}
