//! Plain text, which has no escapes.

use super::site::{Escaped, Site, Syntax};

pub(super) struct Text;

impl Syntax for Text {
    fn looks_back(&self) -> bool {
        false
    }

    fn write(&self, site: &Site, text: &str, out: &mut Escaped) -> Option<()> {
        out.push_plain(site, text);
        Some(())
    }
}
