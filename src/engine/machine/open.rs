//! Open and Skip: reads a candidate, at once if only the character after it decides, or with the grammar.

use alloc::boxed::Box;
use core::ops::Range;

use super::{
    near::narrow,
    state::{Fruitless, Machine, Outcome, State, Units},
};
use crate::{
    charset::{lookahead::Lookahead, unicode::Unit, window::Window},
    data::schemes::Form,
    engine::rules::AT_ONCE_MAX,
    grammar::{
        candidate::{Candidate, Verdict},
        name_start,
        reading::{
            Reading,
            runs::Text,
            whole::{AtOnce, Source},
        },
        start::{Head, LOOKBACK_MAX, What},
        types::{End, Found, Item, Opener, Terms},
    },
    simd::types::BLOCK,
};

/// The facts about a candidate that could not be read at once.
#[derive(Default)]
pub(super) struct Known {
    /// It is no link.
    no_link: bool,
    /// Where the search for the partner of its opener ended without finding it.
    no_partner: Option<u64>,
}

impl Known {
    /// The end of the link that `read` reads at once up to the partner of the opener, or in running text if there is
    /// none; and where its first character is that is not ASCII. `at`: the place of a unit.
    #[inline(always)]
    pub(super) fn read(
        &mut self,
        opener: Option<&Opener>,
        at: impl Fn(usize) -> u64,
        read: impl Fn(Option<&Opener>) -> AtOnce,
    ) -> Option<(End, Option<u64>)> {
        let mut what = read(opener);
        if let AtOnce::NoPartner(n) = what {
            self.no_partner = Some(at(n));
            what = read(None);
        }
        match what {
            AtOnce::Link { end, non_ascii } => Some((End { at: at(end) }, non_ascii.map(at))),
            AtOnce::NoLink => {
                self.no_link = true;
                None
            }
            _ => None,
        }
    }
}

/// How many searches for a closing delimiter may fail in a run without white space. After that,
/// openers do not count there: `“http://a。“http://a。…` must not be read again from each opener.
const FRUITLESS_MAX: u8 = 8;

impl Machine {
    /// How a candidate that starts at `start` is to be read.
    pub(super) fn terms(&self, start: u64) -> Terms {
        let max_len = self.max_len(start);
        Terms { max_len, ..self.terms_of_any_length(start) }
    }

    /// As [`Machine::terms`], for a candidate that cannot be too long.
    #[inline(always)]
    pub(super) fn terms_of_any_length(&self, start: u64) -> Terms {
        let spent = start < self.fruitless.until && self.fruitless.count >= FRUITLESS_MAX;
        Terms { ascii_only: self.rules.options.ascii_only, max_len: u64::MAX, partners: !spent }
    }

    /// Where the characters are read from of the candidate with this head and anchor.
    #[inline(always)]
    pub(super) fn first(&self, anchor: u64, head: &Head) -> u64 {
        head.from.unwrap_or(anchor + self.anchors.width() as u64)
    }

    /// Reads the candidate with this head and anchor.
    #[inline(always)]
    pub(super) fn read_head(
        &mut self,
        w: Window<'_>,
        anchor: u64,
        head: &Head,
        found: &mut Found,
    ) -> Outcome {
        self.scan = anchor + self.anchors.width() as u64;
        let first = self.first(anchor, head);
        let mut known = Known::default();
        if let Some(link) = self.read_at_once(w, (head, first), &mut known) {
            *found = link;
            return Outcome::Link;
        }
        self.read_on(w, anchor, (*head, first, known), found)
    }

