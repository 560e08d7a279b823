//! What the languages of light markup have alike: running text with escapes, marks that divide it, and
//! targets, which are references.
//!
//! Bytes go in, tokens come out. A [`Syntax`] says what a byte of text means; this file opens and closes
//! the regions.
//!
//! ```text
//!   Text ── Sign::Mark ──▶ Marks ──▶ Text
//!    │                      └─ Sign::Parameter ─▶ Opening
//!    └───── Sign::Target ──▶ Opening ──▶ Target ── its end, or what no target has ──▶ Text
//! ```
//!
//! Each line is shown to the syntax before its bytes are read, because most of these languages have
//! something that only the start of a line can begin. All text stays in a region, so no link is lost.

use super::{
    lexer::{Chars, Lexer, Region, Token, Value, byte_order_mark},
    lookahead::Lookahead,
};
use crate::{format::markup::words::begins_link, links::place::Place};

/// How many bytes decide about a byte of syntax, at most.
pub(in crate::format) const NEAR: usize = 60;

/// A set of bytes.
pub(in crate::format) type Bytes = [bool; 256];

/// The set of the bytes of `text`.
pub(in crate::format) const fn bytes_of(text: &[u8]) -> Bytes {
    let (mut table, mut i) = ([false; 256], 0);
    while i < text.len() {
        table[text[i] as usize] = true;
        i += 1;
    }
    table
}

/// What a byte of text means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::format) enum Sign {
    /// So many bytes are text.
    Text(usize),
    Escape(usize, Chars),
    /// So many bytes divide the text, and belong to no link; 0: it is divided here.
    Mark(usize),
    /// After so many bytes of text, a target begins.
    Target(usize),
    /// After so many bytes that divide the text, a target begins.
    Parameter(usize),
}

/// A language of light markup.
pub(in crate::format) trait Syntax {
    /// The bytes of text that may mean something, beside the line feed.
    const SIGNS: Bytes;

    /// What the line that `bytes` begin with begins with: often nothing, which is `Sign::Text(0)`. `None`:
    /// more bytes are needed, and nothing has changed.
    fn line(&mut self, bytes: Lookahead<'_>) -> Option<Sign> {
        let _ = bytes;
        Some(Sign::Text(0))
    }

