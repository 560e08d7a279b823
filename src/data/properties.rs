//! Lookups in the tables of characters: the bits of a character, among them Link_Term and Link_Email of
//! UTS #58; and its Link_Bracket.

use super::{
    class_tables::{
        BLOCK, BLOCKS, CLASSES, HIGH, LEAF, LEAVES, LETTER_WORD_OF, LETTER_WORDS, LETTERS, LIMIT,
        SETS, UNSPACED_LETTERS,
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
    SETS[usize::from(class(c))]
}

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

/// The character of two or three bytes at the start of `bytes`, which are UTF-8, and its length. `None` for
/// others, and if fewer than four bytes follow.
#[inline(always)]
pub(crate) fn utf8_char(bytes: &[u8]) -> Option<(u16, usize)> {
    let word = u32::from_be_bytes(*bytes.first_chunk()?);
    let tail = |shift: u32| word >> shift & 0x3F;
    if word & 0xF0C0_C000 == 0xE080_8000 {
        let code = (word >> 24 & 0xF) << 12 | tail(16) << 6 | tail(8);
        return (code >= 0x800).then_some((code as u16, 3));
    }
    // Those below 80 are no letters.
    let two = word & 0xE0C0_0000 == 0xC080_0000;
    two.then_some((((word >> 24 & 0x1F) << 6 | tail(16)) as u16, 2))
}

/// Whether the character with this code is a letter outside of ASCII; no surrogate is.
#[inline(always)]
pub(crate) fn is_letter(code: u16) -> bool {
    LETTER_WORDS[usize::from(LETTER_WORD_OF[usize::from(code) / 64])] >> (code % 64) & 1 == 1
}

/// The class of a character below [`LIMIT`].
#[inline]
fn low(code: usize) -> u8 {
    let leaf = code / LEAF;
    let leaf = LEAVES[usize::from(BLOCKS[leaf / BLOCK]) * BLOCK + leaf % BLOCK];
    CLASSES[usize::from(leaf) * LEAF + code % LEAF]
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
