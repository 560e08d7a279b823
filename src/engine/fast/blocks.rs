//! Byte classes and masks that the fast path is made of.
//!
//! A block of 64 bytes goes in, one mask a class comes out: bit `i` is set if byte `i` is of the
//! class. The length of a host or a tail is then the number of bits set in a row.

use crate::{
    charset::Shape,
    simd::{
        sets::Set,
        sort,
        types::{BLOCK, Level},
    },
};

/// Class: may be in a host label.
pub(super) const LABEL: u8 = 1;
/// Class: may be in a tail (path, query or fragment).
pub(super) const TAIL: u8 = 2;
/// Class: may be the last character of a link.
pub(super) const LAST: u8 = 4;
/// Class: ends a link without delimiters.
pub(super) const STOP: u8 = 8;
/// Class: ends a link without delimiters after a path.
pub(super) const STOP_AFTER_PATH: u8 = 16;

/// Class: ends the search for a closing delimiter, except between `<` and `>`.
pub(super) const BLANK: u8 = 32;

/// Class: may be in a tail between quotes.
pub(super) const QUOTED: u8 = 64;

/// Class: separates labels.
pub(super) const DOT: u8 = 128;

pub(super) const CLASS: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = match byte as u8 {
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => LABEL | TAIL | LAST | QUOTED,
            b'-' => LABEL | TAIL | LAST | QUOTED,
            b'/' | b'_' | b'=' | b'~' | b'+' | b'@' | b'%' | b'&' | b'$' => TAIL | LAST | QUOTED,
            b'.' => TAIL | QUOTED | DOT,
            b':' | b'?' | b'!' | b'#' => TAIL | QUOTED,
            b',' | b';' | b'(' | b'*' => QUOTED,
            b' ' | b'\t' | b'\n' | b'\r' => STOP | BLANK,
            b'<' | b'>' | b'"' | b'\\' | b'`' => STOP,
            // No bracket of the link is open.
            b')' => STOP_AFTER_PATH | QUOTED,
            b']' => STOP_AFTER_PATH,
            _ => 0,
        };
        byte += 1;
    }
    table
};

/// The bytes of labels and dots.
pub(super) const NAME: Set = Set::of(&CLASS, LABEL | DOT);

/// The bytes of tails, and of tails between quotes.
pub(super) const TAILS: [Set; 2] = [Set::of(&CLASS, TAIL), Set::of(&CLASS, QUOTED)];

/// The three sets in one place, so that they are not copied for each link.
pub(super) static OF_LINKS: [Set; 3] = [NAME, TAILS[0], TAILS[1]];

/// The longest host that the fast path reads, in bytes. The slow path knows the real limit.
pub(super) const HOST_MAX: usize = 100;

/// True if `c` is ASCII and of `class`.
pub(super) fn is(c: char, class: u8) -> bool {
    c.is_ascii() && CLASS[c as usize] & class != 0
}

/// One mask for each of `chars` and of `sets`, over the 64 bytes from `from` on. After the end
/// of `bytes` the masks are zero.
#[inline(always)]
pub(super) fn sorted<const C: usize, const N: usize>(
    level: Level,
    bytes: &[u8],
    from: usize,
    (chars, sets): (&[u8; C], &[Set; N]),
) -> ([u64; C], [u64; N]) {
    let rest = bytes.get(from..).unwrap_or_default();
    match rest.first_chunk() {
        Some(block) => sort::sorted(level, block, chars, sets),
        None => cut(level, rest, 0, (chars, sets)),
    }
}

/// As [`sorted`], for the block that ends before `to`.
#[inline(always)]
pub(super) fn sorted_before<const C: usize, const N: usize>(
    level: Level,
    bytes: &[u8],
    to: usize,
    (chars, sets): (&[u8; C], &[Set; N]),
) -> ([u64; C], [u64; N]) {
    let before = &bytes[..to];
    match before.last_chunk() {
        Some(block) => sort::sorted(level, block, chars, sets),
        None => cut(level, before, BLOCK - to, (chars, sets)),
    }
}

/// As [`sorted`], for fewer bytes than a block has: they are copied to `at` of an empty block.
#[cold]
#[inline(never)]
pub(super) fn cut<const C: usize, const N: usize>(
    level: Level,
    bytes: &[u8],
    at: usize,
    (chars, sets): (&[u8; C], &[Set; N]),
) -> ([u64; C], [u64; N]) {
    let mut block = [0; BLOCK];
    block[at..at + bytes.len()].copy_from_slice(bytes);
    sort::sorted(level, &block, chars, sets)
}

/// The number of bits set in a row, from bit `from` up.
#[inline]
pub(super) fn run(mask: u64, from: usize) -> usize {
    (mask >> from).trailing_ones() as usize
}

/// A mask of the lowest `n` bits.
#[inline]
pub(super) fn mask(n: usize) -> u64 {
    if n >= BLOCK { !0 } else { (1 << n) - 1 }
}

/// The length of the name at the start of a block. `None` if a label is empty, begins or ends
/// with a hyphen, or the name fills the block.
#[inline]
pub(super) fn name_len(name: u64, dot: u64, hyphen: u64) -> Option<usize> {
    let len = run(name, 0);
    if len == 0 || len == BLOCK {
        return None;
    }
    let within = (1 << len) - 1;
    let edges = dot << 1 | dot >> 1 | 1 | 1 << (len - 1);
    ((dot | hyphen) & edges & within == 0).then_some(len)
}

/// `name` without the dot at its end. The caller checks that this dot ends a sentence.
#[inline]
pub(super) fn without_full_stop(name: u64, dot: u64) -> u64 {
    let len = run(name, 0);
    if len < BLOCK && len > 1 { name & mask(len) & !(dot & 1 << (len - 1)) } else { name }
}

/// True if an ASCII byte may be the last byte of a longer character.
pub(super) fn is_multi(shape: Shape) -> bool {
    !matches!(shape, Shape::Utf8 | Shape::Single)
}
