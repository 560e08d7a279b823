//! Divides the value of a field into references, and decides which of them count.
//!
//! The text of a value goes in, with escapes resolved; ranges of references come out.

use alloc::{string::String, vec::Vec};
use core::ops::Range;

use super::{
    lexer::{AHEAD, Value, is_space},
    lookahead::Lookahead,
};
use crate::{
    charset::source_map::{Make, SAME, SourceMap},
    data::{
        rules::Rule,
        schemes::{NEVER, SCHEME_MAX, Schemes},
    },
    engine::rules::Rules,
    format::css::{Css, Step},
    reference::field::{encode_space, trim},
};

/// The greatest length of a value in which links of up to `max_len` bytes are looked for.
pub(crate) fn room(max_len: u64) -> u64 {
    max_len.saturating_add(64 * 1024)
}

impl Value {
    /// Whether it is one reference.
    fn is_one(self) -> bool {
        matches!(
            self,
            Value::One | Value::Base | Value::Exact | Value::About | Value::Name | Value::Url
        )
    }

    /// Whether white space belongs to the reference.
    pub(in crate::format) fn is_exact(self) -> bool {
        matches!(self, Value::Exact | Value::Name)
    }

    /// Whether the reference is an identifier, which must not be changed (RFC 3987, section
    /// 5.3.1).
    pub(in crate::format) fn is_identifier(self) -> bool {
        matches!(self, Value::About | Value::Name)
    }

    /// Whether `text`, which is longer than [`room`], is the start of one reference that counts.
    pub(in crate::format) fn is_overlong(self, text: &[u8], rules: &Rules) -> bool {
        self.is_one() && counts(&text[trimmed(text).start..], rules)
    }
}

/// Whether a reference has white space, which it must not.
pub(in crate::format) fn is_spaced(reference: &[u8]) -> bool {
    // Hardly any does, so this is a loop without a branch first.
    let blank = reference.iter().fold(false, |blank, b| blank | (*b <= b' '));
    blank && reference.iter().copied().any(is_space)
}

/// Returns a reference with white space as the URL Standard reads it: line ends and tabs are
/// dropped, a space is `%20`.
pub(in crate::format) fn unspaced(reference: &str) -> String {
    encode_space(reference.trim_matches([' ', '\r', '\n', '\t'])).replace('\u{C}', "%0C")
}

/// Whether a text begins with a scheme and `//`, and so is a reference where one may
/// be. Other text in such elements is a name (`<guid>`), or prose.
pub(in crate::format) fn is_absolute(bytes: Lookahead<'_>) -> Option<bool> {
    let head = bytes.near(AHEAD);
    let start = head.iter().take_while(|b| is_space(**b)).count();
    let scheme = head[start..].iter().take_while(|b| b.is_ascii_alphanumeric()).count();
    let behind = &head[start + scheme..];
    let seen = &behind[..behind.len().min(3)];
    if !b"://".starts_with(seen) {
        return Some(false);
    }
    match seen.len() {
        3 => Some(scheme > 0),
        _ if head.is_partial() => None,
        _ => Some(false),
    }
}

/// Whether a value is a reference without a closer look: it is graphic ASCII, and its first byte
/// rules out schemes that are never links. Most values are.
pub(in crate::format) fn is_plain(value: &[u8]) -> bool {
    let is_graphic = |all: bool, b: &u8| all & b.is_ascii_graphic();
    let Some(first) = value.first().map(u8::to_ascii_lowercase) else { return false };
    let may_be_never = first == b'\\' || NEVER.iter().any(|never| never.as_bytes()[0] == first);
    !may_be_never
        && !value.ends_with(b"//")
        && match value.last_chunk::<16>() {
            Some(last) => {
                let mut chunks = value.chunks_exact(16);
                last.iter().fold(true, is_graphic)
                    && chunks.all(|chunk| chunk.iter().fold(true, is_graphic))
            }
            None => value.iter().fold(true, is_graphic),
        }
}

