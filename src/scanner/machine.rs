//! Candidates in a window over the stream, settled in order of their start.
//!
//! ```text
//!            ':' with a head before it            verdict
//!   Seek ─────────────────────────────▶ Open ───────────────▶ Found ─▶ Seek
//!    ▲  ◀── no link: on behind the ':' ──┤
//!    └── white space or < > " ── Skip ◀──┘ too long
//! ```
//!
//! Knows positions; copies and emits nothing. Invariants: `keep ≤ settled`;
//! all before `settled` will never be part of another link; the next window
//! starts at or before `keep`, which is a character boundary.

use alloc::sync::Arc;

use crate::{
    charset::{Charset, Shape},
    cursor::{Cursor, JisState, Unit},
    finder::Rules,
    prefilter::{Prefilter, is_plausible_shifted},
    syntax::{
        head::{self, Before, Head, LOOKBACK},
        link::{Found, Link, Terms, Verdict},
        walk::Item,
    },
};

/// A part of the stream that is in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window<'w> {
    pub(crate) bytes: &'w [u8],
    /// Absolute offset of the first byte.
    pub(crate) base: u64,
    pub(crate) ahead: Ahead,
}

/// Whether more bytes follow the window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ahead {
    More,
    Nothing,
}

impl<'w> Window<'w> {
    fn last(&self) -> bool {
        self.ahead == Ahead::Nothing
    }

    pub(crate) fn end(&self) -> u64 {
        self.base + self.bytes.len() as u64
    }

    pub(crate) fn index(&self, at: u64) -> usize {
        debug_assert!(self.base <= at && at <= self.end(), "{at} should lie in the window");
        (at - self.base) as usize
    }

    fn from(&self, at: u64) -> &'w [u8] {
        &self.bytes[self.index(at)..]
    }

    /// The window up to `at`, with more to come.
    pub(crate) fn until(&self, at: u64) -> Window<'w> {
        Window { bytes: &self.bytes[..self.index(at)], base: self.base, ahead: Ahead::More }
    }
}

/// Searches for a partner that may fail in one run without white space before
/// openers stop counting there. Stops `“http://a。“http://a。…` from being read
/// again from each opener.
const FRUITLESS_MAX: u8 = 8;

/// The machine. One per stream.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    rules: Arc<Rules>,
    cursor: Cursor,
    prefilter: Prefilter,
    state: State,
    /// All before is text or was reported.
    pub(crate) settled: u64,
    /// The next window starts here or before.
    pub(crate) keep: u64,
    /// No link starts before.
    floor: u64,
    /// Seek: no candidate's `:` stands before.
    scan: u64,
    /// ISO-2022-JP: units before `scan`.
    track: Track,
    fruitless: u8,
    fruitless_until: u64,
}

// One machine a stream, its state moved once a candidate: the size is fine.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Debug)]
enum State {
    Seek,
    Open { link: Link, anchor: u64, pos: u64, jis: JisState },
    Skip { pos: u64 },
}

/// The last units of an ISO-2022-JP stream: where each starts, in which state.
#[derive(Clone, Debug)]
struct Track {
    ring: [(u64, JisState); LOOKBACK + 1],
    len: usize,
    next: usize,
    /// State behind the last unit, at `scan`.
    state: JisState,
}

impl Track {
    const START: Track = Track {
        ring: [(0, JisState { shift: crate::charset::Shift::Ascii, fresh: false }); LOOKBACK + 1],
        len: 0,
        next: 0,
        state: JisState { shift: crate::charset::Shift::Ascii, fresh: false },
    };

    fn push(&mut self, at: u64, state: JisState) {
        self.ring[self.next] = (at, state);
        self.next = (self.next + 1) % self.ring.len();
        self.len = (self.len + 1).min(self.ring.len());
    }

    fn oldest(&self) -> Option<(u64, JisState)> {
        let from = (self.next + self.ring.len() - self.len) % self.ring.len();
        (self.len > 0).then(|| self.ring[from])
    }
}

