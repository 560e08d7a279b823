//! Choosing among the links in reports, by threads and by very long lists.

use crate::common::{files, iriscan_in};

const TEXT: &str =
    "http://a.example/é http://www.b.example/é http://例え.jp/é mailto:u@c.example\n";

#[test]
fn strings_that_are_too_long_together_are_refused() {
    let (most, one) = (32 << 20, "http://a.example/x\n");
    let lines = "0123456789abcde\n".repeat(most / 15 + 1);
    let dir = files(&[("one", &vec![b'x'; most + 1]), ("many", lines.as_bytes())]);
    for list in ["one", "many"] {
        let done = iriscan_in(dir.path(), &format!("find --contains-from {list}"), one).exits(2);
        let words = ["--contains-from: the strings have 335544", "33554432 are the most"];
        done.says(&[words[0], words[1], "give fewer or shorter ones"]).writes("");
    }
}

#[test]
fn a_report_and_threads_have_only_the_chosen_links() {
    let dir = files(&[("a.txt", TEXT.as_bytes()), ("big.txt", TEXT.repeat(60_000).as_bytes())]);
    let page = iriscan_in(dir.path(), "report -o - --only-host *.b.example a.txt", "");
    let page = String::from_utf8(page.exits(0).quiet().stdout).unwrap();
    assert!(page.contains("www.b.example") && !page.contains("href=\"http://a.example"), "{page}");
    for jobs in ["-j1", "-j2"] {
        let args = format!("find --count --only-host *.jp {jobs} big.txt");
        iriscan_in(dir.path(), &args, "").exits(0).quiet().writes("60000\n");
    }
}
