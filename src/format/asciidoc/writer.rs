//! AsciiDoc: text, and targets of macros.

use alloc::format;

use crate::{
    charset::Shape,
    format::slot::{
        emptied::{Emptied, Emptying},
        escapes::{makes_reference, percent_encode},
        light::{before, begins_block},
        recent::{Before, Recent},
        writer::{Escaped, Slot, Surrounding, Writer},
    },
    links::{
        matched::Match,
        place::{Inside, Place},
    },
};

/// Marks that mean something together with the next one, or at the end of a term.
const MARKS: [&str; 14] = ["*", "_", "`", "#", "^", "~", "+", "[", "{", "<", "|", ":", "\\", "&"];

/// Marks that close what is before them, or begin something of their own.
const CLOSING: &[u8] = b"*_`#+^~:;[{";

pub(in crate::format) struct AsciiDoc;

impl Writer for AsciiDoc {
    fn before(&self, _: Surrounding, recent: Recent) -> Before {
        match recent.ends_with("\\") {
            true => Before::Backslash,
            false => before(recent),
        }
    }

    fn is_strict(&self, _: Place) -> bool {
        true
    }

    /// In a target, what would end it is percent-encoded, and so are characters that the charset
    /// lacks. In text these, line ends, and marks that would begin or end something are written as
    /// character references.
    fn write(&self, slot: &Slot, text: &str, out: &mut Escaped) -> Option<()> {
        if let Inside::Attribute { .. } = slot.place.inside() {
            let ends = |c: char| {
                c <= ' ' || matches!(c, '\u{7F}' | '[' | ']' | '<' | '>' | '"' | '`' | '{' | '+')
            };
            out.push(slot, text, ends, percent_encode);
            return Some(());
        }
        let begins = slot.before == Before::LineStart && (begins_block(text) || is_numbered(text))
            || slot.before == Before::Backslash && !text.starts_with(char::is_alphanumeric);
        let mut last = None;
        for (at, c) in text.char_indices() {
            let rest = &text[at + c.len_utf8()..];
            match at == 0 && begins || is_mark(c, last, rest) || !slot.has(c) {
                // By its number, because `<&lt;` begins a cross reference.
                true => out.text += &format!("&#{};", c as u32),
                false => out.text.push(c),
            }
            last = Some(c);
        }
        Some(())
    }

    /// A target must not become empty, nor the text of a term or an admonition. A line that loses its first text
    /// may begin a block. Two marks that come together may mean something, and after a space a mark closes nothing.
    fn empty(&self, slot: &Slot, recent: Recent, link: &Match<'_>) -> Emptying {
        let is_text = !matches!(slot.place.inside(), Inside::Attribute { .. });
        let named = matches!(recent.last.trim_ascii_end(), [.., b':' | b';']);
        let stays = slot.before == Before::LineStart || named || recent.ends_with_any(&MARKS);
        let (source, charset) = (link.source(), link.charset());
        match is_text && !stays && charset.shape() != Shape::Stateful {
            true => Emptying::Depends(Emptied::Unless {
                source: source.to_vec(),
                charset,
                signs: CLOSING,
            }),
            false => Emptying::Refused,
        }
    }
}

/// True if a line that begins with `text` may be an item of a list: a letter and a full stop, or a Roman number and a
/// bracket, with a space after them. The sign may also come after the text.
fn is_numbered(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let label = &text[..text.len() - rest.len()];
    let is_roman = label.bytes().all(|b| b"ivxIVX".contains(&b));
    let mut rest = rest.chars();
    let fits = match rest.next() {
        None => label.len() == 1 || is_roman,
        Some('.') => label.len() == 1,
        Some(')') => is_roman,
        Some(_) => false,
    };
    !label.is_empty() && fits && rest.next().is_none_or(char::is_whitespace)
}

/// True if `c` may begin or end something between `last` and `rest` of a text. A mark of emphasis within a word
/// does not, as in `a_b`.
fn is_mark(c: char, last: Option<char>, rest: &str) -> bool {
    let next = rest.chars().next();
    match c {
        '\r' | '\n' | '[' | ']' | '{' | '|' | '\\' => true,
        '&' => makes_reference(rest),
        '*' | '_' | '`' | '#' | '+' => {
            let opens = !last.is_some_and(char::is_alphanumeric);
            !next.is_some_and(char::is_alphanumeric)
                || opens && (last.is_none_or(char::is_whitespace) || rest.contains(c))
        }
        '^' | '~' => last.is_none() || rest.is_empty() || rest.contains(c),
        ')' | ';' => next.is_none_or(|next| next == c),
        '<' | '(' | '\'' => last.is_none() || next.is_none_or(|next| next == c),
        // Arrows and dashes are drawn.
        '=' | '-' => last.is_none() || next.is_none_or(|next| next == c || next == '>'),
        ':' => next.is_none_or(|next| next == ':' || next.is_whitespace()),
        _ => false,
    }
}
