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

use alloc::vec::Vec;

use crate::{
    charset::source_map::{Make, SAME, SourceMap},
    engine::tuning::Tuning,
    format::{
        html::Html,
        json,
        lexing::{
            lexer::{AHEAD, Chars, Lexer, Region, Token, Value},
            lookahead::Lookahead,
            triggers::Triggers,
        },
        markdown::Markdown,
        source::{Joins, Source},
    },
    links::place::{Around, Inside, Place},
};

/// How much decoded text is enough to go on.
const ENOUGH: usize = 2 * AHEAD;

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
            piece: self.tuning.nested,
            text: Vec::new(),
            at: 0,
            map: SourceMap::default(),
            inside: 0,
            outside: 0,
            last: 0,
            raw: 0,
            escape: None,
            whole: Whole::No,
            over: false,
            done: false,
        }
    }
}

/// Reads one text.
#[derive(Clone, Debug)]
pub(super) struct Text {
    lexer: Inner,
    in_list: bool,
    /// How much of the text is decoded at once.
    piece: usize,
    /// The decoded text; it has tokens up to `at`.
    text: Vec<u8>,
    at: usize,
    /// From the text to the JSON, both counted from the start of the text; and how far both have tokens.
    map: SourceMap,
    inside: u64,
    outside: u64,
    /// The last byte that was decoded.
    last: u8,
    /// So many bytes of the text are raw text of the inner format and have no token yet.
    raw: usize,
    /// An escape of the inner format that comes after a fold.
    escape: Option<(usize, Chars)>,
    whole: Whole,
    /// All of the text was decoded.
    over: bool,
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

    /// How much decoded text has no token yet.
    fn left(&self) -> usize {
        self.text.len() - self.at
    }

    /// Decodes more of the text, up to a piece.
    fn fill(&mut self, bytes: Lookahead<'_>) {
        self.text.drain(..core::mem::take(&mut self.at));
        while self.text.len() < self.piece && !self.over {
            let rest = bytes.from((self.map.outside() - self.outside) as usize);
            let piece = &rest[..rest.len().min(self.piece)];
            match (memchr::memchr3(b'"', b'\\', b'\n', piece), rest.first()) {
                (_, None) => {
                    self.over = bytes.is_last();
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
                        Some(0) => self.over = true,
                        Some(len) => self.put(b"", len, Make::Escape),
                        None if near.is_last() => self.over = true,
                        None => return,
                    }
                }
                (Some(0), _) => self.over = true,
                (Some(n), _) => self.put(&rest[..n], n, SAME),
                (None, _) => self.put(piece, piece.len(), SAME),
            }
        }
    }

    /// Appends bytes of the text, made of `outside` bytes of the JSON.
    fn put(&mut self, text: &[u8], outside: usize, make: Make) {
        #[cfg(test)]
        crate::charset::cursor::STEPS.set(crate::charset::cursor::STEPS.get() + outside as u64);
        self.text.extend_from_slice(text);
        self.map.push(text.len(), outside, make);
        self.last = text.last().copied().unwrap_or(self.last);
    }

    /// The length of the fold that begins here; 0: none does. More text has been decoded.
    fn fold_here(&self) -> usize {
        (self.map.start(self.inside) - self.outside) as usize
    }

    /// Passes `n` bytes of the text, and returns their length in the JSON, with folds before them.
    fn take(&mut self, n: usize) -> usize {
        if n == 0 {
            return 0;
        }
        self.at += n;
        self.inside += n as u64;
        let end = self.map.end(self.inside);
        self.map.forget(self.inside);
        (end - core::mem::replace(&mut self.outside, end)) as usize
    }

    /// A fold, in a region.
    fn folded(&mut self) -> Option<Token> {
        let len = self.fold_here();
        self.outside += len as u64;
        (len > 0).then(|| Token::Escape(len, Chars::bytes(b"")))
    }

    /// The next token of the raw text: a fold, a run without escapes, or one escape.
    fn raw(&mut self) -> Token {
        if let Some(fold) = self.folded() {
            return fold;
        }
        let (run, same) = self.map.run(self.inside);
        let n = self.raw.min(run as usize);
        self.raw -= n;
        if same {
            return Token::Raw(self.take(n));
        }
        let chars = Chars::bytes(&self.text[self.at..][..n]);
        Token::Escape(self.take(n), chars)
    }

    pub(super) fn next(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        if self.done {
            return None;
        }
        if let Some((n, chars)) = self.escape.take() {
            return Some(Token::Escape(self.take(n), chars));
        }
        if self.raw > 0 {
            return Some(self.raw());
        }
        match self.whole {
            Whole::No => {}
            Whole::Waits(value, n) => {
                // The byte that ends it was read.
                let end = self.text.get(self.at + n);
                let quoted = matches!(end, Some(b'"' | b'\''));
                (self.raw, self.whole) = (n, Whole::Open { value, quoted });
                return Some(begin(Region::Reference(value)));
            }
            Whole::Open { .. } => {
                self.whole = Whole::No;
                return Some(Token::End);
            }
        }
        if self.left() < ENOUGH {
            self.fill(bytes);
        }
        self.read(bytes)
    }

    /// What the lexer of the text reads next.
    fn read(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        loop {
            return match self.lexer.next(Lookahead::new(&self.text[self.at..], self.over)) {
                None => {
                    let before = self.left();
                    self.fill(bytes);
                    if self.left() > before {
                        continue;
                    }
                    if !self.over || self.left() > 0 {
                        return None;
                    }
                    // A string without text may be the last one.
                    let rest = (self.map.outside() - self.outside) as usize;
                    self.outside += rest as u64;
                    self.done = true;
                    (rest > 0).then_some(Token::Skip(rest))
                }
                Some(Token::Skip(n)) => Some(Token::Skip(self.take(n))),
                Some(Token::Escape(n, chars)) => match self.folded() {
                    Some(fold) => {
                        self.escape = Some((n, chars));
                        Some(fold)
                    }
                    None => Some(Token::Escape(self.take(n), chars)),
                },
                Some(Token::Raw(n)) => {
                    self.raw = n;
                    Some(self.raw())
                }
                Some(Token::Begin(region)) => Some(begin(region)),
                Some(Token::Whole(before, value, n)) => {
                    self.whole = Whole::Waits(value, n);
                    match self.take(before) {
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
