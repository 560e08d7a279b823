//! Markdown: running text, targets, code, and tags of HTML.

use alloc::{format, string::String};

use crate::{
    format::{
        markup::writer as markup,
        slot::{
            emptied::{Emptied, Emptying},
            escapes::{makes_reference, reference},
            recent::{Before, Recent},
            writer::{Escaped, Slot, Surrounding, Writer},
        },
    },
    links::{
        matched::Match,
        place::{Around, Inside, Place},
    },
};

pub(in crate::format) struct Markdown;

impl Writer for Markdown {
    fn before(&self, link: Surrounding, recent: Recent) -> Before {
        match (link.place.around(), link.place.inside()) {
            // The second is a code span, which may be text.
            (Around::Nothing, Inside::Text) | (Around::Tag, Inside::Plain) => before(recent),
            _ => Before::Nothing,
        }
    }

    fn keeps(&self, slot: &Slot, link: &Match<'_>) -> bool {
        has_marks(&link.text(), slot.place, slot.before)
    }

    fn is_strict(&self, _: Place) -> bool {
        true
    }

    fn write(&self, slot: &Slot, text: &str, out: &mut Escaped) -> Option<()> {
        match (slot.place.inside(), slot.place.around()) {
            (Inside::Plain, around) => return push_code(slot, text, around == Around::Tag, out),
            (_, Around::Tag) => {
                markup::push(slot, text, out);
                // An empty line would end the tag.
                out.text = out.text.replace('\n', "&#10;").replace('\r', "&#13;");
            }
            (Inside::Attribute { quoted }, _) => push_target(slot, text, quoted, out),
            _ => return push_text(slot, text, out),
        }
        Some(())
    }

    fn empty(&self, slot: &Slot, recent: Recent, link: &Match<'_>) -> Emptying {
        match slot.place.inside() {
            // Code may have nothing else.
            Inside::Plain if recent.has_only_marks() => Emptying::Refused,
            Inside::Plain | Inside::Text if recent.is_after_mark() => Emptying::Refused,
            Inside::Text if recent.has_only_marks() => {
                Emptying::Depends(Emptied::Line(link.charset()))
            }
            _ => slot.empty_value(link, true),
        }
    }
}

fn before(recent: Recent) -> Before {
    if recent.ends_with("<!") {
        Before::Declaration
    } else if recent.ends_with_any(&["<", "</"]) {
        Before::LessThan
    } else if recent.ends_with_any(&["&", "&#", "&#x", "&#X"]) {
        Before::Ampersand
    } else if recent.ends_with("\\") {
        Before::Backslash
    } else if recent.ends_with("]") {
        Before::Bracket
    } else if recent.has_only_marks() {
        Before::LineStart
    } else {
        Before::Nothing
    }
}

/// Code has no escapes. Whether a `span` is code is known only at its end, so its text must be none
/// that means something elsewhere.
fn push_code(slot: &Slot, text: &str, span: bool, out: &mut Escaped) -> Option<()> {
    let ends = text.contains(['`', '|', '\n', '\r']) || text.contains("~~~");
    let begins = text.contains(['<', '[', ']', '*', '~', '\\', '"', '\''])
        || has_emphasis(text)
        || text.starts_with(|c| begins(slot, c, text));
    let breaks_out = ends || span && begins;
    (!breaks_out).then(|| out.push_plain(slot, text))
}

/// The target of a link, between `<` and `>` if it is `angled`. What would end it is
/// percent-encoded, and what has a meaning gets a backslash.
fn push_target(slot: &Slot, text: &str, angled: bool, out: &mut Escaped) {
    if !angled && text.is_empty() {
        return out.text.push_str("<>");
    }
    let ends = |c: char| match angled {
        true => matches!(c, '\r' | '\n' | '|' | '<' | '>'),
        false => c.is_ascii_control() || matches!(c, ' ' | '|' | '<' | '>'),
    };
    let special = |c: char| ends(c) || matches!(c, '\\' | '`') || !angled && matches!(c, '(' | ')');
    let escape = |c: char, out: &mut String| {
        if ends(c) || c.is_ascii_control() {
            *out += &format!("%{:02X}", c as u32);
        } else if c.is_ascii() {
            out.push('\\');
            out.push(c);
        } else {
            return reference(c, out);
        }
        true
    };
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push(slot, &rest[..at], special, escape);
        rest = &rest[at + 1..];
        out.text.push_str(if makes_reference(rest) { "&amp;" } else { "&" });
    }
    out.push(slot, rest, special, escape);
}

