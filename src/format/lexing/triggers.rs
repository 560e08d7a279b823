//! The bytes without which a text cannot hold a link.
//!
//! The kinds of link that are asked for go in; out comes the answer whether a text is worth a
//! scan. A lexer passes over text without triggers, because most attributes and many texts of a
//! page have none.

use super::lookahead::Lookahead;
use crate::{
    engine::{
        anchor_search::is_plausible,
        rules::{Anchors, Others},
    },
    format::markup::{
        entities::{Reference, Where, reference},
        layout::Block,
    },
};

/// The bytes without which a text cannot hold a link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::format) enum Triggers {
    /// Every text may hold one.
    #[default]
    Any,
    Colon,
    ColonAt,
    ColonAtDot,
}

impl Triggers {
    pub(in crate::format) fn by(anchors: Anchors) -> Triggers {
        match anchors {
            Anchors { named: true, .. } => Triggers::Any,
            anchors if anchors.others != Others::None => Triggers::Any,
            Anchors { dot: true, .. } => Triggers::ColonAtDot,
            Anchors { at: true, .. } => Triggers::ColonAt,
            _ => Triggers::Colon,
        }
    }

    pub(in crate::format) fn has(self, b: u8) -> bool {
        match b {
            b':' => true,
            b'@' => self != Triggers::Colon,
            b'.' => !matches!(self, Triggers::Colon | Triggers::ColonAt),
            _ => self == Triggers::Any,
        }
    }

    /// Returns the triggers in `block`, and its character references.
    #[inline(always)]
    pub(in crate::format) fn marks(self, block: &Block) -> u64 {
        match self {
            Triggers::Any => !0,
            Triggers::Colon => block.references | block.colons,
            Triggers::ColonAt => block.references | block.colons | block.ats,
            Triggers::ColonAtDot => block.references | block.colons | block.ats | block.dots,
        }
    }

    /// Whether the trigger or reference at `at` may be the anchor of a link, if no character
    /// reference comes before it in the same text.
    #[inline(always)]
    pub(in crate::format) fn may_begin(self, bytes: &[u8], at: usize, place: Where) -> bool {
        match &bytes[at..] {
            _ if self == Triggers::Any => true,
            // The slashes after a scheme may be references too.
            [b':', b'&', ..] | [b':', b'/', b'&', ..] => true,
            [b':', ..] => is_plausible(bytes, at),
            // Not `&colon;`, `&commat;`, `&period;`, nor their numbers: 58, 64, 46.
            [b'&', b'a'..=b'b' | b'd'..=b'o' | b'q'..=b'z', ..]
            | [b'&', b'#', b'1'..=b'3' | b'7'..=b'9', ..] => false,
            rest @ [b'&', ..] => match reference(Lookahead::part(rest), place) {
                Reference::Is(_, chars) => chars.as_bytes().iter().any(|b| self.has(*b)),
                Reference::None => false,
                _ => true,
            },
            _ => true,
        }
    }

    /// Whether the prose of a value in an attribute of HTML may hold a link.
    pub(in crate::format) fn may_be_in(self, bytes: &[u8], value: core::ops::Range<usize>) -> bool {
        // With the byte after it, as the blocks have it.
        let (mut references, inside) = (false, &bytes[..bytes.len().min(value.end + 1)]);
        value.into_iter().any(|at| {
            let b = bytes[at];
            references |= b == b'&';
            (b == b'&' || self.has(b))
                && (references && b == b':' || self.may_begin(inside, at, Where::Attribute))
        })
    }
}
