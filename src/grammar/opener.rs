//! What the characters before a link open: a delimiter with its partner, a label that a `|` ends, emphasis.
//!
//! The character directly before a link goes in, and those before it, nearest first; out comes the opener, or
//! that there is none. Few characters are read: at most six before the nearest one.

use super::types::{Before, Field, Opener};
use crate::data::properties;

/// True for characters of which each opens nothing, whatever comes before it. In no charset are they the
/// end of a longer character.
#[inline(always)]
pub(crate) fn opens_nothing(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'=' | b',' | b';' | b'>' | b')' | b'/')
}

/// True if these two bytes before a scheme open nothing but may be the end of a text that [`marks`] looks
/// for.
#[inline(always)]
pub(crate) fn may_be_mark(before: [u8; 2]) -> bool {
    let [further, nearest] = before;
    match nearest {
        // `k`, `[`, `{`, and a few others: one comparison.
        b' ' => further & 0x0F == 0x0B,
        b';' => further == b't',
        b'=' => matches!(further, b'k' | b'l' | b' ' | b'\n' | b'\r' | b'\t' | b'('),
        _ => false,
    }
}

/// Whether a `|` ends a link after the character `nearest`, whatever it opens (`|http://…|`,
/// `{{http://…|label}}` of wikis, `{@link http://…|label}` of comments, the field of
/// a template), and the emphasis that begins before it: `_http://…_`, `~http://…~`, `=http://…=` after a
/// space. `further`: the characters before that, nearest first; only read if they open nothing.
pub(super) fn marks(
    nearest: char,
    further: &mut impl Iterator<Item = Before>,
) -> (bool, Option<char>) {
    let mut next = || further.next().and_then(|b| b.c).unwrap_or_default();
    let first = match nearest {
        '|' => return (true, None),
        '_' | '~' => return (false, Some(nearest)),
        '{' | ';' | ' ' | '=' => next(),
        _ => return (false, None),
    };
    // The rest of the text before it, backwards.
    let rest = match (nearest, first) {
        ('{', '{') => "",
        (' ', '[') => "[",
        (' ', '{') => "{",
        (' ', 'k') => "nil@{",
        (';', 't') => "l&",
        ('=', 'k') => "nil|",
        ('=', 'l') => "ru|",
        ('=', '\0' | ' ' | '\n' | '\r' | '\t' | '(') => return (false, Some('=')),
        _ => return (false, None),
    };
    (rest.chars().all(|c| next() == c), None)
}

/// Quotes that open a phrase, and what closes it. Brackets are in Link_Bracket.
const QUOTES: [(char, char); 11] = [
    ('"', '"'),
    ('\'', '\''),
    ('`', '`'),
    ('“', '”'),
    ('”', '”'),
    ('„', '“'),
    ('‘', '’'),
    ('‚', '‘'),
    ('«', '»'),
    ('»', '«'),
    ('‹', '›'),
];

/// What `nearest`, the character directly before a link, opens.
#[inline(always)]
pub(super) fn opener(nearest: char, mut further: impl Iterator<Item = Before>) -> Option<Opener> {
    let mut next = || further.next().and_then(|b| b.c);
    let whole = |open, close| Some(Opener { open, close, field: Field::Whole });
    match nearest {
        // Markdown writes `\<https://a.example\>` where it means no tag.
        '<' if next() == Some('\\') => whole('\\', '\\'),
        '<' => whole('<', '>'),
        // `<URL:…>`, RFC 3986 appendix C.
        ':' => {
            let label = ['l', 'r', 'u', '<'];
            let wrapped = label.iter().all(|c| next().is_some_and(|n| n.eq_ignore_ascii_case(c)));
            wrapped.then_some(())?;
            whole('<', '>')
        }
        '"' | '\'' => match next() {
            Some('=') => whole(nearest, nearest),
            // In a string literal `\"` is closed by `\"`.
            Some('\\') => whole('\\', '\\'),
            _ => Some(Opener { open: nearest, close: nearest, field: Field::Phrase }),
        },
        '(' => {
            let target = match next() {
                Some(']') => true,
                // `url(…)` of a style sheet, but not `curl(…)`.
                Some('l' | 'L') => {
                    let name = [next(), next()].map(|c| c.map(|c| c.to_ascii_lowercase()));
                    name == [Some('r'), Some('u')] && !next().is_some_and(char::is_alphanumeric)
                }
                _ => false,
            };
            let field = if target { Field::Whole } else { Field::Phrase };
            Some(Opener { open: '(', close: ')', field })
        }
        // A target of Org: `[[http://…][text]]`.
        '[' if next() == Some('[') => whole('[', ']'),
        _ => {
            let close = properties::closing_bracket(nearest)
                .or_else(|| QUOTES.iter().find(|(open, _)| *open == nearest).map(|q| q.1))?;
            Some(Opener { open: nearest, close, field: Field::Phrase })
        }
    }
}
