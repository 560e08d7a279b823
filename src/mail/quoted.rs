//! Edits in quoted-printable, with soft breaks where a line gets too long.

use core::ops::Range;
use std::{io, vec::Vec};

use super::{
    edit::Edit,
    lines::line_end,
    out::Out,
    transfer::{LINE, write_quoted},
};

/// Writes edits in quoted-printable.
pub(super) struct Quoted<'a> {
    /// The message up to the end of the part.
    body: &'a [u8],
    line_feed: &'a [u8],
    /// The end of the last edit that was written, and its column.
    after: (usize, usize),
    /// The end of the last line that was searched.
    end: usize,
    /// An edit that is held until the rest of its line is known.
    last: Option<Edit>,
}

impl<'a> Quoted<'a> {
    /// For the part in `range` of `message`.
    pub(super) fn of(message: &'a [u8], line_feed: &'a [u8], range: Range<usize>) -> Quoted<'a> {
        let body = &message[..range.end];
        Quoted { body, line_feed, after: (range.start, 0), end: 0, last: None }
    }

    pub(super) fn edit(&mut self, edit: Edit, out: &mut Out<'_>) -> io::Result<()> {
        let next = edit.range.start;
        match self.last.replace(edit) {
            Some(last) => self.write(last, Some(next), out),
            None => Ok(()),
        }
    }

    pub(super) fn end(mut self, out: &mut Out<'_>) -> io::Result<()> {
        match self.last.take() {
            Some(last) => self.write(last, None, out),
            None => Ok(()),
        }
    }

    /// `next`: the start of the next edit.
    fn write(&mut self, edit: Edit, next: Option<usize>, out: &mut Out<'_>) -> io::Result<()> {
        let Edit { range, with: text } = edit;
        let (from, column) = self.after;
        let column = match memchr::memrchr(b'\n', &self.body[from..range.start]) {
            Some(feed) => range.start - (from + feed + 1),
            None => column + (range.start - from),
        };
        if self.end < range.end {
            self.end = line_end(self.body, range.end).0.max(range.end);
        }
        let (rest, room) = match next {
            Some(next) if next < self.end => (next - range.end, LINE - 1),
            _ => (self.end - range.end, LINE),
        };
        let mut with = Vec::new();
        let column = write_quoted(&text, column, rest, room, self.line_feed, &mut with);
        self.after = (range.end, column);
        out.edit(&Edit { range, with })
    }
}