impl Machine {
    pub(crate) fn new(rules: Arc<Rules>, charset: Charset) -> Machine {
        let cursor = Cursor::new(charset);
        Machine {
            rules,
            prefilter: Prefilter::new(cursor.shape()),
            cursor,
            state: State::Seek,
            settled: 0,
            keep: 0,
            floor: 0,
            scan: 0,
            track: Track::START,
            fruitless: 0,
            fruitless_until: 0,
        }
    }

    /// Goes on in `charset` with what is not settled yet. All bytes before the
    /// first one that tells charsets apart were read as ASCII.
    pub(crate) fn change_charset(&mut self, charset: Charset) {
        self.cursor = Cursor::new(charset);
        self.prefilter = Prefilter::new(self.cursor.shape());
        if let Shape::Wide { width, .. } = self.cursor.shape() {
            // The first characters were taken for ASCII with NULs behind them.
            self.state = State::Seek;
            self.scan = self.settled.next_multiple_of(width as u64);
            self.floor = self.settled;
        }
        if self.cursor.shape() == Shape::Stateful {
            // Every byte before was a unit in the ASCII state.
            self.track = Track::START;
            for at in self.keep..self.scan {
                self.track.push(at, JisState::default());
            }
        }
    }

    /// The next link that this window settles; `None`: the next window starts
    /// at `keep` or before, and nothing before `settled` can change.
    pub(crate) fn next(&mut self, w: Window<'_>) -> Option<Found> {
        loop {
            match &mut self.state {
                State::Seek => match self.seek(w) {
                    Some((anchor, head)) => self.open(anchor, head),
                    None => {
                        self.rest(w);
                        return None;
                    }
                },
                State::Open { .. } => match self.read(w) {
                    Some(Verdict::Match(found)) => {
                        self.resume(w, found.end);
                        return Some(found);
                    }
                    Some(_) => {}
                    None => return None,
                },
                State::Skip { pos } => {
                    let from = *pos;
                    let (to, found) = self.find_delimiter(w, from);
                    self.scan = to;
                    if found {
                        self.floor = to;
                        self.state = State::Seek;
                        continue;
                    }
                    self.state = State::Skip { pos: to };
                    self.settle(w, to);
                    return None;
                }
            }
        }
    }

    // ---- Seek ----

    fn seek(&mut self, w: Window<'_>) -> Option<(u64, Head)> {
        if self.cursor.shape() == Shape::Stateful {
            return self.seek_units(w);
        }
        let mut from = w.index(self.scan);
        while let Some(at) = self.prefilter.next(w.bytes, w.base, from) {
            from = at + self.prefilter.width();
            let anchor = w.base + at as u64;
            let head = self
                .with_lookback(w, anchor, |before, schemes| head::before_colon(before, schemes));
            if let Some(head) = head.filter(|h| h.start >= self.floor) {
                self.scan = w.base + from as u64;
                return Some((anchor, head));
            }
        }
        None
    }

    /// [`Machine::seek`] for ISO-2022-JP: unit by unit, since only the units
    /// before it tell what a byte is.
    fn seek_units(&mut self, w: Window<'_>) -> Option<(u64, Head)> {
        while self.scan < w.end() {
            let at = self.scan;
            self.cursor.jis = self.track.state;
            let colon = self.track.state.shift.is_latin()
                && w.bytes[w.index(at)] == b':'
                && is_plausible_shifted(w.bytes, w.index(at));
            let len = self.cursor.skip(w.from(at), w.last())?;
            if colon {
                let head = self
                    .with_lookback(w, at, |before, schemes| head::before_colon(before, schemes));
                self.pass(at, len);
                if let Some(head) = head.filter(|h| h.start >= self.floor) {
                    return Some((at, head));
                }
            } else {
                self.pass(at, len);
            }
        }
        None
    }

    /// Moves `scan` behind the ISO-2022-JP unit at `at` that `cursor` stepped
    /// over.
    fn pass(&mut self, at: u64, len: usize) {
        self.track.push(at, self.track.state);
        self.track.state = self.cursor.jis;
        self.scan = at + len as u64;
    }

