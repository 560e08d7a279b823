//! Folding of lines that rewriting makes too long, in calendars and contacts (RFC 5545, section
//! 3.1).
//!
//! Text and links go in, in the order of the document, and come out with folds in links and
//! directly after them. All other bytes stay as they are. Invariants: a line that was not too
//! long does not become so, as far as it is not made of one character or escape; how the text is cut
//! into pieces changes nothing, because the rest of a line after a link is held back until it is
//! known whether it fits.

use alloc::{string::String, vec::Vec};

/// How many octets a line may have, without its end.
const LINE: usize = 75;

/// Folds the lines in which links change.
#[derive(Clone, Debug)]
pub(super) struct Folds {
    /// How many octets the line has so far.
    column: usize,
    /// The text after a link that was replaced. It is held until the line ends or gets too long.
    held: Vec<u8>,
    /// The line has a link that was replaced, and nothing but `held` came after it.
    open: bool,
    /// The last line end has a CR.
    crlf: bool,
    /// The last byte of the text.
    last: u8,
}

impl Folds {
    pub(super) fn new() -> Folds {
        Folds { column: 0, held: Vec::new(), open: false, crlf: true, last: 0 }
    }

    fn fold(&self) -> &'static str {
        if self.crlf { "\r\n " } else { "\n " }
    }

    /// Takes the next text of the document.
    pub(super) fn text<E>(
        &mut self,
        bytes: &[u8],
        mut write: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.open {
            let end = memchr::memchr2(b'\r', b'\n', bytes);
            let line = &bytes[..end.unwrap_or(bytes.len())];
            let fits = self.column + self.held.len() + line.len() <= LINE;
            if fits && end.is_none() {
                self.held.extend_from_slice(line);
                self.last = last(line).unwrap_or(self.last);
                return Ok(());
            }
            if !fits {
                self.column = 1;
                write(self.fold().as_bytes())?;
            }
            self.flush(&mut write)?;
        }
        match memchr::memrchr(b'\n', bytes) {
            Some(feed) => {
                self.crlf = last(&bytes[..feed]).unwrap_or(self.last) == b'\r';
                self.column = bytes.len() - feed - 1;
            }
            None => self.column += bytes.len(),
        }
        self.last = last(bytes).unwrap_or(self.last);
        write(bytes)
    }

    /// Writes the text that is held.
    pub(super) fn flush<E>(
        &mut self,
        mut write: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.open = false;
        self.column += self.held.len();
        let held = core::mem::take(&mut self.held);
        if held.is_empty() { Ok(()) } else { write(&held) }
    }

    /// The text that replaces a link, with folds. [`Folds::flush`] comes before it. `unit`: how many
    /// bytes a character of ASCII has. `goes_on`: a fold may come after the link too.
    pub(super) fn link(&mut self, text: &str, unit: usize, goes_on: bool) -> String {
        let mut out = String::with_capacity(text.len() + text.len() / 16);
        let (mut column, mut rest) = (self.column / unit, text);
        while !rest.is_empty() {
            let (piece, others) = rest.split_at(piece(rest));
            if column + piece.len() > LINE && column > 1 {
                out.push_str(self.fold());
                column = 1;
            }
            column += piece.len();
            out.push_str(piece);
            rest = others;
        }
        (self.column, self.open, self.last) = (column * unit, goes_on, 0);
        out
    }
}

/// The last byte that is no NUL; in UTF-16 and UTF-32 these are between the characters.
fn last(bytes: &[u8]) -> Option<u8> {
    bytes.iter().rev().copied().find(|b| *b != 0)
}

/// The length of what stays together at the start of `text`: a character, also in `%HH`, or an
/// escape.
fn piece(text: &str) -> usize {
    let bytes = text.as_bytes();
    match bytes {
        [b'\\', next, ..] if next.is_ascii() => 2,
        [b'%', a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit() => {
            let octets = match a {
                b'C' | b'D' | b'c' | b'd' => 2,
                b'E' | b'e' => 3,
                b'F' | b'f' => 4,
                _ => 1,
            };
            let (escapes, _) = bytes.as_chunks::<3>();
            let goes_on = |e: &[u8; 3]| {
                let lead = matches!(e[1], b'8' | b'9' | b'A' | b'B' | b'a' | b'b');
                e[0] == b'%' && lead && e[2].is_ascii_hexdigit()
            };
            3 + 3 * escapes.iter().skip(1).take(octets - 1).take_while(|e| goes_on(e)).count()
        }
        _ => text.chars().next().map_or(0, char::len_utf8),
    }
}

#[cfg(test)]
mod tests {
    use std::vec;

    use proptest::prelude::*;

    use super::*;

    /// A document of texts and links, which come in pieces of these lengths.
    fn folded(parts: &[(String, String)], sizes: &[usize]) -> Vec<u8> {
        let (mut folds, mut out) = (Folds::new(), vec![]);
        let mut turn = 0;
        for (text, link) in parts {
            let mut rest = text.as_bytes();
            while !rest.is_empty() {
                let (now, later) = rest.split_at(sizes[turn % sizes.len()].clamp(1, rest.len()));
                let write = |bytes: &[u8]| -> Result<(), ()> {
                    out.extend_from_slice(bytes);
                    Ok(())
                };
                folds.text(now, write).unwrap();
                (rest, turn) = (later, turn + 1);
            }
            folds
                .flush(|held| -> Result<(), ()> {
                    out.extend_from_slice(held);
                    Ok(())
                })
                .unwrap();
            out.extend_from_slice(folds.link(link, 1, true).as_bytes());
        }
        folds
            .flush(|held| -> Result<(), ()> {
                out.extend_from_slice(held);
                Ok(())
            })
            .unwrap();
        out
    }

    fn unfolded(bytes: &[u8]) -> String {
        String::from_utf8(bytes.to_vec()).unwrap().replace("\r\n ", "").replace("\n ", "")
    }

    /// The second octet of an escaped character may be no escape.
    #[test]
    fn half_an_escape_is_no_piece() {
        for (text, len) in [("%ce%8\u{e9}", 3), ("%ce%8b", 6), ("%c3%a9%a9", 6), ("%f0%9f%98%g", 9)]
        {
            assert_eq!(piece(text), len, "{text}");
        }
        assert_eq!(
            folded(&[(String::new(), "%ce%8\u{e9}".into())], &[1]),
            "%ce%8\u{e9}".as_bytes()
        );
    }

    proptest! {
        #[test]
        fn folding_keeps_the_text_and_the_lines(
            parts in prop::collection::vec(("([a-z]{0,30}(\r\n)?){0,3}", "[a-z%\\\\,0-9é]{0,200}"), 0..8),
            sizes in prop::collection::vec(1..40usize, 1..4),
        ) {
            let out = folded(&parts, &sizes);
            let plain: String = parts.iter().flat_map(|(text, link)| [&**text, link]).collect();
            prop_assert_eq!(unfolded(&out), unfolded(plain.as_bytes()));
            prop_assert_eq!(&out, &folded(&parts, &[usize::MAX]), "pieces change nothing");
            let text = String::from_utf8(out).unwrap();
            // Only a text that is too long itself makes a line too long.
            prop_assert!(text.split('\n').all(|line| line.trim_end_matches('\r').len() <= 75 + 90), "{text}");
            if parts.iter().all(|(text, _)| text.len() < 30) {
                prop_assert!(text.split('\n').all(|line| line.trim_end_matches('\r').len() <= LINE), "{text}");
            }
        }
    }
}
