//! The text before and after a link of a region.

use core::ops::Range;
use std::{borrow::ToOwned, string::String};

use crate::charset::{Charset, Shape, Shift};

/// The bytes before a window in which a place between two characters is looked for.
const BACK: usize = 1024;

/// So many characters before and after `link`, a range of `text`; fewer at the ends of the text.
/// Only the bytes near the link are decoded.
pub(super) fn around(
    text: &[u8],
    link: Range<usize>,
    charset: Charset,
    chars: usize,
) -> (String, String) {
    // No charset needs more than four bytes for a character.
    let bytes = chars.saturating_mul(4);
    let (far, to) =
        (link.start.saturating_sub(bytes), link.end.saturating_add(bytes).min(text.len()));
    if charset == Charset::UTF_8 {
        // Each character has one byte that begins it, so no more than the characters are decoded.
        let is_start = |byte: &u8| byte & 0xC0 != 0x80;
        let starts = |near: Range<usize>| near.filter(|at| is_start(&text[*at]));
        let from = match chars.checked_sub(1) {
            None => link.start,
            Some(more) => starts(far..link.start).nth_back(more).unwrap_or(far),
        };
        let to = starts(link.end..to).nth(chars).unwrap_or(to);
        let before = match from {
            0 => charset.decode(&text[..link.start]),
            _ => charset.decode_shifted(&text[from..link.start], Shift::Ascii),
        };
        let after = charset.decode_shifted(&text[link.end..to], Shift::Ascii);
        return (last(&before, chars).to_owned(), first(&after, chars).to_owned());
    }
    let from = between(text, far, charset);
    let before = charset.decode(&text[from..link.start]);
    // With the link, because a character of ISO-2022-JP depends on the escapes before it.
    let with_link = charset.decode(&text[from..link.end]);
    let whole = charset.decode(&text[from..to]);
    let after = whole.get(with_link.len()..).unwrap_or_default();
    (last(&before, chars).to_owned(), first(after, chars).to_owned())
}

/// A place at `at` or before it, and rarely after it, that is between two characters.
fn between(text: &[u8], at: usize, charset: Charset) -> usize {
    match charset.shape() {
        _ if at == 0 => 0,
        // The units of a text start at its start.
        Shape::Wide { .. } => at - at % 4,
        // A line end is no part of another character, and ISO-2022-JP begins each line anew.
        _ => {
            let back = at.saturating_sub(BACK);
            let near = &text[back..at];
            let feed = memchr::memrchr(b'\n', near);
            // Nor are ASCII punctuation and white space, except in ISO-2022-JP.
            let sure = || near.iter().position(|b| *b < 0x30);
            match feed.or_else(sure) {
                Some(sure) if back > 0 || feed.is_some() => back + sure + 1,
                _ => back,
            }
        }
    }
}

fn first(text: &str, chars: usize) -> &str {
    text.char_indices().nth(chars).map_or(text, |(end, _)| &text[..end])
}

fn last(text: &str, chars: usize) -> &str {
    match chars {
        0 => "",
        n => text.char_indices().rev().nth(n - 1).map_or(text, |(start, _)| &text[start..]),
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    fn bytes(text: &str, label: &str) -> Vec<u8> {
        match label {
            "utf-16le" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            "utf-32be" => text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect(),
            _ => encoding_rs::Encoding::for_label(label.as_bytes()).unwrap().encode(text).0.into(),
        }
    }

    /// In each charset the text around a link is that of the whole text decoded.
    #[test]
    fn charsets() {
        let long = "日本語の案内 ".repeat(300);
        let wide = "𠮷".repeat(50);
        let pairs = [
            ("", ""),
            ("日本語の", "です。"),
            (&*long, &*long),
            ("一\r\n二", "\n三"),
            ("a", &*long),
        ];
        for (before, after) in pairs.into_iter().chain([(&*wide, &*wide)]) {
            for label in ["utf-8", "shift_jis", "euc-jp", "gb18030", "utf-16le", "utf-32be"] {
                if before == wide && matches!(label, "shift_jis" | "euc-jp") {
                    continue;
                }
                let charset = Charset::for_label(label).unwrap();
                let (start, end) = (bytes(before, label), bytes(after, label));
                let link = bytes("http://a.example/道", label);
                let text = [&start[..], &link, &end].concat();
                let range = start.len()..start.len() + link.len();
                for chars in [0, 1, 3, 40, 5000] {
                    let (ours, theirs) = around(&text, range.clone(), charset, chars);
                    let skip = before.chars().count().saturating_sub(chars);
                    assert_eq!(
                        ours,
                        before.chars().skip(skip).collect::<String>(),
                        "{label} {chars}"
                    );
                    assert_eq!(
                        theirs,
                        after.chars().take(chars).collect::<String>(),
                        "{label} {chars}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_state_before_the_link_goes_on_after_it() {
        let text = b"x\n\x1B$BF|K\\\x1B(B http://a.example/ \x1B$B8l\x1B(B";
        let at = memchr::memmem::find(text, b"http").unwrap();
        let (before, after) = around(text, at..at + 17, Charset::ISO_2022_JP, 2);
        assert_eq!((&*before, &*after), ("本 ", " 語"));
        let text = b"\x1B$BF|\x1B(Bhttp://a.example/\x1B$BF;8l8l\x1B(B";
        let at = memchr::memmem::find(text, b"http").unwrap();
        let end = memchr::memmem::find(text, b"8l").unwrap();
        assert_eq!(around(text, at..end, Charset::ISO_2022_JP, 9).1, "語語");
    }

    #[test]
    fn any_bytes_have_a_text_around() {
        let noise: Vec<u8> =
            (0..4000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        for label in ["utf-8", "big5", "gb18030", "iso-2022-jp", "utf-16be", "utf-32le", "koi8-r"] {
            let charset = Charset::for_label(label).unwrap();
            for at in (0..noise.len()).step_by(97) {
                let (before, after) = around(&noise, at..(at + 9).min(noise.len()), charset, 30);
                assert!(before.chars().count() <= 30 && after.chars().count() <= 30);
            }
        }
    }
}
