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

use super::{
    candidates::{Candidates, LABEL_MAX, is_plausible_shifted},
    fast,
    rules::{Anchors, Rules, anchors},
};
use crate::{
    charset::{
        Charset, Shape, Shift,
        cursor::{Cursor, ESC, JisState, Unit, alike},
        jis_history::{self, JisHistory},
        window::Window,
    },
    grammar::{
        candidate::{Link, Terms, Verdict},
        start::{self, Head, LOOKBACK, LOOKBACK_MAX, What},
        types::{Anchor, Before, Found, Item, Kind, Opener, Ruleset},
    },
};

/// Searches for a partner that may fail in one run without white space before
/// openers stop counting there. Stops `“http://a。“http://a。…` from being read
/// again from each opener.
const FRUITLESS_MAX: u8 = 8;

/// The machine. One per stream.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    rules: Arc<Rules>,
    /// How many characters before an anchor can matter.
    lookback: usize,
    units: Units,
    /// These schemes are looked for.
    http: bool,
    https: bool,
    mailto: bool,
    /// Candidates are sought from unit to unit, and `history` remembers the last ones.
    unitwise: bool,
    cursor: Cursor,
    candidates: Candidates,
    state: State,
    /// All before is text or was reported.
    pub(crate) settled: u64,
    /// The next window starts here or before.
    pub(crate) keep: u64,
    /// Links that were too long.
    pub(crate) overlong: u64,
    /// No link starts before.
    floor: u64,
    /// Seek: no candidate's `:` stands before.
    scan: u64,
    /// The name round a `.` before this place has been read.
    named: u64,
    /// What tells of the anchor at `scan` is still to come.
    waits: Waits,
    /// The `:` whose link was waited for. Bytes that come one by one are left to the walks.
    waited: Option<u64>,
    /// No name that is short enough starts before this anchor: it lies in a run
    /// that is too long.
    endless: Option<u64>,
    /// Unit by unit: units before `scan`.
    history: JisHistory,
    fruitless: u8,
    fruitless_until: u64,
}

// What the look-behind asks for, the history has.
const _: () = assert!(LOOKBACK_MAX <= jis_history::UNITS_MAX);

/// What is read behind a link, at most, before it is known to end there: the beginning of
/// another one.
const JOINT: &str = ",https://";

/// How much of a link that the window cuts may have come, in bytes, if it waits for the
/// next one.
const CUT_MAX: usize = 512;

/// How many units of UTF-16 are looked at round an anchor, and how many of them
/// before it.
const NARROW: usize = 384;
const NARROW_BEFORE: usize = 80;

/// What is around an anchor, a byte a unit: the window, or, of UTF-16, a piece of it
/// in which all that is not ASCII is 80.
///
/// `WIDTH`: bytes a unit. It is known when this is compiled, since most are read byte by
/// byte, and a place is then an offset.
struct Near<'n, const WIDTH: u64> {
    bytes: &'n [u8],
    /// The anchor.
    at: usize,
    /// Absolute offset of the first unit, in bytes.
    base: u64,
    /// Nothing follows.
    last: bool,
    /// Of the charset, whose ASCII bytes these are.
    shape: Shape,
}

impl<const WIDTH: u64> Near<'_, WIDTH> {
    fn absolute(&self, at: usize) -> u64 {
        self.base + at as u64 * WIDTH
    }

    /// The unit at `at`, or the first one.
    fn index(&self, at: u64) -> usize {
        (at.saturating_sub(self.base) / WIDTH) as usize
    }
}

/// How the bytes of a charset are looked at, told once.
#[derive(Clone, Copy, Debug)]
enum Units {
    /// ASCII bytes between characters are themselves.
    Bytes,
    Utf16 {
        big: bool,
    },
    Others,
}

impl Units {
    fn of(shape: Shape) -> Units {
        match shape {
            Shape::Utf8 | Shape::Single | Shape::Multi => Units::Bytes,
            Shape::Wide { width: 2, big } => Units::Utf16 { big },
            Shape::Wide { .. } | Shape::Stateful => Units::Others,
        }
    }
}

/// Which of the characters before a place were there to be looked at.
enum Seen {
    Enough,
    /// More of them were asked for.
    TooLittle,
    /// None: it lies within a character.
    None,
}

/// What waits for the next window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Waits {
    No,
    /// A `.`, for the byte behind it.
    Dot,
    /// A link that starts here, for its end.
    Link(u64),
}

// One machine a stream, its state moved once a candidate: the size is fine.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Debug)]
enum State {
    Seek,
    // `hold`: where another candidate may start, once a window has ended.
    Open { link: Link, anchor: u64, pos: u64, jis: JisState, hold: Option<u64> },
    Skip { pos: u64 },
}

