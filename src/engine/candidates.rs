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

use super::rules::Anchors;
use crate::{
    charset::Shape,
    data::{schemes::COMMON, top_level},
    grammar::{address, types::Anchor},
    simd::{
        find, swar,
        types::{All, Big, Bytes, Colon, ColonAt, Layout, Level, Little, Wanted},
    },
};

/// Finds raw candidates in the bytes of one charset shape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidates {
    anchors: Anchors,
    shape: Shape,
    /// Bytes a unit, and where in it the byte of an ASCII character stands.
    width: usize,
    place: usize,
    level: Level,
}

impl Candidates {
    pub(crate) fn new(shape: Shape, anchors: Anchors) -> Candidates {
        let (width, place) = match shape {
            Shape::Wide { width, big } => (width, if big { width - 1 } else { 0 }),
            Shape::Utf8 | Shape::Single | Shape::Multi | Shape::Stateful => (1, 0),
        };
        Candidates { anchors, shape, width, place, level: Level::best() }
    }

    pub(crate) fn level(&self) -> Level {
        self.level
    }

    /// Whether dots of any kind are candidates (UTS #58 to the letter).
    pub(crate) fn is_standard(&self) -> bool {
        self.anchors.ideographic
    }

    /// The bytes of one ASCII character.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// The first candidate at or after `from`, and where it starts; offsets in
    /// `bytes`, whose first byte stands at the absolute offset `base`.
    #[inline(always)]
    pub(crate) fn next(&self, bytes: &[u8], base: u64, from: usize) -> Option<(usize, Anchor)> {
        match self.shape {
            _ if self.anchors.ideographic => self.next_standard(bytes, base, from),
            Shape::Wide { width, big } => self.next_unit((width, big), bytes, base, from),
            _ => self.next_by::<Bytes>(bytes, from),
        }
    }

    /// The same in UTF-16 and UTF-32.
    #[inline(never)]
    fn next_unit(
        &self,
        (width, big): (usize, bool),
        bytes: &[u8],
        base: u64,
        from: usize,
    ) -> Option<(usize, Anchor)> {
        let from = from + (base + from as u64).wrapping_neg() as usize % width;
        match (width, big) {
            (2, true) => self.next_by::<Big>(bytes, from),
            (2, false) => self.next_by::<Little>(bytes, from),
            _ => (from..bytes.len())
                .step_by(width)
                .find_map(|at| self.anchor(width, bytes, at).map(|anchor| (at, anchor))),
        }
    }

    /// Whether a candidate stands in `bytes` at or after `from`: as
    /// [`Candidates::next`], and quick where they are few.
    #[inline]
    pub(crate) fn is_worth(&self, bytes: &[u8], base: u64, from: usize) -> bool {
        let rest = &bytes[from..];
        let some = match self.anchors {
            Anchors { ideographic: true, .. } => return true,
            Anchors { dot: true, .. } => memchr::memchr3(b':', b'.', b'@', rest).is_some(),
            Anchors { at: true, .. } => memchr::memchr2(b':', b'@', rest).is_some(),
            _ => memchr::memchr(b':', rest).is_some(),
        };
        some && self.next(bytes, base, from).is_some()
    }

    #[inline(always)]
    fn next_by<L: Layout>(&self, bytes: &[u8], from: usize) -> Option<(usize, Anchor)> {
        match self.anchors {
            Anchors { dot: true, .. } => self.next_of::<L, All>(bytes, from),
            Anchors { at: true, .. } => self.next_of::<L, ColonAt>(bytes, from),
            _ => self.next_of::<L, Colon>(bytes, from),
        }
    }

    #[inline(always)]
    fn next_of<L: Layout, W: Wanted>(&self, bytes: &[u8], from: usize) -> Option<(usize, Anchor)> {
        let accept = |at| self.is_anchor::<L>(bytes, at);
        let at = find::find::<L, W>(self.level, bytes, from, accept)?;
        let anchor = match bytes[at + self.place] {
            b':' => Anchor::Colon,
            b'.' => Anchor::Dot,
            _ => Anchor::At,
        };
        Some((at, anchor))
    }

