//! Text in which links were made harmless. Nothing can be escaped, so what would be an escape is not
//! written.

use crate::format::{
    defanged,
    slot::writer::{Escaped, Slot, Writer},
};

pub(in crate::format) struct Defanged;

impl Writer for Defanged {
    fn looks_back(&self) -> bool {
        false
    }

    fn write(&self, slot: &Slot, text: &str, out: &mut Escaped) -> Option<()> {
        let plain = defanged::is_plain(text) && !defanged::may_end(text);
        plain.then(|| out.push_plain(slot, text))
    }
}
