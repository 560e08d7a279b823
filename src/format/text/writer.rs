//! Plain text, which has no escapes.

use crate::format::slot::writer::{Escaped, Slot, Writer};

pub(in crate::format) struct Text;

impl Writer for Text {
    fn looks_back(&self) -> bool {
        false
    }

    fn write(&self, slot: &Slot, text: &str, out: &mut Escaped) -> Option<()> {
        out.push_plain(slot, text);
        Some(())
    }
}
