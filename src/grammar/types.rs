//! The words that all of the grammar shares: characters with their places, openers, the
//! end of a link, and a link that was found. No file of the grammar is needed to read
//! this one.

use crate::{charset::Shift, data::names::named};

/// What kind of link a match is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A reference with a scheme.
    Iri,
    /// A host without a scheme, perhaps with port, path, query and fragment.
    Bare,
    /// An e-mail address without `mailto:`.
    Email,
}

named!(Kind is "a kind of link": Iri = "iri", Bare = "bare", Email = "email");

/// One character of a candidate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    pub(crate) c: char,
    /// Absolute offsets of its first byte and of the byte behind it.
    pub(crate) at: u64,
    pub(crate) next: u64,
    /// The ISO-2022-JP state behind it.
    pub(crate) shift: Shift,
}

/// Where a link ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct End {
    pub(crate) at: u64,
    pub(crate) shift: Shift,
}

/// What a walk says after one more character.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    More,
    /// The walk is over; `None`: no link.
    Done(Option<End>),
    /// The walk is over: the partner of the opener does not come.
    NoPartner,
}

/// A part of the tail of a link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    Path,
    Query,
    Fragment,
}

impl Part {
    /// The part behind `c` (UTS #58, termination: initiators).
    pub(crate) fn behind(self, c: char) -> Part {
        match (self, c) {
            (Part::Path, '?') => Part::Query,
            (Part::Path | Part::Query, '#') => Part::Fragment,
            (part, _) => part,
        }
    }
}

/// What in the text made somebody look for a link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Anchor {
    Colon,
    Dot,
    At,
}

/// A character before a position, nearest first. `None`: malformed bytes.
#[derive(Clone, Copy)]
pub(crate) struct Before {
    pub(crate) c: Option<char>,
    /// Where it starts, absolute.
    pub(crate) start: u64,
}

/// What opens directly before a link, so that its partner ends it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Opener {
    pub(crate) open: char,
    pub(crate) close: char,
    pub(crate) field: Field,
}

/// Whether everything up to the partner is the link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Field {
    /// `<…>`, an attribute value, a Markdown target: everything.
    Whole,
    /// Other quotes and brackets: less trailing sentence punctuation.
    Phrase,
}

/// A link that is settled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Found {
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) kind: Kind,
    /// ISO-2022-JP states in force before the first and behind the last
    /// character.
    pub(crate) shift_before: Shift,
    pub(crate) shift_after: Shift,
    pub(crate) non_ascii: bool,
    /// It goes over line ends.
    pub(crate) wrapped: bool,
    /// Malformed bytes stand directly before or behind it.
    pub(crate) malformed_adjacent: bool,
    /// A `<` that is text of markup is directly before it: an ASCII letter there would
    /// make it a tag.
    pub(crate) after_less_than: bool,
    /// An identifier, which rewriting leaves.
    pub(crate) identifier: bool,
}

impl Found {
    /// A link of ASCII characters without anything special.
    pub(crate) fn ascii(start: u64, end: u64, kind: Kind) -> Found {
        Found {
            start,
            end,
            kind,
            shift_before: Shift::Ascii,
            shift_after: Shift::Ascii,
            non_ascii: false,
            wrapped: false,
            malformed_adjacent: false,
            after_less_than: false,
            identifier: false,
        }
    }

    /// The same, `by` bytes further on in the stream.
    pub(crate) fn shifted(self, by: u64) -> Found {
        Found { start: self.start + by, end: self.end + by, ..self }
    }
}

/// The most characters a run may have: a DNS name has 253, with the dots of its
/// root and a sentence behind it. A longer one is no host. Stops `a.a.a.…` from
/// being held back without bound.
pub(crate) const RUN_MAX: usize = 255;

/// Whose rules say what a run is of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ruleset {
    Prose,
    /// UTS #58 to the letter.
    Standard,
}