/// Whether a whole reference is a link: its scheme does not run code or hold data, and is one
/// of those that the configuration names ([`Config::schemes`]), if it names any.
///
/// [`Config::schemes`]: crate::api::config::Config::schemes
pub(in crate::format) fn counts(reference: &[u8], rules: &Rules) -> bool {
    let mut name = [0; SCHEME_MAX];
    let Some((len, rest)) = scheme(reference, &mut name) else {
        // A relative reference.
        return rules.options.schemes.is_none();
    };
    let name = &name[..len];
    if NEVER.iter().any(|never| never.as_bytes() == name) {
        return false;
    }
    // `https://` and `file:///` are places to be filled in.
    let described = || Schemes::Common.get(name).is_some_and(|scheme| !scheme.is_opaque());
    if matches!(rest, b"//" | b"///") && described() {
        return false;
    }
    // A scheme that is not a common one needs `//`, or a character as in text, if somebody names it.
    rules.options.schemes.is_none()
        || rules.schemes().get(name).is_some_and(|scheme| {
            let mut rest = rest.iter().filter(|b| !is_dropped(**b));
            let (first, second) = (rest.next(), rest.next());
            let named = scheme.is_opaque() && first.is_some_and(|b| !matches!(b, b'/' | b' '));
            scheme.described || named || [first, second] == [Some(&b'/'); 2]
        })
}

/// Why a whole reference is no link; `None` if it is one.
pub(crate) fn refusal(reference: &[u8], rules: &Rules) -> Option<Rule> {
    let mut name = [0; SCHEME_MAX];
    match scheme(reference, &mut name) {
        _ if counts(reference, rules) => None,
        None => Some(Rule::KindNotAsked),
        Some((len, _)) if NEVER.iter().any(|it| it.as_bytes() == &name[..len]) => {
            Some(Rule::SchemeOfCode)
        }
        Some((_, b"//" | b"///")) => Some(Rule::EmptyHost),
        Some(_) => Some(Rule::UnknownScheme),
    }
}

/// Line ends and tabs, which a browser removes from a reference.
fn is_dropped(b: u8) -> bool {
    matches!(b, b'\t' | b'\n' | b'\r')
}

/// Writes the scheme of a reference to `name` in lower case; returns its length, and the rest
/// after the colon. `None`: the reference is relative, or the name is too long.
fn scheme<'r>(reference: &'r [u8], name: &mut [u8; SCHEME_MAX]) -> Option<(usize, &'r [u8])> {
    let letters = reference.iter().enumerate().filter(|(_, b)| !is_dropped(**b));
    for (len, (at, b)) in letters.enumerate() {
        match b {
            b'a'..=b'z' | b'A'..=b'Z' => {}
            b'0'..=b'9' | b'+' | b'-' | b'.' if len > 0 => {}
            b':' if len > 0 => return Some((len, &reference[at + 1..])),
            _ => return None,
        }
        *name.get_mut(len)? = b.to_ascii_lowercase();
    }
    None
}

/// Whether a value that has no end, because the document ends, has more than a reference.
pub(in crate::format) fn is_torn(text: &[u8]) -> bool {
    text.iter().any(|b| is_space(*b) || b"<>\"'".contains(b))
}

/// A reference in a value.
pub(crate) enum Reference {
    At(Range<usize>),
    Undone(Undone),
}

/// A reference of which escapes were undone that the value alone has.
pub(crate) struct Undone {
    pub(in crate::format) text: Vec<u8>,
    /// From that text to the value.
    pub(in crate::format) map: SourceMap,
}

