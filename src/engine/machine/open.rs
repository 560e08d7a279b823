//! Open and Skip: reads a candidate with the grammar, character by character.

use alloc::boxed::Box;

use super::state::{Fruitless, Machine, State};
use crate::{
    charset::{cursor::JisState, unicode::Unit, window::Window},
    grammar::{
        candidate::{Candidate, Terms, Verdict},
        start::{self, Head, LOOKBACK_MAX, What},
        types::Item,
    },
};

/// How many searches for a closing delimiter may fail in a run without white space. After that,
/// openers do not count there: `“http://a。“http://a。…` must not be read again from each opener.
const FRUITLESS_MAX: u8 = 8;

impl Machine {
    /// How a candidate that starts at `start` is to be read.
    pub(super) fn terms(&self, start: u64) -> Terms {
        let spent = start < self.fruitless.until && self.fruitless.count >= FRUITLESS_MAX;
        Terms { ascii_only: self.rules.ascii_only, max_len: self.rules.max_len, partners: !spent }
    }

    #[inline(never)]
    pub(super) fn open(&mut self, anchor: u64, head: Head) {
        let pos = head.from.unwrap_or(anchor + self.anchors.width() as u64);
        let terms = self.terms(head.start);
        let jis = match head.from {
            Some(from) => self.state_at(from),
            None => self.history.state,
        };
        let shift = self.state_at(head.start).shift;
        let candidate = Box::new(Candidate::new(head, shift, terms));
        self.state = State::Open { candidate, anchor, pos, jis, hold: None };
    }

    /// The ISO-2022-JP state at the start of a unit in the history.
    pub(super) fn state_at(&self, at: u64) -> JisState {
        if !self.unitwise {
            return JisState::default();
        }
        self.history.at(at).unwrap_or_default()
    }

    /// Resumes the open candidate. Returns its verdict, or `None` if the next window decides.
    #[inline(never)]
    pub(super) fn read(&mut self, w: Window<'_>) -> Option<Verdict> {
        let verdict = self.feed(w)?;
        let State::Open { candidate, anchor, pos, .. } = &self.state else { return None };
        let (anchor, pos, start) = (*anchor, *pos, candidate.head.start);
        let no_partner = candidate.no_partner;
        let named = candidate.head.from.is_some();
        let overlong = match verdict {
            Verdict::TooLong => true,
            Verdict::Spent(_) => candidate.is_overlong(),
            _ => false,
        };
        self.overlong += u64::from(overlong);
        if verdict == Verdict::More {
            self.wait(w);
            return None;
        }
        // A search that went no further than the link itself cost nothing.
        let fruitless =
            no_partner.filter(|at| !matches!(verdict, Verdict::Match(found) if found.end == *at));
        if let Some(until) = fruitless {
            self.searched(start, until);
        }
        match verdict {
            Verdict::TooLong => {
                self.seek_from(w, pos);
                self.state = State::Skip { pos };
            }
            Verdict::None => {
                self.state = State::Seek;
                if named {
                    self.named = self.named.max(pos);
                }
                if !self.unitwise {
                    self.scan = anchor + self.anchors.width() as u64;
                }
            }
            Verdict::Match(_) | Verdict::Spent(_) | Verdict::More => {}
        }
        Some(verdict)
    }

    /// Feeds the open candidate with the characters of the window, until there is a verdict or the
    /// window ends.
    pub(super) fn feed(&mut self, w: Window<'_>) -> Option<Verdict> {
        let bytewise = self.bytewise();
        let State::Open { candidate, pos, jis, .. } = &mut self.state else { return None };
        let cursor = &mut self.cursor;
        cursor.jis = *jis;
        let mut verdict = Verdict::More;
        while verdict == Verdict::More {
            if bytewise {
                *pos += candidate.pass(w.from(*pos), *pos) as u64;
            }
            let at = *pos;
            let Some((unit, len)) = cursor.step(w.from(at), w.last()) else { break };
            *pos += len as u64;
            let item = |c| Item { c, at, next: at + len as u64, shift: cursor.jis.shift };
            verdict = match unit {
                Unit::Char(c) => candidate.feed(item(c)),
                Unit::Pair(a, b) => match candidate.feed(item(a)) {
                    Verdict::More => candidate.feed(item(b)),
                    settled => settled,
                },
                Unit::Malformed => candidate.malformed(at),
                Unit::Escape => Verdict::More,
            };
        }
        if verdict == Verdict::More && w.last() {
            verdict = candidate.stop(*pos);
        }
        *jis = core::mem::take(&mut cursor.jis);
        Some(verdict)
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
    pub(super) fn find_delimiter(&mut self, w: Window<'_>, from: u64) -> (u64, bool) {
        let mut at = from;
        let mut state = self.history.state;
        loop {
            if self.bytewise() && !self.unitwise {
                // Most skipped bytes are graphic ASCII.
                let graphic = |b: &&u8| b.is_ascii_graphic() && !b"<>\"".contains(b);
                at += w.from(at).iter().take_while(graphic).count() as u64;
            }
            self.cursor.jis = state;
            let Some((unit, len)) = self.cursor.step(w.from(at), w.last()) else {
                return (at, false);
            };
            if let Unit::Char(c) = unit
                && (c.is_whitespace() || matches!(c, '<' | '>' | '"'))
            {
                return (at, true);
            }
            if self.unitwise {
                self.pass(at, len);
            }
            state = self.cursor.jis;
            at += len as u64;
        }
    }

    /// Counts a search for a closing delimiter that failed at `until`.
    pub(super) fn searched(&mut self, start: u64, until: u64) {
        let Fruitless { count, until: before } = self.fruitless;
        let count = if start >= before { 1 } else { count.saturating_add(1) };
        self.fruitless = Fruitless { count, until: before.max(until) };
    }
}
