//! `--charset auto`: the charset that the bytes show.

use serde_json::json;

use crate::common::{Order, iriscan, wide};

/// “Привет, мир. Подробнее смотрите на http://example.ru/мир и далее по тексту
/// этой стран.” in windows-1251.
pub(crate) const RUSSIAN: &[u8] = b"\
\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0. \xCF\xEE\xE4\xF0\xEE\xE1\xED\xE5\xE5 \
\xF1\xEC\xEE\xF2\xF0\xE8\xF2\xE5 \xED\xE0 http://example.ru/\xEC\xE8\xF0 \
\xE8 \xE4\xE0\xEB\xE5\xE5 \xEF\xEE \xF2\xE5\xEA\xF1\xF2\xF3 \
\xFD\xF2\xEE\xE9 \xF1\xF2\xF0\xE0\xED.";

/// The charset that `auto` chooses for `text`, by its only link.
#[track_caller]
fn chosen(text: impl AsRef<[u8]>) -> String {
    let record = iriscan("find --json", text).exits(0).quiet().record();
    record["charset"].as_str().unwrap().to_owned()
}

const WIDE: [(&str, usize, Order); 4] = [
    ("UTF-16LE", 2, Order::Little),
    ("UTF-16BE", 2, Order::Big),
    ("UTF-32LE", 4, Order::Little),
    ("UTF-32BE", 4, Order::Big),
];

#[test]
fn a_byte_order_mark_decides() {
    let (text, uri) = ("\u{FEFF}日 http://e.org/日\n", "\u{FEFF}日 http://e.org/%E6%97%A5\n");
    assert_eq!(chosen(text), "UTF-8");
    iriscan("rewrite", text).exits(0).quiet().writes(uri);
    for (charset, width, order) in WIDE {
        assert_eq!(chosen(wide(text, width, order)), charset);
        iriscan("rewrite", wide(text, width, order)).quiet().writes(wide(uri, width, order));
    }
}

#[test]
fn a_byte_order_mark_is_believed_over_the_bytes_behind_it() {
    assert_eq!(chosen(b"\xEF\xBB\xBF\xFF\xFF\xFF\xFF http://e.org/"), "UTF-8");
}

#[test]
fn nuls_show_utf_16_and_utf_32() {
    let (text, uri) = ("Näheres: http://e.org/é\r\n", "Näheres: http://e.org/%C3%A9\r\n");
    for (charset, width, order) in WIDE {
        assert_eq!(chosen(wide(text, width, order)), charset);
        iriscan("rewrite", wide(text, width, order)).quiet().writes(wide(uri, width, order));
    }
}

#[test]
fn nuls_show_utf_16_though_the_text_starts_with_other_letters() {
    let text = "日本語の文書です。http://e.org/日本 をご覧ください。\r\n";
    for (charset, width, order) in &WIDE[..2] {
        assert_eq!(chosen(wide(text, *width, *order)), *charset);
    }
}

#[test]
fn nuls_in_a_list_are_no_utf_16() {
    let list = b"http://e.org/a\0http://e.org/b\0".repeat(40);
    let records = iriscan("find --json", list).exits(0).records();
    assert_eq!((records.len(), &records[0]["charset"]), (80, &json!("UTF-8")));
}

#[test]
fn escapes_show_iso_2022_jp() {
    let text = b"\x1B$BF|K\\8l\x1B(B http://e.org/\x1B$BF|K\\\x1B(B\n";
    assert_eq!(chosen(text), "ISO-2022-JP");
    iriscan("rewrite", text)
        .exits(0)
        .quiet()
        .writes(b"\x1B$BF|K\\8l\x1B(B http://e.org/%E6%97%A5%E6%9C%AC\x1B(B\n");
}

