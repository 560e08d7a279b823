//! Lists of links in a field of CSV, such as `http://a.example/; http://b.example/`: what separates them.
//!
//! The text of a field goes in; out comes whether it begins with a link, and where the next separator is. What
//! must hold: a separator is one only if another link begins after it, so the `;` of a single link is none.

use crate::format::lexing::lookahead::Lookahead;

/// What separates the links of a list.
pub(in crate::format) enum Separator {
    /// So many bytes come before it, and it has so many.
    At(usize, usize),
    /// More bytes decide about what follows so many.
    Open(usize),
    None,
}

/// The longest separator with the spaces after it, and as many spaces before the next link.
const SEPARATOR: usize = 16;

/// The longest scheme that begins the next link of a list.
const SCHEME: usize = 16;

/// Whether `text` begins with a scheme and `//`, or with `mailto:`, after spaces. `None`: more bytes are
/// needed.
pub(in crate::format) fn begins_link(text: Lookahead<'_>) -> Option<bool> {
    let spaces = text.iter().take(SEPARATOR).take_while(|b| **b == b' ').count();
    let rest = &text[spaces..];
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.');
    let len = rest.iter().take(SCHEME).take_while(|b| is_part(b)).count();
    let after = &rest[len..rest.len().min(len + 3)];
    if len == SCHEME || !rest.first().is_none_or(u8::is_ascii_alphabetic) {
        return Some(false);
    }
    if after.first() == Some(&b':') && rest[..len].eq_ignore_ascii_case(b"mailto") {
        return Some(true);
    }
    match after.len() == 3 || !b"://".starts_with(after) || text.is_last() {
        true => Some(after == b"://" && len > 0),
        false => None,
    }
}

/// The first `;`, `|` or comma in `text` after which another link begins.
pub(in crate::format) fn separator(text: Lookahead<'_>) -> Separator {
    for at in memchr::memchr3_iter(b';', b'|', b',', &text) {
        let rest = text.from(at);
        let separates = |b: &&u8| matches!(b, b';' | b'|' | b',' | b' ');
        let len = rest.iter().take(SEPARATOR).take_while(separates).count();
        match begins_link(rest.from(len)) {
            Some(true) => return Separator::At(at, len),
            Some(false) => {}
            None => return Separator::Open(at),
        }
    }
    Separator::None
}

/// Whether a field may be a list of links: if not, it holds only one scheme.
pub(in crate::format) fn may_be_list(field: &[u8]) -> bool {
    let mut colons = memchr::memchr_iter(b':', field);
    let further = colons.next().is_some()
        && colons.any(|at| {
            let is_part = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.');
            let before = &field[..at];
            let len = before.iter().rev().take(SCHEME).take_while(|b| is_part(b)).count();
            matches!(before[..at - len], [.., b';' | b'|' | b',' | b' '])
        });
    further && begins_link(Lookahead::whole(field)) == Some(true)
}
