//! Checks `testdata/requirements.toml`, which lists the tests of each requirement of the standards.
//!
//! It checks that the tests, vectors and cases exist, by name. Whether they really test the
//! requirement is for readers to judge.

use std::{
    collections::{BTreeMap, BTreeSet},
    format, fs,
    path::Path,
    string::String,
    vec::Vec,
};

use super::cases;

#[derive(serde::Deserialize)]
struct File {
    requirement: Vec<Requirement>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Requirement {
    number: u32,
    subject: String,
    #[serde(default)]
    tests: Vec<String>,
    #[serde(default)]
    vectors: Vec<String>,
    #[serde(default)]
    cases: Vec<String>,
    because: Option<String>,
}

/// The number of requirements.
const COUNT: u32 = 116;

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Returns the names of the tests that run in a file. In a transcript of the command these are its
/// titles; in Rust, each `fn` whose attributes hold `#[test]` and no `#[ignore`.
fn tests(source: &str) -> BTreeSet<&str> {
    let (mut names, mut test, mut ignored) = (BTreeSet::new(), false, false);
    for line in source.lines().map(str::trim_start) {
        names.extend(line.strip_prefix("## "));
        if line.starts_with("#[") {
            test |= line.starts_with("#[test]");
            ignored |= line.starts_with("#[ignore");
        } else if let Some(rest) = line.strip_prefix("fn ") {
            let name = rest.split('(').next().unwrap_or_default();
            names.extend((test && !ignored).then_some(name));
            (test, ignored) = (false, false);
        } else if !line.starts_with("//") {
            (test, ignored) = (false, false);
        }
    }
    names
}

#[test]
fn every_requirement_is_tested_or_explained() {
    let file: File = toml::from_str(&read("testdata/requirements.toml")).expect("valid TOML");
    let mut faults = Vec::new();

    let mut times = BTreeMap::<u32, usize>::new();
    for requirement in &file.requirement {
        *times.entry(requirement.number).or_default() += 1;
    }
    for number in 1..=COUNT {
        match times.remove(&number).unwrap_or_default() {
            1 => {}
            n => faults.push(format!("{number} is listed {n} times")),
        }
    }
    faults.extend(times.keys().map(|number| format!("there is no requirement {number}")));

    let vectors = read("testdata/reference/vectors.jsonl");
    let vectors: Vec<String> = vectors
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("a line of JSON"))
        .map(|vector| vector["id"].as_str().expect("an id").into())
        .collect();
    let cases: Vec<String> = cases::all().into_iter().map(|case| case.name).collect();
    let mut sources = BTreeMap::<&str, String>::new();
    for requirement in &file.requirement {
        for test in &requirement.tests {
            let (file, _) = test.split_once('#').unwrap_or((test, ""));
            sources.entry(file).or_insert_with(|| read(file));
        }
    }
    let sources: BTreeMap<&str, BTreeSet<&str>> =
        sources.iter().map(|(file, source)| (*file, tests(source))).collect();

    for Requirement { number, subject, tests, vectors: ids, cases: names, because } in
        &file.requirement
    {
        let mut fault = |what: String| faults.push(format!("{number}, {subject}: {what}"));
        if tests.is_empty() && ids.is_empty() && names.is_empty() && because.is_none() {
            fault("needs tests, vectors or cases, or a `because`".into());
        }
        if subject.is_empty() || because.as_ref().is_some_and(|because| because.len() < 20) {
            fault("needs a subject, and a `because` of at least 20 bytes".into());
        }
        for test in tests {
            let there =
                test.split_once('#').is_some_and(|(file, name)| sources[file].contains(name));
            if !there {
                fault(format!("no test {test}"));
            }
        }
        for (what, prefixes, all) in [("vector", ids, &vectors), ("case", names, &cases)] {
            for prefix in prefixes {
                if prefix.is_empty() || !all.iter().any(|one| one.starts_with(&**prefix)) {
                    fault(format!("no {what} {prefix}"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn only_tests_that_run_are_listed() {
    let source = "#[test]\nfn a() {\n}\n\n#[test]\n#[ignore = \"b\"]\nfn b() {}\nfn c() {}\n\
                  proptest! {\n    /// D.\n    #[test]\n    fn d(x in any::<u8>()) {\n    }\n}\n\
                  #[cfg(unix)]\n#[test]\n// Why.\nfn e() {\n    fn f() {}\n}\n";
    assert_eq!(tests(source).into_iter().collect::<Vec<_>>(), ["a", "d", "e"]);
}

/// If a comment of the library says `(case name)`, that case exists.
#[test]
fn every_case_named_in_a_comment_exists() {
    let known: BTreeSet<String> = cases::all().into_iter().map(|case| case.name).collect();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let folders = ["charset", "grammar", "engine", "engine/fast", "engine/machine"]
        .map(|name| source.join(name));
    let entries = folders.iter().flat_map(|f| fs::read_dir(f).expect("the folder should exist"));
    let mut named = 0;
    for entry in entries {
        let path = entry.expect("the folder should be readable").path();
        if path.is_dir() {
            continue;
        }
        let source = fs::read_to_string(&path).expect("a source should be text");
        let words = source.split_whitespace().filter(|word| !word.starts_with("//"));
        let text = words.collect::<Vec<_>>().join(" ");
        for list in ["(case ", "(cases "].iter().flat_map(|by| text.split(by).skip(1)) {
            let list = list.split(')').next().unwrap_or_default();
            for name in list.split(", ") {
                assert!(known.contains(name), "{}: no case {name}", path.display());
                named += 1;
            }
        }
    }
    assert!(named > 50, "only {named} cases are named in comments");
}
