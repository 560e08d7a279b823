//! Raw candidates: bytes that may be the `:` of a scheme, the `.` of a name or the
//! `@` of an address.
//!
//! Knows bytes and nothing of characters. It errs in one direction only: an
//! offset it returns may be no candidate at all (a trail byte, a time of day),
//! but no anchor of a link is left out. What is never a candidate:
//! a `:` whose neighbour before it is no ASCII letter or digit byte, since
//! every scheme that counts ends in one, and a `:` that neither `//` follows nor
//! the end of a scheme precedes that works without; a `.` that no label stands
//! behind, an `@` with nothing before or no label behind it.

use crate::{charset::Shape, syntax::head::Anchor, syntax::scheme::COMMON};

/// Which anchors are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Anchors {
    pub(crate) colon: bool,
    pub(crate) dot: bool,
    pub(crate) at: bool,
    /// U+3002, which separates labels by UTS #58.
    pub(crate) ideographic: bool,
}

/// Finds raw candidates in the bytes of one charset shape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prefilter {
    anchors: Anchors,
    shape: Shape,
    /// Bytes a unit, and where in it the byte of an ASCII character stands.
    width: usize,
    place: usize,
}

impl Prefilter {
    pub(crate) fn new(shape: Shape, anchors: Anchors) -> Prefilter {
        let (width, place) = match shape {
            Shape::Wide { width, big } => (width, if big { width - 1 } else { 0 }),
            Shape::Utf8 | Shape::Single | Shape::Multi | Shape::Stateful => (1, 0),
        };
        Prefilter { anchors, shape, width, place }
    }

    /// The bytes of one ASCII character.
    pub(crate) fn width(self) -> usize {
        self.width
    }

    /// The first candidate at or after `from`, and where it starts; offsets in
    /// `bytes`, whose first byte stands at the absolute offset `base`.
    #[inline]
    pub(crate) fn next(self, bytes: &[u8], base: u64, from: usize) -> Option<(usize, Anchor)> {
        if self.width > 1 {
            return self.next_wide(bytes, base, from);
        }
        let rest = bytes.get(from..)?;
        let only_colon = Anchors { colon: true, dot: false, at: false, ideographic: false };
        if self.anchors == only_colon {
            return memchr::memchr_iter(b':', rest)
                .map(|i| from + i)
                .find(|&at| is_plausible(bytes, at))
                .map(|at| (at, Anchor::Colon));
        }
        // Which of them counts is seen below.
        let third = if self.anchors.ideographic { 0xE3 } else { b':' };
        memchr::memchr3_iter(b'.', b'@', third, rest).map(|i| from + i).find_map(|at| {
            let anchor = match bytes[at] {
                b':' if self.anchors.colon && is_plausible(bytes, at) => Anchor::Colon,
                b'.' if self.anchors.dot && self.is_dot(bytes, at) => Anchor::Dot,
                b'@' if self.anchors.at && self.is_at(bytes, at) => Anchor::At,
                0xE3 => match &bytes[at..] {
                    [_, 0x80, 0x82, ..] | [_] | [_, 0x80] => Anchor::Dot,
                    _ => return None,
                },
                _ => return None,
            };
            Some((at, anchor))
        })
    }

    /// Whether labels may stand on both sides of the `.` at `at`.
    fn is_dot(self, bytes: &[u8], at: usize) -> bool {
        let label = |b: &u8| b.is_ascii_alphanumeric() || *b >= 0x80;
        // By UTS #58 a name may have dots in a row, and then is none.
        let standard = self.anchors.ideographic;
        let before = at.checked_sub(1).is_some_and(|i| {
            // Any byte may end a character of two.
            label(&bytes[i]) || self.shape == Shape::Multi
        });
        standard || before && bytes.get(at + 1).is_none_or(label)
    }

    /// Whether an address may stand round the `@` at `at`.
    fn is_at(self, bytes: &[u8], at: usize) -> bool {
        let label = |b: &u8| b.is_ascii_alphanumeric() || *b >= 0x80;
        // By UTS #58 the domain behind an "@" is none's, even if no address is there.
        let standard = self.anchors.ideographic;
        let before = at > 0 && bytes[at - 1] > b' ';
        (standard || before) && bytes.get(at + 1).is_none_or(label)
    }

