//! Open and Skip: reads a candidate with the grammar, character by character.

use alloc::boxed::Box;

use super::{
    near::narrow,
    state::{ALONE_MAX, Fruitless, Machine, Outcome, State, Units},
};
use crate::{
    charset::{unicode::Unit, window::Window},
    data::schemes::Form,
    grammar::{
        candidate::{Candidate, Verdict},
        reading::{
            Reading,
            runs::Text,
            whole::{AtOnce, Source},
        },
        start::{self, Head, LOOKBACK_MAX, What},
        types::{End, Found, Item, Step, Terms, Trait},
    },
    simd::types::BLOCK,
};

/// What reading a candidate led to so far.
pub(super) struct Alone {
    /// Where the last character ends that was read.
    pos: u64,
    verdict: Verdict,
    /// Where the search for the partner of its opener ended without finding it.
    no_partner: Option<u64>,
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
    fn terms_of_any_length(&self, start: u64) -> Terms {
        let spent = start < self.fruitless.until && self.fruitless.count >= FRUITLESS_MAX;
        Terms { ascii_only: self.rules.ascii_only, max_len: u64::MAX, partners: !spent }
    }

    /// The candidate with this head and anchor, before anything of it was read.
    #[inline(always)]
    pub(super) fn unread(&self, anchor: u64, head: &Head) -> Alone {
        let pos = head.from.unwrap_or(anchor + self.anchors.width() as u64);
        Alone { pos, verdict: Verdict::More, no_partner: None }
    }

