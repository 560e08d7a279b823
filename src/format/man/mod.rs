//! Manual pages, in the macros of man and mdoc: running text with the escapes of roff, and targets.
//!
//! - Escapes that print a character are undone: `\-`, `\.`, `\(aq`, `\[u00E9]`, `\e`. Escapes that print nothing (`\&`,
//!   `\:`, `\%`) and changes of font and size are skipped, so that a link goes on over them, as a reader sees it. All
//!   other escapes divide the text.
//! - A line that begins with `.` or `'` calls a macro: its name divides the text, and its arguments are text. The first
//!   argument of `UR`, `URL` and `Lk` is a target; a mail address of `MT` or `Mt` is found as text.
//! - The path of `.so` names a file, and is no target. Comments are text.
//!
//! See groff(7), "Escape short reference", groff_char(7), groff_man(7), mdoc(7).

pub(in crate::format) mod row;
pub(in crate::format) mod writer;

use crate::{
    format::lexing::{
        lexer::{Chars, Region, Token},
        lookahead::{Here, Lookahead},
        marked::{Bytes, NEAR, Sign, Syntax, blanks, bytes_of},
    },
    links::place::{Inside, Place},
};

/// Reads a manual page.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Man {
    /// The argument that is read is between quotes.
    quoted: bool,
}

/// The macros whose first argument is a target.
const TARGETS: [&[u8]; 3] = [b"UR", b"URL", b"Lk"];

/// The longest name of a macro that is read, and of a glyph.
const NAME: usize = 16;

/// Glyphs by their names.
const GLYPHS: [(&[u8], char); 29] = [
    (b"aq", '\''),
    (b"dq", '"'),
    (b"ti", '~'),
    (b"ha", '^'),
    (b"rs", '\\'),
    (b"at", '@'),
    (b"sh", '#'),
    (b"Do", '$'),
    (b"ul", '_'),
    (b"ba", '|'),
    (b"sl", '/'),
    (b"lB", '['),
    (b"rB", ']'),
    (b"lC", '{'),
    (b"rC", '}'),
    (b"ga", '`'),
    (b"hy", '\u{2010}'),
    (b"en", '–'),
    (b"em", '—'),
    (b"bu", '•'),
    (b"co", '©'),
    (b"lq", '“'),
    (b"rq", '”'),
    (b"oq", '‘'),
    (b"cq", '’'),
    (b"la", '⟨'),
    (b"ra", '⟩'),
    (b"Fo", '«'),
    (b"Fc", '»'),
];

/// The character of a glyph with this name, if it is known: `aq`, `u00E9`.
fn glyph(name: &[u8]) -> Option<char> {
    if let Some((_, c)) = GLYPHS.iter().find(|(known, _)| *known == name) {
        return Some(*c);
    }
    let digits = name.strip_prefix(b"u").filter(|digits| (4..=6).contains(&digits.len()))?;
    let is_digit = |b: &u8| matches!(b, b'0'..=b'9' | b'A'..=b'F');
    let digits = core::str::from_utf8(digits).ok().filter(|it| it.bytes().all(|b| is_digit(&b)))?;
    u32::from_str_radix(digits, 16).ok().and_then(char::from_u32)
}

/// How long the name is that `bytes` begin with after an escape's letter: `X`, `(XX`, `[…]`, with its brackets.
/// `Here::Nothing`: it is broken. `None`: more bytes are needed.
fn named(bytes: Lookahead<'_>) -> Option<Here<usize>> {
    let near = bytes.near(NAME);
    Some(match near.first() {
        None if near.is_partial() => return None,
        None | Some(b'\n') => Here::Nothing,
        Some(b'(') if near.len() < 3 && near.is_partial() => return None,
        Some(b'(') => (near.len() >= 3 && !near[1..3].contains(&b'\n')).then_some(3).into(),
        Some(b'[') => match near.iter().position(|b| matches!(b, b']' | b'\n')) {
            Some(at) if near[at] == b']' => Here::Is(at + 1),
            None if near.is_partial() => return None,
            _ => Here::Nothing,
        },
        Some(_) => Here::Is(1),
    })
}

/// What the backslash means that `bytes` begin with. `None`: more bytes are needed.
fn escape(bytes: Lookahead<'_>) -> Option<Sign> {
    let nothing = |len| Sign::Escape(len, Chars::bytes(b""));
    let is = |c: char| Sign::Escape(2, c.into());
    let Some(letter) = bytes.get(1) else {
        return bytes.is_last().then_some(Sign::Text(1));
    };
    Some(match letter {
        b'-' => is('-'),
        b'.' => is('.'),
        b'e' | b'\\' => is('\\'),
        b'\'' => is('´'),
        b'`' => is('`'),
        b' ' | b'~' | b'0' | b'|' | b'^' => is(' '),
        b'&' | b'%' | b':' | b'/' | b',' | b')' | b'c' | b'\n' => nothing(2),
        b'(' | b'[' => match named(bytes.from(1))? {
            Here::Nothing => Sign::Mark(2),
            Here::Is(len) => {
                let inner = &bytes[2..1 + len];
                let name = inner.strip_suffix(b"]").filter(|_| *letter == b'[').unwrap_or(inner);
                glyph(name).map_or(Sign::Mark(1 + len), |c| Sign::Escape(1 + len, c.into()))
            }
        },
        b'f' | b'F' | b'm' | b'M' => {
            named(bytes.from(2))?.found().map_or(Sign::Mark(2), |len| nothing(2 + len))
        }
        b's' => {
            let signs = usize::from(matches!(bytes.get(2), Some(b'+' | b'-')));
            match bytes.get(2 + signs) {
                None if bytes.is_partial() => return None,
                Some(b'(' | b'[') => {
                    let len = named(bytes.from(2 + signs))?.found();
                    len.map_or(Sign::Mark(2), |len| nothing(2 + signs + len))
                }
                // Two digits only of 10 to 39.
                Some(b'1'..=b'3') if signs == 0 => match bytes.get(3) {
                    None if bytes.is_partial() => return None,
                    Some(b'0'..=b'9') => nothing(4),
                    _ => nothing(3),
                },
                Some(b'0'..=b'9') => nothing(3 + signs),
                _ => Sign::Mark(2),
            }
        }
        b'*' | b'n' => {
            named(bytes.from(2))?.found().map_or(Sign::Mark(2), |len| Sign::Mark(2 + len))
        }
        _ => Sign::Mark(2),
    })
}

