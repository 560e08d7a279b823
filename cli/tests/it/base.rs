//! Absolute links: `--base`, and the bases that documents, mail and web archives have.

use crate::common::{files, iriscan, iriscan_in};

const PAGE: &str =
    "<a href='x'>1</a> <base href='b/'> <a href='../y?é'>2</a> <img src=//c.example/z>";

#[test]
fn absolute_is_resolved_against_the_nearest_base() {
    let print = "find --format html --print={absolute}";
    iriscan(print, PAGE).exits(0).quiet().writes("\n\n\n\n");
    iriscan(&format!("{print} --base http://a.example/d/e"), PAGE).exits(0).quiet().writes(
        "http://a.example/d/x\nhttp://a.example/d/b/\nhttp://a.example/d/y?%C3%A9\nhttp://c.example/z\n",
    );
}

#[test]
fn records_have_it_where_there_is_a_base() {
    let done = iriscan("find --json --format html", PAGE).exits(0);
    assert!(done.records().iter().all(|record| record.get("absolute").is_none()));
    let done = iriscan("find --json --format html --base http://é.example/d/e", PAGE).exits(0);
    let records = done.records();
    assert_eq!(records[0]["absolute"], "http://xn--9ca.example/d/x");
    assert!(records.iter().all(|record| record["absolute"] == record["open"]));
    assert_eq!(records[0]["uri"], "x");
    // In plain text too, where no link is relative.
    let done = iriscan("find --json --base http://a.example/", "http://b.example/../c").exits(0);
    assert_eq!(done.records()[0]["absolute"], "http://b.example/c");
}

#[test]
fn a_template_writes_it() {
    let rewrite = "rewrite --format html --replace={absolute}";
    iriscan(&format!("{rewrite} --base http://a.example/d/e"), "<a href='x&amp;y'> <a href='/z'>")
        .exits(0)
        .writes("<a href='http://a.example/d/x&amp;y'> <a href='http://a.example/z'>");
    // Without a base a relative link stays.
    iriscan(rewrite, "<a href='x'> <a href='http://b.example/'>")
        .exits(0)
        .writes("<a href='x'> <a href='http://b.example/'>");
}

#[test]
fn a_base_must_be_absolute() {
    iriscan("find --base /x", "").exits(2).mentions(&[
        "--base",
        "absolute",
        "https://example.org/page",
    ]);
    iriscan("find --base mailto:a@b.example", "").exits(2).mentions(&["--base"]);
}

#[test]
fn the_target_of_a_record_is_its_base() {
    let page = "<a href='x'>1</a><base href='/b/'><a href='y'>2</a>";
    let record = |uri: &str| {
        format!(
            "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: {uri}\r\nContent-Type: text/html\r\n\
             Content-Length: {}\r\n\r\n{page}\r\n\r\n",
            page.len()
        )
    };
    let archive = [record("<http://a.example/d/e>"), record("http://b.example/")].concat();
    let links = "http://a.example/d/x\nhttp://a.example/b/\nhttp://a.example/b/y\n\
                 http://b.example/x\nhttp://b.example/b/\nhttp://b.example/b/y\n";
    iriscan("find --format warc --print={open}", &archive).exits(0).quiet().writes(links);
    iriscan("find --format warc --print={absolute} --base http://c.example/", &archive)
        .exits(0)
        .writes(links);
}

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
