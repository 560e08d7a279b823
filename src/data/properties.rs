//! Lookups in the tables of characters: the bits of a character, among them Link_Term and Link_Email of
//! UTS #58; and its Link_Bracket.

use super::{
    class_tables::{
        BLOCK, BLOCKS, CLASSES, HIGH, LEAF, LEAVES, LETTER_WORD_OF, LETTER_WORDS, LETTERS, LIMIT,
        SETS, SHORT_LETTERS, UNSPACED_LETTERS,
    },
    link_term::LinkTerm,
    tables::LINK_BRACKET,
};

pub(crate) use super::class_tables::{
    DOT, EMAIL, HANGUL, HOST_SYMBOL, JOINS, LABEL, MARK, MIDDLE, NEVER, PARTICLE, QUOTATION,
    SENTENCE, STANDARD_HOST, SYMBOL, UNSPACED,
};

/// The bits of `c`: its Link_Term ([`TERM`]), and one bit for each property.
#[inline]
pub(crate) fn bits(c: char) -> u32 {
    // Most characters that are asked about are ASCII, and one table is enough for these.
    match ASCII.get(c as usize) {
        Some(bits) => *bits,
        None => SETS[usize::from(class(c))],
    }
}

/// The bits of the characters of ASCII.
static ASCII: [u32; 128] = {
    let (mut table, mut code) = ([0; 128], 0);
    while code < 128 {
        table[code] = SETS[low(code) as usize];
        code += 1;
    }
    table
};

#[inline]
fn class(c: char) -> u8 {
    let code = u32::from(c);
    if code < LIMIT { low(code as usize) } else { high(code) }
}

/// A letter, mark or number outside of ASCII that is nothing else to a link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Letter {
    /// Of a script with spaces between words.
    Spaced,
    /// Of a script without.
    Unspaced,
    None,
}

/// Which of these `c` is.
#[inline]
pub(crate) fn letter(c: char) -> Letter {
    match class(c) {
        ..UNSPACED_LETTERS => Letter::Unspaced,
        UNSPACED_LETTERS..LETTERS => Letter::Spaced,
        _ => Letter::None,
    }
}

/// The rest of `text`, which is UTF-8, after the letters outside of ASCII that have two bytes. The last ones
/// may be left, if fewer than four bytes are there.
#[inline(always)]
pub(crate) fn after_short_letters(mut text: &[u8]) -> &[u8] {
    while let Some(char) = text.first_chunk() {
        let char = u32::from_le_bytes(*char);
        let letters = SHORT_LETTERS[(char & 0x1F) as usize];
        if char & 0xC0E0 != 0x80C0 || letters >> (char >> 8 & 0x3F) & 1 == 0 {
            break;
        }
        text = &text[2..];
    }
    text
}

/// As [`after_short_letters`], of those that have three bytes.
#[inline(always)]
pub(crate) fn after_letters(mut text: &[u8]) -> &[u8] {
    while let Some(char) = text.first_chunk() {
        let char = u32::from_le_bytes(*char);
        if char & 0xC0_C0F0 != 0x80_80E0 {
            break;
        }
        // All characters from U+5000 to U+9FFF are letters.
        if !matches!(char as u8, 0xE5..=0xE9) {
            // The block of 64 characters is in the first two bytes, and the place in it is in the third.
            let block = LETTER_WORD_OF[((char & 0xF) << 6 | char >> 8 & 0x3F) as usize];
            if LETTER_WORDS[usize::from(block)] >> (char >> 16 & 0x3F) & 1 == 0 {
                break;
            }
        }
        text = &text[3..];
    }
    text
}

/// True if the last character of `text`, which is UTF-8, is a letter of two or three bytes outside of ASCII.
#[inline(always)]
pub(crate) fn ends_with_letter(text: &[u8]) -> bool {
    match *text {
        [.., a @ 0xC0..0xE0, b] => after_short_letters(&[a, b, 0, 0]).len() == 2,
        [.., a, b, c] => after_letters(&[a, b, c, 0]).len() == 1,
        _ => false,
    }
}

/// The class of a character below [`LIMIT`].
#[inline]
const fn low(code: usize) -> u8 {
    let leaf = code / LEAF;
    let leaf = LEAVES[BLOCKS[leaf / BLOCK] as usize * BLOCK + leaf % BLOCK];
    CLASSES[leaf as usize * LEAF + code % LEAF]
}

#[cold]
fn high(code: u32) -> u8 {
    HIGH[HIGH.partition_point(|(last, _)| *last < code)].1
}

/// Whether any of `wanted` is true of `c`.
#[inline]
pub(crate) fn has(c: char, wanted: u32) -> bool {
    bits(c) & wanted != 0
}

/// Link_Term of `c` (UTS #58).
#[inline]
pub(crate) fn link_term(c: char) -> LinkTerm {
    LinkTerm::of(bits(c))
}

/// The closing bracket of `open` (Link_Bracket of UTS #58).
pub(crate) fn closing_bracket(open: char) -> Option<char> {
    let i = LINK_BRACKET.binary_search_by_key(&open, |&(o, _)| o).ok()?;
    Some(LINK_BRACKET[i].1)
}

/// Link_Email of `c` (UTS #58).
#[inline]
pub(crate) fn is_link_email(c: char) -> bool {
    has(c, EMAIL)
}
