//! reStructuredText: running text, literals and targets.

use crate::{
    format::slot::{
        emptied::Emptying,
        escapes::percent_encode,
        light::{before, begins_block},
        recent::{Before, Recent},
        writer::{Escaped, Slot, Surrounding, Writer},
    },
    links::{
        matched::Match,
        place::{Inside, Place},
    },
};

pub(in crate::format) struct Rst;

impl Writer for Rst {
    fn before(&self, _: Surrounding, recent: Recent) -> Before {
        match () {
            () if recent.ends_with("\\") => Before::Backslash,
            () if begins_body(recent) => Before::LineStart,
            () if recent.ends_with("(") => Before::Parenthesis,
            () => before(recent),
        }
    }

    fn is_strict(&self, _: Place) -> bool {
        true
    }

    /// In text, the signs of markup get a backslash. A target without spaces is what Docutils reads, so
    /// these are percent-encoded, and so is what would end it. A literal has no escapes.
    fn write(&self, slot: &Slot, text: &str, out: &mut Escaped) -> Option<()> {
        let feeds = text.contains(['\r', '\n']);
        match slot.place.inside() {
            Inside::Attribute { .. } => push_target(slot, text, out),
            Inside::Plain if feeds || text.contains('`') || text.ends_with(' ') => return None,
            Inside::Plain => out.push_plain(slot, text),
            _ => {
                let block = slot.before == Before::LineStart && begins_block(text);
                let item = matches!(slot.before, Before::LineStart | Before::Parenthesis)
                    && is_enumerator(text.as_bytes());
                if feeds || block || item || slot.before == Before::Backslash {
                    return None;
                }
                push_text(slot, text, out);
            }
        }
        Some(())
    }

    /// Neither a target nor a literal may become empty, nor what a sign before it may begin: emphasis, or the text of
    /// a footnote.
    fn empty(&self, slot: &Slot, recent: Recent, _: &Match<'_>) -> Emptying {
        let is_text = slot.place.inside() == Inside::Text;
        let opened =
            recent.last.trim_ascii_end().ends_with(b"]") || recent.ends_with_any(&["*", "`", "|"]);
        Emptying::only_if(is_text && !opened && slot.before != Before::LineStart)
    }
}

/// True if a body begins after `recent`, in which a block may begin: of a field, a directive, or an item of a list.
fn begins_body(recent: Recent) -> bool {
    let before = recent.last.trim_ascii_end();
    if before.len() == recent.last.len() {
        return false;
    }
    match before {
        [.., b':'] => true,
        [before @ .., b'.' | b')'] => {
            let is_word = |b: &&u8| b.is_ascii_alphanumeric() || **b == b'#';
            let len = before.iter().rev().take_while(is_word).count();
            let (before, word) = before.split_at(before.len() - len);
            is_enumerator(word) && before.last().is_none_or(|b| *b <= b' ' || *b == b'(')
        }
        _ => false,
    }
}

/// True if a list of items may be counted by `word`: a letter, a number, a Roman one, or `#`.
fn is_enumerator(word: &[u8]) -> bool {
    let is_roman = |b: &u8| b"ivxlcdm".contains(&b.to_ascii_lowercase());
    match word {
        [] => false,
        [b] => b.is_ascii_alphanumeric() || *b == b'#',
        word => word.iter().all(u8::is_ascii_digit) || word.iter().all(is_roman),
    }
}

/// Appends a target. An `_` at its end would make it the name of another one.
fn push_target(slot: &Slot, text: &str, out: &mut Escaped) {
    let special = |c: char| c <= ' ' || matches!(c, '\\' | '`' | '<' | '>' | '|' | '\u{7F}');
    let (text, name) = match text.strip_suffix('_') {
        Some(text) => (text, true),
        None => (text, false),
    };
    out.push(slot, text, special, percent_encode);
    out.text.push_str(if name { "\\_" } else { "" });
}

/// Appends running text. An `_` within a word means nothing.
fn push_text(slot: &Slot, text: &str, out: &mut Escaped) {
    for (at, c) in text.char_indices() {
        let next = text[at + c.len_utf8()..].chars().next();
        let special = match c {
            '\\' | '*' | '`' | '|' | '<' | '>' => true,
            '_' => !next.is_some_and(char::is_alphanumeric),
            _ => false,
        };
        out.text.push_str(if special { "\\" } else { "" });
        out.push_plain(slot, c.encode_utf8(&mut [0; 4]));
    }
}
