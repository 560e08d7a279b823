//! `rewrite --to iri`: links that people can read.

use std::fs;

use crate::common::{Live, files, iriscan, iriscan_in};

#[test]
fn links_become_readable_and_go_back() {
    let text =
        "\u{feff}see http://xn--r8jz45g.jp/%E9%81%93?q=%41%20,\r\n(http://a.example/D%c3%bcrst).";
    let keep = text.replace("%E9%81%93", "道").replace("%c3%bc", "ü");
    iriscan("rewrite --to iri", text).exits(0).quiet().writes(&*keep);
    let unicode = keep.replace("xn--r8jz45g.jp", "例え.jp");
    iriscan("rewrite --to iri --host unicode", text).exits(0).quiet().writes(&*unicode);
    iriscan("rewrite --to iri --host unicode", &*unicode).exits(0).quiet().writes(&*unicode);
    let back = text.replace("%c3%bc", "%C3%BC");
    iriscan("rewrite", unicode).exits(0).quiet().writes(back);
    iriscan("rewrite --to iri --check", text).exits(1).quiet().writes("");
    iriscan("rewrite --to iri", "").exits(0).quiet().writes("");
}

#[test]
fn formats_keep_their_escapes() {
    let html = "<meta charset=utf-8><p>ü<a href=\"http://a.example/%C3%A9?a&amp;b=%3C\">x</a>";
    iriscan("rewrite --to iri --format html", html)
        .exits(0)
        .quiet()
        .writes(html.replace("%C3%A9", "é"));
    // Without a charset HTML is not read as UTF-8.
    let html = "<a href='http://a.example/%C3%A9'>x</a>";
    iriscan("rewrite --to iri --format html", html)
        .exits(0)
        .quiet()
        .writes(html.replace("%C3%A9", "&#233;"));
    let json = "{\"a\": \"http:\\/\\/a.example\\/%C3%A9\"}";
    iriscan("rewrite --to iri --format json --charset utf-8", json)
        .exits(0)
        .quiet()
        .writes(json.replace("%C3%A9", "é"));
}

#[test]
fn what_would_be_another_link_stays_and_is_reported() {
    let text = "http://a.example/{x}%C3%A9 http://b.example/a%E6%97%A5b";
    iriscan("rewrite --to iri", text).exits(0).writes(text).says(&[
        "-: 2 links would be another URI if decoded, or not be found whole, and stay as written; \
         -v names each",
    ]);
    let done = iriscan("rewrite --to iri -v", text).exits(0);
    let err = done.stderr.clone();
    assert!(err.contains("byte 0: \"http://a.example/{x}%C3%A9\" stays as written: decoded, it"));
}

#[test]
fn a_file_is_written_in_its_charset_from_the_start() {
    let text = b"http://a.example/%C3%A9/%E6%97%A5 and \xfcber http://a.example/%C3%BC\r\n";
    let want = b"http://a.example/\xe9/%E6%97%A5 and \xfcber http://a.example/\xfc\r\n";
    let dir = files(&[("x.txt", &text[..]), ("a.html", b"<a href='http://a.example/%C3%A9'>")]);
    iriscan_in(dir.path(), "rewrite --to iri --charset windows-1252 x.txt", "")
        .exits(0)
        .writes(want);
    let done = iriscan_in(dir.path(), "rewrite --to iri -i x.txt a.html", "").exits(0);
    assert!(done.stderr.contains("guessed by a detector"));
    let new = fs::read(dir.path().join("x.txt")).unwrap();
    assert_eq!(new.iter().filter(|b| !b.is_ascii()).count(), 3, "{new:?}");
    assert!(!new.windows(2).any(|pair| pair == "é".as_bytes()), "{new:?}");
    let html = fs::read(dir.path().join("a.html")).unwrap();
    assert_eq!(html, b"<a href='http://a.example/&#233;'>");
}

#[test]
fn a_pipe_that_changes_its_mind_is_trouble() {
    let text = b"http://a.example/%C3%A9 \x82\xa0\x82\xa2\x82\xb3\x82\xcc\x82\xc6\n";
    let done = iriscan("rewrite --to iri", &text[..]).exits(2);
    let err = done.stderr.clone();
    assert!(err.contains("-: 1 link was written in UTF-8, before the input turned out"), "{err}");
    iriscan("rewrite --to iri --charset shift_jis", &text[..]).exits(0).quiet().writes(&text[..]);
}

#[test]
fn a_pipe_gets_what_is_settled() {
    let mut live = Live::start("rewrite --to iri");
    live.send("see http://a.example/%C3%A9 now\n");
    live.takes_until("see http://a.example/é now\n".as_bytes());
    live.end().exits(0).quiet().writes("");
}

#[test]
fn options_of_the_other_direction_are_refused() {
    for (args, says) in [
        (
            "rewrite --to iri --host percent",
            "iriscan: --to iri takes --host keep or --host unicode",
        ),
        ("rewrite --host unicode", "iriscan: --host unicode is for rewrite --to iri; use punycode"),
        ("find --host unicode", "iriscan: --host unicode is for rewrite --to iri; use punycode"),
        ("rewrite --to iri --replace x", "cannot be used with"),
        ("rewrite --to url", "invalid value 'url'"),
    ] {
        let done = iriscan(args, "x").exits(2);
        let err = done.stderr.clone();
        assert!(err.contains(says), "{args}: {err}");
    }
}
