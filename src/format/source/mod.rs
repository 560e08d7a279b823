//! Source code and configuration: text in which the escapes of strings are undone and adjoining literals are joined.
//!
//! Bytes go in, tokens come out. All of a document is one region of prose, because code, comments and strings are
//! searched alike, and the rules of prose know quotes. What differs from plain text:
//!
//! - Escapes that most languages have are undone: `\n`, `\xHH`, `\ooo`, `\uXXXX`, `\u{X…}`, `\UXXXXXXXX`, and a
//!   backslash before a sign of [`SIGNS`]. A backslash before another byte is text, as in a path of Windows and a
//!   regular expression (`\.`). All languages are read alike: where one lacks an escape, a link
//!   with these two bytes is very rare.
//! - A backslash at the end of a line, directly in a text, joins it with the next line.
//! - The end of a string literal, a line end and the start of a literal with the same quotes are no text where the
//!   language joins the two ([`Joins`]). If the second one begins with a scheme, they are two items of a list.
//!
//! Invariant: nothing but an escape and such a join differs from the bytes.

mod brackets;
pub(in crate::format) mod row;
pub(in crate::format) mod writer;

use memchr::memchr3;

use self::brackets::{Brackets, Seen};
use crate::format::lexing::{
    escape,
    lexer::{Chars, Lexer, Region, Token, Unescaped},
    lookahead::{Here, Lookahead},
    marked::{NEAR, blanks},
    nested::Nested,
};

/// Signs that a backslash only escapes. Not `.`, `-`, `(` and others that regular expressions escape.
const SIGNS: &[u8] = b"\"'`\\/?:=#&!;@$";

/// What joins string literals on adjoining lines in a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::format) enum Joins {
    /// Nothing: in TOML, YAML, shells, Lisp, Nix they are two values. So they are where the language is not known.
    Never,
    /// That they adjoin: C.
    Adjoining,
    /// That they adjoin within brackets or after a backslash, or `+`: Python.
    Bracketed(Brackets),
    /// A sign between them: `+` (Java, JavaScript), `.` (PHP, Perl), `..` (Lua).
    Signs,
}

/// What may stand between two literals that are one, besides a line end.
#[derive(Clone, Copy, Debug)]
struct Between {
    nothing: bool,
    backslash: bool,
    sign: bool,
}

/// Reads source code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source {
    is_inside: bool,
    joins: Joins,
    nested: Nested,
}

impl Source {
    pub(in crate::format) fn new(joins: Joins) -> Source {
        Source { is_inside: false, joins, nested: Nested::NONE }
    }
}

impl Lexer for Source {
    fn next(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        let Some(&first) = bytes.first() else {
            let ends = bytes.is_last() && self.is_inside;
            self.is_inside &= !ends;
            return ends.then_some(Token::End);
        };
        if !self.is_inside {
            self.is_inside = true;
            return Some(Token::Begin(Region::Prose));
        }
        let between = match &mut self.joins {
            Joins::Never => None,
            Joins::Adjoining => Some(Between { nothing: true, backslash: true, sign: false }),
            Joins::Signs => Some(Between { nothing: false, backslash: false, sign: true }),
            Joins::Bracketed(brackets) => match brackets.next(bytes)? {
                Seen::Closing { joins } => {
                    Some(Between { nothing: joins, backslash: true, sign: true })
                }
                Seen::Escape => return self.nested.escape(bytes, escaped),
                Seen::Text(len) => {
                    self.nested.pass(&bytes[..len]);
                    return Some(Token::Raw(len));
                }
            },
        };
        match (first, between) {
            (b'\\', _) => self.nested.escape(bytes, escaped),
            (b'"' | b'\'', Some(between)) => {
                let joined = joined(bytes, between)?;
                if let (Joins::Bracketed(brackets), Here::Nothing) = (&mut self.joins, joined) {
                    brackets.close();
                }
                if let Here::Is(len) = joined {
                    return Some(Token::Escape(len, Chars::bytes(b"")));
                }
                self.nested.pass(&bytes[..1]);
                Some(Token::Raw(1))
            }
            (b'"' | b'\'', None) => {
                self.nested.pass(&bytes[..1]);
                Some(Token::Raw(1))
            }
            _ => {
                let len = memchr3(b'\\', b'"', b'\'', &bytes).unwrap_or(bytes.len());
                self.nested.pass(&bytes[..len]);
                Some(Token::Raw(len))
            }
        }
    }

