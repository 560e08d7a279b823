//! A unified diff in colour.
//!
//! In go the bytes of a diff; out come its lines, each in its colour. What must hold: control
//! characters of the document are escaped.

use std::io::{self, Write};

use super::colors::{BOLD, HUNK, NEW, OLD, RESET};
use crate::messages::text::shown;

/// Colours the unified diff that is written to it, line by line.
pub(crate) struct PaintedDiff<W: Write> {
    out: W,
    paint: bool,
    line: Vec<u8>,
    /// The lines of the hunk that have not come yet: old and new.
    left: [u64; 2],
}

impl<W: Write> PaintedDiff<W> {
    /// If `paint` is false, the bytes are passed on unchanged.
    pub(crate) fn new(out: W, paint: bool) -> PaintedDiff<W> {
        PaintedDiff { out, paint, line: Vec::new(), left: [0; 2] }
    }

    /// Writes the line that is complete.
    fn put(&mut self) -> io::Result<()> {
        let text = String::from_utf8_lossy(&self.line).into_owned();
        self.line.clear();
        let (text, end) = match text.strip_suffix("\r\n") {
            Some(text) => (text, "\r\n"),
            None => (text.strip_suffix('\n').unwrap_or(&text), "\n"),
        };
        let color = match (self.left, text.as_bytes().first()) {
            ([0, 0], Some(b'@')) => {
                let numbers = text.split(['-', '+', ' ', '@']).filter_map(|range| {
                    range.split_once(',').and_then(|(_, lines)| lines.parse().ok())
                });
                self.left.iter_mut().zip(numbers).for_each(|(left, lines)| *left = lines);
                HUNK
            }
            ([0, 0], Some(b'-' | b'+')) => BOLD,
            (_, Some(b'-')) => {
                self.left[0] = self.left[0].saturating_sub(1);
                OLD
            }
            (_, Some(b'+')) => {
                self.left[1] = self.left[1].saturating_sub(1);
                NEW
            }
            (_, Some(b' ')) => {
                self.left = self.left.map(|left| left.saturating_sub(1));
                ""
            }
            _ => "",
        };
        // Tabs are kept, because they are layout.
        let parts: Vec<String> = text.split('\t').map(shown).collect();
        let shown = parts.join("\t");
        if color.is_empty() {
            write!(self.out, "{shown}{end}")
        } else {
            write!(self.out, "{color}{shown}{RESET}{end}")
        }
    }
}

impl<W: Write> Write for PaintedDiff<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.paint {
            return self.out.write(bytes);
        }
        for line in bytes.split_inclusive(|b| *b == b'\n') {
            self.line.extend_from_slice(line);
            if line.ends_with(b"\n") {
                self.put()?;
            }
        }
        Ok(bytes.len())
    }

    /// A line that is not complete is kept.
    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
