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
mod tag;
mod target;

use self::{
    lines::{Lines, Start},
    tag::Tags,
    target::Target,
};
use super::{
    entities::{Reference, Where, reference},
    lexer::{Chars, Lexer, Region, Token, Value, byte_order_mark},
    triggers::Triggers,
};
use crate::{
    links::place::{Around, Inside, Place},
    simd::{
        sets::Set,
        sort::sorted,
        types::{BLOCK, Level, Work},
    },
};

/// How many bytes decide about a byte of syntax, at most: less than
/// [`AHEAD`](super::lexer::AHEAD).
const NEAR: usize = 60;

/// The bytes that may be syntax in running text.
static SYNTAX: [Set; 1] = [Set::chars(b"\n\\&<`[]_")];

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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// At the start of the document.
    First,
    /// At the start of a line.
    Line,
    Text,
    /// The region ends here.
    Leaving,
    /// In a code span with so many backticks; `within`: after them.
    Span {
        ticks: usize,
        within: bool,
    },
    /// In a block of code, at the start of a line, or `within` one that is code.
    Block {
        within: bool,
    },
    /// At the backticks that close a span, after its region.
    Ticks(usize),
    /// At so many `_`, which divide the text.
    Emphasis(usize),
    /// At so many bytes before a target.
    Gap(usize),
    Target,
    Tag,
}

/// The state of the running text before a place.
#[derive(Clone, Copy, Debug, Default)]
struct Text {
    lines: Lines,
    target: Target,
    /// Between the `<` and `>` of an autolink.
    angle: bool,
    /// `[` without a `]` so far in this paragraph.
    brackets: u32,
    label: Label,
    /// Runs of `_` that may have opened emphasis in this paragraph.
    emphasis: u8,
    /// The last byte before those that come next; of an escape, that of what it means.
    before: u8,
    /// Without these a code span is text; `None`: all code is left out.
    triggers: Option<Triggers>,
}

/// Whether the `[` at the start of a line may begin a definition `[label]: target`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Label {
    #[default]
    No,
    /// The next `[` does.
    Next,
    Open,
}

/// What a byte of syntax is.
enum Sign {
    /// More bytes are needed.
    More,
    /// So many bytes are text.
    Text(usize),
    Escape(usize, Chars),
    /// So many bytes are text, then the region ends, and the state follows.
    Leave(usize, State),
}

impl Markdown {
    /// `code`: links in code count.
    pub(super) fn new(code: bool, triggers: Triggers) -> Markdown {
        Markdown {
            state: State::First,
            next: State::Text,
            text: Text { triggers: code.then_some(triggers), ..Text::default() },
            tags: Tags::new(),
            code,
            divided: false,
            open: false,
            level: Level::best(),
        }
    }

