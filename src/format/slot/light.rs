//! What the languages of light markup have alike where a text is written: marks that it must not make.

use super::recent::{Before, Recent};

/// What the text before a link means, if only marks of a line count.
pub(in crate::format) fn before(recent: Recent) -> Before {
    match recent.has_only_marks() {
        true => Before::LineStart,
        false => Before::Nothing,
    }
}

/// True if a line that begins with `text` may be a heading, an item of a list, or another block.
pub(in crate::format) fn begins_block(text: &str) -> bool {
    let digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbers =
        digits.len() < text.len() && (digits.is_empty() || digits.starts_with(['.', ')']));
    let is_plain = |c: char| !c.is_ascii() || c.is_ascii_alphanumeric() || matches!(c, '<' | '(');
    numbers || !text.starts_with(is_plain)
}

/// True if one of `marks` in `text` may open or close something: it is not within a word.
pub(in crate::format) fn has_emphasis(text: &str, marks: &[char]) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(|c| !c.is_whitespace() && !"'\"({[".contains(c));
    text.match_indices(marks).any(|(at, mark)| {
        let (before, after) = (&text[..at], &text[at + mark.len()..]);
        !is_word(before.chars().next_back())
            || !after.chars().next().is_some_and(|c| c.is_alphanumeric() || "/%&=?_-~".contains(c))
    })
}