impl Machine {
    pub(crate) fn new(rules: Arc<Rules>, charset: Charset) -> Machine {
        let cursor = Cursor::new(charset);
        let names = rules.set == Ruleset::Standard || rules.kinds.bare || rules.kinds.email;
        Machine {
            lookback: if names { LOOKBACK_MAX } else { LOOKBACK },
            http: rules.schemes.has_common("http"),
            https: rules.schemes.has_common("https"),
            mailto: rules.schemes.has_common("mailto"),
            unitwise: unitwise(&rules, cursor.shape()),
            units: Units::of(cursor.shape()),
            candidates: Candidates::new(cursor.shape(), anchors(&rules)),
            rules,
            cursor,
            state: State::Seek,
            settled: 0,
            keep: 0,
            overlong: 0,
            floor: 0,
            scan: 0,
            named: 0,
            waits: Waits::No,
            waited: None,
            endless: None,
            history: JisHistory::START,
            fruitless: 0,
            fruitless_until: 0,
        }
    }

    /// Starts at `offset`, where nothing before is wanted.
    pub(crate) fn skip_to(&mut self, offset: u64) {
        (self.settled, self.keep, self.floor, self.scan) = (offset, offset, offset, offset);
    }

    /// Starts over with another text of the same charset, as if it were new.
    pub(crate) fn restart(&mut self) {
        self.state = State::Seek;
        self.skip_to(0);
        (self.named, self.endless) = (0, None);
        (self.waits, self.waited) = (Waits::No, None);
        (self.fruitless, self.fruitless_until) = (0, 0);
        self.overlong = 0;
        if self.unitwise {
            self.history = JisHistory::START;
        }
    }

    /// Goes on in `charset` with what is not settled yet. All bytes before the
    /// first one that tells charsets apart were read as ASCII.
    pub(crate) fn change_charset(&mut self, charset: Charset) {
        self.cursor = Cursor::new(charset);
        let shape = self.cursor.shape();
        self.candidates = Candidates::new(shape, anchors(&self.rules));
        self.unitwise = unitwise(&self.rules, shape);
        self.units = Units::of(shape);
        if let Shape::Wide { width, .. } = self.cursor.shape() {
            // The first characters were taken for ASCII with NULs behind them, and so was
            // a link in them that was too long.
            self.overlong = 0;
            self.state = State::Seek;
            self.scan = self.settled.next_multiple_of(width as u64);
            self.floor = self.settled;
        }
        if self.unitwise {
            // Every byte before was a unit in the ASCII state.
            self.history = JisHistory::START;
            self.history.pass_text(self.keep, 1, (self.scan - self.keep) as usize);
        }
    }

    /// The next link that this window settles; `None`: the next window starts
    /// at `keep` or before, and nothing before `settled` can change.
    pub(crate) fn next(&mut self, w: Window<'_>) -> Option<Found> {
        loop {
            let found = match self.state {
                State::Seek => {
                    let found = self.seek(w);
                    if found.is_none() && matches!(self.state, State::Seek) {
                        self.rest(w);
                        return None;
                    }
                    found
                }
                _ => self.go_on(w)?,
            };
            if let Some(found) = found.and_then(|found| self.take(w, found)) {
                return Some(found);
            }
        }
    }

    /// Reads on what is open or skipped; the link that is settled by that, if it is one.
    /// `None`: that takes another window.
    // Apart, since most links are found without it.
    #[inline(never)]
    fn go_on(&mut self, w: Window<'_>) -> Option<Option<Found>> {
        let State::Skip { pos } = self.state else {
            match self.read(w)? {
                Verdict::Match(found) => return Some(Some(found)),
                Verdict::Spent(to) => self.resume(w, to),
                _ => {}
            }
            return Some(None);
        };
        let (to, found) = self.find_delimiter(w, pos);
        self.scan = to;
        if found {
            self.floor = to;
            self.state = State::Seek;
            return Some(None);
        }
        self.state = State::Skip { pos: to };
        self.settle(w, to);
        None
    }

    /// Goes on behind `found`; gives it if it was looked for.
    fn take(&mut self, w: Window<'_>, found: Found) -> Option<Found> {
        self.resume(w, found.end);
        self.rules.kinds.has(found.kind).then_some(found)
    }

    /// Whether ASCII bytes between characters are themselves, without state.
    fn bytewise(&self) -> bool {
        matches!(self.units, Units::Bytes)
    }

    // ---- Seek ----

    /// The next link that is plain, if no other candidate comes before: that is opened.
    fn seek(&mut self, w: Window<'_>) -> Option<Found> {
        if self.unitwise {
            return self.seek_units(w);
        }
        match self.units {
            Units::Utf16 { .. } => self.seek_narrowed(w),
            _ => self.seek_anchors::<1>(w, &mut []),
        }
    }

    // Apart, as its room on the stack is large.
    #[inline(never)]
    fn seek_narrowed(&mut self, w: Window<'_>) -> Option<Found> {
        self.seek_anchors::<2>(w, &mut [0; NARROW])
    }

