//! One text of a notebook: a string, or strings of an array that are one text.
//!
//! Bytes of the JSON go in, from after the quote that begins a string, and are decoded piece by piece; the lexer of the
//! text's own format reads what was decoded; its tokens come out with the lengths that they have in the JSON:
//!
//! ```text
//!   JSON         "[a\n",  "b](\u0063)"
//!   decoded       [a⏎      b](c)         between the strings: nothing, a fold
//!   tokens        Begin Raw…  Escape(fold, "")  Raw… End Begin Escape(6, "c") End …
//! ```
//!
//! A string goes on in the next one of its array if it ends in a line feed, as notebooks are written. So directly
//! before each string is a line end, or nothing. What must hold: the tokens do not depend on how the bytes are cut.

use crate::{
    charset::source_map::{Make, SAME},
    engine::tuning::Tuning,
    format::{
        html::Html,
        json,
        lexing::{
            decoded::Decoded,
            lexer::{AHEAD, Chars, Lexer, Region, Token, Value},
            lookahead::Lookahead,
            triggers::Triggers,
        },
        markdown::Markdown,
        source::{Joins, Source},
    },
    links::place::{Around, Inside, Place},
};

/// What a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Plain,
    Markdown,
    Html,
    Source,
}

/// What the lexers of texts are made with.
#[derive(Clone, Copy, Debug)]
pub(in crate::format) struct Makes {
    pub(in crate::format) triggers: Triggers,
    pub(in crate::format) tuning: Tuning,
    /// Links in code of Markdown count.
    pub(in crate::format) code: bool,
    /// Backticks do not end a link.
    pub(in crate::format) divided: bool,
}

impl Makes {
    /// A text; `in_list`: it may go on in the next string of the array.
    pub(super) fn text(&self, kind: Kind, in_list: bool) -> Text {
        Text {
            lexer: match kind {
                Kind::Plain => Inner::Plain { is_open: false },
                Kind::Markdown => {
                    Inner::Markdown(Markdown::new(self.code, self.triggers).divided(self.divided))
                }
                Kind::Html => Inner::Html(Html::new(self.triggers, &self.tuning)),
                Kind::Source => Inner::Source(Source::new(Joins::Never)),
            },
            in_list,
            text: Decoded::new(self.tuning.nested).with_gaps(),
            last: 0,
            escape: None,
            whole: Whole::No,
            done: false,
        }
    }
}

/// Reads one text.
#[derive(Clone, Debug)]
pub(super) struct Text {
    lexer: Inner,
    in_list: bool,
    text: Decoded,
    /// The last byte that was decoded.
    last: u8,
    /// An escape of the inner format that comes after a fold.
    escape: Option<(usize, Chars)>,
    whole: Whole,
    done: bool,
}

#[derive(Clone, Debug)]
enum Inner {
    Plain { is_open: bool },
    Markdown(Markdown),
    Html(Html),
    Source(Source),
}

/// A region that the inner lexer returned as one token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whole {
    /// No such region.
    No,
    /// It begins here, and has so many bytes.
    Waits(Value, usize),
    /// It is open. `quoted`: it is a value with quotes.
    Open { value: Value, quoted: bool },
}

impl Text {
    /// The text is over: its closing quote follows.
    pub(super) fn is_done(&self) -> bool {
        self.done
    }

    /// The syntax around the links of the region that begins here. The writer tells the formats of texts apart by it.
    pub(super) fn place(&self, region: Region) -> Place {
        match (&self.lexer, self.whole) {
            (Inner::Plain { .. }, _) => Place::new(Inside::Plain, Around::Cdata),
            // A link over the ends of strings stays.
            (Inner::Source(_), _) => Place::new(Inside::Text, Around::Cdata),
            // Of values in Markdown, only targets are one token.
            (Inner::Markdown(_), Whole::Open { value, quoted }) => value.inside(quoted).into(),
            (Inner::Markdown(lexer), _) => lexer.place(region),
            (Inner::Html(_), Whole::Open { value, quoted }) => {
                Place::new(value.inside(quoted), Around::Escaped)
            }
            (Inner::Html(lexer), _) => Place::new(lexer.inside(region), Around::Escaped),
        }
    }

