//! Writes what bindings and documents repeat of the library: the lists of options, from `Config::options`, of
//! fields of a link, from `Field::ALL`, and of formats, from `Format::ALL`. `iriscan-tables` runs it, once the
//! tables of the library are written.
//!
//! Each list is in a file that people write, between a line that ends with `generated: NAME` and one that
//! ends with `end of NAME`; in Markdown both are comments, `<!-- generated: NAME -->`.

mod fields;
mod formats;
mod languages;
mod options;

use std::{fs, path::Path, process::ExitCode};

/// A list: the file that has it, its name there, and its lines.
type List = (&'static str, &'static str, Vec<String>);

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let check = std::env::args().any(|a| a == "--check");
    let mut status = ExitCode::SUCCESS;
    let source = |name: &str| read(&root.join(name));
    let lists = options::lists().into_iter().chain(fields::lists(&source("src/links/field.rs")));
    let format_source = source("src/format/mod.rs");
    let lists = lists.chain(formats::lists(&format_source));
    // These read what the lists before them wrote.
    let after = || {
        languages::lists(&languages::Sources {
            c_options: &source("bindings/c/src/options.rs"),
            c_names: &source("bindings/c/src/names.rs"),
            stub: &source("bindings/python/python/iriscan/_iriscan.pyi"),
            types: &source("bindings/web/js/index.d.ts"),
        })
    };
    for (name, mark, lines) in lists.chain(core::iter::once_with(after).flatten()) {
        let path = root.join(name);
        let old = read(&path);
        let fresh = renewed(&old, mark, &lines).unwrap_or_else(|| panic!("{name}: no list {mark}"));
        if old == fresh {
            continue;
        }
        if check {
            eprintln!("iriscan-lists: {name}: {mark} is stale; run `cargo run -p iriscan-tables`");
            status = ExitCode::from(1);
        } else {
            fs::write(&path, fresh).unwrap_or_else(|e| panic!("{name}: {e}"));
        }
    }
    status
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The text with these lines in the list `mark`, indented as its first line is. `None`: no such list.
fn renewed(text: &str, mark: &str, lines: &[String]) -> Option<String> {
    let line = |end: String| -> Option<(usize, usize)> {
        let ends = [format!("{end}\n"), format!("{end} -->\n")];
        let (at, len) = ends.iter().find_map(|end| Some((text.find(end)?, end.len())))?;
        Some((text[..at].rfind('\n')? + 1, at + len))
    };
    let (first, from) = line(format!("generated: {mark}"))?;
    let (to, _) = line(format!("end of {mark}"))?;
    let indent: String = text[first..].chars().take_while(|c| *c == ' ').collect();
    let list: String =
        lines.iter().map(|line| format!("{}\n", [&*indent, line].concat().trim_end())).collect();
    Some([&text[..from], &list, text.get(to..)?].concat())
}

/// The documentation of an item of `source`, in one line: the comment before the line that begins with `start`.
fn documentation(source: &str, start: &str) -> String {
    let item = source.lines().position(|line| line.trim_start().starts_with(start));
    let item = item.unwrap_or_else(|| panic!("no {start:?}"));
    let before: Vec<_> = source.lines().take(item).map(str::trim_start).collect();
    let lines = before.iter().rev().skip_while(|line| line.starts_with("#["));
    let lines = lines.map_while(|line| line.strip_prefix("///"));
    let mut lines: Vec<_> = lines.map(str::trim).collect();
    lines.reverse();
    lines.join(" ")
}

/// Words with `between` after each but the last, in lines that are not much longer than 100 characters.
fn wrapped(words: impl IntoIterator<Item = String>, between: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in words {
        let line = lines.last_mut().expect("there is always a line");
        if line.is_empty() {
            line.push_str(&word);
        } else if line.len() + word.len() > 96 {
            line.push_str(between.trim_end());
            lines.push(word);
        } else {
            line.push_str(between);
            line.push_str(&word);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_list_changes() {
        let text = "a\n  // generated: b\n  old\n  // end of b\nc\n";
        let want = "a\n  // generated: b\n  x\n  y\n  // end of b\nc\n";
        let lines = ["x".to_owned(), "y".to_owned()];
        assert_eq!(renewed(text, "b", &lines).as_deref(), Some(want));
        assert_eq!(renewed(want, "b", &lines).as_deref(), Some(want));
        assert_eq!(renewed(text, "c", &lines), None);
        let page = "a\n<!-- generated: b -->\nold\n<!-- end of b -->\n";
        let want = "a\n<!-- generated: b -->\nx\ny\n<!-- end of b -->\n";
        assert_eq!(renewed(page, "b", &lines).as_deref(), Some(want));
    }

    #[test]
    fn no_word_is_lost() {
        let words: Vec<String> = (0..99).map(|n| n.to_string()).collect();
        let lines = wrapped(words.clone(), ", ");
        assert!(lines.len() > 3 && lines.iter().all(|line| line.len() < 101));
        assert_eq!(lines.join(" "), words.join(", "));
    }
}
