//! `--stats` changes no output, whatever the number of threads.

use serde_json::{Value, json};

use crate::common::{Done, files, iriscan, iriscan_in};

/// The object on standard error, the only line there.
#[track_caller]
fn stats(done: &Done) -> Value {
    assert_eq!(done.stderr.lines().count(), 1, "{}", done.stderr);
    serde_json::from_str(&done.stderr).unwrap()
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
fn schemes_without_end_are_counted_together() {
    let text: String = (0..1200).map(|i| format!("s{i}://e.org/ ")).collect();
    let seen = stats(&iriscan("find --schemes any --count --stats=json", text).exits(0));
    let schemes = seen["schemes"].as_object().unwrap();
    assert_eq!((schemes.len(), &schemes["(others)"]), (1001, &json!(200)));
}

#[test]
fn the_versions_of_the_program_and_its_data_are_named() {
    let seen = stats(&iriscan("find --stats=json", "http://e.org/").exits(0));
    assert!(seen["seconds"].as_f64().unwrap() >= 0.0);
    assert!(seen["unicode"].as_str().unwrap().starts_with('1'));
    assert!(seen["tlds"].as_str().unwrap().len() == 10, "{seen}");
    assert_eq!(seen["iriscan"], env!("CARGO_PKG_VERSION"));
}
