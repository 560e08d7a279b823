//! AsciiDoc: text, and targets of macros.

use crate::{
    format::slot::{
        escapes::{percent_encode, reference},
        writer::{Escaped, Slot, Writer},
    },
    links::place::Inside,
};

pub(in crate::format) struct AsciiDoc;

impl Writer for AsciiDoc {
    fn looks_back(&self) -> bool {
        false
    }

    /// In a target, what would end it is percent-encoded, and so are characters that the charset
    /// lacks. In text, these and line ends are written as character references.
    fn write(&self, slot: &Slot, text: &str, out: &mut Escaped) -> Option<()> {
        let target = matches!(slot.place.inside(), Inside::Attribute { .. });
        let ends = |c: char| match target {
            true => {
                c <= ' ' || matches!(c, '\u{7F}' | '[' | ']' | '<' | '>' | '"' | '`' | '{' | '+')
            }
            false => matches!(c, '\r' | '\n'),
        };
        out.push(slot, text, ends, |c, out| match target {
            true => percent_encode(c, out),
            false => reference(c, out),
        });
        Some(())
    }
}
