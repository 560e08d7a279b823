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
    DOT, EMAIL, HANGUL, HOST_SYMBOL, JOINS, LABEL, NEVER, PARTICLE, QUOTATION, SENTENCE,
    STANDARD_HOST, SYMBOL, UNSPACED,
};

/// What is true of `c`: [`TERM`], and the bits above.
#[inline]
pub(crate) fn bits(c: char) -> u16 {
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

/// The bytes of the letters outside of ASCII at the start of `bytes`, which are UTF-8, as far as they have
/// two or three bytes each and another character follows.
pub(crate) fn utf8_letters(bytes: &[u8]) -> usize {
    let mut n = 0;
    while let Some(next) = bytes.get(n..).and_then(|rest| rest.first_chunk()) {
        let word = u32::from_be_bytes(*next);
        let tail = |shift: u32| word >> shift & 0x3F;
        let (code, len, least) = if word & 0xF0C0_C000 == 0xE080_8000 {
            ((word >> 24 & 0xF) << 12 | tail(16) << 6 | tail(8), 3, 0x800)
        } else if word & 0xE0C0_0000 == 0xC080_0000 {
            ((word >> 24 & 0x1F) << 6 | tail(16), 2, 0x80)
        } else {
            break;
        };
        let code = code & 0xFFFF;
        let letters = LETTER_WORDS[usize::from(LETTER_WORD_OF[code as usize / 64])];
        if code < least || letters >> (code % 64) & 1 == 0 {
            break;
        }
        n += len;
    }
    n
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
pub(crate) fn has(c: char, wanted: u16) -> bool {
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
