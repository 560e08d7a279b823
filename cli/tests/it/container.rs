//! `-z` with zip containers: office documents, electronic books, hostile files.

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
fn options_of_one_format_count_in_members() {
    let json = br#"{"u": "http://a.example/", "v": "http://no.example/"}"#;
    let log = br#""GET /c HTTP/1.1" 200"#;
    let members = [("a.json", &json[..]), ("b.txt", b"hxxp[:]//b[.]example/"), ("c.log", log)];
    let dir = files(&[("a.zip", &zip(&members))]);
    let done = iriscan_in(dir.path(), "find -I -z --field u --refang --targets a.zip", "");
    done.exits(0).quiet().writes("http://a.example/\nhttp://b.example/\n/c\n");
}

#[test]
fn texts_of_members_and_nothing_else() {
    let dir = files(&[("a.docx", &docx())]);
    let links = "a.docx!word/document.xml:http://a.example/%C3%BC\n\
                 a.docx!word/_rels/document.xml.rels:http://b.example/\n";
    iriscan_in(dir.path(), "find -z a.docx", "").exits(0).quiet().writes(links);
    iriscan_in(dir.path(), "find -z -I a.docx", "")
        .exits(0)
        .writes("http://a.example/%C3%BC\nhttp://b.example/\n");
    iriscan_in(dir.path(), "find -z --count a.docx", "").exits(0).writes("2\n");
    iriscan_in(dir.path(), "find -z --count-by host a.docx", "")
        .exits(0)
        .writes("1\ta.example\n1\tb.example\n");
    iriscan_in(dir.path(), "find -z -v a.docx", "")
        .mentions(&["a.docx: zip container by its first bytes; 5 members, 2 searched"]);
    iriscan_in(dir.path(), "find -z --print {n}:{file} a.docx", "")
        .writes("1:a.docx!word/document.xml\n2:a.docx!word/_rels/document.xml.rels\n");
    // An e-book with HTML in another charset, stored.
    let page = b"<meta charset=windows-1252><a href='http://c.example/\xFC'>";
    let book = zip_as(CompressionMethod::Stored, &[("OEBPS/1.html", page)]);
    let dir = files(&[("a.epub", &book), ("none.zip", &zip(&[("a", b"\0http://a.org/")]))]);
    iriscan_in(dir.path(), "find -z a.epub", "")
        .exits(0)
        .writes("a.epub!OEBPS/1.html:http://c.example/%C3%BC\n");
    iriscan_in(dir.path(), "find -z none.zip", "").exits(1).quiet().writes("");
}

