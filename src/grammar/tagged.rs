//! Signs after a link that the next characters decide about: tags in square brackets (the `[/url]` of
//! BBCode, `[@name]`, `[#name]`), a label in square brackets, and the comma of a list.

use super::{
    classes::{self, Letter},
    types::LinkEnd,
};

/// The most characters of a tag. It keeps `http://a/b[#http://a/b[#…` linear.
const TAG_MAX: u8 = 64;

/// What a sign begins, as far as it has been read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Tagged {
    #[default]
    No,
    /// After the `[`. `without`: the link before it. `label`: a label may follow.
    Square { without: LinkEnd, label: bool },
    /// After a `,` that nothing comes before in its segment or field.
    Comma { without: LinkEnd },
    /// In an end tag of BBCode.
    End { without: LinkEnd, count: u8 },
    /// After `[@` or `[#`.
    Name { without: LinkEnd, count: u8 },
    /// In a label: `[Some-Name`.
    Label { without: LinkEnd, count: u8 },
    /// After the `]` of a label. It is one if the link does not go on after it.
    Labelled { without: LinkEnd },
    /// After a `\`, which ends the link unless it is in a pattern.
    Escape { without: LinkEnd },
    /// After `\d` and the like.
    Class { without: LinkEnd },
}

impl Tagged {
    /// True while a tag may be being read.
    #[inline]
    pub(super) fn is_open(&self) -> bool {
        !matches!(self, Tagged::No)
    }

    /// True after a label, if the link has not gone on.
    #[inline]
    pub(super) fn is_labelled(&self) -> bool {
        matches!(self, Tagged::Labelled { .. })
    }

    /// True if text follows the link already, whatever comes next.
    pub(super) fn is_settled(&self) -> bool {
        matches!(
            self,
            Tagged::Name { count: 1.., .. } | Tagged::Escape { .. } | Tagged::Class { .. }
        )
    }

    /// True if `c` goes on with a pattern: `\.` or `\d+`.
    pub(super) fn is_pattern(&self, c: char) -> bool {
        match self {
            Tagged::Escape { .. } => matches!(c, '.' | '?'),
            Tagged::Class { .. } => matches!(c, '+' | '*' | '?' | '{' | ')' | ']'),
            _ => false,
        }
    }

    /// Reads `c`. Returns the link before the tag if `c` completes one (cases tags-after-a-link,
    /// commas-of-a-list).
    #[inline]
    pub(super) fn feed(&mut self, c: char) -> Option<LinkEnd> {
        if self.is_open() { self.go_on(c) } else { None }
    }

    #[cold]
    fn go_on(&mut self, c: char) -> Option<LinkEnd> {
        let word = c.is_ascii_alphanumeric();
        let (next, over) = match *self {
            Tagged::No => (Tagged::No, None),
            Tagged::Comma { .. } if matches!(c, '/' | '.') => (Tagged::No, None),
            Tagged::Comma { without } => (Tagged::No, Some(without)),
            Tagged::Square { without, .. } if c == '/' => (Tagged::End { without, count: 0 }, None),
            Tagged::Square { without, .. } if matches!(c, '@' | '#') => {
                (Tagged::Name { without, count: 0 }, None)
            }
            Tagged::Square { without, label: true } if c == ']' => {
                (Tagged::Labelled { without }, None)
            }
            Tagged::Square { without, label: true } if c.is_alphabetic() => {
                (Tagged::Label { without, count: 1 }, None)
            }
            // `[a-z]` is a pattern.
            Tagged::Label { count: 1, .. } if matches!(c, '-' | ']') => (Tagged::No, None),
            Tagged::Label { without, .. } if c == ']' => (Tagged::Labelled { without }, None),
            Tagged::Label { without, count } if count < TAG_MAX && is_of_label(c) => {
                (Tagged::Label { without, count: count + 1 }, None)
            }
            // The reading says when the link goes on.
            Tagged::Labelled { .. } => return None,
            Tagged::Escape { without } if matches!(c, 'd' | 'w' | 'D' | 'W' | 'S') => {
                (Tagged::Class { without }, None)
            }
            Tagged::Escape { without } | Tagged::Class { without } => (Tagged::No, Some(without)),
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
    pub(super) fn end_without(&self) -> Option<LinkEnd> {
        match self {
            Tagged::Comma { without }
            | Tagged::Name { without, count: 1.. }
            | Tagged::Labelled { without }
            | Tagged::Escape { without }
            | Tagged::Class { without } => Some(*without),
            _ => None,
        }
    }
}

/// True for a character of a label. The others begin a part of the tail, or are of a pattern.
pub(crate) fn is_of_label(c: char) -> bool {
    !matches!(c, '[' | ']' | '/' | '?' | '#' | '&' | '=' | '%' | '*' | '{' | '}' | '|')
}

/// True for a character of the name after `[@` or `[#`.
pub(crate) fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || matches!(c, '_' | '-' | '.' | ':')
        || classes::letter(c) == Letter::Spaced
}
