//! `--format mail`: the output of `find` and `rewrite` for messages and mboxes.

use std::path::Path;

use serde_json::{Value, json};

use crate::common::{files, iriscan, iriscan_in};

fn testdata(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/mail");
    std::fs::read(folder.join(name)).unwrap()
}

#[test]
fn finds_through_transfer_encodings() {
    iriscan("find --format mail", testdata("quoted.eml")).exits(0).quiet().writes(
        "http://www.xn--straen-eta.example/weg/%C3%BCber?von=hier&nach=dort\n\
         http://alt.example/a=b\n\
         http://xn--mller-kva.example/\n\
         http://e.example/%C3%A9\n\
         http://x.example/%C3%A4\n",
    );
    iriscan("find --format mail --iri -0", testdata("base64.eml"))
        .exits(0)
        .writes("https://例え.example/写真?頁=1\0http://a.example/b\0");
}

#[test]
fn an_extension_tells_that_it_is_mail() {
    let dir = files(&[
        ("a.eml", &testdata("base64.eml")),
        ("b.MBOX", &testdata("box.mbox")),
        ("c.txt", b"http://e.org/a=3Db"),
    ]);
    iriscan_in(dir.path(), "find a.eml b.MBOX c.txt --unique", "").exits(0).quiet().writes(
        "a.eml:https://xn--r8jz45g.example/%E5%86%99%E7%9C%9F?%E9%A0%81=1\n\
         a.eml:http://a.example/b\n\
         b.MBOX:http://a.example/%C3%BC\n\
         b.MBOX:http://b.example/%C3%BC\n\
         b.MBOX:http://c.example/%C3%BC\n\
         c.txt:http://e.org/a=3Db\n",
    );
    iriscan_in(dir.path(), "find --format text --count a.eml", "").exits(1).writes("0\n");
    iriscan_in(dir.path(), "find --count b.MBOX", "").exits(0).writes("3\n");
}

#[test]
fn names_of_a_maildir_tell_that_it_is_mail() {
    let mail = testdata("base64.eml");
    let dir = tempfile::tempdir().unwrap();
    let cases = [
        // A name with flags is enough, in any folder.
        ("a/1700000000.M1P2.host.example:2,S", true),
        ("a/1700000000.M1P2.host.json,S=12,W=13:2,", true),
        ("a/1700000000.M1P2.host!2,FS", true),
        ("a/1700000000.M1P2.host;2,a", true),
        ("a/x:2,S.txt", false),
        ("a/x:2,1", false),
        ("a/1700000000.M1P2.host", false),
        ("a/x.mbx", true),
        // Files in a Maildir.
        ("maildir/cur/whatever", true),
        ("maildir/new/1700000000.M1P2.host", true),
        ("maildir/new/page.html", false),
        ("maildir/x", false),
        // Incomplete Maildirs, and other folders called `new`.
        ("b/cur/1700000000.M1P2.host", true),
        ("c/new/1700000000_0.2.host,U=1", true),
        ("d/new/2024.report", false),
        ("d/new/x", false),
    ];
    let cases = cases.iter().filter(|(name, _)| !cfg!(windows) || !name.contains(':'));
    for (name, _) in cases.clone() {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, &mail).unwrap();
    }
    let mut expected = String::new();
    for &(name, is_mail) in cases {
        let links = if is_mail { 2 } else { 0 };
        let done = iriscan_in(dir.path(), &format!("find --count {name}"), "");
        assert_eq!(String::from_utf8_lossy(&done.stdout), format!("{links}\n"), "{name}");
        if is_mail {
            expected += &format!("{name}:2\n");
        }
    }
    // The same for whole folders.
    let done = iriscan_in(dir.path(), "find --count a maildir b c d", "").exits(0);
    let counts = String::from_utf8(done.stdout).unwrap();
    let mut found: Vec<&str> = counts.lines().filter(|line| line.ends_with(":2")).collect();
    let mut expected: Vec<&str> = expected.lines().collect();
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected);
}

/// A message in ISO-2022-JP whose link has a query that is not ASCII.
fn japanese(kind: &str) -> Vec<u8> {
    let (text, ..) = encoding_rs::ISO_2022_JP.encode("siehe http://a.example/?q=東京\n");
    let head = format!("Subject: hi\nContent-Type: {kind}; charset=iso-2022-jp\n\n");
    [head.as_bytes(), &text].concat()
}

