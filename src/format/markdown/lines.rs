//! The starts of lines: which lines are code, which are blank, which may begin a definition.
//!
//! Bytes after a line end go in, a [`Start`] comes out. It reads at most [`NEAR`] bytes; a line
//! with a longer prefix goes on with the paragraph before it, or is code.

use super::{
    NEAR, run,
    target::{After, is_line_end, title},
};
use crate::format::lexing::lookahead::{Here, Lookahead};

/// So many list items inside of each other are known.
const DEPTH: usize = 8;

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    Text,
    /// Text that begins with a `[` and may define a label.
    Label,
    Blank,
    /// The first line of a block of code.
    Code,
}

/// Whether a line that begins with `b` is text: it has no mark and no indentation.
pub(super) fn is_plain(b: u8) -> bool {
    !matches!(
        b,
        0..=b' ' | b'>' | b'`' | b'~' | b'-' | b'+' | b'*' | b'=' | b'0'..=b'9' | b'[' | b'#'
    )
}

/// The state of the lines before a place.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lines {
    /// The last line is text of a paragraph.
    paragraph: bool,
    /// The last line ends a definition, or is part of its title.
    definition: Option<After>,
    /// This line goes on with the paragraph of the last one.
    goes_on: bool,
    /// The columns where the contents of the open list items begin.
    items: [u8; DEPTH],
    open: u8,
    block: Block,
}

/// The block of code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Block {
    /// Each line is indented at least so far.
    Indented(u16),
    /// It ends with a line of so many of this byte or more.
    Fenced(u8, u8),
    /// The line is its last one.
    #[default]
    Closed,
}

/// The start of a line: how many bytes come before its content, and the column of that.
#[derive(Clone, Copy)]
struct Prefix {
    len: usize,
    column: usize,
}

/// Reads the marks of quotes and the white space that `bytes` begin with.
fn prefix(bytes: &[u8], quotes: bool) -> Prefix {
    let (mut len, mut column) = (0, 0);
    while len < bytes.len().min(NEAR) {
        match bytes[len] {
            b' ' => column += 1,
            b'\t' => column = column / 4 * 4 + 4,
            b'>' if quotes && column < 4 => {
                column = 0;
                if bytes.get(len + 1) == Some(&b' ') && len + 1 < NEAR {
                    len += 1;
                }
            }
            _ => break,
        }
        len += 1;
    }
    Prefix { len, column }
}

impl Lines {
    /// What the line is that `bytes` begin with. `None`: more bytes are needed, and nothing changes.
    pub(super) fn start(&mut self, bytes: Lookahead<'_>) -> Option<Start> {
        let mut lines = *self;
        let bytes = bytes.near(NEAR);
        let start = lines.read(bytes)?;
        *self = lines;
        Some(start)
    }

    /// Whether the text of this line goes on with that of the last one.
    pub(super) fn goes_on_with_text(&self) -> bool {
        self.goes_on
    }

    fn read(&mut self, bytes: Lookahead<'_>) -> Option<Start> {
        self.goes_on = self.paragraph;
        let mut at = prefix(&bytes, true);
        loop {
            if at.len >= NEAR {
                // It may be blank, but as code it is that too.
                return Some(match self.is_indented(at.column) {
                    true => self.code(),
                    false => self.paragraph(Start::Text),
                });
            }
            let Some(&first) = bytes.get(at.len) else {
                // A line without an end.
                return bytes.is_last().then(|| self.blank());
            };
            let rest = bytes.from(at.len);
            if matches!(first, b'\n' | b'\r') {
                return Some(self.blank());
            }
            if self.is_indented(at.column) {
                return Some(self.code());
            }
            if matches!(first, b'`' | b'~')
                && let Here::Is(n) = fence(rest, NEAR - at.len)?
            {
                self.block = Block::Fenced(first, n as u8);
                (self.paragraph, self.definition) = (false, None);
                return Some(Start::Code);
            }
            let Here::Is(marker) = marker(rest)? else {
                return self.content(&rest, bytes);
            };
            let after = prefix(&rest[marker..], false);
            let spaces = if after.column > 4 { 1 } else { after.column };
            if bytes.len() == at.len + marker + after.len && bytes.is_partial() {
                return None;
            }
            let column = at.column + marker + spaces;
            self.push(column);
            (self.paragraph, self.definition, self.goes_on) = (false, None, false);
            at = Prefix { len: at.len + marker + after.len, column };
        }
    }

