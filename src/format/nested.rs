//! HTML in the text of XML: escaped (`&lt;a href=&quot;…`), or in a section of
//! characters.
//!
//! The HTML lexer reads what the text says; its tokens are taken back to the bytes
//! of the XML. It goes on to the end of the text.

use alloc::vec::Vec;

use super::{
    entities::{Reference, Where, reference},
    html::{Html, Told},
    lexer::{AHEAD, Chars, Lexer, Region, Token, Value},
    map::{Make, Map, SAME},
};
use crate::engine::tuning::Tuning;

/// How much decoded text is enough to go on.
const ENOUGH: usize = 2 * AHEAD;

/// Reads the rest of one text.
#[derive(Clone, Debug)]
pub(super) struct Nested {
    html: Html,
    cdata: bool,
    /// How much of the text is decoded at once.
    piece: usize,
    /// The text from `at` on is still to be said.
    text: Vec<u8>,
    at: usize,
    /// From all of the text to the source, counted from where the text begins, and how much of
    /// both has been said.
    map: Map,
    inside: u64,
    outside: u64,
    /// How much of the text is raw text of the HTML that is still to be said.
    raw: usize,
    /// With that a region ends that was said whole.
    whole: bool,
    /// References that begin here, and how many bytes of the text they are.
    waits: Option<(Value, usize)>,
    /// The text is over: what was decoded goes to its end.
    over: bool,
    done: bool,
}

impl Nested {
    pub(super) fn new(cdata: bool, told: Told, tuning: &Tuning) -> Nested {
        Nested {
            html: Html::new(told, tuning),
            cdata,
            piece: tuning.nested,
            text: Vec::new(),
            at: 0,
            map: Map::default(),
            inside: 0,
            outside: 0,
            raw: 0,
            whole: false,
            waits: None,
            over: false,
            done: false,
        }
    }

    /// Nothing more is to come: what follows is XML.
    pub(super) fn is_done(&self) -> bool {
        self.done
    }

    /// How much of the text is there.
    fn left(&self) -> usize {
        self.text.len() - self.at
    }

    /// Decodes more of the text, up to a piece.
    fn fill(&mut self, bytes: &[u8], last: bool) {
        self.text.drain(..core::mem::take(&mut self.at));
        while self.text.len() < self.piece && !self.over {
            let rest = &bytes[(self.map.outside() - self.outside) as usize..];
            let piece = &rest[..rest.len().min(self.piece)];
            let special = match self.cdata {
                true => memchr::memchr(b']', piece),
                false => memchr::memchr2(b'<', b'&', piece),
            };
            match (special, rest) {
                (_, []) => {
                    self.over = last;
                    return;
                }
                (None, _) => self.put(piece, piece.len()),
                (Some(0), [b'<', ..] | [b']', b']', b'>', ..]) => self.over = true,
                (Some(0), [b']'] | [b']', b']']) if !last => return,
                (Some(0), [b'&', ..]) => match reference(rest, last, Where::Xml) {
                    Reference::More => return,
                    Reference::None => self.put(b"&", 1),
                    Reference::Is(len, chars) => self.put(chars.as_bytes(), len),
                },
                (Some(0), _) => self.put(&rest[..1], 1),
                (Some(n), _) => self.put(&rest[..n], n),
            }
        }
    }

    /// The next bytes of the text, made of so many of the source.
    fn put(&mut self, text: &[u8], outside: usize) {
        #[cfg(test)]
        crate::charset::cursor::STEPS.set(crate::charset::cursor::STEPS.get() + outside as u64);
        self.text.extend_from_slice(text);
        let make = if text.len() == outside { SAME } else { Make::Escape };
        self.map.push(text.len(), outside, make);
    }

    /// Takes `n` bytes of the text, and says how many of the source they are.
    fn take(&mut self, n: usize) -> usize {
        self.at += n;
        self.inside += n as u64;
        self.map.forget(self.inside);
        let from = core::mem::replace(&mut self.outside, self.map.start(self.inside));
        (self.outside - from) as usize
    }

    /// The next of the raw text: as it stands, or a character that is escaped.
    fn raw(&mut self) -> Token {
        let (run, same) = self.map.run(self.inside);
        let n = self.raw.min(run as usize);
        self.raw -= n;
        if same {
            return Token::Raw(self.take(n));
        }
        let chars = Chars::bytes(&self.text[self.at..][..n]);
        Token::Escape(self.take(n), chars)
    }

    pub(super) fn next(&mut self, bytes: &[u8], last: bool) -> Option<Token> {
        if self.done {
            return None;
        }
        if let Some((value, n)) = self.waits.take() {
            (self.raw, self.whole) = (n, true);
            return Some(Token::Begin(Region::Reference(value)));
        }
        if self.raw == 0 && core::mem::take(&mut self.whole) {
            return Some(Token::End);
        }
        if self.raw > 0 {
            return Some(self.raw());
        }
        if self.left() < ENOUGH {
            self.fill(bytes, last);
        }
        loop {
            return match self.html.next(&self.text[self.at..], self.over) {
                None => {
                    let before = self.left();
                    self.fill(bytes, last);
                    if self.left() > before {
                        continue;
                    }
                    self.done = self.over;
                    None
                }
                Some(Token::Skip(n)) => Some(Token::Skip(self.take(n))),
                Some(Token::Escape(n, chars)) => Some(Token::Escape(self.take(n), chars)),
                Some(Token::Raw(n)) => {
                    self.raw = n;
                    Some(self.raw())
                }
                Some(Token::Whole(before, value, n)) => {
                    let before = self.take(before);
                    if matches!(self.map.run(self.inside), (run, true) if run >= n as u64) {
                        return Some(Token::Whole(before, value, self.take(n)));
                    }
                    self.waits = Some((value, n));
                    Some(Token::Skip(before))
                }
                token => token,
            };
        }
    }
}
