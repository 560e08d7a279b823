//! Strings of JSON.

use crate::format::slot::{
    escapes::{backslash, utf16},
    site::{Escaped, Site, Writer},
};

pub(in crate::format) struct Json;

impl Writer for Json {
    fn looks_back(&self) -> bool {
        false
    }

    fn write(&self, site: &Site, text: &str, out: &mut Escaped) -> Option<()> {
        let special = |c: char| matches!(c, '"' | '\\') || c < ' ';
        out.push(site, text, special, |c, out| match c {
            '"' | '\\' => backslash(c, out),
            c => utf16(c, out),
        });
        Some(())
    }
}