/// Calls `take` with each reference in `text` that is not empty.
pub(crate) fn references(value: Value, text: &[u8], mut take: impl FnMut(Reference)) {
    if value == Value::Css {
        return css(text, |url| match url {
            Reference::At(range) => {
                let inside = trimmed(&text[range.clone()]);
                if !inside.is_empty() {
                    let (start, end) = (range.start + inside.start, range.start + inside.end);
                    take(Reference::At(start..end));
                }
            }
            undone => take(undone),
        });
    }
    let mut each = |range: Range<usize>| {
        let range = match value.is_exact() {
            true => range,
            false => {
                let inside = trimmed(&text[range.clone()]);
                unescaped(text, range.start + inside.start..range.start + inside.end)
            }
        };
        if !range.is_empty() {
            take(Reference::At(range));
        }
    };
    match value {
        Value::One | Value::Base | Value::Exact | Value::About | Value::Name => {
            each(0..text.len());
        }
        Value::List => words(text).for_each(each),
        Value::Pairs => words(text).skip(1).step_by(2).for_each(each),
        Value::Srcset => srcset(text, each),
        Value::Refresh => refresh(text).into_iter().for_each(each),
        // After another byte of a character it was not certain to be an escape.
        Value::Url if text.windows(2).any(|two| !two[0].is_ascii() && two[1] == b'\\') => {}
        Value::Url => each(0..text.len()),
        Value::Css => {}
    }
}

/// Returns the range without white space, controls (URL Standard, section 4.4) and bidi formatting
/// characters at both ends. The latter show a reference in the right order, and are not part of it (RFC
/// 3987, section 4.1).
pub(in crate::format) fn trimmed(text: &[u8]) -> Range<usize> {
    let Some(first) = text.iter().position(|b| *b > b' ') else { return 0..0 };
    let last = text.iter().rposition(|b| *b > b' ').unwrap_or(first);
    // Most begin and end with ASCII.
    if text[first].is_ascii() && text[last].is_ascii() {
        return first..last + 1;
    }
    let Ok(between) = core::str::from_utf8(&text[first..=last]) else { return first..last + 1 };
    let reference = trim(between);
    let start = first + between.find(reference).unwrap_or_default();
    start..start + reference.len()
}

/// Returns the range without the quotation marks of `href=\"…\"`, which markup in a string of a
/// script has.
pub(in crate::format) fn unescaped(text: &[u8], range: Range<usize>) -> Range<usize> {
    match text[range.clone()] {
        [b'\\', a @ (b'"' | b'\''), .., b'\\', b] if a == b => range.start + 2..range.end - 2,
        _ => range,
    }
}

/// The words of a text, between white space.
fn words(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    core::iter::from_fn(move || {
        let start = skip(text, at, is_space);
        at = skip(text, start, |b| !is_space(b));
        (start < at).then_some(start..at)
    })
}

fn skip(text: &[u8], from: usize, over: impl Fn(u8) -> bool) -> usize {
    text[from..].iter().position(|b| !over(*b)).map_or(text.len(), |n| from + n)
}

/// Returns where the next white space is, from `from` on; looks as [`is_spaced`] does.
fn space(text: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(chunk) = text[at..].first_chunk::<16>()
        && chunk.iter().fold(true, |graphic, b| graphic & (*b > b' '))
    {
        at += chunk.len();
    }
    skip(text, at, |b| !is_space(b))
}

/// HTML standard, "parse a srcset attribute".
fn srcset(text: &[u8], mut each: impl FnMut(Range<usize>)) {
    let mut at = 0;
    loop {
        let start = skip(text, at, |b| is_space(b) || b == b',');
        if start == text.len() {
            return;
        }
        let end = space(text, start);
        let word = &text[start..end];
        let commas = word.iter().rev().take_while(|b| **b == b',').count();
        each(start..end - commas);
        at = end;
        if commas == 0 {
            // Descriptors, up to a comma outside of parentheses.
            let mut inside = false;
            while at < text.len() {
                match text[at] {
                    b'(' => inside = true,
                    b')' => inside = false,
                    b',' if !inside => break,
                    _ => {}
                }
                at += 1;
            }
        }
    }
}

