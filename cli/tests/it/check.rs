//! `iriscan check`: verdicts and records.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::{Done, command, iriscan};

/// The record of one line.
fn record(args: &str, line: &str) -> Value {
    iriscan(&format!("check --json {args}"), format!("{line}\n")).quiet().record()
}

fn warnings(line: &str) -> Value {
    record("", line)["warnings"].clone()
}

// ---- Records ----

#[test]
fn a_record_has_every_field_in_the_order_of_the_contract() {
    iriscan("check --json", "HTTP://ü:p@例え.jp:080/パス?q=é#f\n").exits(0).quiet().writes(
        concat!(
            r#"{"input":"HTTP://ü:p@例え.jp:080/パス?q=é#f","valid":true,"error":null,"#,
            r#""components":{"scheme":"HTTP","userinfo":"ü:p","host":"例え.jp","port":"080","#,
            r#""path":"/パス","query":"q=é","fragment":"f"},"warnings":["userinfo"]}"#,
            "\n"
        ),
    );
}

#[test]
fn absent_components_are_null_and_the_path_is_never() {
    let null = json!({"scheme": null, "userinfo": null, "host": null, "port": null,
        "path": "", "query": null, "fragment": null});
    for (line, some) in [
        ("", json!({})),
        ("a", json!({"path": "a"})),
        ("?", json!({"query": ""})),
        ("#", json!({"fragment": ""})),
        ("//", json!({"host": ""})),
        ("//@:", json!({"userinfo": "", "host": "", "port": ""})),
        ("urn:a:b", json!({"scheme": "urn", "path": "a:b"})),
        ("//[::1]", json!({"host": "[::1]"})),
        // References that are not valid are divided at their delimiters.
        ("http://h:8x/%zz", json!({"scheme": "http", "host": "h", "port": "8x", "path": "/%zz"})),
    ] {
        let mut want = null.clone();
        want.as_object_mut().unwrap().extend(some.as_object().unwrap().clone());
        assert_eq!(record("", line)["components"], want, "{line}");
    }
}

#[test]
fn an_error_has_its_offset_in_bytes_and_a_message() {
    for (line, offset, words) in [
        ("http://例え.jp/日 本", 20, "a path cannot hold ' '; percent-encode it as %20"),
        ("a%zz", 1, "two hexadecimal digits"),
        ("é:b", 2, "put \"./\" before it"),
        ("http://h:8x/", 10, "digit of the port"),
        ("http://[::1", 8, "IPv6"),
        ("😀[", 4, "%5B"),
        // White space before and after a reference is an error and is not removed.
        ("http://h/a \t", 10, "white space at the end"),
        ("http://h ", 8, "white space at the end"),
        ("http://h:80 ", 11, "white space at the end"),
        ("http://[::1] ", 12, "white space at the end"),
        (" http://h/a", 0, "white space at the start"),
        ("http://h/ \u{202C}", 9, "white space at the end"),
        ("\u{202A}http://h/\u{202C}", 7, "bidi formatting character '\\u{202a}' at the start"),
        ("a b ", 1, "percent-encode it as %20"),
    ] {
        let record = record("", line);
        assert_eq!(record["valid"], false, "{line}");
        assert_eq!(record["error"]["offset"], offset, "{line}");
        let message = record["error"]["message"].as_str().unwrap();
        assert!(message.contains(words), "{line}: {message}");
        let keys: Vec<_> = record["error"].as_object().unwrap().keys().collect();
        assert_eq!(keys, ["offset", "message"]);
    }
}

#[test]
fn a_line_that_is_not_utf_8_is_given_as_bytes_and_is_invalid() {
    let done = iriscan("check --json", b"a\nM\xE4rz\nb\n").exits(1).quiet();
    let records = done.records();
    assert_eq!(records.len(), 3);
    assert_eq!(records[1]["input_bytes"], "TeRyeg==");
    assert!(records[1].get("input").is_none());
    assert_eq!((&records[1]["valid"], &records[1]["error"]["offset"]), (&json!(false), &json!(1)));
    assert_eq!(records[1]["components"]["path"], "");
    assert_eq!(records[1]["components"]["host"], Value::Null);
    assert_eq!(records[1]["warnings"], json!([]));
    assert_eq!((&records[0]["valid"], &records[2]["valid"]), (&json!(true), &json!(true)));
    iriscan("check", b"M\xE4rz\n").exits(1).quiet();
}

