//! Raw candidates: bytes that may be the `:` of a scheme.
//!
//! Knows bytes and nothing of characters. It errs in one direction only: an
//! offset it returns may be no candidate at all (a trail byte, a time of day),
//! but no `:` with a scheme before it is left out. What is never a candidate:
//! a `:` whose neighbour before it is no ASCII letter or digit byte, since
//! every scheme that counts ends in one, and a `:` that neither `//` follows nor
//! the end of a scheme precedes that works without.

use crate::{charset::Shape, syntax::scheme::COMMON};

/// Finds raw candidates in the bytes of one charset shape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prefilter {
    /// Bytes a unit, and where in it the byte of an ASCII character stands.
    width: usize,
    place: usize,
}

impl Prefilter {
    pub(crate) fn new(shape: Shape) -> Prefilter {
        match shape {
            Shape::Wide { width, big } => {
                Prefilter { width, place: if big { width - 1 } else { 0 } }
            }
            Shape::Utf8 | Shape::Single | Shape::Multi | Shape::Stateful => {
                Prefilter { width: 1, place: 0 }
            }
        }
    }

    /// The bytes of one ASCII character.
    pub(crate) fn width(self) -> usize {
        self.width
    }

    /// Where the first candidate at or after `from` starts; offsets in `bytes`,
    /// whose first byte stands at the absolute offset `base`.
    #[inline]
    pub(crate) fn next(self, bytes: &[u8], base: u64, from: usize) -> Option<usize> {
        if self.width == 1 {
            return memchr::memchr_iter(b':', bytes.get(from..)?)
                .map(|i| from + i)
                .find(|&at| is_plausible(bytes, at));
        }
        memchr::memchr_iter(b':', bytes.get(from..)?).map(|i| from + i).find_map(|hit| {
            let at = hit.checked_sub(self.place).filter(|at| *at >= from)?;
            let aligned = (base + at as u64).is_multiple_of(self.width as u64);
            (aligned && self.ascii(bytes, at)? == b':').then_some(())?;
            let before = self.ascii(bytes, at.checked_sub(self.width)?)?;
            before.is_ascii_alphanumeric().then_some(at)
        })
    }

    /// The ASCII character whose unit starts at `at`.
    fn ascii(self, bytes: &[u8], at: usize) -> Option<u8> {
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
            at >= 3 && {
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

/// How many schemes work without `//`.
const OPAQUE: usize = {
    let (mut i, mut n) = (0, 0);
    while i < COMMON.len() {
        n += COMMON[i].1.is_opaque() as usize;
        i += 1;
    }
    n
};
