//! E-mail addresses of ASCII characters: the domain after an `@`, the local part before it.

use crate::grammar::blocks::{
    HOST_MAX, LABEL, NAME, is as is_class, is_multi, mask, name_len, sorted, sorted_before,
    without_full_stop,
};
use crate::{
    charset::Shape,
    data::top_level,
    grammar::address,
    simd::{
        sets::Set,
        types::{BLOCK, Level},
    },
};

/// Class: may be in a local part.
const LOCAL: u8 = 1;
/// Class: may come directly before a local part.
const BEFORE_LOCAL: u8 = 2;
/// Class: may come directly after the domain, or after a full stop there.
const AFTER_DOMAIN: u8 = 4;

/// The text after an `@`.
pub(crate) enum AfterAt {
    /// The domain of an address, and where it ends.
    Domain(usize),
    /// No domain, so that no address is here.
    NoDomain,
}

/// The text before an `@`.
pub(crate) enum BeforeAt {
    /// The local part of an address, and where it starts.
    Local(usize),
    /// No local part, so that no address is here.
    NoLocal,
    /// The slow path decides.
    Unsure,
}

const ADDRESS: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = match byte as u8 {
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'.' | b'+' | b'-' | b'_' => LOCAL,
            b' ' | b'\t' | b'\n' | b'\r' | b'<' | b'>' | b'"' | b'(' | b')' | b',' | b';' => {
                BEFORE_LOCAL | AFTER_DOMAIN
            }
            b'[' => BEFORE_LOCAL,
            b'@' => 0,
            _ => AFTER_DOMAIN,
        };
        byte += 1;
    }
    table
};

const LOCALS: [Set; 1] = [Set::of(&ADDRESS, LOCAL)];

/// Reads the domain after the `@` at `at`. `None`: the slow path decides. `last`: the text ends
/// where `bytes` end.
///
/// The charset must be one where ASCII bytes between characters are themselves.
pub(crate) fn domain(
    level: Level,
    bytes: &[u8],
    at: usize,
    last: bool,
    shape: Shape,
) -> Option<AfterAt> {
    match ascii_domain(level, bytes, at, last) {
        None if !is_multi(shape) && has_no_dot(&bytes[at + 1..]) => Some(AfterAt::NoDomain),
        domain => domain,
    }
}

/// True if the name at the start of `bytes` ends before any dot.
fn has_no_dot(bytes: &[u8]) -> bool {
    let goes_on = |b: &u8| is_class(char::from(*b), LABEL) || *b == b'_' || !b.is_ascii();
    let end = bytes.iter().take(HOST_MAX).find(|b| !goes_on(b));
    end.is_some_and(|b| *b != b'.')
}

/// As [`domain`], for a domain that is all ASCII.
#[inline]
fn ascii_domain(level: Level, bytes: &[u8], at: usize, last: bool) -> Option<AfterAt> {
    let is = |b: u8, class: u8| ADDRESS[usize::from(b)] & class != 0;
    let ([dot, hyphen], [name]) = sorted(level, bytes, at + 1, (b".-", &[NAME]));
    let name = without_full_stop(name, dot);
    let len = name_len(name, dot, hyphen)?;
    let end = at + 1 + len;
    let full_stop = bytes.get(end) == Some(&b'.');
    let after = bytes.get(end + usize::from(full_stop));
    let dots = dot & mask(len);
    // Not domains: names without a dot, names with a `_`, and names before another `@`.
    let no_domain = match after {
        // Emphasis may follow one.
        Some(b'_') if !full_stop && dots != 0 => {
            if !bytes.get(end + 1).is_some_and(u8::is_ascii_alphanumeric) {
                return None;
            }
            true
        }
        Some(b'_') if !full_stop => true,
        // A link may follow the `@`.
        Some(b'@') if !full_stop && dots != 0 => return None,
        Some(b'@') => dots == 0,
        // A path may follow the `:`.
        Some(b':') if !full_stop && dots != 0 => match bytes.get(end + 1) {
            Some(b) if address::begins_remote_path(char::from(*b)) => return None,
            None if !last => return None,
            _ => false,
        },
        Some(b) if is(*b, AFTER_DOMAIN) => dots == 0,
        None if last => dots == 0,
        _ => return None,
    };
    if no_domain {
        return Some(AfterAt::NoDomain);
    }
    let tld = at + 1 + BLOCK - dots.leading_zeros() as usize;
    // The first label may be a number: the slow path reads IP addresses.
    let first = &bytes[at + 1..][..dots.trailing_zeros() as usize];
    let number = first.iter().all(u8::is_ascii_digit);
    (!number && top_level::is_known_ascii(&bytes[tld..], end - tld)).then_some(AfterAt::Domain(end))
}

/// Reads the local part before the `@` at `at`, if it starts after `floor`. The charset is as for
/// [`domain`].
pub(crate) fn local(level: Level, bytes: &[u8], at: usize, floor: usize) -> BeforeAt {
    let is = |b: u8, class: u8| ADDRESS[usize::from(b)] & class != 0;
    let ([dot], [local]) = sorted_before(level, bytes, at, (b".", &LOCALS));
    let chars = local.leading_ones() as usize;
    let within = !mask(BLOCK - chars);
    let start = at - chars;
    // The byte before it must be in the window too.
    if chars == 0 || chars == BLOCK || start <= floor || dot & dot << 1 & within != 0 {
        return BeforeAt::Unsure;
    }
    let before = bytes[start - 1];
    // A byte that is not ASCII may make one character with the next.
    let alone = before < b'@' || start > 1 && bytes[start - 2].is_ascii();
    let plain = bytes[start].is_ascii_alphanumeric() && bytes[at - 1] != b'.';
    match before {
        // Characters that only come between two names are not part of one.
        b'@' if alone => BeforeAt::NoLocal,
        _ if plain && alone && is(before, BEFORE_LOCAL) => BeforeAt::Local(start),
        _ => BeforeAt::Unsure,
    }
}