    fn unescape_run(&mut self, bytes: Lookahead<'_>, unescaped: &mut Unescaped<'_>) -> usize {
        // Brackets are counted one token at a time.
        match self.is_inside && !matches!(self.joins, Joins::Bracketed(_)) {
            true => self.nested.take(bytes, b"\"'", unescaped, escaped),
            false => 0,
        }
    }

    fn is_between(&self) -> bool {
        match self.joins {
            Joins::Bracketed(brackets) if brackets != Brackets::NONE => false,
            _ => self.nested.is_outermost(),
        }
    }
}

/// Whether no escape is near the byte at `place`, and no end of a string from which another one could go on.
pub(crate) fn is_apart(bytes: &[u8], place: usize) -> bool {
    // `\U0001F344`, and as much for a pair.
    let near = &bytes[place.saturating_sub(2 * escape::LONGEST)..bytes.len().min(place + 2)];
    let before = place.checked_sub(1).map_or(b' ', |at| bytes[at]);
    !near.contains(&b'\\') && (before.is_ascii_alphanumeric() || b",;:(){}".contains(&before))
}

/// Reads the escape that `bytes` begin with.
fn escaped(bytes: Lookahead<'_>) -> Option<Token> {
    match bytes.get(1) {
        None if bytes.is_partial() => None,
        Some(b'u') => match bytes.get(2) {
            None if bytes.is_partial() => None,
            Some(b'{') => escape::braced(bytes),
            _ => escape::utf16(bytes),
        },
        Some(b'U') => escape::code_point(bytes),
        Some(b'\n') => Some(Token::Escape(2, Chars::bytes(b""))),
        Some(b'\r') => match bytes.get(2) {
            None if bytes.is_partial() => None,
            Some(b'\n') => Some(Token::Escape(3, Chars::bytes(b""))),
            _ => Some(escape::BACKSLASH),
        },
        Some(b) if SIGNS.contains(b) => Some(Token::Escape(2, Chars::byte(*b))),
        _ => escape::c(bytes),
    }
}

/// The bytes from the quote that `bytes` begin with up to the text of a literal that goes on with this one.
/// `Here::Nothing`: none does. `None`: more bytes are needed.
fn joined(bytes: Lookahead<'_>, between: Between) -> Option<Here<usize>> {
    let near = bytes.near(NEAR);
    let mut at = 1;
    let mut lines = 0;
    let mut sign: &[u8] = b"";
    loop {
        at += blanks(near.from(at))?;
        match near.get(at) {
            None => return near.is_last().then_some(Here::Nothing),
            Some(b'\n') if lines == 0 => lines += 1,
            Some(b'\r') if lines == 0 => {}
            Some(_) if sign == b"\\" && lines == 0 => return Some(Here::Nothing),
            Some(b'\\') if between.backslash && sign.is_empty() && lines == 0 => sign = b"\\",
            Some(b'+') if between.sign && sign.is_empty() => sign = b"+",
            Some(b'.') if between.sign && matches!(sign, b"" | b".") => {
                sign = if sign.is_empty() { b"." } else { b".." };
            }
            Some(b) if lines == 1 && *b == near[0] && (between.nothing || !sign.is_empty()) => {
                break;
            }
            Some(_) => return Some(Here::Nothing),
        }
        at += 1;
    }
    at += 1;
    let rest = &near[at..];
    let word = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || b"+-.".contains(b)).count();
    match rest.get(word) {
        None if near.is_partial() => None,
        None | Some(b':') => Some(Here::Nothing),
        Some(b) if word == 0 && (*b <= b' ' || *b == near[0]) => Some(Here::Nothing),
        Some(_) => Some(Here::Is(at)),
    }
}

