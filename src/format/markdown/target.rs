//! Targets of links: `](target "title")`, `](<target>)`, `[label]: target`.
//!
//! Bytes of a target go in, tokens of its region come out. The bytes after it show whether it is a target
//! or running text. At most [`NEAR`] of them are read: a longer title is taken for a title.

use super::NEAR;
use crate::format::{
    lexing::{
        lexer::{Chars, Token},
        lookahead::{Here, Lookahead},
    },
    markup::entities::{Where, referenced},
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
    /// It is a scheme and nothing else, and leads nowhere.
    is_void: bool,
    depth: u8,
    /// The text after the target of a definition.
    after: After,
}

/// The text after the target of a definition, on the same line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum After {
    /// The line end: the next line may have the title.
    #[default]
    Nothing,
    /// The title.
    Title,
    /// The start of a title that ends with this byte on a later line.
    Open(u8),
}

impl After {
    /// After the line that `title` begins in, which is a title.
    pub(super) fn within(self, title: &[u8]) -> After {
        match title.contains(&b'\n') {
            true => After::Open(closing(title[0])),
            false => After::Title,
        }
    }

    /// After a line that goes on where `line` ends.
    pub(super) fn beyond(self, line: &[u8]) -> After {
        match self {
            After::Nothing => self.within(line),
            _ => self,
        }
    }
}

/// The longest scheme that is looked at.
const SCHEME: usize = 24;

/// True if `bytes` begin with a scheme and its `:`, and nothing after it. `None`: more bytes are needed.
fn is_lone_scheme(bytes: Lookahead<'_>) -> Option<bool> {
    let is_part = |b: &&u8| b.is_ascii_alphanumeric() || b"+-.".contains(b);
    let len = bytes.iter().take(SCHEME).take_while(is_part).count();
    match bytes.get(len..).unwrap_or_default() {
        [] if len < SCHEME => bytes.is_last().then_some(false),
        [b':'] => bytes.is_last().then_some(true),
        [b':', after, ..] => Some(*after <= b' '),
        _ => Some(false),
    }
}

impl Target {
    /// The target after the `](` or `]:` before `bytes`, and how many bytes come before it.
    /// `Here::Nothing`: no target is there. `None`: more bytes are needed.
    pub(super) fn at(bytes: Lookahead<'_>, definition: bool) -> Option<Here<(usize, Target)>> {
        let Here::Is(gap) = gap(bytes)? else { return Some(Here::Nothing) };
        let angled = bytes.get(gap) == Some(&b'<');
        let from = gap + usize::from(angled);
        let ends = if angled { b'>' } else { b')' };
        match bytes.get(from) {
            None if bytes.is_partial() => return None,
            None => return Some(Here::Nothing),
            Some(b) if *b == ends && (!definition || angled) => return Some(Here::Nothing),
            Some(b) if *b <= b' ' => return Some(Here::Nothing),
            _ => {}
        }
        // `[#]: via: (http://a.example/)`
        let is_void = definition && !angled && is_lone_scheme(bytes.from(from))?;
        Some(Here::Is((from, Target { definition, angled, is_void, ..Target::default() })))
    }

    /// The text after the target of a definition, whose region has ended.
    pub(super) fn after(&self) -> Option<After> {
        self.definition.then_some(self.after)
    }

