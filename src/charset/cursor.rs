//! Characters with their places in the source, one at a time, in every charset.
//!
//! Bytes go in, units come out: a character, malformed bytes, or an escape sequence, each with its
//! length. What must hold: the units are those of the WHATWG decoder (one `Malformed` for each
//! malformed sequence of that decoder), and their lengths add up to the length of the stream.
//! Characters of charsets that are not Unicode come from `legacy`.

use alloc::{boxed::Box, vec::Vec};

use super::{
    Charset, Shape, Shift,
    legacy::{self, Encoding, MANY},
    lookahead::Lookahead,
    unicode::{Unit, narrow, short, utf8, utf16, utf32, widen},
};

#[cfg(test)]
std::thread_local! {
    /// Units read on this thread. Tests of linear time count these.
    pub(crate) static STEPS: core::cell::Cell<u64> = const { core::cell::Cell::new(0) };
    /// ASCII characters that were read backwards, before a candidate.
    pub(crate) static LOOKS: core::cell::Cell<u64> = const { core::cell::Cell::new(0) };
}

/// The first byte of an escape sequence of ISO-2022-JP.
const ESC: u8 = 0x1B;

/// The state of the ISO-2022-JP decoder between two units.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct JisState {
    pub(crate) shift: Shift,
    /// No unit has come since the last escape sequence: another one here is malformed.
    pub(crate) fresh: bool,
}

/// Steps through bytes of one charset.
#[derive(Clone, Debug)]
pub(crate) struct Cursor {
    shape: Shape,
    /// `None` for Unicode.
    encoding: Option<&'static Encoding>,
    /// The upper half of a single-byte charset; U+FFFD for malformed bytes.
    upper: Option<Box<[char; 128]>>,
    /// State before the next unit; always the default outside ISO-2022-JP.
    pub(crate) jis: JisState,
}

impl Cursor {
    #[inline]
    pub(crate) fn new(charset: Charset) -> Cursor {
        let shape = charset.shape();
        let encoding = charset.encoding();
        let upper = encoding.filter(|_| shape == Shape::Single).map(legacy::upper);
        Cursor { shape, encoding, upper, jis: JisState::default() }
    }

    #[inline]
    pub(crate) fn shape(&self) -> Shape {
        if cfg!(iriscan_strings) { Shape::Utf8 } else { self.shape }
    }

    /// The unit at the start of `bytes` and its length in bytes; `None` if it is incomplete. Where
    /// the text ends with `bytes`, only the empty slice is incomplete.
    #[inline]
    pub(crate) fn step(&mut self, bytes: Lookahead<'_>) -> Option<(Unit, usize)> {
        match self.shape() {
            Shape::Stateful => self.jis(bytes),
            _ => self.unit(bytes),
        }
    }

    /// As [`Cursor::step`], for charsets without state.
    #[inline]
    pub(crate) fn plain(&self, bytes: Lookahead<'_>) -> Option<(Unit, usize)> {
        self.unit(bytes)
    }

    /// As [`Cursor::plain`], always as a part of its caller.
    #[inline(always)]
    fn unit(&self, bytes: Lookahead<'_>) -> Option<(Unit, usize)> {
        #[cfg(test)]
        STEPS.set(STEPS.get() + 1);
        let &first = bytes.first()?;
        match self.shape() {
            Shape::Utf8 | Shape::Single | Shape::Multi if first < 0x80 => {
                Some((Unit::Char(char::from(first)), 1))
            }
            Shape::Utf8 => utf8(bytes),
            Shape::Single => {
                let upper = self.upper.as_ref().expect("single-byte cursors should have a table");
                Some(match upper[usize::from(first - 0x80)] {
                    '\u{FFFD}' => (Unit::Malformed, 1),
                    c => (Unit::Char(c), 1),
                })
            }
            Shape::Multi => legacy::multi(self.encoding?, bytes),
            Shape::Wide { width: 2, big } => utf16(bytes, big),
            Shape::Wide { big, .. } => utf32(bytes, big),
            Shape::Stateful => None,
        }
    }

    /// The character at the start of `bytes`, which is not ASCII, and its length in bytes. `None`
    /// if it is malformed, incomplete, or one of two.
    #[inline]
    pub(crate) fn char(&self, bytes: &[u8]) -> Option<(char, usize)> {
        if self.shape() == Shape::Utf8
            && let Some(short) = short(bytes)
        {
            #[cfg(test)]
            STEPS.set(STEPS.get() + 1);
            return Some(short);
        }
        #[cfg(test)]
        STEPS.set(STEPS.get() + 1);
        // As in `plain`, which is not a part of this.
        let unit = match (self.shape(), self.encoding, &self.upper) {
            (Shape::Single, _, Some(upper)) => {
                let c = upper[usize::from(bytes.first()? & 0x7F)];
                return (c != '\u{FFFD}').then_some((c, 1));
            }
            (Shape::Multi, Some(encoding), _) => legacy::multi(encoding, Lookahead::part(bytes)),
            (Shape::Wide { width: 2, big }, ..) => utf16(Lookahead::part(bytes), big),
            (Shape::Wide { big, .. }, ..) => utf32(Lookahead::part(bytes), big),
            _ => utf8(Lookahead::part(bytes)),
        };
        match unit? {
            (Unit::Char(c), len) => Some((c, len)),
            _ => None,
        }
    }

