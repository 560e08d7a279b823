//! LaTeX and BibTeX: running text in which escapes are undone, and the arguments of `\url` and `\href`.
//!
//! - `\_` `\%` `\#` `\&` `\$` `\{` `\}`, `\~{}`, `\textasciitilde`, `\textunderscore` and `$\sim$` are the
//!   characters that they print; `\-`, `\/` and `\allowbreak` are nothing.
//! - The arguments of `\url`, `\nolinkurl`, `\burl` and `\href` are references, relative or not; so is what
//!   a brace encloses that begins with a scheme and has no space (`url = {https://…}`). Hosts and addresses without a
//!   scheme in these arguments are found as in text.
//! - A target with a command in it is no link, because TeX replaces the command.
//! - An unescaped `%` begins a comment, which is searched too. Before two hexadecimal digits it is text:
//!   many authors forget the backslash. An unescaped `$` begins a formula, and `&` ends a cell: no link of running
//!   text has one.
//! - `\verb`, verbatim environments and listings have no escapes. See [`verbatim`].
//! - In a target, `%` and `#` are themselves, but not if it is in the argument of another command, because TeX has
//!   read that before: `\footnote{\url{http://a.example/\%20}}`. There the package hyperref wants a backslash, and
//!   the package url alone has no way. `#1` is a parameter there.
//! - In BibTeX, the fields `url`, `doi` and `eprint` are no running text, and braces are not arguments.
//!
//! What other commands do is not known: their names and braces are text.

mod packages;
pub(in crate::format) mod row;
mod verbatim;
pub(in crate::format) mod writer;

use self::{packages::Packages, verbatim::Verbatim};

use crate::{
    format::lexing::{
        lexer::{Chars, Region, Token},
        lookahead::{Here, Lookahead},
        marked::{Bytes, NEAR, Sign, Syntax, blanks, bytes_of, is_blank},
    },
    grammar::bare,
    links::place::{Around, Inside, Place},
};

/// Reads LaTeX.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Latex {
    /// In a comment.
    comment: bool,
    target: Target,
    /// Where the links of the target are, or of the field.
    place: Place,
    raw: Raw,
    /// Braces that are open.
    depth: u32,
    /// An entry of BibTeX has begun.
    entries: bool,
    packages: Packages,
}

/// Text in which `$`, `&` and `%` are themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Raw {
    #[default]
    None,
    Verbatim(Verbatim),
    /// A field of BibTeX, before its value.
    Field,
    /// Its value, or a target that has no scheme: what closes it, and the braces that are open in it.
    Value {
        end: u8,
        depth: u8,
    },
    /// It has ended, and the region has not.
    Ended,
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
    /// A `#` and a digit are a parameter.
    parameters: bool,
    /// It is the argument of a command that is no target, so that a formula may begin in it.
    formulas: bool,
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

/// The fields of BibTeX that are addresses.
const FIELDS: [&[u8]; 3] = [b"url", b"doi", b"eprint"];

/// What opens the value of such a field that `bytes` begin with, after blanks: `"` or `{`, after its name and `=`.
/// `Here::Nothing`: they begin with none. `None`: more bytes are needed.
fn field(bytes: Lookahead<'_>) -> Option<Here<u8>> {
    let near = bytes.near(NEAR);
    let mut at = blanks(near)?;
    let len = near[at..].iter().take_while(|b| b.is_ascii_alphabetic()).count();
    let name = &near[at..at + len];
    at += len;
    if at == near.len() && near.is_partial() {
        return None;
    }
    if !FIELDS.iter().any(|field| field.eq_ignore_ascii_case(name)) {
        return Some(Here::Nothing);
    }
    at += blanks(near.from(at))?;
    match near.get(at) {
        None if near.is_partial() => return None,
        Some(b'=') => at += 1,
        _ => return Some(Here::Nothing),
    }
    at += blanks(near.from(at))?;
    match near.get(at) {
        None if near.is_partial() => None,
        opens => Some(opens.copied().filter(|b| matches!(b, b'"' | b'{')).into()),
    }
}