    /// The text of a line, `rest`.
    fn content(&mut self, rest: &[u8], bytes: Lookahead<'_>) -> Option<Start> {
        let full = bytes.len() >= NEAR;
        let near = &rest[..rest.len().min(NEAR - (bytes.len() - rest.len()))];
        if let Some(after) = self.definition {
            let titled = titled(after, Lookahead::new(near, bytes.is_last() && !full));
            let titled = if full { titled.or(Some(Here::Is(after.beyond(near)))) } else { titled };
            if let Here::Is(after) = titled? {
                self.definition = Some(after);
                return Some(Start::Text);
            }
        }
        if self.ends_paragraph(bytes.with(near))? {
            (self.paragraph, self.definition, self.goes_on) = (false, None, false);
            return Some(Start::Text);
        }
        match near {
            [b'['] if bytes.is_partial() => None,
            [b'[', b'^', ..] => Some(self.paragraph(Start::Text)),
            [b'[', ..] if !self.paragraph => Some(self.paragraph(Start::Label)),
            _ => Some(self.paragraph(Start::Text)),
        }
    }

    /// Whether a line with this text is a heading, underlines one, or is a break between paragraphs.
    /// `None`: more bytes are needed.
    fn ends_paragraph(&self, line: Lookahead<'_>) -> Option<bool> {
        let n = line.iter().take_while(|b| **b == line[0]).count();
        let rest = line.from(n);
        match line[0] {
            b'#' if n > 6 => Some(false),
            b'#' if rest.is_empty() && line.is_partial() => None,
            b'#' => Some(rest.first().is_none_or(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r'))),
            b'=' | b'-' if self.paragraph => is_line_end(rest),
            b'-' | b'*' => is_line_end(rest).map(|ends| ends && n >= 3),
            _ => Some(false),
        }
    }

    /// A block of code that is indented begins.
    fn code(&mut self) -> Start {
        self.block = Block::Indented(self.base() as u16 + 4);
        Start::Code
    }

    /// A line begins with a letter. Returns false if it must be [read](Lines::start).
    #[inline(always)]
    pub(super) fn plain(&mut self) -> bool {
        if !self.paragraph {
            if self.definition.is_some() {
                return false;
            }
            self.open = 0;
            self.paragraph = true;
        }
        true
    }

    fn paragraph(&mut self, start: Start) -> Start {
        (self.paragraph, self.definition) = (true, None);
        start
    }

    pub(super) fn blank(&mut self) -> Start {
        (self.paragraph, self.definition) = (false, None);
        Start::Blank
    }

    /// The line before is a definition, and no text; `after` comes after its target.
    pub(super) fn define(&mut self, after: After) {
        (self.paragraph, self.definition) = (false, Some(after));
    }

    /// Where the content of the innermost open list item begins.
    fn base(&self) -> usize {
        self.open.checked_sub(1).map_or(0, |last| self.items[usize::from(last)].into())
    }

    fn push(&mut self, column: usize) {
        while self.open > 0 && self.base() >= column {
            self.open -= 1;
        }
        if usize::from(self.open) < DEPTH {
            self.items[usize::from(self.open)] = column.min(255) as u8;
            self.open += 1;
        }
    }

    /// Whether a line that is no text of a paragraph, and whose content begins at `column`, is code.
    fn is_indented(&mut self, column: usize) -> bool {
        if self.paragraph || self.definition.is_some() {
            return false;
        }
        while self.open > 0 && self.base() > column {
            self.open -= 1;
        }
        column >= self.base() + 4
    }

    /// Whether the line that `bytes` begin with is blank. `None`: more bytes are needed.
    pub(super) fn is_blank(&self, bytes: Lookahead<'_>) -> Option<bool> {
        let bytes = bytes.near(NEAR);
        let at = prefix(&bytes, true);
        match bytes.get(at.len) {
            None if at.len < NEAR && bytes.is_partial() => None,
            next => Some(at.len < NEAR && next.is_none_or(|b| matches!(b, b'\n' | b'\r'))),
        }
    }

    /// Whether the line that `bytes` begin with belongs to the block of code. `None`: more bytes are
    /// needed.
    pub(super) fn goes_on(&mut self, bytes: Lookahead<'_>) -> Option<bool> {
        let bytes = bytes.near(NEAR);
        let at = prefix(&bytes, true);
        let rest = bytes.from(at.len);
        match self.block {
            Block::Closed => Some(false),
            Block::Indented(column) => {
                let Some(first) = rest.first() else { return bytes.is_last().then_some(true) };
                Some(at.column >= usize::from(column) || matches!(first, b'\n' | b'\r'))
            }
            Block::Fenced(mark, least) => {
                let n = run(rest, mark);
                let more = bytes.near(NEAR).is_partial();
                let n = match n {
                    None if more => return None,
                    n => n.unwrap_or_default(),
                };
                let after = rest.get(n..).unwrap_or_default();
                let spaces = prefix(after, false).len;
                match after.get(spaces) {
                    None if more => return None,
                    None | Some(b'\n' | b'\r') if n >= usize::from(least) => {
                        self.block = Block::Closed
                    }
                    _ => {}
                }
                Some(true)
            }
        }
    }

    /// Whether the line is the last one of its block.
    pub(super) fn is_closed(&self) -> bool {
        self.block == Block::Closed
    }
}

/// What comes after a definition with the line that `line` begins with, if `after` comes before it;
/// `Here::Nothing`: the line does not belong to the definition. `None`: more bytes are needed.
fn titled(after: After, line: Lookahead<'_>) -> Option<Here<After>> {
    match after {
        After::Nothing if matches!(*line, [b'"' | b'\'' | b'(', ..]) => {
            let Here::Is(n) = title(line)? else { return Some(Here::Nothing) };
            let ends = is_line_end(line.from(n))?;
            Some(ends.then(|| after.within(&line[..n])).into())
        }
        After::Nothing | After::Title => Some(Here::Nothing),
        After::Open(quote) => {
            let mut at = 0;
            loop {
                match line.get(at) {
                    None => return line.is_last().then_some(Here::Nothing),
                    Some(b'\n') => return Some(Here::Is(after)),
                    Some(b) if *b == quote => {
                        let ends = is_line_end(line.from(at + 1))?;
                        return Some(ends.then_some(After::Title).into());
                    }
                    Some(b) => at += if *b == b'\\' { 2 } else { 1 },
                }
            }
        }
    }
}

/// The length of the mark that opens a fence, of which `near` bytes of the line are read. `None`:
/// more bytes are needed.
fn fence(bytes: Lookahead<'_>, near: usize) -> Option<Here<usize>> {
    let seen = &bytes[..bytes.len().min(near)];
    let n = seen.iter().take_while(|b| **b == bytes[0]).count();
    let end = seen.iter().position(|b| *b == b'\n');
    if n < 3 {
        return (n < seen.len() || seen.len() == near || bytes.is_last()).then_some(Here::Nothing);
    }
    if end.is_none() && seen.len() < near && bytes.is_partial() {
        return None;
    }
    // With a backtick after it, it is a code span.
    let info = &seen[n..end.unwrap_or(seen.len())];
    Some((bytes[0] == b'~' || !info.contains(&b'`')).then_some(n).into())
}

/// The length of the marker of a list item that `bytes` begin with. `None`: more bytes are needed.
fn marker(bytes: Lookahead<'_>) -> Option<Here<usize>> {
    let len = match bytes[0] {
        b'-' | b'*' | b'+' => 1,
        b'0'..=b'9' => {
            let digits = bytes.iter().take(10).take_while(|b| b.is_ascii_digit()).count();
            match bytes.get(digits) {
                None if digits < 10 && bytes.is_partial() => return None,
                Some(b'.' | b')') if digits < 10 => digits + 1,
                _ => return Some(Here::Nothing),
            }
        }
        _ => return Some(Here::Nothing),
    };
    match bytes.get(len) {
        None if bytes.is_partial() => None,
        Some(b' ' | b'\t') => Some(Here::Is(len)),
        _ => Some(Here::Nothing),
    }
}
