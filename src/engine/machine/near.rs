//! The fast path, as the machine calls it: the bytes around an anchor, and the names and addresses that can be
//! read from them in one go.
//!
//! Goes in: a window and an anchor in it. Comes out: a link, "no link here", or `None`, which means
//! that the slow path decides.

use super::state::{Answer, Machine, NARROW_BEFORE, Near, Units};
use crate::{
    charset::window::Window,
    engine::{
        fast::{
            address::{self, AfterAt, BeforeAt},
            name::{self, Name},
        },
        rules::AT_ONCE_MAX,
    },
    grammar::{
        start::Head,
        types::{Anchor, Found, Kind, Trait},
    },
};

impl Machine {
    /// The host or the address around the `.` or `@` at the anchor.
    #[inline]
    pub(super) fn plain<const WIDTH: u64>(
        &mut self,
        w: Window<'_>,
        anchor: Anchor,
        near: &Near<'_, WIDTH>,
    ) -> Option<Answer> {
        match anchor {
            Anchor::Dot => self.plain_name(near),
            _ => self.plain_address(w, near),
        }
    }

    /// `found`, if it is not too long.
    fn fitting(&self, found: Found) -> Option<Found> {
        let len = found.end - found.start;
        let short = self.roomy && len <= AT_ONCE_MAX as u64;
        (short || len <= self.max_len(found.start)).then_some(found)
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
        let domain = address::domain(level, near.bytes, near.at, near.last, near.shape);
        if let Some(AfterAt::NoDomain) = domain {
            return Some(Answer::NoLink);
        }
        let local = address::local(level, near.bytes, near.at, floor);
        if let BeforeAt::NoLocal = local {
            return Some(Answer::NoLink);
        }
        let Some(AfterAt::Domain(end)) = domain else { return None };
        let end = near.absolute(end);
        let found = match local {
            BeforeAt::Local(start) => Found::ascii(near.absolute(start), end, Kind::Email),
            _ => {
                let mut head = Head::http(0, None);
                if !self.head(w, near.absolute(near.at), Anchor::At, &mut head) {
                    return Some(Answer::NoLink);
                }
                if head.inner.is_some() {
                    return None;
                }
                Found::ascii(head.start, end, Kind::Email)
                    .with(Trait::NonAscii, head.non_ascii)
                    .with(Trait::MalformedAdjacent, head.malformed_before)
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
        place: &'n mut [u8],
    ) -> Option<Near<'n, WIDTH>> {
        let shape = self.cursor.shape();
        let big = match self.units() {
            Units::Bytes if WIDTH == 1 => {
                let (at, base, last) = (w.index(at), w.base, w.last());
                return Some(Near { bytes: w.bytes, at, base, last, shape });
            }
            Units::Utf16 { big } if WIDTH == 2 => big,
            _ => return None,
        };
        let index = w.index(at);
        let from = index - index.min(2 * NARROW_BEFORE) / 2 * 2;
        let bytes = narrow(&w.bytes[from..], big, place);
        // A half unit at the end counts as one more unit.
        let last = w.last() && from + 2 * bytes.len() == w.bytes.len();
        let (at, base) = ((index - from) / 2, w.base + from as u64);
        Some(Near { bytes, at, base, last, shape })
    }
}

/// The first units of `bytes` in UTF-16, as many as `place` holds: one byte each, 80 for those that are
/// not ASCII.
pub(super) fn narrow<'n>(bytes: &[u8], big: bool, place: &'n mut [u8]) -> &'n [u8] {
    let units = bytes.as_chunks().0;
    let len = units.len().min(place.len());
    let pairs = place[..len].iter_mut().zip(&units[..len]);
    // Each loop is compiled to vectors.
    match big {
        true => pairs.for_each(|(to, unit)| *to = u16::from_be_bytes(*unit).min(0x80) as u8),
        false => pairs.for_each(|(to, unit)| *to = u16::from_le_bytes(*unit).min(0x80) as u8),
    }
    &place[..len]
}
