//! Notebooks of Jupyter: JSON, in which the texts of cells have formats of their own.
//!
//! Bytes go in, tokens come out. The lexer follows the arrays and objects of the JSON, and knows what a text is by the
//! keys that it is below (nbformat 4, and the `worksheets` of nbformat 3):
//!
//! ```text
//!   { "cells": [ { "cell_type": "markdown", "source": …Markdown… },
//!                { "cell_type": "code",     "source": …source code…,
//!                  "outputs": [ { "text": …text…, "data": { "text/html": …HTML… } } ] } ] }
//! ```
//!
//! A text is a string, or an array of strings, mostly one for each line, which are one text ([`Text`]). All other
//! strings are texts of their own; keys and images in base64 are left out. The lexer does not validate: in a document
//! with another shape the strings are plain text, and a string that is not closed ends at its line end.

pub(in crate::format) mod row;
mod text;
pub(in crate::format) mod writer;

use alloc::{boxed::Box, vec::Vec};

pub(in crate::format) use self::text::Makes;
use self::text::{Kind, Text};
use crate::{
    format::lexing::{
        lexer::{Lexer, Region, Token},
        lookahead::Lookahead,
    },
    links::place::Place,
};

/// How deep arrays and objects may be in each other. Deeper strings are plain text.
const DEPTH_MAX: usize = 32;

/// The longest key or word that means something.
const WORD: usize = 16;

/// Reads a notebook.
#[derive(Clone, Debug)]
pub(crate) struct Ipynb {
    makes: Makes,
    state: State,
    /// The arrays and objects that are open, from the outermost one on; so many more are not known.
    open: Vec<Level>,
    beyond: usize,
    /// What the next value is.
    role: Role,
    /// In an object: the next string is a key.
    key: bool,
    /// The start of the last key or word.
    word: Word,
    /// The type of the cell, if that came before its text.
    cell: Kind,
}

#[derive(Clone, Debug)]
enum State {
    Between,
    /// In a string that is no text: a key, a word, or an image.
    Word,
    Text(Box<Text>),
}

#[derive(Clone, Copy, Debug)]
struct Level {
    is_object: bool,
    role: Role,
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Other,
    Notebook,
    Worksheets,
    Cells,
    Cell,
    CellType,
    Outputs,
    Output,
    Data,
    Image,
    Text(Kind),
}

/// A short word; of a longer one, the start.
#[derive(Clone, Copy, Debug, Default)]
struct Word {
    bytes: [u8; WORD],
    len: usize,
}

impl Word {
    fn push(&mut self, bytes: &[u8]) {
        let room = WORD.saturating_sub(self.len).min(bytes.len());
        self.bytes[self.len.min(WORD)..][..room].copy_from_slice(&bytes[..room]);
        self.len = self.len.saturating_add(bytes.len());
    }

    /// Empty if it is too long to mean something.
    fn get(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }
}

impl Ipynb {
    pub(in crate::format) fn new(makes: Makes) -> Ipynb {
        Ipynb {
            makes,
            state: State::Between,
            open: Vec::new(),
            beyond: 0,
            role: Role::Notebook,
            key: false,
            word: Word::default(),
            cell: Kind::Plain,
        }
    }

    /// What the value with the key `self.word` is in an object of this role.
    fn member(&self, of: Role) -> Role {
        match (of, self.word.get()) {
            (Role::Notebook, b"worksheets") => Role::Worksheets,
            (Role::Notebook, b"cells") => Role::Cells,
            (Role::Cell, b"cell_type") => Role::CellType,
            (Role::Cell, b"source") => Role::Text(self.cell),
            (Role::Cell, b"input") => Role::Text(Kind::Source),
            (Role::Cell, b"outputs") => Role::Outputs,
            (Role::Output, b"data") => Role::Data,
            (Role::Output, b"html" | b"svg") | (Role::Data, b"text/html" | b"image/svg+xml") => {
                Role::Text(Kind::Html)
            }
            (Role::Data, b"text/markdown") => Role::Text(Kind::Markdown),
            (Role::Output, b"png" | b"jpeg")
            | (Role::Data, b"image/png" | b"image/jpeg" | b"image/gif" | b"image/webp") => {
                Role::Image
            }
            (Role::Output, b"text" | b"traceback") | (Role::Data, _) => Role::Text(Kind::Plain),
            _ => Role::Other,
        }
    }

    /// What an item is in an array of this role.
    fn item(of: Role) -> Role {
        match of {
            Role::Worksheets => Role::Notebook,
            Role::Cells => Role::Cell,
            Role::Outputs => Role::Output,
            Role::Text(kind) => Role::Text(kind),
            Role::Image => Role::Image,
            _ => Role::Other,
        }
    }

    /// An array or an object begins.
    fn begin(&mut self, is_object: bool) {
        let role = match self.role {
            // A text is no object.
            Role::Text(_) | Role::Image if is_object => Role::Other,
            role => role,
        };
        if role == Role::Cell {
            self.cell = Kind::Plain;
        }
        match self.open.len() < DEPTH_MAX && self.beyond == 0 {
            true => self.open.push(Level { is_object, role }),
            false => self.beyond += 1,
        }
        self.next();
    }

