//! Markdown: CommonMark 0.31 with the bare links of GitHub.
//!
//! Bytes go in, tokens come out. Almost all of a document is running text, in which backslash
//! escapes and character references are undone. Other regions are:
//!
//! - the target of `[text](target)`, `![text](target)` and `[label]: target`, a whole reference,
//!   relative or not;
//! - attributes of tags, as in HTML;
//! - code (spans, fenced and indented blocks), in which nothing is an escape. It can be left out.
//!
//! ```text
//!   Text ── line end, fence or indentation ──▶ Block ── its end ──▶ Text
//!    ├─ ` ──▶ Span ── as many ` ──▶ Text
//!    ├─ ]( or ]: ──▶ Target ── white space, `)`, `>` ──▶ Text
//!    └─ < and a name ──▶ Tag ⇄ Value
//! ```
//!
//! No tree is built, and little is read ahead. So a code span that never closes goes on to the end
//! of its paragraph, and whether `[` and `]` are a pair is known by counting. What is not certain to
//! be a target or a tag is text: no link is lost.

mod lines;
pub(in crate::format) mod row;
mod tag;
mod target;
#[cfg(test)]
mod tests;
mod text;
pub(in crate::format) mod writer;

use self::{
    lines::Start,
    tag::Tags,
    text::{Seek, Sign, State, Text},
};
use crate::{
    format::lexing::{
        lexer::{Lexer, Region, Token, Value, byte_order_mark},
        lookahead::Lookahead,
        triggers::Triggers,
    },
    links::place::{Around, Inside, Place},
    simd::types::Level,
};

/// How many bytes decide about a byte of syntax, at most: less than
/// [`AHEAD`](crate::format::lexing::lexer::AHEAD).
const NEAR: usize = 60;

/// Reads Markdown.
#[derive(Clone, Debug)]
pub(crate) struct Markdown {
    state: State,
    /// The state after the region that ends here.
    next: State,
    text: Text,
    tags: Tags,
    /// Links in code count.
    code: bool,
    /// The backticks of a code span are no part of its region, because the rules do not end a link at
    /// them.
    divided: bool,
    /// A region is open.
    open: bool,
    level: Level,
}

impl Markdown {
    /// `code`: links in code count.
    pub(in crate::format) fn new(code: bool, triggers: Triggers) -> Markdown {
        Markdown {
            state: State::First,
            next: State::Text,
            text: Text::new(code.then_some(triggers)),
            tags: Tags::new(),
            code,
            divided: false,
            open: false,
            level: Level::best(),
        }
    }

    /// The same with the backticks of code spans between the regions if `divided`.
    pub(in crate::format) fn divided(self, divided: bool) -> Markdown {
        Markdown { divided, ..self }
    }

    fn go(&mut self, state: State, token: Token) -> Option<Token> {
        self.state = state;
        Some(token)
    }

    fn begin(&mut self, region: Region) -> Option<Token> {
        self.open = true;
        Some(Token::Begin(region))
    }

    /// Ends the region, if one is open, before the state `then`.
    fn end(&mut self, then: State, bytes: Lookahead<'_>) -> Option<Token> {
        self.state = then;
        match core::mem::take(&mut self.open) {
            true => Some(Token::End),
            false => self.next(bytes),
        }
    }

    /// The last `n` bytes of a region, before the state `then`. They have no region if they are code
    /// that does not count.
    fn leave(&mut self, n: usize, then: State, bytes: Lookahead<'_>) -> Option<Token> {
        if n == 0 {
            return self.end(then, bytes);
        }
        self.next = then;
        self.go(State::Leaving, if self.open { Token::Raw(n) } else { Token::Skip(n) })
    }

    /// `n` bytes of code.
    fn code(&mut self, n: usize, then: State) -> Option<Token> {
        self.go(then, if self.open { Token::Raw(n) } else { Token::Skip(n) })
    }

    /// Running text.
    fn text(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        if bytes.is_empty() {
            return if self.open && bytes.is_last() { self.end(State::Text, bytes) } else { None };
        }
        if !self.open {
            // No region without text.
            let mut text = self.text;
            return match text.sign(self.text.before, bytes) {
                Sign::More => None,
                Sign::Leave(0, state) => {
                    self.text = text;
                    self.end(state, bytes)
                }
                _ => self.begin(Region::Prose),
            };
        }
        let mut at = 0;
        loop {
            at = match self.text.angle {
                true => at + self.text.in_angles(&bytes[at..]),
                false => self.level.run(Seek { bytes: &bytes, from: at, text: &mut self.text }),
            };
            if at == bytes.len() {
                return Some(Token::Raw(at));
            }
            let before = self.text.before(&bytes, at);
            match self.text.sign(before, bytes.from(at)) {
                Sign::Text(n) => at += n,
                Sign::Leave(n, state) => return self.leave(at + n, state, bytes),
                _ if at > 0 => return Some(Token::Raw(at)),
                Sign::More => return None,
                Sign::Escape(n, chars) => return Some(Token::Escape(n, chars)),
            }
        }
    }

    /// The start of a line without a region.
    fn line(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        if bytes.is_empty() {
            return None;
        }
        self.state = match self.text.line(bytes)? {
            Start::Code => State::Block { within: true },
            _ => State::Text,
        };
        self.next(bytes)
    }

