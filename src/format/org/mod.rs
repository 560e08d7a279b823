//! Org: running text, in which the targets of `[[target]]` and `[[target][text]]` are references.
//!
//! What org-element does decides (Org syntax, "Objects"):
//!
//! - A target is a link if it has a type that leads somewhere (`https:`, `mailto:`, `file:`, …), is a path
//!   (`./a`, `../a`, `/a`, `~/a`) or a custom ID (`#a`). Any other is a heading to search for, and is
//!   running text. It may have spaces; in it `\[`, `\]` and `\\` before a bracket are undone.
//! - The `::` after a file begins what is searched for in it, and ends the target.
//! - The marks of emphasis (`*` `/` `_` `+` `=` `~`) are no part of a link that they enclose.
//!
//! Blocks of code and comments are text as everything else.

pub(in crate::format) mod row;
pub(in crate::format) mod writer;

use crate::{
    format::lexing::{
        lexer::{Chars, Region, Token},
        lookahead::{Here, Lookahead},
        marked::{Bytes, Emphasis, NEAR, Sign, Syntax, blanks, bytes_of, has_ace_prefix, is_blank},
    },
    links::place::{Inside, Place},
};

/// Reads Org.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Org {
    emphasis: Emphasis,
    /// The target that is read is a file, or the last one was and no `[` has come since.
    file: bool,
    /// In the row of a table, whose cells `|` divides.
    row: bool,
}

/// The types of links that lead to something that is no command and no entry of a program.
const TYPES: [&[u8]; 6] = [b"mailto:", b"news:", b"irc:", b"doi:", b"tel:", b"file:"];

/// The kinds of emphasis, each with a number.
const MARKS: &[u8] = b"*_+=~/";

/// The signs that may come before an opening mark and after a closing one (`org-emphasis-regexp-components`).
const AROUND: (&[u8], &[u8]) = (b"-({'\"", b"-.,:!?;'\")}[\\|");

/// Whether a target begins with `bytes`, and whether it is a file. `None`: more bytes are needed.
fn target(bytes: Lookahead<'_>) -> Option<Here<bool>> {
    for path in [&b"./"[..], b"../", b"/", b"~/"] {
        if bytes.begins(path)? {
            return Some(Here::Is(true));
        }
    }
    if bytes.begins(b"#")? {
        return Some(Here::Is(false));
    }
    for known in TYPES {
        if bytes.begins(known)? {
            return Some(Here::Is(known == b"file:"));
        }
    }
    for file in [&b"file+sys:"[..], b"file+emacs:"] {
        if bytes.begins(file)? {
            return Some(Here::Is(true));
        }
    }
    // Any scheme that has a host. One with the prefix of Punycode was a host before it was rewritten.
    let near = bytes.near(NEAR / 2);
    let is_scheme = |b: &u8| b.is_ascii_alphanumeric() || b"+-.".contains(b);
    let len = near.iter().take_while(|b| is_scheme(b)).count();
    if len == near.len() && near.is_partial() {
        return None;
    }
    let is_scheme = len > 0 && bytes.from(len).begins(b"://")?;
    Some((is_scheme && !has_ace_prefix(&near[..len])).then_some(false).into())
}

impl Syntax for Org {
    const SIGNS: Bytes = bytes_of(b"[|*_+=~/");

    fn line(&mut self, bytes: Lookahead<'_>) -> Option<Sign> {
        if is_blank(bytes)? {
            self.emphasis.end();
        }
        self.row = bytes.get(blanks(bytes)?) == Some(&b'|');
        Some(Sign::Text(0))
    }

    fn sign(&mut self, before: u8, bytes: Lookahead<'_>) -> Option<Sign> {
        let Some(nth) = MARKS.iter().position(|b| *b == bytes[0]) else {
            if bytes[0] == b'|' {
                return Some(if self.row { Sign::Mark(1) } else { Sign::Text(1) });
            }
            if self.file {
                let label = if before == b']' { file_label(bytes)? } else { 0 };
                self.file = false;
                if label > 0 {
                    return Some(Sign::Mark(label));
                }
            }
            if !bytes.begins(b"[[")? {
                return Some(Sign::Text(1));
            }
            let Here::Is(file) = target(bytes.from(2))? else { return Some(Sign::Text(2)) };
            self.file = file;
            return Some(Sign::Target(2));
        };
        let was = self.emphasis;
        let sign = self.emphasis.sign((nth as u8, 1), before, bytes, AROUND)?;
        if bytes[0] == b'/' && sign == Sign::Text(1) {
            // A slash begins a path more often than emphasis. It counts if a link follows it.
            self.emphasis = was;
        }
        Some(sign)
    }

