//! Characters with their places in the source, one at a time, in every charset.
//!
//! Bytes go in, units come out: a character, malformed bytes, or an escape sequence, each with its
//! length. What must hold: the units are those of the WHATWG decoder (one `Malformed` for each
//! malformed sequence of that decoder), and their lengths add up to the length of the stream.
//! Tables come from encoding_rs; only the *lengths* are known here.

use alloc::boxed::Box;

use encoding_rs::{DecoderResult, Encoding};

use super::{Charset, Shape, Shift};

#[cfg(test)]
std::thread_local! {
    /// Units read on this thread. Tests of linear time count these.
    pub(crate) static STEPS: core::cell::Cell<u64> = const { core::cell::Cell::new(0) };
    /// ASCII characters that were read backwards, before a candidate.
    pub(crate) static LOOKS: core::cell::Cell<u64> = const { core::cell::Cell::new(0) };
}

/// The first byte of an escape sequence of ISO-2022-JP.
pub(crate) const ESC: u8 = 0x1B;

/// The unit at a position of the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unit {
    Char(char),
    /// One sequence that decodes to two characters: four sequences of Big5.
    Pair(char, char),
    Malformed,
    /// An escape sequence of ISO-2022-JP: bytes, but no character.
    Escape,
}

/// The state of the ISO-2022-JP decoder between two units.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct JisState {
    pub(crate) shift: Shift,
    /// No unit has come since the last escape sequence: another one here is malformed.
    pub(crate) fresh: bool,
}

/// Steps through bytes of one charset. Cheap to reposition: set `jis`.
#[derive(Clone, Debug)]
pub(crate) struct Cursor {
    shape: Shape,
    encoding: &'static Encoding,
    /// The upper half of a single-byte charset; U+FFFD for malformed bytes.
    upper: Option<Box<[char; 128]>>,
    /// State before the next unit; always the default outside ISO-2022-JP.
    pub(crate) jis: JisState,
}

/// The upper half of a single-byte charset.
#[cold]
fn upper(encoding: &'static Encoding) -> Box<[char; 128]> {
    let bytes: [u8; 128] = core::array::from_fn(|i| i as u8 + 128);
    let (text, _) = encoding.decode_without_bom_handling(&bytes);
    let mut chars = text.chars();
    // In these charsets a byte is a character, so the text has 128.
    Box::new(core::array::from_fn(|_| chars.next().unwrap_or('\u{FFFD}')))
}

impl Cursor {
    #[inline]
    pub(crate) fn new(charset: Charset) -> Cursor {
        let shape = charset.shape();
        let encoding = charset.encoding().unwrap_or(encoding_rs::UTF_8);
        let upper = (shape == Shape::Single).then(|| upper(encoding));
        Cursor { shape, encoding, upper, jis: JisState::default() }
    }

    pub(crate) fn shape(&self) -> Shape {
        self.shape
    }

    /// The unit at the start of `bytes` and its length in bytes; `None` if it is incomplete.
    /// `last`: the text ends with `bytes`, so that only the empty slice is incomplete.
    #[inline]
    pub(crate) fn step(&mut self, bytes: &[u8], last: bool) -> Option<(Unit, usize)> {
        match self.shape {
            Shape::Stateful => self.jis(bytes, last),
            _ => self.plain(bytes, last),
        }
    }

    /// As [`Cursor::step`], for charsets without state.
    #[inline]
    pub(crate) fn plain(&self, bytes: &[u8], last: bool) -> Option<(Unit, usize)> {
        #[cfg(test)]
        STEPS.set(STEPS.get() + 1);
        let &first = bytes.first()?;
        match self.shape {
            Shape::Utf8 | Shape::Single | Shape::Multi if first < 0x80 => {
                Some((Unit::Char(char::from(first)), 1))
            }
            Shape::Utf8 => utf8(bytes, last),
            Shape::Single => {
                let upper = self.upper.as_ref().expect("single-byte cursors should have a table");
                Some(match upper[usize::from(first - 0x80)] {
                    '\u{FFFD}' => (Unit::Malformed, 1),
                    c => (Unit::Char(c), 1),
                })
            }
            Shape::Multi => multi(self.encoding, bytes, last),
            Shape::Wide { width: 2, big } => utf16(bytes, big, last),
            Shape::Wide { big, .. } => utf32(bytes, big, last),
            Shape::Stateful => None,
        }
    }

