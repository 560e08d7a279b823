//! BBCode: the tags of forums, in square brackets. Running text, and targets, which are references.
//!
//! - What `[url]…[/url]` and `[img]…[/img]` enclose is a target, and so is the value of `[url=…]`, with or without
//!   quotes. The value of another tag is one if it is a URL.
//! - Tags divide the text: a link ends before `[/b]`. Unknown ones are text.
//! - What begins with `www.` is running text, because it is no reference.
//! - In `[code]` only `[/code]` is a tag; links in it count.

pub(in crate::format) mod row;
pub(in crate::format) mod writer;

use crate::{
    format::lexing::{
        lexer::{Region, Token},
        lookahead::{Here, Lookahead},
        marked::{Bytes, NEAR, Sign, Syntax, blanks, bytes_of, is_url},
    },
    links::place::{Inside, Place},
};

/// Reads BBCode.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BbCode {
    /// In the text of such a tag, which is one of [`CODE`].
    code: Option<u8>,
    /// What ends the target: a quote, `]`, or 0: a tag.
    end: u8,
}

/// Tags whose text has no tags.
const CODE: [&[u8]; 4] = [b"code", b"icode", b"noparse", b"plain"];

/// Tags whose text is a target.
const TARGETS: [&[u8]; 4] = [b"url", b"img", b"video", b"media"];

/// Other tags.
const OTHERS: [&[u8]; 32] = [
    b"b", b"i", b"u", b"s", b"quote", b"size", b"color", b"font", b"list", b"*", b"li", b"ul",
    b"ol", b"email", b"center", b"left", b"right", b"justify", b"spoiler", b"youtube", b"table",
    b"tr", b"td", b"th", b"hr", b"sub", b"sup", b"pre", b"attach", b"user", b"align", b"indent",
];

/// The longest name, and a byte more.
const NAME_MAX: usize = 9;

/// The name of a tag after its `[` or `[/`, if it is known. `None`: more bytes are needed.
fn name(bytes: Lookahead<'_>) -> Option<Here<(&'static [u8], usize)>> {
    let near = bytes.near(NAME_MAX);
    let len = near.iter().take_while(|b| b.is_ascii_alphabetic() || **b == b'*').count();
    if len == near.len() && near.is_partial() {
        return None;
    }
    let mut all = CODE.iter().chain(&TARGETS).chain(&OTHERS);
    let known = all.find(|known| near[..len].eq_ignore_ascii_case(known));
    Some(known.map(|known| (*known, len)).into())
}

impl BbCode {
    /// A tag that ends after its name, or after attributes. `len`: up to its text.
    fn opened(&mut self, name: &[u8], len: usize, bytes: Lookahead<'_>) -> Option<Sign> {
        if TARGETS.contains(&name) {
            let near = bytes.near(NEAR);
            let len = len + blanks(near.from(len))?;
            let is_target = match near.get(len) {
                None if near.is_partial() => return None,
                None | Some(b'[' | b'\r' | b'\n') => false,
                Some(_) => !near.from(len).begins(b"www.")?,
            };
            self.end = 0;
            return Some(if is_target { Sign::Parameter(len) } else { Sign::Mark(len) });
        }
        self.code = CODE.iter().position(|code| *code == name).map(|nth| nth as u8);
        Some(Sign::Mark(len))
    }

    /// A tag with a value, which begins after `len` bytes.
    fn valued(&mut self, name: &[u8], len: usize, bytes: Lookahead<'_>) -> Option<Sign> {
        let (quote, from) = match bytes.get(len) {
            None if bytes.is_partial() => return None,
            Some(b @ (b'"' | b'\'')) => (*b, len + 1),
            _ => (b']', len),
        };
        let rest = bytes.from(from.min(bytes.len()));
        let is_target = match rest.first() {
            None if bytes.is_partial() => return None,
            None | Some(b']' | b'"' | b'\'' | b'\r' | b'\n') => false,
            Some(_) if name == b"url" => !rest.begins(b"www.")?,
            Some(_) => is_url(rest)?,
        };
        self.end = quote;
        self.code = CODE.iter().position(|code| *code == name).map(|nth| nth as u8);
        Some(if is_target { Sign::Parameter(from) } else { Sign::Mark(from) })
    }
}

