//! `iriscan rewrite` passes noise unchanged.

use crate::common::iriscan;

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
