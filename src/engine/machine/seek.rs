//! Seek: from candidate to candidate, until one is a link or has to be read.

use super::open::Known;
use super::state::{Answer, Http, Machine, NARROW, Outcome, State, Units, border};
use crate::{
    charset::{Shape, window::Window},
    engine::anchor_search::LABEL_MAX,
    grammar::{
        ip,
        name::{self, BeforeDot, MARKS_MAX},
        name_start,
        start::{Head, LOOKBACK_MAX},
        types::{Anchor, Found, RuleSet},
    },
};

impl Machine {
    /// Writes the next link that this window settles to `found`. `false` if it settles no more: the next
    /// window has to start at `keep` or before.
    ///
    /// (To the place of the caller: to move links from call to call took a fifth of the time.)
    pub(super) fn next_in_text(&mut self, w: Window<'_>, found: &mut Found) -> bool {
        loop {
            let is_link = match self.state {
                State::Seek => {
                    let is_link = self.seek(w, found);
                    if !is_link && matches!(self.state, State::Seek) {
                        self.settle_rest(w);
                        return false;
                    }
                    is_link
                }
                _ => match self.go_on(w, found) {
                    Outcome::NeedMore => return false,
                    outcome => outcome == Outcome::Link,
                },
            };
            if is_link {
                self.seek_from(found.end);
                // Links of other kinds are only passed.
                if self.rules.options.kinds.has(found.kind()) {
                    return true;
                }
            }
        }
    }

    /// Resumes the open candidate, or skips on.
    // Not inlined, because most links are found without it.
    #[inline(never)]
    pub(super) fn go_on(&mut self, w: Window<'_>, found: &mut Found) -> Outcome {
        let pos = match self.state {
            State::Skip { pos } => pos,
            _ => return self.read(w, found),
        };
        let (to, is_there) = self.find_delimiter(w, pos);
        self.scan = to;
        if is_there {
            self.floor = to;
            self.state = State::Seek;
            return Outcome::NoLink;
        }
        self.state = State::Skip { pos: to };
        self.settle(w, to);
        Outcome::NeedMore
    }

    /// Writes the next link to `found`. `false` if a candidate is open, text is skipped, or the window has
    /// no more.
    // A part of its caller as well, because a call costs 2 % of the time of a link.
    #[inline(always)]
    pub(super) fn seek(&mut self, w: Window<'_>, found: &mut Found) -> bool {
        match self.units() {
            Units::Utf16 { .. } => self.seek_narrowed(w, found),
            _ => self.seek_anchors::<1>(w, &mut [], found),
        }
    }

    // Not inlined, because it needs much of the stack.
    #[inline(never)]
    pub(super) fn seek_narrowed(&mut self, w: Window<'_>, found: &mut Found) -> bool {
        self.seek_anchors::<2>(w, &mut [0; NARROW], found)
    }

    /// As [`Machine::seek`], from anchor to anchor. `narrow`: space for [`Machine::near`].
    #[inline(always)]
    pub(super) fn seek_anchors<const WIDTH: u64>(
        &mut self,
        w: Window<'_>,
        narrow: &mut [u8],
        found: &mut Found,
    ) -> bool {
        let mut from = w.index(self.scan);
        while let Some((at, anchor)) = self.anchors.next(w.bytes, w.base, from) {
            from = at + self.anchors.width();
            let at = w.base + at as u64;
            let anchor = match anchor {
                Anchor::Ip => match self.seek_ip(w, at, found) {
                    Ok(Outcome::Link) => return true,
                    Ok(_) => return false,
                    Err(Some(anchor)) => anchor,
                    Err(None) => {
                        from = from.max(w.index(self.scan));
                        continue;
                    }
                },
                anchor => anchor,
            };
            match self.seek_at::<WIDTH>(w, (at, anchor), narrow, found) {
                None => {}
                Some(Outcome::Link) => return true,
                Some(Outcome::NoLink) if matches!(self.state, State::Seek) => {
                    from = w.index(self.scan);
                }
                Some(Outcome::NoLink | Outcome::NeedMore) => return false,
            }
        }
        false
    }

