//! Text from outside (names of files, errors, links) in a form that is safe to show.
//!
//! What must hold: the result is on one line and has no control characters.

use std::{borrow::Cow, io, path::Path};

/// The name of an input for a message.
pub(crate) fn name(path: &Path) -> String {
    shown(&path.to_string_lossy())
}

/// The text with controls and bidi controls escaped, as in `\u{202e}`.
pub(crate) fn shown(text: &str) -> String {
    escaped(text).into_owned()
}

/// As [`shown`], without a copy of a text that has nothing to escape.
pub(crate) fn escaped(text: &str) -> Cow<'_, str> {
    if are_all(text.as_bytes(), |b| !may_begin_control(b)) || !text.contains(is_control) {
        return text.into();
    }
    let show = |c: char| if is_control(c) { c.escape_unicode().to_string() } else { c.to_string() };
    text.chars().map(show).collect::<String>().into()
}

/// The text with controls and line separators percent-encoded, so that a program that reads lines or
/// records ended by NUL gets one.
pub(crate) fn one_record(text: &str) -> Cow<'_, str> {
    let is_divider = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    if are_all(text.as_bytes(), |b| !may_begin_control(b)) || !text.contains(is_divider) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match is_divider(c) {
            true => c.encode_utf8(&mut [0; 4]).bytes().for_each(|b| out += &format!("%{b:02X}")),
            false => out.push(c),
        }
    }
    out.into()
}

/// True if each character of `text` is shown as it is and takes one column.
pub(crate) fn is_one_column_each(text: &str) -> bool {
    are_all(text.as_bytes(), |b| (b' '..=b'~').contains(&b))
}

/// True if `is`, which compares without branches, is true for all of `bytes`.
///
/// Tests sixteen bytes at a time without an exit between them, so that the compiler can use
/// vectors. The last sixteen may overlap the ones before.
#[inline(always)]
pub(crate) fn are_all(bytes: &[u8], is: impl Fn(u8) -> bool) -> bool {
    let block = |block: &[u8; 16]| block.iter().fold(true, |all, b| all & is(*b));
    if let Some(last) = bytes.last_chunk() {
        return bytes.as_chunks().0.iter().all(block) && block(last);
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        let mut both = [0; 16];
        both[..8].copy_from_slice(first);
        both[8..].copy_from_slice(last);
        return block(&both);
    }
    bytes.iter().all(|b| is(*b))
}

/// True if a character of [`is_control`] may begin with the byte `b`. Most scripts have no such byte.
fn may_begin_control(b: u8) -> bool {
    (b < b' ') | (b == 0x7F) | (b == 0xC2) | (b == 0xD8) | (b == 0xE2)
}

/// True for controls, line separators and bidi controls.
pub(crate) fn is_control(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{2028}' | '\u{2029}')
        || matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// The words of the system for an error, without a path and without Rust's `(os error 2)`.
pub(crate) fn reason(e: &io::Error) -> String {
    let mut inner = e.get_ref().map(|e| e as &(dyn std::error::Error + 'static));
    while let Some(cause) = inner {
        if let Some(e) = cause.downcast_ref::<io::Error>().filter(|e| e.raw_os_error().is_some()) {
            return reason(e);
        }
        inner = cause.source();
    }
    let text = e.to_string();
    // The messages of Windows are sentences with a full stop.
    text.split(" (os error").next().unwrap_or(&text).trim_end_matches('.').to_owned()
}

/// The number and the noun: `1 link`, `2 links`.
pub(crate) fn plural(n: u64, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_has_no_control() {
        assert_eq!(one_record("a\0b\n\u{85}é\u{2028}\u{202e}"), "a%00b%0A%C2%85é%E2%80%A8\u{202e}");
        assert_eq!(one_record("a b/é"), "a b/é");
    }

    #[test]
    fn every_control_is_escaped() {
        for c in (char::MIN..=char::MAX).filter(|c| is_control(*c)) {
            assert_eq!(escaped(&c.to_string()), c.escape_unicode().to_string());
        }
    }
}
