//! One candidate, from its anchor to the verdict.
//!
//! The same characters are read in two ways: as running text, and (if an opener comes directly
//! before the link) up to the partner of the opener. The second wins if the partner comes. What
//! must hold: the verdict depends on the characters alone, not on how many come with each call.

use super::{
    reading::Reading,
    start::{Head, What},
    types::{Context, End, Found, Held, Item, Opener, RuleSet, Step},
    uts58::Standard,
};
use crate::charset::Shift;

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
    /// The next character decides.
    More,
    /// The link is longer than the limit: it is text.
    TooLong,
}

/// The verdict of the reading as running text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Settled {
    /// The next character decides.
    No,
    NoLink,
    /// A link that ends here.
    Link(End),
}

impl Settled {
    fn of(end: Held) -> Settled {
        end.map_or(Settled::NoLink, Settled::Link)
    }
}

/// A candidate that is being read.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) head: Head,
    shift_before: Shift,
    in_text: InText,
    settled: Settled,
    delimited: Option<Reading>,
    wrapped: bool,
    /// Where the first character starts that is not ASCII.
    non_ascii: Option<u64>,
    /// Where malformed bytes ended the candidate.
    malformed: Option<u64>,
    limit: u64,
    /// Where the search for a partner ended without finding it.
    pub(crate) no_partner: Option<u64>,
}

/// How the candidate is read if no delimiter ends it.
// There is one candidate at a time, on the stack: the size is fine.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Debug)]
enum InText {
    Prose(Reading),
    Standard(Standard),
}

impl InText {
    fn feed(&mut self, item: Item) -> Step {
        match self {
            InText::Prose(tail) => tail.feed(item),
            InText::Standard(standard) => standard.feed(item),
        }
    }

    fn stop(&mut self) -> Step {
        match self {
            InText::Prose(tail) => tail.stop(),
            InText::Standard(standard) => standard.stop(),
        }
    }

    fn end(&self) -> Option<End> {
        match self {
            InText::Prose(tail) => tail.end(),
            InText::Standard(standard) => standard.end(),
        }
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
    /// `by`, if openers count. They do not if links are all ASCII.
    pub(crate) fn opener(&self, by: Opener) -> Option<Opener> {
        (self.partners && !self.ascii_only).then_some(by)
    }
}

impl Candidate {
    pub(crate) fn new(head: Head, shift_before: Shift, terms: Terms) -> Candidate {
        let opener = head.opener.and_then(|by| terms.opener(by));
        let in_text = match head.what {
            What::Scheme(scheme) => {
                InText::Prose(Reading::in_text(scheme, terms.ascii_only, head.emphasis))
            }
            What::Name { rules: RuleSet::Prose, before, .. } => {
                InText::Prose(Reading::name(before, terms.ascii_only))
            }
            What::Address { rules: RuleSet::Prose, .. } => {
                InText::Prose(Reading::domain(terms.ascii_only))
            }
            What::Name { rules: RuleSet::Uts58, before, .. } => {
                InText::Standard(Standard::name(before))
            }
            What::Address { rules: RuleSet::Uts58, .. } => InText::Standard(Standard::domain()),
        };
        let delimited = match (opener, head.what) {
            (Some(by), What::Scheme(scheme)) => Some(Reading::delimited(scheme, by)),
            _ => None,
        };
        Candidate {
            head,
            shift_before,
            in_text,
            settled: Settled::No,
            delimited,
            wrapped: false,
            non_ascii: head.non_ascii.then_some(head.start),
            malformed: None,
            limit: head.start.saturating_add(terms.max_len),
            no_partner: None,
        }
    }

