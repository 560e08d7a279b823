//! LaTeX: running text, and arguments that are targets.

use super::verbatim::DELIMITERS;
use crate::{
    format::slot::{
        emptied::Emptying,
        escapes::percent_encode,
        recent::{Before, Recent},
        writer::{Escaped, Slot, Surrounding, Writer},
    },
    links::{
        matched::Match,
        place::{Around, Inside, Place},
    },
};

pub(in crate::format) struct Latex;

impl Writer for Latex {
    fn before(&self, _: Surrounding, recent: Recent) -> Before {
        if recent.ends_with("\\") { Before::Backslash } else { Before::Nothing }
    }

    fn is_strict(&self, _: Place) -> bool {
        true
    }

    /// In text, what has a meaning becomes the command that prints it. A line end could end a comment, so
    /// that the rest of the text would be printed. A target has no escapes that all packages know, so what
    /// would end it is percent-encoded; a `%` is one of its characters, and has a backslash in the argument of
    /// another command. Where nothing is an escape, what could end that stays out.
    fn write(&self, slot: &Slot, text: &str, out: &mut Escaped) -> Option<()> {
        if slot.place.inside() == Inside::Plain {
            let inline = slot.place.around() == Around::Tag;
            let ends = |c: char| {
                matches!(c, '\\' | '{' | '}')
                    || c.is_ascii_control()
                    || inline && c.is_ascii() && DELIMITERS.contains(&(c as u8))
            };
            return (!text.contains(ends)).then(|| out.push_plain(slot, text));
        }
        let Inside::Attribute { quoted } = slot.place.inside() else {
            let breaks_out = slot.before == Before::Backslash || text.contains(['\r', '\n']);
            return (!breaks_out).then(|| push_text(slot, text, out));
        };
        let special = |c: char| {
            c <= ' '
                || matches!(c, '{' | '}' | '\\' | '$' | '\u{7F}')
                || !quoted && matches!(c, '|' | '!' | '+' | '"')
        };
        out.push(slot, text, special, percent_encode);
        if slot.place.around() == Around::Escaped {
            out.text = out.text.replace('%', "\\%").replace('#', "\\#");
        }
        Some(())
    }

    /// A line that becomes empty would end a paragraph.
    fn empty(&self, slot: &Slot, recent: Recent, _: &Match<'_>) -> Emptying {
        let begins = slot.place.inside() == Inside::Text && recent.has_only_marks();
        Emptying::only_if(!begins)
    }
}

/// Appends running text. A character that the charset lacks is lost.
fn push_text(slot: &Slot, text: &str, out: &mut Escaped) {
    for c in text.chars() {
        let escape: &str = match c {
            '\\' => "\\textbackslash{}",
            '~' => "\\~{}",
            '^' => "\\^{}",
            '_' | '%' | '#' | '&' | '$' | '{' | '}' => "\\",
            _ => "",
        };
        out.text.push_str(escape);
        if escape.len() < 2 {
            out.push_plain(slot, c.encode_utf8(&mut [0; 4]));
        }
    }
}
