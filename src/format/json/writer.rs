//! Strings of JSON.

use alloc::string::String;

use crate::format::slot::{
    escapes::{backslash, utf16},
    recent::{Before, Recent},
    writer::{Escaped, Slot, Surrounding, Writer},
};

pub(in crate::format) struct Json;

impl Writer for Json {
    /// After an escaped quote a link may be in a string of JSON within a string.
    fn before(&self, _: Surrounding, recent: Recent) -> Before {
        match recent.is_after_escaped_quote() {
            true => Before::Backslash,
            false => Before::Nothing,
        }
    }

    fn write(&self, slot: &Slot, text: &str, out: &mut Escaped) -> Option<()> {
        if slot.before == Before::Backslash && text.contains(is_special) {
            // How many levels there are is not known.
            return None;
        }
        push(slot, text, out);
        Some(())
    }
}

/// Appends a text with the escapes of JSON.
pub(in crate::format) fn push(slot: &Slot, text: &str, out: &mut Escaped) {
    out.push(slot, text, is_special, escape);
}

/// Writes the escape of a character.
pub(in crate::format) fn escape(c: char, out: &mut String) -> bool {
    match c {
        '"' | '\\' => backslash(c, out),
        c => utf16(c, out),
    }
}

/// True if JSON has no such character in a string, but an escape for it.
pub(in crate::format) fn is_special(c: char) -> bool {
    matches!(c, '"' | '\\') || c < ' '
}
