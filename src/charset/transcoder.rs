//! Decodes a stream to UTF-8 for a reader that cannot read its bytes: text in ISO-2022-JP, and by
//! UTS #58 in multi-byte charsets; for a lexer also UTF-16, UTF-32, and charsets whose second bytes may
//! be syntax of the format.
//!
//! Bytes of the source go in; out come text and the [`SourceMap`] back. A malformed sequence
//! becomes one byte that UTF-8 never has.

use alloc::vec::Vec;

use super::{
    Charset,
    cursor::{Cursor, JisState},
    lookahead::Lookahead,
    source_map::{Make, SourceMap},
    unicode::Unit,
};

/// The byte for a malformed sequence.
pub(crate) const MALFORMED: u8 = 0xFF;

/// Transcodes one stream; holds the text that is not settled.
#[derive(Clone, Debug)]
pub(crate) struct Transcoder {
    pub(crate) cursor: Cursor,
    /// The text that is held, and where it begins in the view.
    pub(crate) text: Vec<u8>,
    pub(crate) text_at: u64,
    pub(crate) map: SourceMap,
}

impl Transcoder {
    /// For the rest of a stream, from `at` on. All before it was ASCII, and a link may begin
    /// in that.
    pub(crate) fn new(charset: Charset, at: u64) -> Transcoder {
        Transcoder::following(charset, &[], at)
    }

    /// As [`Transcoder::new`]; the text begins with the ASCII bytes `before`, which end at `at`.
    pub(crate) fn following(charset: Charset, before: &[u8], at: u64) -> Transcoder {
        let (cursor, text) = (Cursor::new(charset), before.to_vec());
        Transcoder { cursor, text, text_at: at - before.len() as u64, map: SourceMap::after(at) }
    }

    /// Starts over at `at` with another stream, or a later part of it.
    pub(crate) fn restart(&mut self, at: u64) {
        self.cursor.jis = JisState::default();
        self.text.clear();
        (self.text_at, self.map) = (at, SourceMap::after(at));
    }

    /// Decodes the next bytes, up to [`SourceMap::outside`]: an incomplete character is left.
    pub(crate) fn push(&mut self, bytes: Lookahead<'_>) {
        decode(&mut self.cursor, bytes, &mut self.text, &mut self.map);
    }

    /// Drops the text before `at`.
    pub(crate) fn forget(&mut self, at: u64) {
        let Some(dead) = at.checked_sub(self.text_at) else { return };
        let dead = dead as usize;
        // Moving the rest pays only then: chunks of one byte stay linear.
        if dead * 2 >= self.text.len() {
            self.text.drain(..dead);
            self.text_at = at;
            self.map.forget(at);
        }
    }
}

/// Decodes the whole characters at the start of `bytes`. Returns how many bytes were decoded.
pub(crate) fn decode(
    cursor: &mut Cursor,
    bytes: Lookahead<'_>,
    text: &mut Vec<u8>,
    map: &mut SourceMap,
) -> usize {
    let mut at = 0;
    loop {
        let shift = cursor.jis.shift;
        let n = cursor.many(&bytes[at..], text, |n, (inside, outside)| {
            let make = Make::Chars { inside, outside, shift };
            map.push(n * usize::from(inside), n * usize::from(outside), make);
        });
        at += n;
        if n > 0 {
            continue;
        }
        let Some((unit, len)) = cursor.step(bytes.from(at)) else { return at };
        let before = text.len();
        let mut put = |c: char| text.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        match unit {
            Unit::Char(c) => put(c),
            Unit::Pair(a, b) => {
                put(a);
                put(b);
            }
            Unit::Malformed => text.push(MALFORMED),
            Unit::Escape => {}
        }
        let inside = text.len() - before;
        map.push(inside, len, Make::Chars { inside: inside as u8, outside: len as u8, shift });
        at += len;
    }
}

#[cfg(test)]
mod tests {
    use alloc::{string::String, vec};

    use proptest::prelude::*;

    use super::*;

    const CHARSETS: [&str; 13] = [
        "shift_jis",
        "euc-jp",
        "gbk",
        "gb18030",
        "big5",
        "euc-kr",
        "windows-1251",
        "windows-1255",
        "x-user-defined",
        "utf-16le",
        "utf-16be",
        "iso-2022-jp",
        "utf-8",
    ];