    /// Seeks on from `to`, where a unit starts and nothing before is wanted.
    fn resume(&mut self, w: Window<'_>, to: u64) {
        self.state = State::Seek;
        self.floor = to;
        self.settled = to;
        if self.cursor.shape() != Shape::Stateful {
            self.scan = to;
            return;
        }
        while self.scan < to {
            self.cursor.jis = self.track.state;
            let Some(len) = self.cursor.skip(w.from(self.scan), w.last()) else { return };
            self.pass(self.scan, len);
        }
    }

    /// The window holds no further candidate: hold back what may begin one.
    fn rest(&mut self, w: Window<'_>) {
        let end = self.complete(w);
        let begins = if w.last() {
            None
        } else {
            self.with_lookback(w, end, |before, schemes| head::may_begin(before, schemes))
        };
        if self.cursor.shape() != Shape::Stateful {
            self.scan = end;
        }
        let held = begins.unwrap_or(end).max(self.floor).max(self.settled);
        self.settle(w, held);
    }

    /// Where the last complete unit of the window ends; the window's end, if
    /// nothing follows.
    fn complete(&self, w: Window<'_>) -> u64 {
        if w.last() {
            return w.end();
        }
        match self.cursor.shape() {
            Shape::Single => w.end(),
            Shape::Stateful => self.scan,
            Shape::Wide { width, .. } => {
                let mut end = w.end() - w.end() % width as u64;
                // A lead surrogate waits for its partner.
                if width == 2 && end >= w.base + 2 {
                    let unit = self.cursor.plain(w.from(end - 2), false);
                    end -= if unit.is_none() { 2 } else { 0 };
                }
                end.max(self.settled)
            }
            Shape::Utf8 => {
                let from = w.end().saturating_sub(3).max(self.settled).max(w.base);
                let tail = w.from(from);
                // The last lead byte, if its sequence is cut.
                let cut = tail
                    .iter()
                    .rposition(|b| *b >= 0xC0)
                    .filter(|&i| self.cursor.plain(&tail[i..], false).is_none());
                cut.map_or(w.end(), |i| from + i as u64)
            }
            Shape::Multi => {
                let mut at = self.boundary(w, w.end());
                while let Some((_, len)) = self.cursor.plain(w.from(at), false) {
                    at += len as u64;
                }
                at
            }
        }
    }

    /// The last position at or before `at` that is surely a boundary of a
    /// multi-byte charset: a sync byte, or the start of the window.
    fn boundary(&self, w: Window<'_>, at: u64) -> u64 {
        let before = &w.bytes[..w.index(at)];
        before.iter().rposition(|b| is_sync(*b)).map_or(w.base, |i| w.base + i as u64)
    }

    /// The first border between units at or after `at`, seen from the border
    /// `from`. In ISO-2022-JP it is the end of the window, since the state at
    /// `from` is forgotten.
    pub(crate) fn boundary_after(&self, w: Window<'_>, from: u64, at: u64) -> u64 {
        let mut border = from;
        while border < at {
            match self.cursor.plain(w.from(border), true) {
                Some((_, len)) => border += len as u64,
                None => return w.end(),
            }
        }
        border
    }

    /// All before `held` is settled; keeps what may stand before a head there.
    fn settle(&mut self, w: Window<'_>, held: u64) {
        debug_assert!(held >= self.settled, "what is settled should stay settled");
        self.settled = held;
        let back = |bytes: usize| held.saturating_sub(bytes as u64).max(w.base);
        // Six characters before a head may be of four bytes, and one that the
        // window cuts must not count.
        let ascii = LOOKBACK - 6;
        self.keep = match self.cursor.shape() {
            Shape::Single => back(LOOKBACK),
            Shape::Utf8 => back(ascii + 8 * 4),
            Shape::Wide { width, .. } => {
                let at = back(ascii * width + 8 * 4);
                at - (at % width as u64).min(at - w.base)
            }
            Shape::Stateful => self.track.oldest().map_or(w.base, |(at, _)| at).min(held),
            Shape::Multi => {
                let target = back(ascii + 8 * 4);
                let mut at = self.boundary(w, target);
                while let Some((_, len)) = self.cursor.plain(w.from(at), w.last()) {
                    if at + len as u64 > target {
                        break;
                    }
                    at += len as u64;
                }
                at
            }
        };
    }

