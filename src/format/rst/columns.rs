//! Where columns count: in tables, and in titles, whose underline must be as long as they are.
//!
//! The start of each line goes in; whether a link in it may become longer or shorter comes out. What Docutils does
//! decides:
//!
//! - A grid table begins with a border `+---+---+` and goes on in lines that begin with `|` or `+`.
//! - A simple table begins with a border `===  ===` of two columns or more. It ends with the second border after
//!   that, or with one before a blank line, or where the text is indented less.
//! - A title has a line of one sign of ASCII after it, and perhaps one before it, of at least four signs.
//!
//! A lexer sees only [`NEAR`] bytes from the start of a line. So a wide border counts by its start, and a title
//! counts if it ends early enough to see four signs of its underline, or if a line of signs is before it. A title
//! that is too long for that gets at most a warning, and is a title nevertheless.

use crate::format::lexing::{
    lookahead::Lookahead,
    marked::{NEAR, blanks},
};

/// So many signs make the line before or after a title; with fewer it is text unless the title is as short.
const RULE: usize = 4;

/// Whether columns count in a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Columns {
    table: Table,
    /// The line is a title.
    title: bool,
    above: Above,
}

/// The table that a line is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Table {
    #[default]
    None,
    Grid,
    /// It is indented so far, and had so many borders after the first one. `border`: the last one was in the
    /// line before.
    Simple {
        indent: usize,
        borders: u8,
        border: bool,
    },
}

/// What the line before was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Above {
    #[default]
    Blank,
    Text,
    /// Signs that may be the line before a title.
    Rule,
}

/// The start of a line.
#[derive(Clone, Copy)]
struct Start<'l> {
    line: &'l [u8],
    /// It is all of the line.
    whole: bool,
}

impl<'l> Start<'l> {
    /// The line that `near` begins with, without blanks at its end.
    fn of(near: Lookahead<'l>) -> Start<'l> {
        let end = memchr::memchr(b'\n', &near);
        Start {
            line: near.as_slice()[..end.unwrap_or(near.len())].trim_ascii_end(),
            whole: end.is_some() || near.is_last(),
        }
    }

    /// Whether it may be a line of signs that belongs to a title.
    fn is_rule(self) -> bool {
        let Some(first) = self.line.first().filter(|b| b.is_ascii_punctuation()) else {
            return false;
        };
        self.line.len() >= RULE && self.line.iter().all(|b| b == first)
    }

    /// Whether it may be the first border of a grid table.
    fn is_grid(self) -> bool {
        let signs = self.line.iter().all(|b| matches!(b, b'-' | b'+'));
        signs
            && self.line.starts_with(b"+-")
            && (!self.whole || self.line.len() > RULE && self.line.ends_with(b"+"))
    }

    /// Whether it may be a border of a simple table. `first`: the first one, which has two columns.
    fn is_simple(self, first: bool) -> bool {
        let signs = self.line.iter().all(|b| matches!(b, b'=' | b' '));
        signs && self.line.starts_with(b"=") && (!first || !self.whole || self.line.contains(&b' '))
    }
}

/// How many bytes of signs of lists and of names of fields `line` begins with. A table may follow them.
fn marks(line: &[u8]) -> usize {
    let mut at = 0;
    while let Some(len) = mark(&line[at..]) {
        at += len;
    }
    at
}

/// The length of one of them, with the blanks after it.
fn mark(line: &[u8]) -> Option<usize> {
    let len = match line {
        [b'-' | b'*' | b'+', ..] => 1,
        [b':', rest @ ..] => 2 + memchr::memchr(b':', rest)?,
        _ => {
            let open = usize::from(line.first() == Some(&b'('));
            let is_word = |b: &&u8| b.is_ascii_alphanumeric() || **b == b'#';
            let word = line[open..].iter().take_while(is_word).count();
            let closed = matches!(line.get(open + word), Some(b'.' | b')'));
            (word > 0 && closed).then_some(open + word + 1)?
        }
    };
    let space = line.get(len..)?.iter().take_while(|b| **b == b' ').count();
    (space > 0).then_some(len + space)
}

/// Whether the line after the one that `near` begins with may be the underline of a title; `None` if that is out of
/// sight.
fn is_underlined(near: Lookahead<'_>) -> Option<bool> {
    let Some(end) = memchr::memchr(b'\n', &near) else { return near.is_last().then_some(false) };
    let next = Start::of(near.from(end + 1));
    (next.whole || next.line.len() >= RULE).then(|| next.is_rule())
}

impl Columns {
    /// Whether they count in the line.
    pub(super) fn count(self) -> bool {
        self.title || self.table != Table::None
    }

