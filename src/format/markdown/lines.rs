//! The starts of lines: which lines are code, which are blank, which may begin a definition.
//!
//! Bytes after a line end go in, a [`Start`] comes out. It reads at most [`NEAR`] bytes; a line
//! with a longer prefix goes on with the paragraph before it, or is code.

use super::{NEAR, run};

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
    !matches!(b, 0..=b' ' | b'>' | b'`' | b'~' | b'-' | b'+' | b'*' | b'0'..=b'9' | b'[' | b'#')
}

/// The state of the lines before a place.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lines {
    /// The last line is text of a paragraph.
    paragraph: bool,
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
    pub(super) fn start(&mut self, bytes: &[u8], last: bool) -> Option<Start> {
        let mut lines = *self;
        let (bytes, last) = near(bytes, last);
        let start = lines.read(bytes, last)?;
        *self = lines;
        Some(start)
    }

    fn read(&mut self, bytes: &[u8], last: bool) -> Option<Start> {
        let mut at = prefix(bytes, true);
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
                return last.then(|| self.blank());
            };
            let rest = &bytes[at.len..];
            if matches!(first, b'\n' | b'\r') {
                return Some(self.blank());
            }
            if self.is_indented(at.column) {
                return Some(self.code());
            }
            if matches!(first, b'`' | b'~')
                && let Some(n) = fence(rest, NEAR - at.len, last)?
            {
                self.block = Block::Fenced(first, n as u8);
                self.paragraph = false;
                return Some(Start::Code);
            }
            let Some(marker) = marker(rest, last)? else { return self.content(rest, bytes, last) };
            let after = prefix(&rest[marker..], false);
            let spaces = if after.column > 4 { 1 } else { after.column };
            if bytes.len() == at.len + marker + after.len && !last && bytes.len() < NEAR {
                return None;
            }
            let column = at.column + marker + spaces;
            self.push(column);
            self.paragraph = false;
            at = Prefix { len: at.len + marker + after.len, column };
        }
    }

    /// The text of a line, `rest`.
    fn content(&mut self, rest: &[u8], bytes: &[u8], last: bool) -> Option<Start> {
        match rest {
            [b'#', ..] if !self.paragraph => Some(Start::Text),
            [b'['] if !last && bytes.len() < NEAR => None,
            [b'[', b'^', ..] => Some(self.paragraph(Start::Text)),
            [b'[', ..] if !self.paragraph => Some(self.paragraph(Start::Label)),
            _ => Some(self.paragraph(Start::Text)),
        }
    }

    /// A line begins with a letter.
    #[inline(always)]
    pub(super) fn plain(&mut self) {
        if !self.paragraph {
            self.open = 0;
            self.paragraph = true;
        }
    }

    /// A block of code that is indented begins.
    fn code(&mut self) -> Start {
        self.block = Block::Indented(self.base() as u16 + 4);
        Start::Code
    }

    fn paragraph(&mut self, start: Start) -> Start {
        self.paragraph = true;
        start
    }

    pub(super) fn blank(&mut self) -> Start {
        self.paragraph = false;
        Start::Blank
    }

    /// The line before is a definition, and no text.
    pub(super) fn end_paragraph(&mut self) {
        self.paragraph = false;
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
        if self.paragraph {
            return false;
        }
        while self.open > 0 && self.base() > column {
            self.open -= 1;
        }
        column >= self.base() + 4
    }

    /// Whether the line that `bytes` begin with is blank. `None`: more bytes are needed.
    pub(super) fn is_blank(&self, bytes: &[u8], last: bool) -> Option<bool> {
        let (bytes, last) = near(bytes, last);
        let at = prefix(bytes, true);
        match bytes.get(at.len) {
            None if at.len < NEAR && !last => None,
            next => Some(at.len < NEAR && next.is_none_or(|b| matches!(b, b'\n' | b'\r'))),
        }
    }

    /// Whether the line that `bytes` begin with belongs to the block of code. `None`: more bytes are
    /// needed.
    pub(super) fn goes_on(&mut self, bytes: &[u8], last: bool) -> Option<bool> {
        let (bytes, last) = near(bytes, last);
        let at = prefix(bytes, true);
        let rest = &bytes[at.len..];
        match self.block {
            Block::Closed => Some(false),
            Block::Indented(column) => {
                let Some(first) = rest.first() else { return last.then_some(true) };
                Some(at.column >= usize::from(column) || matches!(first, b'\n' | b'\r'))
            }
            Block::Fenced(mark, least) => {
                let n = run(rest, mark, last);
                let more = bytes.len() < NEAR && !last;
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

/// The bytes that decide, and whether no more of them come.
fn near(bytes: &[u8], last: bool) -> (&[u8], bool) {
    (&bytes[..bytes.len().min(NEAR)], last || bytes.len() >= NEAR)
}

/// The length of the mark that opens a fence, of which `near` bytes of the line are read. `None`:
/// more bytes are needed.
fn fence(bytes: &[u8], near: usize, last: bool) -> Option<Option<usize>> {
    let seen = &bytes[..bytes.len().min(near)];
    let n = seen.iter().take_while(|b| **b == bytes[0]).count();
    let end = seen.iter().position(|b| *b == b'\n');
    if n < 3 {
        return (n < seen.len() || seen.len() == near || last).then_some(None);
    }
    if end.is_none() && seen.len() < near && !last {
        return None;
    }
    // With a backtick after it, it is a code span.
    let info = &seen[n..end.unwrap_or(seen.len())];
    Some((bytes[0] == b'~' || !info.contains(&b'`')).then_some(n))
}

/// The length of the marker of a list item that `bytes` begin with. `None`: more bytes are needed.
fn marker(bytes: &[u8], last: bool) -> Option<Option<usize>> {
    let len = match bytes[0] {
        b'-' | b'*' | b'+' => 1,
        b'0'..=b'9' => {
            let digits = bytes.iter().take(10).take_while(|b| b.is_ascii_digit()).count();
            match bytes.get(digits) {
                None if digits < 10 && !last => return None,
                Some(b'.' | b')') if digits < 10 => digits + 1,
                _ => return Some(None),
            }
        }
        _ => return Some(None),
    };
    match bytes.get(len) {
        None if !last => None,
        Some(b' ' | b'\t') => Some(Some(len)),
        _ => Some(None),
    }
}