    /// Gives the characters at the start of `bytes` that are not ASCII, with their lengths in bytes, until `take` returns
    /// false; those that [`Cursor::char`] gives one by one.
    #[inline]
    pub(crate) fn each_char(&self, bytes: &[u8], mut take: impl FnMut(char, usize) -> bool) {
        if let (Shape::Single, Some(upper)) = (self.shape(), &self.upper) {
            for byte in bytes.iter().take_while(|b| !b.is_ascii()) {
                #[cfg(test)]
                STEPS.set(STEPS.get() + 1);
                let c = upper[usize::from(byte & 0x7F)];
                if c == '\u{FFFD}' || !take(c, 1) {
                    return;
                }
            }
            return;
        }
        if let (Shape::Multi, Some(encoding)) = (self.shape(), self.encoding) {
            return legacy::each_char(encoding, bytes, |c, len| {
                #[cfg(test)]
                STEPS.set(STEPS.get() + 1);
                take(c, len)
            });
        }
        let mut rest = bytes;
        while rest.first().is_some_and(|b| !b.is_ascii())
            && let Some((c, len)) = self.char(rest)
            && take(c, len)
        {
            rest = &rest[len..];
        }
    }

    /// Decodes characters at the start of `bytes` and appends them to `text` as UTF-8. Not for
    /// UTF-8 and UTF-32. Returns how many bytes were decoded: none if the next unit is left to
    /// [`Cursor::step`]. `each` gets how many characters in a row have the same length in bytes
    /// here and in `text`; two characters of one sequence count as one.
    pub(crate) fn many(
        &mut self,
        bytes: &[u8],
        text: &mut Vec<u8>,
        mut each: impl FnMut(usize, (u8, u8)),
    ) -> usize {
        let shift = self.jis.shift;
        // ASCII first, as far as it goes.
        let (ascii, width) = match self.shape() {
            Shape::Single | Shape::Multi => (legacy::ascii_up_to(bytes), 1),
            Shape::Wide { width: 2, big: false } => (narrow::<false>(bytes, text), 2),
            Shape::Wide { width: 2, big: true } => (narrow::<true>(bytes, text), 2),
            Shape::Stateful if shift.is_latin() => (alike(shift, bytes).1, 1),
            _ => (0, 1),
        };
        if ascii > 0 {
            #[cfg(test)]
            STEPS.set(STEPS.get() + ascii as u64);
            if width == 1 {
                text.extend_from_slice(&bytes[..ascii]);
            }
            self.jis.fresh = false;
            each(ascii, (1, width));
            return ascii * usize::from(width);
        }
        let n = match (self.shape(), self.encoding, legacy::EUC_JP) {
            (Shape::Wide { width: 2, big }, ..) => widen(bytes, big, text, each),
            (Shape::Single | Shape::Multi, Some(encoding), _) => {
                legacy::decoded(encoding, bytes, text, each)
            }
            (Shape::Stateful, _, Some(euc)) if shift == Shift::Kanji => {
                // EUC-JP writes the same characters of JIS X 0208 with the top bits set.
                let (len, n) = alike(shift, &bytes[..bytes.len().min(MANY)]);
                let mut cells = [0; MANY];
                cells.iter_mut().zip(bytes).for_each(|(cell, b)| *cell = b | 0x80);
                let n = legacy::decoded(euc, &cells[..len * n], text, each);
                self.jis.fresh &= n == 0;
                n
            }
            _ => 0,
        };
        #[cfg(test)]
        STEPS.set(STEPS.get() + n as u64);
        n
    }

    /// The last character of `bytes` and its length in bytes, in a multi-byte charset. `bytes`
    /// start between characters. `None` if they are malformed at the end, or end within a
    /// character.
    pub(crate) fn last(&self, bytes: &[u8]) -> Option<(char, usize)> {
        let c = legacy::last(self.encoding?, bytes)?;
        let from = |len: usize| Some(&bytes[bytes.len().checked_sub(len)?..]);
        let len = [1, 2, 3, 4].into_iter().find(|len| {
            from(*len).and_then(|tail| self.plain(Lookahead::whole(tail)))
                == Some((Unit::Char(c), *len))
        })?;
        Some((c, len))
    }

