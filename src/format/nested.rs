//! HTML in the text of XML: escaped (`&lt;a href=&quot;…`), or in a section of
//! characters.
//!
//! The HTML lexer reads what the text says; its tokens are taken back to the bytes
//! of the XML. It goes on to the end of the text.

use alloc::collections::VecDeque;

use super::{
    entities::{Reference, Where, reference},
    html::{Html, Told},
    lexer::{AHEAD, Chars, Lexer, Region, Token, Value},
};

/// How much of the text is decoded at once.
const PIECE: usize = 4 * AHEAD;

/// Reads the rest of one text.
#[derive(Clone, Debug)]
pub(super) struct Nested {
    html: Html,
    cdata: bool,
    /// The next bytes of the text.
    text: VecDeque<u8>,
    /// How many bytes of the source each is made of; an escape counts at its first.
    lens: VecDeque<u8>,
    /// How many bytes of the source those are.
    read: usize,
    /// How much of the text is raw text of the HTML that is still to be said.
    raw: usize,
    /// With that a region ends that was said whole.
    whole: bool,
    /// References that begin here, and how many bytes of the text they are.
    waits: Option<(Value, usize)>,
    /// The text is over: `read` goes to its end.
    over: bool,
    done: bool,
}

impl Nested {
    pub(super) fn new(cdata: bool) -> Nested {
        Nested {
            html: Html::new(Told::Any),
            cdata,
            text: VecDeque::new(),
            lens: VecDeque::new(),
            read: 0,
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

    /// Decodes more of the text, as far as it is needed.
    fn fill(&mut self, bytes: &[u8], last: bool) {
        while self.text.len() < PIECE && !self.over {
            let rest = &bytes[self.read..];
            let Some(&first) = rest.first() else {
                self.over = last;
                return;
            };
            match first {
                b'<' if !self.cdata => self.over = true,
                b']' if self.cdata && rest.starts_with(b"]]>") => self.over = true,
                b']' if self.cdata && rest.len() < 3 && b"]]>".starts_with(rest) && !last => return,
                b'&' if !self.cdata => match reference(rest, last, Where::Xml) {
                    Reference::More => return,
                    Reference::None => self.put(b"&", 1),
                    Reference::Is(len, chars) => self.put(chars.as_bytes(), len),
                },
                _ => self.put(&[first], 1),
            }
        }
    }

    fn put(&mut self, text: &[u8], len: usize) {
        #[cfg(test)]
        crate::cursor::STEPS.set(crate::cursor::STEPS.get() + 1);
        self.text.extend(text);
        self.lens.push_back(len as u8);
        self.lens.extend(core::iter::repeat_n(0, text.len() - 1));
        self.read += len;
    }

    /// Takes `n` bytes of the text, and says how many of the source they are.
    fn take(&mut self, n: usize) -> usize {
        self.text.drain(..n);
        let len = self.lens.drain(..n).map(usize::from).sum();
        self.read -= len;
        len
    }

    /// The next of the raw text: as it stands, or a character that is escaped.
    fn raw(&mut self) -> Token {
        let same = self.lens.iter().take(self.raw).take_while(|len| **len == 1).count();
        if same > 0 {
            self.raw -= same;
            return Token::Raw(self.take(same));
        }
        let rest = self.lens.iter().skip(1).take(self.raw - 1).take_while(|len| **len == 0);
        let n = 1 + rest.count();
        let mut bytes = [0; 8];
        let chars = self.text.iter().take(n.min(8));
        chars.zip(&mut bytes).for_each(|(from, to)| *to = *from);
        let chars = Chars::bytes(&bytes[..n.min(8)]);
        self.raw -= n;
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
        if self.raw == 0 {
            self.fill(bytes, last);
            let text = self.text.make_contiguous();
            match self.html.next(text, self.over) {
                None => {
                    self.done = self.over;
                    return None;
                }
                Some(Token::Skip(n)) => return Some(Token::Skip(self.take(n))),
                Some(Token::Escape(n, chars)) => return Some(Token::Escape(self.take(n), chars)),
                Some(Token::Raw(n)) => self.raw = n,
                Some(Token::Whole(before, value, n)) => {
                    self.waits = Some((value, n));
                    return Some(Token::Skip(self.take(before)));
                }
                Some(token) => return Some(token),
            }
        }
        Some(self.raw())
    }
}