    /// The same for the next line, which `bytes` begin with. `None`: more bytes are needed.
    pub(super) fn line(self, bytes: Lookahead<'_>) -> Option<Columns> {
        let near = bytes.near(NEAR);
        // Whether the document ends near.
        let ends = bytes.is_last() && near.len() == bytes.len();
        let indent = blanks(near)?;
        let is_blank = near.get(indent).is_none_or(|b| matches!(b, b'\n' | b'\r'));
        if near.is_partial() && !is_blank {
            return None;
        }
        if is_blank {
            let table = match self.table {
                table @ Table::Simple { border: false, .. } => table,
                _ => Table::None,
            };
            return Some(Columns { table, title: false, above: Above::Blank });
        }
        let start = Start::of(Lookahead::new(&near[indent..], ends));
        if let Some(table) = self.row(indent, start) {
            return Some(Columns { table, title: false, above: Above::Text });
        }
        let marks = marks(start.line);
        let inner = Start { line: &start.line[marks..], ..start };
        let table = match () {
            () if inner.is_grid() => Table::Grid,
            // The second column of a wide border is out of sight. The underline of a title has text before it.
            () if inner.is_simple(true)
                && (start.whole || !start.is_rule() || self.above != Above::Text) =>
            {
                Table::Simple { indent: indent + marks, borders: 0, border: false }
            }
            () => Table::None,
        };
        if table != Table::None {
            return Some(Columns { table, title: false, above: Above::Text });
        }
        if indent == 0 && start.is_rule() {
            let above = if self.above == Above::Text { Above::Blank } else { Above::Rule };
            return Some(Columns { table, title: false, above });
        }
        let title = match self.above {
            Above::Rule => is_underlined(Lookahead::new(&near, ends)) != Some(false),
            _ => indent == 0 && is_underlined(Lookahead::new(&near, ends)) == Some(true),
        };
        Some(Columns { table, title, above: Above::Text })
    }

    /// The table that the line which begins with `start` belongs to, if it goes on.
    fn row(self, indent: usize, start: Start<'_>) -> Option<Table> {
        match self.table {
            Table::None => None,
            Table::Grid => matches!(start.line.first(), Some(b'|' | b'+')).then_some(Table::Grid),
            Table::Simple { indent: own, .. } if indent < own => None,
            Table::Simple { indent: own, borders, .. } => {
                let border = start.is_simple(false);
                let borders = borders + u8::from(border);
                // There is no link in a border.
                Some(if borders == 2 {
                    Table::None
                } else {
                    Table::Simple { indent: own, borders, border }
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{string::String, vec::Vec};

    use super::*;

    /// The lines of `document` in which columns count, by their first letter.
    fn counted(document: &str) -> String {
        let (mut columns, mut rest, mut lines) = (Columns::default(), document, Vec::new());
        while !rest.is_empty() {
            columns = columns.line(Lookahead::whole(rest.as_bytes())).expect("all bytes are there");
            let len = rest.find('\n').map_or(rest.len(), |at| at + 1);
            let letter = rest[..len].chars().find(char::is_ascii_alphabetic);
            lines.extend(letter.filter(|_| columns.count()));
            rest = &rest[len..];
        }
        lines.into_iter().collect()
    }

    #[test]
    fn columns_count_in_tables_and_titles() {
        let wide = "=".repeat(70);
        for (document, lines) in [
            ("a\n\nb\n", ""),
            // Grid tables.
            ("+---+\n| a |\n+===+\n| b |\n+---+\n\nc", "ab"),
            ("  +---+\n  | a |\n  +---+\nb", "a"),
            ("* +---+\n  | a |\n  +---+\n", "a"),
            ("1. +---+\n   | a |\n", "a"),
            ("+-\n| a\n", ""),
            ("| a\n| b\n", ""),
            // Simple tables.
            ("=== ===\na   b\n=== ===\nc\n=== ===\n\nd", "ac"),
            ("=== ===\na\n\nb\n=== ===\n\nc", "ab"),
            ("=== ===\na\n=== ===\n\nb", "a"),
            ("  == ==\n  a  b\nc\n", "a"),
            (":f: == ==\n    a\n    == ==\n", "fa"),
            // Titles.
            ("a b\n====\nc", "a"),
            ("a\n===\nb", ""),
            ("====\na b\n====\nc", "a"),
            ("----\n\na\n", ""),
            ("----\n a\n----\n", "a"),
            ("a\n----\n\nb\n~~~~\n", "ab"),
            ("a\n-----b\n", ""),
        ] {
            assert_eq!(counted(document), lines, "{document}");
        }
        // The end of a long title is out of sight, but a line of signs before it is not.
        let title = "b".repeat(60);
        assert_eq!(counted(&std::format!("{title}\n{wide}\n")), "");
        assert_eq!(counted(&std::format!("{wide}\n{title}\n{wide}\n\nc")), "b");
        for (len, counts) in [(NEAR - 5, "a"), (NEAR - 4, "")] {
            let title = "a".repeat(len);
            assert_eq!(counted(&std::format!("{title}\n{wide}\n")), counts, "{len}");
        }
        // So is the second column of a wide border.
        assert_eq!(counted(&std::format!("{wide} ===\na\n{wide} ===\n\nb")), "a");
    }
}