    /// The same with the backticks of code spans between the regions if `divided`.
    pub(super) fn divided(self, divided: bool) -> Markdown {
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
    fn end(&mut self, then: State, bytes: &[u8], last: bool) -> Option<Token> {
        self.state = then;
        match core::mem::take(&mut self.open) {
            true => Some(Token::End),
            false => self.next(bytes, last),
        }
    }

    /// The last `n` bytes of a region, before the state `then`. They have no region if they are code
    /// that does not count.
    fn leave(&mut self, n: usize, then: State, bytes: &[u8], last: bool) -> Option<Token> {
        if n == 0 {
            return self.end(then, bytes, last);
        }
        self.next = then;
        self.go(State::Leaving, if self.open { Token::Raw(n) } else { Token::Skip(n) })
    }

    /// `n` bytes of code.
    fn code(&mut self, n: usize, then: State) -> Option<Token> {
        self.go(then, if self.open { Token::Raw(n) } else { Token::Skip(n) })
    }

    /// Running text.
    fn text(&mut self, bytes: &[u8], last: bool) -> Option<Token> {
        if bytes.is_empty() {
            return if self.open && last { self.end(State::Text, bytes, last) } else { None };
        }
        if !self.open {
            // No region without text.
            let mut text = self.text;
            return match text.sign(self.text.before, bytes, last) {
                Sign::More => None,
                Sign::Leave(0, state) => {
                    self.text = text;
                    self.end(state, bytes, last)
                }
                _ => self.begin(Region::Prose),
            };
        }
        let mut at = 0;
        loop {
            at = match self.text.angle {
                true => at + self.text.in_angles(&bytes[at..]),
                false => self.level.run(Seek { bytes, from: at, text: &mut self.text }),
            };
            if at == bytes.len() {
                return Some(Token::Raw(at));
            }
            let before = self.text.before(bytes, at);
            match self.text.sign(before, &bytes[at..], last) {
                Sign::Text(n) => at += n,
                Sign::Leave(n, state) => return self.leave(at + n, state, bytes, last),
                _ if at > 0 => return Some(Token::Raw(at)),
                Sign::More => return None,
                Sign::Escape(n, chars) => return Some(Token::Escape(n, chars)),
            }
        }
    }

    /// The start of a line without a region.
    fn line(&mut self, bytes: &[u8], last: bool) -> Option<Token> {
        if bytes.is_empty() {
            return None;
        }
        self.state = match self.text.line(bytes, last)? {
            Start::Code => State::Block { within: true },
            _ => State::Text,
        };
        self.next(bytes, last)
    }

    fn span(&mut self, (ticks, within): (usize, bool), bytes: &[u8], last: bool) -> Option<Token> {
        if bytes.is_empty() {
            return if last && self.open { self.end(State::Text, bytes, last) } else { None };
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
            let rest = &bytes[at..];
            if rest[0] == b'\n' {
                match self.text.lines.is_blank(&rest[1..], last) {
                    // A paragraph ends, and no code span goes on after it.
                    Some(true) => return self.leave(at, State::Text, bytes, last),
                    Some(false) => at += 1,
                    None if at == 0 => return None,
                    None => return self.code(at, inside),
                }
                continue;
            }
            match run(rest, b'`', last) {
                None if at == 0 => return None,
                None => return self.code(at, inside),
                Some(n) if n == ticks && self.divided => {
                    return self.leave(at, State::Ticks(n), bytes, last);
                }
                Some(n) if n == ticks => return self.leave(at + n, State::Text, bytes, last),
                Some(n) => at += n,
            }
        }
        self.code(bytes.len(), inside)
    }

    fn block(&mut self, within: bool, bytes: &[u8], last: bool) -> Option<Token> {
        if bytes.is_empty() {
            return if last && self.open { self.end(State::Line, bytes, last) } else { None };
        }
        if !within && !self.text.lines.goes_on(bytes, last)? {
            return self.end(State::Line, bytes, last);
        }
        if self.code && !self.open {
            return self.begin(Region::Prose);
        }
        let mut at = 0;
        while let Some(end) = memchr::memchr(b'\n', &bytes[at..]) {
            at += end + 1;
            if self.text.lines.is_closed() {
                return self.leave(at, State::Line, bytes, last);
            }
            let rest = &bytes[at..];
            match self.text.lines.goes_on(rest, last).filter(|_| !rest.is_empty()) {
                Some(true) => {}
                Some(false) => return self.leave(at, State::Line, bytes, last),
                None => return self.code(at, State::Block { within: false }),
            }
        }
        self.code(bytes.len(), State::Block { within: true })
    }

    fn target(&mut self, bytes: &[u8], last: bool) -> Option<Token> {
        if !self.open {
            return self.begin(Region::Reference(Value::One));
        }
        let token = self.text.target.next(bytes, last)?;
        match token {
            Token::End => {
                (self.open, self.state) = (false, State::Text);
                if let Some(after) = self.text.target.after() {
                    self.text.lines.define(after);
                }
            }
            // The text after it has a place of its own.
            Token::Broken(_) => (self.next, self.state) = (State::Text, State::Leaving),
            _ => {}
        }
        Some(token)
    }
}

impl Text {
    /// Reads the start of a line. `None`: more bytes are needed.
    fn line(&mut self, bytes: &[u8], last: bool) -> Option<Start> {
        let start = self.lines.start(bytes, last)?;
        match start {
            Start::Blank => self.end_paragraph(),
            Start::Label => self.label = Label::Next,
            Start::Text if self.lines.goes_on_with_text() => {}
            Start::Text | Start::Code => self.label = Label::No,
        }
        Some(start)
    }

