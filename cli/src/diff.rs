//! `rewrite --diff`: what rewriting would change, as a unified diff.
//!
//! Knows lines and nothing of links. No link holds a line end, so both texts
//! have the same lines, one by one.

use std::io::{self, Write};

/// Lines shown before and behind a change.
const CONTEXT: usize = 3;

/// Writes the changes from `old` to `new`, decoded texts of equally many lines,
/// with `name` in the header; nothing if there are none.
pub(crate) fn write(out: &mut impl Write, name: &str, old: &str, new: &str) -> io::Result<()> {
    let old: Vec<&str> = old.split_inclusive('\n').collect();
    let new: Vec<&str> = new.split_inclusive('\n').collect();
    debug_assert_eq!(old.len(), new.len(), "rewriting should keep lines");
    let changed: Vec<usize> = (0..old.len().min(new.len())).filter(|&i| old[i] != new[i]).collect();
    let Some(&first) = changed.first() else { return Ok(()) };
    write!(out, "--- {name}\n+++ {name}\n")?;
    // Changes whose contexts touch share a hunk.
    let mut hunk = (first, first);
    for &line in &changed[1..] {
        if line - hunk.1 > 2 * CONTEXT {
            write_hunk(out, hunk, &old, &new)?;
            hunk.0 = line;
        }
        hunk.1 = line;
    }
    write_hunk(out, hunk, &old, &new)
}

fn write_hunk(
    out: &mut impl Write,
    (first, last): (usize, usize),
    old: &[&str],
    new: &[&str],
) -> io::Result<()> {
    let from = first.saturating_sub(CONTEXT);
    let to = (last + 1 + CONTEXT).min(old.len());
    writeln!(out, "@@ -{0},{1} +{0},{1} @@", from + 1, to - from)?;
    let mut at = from;
    while at < to {
        if old[at] == new[at] {
            write_line(out, ' ', old[at])?;
            at += 1;
            continue;
        }
        let run = (at..to).take_while(|&i| old[i] != new[i]).count();
        old[at..at + run].iter().try_for_each(|line| write_line(out, '-', line))?;
        new[at..at + run].iter().try_for_each(|line| write_line(out, '+', line))?;
        at += run;
    }
    Ok(())
}

fn write_line(out: &mut impl Write, sign: char, line: &str) -> io::Result<()> {
    write!(out, "{sign}{line}")?;
    if line.ends_with('\n') { Ok(()) } else { out.write_all(b"\n\\ No newline at end of file\n") }
}

#[cfg(test)]
mod tests {
    #[test]
    fn hunks_are_those_of_diff() {
        let old: String = (0..30).map(|i| format!("line {i}\n")).collect();
        let new = old.replace("line 4\n", "LINE 4\n").replace("line 9\n", "LINE 9\n");
        let new = new.replace("line 29\n", "LINE 29");
        let mut out = vec![];
        super::write(&mut out, "x", &old, &new).expect("memory should not fail");
        let text = String::from_utf8(out).expect("a diff should be UTF-8");
        let heads: Vec<_> = text.lines().filter(|l| l.starts_with("@@")).collect();
        assert_eq!(heads, ["@@ -2,12 +2,12 @@", "@@ -27,4 +27,4 @@"]);
        assert!(text.ends_with("-line 29\n+LINE 29\n\\ No newline at end of file\n"));
        assert_eq!(text.matches("\n-").count(), 3);
    }
}
