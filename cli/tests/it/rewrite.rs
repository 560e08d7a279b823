//! `iriscan rewrite`: it changes links, and nothing else.

use crate::common::{Order, files, iriscan, iriscan_in, wide};

#[test]
fn bytes_outside_links_come_out_as_they_went_in() {
    let (before, behind) = (
        &b"\xEF\xBB\xBF\0a\r\n\xFF\xFE\xC3 \x1B[1m\xED\xA0\x80\r\t<http://e.org/"[..],
        &b">\n\r\n\0\0\xE6\x97,\x7F\xC0\x80 http://e.org/ascii%C3%a4 \xF0\x9F no end of line"[..],
    );
    iriscan("rewrite --charset utf-8", [before, "日本".as_bytes(), behind].concat())
        .exits(0)
        .quiet()
        .writes([before, b"%E6%97%A5%E6%9C%AC", behind].concat());
}

#[test]
fn links_go_out_in_the_charset_of_the_document() {
    // 表 ends in a byte that is a backslash in ASCII.
    let shift_jis = b"\x81uhttp://ja.example.org/\x95\\\x81v\x95\\";
    iriscan("rewrite --charset shift_jis", shift_jis)
        .exits(0)
        .writes(b"\x81uhttp://ja.example.org/%E8%A1%A8\x81v\x95\\");
    let (text, uri) = ("𝒳 http://ä.example/ö?ü\r\n", "𝒳 http://xn--4ca.example/%C3%B6?%C3%BC\r\n");
    for (charset, width, order) in [
        ("utf-16le", 2, Order::Little),
        ("utf-16be", 2, Order::Big),
        ("utf-32le", 4, Order::Little),
        ("utf-32be", 4, Order::Big),
    ] {
        iriscan(&format!("rewrite --charset {charset}"), wide(text, width, order))
            .exits(0)
            .writes(wide(uri, width, order));
    }
    iriscan("rewrite --charset iso-2022-jp", b"\x1B$BF|K\\\x1B(B http://e.org/\x1B$BF|\x1B(B.\n")
        .exits(0)
        .writes(b"\x1B$BF|K\\\x1B(B http://e.org/%E6%97%A5\x1B(B.\n");
}

/// A label of every charset.
const CHARSETS: [&str; 41] = [
    "utf-8",
    "utf-16le",
    "utf-16be",
    "utf-32le",
    "utf-32be",
    "ibm866",
    "iso-8859-2",
    "iso-8859-3",
    "iso-8859-4",
    "iso-8859-5",
    "iso-8859-6",
    "iso-8859-7",
    "iso-8859-8",
    "iso-8859-8-i",
    "iso-8859-10",
    "iso-8859-13",
    "iso-8859-14",
    "iso-8859-15",
    "iso-8859-16",
    "koi8-r",
    "koi8-u",
    "macintosh",
    "windows-874",
    "windows-1250",
    "windows-1251",
    "windows-1252",
    "windows-1253",
    "windows-1254",
    "windows-1255",
    "windows-1256",
    "windows-1257",
    "windows-1258",
    "x-mac-cyrillic",
    "gbk",
    "gb18030",
    "big5",
    "euc-jp",
    "iso-2022-jp",
    "shift_jis",
    "euc-kr",
    "x-user-defined",
];

#[test]
fn noise_passes_unchanged_in_every_charset() {
    // xorshift: every pair of bytes, malformed in every way.
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    })
    .take(1 << 16)
    .collect();
    let mut odd = b"\x1B$B".to_vec();
    odd.extend_from_slice(&noise[..4093]);
    for charset in CHARSETS.iter().chain(&["auto"]) {
        for input in [&noise, &odd] {
            let done = iriscan(&format!("rewrite --charset {charset}"), input).exits(0);
            assert!(&done.stdout == input, "{charset}");
        }
    }
}

#[test]
fn an_ascii_link_is_never_changed() {
    let text = "<http://e.org/{a}|^> http://E.ORG/%e4%zz[1] http://u:p@e.org:80/../a?#\n";
    iriscan("rewrite", text).exits(0).quiet().writes(text);
}

#[test]
fn what_no_uri_holds_is_encoded_and_the_rest_stays() {
    iriscan("rewrite", "\"http://e.org/é{}|^%C3%a4%zz[1]\"")
        .exits(0)
        .writes("\"http://e.org/%C3%A9%7B%7D%7C%5E%C3%a4%zz[1]\"");
}

#[test]
fn rewriting_again_changes_nothing() {
    let text = "http://é.example/ü?ö <http://e.org/é[%zz|> mailto:ä@example.org http://لa.com/å\n";
    let once = iriscan("rewrite --charset utf-8", text).exits(0).stdout;
    let twice = iriscan("rewrite --charset utf-8", &once).exits(0);
    assert_ne!(once, text.as_bytes());
    twice.writes(&once);
    iriscan("rewrite --charset utf-8 --check", &once).exits(0);
}

