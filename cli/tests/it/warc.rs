//! `--format warc`: web archives, record by record.

use std::{io::Write, path::Path};

use serde_json::json;

use crate::common::{files, iriscan, iriscan_in};

/// A record of this type with this block.
fn record(kind: &str, uri: &str, media: &str, block: &[u8]) -> Vec<u8> {
    let head = format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {uri}\r\nContent-Type: {media}\r\n\
         Content-Length: {}\r\n\r\n",
        block.len()
    );
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

fn response(uri: &str, fields: &str, body: &[u8]) -> Vec<u8> {
    let block = [format!("HTTP/1.1 200 OK\r\n{fields}\r\n\r\n").as_bytes(), body].concat();
    record("response", uri, "application/http; msgtype=response", &block)
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(6));
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

const PAGE: &[u8] = b"<a href='/x?a&amp;b'>http://e.org/in</a>";
const LINKS: &str = "/x?a&b\nhttp://e.org/in\n";

#[test]
fn html_and_text_of_payloads_and_nothing_else() {
    let archive = [
        record("warcinfo", "x", "application/warc-fields", b"http://no.example/"),
        record("request", "x", "application/http", b"GET / HTTP/1.1\r\n\r\nhttp://no.example/"),
        response("http://a.example/", "Content-Type: text/html", PAGE),
        response("http://a.example/i.png", "Content-Type: image/png", b"http://no.example/"),
        record("resource", "urn:x", "text/plain", b"<a href='/no'> http://e.org/text"),
        record("conversion", "urn:y", "text/plain;charset=utf-8", "http://e.org/é".as_bytes()),
        record("metadata", "x", "text/plain", b"http://no.example/"),
        record("revisit", "x", "application/http", b"HTTP/1.1 200 OK\r\n\r\nhttp://no.example/"),
    ]
    .concat();
    let links = format!("{LINKS}http://e.org/text\nhttp://e.org/%C3%A9\n");
    iriscan("find --format warc", &archive).exits(0).quiet().writes(&links);
    iriscan("find --format sniff", &archive).exits(0).quiet().writes(&links);
    iriscan("find --format warc --count", &archive).exits(0).writes("4\n");
    iriscan("find --format warc -v", &archive).mentions(&["8 records, 3 searched"]);
    let one = record("metadata", "x", "text/plain", b"");
    iriscan("find --format warc -v", one).says(&["format warc; 1 record, 0 searched"]);
    // By its name. Each record is compressed alone, as is usual in archives.
    let packed = [gzip(&archive), gzip(&archive)].concat();
    let dir = files(&[("a.warc", &archive), ("b.warc.gz", &packed)]);
    iriscan_in(dir.path(), "find a.warc", "").exits(0).quiet().writes(&links);
    iriscan_in(dir.path(), "find b.warc.gz", "").exits(0).quiet().writes(links.repeat(2));
    iriscan_in(dir.path(), "find -z b.warc.gz --unique", "").exits(0).writes(&links);
    iriscan_in(dir.path(), "find --count .", "").writes("./a.warc:4\n./b.warc.gz:8\n");
}

#[test]
fn records_say_the_record_and_where_it_is() {
    let info = record("warcinfo", "x", "application/warc-fields", b"");
    let plain = response("http://a.example/", "Content-Type: text/html", b"see http://e.org/a");
    let packed = response(
        "<http://b.example/>",
        "Content-Type: text/html\r\nContent-Encoding: gzip",
        &gzip(b"see http://e.org/b"),
    );
    let archive = [&info[..], &plain, &packed].concat();
    let records = iriscan("find --format warc --json", &archive).exits(0).quiet().records();
    let at = info.len() + plain.len() - 4 - 14;
    assert_eq!(records[0]["start"], json!(at));
    assert_eq!(records[0]["end"], json!(at + 14));
    assert_eq!(&archive[at..at + 14], b"http://e.org/a");
    assert_eq!(records[0]["record"], json!("http://a.example/"));
    assert_eq!(records[0]["offset"], json!(info.len()));
    // The text was decoded, so its bytes are not in the archive.
    assert_eq!((&records[1]["start"], &records[1]["end"]), (&json!(null), &json!(null)));
    assert_eq!(records[1]["record"], json!("http://b.example/"));
    assert_eq!(records[1]["offset"], json!(info.len() + plain.len()));
    iriscan("find --format warc --json --offsets lines", &archive).exits(2).says(&["--offsets"]);
    let told = ["-: 2 links are longer than 13 bytes and stay text"];
    iriscan("find --format warc --max-len 13", &archive).exits(1).says(&told);
}