    /// Reads the link with this anchor, which is not that of an IP address. `None` if no link can be there; `NeedMore`
    /// if the next window decides.
    #[inline(always)]
    pub(super) fn seek_at<const WIDTH: u64>(
        &mut self,
        w: Window<'_>,
        (at, anchor): (u64, Anchor),
        narrow: &mut [u8],
        found: &mut Found,
    ) -> Option<Outcome> {
        match anchor {
            Anchor::Dot if at < self.named => return None,
            Anchor::At if self.rules.options.set == RuleSet::Prose && self.is_trail(w, at) => {
                return None;
            }
            Anchor::Dot | Anchor::At if self.fast => {
                let answer = match self.near::<WIDTH>(w, at, narrow) {
                    Some(near) => self.plain(w, anchor, &near),
                    None => None,
                };
                match answer {
                    Some(Answer::Link(link)) => {
                        *found = link;
                        return Some(Outcome::Link);
                    }
                    Some(Answer::NoLink) => return None,
                    Some(Answer::NoLinkBefore(named)) => {
                        self.named = named;
                        return None;
                    }
                    None => {}
                }
            }
            _ => {}
        }
        if anchor == Anchor::Dot {
            match self.divides_labels(w, at) {
                Some(true) => {}
                Some(false) => return None,
                None => {
                    (self.scan, self.waits) = (at, true);
                    return Some(Outcome::NeedMore);
                }
            }
        }
        let mut head = Head::http(0, None);
        match self.head(w, at, anchor, &mut head) {
            true => Some(self.read_head(w, at, &head, found)),
            false => None,
        }
    }

    /// Reads the IP address whose first `.` or `:` may be at `at`. As an error, there is none, and which other
    /// anchor that character may be.
    #[inline(never)]
    fn seek_ip(
        &mut self,
        w: Window<'_>,
        at: u64,
        found: &mut Found,
    ) -> Result<Outcome, Option<Anchor>> {
        let ordinary = self.anchors.ordinary(w.bytes, w.index(at));
        if at < self.addressed {
            return Err(ordinary);
        }
        let colon = self.anchors.ascii(w.bytes, w.index(at)) == Some(b':');
        let head = self.with_lookback(w, at, LOOKBACK_MAX, |chars| ip::before(chars, colon, at));
        let Some(head) = head.filter(|head| head.start >= self.floor) else {
            return Err(ordinary);
        };
        self.scan = at;
        match self.read_on(w, at, (head, head.start, Known::default()), found) {
            Outcome::NoLink if matches!(self.state, State::Seek) => {
                Err(ordinary.filter(|_| self.scan == at))
            }
            outcome => Ok(outcome),
        }
    }

    /// True if the dot at `at` may be between two labels of a host. `None` if the next bytes decide.
    /// Always true by UTS #58, where a name may have dots in a row (and then is no host).
    pub(super) fn divides_labels(&self, w: Window<'_>, at: u64) -> Option<bool> {
        if self.rules.options.set == RuleSet::Uts58 {
            return Some(true);
        }
        let width = self.anchors.width();
        let after = w.from(at + width as u64);
        if after.len() < width {
            return w.last().then_some(false);
        }
        let label = |b: u8| b.is_ascii_alphanumeric() || b >= 0x80;
        if !self.anchors.ascii(after, 0).is_none_or(label) {
            return Some(false);
        }
        if !w.last() && self.is_label_cut(after) {
            return None;
        }
        let floor = self.floor;
        let before =
            self.with_lookback(w, at, LOOKBACK_MAX, |chars| Some(name::before_dot(chars, floor)));
        Some(match before {
            None | Some(BeforeDot::NoLabel | BeforeDot::NoHost) => false,
            Some(BeforeDot::Www) => true,
            Some(BeforeDot::Label) => !self.is_not_last(after),
        })
    }

