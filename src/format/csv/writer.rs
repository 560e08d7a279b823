//! Fields of CSV and TSV.

use alloc::string::String;

use crate::{
    format::slot::{
        emptied::{Emptied, Emptying},
        escapes::percent_encode,
        recent::{Before, Recent},
        writer::{Escaped, Slot, Surrounding, Writer},
    },
    links::{
        matched::Match,
        place::{Inside, ValuePart},
    },
};

pub(in crate::format) struct Fields;

impl Writer for Fields {
    fn before(&self, _: Surrounding, recent: Recent) -> Before {
        if recent.ends_with("\"") { Before::ClosingQuote } else { Before::Nothing }
    }

    /// In quotes, a quote is doubled. A field that the link fills gets quotes if it needs them; in a part
    /// of a field, what would end it, or open it with a quote, is percent-encoded.
    fn write(&self, slot: &Slot, text: &str, out: &mut Escaped) -> Option<()> {
        let bare = matches!(slot.place.inside(), Inside::Attribute { quoted: false });
        let Some(delimiter) = slot.delimiter.filter(|_| bare) else {
            out.push_plain(slot, &text.replace('"', "\"\""));
            return Some(());
        };
        let ends = |c: char| c == char::from(delimiter) || matches!(c, '\r' | '\n');
        // A U+FEFF at the start would be taken for a byte order mark.
        let begins = |c: char| matches!(c, '"' | '\u{FEFF}');
        if slot.part == ValuePart::Whole
            && (text.starts_with(begins) || text.contains(|c| ends(c) || c == '"'))
        {
            out.push_plain(slot, &["\"", &text.replace('"', "\"\""), "\""].concat());
            return Some(());
        }
        let mut encoded = String::with_capacity(text.len());
        for (at, c) in text.char_indices() {
            let opens = begins(c) && at == 0 && slot.part != ValuePart::Within;
            match opens || ends(c) {
                true => _ = percent_encode(c, &mut encoded),
                false => encoded.push(c),
            }
        }
        out.push_plain(slot, &encoded);
        Some(())
    }

    fn empty(&self, slot: &Slot, recent: Recent, link: &Match<'_>) -> Emptying {
        if slot.part == ValuePart::Whole && recent.is_line_start() {
            return Emptying::Depends(Emptied::Record(link.charset()));
        }
        slot.empty_value(link, false)
    }
}
