//! What of the text before a link decides how its replacement is escaped.

use crate::{
    format::kinds::Format,
    grammar::types::Found,
    links::place::{Around, Inside},
};

/// A `<` that is escaped.
const LESS_THAN: [&str; 4] = ["&lt;", "&#60;", "&#x3c;", "&#x3C;"];

/// How many bytes before a link are known: as many as `&#x26;#x` has.
const NEAR: usize = 8;

/// The text directly before a link, which could change the meaning of its first characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Before {
    Nothing,
    /// A `<` that is text: a letter would begin a tag.
    LessThan,
    /// The text of XML holds a `<`, and what follows is a tag to a reader that takes the text for HTML.
    /// No escape keeps it from that.
    HiddenLessThan,
    /// The same with a second character of a tag or a declaration after it.
    HiddenTag,
    /// In Markdown, a `<!`: a letter makes a declaration, and anything else does not.
    Declaration,
    /// A `&`, perhaps with `#` or `#x`, that is text: more could make a character reference of it.
    Ampersand,
    /// In Markdown, a `\`: a sign of ASCII would be escaped by it.
    Backslash,
    /// In Markdown, a `]`: a `(` or `:` would begin a target.
    Bracket,
    /// In Markdown, nothing but marks of the line: what begins a block would begin one.
    LineStart,
    /// The quote that closes a field of CSV.
    ClosingQuote,
}

/// The end of the text before a link, as far as it counts for [`Before`].
#[derive(Clone, Copy, Debug)]
pub(in crate::api) struct Recent {
    /// The last bytes, without the NULs of UTF-16 and UTF-32; NULs where there is no text.
    last: [u8; NEAR],
    /// The line has no text so far, only bytes that may be marks of a block.
    marks: bool,
}

impl Default for Recent {
    /// At the start of a document.
    fn default() -> Recent {
        Recent { last: [0; NEAR], marks: true }
    }
}

impl Recent {
    /// Directly after a link.
    pub(in crate::api) const LINK: Recent = Recent { last: [b'x'; NEAR], marks: false };

    /// Takes the next text.
    #[inline]
    pub(in crate::api) fn push(&mut self, text: &[u8]) {
        // In UTF-16 and UTF-32 there are NULs between the characters.
        let last = text.iter().rev().copied().filter(|b| *b != 0).take(NEAR);
        let (mut new, mut len) = ([0; NEAR], 0);
        for b in last {
            len += 1;
            new[NEAR - len] = b;
        }
        let old = self.last;
        new[..NEAR - len].copy_from_slice(&old[len..]);
        self.last = new;
        let line = memchr::memrchr2(b'\n', b'\r', text);
        let (text, marks) = line.map_or((text, self.marks), |at| (&text[at + 1..], true));
        self.marks = marks && text.iter().all(|b| is_mark(*b));
    }

    /// True at the start of a line, also of the first one.
    pub(in crate::api) fn is_line_start(self) -> bool {
        matches!(self.last, [.., 0 | b'\n' | b'\r']) || self.last == *b"\0\0\0\0\0\xEF\xBB\xBF"
    }

    /// True if the line has no text so far.
    pub(in crate::api) fn has_only_marks(self) -> bool {
        self.marks
    }

    /// True directly after a byte that may mean something in Markdown together with the next one.
    pub(in crate::api) fn is_after_mark(self) -> bool {
        matches!(self.last, [.., last] if b"\\`]<&!*_~".contains(&last))
    }

    fn ends_with(self, text: &str) -> bool {
        self.last.ends_with(text.as_bytes())
    }

    fn ends_with_any(self, texts: &[&str]) -> bool {
        texts.iter().any(|text| self.ends_with(text))
    }

    /// What the text before `link` means for it.
    pub(super) fn before(self, format: Format, link: &Found) -> Before {
        let place = link.context().place();
        let is_text = place.inside() == Inside::Text;
        match (format, place.around()) {
            (Format::Html | Format::Xml, Around::Escaped) => self.in_escaped(is_text),
            (Format::Html | Format::Xml, around) => {
                let hidden = around == Around::Cdata && place.inside() == Inside::Plain;
                if link.context().is_after_less_than() && !hidden {
                    Before::LessThan
                } else if hidden || format == Format::Xml && is_text {
                    self.in_xml(hidden)
                } else if self.ends_with_any(&["&", "&#", "&#x", "&#X"]) {
                    Before::Ampersand
                } else {
                    Before::Nothing
                }
            }
            (Format::Markdown, Around::Nothing) if is_text => self.in_markdown(),
            // A code span, which may be text.
            (Format::Markdown, Around::Tag) if place.inside() == Inside::Plain => {
                self.in_markdown()
            }
            (Format::Csv | Format::Tsv, _) if self.ends_with("\"") => Before::ClosingQuote,
            _ => Before::Nothing,
        }
    }

    /// HTML that is escaped in XML.
    fn in_escaped(self, is_text: bool) -> Before {
        let less_than = is_text && self.ends_with_any(&LESS_THAN);
        let ampersand = ["", "#", "#x", "#X"].iter().any(|tail| {
            let rest = self.last.strip_suffix(tail.as_bytes()).unwrap_or_default();
            ["&amp;", "&#38;", "&#x26;"].iter().any(|text| rest.ends_with(text.as_bytes()))
        });
        match (less_than, ampersand) {
            (true, _) => Before::LessThan,
            (false, true) => Before::Ampersand,
            (false, false) => Before::Nothing,
        }
    }

    /// Text of XML, which some readers take for HTML; in a CDATA section if it is not escaped.
    fn in_xml(self, cdata: bool) -> Before {
        let less_than = |text: &[u8]| match cdata {
            true => text.ends_with(b"<"),
            false => LESS_THAN.iter().any(|less| text.ends_with(less.as_bytes())),
        };
        match self.last {
            [.., b'/' | b'!' | b'?'] if less_than(&self.last[..NEAR - 1]) => Before::HiddenTag,
            _ if less_than(&self.last) => Before::HiddenLessThan,
            _ if !cdata && self.ends_with_any(&["&", "&#", "&#x"]) => Before::Ampersand,
            _ => Before::Nothing,
        }
    }

    fn in_markdown(self) -> Before {
        if self.ends_with("<!") {
            Before::Declaration
        } else if self.ends_with_any(&["<", "</"]) {
            Before::LessThan
        } else if self.ends_with_any(&["&", "&#", "&#x", "&#X"]) {
            Before::Ampersand
        } else if self.ends_with("\\") {
            Before::Backslash
        } else if self.ends_with("]") {
            Before::Bracket
        } else if self.marks {
            Before::LineStart
        } else {
            Before::Nothing
        }
    }
}

/// True if a byte may be a part of what a line of Markdown has before its text.
fn is_mark(b: u8) -> bool {
    // Also the bytes of byte order marks, and the NULs of UTF-16.
    matches!(b, 0..=b' ' | b'0'..=b'9' | 0xBB | 0xBF | 0xEF | 0xFE | 0xFF)
        || b"#>-+*.)[]xX|:_~=`".contains(&b)
}