#[test]
fn queries_of_mail_are_utf_8_but_for_html() {
    const UTF_8: &str = "http://a.example/?q=%E6%9D%B1%E4%BA%AC";
    const LEGACY: &str = "http://a.example/?q=%1B%24%42%45%6C%35%7E%1B%28%42";
    for (options, kind, uri) in [
        ("", "text/plain", UTF_8),
        ("", "text/html", LEGACY),
        ("--query document", "text/plain", LEGACY),
        ("--query document", "text/html", LEGACY),
        ("--query utf-8", "text/plain", UTF_8),
        ("--query utf-8", "text/html", UTF_8),
    ] {
        let message = japanese(kind);
        iriscan(&format!("find --format mail {options}"), &message)
            .exits(0)
            .quiet()
            .writes(format!("{uri}\n"));
        let written = iriscan(&format!("rewrite --format mail {options}"), &message).exits(0);
        let written = String::from_utf8(written.stdout).unwrap();
        let written = written.replace("\u{1b}(B", "");
        assert!(written.ends_with(&format!(" {uri}\n")), "{options} {kind}: {written}");
    }
    // In other formats the query is in the charset of the document.
    let text = japanese("text/plain");
    let text = &text[text.windows(2).position(|w| w == b"\n\n").unwrap()..];
    iriscan("find --charset iso-2022-jp", text).exits(0).writes(format!("{LEGACY}\n"));
}

#[test]
fn the_first_bytes_tell_that_it_is_mail() {
    for name in ["base64.eml", "box.mbox", "parts.eml"] {
        let told = iriscan("find --format mail", testdata(name)).exits(0).stdout;
        let sniffed = iriscan("find --format sniff -v", testdata(name)).exits(0);
        sniffed.mentions(&["format mail by its first bytes"]).writes(told);
    }
    iriscan("find --format sniff -v", "Subject: none\n\nhttp://a.example/=\n")
        .exits(0)
        .mentions(&["format text"])
        .writes("http://a.example/=\n");
}

#[test]
fn records_say_the_part_and_the_field_or_the_line() {
    let dir = files(&[("box.mbox", &testdata("box.mbox"))]);
    let records = iriscan_in(dir.path(), "find --json box.mbox", "").exits(0).records();
    let mbox = testdata("box.mbox");
    // Offsets and lines count from the start of the file, not of the message.
    let (start, end) = (records[1]["start"].as_u64(), records[1]["end"].as_u64());
    let source = &mbox[start.unwrap() as usize..end.unwrap() as usize];
    assert_eq!(source, "http://b.example/ü".as_bytes());
    assert_eq!(records[1]["line"], 14);
    assert_eq!(
        records[2],
        json!({
            "path": "box.mbox", "start": null, "end": null, "text": "http://c.example/ü",
            "iri": "http://c.example/ü", "uri": "http://c.example/%C3%BC",
            "open": "http://c.example/%C3%BC", "kind": "iri", "scheme": "http",
            "host": "c.example", "display": "http://c.example/ü", "charset": "UTF-8", "warnings": [], "part": "1", "line": 20,
        })
    );
    let records = iriscan("find --json --format mail", testdata("headers.eml")).records();
    let part = |record: &Value| (record["part"].clone(), record["header"].clone());
    assert!(records.iter().any(|r| part(r) == (json!("0"), json!("List-Archive"))));
}

#[test]
fn rewrites_messages_and_leaves_signed_ones() {
    iriscan("rewrite --format mail", testdata("quoted.eml"))
        .exits(0)
        .quiet()
        .writes(testdata("quoted.out"));
    let dkim = testdata("dkim.eml");
    iriscan("rewrite --format mail", &dkim)
        .exits(0)
        .says(&["1 link stays", "signed (DKIM)", "--even-signed"])
        .writes(&dkim);
    let written = String::from_utf8(dkim.clone()).unwrap().replace('ü', "%C3%BC");
    iriscan("rewrite --format mail --even-signed", &dkim).exits(0).quiet().writes(written);
    iriscan("rewrite --format mail -v", &dkim).exits(0).mentions(&["byte 128", "is signed"]);
}

