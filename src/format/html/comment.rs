//! Comments of which the text is searched.
//!
//! The bytes after `<!--` go in. Of most comments a region of prose comes out, without escapes and tags. A conditional
//! comment (`<!--[if mso]> … <![endif]-->`) is HTML to Outlook, so out come the tokens that a lexer of HTML makes of it.
//! What must hold: all regions end where the comment ends, at `-->` or `--!>`, and nothing that is open in the HTML goes
//! on after that.

use alloc::boxed::Box;

use super::{Html, State};
use crate::{
    charset::Charset,
    engine::tuning::Tuning,
    format::lexing::{
        lexer::{AHEAD, Lexer, Region, Token, Unescaped, Value},
        lookahead::Lookahead,
    },
    links::place::Inside,
};

/// Reads the HTML of one conditional comment.
#[derive(Clone, Debug)]
pub(super) struct Conditional {
    html: Html,
    /// So many bytes are in the comment and have no token yet.
    known: usize,
    /// The comment ends after them.
    over: bool,
}

impl Conditional {
    pub(super) fn html(&self) -> &Html {
        &self.html
    }

    pub(super) fn inside(&self, region: Region) -> Inside {
        self.html.inside(region)
    }

    /// The next token of the bytes that are known.
    fn next(&mut self, bytes: &[u8]) -> Option<Token> {
        let token = match self.html.next(Lookahead::new(&bytes[..self.known], self.over))? {
            // What follows the comment is not relative to a base in it.
            Token::Begin(Region::Reference(Value::Base)) => {
                Token::Begin(Region::Reference(Value::One))
            }
            Token::Whole(before, Value::Base, n) => Token::Whole(before, Value::One, n),
            token => token,
        };
        self.known -= match token {
            Token::Skip(n) | Token::Raw(n) | Token::Escape(n, _) => n,
            Token::Whole(before, _, n) => before + n,
            _ => 0,
        };
        Some(token)
    }

    /// As [`Lexer::unescape_run`], for the bytes that are known.
    pub(super) fn unescape_run(&mut self, bytes: &[u8], unescaped: &mut Unescaped<'_>) -> usize {
        let n = self
            .html
            .unescape_run(Lookahead::part(&bytes[..self.known.min(bytes.len())]), unescaped);
        self.known -= n;
        n
    }

    pub(super) fn read_in(&mut self, charset: Charset) {
        self.html.read_in(charset);
    }
}

impl Html {
    /// The text of a comment, and its end.
    pub(super) fn comment_text(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        if let Some(conditional) = self.conditional.take() {
            return self.conditional(conditional, bytes);
        }
        if bytes.is_empty() {
            return if self.open && bytes.is_last() { self.end(State::Comment) } else { None };
        }
        match end_of_comment(bytes)? {
            0 => {}
            _ if self.open => return self.end(State::Comment),
            n => return self.skip(n, State::Data),
        }
        if !self.open {
            if is_conditional(bytes)? {
                return self.conditional(self.new_conditional(), bytes);
            }
            return self.begin(Region::Prose);
        }
        let next = memchr::memchr(b'-', &bytes[1..]);
        Some(Token::Raw(next.map_or(bytes.len(), |at| at + 1)))
    }

    /// At the start of a conditional comment.
    fn new_conditional(&self) -> Box<Conditional> {
        let tuning = Tuning { skip_tags: self.skip_tags, ..Tuning::DEFAULT };
        let mut html = Html::new(self.triggers, &tuning).named(self.naming.named);
        html.raw.double.clone_from(&self.raw.double);
        Box::new(Conditional { html, known: 0, over: false })
    }

    /// A conditional comment, and its end.
    fn conditional(
        &mut self,
        mut conditional: Box<Conditional>,
        bytes: Lookahead<'_>,
    ) -> Option<Token> {
        let token = loop {
            match conditional.next(&bytes) {
                None if conditional.over => {
                    self.naming.tags += conditional.html.naming.tags;
                    self.state = State::Data;
                    let end = end_of_comment(Lookahead::whole(&bytes)).unwrap_or_default();
                    return (end > 0).then_some(Token::Skip(end));
                }
                None => {}
                token => break token,
            }
            let rest = bytes.from(conditional.known);
            match end_of_comment(rest) {
                _ if rest.is_empty() && bytes.is_last() => conditional.over = true,
                _ if rest.is_empty() => break None,
                None => break None,
                Some(0) => {
                    let next = memchr::memchr(b'-', &rest[1..]);
                    conditional.known += next.map_or(rest.len(), |at| at + 1);
                }
                Some(_) => conditional.over = true,
            }
        };
        self.open = match token {
            Some(Token::Begin(_)) => true,
            Some(Token::End | Token::Cancel | Token::Cut) => false,
            _ => self.open,
        };
        self.conditional = Some(conditional);
        token
    }
}

/// How long the end of a comment is that `bytes` begin with; 0 without one. `None`: more bytes are needed.
fn end_of_comment(bytes: Lookahead<'_>) -> Option<usize> {
    for end in [&b"-->"[..], b"--!>"] {
        if bytes.begins(end)? {
            return Some(end.len());
        }
    }
    Some(0)
}

/// Whether a comment whose text `bytes` begin with is a conditional one: `[if mso]>`. `None`: more bytes are needed.
fn is_conditional(bytes: Lookahead<'_>) -> Option<bool> {
    if !bytes.begins(b"[if")? {
        return Some(false);
    }
    match bytes.get(3) {
        None => bytes.is_last().then_some(false),
        Some(b) => Some(b.is_ascii_whitespace() || matches!(b, b'(' | b'!')),
    }
}

/// Whether the comment that `bytes` begin with may hold a link, or is long. `None`: more bytes are needed.
pub(super) fn is_comment_with_text(bytes: Lookahead<'_>) -> Option<bool> {
    let near = bytes.near(AHEAD);
    // Where its end begins. `<!-->` is a comment, `<!--!>` is none.
    let end = |close: usize| match &near[..close] {
        [.., b'-', b'-'] if close >= 4 => Some(close - 2),
        [.., b'-', b'-', b'!'] if close >= 7 => Some(close - 3),
        _ => None,
    };
    match memchr::memchr_iter(b'>', &near).find_map(end) {
        Some(at) => {
            let text = &near[4..at.max(4)];
            // A conditional one may hold a relative reference.
            let conditional = is_conditional(Lookahead::whole(text)) == Some(true);
            Some(conditional || text.iter().any(|b| matches!(b, b':' | b'.' | b'@')))
        }
        None if near.is_partial() => None,
        None => Some(true),
    }
}
