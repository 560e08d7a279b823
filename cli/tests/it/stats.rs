//! `--stats`: the numbers of a run.

use serde_json::{Value, json};

use crate::common::{Done, files, iriscan, iriscan_in};

/// The object on standard error, the only line there.
#[track_caller]
fn stats(done: &Done) -> Value {
    assert_eq!(done.stderr.lines().count(), 1, "{}", done.stderr);
    serde_json::from_str(&done.stderr).unwrap()
}

const TEXT: &str = "http://e.org/é HTTP://E.org/b mailto:ä@example.org http://u@e.org/ \
                    http://لa.com/ e.org/c";

#[test]
fn find_counts_links_by_kind_scheme_and_warning() {
    let done = iriscan("find --stats=json --kinds iri,bare --charset utf-8", TEXT).exits(0);
    // There is also a line about the link without a URI form.
    let line = done.stderr.lines().last().unwrap();
    let seen: Value = serde_json::from_str(line).unwrap();
    for (field, value) in [
        ("files", json!(1)),
        ("failed", json!(0)),
        ("bytes", json!(TEXT.len())),
        ("links", json!(6)),
        ("kinds", json!({"bare": 1, "iri": 5})),
        ("schemes", json!({"http": 4, "mailto": 1})),
        ("unconvertible", json!(1)),
        ("rewritten", Value::Null),
        ("charsets", json!([{"charset": "UTF-8", "basis": "as told", "files": 1}])),
        ("formats", json!({"text": 1})),
    ] {
        assert_eq!(seen[field], value, "{field} of {seen}");
    }
    assert_eq!(seen["warnings"]["userinfo"], 1, "{seen}");
    assert!(seen["seconds"].as_f64().unwrap() >= 0.0);
    assert!(seen["unicode"].as_str().unwrap().starts_with('1'));
    assert!(seen["tlds"].as_str().unwrap().len() == 10, "{seen}");
    assert_eq!(seen["iriscan"], env!("CARGO_PKG_VERSION"));
}

#[test]
fn standard_output_is_as_ever() {
    let text = "http://e.org/é and http://e.org/b";
    for args in
        ["find", "find --count", "find --json", "find --unique", "rewrite", "rewrite --diff"]
    {
        let plain = iriscan(args, text).exits(0).stdout;
        for form in ["--stats", "--stats=text", "--stats=json"] {
            let done = iriscan(&format!("{args} {form}"), text).exits(0);
            assert!(done.stderr.contains("links"), "{}", done.stderr);
            done.writes(&plain);
        }
    }
    let seen = stats(&iriscan("find --count --unique --stats=json", "http://e.org http://e.org"));
    assert_eq!(seen["links"], 2);
}

#[test]
fn rewrite_counts_what_it_rewrote() {
    for args in
        ["rewrite --stats=json", "rewrite --check --stats=json", "rewrite --diff --stats=json"]
    {
        let seen = stats(&iriscan(args, "http://e.org/é http://e.org/b http://e.org/ü"));
        assert_eq!((&seen["links"], &seen["rewritten"]), (&json!(3), &json!(2)), "{args}");
    }
}

#[test]
fn inputs_are_added_up_and_trouble_is_counted() {
    let dir = files(&[
        ("a.html", "<a href='é'>".as_bytes()),
        ("b.txt", b"http://e.org/"),
        ("c.txt", b"\xEF\xBB\xBFhttp://e.org/"),
    ]);
    for command in ["find", "rewrite"] {
        let args = format!("{command} --stats=json a.html missing b.txt c.txt");
        let done = iriscan_in(dir.path(), &args, "").exits(2);
        let seen: Value = serde_json::from_str(done.stderr.lines().last().unwrap()).unwrap();
        assert_eq!((&seen["files"], &seen["failed"]), (&json!(3), &json!(1)), "{seen}");
        assert_eq!(seen["formats"], json!({"html": 1, "text": 2}));
        assert_eq!(seen["bytes"], 13 + 13 + 16);
        assert_eq!(seen["charsets"].as_array().unwrap().len(), 3, "{seen}");
    }
}

#[test]
fn threads_count_as_one_does() {
    let line =
        "words and http://e.org/é, https://例え.jp/道 mailto:a@e.org http://u@e.org/ words\n";
    let dir = files(&[("big.txt", line.repeat(30_000).as_bytes())]);
    for command in ["find", "rewrite"] {
        let count = |jobs: &str| {
            let args = format!("{command} --stats=json {jobs} big.txt");
            let mut seen = stats(&iriscan_in(dir.path(), &args, "").exits(0));
            seen.as_object_mut().unwrap().remove("seconds").unwrap();
            seen
        };
        let one = count("-j1");
        assert_eq!(one["links"], 120_000);
        assert_eq!(one["warnings"]["userinfo"], 30_000);
        assert_eq!(one, count("-j4"), "{command}");
    }
}

#[test]
fn mail_is_counted_too() {
    let from = "From a@e.org Sat Jan  1 00:00:00 2000\n";
    let mbox =
        format!("{from}Subject: x http://e.org/\n\nhttp://e.org/é\n\n{from}\nmailto:a@e.org\n");
    for (command, rewritten) in [("find", Value::Null), ("rewrite", json!(1))] {
        let seen =
            stats(&iriscan(&format!("{command} --format mail --stats=json"), &mbox).exits(0));
        assert_eq!(seen["links"], 3, "{seen}");
        assert_eq!(seen["messages"], 2);
        assert_eq!(seen["bytes"], mbox.len());
        assert_eq!(seen["schemes"], json!({"http": 2, "mailto": 1}));
        assert_eq!(seen["formats"], json!({"mail": 1}));
        assert_eq!(seen["rewritten"], rewritten);
    }
}

#[test]
fn text_is_for_eyes() {
    let done = iriscan("rewrite --stats", "http://e.org/é").exits(0);
    for row in [
        "iriscan: statistics\n",
        "\n  files          1\n",
        "\n  links          1\n",
        "\n  schemes        1 http\n",
        "\n  rewritten      1\n",
        "\n  charsets       1 UTF-8 because its text is UTF-8\n",
        "\n  warnings       none\n",
        "\n  data           Unicode 1",
    ] {
        assert!(done.stderr.contains(row), "{row:?} in {}", done.stderr);
    }
}

#[test]
fn schemes_without_end_are_counted_together() {
    let text: String = (0..1200).map(|i| format!("s{i}://e.org/ ")).collect();
    let seen = stats(&iriscan("find --schemes any --count --stats=json", text).exits(0));
    let schemes = seen["schemes"].as_object().unwrap();
    assert_eq!((schemes.len(), &schemes["(others)"]), (1001, &json!(200)));
}

#[test]
fn an_unknown_form_is_answered_with_the_known_ones() {
    iriscan("find --stats=jsn", "").exits(2).mentions(&["'jsn'", "json", "text"]).writes("");
}