    /// [`Machine::seek`], from anchor to anchor. `narrow`: room for [`Machine::near`].
    #[inline]
    fn seek_anchors<const WIDTH: u64>(
        &mut self,
        w: Window<'_>,
        narrow: &mut [u8],
    ) -> Option<Found> {
        let prose = self.rules.set == Ruleset::Prose;
        let mut from = w.index(self.scan);
        while let Some((at, anchor)) = self.candidates.next(w.bytes, w.base, from) {
            from = at + self.candidates.width();
            let at = w.base + at as u64;
            let near = if prose { self.near::<WIDTH>(w, at, narrow) } else { None };
            match (&near, anchor) {
                (_, Anchor::Dot) if at < self.named => continue,
                (_, Anchor::At) if prose && self.is_trail(w, at) => continue,
                (None, _) => {}
                (Some(near), Anchor::Dot) => match self.plain_name(near) {
                    Some(Ok(found)) => return Some(found),
                    Some(Err(named)) => {
                        self.named = named;
                        continue;
                    }
                    None => {}
                },
                (Some(near), Anchor::At) => match self.plain_address(w, near) {
                    Some(Some(found)) => return Some(found),
                    Some(None) => continue,
                    None => {}
                },
                (Some(near), Anchor::Colon) => {
                    if near.bytes.get(near.at + 3) == Some(&b'[')
                        && fast::is_unended(near.bytes, near.at, near.shape)
                    {
                        continue;
                    }
                    if let Some(found) = self.plain_web(near).or_else(|| self.plain_mailto(near)) {
                        return Some(found);
                    }
                    if self.is_cut(w, near) {
                        return None;
                    }
                }
            }
            if anchor == Anchor::Dot {
                match self.divides_labels(w, at) {
                    Some(true) => {}
                    Some(false) => continue,
                    None => {
                        (self.scan, self.waits) = (at, Waits::Dot);
                        return None;
                    }
                }
            }
            if let Some(head) = self.head(w, at, anchor) {
                self.scan = w.base + from as u64;
                if let Some(near) = &near
                    && fast::is_plain(&head)
                    && let Some(found) = self.plain_link(near, (head.start, head.opener))
                {
                    let malformed_adjacent = head.malformed_before;
                    return Some(Found { malformed_adjacent, ..found });
                }
                self.open(at, head);
                return None;
            }
        }
        None
    }

    /// Whether labels stand on both sides of the dot at `at`; `None`: the next
    /// bytes tell. By UTS #58 a name may have dots in a row, and then is none.
    fn divides_labels(&self, w: Window<'_>, at: u64) -> Option<bool> {
        if self.rules.set == Ruleset::Standard {
            return Some(true);
        }
        let width = self.candidates.width();
        let behind = w.from(at + width as u64);
        if behind.len() < width {
            return w.last().then_some(false);
        }
        // An escape stands between characters: what follows it is seen later.
        let escape = |b: u8| self.unitwise && b == ESC;
        let label = |b: u8| b.is_ascii_alphanumeric() || b >= 0x80 || escape(b);
        let before = |c: char| c.is_ascii_alphanumeric() || !c.is_ascii();
        let divides = self.candidates.ascii(behind, 0).is_none_or(label)
            && self
                .with_lookback(w, at, LOOKBACK, |chars| {
                    chars.next().map(|b| b.c.is_none_or(before))
                })
                .unwrap_or(false);
        if divides && !w.last() && self.is_label_cut(behind) {
            return None;
        }
        Some(divides)
    }

    /// Whether the label that `behind` begins with may go on in the next window, or the byte
    /// that tells of a dot after it is there: the candidates asks both of them.
    fn is_label_cut(&self, behind: &[u8]) -> bool {
        let unit = |i: usize| self.candidates.ascii(behind, i * self.candidates.width());
        let len =
            (0..=LABEL_MAX).take_while(|i| unit(*i).is_some_and(|b| b.is_ascii_alphanumeric()));
        let end = len.count();
        let units = behind.len() / self.candidates.width();
        end <= LABEL_MAX && (end >= units || unit(end) == Some(b'.') && end + 1 >= units)
    }

    /// What begins round the anchor at `at`.
    fn head(&mut self, w: Window<'_>, at: u64, anchor: Anchor) -> Option<Head> {
        let (set, floor) = (self.rules.set, self.floor);
        let head = match anchor {
            Anchor::Colon => {
                let schemes = &self.rules.schemes;
                if let Some(head) = self.http(w, at) {
                    return head.filter(|h| h.start >= floor);
                }
                self.with_lookback(w, at, LOOKBACK, |before| start::before_colon(before, schemes))
            }
            Anchor::Dot if at < self.named => None,
            Anchor::Dot => {
                let endless = self.endless;
                let head = self.with_lookback(w, at, LOOKBACK_MAX, |before| {
                    start::before_dot(before, set, at, floor, endless)
                });
                self.endless = head.is_none().then_some(at);
                head
            }
            Anchor::At => self.with_lookback(w, at, LOOKBACK_MAX, |before| {
                start::before_at(before, set, at, floor)
            }),
        };
        head.filter(|h| h.start >= floor)
    }

