//! Lines of logs.

use alloc::format;

use crate::{
    format::slot::{
        escapes::{backslash, utf16},
        site::{Escaped, Site, Writer},
    },
    links::place::Inside,
};

pub(in crate::format) struct Log;

impl Writer for Log {
    fn looks_back(&self) -> bool {
        false
    }

    fn write(&self, site: &Site, text: &str, out: &mut Escaped) -> Option<()> {
        let target = site.place.inside() != Inside::Text;
        let special =
            |c: char| matches!(c, '"' | '\\') || c < ' ' || c == '\u{7F}' || target && c == ' ';
        out.push(site, text, special, |c, out| match c {
            // A space would end the target of a request.
            ' ' => {
                out.push_str("%20");
                true
            }
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
