//! Escapes for the places of Markdown.

use alloc::{format, string::String};

use super::{Escaper, before::Before, reference};
use crate::links::place::{Around, Inside, Place};

impl Escaper {
    /// `text` as a document of Markdown must hold it in the place of a link; `None` if it cannot.
    pub(super) fn in_markdown(&self, text: &str, lost: &mut u64) -> Option<String> {
        match (self.place.inside(), self.place.around()) {
            _ if self.marked => None,
            (Inside::Plain, around) => self.in_code(text, around == Around::Tag, lost),
            (_, Around::Tag) => {
                // An empty line would end the tag.
                let tag = self.in_markup(text, lost);
                Some(tag.replace('\n', "&#10;").replace('\r', "&#13;"))
            }
            (Inside::Attribute { quoted }, _) => Some(self.in_target(text, quoted, lost)),
            _ => self.in_text(text, lost),
        }
    }

    /// Code has no escapes. Whether a `span` is code is known only at its end, so its text must be none
    /// that means something elsewhere.
    fn in_code(&self, text: &str, span: bool, lost: &mut u64) -> Option<String> {
        let ends = text.contains(['`', '|', '\n', '\r']) || text.contains("~~~");
        let begins = text.contains(['<', '[', ']', '*', '~', '\\', '"', '\''])
            || has_emphasis(text)
            || text.starts_with(|c| self.begins(c, text));
        let breaks_out = ends || span && begins;
        (!breaks_out).then(|| self.each(text, lost, |_| false, |_, _| false))
    }

    /// The target of a link, between `<` and `>` if it is `angled`. What would end it is
    /// percent-encoded, and what has a meaning gets a backslash.
    fn in_target(&self, text: &str, angled: bool, lost: &mut u64) -> String {
        if !angled && text.is_empty() {
            return "<>".into();
        }
        let ends = |c: char| match angled {
            true => matches!(c, '\r' | '\n' | '|' | '<' | '>'),
            false => c.is_ascii_control() || matches!(c, ' ' | '|' | '<' | '>'),
        };
        let special =
            |c: char| ends(c) || matches!(c, '\\' | '`') || !angled && matches!(c, '(' | ')');
        let escape = |c: char, out: &mut String| {
            if ends(c) {
                *out += &format!("%{:02X}", c as u32);
            } else if c.is_ascii() {
                out.push('\\');
                out.push(c);
            } else {
                return reference(c, out);
            }
            true
        };
        let mut out = String::with_capacity(text.len() + text.len() / 4);
        let mut rest = text;
        while let Some(at) = rest.find('&') {
            out += &self.each(&rest[..at], lost, special, escape);
            rest = &rest[at + 1..];
            out.push_str(if makes_reference(rest) { "&amp;" } else { "&" });
        }
        out + &self.each(rest, lost, special, escape)
    }

    /// Running text. What would begin an escape, code, a tag, a link, emphasis or a block becomes a
    /// character reference, because that is undone in autolinks too.
    fn in_text(&self, text: &str, lost: &mut u64) -> Option<String> {
        let escaped = self.before == Before::Backslash
            && text.starts_with(|c: char| c.is_ascii_punctuation());
        if escaped || self.before == Before::Declaration {
            return None;
        }
        let mut out = String::with_capacity(text.len() + text.len() / 4);
        let mut before = None;
        for (at, c) in text.char_indices() {
            let rest = &text[at + c.len_utf8()..];
            let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
            let special = match c {
                '\\' | '<' | '>' | '`' | '[' | ']' | '*' | '~' | '|' | '\r' | '\n' => true,
                '_' => !is_word(before) || !is_word(rest.chars().next()),
                ' ' | '\t' => at == 0 || rest.is_empty(),
                // Before a `[` it would make an image.
                '!' if rest.is_empty() => true,
                '&' => makes_reference(rest),
                _ => false,
            };
            if !(special || at == 0 && self.begins(c, text)) && self.has(c) {
                out.push(c);
            } else if !reference(c, &mut out) {
                *lost += 1;
                out.push('?');
            }
            before = Some(c);
        }
        Some(out)
    }

    /// True if `text`, which begins with `c`, begins something together with the text before it.
    fn begins(&self, c: char, text: &str) -> bool {
        match self.before {
            Before::LessThan => begins_tag(text),
            Before::Ampersand => c.is_ascii_alphanumeric() || matches!(c, '#' | ';'),
            Before::Bracket => matches!(c, '(' | ':'),
            Before::LineStart => {
                let digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
                let numbers = digits.len() < text.len()
                    && (digits.is_empty() || digits.starts_with(['.', ')']));
                numbers || matches!(c, '#' | '-' | '+' | '=' | '_' | ':')
            }
            _ => false,
        }
    }
}

/// True if a link has marks that may open or close something, such as the `[` of `http://a/![b](c)`.
pub(super) fn has_marks(link: &str, place: Place, before: Before) -> bool {
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

/// True if an `&` before `text` makes a character reference, or may make one with what follows.
fn makes_reference(text: &str) -> bool {
    let name = text.trim_start_matches('#');
    let rest = name.trim_start_matches(|c: char| c.is_ascii_alphanumeric());
    rest.is_empty() || rest.starts_with(';')
}
