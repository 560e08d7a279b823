//! JSON in a string of JSON, once or twice: `"{\"url\":\"http:\\/\\/a.example\\/\"}"`. The escapes of the inner one
//! are written with those of the outer one.
//!
//! Text and escapes go in, in order; escapes come out, of all levels at once. That a string holds JSON shows in an
//! escaped quote after `{`, `[`, `:` or `,`; that it is over, in a quote with fewer backslashes. Invariant: what comes
//! out does not depend on how the text is divided.

use core::cell::Cell;

use super::{
    lexer::{AHEAD, Chars, Token, Unescaped},
    lookahead::Lookahead,
};

/// Reads an escape of the outermost level: a backslash, and what follows it.
pub(in crate::format) trait Read:
    Fn(Lookahead<'_>) -> Option<Token> + Copy
{
}

impl<F: Fn(Lookahead<'_>) -> Option<Token> + Copy> Read for F {}

/// The deepest level: JSON in JSON in JSON.
const DEEPEST: u8 = 3;

/// How far back a sign of JSON may be, with white space between.
const NEAR: u8 = 8;

/// The most bytes that the escape of an inner level has, with the escapes of the outer ones undone: `\ud83c\udf44`.
const LONGEST: usize = 12;

/// The level of the text that is read, and the last byte that is no white space, with the number of those after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::format) struct Nested {
    level: u8,
    before: u8,
    gap: u8,
}

impl Nested {
    /// At the start of a text.
    pub(in crate::format) const NONE: Nested = Nested { level: 1, before: 0, gap: 0 };

    /// Whether the text is in no inner string.
    pub(in crate::format) fn is_outermost(&self) -> bool {
        self.level == 1
    }

    /// Passes text. On the outermost level escapes may be in it; those of white space count as that.
    #[inline]
    pub(in crate::format) fn pass(&mut self, text: &[u8]) {
        // Between two escapes of an inner string there are few bytes.
        if self.level > 1 && text.contains(&b'"') {
            self.level = 1;
        }
        let (mut rest, mut blanks) = (text, 0);
        while blanks <= NEAR {
            rest = match rest {
                [before @ .., b'\\', b'n' | b'r' | b't'] => before,
                [before @ .., b' ' | b'\t' | b'\n' | b'\r'] => before,
                _ => break,
            };
            blanks += 1;
        }
        match rest {
            [.., b] => (self.before, self.gap) = (*b, blanks),
            [] => self.gap = self.gap.saturating_add(blanks),
        }
    }

    /// Reads the escape that `bytes` begin with.
    #[inline]
    pub(in crate::format) fn escape(
        &mut self,
        bytes: Lookahead<'_>,
        read: impl Read,
    ) -> Option<Token> {
        match bytes.get(1) {
            Some(b'"') => {
                self.quote(2);
                Some(Token::Escape(2, Chars::byte(b'"')))
            }
            Some(b'\\') if self.level > 1 => self.nested(bytes, read),
            _ => {
                let token = read(bytes)?;
                if let Token::Escape(len, _) = token {
                    self.pass(&bytes[..len]);
                }
                Some(token)
            }
        }
    }

    /// Passes a quote that is written with `len` bytes.
    #[inline]
    fn quote(&mut self, len: usize) {
        match len {
            2 if self.level > 1 || self.opens() => self.level = 2,
            4 if self.level == 2 && self.opens() => self.level = DEEPEST,
            _ => {}
        }
        (self.before, self.gap) = (b'"', 0);
    }

    /// Reads an escape on an inner level.
    fn nested(&mut self, bytes: Lookahead<'_>, read: impl Read) -> Option<Token> {
        let token = at_level(self.level, bytes.near(AHEAD), read)?;
        let Token::Escape(len, chars) = token else { return Some(token) };
        match chars.as_bytes() {
            b"\"" => self.quote(len),
            [.., b] if is_blank(*b) => self.gap = self.gap.saturating_add(1),
            [.., b] => (self.before, self.gap) = (*b, 0),
            [] => {}
        }
        Some(token)
    }

    /// As [`Unescaped::take`], for text in which only a byte of `ends` and a backslash have a meaning.
    pub(in crate::format) fn take(
        &mut self,
        bytes: Lookahead<'_>,
        ends: &[u8],
        unescaped: &mut Unescaped<'_>,
        read: impl Read,
    ) -> usize {
        // The state before the byte with this number.
        let state = Cell::new((*self, 0));
        let escaped = |rest: &[u8]| {
            let (mut nested, from) = state.get();
            let matters = match rest.get(1) {
                Some(b'"') => true,
                Some(b'\\') => nested.level > 1,
                _ => false,
            };
            if !matters {
                return read(bytes.with(rest));
            }
            let at = bytes.len() - rest.len();
            nested.pass(&bytes[from..at]);
            let token = nested.escape(bytes.with(rest), read)?;
            if let Token::Escape(len, _) = token {
                state.set((nested, at + len));
            }
            Some(token)
        };
        let taken = unescaped.take(&bytes, b'\\', ends, &escaped);
        let (mut nested, from) = state.get();
        nested.pass(&bytes[from..taken.max(from)]);
        *self = nested;
        taken
    }

    /// Whether a quote here begins a string of JSON.
    fn opens(&self) -> bool {
        self.gap <= NEAR && matches!(self.before, b'{' | b'[' | b':' | b',')
    }
}

fn is_blank(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | b'\n' | b'\r')
}

/// The escape that `bytes` begin with, read as `level` readers would, each what the one before it gives. `None`: more
/// bytes are needed.
fn at_level(level: u8, bytes: Lookahead<'_>, read: impl Read) -> Option<Token> {
    if level == 1 {
        return read(bytes);
    }
    let outer = at_level(level - 1, bytes, read)?;
    let Token::Escape(first, chars) = outer else { return Some(outer) };
    if chars.as_bytes() != b"\\" {
        return Some(outer);
    }
    // What the outer levels give, and where each byte of it ends.
    let (mut inner, mut ends) = ([b'\\'; LONGEST], [first; LONGEST]);
    let mut len = 1;
    loop {
        let at = ends[len - 1];
        let is_all = bytes.is_last() && at == bytes.len();
        match read(Lookahead::new(&inner[..len], is_all || len == LONGEST)) {
            Some(Token::Escape(n, chars)) => return Some(Token::Escape(ends[n - 1], chars)),
            // It is a backslash of the level before.
            Some(_) => return Some(outer),
            None => {}
        }
        let (n, b) = match bytes.get(at) {
            None => return None,
            Some(b'\\') => match at_level(level - 1, bytes.from(at), read)? {
                Token::Escape(n, chars) => match chars.as_bytes() {
                    [b] => (n, *b),
                    _ => return Some(outer),
                },
                _ => (1, b'\\'),
            },
            Some(b) => (1, *b),
        };
        if b == b'"' && n < 1 << (level - 1) {
            // It ends the string of an outer level, so the backslash before it escapes nothing.
            return Some(outer);
        }
        (inner[len], ends[len]) = (b, at + n);
        len += 1;
    }
}
