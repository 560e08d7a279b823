//! Formats by the first bytes of a document.
//!
//! The bytes go in, a format comes out: the one whose row has the surest [`Clue`] that is there. Where the clues of two
//! formats are as sure, the first row decides: HTML comes before XML, which has all other types of documents.

use alloc::vec::Vec;

use super::{
    kinds::Format,
    row::{Clue, Row, begins},
    table::ROWS,
};

/// As [`Format::sniff`].
fn sniff(head: &[u8]) -> Format {
    // UTF-16 and UTF-32: the letters of markup have NULs beside them.
    let narrow: Vec<u8> = head.iter().copied().filter(|b| *b != 0).collect();
    let mut head = without_mark(&narrow);
    // Many formats may begin with a comment of markup; what comes after it says more.
    while begins(head, "<!--")
        && let Some(end) = memchr::memmem::find(head, b"-->")
        && head.len() > end + 3
    {
        head = without_mark(&head[end + 3..]);
    }
    let by = |is_there: fn(&Clue, &[u8]) -> bool| {
        let row = ROWS.iter().find(|row| row.clues.iter().any(|clue| is_there(clue, head)));
        row.map(|row| row.format)
    };
    by(|clue, head| matches!(clue, Clue::Start(is) if is(head)))
        .or_else(|| by_line(head))
        .or_else(|| by(|clue, head| matches!(clue, Clue::Heading(is) if is(head))))
        .or_else(|| by(|clue, head| matches!(clue, Clue::Somewhere(is) if is(head))))
        .or_else(|| by(|clue, head| matches!(clue, Clue::Columns(is) if is(head))))
        .unwrap_or_default()
}

/// The bytes after a byte order mark, whose NULs are gone, and white space.
fn without_mark(bytes: &[u8]) -> &[u8] {
    let marks: [&[u8]; 4] = [b"\xEF\xBB\xBF", b"\xFF\xFE", b"\xFE\xFF", b""];
    let rest = marks.iter().find_map(|mark| bytes.strip_prefix(*mark)).unwrap_or(bytes);
    rest.trim_ascii_start()
}

/// The format whose line comes first.
fn by_line(head: &[u8]) -> Option<Format> {
    let shows = |row: &&Row, line: &[u8]| {
        let mut starts = row.clues.iter().flat_map(|clue| match clue {
            Clue::Lines(starts) => *starts,
            _ => &[],
        });
        starts.any(|start| begins(line, start))
    };
    let mut lines = head.split(|b| *b == b'\n').map(<[u8]>::trim_ascii_start);
    lines.find_map(|line| ROWS.iter().find(|row| shows(row, line)).map(|row| row.format))
}

impl Format {
    /// The format of a document that begins with `head`, of which a few hundred bytes
    /// are enough. [`Format::Text`] if nothing shows another one.
    ///
    /// ```
    /// use iriscan::Format;
    ///
    /// assert_eq!(Format::sniff(b"\n<!DOCTYPE html><title>x"), Format::Html);
    /// assert_eq!(Format::sniff(b"<?xml version='1.0'?><rss>"), Format::Xml);
    /// assert_eq!(Format::sniff(b"BEGIN:VCARD\r\nVERSION:4.0"), Format::Ical);
    /// assert_eq!(Format::sniff(b"<opml version='2.0'>"), Format::Xml);
    /// assert_eq!(Format::sniff(b"<http://a.example/>"), Format::Text);
    /// ```
    #[must_use]
    pub fn sniff(head: &[u8]) -> Format {
        sniff(head)
    }

    /// The format of a file whose name ends in a dot and `extension`, if files of other formats have that end too and
    /// the first bytes decide. `head` gives them, and is asked only then. For the crate that opens files.
    #[doc(hidden)]
    #[must_use]
    pub fn from_doubtful_extension<'h>(
        extension: &str,
        head: impl FnOnce() -> &'h [u8],
    ) -> Option<Format> {
        let row = ROWS.iter().find(|row| (row.may_have_extension)(extension))?;
        (sniff(head()) == row.format).then_some(row.format)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::samples;

    /// The samples of a format are documents that begin as it does; a row with clues has some.
    #[test]
    fn the_first_bytes_show_a_format() {
        for samples in samples::all() {
            let format = samples.format();
            for head in &samples.begins {
                assert_eq!(sniff(head.as_bytes()), format, "{head}");
                let wide: Vec<u8> = head.encode_utf16().flat_map(u16::to_le_bytes).collect();
                let mark = head.starts_with('\u{FEFF}');
                assert!(mark || sniff(&wide) == format, "{head} in UTF-16");
            }
            let clues = format.row().clues.len();
            assert!(
                samples.begins.len() >= clues,
                "the [[format]] named {format} in testdata should have `begins`: {clues} clues"
            );
        }
    }
}