    /// Whether a hit of the vectors may be an anchor.
    // A call of its own leaves the registers to their loop.
    #[inline(never)]
    fn is_anchor<L: Layout>(&self, bytes: &[u8], at: usize) -> bool {
        self.anchor(L::WIDTH, bytes, at).is_some()
    }

    /// What stands at `at`, if it may be an anchor; units have `width` bytes.
    #[inline(always)]
    fn anchor(&self, width: usize, bytes: &[u8], at: usize) -> Option<Anchor> {
        match self.ascii_by(width, bytes, at)? {
            b':' if self.anchors.colon && self.is_colon(width, bytes, at) => Some(Anchor::Colon),
            b'.' if self.anchors.dot && (width > 1 || self.is_dot(bytes, at)) => Some(Anchor::Dot),
            b'@' if self.anchors.at && (width > 1 || self.is_at(bytes, at)) => Some(Anchor::At),
            _ => None,
        }
    }

    /// By UTS #58: dots, and `@`.
    #[inline(never)]
    fn next_standard(&self, bytes: &[u8], base: u64, from: usize) -> Option<(usize, Anchor)> {
        if self.width > 1 {
            return self.next_wide(bytes, base, from);
        }
        let rest = bytes.get(from..)?;
        memchr::memchr3_iter(b'.', b'@', 0xE3, rest).map(|i| from + i).find_map(|at| {
            match bytes[at] {
                0xE3 => match &bytes[at..] {
                    [_, 0x80, 0x82, ..] | [_] | [_, 0x80] => Some((at, Anchor::Dot)),
                    _ => None,
                },
                _ => self.anchor(1, bytes, at).map(|anchor| (at, anchor)),
            }
        })
    }

    /// Whether the `:` at `at` may belong to a scheme.
    #[inline(always)]
    fn is_colon(&self, width: usize, bytes: &[u8], at: usize) -> bool {
        if width == 1 {
            return self.is_scheme(bytes, at);
        }
        // What stands around, a byte a unit.
        let from = at.saturating_sub(3 * width);
        let near = &bytes[from..bytes.len().min(at + 3 * width)];
        let mut narrow = [0; 6];
        let mut len = 0;
        // A unit that is not all there yet is none.
        for (unit, place) in near.chunks_exact(width).zip(&mut narrow) {
            *place = self.ascii_by(width, unit, 0).unwrap_or(0xFF);
            len += 1;
        }
        self.is_scheme(&narrow[..len], (at - from) / width)
    }

    #[inline(always)]
    fn is_scheme(&self, bytes: &[u8], at: usize) -> bool {
        // `/a://`: most of what is hostile, and no scheme.
        let alone = |b: u8| matches!(b, b'/' | b' ' | b'\n' | b'"' | b'(' | b':');
        let letter = at >= 2 && alone(bytes[at - 2]) && !self.anchors.letter;
        !letter && is_plausible(bytes, at)
    }

    /// Whether labels may stand on both sides of the `.` at `at`.
    #[inline(always)]
    fn is_dot(&self, bytes: &[u8], at: usize) -> bool {
        // By UTS #58 a name may have dots in a row, and then is none.
        let standard = self.anchors.ideographic;
        let before = at.checked_sub(1).is_some_and(|i| {
            // Any byte may end a character of two.
            is_label(&bytes[i]) || self.shape == Shape::Multi
        });
        standard || before && may_end_host(bytes, at)
    }

    /// Whether an address may stand round the `@` at `at`.
    #[inline(never)]
    fn is_at(&self, bytes: &[u8], at: usize) -> bool {
        // By UTS #58 the domain behind an "@" is none's, even if no address is there.
        let standard = self.anchors.ideographic;
        let before = || match bytes[..at] {
            [.., a, b] => address::may_end_local(b) || a >= 0x80 && self.shape == Shape::Multi,
            [b] => address::may_end_local(b),
            [] => false,
        };
        standard || before() && may_be_domain(&bytes[at + 1..])
    }

