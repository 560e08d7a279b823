//! Checks which file may import which: the layers of ARCHITECTURE.md.
//!
//! The test reads the imports of every file of the library. Two things must hold: a folder imports
//! only folders that [`LAYERS`] allows, and no file imports itself through other files.

use std::{
    collections::{BTreeMap, BTreeSet},
    format, fs,
    path::Path,
    string::{String, ToString},
    vec::Vec,
};

/// Each folder of `src`, and the folders that it may import.
const LAYERS: [(&str, &[&str]); 10] = [
    ("data", &[]),
    ("simd", &[]),
    ("charset", &["data", "simd"]),
    ("reference", &["data", "charset"]),
    ("grammar", &["data", "simd", "charset", "reference"]),
    ("links", &["data", "charset", "reference", "grammar"]),
    ("engine", &["data", "simd", "charset", "reference", "grammar", "links"]),
    ("format", &["data", "simd", "charset", "reference", "grammar", "links", "engine"]),
    ("api", &["data", "charset", "reference", "grammar", "links", "engine", "format"]),
    ("mail", &["data", "charset", "reference", "grammar", "links", "engine", "format", "api"]),
];

/// Returns the source of each file by its module path (`engine/fast`), without tests and comments.
fn sources(folder: &Path, prefix: &str, found: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).expect("the sources should be there") {
        let path = entry.expect("the folder should be readable").path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        match path.is_dir() {
            true if name != "tests" => sources(&path, &format!("{prefix}{name}/"), found),
            false if !["tests", "lib"].contains(&&*name) => {
                let text = fs::read_to_string(&path).expect("a source should be readable");
                let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
                let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
                let module = match &*name {
                    "mod" => prefix.trim_end_matches('/').to_string(),
                    _ => format!("{prefix}{name}"),
                };
                found.insert(module, lines.collect::<Vec<_>>().join("\n"));
            }
            _ => {}
        }
    }
}

/// The files that make something of a list of `format/mod.rs`: by these macros they import what the list names.
const LISTS: [(&str, &str); 2] = [("format/table", "formats"), ("format/any_lexer", "lexers")];

/// Adds to the code of each file of [`LISTS`] its list.
fn write_out_lists(all: &mut BTreeMap<String, String>) {
    for (module, list) in LISTS {
        let code = all["format"].split_once(&format!("macro_rules! {list} {{"));
        let (list, _) = code.and_then(|(_, rest)| rest.split_once("\n}\n")).expect("a list");
        let list = list.to_string();
        all.get_mut(module).expect("a file").push_str(&list);
    }
}

/// Writes out the paths in the `{…}` of an import: `a::{b, c::d}` becomes `a::b` and `a::c::d`.
fn expand(tree: &str, prefix: &str, paths: &mut Vec<String>) {
    let Some((head, inner)) = tree.split_once('{') else {
        paths.push(format!("{prefix}{}", tree.trim()));
        return;
    };
    let inner = inner.trim_end().trim_end_matches('}');
    let (mut depth, mut from) = (0, 0);
    for (at, c) in inner.char_indices().chain([(inner.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let part = inner[from..at].trim();
                if !part.is_empty() {
                    expand(part, &format!("{prefix}{}", head.trim()), paths);
                }
                from = at + 1;
            }
            _ => {}
        }
    }
}

/// Returns the modules whose items the code of `module` names.
fn imports(module: &str, code: &str, all: &BTreeMap<String, String>) -> BTreeSet<String> {
    let mut paths = Vec::new();
    for (at, start) in code.match_indices("crate::").chain(code.match_indices("super::")) {
        let end = |c: char| !(c.is_alphanumeric() || "_:".contains(c));
        let rest = &code[at..];
        let len = rest.find(end).unwrap_or(rest.len());
        let is_tree = rest[len..].starts_with('{') && rest[..len].ends_with("::");
        let path = if is_tree { &rest[..rest.find(';').unwrap_or(len)] } else { &rest[..len] };
        if !code[..at].ends_with("::") && !start.is_empty() {
            expand(path, "", &mut paths);
        }
    }
    // A module names its children without `crate` or `super`.
    for child in all.keys().filter_map(|other| other.strip_prefix(&format!("{module}/"))) {
        if code.contains(&format!("use {child}::"))
            || code.contains(&format!("use self::{{{child}::"))
        {
            paths.push(format!("crate::{module}/{child}"));
        }
    }
    let parent = module.rsplit_once('/').map_or("", |(parent, _)| parent);
    let resolve = |path: &String| {
        let path = match path.strip_prefix("super::") {
            Some(rest) => format!("{parent}/{}", rest.replace("::", "/")),
            None => path.strip_prefix("crate::")?.replace("::", "/"),
        };
        // The longest part of the path that is a module; the rest names items of it.
        let ends =
            (0..=path.len()).filter(|end| path[*end..].starts_with('/') || *end == path.len());
        ends.map(|end| path[..end].to_string()).rfind(|path| all.contains_key(path))
    };
    paths.iter().filter_map(resolve).filter(|import| import != module).collect()
}

