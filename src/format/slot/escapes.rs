//! Escapes that several formats have.

use alloc::{format, string::String};

/// Writes the bytes of `c` in UTF-8 as `%HH`.
pub(in crate::format) fn percent_encode(c: char, out: &mut String) -> bool {
    for b in c.encode_utf8(&mut [0; 4]).bytes() {
        *out += &format!("%{b:02X}");
    }
    true
}

/// Writes a character reference of HTML, which XML has too.
pub(in crate::format) fn reference(c: char, out: &mut String) -> bool {
    match c {
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '"' => out.push_str("&quot;"),
        c => *out += &format!("&#{};", c as u32),
    }
    true
}

/// True if an `&` before `text` makes a character reference, or may make one with what follows.
pub(in crate::format) fn makes_reference(text: &str) -> bool {
    let name = text.trim_start_matches('#');
    let rest = name.trim_start_matches(|c: char| c.is_ascii_alphanumeric());
    rest.is_empty() || rest.starts_with(';')
}

/// Writes `c` after a backslash.
pub(in crate::format) fn backslash(c: char, out: &mut String) -> bool {
    out.push('\\');
    out.push(c);
    true
}

/// Writes the units of `c` in UTF-16 as `\uXXXX`.
pub(in crate::format) fn utf16(c: char, out: &mut String) -> bool {
    for unit in c.encode_utf16(&mut [0; 2]) {
        *out += &format!("\\u{unit:04x}");
    }
    true
}
