//! Calendars and contacts: texts, URIs and parameters.

use crate::{
    format::slot::{
        escapes::percent_encode,
        writer::{Escaped, Slot, Writer},
    },
    links::place::{Inside, Place},
};

pub(in crate::format) struct Ical;

impl Writer for Ical {
    fn looks_back(&self) -> bool {
        false
    }

    fn is_strict(&self, place: Place) -> bool {
        place.inside() == Inside::Plain
    }

    /// In a text, punctuation gets a backslash and a line end is `\n`. URIs and parameters have no escapes
    /// that all programs know: what would end them, or be read as an escape, is percent-encoded.
    fn write(&self, slot: &Slot, text: &str, out: &mut Escaped) -> Option<()> {
        // A line that is no property must not become one, or a part of the line before.
        if slot.place.inside() == Inside::Plain && !is_no_property(text) {
            return None;
        }
        let is_text = slot.place.inside() == Inside::Text;
        let special = |c: char| match slot.place.inside() {
            Inside::Text => c.is_ascii_control() && c != '\t' || matches!(c, '\\' | ',' | ';'),
            Inside::Attribute { quoted: true } => c.is_ascii_control() || matches!(c, '"' | '^'),
            _ => c.is_ascii_control() || c == '\\',
        };
        out.push(slot, &text.replace("\r\n", "\n"), special, |c, out| {
            if !special(c) {
                return false;
            }
            match c {
                '\\' | ',' | ';' if is_text => {
                    out.push('\\');
                    out.push(c);
                }
                '\n' | '\r' if is_text => out.push_str("\\n"),
                _ => return percent_encode(c, out),
            }
            true
        });
        Some(())
    }
}

/// Whether a line of a calendar that begins with `text` is no property, and does not go on with the
/// line before, whatever follows.
fn is_no_property(text: &str) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_');
    match text.find(|c| !is_name(c)).map(|at| (at, &text[at..])) {
        None => false,
        Some((0, rest)) => !rest.starts_with([' ', '\t']),
        Some((_, rest)) => !rest.starts_with([':', ';']) || rest.starts_with("://"),
    }
}
