//! What a text in the place of a link does to the lines around it: to the paragraphs of `format=flowed`
//! (RFC 3676), and to a folded field.
//!
//! This file knows bytes and nothing of links. It looks at the text directly before and after the link, not
//! at what else changes in the line.

use core::iter;
use std::vec::Vec;

use super::{transfer::escaped, types::Transfer};
use crate::charset::Shift;

/// The line before a signature, which is no paragraph.
const SIGNATURE: &[u8] = b"-- ";

/// True if `text` between the two parts of a field makes a line of white space of one that was folded. No
/// program may write such a line (RFC 5322, section 3.2.2), and some take it for the end of the head.
pub(super) fn empties_line((before, after): (&[u8], &[u8]), text: &str) -> bool {
    let is_blank = |b: &&u8| matches!(b, b' ' | b'\t' | b'\r');
    let ends = |byte: Option<&u8>| byte.is_none_or(|b| *b == b'\n');
    text.bytes().all(|b| is_blank(&&b))
        && before.iter().rev().find(|b| !is_blank(b)) == Some(&b'\n')
        && ends(after.iter().find(|b| !is_blank(b)))
}

/// True if `text` between the two parts of a flowed text changes which lines are joined, how deep a line is
/// quoted, or a space at its start.
pub(super) fn changes_paragraphs(
    (before, after): (&[u8], &[u8]),
    transfer: Transfer,
    text: &str,
) -> bool {
    let is_quoted = transfer == Transfer::Quoted;
    let ends = |b: &u8| matches!(b, b'\r' | b'\n');
    let mut rest = forwards(after, is_quoted).peekable();
    // Three bytes are enough for the line of a signature.
    let next: Vec<u8> =
        iter::from_fn(|| rest.next_if(|b| !ends(b))).take(SIGNATURE.len() + 1).collect();
    let line = || backwards(before, is_quoted).take_while(|b| !ends(b));
    let first = text.bytes().chain(next.iter().copied()).next();
    if space_after_marks(line()) == Some(false) && matches!(first, Some(b' ' | b'>')) {
        return true;
    }
    let dashes = line().take_while(|b| *b == b'-').take(SIGNATURE.len()).count();
    if space_after_marks(line().skip(dashes)).is_some() {
        let new = iter::repeat_n(b'-', dashes).chain(text.bytes()).chain(next.iter().copied());
        if new.eq(SIGNATURE.iter().copied()) {
            return true;
        }
    }
    if !next.is_empty() {
        return false;
    }
    // The line ended with the link. At the end of the text nothing is left to be joined.
    let last = text.bytes().next_back().or_else(|| line().next());
    let after_line = |_| rest.find(|b| *b == b'\n').and_then(|_| rest.next());
    last.filter(|b| *b == b' ').and_then(after_line).is_some()
}

/// If a line, read backwards, has nothing but quote marks and one space at most after them: whether it has
/// that space, which is no part of the text.
fn space_after_marks(line: impl Iterator<Item = u8>) -> Option<bool> {
    let mut line = line.peekable();
    let space = line.next_if_eq(&b' ').is_some();
    line.all(|b| b == b'>').then_some(space)
}

/// The bytes of `text` without quoted-printable and without the escapes of ISO-2022-JP.
fn forwards(text: &[u8], is_quoted: bool) -> impl Iterator<Item = u8> {
    let mut rest = text;
    iter::from_fn(move || {
        loop {
            match rest {
                [b'=', b'\r', b'\n', after @ ..] | [b'=', b'\n', after @ ..] if is_quoted => {
                    rest = after;
                }
                [b'=', ..] if is_quoted && escaped(rest).is_some() => {
                    let byte = escaped(rest);
                    rest = &rest[3..];
                    return byte;
                }
                [0x1B, _, _, after @ ..] if Shift::from_escape(rest).is_some() => rest = after,
                [byte, after @ ..] => {
                    rest = after;
                    return Some(*byte);
                }
                [] => return None,
            }
        }
    })
}

/// The same from the end of `text` to its start.
fn backwards(text: &[u8], is_quoted: bool) -> impl Iterator<Item = u8> {
    let mut rest = text;
    iter::from_fn(move || {
        loop {
            match rest {
                [before @ .., b'=', b'\r', b'\n'] | [before @ .., b'=', b'\n'] if is_quoted => {
                    rest = before;
                }
                [before @ .., b'=', _, _]
                    if is_quoted && escaped(&rest[before.len()..]).is_some() =>
                {
                    let byte = escaped(&rest[before.len()..]);
                    rest = before;
                    return byte;
                }
                [before @ .., 0x1B, _, _]
                    if Shift::from_escape(&rest[before.len()..]).is_some() =>
                {
                    rest = before;
                }
                [before @ .., byte] => {
                    rest = before;
                    return Some(*byte);
                }
                [] => return None,
            }
        }
    })
}
