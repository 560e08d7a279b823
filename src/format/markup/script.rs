//! Scripts of HTML that hold JSON: what is written in a string there.
//!
//! A text goes in; out comes the text with the escapes of JSON. What must hold: neither an end tag nor a mark of a
//! comment comes about (HTML, section 4.12.1.3), also together with the text before and after the link.

use crate::format::{
    json::writer as json,
    slot::{
        escapes::utf16,
        recent::{Before, Recent},
        writer::{Escaped, Slot},
    },
};

/// What the text before a link means there.
pub(super) fn before(recent: Recent) -> Before {
    match (recent.is_after_escaped_quote(), recent.last.contains(&b'<')) {
        (false, false) => Before::Nothing,
        // The first characters may complete `</script` or `<!--`.
        (false, true) => Before::LessThan,
        // The link may be in a string of JSON within a string.
        (true, false) => Before::Backslash,
        (true, true) => Before::HiddenLessThan,
    }
}

/// Whether what is before a link and what is after it may mean something together.
pub(super) fn joins(recent: Recent) -> bool {
    recent.last.contains(&b'<') || recent.ends_with("-")
}

/// Appends `text`; `None`: how many levels of JSON there are is not known.
pub(super) fn write(slot: &Slot, text: &str, out: &mut Escaped) -> Option<()> {
    let nested = matches!(slot.before, Before::Backslash | Before::HiddenLessThan);
    if nested && text.contains(json::is_special) {
        return None;
    }
    let opened = matches!(slot.before, Before::LessThan | Before::HiddenLessThan);
    let begins = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '!' | '-');
    let mut rest = text;
    if opened && let Some(first) = text.chars().next().filter(|c| begins(*c)) {
        utf16(first, &mut out.text);
        rest = &text[first.len_utf8()..];
    }
    let body = rest.strip_suffix('-').unwrap_or(rest);
    out.push(slot, body, |c| json::is_special(c) || matches!(c, '<' | '>'), json::escape);
    if body.len() < rest.len() {
        utf16('-', &mut out.text);
    }
    Some(())
}