    fn span(&mut self, (ticks, within): (usize, bool), bytes: Lookahead<'_>) -> Option<Token> {
        if bytes.is_empty() {
            return if bytes.is_last() && self.open { self.end(State::Text, bytes) } else { None };
        }
        let inside = State::Span { ticks, within: true };
        if self.divided && !within {
            return self.go(inside, Token::Skip(ticks));
        }
        if self.code && !self.open {
            return self.begin(Region::Prose);
        }
        if !within {
            return self.code(ticks, inside);
        }
        let mut at = 0;
        while let Some(n) = memchr::memchr2(b'`', b'\n', &bytes[at..]) {
            at += n;
            let rest = bytes.from(at);
            if rest[0] == b'\n' {
                match self.text.lines.is_blank(rest.from(1)) {
                    // A paragraph ends, and no code span goes on after it.
                    Some(true) => return self.leave(at, State::Text, bytes),
                    Some(false) => at += 1,
                    None if at == 0 => return None,
                    None => return self.code(at, inside),
                }
                continue;
            }
            match run(rest, b'`') {
                None if at == 0 => return None,
                None => return self.code(at, inside),
                Some(n) if n == ticks && self.divided => {
                    return self.leave(at, State::Ticks(n), bytes);
                }
                Some(n) if n == ticks => return self.leave(at + n, State::Text, bytes),
                Some(n) => at += n,
            }
        }
        self.code(bytes.len(), inside)
    }

    fn block(&mut self, within: bool, bytes: Lookahead<'_>) -> Option<Token> {
        if bytes.is_empty() {
            return if bytes.is_last() && self.open { self.end(State::Line, bytes) } else { None };
        }
        if !within && !self.text.lines.goes_on(bytes)? {
            return self.end(State::Line, bytes);
        }
        if self.code && !self.open {
            return self.begin(Region::Prose);
        }
        let mut at = 0;
        while let Some(end) = memchr::memchr(b'\n', &bytes[at..]) {
            at += end + 1;
            if self.text.lines.is_closed() {
                return self.leave(at, State::Line, bytes);
            }
            let rest = bytes.from(at);
            match self.text.lines.goes_on(rest).filter(|_| !rest.is_empty()) {
                Some(true) => {}
                Some(false) => return self.leave(at, State::Line, bytes),
                None => return self.code(at, State::Block { within: false }),
            }
        }
        self.code(bytes.len(), State::Block { within: true })
    }

    fn target(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        if !self.open {
            return self.begin(Region::Reference(Value::One));
        }
        let token = self.text.target.next(bytes)?;
        match token {
            Token::End => {
                (self.open, self.state) = (false, State::Text);
                if let Some(after) = self.text.target.after() {
                    self.text.lines.define(after);
                }
                if self.text.target.is_void() {
                    return Some(Token::Cancel);
                }
            }
            // The text after it has a place of its own.
            Token::Broken(_) => (self.next, self.state) = (State::Text, State::Leaving),
            _ => {}
        }
        Some(token)
    }
}

impl Markdown {
    fn token(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        match self.state {
            State::First => {
                let mark = byte_order_mark(bytes)?;
                self.state = State::Line;
                if mark > 0 { Some(Token::Skip(mark)) } else { self.next(bytes) }
            }
            State::Line => self.line(bytes),
            State::Text => self.text(bytes),
            State::Leaving => self.end(self.next, bytes),
            State::Span { ticks, within } => self.span((ticks, within), bytes),
            State::Block { within } => self.block(within, bytes),
            State::Ticks(n) => self.go(State::Text, Token::Skip(n)),
            State::Emphasis(n) => self.go(State::Text, Token::Skip(n)),
            State::Gap(n) => match self.text.target.whole(&bytes[n..]) {
                Some(len) => self.go(State::Text, Token::Whole(n, Value::One, len)),
                None => self.go(State::Target, Token::Skip(n)),
            },
            State::Target => self.target(bytes),
            State::Tag => {
                let token = self.tags.next(bytes)?;
                match token {
                    tag::Step::Over => {
                        self.state = State::Text;
                        self.next(bytes)
                    }
                    tag::Step::Token(token) => {
                        match token {
                            Token::Begin(_) => self.open = true,
                            Token::End => self.open = false,
                            Token::Broken(_) => {
                                (self.next, self.state) = (State::Tag, State::Leaving);
                            }
                            _ => {}
                        }
                        Some(token)
                    }
                }
            }
        }
    }
}

impl Lexer for Markdown {
    fn next(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        let token = self.token(bytes)?;
        let before = match token {
            Token::Raw(n) | Token::Skip(n) => n.checked_sub(1).map(|at| bytes[at]),
            Token::Whole(skipped, _, n) => Some(bytes[skipped + n - 1]),
            Token::Escape(_, chars) => chars.as_bytes().last().copied(),
            _ => None,
        };
        self.text.before = before.unwrap_or(self.text.before);
        Some(token)
    }

    fn place(&self, _: Region) -> Place {
        match self.state {
            // A span that never closes is text.
            State::Span { .. } => Place::new(Inside::Plain, Around::Tag),
            State::Block { .. } => Inside::Plain.into(),
            State::Target => Inside::Attribute { quoted: self.text.target.is_angled() }.into(),
            State::Tag => Place::new(self.tags.place(), Around::Tag),
            _ => Inside::Text.into(),
        }
    }
}

/// The length of the run of `b` that `bytes` begin with, at most [`NEAR`]. `None`: more bytes are
/// needed.
fn run(bytes: Lookahead<'_>, b: u8) -> Option<usize> {
    let near = bytes.near(NEAR);
    let n = near.iter().take_while(|next| **next == b).count();
    (n < near.len() || near.is_last()).then_some(n)
}
