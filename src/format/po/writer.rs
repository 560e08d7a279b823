//! Strings and comments of PO.

use alloc::format;

use crate::{
    charset::Shape,
    format::slot::{
        emptied::{Emptied, Emptying},
        escapes::backslash,
        light,
        recent::{Before, Recent},
        writer::{Escaped, Slot, Surrounding, Writer},
    },
    links::{
        matched::Match,
        place::{Inside, Place},
    },
};

/// PO: strings have the escapes of C, and comments have none.
pub(in crate::format) struct Po;

impl Writer for Po {
    fn before(&self, _: Surrounding, recent: Recent) -> Before {
        light::before(recent)
    }

    fn is_strict(&self, place: Place) -> bool {
        place.inside() == Inside::Plain
    }

    fn write(&self, slot: &Slot, text: &str, out: &mut Escaped) -> Option<()> {
        if slot.place.inside() == Inside::Plain {
            // A line must not become an entry.
            let begins = slot.before == Before::LineStart && light::begins_block(text);
            let breaks_out = begins || text.contains(['"', '\r', '\n']);
            return (!breaks_out).then(|| out.push_plain(slot, text));
        }
        let special = |c: char| matches!(c, '"' | '\\') || c.is_ascii_control();
        out.push(slot, text, special, |c, out| match c {
            '"' | '\\' => backslash(c, out),
            '\n' => backslash('n', out),
            '\r' => backslash('r', out),
            '\t' => backslash('t', out),
            c if c.is_ascii() => {
                *out += &format!("\\{:03o}", c as u32);
                true
            }
            _ => false,
        });
        Some(())
    }

    /// No string may become empty: the entry would be the header of the catalogue, or have no translation. No
    /// line may.
    fn empty(&self, slot: &Slot, recent: Recent, link: &Match<'_>) -> Emptying {
        if slot.place.inside() == Inside::Plain {
            return Emptying::only_if(slot.before != Before::LineStart);
        }
        let begins = recent.ends_with("\"") && !recent.ends_with("\\\"");
        let (source, charset) = (link.source(), link.charset());
        match begins {
            false => Emptying::Done,
            // What the quote is written with depends on the state.
            true if charset.shape() == Shape::Stateful => Emptying::Refused,
            true => Emptying::Depends(Emptied::Unless {
                source: source.to_vec(),
                charset,
                signs: b"\"",
            }),
        }
    }
}
