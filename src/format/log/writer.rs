//! Lines of logs.

use crate::{
    format::slot::{
        escapes::{backslash, utf16},
        recent::{Before, Recent},
        writer::{Escaped, Slot, Surrounding, Writer},
    },
    links::place::Inside,
};

pub(in crate::format) struct Log;

impl Writer for Log {
    /// After an escaped quote a link may be in a string of JSON within a string.
    fn before(&self, _: Surrounding, recent: Recent) -> Before {
        match recent.is_after_escaped_quote() {
            true => Before::Backslash,
            false => Before::Nothing,
        }
    }

    fn write(&self, slot: &Slot, text: &str, out: &mut Escaped) -> Option<()> {
        let target = slot.place.inside() != Inside::Text;
        let special =
            |c: char| matches!(c, '"' | '\\') || c < ' ' || c == '\u{7F}' || target && c == ' ';
        if slot.before == Before::Backslash && text.contains(special) {
            // How many levels there are is not known.
            return None;
        }
        out.push(slot, text, special, |c, out| match c {
            // A space would end the target of a request.
            ' ' => {
                out.push_str("%20");
                true
            }
            '"' | '\\' => backslash(c, out),
            // JSON has no `\x0A`.
            c => utf16(c, out),
        });
        Some(())
    }
}
