//! The delimiter of the fields of CSV, found in the first records.
//!
//! The start of a document goes in, decoded; a byte comes out. A first line `sep=;`, which Excel
//! reads and writes, decides. Otherwise each candidate is counted in each record, outside of
//! quotes; the delimiter is the one whose count is the same in most records, because records have
//! the same fields and commas in text come as they like.

use core::cmp::Ordering;

/// How many bytes of a document are read for it, at most, and how many lines.
pub(in crate::format) const HEAD: usize = 4096;
const LINES: usize = 16;

/// The delimiter of a document whose records show none.
pub(in crate::format) const USUAL: u8 = b',';

/// What may be a delimiter without being told. Of two that are as likely, the first one is it.
const CANDIDATES: [u8; 4] = [b'\t', b';', b'|', b','];

/// How many records are read.
const RECORDS: usize = 64;

/// How often each candidate is in a record.
type Counts = [usize; CANDIDATES.len()];

/// Whether `b` can be between fields: ASCII that no URI form brings in, that CSV gives no other
/// meaning, and that no charset uses to change its state.
pub(crate) fn may_be(b: u8) -> bool {
    b.is_ascii()
        && !b.is_ascii_alphanumeric()
        && !matches!(b, b'%' | b'-' | b'.' | b'"' | b'\r' | b'\n' | 0 | 0x0E | 0x0F | 0x1B)
}

/// Returns how much of a document that begins with `bytes` is read for its delimiter; `None`: all
/// of `bytes`, and more.
pub(in crate::format) fn head(bytes: &[u8]) -> Option<usize> {
    let mut lines = memchr::memchr_iter(b'\n', &bytes[..bytes.len().min(HEAD)]);
    let last = lines.nth(LINES - 1).map(|last| last + 1);
    last.or((bytes.len() >= HEAD).then_some(HEAD))
}

/// Returns the delimiter of a document that begins with `head`.
pub(in crate::format) fn of(head: &str) -> u8 {
    let head = head.strip_prefix('\u{FEFF}').unwrap_or(head);
    if let Some(delimiter) = named(head) {
        return delimiter;
    }
    let records = Records::of(head.as_bytes());
    let all = records.counts();
    // Whether candidate `i` is in most records, how many agree on its count, and that count.
    let rank = |i: usize| {
        let (times, usual) = mode(all, i);
        (2 * times > all.len()).then_some((times, usual))
    };
    let [tab, semicolon, bar, comma] = [0, 1, 2, 3].map(rank);
    let times = |rank: Option<(usize, usize)>| rank.map(|(times, _)| times);
    let (other, byte) = if bar > semicolon { (bar, b'|') } else { (semicolon, b';') };
    // Tabs are hardly ever in text, and commas are.
    let (best, byte) = if times(other) > times(tab) { (other, byte) } else { (tab, b'\t') };
    let comma_wins = match times(comma).cmp(&times(best)) {
        Ordering::Less => false,
        Ordering::Equal => byte != b'\t' && !records.weak,
        Ordering::Greater => !records.weak,
    };
    if best.is_none() || comma_wins { USUAL } else { byte }
}

/// Whether the records of a document that begins with `head` show beyond doubt that it is CSV, and
/// by which delimiter.
pub(in crate::format) fn sniff(head: &str) -> Option<u8> {
    let head = head.strip_prefix('\u{FEFF}').unwrap_or(head);
    if let Some(delimiter) = named(head) {
        return Some(delimiter);
    }
    let records = Records::of(head.as_bytes());
    let all = records.counts();
    let delimiter = of(head);
    let i = CANDIDATES.iter().position(|candidate| *candidate == delimiter)?;
    let (times, usual) = mode(all, i);
    // A text in which each line has one comma is no table.
    let least = if delimiter == b'\t' { 1 } else { 2 };
    (all.len() >= 3 && times == all.len() && usual >= least).then_some(delimiter)
}

/// The delimiter that a first line such as `sep=;` names.
fn named(head: &str) -> Option<u8> {
    let line = head.split(['\r', '\n']).next().unwrap_or_default();
    let line = line.strip_prefix('"').and_then(|line| line.strip_suffix('"')).unwrap_or(line);
    let (key, value) = line.split_at_checked("sep=".len())?;
    match value.as_bytes() {
        [b] if key.eq_ignore_ascii_case("sep=") => may_be(*b).then_some(*b),
        _ => None,
    }
}

/// How many records have the count of candidate `i` that most records with it have, and that
/// count.
fn mode(all: &[Counts], i: usize) -> (usize, usize) {
    let times = |count: usize| all.iter().filter(|counts| counts[i] == count).count();
    let counts = all.iter().map(|counts| counts[i]).filter(|count| *count > 0);
    counts.map(|count| (times(count), count)).max().unwrap_or_default()
}

/// The first records of a document.
struct Records {
    counts: [Counts; RECORDS],
    len: usize,
    /// All commas are between digits or before a space, as in numbers and text.
    weak: bool,
}