/// The letters after the backslash that `bytes` begin with. `None`: more bytes are needed.
fn command(bytes: Lookahead<'_>) -> Option<&[u8]> {
    let near = &bytes.as_slice()[1..bytes.len().min(NEAR / 2)];
    let len = near.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    (len < near.len() || near.len() + 1 == NEAR / 2 || bytes.is_last()).then(|| &near[..len])
}

/// The escape that `bytes` begin with. `Here::Nothing`: they begin with none. `None`: more bytes are needed.
fn escape(bytes: Lookahead<'_>) -> Option<Here<(usize, Chars)>> {
    if bytes[0] == b'$' {
        let tilde = bytes.begins(b"$\\sim$")?;
        return Some(tilde.then_some((6, Chars::byte(b'~'))).into());
    }
    Some(match bytes.get(1) {
        None if bytes.is_partial() => return None,
        Some(b @ (b'_' | b'%' | b'#' | b'&' | b'$' | b'{' | b'}')) => {
            Here::Is((2, Chars::byte(*b)))
        }
        Some(b'-' | b'/') => Here::Is((2, Chars::bytes(b""))),
        Some(b @ (b'~' | b'^')) => {
            let accent = !bytes.from(2).begins(b"{}")?;
            (!accent).then_some((4, Chars::byte(*b))).into()
        }
        Some(b) if b.is_ascii_alphabetic() => {
            let name = command(bytes)?;
            let Some((_, text)) = NAMES.iter().find(|(known, _)| *known == name) else {
                return Some(Here::Nothing);
            };
            let rest = bytes.from(1 + name.len());
            let after = match rest.begins(b"{}")? {
                true => 2,
                // Spaces end the name. TeX drops all of them.
                false => blanks(rest.near(NEAR / 4))?,
            };
            Here::Is((1 + name.len() + after, Chars::bytes(text.as_bytes())))
        }
        _ => Here::Nothing,
    })
}

/// The argument of the command that `bytes` begin with: how many bytes come before it, and what closes
/// it. `Here::Nothing`: it has no target. `None`: more bytes are needed.
fn argument(bytes: Lookahead<'_>) -> Option<Here<(usize, u8)>> {
    let name = command(bytes)?;
    if !TARGETS.contains(&name) {
        return Some(Here::Nothing);
    }
    let near = bytes.near(NEAR);
    let mut at = 1 + name.len();
    loop {
        match near.get(at) {
            None if near.is_partial() => return None,
            Some(b'*' | b' ' | b'\t') => at += 1,
            Some(b'[') => match memchr::memchr(b']', &near[at..]) {
                None if near.is_partial() => return None,
                None => return Some(Here::Nothing),
                Some(len) => at += len + 1,
            },
            Some(b'{') => return Some(Here::Is((at + 1, b'}'))),
            Some(b @ (b'|' | b'!' | b'+' | b'"')) if name != b"href" => {
                return Some(Here::Is((at + 1, *b)));
            }
            _ => return Some(Here::Nothing),
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
            let around = bare::Around { before: None, after: after.filter(|_| path), dots: 0 };
            (closed || path) && bare::refusal(name, around).is_none()
        }
    }
}

impl Syntax for Latex {
    const SIGNS: Bytes = bytes_of(b"\\%{}$&,\"|!+'`^*;=~@#");

    fn line(&mut self, bytes: Lookahead<'_>) -> Option<Sign> {
        if let Raw::Verbatim(Verbatim::Block(_)) = self.raw {
            return Some(Sign::Text(0));
        }
        let entry = begins_entry(bytes)?;
        let ends = match self.raw {
            Raw::None => false,
            // It must end in its line.
            Raw::Verbatim(_) | Raw::Ended => true,
            _ => entry || is_blank(bytes)?,
        };
        let opens = if ends || self.raw == Raw::None { field(bytes)?.found() } else { None };
        self.comment = false;
        if entry {
            (self.entries, self.depth) = (true, 0);
        }
        if ends {
            self.raw = Raw::None;
        }
        self.begin_field(opens);
        Some(if ends || opens.is_some() { Sign::Mark(0) } else { Sign::Text(0) })
    }

