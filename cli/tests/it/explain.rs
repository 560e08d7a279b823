//! `iriscan explain`: what it says, to people and to programs.

use serde_json::Value;

use crate::common::{Done, command, iriscan};

/// What `explain` says of a text given as an argument.
fn explain(args: &[&str]) -> Done {
    let mut command = command(["explain"]);
    command.args(args);
    Done::of(command, b"")
}

/// The first record of a text.
fn record(args: &[&str]) -> Value {
    let out = explain(&[&["--json"], args].concat()).stdout;
    let line = String::from_utf8(out).unwrap().lines().next().unwrap_or_default().to_owned();
    serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line}"))
}

#[test]
fn a_link_shows_what_ended_it_and_what_it_would_be_without() {
    explain(&["見てhttp://a.example/b。次"]).exits(0).quiet().writes(concat!(
        "見てhttp://a.example/b。次\n",
        "    ~~~~~~~~~~~~~~~~~~^\n",
        "  a link (iri): begins by glued-start\n",
        "    A link may follow any character directly.\n",
        "  ends before 。 (U+3002), by east-asian-punctuation\n",
        "    East Asian punctuation ends a link without a space.\n",
        "    without that: http://a.example/b。次\n\n",
    ));
}

#[test]
fn what_is_no_link_shows_the_rule_and_what_would_make_it_one() {
    let why = record(&["--kinds", "iri,bare", "see example.zip"]);
    assert_eq!(why["link"], false, "{why}");
    assert_eq!(why["refused"]["rule"], "bare-file-ending", "{why}");
    assert_eq!(why["refused"]["texts"][0], "https://example.zip", "{why}");
    let why = record(&["see example.com"]);
    assert_eq!(why["refused"]["rule"], "kind-not-asked", "{why}");
    assert_eq!(why["refused"]["options"][0], "--kinds iri,bare", "{why}");
    let why = record(&["foo://a.example"]);
    assert_eq!(why["refused"]["options"][0], "--schemes any", "{why}");
}

#[test]
fn offsets_are_bytes_of_the_source_in_every_charset() {
    let text: Vec<u8> =
        "é http://a.example/b。次".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let out = iriscan("explain --json --charset utf-16le", text).exits(0).quiet().stdout;
    let why: Value = serde_json::from_slice(&out).unwrap();
    assert_eq!((&why["start"], &why["end"]), (&4.into(), &40.into()), "{why}");
    assert_eq!(why["ended"]["character"], "。", "{why}");
}

#[test]
fn the_status_says_whether_there_is_a_link() {
    explain(&["nothing"]).exits(1).quiet().writes("nothing here looks like a link\n");
    iriscan("explain", "").exits(1).quiet().writes("nothing here looks like a link\n");
    explain(&["--json", "nothing"]).exits(1).quiet().writes("");
    explain(&["--kinds", "iri,bare", "a.zip"]).exits(1).quiet();
}

#[test]
fn controls_of_a_text_do_not_reach_the_terminal() {
    let out =
        explain(&["--color", "never", "\u{1b}[31mhttp://a.example/\u{1b}]0;t\u{7}\u{202e}"]).stdout;
    let out = String::from_utf8(out).unwrap();
    assert!(!out.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{out:?}");
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
fn a_page_is_explained_as_a_page() {
    let page = "<a href='http://a.example/é'>http://a.example/?b&amp;c.</a><!-- http://b.example -->\
                <a href=javascript:x>";
    let out = iriscan("explain --json --format html", page).exits(0).quiet().stdout;
    let all: Vec<Value> =
        serde_json::Deserializer::from_slice(&out).into_iter().collect::<Result<_, _>>().unwrap();
    assert_eq!(all.len(), 3, "{all:?}");
    assert_eq!(all[0]["ended"]["rule"], "whole-value", "{all:?}");
    assert_eq!(all[1]["text"], "http://a.example/?b&c", "{all:?}");
    assert_eq!(all[1]["ended"]["rule"], "trailing-punctuation", "{all:?}");
    assert_eq!(all[2]["refused"]["rule"], "scheme-of-code", "{all:?}");
    iriscan("explain --format sniff", "<!doctype html><a href=a>").exits(0).quiet();
}

#[test]
fn mail_is_refused() {
    for format in ["mail", "warc"] {
        let done = explain(&["--format", format, "x"]).exits(2);
        assert!(done.stderr.contains("no mail"), "{}", done.stderr);
    }
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