    /// Reads the ASCII letters and digits at the start of `bytes`, as far as they surely belong to
    /// the link, and returns how many. Most of a link is these, and one by one they would cost ten
    /// times as much.
    ///
    /// `bytes` start at `at`, in a charset where ASCII bytes between characters are themselves.
    pub(crate) fn pass(&mut self, bytes: &[u8], at: u64) -> usize {
        if !bytes.first().is_some_and(u8::is_ascii_alphanumeric) {
            return 0;
        }
        let InText::Prose(in_text) = &mut self.in_text else { return 0 };
        let mut readings =
            [Some(in_text).filter(|_| self.settled == Settled::No), self.delimited.as_mut()];
        let room = readings.iter().flatten().map(|tail| tail.room()).min().unwrap_or(0);
        let most = u64::from(room).min(self.limit.saturating_sub(at));
        let head = &bytes[..bytes.len().min(usize::try_from(most).unwrap_or(usize::MAX))];
        let n = head.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
        if n > 0 {
            let here = End { at: at + n as u64, shift: Shift::Ascii };
            readings.iter_mut().flatten().for_each(|tail| tail.pass(&head[..n], here));
        }
        n
    }

    pub(crate) fn feed(&mut self, item: Item) -> Verdict {
        if !item.c.is_ascii() && self.non_ascii.is_none() {
            self.non_ascii = Some(item.at);
        }
        if let Some(tail) = &mut self.delimited {
            match tail.feed(item) {
                Step::Done(Some(end)) if end.at <= self.limit => {
                    self.wrapped = tail.wraps() > 0;
                    return self.found(end);
                }
                Step::Done(_) => self.delimited = None,
                Step::NoPartner => self.give_up(item.at),
                Step::More if item.next > self.limit.saturating_add(OVERHANG) => {
                    self.give_up(item.at)
                }
                Step::More => {}
            }
        }
        if self.settled == Settled::No {
            match self.in_text.feed(item) {
                Step::Done(end) => self.settled = Settled::of(end),
                Step::NoPartner => {}
                Step::More
                    if item.next > self.limit
                        && self.in_text.end().is_some_and(|end| end.at > self.limit) =>
                {
                    return Verdict::TooLong;
                }
                Step::More if item.next > self.limit.saturating_add(OVERHANG) => {
                    self.settled = Settled::of(self.in_text.end());
                }
                Step::More => {}
            }
        }
        self.verdict()
    }

    /// Malformed bytes start at `at`. They end the candidate.
    pub(crate) fn malformed(&mut self, at: u64) -> Verdict {
        self.malformed = Some(at);
        self.stop(at)
    }

    /// The text ends at `at`.
    pub(crate) fn stop(&mut self, at: u64) -> Verdict {
        if let Some(tail) = &mut self.delimited
            && let Step::Done(Some(end)) = tail.stop()
            && end.at <= self.limit
        {
            self.wrapped = tail.wraps() > 0;
            return self.found(end);
        }
        self.give_up(at);
        if self.settled == Settled::No
            && let Step::Done(end) = self.in_text.stop()
        {
            self.settled = Settled::of(end);
        }
        self.verdict()
    }

    fn give_up(&mut self, at: u64) {
        if self.delimited.take().is_some() {
            self.no_partner = Some(at);
        }
    }

    fn verdict(&self) -> Verdict {
        match (self.settled, &self.delimited) {
            // Without an address its domain is no host either (UTS #58). A link over the limit is
            // text.
            (Settled::Link(end), None) if self.head.is_dead() || end.at > self.limit => {
                Verdict::Spent(end.at)
            }
            (Settled::Link(end), None) => self.found(end),
            (Settled::NoLink, None) => Verdict::None,
            _ => Verdict::More,
        }
    }

    /// True if the candidate is complete, and text only because of its length.
    pub(crate) fn is_overlong(&self) -> bool {
        !self.head.is_dead() && matches!(self.settled, Settled::Link(end) if end.at > self.limit)
    }

    fn found(&self, end: End) -> Verdict {
        Verdict::Match(Found {
            start: self.head.start,
            end: end.at,
            kind: self.head.kind(),
            shift_before: self.shift_before,
            shift_after: end.shift,
            non_ascii: self.non_ascii.is_some_and(|at| at < end.at),
            wrapped: self.wrapped,
            malformed_adjacent: self.head.malformed_before || self.malformed == Some(end.at),
            identifier: false,
            context: Context::default(),
            after: None,
        })
    }
}