    fn sign(&mut self, before: u8, bytes: Lookahead<'_>) -> Option<Sign> {
        let first = bytes[0];
        match self.raw {
            Raw::Verbatim(verbatim) => {
                let end = verbatim.end(bytes)?;
                return Some(match end {
                    0 => Sign::Text(1),
                    len => {
                        self.raw = Raw::None;
                        Sign::Mark(len)
                    }
                });
            }
            Raw::Ended => {
                self.raw = Raw::None;
                return Some(Sign::Mark(0));
            }
            _ => {}
        }
        match first {
            b'%' if self.comment || self.raw != Raw::None => Some(Sign::Text(1)),
            b'%' => {
                let is_digit = |b: Option<&u8>| b.is_some_and(u8::is_ascii_hexdigit);
                if bytes.len() < 3 && bytes.is_partial() {
                    return None;
                }
                if before > b' ' && is_digit(bytes.get(1)) && is_digit(bytes.get(2)) {
                    return Some(Sign::Text(1));
                }
                self.comment = true;
                Some(Sign::Mark(1))
            }
            b'{' => self.open(before, bytes),
            b'}' | b'"' | b'|' | b'!' | b'+' => {
                if first == b'}' && !self.comment {
                    self.depth = self.depth.saturating_sub(1);
                    self.packages.end();
                }
                self.raw = self.raw.after(first);
                Some(Sign::Text(1))
            }
            b',' => {
                self.packages.name(bytes.from(1))?;
                let may = self.entries && self.raw == Raw::None;
                let opens = if may { field(bytes.from(1))?.found() } else { None };
                self.begin_field(opens);
                Some(if opens.is_some() { Sign::Mark(0) } else { Sign::Text(1) })
            }
            b'&' if self.comment || self.raw != Raw::None => Some(Sign::Text(1)),
            b'&' => Some(Sign::Mark(1)),
            b'$' => Some(match escape(bytes)? {
                Here::Is((len, chars)) => Sign::Escape(len, chars),
                Here::Nothing if self.comment || self.raw != Raw::None => Sign::Text(1),
                Here::Nothing => Sign::Mark(1),
            }),
            b'\\' => self.backslash(bytes),
            _ => Some(Sign::Text(1)),
        }
    }

    fn target(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        let token = self.target.next(bytes)?;
        if matches!(token, Token::Broken(_) | Token::Cancel) && !self.comment {
            self.depth += u32::from(self.target.depth) + u32::from(self.target.group);
        }
        Some(token)
    }

    fn place(&self, region: Region) -> Place {
        match (region, self.raw) {
            (Region::Reference(_), _) | (_, Raw::Field | Raw::Value { .. } | Raw::Ended) => {
                self.place
            }
            (_, Raw::Verbatim(verbatim)) => verbatim.place(),
            _ => Place::default(),
        }
    }
}

/// Whether an entry of BibTeX begins with `bytes`: `@article{`. `None`: more bytes are needed.
fn begins_entry(bytes: Lookahead<'_>) -> Option<bool> {
    match bytes.as_slice() {
        [] | [b'@'] if bytes.is_partial() => None,
        [b'@', letter, ..] => Some(letter.is_ascii_alphabetic()),
        _ => Some(false),
    }
}

impl Raw {
    /// The same after `sign`, which may close the value.
    fn after(self, sign: u8) -> Raw {
        match (self, sign) {
            (Raw::Field, b'"') => Raw::Value { end: b'"', depth: 0 },
            (Raw::Value { end, depth: 0 }, sign) if sign == end || sign == b'}' => Raw::Ended,
            (Raw::Value { end, depth }, b'}') => Raw::Value { end, depth: depth - 1 },
            (raw, _) => raw,
        }
    }
}

