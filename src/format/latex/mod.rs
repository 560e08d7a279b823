//! LaTeX and BibTeX: running text in which escapes are undone, and the arguments of `\url` and `\href`.
//!
//! - `\_` `\%` `\#` `\&` `\$` `\{` `\}`, `\~{}`, `\textasciitilde`, `\textunderscore` and `$\sim$` are the
//!   characters that they print; `\-`, `\/` and `\allowbreak` are nothing.
//! - The arguments of `\url`, `\nolinkurl`, `\burl` and `\href` are references, relative or not; so is what
//!   a brace encloses that begins with a scheme and has no space (`url = {https://…}`). Hosts and addresses without a
//!   scheme in these arguments are found as in text.
//! - A target with a command in it is no link, because TeX replaces the command.
//! - An unescaped `%` begins a comment, which is searched too. Before two hexadecimal digits it is text:
//!   many authors forget the backslash.
//!
//! What other commands do is not known: their names and braces are text.

pub(in crate::format) mod row;
pub(in crate::format) mod writer;

use crate::{
    format::lexing::{
        lexer::{Chars, Region, Token, begins},
        marked::{Bytes, NEAR, Sign, Syntax, blanks, bytes_of, is_blank},
    },
    grammar::bare::{self, Around},
    links::place::{Inside, Place},
};

/// Reads LaTeX.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Latex {
    /// In a comment.
    comment: bool,
    target: Target,
}

/// A target that is read.
#[derive(Clone, Copy, Debug, Default)]
struct Target {
    /// What closes it.
    end: u8,
    /// It is the argument of a command, and may have spaces.
    argument: bool,
    /// Braces that are open in it.
    depth: u8,
    /// One more that is open, and belongs to an escape: `{\_}`.
    group: bool,
}

/// The most braces in each other.
const DEPTH: u8 = 32;

/// The commands that print a character.
const NAMES: [(&[u8], &str); 11] = [
    (b"textunderscore", "_"),
    (b"textasciitilde", "~"),
    (b"textasciicircum", "^"),
    (b"textbackslash", "\\"),
    (b"textbar", "|"),
    (b"slash", "/"),
    (b"lbrace", "{"),
    (b"rbrace", "}"),
    (b"allowbreak", ""),
    (b"linebreak", ""),
    // TeX prints the token after it as it is.
    (b"string", ""),
];

/// The commands whose argument is a target.
const TARGETS: [&[u8]; 4] = [b"url", b"nolinkurl", b"burl", b"href"];

/// The letters after the backslash that `bytes` begin with. `None`: more bytes are needed.
fn command(bytes: &[u8], last: bool) -> Option<&[u8]> {
    let near = &bytes[1..bytes.len().min(NEAR / 2)];
    let len = near.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    (len < near.len() || near.len() + 1 == NEAR / 2 || last).then(|| &near[..len])
}

/// The escape that `bytes` begin with. `Some(None)`: they begin with none. `None`: more bytes are needed.
fn escape(bytes: &[u8], last: bool) -> Option<Option<(usize, Chars)>> {
    if bytes[0] == b'$' {
        let tilde = begins(bytes, b"$\\sim$", last)?;
        return Some(tilde.then_some((6, Chars::byte(b'~'))));
    }
    Some(match bytes.get(1) {
        None if !last => return None,
        Some(b @ (b'_' | b'%' | b'#' | b'&' | b'$' | b'{' | b'}')) => Some((2, Chars::byte(*b))),
        Some(b'-' | b'/') => Some((2, Chars::bytes(b""))),
        Some(b @ (b'~' | b'^')) => {
            let accent = !begins(&bytes[2..], b"{}", last)?;
            (!accent).then_some((4, Chars::byte(*b)))
        }
        Some(b) if b.is_ascii_alphabetic() => {
            let name = command(bytes, last)?;
            let Some((_, text)) = NAMES.iter().find(|(known, _)| *known == name) else {
                return Some(None);
            };
            let rest = &bytes[1 + name.len()..];
            let after = match begins(rest, b"{}", last)? {
                true => 2,
                // Spaces end the name. TeX drops all of them.
                false => blanks(&rest[..rest.len().min(NEAR / 4)], last || rest.len() > NEAR / 4)?,
            };
            Some((1 + name.len() + after, Chars::bytes(text.as_bytes())))
        }
        _ => None,
    })
}

