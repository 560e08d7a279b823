//! reStructuredText: running text without its escapes, and targets, which are references.
//!
//! What Docutils does decides ("reStructuredText Markup Specification"):
//!
//! - Targets are in `` `text <target>`_ ``, `.. _name: target`, `__ target`, `.. image::` and `.. figure::`,
//!   and `:target:`. They may go on in the next line, if that is indented further.
//! - In them and in text, a backslash makes the next sign a plain one; with a space it is nothing.
//! - `name_` in the place of a target is a name: it refers to another target.
//! - Between ``` `` ``` nothing is an escape. The signs of `*emphasis*` belong to no link.
//! - Columns count in tables, and the underline of a title must be as long as the title. See [`columns`].
//!
//! Blocks of code are not known, so they are read as text.

mod columns;

pub(in crate::format) mod row;
pub(in crate::format) mod writer;

use self::columns::Columns;
use crate::{
    format::lexing::{
        lexer::{Chars, Region, Token},
        lookahead::{Here, Lookahead},
        marked::{Bytes, Emphasis, NEAR, Sign, Syntax, blanks, bytes_of},
    },
    links::place::{Around, Inside, Place},
};

/// Reads reStructuredText.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rst {
    emphasis: Emphasis,
    /// Between ``` `` ```.
    literal: bool,
    phrase: Phrase,
    target: Target,
    /// How far the line is indented.
    indent: usize,
    /// Whether columns count in the line.
    columns: Columns,
}

/// What a single backquote has opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phrase {
    #[default]
    None,
    /// A reference may be in it: `` `text <target>`_ ``.
    Open,
    /// It has a role, and what it holds is no URL: `` :doc:`text <name>` ``.
    Role,
}

/// What a target belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Target {
    /// Between `<` and `>`.
    #[default]
    Angle,
    /// The rest of a line, without its spaces.
    Line,
    /// The same with spaces: the name of a file.
    File,
}

/// The signs that may come before an opening sign of emphasis and after a closing one ("Inline markup recognition
/// rules").
const AROUND: (&[u8], &[u8]) = (b"'\"([{<-/:", b"'\")]}>-/\\:.,;!?");

/// The directives whose argument is a target.
const DIRECTIVES: [&[u8]; 2] = [b"image:: ", b"figure:: "];

/// The bytes up to the target of the line that `bytes` begin with, after its blanks. `Here::Nothing`: it has no
/// target. `None`: more bytes are needed.
fn explicit(bytes: Lookahead<'_>) -> Option<Here<(usize, Target)>> {
    let near = bytes.near(NEAR);
    if near.begins(b"__ ")? {
        return Some(Here::Is((3, Target::Line)));
    }
    if near.begins(b":target: ")? {
        return Some(Here::Is((9, Target::Line)));
    }
    let line = near.split(|b| *b == b'\n').next().unwrap_or_default();
    if !near.begins(b".. ")? {
        return Some(Here::Nothing);
    }
    let whole = line.len() < near.len() || near.is_last();
    if near.begins(b".. _")? {
        return match name(Lookahead::new(&line[4..], whole)) {
            None if whole => Some(Here::Nothing),
            None => None,
            Some(len) => Some(Here::Is((4 + len, Target::Line))),
        };
    }
    // `.. |name| image:: target`
    let at = match line.get(3) {
        None if !whole => return None,
        Some(b'|') => match memchr::memmem::find(&line[4..], b"| ") {
            None => return if whole { Some(Here::Nothing) } else { None },
            Some(len) => 4 + len + 2,
        },
        _ => 3,
    };
    for directive in DIRECTIVES {
        if Lookahead::new(&line[at..], whole).begins(directive)? {
            return Some(Here::Is((at + directive.len(), Target::File)));
        }
    }
    Some(Here::Nothing)
}

/// The length of a name and the colon after it, if that is in the `line`.
fn name(line: Lookahead<'_>) -> Option<usize> {
    let mut quoted = false;
    for (at, b) in line.iter().enumerate() {
        match b {
            b'`' => quoted = !quoted,
            b':' if quoted || at > 0 && line[at - 1] == b'\\' => {}
            b':' => match line.get(at + 1) {
                None if line.is_partial() => return None,
                None | Some(b' ' | b'\t' | b'\r') => return Some(at + 1),
                _ => {}
            },
            _ => {}
        }
    }
    None
}

/// The line end at the start of `bytes` and the blanks after it, if the next line goes on with this one,
/// because it is indented further than `indent`. `None`: more bytes are needed.
fn continued(bytes: Lookahead<'_>, indent: usize) -> Option<Here<usize>> {
    let feed = usize::from(bytes.begins(b"\r\n")?);
    let n = blanks(bytes.from(1 + feed))?;
    let at = 1 + feed + n;
    match bytes.get(at) {
        None if bytes.is_partial() && n < NEAR => None,
        // An option of a directive.
        None | Some(b'\n' | b'\r' | b':') => Some(Here::Nothing),
        Some(_) => Some((n > indent).then_some(at).into()),
    }
}

