//! The slot of a link in a document: all that decides how a text is written there.
//!
//! A text goes in, and comes out as the document must hold it in place of the link: a reader of the format
//! reads the text there, and nothing around it differently. Characters that the charset lacks get the
//! escape that the format has for them, or a `?`.
//!
//! What the formats have in common is here. Each has its writer in `writer.rs` in its folder, and names it
//! in its row.

pub(in crate::format) mod emptied;
pub(in crate::format) mod escapes;
pub(in crate::format) mod light;
pub(in crate::format) mod recent;
pub(in crate::format) mod writer;

use alloc::{borrow::Cow, string::String};

pub(crate) use self::{
    emptied::{Emptied, Emptying, Guard},
    recent::Recent,
    writer::Slot,
};
use self::{
    recent::Before,
    writer::{Escaped, PLAIN, Surrounding, Writer},
};
use crate::{
    charset::Charset,
    format::kinds::Format,
    links::{
        logical::References,
        matched::Match,
        place::{Inside, ValuePart},
    },
};

/// How a text is written in `format`.
fn writer(format: Format) -> &'static dyn Writer {
    format.row().writer
}

/// Whether in `format` the text before a link counts where another text is written in its place.
pub(crate) fn looks_back(format: Format) -> bool {
    writer(format).looks_back()
}

/// How many digits an escape of a style sheet has that is complete.
const LONGEST_OPEN: usize = 6;

impl Slot {
    /// The slot of `link` in a document in `charset`. `ascii`: only ASCII can be written. `recent`: the
    /// text before the link.
    pub(crate) fn new(
        format: Format,
        charset: Charset,
        ascii: bool,
        link: &Match<'_>,
        recent: Recent,
    ) -> Slot {
        let (found, writer) = (link.found(), writer(format));
        let (place, delimiter) = (found.context().place(), found.delimiter());
        let after_less_than = found.context().is_after_less_than();
        let before = writer.before(Surrounding { format, place, after_less_than }, recent);
        let part = match found.part() {
            // The rest of a field that began with quotes.
            ValuePart::Whole if before == Before::ClosingQuote => ValuePart::Start,
            part => part,
        };
        let kept = false;
        let slot = Slot { format, charset, place, part, delimiter, ascii, before, kept };
        Slot { kept: writer.keeps(&slot, link), ..slot }
    }

    /// `text` as the document must hold it here, and how many characters became a `?`. `None`: no escape
    /// keeps the text in the slot.
    pub(crate) fn write<'t>(&self, text: &'t str) -> Option<(Cow<'t, str>, u64)> {
        let writer = writer(self.format);
        let unicode = self.charset.is_unicode() && !self.ascii;
        // With EF, characters begin that XML cannot have.
        let plain = |b: u8| PLAIN[usize::from(b)] || unicode && !b.is_ascii() && b != 0xEF;
        let divides = self.delimiter.is_some_and(|delimiter| PLAIN[usize::from(delimiter)]);
        let usual = self.before == Before::Nothing && !divides && !writer.is_strict(self.place);
        if usual && !text.is_empty() && text.bytes().all(plain) {
            return Some((Cow::Borrowed(text), 0));
        }
        if self.kept {
            return None;
        }
        let mut out = Escaped::new(text.len());
        // What becomes of them may mean something too.
        let lost = text.chars().filter(|c| self.loses(*c)).count() as u64;
        let text = match lost {
            0 => Cow::Borrowed(text),
            _ => text.chars().map(|c| if self.loses(c) { '?' } else { c }).collect(),
        };
        writer.write(self, &text, &mut out)?;
        out.lost += lost;
        Some((Cow::Owned(out.text), out.lost))
    }

    /// Whether nothing may be written here instead of `link`.
    pub(crate) fn empty(&self, recent: Recent, link: &Match<'_>) -> Emptying {
        writer(self.format).empty(self, recent, link)
    }

    /// The same without the marks for which the link would stay: they stay.
    pub(crate) fn without_marks(&self) -> Slot {
        Slot { kept: false, ..*self }
    }

    /// A part of a link as the document must hold it, with more of the link after it, and before it unless it is
    /// the `first` part. `None`: no escape keeps it in the slot, or the charset lacks a character of it.
    pub(crate) fn write_part(&self, part: &str, first: bool) -> Option<String> {
        if part.is_empty() {
            return Some(String::new());
        }
        let before = if first { self.before } else { Before::Nothing };
        let slot = Slot { before, part: ValuePart::Within, kept: false, ..*self };
        let (text, lost) = slot.write(part)?;
        (lost == 0).then(|| text.into_owned())
    }

    /// Whether the end of `before`, a part of the link that stays as it is written, would be read together with
    /// `next`, which comes after it now: `&lt` with a `;`, and `\2f` of a style sheet with a digit. `None`: any
    /// character may come. `escaped`: `before` ends with an escape.
    pub(crate) fn goes_on(&self, before: &str, escaped: bool, next: Option<char>) -> bool {
        let refers = (self.format.row().references)(self.place);
        let refers = matches!(refers, References::Single | References::Double);
        let name = |c: char| c.is_ascii_alphanumeric() || c == '#';
        if refers && before.trim_end_matches(name).ends_with('&') {
            return next.is_none_or(|c| name(c) || c == ';');
        }
        let digits = before.trim_end_matches(|c: char| c.is_ascii_hexdigit());
        escaped
            && digits.ends_with('\\')
            && before.len() - digits.len() < LONGEST_OPEN
            && next.is_none_or(|c| c.is_ascii_hexdigit())
    }

    /// Whether `removed`, a part of the link as it is written, has no mark for which the link stays.
    pub(crate) fn gives_up(&self, removed: &str) -> bool {
        !self.kept || removed.bytes().all(|b| PLAIN[usize::from(b)])
    }

    /// The charset of the document.
    pub(crate) fn charset(&self) -> Charset {
        self.charset
    }

    /// Whether a link here can have `c`, which is not ASCII.
    pub(crate) fn holds(&self, c: char) -> bool {
        // Style sheets end a URL without quotes at other places.
        let style = matches!(self.place.inside(), Inside::Style | Inside::StyleAttribute { .. });
        // Logs and comments of Turtle are read without escapes.
        !style && (self.has(c) || self.format.row().has_escapes && self.escape_of(c).is_some())
    }

    /// A link with the escapes of the format, in which characters that the charset lacks get escapes
    /// too. `None`: a character has no escape here.
    pub(crate) fn spelled(&self, link: &str) -> Option<String> {
        let mut out = String::with_capacity(link.len());
        for c in link.chars() {
            match c.is_ascii() || self.has(c) {
                true => out.push(c),
                false => out.push_str(&self.escape_of(c)?),
            }
        }
        Some(out)
    }

    /// The escape of a character that the charset lacks.
    fn escape_of(&self, c: char) -> Option<String> {
        if self.format == Format::AsciiDoc && self.place.inside() != Inside::Text {
            // Targets have no escapes.
            return None;
        }
        let (before, part, kept) = (Before::Nothing, ValuePart::Within, false);
        let slot = Slot { before, part, kept, ..*self };
        let mut buffer = [0; 4];
        let (text, lost) = slot.write(c.encode_utf8(&mut buffer))?;
        (lost == 0).then(|| text.into_owned())
    }
}
