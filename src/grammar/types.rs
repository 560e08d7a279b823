//! The types that all of the grammar shares: characters with their places, openers, the end of a
//! link, and a link that was found. This file can be read without any other file of the grammar.

use core::{num::NonZeroU64, ops::Range};

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
    /// An IP address without a scheme, perhaps with port and path. [`RuleSet::Uts58`] has none.
    Ip,
}

named!(Kind is "a kind of link": Iri = "iri" | "uri" | "url", Bare = "bare", Email = "email" | "mail", Ip = "ip");

/// One character of a candidate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    pub(crate) c: char,
    /// Absolute offsets of its first byte and of the byte after it.
    pub(crate) at: u64,
    pub(crate) next: u64,
}

/// Where a link ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct End {
    pub(crate) at: u64,
}

/// The link up to some character: where it ends, or `None` if it is no link so far.
pub(crate) type LinkEnd = Option<End>;

/// What a reading says after one more character.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    More,
    /// The reading is over; `None`: there is no link.
    Done(Option<End>),
    /// The reading is over, because the partner of the opener does not come.
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
    /// The part after `c` (UTS #58, termination: initiators).
    pub(crate) fn behind(self, c: char) -> Part {
        match (self, c) {
            (Part::Path, '?') => Part::Query,
            (Part::Path | Part::Query, '#') => Part::Fragment,
            (part, _) => part,
        }
    }
}

/// The byte that makes the machine look for a link around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Anchor {
    Colon,
    Dot,
    At,
    /// The first `.` or `:` of what may be an IP address.
    Ip,
}

/// A character before a position. `c` is `None` for malformed bytes.
#[derive(Clone, Copy)]
pub(crate) struct Before {
    pub(crate) c: Option<char>,
    /// Where it starts, absolute.
    pub(crate) start: u64,
}

/// The character directly before a link whose partner ends the link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Opener {
    pub(crate) open: char,
    pub(crate) close: char,
    pub(crate) field: Field,
}

/// How much of the text before the partner is the link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Field {
    /// All of it: `<…>`, an attribute value, a target of Markdown or Org, `url(…)` of a style sheet.
    Whole,
    /// All but sentence punctuation at the end: other quotes and brackets.
    Phrase,
}

impl Opener {
    /// True if a label may follow the link after a bar: `<http://…|label>` of chats, `[http://…|label]` of
    /// wikis.
    pub(crate) fn holds_labels(self) -> bool {
        matches!(self.open, '<' | '[')
    }

    /// True if a sentence, or several links, may stand where the link does.
    #[inline]
    pub(crate) fn is_of_text(&self) -> bool {
        self.field == Field::Phrase || self.open == '['
    }
}

/// How the caller wants a candidate to be read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms {
    pub(crate) ascii_only: bool,
    pub(crate) max_len: u64,
    /// Openers count.
    pub(crate) partners: bool,
}

impl Terms {
    /// `opener`, if openers count. They do not if links are all ASCII.
    #[inline]
    pub(crate) fn opener<'h>(&self, opener: &'h Option<Opener>) -> Option<&'h Opener> {
        opener.as_ref().filter(|_| self.partners && !self.ascii_only)
    }
}

/// A link that was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Found {
    pub(crate) start: u64,
    pub(crate) end: u64,
    traits: Traits,
}

/// The properties of a link other than its place. One number, because every link that is found is
/// copied several times, and a processor waits for a word whose bytes were written one by one. Of 64 bits, so
/// that there is no padding, which is copied too.
///
/// From the lowest bit up: a bit that is always set, 2 bits of the kind, 2 each of the states of
/// ISO-2022-JP before the first character and after the last one, most [`Trait`]s, 9 bits and the
/// highest 8 for the syntax around the link (`links/place.rs`), and between these the other traits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Traits(NonZeroU64);

/// Something that is true of some links.
#[derive(Clone, Copy)]
pub(crate) enum Trait {
    NonAscii = 1 << 7,
    /// It goes over line ends.
    Wrapped = 1 << 8,
    /// Malformed bytes come directly before or after it.
    MalformedAdjacent = 1 << 9,
    /// An identifier, which rewriting leaves as it is.
    Identifier = 1 << 10,
    /// It is a whole reference, in which there may be spaces and controls. A link of a text has none.
    Reference = 1 << 20,
    /// It is a whole reference in HTML, of which a browser may open another host than RFC 3986 says.
    InHtml = 1 << 21,
    /// No other text can be in its place: tags or the ends of strings are within it, which would be lost, or
    /// it is in a table whose columns would move.
    Fixed = 1 << 22,
    /// It is in a program: ASCII that no URI may hold is a placeholder or a pattern.
    InProgram = 1 << 23,
}

