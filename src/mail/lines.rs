//! Lines of a message: their ends, their numbers, and the line before a message in an mbox.

use core::ops::Range;

/// The end of the text of the line that starts at `at`, and the start of the next line.
pub(super) fn line_end(bytes: &[u8], at: usize) -> (usize, usize) {
    let Some(feed) = memchr::memchr(b'\n', &bytes[at..]) else { return (bytes.len(), bytes.len()) };
    let feed = at + feed;
    (if feed > at && bytes[feed - 1] == b'\r' { feed - 1 } else { feed }, feed + 1)
}

/// Whether `line` is one like `From sender Sat Jan  3 01:05:34 1996`, with a time and a year,
/// so that a sentence does not cut a message.
pub(super) fn is_envelope(line: &[u8]) -> bool {
    let digit = |b: &u8| b.is_ascii_digit();
    let time = line.windows(5).any(|w| w[2] == b':' && [0, 1, 3, 4].iter().all(|i| digit(&w[*i])));
    let year = line
        .split(|b| !digit(b))
        .any(|run| run.len() == 4 && (run.starts_with(b"19") || run.starts_with(b"20")));
    time && year
}

/// Counts lines of a message; fast if asked in order.
pub(super) struct Lines<'m> {
    message: &'m [u8],
    at: usize,
    line: u64,
}

impl<'m> Lines<'m> {
    pub(super) fn of(message: &'m [u8]) -> Lines<'m> {
        Lines { message, at: 0, line: 1 }
    }

    pub(super) fn at(&mut self, at: usize) -> u64 {
        let feeds =
            |range: Range<usize>| memchr::memchr_iter(b'\n', &self.message[range]).count() as u64;
        self.line = if at >= self.at {
            self.line + feeds(self.at..at)
        } else {
            self.line - feeds(at..self.at)
        };
        self.at = at;
        self.line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_in_both_directions() {
        let mut lines = Lines::of(b"a\nb\r\n\nc");
        let places = [(6, 4), (0, 1), (4, 2), (1, 1), (2, 2), (7, 4), (7, 4)];
        assert_eq!(places.map(|(at, _)| lines.at(at)), places.map(|(_, line)| line));
    }
}
