//! A link that was replaced by nothing: the first character of the text after it decides what has to be
//! written.

use alloc::vec::Vec;

use crate::charset::{Charset, Shape};

/// Whether nothing may be written in a slot.
pub(crate) enum Emptying {
    /// No: the link stays.
    Refused,
    /// Yes, whatever follows.
    Done,
    /// The text after the link decides.
    Depends(Emptied),
}

impl Emptying {
    /// Done if `may` is true.
    pub(in crate::format) fn only_if(may: bool) -> Emptying {
        if may { Emptying::Done } else { Emptying::Refused }
    }
}

/// What the text after an emptied slot decides.
#[derive(Clone, Debug)]
pub(crate) enum Emptied {
    /// The link, which began a value without quotes. It stays if a quote follows, because that would
    /// open the value. `apostrophe`: a `'` is a quote; `nested`: a `&` may be one.
    Value { source: Vec<u8>, charset: Charset, apostrophe: bool, nested: bool },
    /// The link, which stays if one of these signs follows: a quote after which its string would be empty, or a mark
    /// that means something else after what is before the link.
    Unless { source: Vec<u8>, charset: Charset, signs: &'static [u8] },
    /// The link began a line of Markdown. Unless a letter follows, a space keeps the paragraph, and keeps
    /// what follows from beginning a block.
    Line(Charset),
    /// The link was the first field of a record of CSV. If a line end follows, it was all of it, and
    /// quotes keep the record.
    Record(Charset),
}

/// What is written between an emptied slot and the text after it.
pub(crate) enum Guard {
    Nothing,
    /// The link after all, byte for byte.
    Link(Vec<u8>),
    /// ASCII, in the charset of the document.
    Text(&'static str, Charset),
}

impl Emptied {
    /// What `after`, which is not empty, asks for.
    pub(crate) fn before(self, after: &[u8]) -> Guard {
        let (Emptied::Value { charset, .. }
        | Emptied::Unless { charset, .. }
        | Emptied::Line(charset)
        | Emptied::Record(charset)) = self;
        // In UTF-16 and UTF-32, a character of ASCII has NULs too.
        let width = match charset.shape() {
            Shape::Wide { width, .. } => width,
            _ => 1,
        };
        let unit = &after[..after.len().min(width)];
        let first = unit.iter().copied().find(|b| *b != 0).unwrap_or_default();
        match self {
            Emptied::Value { source, apostrophe, nested, .. } => {
                // An escape sequence may come before the quote.
                let opens = match first {
                    b'"' | 0x1B => true,
                    b'\'' => apostrophe,
                    b'&' => nested,
                    _ => false,
                };
                if opens { Guard::Link(source) } else { Guard::Nothing }
            }
            // An escape sequence may come before the sign.
            Emptied::Unless { source, signs, .. } if first == 0x1B || signs.contains(&first) => {
                Guard::Link(source)
            }
            Emptied::Unless { .. } => Guard::Nothing,
            Emptied::Line(_) if first.is_ascii_alphabetic() || !first.is_ascii() => Guard::Nothing,
            Emptied::Record(_) if !matches!(first, b'\n' | b'\r') => Guard::Nothing,
            emptied => emptied.last(),
        }
    }

    /// What the end of the document asks for.
    pub(crate) fn last(self) -> Guard {
        match self {
            Emptied::Value { .. } | Emptied::Unless { .. } => Guard::Nothing,
            Emptied::Line(charset) => Guard::Text("&#32;", charset),
            Emptied::Record(charset) => Guard::Text("\"\"", charset),
        }
    }
}