#[test]
fn http_says_the_charset_and_the_coding() {
    let russian = b"http://e.org/\xEC\xE8\xF0 \xEC\xE8\xF0";
    let utf8 = "http://e.org/%D0%BC%D0%B8%D1%80\n";
    let one = |fields: &str, body: &[u8]| response("http://a.example/", fields, body);
    let is = |fields: &str, body: &[u8], links: &str| {
        iriscan("find --format warc", one(fields, body)).exits(0).quiet().writes(links);
    };
    is("Content-Type: text/plain; charset=windows-1251", russian, utf8);
    is("content-type: text/plain; Charset=\"WINDOWS-1251\"", russian, utf8);
    // A byte order mark counts more than the server, and the user more than both.
    is("Content-Type: text/plain; charset=koi8-r", "\u{FEFF}http://e.org/мир".as_bytes(), utf8);
    let wrong = one("Content-Type: text/plain; charset=koi8-r", russian);
    iriscan("find --format warc --charset windows-1251", wrong).exits(0).writes(utf8);
    let html = "Content-Type: text/html\r\n";
    is(&format!("{html}Content-Encoding: gzip"), &gzip(PAGE), LINKS);
    is(&format!("{html}Content-Encoding: gzip"), PAGE, LINKS);
    is(&format!("{html}Content-Encoding: zstd"), &zstd::encode_all(PAGE, 1).unwrap(), LINKS);
    let chunks = |bytes: &[u8]| {
        let (a, b) = bytes.split_at(5);
        let size = format!("\r\n{:x}\r\n", b.len());
        [&b"5\r\n"[..], a, size.as_bytes(), b, b"\r\n0\r\n\r\n"].concat()
    };
    is(&format!("{html}Transfer-Encoding: chunked"), &chunks(PAGE), LINKS);
    is(&format!("{html}Transfer-Encoding: chunked"), PAGE, LINKS);
    let both = format!("{html}Transfer-Encoding: chunked\r\nContent-Encoding: gzip");
    is(&both, &chunks(&gzip(PAGE)), LINKS);
    let brotli = one(&format!("{html}Content-Encoding: br"), PAGE);
    let done = iriscan("find -v --format warc", brotli).exits(1);
    done.mentions(&["record at byte 0 is not searched: content coding br"]);
    // The first half of a gzip stream.
    let packed = gzip(&PAGE.repeat(2000));
    let half = one(&format!("{html}Content-Encoding: gzip"), &packed[..packed.len() / 2]);
    iriscan("find --format warc", half)
        .exits(0)
        .says(&["record at byte 0 has a payload", "damaged"]);
}

#[test]
fn rewrite_refuses() {
    let archive =
        response("http://a.example/", "Content-Type: text/html", "http://e.org/é".as_bytes());
    let dir = files(&[("a.warc", &archive), ("b.txt", b"b")]);
    for args in ["rewrite a.warc b.txt", "rewrite --format warc a.warc"] {
        iriscan_in(dir.path(), args, "").exits(2).says(&["a.warc: a web archive", "find"]);
    }
    iriscan_in(dir.path(), "rewrite -i a.warc", "").exits(2).says(&["a.warc: a web archive"]);
    assert_eq!(std::fs::read(dir.path().join("a.warc")).unwrap(), archive);
}

#[test]
fn what_is_damaged_is_used_as_far_as_it_goes() {
    let one = response("http://a.example/", "Content-Type: text/html", PAGE);
    for (behind, words) in [
        (&b"no archive\r\n"[..], "no WARC record begins here"),
        (b"WARC/1.0\r\nWARC-Type: response\r\n\r\n", "no Content-Length"),
        (b"WARC/1.0\r\nWARC-Type: response\r\n", "does not end"),
        (b"WARC/1.0\r\nContent-Length: 9\r\n\r\nx", "cut short"),
        (b"WARC/1.0\r\nContent-Length: 99999999999999999999\r\n\r\nx", "no Content-Length"),
    ] {
        let done = iriscan("find --format warc", [&one, behind].concat()).exits(2).writes(LINKS);
        done.says(&[&format!("-: byte {}: ", one.len()), words, "what could be read was used"]);
    }
    iriscan("find --format warc", "").exits(1).quiet();
    iriscan("find --format warc", "text").exits(2).says(&["byte 0"]);
}

