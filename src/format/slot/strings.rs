//! Strings of JSON, and logs.

use alloc::{format, string::String};

use super::site::{Escaped, Site, Syntax};

pub(super) struct Json;

impl Syntax for Json {
    fn write(&self, site: &Site, text: &str, out: &mut Escaped) -> Option<()> {
        let special = |c: char| matches!(c, '"' | '\\') || c < ' ';
        out.push(site, text, special, |c, out| match c {
            '"' | '\\' => backslash(c, out),
            c => utf16(c, out),
        });
        Some(())
    }
}

pub(super) struct Log;

impl Syntax for Log {
    fn write(&self, site: &Site, text: &str, out: &mut Escaped) -> Option<()> {
        let special = |c: char| matches!(c, '"' | '\\') || c < ' ' || c == '\u{7F}';
        out.push(site, text, special, |c, out| match c {
            '"' | '\\' => backslash(c, out),
            c if c.is_ascii() => {
                *out += &format!("\\x{:02X}", c as u32);
                true
            }
            c => utf16(c, out),
        });
        Some(())
    }
}

fn backslash(c: char, out: &mut String) -> bool {
    out.push('\\');
    out.push(c);
    true
}

/// Writes the units of `c` in UTF-16 as `\uXXXX`.
pub(super) fn utf16(c: char, out: &mut String) -> bool {
    for unit in c.encode_utf16(&mut [0; 2]) {
        *out += &format!("\\u{unit:04x}");
    }
    true
}