#[test]
fn members_have_the_formats_of_their_names() {
    let wide: Vec<u8> = "http://a.org/w".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let members: [(&str, &[u8]); 13] = [
        ("README", b"See http://a.org/readme."),
        ("a/b.JSON", br#"{"a": "http:\/\/a.org\/j"}"#),
        ("c.csv", b"a,b\nhttp://a.org/c,d\n"),
        ("d.tex", br"\url{http://a.org/d\_d}"),
        ("e.rst", b"`a <http://a.org/e>`_"),
        ("f.po", b"msgid \"http://a.org/f\"\n\"g\"\n"),
        ("h.md", b"[h](http://a.org/h)"),
        ("w.txt", &wide),
        ("x.bin", b"\0http://no.example/"),
        ("x.txt.gz", &gzip(b"http://no.example/")),
        ("x.eml", b"Subject: x\n\nhttp://no.example/\n"),
        ("x.warc", b"WARC/1.0\r\n"),
        ("folder.xml/", b""),
    ];
    let dir = files(&[("a.zip", &zip(&members))]);
    let links = ["readme", "j", "c", "d_d", "e", "fg", "h", "w"];
    let links: String = links.iter().map(|link| format!("http://a.org/{link}\n")).collect();
    iriscan_in(dir.path(), "find -z -I a.zip", "").exits(2).writes(links).mentions(&[
        "a.zip!x.eml: not searched, mail",
        "a.zip!x.warc: not searched",
        "unpack the file",
    ]);
    iriscan_in(dir.path(), "find -z -v a.zip", "").mentions(&[
        "format text for want of a known extension",
        "a.zip!d.tex: charset",
        "format latex by its name",
        "13 members, 8 searched",
    ]);
}

const SHEET: &str = "<worksheet xmlns='http://schemas.openxmlformats.org/spreadsheetml/2006/main'>\
    <c r='A1'><f>HYPERLINK(&quot;http://a.org/f&quot;,&quot;x&quot;)</f></c>\
    <hyperlink ref='A1' r:id='rId1' display='y'/></worksheet>";
const SHEET_RELS: &str = "<?xml version='1.0'?><Relationships \
    xmlns='http://schemas.openxmlformats.org/package/2006/relationships'><Relationship Id='rId1' \
    Type='http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink' \
    Target='http://a.org/a b' TargetMode='External'/><Relationship Id='rId2' Type='http://x/y' \
    Target='../printerSettings/a.bin'/></Relationships>";
const CONTENT: &str = "<office:document-content \
    xmlns:office='urn:oasis:names:tc:opendocument:xmlns:office:1.0'><text:p>\
    <text:a xlink:type='simple' xlink:href='http://a.org/ü'>http://a.<text:span>org/v\
    </text:span></text:a></text:p></office:document-content>";

/// Spreadsheets, presentations and texts as their programs write them.
#[test]
fn office_documents_of_all_kinds() {
    let slide_rels = SHEET_RELS.replace("a b", "p");
    let books: [(&str, Vec<u8>, &str); 3] = [
        (
            "a.xlsx",
            zip(&[
                (
                    "[Content_Types].xml",
                    b"<Types xmlns='http://x/'><Default Extension='rels'/></Types>",
                ),
                ("xl/worksheets/sheet1.xml", SHEET.as_bytes()),
                ("xl/worksheets/_rels/sheet1.xml.rels", SHEET_RELS.as_bytes()),
                ("xl/sharedStrings.xml", b"<sst><si><t>http://a.org/s</t></si></sst>"),
            ]),
            "http://a.org/f\nhttp://a.org/a%20b\nhttp://a.org/s\n",
        ),
        (
            "a.pptx",
            zip(&[
                (
                    "ppt/slides/slide1.xml",
                    b"<a:p><a:r><a:t>http://a.o</a:t></a:r><a:r><a:t>rg/t</a:t></a:r></a:p>",
                ),
                ("ppt/slides/_rels/slide1.xml.rels", slide_rels.as_bytes()),
            ]),
            "http://a.org/t\nhttp://a.org/p\n",
        ),
        (
            "a.odp",
            zip(&[
                ("mimetype", b"application/vnd.oasis.opendocument.presentation"),
                ("content.xml", CONTENT.as_bytes()),
            ]),
            "http://a.org/%C3%BC\nhttp://a.org/v\n",
        ),
    ];
    for (name, bytes, links) in &books {
        let dir = files(&[(name, bytes)]);
        iriscan_in(dir.path(), &format!("find -z -I {name}"), "").exits(0).quiet().writes(*links);
    }
}

#[test]
fn offsets_are_those_of_the_member() {
    let dir = files(&[("a.docx", &docx())]);
    let done = iriscan_in(dir.path(), "find -z --json --offsets bytes,utf16,lines a.docx", "");
    let records = done.exits(0).records();
    let at = DOCUMENT.find("http").unwrap();
    assert_eq!(records[0]["path"], json!("a.docx!word/document.xml"));
    assert_eq!(records[0]["start"], json!(at));
    assert_eq!(records[0]["end"], json!(at + "http://a.example/ü".len()));
    assert_eq!(records[0]["utf16"], json!([at, at + "http://a.example/ü".chars().count()]));
    assert_eq!(records[1]["path"], json!("a.docx!word/_rels/document.xml.rels"));
    assert_eq!(records[1]["start"], json!(RELS.find("http").unwrap()));
    assert_eq!(records[1]["line"], json!(1));
}

#[test]
fn unique_and_stats_go_over_members() {
    let page = &b"<a href='http://a.org/'>"[..];
    let dir = files(&[("a.zip", &zip(&[("1.html", page), ("2.html", page)]))]);
    iriscan_in(dir.path(), "find -z --unique a.zip", "").writes("a.zip!1.html:http://a.org/\n");
    let done = iriscan_in(dir.path(), "find -z --stats=json a.zip", "").exits(0);
    for field in ["\"files\":1", "\"links\":2", "\"formats\":{\"zip\":1}"] {
        assert!(done.stderr.contains(field), "{field}: {}", done.stderr);
    }
    let done = iriscan_in(dir.path(), "find -z -j4 a.zip a.zip", "");
    done.exits(0).writes("a.zip!1.html:http://a.org/\na.zip!2.html:http://a.org/\n".repeat(2));
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
fn rewriting_is_refused() {
    let bytes = docx();
    let dir = files(&[("a.docx", &bytes)]);
    for args in ["", "-z ", "-i ", "-z -i ", "--check ", "-z --diff "] {
        iriscan_in(dir.path(), &format!("rewrite {args}a.docx"), "").exits(2).writes("").says(&[
            "a.docx: a zip container, which is not rewritten",
            "unpack it",
            "`find -z`",
        ]);
        assert_eq!(std::fs::read(dir.path().join("a.docx")).unwrap(), bytes);
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
    // A gigabyte that deflates to a megabyte.
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default();
    writer.start_file("a.xml", options).unwrap();
    writer.write_all(b"<a>http://a.org/ ").unwrap();
    for _ in 0..1024 {
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