/// Reads the backslash that `bytes` begin with. `None`: more bytes are needed.
fn backslash(bytes: Lookahead<'_>) -> Option<Here<(usize, Chars)>> {
    Some(match bytes.get(1) {
        None if bytes.is_partial() => return None,
        Some(b' ' | b'\t') => Here::Is((2, Chars::bytes(b""))),
        Some(b) if b.is_ascii_punctuation() => Here::Is((2, Chars::byte(*b))),
        _ => Here::Nothing,
    })
}

impl Rst {
    /// Backquotes.
    fn quotes(&mut self, before: u8, bytes: Lookahead<'_>) -> Option<Sign> {
        let near = bytes.near(NEAR);
        let n = near.iter().take_while(|b| **b == b'`').count();
        let next = match near.get(n) {
            None if near.is_partial() => return None,
            next => next.copied().unwrap_or(b'\n'),
        };
        let opens = (before <= b' ' || AROUND.0.contains(&before)) && next > b' ';
        if n >= 2 {
            if self.literal || opens && self.phrase == Phrase::None {
                self.literal = !self.literal;
                return Some(Sign::Mark(n));
            }
            return Some(Sign::Text(n));
        }
        if !self.literal {
            self.phrase = match self.phrase {
                Phrase::None if opens && before == b':' => Phrase::Role,
                Phrase::None if opens => Phrase::Open,
                _ => Phrase::None,
            };
        }
        Some(Sign::Text(1))
    }

    /// The next token of a target between `<` and `>`.
    fn angle(&self, bytes: Lookahead<'_>) -> Option<Token> {
        Some(match bytes[0] {
            b'>' if bytes.begins(b">`_")? => Token::End,
            // A name, which refers to another target.
            b'_' if !bytes.begins(b"_>")? => Token::Raw(1),
            b' ' | b'\t' => Token::Escape(1, Chars::bytes(b"")),
            b'\n' | b'\r' => match continued(bytes, 0)? {
                Here::Is(n) => Token::Escape(n, Chars::bytes(b"")),
                // The text of a paragraph is not indented.
                Here::Nothing if bytes.get(1).is_some_and(|b| *b > b' ') => {
                    Token::Escape(1, Chars::bytes(b""))
                }
                Here::Nothing => Token::Broken(b'<'),
            },
            _ => Token::Broken(b'<'),
        })
    }

    /// The next token of a target that is the rest of a line.
    fn rest(&self, bytes: Lookahead<'_>) -> Option<Token> {
        Some(match bytes[0] {
            b'\n' => match continued(bytes, self.indent)? {
                Here::Is(n) => Token::Escape(n, Chars::bytes(b"")),
                Here::Nothing => Token::End,
            },
            b'\r' if bytes.begins(b"\r\n")? => match continued(bytes, self.indent)? {
                Here::Is(n) => Token::Escape(n, Chars::bytes(b"")),
                Here::Nothing => Token::End,
            },
            b' ' | b'\t' if self.target == Target::Line => Token::Escape(1, Chars::bytes(b"")),
            b'_' => match bytes.get(1) {
                None if bytes.is_partial() => return None,
                None | Some(b'\n' | b'\r') => Token::Broken(0),
                _ => Token::Raw(1),
            },
            b'`' if self.target == Target::Line => Token::Broken(0),
            _ => Token::Raw(1),
        })
    }
}

impl Syntax for Rst {
    const SIGNS: Bytes = bytes_of(b"\\*`<");

    fn line(&mut self, bytes: Lookahead<'_>) -> Option<Sign> {
        let columns = self.columns.line(bytes)?;
        let bytes = bytes.near(NEAR);
        let n = blanks(bytes)?;
        let (rest, mut sign, mut ends) = (bytes.from(n), Sign::Text(0), false);
        match rest.first() {
            None | Some(b'\n' | b'\r') => ends = true,
            Some(b'.' | b'_' | b':') => {
                if let Here::Is((len, kind)) = explicit(rest)? {
                    let at = n + len + blanks(rest.from(len))?;
                    let wrapped = match bytes.get(at) {
                        None if bytes.is_partial() => return None,
                        Some(b'\n' | b'\r') if kind == Target::Line => {
                            continued(bytes.from(at), n)?
                        }
                        None | Some(b'\n' | b'\r') => Here::Nothing,
                        Some(_) => Here::Is(0),
                    };
                    if let Here::Is(len) = wrapped {
                        (self.target, sign) = (kind, Sign::Target(at + len));
                    }
                }
            }
            Some(_) => {}
        }
        self.indent = n;
        if ends {
            self.emphasis.end();
            (self.literal, self.phrase) = (false, Phrase::None);
        }
        // The place of a region is asked for where it begins.
        let divides = columns.count() != self.columns.count() && sign == Sign::Text(0);
        self.columns = columns;
        Some(if divides { Sign::Mark(0) } else { sign })
    }

