//! The options of a search, compiled.

use alloc::{string::String, sync::Arc};

use super::tuning::Tuning;
use crate::{
    data::schemes::Schemes,
    grammar::types::{Kind, RuleSet},
    reference::to_uri::UriOptions,
};

/// The options that every part of a scan shares.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    pub(crate) kinds: Kinds,
    pub(crate) set: RuleSet,
    pub(crate) schemes: Schemes,
    /// [`Config::schemes`](crate::Config::schemes) was called: whole references must have one of
    /// them.
    pub(crate) schemes_given: bool,
    pub(crate) ascii_only: bool,
    pub(crate) max_len: u64,
    pub(crate) fields: Arc<[String]>,
    pub(crate) identifiers: bool,
    pub(crate) uri: UriOptions,
    /// [`Config::query`](crate::Config::query) was called. If it was not, mail chooses the
    /// charset of queries.
    pub(crate) query_given: bool,
    pub(crate) tuning: Tuning,
}

/// The kinds of link that are wanted: a set, one bit a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kinds(u8);

impl Kinds {
    pub(crate) const fn has(self, kind: Kind) -> bool {
        self.0 & 1 << kind as u8 != 0
    }
}

impl FromIterator<Kind> for Kinds {
    fn from_iter<I: IntoIterator<Item = Kind>>(kinds: I) -> Kinds {
        Kinds(kinds.into_iter().fold(0, |set, kind| set | 1 << kind as u8))
    }
}

/// The default of [`Config::max_len`](crate::Config::max_len), in bytes of the source.
pub(crate) const MAX_LEN: u64 = 65_536;

/// Which anchors are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Anchors {
    pub(crate) colon: bool,
    pub(crate) dot: bool,
    pub(crate) at: bool,
    /// U+3002, which separates labels by UTS #58.
    pub(crate) ideographic: bool,
    /// A scheme of a single letter is looked for.
    pub(crate) letter: bool,
}

/// The anchors that `rules` need.
pub(crate) fn anchors(rules: &Rules) -> Anchors {
    let standard = rules.set == RuleSet::Uts58;
    Anchors {
        colon: !standard,
        dot: standard || rules.kinds.has(Kind::Bare),
        at: standard || rules.kinds.has(Kind::Email),
        ideographic: standard,
        letter: rules.schemes.has_letter(),
    }
}