    /// Calls `look` with the characters before `at`, nearest first.
    fn with_lookback<T>(
        &self,
        w: Window<'_>,
        at: u64,
        look: impl FnOnce(&mut dyn Iterator<Item = Before>, &crate::Schemes) -> T,
    ) -> T {
        let schemes = &self.rules.schemes;
        let (from, jis) = match self.cursor.shape() {
            Shape::Utf8 | Shape::Single | Shape::Wide { .. } => {
                return look(&mut Backwards { cursor: &self.cursor, w, at }, schemes);
            }
            Shape::Multi => {
                let far = at.saturating_sub((LOOKBACK - 6 + 8 * 4) as u64).max(w.base);
                (self.boundary(w, far), JisState::default())
            }
            Shape::Stateful => self.track.oldest().unwrap_or((at, JisState::default())),
        };
        // Forwards from a boundary, remembering the last characters.
        let mut ring: [Option<Before>; LOOKBACK] = [const { None }; LOOKBACK];
        let (mut count, mut pos) = (0, from.min(at));
        let mut cursor = self.cursor.clone();
        cursor.jis = jis;
        while pos < at {
            let Some((unit, len)) = cursor.step(&w.from(pos)[..(at - pos) as usize], true) else {
                break;
            };
            let c = match unit {
                Unit::Char(c) | Unit::Pair(_, c) => Some(c),
                Unit::Malformed => None,
                Unit::Escape => {
                    pos += len as u64;
                    continue;
                }
            };
            ring[count % LOOKBACK] = Some(Before { c, start: pos });
            count += 1;
            pos += len as u64;
        }
        let len = count.min(LOOKBACK);
        look(&mut (0..len).map_while(|i| ring[(count - 1 - i) % LOOKBACK].take()), schemes)
    }

    // ---- Open ----

    fn open(&mut self, anchor: u64, head: Head) {
        let width = self.prefilter.width() as u64;
        let pos = anchor + width;
        let spent = head.start < self.fruitless_until && self.fruitless >= FRUITLESS_MAX;
        let terms = Terms {
            ascii_only: self.rules.ascii_only,
            max_len: self.rules.max_len,
            partners: !spent,
        };
        let jis = self.track.state;
        let shift = self.shift_at(head.start);
        self.state = State::Open { link: Link::new(head, shift, terms), anchor, pos, jis };
    }

    /// The ISO-2022-JP state in force at a unit just passed.
    fn shift_at(&self, at: u64) -> crate::charset::Shift {
        let ring = &self.track.ring[..];
        ring.iter().find(|(start, _)| *start == at).map_or_else(Default::default, |(_, s)| s.shift)
    }