impl Syntax for BbCode {
    const SIGNS: Bytes = bytes_of(b"[");

    fn sign(&mut self, _: u8, bytes: Lookahead<'_>) -> Option<Sign> {
        let from = match bytes.get(1) {
            None if bytes.is_partial() => return None,
            Some(b'/') => 2,
            _ => 1,
        };
        let Here::Is((name, len)) = name(bytes.from(from.min(bytes.len())))? else {
            return Some(Sign::Text(1));
        };
        let at = from + len;
        let next = match bytes.get(at) {
            None if bytes.is_partial() => return None,
            next => next.copied(),
        };
        if let Some(code) = self.code {
            let ends = from == 2 && next == Some(b']') && CODE[usize::from(code)] == name;
            self.code = if ends { None } else { Some(code) };
            return Some(if ends { Sign::Mark(at + 1) } else { Sign::Text(1) });
        }
        match next {
            Some(b']') if from == 2 => Some(Sign::Mark(at + 1)),
            Some(b']') => self.opened(name, at + 1, bytes),
            Some(b'=') if from == 1 => self.valued(name, at + 1, bytes),
            Some(b' ') if from == 1 && TARGETS.contains(&name) => {
                // Attributes, up to 40 bytes.
                let near = bytes.near(NEAR - 15);
                match near[at..].iter().position(|b| matches!(b, b']' | b'[' | b'\n')) {
                    Some(end) if near[at + end] == b']' => self.opened(name, at + end + 1, bytes),
                    None if near.is_partial() => None,
                    _ => Some(Sign::Mark(at)),
                }
            }
            _ => Some(Sign::Text(1)),
        }
    }

    fn target(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        let end = self.end;
        let special =
            |b: &u8| matches!(b, b'[' | b'\r' | b'\n') || *b == end || end == b']' && *b == b' ';
        let at = bytes.iter().position(special).unwrap_or(bytes.len());
        if at > 0 {
            return Some(Token::Raw(at));
        }
        let next = match bytes.as_slice() {
            [] | [_] if bytes.is_partial() => return None,
            [] => return Some(Token::Broken(b'[')),
            [_, next @ ..] => next.first(),
        };
        Some(match bytes[0] {
            b'\r' | b'\n' => Token::Broken(b'['),
            // The literal of an address, and the parameter of a query.
            b'[' if end != 0 || next.is_some_and(|b| *b != b'/') => Token::Raw(1),
            _ => Token::End,
        })
    }

    fn place(&self, region: Region) -> Place {
        match region {
            Region::Reference(_) => Inside::Attribute { quoted: true }.into(),
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
    fn targets_are_references_and_tags_divide() {
        for (document, regions) in [
            ("", ""),
            ("[url]http://a[/url] b", "<http://a>{ b}"),
            ("[URL=http://a]b[/url]", "<http://a>{]b}"),
            ("[url=\"a b\"]c[/url]", "<a b>{\"]c}"),
            ("[img] a.png [/img]", "<a.png >"),
            ("[url]www.a[/url]", "{www.a}"),
            ("[url]http://a\nb", "{http://a\nb}"),
            ("[b]http://a[/b][x]", "{http://a}{[x]}"),
            ("[code][url]a[/url][/code][b]c", "{[url]a[/url]}{c}"),
            ("[quote=\"a\"]b[/quote]", "{a\"]b}"),
            ("[quote=http://a]b", "<http://a>{]b}"),
            ("[img width=1]a[/img]", "<a>"),
            ("[url]http://[::1]/[/url]", "<http://[::1]/>"),
        ] {
            let document = document.as_bytes();
            assert_eq!(render(&Marked::new(BbCode::default()), document), regions);
        }
    }

    proptest! {
        #[test]
        fn any_bytes(document in hostile(&[
            "[", "]", "[url]", "[/url]", "[url=", "[img]", "[img ", "[code]", "[/code]", "[quote=", "\"", "'", "[b]",
            "[/", "http://a", "www.", " ", "\n", "=", "a", "é",
        ])) {
            tokens_of_all_cuts(&Marked::new(BbCode::default()), &document);
        }
    }
}
