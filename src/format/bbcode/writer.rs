//! BBCode: running text, and targets. Nothing has an escape.

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

pub(in crate::format) struct BbCode;

impl Writer for BbCode {
    fn before(&self, _: Surrounding, recent: Recent) -> Before {
        match recent.ends_with_any(&["[", "[/", "="]) {
            true => Before::Bracket,
            false => Before::Nothing,
        }
    }

    fn is_strict(&self, place: Place) -> bool {
        place.inside() == Inside::Text
    }

    /// In a target, what would end it is percent-encoded. A text must not make a tag.
    fn write(&self, slot: &Slot, text: &str, out: &mut Escaped) -> Option<()> {
        if slot.place.inside() == Inside::Text {
            let breaks_out =
                slot.before != Before::Nothing || text.contains(['[', ']', '\r', '\n', '"', '\'']);
            return (!breaks_out).then(|| out.push_plain(slot, text));
        }
        // Without a scheme, it would not be a target.
        if text.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("www.")) {
            return None;
        }
        let special = |c: char| c <= ' ' || "[]\"'<>\u{7F}".contains(c);
        out.push(slot, text, special, percent_encode);
        Some(())
    }

    /// A target must not become empty, and a bracket must not be left alone.
    fn empty(&self, slot: &Slot, _: Recent, _: &Match<'_>) -> Emptying {
        let is_text = slot.place.inside() == Inside::Text;
        Emptying::only_if(is_text && slot.before == Before::Nothing)
    }
}