    /// Reads on in the open candidate; `None`: the next bytes decide.
    fn read(&mut self, w: Window<'_>) -> Option<Verdict> {
        let State::Open { link, anchor, pos, jis } = &mut self.state else { return None };
        let cursor = &mut self.cursor;
        cursor.jis = *jis;
        let bytewise = matches!(cursor.shape(), Shape::Utf8 | Shape::Single | Shape::Multi);
        let mut verdict = Verdict::More;
        while verdict == Verdict::More {
            if bytewise {
                *pos += link.pass(w.from(*pos), *pos) as u64;
            }
            let at = *pos;
            let Some((unit, len)) = cursor.step(w.from(at), w.last()) else { break };
            *pos += len as u64;
            let item = |c| Item { c, at, next: at + len as u64, shift: cursor.jis.shift };
            verdict = match unit {
                Unit::Char(c) => link.feed(item(c)),
                Unit::Pair(a, b) => match link.feed(item(a)) {
                    Verdict::More => link.feed(item(b)),
                    settled => settled,
                },
                Unit::Malformed => link.malformed(at),
                Unit::Escape => Verdict::More,
            };
        }
        if verdict == Verdict::More && w.last() {
            verdict = link.stop(*pos);
        }
        *jis = core::mem::take(&mut cursor.jis);
        let (anchor, pos, start) = (*anchor, *pos, link.head.start);
        let no_partner = link.no_partner;
        if verdict == Verdict::More {
            self.settle(w, start);
            return None;
        }
        // A search that went no further than the link itself cost nothing.
        let fruitless =
            no_partner.filter(|at| !matches!(verdict, Verdict::Match(found) if found.end == *at));
        if let Some(until) = fruitless {
            let fresh = start >= self.fruitless_until;
            self.fruitless = if fresh { 1 } else { self.fruitless.saturating_add(1) };
            self.fruitless_until = self.fruitless_until.max(until);
        }
        match verdict {
            Verdict::TooLong => {
                self.resume(w, pos);
                self.state = State::Skip { pos };
            }
            Verdict::None => {
                self.state = State::Seek;
                if self.cursor.shape() != Shape::Stateful {
                    self.scan = anchor + self.prefilter.width() as u64;
                }
            }
            Verdict::Match(_) | Verdict::More => {}
        }
        Some(verdict)
    }

    // ---- Skip ----

    /// The next white space or `< > "` at or after `from`, and whether there is
    /// one; else where the window's complete units end.
    fn find_delimiter(&mut self, w: Window<'_>, from: u64) -> (u64, bool) {
        let mut at = from;
        let mut state = self.track.state;
        loop {
            self.cursor.jis = state;
            let Some((unit, len)) = self.cursor.step(w.from(at), w.last()) else {
                return (at, false);
            };
            if let Unit::Char(c) = unit
                && (c.is_whitespace() || matches!(c, '<' | '>' | '"'))
            {
                return (at, true);
            }
            if self.cursor.shape() == Shape::Stateful {
                self.pass(at, len);
            }
            state = self.cursor.jis;
            at += len as u64;
        }
    }
}

/// 00–2F and 3A–3F: never part of a longer sequence in an ASCII superset.
fn is_sync(byte: u8) -> bool {
    matches!(byte, 0..=0x2F | 0x3A..=0x3F)
}

/// Characters before a position, nearest first, where each can be found from
/// its end: UTF-8, one byte a character, UTF-16, UTF-32.
struct Backwards<'c, 'w> {
    cursor: &'c Cursor,
    w: Window<'w>,
    at: u64,
}

impl Iterator for Backwards<'_, '_> {
    type Item = Before;

    fn next(&mut self) -> Option<Before> {
        let end = self.w.index(self.at);
        let shortest = match self.cursor.shape() {
            Shape::Wide { width, .. } => width,
            _ => 1,
        };
        let longest = match self.cursor.shape() {
            Shape::Utf8 | Shape::Wide { .. } => 4,
            _ => 1,
        };
        end.checked_sub(shortest)?;
        // ASCII is most of what stands before a scheme.
        if shortest == 1 {
            let byte = self.w.bytes[end - 1];
            if byte < 0x80 {
                self.at -= 1;
                return Some(Before { c: Some(char::from(byte)), start: self.at });
            }
        }
        // The longest sequence that ends here; else one malformed unit.
        let whole = (1..=longest.min(end)).rev().filter(|len| len % shortest == 0).find_map(
            |len| match self.cursor.plain(&self.w.bytes[end - len..end], true)? {
                (Unit::Char(c), n) if n == len => Some((len, c)),
                _ => None,
            },
        );
        let (len, c) = whole.map_or((shortest, None), |(len, c)| (len, Some(c)));
        self.at -= len as u64;
        Some(Before { c, start: self.at })
    }
}