#[test]
fn check_and_diff_write_nothing_else() {
    let dir = files(&[("a.eml", &testdata("wrapped.eml")), ("b.eml", &testdata("dkim.eml"))]);
    iriscan_in(dir.path(), "rewrite --check a.eml", "").exits(1).quiet().writes("");
    iriscan_in(dir.path(), "rewrite --check b.eml", "").exits(0).writes("");
    let done = iriscan_in(dir.path(), "rewrite --check a.eml b.eml", "").exits(1).writes("");
    done.mentions(&["iriscan: a.eml: 1 link would change\n"]);
    iriscan_in(dir.path(), "rewrite --diff a.eml", "").exits(0).quiet().writes(
        "--- a.eml\n+++ a.eml\n@@ -3,6 +3,5 @@\n \
         Content-Type: text/plain; charset=utf-8\n \
         Content-Transfer-Encoding: quoted-printable\n \n\
         -> <http://a.example/sehr/\n->  lang/=C3=BC> und http://b.example/\n\
         +> <http://a.example/sehr/lang/%C3%BC> und http://b.example/\n \
         nicht weiter.\n",
    );
}

#[test]
fn a_diff_of_an_mbox_counts_lines_in_the_file() {
    let dir = files(&[("box.mbox", &testdata("box.mbox"))]);
    let done = iriscan_in(dir.path(), "rewrite --diff box.mbox", "").exits(0);
    let text = String::from_utf8(done.stdout).unwrap();
    let heads: Vec<_> = text.lines().filter(|line| line.starts_with("@@")).collect();
    assert_eq!(heads, ["@@ -2,7 +2,7 @@", "@@ -17,4 +17,4 @@"]);
}

#[test]
fn a_message_above_the_limit_passes_as_it_is() {
    let line = "http://a.example/ü und so weiter, eine Zeile wie jede andere.\n";
    let long = ["Subject: lang\n\n", &line.repeat((64 << 20) / line.len() + 1)].concat();
    assert!(long.len() > 64 << 20);
    let done = iriscan("rewrite --format mail", &long).exits(0);
    assert!(done.stdout == long.as_bytes());
    done.says(&["byte 0", "longer than 64 MiB", "stays as written"]);
    iriscan("find --format mail", &long).exits(1).says(&["is not searched"]).writes("");
}

#[test]
fn offsets_of_a_decoded_text_are_refused() {
    let done = iriscan("find --format mail --json --offsets chars", testdata("dkim.eml"));
    done.exits(2).says(&["--offsets", "mail"]);
}

#[test]
fn a_file_that_is_not_there_is_trouble() {
    iriscan("find none.eml", "").exits(2).says(&["none.eml"]);
    iriscan("rewrite none.eml", "").exits(2).says(&["none.eml"]);
}

#[test]
fn parts_that_are_not_searched_are_counted() {
    let message = "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nhttp://a.example/\n--b\n\
                   Content-Type: application/ms-tnef; name=winmail.dat\n\nAAAA\n--b\n\
                   Content-Type: application/pkcs7-mime\n\nAAAA\n--b--\n";
    iriscan("find --format mail", message)
        .exits(0)
        .writes("http://a.example/\n")
        .says(&["2 parts are not searched (1 TNEF, 1 S/MIME)", "-v names each"]);
    iriscan("find --format mail -v", message)
        .mentions(&["-:9: part 2 of the message at byte 0 is not searched: TNEF", "part 3"]);
    iriscan("rewrite --format mail", message)
        .writes(message)
        .mentions(&["2 parts are not searched"]);
}

#[test]
fn a_charset_is_for_parts_that_declare_none_or_for_all() {
    let mut message = b"Content-Type: text/plain; charset=koi8-r\n\nhttp://a.example/".to_vec();
    message.extend("ü".as_bytes());
    let find = |options: &str| iriscan(&format!("find --format mail --iri {options}"), &message);
    find("").writes("http://a.example/ц╪\n");
    find("--charset utf-8").writes("http://a.example/ц╪\n");
    find("--charset utf-8 --force-charset").writes("http://a.example/ü\n");
    find("--force-charset").exits(2).mentions(&["'--force-charset' needs '--charset LABEL'"]);
    iriscan("find --format html --charset utf-8 --force-charset", "")
        .exits(2)
        .mentions(&["'--force-charset' is of mail"]);
}
