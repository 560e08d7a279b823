//! One candidate, from its `:` to the verdict.
//!
//! Two walks read the same characters: one as in running text, one (if an
//! opener stands directly before) for its partner. The delimited one wins if
//! it finds the partner. Invariant: fed the same units it gives the same
//! verdict, however the calls are spread over time.

use super::{
    head::Head,
    walk::{End, Item, Step, Walk},
};
use crate::charset::Shift;

/// How far punctuation may hang over the limit before it is taken for the end
/// of the link. Stops `http://a/b.....` from being held back without bound.
const OVERHANG: u64 = 256;

/// What is known of a candidate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// No link starts here.
    None,
    Match(Found),
    /// The next character decides.
    More,
    /// A link, but longer than the limit: text.
    TooLong,
}

/// A link that is settled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Found {
    pub(crate) start: u64,
    pub(crate) end: u64,
    /// ISO-2022-JP states in force before the first and behind the last
    /// character.
    pub(crate) shift_before: Shift,
    pub(crate) shift_after: Shift,
    pub(crate) non_ascii: bool,
    /// Malformed bytes stand directly before or behind it.
    pub(crate) malformed_adjacent: bool,
}

/// An open candidate.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    pub(crate) head: Head,
    shift_before: Shift,
    in_text: Walk,
    /// The verdict of the walk in running text.
    settled: Option<Option<End>>,
    delimited: Option<Walk>,
    /// Where the first character starts that is not ASCII.
    non_ascii: Option<u64>,
    /// Where malformed bytes stopped the walks.
    malformed: Option<u64>,
    limit: u64,
    /// Where the search for a partner was given up.
    pub(crate) no_partner: Option<u64>,
}

/// What a caller decides about a candidate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms {
    pub(crate) ascii_only: bool,
    pub(crate) max_len: u64,
    /// Search for the partner of an opener.
    pub(crate) partners: bool,
}

impl Link {
    pub(crate) fn new(head: Head, shift_before: Shift, terms: Terms) -> Link {
        let opener = head.opener.filter(|_| terms.partners && !terms.ascii_only);
        Link {
            head,
            shift_before,
            in_text: Walk::in_text(head.scheme, terms.ascii_only),
            settled: None,
            delimited: opener.map(|by| Walk::delimited(head.scheme, by)),
            non_ascii: None,
            malformed: None,
            limit: head.start.saturating_add(terms.max_len),
            no_partner: None,
        }
    }

    /// Takes the ASCII letters and digits that `bytes` start with, if they can
    /// only go on with the link, and returns how many. Most of a link is these;
    /// one by one they would cost ten times as much.
    ///
    /// `bytes` start at `at`, in a charset where ASCII bytes between characters
    /// are themselves.
    pub(crate) fn pass(&mut self, bytes: &[u8], at: u64) -> usize {
        let in_text = Some(&self.in_text).filter(|_| self.settled.is_none());
        let room = in_text.into_iter().chain(&self.delimited).map(Walk::room).min().unwrap_or(0);
        let most = u64::from(room).min(self.limit.saturating_sub(at));
        let head = &bytes[..bytes.len().min(usize::try_from(most).unwrap_or(usize::MAX))];
        let n = head.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
        if n > 0 {
            let here = End { at: at + n as u64, shift: Shift::Ascii };
            let in_text = Some(&mut self.in_text).filter(|_| self.settled.is_none());
            for walk in in_text.into_iter().chain(&mut self.delimited) {
                walk.pass(n as u32, here);
            }
        }
        n
    }

    pub(crate) fn feed(&mut self, item: Item) -> Verdict {
        if !item.c.is_ascii() && self.non_ascii.is_none() {
            self.non_ascii = Some(item.at);
        }
        if let Some(walk) = &mut self.delimited {
            match walk.feed(item) {
                Step::Done(Some(end)) if end.at <= self.limit => {
                    return self.found(end);
                }
                Step::Done(_) => self.delimited = None,
                Step::NoPartner => self.give_up(item.at),
                Step::More if item.next > self.limit + OVERHANG => self.give_up(item.at),
                Step::More => {}
            }
        }
        if self.settled.is_none() {
            match self.in_text.feed(item) {
                Step::Done(end) => self.settled = Some(end),
                Step::NoPartner => {}
                Step::More if self.in_text.end().is_some_and(|end| end.at > self.limit) => {
                    return Verdict::TooLong;
                }
                Step::More if item.next > self.limit + OVERHANG => {
                    self.settled = Some(self.in_text.end());
                }
                Step::More => {}
            }
        }
        self.verdict()
    }

    /// Malformed bytes start at `at`: they are in no link.
    pub(crate) fn malformed(&mut self, at: u64) -> Verdict {
        self.malformed = Some(at);
        self.stop(at)
    }

    /// The text ends at `at`.
    pub(crate) fn stop(&mut self, at: u64) -> Verdict {
        self.give_up(at);
        if self.settled.is_none()
            && let Step::Done(end) = self.in_text.stop()
        {
            self.settled = Some(end);
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
            (Some(Some(end)), None) if end.at > self.limit => Verdict::TooLong,
            (Some(Some(end)), None) => self.found(end),
            (Some(None), None) => Verdict::None,
            _ => Verdict::More,
        }
    }

    fn found(&self, end: End) -> Verdict {
        Verdict::Match(Found {
            start: self.head.start,
            end: end.at,
            shift_before: self.shift_before,
            shift_after: end.shift,
            non_ascii: self.non_ascii.is_some_and(|at| at < end.at),
            malformed_adjacent: self.head.malformed_before || self.malformed == Some(end.at),
        })
    }
}
