//! `--format warc`: payloads that are compressed, and archives that are damaged.

use std::{io::Write, path::Path};

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

/// Each record is compressed alone, as is usual in archives.
#[test]
fn records_that_are_members_of_gzip_are_read() {
    let archive = [
        response("http://a.example/", "Content-Type: text/html", PAGE),
        record("resource", "urn:x", "text/plain", b"<a href='/no'> http://e.org/text"),
    ]
    .concat();
    let links = format!("{LINKS}http://e.org/text\n");
    let packed = [gzip(&archive), gzip(&archive)].concat();
    let dir = files(&[("a.warc", &archive), ("b.warc.gz", &packed)]);
    iriscan_in(dir.path(), "find b.warc.gz", "").exits(0).quiet().writes(links.repeat(2));
    iriscan_in(dir.path(), "find -z b.warc.gz --unique", "").exits(0).writes(&links);
    iriscan_in(dir.path(), "find --count .", "").writes("./a.warc:3\n./b.warc.gz:6\n");
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
    let done = iriscan("find -v --format warc", &brotli).exits(2);
    done.mentions(&["record at byte 0 is not searched: content coding br", "see above"]);
    // What is not text is not missed.
    let picture = one("Content-Type: image/png\r\nContent-Encoding: br", PAGE);
    iriscan("find --format warc", &picture).exits(1).quiet();
    let archive = [&brotli[..], &one(html.trim_end(), PAGE), &picture, &brotli].concat();
    for command in ["find", "report -o -"] {
        iriscan(&format!("{command} --format warc"), &archive)
            .exits(2)
            .says(&["-: 2 records are in the content coding br, which is not known", "-v names"]);
    }
    iriscan("find --format warc", &archive).writes(LINKS);
    iriscan("find --format warc --count", &archive).exits(2).writes("2\n");
    // The first half of a gzip stream.
    let packed = gzip(&PAGE.repeat(2000));
    let half = one(&format!("{html}Content-Encoding: gzip"), &packed[..packed.len() / 2]);
    iriscan("find --format warc", half)
        .exits(0)
        .says(&["record at byte 0 has a payload", "damaged"]);
}

/// `http://e.org/1`, `http://e.org/2` and so on, each in a record of its own.
fn pages(count: usize) -> Vec<Vec<u8>> {
    let page = |n| format!("<p>see http://e.org/{n} {}", "and other words ".repeat(20));
    let of = |n| response("http://a.example/", "Content-Type: text/html", page(n).as_bytes());
    (1..=count).map(of).collect()
}

fn found(numbers: impl IntoIterator<Item = usize>) -> String {
    numbers.into_iter().map(|n| format!("http://e.org/{n}\n")).collect()
}

/// `record` with another Content-Length.
fn with_length(record: &[u8], length: &str) -> Vec<u8> {
    let text = String::from_utf8(record.to_vec()).unwrap();
    let at = text.find("Content-Length: ").unwrap() + "Content-Length: ".len();
    let end = at + text[at..].find('\r').unwrap();
    [&record[..at], length.as_bytes(), &record[end..]].concat()
}

