//! The fast path, as the machine calls it: the bytes around an anchor, and the links that can be
//! read from them in one go.
//!
//! Goes in: a window and an anchor in it. Comes out: a link, "no link here", or `None`, which means
//! that the slow path decides.

use super::state::{Answer, Machine, NARROW_BEFORE, Near, Units, Waits};
use crate::{
    charset::window::Window,
    engine::fast::{
        address::{self, AfterAt},
        name::{self, Name},
        web,
    },
    grammar::{
        start::Head,
        types::{Anchor, Found, Kind, Opener},
    },
};

/// The longest text after a link that decides about its end: the beginning of another link.
const JOINT: &str = ",https://";

/// The most bytes of a link that the window cuts off, if the link waits for the next window.
const CUT_MAX: usize = 512;

impl Machine {
    /// The `http` or `https` link with its `:` at the anchor.
    #[inline]
    pub(super) fn plain_web<const WIDTH: u64>(&mut self, near: &Near<'_, WIDTH>) -> Option<Found> {
        let (len, opener) = web::head(&near.bytes[..near.at], near.shape)?;
        let start = near.absolute(near.at - len);
        let wanted = if len == 4 { self.wanted.http } else { self.wanted.https };
        if !wanted || start < self.floor {
            return None;
        }
        self.plain_link(near, (start, opener))
    }

    /// True if the window cuts off the `http` or `https` link with its `:` at the anchor. The link
    /// then waits for the next window, because the fast path costs far less than the
    /// slow path.
    #[cold]
    #[inline(never)]
    pub(super) fn is_cut<const WIDTH: u64>(
        &mut self,
        w: Window<'_>,
        near: &Near<'_, WIDTH>,
    ) -> bool {
        let (before, rest) = (&near.bytes[..near.at], &near.bytes[near.at + 1..]);
        let (at, whole) = (near.absolute(near.at), near.absolute(near.bytes.len()) == w.end());
        let fresh = !w.last() && whole && self.waited != Some(at);
        if !fresh || rest.len() >= CUT_MAX || !web::goes_on(rest) {
            return false;
        }
        let Some((len, _)) = web::head(before, near.shape) else { return false };
        self.waits = Waits::Link(near.absolute(near.at - len));
        (self.scan, self.waited) = (at, Some(at));
        true
    }

    /// The `mailto:` link with its `:` at the anchor, if it is delimited.
    #[inline(never)]
    pub(super) fn plain_mailto<const WIDTH: u64>(&self, near: &Near<'_, WIDTH>) -> Option<Found> {
        let (len, by) = web::mail_head(&near.bytes[..near.at], near.shape)?;
        let start = near.absolute(near.at - len);
        let by = self.terms(start).opener(by)?;
        if !self.wanted.mailto || start < self.floor {
            return None;
        }
        let from = near.at + 1;
        let len = web::mail(self.anchors.level(), &near.bytes[from..], by)?;
        self.fitting(Found::ascii(start, near.absolute(from + len), Kind::Iri))
    }

    /// The link that starts at `start` and has its `:` at the anchor.
    #[inline(always)]
    pub(super) fn plain_link<const WIDTH: u64>(
        &mut self,
        near: &Near<'_, WIDTH>,
        (start, opener): (u64, Option<Opener>),
    ) -> Option<Found> {
        let from = near.at + 1;
        let opener = opener.and_then(|by| self.terms(start).opener(by));
        // Where a unit is not a byte, only ASCII is read.
        let cursor = (WIDTH == 1).then_some(&self.cursor);
        let means = (cursor, self.anchors.level());
        let link = web::link(means, &near.bytes[from..], near.last, opener)?;
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

    /// The host around the `.` at the anchor.
    #[inline]
    pub(super) fn plain_name<const WIDTH: u64>(&self, near: &Near<'_, WIDTH>) -> Option<Answer> {
        let (floor, level) = (near.index(self.floor), self.anchors.level());
        match name::name(level, near.bytes, near.at, (floor, near.last), near.shape)? {
            Name::NoHostBefore(to) => Some(Answer::NoLinkBefore(near.absolute(to))),
            Name::Host { start, end } => {
                let found = Found::ascii(near.absolute(start), near.absolute(end), Kind::Bare);
                self.fitting(found).map(Answer::Link)
            }
        }
    }

    /// The address around the `@` at the anchor.
    #[inline]
    pub(super) fn plain_address<const WIDTH: u64>(
        &mut self,
        w: Window<'_>,
        near: &Near<'_, WIDTH>,
    ) -> Option<Answer> {
        let (floor, level) = (near.index(self.floor), self.anchors.level());
        let end = match address::domain(level, near.bytes, near.at, near.last, near.shape)? {
            AfterAt::Domain(end) => near.absolute(end),
            AfterAt::NoDomain => return Some(Answer::NoLink),
        };
        let found = match address::local(level, near.bytes, near.at, floor) {
            Some(start) => Found::ascii(near.absolute(start), end, Kind::Email),
            None => {
                let Some(head) = self.head(w, near.absolute(near.at), Anchor::At) else {
                    return Some(Answer::NoLink);
                };
                let Head { start, non_ascii, malformed_before: malformed_adjacent, .. } = head;
                Found { non_ascii, malformed_adjacent, ..Found::ascii(start, end, Kind::Email) }
            }
        };
        self.fitting(found).map(Answer::Link)
    }

    /// The text around the anchor at `at`. `None` in charsets that the fast path does not read.
    #[inline(always)]
    pub(super) fn near<'n, const WIDTH: u64>(
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
        // A half unit at the end counts as one more unit.
        let last = w.last() && from + 2 * len == w.bytes.len();
        let (bytes, at, base) = (&narrow[..len], (index - from) / 2, w.base + from as u64);
        Some(Near { bytes, at, base, last, shape })
    }
}
