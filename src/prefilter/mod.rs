//! Raw candidates: bytes that may be the `:` of a scheme.
//!
//! Knows bytes and nothing of characters. It errs in one direction only: an
//! offset it returns may be no candidate at all (a trail byte, a time of day),
//! but no `:` with a scheme before it is left out. What is never a candidate:
//! a `:` whose neighbour before it is no ASCII letter or digit byte, since
//! every scheme that counts ends in one, and a `:` with white space behind it.

use crate::charset::Shape;

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
            return memchr::memchr_iter(b':', bytes.get(from..)?).map(|i| from + i).find(|&at| {
                let before = at.checked_sub(1).is_some_and(|b| bytes[b].is_ascii_alphanumeric());
                before && bytes.get(at + 1).is_none_or(|b| *b > 0x20)
            });
        }
        memchr::memchr_iter(b':', bytes.get(from..)?).map(|i| from + i).find_map(|hit| {
            let at = hit.checked_sub(self.place).filter(|at| *at >= from)?;
            let aligned = (base + at as u64) % self.width as u64 == 0;
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