    /// Returns how many bytes come before a character reference, or before the end of an autolink.
    fn in_angles(&mut self, bytes: &[u8]) -> usize {
        let ends = |b: &u8| *b <= b' ' || matches!(b, b'<' | b'>' | b'&');
        let at = bytes.iter().position(ends).unwrap_or(bytes.len());
        self.angle = bytes.get(at).is_none_or(|b| *b == b'&');
        at
    }

    /// Whether the byte at `at` is text by the next one: short for [`Text::sign`], which says the
    /// same.
    #[inline(always)]
    fn passes(&mut self, bytes: &[u8], at: usize) -> bool {
        let Some(&next) = bytes.get(at + 1) else { return false };
        match bytes[at] {
            // Within a word.
            b'_' => return is_word(next) && is_word(self.before(bytes, at)),
            // A label may go on.
            b'\n' if lines::is_plain(next) => return self.lines.plain(),
            b'\n' if matches!(next, b'\n' | b'\r') => {
                self.lines.blank();
                self.end_paragraph();
            }
            b'\\' => return !next.is_ascii_punctuation(),
            b'&' => return !(next.is_ascii_alphanumeric() || next == b'#'),
            b'<' => return !(next.is_ascii_alphabetic() || next == b'/'),
            b'[' if self.label == Label::Next => return false,
            b'[' => self.open(),
            b']' if !matches!(next, b'(' | b':') => self.close(),
            _ => return false,
        }
        true
    }

    fn open(&mut self) {
        self.brackets = self.brackets.saturating_add(1);
        self.label = if self.label == Label::Next { Label::Open } else { Label::No };
    }

    fn end_paragraph(&mut self) {
        (self.brackets, self.label, self.emphasis) = (0, Label::No, 0);
    }

    /// The byte before the one at `at` in `bytes`.
    #[inline(always)]
    fn before(&self, bytes: &[u8], at: usize) -> u8 {
        at.checked_sub(1).map_or(self.before, |at| bytes[at])
    }

    fn close(&mut self) {
        self.brackets = self.brackets.saturating_sub(1);
        self.label = Label::No;
    }

    /// Reads a run of `_`, after the byte `before`. One that opens or closes emphasis divides the text,
    /// so that it belongs to no address. Whether `_` opens something is known only when it is closed, so
    /// it divides the text only if that happens soon.
    fn underscores(&mut self, before: u8, bytes: &[u8], last: bool) -> Sign {
        let Some(n) = run(bytes, b'_', last) else { return Sign::More };
        let next = bytes.get(n).copied();
        if next.is_none() && !last {
            return Sign::More;
        }
        if self.emphasis > 0 && closes(before, next) {
            self.emphasis -= 1;
            return Sign::Leave(0, State::Emphasis(n));
        }
        let opens = (before <= b' ' || b"([{<>*~\"'".contains(&before))
            && next.is_some_and(|b| b > b' ' && b != b'_');
        if !opens {
            return Sign::Text(n);
        }
        let near = &bytes[..bytes.len().min(NEAR)];
        let line = near[n..].split(|b| *b == b'\n').next().unwrap_or_default();
        let last = last && near.len() < NEAR;
        let closed = (1..line.len()).any(|at| {
            let after = near.get(n + at + 1).copied();
            line[at] == b'_' && (after.is_some() || last) && closes(line[at - 1], after)
        });
        let ended = n + line.len() < near.len() || near.len() == NEAR || last;
        if !closed && !ended {
            return Sign::More;
        }
        self.emphasis = self.emphasis.saturating_add(1);
        if closed { Sign::Leave(0, State::Emphasis(n)) } else { Sign::Text(n) }
    }

