//! The fast path, as the machine calls it: the bytes around an anchor, and the links that can be
//! read from them in one go.
//!
//! Goes in: a window and an anchor in it. Comes out: a link, "no link here", or `None`, which means
//! that the slow path decides.

use super::state::{Answer, Machine, NARROW_BEFORE, Near, Units, Waits};
use crate::{
    charset::{Charset, cursor::Cursor, window::Window},
    engine::fast::{
        address::{self, AfterAt},
        name::{self, Name},
        web::{self, Plain},
    },
    grammar::{
        candidate::OVERHANG,
        start::Head,
        types::{Anchor, Found, Kind, Opener},
    },
    simd::types::Level,
};

/// The longest text after a link that decides about its end: the beginning of another link.
const JOINT: &str = ",https://";

/// The most bytes of a link that the window cuts off, if the link waits for the next window.
const CUT_MAX: usize = 512;

/// The most units of UTF-16 after an anchor that are read as UTF-8.
const TRANSCODED_MAX: usize = 96;

impl Machine {
    /// The `http` or `https` link with its `:` at the anchor.
    #[inline]
    pub(super) fn plain_web<const WIDTH: u64>(&mut self, near: &Near<'_, WIDTH>) -> Option<Found> {
        let (len, opener) = web::head(&near.bytes[..near.at], near.shape)?;
        let start = near.absolute(near.at - len);
        let wanted = if len == 4 { self.rules.wanted.http } else { self.rules.wanted.https };
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
        if !fresh {
            return false;
        }
        let Some((len, opener)) = web::head(before, near.shape) else { return false };
        let start = near.absolute(near.at - len);
        let reach = self.reach(near, start, near.at + 1);
        let searched = || {
            let angle = opener.is_some_and(|by| by.open == '<');
            angle && reach.is_some_and(|reach| rest.len() <= reach) && web::is_unclosed(rest)
        };
        if !(rest.len() < CUT_MAX && web::goes_on(rest) || searched()) {
            return false;
        }
        self.waits = Waits::Link(start);
        (self.scan, self.waited) = (at, Some(at));
        true
    }

    /// The `mailto:` link with its `:` at the anchor, if it is delimited.
    #[inline(never)]
    pub(super) fn plain_mailto<const WIDTH: u64>(&self, near: &Near<'_, WIDTH>) -> Option<Found> {
        let (len, by) = web::mail_head(&near.bytes[..near.at], near.shape)?;
        let start = near.absolute(near.at - len);
        let by = self.terms(start).opener(by)?;
        if !self.rules.wanted.mailto || start < self.floor {
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
        let angle = opener.is_some_and(|by| by.open == '<');
        let reach = if angle { self.reach(near, start, from) } else { None };
        let link = match web::link(means, &near.bytes[from..], near.last, (opener, reach)) {
            None if WIDTH == 2 => transcoded(near, self.anchors.level(), opener)?,
            link => link?,
        };
        if self.rules.ascii_only && link.non_ascii {
            return None;
        }
        let end = near.absolute(from + link.len);
        let far = link.no_partner.map_or(end, |len| near.absolute(from + len));
        // The search is given up only after all that can be a link.
        let needed = if reach.is_some() && link.no_partner == reach { end } else { far };
        if needed + JOINT.len() as u64 * WIDTH - start > self.rules.max_len {
            return None;
        }
        if far > end {
            self.searched(start, far);
        }
        let ascii = Found::ascii(start, end, Kind::Iri);
        Some(Found { non_ascii: link.non_ascii, ..ascii })
    }

    /// Where the slow path gives up to search for the delimiter of a link that starts at `start`, in
    /// bytes from `from` on. `None` where a unit is not a byte.
    #[inline(always)]
    fn reach<const WIDTH: u64>(
        &self,
        near: &Near<'_, WIDTH>,
        start: u64,
        from: usize,
    ) -> Option<usize> {
        let end = start.checked_add(self.rules.max_len)?.checked_add(OVERHANG)?;
        let reach = end.checked_sub(near.absolute(from))?;
        usize::try_from(reach).ok().filter(|_| WIDTH == 1)
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
                let units = (&[][..], false);
                return Some(Near { bytes: w.bytes, at, base, last, shape, units });
            }
            Units::Utf16 { big } if WIDTH == 2 => big,
            _ => return None,
        };
        let index = w.index(at);
        let from = index - index.min(2 * NARROW_BEFORE) / 2 * 2;
        let units = w.bytes[from..].as_chunks().0;
        let len = units.len().min(narrow.len());
        let pairs = narrow[..len].iter_mut().zip(&units[..len]);
        // Each loop is compiled to vectors.
        match big {
            true => {
                pairs.for_each(|(place, unit)| *place = u16::from_be_bytes(*unit).min(0x80) as u8)
            }
            false => {
                pairs.for_each(|(place, unit)| *place = u16::from_le_bytes(*unit).min(0x80) as u8)
            }
        }
        // A half unit at the end counts as one more unit.
        let last = w.last() && from + 2 * len == w.bytes.len();
        let (bytes, at, base) = (&narrow[..len], (index - from) / 2, w.base + from as u64);
        Some(Near { bytes, at, base, last, shape, units: (&units[..len], big) })
    }
}

/// The link with its `:` at the anchor of a text in UTF-16, read as UTF-8. Its lengths are in units.
/// `None`: the slow path decides.
#[inline(never)]
fn transcoded<const WIDTH: u64>(
    near: &Near<'_, WIDTH>,
    level: Level,
    opener: Option<Opener>,
) -> Option<Plain> {
    let (units, big) = near.units;
    let units = &units[near.at + 1..];
    let narrowed = near.bytes[near.at + 1..].iter().take(TRANSCODED_MAX);
    // The link was read as ASCII already.
    if narrowed.fold(true, |all, b| all & b.is_ascii()) {
        return None;
    }
    let unit = |unit: &[u8; 2]| match big {
        true => u16::from_be_bytes(*unit),
        false => u16::from_le_bytes(*unit),
    };
    let mut text = [0; 3 * TRANSCODED_MAX];
    let (mut len, mut read) = (0, 0);
    for c in units.iter().take(TRANSCODED_MAX).map(unit) {
        // Two units that are one character are left to the slow path.
        let Some(c) = char::from_u32(c.into()) else { break };
        len += c.encode_utf8(&mut text[len..]).len();
        read += 1;
    }
    let last = near.last && read == units.len();
    let cursor = Cursor::new(Charset::UTF_8);
    let text = &text[..len];
    let link = web::link((Some(&cursor), level), text, last, (opener, None))?;
    let in_units = |len: usize| text[..len].iter().filter(|b| !matches!(b, 0x80..0xC0)).count();
    let no_partner = link.no_partner.map(in_units);
    Some(Plain { len: in_units(link.len), no_partner, ..link })
}
