//! Wikitext: MediaWiki, and the links of DokuWiki and Creole. Running text, in which character references are
//! undone, and targets, which are references.
//!
//! - `[url text]`, `[[url|text]]`, `[[File:a.png|link=url]]`, and what a template is given
//!   (`{{cite web |url=url}}`, `{{official|url}}`) are targets if they begin with a scheme, or with `//`. A
//!   target ends at white space, at a bracket or a bar, at `''`, and at the sign of a tag.
//! - Titles of pages are no references.
//! - `''`, `}}`, and the `|` of templates, links and tables divide the text.
//!
//! `<nowiki>` is text as everything else: no link is lost.

pub(in crate::format) mod row;
pub(in crate::format) mod writer;

use crate::{
    format::{
        lexing::{
            lexer::{Region, Token},
            lookahead::{Here, Lookahead},
            marked::{Bytes, NEAR, Sign, Syntax, blanks, bytes_of, is_blank, is_url},
        },
        markup::entities::{Reference, Where, reference, referenced},
    },
    links::place::{Inside, Place},
};

/// Reads wikitext.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wikitext {
    /// So many templates and links are open in this paragraph.
    depth: u8,
    /// In the row of a table.
    row: bool,
    target: Target,
    /// In the literal of an address in the target.
    literal: bool,
}

/// What a target is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Target {
    /// `[` and `]`, or `[[` and `]]`.
    #[default]
    Bracket,
    /// What a template is given, in which `=` ends a name.
    Template,
}

/// The bytes before the URL that follows the bar that `bytes` begin with, perhaps after the name of a
/// parameter. `Here::Nothing`: none does. `None`: more bytes are needed.
fn parameter(bytes: Lookahead<'_>) -> Option<Here<usize>> {
    let near = bytes.near(NEAR);
    let start = 1 + blanks(near.from(1))?;
    if is_url(near.from(start))? {
        return Some(Here::Is(start));
    }
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || b" _-".contains(b);
    let len = near[start..].iter().take_while(|b| is_name(b)).count();
    match near.get(start + len) {
        None if near.is_partial() => return None,
        Some(b'=') if len > 0 => {}
        _ => return Some(Here::Nothing),
    }
    let at = start + len + 1;
    let at = at + blanks(near.from(at))?;
    Some(is_url(near.from(at))?.then_some(at).into())
}

impl Wikitext {
    /// A bar.
    fn bar(&mut self, bytes: Lookahead<'_>) -> Option<Sign> {
        if self.depth == 0 {
            return Some(if self.row { Sign::Mark(1) } else { Sign::Text(1) });
        }
        match parameter(bytes)? {
            Here::Is(len) => {
                (self.target, self.literal) = (Target::Template, false);
                Some(Sign::Parameter(len))
            }
            Here::Nothing => Some(Sign::Mark(1)),
        }
    }
}

impl Syntax for Wikitext {
    const SIGNS: Bytes = bytes_of(b"[]{}|'&");

    fn line(&mut self, bytes: Lookahead<'_>) -> Option<Sign> {
        if is_blank(bytes)? {
            self.depth = 0;
        }
        self.row = matches!(bytes.get(blanks(bytes)?), Some(b'|' | b'!'));
        Some(Sign::Text(0))
    }

    fn sign(&mut self, _: u8, bytes: Lookahead<'_>) -> Option<Sign> {
        let next = match bytes.get(1) {
            None if bytes.is_partial() => return None,
            next => next.copied(),
        };
        let double = next == Some(bytes[0]);
        match bytes[0] {
            b'[' => {
                let len = if double { 2 } else { 1 };
                let url = is_url(bytes.from(len))?;
                self.depth = self.depth.saturating_add(u8::from(double));
                (self.target, self.literal) = (Target::Bracket, false);
                Some(if url { Sign::Target(len) } else { Sign::Text(len) })
            }
            b'{' if double => {
                self.depth = self.depth.saturating_add(1);
                Some(Sign::Text(2))
            }
            b']' | b'}' if double => {
                let within = self.depth > 0;
                self.depth = self.depth.saturating_sub(1);
                Some(if within { Sign::Mark(2) } else { Sign::Text(2) })
            }
            b'|' => self.bar(bytes),
            b'\'' if double => {
                let near = bytes.near(NEAR);
                let n = near.iter().take_while(|b| **b == b'\'').count();
                (n < near.len() || near.is_last()).then_some(Sign::Mark(n))
            }
            b'&' => match reference(bytes, Where::Markdown) {
                Reference::More => None,
                Reference::None => Some(Sign::Text(1)),
                Reference::Is(len, chars) => Some(Sign::Escape(len, chars)),
            },
            _ => Some(Sign::Text(1)),
        }
    }

    fn target(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        let special = |b: &u8| *b <= b' ' || b"[]{}|'&<>\"".contains(b);
        let at = bytes.iter().position(special).unwrap_or(bytes.len());
        if at > 0 {
            return Some(Token::Raw(at));
        }
        let Some(&first) = bytes.first() else { return bytes.is_last().then_some(Token::End) };
        let next = match bytes.get(1) {
            None if bytes.is_partial() => return None,
            next => next.copied(),
        };
        Some(match first {
            b'&' => return referenced(bytes, Where::Markdown),
            b'\'' if next == Some(b'\'') => Token::End,
            // The literal of an address.
            b'[' if next.is_some_and(|b| b == b':' || b.is_ascii_hexdigit()) => {
                self.literal = true;
                Token::Raw(1)
            }
            b']' if core::mem::take(&mut self.literal) => Token::Raw(1),
            b']' if self.target == Target::Template && next != Some(b']') => Token::Raw(1),
            b'{' | b'}' if next != Some(first) => Token::Raw(1),
            b'\'' => Token::Raw(1),
            _ => Token::End,
        })
    }

    fn place(&self, region: Region) -> Place {
        match region {
            Region::Reference(_) => {
                Inside::Attribute { quoted: self.target == Target::Bracket }.into()
            }
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
    fn targets_are_references_and_marks_divide() {
        for (document, regions) in [
            ("", ""),
            ("[http://a b] [c]", "{[}<http://a>{ b] [c]}"),
            ("[[http://a|b]]", "{[[}<http://a>{b}"),
            ("[[File:a.png|link=http://b]] c", "{[[File:a.png}<http://b>{ c}"),
            ("{{a|url = http://b|c=d}}", "{{{a}<http://b>{c=d}"),
            ("{{a|http://b}} http://c", "{{{a}<http://b>{ http://c}"),
            ("''http://a'' b", "{http://a}{ b}"),
            ("http://a/?b&amp;c &nbsp", "{http://a/?b&c &nbsp}"),
            ("[//a/b c] [mailto:a@b c]", "{[}<//a/b>{ c] [}<mailto:a@b>{ c]}"),
            ("| http://a || b\nc|d", "{ http://a }{ b\nc|d}"),
            ("[http://[::1]/a b]", "{[}<http://[::1]/a>{ b]}"),
        ] {
            let document = document.as_bytes();
            assert_eq!(render(&Marked::new(Wikitext::default()), document), regions);
        }
    }

    proptest! {
        #[test]
        fn any_bytes(document in hostile(&[
            "[", "[[", "]", "]]", "{{", "}}", "|", "|url=", "http://a", "//", "mailto:", "''", "'", "&amp;", "&", ";",
            "\n", "\n\n", " ", "=", "<", ">", "a", "é", "\n|",
        ])) {
            tokens_of_all_cuts(&Marked::new(Wikitext::default()), &document);
        }
    }
}
