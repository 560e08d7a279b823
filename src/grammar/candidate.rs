//! One candidate, from its anchor to the verdict.
//!
//! The same characters are read in two ways: as running text, and (if an opener comes directly
//! before the link) up to the partner of the opener. The second wins if the partner comes. What
//! must hold: the verdict depends on the characters alone, not on how many come with each call.

use super::{
    reading::{Reading, runs::Text},
    start::{Head, What},
    types::{End, Found, Held, Item, RuleSet, Step, Terms, Trait},
    uts58::Standard,
};
use crate::charset::cursor::Cursor;

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

impl Candidate {
    pub(crate) fn new(head: Head, terms: Terms) -> Candidate {
        let in_text = match head.what {
            What::Name { rules: RuleSet::Uts58, before, .. } => {
                InText::Standard(Standard::name(before))
            }
            What::Address { rules: RuleSet::Uts58, .. } => InText::Standard(Standard::domain()),
            _ => InText::Prose(Reading::in_text(&head, terms.ascii_only)),
        };
        Candidate {
            head,
            in_text,
            settled: Settled::No,
            delimited: Reading::delimited(&head, terms),
            wrapped: false,
            non_ascii: head.non_ascii.then_some(head.start),
            malformed: None,
            limit: head.start.saturating_add(terms.max_len),
            no_partner: None,
        }
    }

    /// The link may have `max_len` bytes. That may be known only when more of the text is there.
    pub(crate) fn limit(&mut self, max_len: u64) {
        self.limit = self.head.start.saturating_add(max_len);
    }

    /// Reads characters that come next and decide nothing, and returns their bytes. One by one they
    /// would cost ten times as much.
    #[inline]
    pub(crate) fn run(&mut self, cursor: &Cursor, text: &Text<'_>) -> usize {
        let Text { ascii, bytes, at, width, level } = *text;
        if width == 0 {
            return 0;
        }
        let in_text = match &mut self.in_text {
            InText::Standard(_) => return 0,
            InText::Prose(in_text) if self.settled == Settled::No => Some(in_text),
            _ => None,
        };
        let mut readings = [in_text, self.delimited.as_mut()];
        let most = self.limit.saturating_sub(at) / width as u64;
        let most = usize::try_from(most).unwrap_or(usize::MAX).min(ascii.len());
        let measured = readings.iter().flatten();
        let n = measured.fold(most, |n, tail| match n {
            0 => 0,
            _ => tail.measure(level, &ascii[..n]),
        });
        if n > 0 {
            let here = End { at: at + (n * width) as u64 };
            readings.iter_mut().flatten().for_each(|tail| tail.pass(&ascii[..n], here, width));
            return n * width;
        }
        if !matches!(ascii.first(), Some(0x80..)) {
            return 0;
        }
        // Those above the limit are read one by one: each would measure all that follow.
        let room = usize::try_from(self.limit.saturating_sub(at)).unwrap_or(usize::MAX);
        let bytes = &bytes[..bytes.len().min(room)];
        let mut letters = readings.iter().flatten().map(|tail| tail.measure_letters(cursor, bytes));
        let Some(first) = letters.next().flatten() else { return 0 };
        // Two readings seldom take a different number; the characters are then read one by one.
        let same = letters.all(|other| other == Some(first));
        let here = at + first.bytes as u64;
        if !same {
            return 0;
        }
        let end = End { at: here };
        readings.iter_mut().flatten().for_each(|tail| tail.pass_letters(&first, end));
        self.non_ascii = self.non_ascii.or(Some(at));
        first.bytes
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
        let malformed = self.head.malformed_before || self.malformed == Some(end.at);
        Verdict::Match(
            self.head
                .found(end, self.non_ascii)
                .with(Trait::Wrapped, self.wrapped)
                .with(Trait::MalformedAdjacent, malformed),
        )
    }
}