    /// Reads the candidate whose characters are at `from` at once, if only the character after it decides.
    /// Most are like that. Otherwise `known` gets what is known of it.
    // A part of its caller, so that head and link stay in registers.
    #[inline(always)]
    fn read_at_once(
        &mut self,
        w: Window<'_>,
        (head, from): (&Head, u64),
        known: &mut Known,
    ) -> Option<Found> {
        let What::Scheme(scheme) = &head.what else { return None };
        let terms = self.terms_of_any_length(head.start);
        if !self.fast
            || matches!(scheme.form, Form::Either(_))
            || head.emphasis.is_some()
            || !self.roomy
        {
            return None;
        }
        let level = self.anchors.level();
        let mut narrowed;
        let bytes = w.from(from);
        // Where a unit is not a byte, only ASCII is read so.
        let (text, cursor, width) = match self.units() {
            Units::Bytes => {
                let cursor = Some(&self.cursor).filter(|_| !terms.ascii_only);
                (&bytes[..bytes.len().min(AT_ONCE_MAX)], cursor, 1)
            }
            Units::Utf16 { big } => {
                narrowed = [0; 2 * BLOCK];
                (narrow(bytes, big, &mut narrowed), None, 2)
            }
            Units::Others => return None,
        };
        let ends = w.last() && text.len() * width == bytes.len();
        let source = Source { level, cursor, text, ends };
        let opener = terms.opener(&head.opener);
        let at = |units: usize| from + (units * self.anchors.width()) as u64;
        let (end, non_ascii) = known.read(opener, at, |opener| match scheme.form {
            Form::Opaque(shape) => Reading::opaque_at_once(source, (shape, opener)),
            _ => Reading::at_once(source, (opener, head.listed)),
        })?;
        let found = head.found(end, non_ascii);
        self.has_read(known, head.start, end);
        Some(found)
    }

    /// Counts the search for a closing delimiter that failed before a link with this start and end was read.
    #[inline(always)]
    pub(super) fn has_read(&mut self, known: &Known, start: u64, end: End) {
        // A search that went no further than the link itself cost nothing.
        if let Some(until) = known.no_partner.filter(|until| *until != end.at) {
            self.searched(start, until);
        }
    }

    /// Reads a candidate that could not be read at once. Its characters are at `from`.
    #[inline(never)]
    pub(super) fn read_on(
        &mut self,
        w: Window<'_>,
        anchor: u64,
        (head, from, known): (Head, u64, Known),
        found: &mut Found,
    ) -> Outcome {
        let mut candidate = Candidate::new(head, from, self.terms(head.start), known.no_partner);
        let verdict = match known.no_link {
            true => Verdict::None,
            false => self.feed(w, &mut candidate),
        };
        if verdict != Verdict::More {
            return self.conclude(&candidate, anchor, verdict, found);
        }
        self.state = State::Open { candidate: Box::new(candidate), anchor, hold: None };
        self.wait(w);
        Outcome::NeedMore
    }

    /// Resumes the open candidate.
    pub(super) fn read(&mut self, w: Window<'_>, found: &mut Found) -> Outcome {
        let State::Open { mut candidate, anchor, hold } =
            core::mem::replace(&mut self.state, State::Seek)
        else {
            return Outcome::NoLink;
        };
        if self.transcoder().is_some() {
            candidate.limit(self.max_len(candidate.head.start));
        }
        let verdict = self.feed(w, &mut candidate);
        if verdict != Verdict::More {
            return self.conclude(&candidate, anchor, verdict, found);
        }
        self.state = State::Open { candidate, anchor, hold };
        self.wait(w);
        Outcome::NeedMore
    }

    /// Acts on the verdict on the candidate with this anchor.
    fn conclude(
        &mut self,
        candidate: &Candidate,
        anchor: u64,
        verdict: Verdict,
        found: &mut Found,
    ) -> Outcome {
        let head = &candidate.head;
        self.overlong += u64::from(candidate.is_overlong());
        // A search that went no further than the link itself cost nothing.
        if let Some(until) = candidate.no_partner
            && !matches!(verdict, Verdict::Match(found) if found.end == until)
        {
            self.searched(head.start, until);
        }
        match verdict {
            Verdict::Match(link) => {
                *found = link;
                return Outcome::Link;
            }
            Verdict::TooLong => {
                self.seek_from(candidate.pos);
                self.state = State::Skip { pos: candidate.pos };
            }
            Verdict::Spent(to) => self.seek_from(to),
            Verdict::None | Verdict::More => {
                self.state = State::Seek;
                if matches!(head.what, What::Ip) {
                    // Its anchor may be one of another link.
                    self.addressed = self.addressed.max(candidate.addressed());
                    self.scan = anchor;
                    return Outcome::NoLink;
                }
                if head.from.is_some() {
                    self.named = self.named.max(candidate.named());
                }
                self.scan = anchor + self.anchors.width() as u64;
            }
        }
        Outcome::NoLink
    }

