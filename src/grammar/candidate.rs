//! One candidate, from its first character to the verdict.
//!
//! It is read in one way after the other: if an opener comes directly before it, up to the partner of the
//! opener; and if the partner does not come, again from its start as running text. What must hold: the
//! verdict depends on the characters alone, not on how many come with each call.

use super::{
    reading::{Reading, runs::Text},
    start::{Head, What},
    types::{End, Found, Item, RuleSet, Step, Terms, Trait},
    uts58::Standard,
};
use crate::{charset::cursor::Cursor, data::rules::Rule};

/// How many bytes of punctuation may follow a link that has reached the limit. After these the link
/// ends there: `http://a/b.....` must not be held back without bound.
pub(crate) const OVERHANG: u64 = 256;

/// The state of a candidate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// No link starts here.
    None,
    /// No link starts here, and none before this place.
    Spent(u64),
    Match(Found),
    /// The character at [`Candidate::pos`] decides.
    More,
    /// The link is longer than the limit: it is text.
    TooLong,
}

/// A candidate that is being read.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) head: Head,
    /// Where its first character is that is read forwards, and the next one.
    from: u64,
    pub(crate) pos: u64,
    ascii_only: bool,
    limit: u64,
    reading: Way,
    /// Where the first character starts that is not ASCII.
    non_ascii: Option<u64>,
    /// Where malformed bytes ended the candidate.
    malformed: Option<u64>,
    /// Where the search for a partner ended without finding it.
    pub(crate) no_partner: Option<u64>,
    overlong: bool,
}

/// How the candidate is read.
// There is one candidate at a time: the size is fine.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Debug)]
enum Way {
    Delimited(Reading),
    InText(Reading),
    /// By UTS #58 to the letter.
    Standard(Standard),
}

impl Way {
    // A part of its callers, because a reading is large to move.
    #[inline(always)]
    fn in_text(head: &Head, ascii_only: bool) -> Way {
        match head.what {
            What::Name { rules: RuleSet::Uts58, before, .. } => {
                Way::Standard(Standard::name(before))
            }
            What::Address { rules: RuleSet::Uts58, .. } => Way::Standard(Standard::domain()),
            _ => Way::InText(Reading::in_text(head, ascii_only)),
        }
    }

    fn feed(&mut self, item: Item) -> Step {
        match self {
            Way::Delimited(reading) | Way::InText(reading) => reading.feed(item),
            Way::Standard(standard) => standard.feed(item),
        }
    }

    fn stop(&mut self) -> Step {
        match self {
            Way::Delimited(reading) | Way::InText(reading) => reading.stop(),
            Way::Standard(standard) => standard.stop(),
        }
    }

    /// Where the rest of a name ends that is no host.
    fn lost(&self) -> Option<End> {
        match self {
            Way::Delimited(reading) | Way::InText(reading) => reading.lost(),
            Way::Standard(_) => None,
        }
    }

    fn end(&self) -> Option<End> {
        match self {
            Way::Delimited(reading) | Way::InText(reading) => reading.end(),
            Way::Standard(standard) => standard.end(),
        }
    }
}

impl Candidate {
    /// The candidate whose characters are read from `from` on. `no_partner`: where an earlier
    /// search for the partner of its opener failed.
    pub(crate) fn new(head: Head, from: u64, terms: Terms, no_partner: Option<u64>) -> Candidate {
        let delimited = match no_partner {
            None => Reading::delimited(&head, terms).map(Way::Delimited),
            Some(_) => None,
        };
        Candidate {
            head,
            from,
            pos: from,
            ascii_only: terms.ascii_only,
            limit: head.start.saturating_add(terms.max_len),
            reading: delimited.unwrap_or_else(|| Way::in_text(&head, terms.ascii_only)),
            non_ascii: head.non_ascii.then_some(head.start),
            malformed: None,
            no_partner,
            overlong: false,
        }
    }

    /// The link may have `max_len` bytes. That may be known only when more of the text is there.
    pub(crate) fn limit(&mut self, max_len: u64) {
        self.limit = self.head.start.saturating_add(max_len);
    }

    /// Reads the next characters as far as they decide nothing. Returns false if the first one does. One by
    /// one they would cost ten times as much.
    #[inline]
    pub(crate) fn run(&mut self, cursor: &Cursor, text: &Text<'_>) -> bool {
        let (Way::Delimited(reading) | Way::InText(reading)) = &mut self.reading else {
            return false;
        };
        if text.width == 0 {
            return false;
        }
        // The first character that is too far decides.
        let room = self.limit.saturating_add(OVERHANG).saturating_sub(text.at);
        let room = usize::try_from(room).unwrap_or(usize::MAX);
        let units = if text.width == 1 { room } else { room / text.width };
        let ascii = &text.ascii[..text.ascii.len().min(units)];
        let bytes = &text.bytes[..text.bytes.len().min(room)];
        let n = reading.run(cursor, &Text { ascii, bytes, ..*text });
        if n > 0 && !text.ascii[0].is_ascii() {
            self.non_ascii = self.non_ascii.or(Some(text.at));
        }
        self.pos += n as u64;
        n > 0
    }