    /// What the byte means that `bytes` begin with, after the byte `before`. `None`: as in
    /// [`Syntax::line`].
    fn sign(&mut self, before: u8, bytes: Lookahead<'_>) -> Option<Sign>;

    /// The next token in a target, as [`Lexer::next`]. At the end of the document, `bytes` are empty.
    fn target(&mut self, bytes: Lookahead<'_>) -> Option<Token>;

    /// As [`Lexer::place`].
    fn place(&self, region: Region) -> Place;
}

/// Reads a language of light markup.
#[derive(Clone, Debug)]
pub(crate) struct Marked<S> {
    syntax: S,
    state: State,
    /// A region is open.
    open: bool,
    /// The next sign, if the syntax has named it already.
    next: Option<Sign>,
    /// The last byte of text.
    before: u8,
    /// How many bytes divide the text here. Not in [`State`], where a compiler asks for it before it knows that it is
    /// there: harmless, but Valgrind reports it.
    marks: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// At the start of the document.
    First,
    /// The same, after the byte order mark.
    Line,
    Text,
    /// At bytes that divide the text.
    Marks,
    /// At such bytes, before a target.
    Parameter,
    /// The region ends, and a target begins.
    Opening,
    Target,
}

impl<S: Syntax> Marked<S> {
    pub(in crate::format) fn new(syntax: S) -> Marked<S> {
        Marked { syntax, state: State::First, open: false, next: None, before: b'\n', marks: 0 }
    }

    /// What the byte at `at` means, which is one of the syntax.
    fn sign(&mut self, bytes: Lookahead<'_>, at: usize) -> Option<Sign> {
        let before = at.checked_sub(1).map_or(self.before, |at| bytes[at]);
        if bytes[at] != b'\n' {
            return self.syntax.sign(before, bytes.from(at));
        }
        // The line feed is text.
        Some(match self.syntax.line(bytes.from(at + 1))? {
            Sign::Text(n) => Sign::Text(1 + n),
            Sign::Target(n) => Sign::Target(1 + n),
            other => {
                self.next = Some(other);
                Sign::Text(1)
            }
        })
    }

    /// `n` bytes of text, before the state `then`.
    fn raw(&mut self, bytes: &[u8], n: usize, then: State) -> Option<Token> {
        self.before = bytes[n - 1];
        self.state = then;
        Some(Token::Raw(n))
    }

    /// Whether `bytes`, which are not empty, begin with text. `None`: more bytes are needed.
    fn opens(&mut self, bytes: Lookahead<'_>) -> Option<bool> {
        if self.next.is_none() && S::SIGNS[usize::from(bytes[0])] {
            self.next = Some(self.sign(bytes, 0)?);
        }
        Some(!matches!(self.next, Some(Sign::Mark(_) | Sign::Target(0) | Sign::Parameter(_))))
    }

    fn text(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        if bytes.is_empty() {
            let ends = bytes.is_last() && core::mem::take(&mut self.open);
            return ends.then_some(Token::End);
        }
        if !self.open && self.opens(bytes)? {
            self.open = true;
            return Some(Token::Begin(Region::Prose));
        }
        let mut at = 0;
        loop {
            let sign = match self.next.take() {
                Some(sign) => sign,
                None => {
                    let is_sign = |b: &u8| S::SIGNS[usize::from(*b)] || *b == b'\n';
                    at += bytes[at..].iter().position(is_sign).unwrap_or(bytes.len() - at);
                    if at == bytes.len() {
                        return self.raw(&bytes, at, State::Text);
                    }
                    match self.sign(bytes, at) {
                        Some(sign) => sign,
                        None if at == 0 => return None,
                        None => return self.raw(&bytes, at, State::Text),
                    }
                }
            };
            match sign {
                Sign::Text(n) => at += n,
                Sign::Target(n) if at + n > 0 => return self.raw(&bytes, at + n, State::Opening),
                _ if at > 0 => {
                    self.next = Some(sign);
                    return self.raw(&bytes, at, State::Text);
                }
                Sign::Escape(n, chars) => {
                    // A character that was escaped opens and closes nothing.
                    self.before = b'\\';
                    return Some(Token::Escape(n, chars));
                }
                Sign::Mark(len) | Sign::Parameter(len) => {
                    self.marks = len;
                    let state = match sign {
                        Sign::Parameter(_) => State::Parameter,
                        _ => State::Marks,
                    };
                    return self.go(state, bytes);
                }
                Sign::Target(_) => return self.go(State::Opening, bytes),
            }
            if at == bytes.len() {
                return self.raw(&bytes, at, State::Text);
            }
        }
    }

    fn go(&mut self, state: State, bytes: Lookahead<'_>) -> Option<Token> {
        self.state = state;
        self.next(bytes)
    }
}

impl<S: Syntax> Lexer for Marked<S> {
    fn next(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        match self.state {
            State::First => {
                let mark = byte_order_mark(bytes)?;
                self.state = State::Line;
                if mark > 0 { Some(Token::Skip(mark)) } else { self.next(bytes) }
            }
            State::Line => {
                let sign = self.syntax.line(bytes)?;
                self.next = Some(sign).filter(|sign| *sign != Sign::Text(0));
                self.go(State::Text, bytes)
            }
            State::Text => self.text(bytes),
            State::Marks | State::Parameter if self.open => {
                self.open = false;
                Some(Token::End)
            }
            State::Marks | State::Parameter if self.marks == 0 => self.go(State::Text, bytes),
            State::Marks | State::Parameter => {
                self.before = *bytes.get(self.marks - 1)?;
                let target = self.state == State::Parameter;
                self.state = if target { State::Opening } else { State::Text };
                Some(Token::Skip(self.marks))
            }
            State::Opening => {
                if core::mem::take(&mut self.open) {
                    return Some(Token::End);
                }
                (self.open, self.state) = (true, State::Target);
                Some(Token::Begin(Region::Reference(Value::One)))
            }
            State::Target => {
                let token = self.syntax.target(bytes)?;
                if matches!(token, Token::End | Token::Broken(_) | Token::Cancel) {
                    self.open = matches!(token, Token::Broken(_));
                    (self.state, self.before) = (State::Text, b'[');
                }
                Some(token)
            }
        }
    }

    fn place(&self, region: Region) -> Place {
        self.syntax.place(region)
    }
}

/// Marks around words, such as the `*` of `*bold*`, that are open.
///
/// Whether a mark opens something is known only when it is closed. So an opening mark is text, and only
/// the one that closes it divides the text. One that a link follows directly divides it too: in
/// `+http://a/+` the first `+` is no part of the scheme.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::format) struct Emphasis(u8);

impl Emphasis {
    /// A paragraph ends, and all that is open in it.
    pub(in crate::format) fn end(&mut self) {
        self.0 = 0;
    }

    /// What the mark means that the first `len` bytes of `bytes` are, after the byte `before`. `nth`: the
    /// number of this kind of marks. `opens` and `closes`: the signs that may come before an opening mark,
    /// and after a closing one, beside white space.
    pub(in crate::format) fn sign(
        &mut self,
        (nth, len): (u8, usize),
        before: u8,
        bytes: Lookahead<'_>,
        (opens, closes): (&[u8], &[u8]),
    ) -> Option<Sign> {
        let next = match bytes.get(len) {
            None if bytes.is_partial() => return None,
            next => next.copied(),
        };
        let is = |b: Option<u8>, signs: &[u8]| b.is_none_or(|b| b <= b' ' || signs.contains(&b));
        if self.0 & 1 << nth != 0 && before > b' ' && is(next, closes) {
            self.0 &= !(1 << nth);
            return Some(Sign::Mark(len));
        }
        if is(Some(before), opens) && next.is_some_and(|b| b > b' ' && b != bytes[0]) {
            let link = begins_link(bytes.from(len))?;
            self.0 |= 1 << nth;
            return Some(if link { Sign::Mark(len) } else { Sign::Text(len) });
        }
        Some(Sign::Text(len))
    }
}

/// True if a name has a label in Punycode. Rewriting a host that is not ASCII makes such a name, which must not be a part
/// of a target then if the host was text.
pub(in crate::format) fn has_ace_prefix(name: &[u8]) -> bool {
    name.windows(4).any(|prefix| prefix.eq_ignore_ascii_case(b"xn--"))
}

/// How many spaces and tabs `bytes` begin with, of the first [`NEAR`]. `None`: more bytes are needed.
pub(in crate::format) fn blanks(bytes: Lookahead<'_>) -> Option<usize> {
    let near = bytes.near(NEAR);
    let n = near.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
    (n < near.len() || near.is_last()).then_some(n)
}

/// Whether a line is blank that `bytes` begin with. `None`: more bytes are needed.
pub(in crate::format) fn is_blank(bytes: Lookahead<'_>) -> Option<bool> {
    let n = blanks(bytes)?;
    Some(bytes.get(n).is_none_or(|b| matches!(b, b'\n' | b'\r')))
}

/// The schemes of targets that need no `//`.
const SCHEMES: [&[u8]; 4] = [b"mailto:", b"news:", b"tel:", b"urn:"];

/// Whether a URL begins with `bytes`. `None`: more bytes are needed.
pub(in crate::format) fn is_url(bytes: Lookahead<'_>) -> Option<bool> {
    for scheme in SCHEMES {
        if bytes.begins(scheme)? {
            return Some(true);
        }
    }
    if bytes.begins(b"//")? {
        // Two slashes without a host lead nowhere.
        return match bytes.get(2) {
            Some(b) => Some(b.is_ascii_alphanumeric() || !b.is_ascii() || b"[%_".contains(b)),
            None => bytes.is_last().then_some(false),
        };
    }
    let near = bytes.near(NEAR / 4);
    let len = near.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
    if len == near.len() && near.is_partial() {
        return None;
    }
    Some(len > 0 && bytes.from(len).begins(b"://")?)
}
