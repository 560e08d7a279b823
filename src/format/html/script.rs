//! Scripts that are no program: JSON-LD, import maps and speculation rules, which are read as JSON.
//!
//! The type of a script goes in, as its tag names it, and then the bytes of the script; tokens of JSON come out. What
//! must hold: where the script ends does not depend on the JSON in it. So the lexer first finds bytes that are still in
//! the script, and the lexer of JSON sees no more than those.

use alloc::{boxed::Box, sync::Arc};

use super::Html;
use crate::{
    charset::cursor::Cursor,
    format::{
        json::Json,
        lexing::{
            lexer::{AHEAD, Chars, Lexer, Token, Unescaped, is_space},
            lookahead::{Here, Lookahead},
            mask::mask,
        },
        markup::{
            entities::{Where, referenced},
            tag::{Inside, Part, Tag},
        },
    },
    links::place::Around,
};

/// How much of a script is made readable at once, if its charset has characters of two bytes.
const PIECE: usize = 4 * AHEAD;

/// The longest type of a script that is compared.
const LONGEST: usize = 32;

/// Reads the JSON of one script.
#[derive(Clone, Debug)]
pub(super) struct Script {
    json: Json,
    /// So many bytes are in the script and have no token yet.
    known: usize,
    /// The script ends after them.
    over: bool,
}

/// What JSON a script holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    /// JSON-LD, or speculation rules.
    Links,
    ImportMap,
}

impl Holds {
    /// What a script of this type holds. Capitals mean the same, and so does white space around it.
    fn by(name: &[u8]) -> Option<Holds> {
        let name = name.trim_ascii();
        let is = |other: &str| name.eq_ignore_ascii_case(other.as_bytes());
        let essence = name.split(|b| *b == b';').next().unwrap_or_default().trim_ascii();
        match essence.eq_ignore_ascii_case(b"application/ld+json") || is("speculationrules") {
            true => Some(Holds::Links),
            false => is("importmap").then_some(Holds::ImportMap),
        }
    }

    /// What a script holds whose type is the value that `bytes` begin with, after this quote (0: without one). The
    /// value may have character references: some programs write `application/ld&#x2B;json`. `None`: more bytes are
    /// needed.
    pub(super) fn of_type(bytes: Lookahead<'_>, quote: u8) -> Option<Here<Holds>> {
        let near = bytes.near(AHEAD);
        let ends = |b: u8| if quote == 0 { is_space(b) || b == b'>' } else { b == quote };
        let (mut name, mut len, mut at) = ([0; LONGEST], 0, 0);
        loop {
            let (n, chars) = match near.get(at) {
                None if near.is_partial() => return None,
                None => break,
                Some(b) if ends(*b) => break,
                Some(b'&') => match referenced(near.from(at), Where::Attribute)? {
                    Token::Escape(n, chars) => (n, chars),
                    _ => (1, Chars::byte(b'&')),
                },
                Some(b) => (1, Chars::byte(*b)),
            };
            for b in chars.as_bytes() {
                // Parameters may come after a type.
                if len < LONGEST {
                    name[len] = *b;
                    len += 1;
                }
            }
            at += n;
        }
        Some(Holds::by(&name[..len]).into())
    }
}

impl Script {
    fn new(holds: Holds) -> Script {
        let json = match holds {
            Holds::Links => Json::linked(Arc::default()),
            Holds::ImportMap => Json::import_map(),
        };
        Script { json, known: 0, over: false }
    }

    pub(super) fn around(&self) -> Around {
        self.json.around()
    }

    /// The next token of the bytes that are known. `double`: reads a charset in which the second byte of a character
    /// may look like a sign of JSON.
    fn next(&mut self, bytes: &[u8], double: Option<&Cursor>) -> Option<Token> {
        let bytes = Lookahead::new(&bytes[..self.known], self.over);
        let token = match double {
            None => self.json.next(bytes),
            Some(cursor) => {
                let mut masked = [0; PIECE];
                self.json.next(mask(cursor, bytes, &mut masked))
            }
        };
        if let Some(Token::Skip(n) | Token::Raw(n) | Token::Escape(n, _)) = token {
            self.known -= n;
        }
        token
    }

    /// As [`Lexer::unescape_run`], for the bytes that are known.
    pub(super) fn unescape_run(&mut self, bytes: &[u8], unescaped: &mut Unescaped<'_>) -> usize {
        let n = self
            .json
            .unescape_run(Lookahead::part(&bytes[..self.known.min(bytes.len())]), unescaped);
        self.known -= n;
        n
    }
}

impl Html {
    /// Notes the type of a script, whose value `bytes` begin with. `None`: more bytes are needed.
    pub(super) fn note_type(
        tag: &Tag,
        holds: &mut Option<Here<Holds>>,
        bytes: Lookahead<'_>,
    ) -> Option<()> {
        let Part::Value { quote, inside: Inside::Unread } = tag.part else { return Some(()) };
        // Of two attributes with the same name, the first one counts.
        if holds.is_none() && tag.attribute.get() == b"type" && tag.element.get() == b"script" {
            *holds = Some(Holds::of_type(bytes, quote)?);
        }
        Some(())
    }

    /// A script begins.
    pub(super) fn script_begins(&mut self) -> bool {
        let holds = self.raw.holds.and_then(Here::found).filter(|_| self.scripts);
        self.raw.script = holds.map(|holds| Box::new(Script::new(holds)));
        self.raw.script.is_some()
    }

    /// A script that holds JSON, and its end tag.
    pub(super) fn json(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        let mut script = self.raw.script.take()?;
        let token = loop {
            match script.next(&bytes, self.raw.double.as_deref()) {
                // The end tag comes next, if the document goes on.
                None if script.over && bytes.is_empty() => return None,
                None if script.over => return self.markup(bytes),
                None => {}
                token => break token,
            }
            match self.raw_text(bytes.from(script.known)) {
                Some(Here::Is(n)) => script.known += n,
                Some(Here::Nothing) => script.over = true,
                None if bytes.is_last() && script.known == bytes.len() => script.over = true,
                None => break None,
            }
        };
        self.open = match token {
            Some(Token::Begin(_)) => true,
            Some(Token::End) => false,
            _ => self.open,
        };
        self.raw.script = Some(script);
        token
    }
}
