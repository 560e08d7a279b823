//! Classes of bytes, and masks over blocks of 64 bytes.
//!
//! A block goes in, one mask a class comes out: bit `i` is set if byte `i` is of the class. The length
//! of a name, or of a run in a tail, is then the number of bits set in a row.

use crate::{
    charset::Shape,
    simd::{
        sets::Set,
        sort,
        types::{BLOCK, Level},
    },
};

/// Class: may be in a host label.
pub(crate) const LABEL: u8 = 1;
/// Class: separates labels.
pub(crate) const DOT: u8 = 2;
/// Class: an ASCII letter or digit.
const WORD: u8 = 4;
/// Class: a tail in running text takes it, and it decides nothing.
const TEXT: u8 = 8;
/// Class: the same in a phrase.
const PHRASE: u8 = 16;
/// Class: the same in a field that is one reference.
const FIELD: u8 = 32;
/// Class: may be the last character of a link in running text.
pub(crate) const LAST: u8 = 64;
/// Class: ends a link without delimiters.
pub(crate) const STOP: u8 = 128;

const CLASS: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = match byte as u8 {
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => LABEL | WORD | TEXT | PHRASE | FIELD | LAST,
            b'-' => LABEL | TEXT | PHRASE | FIELD | LAST,
            b'/' | b'_' | b'=' | b'~' | b'+' | b'@' | b'$' => TEXT | PHRASE | FIELD | LAST,
            // In a phrase an escape may be a letter of the text.
            b'%' => TEXT | FIELD | LAST,
            b'.' => DOT | TEXT | PHRASE | FIELD,
            b':' | b'!' => TEXT | PHRASE | FIELD,
            // They begin a part of the tail, or a character reference.
            b'?' => PHRASE | FIELD,
            b'#' | b'&' => PHRASE | FIELD | LAST,
            b',' | b';' | b'*' | b'{' | b'}' | b'|' | b'^' => FIELD,
            b' ' | b'\t' | b'\n' | b'\r' | b'<' | b'>' | b'"' | b'\\' | b'`' => STOP,
            _ => 0,
        };
        byte += 1;
    }
    table
};

/// The bytes of labels and dots.
pub(crate) const NAME: Set = Set::of(&CLASS, LABEL | DOT);

/// The characters that each place takes without a decision.
pub(crate) static NAMES: [Set; 1] = [NAME];
pub(crate) static WORDS: [Set; 1] = [Set::of(&CLASS, WORD)];
pub(crate) static TEXTS: [Set; 1] = [Set::of(&CLASS, TEXT)];
pub(crate) static PHRASES: [Set; 1] = [Set::of(&CLASS, PHRASE)];
/// In a phrase between these brackets, another opening one only counts.
pub(crate) static PHRASES_IN_ROUND: [Set; 1] = [PHRASES[0].with(b"(")];
pub(crate) static PHRASES_IN_SQUARE: [Set; 1] = [PHRASES[0].with(b"[")];
/// While brackets of a tail are open, these close them in some parts.
pub(crate) static NESTED: [Set; 1] = [TEXTS[0].without(b"/=")];
/// The same after a `[` that may precede a text, where more of them count up to a limit.
pub(crate) static SQUARES: [Set; 1] = [NESTED[0].with(b"[")];
pub(crate) static FIELDS: [Set; 1] = [Set::of(&CLASS, FIELD)];
pub(crate) static ANGLES: [Set; 1] = [WHOLE_ANGLES[1]];

/// Class of [`WHOLE`]: in running text and in a phrase.
pub(crate) const WHOLE_TEXT: u8 = 1;
/// Class of [`WHOLE`]: in a field between quotes.
pub(crate) const WHOLE_QUOTE: u8 = 2;
/// Class of [`WHOLE`]: in a field between `(` and `)`, without these.
pub(crate) const WHOLE_TARGET: u8 = 4;
/// Class of [`WHOLE`]: in a field between `<` and `>`.
pub(crate) const WHOLE_ANGLE: u8 = 8;
/// Class of [`WHOLE`]: in a userinfo after a complete host.
const USER: u8 = 16;
/// Class of [`WHOLE`]: in any other field.
pub(crate) const WHOLE_FIELD: u8 = 32;
/// Class of [`WHOLE`]: in a label of a host.
pub(crate) const WHOLE_LABEL: u8 = 64;
/// Class of [`WHOLE`]: `:` and `;`.
pub(crate) const WHOLE_COLON: u8 = 128;