#[test]
fn imports_follow_the_layers() {
    let mut all = BTreeMap::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut all);
    write_out_lists(&mut all);
    assert!(imports("format/table", &all["format/table"], &all).contains("format/man/row"));
    let graph: BTreeMap<_, _> =
        all.iter().map(|(module, code)| (module.clone(), imports(module, code, &all))).collect();
    assert!(
        graph.values().map(BTreeSet::len).sum::<usize>() > 200,
        "the test should recognise the imports"
    );
    let layer = |module: &str| module.split('/').next().unwrap_or_default().to_string();
    for (module, imports) in &graph {
        let (_, allowed) = LAYERS
            .iter()
            .find(|(name, _)| **name == layer(module))
            .unwrap_or_else(|| panic!("src/{module} is in no layer: add its folder to LAYERS"));
        for import in imports.iter().map(|import| (import, layer(import))) {
            let fine = import.1 == layer(module) || allowed.contains(&&*import.1);
            assert!(fine, "src/{module} must not import src/{}: see LAYERS", import.0);
        }
    }
    // No file may reach itself, directly or through other files.
    for module in graph.keys() {
        let (mut seen, mut next) = (BTreeSet::new(), Vec::from_iter(&graph[module]));
        while let Some(import) = next.pop() {
            assert_ne!(import, module, "src/{module} imports itself through {seen:?}");
            if seen.insert(import) {
                next.extend(&graph[import]);
            }
        }
    }
}

/// Files outside the folders of formats that name one, and why.
const NAME_FORMATS: [&str; 11] = [
    "format/markup/writer",      // What HTML and XML share.
    "format/slot",               // Targets of AsciiDoc have no escapes.
    "format/slot/writer",        // The characters that markup and style sheets do not have.
    "mail/find",                 // Parts in HTML have a finder of their own.
    "mail/types",                // The types of parts.
    "documents/src/container",   // What is XML only in office documents.
    "documents/src/content",     // Harmless links are read in plain text.
    "documents/src/open",        // HTML that declares no charset is not read as UTF-8.
    "cli/src/args/values",       // The formats that an option is for.
    "cli/src/inputs/open",       // The same, once the file is open.
    "cli/src/printers/readable", // Markup is shown with references around it.
];

/// True if code names a format by its variant, other than [`Format::Text`](crate::Format::Text).
fn names_format(code: &str) -> bool {
    code.match_indices("Format::").any(|(at, word)| {
        let before = code[..at].chars().next_back();
        let after = &code[at + word.len()..];
        let is_variant = after.starts_with(|c: char| c.is_ascii_uppercase());
        let is_another = before.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let is_for_all = ["Text", "ALL", "NAMES"].iter().any(|all| after.starts_with(all));
        is_variant && !is_another && !is_for_all
    })
}

/// What is special of a format is in its folder: elsewhere its row is asked, also by the crates `documents` and `cli`.
#[test]
fn only_the_folder_of_a_format_names_it() {
    let mut all = BTreeMap::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    sources(&root.join("src"), "", &mut all);
    for folder in ["documents/src", "cli/src"] {
        sources(&root.join(folder), &format!("{folder}/"), &mut all);
    }
    let is_row = |module: &str| module.starts_with("format/") && module.ends_with("/row");
    let named = all.iter().filter(|(_, code)| names_format(code)).map(|(module, _)| &**module);
    let named: BTreeSet<_> =
        named.filter(|module| !is_row(module) && *module != "format").collect();
    assert_eq!(
        named,
        BTreeSet::from(NAME_FORMATS),
        "ask the row of the format (src/format/row.rs)"
    );
}
