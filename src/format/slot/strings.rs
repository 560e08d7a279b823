//! Strings of JSON and PO, and logs.

use alloc::{format, string::String};

use super::{
    emptied::Emptied,
    light,
    recent::{Before, Recent},
    site::{Escaped, Site, Surrounding, Syntax},
};
use crate::links::{
    matched::Match,
    place::{Inside, Place},
};

pub(in crate::format) struct Json;

impl Syntax for Json {
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

/// PO: strings have the escapes of C, and comments have none.
pub(in crate::format) struct Po;

impl Syntax for Po {
    fn before(&self, _: Surrounding, recent: Recent) -> Before {
        light::before(recent)
    }

    fn is_strict(&self, place: Place) -> bool {
        place.inside() == Inside::Plain
    }

    fn write(&self, site: &Site, text: &str, out: &mut Escaped) -> Option<()> {
        if site.place.inside() == Inside::Plain {
            // A line must not become an entry.
            let begins = site.before == Before::LineStart && light::begins_block(text);
            let breaks_out = begins || text.contains(['"', '\r', '\n']);
            return (!breaks_out).then(|| out.push_plain(site, text));
        }
        let special = |c: char| matches!(c, '"' | '\\') || c.is_ascii_control();
        out.push(site, text, special, |c, out| match c {
            '"' | '\\' => backslash(c, out),
            '\n' => backslash('n', out),
            '\r' => backslash('r', out),
            '\t' => backslash('t', out),
            c if c.is_ascii() => {
                *out += &format!("\\{:03o}", c as u32);
                true
            }
            _ => false,
        });
        Some(())
    }

    fn empty(&self, site: &Site, _: Recent, _: &Match<'_>) -> Option<Option<Emptied>> {
        let begins = site.place.inside() == Inside::Plain && site.before == Before::LineStart;
        (!begins).then_some(None)
    }
}

pub(in crate::format) struct Log;

impl Syntax for Log {
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

fn backslash(c: char, out: &mut String) -> bool {
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