    fn sign(&mut self, before: u8, bytes: Lookahead<'_>) -> Option<Sign> {
        match bytes[0] {
            b'`' => self.quotes(before, bytes),
            _ if self.literal => Some(Sign::Text(1)),
            b'*' => {
                let two = bytes.begins(b"**")?;
                let (nth, len) = if two { (1, 2) } else { (0, 1) };
                self.emphasis.sign((nth, len), before, bytes, AROUND)
            }
            b'\\' => Some(match backslash(bytes)? {
                Here::Is((len, chars)) => Sign::Escape(len, chars),
                Here::Nothing => Sign::Text(1),
            }),
            _ => {
                let next = match bytes.get(1) {
                    None if bytes.is_partial() => return None,
                    next => next.copied().unwrap_or_default(),
                };
                let opens = self.phrase == Phrase::Open && next > b' ' && next != b'>';
                if !opens || before > b' ' && before != b'`' {
                    return Some(Sign::Text(1));
                }
                (self.target, self.phrase) = (Target::Angle, Phrase::None);
                Some(Sign::Target(1))
            }
        }
    }

    fn target(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        let angle = self.target == Target::Angle;
        let special =
            |b: &u8| *b <= b' ' || matches!(b, b'\\' | b'_' | b'`') || angle && b"<>".contains(b);
        let at = bytes.iter().position(special).unwrap_or(bytes.len());
        match bytes.first() {
            _ if at > 0 => Some(Token::Raw(at)),
            None if bytes.is_partial() => None,
            None => Some(if angle { Token::Broken(b'<') } else { Token::End }),
            Some(b'\\') => Some(match backslash(bytes)? {
                Here::Is((len, chars)) => Token::Escape(len, chars),
                Here::Nothing => Token::Raw(1),
            }),
            Some(_) if angle => self.angle(bytes),
            Some(_) => self.rest(bytes),
        }
    }

    fn place(&self, region: Region) -> Place {
        let inside = match region {
            Region::Reference(_) => Inside::Attribute { quoted: self.target == Target::Angle },
            _ if self.literal => Inside::Plain,
            _ => Inside::Text,
        };
        let around = if self.columns.count() { Around::Fixed } else { Around::Nothing };
        Place::new(inside, around)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::format::{lexing::marked::Marked, tests::*};

    #[test]
    fn targets_are_references_and_text_has_escapes() {
        for (document, regions) in [
            ("", ""),
            ("a\\_b *c* \\\n", "{a_b *c}{ \\\n}"),
            ("`a <http://b>`_ c", "{`a <}<http://b>{>`_ c}"),
            ("`a\n<b\nc>`__", "{`a\n<}<bc>{>`__}"),
            ("`a <b_>`_ :d:`e <f>`", "{`a <}{b_>`_ :d:`e <f>`}"),
            ("`a <b\n\nc>`_", "{`a <}{b\n\nc>`_}"),
            (".. _a: http://b\n   /c\n\nd", "{.. _a: }<http://b/c>{\n\nd}"),
            (".. _a:\n   http://b c\n", "{.. _a:\n   }<http://bc>{\n}"),
            (".. _a\\:b: c\\_\n__ d", "{.. _a\\:b: }<c_>{\n__ }<d>"),
            (".. _`a: b`: c", "{.. _`a: b`: }<c>"),
            (".. _a: b_\n", "{.. _a: }{b_\n}"),
            (".. _a:\n\nb", "{.. _a:\n\nb}"),
            (
                ".. image:: a b.png\n   :target: c\n",
                "{.. image:: }<a b.png>{\n   :target: }<c>{\n}",
            ),
            (".. ", "{.. }"),
            (".. \na", "{.. \na}"),
            (".. |a| image:: b", "{.. |a| image:: }<b>"),
            ("``http://a\\_b`` c\\_", "{http://a\\_b}{ c_}"),
            ("*http://a/* b", "{http://a/}{ b}"),
            ("  .. _a: b\n  .. _c: d", "{  .. _a: }<b>{\n  .. _c: }<d>"),
            ("a\n\n+---+\n| b |\n+---+\n\nc", "{a\n\n}{+---+\n| b |\n+---+\n}{\nc}"),
            ("a\n====\nb", "{a\n}{====\nb}"),
        ] {
            assert_eq!(render(&Marked::new(Rst::default()), document.as_bytes()), regions);
        }
    }

    proptest! {
        #[test]
        fn any_bytes(document in hostile(&[
            ".. _", ".. _a: ", ": ", ":\n", "__ ", ":target: ", ".. image:: ", ".. |a| figure:: ", "`", "``",
            "+---+", "+----------------------------------------------------------------+", "| ", "=== ===", "====",
            "- ", "==================================================================", "\n====\n", "\n+---+\n",
            "<", ">`_", ">", "_", "\\", "\\ ", "\n", "\n\n", "\r\n", "  ", "\n   ", "*", "**", "a", "é", ":",
        ])) {
            tokens_of_all_cuts(&Marked::new(Rst::default()), &document);
        }
    }
}
