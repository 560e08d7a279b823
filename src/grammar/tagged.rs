//! Signs after a link that the next characters decide about: tags in square brackets (the `[/url]` of
//! BBCode, `[@name]`, `[#name]`), and the comma of a list.

use super::{
    classes::{self, Letter},
    types::Held,
};

/// The most characters of a tag. It keeps `http://a/b[#http://a/b[#…` linear.
const TAG_MAX: u8 = 64;

/// What a sign begins, as far as it has been read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Tagged {
    #[default]
    No,
    /// After the `[`. `without`: the link before it.
    Square { without: Held },
    /// After a `,` that nothing comes before in its segment or field.
    Comma { without: Held },
    /// In an end tag of BBCode.
    End { without: Held, count: u8 },
    /// After `[@` or `[#`.
    Name { without: Held, count: u8 },
}

impl Tagged {
    /// True while a tag may be being read.
    #[inline]
    pub(super) fn is_open(&self) -> bool {
        !matches!(self, Tagged::No)
    }

    /// Reads `c`. Returns the link before the tag if `c` completes one (cases tags-after-a-link,
    /// commas-of-a-list).
    #[inline]
    pub(super) fn feed(&mut self, c: char) -> Option<Held> {
        if self.is_open() { self.go_on(c) } else { None }
    }

    #[cold]
    fn go_on(&mut self, c: char) -> Option<Held> {
        let word = c.is_ascii_alphanumeric();
        let (next, over) = match *self {
            Tagged::No => (Tagged::No, None),
            Tagged::Comma { .. } if matches!(c, '/' | '.') => (Tagged::No, None),
            Tagged::Comma { without } => (Tagged::No, Some(without)),
            Tagged::Square { without } if c == '/' => (Tagged::End { without, count: 0 }, None),
            Tagged::Square { without } if matches!(c, '@' | '#') => {
                (Tagged::Name { without, count: 0 }, None)
            }
            Tagged::End { without, count } | Tagged::Name { without, count }
                if c == ']' && count > 0 =>
            {
                (Tagged::No, Some(without))
            }
            Tagged::End { without, count } if word && count < TAG_MAX => {
                (Tagged::End { without, count: count + 1 }, None)
            }
            Tagged::Name { without, count } if count < TAG_MAX && is_of_name(c) => {
                (Tagged::Name { without, count: count + 1 }, None)
            }
            _ => (Tagged::No, None),
        };
        *self = next;
        over
    }

    /// The link if the text ends here.
    pub(super) fn held(&self) -> Option<Held> {
        match self {
            Tagged::Comma { without } | Tagged::Name { without, count: 1.. } => Some(*without),
            _ => None,
        }
    }
}

/// True for a character of the name after `[@` or `[#`.
pub(crate) fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || matches!(c, '_' | '-' | '.' | ':')
        || classes::letter(c) == Letter::Spaced
}
