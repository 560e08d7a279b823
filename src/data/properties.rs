//! Lookups in the tables of UTS #58: Link_Term, Link_Bracket and Link_Email.

use super::{
    link_term::LinkTerm,
    tables::{LINK_BRACKET, LINK_EMAIL, LINK_TERM},
};

/// Link_Term of ASCII, from the same table.
const ASCII: [LinkTerm; 128] = {
    let mut table = [LinkTerm::Hard; 128];
    let mut i = 0;
    while i < LINK_TERM.len() && LINK_TERM[i].0 < 128 {
        let (first, last, value) = LINK_TERM[i];
        let mut c = first;
        while c <= last && c < 128 {
            table[c as usize] = value;
            c += 1;
        }
        i += 1;
    }
    table
};

/// Link_Term of `c` (UTS #58).
pub(crate) fn link_term(c: char) -> LinkTerm {
    let value = u32::from(c);
    if value < 128 {
        return ASCII[value as usize];
    }
    let after = LINK_TERM.partition_point(|&(first, _, _)| first <= value);
    match LINK_TERM[..after].last() {
        Some(&(_, last, term)) if value <= last => term,
        _ => LinkTerm::Hard,
    }
}

/// The closing bracket of `open` (Link_Bracket of UTS #58).
pub(crate) fn closing_bracket(open: char) -> Option<char> {
    let i = LINK_BRACKET.binary_search_by_key(&open, |&(o, _)| o).ok()?;
    Some(LINK_BRACKET[i].1)
}

/// Link_Email of ASCII: all graphic characters but these. Two words of 64 bits, because to shift one
/// of 128 calls a function on WebAssembly.
const EMAIL: [u64; 2] = {
    let (mut bits, mut c) = ([0; 2], b'!');
    while c <= b'~' {
        let sign = matches!(
            c,
            b'"' | b'(' | b')' | b',' | b':' | b';' | b'<' | b'>' | b'@' | b'[' | b'\\' | b']'
        );
        bits[c as usize / 64] |= (!sign as u64) << (c % 64);
        c += 1;
    }
    bits
};

/// Link_Email of `c` (UTS #58).
#[inline]
pub(crate) fn is_link_email(c: char) -> bool {
    let value = u32::from(c);
    if value < 128 {
        return EMAIL[value as usize / 64] >> (value % 64) & 1 == 1;
    }
    let after = LINK_EMAIL.partition_point(|&(first, _)| first <= value);
    LINK_EMAIL[..after].last().is_some_and(|&(_, last)| value <= last)
}