#[test]
fn escapes_of_terminals_do_not_confuse() {
    for text in [
        "\x1B[32mhttp://e.org/é\x1B[0m and \x1B[1;31mé\x1B[m\r\n",
        "\x1B(B\x1B[m http://e.org/é \x1B]0;title\x07",
        "\x1B[4mhttp://e.org/é\x1B[24m",
    ] {
        assert_eq!(chosen(text), "UTF-8", "{text:?}");
        let rewritten = text.replace("org/é", "org/%C3%A9");
        iriscan("rewrite", text).exits(0).quiet().writes(rewritten);
    }
}

#[test]
fn a_log_with_one_bad_byte_stays_utf_8() {
    let mut log = "GET /straße http://e.org/ä 200\n".repeat(50).into_bytes();
    log.extend_from_slice(b"GET /\xE4 http://e.org/\xC3\xA4 404\n");
    let mut rewritten = "GET /straße http://e.org/%C3%A4 200\n".repeat(50).into_bytes();
    rewritten.extend_from_slice(b"GET /\xE4 http://e.org/%C3%A4 404\n");
    iriscan("rewrite", log).exits(0).quiet().writes(rewritten);
}

#[test]
fn nine_in_ten_valid_sequences_are_utf_8() {
    // The link comes after the bytes that decide: before them, all charsets are alike.
    let text = |good: usize| [&b"\xE9 "[..], &b"\xC3\xA9".repeat(good), b" http://e.org/"].concat();
    assert_eq!(chosen(text(9)), "UTF-8");
    assert_ne!(chosen(text(8)), "UTF-8");
}

#[test]
fn a_sequence_cut_by_the_end_of_the_window_is_valid() {
    // 65,536 bytes from the first that is not ASCII end within the last é.
    let text = format!("é{} http://e.org/é", "x".repeat(65_536 - 2 - 14 - 1));
    assert_eq!(chosen(text), "UTF-8");
}

#[test]
fn ascii_is_utf_8() {
    assert_eq!(chosen("http://e.org/"), "UTF-8");
}

#[test]
fn other_bytes_are_guessed() {
    assert_eq!(chosen(RUSSIAN), "windows-1251");
    let at = RUSSIAN.windows(4).position(|w| w == b".ru/").unwrap() + 4;
    let expected = [&RUSSIAN[..at], b"%D0%BC%D0%B8%D1%80", &RUSSIAN[at + 3..]].concat();
    iriscan("rewrite", RUSSIAN).exits(0).says(&["windows-1251"]).writes(expected);
}

#[test]
fn each_input_has_its_own_charset() {
    let dir = crate::common::files(&[
        ("utf8", "http://e.org/é".as_bytes()),
        ("ru", RUSSIAN),
        ("wide", &wide("\u{FEFF}http://e.org/é", 2, Order::Big)),
    ]);
    let records = crate::common::iriscan_in(dir.path(), "find --json ru utf8 wide", "").records();
    let charsets: Vec<&str> = records.iter().map(|r| r["charset"].as_str().unwrap()).collect();
    assert_eq!(charsets, ["windows-1251", "UTF-8", "UTF-16BE"]);
}

#[test]
fn a_charset_that_the_document_declares_is_not_doubted() {
    // Every byte of these is UTF-8.
    let html = "<meta charset=iso-8859-1><a href='http://e.org/é?é'>é</a>".as_bytes();
    let xml = "<?xml version='1.0' encoding='koi8-r'?><a href='http://e.org/é'/>".as_bytes();
    for (format, text, charset, uri) in [
        ("html", html, "windows-1252", "http://e.org/%C3%83%C2%A9?%C3%A9"),
        ("xml", xml, "KOI8-R", "http://e.org/%D1%86%E2%95%98"),
    ] {
        let record = iriscan(&format!("find --json --format {format}"), text).exits(0).record();
        assert_eq!((&record["charset"], &record["uri"]), (&json!(charset), &json!(uri)));
    }
}

#[test]
fn a_charset_that_was_named_is_not_doubted() {
    let record = iriscan("find --json --charset koi8-r", "http://e.org/é").record();
    assert_eq!(
        (&record["charset"], &record["text"]),
        (&json!("KOI8-R"), &json!("http://e.org/ц╘"))
    );
}