    /// The character at the start of `bytes`, which is not ASCII, and its length in bytes. `None`
    /// if it is malformed, incomplete, or one of two.
    #[inline]
    pub(crate) fn char(&self, bytes: &[u8]) -> Option<(char, usize)> {
        if self.shape == Shape::Utf8
            && let Some(short) = short(bytes)
        {
            #[cfg(test)]
            STEPS.set(STEPS.get() + 1);
            return Some(short);
        }
        match self.plain(bytes, false)? {
            (Unit::Char(c), len) => Some((c, len)),
            _ => None,
        }
    }

    /// Decodes characters at the start of `bytes` and appends them to `text` as UTF-8. Not for
    /// UTF-8 and UTF-32. Returns how many bytes were decoded: none if the next unit is left to
    /// [`Cursor::step`]. `each` gets how many characters in a row have the same length in bytes
    /// here and in `text`; two characters of one sequence count as one.
    pub(crate) fn many(
        &mut self,
        bytes: &[u8],
        text: &mut alloc::vec::Vec<u8>,
        mut each: impl FnMut(usize, (u8, u8)),
    ) -> usize {
        let shift = self.jis.shift;
        // ASCII first, as far as it goes.
        let (ascii, width) = match self.shape {
            Shape::Single | Shape::Multi => (Encoding::ascii_valid_up_to(bytes), 1),
            Shape::Wide { width: 2, big: false } => (narrow::<false>(bytes, text), 2),
            Shape::Wide { width: 2, big: true } => (narrow::<true>(bytes, text), 2),
            Shape::Stateful if shift.is_latin() => {
                // JIS-Roman has other characters at two places.
                let others = if shift == Shift::Roman { [0x5C, 0x7E, ESC] } else { [ESC; 3] };
                (alike(shift, bytes, others).1, 1)
            }
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
        match self.shape {
            Shape::Single | Shape::Multi | Shape::Wide { width: 2, .. } => {
                decoded(self.encoding, bytes, text, each)
            }
            Shape::Stateful if shift == Shift::Kanji => {
                // EUC-JP writes the same characters of JIS X 0208 with the top bits set.
                let (len, n) = alike(shift, &bytes[..bytes.len().min(MANY)], [ESC; 3]);
                let mut cells = [0; MANY];
                cells.iter_mut().zip(bytes).for_each(|(cell, b)| *cell = b | 0x80);
                let n = decoded(encoding_rs::EUC_JP, &cells[..len * n], text, each);
                self.jis.fresh &= n == 0;
                n
            }
            _ => 0,
        }
    }

    /// The last character of `bytes` and its length in bytes, in a multi-byte charset. `bytes`
    /// start between characters, and one decoder reads all of them. `None` if they are malformed at
    /// the end, or end within a character.
    pub(crate) fn last(&self, bytes: &[u8]) -> Option<(char, usize)> {
        let mut decoder = self.encoding.new_decoder_without_bom_handling();
        let (mut text, mut rest, mut nearest) = ([0; 256], bytes, None);
        loop {
            let (result, read, written) =
                decoder.decode_to_utf8_without_replacement(rest, &mut text, true);
            let text = core::str::from_utf8(&text[..written]).ok()?;
            nearest = text.chars().next_back().or(nearest);
            rest = &rest[read..];
            match result {
                DecoderResult::Malformed(..) => return None,
                DecoderResult::InputEmpty => break,
                DecoderResult::OutputFull => {}
            }
        }
        let c = nearest?;
        let from = |len: usize| Some(&bytes[bytes.len().checked_sub(len)?..]);
        let len = [1, 2, 3, 4].into_iter().find(|len| {
            from(*len).and_then(|tail| self.plain(tail, true)) == Some((Unit::Char(c), *len))
        })?;
        Some((c, len))
    }

    /// The length of the unit at the start of `bytes`. It is not decoded where the structure is
    /// enough. Updates the ISO-2022-JP state.
    pub(crate) fn skip(&mut self, bytes: &[u8], last: bool) -> Option<usize> {
        match self.shape {
            Shape::Stateful => jis_unit(&mut self.jis, bytes, last).map(|(_, len)| len),
            _ => self.plain(bytes, last).map(|(_, len)| len),
        }
    }

    fn jis(&mut self, bytes: &[u8], last: bool) -> Option<(Unit, usize)> {
        let shift = self.jis.shift;
        let (raw, len) = jis_unit(&mut self.jis, bytes, last)?;
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
                    return Some((multi(encoding_rs::EUC_JP, &cell, true)?.0, len));
                }
            },
        };
        Some((unit, len))
    }
}