    /// What begins before the colon at `at`, if `http` or `https` stands there by
    /// itself, as before most of them. `None`: all that stands there tells.
    fn http(&self, w: Window<'_>, at: u64) -> Option<Option<Head>> {
        let (rest, name) = fast::web(&w.bytes[..w.index(at)])?;
        if !self.bytewise() {
            return None;
        }
        let start = w.base + rest.len() as u64;
        let mut before = Backwards::new(&self.cursor, w, start);
        let mut stop = Some(before.next()?);
        if stop.as_ref().is_some_and(|b| b.c == Some('+')) {
            // Of robots: `(compatible; +http://…)`. No scheme begins with it.
            stop = None;
            (!before.next()?.c.is_some_and(start::is_scheme)).then_some(())?;
        } else if stop.as_ref().and_then(|b| b.c).is_some_and(start::is_scheme) {
            return None;
        }
        let head = start::http(name, start, stop, &mut before, &self.rules.schemes);
        (!before.lost).then_some(head)
    }

    /// [`Machine::seek`] from run to run, where only the units before it tell what a
    /// byte is.
    #[inline(never)]
    fn seek_units(&mut self, w: Window<'_>) -> Option<Found> {
        let anchors = anchors(&self.rules);
        loop {
            self.pass_text(w, anchors);
            let at = self.scan;
            if at == w.end() {
                return None;
            }
            self.cursor.jis = self.history.state;
            let latin = self.history.state.shift.is_latin();
            let first = w.bytes[w.index(at)];
            let (unit, len) = if first < 0x80 && latin {
                (None, self.cursor.skip(w.from(at), w.last())?)
            } else {
                let (unit, len) = self.cursor.step(w.from(at), w.last())?;
                (Some(unit), len)
            };
            let anchor = match (unit, first) {
                (None, b':') => {
                    let plausible = is_plausible_shifted(w.bytes, w.index(at));
                    (anchors.colon && plausible).then_some(Anchor::Colon)
                }
                (None, b'.') => anchors.dot.then_some(Anchor::Dot),
                (None, b'@') => anchors.at.then_some(Anchor::At),
                (Some(Unit::Char('\u{3002}')), _) => anchors.ideographic.then_some(Anchor::Dot),
                _ => None,
            };
            let anchor = match anchor {
                Some(Anchor::Dot) => self.divides_labels(w, at)?.then_some(Anchor::Dot),
                anchor => anchor,
            };
            let head = anchor.and_then(|anchor| self.head(w, at, anchor));
            self.pass(at, len);
            if let Some(head) = head {
                self.open(at, head);
                return None;
            }
        }
    }

    /// Moves `scan` over text that holds neither an anchor nor an escape, and nothing that
    /// may be malformed.
    #[inline(never)]
    fn pass_text(&mut self, w: Window<'_>, anchors: Anchors) {
        let shift = self.history.state.shift;
        // One of the cells is a full stop.
        if shift == Shift::Kanji && anchors.ideographic {
            return;
        }
        let stop = |is: bool, anchor| if is { anchor } else { ESC };
        let stops = [stop(anchors.colon, b':'), stop(anchors.dot, b'.'), stop(anchors.at, b'@')];
        let (len, count) = alike(shift, w.from(self.scan), stops);
        self.history.pass_text(self.scan, len, count);
        self.scan += (len * count) as u64;
    }

    /// Moves `scan` behind the unit at `at` that `cursor` stepped over.
    fn pass(&mut self, at: u64, len: usize) {
        self.history.pass(at, len, self.cursor.jis);
        self.scan = at + len as u64;
    }

    /// Seeks on from `to`, where a unit starts and nothing before is wanted.
    #[inline]
    fn resume(&mut self, w: Window<'_>, to: u64) {
        if !matches!(self.state, State::Seek) {
            self.state = State::Seek;
        }
        self.floor = to;
        self.settled = to;
        if self.unitwise {
            self.pass_to(w, to);
        } else {
            self.scan = to;
        }
    }

    /// Moves `scan` to `to`, whatever stands before.
    #[inline(never)]
    fn pass_to(&mut self, w: Window<'_>, to: u64) {
        while self.scan < to {
            self.pass_text(w.until(to.min(w.end())), Anchors::default());
            if self.scan == to {
                return;
            }
            self.cursor.jis = self.history.state;
            let Some(len) = self.cursor.skip(w.from(self.scan), w.last()) else { return };
            self.pass(self.scan, len);
        }
    }

    /// The window holds no further candidate: hold back what may begin one.
    #[inline(never)]
    fn rest(&mut self, w: Window<'_>) {
        let waits = core::mem::replace(&mut self.waits, Waits::No);
        if let Waits::Link(start) = waits {
            return self.settle(w, start.max(self.settled));
        }
        let end = self.complete(w);
        let begins = if w.last() { None } else { self.may_begin(w, end) };
        if !self.unitwise && waits == Waits::No {
            self.scan = end;
        }
        let held = begins.unwrap_or(end).max(self.floor).max(self.settled);
        self.settle(w, held);
    }