    fn jis(&mut self, bytes: Lookahead<'_>) -> Option<(Unit, usize)> {
        let shift = self.jis.shift;
        let (raw, len) = jis_unit(&mut self.jis, bytes)?;
        let unit = match raw {
            Raw::Escape => Unit::Escape,
            Raw::Malformed => Unit::Malformed,
            Raw::Text => match (shift, bytes[0]) {
                (Shift::Roman, 0x5C) => Unit::Char('\u{A5}'),
                (Shift::Roman, 0x7E) => Unit::Char('\u{203E}'),
                (Shift::Ascii | Shift::Roman, b) => Unit::Char(char::from(b)),
                (Shift::Katakana, b) => {
                    // Encoding Standard: U+FF61 − 0x21 + byte.
                    Unit::Char(char::from_u32(0xFF40 + u32::from(b)).unwrap_or('\u{FFFD}'))
                }
                // EUC-JP writes the same characters of JIS X 0208 with the top bits set.
                (Shift::Kanji, b) => {
                    let cell = [b | 0x80, bytes[1] | 0x80];
                    let unit = legacy::multi(legacy::EUC_JP?, Lookahead::whole(&cell))?.0;
                    return Some((unit, len));
                }
            },
        };
        Some((unit, len))
    }
}

/// The units at the start of `bytes` that have the same length, in `shift` of ISO-2022-JP: the
/// length, and how many there are. In Latin shifts they are as in ASCII. None of them is malformed,
/// though some may decode to no character.
fn alike(shift: Shift, bytes: &[u8]) -> (usize, usize) {
    // Without a branch the compiler compares a block at once.
    let text = |b: u8| (b != 0x0E) & (b != 0x0F) & (b != ESC) & (b < 0x80);
    match shift {
        Shift::Ascii => (1, run(bytes, text)),
        // JIS-Roman has other characters at two places.
        Shift::Roman => (1, run(bytes, |b| text(b) & (b != 0x5C) & (b != 0x7E))),
        Shift::Katakana => (1, run(bytes, |b| (0x21..=0x5F).contains(&b))),
        Shift::Kanji => (2, run(bytes, |b| (0x21..=0x7E).contains(&b)) / 2),
    }
}

/// How many bytes of this sort are at the start of `bytes`.
#[inline(always)]
fn run(bytes: &[u8], is: impl Fn(u8) -> bool) -> usize {
    let blocks = bytes.as_chunks::<32>().0.iter();
    let whole = blocks.take_while(|block| block.iter().fold(true, |all, b| all & is(*b)));
    let whole = whole.count() * 32;
    whole + bytes[whole..].iter().take_while(|b| is(**b)).count()
}

enum Raw {
    Text,
    Malformed,
    Escape,
}

/// The ISO-2022-JP decoder of the Encoding Standard, section 12.2, without its tables. Gives the
/// kind of a unit, its length, and the state after it.
fn jis_unit(state: &mut JisState, bytes: Lookahead<'_>) -> Option<(Raw, usize)> {
    #[cfg(test)]
    STEPS.set(STEPS.get() + 1);
    let &first = bytes.first()?;
    if first == ESC {
        let is_cut = matches!(*bytes, [_] | [_, b'$' | b'(']);
        if is_cut && bytes.is_partial() {
            return None;
        }
        return Some(match Shift::from_escape(&bytes) {
            None => {
                state.fresh = false;
                (Raw::Malformed, 1)
            }
            Some(shift) => {
                let adjacent = core::mem::replace(state, JisState { shift, fresh: true }).fresh;
                (if adjacent { Raw::Malformed } else { Raw::Escape }, 3)
            }
        });
    }
    let found = match (state.shift, first) {
        (Shift::Ascii | Shift::Roman, 0x0E | 0x0F | 0x80..) => (Raw::Malformed, 1),
        (Shift::Ascii | Shift::Roman, _) | (Shift::Katakana, 0x21..=0x5F) => (Raw::Text, 1),
        (Shift::Kanji, 0x21..=0x7E) => match bytes.get(1) {
            Some(0x21..=0x7E) => (Raw::Text, 2),
            Some(0x1B) => (Raw::Malformed, 1),
            Some(_) => (Raw::Malformed, 2),
            None if bytes.is_last() => (Raw::Malformed, 1),
            None => return None,
        },
        (Shift::Katakana | Shift::Kanji, _) => (Raw::Malformed, 1),
    };
    state.fresh = false;
    Some(found)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_run_is_as_long_as_counted_byte_by_byte(
            bytes in prop::collection::vec(b'a'..=b'd', 0..200),
            last in b'a'..=b'd',
        ) {
            let twin = bytes.iter().take_while(|b| **b <= last).count();
            prop_assert_eq!(run(&bytes, |b| b <= last), twin);
        }
    }
}
