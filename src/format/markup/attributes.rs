//! What the attributes of HTML mean: which hold references, and which hold prose.

use super::{
    names::SPECIAL,
    tag::{Meaning, Tag},
};
use crate::format::lexing::{
    lexer::{Region, Value, is_space},
    lookahead::Lookahead,
};

/// Returns what the value of the attribute is that `bytes` begin with. `refresh`: the tag is a
/// `<meta http-equiv=refresh>`, as far as it was read.
#[inline]
pub(in crate::format) fn meaning(tag: &Tag, refresh: &mut bool, bytes: Lookahead<'_>) -> Meaning {
    let element = tag.element.get();
    let value = match tag.attribute.get() {
        name if !SPECIAL.may_hold(name) => return Meaning::Text(Region::Field),
        b"href" if element == b"base" => Value::Base,
        b"href" | b"src" | b"xlink:href" | b"poster" | b"formaction" | b"cite" | b"background"
        | b"longdesc" | b"lowsrc" | b"dynsrc" | b"codebase" => Value::One,
        b"action" if element == b"form" => Value::One,
        b"data" if element == b"object" => Value::One,
        b"manifest" if element == b"html" => Value::One,
        b"profile" if element == b"head" => Value::List,
        b"ping" if matches!(element, b"a" | b"area") => Value::List,
        b"srcset" | b"imagesrcset" => Value::Srcset,
        b"style" => Value::Css,
        b"http-equiv" if element == b"meta" => {
            let head = bytes.get(..7).unwrap_or(&bytes);
            if head.len() < 7
                && b"refresh"[..head.len()].eq_ignore_ascii_case(head)
                && bytes.is_partial()
            {
                return Meaning::More;
            }
            *refresh = head.eq_ignore_ascii_case(b"refresh");
            return Meaning::Text(Region::Field);
        }
        b"content" if element == b"meta" => {
            // `http-equiv` may come after it.
            let refresh = if *refresh { Some(true) } else { is_refresh(bytes) };
            match refresh {
                None => return Meaning::More,
                Some(true) => Value::Refresh,
                Some(false) => return Meaning::Text(Region::Field),
            }
        }
        _ => return Meaning::Text(Region::Field),
    };
    Meaning::Text(Region::Reference(value))
}

/// Whether a value begins like that of a refresh: `5; url=`. `None`: more bytes are needed.
fn is_refresh(bytes: Lookahead<'_>) -> Option<bool> {
    let head = &bytes[..bytes.len().min(32)];
    let skip = |from: usize, over: fn(&u8) -> bool| {
        from + head[from..].iter().take_while(|b| over(b)).count()
    };
    let digits = skip(0, |b| is_space(*b));
    let after = skip(digits, |b| b.is_ascii_digit() || *b == b'.');
    let mark = skip(after, |b| is_space(*b));
    let word = skip(mark, |b| is_space(*b) || matches!(b, b';' | b','));
    let url = &head[word..head.len().min(word + 3)];
    let so_far = (after > digits || after == head.len())
        && (word > mark || word == head.len())
        && url.eq_ignore_ascii_case(&b"url"[..url.len()]);
    match so_far {
        true if url.len() == 3 => Some(true),
        true if head.len() < 32 && bytes.is_partial() => None,
        _ => Some(false),
    }
}