/// The character at the start of `bytes` if it has two or three bytes in UTF-8, as most characters
/// outside of ASCII have.
#[inline]
pub(crate) fn short(bytes: &[u8]) -> Option<(char, usize)> {
    let tail = |b: u8| u32::from(b & 0x3F);
    let (value, len) = match *bytes {
        [a @ 0xC2..=0xDF, b @ 0x80..=0xBF, ..] => (u32::from(a & 0x1F) << 6 | tail(b), 2),
        [a @ 0xE0..=0xEF, b @ 0x80..=0xBF, c @ 0x80..=0xBF, ..] => {
            (u32::from(a & 0x0F) << 12 | tail(b) << 6 | tail(c), 3)
        }
        _ => return None,
    };
    // Overlong, or a surrogate: malformed.
    if len == 3 && value < 0x800 {
        return None;
    }
    Some((char::from_u32(value)?, len))
}

fn utf8(bytes: &[u8], last: bool) -> Option<(Unit, usize)> {
    if let Some((c, len)) = short(bytes) {
        return Some((Unit::Char(c), len));
    }
    // Longer characters are left to the library.
    let head = &bytes[..bytes.len().min(4)];
    let valid = match core::str::from_utf8(head) {
        Ok(text) => text,
        Err(e) if e.valid_up_to() > 0 => {
            core::str::from_utf8(&head[..e.valid_up_to()]).unwrap_or_default()
        }
        Err(e) => {
            return match e.error_len() {
                Some(len) => Some((Unit::Malformed, len)),
                None if last || bytes.len() >= 4 => Some((Unit::Malformed, head.len())),
                None => None,
            };
        }
    };
    valid.chars().next().map(|c| (Unit::Char(c), c.len_utf8()))
}

fn utf16(bytes: &[u8], big: bool, last: bool) -> Option<(Unit, usize)> {
    let unit = |i: usize| -> Option<u16> {
        let pair = [*bytes.get(i)?, *bytes.get(i + 1)?];
        Some(if big { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) })
    };
    let Some(first) = unit(0) else {
        return last.then_some((Unit::Malformed, bytes.len()));
    };
    match first {
        0xD800..=0xDBFF => match unit(2) {
            Some(second @ 0xDC00..=0xDFFF) => {
                let value =
                    0x10000 + (u32::from(first - 0xD800) << 10) + u32::from(second - 0xDC00);
                Some((Unit::Char(char::from_u32(value)?), 4))
            }
            Some(_) => Some((Unit::Malformed, 2)),
            // An odd byte after it is part of the same error.
            None => last.then_some((Unit::Malformed, bytes.len())),
        },
        0xDC00..=0xDFFF => Some((Unit::Malformed, 2)),
        _ => Some((Unit::Char(char::from_u32(u32::from(first))?), 2)),
    }
}

fn utf32(bytes: &[u8], big: bool, last: bool) -> Option<(Unit, usize)> {
    let Some(&unit) = bytes.first_chunk::<4>() else {
        return last.then_some((Unit::Malformed, bytes.len()));
    };
    let value = if big { u32::from_be_bytes(unit) } else { u32::from_le_bytes(unit) };
    Some((char::from_u32(value).map_or(Unit::Malformed, Unit::Char), 4))
}

