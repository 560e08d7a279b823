//! `--charset auto` in long inputs.

use serde_json::json;

use crate::common::iriscan;

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

#[test]
fn nuls_in_a_list_are_no_utf_16() {
    let list = b"http://e.org/a\0http://e.org/b\0".repeat(40);
    let records = iriscan("find --json", list).exits(0).records();
    assert_eq!((records.len(), &records[0]["charset"]), (80, &json!("UTF-8")));
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
fn a_sequence_cut_by_the_end_of_the_window_is_valid() {
    // 65,536 bytes from the first that is not ASCII end within the last é.
    let text = format!("é{} http://e.org/é", "x".repeat(65_536 - 2 - 14 - 1));
    assert_eq!(chosen(text), "UTF-8");
}
