//! Turtle: literals and comments, and IRIs in `<…>`.

use alloc::{borrow::Cow, format, string::String};

use crate::{
    format::slot::{
        escapes::percent_encode,
        escapes::utf16,
        writer::{Escaped, Slot, Writer},
    },
    links::place::{Inside, Place},
    reference::{
        components::{Component, Components},
        syntax::{Grammar, Reference},
    },
};

pub(in crate::format) struct Turtle;

impl Writer for Turtle {
    fn looks_back(&self) -> bool {
        false
    }

    fn is_strict(&self, place: Place) -> bool {
        place.inside() == Inside::Name
    }

    fn write(&self, slot: &Slot, text: &str, out: &mut Escaped) -> Option<()> {
        let escape = |c: char, out: &mut String| match u32::from(c) {
            0..=0xFFFF => utf16(c, out),
            number => {
                *out += &format!("\\U{number:08X}");
                true
            }
        };
        if slot.place.inside() == Inside::Name {
            out.push(slot, &iri_reference(text)?, |_| false, escape);
            return Some(());
        }
        let special = |c: char| matches!(c, '<' | '>' | '"' | '\'' | '\\') || c < ' ';
        out.push(slot, text, special, escape);
        Some(())
    }
}

/// How often [`iri_reference`] tried.
#[derive(Clone, Copy, PartialEq)]
enum Tried {
    First,
    AfterAuthority,
    Everywhere,
}

/// `text` as an IRI reference: what no IRI may hold is percent-encoded. `None` if it is none even so.
fn iri_reference(text: &str) -> Option<Cow<'_, str>> {
    let is_valid = |text: &str| Reference::parse(text, Grammar::IriReference).is_ok();
    if is_valid(text) {
        return Some(Cow::Borrowed(text));
    }
    let parts = Components::split(text);
    let path = parts.range(Component::Path).map_or(0, |path| path.start);
    let fragment = parts.range(Component::Fragment).map_or(text.len(), |fragment| fragment.start);
    // In the second try no brackets after the authority count, and only the first `#`. In the last one
    // brackets are no part of an IP literal, and a colon none of a scheme.
    [Tried::First, Tried::AfterAuthority, Tried::Everywhere].into_iter().find_map(|tried| {
        let mut out = String::with_capacity(text.len() * 2);
        for (at, c) in text.char_indices() {
            let special = match c {
                '%' => {
                    let digits = text.as_bytes().get(at + 1..at + 3).unwrap_or_default();
                    digits.len() < 2 || !digits.iter().all(u8::is_ascii_hexdigit)
                }
                '<' | '>' | '"' | '{' | '}' | '|' | '\\' | '^' | '`' => true,
                '[' | ']' if tried == Tried::AfterAuthority => at >= path,
                '#' if tried == Tried::AfterAuthority => at >= fragment,
                '[' | ']' | ':' | '@' | '#' => tried == Tried::Everywhere,
                c => {
                    c <= ' '
                        || c == '\u{7F}'
                        || !is_valid(c.encode_utf8(&mut [0; 4])) && !c.is_ascii()
                }
            };
            match special {
                true => _ = percent_encode(c, &mut out),
                false => out.push(c),
            }
        }
        is_valid(&out).then_some(Cow::Owned(out))
    })
}
