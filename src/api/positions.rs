//! Positions in the decoded text: UTF-16 units, characters, lines, columns.
//!
//! Invariant: after the bytes of a stream in any pieces, the counts are those of the decoded
//! text so far. A byte order mark is not counted, and a malformed sequence is one character.

use alloc::{boxed::Box, vec::Vec};

use crate::charset::{Charset, Shape, cursor::Cursor, detect, lookahead::Lookahead, unicode::Unit};

/// A position in a decoded text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Position {
    /// UTF-16 code units before it.
    pub utf16: u64,
    /// Characters (Unicode scalar values) before it.
    pub chars: u64,
    /// Line, from 1. LF, CR and CR LF end a line.
    pub line: u64,
    /// Column in characters, from 1.
    pub column: u64,
}

/// Counts positions in a stream, given its bytes in order.
///
/// ```
/// use iriscan::{Charset, Positions};
///
/// let mut positions = Positions::new(Charset::UTF_8);
/// positions.advance("𝒳é\nab".as_bytes());
/// let here = positions.position();
/// assert_eq!((here.utf16, here.chars, here.line, here.column), (6, 5, 2, 3));
/// ```
#[derive(Clone, Debug)]
pub struct Positions {
    cursor: Cursor,
    /// The bytes of an incomplete character, a few at most.
    partial: Vec<u8>,
    at: Position,
    /// The byte order mark that may still come; empty after the first character.
    bom: &'static [u8],
    after_cr: bool,
    /// `None` once the charset is decided.
    early: Option<Box<Early>>,
}

/// The state that is needed while the charset is not decided.
#[derive(Clone, Debug)]
struct Early {
    /// The first bytes, to count them again if they are UTF-16 or UTF-32.
    bytes: Vec<u8>,
    /// The counts if it is ISO-2022-JP, where `ESC ( B` is not a character.
    jis: Positions,
}

impl Positions {
    /// The start of a stream in `charset`.
    #[must_use]
    pub fn new(charset: Charset) -> Positions {
        Positions {
            cursor: Cursor::new(charset),
            partial: Vec::new(),
            at: Position { utf16: 0, chars: 0, line: 1, column: 1 },
            bom: charset.byte_order_mark(),
            after_cr: false,
            early: None,
        }
    }

    /// The start of a stream whose charset is not known yet: bytes count as
    /// ASCII until [`Positions::decide`].
    #[must_use]
    pub fn undecided() -> Positions {
        // A build without ISO-2022-JP never decides for it.
        let jis = Charset::iso_2022_jp().unwrap_or(Charset::UTF_8);
        let early = Early { bytes: Vec::new(), jis: Positions::new(jis) };
        Positions { early: Some(Box::new(early)), ..Positions::new(Charset::UTF_8) }
    }

    /// Sets the charset of a stream that began [`undecided`](Positions::undecided): call it
    /// from [`Sink::charset`].
    ///
    /// The bytes so far must read alike in `charset` and in ASCII. If it is UTF-16 or UTF-32,
    /// there must be at most 16 of them, and they are counted again.
    ///
    /// [`Sink::charset`]: crate::links::sink::Sink::charset
    pub fn decide(&mut self, charset: Charset) {
        match (self.early.take(), charset.shape()) {
            (Some(early), Shape::Wide { .. }) => {
                *self = Positions::new(charset);
                return self.advance(&early.bytes);
            }
            (Some(early), Shape::Stateful) => {
                *self = early.jis;
                return;
            }
            _ => {}
        }
        let partial = core::mem::take(&mut self.partial);
        self.cursor = Cursor::new(charset);
        self.bom = if self.at.chars == 0 { charset.byte_order_mark() } else { b"" };
        self.advance(&partial);
    }

    /// Moves over the next bytes of the stream. Bytes of a character that is
    /// not complete yet count when it is.
    pub fn advance(&mut self, mut bytes: &[u8]) {
        if let Some(early) = &mut self.early {
            let room = (detect::EARLY as usize).saturating_sub(early.bytes.len());
            early.bytes.extend_from_slice(&bytes[..bytes.len().min(room)]);
            early.jis.advance(bytes);
        }
        while !self.partial.is_empty() && !bytes.is_empty() {
            self.partial.push(bytes[0]);
            bytes = &bytes[1..];
            let partial = core::mem::take(&mut self.partial);
            let used = self.run(Lookahead::part(&partial));
            self.partial.extend_from_slice(&partial[used..]);
        }
        let used = self.run(Lookahead::part(bytes));
        self.partial.extend_from_slice(&bytes[used..]);
    }

    /// The position after the bytes so far. A sequence that is incomplete there counts as
    /// malformed until bytes complete it, so the position is right if a link starts there.
    #[must_use]
    pub fn position(&self) -> Position {
        if self.partial.is_empty() {
            return self.at;
        }
        let mut here = self.clone();
        let mut partial = core::mem::take(&mut here.partial);
        if matches!(here.cursor.shape(), Shape::Utf8 | Shape::Multi) {
            // How many characters it counts as may depend on the next byte. A space is never
            // part of a sequence.
            partial.push(b' ');
            here.run(Lookahead::whole(&partial));
            here.at.utf16 -= 1;
            here.at.chars -= 1;
            here.at.column -= 1;
        } else {
            here.run(Lookahead::whole(&partial));
        }
        here.at
    }

    /// Counts the characters of `bytes`; an incomplete one only if nothing can follow it. Returns
    /// how many bytes were counted.
    fn run(&mut self, bytes: Lookahead<'_>) -> usize {
        let mut used = 0;
        while let Some((unit, len)) = self.cursor.step(bytes.from(used)) {
            match unit {
                Unit::Char('\u{FEFF}') if !self.bom.is_empty() => {}
                Unit::Char(c) => self.count(c),
                Unit::Pair(a, b) => {
                    self.count(a);
                    self.count(b);
                }
                Unit::Malformed => self.count('\u{FFFD}'),
                Unit::Escape => {}
            }
            self.bom = b"";
            used += len;
        }
        used
    }

    fn count(&mut self, c: char) {
        self.at.utf16 += c.len_utf16() as u64;
        self.at.chars += 1;
        match c {
            // The second half of CR LF.
            '\n' if self.after_cr => self.at.column = 1,
            '\n' | '\r' => {
                self.at.line += 1;
                self.at.column = 1;
            }
            _ => self.at.column += 1,
        }
        self.after_cr = c == '\r';
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    #[test]
    fn bytes_before_the_charset_was_decided_are_counted_again() {
        let mut cases = vec![
            (Charset::UTF_16LE, &b"a\0b\0"[..], &b"c\0"[..], 3),
            (Charset::UTF_32BE, b"\0\0\0a", b"\0\0\0b", 2),
            (Charset::UTF_8, b"ab", "é".as_bytes(), 3),
        ];
        cases.extend(Charset::iso_2022_jp().map(|jis| (jis, &b"a\x1B$B"[..], &b"F|"[..], 2)));
        for (charset, bytes, after, chars) in cases {
            let mut positions = Positions::undecided();
            positions.advance(bytes);
            positions.decide(charset);
            positions.advance(after);
            assert_eq!(positions.position().chars, chars, "{charset}");
        }
    }
}
