//! Anchors: bytes that may be the `:` of a scheme, the `.` of a name or the `@` of an address.
//!
//! Bytes go in, offsets come out; characters are not decoded. An offset may be wrong (a second byte
//! of a character, a time of day), but no anchor of a link is left out. In prose, never reported
//! are: a `:` without an ASCII letter or digit before it, because every scheme ends in one; a `:`
//! followed by no `//`, unless a scheme that works without `//` ends before it; a `.` without a label
//! after it; an `@` with nothing before it or no label after it.

use super::rules::{Anchors, Others};
use crate::{
    charset::Shape,
    data::{schemes::COMMON, top_level},
    grammar::{address, types::Anchor},
    simd::{
        find, swar,
        types::{All, Big, Bytes, Colon, ColonAt, Layout, Level, Little, Wanted},
    },
};

/// Finds anchors in the bytes of one charset shape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AnchorSearch {
    anchors: Anchors,
    shape: Shape,
    /// Bytes a unit, and which of them holds an ASCII character.
    width: usize,
    place: usize,
    level: Level,
}

impl AnchorSearch {
    pub(crate) fn new(shape: Shape, anchors: Anchors) -> AnchorSearch {
        let (width, place) = match shape {
            Shape::Wide { width, big } => (width, if big { width - 1 } else { 0 }),
            Shape::Utf8 | Shape::Single | Shape::Multi | Shape::Stateful => (1, 0),
        };
        AnchorSearch { anchors, shape, width, place, level: anchors.level }
    }

    pub(crate) fn level(&self) -> Level {
        self.level
    }

    /// True if dots of any kind are candidates (UTS #58 to the letter).
    pub(crate) fn is_standard(&self) -> bool {
        self.anchors.others == Others::IdeographicStop
    }

    /// How many bytes an ASCII character has.
    #[inline(always)]
    pub(crate) fn width(&self) -> usize {
        if cfg!(iriscan_strings) { 1 } else { self.width }
    }

    /// Which byte of a unit holds an ASCII character.
    #[inline(always)]
    fn place(&self) -> usize {
        if cfg!(iriscan_strings) { 0 } else { self.place }
    }

    #[inline(always)]
    fn shape(&self) -> Shape {
        if cfg!(iriscan_strings) { Shape::Utf8 } else { self.shape }
    }

    /// The first candidate at or after `from`, as an offset in `bytes`, and its kind. `base` is the
    /// absolute offset of the first byte.
    #[inline(always)]
    pub(crate) fn next(&self, bytes: &[u8], base: u64, from: usize) -> Option<(usize, Anchor)> {
        match self.shape() {
            _ if self.anchors.others != Others::None => self.next_other(bytes, base, from),
            Shape::Wide { width, big } => self.next_unit((width, big), bytes, base, from),
            _ => self.next_by::<Bytes>(bytes, from),
        }
    }

    /// As [`AnchorSearch::next`], where a unit is a byte and no other anchors are looked for.
    #[inline(always)]
    pub(crate) fn next_of_bytes(&self, bytes: &[u8], from: usize) -> Option<(usize, Anchor)> {
        match self.anchors {
            Anchors { dot: true, .. } => self.next_of::<Bytes, All>(bytes, from),
            Anchors { at: true, .. } => self.next_of::<Bytes, ColonAt>(bytes, from),
            _ => self.next_of::<Bytes, Colon>(bytes, from).map(|(at, _)| (at, Anchor::Colon)),
        }
    }

    /// As [`AnchorSearch::next`], in UTF-16 and UTF-32.
    #[inline(never)]
    fn next_unit(
        &self,
        (width, big): (usize, bool),
        bytes: &[u8],
        base: u64,
        from: usize,
    ) -> Option<(usize, Anchor)> {
        let from = aligned(width, base, from);
        match (width, big) {
            (2, true) => self.next_by::<Big>(bytes, from),
            (2, false) => self.next_by::<Little>(bytes, from),
            _ => (from..bytes.len())
                .step_by(width)
                .find_map(|at| self.anchor(width, bytes, at).map(|anchor| (at, anchor))),
        }
    }

