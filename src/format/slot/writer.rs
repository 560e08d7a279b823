//! What the writer of a format is given of a slot, and what it gives.

use alloc::string::String;

use super::{
    emptied::{Emptied, Emptying},
    recent::{Before, Recent},
};
use crate::{
    charset::{Charset, Shape},
    format::kinds::Format,
    links::{
        matched::Match,
        place::{Around, Inside, Place, ValuePart},
    },
};

/// ASCII that no format gives a meaning in any place, and that every charset has.
pub(in crate::format) const PLAIN: [bool; 256] = {
    let mut table = [false; 256];
    let mut b = 0;
    while b < 256 {
        let c = b as u8;
        table[b] = c.is_ascii_alphanumeric()
            || matches!(c, b'-' | b'_' | b'.' | b'/' | b':' | b'?' | b'#' | b'%');
        b += 1;
    }
    table
};

/// How a format writes a text in a slot.
pub(in crate::format) trait Writer {
    /// What the text before `link` means for the first characters of a text in its place.
    fn before(&self, link: Surrounding, recent: Recent) -> Before {
        let _ = (link, recent);
        Before::Nothing
    }

    /// True if the text before a link counts, for [`Writer::before`] or [`Writer::empty`].
    fn looks_back(&self) -> bool {
        true
    }

    /// True if the link in the slot must stay, whatever the text: it has marks that belong to something that
    /// goes beyond it.
    fn keeps(&self, slot: &Slot, link: &Match<'_>) -> bool {
        let _ = (slot, link);
        false
    }

    /// True if [`PLAIN`] characters too may mean something in the slot.
    fn is_strict(&self, place: Place) -> bool {
        let _ = place;
        false
    }

    /// Writes `text`; `None`: it cannot stand in the slot.
    fn write(&self, slot: &Slot, text: &str, out: &mut Escaped) -> Option<()>;

    /// Whether nothing may replace the link.
    fn empty(&self, slot: &Slot, recent: Recent, link: &Match<'_>) -> Emptying {
        let _ = (slot, recent, link);
        Emptying::Done
    }
}

/// What a link says of the text around it.
#[derive(Clone, Copy)]
pub(in crate::format) struct Surrounding {
    pub(in crate::format) format: Format,
    pub(in crate::format) place: Place,
    /// A `<` of the text, which is no escape, comes directly before it; in Markdown a `<!`.
    pub(in crate::format) after_less_than: bool,
}

/// The place of a link in a document, as far as it decides how a text is written there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    pub(in crate::format) format: Format,
    pub(in crate::format) charset: Charset,
    pub(in crate::format) place: Place,
    /// Which part the link is of a value without quotes.
    pub(in crate::format) part: ValuePart,
    /// The delimiter of that value, if it is a field of CSV.
    pub(in crate::format) delimiter: Option<u8>,
    /// Only ASCII can be written: the charset is not decided, or the text is said to be ASCII.
    pub(in crate::format) ascii: bool,
    pub(in crate::format) before: Before,
    /// The link stays, whatever the text.
    pub(in crate::format) kept: bool,
}

impl Slot {
    /// Whether the charset has `c`.
    pub(in crate::format) fn has(&self, c: char) -> bool {
        let stateful = self.ascii || self.charset.shape() == Shape::Stateful;
        if stateful && matches!(c, '\u{E}' | '\u{F}' | '\u{1B}') {
            return false;
        }
        if self.ascii || self.charset.is_unicode() || c.is_ascii() {
            return c.is_ascii() || !self.ascii;
        }
        self.charset.holds(c.encode_utf8(&mut [0; 4]))
    }

    /// True if `c` cannot be written in markup or a style sheet, not even by an escape: the format has no such
    /// character (HTML, 13.2.5; XML 1.0, 2.2; CSS Syntax, 4.3.7; CommonMark, 2.3), or the charset lacks it and
    /// there are no escapes.
    pub(in crate::format) fn loses(&self, c: char) -> bool {
        let (inside, around) = (self.place.inside(), self.place.around());
        if self.format == Format::Html && self.place.is_script() {
            // JSON has an escape for each.
            return false;
        }
        let forbidden = match self.format {
            Format::Html | Format::Css | Format::Markdown => c == '\0',
            Format::Xml => {
                c < ' ' && !matches!(c, '\t' | '\n' | '\r') || matches!(c, '\u{FFFE}' | '\u{FFFF}')
            }
            _ => return false,
        };
        // HTML reads the numbers of these controls as other characters; XML does not.
        let html = self.format != Format::Xml || around == Around::Cdata;
        let control = html && matches!(c, '\u{80}'..='\u{9F}');
        let plain = inside == Inside::Plain && !self.is_nested();
        let style = matches!(inside, Inside::Style | Inside::StyleAttribute { .. });
        forbidden || (plain || control && !style && self.format != Format::Css) && !self.has(c)
    }

    /// True if the text around is escaped once more, as HTML in the text of XML is.
    pub(in crate::format) fn is_nested(&self) -> bool {
        self.place.around() == Around::Escaped
    }

    /// The part of [`Writer::empty`] for values without quotes. `apostrophe`: a `'` is a quote.
    pub(in crate::format) fn empty_value(&self, link: &Match<'_>, apostrophe: bool) -> Emptying {
        let bare = matches!(
            self.place.inside(),
            Inside::Attribute { quoted: false } | Inside::StyleAttribute { quoted: false }
        );
        if self.part != ValuePart::Start || !bare {
            return Emptying::Done;
        }
        let charset = link.charset();
        // What the quote is written with depends on the state.
        if charset.shape() == Shape::Stateful {
            return Emptying::Refused;
        }
        let (source, nested) = (link.source().to_vec(), self.is_nested());
        Emptying::Depends(Emptied::Value { source, charset, apostrophe, nested })
    }
}

/// What is written in a slot.
pub(in crate::format) struct Escaped {
    pub(in crate::format) text: String,
    /// How many characters became a `?`.
    pub(in crate::format) lost: u64,
}

impl Escaped {
    /// For a text of so many bytes.
    pub(in crate::format) fn new(len: usize) -> Escaped {
        Escaped { text: String::with_capacity(len + len / 4), lost: 0 }
    }

    /// Appends `text`; characters that are `special`, or that the charset of the slot lacks, by `escape`,
    /// which returns false if there is no escape.
    pub(in crate::format) fn push(
        &mut self,
        slot: &Slot,
        text: &str,
        special: impl Fn(char) -> bool,
        escape: impl Fn(char, &mut String) -> bool,
    ) {
        let mut rest = text;
        loop {
            // Most characters are written as they are.
            let plain = rest.bytes().position(|b| !PLAIN[usize::from(b)]).unwrap_or(rest.len());
            self.text.push_str(&rest[..plain]);
            let Some(c) = rest[plain..].chars().next() else { return };
            rest = &rest[plain + c.len_utf8()..];
            match special(c) || !slot.has(c) {
                true if escape(c, &mut self.text) => {}
                true => self.lose(),
                false => self.text.push(c),
            }
        }
    }

    /// Appends `text`, in which nothing is escaped. What the charset lacks becomes a `?`.
    pub(in crate::format) fn push_plain(&mut self, slot: &Slot, text: &str) {
        self.push(slot, text, |_| false, |_, _| false);
    }

    /// Appends a `?` for a character.
    pub(in crate::format) fn lose(&mut self) {
        self.lost += 1;
        self.text.push('?');
    }
}