    fn next_wide(&self, bytes: &[u8], base: u64, from: usize) -> Option<(usize, Anchor)> {
        let aligned = |at: usize| (base + at as u64).is_multiple_of(self.width as u64);
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

    /// The ASCII character whose unit starts at `at`; any byte, if it is one.
    #[inline(always)]
    pub(crate) fn ascii(&self, bytes: &[u8], at: usize) -> Option<u8> {
        self.ascii_by(self.width, bytes, at)
    }

    /// The same in units of `width` bytes, which most callers know at compile time.
    #[inline(always)]
    fn ascii_by(&self, width: usize, bytes: &[u8], at: usize) -> Option<u8> {
        if width == 1 {
            return bytes.get(at).copied();
        }
        let unit = bytes.get(at..at + width)?;
        let zeros = unit.iter().enumerate().all(|(i, b)| i == self.place || *b == 0);
        zeros.then_some(unit[self.place])
    }
}

/// The longest label, in characters, whose end is waited for before it is judged.
pub(crate) const LABEL_MAX: usize = 63;

/// Whether a host may end with the label behind the `.` at `at`, or `www` and digits
/// stand before it, which make a host of whatever follows.
#[inline(always)]
fn may_end_host(bytes: &[u8], at: usize) -> bool {
    match bytes[at - 1] {
        b'w' | b'W' | b'0'..=b'9' => may_end_www_host(bytes, at),
        _ => may_be_last_label(&bytes[at + 1..]),
    }
}

/// The same behind what `www` may end with: most dots are spared the call.
#[cold]
#[inline(never)]
fn may_end_www_host(bytes: &[u8], at: usize) -> bool {
    swar::ends_with_www(&bytes[..at]) || may_be_last_label(&bytes[at + 1..])
}

/// Whether the last label of a host may stand at the start of `rest`: most dots stand
/// before a word that is no top-level domain.
#[inline(always)]
fn may_be_last_label(rest: &[u8]) -> bool {
    match rest.first() {
        // No top-level domain begins with a digit; most dots stand in numbers.
        Some(b'a'..=b'z' | b'A'..=b'Z') => {
            let len = swar::alphanumerics(rest);
            match rest.get(len) {
                // Nobody waits for the end of a longer one.
                _ if len > LABEL_MAX => true,
                // Another dot is behind it, or no label.
                Some(b'.') => !rest.get(len + 1).is_some_and(u8::is_ascii_alphanumeric),
                Some(b'_') => false,
                Some(b'-' | 0x80..) | None => true,
                _ => top_level::ascii_tld(rest, len).is_some(),
            }
        }
        Some(0x80..) | None => true,
        Some(_) => false,
    }
}

/// Whether `bytes`, which stand behind an `@`, may begin with the domain of an
/// address, by the first of them: it has a dot, and no `_`.
fn may_be_domain(bytes: &[u8]) -> bool {
    for (i, b) in bytes.iter().take(4).enumerate() {
        match b {
            b if b.is_ascii_alphanumeric() => {}
            b'-' if i > 0 => {}
            b'.' => return i > 0,
            _ => return !b.is_ascii(),
        }
    }
    true
}

/// Whether a label may hold `b`, or a character that it is part of.
fn is_label(b: &u8) -> bool {
    b.is_ascii_alphanumeric() || *b >= 0x80
}

/// Whether the `:` at `at` of an ISO-2022-JP stream may belong to a scheme. An
/// escape sequence may stand between any two of its letters.
pub(crate) fn is_plausible_shifted(bytes: &[u8], at: usize) -> bool {
    let near = &bytes[at.saturating_sub(8)..(at + 4).min(bytes.len())];
    near.contains(&0x1B) || is_plausible(bytes, at)
}

/// Whether the `:` at `at` may belong to a scheme, by its neighbours.
#[inline(always)]
pub(crate) fn is_plausible(bytes: &[u8], at: usize) -> bool {
    if !at.checked_sub(1).is_some_and(|i| bytes[i].is_ascii_alphanumeric()) {
        return false;
    }
    match &bytes[at + 1..] {
        [b'/', b'/', ..] | [b'/'] | [] => true,
        [..=0x20, ..] => false,
        _ => OPAQUE_LAST >> (bytes[at - 1] & 31) & 1 == 1 && ends_opaque(&bytes[..at]),
    }
}

/// Whether `before` may end with a scheme that works without `//`.
#[inline(never)]
fn ends_opaque(before: &[u8]) -> bool {
    before.last_chunk().is_some_and(|end| OPAQUE_ENDS.contains(&end.map(|b| b | 0x20)))
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