    /// True if the byte at `at` may be an anchor, where a unit is a byte.
    #[inline]
    pub(crate) fn is_anchor_at(&self, bytes: &[u8], at: usize) -> bool {
        self.is_anchor::<Bytes>(bytes, at)
    }

    /// True if there is a candidate in `bytes` at or after `from`. Faster than [`AnchorSearch::next`]
    /// where there are few.
    #[inline]
    pub(crate) fn is_worth(&self, bytes: &[u8], base: u64, from: usize) -> bool {
        self.anchors.others != Others::None
            || self.anchors.may_be_in(&bytes[from..]) && self.next(bytes, base, from).is_some()
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
        let anchor = match bytes[at + if L::WIDTH == 1 { 0 } else { self.place() }] {
            b':' => Anchor::Colon,
            b'.' => Anchor::Dot,
            _ => Anchor::At,
        };
        Some((at, anchor))
    }

    /// True if a byte that the block search let through may be an anchor.
    // Not inlined, so that the loop keeps its registers.
    #[inline(never)]
    fn is_anchor<L: Layout>(&self, bytes: &[u8], at: usize) -> bool {
        self.anchor(L::WIDTH, bytes, at).is_some()
    }

    /// The kind of anchor at `at`, if it may be one. Units have `width` bytes.
    #[inline(always)]
    fn anchor(&self, width: usize, bytes: &[u8], at: usize) -> Option<Anchor> {
        match self.ascii_by(width, bytes, at)? {
            b':' if self.anchors.colon && self.is_colon(width, bytes, at) => Some(Anchor::Colon),
            b'.' if self.anchors.dot && (width > 1 || self.is_dot(bytes, at)) => Some(Anchor::Dot),
            b'@' if self.anchors.at && (width > 1 || self.is_at(bytes, at)) => Some(Anchor::At),
            _ => None,
        }
    }

    /// As [`AnchorSearch::next`], where other anchors are looked for too.
    #[inline(never)]
    fn next_other(&self, bytes: &[u8], base: u64, from: usize) -> Option<(usize, Anchor)> {
        match self.anchors.others {
            Others::Ip => self.next_of_ip(bytes, base, from),
            _ => self.next_standard(bytes, base, from),
        }
    }

    /// As above, of IP addresses too.
    fn next_of_ip(&self, bytes: &[u8], base: u64, from: usize) -> Option<(usize, Anchor)> {
        let accept = |at| match self.is_of_ip(bytes, at) {
            true => Some((at, Anchor::Ip)),
            false => self.ordinary(bytes, at).map(|anchor| (at, anchor)),
        };
        if self.width() > 1 {
            let width = self.width();
            let from = aligned(width, base, from);
            return (from..bytes.len()).step_by(width).find_map(accept);
        }
        let rest = bytes.get(from..)?;
        memchr::memchr3_iter(b':', b'.', b'@', rest).find_map(|i| accept(from + i))
    }

    /// The anchor at `at`, if it is not that of an IP address.
    pub(crate) fn ordinary(&self, bytes: &[u8], at: usize) -> Option<Anchor> {
        self.anchor(self.width(), bytes, at)
    }

    /// True if the character at `at` may be the first `.` or `:` of an IP address.
    fn is_of_ip(&self, bytes: &[u8], at: usize) -> bool {
        let unit = |at: usize| self.ascii(bytes, at);
        let before = at.checked_sub(self.width()).and_then(unit);
        let rest = &bytes[(at + self.width()).min(bytes.len())..];
        let after = self.ascii(rest, 0);
        let is_cut = rest.len() < self.width();
        match unit(at) {
            Some(b'.') => {
                before.is_some_and(|b| b.is_ascii_digit())
                    && (is_cut || after.is_some_and(|b| b.is_ascii_digit()))
            }
            Some(b':') => match before {
                Some(b) if b.is_ascii_hexdigit() => {
                    is_cut || after.is_some_and(|b| b.is_ascii_hexdigit() || b == b':')
                }
                _ => is_cut || after == Some(b':'),
            },
            _ => false,
        }
    }

