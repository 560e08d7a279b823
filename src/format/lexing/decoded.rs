//! A text within a document, with escapes of its own: HTML in the text of XML, a text in the strings of a notebook.
//!
//! Bytes of the document go in, and are decoded piece by piece; the lexer of the text reads what was decoded; its tokens
//! come out with the lengths that they have in the document. What must hold: all lengths together are those of the bytes
//! that were decoded.

use alloc::vec::Vec;

use super::{
    lexer::{AHEAD, Chars, Token},
    lookahead::Lookahead,
};
use crate::charset::source_map::{Make, SourceMap};

/// How much decoded text is enough for a lexer to go on.
const ENOUGH: usize = 2 * AHEAD;

#[derive(Clone, Debug)]
pub(in crate::format) struct Decoded {
    /// How much of the text is decoded at once.
    piece: usize,
    /// Between bytes of the text there may be bytes of the document that mean nothing.
    has_gaps: bool,
    /// The decoded text; it has tokens up to `at`.
    text: Vec<u8>,
    at: usize,
    /// From the text to the document, both counted from the start of the text; and how far both have tokens.
    map: SourceMap,
    inside: u64,
    outside: u64,
    /// So many bytes are raw text for the lexer of the text, and have no token yet.
    raw: usize,
    /// All of the text was decoded.
    pub(in crate::format) over: bool,
}

impl Decoded {
    /// `piece`: how much of the text is decoded at once.
    pub(in crate::format) fn new(piece: usize) -> Decoded {
        let (text, map) = (Vec::new(), SourceMap::default());
        let (has_gaps, over) = (false, false);
        Decoded { piece, has_gaps, text, at: 0, map, inside: 0, outside: 0, raw: 0, over }
    }

    /// For a text of which the bytes may have gaps between them.
    pub(in crate::format) fn with_gaps(self) -> Decoded {
        Decoded { has_gaps: true, ..self }
    }

    /// The same for another text.
    pub(in crate::format) fn again(&self) -> Decoded {
        Decoded::new(self.piece)
    }

    /// What has no token yet, for the lexer of the text.
    pub(in crate::format) fn ahead(&self) -> Lookahead<'_> {
        Lookahead::new(&self.text[self.at..], self.over)
    }

    /// How much of that there is.
    pub(in crate::format) fn left(&self) -> usize {
        self.text.len() - self.at
    }

    /// Whether there is too little of it to go on.
    pub(in crate::format) fn is_short(&self) -> bool {
        self.left() < ENOUGH
    }

    /// Forgets what has tokens.
    pub(in crate::format) fn forget(&mut self) {
        self.text.drain(..core::mem::take(&mut self.at));
    }

    /// The bytes of the document to decode next, and how many of them at the most; `None` if the piece is full or the
    /// text is over. The next token is at the start of `bytes`.
    pub(in crate::format) fn next<'b>(
        &self,
        bytes: Lookahead<'b>,
    ) -> Option<(Lookahead<'b>, usize)> {
        if self.text.len() >= self.piece || self.over {
            return None;
        }
        let rest = bytes.from(self.undelivered());
        Some((rest, rest.len().min(self.piece)))
    }

    /// How many bytes of the document were decoded and have no token yet.
    pub(in crate::format) fn undelivered(&self) -> usize {
        (self.map.outside() - self.outside) as usize
    }

    /// Appends bytes of the text, made of `outside` bytes of the document.
    pub(in crate::format) fn put(&mut self, text: &[u8], outside: usize, make: Make) {
        #[cfg(test)]
        crate::charset::cursor::STEPS.set(crate::charset::cursor::STEPS.get() + outside as u64);
        self.text.extend_from_slice(text);
        self.map.push(text.len(), outside, make);
    }

    /// How many bytes of the document are before the next byte of the text and mean nothing. More text was decoded.
    pub(in crate::format) fn gap(&self) -> usize {
        (self.map.start(self.inside) - self.outside) as usize
    }

    /// Passes `n` bytes of the document that mean nothing.
    pub(in crate::format) fn pass(&mut self, n: usize) {
        self.outside += n as u64;
    }

    /// Passes `n` bytes of the text, and returns their length in the document, with the gaps before them.
    pub(in crate::format) fn take(&mut self, n: usize) -> usize {
        if n == 0 {
            return 0;
        }
        self.at += n;
        self.inside += n as u64;
        let end = if self.has_gaps {
            let end = self.map.end(self.inside);
            self.map.forget(self.inside);
            end
        } else {
            // The next byte begins there, which is known faster.
            self.map.forget(self.inside);
            self.map.start(self.inside)
        };
        (end - core::mem::replace(&mut self.outside, end)) as usize
    }

    /// Whether the next `n` bytes of the text are the same bytes in the document.
    pub(in crate::format) fn is_same(&self, n: usize) -> bool {
        matches!(self.map.run(self.inside), (run, true) if run >= n as u64)
    }

    /// Whether a quote comes after the next `n` bytes, so that what they are the end of has quotes.
    pub(in crate::format) fn is_quoted(&self, n: usize) -> bool {
        matches!(self.text.get(self.at + n), Some(b'"' | b'\''))
    }

    /// The next `n` bytes are raw text for the lexer of the text: [`Decoded::raw`] gives their tokens.
    pub(in crate::format) fn begin_raw(&mut self, n: usize) {
        self.raw = n;
    }

    /// Whether raw text has no token yet.
    pub(in crate::format) fn is_raw(&self) -> bool {
        self.raw > 0
    }

    /// The next token of the raw text: a run without escapes, or one escape.
    pub(in crate::format) fn raw(&mut self) -> Token {
        let (run, same) = self.map.run(self.inside);
        let n = self.raw.min(run as usize);
        self.raw -= n;
        if same {
            return Token::Raw(self.take(n));
        }
        let chars = Chars::bytes(&self.text[self.at..][..n]);
        Token::Escape(self.take(n), chars)
    }
}
