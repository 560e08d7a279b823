//! From the value of a field to references: white space and character references
//! (draft-weber-iri-guidelines, section 4; RFC 3987, section 5.1).
//!
//! For whole values, such as those of attributes. In running text the scanner finds
//! references.

use alloc::{borrow::Cow, string::String, vec, vec::Vec};

use html_escape::NAMED_ENTITIES;

use super::class::{is_bidi_control, is_ucschar, is_unreserved};
use crate::data::{
    names::named,
    words::{Words, len},
};

/// How white space inside a value is treated. Both ends of a value are trimmed first, as by
/// [`trim`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum InnerSpace {
    /// Part of the one reference: each U+0020 becomes `%20`, and line ends and
    /// tabs are removed.
    #[default]
    Encode,
    /// Not part of the reference: it is removed.
    Remove,
    /// A separator between several references: runs of U+0020, U+000D, U+000C, U+000A and
    /// U+0009. Each reference is trimmed.
    Separate,
}

named! {
    InnerSpace is "a rule for inner white space":
    Encode = "encode",
    Remove = "remove",
    Separate = "separate",
}

/// Which character references are resolved, once, before anything else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CharacterReferences {
    /// None: plain text has no escapes.
    #[default]
    None,
    /// Numeric ones, and `amp`, `lt`, `gt`, `quot`, `apos` (XML 1.0, section 4).
    Xml,
    /// Numeric ones and all names of the HTML standard, as in an attribute: a number needs
    /// no `;`, nor does one of the 106 old names unless `=`, a letter or a digit follows.
    Html,
    /// Numeric ones of `iunreserved` characters, so that none turns into a
    /// delimiter.
    Iunreserved,
}

named! {
    CharacterReferences is "a set of character references":
    None = "none",
    Xml = "xml",
    Html = "html",
    Iunreserved = "iunreserved",
}

/// How the value of a field is read.
///
/// ```
/// use iriscan::reference::{CharacterReferences, FieldOptions, InnerSpace};
///
/// let html = FieldOptions::new().character_references(CharacterReferences::Html);
/// assert_eq!(html.references(" http://example.org/ros&eacute;?a&amp;b\n"),
///     ["http://example.org/rosé?a&b"]);
/// let ping = html.inner_space(InnerSpace::Separate);
/// assert_eq!(ping.references("http://a.example/  http://b.example/"),
///     ["http://a.example/", "http://b.example/"]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FieldOptions {
    inner_space: InnerSpace,
    character_references: CharacterReferences,
}

/// `text` without the characters at either end that are not part of a reference: space, tab,
/// line feed, form feed, carriage return, and the twelve bidi formatting characters, which show
/// a reference in the right order (RFC 3987, section 4.1).
///
/// ```
/// use iriscan::reference::trim;
///
/// assert_eq!(trim("\t\u{202A}http://a.example/א\u{202C} "), "http://a.example/א");
/// ```
#[must_use]
pub fn trim(text: &str) -> &str {
    text.trim_matches(is_trimmed)
}

/// White space of the URL Standard.
const fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\x0C' | '\r')
}

pub(super) const fn is_trimmed(c: char) -> bool {
    is_space(c) || is_bidi_control(c)
}

/// The white space that [`InnerSpace::Encode`] and [`InnerSpace::Remove`] treat.
const SPACE: [char; 4] = [' ', '\r', '\n', '\t'];

impl FieldOptions {
    /// The defaults: plain text with one reference.
    #[must_use]
    pub fn new() -> FieldOptions {
        FieldOptions::default()
    }

    /// How white space inside a value is treated.
    #[must_use]
    pub fn inner_space(self, inner_space: InnerSpace) -> FieldOptions {
        FieldOptions { inner_space, ..self }
    }

    /// Which character references are resolved.
    #[must_use]
    pub fn character_references(self, character_references: CharacterReferences) -> FieldOptions {
        FieldOptions { character_references, ..self }
    }

    /// The references in `value`: one, or with [`InnerSpace::Separate`] all that are separated.
    /// They are not checked.
    #[must_use]
    pub fn references<'a>(&self, value: &'a str) -> Vec<Cow<'a, str>> {
        match resolve(value, self.character_references) {
            Cow::Borrowed(value) => self.split(value).collect(),
            Cow::Owned(value) => {
                self.split(&value).map(|one| Cow::Owned(one.into_owned())).collect()
            }
        }
    }

    fn split<'v>(&self, value: &'v str) -> vec::IntoIter<Cow<'v, str>> {
        let trimmed = trim(value);
        let one = |reference| vec![reference];
        let references = match self.inner_space {
            InnerSpace::Separate => {
                let each = trimmed.split(is_space).map(trim);
                each.filter(|one| !one.is_empty()).map(Cow::Borrowed).collect()
            }
            _ if !trimmed.contains(SPACE) => one(Cow::Borrowed(trimmed)),
            InnerSpace::Remove => one(Cow::Owned(trimmed.replace(SPACE, ""))),
            InnerSpace::Encode => one(Cow::Owned(encode_space(trimmed))),
        };
        references.into_iter()
    }
}

