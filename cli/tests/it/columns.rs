//! `find --count-by` and `--print` over threads.

use crate::common::{files, iriscan_in};

#[test]
fn values_are_counted_over_all_inputs_and_threads() {
    let big = "see http://b.example/é and http://a.example/\n".repeat(60_000);
    let dir = files(&[
        ("a.txt", big.as_bytes()),
        ("b.eml", b"Subject: http://a.example/\n\nhttp://a.example/\n"),
    ]);
    for jobs in [1, 2] {
        let done = iriscan_in(dir.path(), &format!("find --count-by host -j{jobs} ."), "");
        done.exits(0).quiet().writes("60002\ta.example\n60000\tb.example\n");
        let args = format!("find --print {{n}}|{{line}}|{{iri}} -j{jobs} a.txt");
        let done = iriscan_in(dir.path(), &args, "").exits(0).quiet();
        let lines = String::from_utf8(done.stdout).unwrap();
        assert_eq!(lines.lines().last(), Some("120000|60000|http://a.example/"));
    }
}
