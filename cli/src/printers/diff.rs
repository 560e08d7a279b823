//! `rewrite --diff`: the changes as a unified diff.
//!
//! In go the old and the new bytes; out come hunks. What must hold: the old lines with the hunks
//! applied are the new lines.

use std::{
    io::{self, Write},
    ops::Range,
};

/// The lines shown before and after a change.
const CONTEXT: usize = 3;

/// How far the next equal lines are searched.
const NEAR: usize = 100;

/// How old and new lines belong together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LinePairing {
    /// Line by line: there are as many as before, because no link contains a line end.
    Paired,
    /// Lines may be more or fewer, because of soft line breaks and base64 in mail.
    Moved,
}

/// Writes the diff of an input, part by part.
#[derive(Debug)]
pub(crate) struct Diff {
    name: String,
    begun: bool,
    /// The number of lines that the parts before have grown by.
    added: i64,
}

/// Old lines, and the new ones in their place.
#[derive(Debug)]
struct Change {
    old: Range<usize>,
    new: Range<usize>,
}

impl Diff {
    /// The diff of the input called `name`.
    pub(crate) fn new(name: String) -> Diff {
        Diff { name, begun: false, added: 0 }
    }

    /// Writes the changes from `old`, which begins in line `line`, to `new`. Writes nothing if
    /// they are equal.
    pub(crate) fn write(
        &mut self,
        out: &mut impl Write,
        line: u64,
        old: &[u8],
        new: &[u8],
        pairing: LinePairing,
    ) -> io::Result<()> {
        let old: Vec<&[u8]> = old.split_inclusive(|b| *b == b'\n').collect();
        let new: Vec<&[u8]> = new.split_inclusive(|b| *b == b'\n').collect();
        let changes = match pairing {
            LinePairing::Paired => paired(&old, &new),
            LinePairing::Moved => moved(&old, &new),
        };
        if !self.begun && !changes.is_empty() {
            self.begun = true;
            write!(out, "--- {0}\n+++ {0}\n", self.name)?;
        }
        // Changes whose contexts touch share a hunk.
        let near = |a: &Change, b: &Change| b.old.start - a.old.end <= 2 * CONTEXT;
        for hunk in changes.chunk_by(near) {
            self.write_hunk(out, line, hunk, &old, &new)?;
        }
        self.added += new.len() as i64 - old.len() as i64;
        Ok(())
    }

    fn write_hunk(
        &self,
        out: &mut impl Write,
        line: u64,
        hunk: &[Change],
        old: &[&[u8]],
        new: &[&[u8]],
    ) -> io::Result<()> {
        let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else { return Ok(()) };
        let lead = first.old.start.min(CONTEXT);
        let trail = (old.len() - last.old.end).min(CONTEXT);
        let (from, to) = (first.old.start - lead, last.old.end + trail);
        let (new_from, new_to) = (first.new.start - lead, last.new.end + trail);
        writeln!(
            out,
            "@@ -{},{} +{},{} @@",
            line + from as u64,
            to - from,
            line as i64 + self.added + new_from as i64,
            new_to - new_from
        )?;
        let mut put = |sign: char, lines: &[&[u8]]| {
            lines.iter().try_for_each(|line| write_line(out, sign, line))
        };
        let mut at = from;
        for change in hunk {
            put(' ', &old[at..change.old.start])?;
            put('-', &old[change.old.clone()])?;
            put('+', &new[change.new.clone()])?;
            at = change.old.end;
        }
        put(' ', &old[at..to])
    }
}

/// The changes between lines that belong together one by one.
fn paired(old: &[&[u8]], new: &[&[u8]]) -> Vec<Change> {
    debug_assert_eq!(old.len(), new.len(), "rewriting should keep lines");
    let mut changes: Vec<Change> = Vec::new();
    for at in (0..old.len().min(new.len())).filter(|&at| old[at] != new[at]) {
        match changes.last_mut() {
            Some(last) if last.old.end == at => (last.old.end, last.new.end) = (at + 1, at + 1),
            _ => changes.push(Change { old: at..at + 1, new: at..at + 1 }),
        }
    }
    changes
}

/// The changes, found by searching the nearest equal lines after each difference.
fn moved(old: &[&[u8]], new: &[&[u8]]) -> Vec<Change> {
    let mut changes = Vec::new();
    let (mut a, mut b) = (0, 0);
    while a < old.len() || b < new.len() {
        if a < old.len() && b < new.len() && old[a] == new[b] {
            (a, b) = (a + 1, b + 1);
            continue;
        }
        let same = |i: usize, j: usize| {
            let lines = |n: usize| old.get(a + i + n) == new.get(b + j + n);
            // One short line alone may be equal by chance.
            let long = old.get(a + i).is_some_and(|line| line.len() > 8);
            (a + i < old.len()) == (b + j < new.len()) && lines(0) && (long || lines(1))
        };
        let near = (1..NEAR).find_map(|sum| {
            (0..=sum)
                .map(|i| (i, sum - i))
                .find(|&(i, j)| a + i <= old.len() && b + j <= new.len() && same(i, j))
        });
        let (i, j) = near.unwrap_or_else(|| {
            // No equal lines are near: all up to the equal lines at the end has changed.
            let tail = old[a..].iter().rev().zip(new[b..].iter().rev());
            let same = tail.take_while(|(old, new)| old == new).count();
            (old.len() - a - same, new.len() - b - same)
        });
        changes.push(Change { old: a..a + i, new: b..b + j });
        (a, b) = (a + i, b + j);
    }
    changes
}

fn write_line(out: &mut impl Write, sign: char, line: &[u8]) -> io::Result<()> {
    write!(out, "{sign}{}", String::from_utf8_lossy(line))?;
    if line.ends_with(b"\n") { Ok(()) } else { out.write_all(b"\n\\ No newline at end of file\n") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hunks_are_those_of_diff() {
        let old: String = (0..30).map(|i| format!("line {i}\n")).collect();
        let new = old.replace("line 4\n", "LINE 4\n").replace("line 9\n", "LINE 9\n");
        let new = new.replace("line 29\n", "LINE 29");
        let mut out = vec![];
        Diff::new("x".to_owned())
            .write(&mut out, 1, old.as_bytes(), new.as_bytes(), LinePairing::Paired)
            .expect("memory should not fail");
        let text = String::from_utf8(out).expect("a diff should be UTF-8");
        let heads: Vec<_> = text.lines().filter(|l| l.starts_with("@@")).collect();
        assert_eq!(heads, ["@@ -2,12 +2,12 @@", "@@ -27,4 +27,4 @@"]);
        assert!(text.ends_with("-line 29\n+LINE 29\n\\ No newline at end of file\n"));
        assert_eq!(text.matches("\n-").count(), 3);
    }
}
