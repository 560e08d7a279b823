//! Strings of JSON.

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
        let special = |c: char| matches!(c, '"' | '\\') || c < ' ';
        if slot.before == Before::Backslash && text.contains(special) {
            // How many levels there are is not known.
            return None;
        }
        out.push(slot, text, special, |c, out| match c {
            '"' | '\\' => backslash(c, out),
            c => utf16(c, out),
        });
        Some(())
    }
}