    fn target(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        let special = |b: &u8| matches!(b, b'[' | b']' | b'\\' | b'\n') || self.file && *b == b':';
        let at = bytes.iter().position(special).unwrap_or(bytes.len());
        if at > 0 {
            return Some(Token::Raw(at));
        }
        let Some(first) = bytes.first() else {
            return bytes.is_last().then_some(Token::Broken(b'['));
        };
        let next = match bytes.get(1) {
            None if bytes.is_partial() => return None,
            next => next.copied(),
        };
        Some(match (first, next) {
            (b']', Some(b']' | b'[')) => Token::End,
            (b':', Some(b':')) => Token::End,
            (b':', _) => Token::Raw(1),
            (b'\\', _) => return backslash(bytes),
            (b'\n', _) => {
                // A line end and the blanks after it are a space.
                let n = 1 + blanks(bytes.from(1))?;
                match bytes.get(n) {
                    None | Some(b'\n' | b'\r') => Token::Broken(b'['),
                    _ => Token::Escape(n, Chars::byte(b' ')),
                }
            }
            _ => Token::Broken(b'['),
        })
    }

    fn place(&self, region: Region) -> Place {
        match region {
            Region::Reference(_) => Inside::Attribute { quoted: !self.file }.into(),
            _ => Place::default(),
        }
    }
}

/// The length of the text of a link to a file, with the `[` that `bytes` begin with, if it is the name of a file:
/// `[notes.org]` is no host. 0 if it is other text.
fn file_label(bytes: Lookahead<'_>) -> Option<usize> {
    let near = bytes.near(NEAR);
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || !b.is_ascii() || b"-_.".contains(b);
    let len = near[1..].iter().take_while(|b| is_name(b)).count();
    match near.get(1 + len) {
        None if near.is_partial() => None,
        Some(b']') if near[1..=len].contains(&b'.') => Some(1 + len),
        _ => Some(0),
    }
}

/// Reads the backslash that `bytes` begin with: before a bracket, perhaps with more of them, it escapes what
/// follows. `None`: more bytes are needed.
fn backslash(bytes: Lookahead<'_>) -> Option<Token> {
    let near = bytes.near(NEAR);
    let n = near.iter().take_while(|b| **b == b'\\').count();
    Some(match near.get(n) {
        None if near.is_partial() => return None,
        Some(b @ (b'[' | b']')) if n == 1 => Token::Escape(2, Chars::byte(*b)),
        Some(b'[' | b']') => Token::Escape(2, Chars::byte(b'\\')),
        _ => Token::Raw(n),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::format::{lexing::marked::Marked, tests::*};

    #[test]
    fn targets_are_references() {
        for (document, regions) in [
            ("", ""),
            ("a\n", "{a\n}"),
            ("see [[https://a/b][c]].", "{see [[}<https://a/b>{][c]].}"),
            ("[[https://a/b c]]", "{[[}<https://a/b c>{]]}"),
            ("[[./a.org::*b][c]]", "{[[}<./a.org>{::*b][c]]}"),
            ("[[file:a b.pdf]]", "{[[}<file:a b.pdf>{]]}"),
            ("[[file:a.org][b.org]] [c]", "{[[}<file:a.org>{]}{]] [c]}"),
            ("[[file:a.org][see b.org]]", "{[[}<file:a.org>{][see b.org]]}"),
            ("[[https://a/][b.org]]", "{[[}<https://a/>{][b.org]]}"),
            ("[[file:a.org]] [b][c.org]", "{[[}<file:a.org>{]] [b][c.org]}"),
            ("[[https://a/\\[b\\]]]", "{[[}<https://a/[b]>{]]}"),
            ("[[https://a/b\\\\]]", "{[[}<https://a/b\\>{]]}"),
            ("[[https://a/b\\c]]", "{[[}<https://a/b\\c>{]]}"),
            ("[[https://a/b\n  c]]", "{[[}<https://a/b c>{]]}"),
            ("[[https://a/b\n\nc]]", "{[[}{https://a/b\n\nc]]}"),
            ("[[A heading]] [[shell:ls]]", "{[[A heading]] [[shell:ls]]}"),
            ("[[https://a/b] c", "{[[}{https://a/b] c}"),
            ("[[https://a", "{[[}{https://a}"),
            ("\u{FEFF}[[#a]]", "{[[}<#a>{]]}"),
        ] {
            assert_eq!(render(&Marked::new(Org::default()), document.as_bytes()), regions);
        }
    }

    #[test]
    fn closing_marks_divide() {
        for (document, regions) in [
            ("=http://a/= b", "{http://a/}{ b}"),
            ("~curl http://a/~.", "{~curl http://a/}{.}"),
            ("/http://a/b/ c", "{http://a/b}{ c}"),
            ("see /tmp and http://a/ b", "{see /tmp and http://a/ b}"),
            ("a = b http://a/?c= d", "{a = b http://a/?c= d}"),
            ("*a\n\nhttp://b/* c", "{*a\n\nhttp://b/* c}"),
            ("_a_b_ c", "{_a_b}{ c}"),
        ] {
            assert_eq!(render(&Marked::new(Org::default()), document.as_bytes()), regions);
        }
    }

    proptest! {
        #[test]
        fn any_bytes(document in hostile(&[
            "[[", "]]", "][", "[", "]", "\\", "\n", "\n\n", " ", "file:", "https://a", "http:", "::",
            ":", "*", "=", "~", "/", "_", "+", "./", "#", "a", "é", "\"", ".",
        ])) {
            tokens_of_all_cuts(&Marked::new(Org::default()), &document);
        }
    }
}
