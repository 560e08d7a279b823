//! PO: the catalogues of gettext. Strings are text without their escapes, joined over lines; comments are
//! text.
//!
//! ```text
//!           keyword, "              "
//!   Line ──────────────▶ Opened ──▶ String ────────▶ Closed ──▶ Line
//!    │                               └─ ", line end, " ─▶ String
//!    └─ a comment, or what is no entry ──▶ Plain ── line end ──▶ Line
//! ```
//!
//! Bytes go in, tokens come out. Obsolete entries (`#~ msgid "…"`) and previous ones (`#| msgid "…"`) are
//! entries too. In a string, the escapes of C are undone (manual of gettext, "The Format of PO Files"). The strings of
//! `msgid`, `msgid_plural` and `msgctxt` are keys: a program asks for a translation by them.
//! Invariant: every region ends at a line feed, except between two strings that are joined.

pub(in crate::format) mod row;
pub(in crate::format) mod writer;

use crate::{
    format::lexing::{
        escape,
        lexer::{Chars, Lexer, Region, Token},
        lookahead::{Here, Lookahead},
        marked::{NEAR, blanks},
    },
    links::place::{Around, Inside, Place},
};

/// Reads PO.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Po {
    state: State,
    /// The last entry was a key.
    key: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// At the start of a line, or after a string.
    #[default]
    Line,
    /// After the opening quote.
    Opened,
    String,
    /// At the closing quote.
    Closed,
    Plain,
}

/// The start of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    /// How many bytes come before its string, with the quote.
    len: usize,
    /// Its string is a key. `None`: it has no keyword, and goes on with the entry before it.
    key: Option<bool>,
}

/// The entry that `bytes` begin with. `Here::Nothing`: the line is none. `None`: more bytes are needed.
fn entry(bytes: Lookahead<'_>) -> Option<Here<Entry>> {
    let near = bytes.near(NEAR);
    let mut at = prefix(near)?;
    let is_word = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'[' | b']');
    let len = near[at..].iter().take_while(|b| is_word(b)).count();
    let word = &near[at..at + len];
    let key = (len > 0).then(|| word.starts_with(b"msgid") || word == b"msgctxt");
    at += len;
    at += blanks(near.from(at))?;
    match near.get(at) {
        None if near.is_partial() => None,
        next => Some((next == Some(&b'"')).then_some(Entry { len: at + 1, key }).into()),
    }
}

/// How many bytes of `#~ `, `#| ` or `#~| ` a line begins with, with blanks around it. `None`: more bytes are
/// needed.
fn prefix(bytes: Lookahead<'_>) -> Option<usize> {
    let at = blanks(bytes)?;
    match bytes.get(at..).unwrap_or_default() {
        [] | [b'#'] | [b'#', b'~'] if bytes.is_partial() => None,
        [b'#', b'~', b'|', ..] => Some(at + 3 + blanks(bytes.from(at + 3))?),
        [b'#', b'~' | b'|', ..] => Some(at + 2 + blanks(bytes.from(at + 2))?),
        _ => Some(at),
    }
}

/// The bytes from the quote that `bytes` begin with up to the start of a string that goes on with this one.
/// `Here::Nothing`: none does. `None`: more bytes are needed.
fn joined(bytes: Lookahead<'_>) -> Option<Here<usize>> {
    let near = bytes.near(NEAR);
    let mut at = 1 + blanks(near.from(1))?;
    if near.get(at) == Some(&b'\r') {
        at += 1;
    }
    match near.get(at) {
        None if near.is_partial() => return None,
        Some(b'\n') => at += 1,
        _ => return Some(Here::Nothing),
    }
    at += prefix(near.from(at))?;
    match near.get(at) {
        None if near.is_partial() => None,
        next => Some((next == Some(&b'"')).then_some(at + 1).into()),
    }
}

impl Po {
    pub(super) fn new() -> Po {
        Po::default()
    }

    fn go(&mut self, state: State, token: Token) -> Option<Token> {
        self.state = state;
        Some(token)
    }

