//! Comments of which the text is searched.
//!
//! The bytes after `<!--` go in; a region of prose comes out, without escapes and tags. What must hold: the region
//! ends where the comment ends, at `-->` or `--!>`.

use super::{Html, State};
use crate::format::lexing::lexer::{AHEAD, Region, Token, begins};

impl Html {
    /// The text of a comment, and its end.
    pub(super) fn comment_text(&mut self, bytes: &[u8], last: bool) -> Option<Token> {
        if bytes.is_empty() {
            return if self.open && last { self.end(State::Comment) } else { None };
        }
        for end in [&b"-->"[..], b"--!>"] {
            match begins(bytes, end, last)? {
                true if self.open => return self.end(State::Comment),
                true => return self.skip(end.len(), State::Data),
                false => {}
            }
        }
        if !self.open {
            return self.begin(Region::Prose);
        }
        let next = memchr::memchr(b'-', &bytes[1..]);
        Some(Token::Raw(next.map_or(bytes.len(), |at| at + 1)))
    }
}

/// Whether the comment that `bytes` begin with may hold a link, or is long. `None`: more bytes are needed.
pub(super) fn is_comment_with_text(bytes: &[u8], last: bool) -> Option<bool> {
    let near = &bytes[..bytes.len().min(AHEAD)];
    // Where its end begins. `<!-->` is a comment, `<!--!>` is none.
    let end = |close: usize| match &near[..close] {
        [.., b'-', b'-'] if close >= 4 => Some(close - 2),
        [.., b'-', b'-', b'!'] if close >= 7 => Some(close - 3),
        _ => None,
    };
    match memchr::memchr_iter(b'>', near).find_map(end) {
        Some(at) => Some(near[4..at.max(4)].iter().any(|b| matches!(b, b':' | b'.' | b'@'))),
        None if near.len() < AHEAD && !last => None,
        None => Some(true),
    }
}