    pub(super) fn is_void(&self) -> bool {
        self.is_void
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

    /// As [`Lexer::next`](crate::format::lexing::lexer::Lexer::next), in the region.
    pub(super) fn next(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        match self.angled {
            true => self.angled(bytes),
            false => self.plain(bytes),
        }
    }

    fn angled(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        let special = |b: &u8| matches!(b, b'>' | b'<' | b'\n' | b'\r' | b'\\' | b'&');
        let at = bytes.iter().position(special).unwrap_or(bytes.len());
        match bytes.get(at) {
            _ if at > 0 => Some(Token::Raw(at)),
            None => bytes.is_last().then_some(Token::Broken(0)),
            Some(b'>') => self.ended(bytes.from(1)),
            Some(b'\\' | b'&') => escape(bytes),
            Some(_) => Some(Token::Broken(0)),
        }
    }

    fn plain(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        let at = bytes.iter().position(|b| SPECIAL[usize::from(*b)]).unwrap_or(bytes.len());
        let before = (at > 0).then_some(Token::Raw(at));
        let Some(first) = bytes.get(at) else {
            return before.or(bytes.is_last().then_some(if self.definition {
                Token::End
            } else {
                Token::Broken(0)
            }));
        };
        match first {
            b'(' | b')' if self.definition => Some(Token::Raw(at + 1)),
            _ if at > 0 => before,
            b'(' | b')' => Some(self.bracket(*first)),
            b'\\' | b'&' => escape(bytes),
            _ => self.ended(bytes),
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

    /// The token at the end of the bytes of a target, before `bytes`. `None`: more bytes are needed.
    fn ended(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        let near = bytes.near(NEAR);
        let full = near.len() == NEAR;
        let cut = Lookahead::new(near.as_slice(), near.is_last() && !full);
        let ended = match self.definition {
            true => self.is_definition(cut),
            false => self.is_link(cut),
        };
        match ended {
            None if !full => None,
            ended => Some(if ended.unwrap_or(true) { Token::End } else { Token::Broken(0) }),
        }
    }

    /// Whether a definition goes on with `bytes` after its target: the line end follows, or a title and
    /// then the line end. `None`: `bytes` end before that.
    fn is_definition(&mut self, bytes: Lookahead<'_>) -> Option<bool> {
        self.after = After::Nothing;
        let (blanks, next) = blanks(bytes)?;
        match next {
            None | Some(b'\n' | b'\r') => return Some(true),
            Some(b'"' | b'\'' | b'(') if blanks > 0 => {}
            _ => return Some(false),
        }
        let bytes = bytes.from(blanks);
        self.after = After::Nothing.within(&bytes);
        let Here::Is(n) = title(bytes)? else { return Some(false) };
        self.after = After::Nothing.within(&bytes[..n]);
        is_line_end(bytes.from(n))
    }

    /// Whether a link goes on with `bytes` after its target: the closing bracket follows, or a title and
    /// then the bracket. `None`: `bytes` end before that.
    fn is_link(&self, bytes: Lookahead<'_>) -> Option<bool> {
        if self.depth > 0 {
            return Some(false);
        }
        let Here::Is(before) = gap(bytes)? else { return Some(false) };
        let bytes = bytes.from(before);
        match bytes.first() {
            None if bytes.is_partial() => return None,
            Some(b')') => return Some(true),
            Some(b'"' | b'\'' | b'(') if before > 0 => {}
            _ => return Some(false),
        }
        let Here::Is(n) = title(bytes)? else { return Some(false) };
        let Here::Is(after) = gap(bytes.from(n))? else { return Some(false) };
        match bytes.get(n + after) {
            None if bytes.is_partial() => None,
            next => Some(next == Some(&b')')),
        }
    }
}

/// How many spaces and tabs `bytes` begin with, and the byte after them. `None`: more bytes are needed.
fn blanks(bytes: Lookahead<'_>) -> Option<(usize, Option<u8>)> {
    let blanks = bytes.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
    match bytes.get(blanks) {
        None if bytes.is_partial() => None,
        next => Some((blanks, next.copied())),
    }
}

/// Whether the rest of a line is blank. `None`: more bytes are needed.
pub(super) fn is_line_end(bytes: Lookahead<'_>) -> Option<bool> {
    blanks(bytes).map(|(_, next)| next.is_none_or(|b| matches!(b, b'\n' | b'\r')))
}

/// The byte that closes a title that opens with `b`.
fn closing(b: u8) -> u8 {
    if b == b'(' { b')' } else { b }
}

/// The length of the title that `bytes` begin with, quotation marks and all. `Here::Nothing`: `bytes` begin
/// with no title. `None`: more bytes are needed.
pub(super) fn title(bytes: Lookahead<'_>) -> Option<Here<usize>> {
    let closing = closing(bytes[0]);
    let (mut at, mut blank) = (1, false);
    while let Some(&b) = bytes.get(at) {
        match b {
            _ if b == closing => return Some(Here::Is(at + 1)),
            b'(' if closing == b')' => return Some(Here::Nothing),
            b'\n' if blank => return Some(Here::Nothing),
            b'\n' => blank = true,
            b' ' | b'\t' | b'\r' => {}
            _ => blank = false,
        }
        at += if b == b'\\' { 2 } else { 1 };
    }
    bytes.is_last().then_some(Here::Nothing)
}

/// Reads white space with at most one line end. `Here::Nothing`: there is more. `None`: more bytes are
/// needed.
fn gap(bytes: Lookahead<'_>) -> Option<Here<usize>> {
    let mut lines = 0;
    for (at, b) in bytes.iter().enumerate().take(GAP) {
        match b {
            b' ' | b'\t' | b'\r' => {}
            b'\n' if lines == 0 => lines = 1,
            b'\n' => return Some(Here::Nothing),
            _ => return Some(Here::Is(at)),
        }
    }
    match bytes.len() {
        n if n >= GAP => Some(Here::Nothing),
        n => bytes.is_last().then_some(Here::Is(n)),
    }
}

/// Reads the escape that `bytes` begin with.
fn escape(bytes: Lookahead<'_>) -> Option<Token> {
    match *bytes.as_slice() {
        [b'&', ..] => referenced(bytes, Where::Markdown),
        [_] if bytes.is_partial() => None,
        [_, b, ..] if b.is_ascii_punctuation() => Some(Token::Escape(2, Chars::byte(b))),
        _ => Some(Token::Raw(1)),
    }
}
