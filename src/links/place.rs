//! The syntax around a link, which decides how a text in its place is escaped: bits of the link, which the
//! grammar keeps and does not know.

use alloc::boxed::Box;

use crate::grammar::types::Found;

/// Where the bits begin of the [`ValuePart`], of the delimiter of a field, and of the [`Context`].
const PART: u32 = 11;
const DELIMITER: u32 = 13;
const CONTEXT: u32 = 24;

/// The text around a link that decides whether a longer link would go on there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Surroundings {
    /// The character directly before the link, if it is a sign or white space of ASCII.
    pub(crate) before: Option<char>,
    /// The text after the link, up to the first white space, and with it.
    pub(crate) after: Box<str>,
    /// More text without white space follows.
    pub(crate) is_cut: bool,
}

/// What a text in the place of a link must take into account, in one byte: the [`Place`], and bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Context(u8);

impl Context {
    const AFTER_LESS_THAN: u8 = 1 << 6;
    const UNDECIDED: u8 = 1 << 7;

    /// The same for a link in this place.
    #[inline]
    pub(crate) fn at(self, place: Place) -> Context {
        Context(self.0 & !Place::BITS | place.0)
    }

    pub(crate) fn place(self) -> Place {
        Place(self.0 & Place::BITS)
    }

    /// A `<` of the text of a markup document comes directly before it: an ASCII letter after that
    /// would make a tag. In Markdown a `<!`: a letter would make a declaration.
    pub(crate) fn is_after_less_than(self) -> bool {
        self.0 & Context::AFTER_LESS_THAN != 0
    }

    #[inline]
    pub(crate) fn after_less_than(self, yes: bool) -> Context {
        let bit = Context::AFTER_LESS_THAN * u8::from(yes);
        Context(self.0 & !Context::AFTER_LESS_THAN | bit)
    }

    /// The charset is not decided: all bytes so far are ASCII, and what follows may show another.
    pub(crate) fn is_undecided(self) -> bool {
        self.0 & Context::UNDECIDED != 0
    }

    #[inline]
    pub(crate) fn undecided(self, yes: bool) -> Context {
        let bit = Context::UNDECIDED * u8::from(yes);
        Context(self.0 & !Context::UNDECIDED | bit)
    }
}

/// Which part a link is of a value without quotes, of an attribute or of a field of CSV.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum ValuePart {
    #[default]
    Within,
    /// It begins the value.
    Start,
    Whole,
}

/// The syntax around a link in markup, JSON or RDF. It decides how a text that replaces the link is
/// escaped.
///
/// It has six bits: of [`Inside`], and above it of [`Around`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Place(u8);

impl Place {
    const BITS: u8 = 0x3F;
    /// [`Inside::Name`] in the lowest three bits.
    const NAME: u8 = 7;

    pub(crate) fn new(inside: Inside, around: Around) -> Place {
        let inside = match inside {
            Inside::Text => 0,
            Inside::Attribute { quoted } => 1 + u8::from(quoted),
            Inside::StyleAttribute { quoted } => 3 + u8::from(quoted),
            Inside::Style => 5,
            Inside::Plain => 6,
            Inside::Name => Place::NAME,
        };
        Place(inside | (around as u8) << 3)
    }

    pub(crate) fn inside(self) -> Inside {
        match self.0 & 7 {
            0 => Inside::Text,
            n @ (1 | 2) => Inside::Attribute { quoted: n == 2 },
            n @ (3 | 4) => Inside::StyleAttribute { quoted: n == 4 },
            5 => Inside::Style,
            6 => Inside::Plain,
            _ => Inside::Name,
        }
    }

    /// Whether the link is in a value without quotes.
    #[inline]
    pub(crate) fn is_bare(self) -> bool {
        matches!(self.0 & 7, 1 | 3)
    }

    /// Whether the link is in a style sheet.
    #[inline]
    pub(crate) fn is_style(self) -> bool {
        matches!(self.0 & 7, 3..=5)
    }

    /// Whether the link is in a comment.
    pub(crate) fn is_comment(self) -> bool {
        matches!(self.around(), Around::Comment | Around::Remark)
    }

