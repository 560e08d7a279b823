//! `iriscan explain`: its rules, and names of files.

use crate::common::{Done, command};

/// What `explain` says of a text given as an argument.
fn explain(args: &[&str]) -> Done {
    let mut command = command(["explain"]);
    command.args(args);
    Done::of(command, b"")
}

#[test]
fn the_name_of_a_file_is_answered_with_how_to_read_it() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let done = explain(&[file]);
    assert!(
        done.stderr.contains("explained as a text, though a file has this name"),
        "{}",
        done.stderr
    );
    assert!(done.stderr.contains("iriscan explain < "), "{}", done.stderr);
}

#[test]
fn the_list_of_rules_has_all() {
    let out = explain(&["--rules-list"]).exits(0).quiet().stdout;
    let out = String::from_utf8(out).unwrap();
    for rule in iriscan::Rule::ALL {
        assert!(out.lines().any(|line| line.starts_with(&format!("{} ", rule.name()))), "{rule:?}");
    }
    assert_eq!(
        explain(&["--rules-list", "--json"]).stdout.split(|b| *b == b'\n').count() - 1,
        iriscan::Rule::ALL.len()
    );
}