#[test]
fn records_are_one_per_line_and_argument() {
    let done = iriscan("check --json", "a\r\n\r\n\nb c").exits(1).quiet();
    let inputs: Vec<Value> = done.records().iter().map(|r| r["input"].clone()).collect();
    assert_eq!(inputs, ["a", "", "", "b c"]);
    iriscan("check --json", "").exits(0).quiet().writes("");
    let done = Done::of(command(["check", "--json", "a", "", "--", "-b"]), b"not read\n");
    assert_eq!(done.exits(0).quiet().records().len(), 3);
    // A record is one line, even if the reference contains line ends.
    let done = Done::of(command(["check", "--json", "a\nb\u{2028}\"\\"]), b"").exits(1).quiet();
    assert_eq!(done.record()["input"], "a\nb\u{2028}\"\\");
}

// ---- Kinds ----

#[test]
fn each_kind_is_its_grammar() {
    let kinds = ["iri-reference", "iri", "absolute-iri", "uri-reference", "uri", "leiri"];
    for (line, by) in [
        ("http://h/", "iri-reference iri absolute-iri uri-reference uri leiri"),
        ("http://h/#f", "iri-reference iri uri-reference uri leiri"),
        ("a", "iri-reference uri-reference leiri"),
        ("", "iri-reference uri-reference leiri"),
        ("http://h/é", "iri-reference iri absolute-iri leiri"),
        ("é#f", "iri-reference leiri"),
        ("http://h/a b", "leiri"),
        ("http://h/?\u{E000}", "iri-reference iri absolute-iri leiri"),
        ("http://h/\u{E000}", "leiri"),
        ("http://h/%zz", ""),
        ("1:b", ""),
    ] {
        for kind in kinds {
            let valid = by.split(' ').any(|word| word == kind);
            let done = iriscan(&format!("check --json --kind {kind}"), format!("{line}\n"));
            let done = done.exits(i32::from(!valid)).quiet();
            assert_eq!(done.record()["valid"], valid, "{line:?} {kind}");
        }
        let valid = by.contains("iri-reference");
        assert_eq!(record("", line)["valid"], valid, "{line:?} by default");
    }
}

#[test]
fn valid_is_the_grammar_alone() {
    for line in ["http://h/\u{202E}", "http://h/aא", "http://\u{AD}/", "http://999.1.1.1:99999/"] {
        assert_eq!(record("", line)["valid"], true, "{line:?}");
    }
}

#[test]
fn the_exit_says_whether_one_line_is_invalid() {
    for (input, code) in [
        ("", 0),
        ("\n", 0),
        ("a\nhttp://h/é\n", 0),
        ("a b\n", 1),
        ("a\na b\nc\n", 1),
        ("a\na b", 1),
        ("http://h/\u{202E}\n", 0),
    ] {
        iriscan("check", input).exits(code).quiet();
        iriscan("check --json", input).exits(code).quiet();
    }
}

// ---- Warnings ----