/// HTML standard, "shared declarative refresh steps".
fn refresh(text: &[u8]) -> Option<Range<usize>> {
    let at = skip(text, 0, is_space);
    let digits = skip(text, at, |b| b.is_ascii_digit());
    let at = skip(text, digits, |b| b.is_ascii_digit() || b == b'.');
    if at == 0 || !(text.get(at).is_some_and(|b| matches!(b, b';' | b',') || is_space(*b))) {
        return None;
    }
    let at = skip(text, at, is_space);
    let at = if matches!(text.get(at), Some(b';' | b',')) { at + 1 } else { at };
    let mut start = skip(text, at, is_space);
    if text[start..].get(..3).is_some_and(|name| name.eq_ignore_ascii_case(b"url")) {
        let equals = skip(text, start + 3, is_space);
        if text.get(equals) == Some(&b'=') {
            start = skip(text, equals + 1, is_space);
        }
    }
    match text.get(start) {
        Some(&quote @ (b'"' | b'\'')) => {
            let end = skip(text, start + 1, |b| b != quote);
            Some(start + 1..end)
        }
        _ => Some(start..text.len()),
    }
}

/// Calls `take` with the URLs of a style sheet.
fn css(sheet: &[u8], mut take: impl FnMut(Reference)) {
    let mut give = |from: usize, to: usize, made: Option<Undone>| {
        take(made.map_or(Reference::At(from..to), Reference::Undone));
    };
    let (mut css, mut at) = (Css::new(), 0);
    let mut open: Option<(usize, Option<Undone>)> = None;
    while at < sheet.len() {
        match css.next(Lookahead::whole(&sheet[at..])) {
            Some(Step::Skip(n)) => at += n,
            Some(Step::Raw(n)) => {
                if let Some((_, Some(Undone { text, map }))) = &mut open {
                    text.extend_from_slice(&sheet[at..at + n]);
                    map.push(n, n, SAME);
                }
                at += n;
            }
            Some(Step::Escape(n, chars)) => {
                if let Some((from, made)) = &mut open {
                    let Undone { text, map } = made.get_or_insert_with(|| {
                        let mut map = SourceMap::at(*from as u64);
                        map.push(at - *from, at - *from, SAME);
                        Undone { text: sheet[*from..at].to_vec(), map }
                    });
                    chars.append_to(text);
                    map.push(chars.as_bytes().len(), n, Make::Escape);
                }
                at += n;
            }
            Some(Step::Begin(_)) => open = Some((at, None)),
            Some(Step::End) => {
                if let Some((from, made)) = open.take() {
                    give(from, at, made);
                }
            }
            Some(Step::Cancel) => open = None,
            None => break,
        }
    }
    if let Some((from, made)) = open {
        give(from, at, made);
    }
}

/// Whether a style sheet has a byte that every URL in it needs.
pub(in crate::format) fn may_hold_url(sheet: &[u8]) -> bool {
    memchr::memchr2(b'(', b'@', sheet).is_some()
}

#[cfg(test)]
mod tests {
    use alloc::{string::ToString, vec::Vec};

    use proptest::prelude::*;

    use super::*;
    use crate::{
        api::{config::Config, finder::Finder},
        data::schemes::Schemes,
    };

    proptest! {
        /// A plain value passes all closer looks.
        #[test]
        fn plain_values_are_references_as_they_stand(
            pieces in prop::collection::vec(
                prop::sample::select(&[
                    "/", "a", "http:", "data", "j", "J", "avascript", ":", "#", "\\\"", "\"", " ",
                    "\t", "\n", "\x7F", "é", "%20", "abcdefghijklmnop",
                ][..]),
                0..12,
            ),
        ) {
            let value = pieces.concat().into_bytes();
            if is_plain(&value) {
                prop_assert!(!value.is_empty() && value.is_ascii() && !is_spaced(&value));
                prop_assert!(counts(&value, &crate::api::finder::Finder::new().rules));
                prop_assert_eq!(unescaped(&value, trimmed(&value)), 0..value.len());
            }
        }
    }

    #[test]
    fn most_values_are_plain() {
        for plain in ["/wiki/A", "#a", "x", "http://example.org/abcdefghij?k=l&m=n"] {
            assert!(is_plain(plain.as_bytes()), "{plain}");
        }
    }

