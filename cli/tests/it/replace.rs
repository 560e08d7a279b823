//! `rewrite --replace` in a large file and in a pipe.

use std::fs;

use crate::common::{Live, files, iriscan_in};

#[test]
fn threads_replace_and_number_as_one_does() {
    let (text, want) =
        ("see http://a.example/x and http://b.example/y\n", "see <URL> and http://b.example/y\n");
    let dir = files(&[("big.txt", text.repeat(60_000).as_bytes())]);
    for jobs in [1, 2] {
        let args = format!("rewrite --replace <URL> --only-host a.example -j{jobs} big.txt");
        let done = iriscan_in(dir.path(), &args, "").exits(0).quiet();
        assert!(done.stdout == want.repeat(60_000).as_bytes(), "{jobs}");
        let args = format!("rewrite --replace {{n}} -j{jobs} big.txt");
        let done = iriscan_in(dir.path(), &args, "").exits(0).quiet();
        assert!(done.stdout.ends_with(b"see 119999 and 120000\n"), "{jobs}");
    }
}

#[test]
fn a_file_without_a_link_to_replace_is_not_touched() {
    let dir = files(&[("b.txt", b"none\n")]);
    let modified = || fs::metadata(dir.path().join("b.txt")).unwrap().modified().unwrap();
    let before = modified();
    iriscan_in(dir.path(), "rewrite --replace X -i=.old b.txt", "").exits(0).quiet();
    assert_eq!(modified(), before);
}

#[test]
fn a_pipe_passes_on_what_is_settled() {
    let mut live = Live::start("rewrite --replace <URL>");
    live.send("see http://a.example/x and\n");
    live.gives("see <URL> and\n");
    live.send("http://b.example/\n");
    live.gives("<URL>\n");
    live.end().exits(0).quiet();
}
