//! Plain text, which has no escapes.

use crate::format::slot::site::{Escaped, Site, Syntax};

pub(in crate::format) struct Text;

impl Syntax for Text {
    fn looks_back(&self) -> bool {
        false
    }

    fn write(&self, site: &Site, text: &str, out: &mut Escaped) -> Option<()> {
        out.push_plain(site, text);
        Some(())
    }
}