impl Traits {
    const KIND: u32 = 1;
    const BEFORE: u32 = 3;
    const AFTER: u32 = 5;

    /// The bits of `mask` from `at` up.
    #[inline]
    fn get(self, at: u32, mask: u32) -> u32 {
        (self.0.get() >> at) as u32 & mask
    }

    /// The same with `bits` in place of the bits of `mask` from `at` up.
    #[inline]
    fn with(self, at: u32, mask: u32, bits: u32) -> Traits {
        let (mask, bits) = (u64::from(mask), u64::from(bits));
        Traits(NonZeroU64::MIN | self.0.get() & !(mask << at) | bits << at)
    }
}

impl Found {
    /// For a place that a link is written to.
    pub(crate) const NONE: Found = Found { start: 0, end: 0, traits: Traits(NonZeroU64::MIN) };

    /// A link of ASCII characters, without anything special.
    #[inline]
    pub(crate) fn ascii(start: u64, end: u64, kind: Kind) -> Found {
        let traits = Traits(NonZeroU64::MIN).with(Traits::KIND, 3, kind as u32);
        Found { start, end, traits }
    }

    #[inline]
    pub(crate) fn kind(&self) -> Kind {
        match self.traits.get(Traits::KIND, 3) {
            0 => Kind::Iri,
            1 => Kind::Bare,
            2 => Kind::Email,
            _ => Kind::Ip,
        }
    }

    /// The ISO-2022-JP states before the first and after the last character.
    pub(crate) fn shifts(&self) -> (Shift, Shift) {
        let shift = |at| match self.traits.get(at, 3) {
            0 => Shift::Ascii,
            1 => Shift::Roman,
            2 => Shift::Katakana,
            _ => Shift::Kanji,
        };
        (shift(Traits::BEFORE), shift(Traits::AFTER))
    }

    /// The same link between these states.
    #[inline]
    pub(crate) fn shifted(self, before: Shift, after: Shift) -> Found {
        let traits = self.traits.with(Traits::BEFORE, 3, before as u32);
        Found { traits: traits.with(Traits::AFTER, 3, after as u32), ..self }
    }

    #[inline]
    pub(crate) fn has(&self, which: Trait) -> bool {
        self.traits.0.get() & which as u64 != 0
    }

    /// The same link, with this trait if `yes`, and otherwise without it.
    #[inline]
    pub(crate) fn with(self, which: Trait, yes: bool) -> Found {
        let bit = which as u32;
        Found { traits: self.traits.with(0, bit, bit * u32::from(yes)), ..self }
    }

    /// The bits of `mask` from `at` up. (`links/place.rs` has those of the syntax around the link.)
    #[inline]
    pub(crate) fn bits(&self, at: u32, mask: u32) -> u32 {
        self.traits.get(at, mask)
    }

    /// The same link with `bits` in place of the bits of `mask` from `at` up.
    #[inline]
    pub(crate) fn with_bits(self, at: u32, mask: u32, bits: u32) -> Found {
        Found { traits: self.traits.with(at, mask, bits), ..self }
    }

    /// The same link in another place.
    pub(crate) fn at(self, place: Range<u64>) -> Found {
        Found { start: place.start, end: place.end, ..self }
    }

    /// The same link, `by` bytes further on in the stream.
    pub(crate) fn moved(self, by: u64) -> Found {
        self.at(self.start + by..self.end + by)
    }
}

/// The most characters of a run. A DNS name has at most 253; dots of its root and of a sentence may
/// follow. A longer run is no host. The limit keeps `a.a.a.…` from being held back without bound.
pub(crate) const RUN_MAX: usize = 255;

/// The rules for where a link starts and ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RuleSet {
    /// The properties of UTS #58, with departures that real text needs. The documentation of
    /// the crate lists them.
    #[default]
    Prose,
    /// Unicode Technical Standard #58, to the letter: `http`, `https` and
    /// `mailto` only, whatever [`Config::schemes`](crate::Config::schemes) says, and hosts by a list of
    /// top-level domains.
    Uts58,
}

named!(RuleSet is "a set of rules": Prose = "prose", Uts58 = "uts58");
