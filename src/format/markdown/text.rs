//! The running text of Markdown: what its bytes of syntax are, and the state that decides about the next ones.
//!
//! The bytes from one sign on go in; out comes how many of them are text, an escape, or that the region ends and
//! what begins then. What must hold: nothing changes if more bytes are needed, and at most [`NEAR`] bytes decide.

use super::{
    NEAR,
    lines::{self, Lines, Start},
    run, tag,
    target::Target,
};
use crate::{
    format::{
        lexing::{
            lexer::Chars,
            lookahead::{Here, Lookahead},
            triggers::Triggers,
        },
        markup::entities::{Reference, Where, reference},
    },
    simd::{
        sets::Set,
        sort::sorted,
        types::{BLOCK, Level, Work},
    },
};

/// The bytes that may be syntax in running text.
static SYNTAX: [Set; 1] = [Set::chars(b"\n\\&<`[]_~")];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
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
    /// At so many `_` or `~`, which divide the text.
    Emphasis(usize),
    /// At so many bytes before a target.
    Gap(usize),
    Target,
    Tag,
}

/// The state of the running text before a place.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Text {
    pub(super) lines: Lines,
    pub(super) target: Target,
    /// Between the `<` and `>` of an autolink.
    pub(super) angle: bool,
    /// `[` without a `]` so far in this paragraph.
    brackets: u32,
    label: Label,
    /// Runs of `_` that may have opened emphasis in this paragraph.
    emphasis: u8,
    /// The last byte before those that come next; of an escape, that of what it means.
    pub(super) before: u8,
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
pub(super) enum Sign {
    /// More bytes are needed.
    More,
    /// So many bytes are text.
    Text(usize),
    Escape(usize, Chars),
    /// So many bytes are text, then the region ends, and the state follows.
    Leave(usize, State),
}

impl Text {
    /// At the start of a document. `triggers`: as [`Text::triggers`].
    pub(super) fn new(triggers: Option<Triggers>) -> Text {
        Text { triggers, ..Text::default() }
    }

    /// Reads the start of a line. `None`: more bytes are needed.
    pub(super) fn line(&mut self, bytes: Lookahead<'_>) -> Option<Start> {
        let start = self.lines.start(bytes)?;
        match start {
            Start::Blank => self.end_paragraph(),
            Start::Label => self.label = Label::Next,
            Start::Text if self.lines.goes_on_with_text() => {}
            Start::Text | Start::Code => self.label = Label::No,
        }
        Some(start)
    }