/// `text` without line ends and tabs, its spaces as `%20`.
pub(crate) fn encode_space(text: &str) -> String {
    text.replace(['\r', '\n', '\t'], "").replace(' ', "%20")
}

/// The longest character reference that is read, in bytes, so that a run of `&` is not read to
/// its end again at each of them. The longest name of HTML has 32.
const NAME_MAX: usize = 64;

/// `value` with its character references resolved once.
fn resolve(value: &str, which: CharacterReferences) -> Cow<'_, str> {
    if which == CharacterReferences::None {
        return Cow::Borrowed(value);
    }
    replace_references(value, |rest| {
        let open = || if which == CharacterReferences::Html { unclosed(rest) } else { None };
        closed(rest, which).or_else(open)
    })
}

/// `text` with the character references of HTML resolved once that end with a `;`.
pub(crate) fn unescape(text: &str) -> Cow<'_, str> {
    replace_references(text, |rest| closed(rest, CharacterReferences::Html))
}

/// `value` with its character references replaced. `read` gives the length of the one at the `&`
/// where its argument starts, and its text.
fn replace_references(
    value: &str,
    read: impl Fn(&str) -> Option<(usize, Cow<'static, str>)>,
) -> Cow<'_, str> {
    if !value.contains('&') {
        return Cow::Borrowed(value);
    }
    let mut out = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        match read(rest) {
            Some((len, text)) => {
                out.push_str(&text);
                rest = &rest[len..];
            }
            None => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The length and the text of the character reference at the start of `text` that has a `;`.
fn closed(text: &str, which: CharacterReferences) -> Option<(usize, Cow<'static, str>)> {
    let end = text.bytes().take(NAME_MAX).position(|b| b == b';')?;
    Some((end + 1, named(&text[1..end], which)?))
}

/// The length and the text of the character reference at the start of `text` that has no
/// `;` (HTML standard, section 13.2.5.73 and after, for attributes).
fn unclosed(text: &str) -> Option<(usize, Cow<'static, str>)> {
    let run = |from: usize, counts: fn(&u8) -> bool| {
        let bytes = text.as_bytes().get(from..).unwrap_or_default();
        from + bytes.iter().take(NAME_MAX).take_while(|b| counts(b)).count()
    };
    if let Some(digits) = text.strip_prefix("&#") {
        let hex = digits.starts_with(['x', 'X']);
        let end = if hex { run(3, u8::is_ascii_hexdigit) } else { run(2, u8::is_ascii_digit) };
        return Some((end, named(&text[1..end], CharacterReferences::Html)?));
    }
    let name = legacy(&text.as_bytes()[1..])?;
    let end = 1 + name.len();
    // `?a=b&copy=c` holds a parameter of that name.
    let parameter = |b: &u8| *b == b'=' || b.is_ascii_alphanumeric();
    let next = text.as_bytes().get(end).filter(|b| parameter(b));
    if next.is_some() { None } else { entity(name.as_bytes()).map(|text| (end, text.into())) }
}

/// The text of the character reference between `&` and `;`.
fn named(name: &str, which: CharacterReferences) -> Option<Cow<'static, str>> {
    if let Some(number) = name.strip_prefix('#') {
        // XML has a small x only.
        let html = number.strip_prefix('X').filter(|_| which != CharacterReferences::Xml);
        let hex = number.strip_prefix('x').or(html);
        let (digits, radix) = hex.map_or((number, 10), |digits| (digits, 16));
        // `from_str_radix` would take a sign.
        if !digits.starts_with(|c: char| c.is_digit(radix)) {
            return None;
        }
        let c = u32::from_str_radix(digits, radix).ok().and_then(char::from_u32)?;
        let c = match which {
            CharacterReferences::Html => remapped(c),
            _ => c,
        };
        let allowed = match which {
            CharacterReferences::Iunreserved if c.is_ascii() => is_unreserved(c as u8),
            CharacterReferences::Iunreserved => is_ucschar(c.into()) && !is_bidi_control(c),
            _ => c != '\0',
        };
        return allowed.then(|| String::from(c).into());
    }
    let xml = matches!(name, "amp" | "lt" | "gt" | "quot" | "apos");
    let known = match which {
        CharacterReferences::Html => true,
        CharacterReferences::Xml => xml,
        CharacterReferences::None | CharacterReferences::Iunreserved => false,
    };
    entity(name.as_bytes()).filter(|_| known).map(Cow::Borrowed)
}

/// The characters that HTML has this name for.
pub(crate) fn entity(name: &[u8]) -> Option<&'static str> {
    match name {
        // Most are one of these.
        b"quot" => Some("\""),
        b"lt" => Some("<"),
        b"gt" => Some(">"),
        b"nbsp" => Some("\u{A0}"),
        _ => core::str::from_utf8(ENTITIES.1.get(ENTITIES.0.find(name)?)).ok(),
    }
}

/// Names in order, and the text of each.
type Entities = (Words<{ COUNT + 1 }, { len(&NAMES) }>, Words<{ COUNT + 1 }, { len(&TEXTS) }>);

static ENTITIES: Entities = (Words::of(&NAMES), Words::of(&TEXTS));

