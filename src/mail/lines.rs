//! Lines of a message, and the line that begins a message in a mailbox.

/// Where the text of the line at `at` ends, and where the next line starts.
pub(super) fn line_end(bytes: &[u8], at: usize) -> (usize, usize) {
    let Some(feed) = memchr::memchr(b'\n', &bytes[at..]) else { return (bytes.len(), bytes.len()) };
    let feed = at + feed;
    (if feed > at && bytes[feed - 1] == b'\r' { feed - 1 } else { feed }, feed + 1)
}

/// `From sender Sat Jan  3 01:05:34 1996`: with a time and a year, so that a
/// sentence does not cut a message.
pub(super) fn is_envelope(line: &[u8]) -> bool {
    let digit = |b: &u8| b.is_ascii_digit();
    let time = line.windows(5).any(|w| w[2] == b':' && [0, 1, 3, 4].iter().all(|i| digit(&w[*i])));
    let year = line
        .split(|b| !digit(b))
        .any(|run| run.len() == 4 && (run.starts_with(b"19") || run.starts_with(b"20")));
    time && year
}