    fn string(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        match bytes[0] {
            b'\\' => escape::c(bytes),
            b'\n' => self.go(State::Line, Token::End),
            b'"' => match joined(bytes)? {
                Here::Is(len) => Some(Token::Escape(len, Chars::bytes(b""))),
                Here::Nothing => self.go(State::Closed, Token::End),
            },
            _ => {
                let at = memchr::memchr3(b'\\', b'"', b'\n', &bytes);
                Some(Token::Raw(at.unwrap_or(bytes.len())))
            }
        }
    }
}

impl Lexer for Po {
    fn next(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        let Some(&first) = bytes.first() else {
            return match self.state {
                State::String | State::Plain if bytes.is_last() => self.go(State::Line, Token::End),
                _ => None,
            };
        };
        match self.state {
            State::Line if matches!(first, b'\n' | b'\r') => Some(Token::Skip(1)),
            State::Line => match entry(bytes)? {
                Here::Is(entry) => {
                    self.key = entry.key.unwrap_or(self.key);
                    self.go(State::Opened, Token::Skip(entry.len))
                }
                Here::Nothing => self.go(State::Plain, Token::Begin(Region::Prose)),
            },
            State::Opened if matches!(first, b'"' | b'\n') && joined(bytes)? == Here::Nothing => {
                self.go(State::Line, Token::Skip(1))
            }
            State::Opened => self.go(State::String, Token::Begin(Region::Field)),
            State::String => self.string(bytes),
            State::Closed => self.go(State::Line, Token::Skip(1)),
            State::Plain if first == b'\n' => self.go(State::Line, Token::End),
            State::Plain => Some(Token::Raw(memchr::memchr(b'\n', &bytes).unwrap_or(bytes.len()))),
        }
    }

    fn place(&self, region: Region) -> Place {
        match region {
            Region::Field if self.key => Place::new(Inside::Text, Around::Key),
            Region::Field => Place::default(),
            _ => Inside::Plain.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::format::tests::*;

    #[test]
    fn strings_are_joined_and_comments_text() {
        for (document, regions) in [
            ("", ""),
            ("# a \"b\"\n#: c.c:1\n", "{# a \"b\"}{#: c.c:1}"),
            ("msgid \"a\\\"b\\\\\"\nmsgstr \"\"\n\"c\"\n\"d\"\n", "{a\"b\\}{cd}"),
            ("#~ msgid \"a\"\n#~ \"b\"\n", "{ab}"),
            ("#| msgctxt \"a\"\n#~| msgid \"b\"\n", "{a}{b}"),
            ("msgstr[0] \"\\303\\251\\x41\\n\"", "{éA\n}"),
            ("msgid \"a\r\nb", "{a\r}{b}"),
            ("msgid \"a\" b\n", "{a}{ b}"),
            ("msgid \"\"\n\nc", "{c}"),
            ("\u{FEFF}msgid \"a\"", "{\u{FEFF}msgid \"a\"}"),
        ] {
            assert_eq!(render(&Po::new(), document.as_bytes()), regions, "{document:?}");
        }
    }

    #[test]
    fn keys_are_msgid_and_msgctxt() {
        for (line, key) in [
            ("msgid \"a\"", true),
            ("msgid_plural \"a\"", true),
            ("msgctxt \"a\"", true),
            ("#~| msgid \"a\"", true),
            ("msgstr[0] \"a\"", false),
            ("domain \"a\"", false),
        ] {
            let read = entry(Lookahead::whole(line.as_bytes())).and_then(Here::found);
            assert_eq!(read.and_then(|entry| entry.key), Some(key), "{line}");
        }
        assert_eq!(entry(Lookahead::whole(b"\"a\"")), Some(Here::Is(Entry { len: 1, key: None })));
    }

    proptest! {
        #[test]
        fn any_bytes(document in hostile(&[
            "msgid ", "msgstr[1] ", "\"", "\"\n\"", "\"\n", "\n", "\r\n", "#", "#~ ", "#~", "#|", "\\", "\\n", "\\303", "\\x4",
            "\\0", " ", "a", "é", "\\\"",
        ])) {
            tokens_of_all_cuts(&Po::new(), &document);
        }
    }
}