/// The argument of the command that `bytes` begin with: how many bytes come before it, and what closes
/// it. `Some(None)`: it has no target. `None`: more bytes are needed.
fn argument(bytes: &[u8], last: bool) -> Option<Option<(usize, u8)>> {
    let name = command(bytes, last)?;
    if !TARGETS.contains(&name) {
        return Some(None);
    }
    let near = &bytes[..bytes.len().min(NEAR)];
    let last = last || near.len() == NEAR;
    let mut at = 1 + name.len();
    loop {
        match near.get(at) {
            None if !last => return None,
            Some(b'*' | b' ' | b'\t') => at += 1,
            Some(b'[') => match memchr::memchr(b']', &near[at..]) {
                None if !last => return None,
                None => return Some(None),
                Some(len) => at += len + 1,
            },
            Some(b'{') => return Some(Some((at + 1, b'}'))),
            Some(b @ (b'|' | b'!' | b'+' | b'"')) if name != b"href" => {
                return Some(Some((at + 1, *b)));
            }
            _ => return Some(None),
        }
    }
}

/// True if a target, which `end` closes, begins with a host or an address that needs no scheme: `\url{a.example/b}`,
/// `\nolinkurl{anna@a.example}`.
fn is_name(target: &[u8], end: u8) -> bool {
    let len = target.iter().position(|b| *b == end).unwrap_or(target.len());
    let part = |b: &&u8| b.is_ascii_alphanumeric() || b".-_+@".contains(b);
    let name = target[..len].iter().take_while(part).count();
    let after = target.get(name).copied().map(char::from);
    let Ok(name) = core::str::from_utf8(&target[..name]) else { return false };
    match name.split_once('@') {
        Some((local, domain)) => {
            !local.is_empty() && domain.contains('.') && after == Some(char::from(end))
        }
        None => {
            let closed = after == Some(char::from(end));
            let path = matches!(after, Some('/' | '?' | '#'));
            let around = Around { before: None, after: after.filter(|_| path), dots: 0 };
            (closed || path) && bare::refusal(name, around).is_none()
        }
    }
}

impl Syntax for Latex {
    const SIGNS: Bytes = bytes_of(b"\\%{$");

    fn line(&mut self, _: &[u8], _: bool) -> Option<Sign> {
        self.comment = false;
        Some(Sign::Text(0))
    }

    fn sign(&mut self, before: u8, bytes: &[u8], last: bool) -> Option<Sign> {
        match bytes[0] {
            b'%' if self.comment => Some(Sign::Text(1)),
            b'%' => {
                let is_digit = |b: Option<&u8>| b.is_some_and(u8::is_ascii_hexdigit);
                if bytes.len() < 3 && !last {
                    return None;
                }
                if before > b' ' && is_digit(bytes.get(1)) && is_digit(bytes.get(2)) {
                    return Some(Sign::Text(1));
                }
                self.comment = true;
                Some(Sign::Mark(1))
            }
            b'{' => {
                for scheme in [&b"http://"[..], b"https://", b"ftp://"] {
                    if begins(&bytes[1..], scheme, last)? {
                        self.target = Target { end: b'}', ..Target::default() };
                        return Some(Sign::Target(1));
                    }
                }
                Some(Sign::Text(1))
            }
            _ => {
                if let Some((len, chars)) = escape(bytes, last)? {
                    return Some(Sign::Escape(len, chars));
                }
                if bytes[0] == b'\\'
                    && let Some((len, end)) = argument(bytes, last)?
                {
                    // A host or an address without a scheme is found as in text.
                    let near = &bytes[len..bytes.len().min(NEAR).max(len)];
                    let whole = last || len + near.len() >= NEAR;
                    if !whole && !near.contains(&end) {
                        return None;
                    }
                    if is_name(near, end) {
                        return Some(Sign::Mark(len));
                    }
                    self.target = Target { end, argument: true, ..Target::default() };
                    return Some(Sign::Target(len));
                }
                // `\\` is one command, whose second byte begins nothing.
                Some(Sign::Text(if begins(bytes, b"\\\\", last)? { 2 } else { 1 }))
            }
        }
    }

    fn target(&mut self, bytes: &[u8], last: bool) -> Option<Token> {
        self.target.next(bytes, last)
    }

    fn place(&self, region: Region) -> Place {
        match region {
            Region::Reference(_) => Inside::Attribute { quoted: self.target.end == b'}' }.into(),
            _ => Place::default(),
        }
    }
}