    fn all(value: Value, text: &str) -> Vec<String> {
        let mut found = Vec::new();
        references(value, text.as_bytes(), |reference| {
            found.push(match reference {
                Reference::At(range) => text[range].to_string(),
                Reference::Undone(undone) => String::from_utf8(undone.text).unwrap(),
            });
        });
        found
    }

    #[test]
    fn values_of_html() {
        let cases: &[(Value, &str, &[&str])] = &[
            (Value::One, " \n http://a/b c\t", &["http://a/b c"]),
            (Value::One, " \n", &[]),
            (Value::Exact, " a ", &[" a "]),
            (Value::List, " a  b\nc", &["a", "b", "c"]),
            (Value::Pairs, " a  b\nc d e", &["b", "d"]),
            (Value::Pairs, " ", &[]),
            (Value::Srcset, "a.png 1x, b.png 2x", &["a.png", "b.png"]),
            (Value::Srcset, "a.png, b,c.png 100w,d", &["a.png", "b,c.png", "d"]),
            (Value::Srcset, ", a,,, b (x, y) ,c", &["a", "b", "c"]),
            (Value::Refresh, "5; url=/é", &["/é"]),
            (Value::Refresh, "0;URL = 'a b' c", &["a b"]),
            (Value::Refresh, "0,x", &["x"]),
            (Value::Refresh, "5", &[]),
            (Value::Refresh, "x; url=/", &[]),
            (Value::Css, "a: url( a.png ) x url('b c') y URL(\"d)e\")", &["a.png", "b c", "d)e"]),
            (Value::Css, "@import 'x.css'; /* url(no) */ url(a\\65 b)", &["x.css", "aeb"]),
            (Value::Css, "url(url(url(a", &[]),
            (Value::Css, "a: url(x}y) url(b", &["x}y", "b"]),
        ];
        for (value, text, want) in cases {
            assert_eq!(all(*value, text), *want, "{value:?} {text:?}");
        }
    }

    #[test]
    fn code_is_no_reference() {
        for (reference, want) in [
            ("javascript:x", false),
            ("JaVa\nScript:x", false),
            ("data:,x", false),
            ("javascripts:x", true),
            ("a/javascript:", true),
            ("javascript", true),
            ("https://", false),
            ("file:///", false),
            ("file:///x", true),
            ("foo://", true),
        ] {
            assert_eq!(counts(reference.as_bytes(), &Finder::new().rules), want, "{reference}");
        }
    }

    #[test]
    fn given_schemes_bind_whole_references() {
        let list = |names: &str| Schemes::List(names.split(',').map(Into::into).collect());
        let foo = ["foo://a", "FOO:\n//a", "f\too://"];
        let common = ["http://a", "HTTPS:a", "mailto:", "file:/x", "ht\ntp://a", "vscode:x"];
        let never =
            ["--version", "a:b", "a/http://b", "/x", "?", "#a", "", "javascript:x", "foo:a"];
        for (schemes, wanted, others) in [
            (Schemes::Common, &common[..], &[&foo[..], &never].concat()),
            (Schemes::Any, &[&common[..], &foo].concat(), &never.to_vec()),
            (list("http,https,mailto"), &["http://a", "HTTPS:a", "mailto:"], &foo.to_vec()),
            // A scheme that somebody names needs no slashes.
            (
                list("foo"),
                &[&foo[..], &["foo:a"]].concat(),
                &[&common[..], &never[..never.len() - 1]].concat(),
            ),
        ] {
            let finder = Config::new().schemes(schemes.clone()).build().unwrap();
            for reference in wanted {
                assert!(counts(reference.as_bytes(), &finder.rules), "{schemes:?} {reference:?}");
            }
            for reference in others {
                assert!(!counts(reference.as_bytes(), &finder.rules), "{schemes:?} {reference:?}");
            }
        }
    }
}