    /// As above, by UTS #58: dots, and `@`.
    fn next_standard(&self, bytes: &[u8], base: u64, from: usize) -> Option<(usize, Anchor)> {
        if self.width() > 1 {
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

    /// True if the `:` at `at` may belong to a scheme.
    #[inline(always)]
    fn is_colon(&self, width: usize, bytes: &[u8], at: usize) -> bool {
        if width == 1 {
            return self.is_scheme(bytes, at);
        }
        // The units around it, one byte each.
        let from = at.saturating_sub(3 * width);
        let near = &bytes[from..bytes.len().min(at + 3 * width)];
        let mut narrow = [0; 6];
        let mut len = 0;
        // A unit that is cut off does not count.
        for (unit, place) in near.chunks_exact(width).zip(&mut narrow) {
            *place = self.ascii_by(width, unit, 0).unwrap_or(0xFF);
            len += 1;
        }
        self.is_scheme(&narrow[..len], (at - from) / width)
    }

    #[inline(always)]
    fn is_scheme(&self, bytes: &[u8], at: usize) -> bool {
        // `/a://` is no scheme, and most of some hostile texts.
        let alone = |b: u8| matches!(b, b'/' | b' ' | b'\n' | b'"' | b'(' | b':');
        let letter = at >= 2 && alone(bytes[at - 2]) && !self.anchors.letter;
        !letter && (is_plausible(bytes, at) || self.anchors.named && is_after_name(bytes, at))
    }

    /// True if labels may be on both sides of the `.` at `at`.
    #[inline(always)]
    fn is_dot(&self, bytes: &[u8], at: usize) -> bool {
        // By UTS #58 a name may have dots in a row (and then is no host).
        let standard = self.is_standard();
        let before = at.checked_sub(1).is_some_and(|i| {
            // Any byte may be the second of a character.
            is_label(&bytes[i]) || self.shape() == Shape::Multi
        });
        standard || before && may_end_host(bytes, at)
    }

    /// True if an address may be around the `@` at `at`.
    #[inline(never)]
    fn is_at(&self, bytes: &[u8], at: usize) -> bool {
        // By UTS #58 the domain after an "@" is no host, even if there is no address.
        let standard = self.is_standard();
        let before = || match bytes[..at] {
            // JSON has more keys that begin with an "@" (`"@type"`) than addresses with a quoted local part.
            [.., _, b'"'] => !is_label_alone(&bytes[at + 1..]),
            [.., a, b] => address::may_end_local(b) || a >= 0x80 && self.shape() == Shape::Multi,
            [b] => address::may_end_local(b),
            [] => false,
        };
        standard || before() && may_be_domain(&bytes[at + 1..])
    }

    fn next_wide(&self, bytes: &[u8], base: u64, from: usize) -> Option<(usize, Anchor)> {
        let aligned = |at: usize| (base + at as u64).is_multiple_of(self.width() as u64);
        let first = (from..from + self.width()).find(|at| aligned(*at))?;
        (first..bytes.len()).step_by(self.width()).find_map(|at| {
            let unit = bytes.get(at..at + self.width())?;
            let full_stop = |low: u8, high: u8| {
                let (first, second) =
                    if self.place() == 0 { (0, 1) } else { (self.width() - 1, self.width() - 2) };
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

    /// The ASCII character of the unit that starts at `at`; any byte if units are bytes.
    #[inline(always)]
    pub(crate) fn ascii(&self, bytes: &[u8], at: usize) -> Option<u8> {
        self.ascii_by(self.width(), bytes, at)
    }

    /// The same for units of `width` bytes, which most callers know at compile time.
    #[inline(always)]
    fn ascii_by(&self, width: usize, bytes: &[u8], at: usize) -> Option<u8> {
        if width == 1 {
            return bytes.get(at).copied();
        }
        let unit = bytes.get(at..at + width)?;
        let zeros = unit.iter().enumerate().all(|(i, b)| i == self.place() || *b == 0);
        zeros.then_some(unit[self.place()])
    }
}

/// Where the first unit begins at or after `from`.
#[inline(always)]
fn aligned(width: usize, base: u64, from: usize) -> usize {
    from + (base + from as u64).wrapping_neg() as usize % width
}

/// The longest label, in characters, whose end the machine waits for.
pub(crate) const LABEL_MAX: usize = 63;

/// True if a host may end with the label after the `.` at `at`, or if `www` and digits come before
/// it: after these any label may be the last.
#[inline(always)]
fn may_end_host(bytes: &[u8], at: usize) -> bool {
    match bytes[at - 1] {
        b'w' | b'W' | b'0'..=b'9' => may_end_www_host(bytes, at),
        _ => may_be_last_label(&bytes[at + 1..]),
    }
}

/// The same after a byte that `www` may end with. Most dots do not need this call.
#[cold]
#[inline(never)]
fn may_end_www_host(bytes: &[u8], at: usize) -> bool {
    swar::ends_with_www(&bytes[..at]) || may_be_last_label(&bytes[at + 1..])
}

/// True if the last label of a host may be at the start of `rest`. Most dots come before a word
/// that is no top-level domain.
#[inline(always)]
fn may_be_last_label(rest: &[u8]) -> bool {
    match rest.first() {
        // No top-level domain begins with a digit, and most dots are in numbers.
        Some(b'a'..=b'z' | b'A'..=b'Z') => {
            let len = swar::alphanumerics(rest);
            match rest.get(len) {
                // The machine does not wait for the end of a longer one.
                _ if len > LABEL_MAX => true,
                // Another dot follows it, or it is no label.
                Some(b'.') => !rest.get(len + 1).is_some_and(u8::is_ascii_alphanumeric),
                // Emphasis may follow it.
                Some(b'_') => {
                    let after = rest[len..].iter().find(|b| **b != b'_');
                    !after.is_some_and(u8::is_ascii_alphanumeric)
                        && top_level::ascii_tld(rest, len).is_some()
                }
                Some(b'-' | 0x80..) | None => true,
                _ => top_level::ascii_tld(rest, len).is_some(),
            }
        }
        Some(0x80..) | None => true,
        Some(_) => false,
    }
}

/// True if `bytes`, which follow an `@`, may begin with the domain of an address. Reads a few
/// bytes: a dot must come, and no `_`.
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

/// True if `bytes` begin with a label of ASCII that no other label follows.
#[cold]
fn is_label_alone(bytes: &[u8]) -> bool {
    let is_label = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
    let end = bytes.iter().take(LABEL_MAX + 1).find(|b| !is_label(b));
    end.is_some_and(|b| *b != b'.' && b.is_ascii())
}

/// True if a label may hold `b`, or a character that `b` is part of.
fn is_label(b: &u8) -> bool {
    b.is_ascii_alphanumeric() || *b >= 0x80
}

/// True if the `:` at `at` may belong to a scheme, by the bytes next to it.
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

/// True if the `:` at `at` may belong to a scheme of any name, which needs no `//`.
#[cold]
fn is_after_name(bytes: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).is_some_and(|i| bytes[i].is_ascii_alphanumeric());
    before && bytes.get(at + 1).is_none_or(|b| *b > b' ')
}

/// True if `before` may end with a scheme that works without `//`.
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

/// One bit for the last letter of each, by its lowest five bits. Most colons are in times and after
/// names of fields.
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
