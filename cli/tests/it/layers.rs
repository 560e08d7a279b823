//! The layers of cli/src and of documents/src: each part imports only the parts before it, and no two
//! files import each other, directly or through others.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// The parts of documents/src, lowest first, as the documentation of lib.rs shows them.
const DOCUMENTS: [&str; 17] = [
    "seams",
    "codecs",
    "members",
    "archive",
    "content",
    "compressed",
    "random",
    "container",
    "mail",
    "note",
    "repack",
    "texts",
    "charset",
    "open",
    "links",
    "rewriter",
    "lib",
];

/// The parts of cli/src, lowest first, as the documentation of main.rs shows them.
const ORDER: [&str; 9] =
    ["files", "messages", "args", "output", "inputs", "ordered", "printers", "commands", "main"];

/// The files of a folder and of those in it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let all = entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] });
    all.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

/// The module of a file, such as `printers::json`.
fn module(source: &Path, file: &Path) -> String {
    let name = file.strip_prefix(source).unwrap().with_extension("");
    let parts: Vec<_> = name.iter().map(|part| part.to_str().unwrap()).collect();
    parts.join("::").trim_end_matches("::mod").to_owned()
}

/// The paths in a tree of imports: `{a::{b, c}, d}` has `a::b`, `a::c` and `d`.
fn expand(tree: &str) -> Vec<String> {
    let (mut depth, mut start, mut items) = (0, 0, Vec::new());
    for (at, c) in tree.char_indices().chain([(tree.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                items.push(tree[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    let each = items.into_iter().filter(|item| !item.is_empty()).flat_map(|item| {
        match item.split_once('{') {
            Some((prefix, inner)) => {
                let inner = expand(inner.trim_end().trim_end_matches('}'));
                inner.into_iter().map(|path| format!("{prefix}{path}")).collect()
            }
            None => vec![item.to_owned()],
        }
    });
    each.collect()
}

/// The modules that `text`, the file of `from`, imports, of those that are `known`.
fn imports(from: &str, text: &str, known: &BTreeSet<String>) -> BTreeSet<String> {
    let code: String = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let parent = from.rsplit_once("::").map_or("", |(parent, _)| parent);
    let mut found = BTreeSet::new();
    for (root, base) in [("crate::", ""), ("super::", parent), ("self::", from)] {
        for (at, _) in code.match_indices(root) {
            let rest = &code[at + root.len()..];
            // In `use`, up to the semicolon; elsewhere, the path itself.
            let end = rest.find(|c: char| !c.is_alphanumeric() && !"_:".contains(c));
            let tree = match rest.starts_with('{') || rest[..end.unwrap_or(0)].ends_with("::") {
                true => &rest[..rest.find(';').unwrap_or(rest.len())],
                false => &rest[..end.unwrap_or(rest.len())],
            };
            for path in expand(tree) {
                let mut path = format!("{base}::{path}").trim_start_matches(':').to_owned();
                while !path.is_empty() && !known.contains(&path) {
                    path.truncate(path.rfind("::").unwrap_or(0));
                }
                found.insert(path);
            }
        }
    }
    found.retain(|to| !to.is_empty() && to != from);
    found
}

#[test]
fn no_part_imports_a_later_one_and_no_files_each_other() {
    let cli = Path::new(env!("CARGO_MANIFEST_DIR"));
    check(&cli.join("src"), &ORDER, 100);
    check(&cli.join("../documents/src"), &DOCUMENTS, 15);
}

/// Checks the files in `source`, which has the parts `order`. There must be more imports than `least`.
fn check(source: &Path, order: &[&str], least: usize) {
    let files = files(source);
    let known: BTreeSet<String> = files.iter().map(|file| module(source, file)).collect();
    let mut graph = BTreeMap::new();
    for file in &files {
        let (from, text) = (module(source, file), fs::read_to_string(file).unwrap());
        // Unit tests may use any part.
        let text = text.split("mod tests {").next().unwrap();
        let to = imports(&from, text, &known);
        let rank = |name: &str| {
            let part = name.split("::").next().unwrap();
            order.iter().position(|known| *known == part).unwrap_or_else(|| panic!("{part}"))
        };
        for to in &to {
            assert!(rank(to) <= rank(&from), "{from} imports {to}, which is a later part");
        }
        graph.insert(from, to);
    }
    assert!(graph.values().map(BTreeSet::len).sum::<usize>() > least, "imports should be seen");
    // Files that import nothing of the rest are removed until only circles are left.
    while let Some(leaf) = graph.iter().find(|(_, to)| to.is_empty()).map(|(from, _)| from.clone())
    {
        graph.remove(&leaf);
        graph.values_mut().for_each(|to| _ = to.remove(&leaf));
    }
    assert!(graph.is_empty(), "these files import each other: {graph:#?}");
}