    /// Reads the byte of syntax that `bytes` begin with, after the byte `before`. Nothing changes if more
    /// bytes are needed, or if it is an escape.
    fn sign(&mut self, before: u8, bytes: &[u8], last: bool) -> Sign {
        let near = bytes.get(1).copied();
        if near.is_none() && !last {
            return Sign::More;
        }
        match bytes[0] {
            b'\\' if near.is_some_and(|b| b.is_ascii_punctuation()) => {
                Sign::Escape(2, Chars::byte(bytes[1]))
            }
            b'&' => match reference(bytes, last, Where::Markdown) {
                Reference::More => Sign::More,
                Reference::None => Sign::Text(1),
                Reference::Is(len, chars) => Sign::Escape(len, chars),
            },
            b'\n' => match self.line(&bytes[1..], last) {
                None => Sign::More,
                Some(Start::Code) => Sign::Leave(1, State::Block { within: true }),
                Some(_) => Sign::Text(1),
            },
            b'`' => match run(bytes, b'`', last) {
                None => Sign::More,
                Some(NEAR) => Sign::Text(1),
                Some(ticks) => match self.short_span(ticks, bytes, last) {
                    None => Sign::More,
                    Some(Some(len)) => Sign::Text(len),
                    Some(None) => Sign::Leave(0, State::Span { ticks, within: false }),
                },
            },
            b'<' => match tag::at(bytes, last) {
                None => Sign::More,
                Some(tag::Less::Autolink) => {
                    self.angle = true;
                    Sign::Text(1)
                }
                Some(tag::Less::Tag) => Sign::Leave(0, State::Tag),
                Some(tag::Less::Text) => Sign::Text(1),
            },
            b'[' => {
                if self.label == Label::Next {
                    match has_label(bytes, last) {
                        None => return Sign::More,
                        Some(true) => {}
                        Some(false) => self.label = Label::No,
                    }
                }
                self.open();
                Sign::Text(1)
            }
            b']' => self.closing(bytes, last),
            b'_' => self.underscores(before, bytes, last),
            _ => Sign::Text(1),
        }
    }

    /// The length of a code span that begins here, if it is short and cannot hold a link: such a one
    /// needs no region. `None`: more bytes are needed.
    fn short_span(&self, ticks: usize, bytes: &[u8], last: bool) -> Option<Option<usize>> {
        let Some(triggers) = self.triggers else { return Some(None) };
        let near = &bytes[..bytes.len().min(NEAR)];
        let mut at = ticks;
        while let Some(n) = near[at..].iter().position(|b| matches!(b, b'`' | b'\n')) {
            at += n;
            if near[at] == b'\n' {
                return Some(None);
            }
            let n = near[at..].iter().take_while(|b| **b == b'`').count();
            if at + n == near.len() {
                break;
            }
            if n == ticks {
                // Names of programs, such as `std::fmt`, have colons too.
                let worth = (ticks..at).any(|place| {
                    triggers.has(near[place]) && triggers.may_begin(near, place, Where::Markdown)
                });
                return Some((!worth).then_some(at + n));
            }
            at += n;
        }
        (near.len() == NEAR || last).then_some(None)
    }

