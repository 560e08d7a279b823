//! `--base` and threads.

use crate::common::{files, iriscan_in};

#[test]
fn threads_know_the_base() {
    let mut page = String::from("<base href='http://a.example/d/'>\n");
    for i in 0..60_000 {
        page += &format!("<p><a href='{i}'>{i}</a></p>\n");
    }
    let dir = files(&[("page.html", page.as_bytes())]);
    let one = iriscan_in(dir.path(), "find -j1 --print={absolute} page.html", "").exits(0);
    let many = iriscan_in(dir.path(), "find -j2 --print={absolute} page.html", "").exits(0);
    assert!(one.stdout.ends_with(b"http://a.example/d/59999\n"));
    assert!(one.stdout == many.stdout);
}
