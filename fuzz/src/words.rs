//! Documents made of words that matter to a scanner, one word per byte, so that the
//! fuzzer need not spell them in every charset.

use iriscan::Charset;

/// Encodes `text` in `charset`; a character that it lacks becomes a character reference.
pub(crate) fn encode(text: &str, charset: Charset) -> Vec<u8> {
    match charset.name() {
        "UTF-16LE" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        "UTF-16BE" => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        "UTF-32LE" => text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect(),
        "UTF-32BE" => text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect(),
        name => {
            let encoding = encoding_rs::Encoding::for_label(name.as_bytes());
            encoding.expect("charsets should have labels").encode(text).0.into_owned()
        }
    }
}

/// Makes a document of one word of the table for each byte of `body`.
pub(crate) fn document(body: &[u8], charset: Charset) -> Vec<u8> {
    let (mut bytes, mut text) = (Vec::new(), String::new());
    for b in body {
        match TEXTS.get(usize::from(*b)) {
            Some(word) => text.push_str(word),
            None => {
                // Adjoining words are encoded together, or ISO-2022-JP would have
                // escapes between them.
                bytes.extend(encode(&text, charset));
                text.clear();
                let raw = usize::from(*b) - TEXTS.len();
                bytes.extend_from_slice(RAW[raw % RAW.len()]);
            }
        }
    }
    bytes.extend(encode(&text, charset));
    bytes
}

#[rustfmt::skip]
const TEXTS: &[&str] = &[
    // Starts of links, whole and in pieces.
    "http://", "http://", "https://", "HTTP://", "ftp://", "file://", "mailto:", "tel:", "urn:",
    "news:", "geo:1,2", "magnet:?x", "sip:", "tag:", "git+ssh://", "ht", "tp:", "h", "s", "://",
    ":", "/", "//",
    // Hosts.
    "a", "b", "b.example", "www.", "例え.jp", "пример.рф", "ひ", "مثال", "é.fr", "ß", "ς", "xn--",
    "[::1]", "[", "user:pw@", "u@", "@", ":80", ":65536", ":", "1", "9", "１", "١", "-", "_", "~",
    // Letters that end or continue a link.
    "é", "e\u{301}", "\u{301}", "道", "です", "ไทย", "한", "ﾊ", "𝒳", "🎉", "㐂", "İ", "ﬁ", "½",
    // Characters that end one.
    ".", "..", ",", ";", "!", "?", "*", "…", "。", "、", "，", "．", "：", "！", "？", "｡", "·",
    // Quotes and brackets.
    "(", ")", "[", "]", "{", "}", "<", ">", "\"", "'", "`", "=\"", "='", "](", "url(", "<URL:", "=", "「",
    "」", "『", "』", "（", "）", "“", "”", "„", "‘", "’", "‚", "«", "»", "‹", "›", "【", "】",
    // Escapes.
    "\\", "\\\"", "\\n", "&quot;", "&lt;", "&amp;", "&nbsp;", "&#39;", "&", "%", "%41", "%E3",
    "%e3%81%82", "%2", "#", "+", "$", "|", "^",
    // White space and other characters that no link holds.
    " ", " ", "\t", "\n", "\r\n", "\r", "\u{a0}", "\u{3000}", "\u{85}", "\u{2028}", "\u{200b}",
    "\u{200c}", "\u{200d}", "\u{ad}", "\u{202e}", "\u{2066}", "\u{fffd}", "\u{fffe}", "\u{feff}",
    "\u{e0041}", "\u{e000}", "\0", "\u{7f}", "\u{1b}", "¥", "‾", "\u{2028}", "%%",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
];

/// Bytes that are malformed, shifted, or differ in meaning between charsets.
const RAW: &[&[u8]] = &[
    b"\x1B(B",
    b"\x1B(J",
    b"\x1B(I",
    b"\x1B$B",
    b"\x1B$@",
    b"\x1B",
    b"\x1B$",
    b"\x1B(",
    b"F;",
    b"\\",
    b"~",
    b"http://a/",
    b"h\0t\0t\0p\0:\0/\0/\0",
    b"\0h\0t\0t\0p\0:\0/\0/",
    b"\0",
    b"\0\0",
    b"\x80",
    b"\xFF",
    b"\xC3",
    b"\xC3\xA9",
    b"\xE3\x81",
    b"\xE3\x81\x82",
    b"\xF0\x9F\x8E",
    b"\xED\xA0\x80",
    b"\x81",
    b"\x81\x30",
    b"\x81\x30\x81\x30",
    b"\x95\\",
    b"\x88\x62",
    b"\x3D\xD8",
    b"\xFF\xFE",
    b"\xEF\xBB\xBF",
];