    /// Decodes more of the text, up to a piece.
    fn fill(&mut self, bytes: Lookahead<'_>) {
        self.text.forget();
        while let Some((rest, most)) = self.text.next(bytes) {
            let piece = &rest[..most];
            match (memchr::memchr3(b'"', b'\\', b'\n', piece), rest.first()) {
                (_, None) => {
                    self.text.over = bytes.is_last();
                    return;
                }
                (Some(0), Some(b'\\')) => match json::escaped(rest) {
                    None => return,
                    Some(Token::Escape(len, chars)) => {
                        self.put(chars.as_bytes(), len, Make::Escape);
                    }
                    Some(_) => self.put(b"\\", 1, SAME),
                },
                (Some(0), Some(b'"')) if self.in_list && self.last == b'\n' => {
                    let near = rest.near(AHEAD);
                    match fold(&near) {
                        Some(0) => self.text.over = true,
                        Some(len) => self.put(b"", len, Make::Escape),
                        None if near.is_last() => self.text.over = true,
                        None => return,
                    }
                }
                (Some(0), _) => self.text.over = true,
                (Some(n), _) => self.put(&rest[..n], n, SAME),
                (None, _) => self.put(piece, piece.len(), SAME),
            }
        }
    }

    /// Appends bytes of the text, made of `outside` bytes of the JSON.
    fn put(&mut self, text: &[u8], outside: usize, make: Make) {
        self.text.put(text, outside, make);
        self.last = text.last().copied().unwrap_or(self.last);
    }

    /// A fold, in a region.
    fn folded(&mut self) -> Option<Token> {
        let len = self.text.gap();
        self.text.pass(len);
        (len > 0).then(|| Token::Escape(len, Chars::bytes(b"")))
    }

    /// The next token of the raw text: a fold, a run without escapes, or one escape.
    fn raw(&mut self) -> Token {
        if let Some(fold) = self.folded() {
            return fold;
        }
        self.text.raw()
    }

    pub(super) fn next(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        if self.done {
            return None;
        }
        if let Some((n, chars)) = self.escape.take() {
            return Some(Token::Escape(self.text.take(n), chars));
        }
        if self.text.is_raw() {
            return Some(self.raw());
        }
        match self.whole {
            Whole::No => {}
            Whole::Waits(value, n) => {
                // The byte that ends it was read.
                self.whole = Whole::Open { value, quoted: self.text.is_quoted(n) };
                self.text.begin_raw(n);
                return Some(begin(Region::Reference(value)));
            }
            Whole::Open { .. } => {
                self.whole = Whole::No;
                return Some(Token::End);
            }
        }
        if self.text.is_short() {
            self.fill(bytes);
        }
        self.read(bytes)
    }

    /// What the lexer of the text reads next.
    fn read(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        loop {
            return match self.lexer.next(self.text.ahead()) {
                None => {
                    let before = self.text.left();
                    self.fill(bytes);
                    if self.text.left() > before {
                        continue;
                    }
                    if !self.text.over || self.text.left() > 0 {
                        return None;
                    }
                    // A string without text may be the last one.
                    let rest = self.text.undelivered();
                    self.text.pass(rest);
                    self.done = true;
                    (rest > 0).then_some(Token::Skip(rest))
                }
                Some(Token::Skip(n)) => Some(Token::Skip(self.text.take(n))),
                Some(Token::Escape(n, chars)) => match self.folded() {
                    Some(fold) => {
                        self.escape = Some((n, chars));
                        Some(fold)
                    }
                    None => Some(Token::Escape(self.text.take(n), chars)),
                },
                Some(Token::Raw(n)) => {
                    self.text.begin_raw(n);
                    Some(self.raw())
                }
                Some(Token::Begin(region)) => Some(begin(region)),
                Some(Token::Whole(before, value, n)) => {
                    self.whole = Whole::Waits(value, n);
                    match self.text.take(before) {
                        0 => self.next(bytes),
                        before => Some(Token::Skip(before)),
                    }
                }
                token => token,
            };
        }
    }
}

impl Inner {
    fn next(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        match self {
            Inner::Markdown(lexer) => lexer.next(bytes),
            Inner::Html(lexer) => lexer.next(bytes),
            Inner::Source(lexer) => lexer.next(bytes),
            Inner::Plain { is_open } => match (bytes.is_empty(), *is_open) {
                (true, true) if bytes.is_last() => {
                    *is_open = false;
                    Some(Token::End)
                }
                (true, _) => None,
                (false, true) => Some(Token::Raw(bytes.len())),
                (false, false) => {
                    *is_open = true;
                    Some(Token::Begin(Region::Field))
                }
            },
        }
    }
}

/// A region begins. A base counts only in the output that has it.
fn begin(region: Region) -> Token {
    Token::Begin(match region {
        Region::Reference(Value::Base) => Region::Reference(Value::One),
        region => region,
    })
}

/// The length of what is between a string, of which the closing quote comes first, and the next one of its array; 0 if
/// none follows. `None`: more bytes are needed.
fn fold(bytes: &[u8]) -> Option<usize> {
    let mut rest = bytes[1..].trim_ascii_start();
    rest = match rest.first()? {
        b',' => rest[1..].trim_ascii_start(),
        _ => return Some(0),
    };
    match rest.first()? {
        b'"' => Some(bytes.len() - rest.len() + 1),
        _ => Some(0),
    }
}