#[test]
fn check_writes_nothing_and_says_by_its_exit_whether_anything_would_change() {
    let dir = files(&[
        ("ascii", b"http://e.org/a"),
        ("change", "http://e.org/é".as_bytes()),
        ("stays", "é http://لa.com/".as_bytes()),
    ]);
    for (args, code, names) in [
        ("ascii", 0, ""),
        ("change", 1, ""),
        ("-v change", 1, "change"),
        ("ascii change ascii", 1, "change"),
        (".", 1, "./change"),
        ("stays", 0, ""),
        ("ascii -", 1, ""),
        ("-v ascii -", 1, "-"),
    ] {
        let done = iriscan_in(dir.path(), &format!("rewrite --check {args}"), "http://e.org/é");
        let done = done.exits(code).writes("");
        match names {
            "" => assert!(!done.stderr.contains("would change"), "{}", done.stderr),
            name => _ = done.mentions(&[&format!("iriscan: {name}: 1 link would change\n")]),
        }
    }
    assert_eq!(std::fs::read(dir.path().join("change")).unwrap(), "http://e.org/é".as_bytes());
}

#[test]
fn several_inputs_come_out_one_after_the_other() {
    let dir = files(&[("a", "http://e.org/é".as_bytes()), ("b", b"\xFF\xFEh\0\xE9\0")]);
    iriscan_in(dir.path(), "rewrite a - b a", "/in\n")
        .exits(0)
        .quiet()
        .writes(b"http://e.org/%C3%A9/in\n\xFF\xFEh\0\xE9\0http://e.org/%C3%A9");
}

#[test]
fn a_guessed_charset_gets_exactly_one_line() {
    let dir = files(&[("ru.txt", crate::charset::RUSSIAN), ("utf8.txt", "é".as_bytes())]);
    for args in ["rewrite", "rewrite -v", "rewrite --check"] {
        let done = iriscan_in(dir.path(), &format!("{args} ru.txt"), "");
        done.says(&["ru.txt: ", "windows-1251", "detector"]);
    }
    iriscan_in(dir.path(), "rewrite utf8.txt ru.txt", "").says(&["ru.txt: "]);
    // One line for each input.
    let both = iriscan_in(dir.path(), "rewrite ru.txt ru.txt", "").stderr;
    assert_eq!(both.lines().count(), 2, "{both}");
    // No line if the charset was not guessed, and none from `find`.
    iriscan_in(dir.path(), "rewrite --charset windows-1251 ru.txt", "").quiet();
    iriscan_in(dir.path(), "find ru.txt", "").exits(0).quiet();
}

#[test]
fn a_certain_charset_gets_no_line() {
    let marked = [&b"\xFF\xFE"[..], &wide("é", 2, Order::Little)].concat();
    for text in [&b""[..], b"ascii", "é".as_bytes(), b"\xEF\xBB\xBF\xC3\xA9", &marked] {
        iriscan("rewrite", text).exits(0).quiet().writes(text);
    }
}

#[test]
fn a_link_that_cannot_be_converted_stays_and_is_counted() {
    let text = "http://لa.com/å http://e.org/å http://لb.com/\r\n";
    let dir = files(&[("a", text.as_bytes()), ("b", "é http://لc.com/".as_bytes())]);
    let done = iriscan_in(dir.path(), "rewrite a b", "")
        .exits(0)
        .writes("http://لa.com/å http://e.org/%C3%A5 http://لb.com/\r\né http://لc.com/");
    let lines: Vec<&str> = done.stderr.lines().collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].starts_with("iriscan: a: 2 links have no URI form and stay "), "{lines:?}");
    assert!(lines[1].starts_with("iriscan: b: 1 link has no URI form and stays "), "{lines:?}");
}

/// `-v` names the place of each link that stays, also if the reason is not the host.
#[test]
fn a_link_that_cannot_be_written_is_named() {
    let page = "a <übung.example.org x";
    iriscan("rewrite --kinds bare --format html", page)
        .exits(0)
        .writes(page)
        .says(&["1 link has no URI form and stays as written; -v names each"]);
    iriscan("rewrite --kinds bare --format html -v", page)
        .exits(0)
        .writes(page)
        .mentions(&["byte 3: \"übung.example.org\" stays as written: its URI cannot stand there"]);
}

#[test]
fn a_link_over_tags_says_why_it_stays() {
    let page = "<p>http://a.example/<b>é</b>/ x";
    let why =
        "stays as written: markup is within it, and another text in its place would lose that";
    for arguments in ["rewrite -v --format html", "rewrite -v --format html --replace <{uri}>"] {
        iriscan(arguments, page).exits(0).writes(page).mentions(&[why]);
    }
}