const COUNT: usize = NAMED_ENTITIES.len();

static NAMES: [&str; COUNT] = {
    let (mut names, mut i) = ([""; COUNT], 0);
    while i < COUNT {
        names[i] = match core::str::from_utf8(NAMED_ENTITIES[i].0) {
            Ok(name) => name,
            Err(_) => panic!("names should be ASCII"),
        };
        i += 1;
    }
    names
};

static TEXTS: [&str; COUNT] = {
    let (mut texts, mut i) = ([""; COUNT], 0);
    while i < COUNT {
        texts[i] = NAMED_ENTITIES[i].1;
        i += 1;
    }
    texts
};

/// Names that count without a `;` (HTML standard, section 13.5), in order.
const LEGACY: [&str; 106] = [
    "AElig", "AMP", "Aacute", "Acirc", "Agrave", "Aring", "Atilde", "Auml", "COPY", "Ccedil",
    "ETH", "Eacute", "Ecirc", "Egrave", "Euml", "GT", "Iacute", "Icirc", "Igrave", "Iuml", "LT",
    "Ntilde", "Oacute", "Ocirc", "Ograve", "Oslash", "Otilde", "Ouml", "QUOT", "REG", "THORN",
    "Uacute", "Ucirc", "Ugrave", "Uuml", "Yacute", "aacute", "acirc", "acute", "aelig", "agrave",
    "amp", "aring", "atilde", "auml", "brvbar", "ccedil", "cedil", "cent", "copy", "curren", "deg",
    "divide", "eacute", "ecirc", "egrave", "eth", "euml", "frac12", "frac14", "frac34", "gt",
    "iacute", "icirc", "iexcl", "igrave", "iquest", "iuml", "laquo", "lt", "macr", "micro",
    "middot", "nbsp", "not", "ntilde", "oacute", "ocirc", "ograve", "ordf", "ordm", "oslash",
    "otilde", "ouml", "para", "plusmn", "pound", "quot", "raquo", "reg", "sect", "shy", "sup1",
    "sup2", "sup3", "szlig", "thorn", "times", "uacute", "ucirc", "ugrave", "uml", "uuml",
    "yacute", "yen", "yuml",
];

/// Where the names begin that start with each ASCII character, or with one after it.
const BEGINNINGS: [u8; 129] = {
    let (mut beginnings, mut char) = ([0; 129], 0);
    while char < 128 {
        let mut next = beginnings[char];
        while (next as usize) < LEGACY.len() && LEGACY[next as usize].as_bytes()[0] <= char as u8 {
            next += 1;
        }
        char += 1;
        beginnings[char] = next;
    }
    beginnings
};

/// The longest name that counts without a `;` and with which `name` begins.
pub(crate) fn legacy(name: &[u8]) -> Option<&'static str> {
    let first = usize::from(*name.first().filter(|b| b.is_ascii())?);
    let alike = usize::from(BEGINNINGS[first])..usize::from(BEGINNINGS[first + 1]);
    // A name comes after every name that it begins with.
    LEGACY[alike].iter().rev().find(|legacy| name.starts_with(legacy.as_bytes())).copied()
}

/// The characters of windows-1252 at 80 to 9F.
#[rustfmt::skip]
const WINDOWS_1252: [char; 32] = [
    '\u{20AC}', '\u{81}', '\u{201A}', '\u{192}', '\u{201E}', '\u{2026}', '\u{2020}', '\u{2021}',
    '\u{2C6}', '\u{2030}', '\u{160}', '\u{2039}', '\u{152}', '\u{8D}', '\u{17D}', '\u{8F}',
    '\u{90}', '\u{2018}', '\u{2019}', '\u{201C}', '\u{201D}', '\u{2022}', '\u{2013}', '\u{2014}',
    '\u{2DC}', '\u{2122}', '\u{161}', '\u{203A}', '\u{153}', '\u{9D}', '\u{17E}', '\u{178}',
];

/// `&#128;` to `&#159;` are windows-1252 (HTML standard, "numeric character
/// reference end state").
pub(crate) fn remapped(c: char) -> char {
    match c {
        '\u{80}'..='\u{9F}' => WINDOWS_1252[c as usize - 0x80],
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    #[test]
    fn references_to_controls_are_windows_1252() {
        for byte in 0x80..=0x9F_u8 {
            let bytes = [byte];
            let decoded = encoding_rs::WINDOWS_1252.decode_without_bom_handling(&bytes).0;
            assert_eq!(decoded.chars().next(), Some(remapped(char::from(byte))));
        }
    }

    #[test]
    fn legacy_names_are_in_order_and_known() {
        assert!(LEGACY.is_sorted());
        assert!(LEGACY.iter().all(|name| entity(name.as_bytes()).is_some()));
        for name in LEGACY {
            assert_eq!(legacy(name.as_bytes()), Some(name));
            assert_eq!(legacy(format!("{name}x1").as_bytes()), Some(name));
        }
        assert_eq!(legacy(b"notin"), Some("not"));
        assert_eq!((legacy(b"frac1"), legacy(b"zz"), legacy(b"")), (None, None, None));
    }
}