    /// Reads the next character.
    #[inline]
    pub(crate) fn feed(&mut self, item: Item) -> Verdict {
        if !item.c.is_ascii() && self.non_ascii.is_none() {
            self.non_ascii = Some(item.at);
        }
        self.pos = item.next;
        let step = self.reading.feed(item);
        if step == Step::More && item.next <= self.limit {
            return Verdict::More;
        }
        self.decide(step, item.at)
    }

    /// The verdict after [`Candidate::run`].
    #[inline]
    pub(crate) fn after_run(&mut self) -> Verdict {
        if self.pos <= self.limit { Verdict::More } else { self.decide(Step::More, self.pos) }
    }

    /// Acts on a step that ends the reading or goes over the limit, and came with the character at `at`.
    #[inline(never)]
    fn decide(&mut self, step: Step, at: u64) -> Verdict {
        let is_far = self.pos > self.limit.saturating_add(OVERHANG);
        match step {
            Step::More if !matches!(self.reading, Way::Delimited(_)) => match self.reading.end() {
                Some(end) if end.at > self.limit => {
                    self.overlong = true;
                    Verdict::TooLong
                }
                end if is_far => self.settle(Step::Done(end), at),
                _ => Verdict::More,
            },
            Step::More if is_far => self.settle(Step::NoPartner, at),
            Step::More => Verdict::More,
            step => self.settle(step, at),
        }
    }

    /// Malformed bytes start at `at`. They end the candidate.
    pub(crate) fn malformed(&mut self, at: u64) -> Verdict {
        self.malformed = Some(at);
        self.stop(at)
    }

    /// The text ends at `at`.
    pub(crate) fn stop(&mut self, at: u64) -> Verdict {
        let step = self.reading.stop();
        self.settle(step, at)
    }

    /// Acts on the last step of the reading, which came with the character at `at`.
    fn settle(&mut self, step: Step, at: u64) -> Verdict {
        let end = match step {
            Step::Done(end) => end,
            Step::NoPartner | Step::More => None,
        };
        if let Way::Delimited(reading) = &self.reading {
            if let Some(end) = end.filter(|end| end.at <= self.limit) {
                return self.found(end).with(Trait::Wrapped, reading.wraps() > 0).into();
            }
            if !matches!(step, Step::Done(_)) {
                self.no_partner = Some(at);
            }
            self.read_again();
            return Verdict::More;
        }
        match end {
            // Without an address its domain is no host either (UTS #58). A link over the limit is
            // text.
            Some(end) if self.head.is_dead() || end.at > self.limit => {
                self.overlong = !self.head.is_dead();
                Verdict::Spent(end.at)
            }
            Some(end) => self.found(end).into(),
            None if self.head.from.is_some() => Verdict::None,
            None => self.reading.lost().map_or(Verdict::None, |end| Verdict::Spent(end.at)),
        }
    }

    /// Where no other name may begin before, if this was a name and is no link.
    pub(crate) fn named(&self) -> u64 {
        match &self.reading {
            Way::Delimited(reading) | Way::InText(reading) => reading.named().unwrap_or(self.pos),
            Way::Standard(_) => self.pos,
        }
    }

    /// Where no other IP address may begin before, if this was one and is no link.
    pub(crate) fn addressed(&self) -> u64 {
        match &self.reading {
            Way::InText(reading) => reading.addressed(self.from).unwrap_or(self.pos),
            Way::Delimited(_) | Way::Standard(_) => self.pos,
        }
    }

    /// Begins again, as running text.
    #[inline(never)]
    fn read_again(&mut self) {
        self.reading = Way::in_text(&self.head, self.ascii_only);
        self.pos = self.from;
        self.non_ascii = self.head.non_ascii.then_some(self.head.start);
        self.malformed = None;
    }

    /// The rule that ended the reading, where the class of the character does not say it.
    /// `link`: it is one; `c`: the character that was read last.
    pub(crate) fn rule(&self, link: bool, c: Option<char>) -> Rule {
        match &self.reading {
            Way::Delimited(_) => Rule::Delimiter,
            Way::InText(reading) => reading.rule(link, c),
            Way::Standard(_) if link => Rule::WhiteSpace,
            Way::Standard(_) => match self.head.what {
                What::Name { before: Some('@'), .. } => Rule::BareJoined,
                What::Name { .. } => Rule::BareTopLevelDomain,
                What::Address { .. } | What::Scheme(_) | What::Ip => Rule::EmailDomain,
            },
        }
    }

    /// True if the candidate is complete, and text only because of its length.
    pub(crate) fn is_overlong(&self) -> bool {
        self.overlong
    }

    fn found(&self, end: End) -> Found {
        let begin = match &self.reading {
            Way::Delimited(reading) | Way::InText(reading) => reading.begin(&self.head),
            Way::Standard(_) => None,
        };
        let head = begin.map_or(self.head, |start| {
            // Text before it is not part of the link.
            Head { start, malformed_before: false, ..self.head }
        });
        let malformed = head.malformed_before || self.malformed == Some(end.at);
        head.found(end, self.non_ascii).with(Trait::MalformedAdjacent, malformed)
    }
}

impl From<Found> for Verdict {
    fn from(found: Found) -> Verdict {
        Verdict::Match(found)
    }
}
