//! Octets on their way into a URI: text goes in, and what no URI has comes out as `%HH`.

use alloc::{string::String, vec, vec::Vec};

use super::class::is_encoded;

/// The text for each octet, with its length in the last place.
const WRITTEN: [[u8; 4]; 256] = {
    let mut written = [[0; 4]; 256];
    let mut octet = 0;
    while octet < 256 {
        let b = octet as u8;
        written[octet] = if is_encoded(b) {
            [b'%', DIGITS[octet >> 4], DIGITS[octet & 0xF], 3]
        } else {
            [b, 0, 0, 1]
        };
        octet += 1;
    }
    written
};

const DIGITS: &[u8; 16] = b"0123456789ABCDEF";

/// How many bytes [`encode`] may write beyond the end.
const SLACK: usize = 3;

const UTF8: &str = "what is pushed should be UTF-8";

/// A text that grows. Its memory is kept when it is cleared, and is not cleared itself, so many
/// texts one after the other need no more.
#[derive(Clone, Debug, Default)]
pub(crate) struct Octets {
    /// The text, and after it bytes that mean nothing.
    bytes: Vec<u8>,
    len: usize,
}

impl Octets {
    /// No text yet, and no memory.
    pub(crate) const fn new() -> Octets {
        Octets { bytes: Vec::new(), len: 0 }
    }

    /// No text yet, with room for the URI form of most texts of `len` octets.
    pub(crate) fn with_room(len: usize) -> Octets {
        Octets { bytes: vec![0; 3 * len + SLACK], len: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// The text, which is UTF-8.
    pub(crate) fn as_str(&self) -> &str {
        core::str::from_utf8(self.as_slice()).expect(UTF8)
    }

    pub(crate) fn is_ascii(&self) -> bool {
        self.as_slice().is_ascii()
    }

    /// Removes all after the first `len` octets.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// The next `more` bytes after the text, to write into.
    #[inline]
    fn room(&mut self, more: usize) -> &mut [u8] {
        let end = self.len + more;
        if self.bytes.len() < end {
            self.bytes.resize(end, 0);
        }
        &mut self.bytes[self.len..end]
    }

    /// Appends `octets` as they are.
    #[inline]
    pub(crate) fn push(&mut self, octets: &[u8]) {
        self.room(octets.len()).copy_from_slice(octets);
        self.len += octets.len();
    }

    /// Appends `text` with the octets of [`is_encoded`] as `%HH`: sixteen octets at once if none of them
    /// is encoded, because most of a link is not.
    pub(crate) fn push_encoded(&mut self, text: &[u8]) {
        let room = self.room(3 * text.len() + SLACK);
        let (blocks, rest) = text.as_chunks::<16>();
        let mut at = 0;
        for block in blocks {
            // Without an early end, so that all octets are compared at once.
            if block.iter().fold(false, |any, octet| any | is_encoded(*octet)) {
                at += encode(block, &mut room[at..]);
            } else {
                room[at..at + block.len()].copy_from_slice(block);
                at += block.len();
            }
        }
        at += encode(rest, &mut room[at..]);
        self.len += at;
    }

    /// Appends each octet as `%HH`.
    pub(crate) fn push_escapes(&mut self, octets: &[u8]) {
        let digit = |value: u8| DIGITS[usize::from(value)];
        let room = self.room(3 * octets.len());
        for ([percent, high, low], octet) in room.as_chunks_mut().0.iter_mut().zip(octets) {
            (*percent, *high, *low) = (b'%', digit(octet >> 4), digit(octet & 0xF));
        }
        self.len += 3 * octets.len();
    }

    /// The text, which is UTF-8.
    pub(crate) fn into_string(self) -> String {
        let Octets { mut bytes, len } = self;
        bytes.truncate(len);
        String::from_utf8(bytes).expect(UTF8)
    }
}

/// Writes `text` with the octets of [`is_encoded`] as `%HH` to the start of `room`, and says how many
/// bytes that are. It may write [`SLACK`] bytes more.
///
/// Writes four bytes for each octet and lets the next one overwrite those too many. So no branch
/// depends on the text, and none is mispredicted.
#[inline]
fn encode(text: &[u8], room: &mut [u8]) -> usize {
    let mut at = 0;
    for &octet in text {
        let written = WRITTEN[usize::from(octet)];
        room[at..at + 4].copy_from_slice(&written);
        at += usize::from(written[3]);
    }
    at
}

#[cfg(test)]
mod tests {
    use std::{format, string::String};

    use super::*;

    #[test]
    fn each_octet_is_written_as_it_should_be() {
        let mut octets = Octets::default();
        for b in 0..=0xFF_u8 {
            octets.truncate(0);
            octets.push(b"a");
            octets.push_encoded(&[b'b', b, b]);
            octets.push_escapes(&[b]);
            let one = if is_encoded(b) { format!("%{b:02X}") } else { String::from(char::from(b)) };
            assert_eq!(octets.as_slice(), format!("ab{one}{one}%{b:02X}").as_bytes());
        }
        octets.truncate(2);
        assert_eq!((octets.len(), &*octets.into_string()), (2, "ab"));
    }
}