    /// An array or an object ends.
    fn end(&mut self) {
        match self.beyond {
            0 => drop(self.open.pop()),
            _ => self.beyond -= 1,
        }
        self.role = Role::Other;
    }

    /// A key or a value comes next.
    fn next(&mut self) {
        let top = self.open.last().filter(|_| self.beyond == 0);
        self.key = top.is_some_and(|top| top.is_object);
        self.role = match top {
            Some(Level { is_object: false, role }) => Ipynb::item(*role),
            _ => Role::Other,
        };
    }

    /// A key is over.
    fn named(&mut self) {
        self.key = false;
        let top = self.open.last().filter(|_| self.beyond == 0);
        self.role = top.map_or(Role::Other, |top| self.member(top.role));
    }

    /// Passes the structure up to the next string, and into it.
    fn between(&mut self, bytes: &[u8]) -> Option<Token> {
        for (at, b) in bytes.iter().enumerate() {
            match b {
                b'{' => self.begin(true),
                b'[' => self.begin(false),
                b'}' | b']' => self.end(),
                b',' => self.next(),
                b':' if self.key => self.named(),
                b'"' => {
                    self.state = match self.role {
                        _ if self.key => State::Word,
                        Role::CellType | Role::Image => State::Word,
                        Role::Text(kind) => State::Text(Box::new(self.text(kind))),
                        _ => State::Text(Box::new(self.text(Kind::Plain))),
                    };
                    self.word = Word::default();
                    return Some(Token::Skip(at + 1));
                }
                _ => {}
            }
        }
        (!bytes.is_empty()).then_some(Token::Skip(bytes.len()))
    }

    /// The text that begins here.
    fn text(&self, kind: Kind) -> Text {
        let in_list = self.open.last().is_some_and(|top| !top.is_object) && self.beyond == 0;
        self.makes.text(kind, in_list && matches!(self.role, Role::Text(_)))
    }

    /// Passes a string that is no text.
    fn word(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        let len = match memchr::memchr3(b'"', b'\\', b'\n', &bytes) {
            None => bytes.len(),
            Some(0) if bytes[0] == b'\\' => {
                if bytes.len() < 2 && bytes.is_partial() {
                    return None;
                }
                // No word has an escape.
                self.word.push(&[b'\\'; WORD]);
                return Some(Token::Skip(bytes.len().min(2)));
            }
            Some(0) => {
                self.state = State::Between;
                if self.role == Role::CellType && !self.key {
                    self.cell = match self.word.get() {
                        b"markdown" | b"heading" => Kind::Markdown,
                        b"html" => Kind::Html,
                        b"code" => Kind::Source,
                        _ => Kind::Plain,
                    };
                }
                return Some(Token::Skip(1));
            }
            Some(at) => at,
        };
        self.word.push(&bytes[..len]);
        (len > 0).then_some(Token::Skip(len))
    }
}

impl Lexer for Ipynb {
    fn next(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        match &mut self.state {
            State::Between => self.between(&bytes),
            State::Word => self.word(bytes),
            State::Text(text) => match text.next(bytes) {
                Some(token) => Some(token),
                None if text.is_done() => {
                    self.state = State::Between;
                    // The quote that ends it.
                    match bytes.first() {
                        None => None,
                        Some(b'"') => Some(Token::Skip(1)),
                        Some(_) => self.between(&bytes),
                    }
                }
                None => None,
            },
        }
    }

    fn place(&self, region: Region) -> Place {
        match &self.state {
            State::Text(text) => text.place(region),
            _ => Place::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::tuning::Tuning,
        format::{lexing::triggers::Triggers, tests::*},
    };

    fn ipynb() -> Ipynb {
        let (triggers, tuning) = (Triggers::Any, Tuning::SMALL);
        Ipynb::new(Makes { triggers, tuning, code: true, divided: false })
    }

    #[test]
    fn texts_by_their_keys() {
        for (document, text) in [
            (r#"{"cells":[{"cell_type":"raw","source":["a.b\n","c\u00e9"]}]}"#, "{a.b\ncé}"),
            (r#"{"cells":[{"cell_type":"raw","source":["a.b","c"]}]}"#, "{a.b}{c}"),
            (
                r#"{"cells":[{"cell_type":"markdown","source":["[a\n","b](c) [d]: e\n",   "\n",
               "[f]: g"]}]}"#,
                "{[a\nb}<c>{) [d]: e\n\n[f}<g>",
            ),
            (r#"{"metadata":{"u":"http://a/"},"cells":[]}"#, "{http://a/}"),
        ] {
            assert_eq!(render(&ipynb(), document.as_bytes()), text, "{document}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_bytes(document in hostile(&[
            "{\"cells\":[{\"cell_type\":\"markdown\",\"source\":[\"", "{\"cell_type\":\"code\",\"outputs\":[{\"data\":{\"text/html\":[\"",
            "\\n\",\n\"", "\",\"", "\"", "\\", "\\\"", "\n", "[", "]", "{", "}", ":", ",", "\"source\":\"", "\\u0026amp;", "&amp;",
            "\\uD83C", "\\uDF44", "[a](b", ")", "<a href=\\\"", "<a href='x'>", "```\\n", "\\n\\n    ", "http://a.b/", "\\\\_", "é",
            "\n[x]: ", "`",
        ])) {
            tokens_of_all_cuts(&ipynb(), &document);
        }
    }
}