    /// Reads a `]`.
    fn closing(&mut self, bytes: &[u8], last: bool) -> Sign {
        let definition = self.label == Label::Open && bytes.get(1) == Some(&b':');
        let inline = self.brackets > 0 && bytes.get(1) == Some(&b'(');
        let mut gap = None;
        if definition || inline {
            match Target::at(&bytes[2..], last, definition) {
                None => return Sign::More,
                Some(found) => gap = found,
            }
        }
        self.close();
        let Some((gap, target)) = gap else { return Sign::Text(1) };
        self.target = target;
        Sign::Leave(0, State::Gap(2 + gap))
    }
}

impl Markdown {
    fn token(&mut self, bytes: &[u8], last: bool) -> Option<Token> {
        match self.state {
            State::First => {
                let mark = byte_order_mark(bytes, last)?;
                self.state = State::Line;
                match mark {
                    0 => self.next(bytes, last),
                    len => Some(Token::Skip(len)),
                }
            }
            State::Line => self.line(bytes, last),
            State::Text => self.text(bytes, last),
            State::Leaving => self.end(self.next, bytes, last),
            State::Span { ticks, within } => self.span((ticks, within), bytes, last),
            State::Block { within } => self.block(within, bytes, last),
            State::Ticks(n) => self.go(State::Text, Token::Skip(n)),
            State::Emphasis(n) => self.go(State::Text, Token::Skip(n)),
            State::Gap(n) => match self.text.target.whole(&bytes[n..]) {
                Some(len) => self.go(State::Text, Token::Whole(n, Value::One, len)),
                None => self.go(State::Target, Token::Skip(n)),
            },
            State::Target => self.target(bytes, last),
            State::Tag => {
                let token = self.tags.next(bytes, last)?;
                match token {
                    tag::Step::Over => {
                        self.state = State::Text;
                        self.next(bytes, last)
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
    fn next(&mut self, bytes: &[u8], last: bool) -> Option<Token> {
        let token = self.token(bytes, last)?;
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

/// Whether a byte is part of a word: a letter, a digit, or not ASCII.
#[inline(always)]
fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || !b.is_ascii()
}

/// Whether a run of `_` between these bytes closes emphasis. Before another opening sign it may be
/// part of an address, such as `Foo_(bar)`.
fn closes(before: u8, next: Option<u8>) -> bool {
    before > b' ' && next.is_none_or(|b| b <= b' ' || b".,;:!?)]}>*~\"'".contains(&b))
}

/// Whether the `[` that `bytes` begin with has a label with a character other than white space. `None`:
/// more bytes are needed.
fn has_label(bytes: &[u8], last: bool) -> Option<bool> {
    let near = &bytes[1..bytes.len().min(NEAR)];
    match near.iter().find(|b| !matches!(b, b' ' | b'\t' | b'\n' | b'\r')) {
        None if bytes.len() < NEAR && !last => None,
        first => Some(first != Some(&b']')),
    }
}

/// Passes over text, up to a byte that may be syntax.
struct Seek<'s> {
    bytes: &'s [u8],
    from: usize,
    text: &'s mut Text,
}

impl Work for Seek<'_> {
    type Out = usize;

    #[inline(always)]
    fn run(self, level: Level) -> usize {
        let Seek { bytes, from, text } = self;
        let mut at = from;
        while let Some(block) = bytes[at..].first_chunk::<BLOCK>() {
            #[cfg(test)]
            crate::charset::cursor::STEPS.set(crate::charset::cursor::STEPS.get() + 1);
            let ([], [mut found]) = sorted(level, block, &[], &SYNTAX);
            while found != 0 {
                let place = at + found.trailing_zeros() as usize;
                if !text.passes(bytes, place) {
                    return place;
                }
                found &= found - 1;
            }
            at += BLOCK;
        }
        while at < bytes.len() && (!SYNTAX[0].has(bytes[at]) || text.passes(bytes, at)) {
            at += 1;
        }
        at
    }
}

/// The length of the run of `b` that `bytes` begin with, at most [`NEAR`]. `None`: more bytes are
/// needed.
fn run(bytes: &[u8], b: u8, last: bool) -> Option<usize> {
    let near = &bytes[..bytes.len().min(NEAR)];
    let n = near.iter().take_while(|next| **next == b).count();
    (n < bytes.len() || n == NEAR || last).then_some(n)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{
        super::tests::{hostile, render, tokens_of_all_cuts},
        *,
    };

    fn rendered(document: &str) -> std::string::String {
        render(&Markdown::new(true, Triggers::Any), document.as_bytes())
    }

    #[test]
    fn text_has_escapes() {
        for (document, regions) in [
            ("", ""),
            ("a\\_b \\q \\\\", "{a_b \\q \\}"),
            ("&amp;&eacute;&#233;&#xE9; &copy &amp", "{&ééé &copy &amp}"),
            ("<http://a/\\_&amp;> \\_", "{<http://a/\\_&> _}"),
            ("a\\", "{a\\}"),
        ] {
            assert_eq!(rendered(document), regions, "{document:?}");
        }
    }

    #[test]
    fn targets_are_references() {
        for (document, regions) in [
            ("[a](b)", "{[a}<b>{)}"),
            ("[a](b \"c\") ![d]( e )", "{[a}<b>{ \"c\") ![d}<e>{ )}"),
            ("[a](<b c> 'd')", "{[a}<b c>{> 'd')}"),
            ("[a](b(c)d\\)e)f)", "{[a}<b(c)d)e>{)f)}"),
            ("[a](\nb\n\"c\")", "{[a}<b>{\n\"c\")}"),
            ("[![a](b)](c)", "{[![a}<b>{)}<c>{)}"),
            // No targets.
            ("a](b) [c] (d) [e]()", "{a](b) [c] (d) [e]()}"),
            ("[a](b c)", "{[a}{b}{ c)}"),
            ("[a](b", "{[a}{b}"),
            ("[a](b\n\nc)", "{[a}{b}{\n\nc)}"),
            ("[a](x:b. c)", "{[a}{x:b.}{ c)}"),
            ("[a](x:b. \"c\")", "{[a}<x:b.>{ \"c\")}"),
            ("[a](x\\_&amp;b", "{[a}{x_&b}"),
            ("[a](<b d\nc>)", "{[a}{b d}{\nc>)}"),
            ("\\[a](b)", "{[a](b)}"),
            ("`[a](b)`", "{`[a](b)`}"),
            // Definitions.
            ("[a]: b", "{[a}<b>"),
            ("[a]: <b c> 'd'\n[e]:\n  f\n", "{[a}<b c>{> 'd'\n[e}<f>{\n}"),
            ("> [a]: b\n", "{> [a}<b>{\n}"),
            ("a\n[b]: c\n", "{a\n[b]: c\n}"),
            ("[a]: b c\n", "{[a}{b}{ c\n}"),
            ("[a]: (b) c\n", "{[a}{(b)}{ c\n}"),
            ("[^1]: b\n", "{[^1]: b\n}"),
            ("[]: b\n\n[\n ]: c\n\n[ d]: e\n", "{[]: b\n\n[\n ]: c\n\n[ d}<e>{\n}"),
            ("[a\n  b]: c\n", "{[a\n  b}<c>{\n}"),
            ("[a\n- b]: c\n", "{[a\n- b]: c\n}"),
        ] {
            assert_eq!(rendered(document), regions, "{document:?}");
        }
    }

    #[test]
    fn what_follows_a_target_decides() {
        for (document, regions) in [
            (
                "[a](b \"c\" d) [e](f \"g\" ) [h](i 'j",
                "{[a}{b}{ \"c\" d) [e}<f>{ \"g\" ) [h}{i}{ 'j}",
            ),
            (
                "[a](<b>\"c\") [d](<e> \"f\") [g](<h>i)",
                "{[a}{b}{>\"c\") [d}<e>{> \"f\") [g}{h}{>i)}",
            ),
            ("[a](b \"c\n\nd\") [e](f (g(h)))", "{[a}{b}{ \"c\n\nd\") [e}{f}{ (g(h)))}"),
            ("[a]: b \"c\\\"\" \n[d]: e 'f' g\n", "{[a}<b>{ \"c\"\" \n[d}{e}{ 'f' g\n}"),
            ("[a]: <b>'c'\n[d]: <e>\n", "{[a}{b}{>'c'\n[d]: }{\n}"),
            (
                "[a]: b\n  'c'\n[d]: e\n  'f' g\n[h]: i\n",
                "{[a}<b>{\n  'c'\n[d}<e>{\n  'f' g\n[h]: i\n}",
            ),
            ("[a]: b 'c\nd\n'\n[e]: f\n", "{[a}<b>{ 'c\nd\n'\n[e}<f>{\n}"),
            ("[a]: b\n'c\n\\'\nd'\n[e]: f\n", "{[a}<b>{\n'c\n'\nd'\n[e}<f>{\n}"),
            ("[a]: b\n    [c]: d\ne\n[f]: g\n", "{[a}<b>{\n    [c}<d>{\ne\n[f]: g\n}"),
            // What ends a paragraph.
            ("a\n# b\n[c]: d\n#e\n[f]: g\n", "{a\n# b\n[c}<d>{\n#e\n[f]: g\n}"),
            ("a\n===\n[c]: d\n===\n[f]: g\n", "{a\n===\n[c}<d>{\n===\n[f]: g\n}"),
            (
                "a\n--\n[c]: d\n***\n[f]: g\n**\n[h]: i",
                "{a\n--\n[c}<d>{\n***\n[f}<g>{\n**\n[h]: i}",
            ),
            ("x [a]: b\n", "{x [a]: b\n}"),
        ] {
            assert_eq!(rendered(document), regions, "{document:?}");
        }
    }

    #[test]
    fn underscores_divide_text() {
        for (document, regions) in [
            ("_a@b_ c", "{a@b}{ c}"),
            ("__a__ b", "{a}{ b}"),
            ("_see a@b_, (_c_)", "{see a@b}{, (}{c}{)}"),
            ("_a\nb/c_\n_d", "{_a\nb/c}{\n_d}"),
            ("**_a_** _*b*_", "{**}{a}{** }{*b*}"),
            (
                "_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa_ b",
                "{_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa}{ b}",
            ),
            // None of these opens or closes anything.
            ("a_b_c a_ b", "{a_b_c a_ b}"),
            ("_ a_ é_a_é", "{_ a_ é_a_é}"),
            ("_a\n\nb_", "{_a\n\nb_}"),
            ("x/_a_b x/a_(b)", "{x/_a_b x/a_(b)}"),
            ("_a x/b_(c)d_", "{a x/b_(c)d}"),
            ("\\_a\\_ `_a_` [b](_c_)", "{_a_ }{`_a_`}{ [b}<_c_>{)}"),
            ("<x:_a_>", "{<x:_a_>}"),
        ] {
            assert_eq!(rendered(document), regions, "{document:?}");
        }
    }

    #[test]
    fn code_has_no_escapes() {
        for (document, regions) in [
            ("`a\\_&amp;` \\_", "{`a\\_&amp;`}{ _}"),
            ("``a`\\_`` b", "{``a`\\_``}{ b}"),
            ("`a\\_\n\nb\\_", "{`a\\_}{\n\nb_}"),
            ("```\na\\_\n```\nb\\_", "{```\na\\_\n```\n}{b_}"),
            ("a\n~~~~ x\n```\n~~~\n~~~~ \nb\\_", "{a\n}{~~~~ x\n```\n~~~\n~~~~ \n}{b_}"),
            ("> ```\n> a\\_\n> ```\nb\\_", "{> ```\n> a\\_\n> ```\n}{b_}"),
            ("- ```\n  a\\_\n  ```\n", "{- ```\n  a\\_\n  ```\n}"),
            ("    a\\_\n\n    b\\_\nc\\_", "{    a\\_\n\n    b\\_\n}{c_}"),
            ("a\n    b\\_", "{a\n    b_}"),
            ("- a\n\n      b\\_\n\n  c\\_", "{- a\n\n}{      b\\_\n\n}{  c_}"),
            ("- a\n\n    b\\_", "{- a\n\n    b_}"),
            ("\u{FEFF}```\na\\_", "{```\na\\_}"),
            ("```a`b\\_", "{```a`b\\_}"),
            ("``", "{``}"),
            ("a\n~", "{a\n~}"),
            ("````````````````````````````````````````````````````````````````````x\\_", ""),
        ] {
            let regions = if regions.is_empty() { None } else { Some(regions) };
            let got = rendered(document);
            assert!(regions.is_none_or(|regions| got == regions), "{document:?}: {got:?}");
        }
        // A short span that cannot hold a link needs no region.
        for (document, regions) in [
            ("a `b` c", "{a `b` c}"),
            ("a `std::fmt` `x: y` `a:b` c", "{a `std::fmt` `x: y` `a:b` c}"),
            ("a `x://y\\_` `mailto:z` c", "{a }{`x://y\\_`}{ }{`mailto:z`}{ c}"),
        ] {
            let links = Markdown::new(true, Triggers::Colon);
            assert_eq!(render(&links, document.as_bytes()), regions, "{document:?}");
        }
        for (document, regions) in [
            ("a `b` c", "{a }{ c}"),
            ("a\n\n```\nb\n```\nc", "{a\n\n}{c}"),
            ("a\n\n    b\n\nc", "{a\n\n}{c}"),
            ("a `b", "{a }"),
            ("a `b\n\nc", "{a }{\n\nc}"),
        ] {
            let without = Markdown::new(false, Triggers::Any);
            assert_eq!(render(&without, document.as_bytes()), regions, "{document:?}");
        }
    }

    #[test]
    fn tags_are_as_in_html() {
        for (document, regions) in [
            ("a <a href=\"b&amp;c\">d</a> e", "{a }<b&c>{d}{ e}"),
            ("<img src=x.png alt='a b'/>c", "<x.png>{a b}{c}"),
            ("<a\nhref = 'b'\ntitle=c>d", "<b>{c}{d}"),
            // No tags.
            ("a <b http://c/> d", "{a }{ http://c/> d}"),
            ("a < b <1> <b:c", "{a < b <1> <b:c}"),
            ("<a href='b\n\nc'>", "{b}{\n\nc'>}"),
            ("<a href='b", "{b}"),
            ("<a href=\"b\"c>d", "{b}{\"c>d}"),
            ("<a href=\"\\\"\">", "{\\}{\"\">}"),
            ("<a title='b'c>d", "{b}{'c>d}"),
            ("<a href='b'\ntitle=\"c\"/>d", "<b>{c}{d}"),
        ] {
            assert_eq!(rendered(document), regions, "{document:?}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes(document in hostile(&[
            "[", "]", "](", "]:", "[a]: ", "[a](", ")", "(", "<", ">", "](<", "\\", "\\_", "&amp;", "&", ";", "`",
            "``", "```", "~~~", "\n", "\r\n", "\n\n", "    ", "\t", "> ", "- ", "1. ", "<a href='", "<a href=\"",
            "<img src=x", "'", "\"", "/>", "</a>", "<http:", "x:", "#", " ", "title=", "é", ".", "\u{FEFF}",
            "_", "a_", " _b", "__", "# ", "===", "---", "[a]: b\n", " 'c'\n", "\n'", "]: <b>", " \"c\")",
        ])) {
            tokens_of_all_cuts(&Markdown::new(true, Triggers::Any), &document);
            tokens_of_all_cuts(&Markdown::new(false, Triggers::Any), &document);
            tokens_of_all_cuts(&Markdown::new(true, Triggers::Colon), &document);
        }
    }
}