#[cfg(test)]
mod tests {
    use std::format;

    use proptest::prelude::*;

    use super::*;
    use crate::format::tests::*;

    #[test]
    fn escapes_are_undone() {
        for (document, regions) in [
            ("", ""),
            ("int a; // b\n", "{int a; // b\n}"),
            (r#""a\/b\u00e9\xc3\xa9\303\251\u{e9}\U000000e9\"""#, "{\"a/bééééé\"\"}"),
            (r"\.\d\w\(\u{}\u{g}\u{110000}\u12", "{\\.\\d\\w\\(\\u{}\\u{g}\u{FFFD}\\u12}"),
            ("a\\\nb\\\r\nc\\\rd\\", "{abc\\\rd\\}"),
        ] {
            for joins in JOINS {
                let got = render(&Source::new(joins), document.as_bytes());
                assert_eq!(got, regions, "{document:?} {joins:?}");
            }
        }
    }

    /// What each joins of all that some language joins.
    #[test]
    fn literals_are_joined_as_the_language_does() {
        let [_, adjoining, bracketed, signs] = JOINS;
        for (document, joined, by) in [
            ("\"a\"\n  \"b\"", "{\"ab\"}", &[adjoining][..]),
            ("(\"a\"\n  \"b\")", "{(\"ab\")}", &[adjoining, bracketed]),
            ("f(a[1], 'a'\n 'b')", "{f(a[1], 'ab')}", &[adjoining, bracketed]),
            ("a[0]\n'a'\n'b'", "{a[0]\n'ab'}", &[adjoining]),
            ("(\"\"\" '(' \"\"\")\n'a'\n'b'", "{(\"\"\" '(' \"\"\")\n'ab'}", &[adjoining]),
            ("# (\n'a'\n'b'", "{# (\n'ab'}", &[adjoining]),
            ("'a' \\\n 'b'", "{'ab'}", &[adjoining, bracketed]),
            ("'a' +\r\n\t'b' 'c'", "{'ab' 'c'}", &[bracketed, signs]),
            ("\"a\"\n  .. \"b\"", "{\"ab\"}", &[bracketed, signs]),
            // None goes on.
            ("\"a\",\n\"b\"", "", &[]),
            ("\"a\"\n\n\"b\"", "", &[]),
            ("\"a\"\n'b'", "", &[]),
            ("\"a\" \"b\"", "", &[]),
            ("\"a\"\n\" b\"", "", &[]),
            ("(\"a\"\n\"http://b\")", "", &[]),
            ("\"a\" +-\n\"b\"", "", &[]),
            ("(\"a\" \\ +\n\"b\")", "", &[]),
        ] {
            for joins in JOINS {
                let apart = format!("{{{document}}}").replace("\\\n", "");
                let regions = if by.contains(&joins) { joined } else { &apart };
                let got = render(&Source::new(joins), document.as_bytes());
                assert_eq!(got, regions, "{document:?} {joins:?}");
            }
        }
    }

    /// All that are.
    const JOINS: [Joins; 4] =
        [Joins::Never, Joins::Adjoining, Joins::Bracketed(Brackets::NONE), Joins::Signs];

    proptest! {
        #[test]
        fn any_bytes(document in hostile(&[
            "{", "\\\"", "\\\\/", "\\\\\\\"", "\\\\u00e9", "\\\\\\\\/", ":",
            "\"", "'", "\\", "\n", "\r\n", " ", "\t", "+", ".", "..", "\\x", "\\u", "\\u{", "\\U", "e9", "}", "\\303",
            "\\/", "\\\n", "\\\r\n", "http:", "a", "é", ",", "(", ")", "#", "'''",
        ])) {
            for joins in JOINS {
                tokens_of_all_cuts(&Source::new(joins), &document);
            }
        }
    }
}