    /// Where the earliest candidate starts that what comes before `end` may still
    /// begin.
    fn may_begin(&self, w: Window<'_>, end: u64) -> Option<u64> {
        let (rules, floor) = (&*self.rules, self.floor);
        self.with_lookback(w, end, self.lookback, |before| {
            // A name looks again at what a scheme has looked at.
            let (mut seen, mut count) = ([const { None }; LOOKBACK], 0);
            let noted = before.inspect(|b| {
                seen[count] = Some(*b);
                count += 1;
            });
            let scheme = match anchors(rules).colon {
                true => start::may_begin(noted, &rules.schemes),
                false => None,
            };
            if self.lookback == LOOKBACK {
                return scheme;
            }
            let mut before = seen.into_iter().flatten().chain(before);
            let name = start::name_may_begin(&mut before, rules.set, end, floor);
            Some(scheme.map_or(name, |scheme| scheme.min(name)))
        })
    }

    /// Where the last complete unit of the window ends; the window's end, if
    /// nothing follows.
    fn complete(&self, w: Window<'_>) -> u64 {
        if w.last() {
            return w.end();
        }
        match self.cursor.shape() {
            _ if self.unitwise => self.scan,
            Shape::Single | Shape::Stateful => w.end(),
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
                // Where the last window ended; one byte at a time must not read all.
                let mut at = self.boundary(w, w.end()).max(self.scan.min(w.end()));
                while let Some((_, len)) = self.cursor.plain(w.from(at), false) {
                    at += len as u64;
                }
                at
            }
        }
    }

    /// The last position at or before `at` that is surely a boundary of a
    /// multi-byte charset.
    fn boundary(&self, w: Window<'_>, at: u64) -> u64 {
        let border = w.base + border(&w.bytes[..w.index(at)]) as u64;
        // Text may be long without any; single bytes must not read it again.
        if self.keep <= at { border.max(self.keep) } else { border }
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
        // window cuts must not count; in a name all may be.
        let narrow = self.lookback == LOOKBACK;
        let bytes = if narrow { LOOKBACK - 6 + 8 * 4 } else { (LOOKBACK_MAX + 2) * 4 };
        self.keep = match self.cursor.shape() {
            _ if self.unitwise => self.history.back(self.lookback + 1).unwrap_or(w.base).min(held),
            Shape::Single => back(self.lookback),
            Shape::Utf8 | Shape::Stateful => back(bytes),
            Shape::Wide { width, .. } => {
                let at = back(if narrow { (LOOKBACK - 6) * width + 8 * 4 } else { bytes });
                at - (at % width as u64).min(at - w.base)
            }
            Shape::Multi => {
                let target = back(bytes);
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

    /// Calls `look` with the characters before `at`, nearest first: at least
    /// `chars` of them, if there are so many. `None` too if `at` lies within a
    /// character.
    fn with_lookback<T>(
        &self,
        w: Window<'_>,
        at: u64,
        chars: usize,
        mut look: impl FnMut(&mut dyn Iterator<Item = Before>) -> Option<T>,
    ) -> Option<T> {
        if !self.unitwise && self.cursor.shape() != Shape::Multi {
            return look(&mut Backwards::new(&self.cursor, w, at));
        }
        let mut seen = None;
        let mut look = |before: &mut dyn Iterator<Item = Before>| seen = look(before);
        let there = self.show(w, at, chars, &mut look);
        if matches!(there, Seen::None) { None } else { seen }
    }

    /// The same, where characters cannot be told from their ends.
    #[inline(never)]
    fn show(
        &self,
        w: Window<'_>,
        at: u64,
        chars: usize,
        look: &mut dyn FnMut(&mut dyn Iterator<Item = Before>),
    ) -> Seen {
        if self.unitwise {
            return self.before_in_history(w, at, chars).map_or(Seen::None, |mut before| {
                look(&mut before);
                Seen::Enough
            });
        }
        // Most want to see few of them.
        match self.forwards::<LOOKBACK>(w, at, look) {
            Seen::TooLittle if chars != LOOKBACK => self.forwards::<LOOKBACK_MAX>(w, at, look),
            there => there,
        }
    }

    /// The characters before `at`, as they were passed, in the last `units` units; `None` if it
    /// lies within one.
    fn before_in_history<'a>(
        &'a self,
        w: Window<'a>,
        at: u64,
        units: usize,
    ) -> Option<impl Iterator<Item = Before> + 'a> {
        let within = self.history.before(at).next().is_some_and(|last| last.at + last.len > at);
        let before = self.history.before(at).take(units).take_while(move |unit| unit.at >= w.base);
        let mut cursor = self.cursor.clone();
        let before = before.filter_map(move |passed| {
            cursor.jis = passed.state;
            let c = match cursor.step(w.from(passed.at), true)?.0 {
                Unit::Char(c) | Unit::Pair(_, c) => Some(c),
                Unit::Malformed => None,
                Unit::Escape => return None,
            };
            Some(Before { c, start: passed.at })
        });
        (!within).then_some(before)
    }

    /// Forwards from a boundary before `at`, remembering the last `N` characters.
    fn forwards<const N: usize>(
        &self,
        w: Window<'_>,
        at: u64,
        look: &mut dyn FnMut(&mut dyn Iterator<Item = Before>),
    ) -> Seen {
        let bytes = if N == LOOKBACK { LOOKBACK - 6 + 8 * 4 } else { N * 4 };
        let from = self.boundary(w, at.saturating_sub(bytes as u64).max(w.base));
        let mut ring: [Option<Before>; N] = [const { None }; N];
        let (mut count, mut next, mut pos) = (0, 0, from.min(at));
        while pos < at {
            let Some((unit, len)) = self.cursor.plain(w.from(pos), true) else { break };
            let c = match unit {
                Unit::Char(c) | Unit::Pair(_, c) => Some(c),
                Unit::Malformed | Unit::Escape => None,
            };
            ring[next] = Some(Before { c, start: pos });
            next = if next + 1 == N { 0 } else { next + 1 };
            count += 1;
            pos += len as u64;
        }
        if pos > at {
            return Seen::None;
        }
        let mut wanted_more = false;
        let (behind, before) = ring.split_at_mut(next);
        let mut ring = behind.iter_mut().rev().chain(before.iter_mut().rev()).map(Option::take);
        let mut before = core::iter::from_fn(|| {
            let next = ring.next().flatten();
            wanted_more |= next.is_none();
            next
        });
        look(&mut before);
        let more = from > w.base || count > N;
        if wanted_more && more { Seen::TooLittle } else { Seen::Enough }
    }

    // ---- Open ----

    /// The `http` or `https` link with its `:` at the anchor, if the bytes around
    /// tell.
    #[inline]
    fn plain_web<const WIDTH: u64>(&mut self, near: &Near<'_, WIDTH>) -> Option<Found> {
        let (len, opener) = fast::head(&near.bytes[..near.at], near.shape)?;
        let start = near.absolute(near.at - len);
        let wanted = if len == 4 { self.http } else { self.https };
        if !wanted || start < self.floor {
            return None;
        }
        self.plain_link(near, (start, opener))
    }

    /// Whether the window cuts the `http` or `https` link with its `:` at the anchor,
    /// which then waits for the next one: read from its start it is mostly plain, and the
    /// walks cost many times as much.
    #[cold]
    #[inline(never)]
    fn is_cut<const WIDTH: u64>(&mut self, w: Window<'_>, near: &Near<'_, WIDTH>) -> bool {
        let (before, rest) = (&near.bytes[..near.at], &near.bytes[near.at + 1..]);
        let (at, whole) = (near.absolute(near.at), near.absolute(near.bytes.len()) == w.end());
        let fresh = !w.last() && whole && self.waited != Some(at);
        if !fresh || rest.len() >= CUT_MAX || !fast::goes_on(rest) {
            return false;
        }
        let Some((len, _)) = fast::head(before, near.shape) else { return false };
        self.waits = Waits::Link(near.absolute(near.at - len));
        (self.scan, self.waited) = (at, Some(at));
        true
    }

    /// The `mailto:` with its `:` at the anchor, if something delimits it.
    #[inline(never)]
    fn plain_mailto<const WIDTH: u64>(&self, near: &Near<'_, WIDTH>) -> Option<Found> {
        let (len, by) = fast::mail_head(&near.bytes[..near.at], near.shape)?;
        let start = near.absolute(near.at - len);
        let by = self.terms(start).opener(by)?;
        if !self.mailto || start < self.floor {
            return None;
        }
        let from = near.at + 1;
        let len = fast::mail(self.candidates.level(), &near.bytes[from..], by)?;
        self.fitting(Found::ascii(start, near.absolute(from + len), Kind::Iri))
    }

    /// The link that starts at `start`, with its `:` at the anchor, if it is plain and
    /// all of it is there.
    #[inline(always)]
    fn plain_link<const WIDTH: u64>(
        &mut self,
        near: &Near<'_, WIDTH>,
        (start, opener): (u64, Option<Opener>),
    ) -> Option<Found> {
        let from = near.at + 1;
        let opener = opener.and_then(|by| self.terms(start).opener(by));
        // One unit is not one byte elsewhere, and what is not ASCII left to the walks.
        let cursor = (WIDTH == 1).then_some(&self.cursor);
        let means = (cursor, self.candidates.level());
        let link = fast::link(means, &near.bytes[from..], near.last, opener)?;
        if self.rules.ascii_only && link.non_ascii {
            return None;
        }
        let end = near.absolute(from + link.len);
        let far = link.no_partner.map_or(end, |len| near.absolute(from + len));
        if far + JOINT.len() as u64 * WIDTH - start > self.rules.max_len {
            return None;
        }
        if far > end {
            self.searched(start, far);
        }
        let ascii = Found::ascii(start, end, Kind::Iri);
        Some(Found { non_ascii: link.non_ascii, ..ascii })
    }

    /// `found`, if it is not too long.
    fn fitting(&self, found: Found) -> Option<Found> {
        (found.end - found.start <= self.rules.max_len).then_some(found)
    }

    /// Counts a search for a partner that failed at `until`.
    fn searched(&mut self, start: u64, until: u64) {
        let fresh = start >= self.fruitless_until;
        self.fruitless = if fresh { 1 } else { self.fruitless.saturating_add(1) };
        self.fruitless_until = self.fruitless_until.max(until);
    }

    /// The host round the `.` at the anchor, if it is plain and all of it is there;
    /// `Err`: there is none before this place.
    #[inline]
    fn plain_name<const WIDTH: u64>(&self, near: &Near<'_, WIDTH>) -> Option<Result<Found, u64>> {
        let (floor, level) = (near.index(self.floor), self.candidates.level());
        match fast::name(level, near.bytes, near.at, (floor, near.last), near.shape)? {
            Err(to) => Some(Err(near.absolute(to))),
            Ok((start, end)) => {
                let found = Found::ascii(near.absolute(start), near.absolute(end), Kind::Bare);
                self.fitting(found).map(Ok)
            }
        }
    }

    /// Whether the ASCII byte at `at` is surely the last of a longer character.
    #[inline]
    fn is_trail(&self, w: Window<'_>, at: u64) -> bool {
        let bytes = &w.bytes[..=w.index(at)];
        let [rest @ .., before, byte] = bytes else { return false };
        if before.is_ascii() || self.cursor.shape() != Shape::Multi {
            return false;
        }
        let last = self.cursor.last(&bytes[border(rest)..]);
        last.is_some_and(|(c, _)| c != char::from(*byte))
    }

    /// The address round the `@` at the anchor, if any, if its domain is plain and all of
    /// it is there.
    #[inline]
    fn plain_address<const WIDTH: u64>(
        &mut self,
        w: Window<'_>,
        near: &Near<'_, WIDTH>,
    ) -> Option<Option<Found>> {
        let (floor, level) = (near.index(self.floor), self.candidates.level());
        let Some(end) = fast::domain(level, near.bytes, near.at, near.last, near.shape)? else {
            return Some(None);
        };
        let end = near.absolute(end);
        let found = match fast::local(level, near.bytes, near.at, floor) {
            Some(start) => Found::ascii(near.absolute(start), end, Kind::Email),
            None => {
                let Some(head) = self.head(w, near.absolute(near.at), Anchor::At) else {
                    return Some(None);
                };
                let Head { start, non_ascii, malformed_before: malformed_adjacent, .. } = head;
                Found { non_ascii, malformed_adjacent, ..Found::ascii(start, end, Kind::Email) }
            }
        };
        self.fitting(found).map(Some)
    }

    /// What is around the anchor at `at`, a byte a unit; `None`: units are of another
    /// kind.
    #[inline(always)]
    fn near<'n, const WIDTH: u64>(
        &self,
        w: Window<'n>,
        at: u64,
        narrow: &'n mut [u8],
    ) -> Option<Near<'n, WIDTH>> {
        let shape = self.cursor.shape();
        let big = match self.units {
            Units::Bytes if WIDTH == 1 => {
                let (at, base, last) = (w.index(at), w.base, w.last());
                return Some(Near { bytes: w.bytes, at, base, last, shape });
            }
            Units::Utf16 { big } if WIDTH == 2 => big,
            _ => return None,
        };
        let index = w.index(at);
        let from = index - index.min(2 * NARROW_BEFORE) / 2 * 2;
        let units = w.bytes[from..].chunks_exact(2).zip(narrow.iter_mut());
        let mut len = 0;
        for (unit, place) in units {
            let (low, high) = if big { (unit[1], unit[0]) } else { (unit[0], unit[1]) };
            *place = if high == 0 && low < 0x80 { low } else { 0x80 };
            len += 1;
        }
        // Half a unit at the end is one more, and nobody's.
        let last = w.last() && from + 2 * len == w.bytes.len();
        let (bytes, at, base) = (&narrow[..len], (index - from) / 2, w.base + from as u64);
        Some(Near { bytes, at, base, last, shape })
    }

    /// What is decided of a candidate that starts at `start`.
    fn terms(&self, start: u64) -> Terms {
        let spent = start < self.fruitless_until && self.fruitless >= FRUITLESS_MAX;
        Terms { ascii_only: self.rules.ascii_only, max_len: self.rules.max_len, partners: !spent }
    }

    #[inline(never)]
    fn open(&mut self, anchor: u64, head: Head) {
        let pos = head.from.unwrap_or(anchor + self.candidates.width() as u64);
        let terms = self.terms(head.start);
        let jis = match head.from {
            Some(from) => self.state_at(from),
            None => self.history.state,
        };
        let shift = self.state_at(head.start).shift;
        let link = Link::new(head, shift, terms);
        self.state = State::Open { link, anchor, pos, jis, hold: None };
    }

    /// The ISO-2022-JP state in force at a unit just passed.
    fn state_at(&self, at: u64) -> JisState {
        if !self.unitwise {
            return JisState::default();
        }
        self.history.at(at).unwrap_or_default()
    }

    /// Reads on in the open candidate; `None`: the next bytes decide.
    // Few links are read so: what it needs is not set up for all.
    #[inline(never)]
    fn read(&mut self, w: Window<'_>) -> Option<Verdict> {
        let bytewise = self.bytewise();
        let State::Open { link, anchor, pos, jis, .. } = &mut self.state else { return None };
        let cursor = &mut self.cursor;
        cursor.jis = *jis;
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
        let named = link.head.from.is_some();
        let overlong = match verdict {
            Verdict::TooLong => true,
            Verdict::Spent(_) => link.is_overlong(),
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
                self.resume(w, pos);
                self.state = State::Skip { pos };
            }
            Verdict::None => {
                self.state = State::Seek;
                if named {
                    self.named = self.named.max(pos);
                }
                if !self.unitwise {
                    self.scan = anchor + self.candidates.width() as u64;
                }
            }
            Verdict::Match(_) | Verdict::Spent(_) | Verdict::More => {}
        }
        Some(verdict)
    }

    /// The next window decides the open candidate: holds back what begins there, and
    /// another one that may begin before a name.
    #[inline(never)]
    fn wait(&mut self, w: Window<'_>) {
        let State::Open { link, anchor, hold, .. } = &self.state else { return };
        let (head, at, floor) = (link.head, *anchor, self.floor);
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

    // ---- Skip ----

    /// The next white space or `< > "` at or after `from`, and whether there is
    /// one; else where the window's complete units end.
    #[inline(never)]
    fn find_delimiter(&mut self, w: Window<'_>, from: u64) -> (u64, bool) {
        let mut at = from;
        let mut state = self.history.state;
        loop {
            if self.bytewise() && !self.unitwise {
                // What is skipped is mostly these.
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
}

/// Whether candidates have to be sought unit by unit: where the bytes before
/// tell what a byte is, and in multi-byte charsets where a label may end in a
/// full stop of theirs.
fn unitwise(rules: &Rules, shape: Shape) -> bool {
    shape == Shape::Stateful || shape == Shape::Multi && rules.set == Ruleset::Standard
}

/// 00–2F and 3A–3F: never part of a longer sequence in an ASCII superset.
fn is_sync(byte: u8) -> bool {
    matches!(byte, 0..=0x2F | 0x3A..=0x3F)
}

/// Characters before a position, nearest first, where each can be found from
/// its end: UTF-8, one byte a character, UTF-16, UTF-32. In charsets of several
/// bytes each that is no sync byte costs a decoder over all from the last one.
struct Backwards<'c, 'w> {
    cursor: &'c Cursor,
    w: Window<'w>,
    at: u64,
    /// The next one cannot be told from its end.
    lost: bool,
}

impl<'c, 'w> Backwards<'c, 'w> {
    fn new(cursor: &'c Cursor, w: Window<'w>, at: u64) -> Backwards<'c, 'w> {
        Backwards { cursor, w, at, lost: false }
    }

    /// The character that ends at `end`, behind the last border between characters.
    fn multi(&mut self, end: usize) -> Option<Before> {
        let before = &self.w.bytes[..end];
        let (c, len) = match before {
            [] => return None,
            // No charset has a sequence of two ASCII bytes in a row.
            [b] | [.., ..0x80, b] if b.is_ascii() => (char::from(*b), 1),
            [.., b] if is_sync(*b) => (char::from(*b), 1),
            [rest @ .., _] => {
                let last = self.cursor.last(&before[border(rest)..]);
                self.lost |= last.is_none();
                last?
            }
        };
        self.at -= len as u64;
        Some(Before { c: Some(c), start: self.at })
    }
}

/// The last place in `before` that is surely between characters: behind a byte
/// that is ASCII and no digit, which are second bytes of gb18030.
fn border(before: &[u8]) -> usize {
    let last = |b: &u8| b.is_ascii() && !b.is_ascii_digit();
    before.iter().rposition(last).map_or(0, |i| i + 1)
}

impl Iterator for Backwards<'_, '_> {
    type Item = Before;

    fn next(&mut self) -> Option<Before> {
        let end = self.w.index(self.at);
        if self.cursor.shape() == Shape::Multi {
            return self.multi(end);
        }
        let shortest = match self.cursor.shape() {
            Shape::Wide { width, .. } => width,
            _ => 1,
        };
        end.checked_sub(shortest)?;
        let bytes = &self.w.bytes[..end];
        // ASCII is most of what stands before a scheme.
        if shortest == 1
            && let &[.., byte @ ..0x80] = bytes
        {
            #[cfg(test)]
            crate::charset::cursor::LOOKS.set(crate::charset::cursor::LOOKS.get() + 1);
            self.at -= 1;
            return Some(Before { c: Some(char::from(byte)), start: self.at });
        }
        let longest = match self.cursor.shape() {
            // A sequence begins with the last byte that goes on with none.
            Shape::Utf8 => {
                let goes_on = |b: &&u8| matches!(b, 0x80..0xC0);
                1 + bytes.iter().rev().take(3).take_while(goes_on).count()
            }
            Shape::Wide { .. } => 4,
            _ => 1,
        };
        // The longest sequence that ends here; else one malformed unit.
        let whole = (1..=longest.min(end)).rev().filter(|len| len % shortest == 0).find_map(
            |len| match self.cursor.plain(&bytes[end - len..], true)? {
                (Unit::Char(c), n) if n == len => Some((len, c)),
                _ => None,
            },
        );
        let (len, c) = whole.map_or((shortest, None), |(len, c)| (len, Some(c)));
        self.at -= len as u64;
        Some(Before { c, start: self.at })
    }
}