/// The archive in each of the ways in which archives are kept: plain, each record a member, all in
/// one member, and cut into members anywhere.
fn kept(records: &[Vec<u8>]) -> [(&'static str, Vec<u8>); 4] {
    let plain = records.concat();
    let members: Vec<u8> = records.iter().flat_map(|record| gzip(record)).collect();
    let blocks: Vec<u8> = plain.chunks(700).flat_map(gzip).collect();
    [
        ("a.warc", plain.clone()),
        ("b.warc.gz", members),
        ("c.warc.gz", gzip(&plain)),
        ("d.warc.gz", blocks),
    ]
}

#[test]
fn a_false_length_hides_no_other_record() {
    let all = pages(9);
    let true_length = all[3].len() - all[3].windows(4).position(|w| w == b"\r\n\r\n").unwrap() - 8;
    for (length, words) in [
        ("0", "no WARC record begins here"),
        ("1", "no WARC record begins here"),
        (&*(true_length - 5).to_string(), "no WARC record begins here"),
        (&*(true_length + 5).to_string(), ""),
        (&*(true_length + 700).to_string(), ""),
        (&*(true_length * 2).to_string(), ""),
        ("999999", ""),
        ("60000000", ""),
        ("70000000", ""),
        ("99999999999999", ""),
        ("18446744073709551615", ""),
        ("18446744073709551616", "no Content-Length"),
        ("-1", "no Content-Length"),
        ("x", "no Content-Length"),
    ] {
        for at in [0, 3, 8] {
            let mut records = all.clone();
            records[at] = with_length(&records[at], length);
            for (name, archive) in kept(&records) {
                let dir = files(&[(name, &archive)]);
                let done = iriscan_in(dir.path(), &format!("find {name}"), "").exits(2);
                let done = done.mentions(&[name, ": byte ", words]);
                let links = String::from_utf8(done.stdout.clone()).unwrap();
                let others = found((1..=9).filter(|n| n - 1 != at));
                let without: String =
                    links.split_inclusive('\n').filter(|l| *l != found([at + 1])).collect();
                assert_eq!(without, others, "{length} {at} {name}: {}", done.stderr);
                assert!(done.stderr.lines().count() <= 2, "{length} {at} {name}: {}", done.stderr);
                // A length that is too long does not hide the record itself, if it can be held.
                if words.is_empty() && length.len() < 8 {
                    assert!(links.contains(&found([at + 1])), "{length} {at} {name}");
                }
            }
        }
    }
    // Of records without text too.
    let mut records = all.clone();
    let request = record("request", "x", "application/http", b"GET / HTTP/1.1\r\n\r\n");
    for length in ["3", "40", "5000", "99999999999"] {
        records[4] = with_length(&request, length);
        for (name, archive) in kept(&records) {
            let dir = files(&[(name, &archive)]);
            let done = iriscan_in(dir.path(), &format!("find {name}"), "").exits(2);
            done.writes(found((1..=9).filter(|n| *n != 5)));
        }
    }
}

#[test]
fn every_record_may_have_a_false_length() {
    let records: Vec<_> = pages(3000).iter().map(|page| with_length(page, "60000000")).collect();
    let start = std::time::Instant::now();
    let done = iriscan("find --format warc", records.concat()).exits(2);
    done.writes(found(1..=3000));
    assert!(start.elapsed().as_secs() < 60, "the time is not linear");
}

/// A record in a record is not one, if the length of the outer one is right.
#[test]
fn an_archive_in_a_record_is_its_text() {
    let inner = pages(2).concat();
    let outer = [
        pages(1).concat(),
        record("resource", "urn:x", "text/plain", &inner),
        response("http://a.example/", "Content-Type: text/html", b"http://e.org/3"),
    ];
    for (name, archive) in kept(&outer) {
        let dir = files(&[(name, &archive)]);
        let done = iriscan_in(dir.path(), &format!("find --json {name}"), "").exits(0).quiet();
        let places: Vec<_> = done.records().iter().map(|link| link["record"].clone()).collect();
        let page = "http://a.example/";
        assert_eq!(places[..2], [page, "urn:x"], "{name}");
        assert_eq!(places.last().unwrap(), page, "{name}");
    }
}

type Damage = fn(&mut Vec<u8>);

#[test]
fn a_damaged_member_hides_no_other_record() {
    let all = pages(9);
    let members: Vec<Vec<u8>> = all.iter().map(|page| gzip(page)).collect();
    let damage: [(&str, Damage); 7] = [
        ("the check value", |m| *m.iter_mut().nth_back(5).unwrap() ^= 1),
        ("the length", |m| *m.last_mut().unwrap() ^= 1),
        ("the middle", |m| {
            let at = m.len() / 2;
            m[at..at + 9].fill(0xFF);
        }),
        ("the start of the content", |m| m[10] = 0xFF),
        ("the magic", |m| m[0] = b'x'),
        ("cut short", |m| m.truncate(m.len() / 2)),
        ("bytes after it", |m| m.extend(b"no gzip at all \x1F\x8B\x08\x00")),
    ];
    for (what, damages) in damage {
        for at in [0, 4, 8] {
            let mut some = members.clone();
            damages(&mut some[at]);
            let dir = files(&[("a.warc.gz", &some.concat())]);
            let done = iriscan_in(dir.path(), "find a.warc.gz", "").exits(2);
            let done = done.mentions(&["a.warc.gz: byte ", " of the file: "]);
            let links = String::from_utf8(done.stdout.clone()).unwrap();
            let without: String =
                links.split_inclusive('\n').filter(|l| *l != found([at + 1])).collect();
            assert_eq!(
                without,
                found((1..=9).filter(|n| n - 1 != at)),
                "{what} {at}: {}",
                done.stderr
            );
            assert!(done.stderr.lines().count() <= 2, "{what} {at}: {}", done.stderr);
            // Without a name, the first bytes say what it is.
            if (what, at) != ("the magic", 0) {
                iriscan_in(dir.path(), "find -z --format sniff --count a.warc.gz", "").exits(2);
            }
            iriscan_in(dir.path(), "report -o r.html a.warc.gz", "").exits(2);
        }
    }
    // Most of the archive is zeros.
    let half = members.concat().len() / 2;
    let mut archive = members.concat();
    archive[100..half].fill(0);
    let dir = files(&[("a.warc.gz", &archive)]);
    let done = iriscan_in(dir.path(), "find a.warc.gz", "").exits(2);
    assert!(String::from_utf8(done.stdout).unwrap().ends_with(&found([7, 8, 9])));
    // Zeros after the last member are no damage, but other bytes are.
    let padded = [members.concat(), vec![0; 512]].concat();
    let dir = files(&[("a.warc.gz", &padded)]);
    iriscan_in(dir.path(), "find a.warc.gz", "").exits(0).quiet().writes(found(1..=9));
    // No member at all.
    let dir = files(&[("a.warc.gz", b"no gzip"), ("b.warc.gz", b"")]);
    iriscan_in(dir.path(), "find a.warc.gz", "").exits(2).writes("");
    iriscan_in(dir.path(), "find b.warc.gz", "").exits(1).quiet();
}

/// Law: whatever happens to one record, all others are found. If it is a member, and not whole, that is
/// said.
#[test]
fn random_damage_to_one_record_hides_no_other() {
    let all = pages(6);
    let mut seed = 3987_u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % below
    };
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(150);
    for _ in 0..cases {
        let (at, packed) = (random(6), random(2) == 0);
        let mut records: Vec<_> = all.clone();
        if packed {
            records = records.iter().map(|record| gzip(record)).collect();
        }
        let record = &mut records[at];
        // The empty line at the end of a plain record belongs to the next one too.
        let end = record.len() - if packed { 0 } else { 4 };
        let (from, count) = (random(end), 1 + random(40));
        let bytes: Vec<u8> = (0..count).map(|_| random(256) as u8).collect();
        let to = end.min(from + count);
        match random(3) {
            0 => drop(record.splice(from..to, bytes)),
            1 => drop(record.splice(from..from, bytes)),
            _ => drop(record.drain(from..to)),
        }
        let dir = files(&[("a.warc.gz", &records.concat())]);
        let done = iriscan_in(dir.path(), "find a.warc.gz", "");
        let links = String::from_utf8(done.stdout.clone()).unwrap();
        for n in (1..=6).filter(|n| n - 1 != at) {
            assert!(links.contains(&found([n])), "{n}: {at} {packed} {from} {count}: {done:?}");
        }
        // A member has a check value, but not of the date in its head.
        if packed && !links.contains(&found([at + 1])) {
            done.exits(2).mentions(&["a.warc.gz: byte "]);
        }
    }
}

/// Other bytes before the first record, between records and after the last one.
#[test]
fn bytes_between_records_are_passed_over() {
    let all = pages(3);
    for other in [&b"x"[..], b"no archive\r\n", b"\0\0\0\0", &[0xFF; 100_000]] {
        for at in 0..=3 {
            let mut records = all.clone();
            records.insert(at, [other, b"\r\n"].concat());
            let plain = iriscan("find --format warc", records.concat()).exits(2);
            plain.says(&["no WARC record begins here"]).writes(found(1..=3));
            let packed: Vec<u8> = records.iter().flat_map(|record| gzip(record)).collect();
            let done = iriscan("find --format warc", packed).exits(2);
            done.mentions(&["no WARC record begins here"]).writes(found(1..=3));
            // Between members, not in one.
            let mut members: Vec<_> = all.iter().map(|page| gzip(page)).collect();
            members.insert(at, other.to_vec());
            if !(other[0] == 0 && at == 3) {
                iriscan("find --format warc", members.concat()).exits(2).writes(found(1..=3));
            }
        }
    }
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
