//! Words of a text of HTML that tags may divide.
//!
//! The tag of an element that goes on with the line (`<b>`, `<wbr>`) does not divide a word, so a link may go
//! over it: half of a host would be another host.

use super::tag::{Meaning, Name, Part, Tag, ends_name};
use crate::format::lexing::{
    lexer::{AHEAD, Region, Value, is_space},
    lookahead::Lookahead,
    triggers::Triggers,
    value::may_hold_url,
};

/// How many bytes of a value decide whether it holds a link, if its tag is within a word.
const NEAR: usize = AHEAD - 4;

/// How much of what a link needs a word of text has: a letter and `://`, or a trigger of another kind; if
/// hosts without a scheme are looked for, a letter at its end is enough. No text with a link in this sense
/// is passed over by the [`Skipper`](crate::format::markup::skip::Skipper), so a word is divided in the same way with and
/// without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::format) enum Word {
    Other,
    /// The last byte is a letter or a digit.
    Letter,
    /// The last byte is a hyphen, which may be in a host.
    Hyphen,
    Colon,
    Slash,
    Link,
    /// A link with something after its host.
    Path,
}

impl Word {
    pub(in crate::format) fn push(self, b: u8, triggers: Triggers) -> Word {
        match (self, b) {
            (Word::Path, _) | (Word::Link, b'/' | b'?' | b'#') => Word::Path,
            (Word::Link, _) | (Word::Slash, b'/') => Word::Link,
            (Word::Letter, b':') if triggers != Triggers::Any => Word::Colon,
            (Word::Colon, b'/') => Word::Slash,
            (_, b) if b != b':' && triggers.has(b) => Word::Link,
            (_, b) => Word::after(b),
        }
    }

    /// A word without anything of a link that ends with this byte.
    pub(in crate::format) fn after(b: u8) -> Word {
        match b {
            b'-' => Word::Hyphen,
            b if b.is_ascii_alphanumeric() => Word::Letter,
            _ => Word::Other,
        }
    }
}

/// The elements whose tags do not divide a word, in order. Not those whose text is raised or set beside
/// the line, as numbers of notes are, and not `<a>`, which is a link of its own.
const WITHIN_WORDS: [&[u8]; 32] = [
    b"abbr", b"acronym", b"b", b"bdi", b"bdo", b"big", b"blink", b"cite", b"code", b"data", b"del",
    b"dfn", b"em", b"font", b"i", b"ins", b"kbd", b"label", b"mark", b"nobr", b"o:p", b"s",
    b"samp", b"small", b"span", b"strike", b"strong", b"time", b"tt", b"u", b"var", b"wbr",
];

/// Whether the markup that `bytes` begin with does not divide a word of text. `None`: more bytes are
/// needed.
pub(crate) fn is_within_words(bytes: Lookahead<'_>) -> Option<bool> {
    if bytes.get(1) == Some(&b'!') {
        return bytes.begins(b"<!--");
    }
    let name = name_of(bytes, 12)?;
    Some(WITHIN_WORDS.binary_search(&name.get()).is_ok())
}

/// The name of the element in the tag that `bytes` begin with, in lower case; empty if it has `most` bytes or
/// more. `None`: more bytes are needed.
pub(in crate::format) fn name_of(bytes: Lookahead<'_>, most: usize) -> Option<Name> {
    let from = if bytes.get(1) == Some(&b'/') { 2 } else { 1 };
    let near = bytes.from(from.min(bytes.len())).near(most);
    match near.iter().position(|b| ends_name(*b)) {
        None if near.is_partial() => None,
        len => Some(Name::from(&near[..len.unwrap_or(0)])),
    }
}

/// Whether text begins with a link, which then begins a word of its own. `None`: more bytes are needed.
pub(in crate::format) fn begins_link(bytes: Lookahead<'_>) -> Option<bool> {
    for start in [&b"http:"[..], b"https:", b"mailto:", b"ftp:", b"www."] {
        if bytes.begins(start)? {
            return Some(true);
        }
    }
    Some(false)
}

/// What the value in `region` that `bytes` begin with is within a word: no text if it holds no link, as
/// far as it is near.
pub(in crate::format) fn within_word(
    triggers: Triggers,
    region: Region,
    tag: &Tag,
    bytes: Lookahead<'_>,
) -> Meaning {
    let near = bytes.near(NEAR);
    let end = match tag.part {
        Part::Value { quote: 0, .. } => near.iter().position(|b| is_space(*b) || *b == b'>'),
        Part::Value { quote, .. } => memchr::memchr(quote, &near),
        _ => None,
    };
    let value = 0..end.unwrap_or(near.len());
    let may_hold = match region {
        Region::Reference(value) if value != Value::Css => true,
        // The bytes next to a trigger decide about it.
        _ if end.is_none() && near.is_partial() => return Meaning::More,
        Region::Reference(_) => may_hold_url(&near[value]),
        _ => triggers.may_be_in(&near, value),
    };
    if may_hold { Meaning::Text(region) } else { Meaning::NoText }
}
