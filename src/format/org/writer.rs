//! Org: running text, and targets.

use crate::{
    format::slot::{
        emptied::Emptying,
        escapes::percent_encode,
        light::{before, begins_block, has_emphasis},
        recent::{Before, Recent},
        writer::{Escaped, Slot, Surrounding, Writer},
    },
    links::{
        matched::Match,
        place::{Inside, Place},
    },
};

pub(in crate::format) struct Org;

impl Writer for Org {
    fn before(&self, _: Surrounding, recent: Recent) -> Before {
        before(recent)
    }

    fn is_strict(&self, _: Place) -> bool {
        true
    }

    /// In a target, brackets get a backslash, and what else would end it is percent-encoded. Running text
    /// has no escapes: a text that would begin or end something is refused.
    fn write(&self, slot: &Slot, text: &str, out: &mut Escaped) -> Option<()> {
        let Inside::Attribute { quoted } = slot.place.inside() else {
            let brackets = text.starts_with('[')
                || text.ends_with(['[', ']'])
                || ["[[", "]]", "]["].iter().any(|both| text.contains(both));
            let begins = slot.before == Before::LineStart && begins_block(text);
            let breaks_out = brackets || begins || text.contains(['|', '\r', '\n', '\\']);
            let marks = has_emphasis(text, &['*', '_', '+', '=', '~']);
            return (!breaks_out && !marks).then(|| out.push_plain(slot, text));
        };
        // After a file, `::` begins what is searched for in it.
        let text = if quoted { text.into() } else { text.replace("::", ":%3A") };
        let special =
            |c: char| c <= ' ' || matches!(c, '[' | ']' | '\\' | '|' | '<' | '>' | '\u{7F}');
        out.push(slot, &text, special, |c, out| match c {
            '[' | ']' => {
                out.push('\\');
                out.push(c);
                true
            }
            c => percent_encode(c, out),
        });
        Some(())
    }

    /// A target must not become empty. A line that loses its first text may begin a block.
    fn empty(&self, slot: &Slot, _: Recent, _: &Match<'_>) -> Emptying {
        let is_text = slot.place.inside() == Inside::Text;
        Emptying::only_if(is_text && slot.before != Before::LineStart)
    }
}
