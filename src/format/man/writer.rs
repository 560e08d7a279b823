//! Manual pages: text and arguments of macros, with the escapes of roff.

use alloc::format;

use crate::{
    format::slot::{
        emptied::Emptying,
        escapes::percent_encode,
        recent::{Before, Recent},
        writer::{Escaped, Slot, Surrounding, Writer},
    },
    links::{
        matched::Match,
        place::{Inside, Place},
    },
};

pub(in crate::format) struct Man;

impl Writer for Man {
    fn before(&self, _: Surrounding, recent: Recent) -> Before {
        match recent {
            recent if recent.ends_with("\\") => Before::Backslash,
            recent if recent.is_line_start() => Before::LineStart,
            _ => Before::Nothing,
        }
    }

    fn is_strict(&self, _: Place) -> bool {
        true
    }

    /// In a text, a space could divide the argument of a macro, and a quote end it. A line must not become a macro.
    fn write(&self, slot: &Slot, text: &str, out: &mut Escaped) -> Option<()> {
        if slot.before == Before::Backslash || text.contains(['\n', '\r']) {
            return None;
        }
        let is_target = slot.place.inside() != Inside::Text;
        if is_target {
            let special = |c: char| c.is_ascii_control() || matches!(c, ' ' | '"' | '\\');
            out.push(slot, text, special, |c, out| match c {
                '\\' => {
                    out.push_str("\\e");
                    true
                }
                c if c.is_ascii() => percent_encode(c, out),
                c => unicode(c, out),
            });
            return Some(());
        }
        if slot.before == Before::LineStart && text.starts_with(['.', '\'']) {
            out.text.push_str("\\&");
        }
        let special = |c: char| c.is_ascii_control() || matches!(c, ' ' | '"' | '\\');
        out.push(slot, text, special, |c, out| {
            match c {
                '\\' => out.push_str("\\e"),
                '"' => out.push_str("\\(dq"),
                ' ' => out.push_str("\\ "),
                c => return unicode(c, out),
            }
            true
        });
        Some(())
    }

    /// A macro without its argument may take the next line for it, so what stands alone stays.
    fn empty(&self, slot: &Slot, recent: Recent, _: &Match<'_>) -> Emptying {
        let alone = recent.ends_with_any(&[" ", "\t"]) || slot.before != Before::Nothing;
        Emptying::only_if(!alone && slot.place.inside() == Inside::Text)
    }
}

/// The escape of any character.
fn unicode(c: char, out: &mut alloc::string::String) -> bool {
    *out += &format!("\\[u{:04X}]", u32::from(c));
    true
}
