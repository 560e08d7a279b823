//! Checks the dependencies: their licences and sources must be those of deny.toml. Here and
//! not by `cargo deny`, which takes minutes to build. See docs/release.md.

use std::{collections::BTreeSet, env, path::Path, process::Command};

use serde_json::Value;

/// True if an SPDX expression can be met with the `allowed` licences alone. `/` is an old
/// form of OR; AND binds more tightly.
fn permitted(expression: &str, allowed: &BTreeSet<&str>) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let (answer, rest) = any(&words, allowed);
    assert_eq!(rest, [""; 0], "in {expression}");
    answer
}

fn any<'w, 'e>(words: &'w [&'e str], allowed: &BTreeSet<&str>) -> (bool, &'w [&'e str]) {
    let (mut answer, mut rest) = all(words, allowed);
    while let ["OR", behind @ ..] = rest {
        let (other, behind) = all(behind, allowed);
        (answer, rest) = (answer | other, behind);
    }
    (answer, rest)
}

fn all<'w, 'e>(words: &'w [&'e str], allowed: &BTreeSet<&str>) -> (bool, &'w [&'e str]) {
    let (mut answer, mut rest) = one(words, allowed);
    while let ["AND", behind @ ..] = rest {
        let (other, behind) = one(behind, allowed);
        (answer, rest) = (answer & other, behind);
    }
    (answer, rest)
}

fn one<'w, 'e>(words: &'w [&'e str], allowed: &BTreeSet<&str>) -> (bool, &'w [&'e str]) {
    match words {
        ["(", inner @ ..] => {
            let (answer, rest) = any(inner, allowed);
            assert_eq!(rest.first(), Some(&")"));
            (answer, &rest[1..])
        }
        // A licence with an exception has a name of its own in the list.
        [licence, "WITH", exception, rest @ ..] => {
            (allowed.contains(format!("{licence} WITH {exception}").as_str()), rest)
        }
        [licence, rest @ ..] => (allowed.contains(licence), rest),
        [] => panic!("a licence should be named"),
    }
}

/// The packages that a release is built of, by cargo's metadata: all but those that only
/// tests need.
fn shipped(metadata: &Value) -> BTreeSet<&str> {
    let nodes = metadata["resolve"]["nodes"].as_array().unwrap();
    let members = metadata["workspace_members"].as_array().unwrap();
    let mut shipped = BTreeSet::new();
    let mut open: Vec<&str> = members.iter().map(|id| id.as_str().unwrap()).collect();
    while let Some(id) = open.pop() {
        if !shipped.insert(id) {
            continue;
        }
        let node = nodes.iter().find(|node| node["id"] == id).unwrap();
        for dependency in node["deps"].as_array().unwrap() {
            let kinds = dependency["dep_kinds"].as_array().unwrap();
            if kinds.iter().any(|kind| kind["kind"] != "dev") {
                open.push(dependency["pkg"].as_str().unwrap());
            }
        }
    }
    shipped
}

#[test]
fn licences_and_sources_are_those_of_deny_toml() {
    let deny: toml::Table = include_str!("../../../deny.toml").parse().unwrap();
    let allow = deny["licenses"]["allow"].as_array().unwrap();
    let allowed = allow.iter().map(|licence| licence.as_str().unwrap()).collect();

    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let metadata = ["metadata", "--format-version", "1", "--locked", "--all-features"];
    let output = Command::new(cargo).args(metadata).current_dir(root).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let memchr = packages.iter().find(|package| package["name"] == "memchr").unwrap();
    let registry = &memchr["source"];
    assert!(registry.as_str().unwrap().starts_with("registry+"), "{registry}");

    let shipped = shipped(&metadata);
    assert!(shipped.len() > 50, "{} packages", shipped.len());
    for package in packages {
        let name = format!("{} {}", package["name"], package["version"]);
        if shipped.contains(package["id"].as_str().unwrap()) {
            let licence = package["license"].as_str();
            let licence = licence.unwrap_or_else(|| panic!("{name} names no licence"));
            assert!(permitted(licence, &allowed), "{name}: {licence}");
        }
        // Packages of this workspace have no source. No package is from git or another registry.
        let source = &package["source"];
        assert!(source.is_null() || source == registry, "{name}: {source}");
    }
    let peers: toml::Table = include_str!("../../../peers/Cargo.lock").parse().unwrap();
    for package in peers["package"].as_array().unwrap() {
        let source = package.get("source").and_then(toml::Value::as_str);
        assert!(source.is_none_or(|source| registry == source), "{package}");
    }
}

#[test]
fn expressions_of_licences_are_read() {
    let allowed = BTreeSet::from(["MIT", "Zlib", "Apache-2.0 WITH LLVM-exception"]);
    for yes in ["MIT", "GPL-3.0 OR MIT", "Unlicense/MIT", "(GPL-3.0 OR MIT) AND Zlib"] {
        assert!(permitted(yes, &allowed), "{yes}");
    }
    for no in ["GPL-3.0", "MIT AND GPL-3.0", "Apache-2.0", "MIT AND (GPL-3.0 OR ISC)"] {
        assert!(!permitted(no, &allowed), "{no}");
    }
    assert!(permitted("Apache-2.0 WITH LLVM-exception AND MIT OR ISC", &allowed));
}
