//! Wikitext: running text, and targets in brackets and in templates.

use crate::{
    format::slot::{
        emptied::Emptying,
        escapes::{makes_reference, percent_encode, reference},
        light::{before, begins_block},
        recent::{Before, Recent},
        writer::{Escaped, Slot, Surrounding, Writer},
    },
    links::{
        matched::Match,
        place::{Inside, Place},
    },
};

/// Marks that mean something together with the next one.
const MARKS: [&str; 12] = ["'", "[", "]", "{", "}", "|", "=", "~", "_", "-", "<", "&"];

pub(in crate::format) struct Wikitext;

impl Writer for Wikitext {
    fn before(&self, _: Surrounding, recent: Recent) -> Before {
        if recent.ends_with_any(&["&", "&#", "&#x", "&#X"]) {
            return Before::Ampersand;
        }
        before(recent)
    }

    fn is_strict(&self, _: Place) -> bool {
        true
    }

    /// In text, the signs of markup become character references. In a target, what would end it is
    /// percent-encoded; a `=` in a template, which would end the name of a parameter, is a reference.
    fn write(&self, slot: &Slot, text: &str, out: &mut Escaped) -> Option<()> {
        let target = match slot.place.inside() {
            Inside::Attribute { quoted } => Some(quoted),
            _ => None,
        };
        if target.is_none() && slot.before == Before::Ampersand {
            return None;
        }
        let block = target.is_none() && slot.before == Before::LineStart && begins_block(text);
        for (at, c) in text.char_indices() {
            let sign = matches!(c, '[' | ']' | '{' | '}' | '|' | '<' | '>' | '\'' | '"');
            let ends = c <= ' ' || sign || c == '\u{7F}';
            let written = match (c, target) {
                ('&', _) if makes_reference(&text[at + 1..]) => reference(c, &mut out.text),
                ('=', Some(false)) => reference(c, &mut out.text),
                (_, Some(_)) if ends || !slot.has(c) => percent_encode(c, &mut out.text),
                (_, None) if sign || matches!(c, '\r' | '\n' | '~') || !slot.has(c) => {
                    reference(c, &mut out.text)
                }
                (_, None) if block && at == 0 => reference(c, &mut out.text),
                _ => false,
            };
            if !written {
                out.text.push(c);
            }
        }
        Some(())
    }

    /// A target must not become empty. A line that loses its first text may begin a block, and two marks that
    /// come together may mean something: `''` and `''` begin bold text.
    fn empty(&self, slot: &Slot, recent: Recent, _: &Match<'_>) -> Emptying {
        let is_text = slot.place.inside() == Inside::Text;
        let stays = slot.before == Before::LineStart || recent.ends_with_any(&MARKS);
        Emptying::only_if(is_text && !stays)
    }
}