    /// Returns how many bytes come before a character reference, or before the end of an autolink.
    pub(super) fn in_angles(&mut self, bytes: &[u8]) -> usize {
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
    pub(super) fn before(&self, bytes: &[u8], at: usize) -> u8 {
        at.checked_sub(1).map_or(self.before, |at| bytes[at])
    }

    fn close(&mut self) {
        self.brackets = self.brackets.saturating_sub(1);
        self.label = Label::No;
    }

    /// Reads a run of `_`, after the byte `before`. One that opens or closes emphasis divides the text,
    /// so that it belongs to no address. Whether `_` opens something is known only when it is closed, so
    /// it divides the text only if that happens soon.
    fn underscores(&mut self, before: u8, bytes: Lookahead<'_>) -> Sign {
        let Some(n) = run(bytes, b'_') else { return Sign::More };
        let next = bytes.get(n).copied();
        if next.is_none() && bytes.is_partial() {
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
        let near = bytes.near(NEAR);
        let line = near[n..].split(|b| *b == b'\n').next().unwrap_or_default();
        let last = bytes.is_last() && near.len() < NEAR;
        let closed = (1..line.len()).any(|at| {
            let after = near.get(n + at + 1).copied();
            line[at] == b'_' && (after.is_some() || last) && closes(line[at - 1], after)
        });
        let ended = n + line.len() < near.len() || near.is_last();
        if !closed && !ended {
            return Sign::More;
        }
        self.emphasis = self.emphasis.saturating_add(1);
        if closed { Sign::Leave(0, State::Emphasis(n)) } else { Sign::Text(n) }
    }

    /// Reads the byte of syntax that `bytes` begin with, after the byte `before`. Nothing changes if more
    /// bytes are needed, or if it is an escape.
    pub(super) fn sign(&mut self, before: u8, bytes: Lookahead<'_>) -> Sign {
        let near = bytes.get(1).copied();
        if near.is_none() && bytes.is_partial() {
            return Sign::More;
        }
        match bytes[0] {
            b'\\' if near.is_some_and(|b| b.is_ascii_punctuation()) => {
                Sign::Escape(2, Chars::byte(bytes[1]))
            }
            b'&' => match reference(bytes, Where::Markdown) {
                Reference::More => Sign::More,
                Reference::None => Sign::Text(1),
                Reference::Is(len, chars) => Sign::Escape(len, chars),
            },
            b'\n' => match self.line(bytes.from(1)) {
                None => Sign::More,
                Some(Start::Code) => Sign::Leave(1, State::Block { within: true }),
                Some(_) => Sign::Text(1),
            },
            b'`' => match run(bytes, b'`') {
                None => Sign::More,
                Some(NEAR) => Sign::Text(1),
                Some(ticks) => match self.short_span(ticks, bytes) {
                    None => Sign::More,
                    Some(Here::Is(len)) => Sign::Text(len),
                    Some(Here::Nothing) => Sign::Leave(0, State::Span { ticks, within: false }),
                },
            },
            b'<' => match tag::at(bytes) {
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
                    match has_label(bytes) {
                        None => return Sign::More,
                        Some(true) => {}
                        Some(false) => self.label = Label::No,
                    }
                }
                self.open();
                Sign::Text(1)
            }
            b']' => self.closing(bytes),
            b'_' => self.underscores(before, bytes),
            b'~' => tildes(before, bytes),
            _ => Sign::Text(1),
        }
    }

    /// The length of a code span that begins here, if it is short and cannot hold a link: such a one
    /// needs no region. `None`: more bytes are needed.
    fn short_span(&self, ticks: usize, bytes: Lookahead<'_>) -> Option<Here<usize>> {
        let Some(triggers) = self.triggers else { return Some(Here::Nothing) };
        let near = bytes.near(NEAR);
        let mut at = ticks;
        while let Some(n) = near[at..].iter().position(|b| matches!(b, b'`' | b'\n')) {
            at += n;
            if near[at] == b'\n' {
                return Some(Here::Nothing);
            }
            let n = near[at..].iter().take_while(|b| **b == b'`').count();
            if at + n == near.len() {
                break;
            }
            if n == ticks {
                // Names of programs, such as `std::fmt`, have colons too.
                let worth = (ticks..at).any(|place| {
                    triggers.has(near[place]) && triggers.may_begin(&near, place, Where::Markdown)
                });
                return Some((!worth).then_some(at + n).into());
            }
            at += n;
        }
        near.is_last().then_some(Here::Nothing)
    }

    /// Reads a `]`.
    fn closing(&mut self, bytes: Lookahead<'_>) -> Sign {
        let definition = self.label == Label::Open && bytes.get(1) == Some(&b':');
        let inline = self.brackets > 0 && bytes.get(1) == Some(&b'(');
        let mut gap = Here::Nothing;
        if definition || inline {
            match Target::at(bytes.from(2), definition) {
                None => return Sign::More,
                Some(found) => gap = found,
            }
        }
        self.close();
        let Here::Is((gap, target)) = gap else { return Sign::Text(1) };
        self.target = target;
        Sign::Leave(0, State::Gap(2 + gap))
    }
}

/// Whether a byte is part of a word: a letter, a digit, or not ASCII.
#[inline(always)]
fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || !b.is_ascii()
}

/// Reads a run of `~`, after the byte `before`. At the end of a word it belongs to no link (GFM, 6.9): only signs of a
/// sentence come before the next white space.
fn tildes(before: u8, bytes: Lookahead<'_>) -> Sign {
    let Some(n) = run(bytes, b'~') else { return Sign::More };
    let near = bytes.near(NEAR);
    let is_sign = |b: &&u8| b".,;:!?)]>*~\"'".contains(b);
    let signs = near[n..].iter().take_while(is_sign).count();
    match near.get(n + signs) {
        None if near.is_partial() => Sign::More,
        None | Some(0..=b' ') if before > b' ' => Sign::Leave(0, State::Emphasis(n)),
        _ => Sign::Text(n),
    }
}

/// Whether a run of `_` between these bytes closes emphasis. Before another opening sign it may be
/// part of an address, such as `Foo_(bar)`.
fn closes(before: u8, next: Option<u8>) -> bool {
    before > b' ' && next.is_none_or(|b| b <= b' ' || b".,;:!?)]}>*~\"'".contains(&b))
}

/// Whether the `[` that `bytes` begin with has a label with a character other than white space. `None`:
/// more bytes are needed.
fn has_label(bytes: Lookahead<'_>) -> Option<bool> {
    let near = bytes.near(NEAR);
    match near[1..].iter().find(|b| !matches!(b, b' ' | b'\t' | b'\n' | b'\r')) {
        None if near.is_partial() => None,
        first => Some(first != Some(&b']')),
    }
}

/// Passes over text, up to a byte that may be syntax.
pub(super) struct Seek<'s> {
    pub(super) bytes: &'s [u8],
    pub(super) from: usize,
    pub(super) text: &'s mut Text,
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
