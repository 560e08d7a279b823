//! Source code: strings, comments and names, which cannot be told apart.

use crate::{
    format::slot::{
        emptied::Emptying,
        recent::{Before, Recent},
        writer::{Escaped, Slot, Surrounding, Writer},
    },
    links::matched::Match,
};

pub(in crate::format) struct Source;

impl Writer for Source {
    /// A backslash before the link would escape what is written, and digits would add to those of its escape. A
    /// `*` and a `/` would end a comment.
    fn before(&self, _: Surrounding, recent: Recent) -> Before {
        if recent.ends_with("*") {
            return Before::Star;
        }
        let is_digit = |b: u8| b.is_ascii_hexdigit() || matches!(b, b'x' | b'u' | b'U' | b'{');
        let digits = recent.last.iter().rev().take_while(|b| is_digit(**b)).count();
        match recent.last.len() - digits {
            at if at == 0 || recent.last[at - 1] == b'\\' => Before::Backslash,
            _ => Before::Nothing,
        }
    }

    /// Which quotes the text is in, and whether they have escapes, is not known: a text with what could end a
    /// string, a comment or a line, or with a backslash, stays out.
    fn write(&self, slot: &Slot, text: &str, out: &mut Escaped) -> Option<()> {
        let is_special = |c: char| matches!(c, '"' | '\'' | '`' | '\\') || c.is_ascii_control();
        let ends_comment = slot.before == Before::Star && text.starts_with('/');
        let breaks_out = slot.before == Before::Backslash
            || ends_comment
            || text.contains(is_special)
            || text.contains("*/");
        (!breaks_out).then(|| out.push_plain(slot, text))
    }

    fn empty(&self, slot: &Slot, _: Recent, _: &Match<'_>) -> Emptying {
        Emptying::only_if(slot.before != Before::Backslash)
    }
}