/// The units at the start of `bytes` that have the same length: the length, and how many there are.
/// In `shift` of ISO-2022-JP, or in the ASCII of another charset; there they end before any of
/// `stops`. None of them is malformed, though some may decode to no character.
pub(crate) fn alike(shift: Shift, bytes: &[u8], stops: [u8; 3]) -> (usize, usize) {
    let (len, count) = match shift {
        Shift::Ascii | Shift::Roman => {
            let [a, b, c] = stops;
            // Without a branch the compiler compares a block at once.
            let text = |unit| {
                let stop = (unit == a) | (unit == b) | (unit == c);
                let no_text = (unit == 0x0E) | (unit == 0x0F) | (unit == ESC) | (unit >= 0x80);
                !(stop | no_text)
            };
            (1, run(bytes, text))
        }
        Shift::Katakana => (1, run(bytes, |b| (0x21..=0x5F).contains(&b))),
        Shift::Kanji => (2, run(bytes, |b| (0x21..=0x7E).contains(&b)) / 2),
    };
    #[cfg(test)]
    STEPS.set(STEPS.get() + count as u64);
    (len, count)
}

/// How many bytes of this sort are at the start of `bytes`.
#[inline(always)]
fn run(bytes: &[u8], is: impl Fn(u8) -> bool) -> usize {
    let blocks = bytes.as_chunks::<32>().0.iter();
    let whole = blocks.take_while(|block| block.iter().fold(true, |all, b| all & is(*b)));
    let whole = whole.count() * 32;
    whole + bytes[whole..].iter().take_while(|b| is(**b)).count()
}

/// Appends the ASCII characters at the start of UTF-16 to `text`. Returns how many there are.
fn narrow<const BIG: bool>(bytes: &[u8], text: &mut alloc::vec::Vec<u8>) -> usize {
    let value = |unit: &[u8; 2]| match BIG {
        true => u16::from_be_bytes(*unit),
        false => u16::from_le_bytes(*unit),
    };
    let units = bytes.as_chunks::<2>().0;
    let blocks = units.as_chunks::<16>().0.iter();
    // Without a branch inside a block the compiler compares all of it at once.
    let blocks = blocks.take_while(|block| block.iter().fold(0, |all, u| all | value(u)) < 0x80);
    let whole = blocks.count() * 16;
    let n = whole + units[whole..].iter().take_while(|unit| value(unit) < 0x80).count();
    text.extend(units[..n].iter().map(|unit| value(unit) as u8));
    n
}

/// How many bytes are decoded at once.
const MANY: usize = 256;

/// As [`Cursor::many`], by one decoder.
fn decoded(
    encoding: &'static Encoding,
    bytes: &[u8],
    text: &mut alloc::vec::Vec<u8>,
    mut each: impl FnMut(usize, (u8, u8)),
) -> usize {
    let bytes = &bytes[..bytes.len().min(MANY)];
    let mut decoder = encoding.new_decoder_without_bom_handling();
    // No charset has characters that need more than three times their bytes in UTF-8.
    let mut utf8 = [0; 3 * MANY + 16];
    let (_, _, written) = decoder.decode_to_utf8_without_replacement(bytes, &mut utf8, false);
    let wide = [encoding_rs::UTF_16LE, encoding_rs::UTF_16BE].contains(&encoding);
    let lengths = Lengths::of(encoding);
    let (mut inside, mut outside) = (0, 0);
    let (mut run, mut alike) = (0, (0, 0));
    while inside < written {
        let char = match utf8[inside] {
            ..0x80 => 1,
            0x80..0xE0 => 2,
            0xE0..0xF0 => 3,
            0xF0.. => 4,
        };
        let (there, here) = if wide {
            (char, if char == 4 { 4 } else { 2 })
        } else {
            let rest = &bytes[outside..];
            let Some(here) = lengths.first(rest) else { break };
            (if lengths.is_pair(rest) { 4 } else { char }, here)
        };
        #[cfg(test)]
        STEPS.set(STEPS.get() + 1);
        if (there, here) != alike {
            each(run, alike);
            (run, alike) = (0, (there, here));
        }
        run += 1;
        (inside, outside) = (inside + usize::from(there), outside + usize::from(here));
    }
    each(run, alike);
    text.extend_from_slice(&utf8[..inside]);
    outside
}