    fn next_wide(self, bytes: &[u8], base: u64, from: usize) -> Option<(usize, Anchor)> {
        let aligned = |at: usize| (base + at as u64).is_multiple_of(self.width as u64);
        let colon = |at: usize| {
            let before = at.checked_sub(self.width).and_then(|at| self.ascii(bytes, at));
            before.is_some_and(|b| b.is_ascii_alphanumeric())
        };
        let rest = bytes.get(from..)?;
        if !self.anchors.ideographic {
            return memchr::memchr3_iter(b':', b'.', b'@', rest).map(|i| from + i).find_map(
                |hit| {
                    let at =
                        hit.checked_sub(self.place).filter(|at| *at >= from && aligned(*at))?;
                    let anchor = match self.ascii(bytes, at)? {
                        b':' if self.anchors.colon && colon(at) => Anchor::Colon,
                        b'.' if self.anchors.dot => Anchor::Dot,
                        b'@' if self.anchors.at => Anchor::At,
                        _ => return None,
                    };
                    Some((at, anchor))
                },
            );
        }
        let first = (from..from + self.width).find(|at| aligned(*at))?;
        (first..bytes.len()).step_by(self.width).find_map(|at| {
            let unit = bytes.get(at..at + self.width)?;
            let full_stop = |low: u8, high: u8| {
                let (first, second) =
                    if self.place == 0 { (0, 1) } else { (self.width - 1, self.width - 2) };
                unit[first] == low
                    && unit[second] == high
                    && unit.iter().enumerate().all(|(i, b)| i == first || i == second || *b == 0)
            };
            match self.ascii(bytes, at) {
                Some(b'.') => Some((at, Anchor::Dot)),
                Some(b'@') => Some((at, Anchor::At)),
                _ if full_stop(0x02, 0x30) => Some((at, Anchor::Dot)),
                _ => None,
            }
        })
    }

    /// The ASCII character whose unit starts at `at`.
    pub(crate) fn ascii(self, bytes: &[u8], at: usize) -> Option<u8> {
        let unit = bytes.get(at..at + self.width)?;
        let zeros = unit.iter().enumerate().all(|(i, b)| i == self.place || *b == 0);
        zeros.then_some(unit[self.place])
    }
}

/// Whether the `:` at `at` of an ISO-2022-JP stream may belong to a scheme. An
/// escape sequence may stand between any two of its letters.
pub(crate) fn is_plausible_shifted(bytes: &[u8], at: usize) -> bool {
    let near = &bytes[at.saturating_sub(8)..(at + 4).min(bytes.len())];
    near.contains(&0x1B) || is_plausible(bytes, at)
}

/// Whether the `:` at `at` may belong to a scheme, by its neighbours.
fn is_plausible(bytes: &[u8], at: usize) -> bool {
    if !at.checked_sub(1).is_some_and(|i| bytes[i].is_ascii_alphanumeric()) {
        return false;
    }
    match &bytes[at + 1..] {
        [b'/', b'/', ..] | [b'/'] | [] => true,
        [..=0x20, ..] => false,
        _ => {
            at >= 3 && OPAQUE_LAST >> (bytes[at - 1] & 31) & 1 == 1 && {
                let end = [bytes[at - 3] | 0x20, bytes[at - 2] | 0x20, bytes[at - 1] | 0x20];
                OPAQUE_ENDS.contains(&end)
            }
        }
    }
}

/// The last three letters of each scheme that works without `//`, lower case.
const OPAQUE_ENDS: [[u8; 3]; OPAQUE] = {
    let mut ends = [[0; 3]; OPAQUE];
    let (mut i, mut n) = (0, 0);
    while i < COMMON.len() {
        if COMMON[i].1.is_opaque() {
            let name = COMMON[i].0.as_bytes();
            ends[n] = [name[name.len() - 3], name[name.len() - 2], name[name.len() - 1]];
            n += 1;
        }
        i += 1;
    }
    ends
};

/// A bit for the last letter of each, by its last five bits. Most colons stand
/// in times and behind names of fields.
const OPAQUE_LAST: u32 = {
    let (mut i, mut bits) = (0, 0);
    while i < OPAQUE {
        bits |= 1 << (OPAQUE_ENDS[i][2] & 31);
        i += 1;
    }
    bits
};

/// How many schemes work without `//`.
const OPAQUE: usize = {
    let (mut i, mut n) = (0, 0);
    while i < COMMON.len() {
        n += COMMON[i].1.is_opaque() as usize;
        i += 1;
    }
    n
};
