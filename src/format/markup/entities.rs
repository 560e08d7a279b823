//! Character references of HTML and XML, read from bytes that may be cut.

use crate::{
    format::lexing::{
        lexer::{Chars, Token},
        lookahead::Lookahead,
    },
    reference::field::{entity, legacy, remapped},
};

/// Where a reference is, which decides what counts as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::format) enum Where {
    /// Text of HTML.
    Text,
    /// A value of an attribute of HTML.
    Attribute,
    /// XML, without a document type of its own.
    Xml,
    /// Markdown: the names of HTML, always with the semicolon.
    Markdown,
}

/// What begins at an `&`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::format) enum Reference {
    /// More bytes are needed.
    More,
    /// No reference: it is only an `&`.
    None,
    /// A reference of so many bytes, and its characters.
    Is(usize, Chars),
}

/// Longer ones are not read: names have up to 31 characters.
const LONGEST: usize = 48;

/// The most common references, which are the same everywhere.
const COMMON: [(&[u8], u8); 5] =
    [(b"&amp;", b'&'), (b"&quot;", b'"'), (b"&lt;", b'<'), (b"&gt;", b'>'), (b"&#39;", b'\'')];

/// Reads the reference at the `&` that `bytes` begin with.
pub(in crate::format) fn reference(bytes: Lookahead<'_>, place: Where) -> Reference {
    let open = |at: usize| at == bytes.len() && bytes.is_partial() && at < LONGEST;
    // Most references are these.
    for (common, char) in COMMON {
        if bytes.starts_with(common) {
            return Reference::Is(common.len(), Chars::byte(char));
        }
    }
    match bytes.get(1) {
        None if open(1) => Reference::More,
        Some(b'#') => number(bytes, place),
        Some(b) if b.is_ascii_alphanumeric() => {
            let run = bytes[1..].iter().take(LONGEST).take_while(|b| b.is_ascii_alphanumeric());
            let end = 1 + run.count();
            if open(end) {
                return Reference::More;
            }
            named(&bytes[1..end], bytes.get(end).copied(), place)
        }
        _ => Reference::None,
    }
}

/// Returns the token at an `&` in a region.
pub(in crate::format) fn referenced(bytes: Lookahead<'_>, place: Where) -> Option<Token> {
    match reference(bytes, place) {
        Reference::More => None,
        Reference::None => Some(Token::Raw(1)),
        Reference::Is(len, chars) => Some(Token::Escape(len, chars)),
    }
}

fn named(name: &[u8], next: Option<u8>, place: Where) -> Reference {
    let known = place != Where::Xml || matches!(name, b"amp" | b"lt" | b"gt" | b"quot" | b"apos");
    if next == Some(b';')
        && known
        && let Some(chars) = lookup(name)
    {
        return Reference::Is(name.len() + 2, chars);
    }
    if matches!(place, Where::Xml | Where::Markdown) {
        return Reference::None;
    }
    let Some(legacy) = legacy(name) else { return Reference::None };
    let after = name.get(legacy.len()).copied().or(next);
    let literal = after.is_some_and(|b| b == b'=' || b.is_ascii_alphanumeric());
    match lookup(legacy.as_bytes()) {
        // For the sake of `?a=b&copy=c`.
        Some(chars) if place != Where::Attribute || !literal => {
            Reference::Is(legacy.len() + 1, chars)
        }
        _ => Reference::None,
    }
}

fn lookup(name: &[u8]) -> Option<Chars> {
    Chars::text(entity(name)?)
}

fn number(bytes: Lookahead<'_>, place: Where) -> Reference {
    let (radix, from) = match bytes.get(2) {
        Some(b'x') => (16, 3),
        Some(b'X') if place != Where::Xml => (16, 3),
        _ => (10, 2),
    };
    let is_digit = |b: &&u8| char::from(**b).is_digit(radix);
    let digits = bytes.get(from..).unwrap_or_default().iter().take(LONGEST).take_while(is_digit);
    let end = (from + digits.count()).min(bytes.len());
    if end == bytes.len() && bytes.is_partial() && end < LONGEST {
        return Reference::More;
    }
    if end == from || end > LONGEST {
        return Reference::None;
    }
    let closed = bytes.get(end) == Some(&b';');
    if matches!(place, Where::Xml | Where::Markdown) && !closed {
        return Reference::None;
    }
    let digit = |value: u32, b: &u8| {
        let digit = char::from(*b).to_digit(radix).unwrap_or_default();
        value.saturating_mul(radix).saturating_add(digit)
    };
    let value = bytes[from..end].iter().fold(0, digit);
    let chars = match char::from_u32(value) {
        None | Some('\0') => Chars::MALFORMED,
        Some(c) if matches!(place, Where::Text | Where::Attribute) => Chars::from(remapped(c)),
        Some(c) => Chars::from(c),
    };
    Reference::Is(end + usize::from(closed), chars)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, place: Where) -> Option<(usize, char)> {
        match reference(Lookahead::whole(text.as_bytes()), place) {
            Reference::Is(len, chars) => {
                let text = core::str::from_utf8(chars.as_bytes()).unwrap_or("\u{FFFD}");
                Some((len, text.chars().next().unwrap()))
            }
            Reference::None => None,
            Reference::More => panic!("the end should decide"),
        }
    }

    #[test]
    fn names_and_numbers() {
        use Where::*;
        for (text, place, want) in [
            ("&amp;x", Text, Some((5, '&'))),
            ("&eacute", Text, Some((7, 'é'))),
            ("&notit;", Text, Some((4, '¬'))),
            ("&notin;", Text, Some((7, '∉'))),
            ("&copy=1", Attribute, None),
            ("&copy=1", Text, Some((5, '©'))),
            ("&copyx", Attribute, None),
            ("&copy;", Attribute, Some((6, '©'))),
            ("&copy\"", Attribute, Some((5, '©'))),
            ("&eacute;", Xml, None),
            ("&apos;", Xml, Some((6, '\''))),
            ("&#233;", Text, Some((6, 'é'))),
            ("&#233x", Text, Some((5, 'é'))),
            ("&#233x", Xml, None),
            ("&#xE9;", Xml, Some((6, 'é'))),
            ("&#XE9;", Xml, None),
            ("&#128;", Text, Some((6, '€'))),
            ("&#128;", Xml, Some((6, '\u{80}'))),
            ("&#x110000;", Text, Some((10, '\u{FFFD}'))),
            ("&#;", Text, None),
            ("&#x;", Text, None),
            ("& ", Text, None),
            ("&", Text, None),
            ("&CounterClockwiseContourIntegral;", Text, Some((33, '∳'))),
        ] {
            assert_eq!(read(text, place), want, "{text} in {place:?}");
        }
    }

    #[test]
    fn what_is_cut_is_waited_for() {
        let text = b"&CounterClockwiseContourIntegral;";
        for cut in 1..text.len() {
            assert_eq!(
                reference(Lookahead::part(&text[..cut]), Where::Text),
                Reference::More,
                "{cut}"
            );
        }
        let endless = [b"&#".to_vec(), vec![b'1'; 100]].concat();
        assert_eq!(reference(Lookahead::part(&endless), Where::Text), Reference::None);
        assert_eq!(reference(Lookahead::part(&endless[..60]), Where::Text), Reference::None);
    }

    use alloc::vec;
}