impl Target {
    fn next(&mut self, bytes: &[u8], last: bool) -> Option<Token> {
        let special = |b: &u8| *b <= b' ' || b"{}\\%$".contains(b) || *b == self.end;
        let at = bytes.iter().position(special).unwrap_or(bytes.len());
        if at > 0 {
            return Some(Token::Raw(at));
        }
        let Some(&first) = bytes.first() else { return last.then_some(Token::Broken(b'{')) };
        let nothing = Chars::bytes(b"");
        Some(match first {
            b'}' if self.group => {
                self.group = false;
                Token::Escape(1, nothing)
            }
            _ if first == self.end && self.depth == 0 => Token::End,
            b'}' if self.depth == 0 => Token::Broken(b'{'),
            b'}' => {
                self.depth -= 1;
                Token::Raw(1)
            }
            b'{' if !self.group && begins(bytes, b"{\\", last)? => {
                self.group = true;
                Token::Escape(1, nothing)
            }
            b'{' if self.depth == DEPTH => Token::Broken(b'{'),
            b'{' => {
                self.depth += 1;
                Token::Raw(1)
            }
            b'\\' | b'$' => match escape(bytes, last)? {
                Some((len, chars)) => Token::Escape(len, chars),
                None if bytes.get(1).is_some_and(u8::is_ascii_alphabetic) => Token::Cancel,
                None => Token::Raw(1),
            },
            // At the end of a line, it joins that with the next one.
            b'%' => match begins(bytes, b"%\n", last)? {
                true => return self.line(bytes, 2, last),
                false => Token::Raw(1),
            },
            b'\n' => return self.line(bytes, 1, last),
            b' ' | b'\t' | b'\r' if self.argument => Token::Raw(1),
            _ => Token::Broken(b'{'),
        })
    }

    /// A line end of `len` bytes and the blanks after it, which an argument does not have.
    fn line(self, bytes: &[u8], len: usize, last: bool) -> Option<Token> {
        let rest = &bytes[len..];
        if !self.argument || is_blank(rest, last)? {
            return Some(Token::Broken(b'{'));
        }
        Some(Token::Escape(len + blanks(rest, last)?, Chars::bytes(b"")))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::format::{lexing::marked::Marked, tests::*};

    #[test]
    fn arguments_are_references_and_text_has_escapes() {
        for (document, regions) in [
            ("", ""),
            ("http://a/\\_b\\%20\\#c \\\\", "{http://a/_b%20#c \\\\}"),
            ("\\url{http://a/%20\\_}", "{\\url{}<http://a/%20_>{}}"),
            ("\\href[a=b]{c/d}{e}", "{\\href[a=b]{}<c/d>{}{e}}"),
            ("\\url|http://a| b", "{\\url|}<http://a>{| b}"),
            ("\\url{a{b}c}", "{\\url{}<a{b}c>{}}"),
            ("\\url{http://a/%\n  b}", "{\\url{}<http://a/b>{}}"),
            ("\\url{http://a\n\nb}", "{\\url{}{http://a\n\nb}}"),
            ("url = {http://a/{\\_}b}", "{url = {}<http://a/_b>{}}"),
            ("{http://a b}", "{{}{http://a b}}"),
            ("\\url{\\base/a} b", "{\\url{}{\\base/a} b}"),
            ("http://a/~b http://a/\\~{}b", "{http://a/~b http://a/~b}"),
            ("$\\sim$b $c$ \\textasciitilde b", "{~b $c$ ~b}"),
            ("a% http://b%\nc", "{a}{ http://b%\nc}"),
            ("http://a/%20b", "{http://a/%20b}"),
            ("http://a%\n%b", "{http://a}{\n}{b}"),
            ("\\url", "{\\url}"),
            ("\\url{example.org}", "{example.org}}"),
            (
                "\\aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa{b}",
                "{\\aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa{b}}",
            ),
        ] {
            let document = document.as_bytes();
            assert_eq!(render(&Marked::new(Latex::default()), document), regions);
        }
    }

    proptest! {
        #[test]
        fn any_bytes(document in hostile(&[
            "\\abcdefgabcdefgabcdefgabcdefgabcdefgabcdefgabcdefgabcdefgabcdefgabcdefg",
            "\\url{", "\\url|", "\\href{", "\\href[", "]", "{", "}", "|", "%", "%20", "%\n", "\\", "\\_", "\\\\",
            "\\~{}", "\\textasciitilde", "{}", " ", "\n", "\n\n", "{http://a", "$\\sim$", "$", "é", "\\x", "{\\_}",
        ])) {
            tokens_of_all_cuts(&Marked::new(Latex::default()), &document);
        }
    }
}
