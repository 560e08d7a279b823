//! `iriscan explain`: its rules, and names of files.

use crate::common::{Done, command};

/// What `explain` says of a text given as an argument.
fn explain(args: &[&str]) -> Done {
    let mut command = command(["explain"]);
    command.args(args);
    Done::of(command, b"")
}

#[test]
fn the_list_of_rules_has_all() {
    let out = explain(&["--rules-list"]).exits(0).quiet().stdout;
    let out = String::from_utf8(out).unwrap();
    for rule in iriscan::Rule::ALL {
        assert!(
            out.lines().any(|line| line.starts_with(&format!("{} ", rule.as_str()))),
            "{rule:?}"
        );
    }
    assert_eq!(
        explain(&["--rules-list", "--json"]).stdout.split(|b| *b == b'\n').count() - 1,
        iriscan::Rule::ALL.len()
    );
}