    /// Whether the link is in the text of a comment. In a conditional comment it may be in a tag, or in text with
    /// escapes.
    pub(crate) fn is_comment_text(self) -> bool {
        self.is_comment() && self.inside() == Inside::Plain
    }

    /// Whether the link is in a string of JSON; in HTML, in a script that holds JSON. So is a name of Turtle, which no
    /// other format has.
    #[inline]
    pub(crate) fn is_script(self) -> bool {
        self.0 & 7 == Place::NAME
    }

    /// Whether `text` in the place of a link leaves a comment around it as long as it is, whatever is before and
    /// after the link (HTML, section 13.1.6; XML 1.0, section 2.5). True in all other places.
    pub(crate) fn keeps_comment(self, text: &[u8]) -> bool {
        let has = |mark: &[u8]| memchr::memmem::find(text, mark).is_some();
        // Hyphens may come before and after it.
        let edges = || {
            matches!(text.first(), None | Some(b'-' | b'>' | b'!'))
                || text.ends_with(b"-")
                || text.ends_with(b"-!")
        };
        match self.around() {
            Around::Comment => !(has(b"-->") || has(b"--!>") || edges()),
            Around::Remark => !(has(b"--") || edges()),
            _ => true,
        }
    }

    pub(crate) fn around(self) -> Around {
        match self.0 >> 3 {
            0 => Around::Nothing,
            1 => Around::Escaped,
            2 => Around::Cdata,
            3 => Around::Tag,
            4 => Around::Key,
            5 => Around::Fixed,
            6 => Around::Comment,
            _ => Around::Remark,
        }
    }
}

/// What the link is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Inside {
    /// Text in which the escapes of the format count.
    #[default]
    Text,
    /// The value of an attribute.
    Attribute { quoted: bool },
    /// The same, and it is a style sheet.
    StyleAttribute { quoted: bool },
    /// A style sheet in which only its own escapes count: `<style>` of HTML.
    Style,
    /// Text in which nothing is an escape.
    Plain,
    /// Between `<` and `>` of Turtle; strings of JSON, also in a script of HTML.
    Name,
}

impl From<Inside> for Place {
    fn from(inside: Inside) -> Place {
        Place::new(inside, Around::Nothing)
    }
}

/// The syntax around the text that holds the link.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Around {
    #[default]
    Nothing,
    /// HTML in the text of XML, or a target of LaTeX in the argument of another command: it is escaped once more.
    Escaped,
    /// A CDATA section.
    Cdata,
    /// A tag of HTML in Markdown, or a code span if nothing in it is an escape.
    Tag,
    /// The key of a translation in PO, or a string of JSON-LD, which are identifiers.
    Key,
    /// Text whose length counts, such as the cell of a table of reStructuredText, and the key of an import map: no
    /// other text can be in the place of the link.
    Fixed,
    /// A comment of HTML.
    Comment,
    /// A comment of XML, which cannot have two hyphens.
    Remark,
}

impl Found {
    pub(crate) fn context(&self) -> Context {
        Context(self.bits(CONTEXT, 0xFF) as u8)
    }

    #[inline]
    pub(crate) fn in_context(self, context: Context) -> Found {
        self.with_bits(CONTEXT, 0xFF, context.0.into())
    }

    /// Which part of a value without quotes it is.
    pub(crate) fn part(&self) -> ValuePart {
        match self.bits(PART, 3) {
            0 => ValuePart::Within,
            1 => ValuePart::Start,
            _ => ValuePart::Whole,
        }
    }

    /// The delimiter of the field without quotes that it is in; `None`: it is in none.
    pub(crate) fn delimiter(&self) -> Option<u8> {
        Some(self.bits(DELIMITER, 0x7F) as u8).filter(|delimiter| *delimiter != 0)
    }

    /// The same link in a value without quotes, which is a field if there is a delimiter.
    pub(crate) fn in_value(self, part: ValuePart, delimiter: Option<u8>) -> Found {
        let delimiter = u32::from(delimiter.unwrap_or_default() & 0x7F);
        self.with_bits(PART, 3, part as u32).with_bits(DELIMITER, 0x7F, delimiter)
    }
}
