//! Units of UTF-8, UTF-16 and UTF-32, and text from their bytes.

use alloc::{string::String, vec::Vec};

use super::lookahead::Lookahead;

/// The unit at a position of the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unit {
    Char(char),
    /// One sequence that decodes to two characters: four sequences of Big5.
    #[cfg_attr(not(feature = "legacy-charsets"), expect(dead_code, reason = "only Big5 has pairs"))]
    Pair(char, char),
    Malformed,
    /// An escape sequence of ISO-2022-JP: bytes, but no character.
    Escape,
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

pub(super) fn utf8(bytes: Lookahead<'_>) -> Option<(Unit, usize)> {
    if let Some((c, len)) = short(&bytes) {
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
                None if bytes.is_last() || bytes.len() >= 4 => Some((Unit::Malformed, head.len())),
                None => None,
            };
        }
    };
    valid.chars().next().map(|c| (Unit::Char(c), c.len_utf8()))
}

#[inline]
pub(super) fn utf16(bytes: Lookahead<'_>, big: bool) -> Option<(Unit, usize)> {
    let unit = |i: usize| -> Option<u16> {
        let pair = [*bytes.get(i)?, *bytes.get(i + 1)?];
        Some(if big { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) })
    };
    let Some(first) = unit(0) else {
        return bytes.is_last().then_some((Unit::Malformed, bytes.len()));
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
            None => bytes.is_last().then_some((Unit::Malformed, bytes.len())),
        },
        0xDC00..=0xDFFF => Some((Unit::Malformed, 2)),
        _ => Some((Unit::Char(char::from_u32(u32::from(first))?), 2)),
    }
}

pub(super) fn utf32(bytes: Lookahead<'_>, big: bool) -> Option<(Unit, usize)> {
    let Some(&unit) = bytes.first_chunk::<4>() else {
        return bytes.is_last().then_some((Unit::Malformed, bytes.len()));
    };
    let value = if big { u32::from_be_bytes(unit) } else { u32::from_le_bytes(unit) };
    Some((char::from_u32(value).map_or(Unit::Malformed, Unit::Char), 4))
}

/// Appends the ASCII characters at the start of UTF-16 to `text`. Returns how many there are.
pub(super) fn narrow<const BIG: bool>(bytes: &[u8], text: &mut Vec<u8>) -> usize {
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

/// How many bytes of UTF-16 are decoded at once.
const MANY: usize = 256;

/// Appends the characters at the start of UTF-16 to `text`, as UTF-8. Stops before a malformed or
/// incomplete unit. Returns how many bytes were decoded. `each` gets how many characters in a row
/// have the same length in `text` and here.
pub(super) fn widen(
    bytes: &[u8],
    big: bool,
    text: &mut Vec<u8>,
    mut each: impl FnMut(usize, (u8, u8)),
) -> usize {
    let bytes = &bytes[..bytes.len().min(MANY)];
    // A unit takes at most three bytes. Writing each character into a slice is faster than adding it.
    let mut to = text.len();
    text.resize(to + bytes.len() / 2 * 3, 0);
    let (mut at, mut run, mut alike) = (0, 0, (0, 0));
    while let Some((Unit::Char(c), len)) = utf16(Lookahead::part(&bytes[at..]), big) {
        let lengths = (c.len_utf8() as u8, len as u8);
        if lengths != alike {
            each(run, alike);
            (run, alike) = (0, lengths);
        }
        to += c.encode_utf8(&mut text[to..]).len();
        (run, at) = (run + 1, at + len);
    }
    text.truncate(to);
    each(run, alike);
    at
}

/// The text of `bytes`, which are in a Unicode encoding form; `unit` reads the first unit of bytes
/// that are not empty. A malformed sequence becomes `malformed`; if that is `None`, the result is, too.
pub(super) fn text_of(
    mut bytes: &[u8],
    unit: impl Fn(Lookahead<'_>) -> Option<(Unit, usize)>,
    malformed: Option<char>,
) -> Option<String> {
    let mut text = String::with_capacity(bytes.len());
    while !bytes.is_empty() {
        let (unit, len) = unit(Lookahead::whole(bytes))?;
        match unit {
            Unit::Char(c) => text.push(c),
            _ => text.push(malformed?),
        }
        bytes = &bytes[len..];
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use proptest::prelude::*;

    use crate::charset::Charset;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn text_is_that_of_encoding_rs(
            bytes in prop::collection::vec(
                prop_oneof![
                    4 => prop::sample::select(vec![0, b'a', 0xD8, 0xDC, 0xDF, 0xC3, 0xA9, 0xE6, 0xF0, 0x9F]),
                    1 => any::<u8>(),
                ],
                0..40,
            ),
        ) {
            for (charset, encoding) in [
                (Charset::UTF_8, encoding_rs::UTF_8),
                (Charset::UTF_16LE, encoding_rs::UTF_16LE),
                (Charset::UTF_16BE, encoding_rs::UTF_16BE),
            ] {
                let mark = charset.byte_order_mark();
                let marked = [mark, &bytes].concat();
                let (text, _) = encoding.decode_without_bom_handling(&bytes);
                prop_assert_eq!(&charset.decode(&marked), &text, "{}", charset);
                let whole = encoding.decode_without_bom_handling_and_without_replacement(&bytes);
                prop_assert_eq!(charset.try_decode(&bytes), whole, "{}", charset);
            }
        }
    }
}