    /// Reads a candidate at once if only the character after it decides. Most are like that. Otherwise
    /// `alone` has what is known of it.
    // A part of its caller, so that head and link stay in registers.
    #[inline(always)]
    pub(super) fn read_at_once(
        &mut self,
        w: Window<'_>,
        head: &Head,
        alone: &mut Alone,
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
        let (from, level) = (alone.pos, self.anchors.level());
        let mut narrowed;
        let bytes = w.from(from);
        // Where a unit is not a byte, only ASCII is read so.
        let (text, cursor, width) = match self.units {
            Units::Bytes => {
                let cursor = Some(&self.cursor).filter(|_| !terms.ascii_only);
                (&bytes[..bytes.len().min(ALONE_MAX)], cursor, 1)
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
        let mut read = match scheme.form {
            Form::Opaque(shape) => Reading::opaque_at_once(source, (shape, opener)),
            _ => Reading::at_once(source, (scheme, opener)),
        };
        if let AtOnce::NoPartner(n) = read {
            alone.no_partner = Some(at(n));
            read = match scheme.form {
                Form::Opaque(shape) => Reading::opaque_at_once(source, (shape, None)),
                _ => Reading::at_once(source, (scheme, None)),
            };
        }
        if let AtOnce::NoLink = read {
            alone.verdict = Verdict::None;
        }
        let AtOnce::Link { end, non_ascii } = read else { return None };
        let end = End { at: at(end) };
        let found = head.found(end, non_ascii.map(at));
        // A search that went no further than the link itself cost nothing.
        if let Some(until) = alone.no_partner.filter(|until| *until != end.at) {
            self.searched(head.start, until);
        }
        Some(found)
    }

    /// Reads a candidate that could not be read at once.
    #[inline(never)]
    pub(super) fn read_on(
        &mut self,
        w: Window<'_>,
        anchor: u64,
        (head, mut alone): (Head, Alone),
        found: &mut Found,
    ) -> Outcome {
        let (from, terms) = (alone.pos, self.terms(head.start));
        let simple = self.fast && !matches!(self.units, Units::Others);
        if simple && alone.verdict == Verdict::More {
            self.read_alone(w, &head, terms, &mut alone);
        }
        match alone.verdict {
            Verdict::More => self.open(w, anchor, from, (head, terms), found),
            _ => self.conclude(&head, anchor, alone, found),
        }
    }

    /// Reads a candidate in one way after the other: mostly the first one finds the end soon. The
    /// verdict is `More` if that is not so.
    #[inline]
    fn read_alone(&mut self, w: Window<'_>, head: &Head, terms: Terms, alone: &mut Alone) {
        let from = alone.pos;
        let most = terms.max_len.min(ALONE_MAX as u64);
        let near = w.end().min(from + most.saturating_sub(from - head.start));
        let near = if near < w.end() { w.until(near.max(from)) } else { w };
        if alone.no_partner.is_none()
            && let Some(mut reading) = Reading::delimited(head, terms)
        {
            match self.read_one(near, &mut reading, alone) {
                None => return,
                Some((Step::Done(Some(end)), non_ascii, _)) => {
                    let wrapped = reading.wraps() > 0;
                    alone.verdict =
                        Verdict::Match(head.found(end, non_ascii).with(Trait::Wrapped, wrapped));
                    return;
                }
                Some((Step::NoPartner, _, at)) => alone.no_partner = Some(at),
                Some(_) => {}
            }
            alone.pos = from;
        }
        let mut reading = Reading::in_text(head, terms.ascii_only);
        alone.verdict = match self.read_one(near, &mut reading, alone) {
            Some((Step::Done(Some(end)), non_ascii, _)) => {
                Verdict::Match(head.found(end, non_ascii))
            }
            Some(_) => Verdict::None,
            None => Verdict::More,
        };
    }

    /// Feeds `reading` with the characters of the window from where `alone` is, until it is over.
    /// Returns its last step, where the first character is that is not ASCII, and where the last one
    /// begins. `None` if the window ends, or some bytes are malformed.
    #[inline]
    fn read_one(
        &mut self,
        w: Window<'_>,
        reading: &mut Reading,
        alone: &mut Alone,
    ) -> Option<(Step, Option<u64>, u64)> {
        let (mut at, mut non_ascii) = (alone.pos, None);
        loop {
            let mut narrowed = [0; BLOCK];
            let text = self.text(w, at, &mut narrowed);
            let others = matches!(text.ascii.first(), Some(0x80..));
            let n = reading.run(&self.cursor, &text);
            let step = match n {
                0 => match self.cursor.plain(text.bytes, w.last()) {
                    Some((Unit::Char(c), len)) => {
                        alone.pos = at + len as u64;
                        reading.feed(Item { c, at, next: alone.pos })
                    }
                    None if w.last() => reading.stop(),
                    _ => return None,
                },
                n => {
                    alone.pos = at + n as u64;
                    Step::More
                }
            };
            if step != Step::More {
                return Some((step, non_ascii, at));
            }
            if others {
                non_ascii = non_ascii.or(Some(at));
            }
            at = alone.pos;
        }
    }

    /// Opens a candidate, and reads it in both ways at once.
    #[inline(never)]
    fn open(
        &mut self,
        w: Window<'_>,
        anchor: u64,
        from: u64,
        (head, terms): (Head, Terms),
        found: &mut Found,
    ) -> Outcome {
        let candidate = Box::new(Candidate::new(head, terms));
        self.state = State::Open { candidate, anchor, pos: from, hold: None };
        self.read(w, found)
    }

    /// Resumes the open candidate.
    pub(super) fn read(&mut self, w: Window<'_>, found: &mut Found) -> Outcome {
        let State::Open { mut candidate, anchor, mut pos, hold } =
            core::mem::replace(&mut self.state, State::Seek)
        else {
            return Outcome::NoLink;
        };
        if self.transcoder.is_some() {
            candidate.limit(self.max_len(candidate.head.start));
        }
        let verdict = self.feed(w, &mut candidate, &mut pos);
        if verdict != Verdict::More {
            self.overlong += u64::from(match verdict {
                Verdict::TooLong => true,
                Verdict::Spent(_) => candidate.is_overlong(),
                _ => false,
            });
            let no_partner = candidate.no_partner;
            let done = Alone { pos, verdict, no_partner };
            return self.conclude(&candidate.head, anchor, done, found);
        }
        self.state = State::Open { candidate, anchor, pos, hold };
        self.wait(w);
        Outcome::NeedMore
    }

    /// Acts on the verdict on the candidate with this head and anchor.
    #[inline]
    fn conclude(&mut self, head: &Head, anchor: u64, done: Alone, found: &mut Found) -> Outcome {
        let Alone { pos, verdict, no_partner } = done;
        // A search that went no further than the link itself cost nothing.
        if let Some(until) = no_partner
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
                self.seek_from(pos);
                self.state = State::Skip { pos };
            }
            Verdict::Spent(to) => self.seek_from(to),
            Verdict::None | Verdict::More => {
                self.state = State::Seek;
                if head.from.is_some() {
                    self.named = self.named.max(pos);
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
        let (ascii, width) = match self.units {
            Units::Bytes if self.fast => (bytes, 1),
            Units::Utf16 { big } if self.fast => (narrow(bytes, big, narrowed), 2),
            _ => (bytes, 0),
        };
        Text { ascii, bytes, level, at, width }
    }

    /// Feeds `candidate` with the characters of the window from `pos` on, until there is a verdict
    /// or the window ends (`More`).
    fn feed(&self, w: Window<'_>, candidate: &mut Candidate, pos: &mut u64) -> Verdict {
        let mut verdict = Verdict::More;
        while verdict == Verdict::More {
            let at = *pos;
            let mut narrowed = [0; BLOCK];
            let text = self.text(w, at, &mut narrowed);
            let n = candidate.run(&self.cursor, &text);
            if n > 0 {
                *pos += n as u64;
                continue;
            }
            let Some((unit, len)) = self.cursor.plain(text.bytes, w.last()) else { break };
            *pos += len as u64;
            let item = |c| Item { c, at, next: at + len as u64 };
            verdict = match unit {
                Unit::Char(c) => candidate.feed(item(c)),
                Unit::Pair(a, b) => match candidate.feed(item(a)) {
                    Verdict::More => candidate.feed(item(b)),
                    settled => settled,
                },
                Unit::Malformed | Unit::Escape => candidate.malformed(at),
            };
        }
        if verdict == Verdict::More && w.last() {
            verdict = candidate.stop(*pos);
        }
        verdict
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
                    Some(start::name_may_begin(before, rules, at, floor))
                });
                earliest.map_or(head.start, |earliest| earliest.min(head.start))
            }
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
            let Some((unit, len)) = self.cursor.plain(w.from(at), w.last()) else {
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