/// The characters that the path of a whole link may have if the next character ends the link. Fewer
/// characters decide anything then.
pub(crate) static WHOLE: [u8; 256] = WHOLE_CLASSES;
const WHOLE_CLASSES: [u8; 256] = {
    let (mut table, mut byte) = ([0; 256], b'!');
    while byte <= b'~' {
        let class = CLASS[byte as usize];
        let bracket = matches!(byte, b'(' | b')');
        let mut whole = 0;
        // After a comma the fields of a list may follow.
        if class & (TEXT | PHRASE) != 0 || byte == b';' {
            whole |= WHOLE_TEXT;
        }
        if class & FIELD != 0 || bracket || matches!(byte, b'[' | b']') {
            whole |= WHOLE_QUOTE;
        }
        if !bracket {
            whole |= WHOLE_TARGET;
        }
        if !matches!(byte, b'>' | b'|') {
            whole |= WHOLE_ANGLE;
        }
        if class & LABEL != 0
            || matches!(byte, b'.' | b'_' | b'~' | b':' | b'!' | b'$' | b'&' | b'*' | b'+' | b'=')
        {
            whole |= USER;
        }
        if class & FIELD != 0 {
            whole |= WHOLE_FIELD;
        }
        if class & LABEL != 0 {
            whole |= WHOLE_LABEL;
        }
        if matches!(byte, b':' | b';') {
            whole |= WHOLE_COLON;
        }
        table[byte as usize] = whole;
        byte += 1;
    }
    table
};

/// Of a host, and of the path of a whole link after it.
pub(crate) static WHOLE_TEXTS: [Set; 2] = [NAME, Set::of(&WHOLE_CLASSES, WHOLE_TEXT)];
pub(crate) static WHOLE_QUOTES: [Set; 2] = [NAME, Set::of(&WHOLE_CLASSES, WHOLE_QUOTE)];
pub(crate) static WHOLE_FIELDS: [Set; 2] = [NAME, Set::of(&WHOLE_CLASSES, WHOLE_FIELD)];
pub(crate) static WHOLE_ANGLES: [Set; 2] = [NAME, Set::of(&WHOLE_CLASSES, WHOLE_ANGLE)];
pub(crate) static WHOLE_TARGETS: [Set; 2] = [NAME, Set::of(&WHOLE_CLASSES, WHOLE_TARGET)];

/// The characters of a userinfo that decide nothing, once the host before them is complete.
pub(crate) static USERS: [Set; 1] = [Set::of(&WHOLE_CLASSES, USER)];
/// The same in running text, where these end a host but not a password.
pub(crate) static USERS_IN_TEXT: [Set; 1] = [USERS[0].with(b",;()")];

/// The characters of a shape that decide nothing else, in running text and between delimiters.
pub(crate) static SHAPES: [Set; 1] = [TEXTS[0].without(b"%")];

/// The longest host that the fast path reads, in bytes. The slow path knows the real limit.
pub(crate) const HOST_MAX: usize = 100;

/// True if `c` is ASCII and of `class`.
pub(crate) fn is(c: char, class: u8) -> bool {
    c.is_ascii() && CLASS[c as usize] & class != 0
}

/// One mask for each of `chars` and of `sets`, over the 64 bytes from `from` on. After the end
/// of `bytes` the masks are zero.
#[inline(always)]
pub(crate) fn sorted<const C: usize, const N: usize>(
    level: Level,
    bytes: &[u8],
    from: usize,
    (chars, sets): (&[u8; C], &[Set; N]),
) -> ([u64; C], [u64; N]) {
    let rest = bytes.get(from..).unwrap_or_default();
    match rest.first_chunk() {
        Some(block) => sort::sorted(level, block, chars, sets),
        None => sort::sorted_part(level, rest, 0, (chars, sets)),
    }
}

/// As [`sorted`], for the block that ends before `to`.
#[inline(always)]
pub(crate) fn sorted_before<const C: usize, const N: usize>(
    level: Level,
    bytes: &[u8],
    to: usize,
    (chars, sets): (&[u8; C], &[Set; N]),
) -> ([u64; C], [u64; N]) {
    let before = &bytes[..to];
    match before.last_chunk() {
        Some(block) => sort::sorted(level, block, chars, sets),
        None => sort::sorted_part(level, before, BLOCK - to, (chars, sets)),
    }
}

/// The number of bits set in a row, from bit `from` up.
#[inline]
pub(crate) fn run(mask: u64, from: usize) -> usize {
    (mask >> from).trailing_ones() as usize
}

/// A mask of the lowest `n` bits.
#[inline]
pub(crate) fn mask(n: usize) -> u64 {
    if n >= BLOCK { !0 } else { (1 << n) - 1 }
}

/// The length of the name at the start of a block. `None` if a label is empty, begins or ends
/// with a hyphen, or the name fills the block.
#[inline]
pub(crate) fn name_len(name: u64, dot: u64, hyphen: u64) -> Option<usize> {
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
pub(crate) fn without_full_stop(name: u64, dot: u64) -> u64 {
    let len = run(name, 0);
    if len < BLOCK && len > 1 { name & mask(len) & !(dot & 1 << (len - 1)) } else { name }
}

/// True if an ASCII byte may be the last byte of a longer character.
pub(crate) fn is_multi(shape: Shape) -> bool {
    !matches!(shape, Shape::Utf8 | Shape::Single)
}
