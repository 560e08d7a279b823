//! `-z` with zip containers: what is refused, and hostile files.

use std::{
    io::{Cursor, Write},
    path::Path,
};

use serde_json::json;
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

use crate::common::{files, iriscan, iriscan_in};

/// A container with these members.
fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    zip_as(CompressionMethod::Deflated, members)
}

fn zip_as(method: CompressionMethod, members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(method);
    for (name, bytes) in members {
        writer.start_file(*name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Replaces every `from` by `to`, which is as long.
fn patched(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let (mut out, mut at, mut found) = (bytes.to_vec(), 0, 0);
    while let Some(place) = out[at..].windows(from.len()).position(|window| window == from) {
        out[at + place..][..to.len()].copy_from_slice(to);
        (at, found) = (at + place + to.len(), found + 1);
    }
    assert!(found > 0, "nothing to replace");
    out
}

/// The place of the last `what`.
fn last(bytes: &[u8], what: &[u8]) -> usize {
    bytes.windows(what.len()).rposition(|window| window == what).unwrap()
}

const DOCUMENT: &str = "<?xml version='1.0' encoding='UTF-8'?><w><t>http://a.example/ü</t></w>";
const RELS: &str = "<Relationships><Relationship Target='http://b.example/' TargetMode='External'/><Relationship Target='styles.xml'/></Relationships>";

fn docx() -> Vec<u8> {
    zip(&[
        ("mimetype", b"http://no.example/"),
        ("word/document.xml", DOCUMENT.as_bytes()),
        ("word/_rels/document.xml.rels", RELS.as_bytes()),
        ("word/media/image1.png", b"\x89PNG\r\n\x1A\n\0\0\0http://no.example/"),
        ("word/", b""),
    ])
}

#[test]
fn a_report_names_the_members() {
    let dir = files(&[("a.docx", &docx())]);
    iriscan_in(dir.path(), "report -z a.docx -o page.html", "").exits(0).quiet();
    let page = std::fs::read_to_string(dir.path().join("page.html")).unwrap();
    for text in ["zip container; 2 texts; 2 links", "a.docx!word/document.xml", "b.example"] {
        assert!(page.contains(text), "{text}: {page}");
    }
}

#[test]
fn only_in_markup_are_tags_no_text() {
    let text = b"a <b>c</b> http://a.example/ d <i>e</i>";
    let dir = files(&[("a.zip", &zip(&[("a.txt", text), ("a.html", text)]))]);
    let done = iriscan_in(dir.path(), "find -z --json --context 20 a.zip", "").exits(0);
    let around: Vec<_> = done.records().iter().map(|link| link["before"].clone()).collect();
    assert_eq!(around, [json!("a <b>c</b> "), json!("a c ")]);
}

#[test]
fn without_z_the_message_says_how() {
    let dir = files(&[("a.docx", &docx())]);
    iriscan_in(dir.path(), "find a.docx", "")
        .mentions(&["a.docx: a zip container, read as it is", "add -z"]);
    iriscan_in(dir.path(), "report a.docx -o -", "").mentions(&["add -z"]);
    // In a folder it is binary, and left out.
    iriscan_in(dir.path(), "find -z -v .", "")
        .exits(1)
        .writes("")
        .mentions(&["a.docx: a zip container, left out; name it to have it"]);
    iriscan_in(dir.path(), "find .", "").exits(1).quiet().writes("");
}

#[test]
fn rewriting_is_refused_without_z() {
    let bytes = docx();
    let dir = files(&[("a.docx", &bytes)]);
    for args in ["", "-i ", "--check ", "--diff "] {
        iriscan_in(dir.path(), &format!("rewrite {args}a.docx"), "")
            .exits(2)
            .writes("")
            .says(&["a.docx: a zip container, which is not rewritten", "add -z"]);
    }
    assert_eq!(std::fs::read(dir.path().join("a.docx")).unwrap(), bytes);
}

/// Bytes before the start, and after the end, are what places in the container do not count.
#[test]
fn what_cannot_be_written_anew_stays() {
    let bytes = docx();
    let before = [b"PK\x03\x04", &bytes[..]].concat();
    let after = [&bytes[..], b"more"].concat();
    let cut = bytes[..bytes.len() - 30].to_vec();
    for bytes in [before, after, cut] {
        let dir = files(&[("a.docx", &bytes)]);
        for args in ["-z -i ", "-z -o b.docx "] {
            let done = iriscan_in(dir.path(), &format!("rewrite {args}a.docx"), "");
            done.exits(2).writes("").mentions(&["a.docx: "]);
        }
        assert_eq!(std::fs::read(dir.path().join("a.docx")).unwrap(), bytes);
        assert!(!dir.path().join("b.docx").exists());
    }
}

#[test]
fn standard_input_cannot_be_a_container() {
    iriscan("find -z", docx())
        .exits(2)
        .writes("")
        .says(&["-: a zip container, whose directory is at its end", "name the file"]);
}

#[test]
fn a_bomb_is_cut() {
    // Twice what may be inflated, deflated to a thousandth.
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default();
    writer.start_file("a.xml", options).unwrap();
    writer.write_all(b"<a>http://a.org/ ").unwrap();
    for _ in 0..128 {
        writer.write_all(&vec![b' '; 1 << 20]).unwrap();
    }
    writer.start_file("b.xml", options).unwrap();
    writer.write_all(b"<a>http://b.org/</a>").unwrap();
    let dir = files(&[("a.zip", &writer.finish().unwrap().into_inner())]);
    iriscan_in(dir.path(), "find -z a.zip", "")
        .exits(2)
        .writes("a.zip!a.xml:http://a.org/\n")
        .says(&["a.zip: inflates to more than 64 MiB and 256 times its length", "unpack it"]);
}

#[test]
fn damaged_containers_give_what_could_be_read() {
    let bytes = docx();
    // Without its directory, at each length.
    for len in [4, 30, 100, bytes.len() / 2, bytes.len() - 1] {
        let dir = files(&[("a.docx", &bytes[..len])]);
        iriscan_in(dir.path(), "find -z a.docx", "")
            .exits(2)
            .writes("")
            .says(&["a.docx: cut short or damaged"]);
    }
    // A member whose bytes do not fit its checksum: what came before the error is used.
    let stored = zip_as(
        CompressionMethod::Stored,
        &[("1.xml", b"<a>http://a.org/1</a>"), ("2.xml", b"<a>http://a.org/2</a>")],
    );
    let dir = files(&[("a.zip", &patched(&stored, b"a.org/1", b"b.org/1"))]);
    iriscan_in(dir.path(), "find -z a.zip", "")
        .exits(2)
        .writes("a.zip!1.xml:http://b.org/1\na.zip!2.xml:http://a.org/2\n")
        .says(&["a.zip!1.xml: cut short or damaged"]);
}

#[test]
fn fields_that_lie_do_no_harm() {
    let bytes = zip(&[("1.xml", b"<a>http://a.org/1</a>"), ("2.xml", b"<a>http://a.org/2</a>")]);
    let directory = last(&bytes, b"PK\x05\x06");
    let entry = bytes.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
    // The number of members, the length and the place of the directory; sizes, the length of the
    // name and the place of the first member: all ones, which mean zip64 in most.
    let places =
        [(directory + 8, 4), (directory + 12, 4), (directory + 16, 4), (directory + 20, 2)];
    let entries =
        [(entry + 20, 4), (entry + 24, 4), (entry + 28, 2), (entry + 30, 2), (entry + 42, 4)];
    for (place, len) in places.into_iter().chain(entries) {
        let mut bytes = bytes.clone();
        bytes[place..place + len].fill(0xFF);
        let dir = files(&[("a.zip", &bytes)]);
        let done = iriscan_in(dir.path(), "find -z a.zip", "");
        assert!(!done.stderr.contains("panicked"), "{place}: {}", done.stderr);
        let text = String::from_utf8(done.stdout).unwrap();
        assert!(text.lines().all(|line| line.contains("http://a.org/")), "{place}: {text}");
    }
    // A zip64 directory that names more members than there are bytes.
    let mut end = b"PK\x06\x06".to_vec();
    end.extend(44_u64.to_le_bytes());
    end.extend([45, 0, 45, 0]);
    end.extend([0; 8]);
    end.extend(u64::MAX.to_le_bytes());
    end.extend(u64::MAX.to_le_bytes());
    end.extend((directory as u64 - entry as u64).to_le_bytes());
    end.extend((entry as u64).to_le_bytes());
    end.extend(b"PK\x06\x07\0\0\0\0");
    end.extend((directory as u64).to_le_bytes());
    end.extend(1_u32.to_le_bytes());
    let mut record = bytes[directory..].to_vec();
    record[8..20].fill(0xFF);
    let lying = [&bytes[..directory], &end, &record].concat();
    let dir = files(&[("a.zip", &lying)]);
    iriscan_in(dir.path(), "find -z a.zip", "").exits(2).says(&["a.zip: cut short or damaged"]);
}

#[test]
fn encrypted_and_unknown_members_are_reported() {
    let bytes = zip(&[("1.xml", b"<a>http://a.org/1</a>"), ("2.xml", b"<a>http://a.org/2</a>")]);
    let entry = bytes.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
    // The flag of encryption, and the method of compression, of the first member.
    for (place, value, why) in [(8, 1, "encrypted"), (10, 98, "another way than deflate")] {
        let mut bytes = bytes.clone();
        bytes[entry + place] |= value;
        bytes[6 + place - 8] |= value;
        let dir = files(&[("a.zip", &bytes)]);
        iriscan_in(dir.path(), "find -z a.zip", "")
            .exits(2)
            .writes("a.zip!2.xml:http://a.org/2\n")
            .says(&["a.zip!1.xml: not searched", why]);
    }
}

#[test]
fn names_of_members_are_only_shown() {
    let page = &b"<a href='http://a.org/'>"[..];
    let dir = files(&[("a.zip", &zip(&[("../../x.html", page), ("/etc/y.html", page)]))]);
    iriscan_in(dir.path(), "find -z a.zip", "")
        .exits(0)
        .quiet()
        .writes("a.zip!../../x.html:http://a.org/\na.zip!/etc/y.html:http://a.org/\n");
    let inside: Vec<_> = std::fs::read_dir(dir.path()).unwrap().collect();
    assert_eq!(inside.len(), 1);
    // Not UTF-8: the name is given as bytes.
    if cfg!(unix) {
        let bytes = patched(&zip(&[("aXb.html", page)]), b"aXb.html", b"a\xFCb.html");
        let dir = files(&[("a.zip", &bytes)]);
        let records = iriscan_in(dir.path(), "find -z --json a.zip", "").exits(0).records();
        assert_eq!(records[0].get("path"), None);
        assert_eq!(records[0]["path_bytes"], json!("YS56aXAhYfxiLmh0bWw="));
    }
    // With controls: a message shows them escaped.
    let broken = zip_as(CompressionMethod::Stored, &[("a\x1B[m.xml", b"<a>http://a.org/1</a>")]);
    let dir = files(&[("a.zip", &patched(&broken, b"a.org/1", b"b.org/1"))]);
    iriscan_in(dir.path(), "find -z a.zip", "").exits(2).says(&["a.zip!a\\u{1b}[m.xml"]);
}

#[test]
fn containers_in_containers_stay_closed() {
    let inner = zip(&[("1.html", b"<a href='http://no.example/'>")]);
    let outer = zip_as(CompressionMethod::Stored, &[("in.zip", &inner), ("in.epub", &inner)]);
    let dir = files(&[("a.zip", &outer), ("b.zip.gz", &gzip(&outer))]);
    iriscan_in(dir.path(), "find -z a.zip", "").exits(1).quiet().writes("");
    assert!(Path::new(dir.path()).join("b.zip.gz").exists());
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(6));
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Names of members are chosen by others: none makes a record of its own, or reaches a terminal.
#[test]
fn a_name_of_a_member_is_one_record() {
    let names = ["a\nhttp://evil.example/x", "b\u{1b}]0;p\u{7}.txt"];
    let members = names.map(|name| (name, &b"http://x.example/"[..]));
    let dir = files(&[("n.zip", &zip(&members))]);
    let found = iriscan_in(dir.path(), "find -z --print {file}:{uri} n.zip", "").exits(0);
    found.writes(
        "n.zip!a\\u{a}http://evil.example/x:http://x.example/\n\
         n.zip!b\\u{1b}]0;p\\u{7}.txt:http://x.example/\n",
    );
    let raw = iriscan_in(dir.path(), "find -z -0 --print {file} n.zip", "").exits(0);
    raw.writes(format!("n.zip!{}\0n.zip!{}\0", names[0], names[1]));
}
