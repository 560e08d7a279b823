//! Plain text, which has no escapes.

use crate::format::slot::site::{Escaped, Site, Writer};

pub(in crate::format) struct Text;

impl Writer for Text {
    fn looks_back(&self) -> bool {
        false
    }

    fn write(&self, site: &Site, text: &str, out: &mut Escaped) -> Option<()> {
        out.push_plain(site, text);
        Some(())
    }
}