impl Latex {
    /// A field of BibTeX begins, whose value `opens` opens.
    fn begin_field(&mut self, opens: Option<u8>) {
        if let Some(opens) = opens {
            self.raw = Raw::Field;
            self.place = Inside::Attribute { quoted: opens == b'{' }.into();
        }
    }

    /// Reads a brace that opens something.
    fn open(&mut self, before: u8, bytes: Lookahead<'_>) -> Option<Sign> {
        self.packages.list(before, bytes.from(1))?;
        for scheme in [&b"http://"[..], b"https://", b"ftp://"] {
            if matches!(self.raw, Raw::None | Raw::Field) && bytes.from(1).begins(scheme)? {
                let field = self.raw == Raw::Field;
                // Outside of fields it is running text.
                let inside = if field { Inside::Attribute { quoted: true } } else { Inside::Text };
                (self.place, self.raw) = (inside.into(), Raw::None);
                self.aim(b'}', false, !self.entries);
                self.target.formulas = !field;
                return Some(Sign::Target(1));
            }
        }
        self.depth += u32::from(!self.comment);
        self.raw = match self.raw {
            Raw::Field => Raw::Value { end: b'}', depth: 0 },
            Raw::Value { depth: DEPTH, .. } => Raw::None,
            Raw::Value { end, depth } => Raw::Value { end, depth: depth + 1 },
            raw => raw,
        };
        Some(Sign::Text(1))
    }

    /// A target begins, which `end` closes.
    fn aim(&mut self, end: u8, argument: bool, parameters: bool) {
        self.depth += u32::from(end == b'}' && !self.comment);
        self.target = Target { end, argument, parameters, ..Target::default() };
    }

    /// Reads a backslash.
    fn backslash(&mut self, bytes: Lookahead<'_>) -> Option<Sign> {
        if let Here::Is((len, chars)) = escape(bytes)? {
            return Some(Sign::Escape(len, chars));
        }
        if !bytes.get(1).is_some_and(u8::is_ascii_alphabetic) {
            // `\\` is one command, whose second byte begins nothing.
            return Some(Sign::Text(if bytes.begins(b"\\\\")? { 2 } else { 1 }));
        }
        if !self.comment
            && let Here::Is((len, verbatim)) = Verbatim::begins(bytes)?
        {
            self.raw = Raw::Verbatim(verbatim);
            return Some(Sign::Mark(len));
        }
        let Here::Is((len, end)) = argument(bytes)? else {
            if bytes.begins(b"\\begin{document}")? {
                self.depth = 0;
            }
            self.packages.command(command(bytes)?);
            return Some(Sign::Text(1));
        };
        // A host or an address without a scheme is found as in text.
        let near = &bytes[len..bytes.len().min(NEAR).max(len)];
        let whole = bytes.is_last() || len + near.len() >= NEAR;
        if !whole && !near.contains(&end) {
            return None;
        }
        let nested = self.depth > 0 && !self.entries;
        let around = match nested {
            true if self.packages.is_url_alone() => Around::Fixed,
            true => Around::Escaped,
            false => Around::Nothing,
        };
        self.place = Place::new(Inside::Attribute { quoted: end == b'}' }, around);
        self.raw = Raw::None;
        self.aim(end, true, nested);
        if is_name(near, end) {
            self.raw = Raw::Value { end, depth: 0 };
            return Some(Sign::Mark(len));
        }
        Some(Sign::Target(len))
    }
}

