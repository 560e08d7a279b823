//! The text of an element: what a person sees of a link of `<a>` or `<area>`.
//!
//! Bytes of the document after the value of the link go in, until the element ends; its text comes
//! out. A lexer of its own reads them, so that the one of the document can go on with what it knows
//! about skipping. It looks as far ahead as the element goes, at most [`AHEAD_MAX`] bytes.

use alloc::{string::String, vec::Vec};

use super::view::View;
use crate::{
    charset::{Charset, Shift},
    format::{
        any_lexer::AnyLexer,
        lexing::{
            lexer::{Lexer, Token},
            lookahead::Lookahead,
        },
        markup::MarkupLexer,
    },
};

/// The longest text, in characters.
pub(crate) const CHARS_MAX: usize = 200;

/// How many bytes after a link are read for the text of its element.
pub(crate) const AHEAD_MAX: u64 = 16_384;

/// What is read so in the whole document is at most so many times what comes before the link, and this more: tags
/// that never close would have each link read as far as it may.
const TIMES: u64 = 4;
const FREE: u64 = 4 * AHEAD_MAX;

/// What counts for a text of which there was enough.
const ENOUGH: u64 = 1024;

/// Whether a link at `at` may have its element read, where `read` bytes were read so before.
pub(in crate::format) fn may_read(read: u64, at: u64) -> bool {
    read <= at.saturating_mul(TIMES).saturating_add(FREE)
}

/// Why no more of a text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    /// No more may be read, or there is no more.
    Cut,
    /// There are enough characters, whatever follows.
    Enough,
    /// The element, or the value, is over.
    Over,
}

/// Reads the text of one element, or of one value.
#[derive(Clone, Debug)]
pub(in crate::format) struct ElementText {
    lexer: AnyLexer,
    /// The text of a value is wanted, and not that of an element.
    is_value: bool,
    /// The place in the view, where it began, and where to stop.
    at: u64,
    begin: u64,
    end: u64,
    ended: Ended,
    /// The characters of the open region count.
    counts: bool,
    /// The text, in UTF-8; and bytes of the view that follow it.
    text: Vec<u8>,
    raw: Vec<u8>,
}

impl ElementText {
    /// For the element whose tag `lexer` is in, at `at`.
    pub(in crate::format) fn of_element(lexer: AnyLexer, at: u64) -> ElementText {
        ElementText {
            lexer,
            is_value: false,
            at,
            begin: at,
            end: at.saturating_add(AHEAD_MAX),
            ended: Ended::Cut,
            counts: false,
            text: Vec::new(),
            raw: Vec::new(),
        }
    }

    /// For the value whose region `lexer` has just begun, at `at`.
    pub(in crate::format) fn of_value(lexer: AnyLexer, at: u64) -> ElementText {
        ElementText { is_value: true, counts: true, ..ElementText::of_element(lexer, at) }
    }

    /// Reads on; returns whether the text is complete.
    pub(in crate::format) fn read(&mut self, view: View<'_>, charset: Charset) -> bool {
        loop {
            let to = view.end().min(self.end);
            let over = view.window.last() || to == self.end;
            if self.at < view.window.base || self.at > to {
                // The view is another one, because the charset was decided: what was read so far stays.
                self.decode(charset);
                return true;
            }
            let bytes = Lookahead::new(view.slice(self.at..to), over);
            let Some(token) = self.lexer.next(bytes) else {
                // A character may go on in the next window.
                if over {
                    self.decode(charset);
                }
                return over;
            };
            match token {
                Token::Raw(n) => {
                    if self.counts {
                        let run =
                            if charset == Charset::UTF_8 { &mut self.text } else { &mut self.raw };
                        run.extend_from_slice(&bytes[..n]);
                        if self.is_enough() {
                            self.ended = Ended::Enough;
                            self.decode(charset);
                            return true;
                        }
                    }
                    self.at += n as u64;
                    continue;
                }
                Token::Escape(n, chars) => {
                    self.decode(charset);
                    if self.counts {
                        self.text.extend_from_slice(chars.as_bytes());
                    }
                    self.at += n as u64;
                    continue;
                }
                Token::Begin(region) => {
                    self.counts = self.lexer.markup().is_some_and(|it| it.is_shown(region))
                }
                Token::End | Token::Cancel | Token::Cut if self.is_value => {
                    self.ended = Ended::Over;
                    self.decode(charset);
                    return true;
                }
                Token::End | Token::Cancel | Token::Cut | Token::Broken(_) => self.counts = false,
                Token::Skip(n) => self.at += n as u64,
                Token::Whole(before, _, n) => self.at += (before + n) as u64,
                Token::Cell(before, n) => self.at += (before + n) as u64,
            }
            self.decode(charset);
            if self.lexer.markup().is_none_or(MarkupLexer::is_element_over) {
                self.ended = Ended::Over;
                return true;
            }
        }
    }

    /// About how many bytes were read: a number that does not depend on how they came.
    pub(in crate::format) fn read_bytes(&self) -> u64 {
        match self.ended {
            Ended::Cut => AHEAD_MAX,
            Ended::Enough => ENOUGH,
            Ended::Over => self.at - self.begin,
        }
    }

    /// Decodes the bytes that were not; they are whole characters, because no byte of markup is a part
    /// of another character.
    fn decode(&mut self, charset: Charset) {
        if !self.raw.is_empty() {
            let text = charset.decode_shifted(&self.raw, Shift::Ascii);
            self.text.extend_from_slice(text.as_bytes());
            self.raw.clear();
        }
    }

    /// Whether there are enough characters, whatever follows.
    fn is_enough(&self) -> bool {
        let bytes = self.text.iter().chain(&self.raw);
        // A character has at most four bytes.
        self.text.len() + self.raw.len() > 4 * CHARS_MAX
            && bytes.filter(|b| !b.is_ascii_whitespace()).count() > 4 * CHARS_MAX
    }

    /// Returns the text: white space folded, at most [`CHARS_MAX`] characters.
    pub(in crate::format) fn text(&self) -> String {
        let text = String::from_utf8_lossy(&self.text);
        let mut folded = String::new();
        for word in text.split_whitespace() {
            if !folded.is_empty() {
                folded.push(' ');
            }
            folded.push_str(word);
        }
        if let Some((end, _)) = folded.char_indices().nth(CHARS_MAX) {
            folded.truncate(folded[..end].trim_end().len());
        }
        folded
    }
}