/// The lengths of the characters of a charset of one or several bytes: two, with exceptions.
struct Lengths {
    /// These bytes are characters of one byte.
    alone: core::ops::Range<u16>,
    euro: bool,
    /// Characters of three bytes begin with 8F.
    three: bool,
    /// Big5: four sequences are two characters each, which have two bytes each in UTF-8.
    pairs: bool,
}

impl Lengths {
    fn of(encoding: &'static Encoding) -> Lengths {
        let is = |other| encoding == other;
        Lengths {
            alone: match encoding {
                _ if encoding.is_single_byte() => 0x80..0x100,
                _ if is(encoding_rs::SHIFT_JIS) => 0xA1..0xE0,
                _ => 0..0,
            },
            euro: [encoding_rs::SHIFT_JIS, encoding_rs::GBK, encoding_rs::GB18030]
                .map(is)
                .contains(&true),
            three: is(encoding_rs::EUC_JP),
            pairs: is(encoding_rs::BIG5),
        }
    }

    /// True if `bytes` begin with a sequence that is two characters.
    #[inline]
    fn is_pair(&self, bytes: &[u8]) -> bool {
        self.pairs && matches!(bytes, [0x88, 0x62 | 0x64 | 0xA3 | 0xA5, ..])
    }

    /// The length of the first sequence of `bytes`; `None` if it is cut off.
    #[inline]
    fn first(&self, bytes: &[u8]) -> Option<u8> {
        let len = match *bytes.first()? {
            ..0x80 => 1,
            0x80 if self.euro => 1,
            0x8F if self.three => 3,
            lead if self.alone.contains(&lead.into()) => 1,
            // Only gb18030 has digits after a lead byte.
            _ if bytes.get(1)?.is_ascii_digit() => 4,
            _ => 2,
        };
        (usize::from(len) <= bytes.len()).then_some(len)
    }
}

/// One unit of a multi-byte charset, by a decoder of its own that is fed byte by byte. So the units
/// are exactly those of encoding_rs.
fn multi(encoding: &'static Encoding, bytes: &[u8], last: bool) -> Option<(Unit, usize)> {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut text = [0u8; 16];
    // The longest sequences are those of gb18030, with four bytes.
    let fed = bytes.len().min(4);
    for i in 0..fed {
        let (result, _, written) =
            decoder.decode_to_utf8_without_replacement(&bytes[i..=i], &mut text, false);
        if let DecoderResult::Malformed(len, _) = result {
            return Some((Unit::Malformed, usize::from(len)));
        }
        if written > 0 {
            let mut chars = core::str::from_utf8(&text[..written]).unwrap_or_default().chars();
            let unit = match (chars.next()?, chars.next()) {
                (c, None) => Unit::Char(c),
                (a, Some(b)) => Unit::Pair(a, b),
            };
            return Some((unit, i + 1));
        }
    }
    if !last {
        return None;
    }
    match decoder.decode_to_utf8_without_replacement(b"", &mut text, true).0 {
        DecoderResult::Malformed(len, _) => Some((Unit::Malformed, usize::from(len))),
        _ => Some((Unit::Malformed, fed)),
    }
}

enum Raw {
    Text,
    Malformed,
    Escape,
}

/// The ISO-2022-JP decoder of the Encoding Standard, section 12.2, without its tables. Gives the
/// kind of a unit, its length, and the state after it.
fn jis_unit(state: &mut JisState, bytes: &[u8], last: bool) -> Option<(Raw, usize)> {
    #[cfg(test)]
    STEPS.set(STEPS.get() + 1);
    let &first = bytes.first()?;
    if first == ESC {
        let partial = matches!(bytes, [_] | [_, b'$' | b'(']);
        if partial && !last {
            return None;
        }
        return Some(match Shift::from_escape(bytes) {
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
            None if last => (Raw::Malformed, 1),
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