    const PIECES: &[&[u8]] = &[
        b"\x1B$B",
        b"\x1B(B",
        b"\x1B(J",
        b"\x1B(I",
        b"\x1B",
        b"\x0E",
        b"!#",
        b"%j%s%/",
        b"plain text of some forty bytes, and more",
        b"a\0b\0c\0",
        b"\0a\0b\0c",
        b"\x3D\xD8\x00\xDE",
        b"\xD8\x3D\xDE\x00",
        b"\x3D\xD8",
        b"\xDE\x00",
        b"a\0 \0l\0o\0n\0g\0 \0r\0u\0n\0 \0o\0f\0 \0l\0e\0t\0t\0e\0r\0s\0",
    ];

    /// The text, and the range in `bytes` that each byte of it comes from.
    fn decoded(charset: Charset, bytes: Lookahead<'_>) -> (Vec<u8>, Vec<[u64; 2]>) {
        let (mut text, mut map) = (Vec::new(), SourceMap::at(0));
        decode(&mut Cursor::new(charset), bytes, &mut text, &mut map);
        let places = (0..=text.len() as u64).map(|at| [map.start(at), map.end(at)]).collect();
        (text, places)
    }

    /// The same, unit by unit.
    fn one_by_one(charset: Charset, bytes: Lookahead<'_>) -> (Vec<u8>, Vec<[u64; 2]>) {
        let (mut cursor, mut at) = (Cursor::new(charset), 0);
        let (mut text, mut units) = (Vec::new(), Vec::new());
        while let Some((unit, len)) = cursor.step(bytes.from(at)) {
            let from = text.len();
            let chars = match unit {
                Unit::Char(c) => [Some(c), None],
                Unit::Pair(a, b) => [Some(a), Some(b)],
                Unit::Malformed | Unit::Escape => [None, None],
            };
            let string: String = chars.into_iter().flatten().collect();
            text.extend_from_slice(string.as_bytes());
            if unit == Unit::Malformed {
                text.push(MALFORMED);
            }
            units.extend((from..text.len()).map(|_| [at as u64, (at + len) as u64]));
            at += len;
        }
        let starts: Vec<u64> = units.iter().map(|unit| unit[0]).chain([at as u64]).collect();
        // What ends before the text ends where it begins.
        let ends = [starts[0]].into_iter().chain(units.iter().map(|unit| unit[1]));
        (text, starts.iter().zip(ends).map(|(start, end)| [*start, end]).collect())
    }

    /// Those that this build has.
    fn charsets() -> Vec<Charset> {
        let known = CHARSETS.iter().filter_map(|label| Charset::for_label(label).ok()).collect();
        if cfg!(feature = "legacy-charsets") {
            assert_eq!(Vec::len(&known), CHARSETS.len());
        }
        known
    }

    #[test]
    fn characters_of_two_bytes() {
        for charset in charsets() {
            for lead in 0x80..=0xFF {
                let pairs: Vec<u8> = (0..=0xFF).flat_map(|trail| [lead, trail, b' ']).collect();
                let pairs = Lookahead::whole(&pairs);
                assert_eq!(
                    decoded(charset, pairs),
                    one_by_one(charset, pairs),
                    "{charset}: {lead:x}"
                );
            }
        }
    }

    proptest! {
        #[test]
        fn many_at_once_are_one_by_one(
            pieces in prop::collection::vec(
                prop_oneof![
                    3 => prop::sample::select(
                        &b"a0 \x30\x39\x40\x5C\x7E\x80\x81\x88\x8E\x8F\xA3\xFE"[..],
                    )
                    .prop_map(|b| vec![b]),
                    2 => (0x81..=0xFEu8).prop_map(|b| vec![b]),
                    1 => any::<u8>().prop_map(|b| vec![b]),
                    1 => prop::sample::select(PIECES)
                    .prop_map(<[u8]>::to_vec),
                ],
                0..500,
            ),
            charset in prop::sample::select(charsets()),
            last in any::<bool>(),
        ) {
            let bytes = pieces.concat();
            let bytes = Lookahead::new(&bytes, last);
            prop_assert_eq!(decoded(charset, bytes), one_by_one(charset, bytes));
        }
    }
}
