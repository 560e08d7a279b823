//! `iriscan check`: hostile lines, and the help.

use std::time::{Duration, Instant};

use crate::common::{Done, command, iriscan};

// ---- Warnings ----

#[test]
fn help_lists_every_warning_and_kind() {
    let help = String::from_utf8(iriscan("check --help", "").exits(0).quiet().stdout).unwrap();
    for warning in iriscan::Warning::ALL {
        assert!(help.contains(warning.as_str()), "{warning} should be in\n{help}");
    }
    for word in [
        "iriscan check [OPTIONS] [REFERENCE]...\n",
        "--kind",
        "--json",
        "iri-reference",
        "absolute-iri",
        "leiri",
        "Exit status: 0 all valid, 1 one is not, 2 trouble",
    ] {
        assert!(help.contains(word), "{word:?} should be in\n{help}");
    }
    // The example of its documentation.
    let done = Done::of(command(["check", "http://example.org/a b"]), b"").exits(1);
    assert!(String::from_utf8(done.stdout).unwrap().contains("byte 20: a path cannot hold ' '"));
}

// ---- For people ----

#[test]
fn a_hostile_line_of_2_mb_takes_linear_time() {
    for (head, piece) in [
        ("http://h/", "é"),
        ("http://h/", "aא/"),
        ("http://h/", "%FF"),
        ("http://h/ب", "\u{301}\u{200C}"),
        ("http://", "é."),
        ("http://", "a@"),
        ("", "\u{202E}"),
        ("", "["),
    ] {
        let line = [head, &*piece.repeat(2_000_000 / piece.len())].concat();
        let began = Instant::now();
        let done = iriscan("check --json", &line).quiet();
        assert_eq!(done.stdout.last(), Some(&b'\n'), "{head}{piece}");
        assert!(began.elapsed() < Duration::from_secs(10), "{head}{piece}: {:?}", began.elapsed());
    }
}
