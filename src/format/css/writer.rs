//! Style sheets: URLs and strings, and comments.

use alloc::{format, string::String};

use crate::{
    format::slot::writer::{Escaped, Slot, Writer},
    links::place::{Inside, Place},
};

pub(in crate::format) struct Css;

impl Writer for Css {
    fn looks_back(&self) -> bool {
        false
    }

    fn is_strict(&self, _: Place) -> bool {
        true
    }

    /// In a comment, what could end it together with what is around is percent-encoded.
    fn write(&self, slot: &Slot, text: &str, out: &mut Escaped) -> Option<()> {
        if slot.place.inside() != Inside::Plain {
            push(slot, text, out);
            return Some(());
        }
        let text = text.replace('*', "%2A");
        match text.strip_prefix('/') {
            Some(rest) => {
                out.text.push_str("%2F");
                out.push_plain(slot, rest);
            }
            None => out.push_plain(slot, &text),
        }
        Some(())
    }
}

/// Appends `text` as it is written in a URL or a string.
pub(in crate::format) fn push(slot: &Slot, text: &str, out: &mut Escaped) {
    // What has a meaning in a URL, or could end the sheet.
    let special = |c: char| {
        c.is_ascii_whitespace()
            || c.is_ascii_control()
            || matches!(c, '(' | ')' | '\\' | '"' | '\'' | '<' | '>' | '&')
    };
    out.push(slot, text, special, |c, out: &mut String| {
        *out += &format!("\\{:x} ", c as u32);
        true
    });
}