    /// True if the label at the start of `after` may go on in the next window, or if the byte after
    /// the dot at its end is there. [`AnchorSearch`] looks at both.
    pub(super) fn is_label_cut(&self, after: &[u8]) -> bool {
        let unit = |i: usize| self.anchors.ascii(after, i * self.anchors.width());
        let label = |b: u8| b.is_ascii_alphanumeric() || b == b'-';
        let len = (0..=LABEL_MAX).take_while(|i| unit(*i).is_some_and(label));
        let end = len.count();
        let units = after.len() / self.anchors.width();
        let marks = (0..MARKS_MAX).take_while(|i| unit(end + i) == Some(b'_')).count();
        let more = marks > 0 || unit(end) == Some(b'.');
        end <= LABEL_MAX && (end >= units || more && end + marks.max(1) >= units)
    }

    /// True if the host cannot end with the ASCII label at the start of `after`: the label has a
    /// `_` that is no emphasis, or another dot and label follow.
    fn is_not_last(&self, after: &[u8]) -> bool {
        let unit = |i: usize| self.anchors.ascii(after, i * self.anchors.width());
        let label = |b: u8| b.is_ascii_alphanumeric() || b == b'-';
        let len = (0..=LABEL_MAX).take_while(|i| unit(*i).is_some_and(label)).count();
        match unit(len) {
            Some(b'_') => {
                let marks = (0..MARKS_MAX).take_while(|i| unit(len + i) == Some(b'_')).count();
                let goes_on = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || !b.is_ascii();
                let there = (len + marks) * self.anchors.width() < after.len();
                there && unit(len + marks).is_none_or(goes_on)
            }
            Some(b'.') => len > 0 && unit(len + 1).is_some_and(|b| b.is_ascii_alphanumeric()),
            _ => false,
        }
    }

    /// Finds where the candidate with the anchor at `at` begins, and writes that to `head`. Returns `false`
    /// without a candidate.
    #[inline(always)]
    pub(super) fn head(&mut self, w: Window<'_>, at: u64, anchor: Anchor, head: &mut Head) -> bool {
        if anchor == Anchor::Colon {
            match self.http(w, at, head) {
                Http::Head => return head.start >= self.floor,
                Http::NoHead => return false,
                Http::Unsure => {}
            }
        }
        self.any_head(w, at, anchor, head)
    }

    /// As [`Machine::head`], character by character.
    #[inline(never)]
    pub(super) fn any_head(
        &mut self,
        w: Window<'_>,
        at: u64,
        anchor: Anchor,
        head: &mut Head,
    ) -> bool {
        let (set, floor) = (self.rules.options.set, self.floor);
        let read = match anchor {
            Anchor::Colon => self.before_colon(w, at),
            Anchor::Dot if at < self.named => None,
            Anchor::Dot => {
                let endless = self.endless;
                let head = self.with_lookback(w, at, LOOKBACK_MAX, |before| {
                    name_start::before_dot(before, set, at, floor, endless)
                });
                self.endless = head.is_none().then_some(at);
                head
            }
            Anchor::At => self.with_lookback(w, at, LOOKBACK_MAX, |before| {
                name_start::before_at(before, set, at, floor, self.rules.any_domain)
            }),
            // It has a way of its own.
            Anchor::Ip => None,
        };
        match read {
            Some(read) if read.start >= floor => {
                *head = read;
                if self.rules.any_domain {
                    head.allow_any_domain();
                }
                true
            }
            _ => false,
        }
    }

    /// Seeks on from `to`, where a unit starts. Nothing before it is part of a link.
    #[inline]
    pub(super) fn seek_from(&mut self, to: u64) {
        if !matches!(self.state, State::Seek) {
            self.state = State::Seek;
        }
        self.floor = to;
        self.settled = to;
        self.scan = to;
    }

    /// True if the ASCII byte at `at` is the last byte of a longer character.
    #[inline]
    pub(super) fn is_trail(&self, w: Window<'_>, at: u64) -> bool {
        let bytes = &w.bytes[..=w.index(at)];
        let [rest @ .., before, byte] = bytes else { return false };
        if before.is_ascii() || self.cursor.shape() != Shape::Multi {
            return false;
        }
        let last = self.cursor.last(&bytes[border(rest)..]);
        last.is_some_and(|(c, _)| c != char::from(*byte))
    }
}