impl Records {
    fn of(head: &[u8]) -> Records {
        let mut records = Records { counts: [Counts::default(); RECORDS], len: 0, weak: true };
        let (mut counts, mut quoted, mut start, mut empty) = (Counts::default(), false, true, true);
        let mut at = 0;
        while at < head.len() && records.len < RECORDS {
            let b = head[at];
            let candidate = CANDIDATES.iter().position(|candidate| *candidate == b);
            match b {
                b'"' if quoted && head.get(at + 1) == Some(&b'"') => at += 1,
                b'"' if quoted || start => quoted = !quoted,
                _ if quoted => {}
                b'\n' | b'\r' if !empty => {
                    records.push(counts);
                    (counts, empty) = (Counts::default(), true);
                }
                _ => {}
            }
            let ends = !quoted && matches!(b, b'\n' | b'\r');
            if let Some(i) = candidate.filter(|_| !quoted) {
                counts[i] += 1;
                let is_digit = |b: Option<&u8>| b.is_some_and(u8::is_ascii_digit);
                let (before, next) = (at.checked_sub(1).map(|at| &head[at]), head.get(at + 1));
                let number = is_digit(before) && is_digit(next);
                records.weak &= b != b',' || number || next == Some(&b' ');
            }
            start = !quoted && (ends || candidate.is_some());
            empty &= ends;
            at += 1;
        }
        // The last record may be cut, and counts only if there is no other.
        if records.len == 0 && !empty {
            records.push(counts);
        }
        records
    }

    fn push(&mut self, counts: Counts) {
        self.counts[self.len] = counts;
        self.len += 1;
    }

    fn counts(&self) -> &[Counts] {
        &self.counts[..self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_records_show_it() {
        for (head, want) in [
            ("", b','),
            ("a", b','),
            ("a,b\n1,2\n", b','),
            ("a;b\n1;2\n", b';'),
            ("a\tb\n1\t2\n", b'\t'),
            ("a|b\n1|2\n", b'|'),
            ("a;b", b';'),
            // Decimal commas, also without a header.
            ("n;x\n1,5;2,5\n3,5;4,5\n", b';'),
            ("1,5;2,5\n3,5;4,5\n", b';'),
            ("1,5\n2,5\n", b','),
            ("1,2,3\n4,5,6\n", b','),
            ("1, 2, 3\n4, 5, 6\n", b','),
            // Text.
            ("n;t\n1;a, b, c\n2;d\n3;e, f\n", b';'),
            ("n\tt\n1\ta, b\n2\tc, d\n", b'\t'),
            ("n,t\n1,\"a;b;c\"\n2,\"d;\"\n", b','),
            ("n,t\n1,a;b\n2,c\n3,d\n", b','),
            ("\"a,b\"\"c\";d\n\"e,f,g\";h\n", b';'),
            ("\"a\nb,c\n\";d\ne;f\n", b';'),
            ("Title\n\nMore, of it\na;b;c\n1;2;3\n4;5;6\n7;8;9\n", b';'),
            // Most records have none.
            ("a\nb;c\nd\ne\n", b','),
            // The last one is cut.
            ("a;b;c\n1;2;3\n4,5,6,7,8", b';'),
            ("sep=|\na,b,c\n", b'|'),
            ("\u{FEFF}sep=;\r\na,b,c\n", b';'),
            ("\"sep=\t\"\na,b,c\n", b'\t'),
            ("sep=\"\na,b\n", b','),
            ("sep=xy\na,b\n", b','),
            ("sep=%\na,b\n", b','),
            ("sep=é\na,b\n", b','),
        ] {
            assert_eq!(of(head) as char, want as char, "{head:?}");
        }
    }

    #[test]
    fn text_is_not_taken_for_a_table() {
        for (head, want) in [
            ("a,b,c\n1,2,3\n4,5,6\n", Some(b',')),
            ("a\tb\n1\t2\n3\t4\n", Some(b'\t')),
            ("sep=;\n", Some(b';')),
            ("a,b\n1,2\n3,4\n", None),
            ("a,b,c\n1,2,3\n", None),
            ("One, two, three.\nFour, five, six.\nSeven.\n", None),
            ("", None),
            ("a\nb\nc\nd\n", None),
        ] {
            assert_eq!(sniff(head), want, "{head:?}");
        }
    }

    #[test]
    fn the_head_ends_after_some_lines() {
        assert_eq!(head(b"a\nb"), None);
        assert_eq!(head(&b"a,b\n".repeat(LINES)), Some(4 * LINES));
        assert_eq!(head(&b"a,b\n".repeat(LINES + 1)), Some(4 * LINES));
        assert_eq!(head(&b"a".repeat(HEAD - 1)), None);
        assert_eq!(head(&b"a".repeat(HEAD + 1)), Some(HEAD));
    }
}