/// A record that is too long is skipped, and the next one is searched.
#[test]
fn a_record_longer_than_the_limit_is_passed_over() {
    let body = [&b"http://no.example/ "[..], &vec![b'x'; 64 << 20]].concat();
    let archive = [
        record("resource", "urn:x", "text/plain", &body),
        record("resource", "urn:x", "text/plain", b"http://e.org/a"),
    ];
    iriscan("find --format warc", archive.concat())
        .exits(0)
        .says(&["the record at byte 0 is longer than 64 MiB and is not searched"])
        .writes("http://e.org/a\n");
    let limit = record("resource", "urn:x", "text/plain", &body[..64 << 20]);
    iriscan("find --format warc", limit).exits(0).quiet().writes("http://no.example/\n");
}

/// Archives that other programs wrote, if they are on this machine.
#[test]
fn real_archives() {
    let dir =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpora/warc-warcio/test/data");
    if !dir.exists() {
        return;
    }
    for (name, count) in [
        ("example.warc.gz", 1),
        ("example-resource.warc.gz", 2),
        ("example-bad-non-chunked.warc.gz", 1),
        ("example-wrong-chunks.warc.gz", 1),
        ("example-iana.org-chunked.warc", 42),
        ("post-test.warc.gz", 3),
    ] {
        let done = iriscan_in(&dir, &format!("find --json {name}"), "").exits(0).quiet();
        assert_eq!(done.records().len(), count, "{name}");
    }
}

#[test]
fn an_archive_in_a_tree_does_not_stop_who_takes_none() {
    let head = "WARC/1.0\r\nWARC-Type: resource\r\nContent-Type: text/plain\r\n";
    let archive = format!("{head}Content-Length: 15\r\n\r\nhttp://e.org/é\r\n\r\n");
    let dir = files(&[("a.warc", archive.as_bytes()), ("b", "http://e.org/é".as_bytes())]);
    for (args, code) in [("rewrite --check", 1), ("rewrite -i", 0)] {
        let done = iriscan_in(dir.path(), &format!("{args} ."), "").exits(code);
        assert!(!done.stderr.contains("archive"), "{}", done.stderr);
        iriscan_in(dir.path(), &format!("{args} a.warc"), "").exits(2).says(&["a web archive"]);
    }
    let done = iriscan_in(dir.path(), "rewrite --check -v .", "").exits(0);
    done.mentions(&["./a.warc: a web archive, left out; `find` lists its links"]);
    iriscan_in(dir.path(), "find --count .", "").exits(0).writes("./a.warc:1\n./b:1\n");
    assert!(std::fs::read(dir.path().join("a.warc")).unwrap() == archive.as_bytes());
}

#[test]
fn a_report_has_the_links_of_an_archive() {
    let archive = [
        response("http://a.example/page", "Content-Type: text/html", PAGE),
        record("conversion", "urn:y", "text/plain;charset=utf-8", "http://e.org/é".as_bytes()),
    ]
    .concat();
    let dir = files(&[("a.warc", &archive), ("b.warc.gz", &gzip(&archive))]);
    for input in ["a.warc", "b.warc.gz"] {
        let done = iriscan_in(dir.path(), &format!("report -o - {input}"), "").exits(0).quiet();
        let page = String::from_utf8(done.stdout).unwrap();
        for word in
            ["http://e.org/in", "http://e.org/%C3%A9", "1 (http://a.example/page)", "2 texts"]
        {
            assert!(page.contains(word), "{word} in {page}");
        }
    }
    let done = iriscan_in(dir.path(), "report -o - --stats=json a.warc", "").exits(0);
    assert!(done.stderr.contains(r#""links":3"#), "{}", done.stderr);
    let short = &archive[..archive.len() / 2];
    let dir = files(&[("cut.warc", short)]);
    iriscan_in(dir.path(), "report -o - cut.warc", "").exits(2);
}