impl Target {
    fn next(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        let special = |b: &u8| *b <= b' ' || b"{}\\%$#".contains(b) || *b == self.end;
        let at = bytes.iter().position(special).unwrap_or(bytes.len());
        if at > 0 {
            return Some(Token::Raw(at));
        }
        let Some(&first) = bytes.first() else {
            return bytes.is_last().then_some(Token::Broken(b'{'));
        };
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
            b'{' if !self.group && bytes.begins(b"{\\")? => {
                self.group = true;
                Token::Escape(1, nothing)
            }
            b'{' if self.depth == DEPTH => Token::Broken(b'{'),
            b'{' => {
                self.depth += 1;
                Token::Raw(1)
            }
            b'\\' | b'$' => match escape(bytes)? {
                Here::Is((len, chars)) => Token::Escape(len, chars),
                Here::Nothing if first == b'$' && self.formulas => Token::Broken(b'{'),
                Here::Nothing
                    if first == b'\\' && bytes.get(1).is_some_and(u8::is_ascii_alphabetic) =>
                {
                    Token::Cancel
                }
                Here::Nothing => Token::Raw(1),
            },
            b'#' if self.parameters => match bytes.get(1) {
                None if bytes.is_partial() => return None,
                Some(b'1'..=b'9') => Token::Cancel,
                _ => Token::Raw(1),
            },
            b'#' => Token::Raw(1),
            // At the end of a line, it joins that with the next one.
            b'%' => match bytes.begins(b"%\n")? {
                true => return self.line(bytes, 2),
                false => Token::Raw(1),
            },
            b'\n' => return self.line(bytes, 1),
            b' ' | b'\t' | b'\r' if self.argument => Token::Raw(1),
            _ => Token::Broken(b'{'),
        })
    }

    /// A line end of `len` bytes and the blanks after it, which an argument does not have.
    fn line(self, bytes: Lookahead<'_>, len: usize) -> Option<Token> {
        let rest = bytes.from(len);
        if !self.argument || is_blank(rest)? {
            return Some(Token::Broken(b'{'));
        }
        Some(Token::Escape(len + blanks(rest)?, Chars::bytes(b"")))
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
            ("$\\sim$b $c$ \\textasciitilde b", "{~b }{c}{ ~b}"),
            ("a & b \\& c % d & $e$\nf", "{a }{ b & c }{ d & $e$\nf}"),
            ("\\verb|a_$&%\\_| b\n\\verb*!a\nb", "{a_$&%\\_}{ b\n}{a\n}{b}"),
            (
                "\\begin{verbatim}\n%a\\_\n\\end{verbatim*}\\end{verbatim} b",
                "{\n%a\\_\n\\end{verbatim*}}{ b}",
            ),
            ("% \\begin{verbatim}\n\\_", "{ \\begin{verbatim}\n_}"),
            ("\\footnote{\\url{http://a/#1}} b", "{\\footnote{\\url{}{#1}} b}"),
            ("\\url{http://a/#1} b", "{\\url{}<http://a/#1>{} b}"),
            ("a\n url = \"b&c\", d&e\n", "{a\n}{ url = \"b&c\"}{, d}{e\n}"),
            ("\\x{http://a/$b$}", "{\\x{}{http://a/}{b}{}}"),
            ("@a{b, DOI={c%&d}, e&f}", "{@a{b}{, DOI={c%&d}}{, e}{f}}"),
            ("\\url{www.x.org/?b&c} d&e", "{www.x.org/?b&c} d}{e}"),
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
            "\\verb|", "\\verb*=", "=", "\\begin{verbatim}", "\\end{verbatim}", "\\begin{document}", "#1", "&", "\"", ",",
            "\n@a{b,", "url = \"", "doi={", "\\usepackage[a]{b,url}", "hyperref", "a.example", "\\lstinline[a]!",
            "\\abcdefgabcdefgabcdefgabcdefgabcdefgabcdefgabcdefgabcdefgabcdefgabcdefg",
            "\\url{", "\\url|", "\\href{", "\\href[", "]", "{", "}", "|", "%", "%20", "%\n", "\\", "\\_", "\\\\",
            "\\~{}", "\\textasciitilde", "{}", " ", "\n", "\n\n", "{http://a", "$\\sim$", "$", "é", "\\x", "{\\_}",
        ])) {
            tokens_of_all_cuts(&Marked::new(Latex::default()), &document);
        }
    }
}