impl Syntax for Man {
    const SIGNS: Bytes = bytes_of(b"\\");

    fn line(&mut self, bytes: Lookahead<'_>) -> Option<Sign> {
        let near = bytes.near(NEAR);
        match near.first() {
            None if near.is_partial() => return None,
            Some(b'.' | b'\'') => {}
            _ => return Some(Sign::Text(0)),
        }
        let from = 1 + blanks(near.from(1))?;
        let is_name = |b: &&u8| b.is_ascii_alphanumeric();
        let len = near[from.min(near.len())..].iter().take(NAME).take_while(is_name).count();
        let end = from + len;
        match near.get(end) {
            None if near.is_partial() => return None,
            // A comment.
            Some(b'\\') if len == 0 => return Some(Sign::Mark(end)),
            _ => {}
        }
        let gap = blanks(near.from(end.min(near.len())))?;
        let quoted = match near.get(end + gap) {
            None if near.is_partial() => return None,
            None | Some(b'\n' | b'\r') => return Some(Sign::Mark(end)),
            Some(b) => *b == b'"',
        };
        if gap == 0 || !TARGETS.contains(&&near[from..end]) {
            return Some(Sign::Mark(end));
        }
        self.quoted = quoted;
        Some(Sign::Parameter(end + gap + usize::from(quoted)))
    }

    fn sign(&mut self, _: u8, bytes: Lookahead<'_>) -> Option<Sign> {
        escape(bytes)
    }

    fn target(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        let ends = |b: &u8| match b {
            b'\n' | b'\r' => true,
            b'"' => self.quoted,
            b' ' | b'\t' => !self.quoted,
            _ => false,
        };
        let at = bytes.iter().position(|b| ends(b) || *b == b'\\').unwrap_or(bytes.len());
        match bytes.get(at) {
            _ if at > 0 => Some(Token::Raw(at)),
            None => bytes.is_last().then_some(Token::End),
            Some(b'\\') => Some(match escape(bytes)? {
                Sign::Escape(len, chars) => Token::Escape(len, chars),
                _ => Token::Broken(0),
            }),
            Some(_) => Some(Token::End),
        }
    }

    fn place(&self, region: Region) -> Place {
        match region {
            Region::Reference(_) => Inside::Attribute { quoted: self.quoted }.into(),
            _ => Place::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::format::{lexing::marked::Marked, tests::*};

    #[test]
    fn escapes_are_undone_and_macros_divide() {
        for (document, regions) in [
            ("", ""),
            ("a\\-b\\&c\\.d\\(aqe\\[u00E9]f\\e", "{a-bc.d'eéf\\}"),
            (".TH A 1\na\n", "{ A 1\na\n}"),
            (".B a\n\\fBb\\fPc\\f(CWd\\f[R]e\\s-1f\\s0g\\s12h\n", "{ a\nbcdefgh\n}"),
            ("a\\*(Cob\\h'1'c\\(xxd\\[xyz]e", "{a}{b}{'1'c}{d}{e}"),
            (".\\\" http://a\n'\\\" b\n", "{ http://a\n}{ b\n}"),
            (".UR http://a/\\:b\\-c\nd\n.UE .\n", "<http://a/b-c>{\nd\n}{ .\n}"),
            (
                ".UR \"http://a b\" c\n.URL x y z\n.Lk u v\n",
                "<http://a b>{\" c\n}<x>{ y z\n}<u>{ v\n}",
            ),
            (".UR\n.UE\n.MT a@b\n", "{\n}{\n}{ a@b\n}"),
            (".UR a\\*(bc\n", "{a}{\n}"),
            ("a\\\nb\\", "{ab\\}"),
        ] {
            let got = render(&Marked::new(Man::default()), document.as_bytes());
            assert_eq!(got, regions, "{document:?}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes(document in hostile(&[
            "\\", ".", "'", "\n", "\r\n", ".UR ", ".Lk", ".B", "\"", " ", "\\f", "\\(", "\\[", "u00E9", "]", "aq", "\\s",
            "\\*", "+", "1", "(", "[", "\\&", "\\-", "a", "é", "http:",
        ])) {
            tokens_of_all_cuts(&Marked::new(Man::default()), &document);
        }
    }
}
