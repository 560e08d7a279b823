//! Targets of links: `](target "title")`, `](<target>)`, `[label]: target`.
//!
//! Bytes of a target go in, tokens of its region come out. What follows it shows whether it is one; if
//! it is none, it is running text.

use super::super::{
    entities::{Where, referenced},
    lexer::{Chars, Token},
};

/// The longest target that is read at once.
const WHOLE: usize = 512;
/// The most white space before and after a target.
const GAP: usize = 24;
/// The most brackets in each other, by CommonMark.
const DEPTH: u8 = 32;

/// The bytes that end a target, count for its end, or escape.
static SPECIAL: [bool; 256] = {
    let mut table = [false; 256];
    let mut b = 0;
    while b < 128 {
        let c = b as u8;
        table[b] = c <= b' ' || matches!(c, 0x7F | b'(' | b')' | b'\\' | b'&');
        b += 1;
    }
    table
};

/// A target that is being read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Target {
    definition: bool,
    /// Between `<` and `>`.
    angled: bool,
    depth: u8,
}

impl Target {
    /// The target after the `](` or `]:` before `bytes`, and how many bytes come before it;
    /// `Some(None)`: there is none. `None`: more bytes are needed.
    pub(super) fn at(
        bytes: &[u8],
        last: bool,
        definition: bool,
    ) -> Option<Option<(usize, Target)>> {
        let Some(gap) = gap(bytes, last)? else { return Some(None) };
        let angled = bytes.get(gap) == Some(&b'<');
        let from = gap + usize::from(angled);
        let ends = if angled { b'>' } else { b')' };
        match bytes.get(from) {
            None if !last => return None,
            None => return Some(None),
            Some(b) if *b == ends && (!definition || angled) => return Some(None),
            Some(b) if *b <= b' ' => return Some(None),
            _ => {}
        }
        Some(Some((from, Target { definition, angled, depth: 0 })))
    }

    pub(super) fn is_angled(&self) -> bool {
        self.angled
    }

    /// The length of the target, if the closing bracket follows it and it has neither brackets nor
    /// escapes.
    #[inline]
    pub(super) fn whole(&self, bytes: &[u8]) -> Option<usize> {
        let simple = !self.angled && !self.definition;
        let near = &bytes[..bytes.len().min(WHOLE)];
        let end = memchr::memchr(b')', near).filter(|end| simple && *end > 0)?;
        // A loop without a branch.
        let special = |any, b: &u8| any | (*b <= b' ') | matches!(b, 0x7F | b'(' | b'\\' | b'&');
        (!bytes[..end].iter().fold(false, special)).then_some(end)
    }

    /// As [`Lexer::next`](super::super::lexer::Lexer::next), in the region.
    pub(super) fn next(&mut self, bytes: &[u8], last: bool) -> Option<Token> {
        match self.angled {
            true => self.angled(bytes, last),
            false => self.plain(bytes, last),
        }
    }

    fn angled(&mut self, bytes: &[u8], last: bool) -> Option<Token> {
        let special = |b: &u8| matches!(b, b'>' | b'<' | b'\n' | b'\r' | b'\\' | b'&');
        let at = bytes.iter().position(special).unwrap_or(bytes.len());
        match bytes.get(at) {
            _ if at > 0 => Some(Token::Raw(at)),
            None => last.then_some(Token::Broken(0)),
            Some(b'>') => Some(Token::End),
            Some(b'\\' | b'&') => escape(bytes, last),
            Some(_) => Some(Token::Broken(0)),
        }
    }

    fn plain(&mut self, bytes: &[u8], last: bool) -> Option<Token> {
        let at = bytes.iter().position(|b| SPECIAL[usize::from(*b)]).unwrap_or(bytes.len());
        let before = (at > 0).then_some(Token::Raw(at));
        let Some(first) = bytes.get(at) else {
            return before.or(last.then_some(if self.definition {
                Token::End
            } else {
                Token::Broken(0)
            }));
        };
        match first {
            b'(' | b')' if self.definition => Some(Token::Raw(at + 1)),
            _ if at > 0 => before,
            b'(' | b')' => Some(self.bracket(*first)),
            b'\\' | b'&' => escape(bytes, last),
            _ => self
                .is_ended(bytes, last)
                .map(|ended| if ended { Token::End } else { Token::Broken(0) }),
        }
    }

    /// A bracket of the target, or the one after it.
    fn bracket(&mut self, bracket: u8) -> Token {
        match (bracket, self.depth) {
            (b')', 0) => return Token::End,
            (b')', _) => self.depth -= 1,
            (_, DEPTH..) => return Token::Broken(0),
            _ => self.depth += 1,
        }
        Token::Raw(1)
    }

    /// Whether a target ends before the white space or control that `bytes` begin with: a title, the
    /// closing bracket or, after a definition, the line end follows. `None`: more bytes are needed.
    fn is_ended(&self, bytes: &[u8], last: bool) -> Option<bool> {
        if self.definition {
            let blanks = bytes.iter().take(GAP).take_while(|b| matches!(b, b' ' | b'\t')).count();
            return match bytes.get(blanks) {
                None if blanks < GAP && !last => None,
                None => Some(last),
                Some(b) => Some(matches!(b, b'\n' | b'\r' | b'"' | b'\'' | b'(')),
            };
        }
        if self.depth > 0 {
            return Some(false);
        }
        let Some(gap) = gap(bytes, last)? else { return Some(false) };
        match bytes.get(gap) {
            None if !last => None,
            next => Some(next.is_some_and(|b| matches!(b, b')' | b'"' | b'\'' | b'('))),
        }
    }
}

/// Reads white space with at most one line end. `Some(None)`: there is more. `None`: more bytes are
/// needed.
fn gap(bytes: &[u8], last: bool) -> Option<Option<usize>> {
    let mut lines = 0;
    for (at, b) in bytes.iter().enumerate().take(GAP) {
        match b {
            b' ' | b'\t' | b'\r' => {}
            b'\n' if lines == 0 => lines = 1,
            b'\n' => return Some(None),
            _ => return Some(Some(at)),
        }
    }
    match bytes.len() {
        n if n >= GAP => Some(None),
        n => last.then_some(Some(n)),
    }
}

/// Reads the escape that `bytes` begin with.
fn escape(bytes: &[u8], last: bool) -> Option<Token> {
    match *bytes {
        [b'&', ..] => referenced(bytes, last, Where::Markdown),
        [_] if !last => None,
        [_, b, ..] if b.is_ascii_punctuation() => Some(Token::Escape(2, Chars::byte(b))),
        _ => Some(Token::Raw(1)),
    }
}