    /// The text from `at` on, to be measured. Of UTF-16 it is the next 64 units, copied to `narrowed`.
    #[inline(always)]
    fn text<'n>(&self, w: Window<'n>, at: u64, narrowed: &'n mut [u8; BLOCK]) -> Text<'n> {
        let (bytes, level) = (w.from(at), self.anchors.level());
        let (ascii, width) = match self.units() {
            Units::Bytes if self.fast => (bytes, 1),
            Units::Utf16 { big } if self.fast => (narrow(bytes, big, narrowed), 2),
            _ => (bytes, 0),
        };
        Text { ascii, bytes, level, at, width }
    }

    /// Feeds `candidate` with the characters of the window until there is a verdict or the window ends
    /// (`More`).
    fn feed(&self, w: Window<'_>, candidate: &mut Candidate) -> Verdict {
        let mut narrowed = [0; BLOCK];
        loop {
            let at = candidate.pos;
            let text = self.text(w, at, &mut narrowed);
            let verdict = if candidate.run(&self.cursor, &text) {
                candidate.after_run()
            } else {
                match self.cursor.plain(Lookahead::new(text.bytes, w.last())) {
                    Some((unit, len)) => self.feed_unit(candidate, unit, at..at + len as u64),
                    None if w.last() => candidate.stop(at),
                    None => return Verdict::More,
                }
            };
            if verdict != Verdict::More {
                return verdict;
            }
        }
    }

    /// Feeds `candidate` with the unit at `place`.
    #[inline]
    fn feed_unit(&self, candidate: &mut Candidate, unit: Unit, place: Range<u64>) -> Verdict {
        let item = |c| Item { c, at: place.start, next: place.end };
        match unit {
            Unit::Char(c) => candidate.feed(item(c)),
            Unit::Pair(a, b) => match candidate.feed(item(a)) {
                // If it is not read again from its start.
                Verdict::More if candidate.pos == place.end => candidate.feed(item(b)),
                verdict => verdict,
            },
            Unit::Malformed | Unit::Escape => candidate.malformed(place.start),
        }
    }

    /// Holds back the open candidate for the next window, together with another one that may
    /// begin before a name.
    #[inline(never)]
    pub(super) fn wait(&mut self, w: Window<'_>) {
        let State::Open { candidate, anchor, hold, .. } = &self.state else { return };
        let (head, at, floor) = (candidate.head, *anchor, self.floor);
        let start = match (head.what, *hold) {
            (_, Some(start)) => start,
            (What::Name { rules, .. }, None) => {
                let earliest = self.with_lookback(w, at, LOOKBACK_MAX, |before| {
                    Some(name_start::name_may_begin(before, rules, at, floor))
                });
                earliest.map_or(head.start, |earliest| earliest.min(head.start))
            }
            (What::Ip, None) => self.may_begin(w, at).map_or(head.start, |it| it.min(head.start)),
            (What::Scheme(_) | What::Address { .. }, None) => head.start,
        };
        if let State::Open { hold, .. } = &mut self.state {
            *hold = Some(start);
        }
        self.settle(w, start.max(self.settled));
    }

    /// The place of the next white space or `< > "` at or after `from`, and `true`; without one,
    /// where the complete units of the window end, and `false`.
    #[inline(never)]
    pub(super) fn find_delimiter(&self, w: Window<'_>, from: u64) -> (u64, bool) {
        let mut at = from;
        loop {
            if self.bytewise() {
                // Most skipped bytes are graphic ASCII.
                let graphic = |b: &&u8| b.is_ascii_graphic() && !b"<>\"".contains(b);
                at += w.from(at).iter().take_while(graphic).count() as u64;
            }
            let Some((unit, len)) = self.cursor.plain(w.lookahead(at)) else {
                return (at, false);
            };
            if let Unit::Char(c) = unit
                && (c.is_whitespace() || matches!(c, '<' | '>' | '"'))
            {
                return (at, true);
            }
            at += len as u64;
        }
    }

    /// Counts a search for a closing delimiter that failed at `until`.
    pub(super) fn searched(&mut self, start: u64, until: u64) {
        let Fruitless { count, until: before } = self.fruitless;
        let count = match start >= before {
            // It went as far as a link may go: others would read as much again.
            _ if until - start > self.max_len(start) => FRUITLESS_MAX,
            true => 1,
            false => count.saturating_add(1),
        };
        self.fruitless = Fruitless { count, until: before.max(until) };
    }
}