#[test]
fn warnings_are_of_the_closed_list() {
    for (line, want) in [
        ("http://h/é", json!([])),
        ("http://h/%zz", json!(["not-rfc3986"])),
        ("http://h/\u{202E}", json!(["bidi-control"])),
        ("\u{202A}http://h/\u{202C}", json!(["not-rfc3986", "bidi-control"])),
        ("http://h/\u{61C}", json!(["bidi-control"])),
        ("http://h/אa", json!(["bidi-mixed", "mixed-script"])),
        ("http://h/א1", json!(["bidi-edge"])),
        ("http://раypal.example/", json!(["mixed-script", "confusable-host"])),
        ("http://straße.de/", json!(["idna-deviation"])),
        ("http://☃.net/", json!(["idna2008-disallowed"])),
        ("http://é..example/", json!(["dns-length"])),
        ("http://u@h/", json!(["userinfo"])),
        ("http://www.example.com@h/", json!(["userinfo", "userinfo-like-host"])),
        ("http://h/e\u{301}", json!(["not-nfc"])),
        ("http://h/\u{301}x", json!(["leading-combining"])),
        ("http://h/a\u{200D}b", json!(["joiner-context"])),
        ("http://h/%FF", json!(["percent-not-utf8"])),
        ("http://h/é b", json!(["leiri-only"])),
    ] {
        assert_eq!(warnings(line), want, "{line:?}");
    }
}

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
fn a_line_for_people_has_the_reference_the_verdict_and_the_warnings() {
    for (line, want, code) in [
        ("http://h/é", "http://h/é: valid", 0),
        ("", ": valid", 0),
        ("http://u@h/", "http://u@h/: valid; warnings: userinfo", 0),
        (
            "a b",
            "a b: invalid: byte 1: a path cannot hold ' '; percent-encode it as %20; \
             warnings: not-rfc3986, leiri-only",
            1,
        ),
        // Escaped, so that a terminal neither reorders nor obeys anything.
        ("http://h/\u{202E}", "http://h/\\u{202e}: valid; warnings: bidi-control", 0),
    ] {
        iriscan("check", format!("{line}\n")).exits(code).quiet().writes(format!("{want}\n"));
    }
    let done = iriscan("check", "\u{1B}[31m\u{7}\n").exits(1).quiet();
    assert!(!done.stdout.contains(&0x1B) && !done.stdout.contains(&7), "{done:?}");
}

#[test]
fn what_eyes_cannot_tell_is_told() {
    // Cyrillic letters in a Latin name, a user name that looks like the host, a mark that
    // hides in the slash before it, an override of the direction.
    for (line, warning) in [
        ("http://раypal.example/", "mixed-script"),
        ("http://www.example.com@evil.example/", "userinfo-like-host"),
        ("http://example.com/\u{338}/", "leading-combining"),
        ("http://example.com/\u{202E}lmth.exe", "bidi-control"),
    ] {
        let done = iriscan("check", format!("{line}\n")).exits(0).quiet();
        let shown = String::from_utf8(done.stdout).unwrap();
        let (_, told) = shown.split_once("; warnings: ").unwrap_or_default();
        assert!(told.split(", ").any(|word| word.trim_end() == warning), "{shown}");
        assert!(warnings(line).as_array().unwrap().contains(&json!(warning)), "{line}");
        if warning != "bidi-control" {
            let record = iriscan("find --json", line).exits(0).record();
            assert!(record["warnings"].as_array().unwrap().contains(&json!(warning)), "{record}");
        }
    }
}

#[test]
fn a_wrong_word_names_the_nearest_known() {
    for (args, wrong, known) in [
        ("chek", "chek", "check"),
        ("check --kind url", "url", "uri"),
        ("check --kind iri-refernce", "iri-refernce", "iri-reference"),
        ("check --jsn", "--jsn", "--json"),
        ("check --charset koi8-r", "--charset", "--help"),
    ] {
        iriscan(args, "a").exits(2).writes("").mentions(&[&format!("'{wrong}'"), known]);
    }
}

#[test]
fn a_byte_order_mark_before_the_first_line_is_none_of_it() {
    assert_eq!(record("", "\u{FEFF}http://h/")["input"], "http://h/");
}

#[test]
fn a_hostile_line_of_10_mb_takes_linear_time() {
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
        let line = [head, &*piece.repeat(10_000_000 / piece.len())].concat();
        let began = Instant::now();
        let done = iriscan("check --json", &line).quiet();
        assert_eq!(done.stdout.last(), Some(&b'\n'), "{head}{piece}");
        assert!(began.elapsed() < Duration::from_secs(30), "{head}{piece}: {:?}", began.elapsed());
    }
}
