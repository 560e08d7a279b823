//! Lookups in the tables of characters: the bits of a character, among them Link_Term and Link_Email of
//! UTS #58; and its Link_Bracket.

use super::{
    class_tables::{BLOCK, BLOCKS, CLASSES, HIGH, LEAF, LEAVES, LIMIT, SETS},
    link_term::LinkTerm,
    tables::LINK_BRACKET,
};

pub(crate) use super::class_tables::{
    DOT, EMAIL, HANGUL, HOST_SYMBOL, JOINS, LABEL, NEVER, PARTICLE, QUOTATION, SENTENCE,
    STANDARD_HOST, SYMBOL, TERM, UNSPACED,
};

/// What is true of `c`: [`TERM`], and the bits above.
#[inline]
pub(crate) fn bits(c: char) -> u16 {
    let code = u32::from(c);
    let class = if code < LIMIT { low(code as usize) } else { high(code) };
    SETS[usize::from(class)]
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