/// Running text. What would begin an escape, code, a tag, a link, emphasis or a block becomes a
/// character reference, because that is undone in autolinks too.
fn push_text(slot: &Slot, text: &str, out: &mut Escaped) -> Option<()> {
    let escaped =
        slot.before == Before::Backslash && text.starts_with(|c: char| c.is_ascii_punctuation());
    if escaped || slot.before == Before::Declaration {
        return None;
    }
    let mut before = None;
    for (at, c) in text.char_indices() {
        let rest = &text[at + c.len_utf8()..];
        let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let special = match c {
            '\\' | '<' | '>' | '`' | '[' | ']' | '*' | '~' | '|' | '\r' | '\n' => true,
            '_' => !is_word(before) || !is_word(rest.chars().next()),
            ' ' | '\t' | '\u{B}' | '\u{C}' => at == 0 || rest.is_empty(),
            // Before a `[` it would make an image.
            '!' if rest.is_empty() => true,
            '&' => makes_reference(rest),
            _ => false,
        };
        if !(special || at == 0 && begins(slot, c, text)) && slot.has(c) {
            out.text.push(c);
        } else if !reference(c, &mut out.text) {
            out.lose();
        }
        before = Some(c);
    }
    Some(())
}

/// True if `text`, which begins with `c`, begins something together with the text before it.
fn begins(slot: &Slot, c: char, text: &str) -> bool {
    match slot.before {
        Before::LessThan => begins_tag(text),
        Before::Ampersand => c.is_ascii_alphanumeric() || matches!(c, '#' | ';'),
        Before::Bracket => matches!(c, '(' | ':'),
        Before::LineStart => {
            let digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
            let numbers =
                digits.len() < text.len() && (digits.is_empty() || digits.starts_with(['.', ')']));
            // After a definition, what is in quotes or parentheses is its title.
            numbers || matches!(c, '#' | '-' | '+' | '=' | '_' | ':' | '>' | '"' | '\'' | '(')
        }
        _ => false,
    }
}

/// True if a link has marks that may open or close something, such as the `[` of `http://a/![b](c)`.
fn has_marks(link: &str, place: Place, before: Before) -> bool {
    match (place.inside(), place.around()) {
        // No value without quotes may have these, so what looks like a tag is none.
        (Inside::Attribute { quoted: false }, Around::Tag) => {
            return link.contains(['=', '`', '"', '\'', '<']);
        }
        (Inside::Text, Around::Nothing) => {}
        _ => return false,
    }
    before == Before::LessThan && begins_tag(link)
        || link.contains(['*', '`', '<', '|'])
        || ["~~", "](", "][", "]:", "!["].iter().any(|mark| link.contains(mark))
        || link.matches('[').count() != link.matches(']').count()
}

/// True if a `_` of `text` may begin or end emphasis.
fn has_emphasis(text: &str) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    text.match_indices('_').any(|(at, _)| {
        let (before, after) = (text[..at].chars().next_back(), text[at + 1..].chars().next());
        !is_word(before) || !is_word(after)
    })
}

/// True if a `<`, `</` or `<!` before `text` would begin a tag, a declaration or a comment with it.
fn begins_tag(text: &str) -> bool {
    let name = text.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '-');
    match text.chars().next() {
        Some('/' | '!' | '?' | '-' | '[') => true,
        Some(c) if c.is_ascii_alphabetic() => {
            name.is_empty()
                || name.starts_with(|c: char| c.is_whitespace() || matches!(c, '/' | '>'))
        }
        _ => false,
    }
}
