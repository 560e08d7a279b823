//! Places where a text can be divided, so that both halves can be scanned on their own.

use core::ops::Range;

use crate::charset::{Charset, Shape};

/// Where a text can be divided: at spaces within a line, and at empty lines. No link goes over such
/// a place, wrapped links neither, and the text before it does not matter to the text after it.
pub(crate) struct Dividing<'b> {
    bytes: &'b [u8],
    width: usize,
    place: usize,
}

impl<'b> Dividing<'b> {
    /// `None` if the meaning of a byte depends on all bytes before it.
    pub(crate) fn of(bytes: &'b [u8], charset: Charset) -> Option<Dividing<'b>> {
        let (width, place) = match charset.shape() {
            Shape::Stateful => return None,
            Shape::Wide { width, big } => (width, if big { width - 1 } else { 0 }),
            Shape::Utf8 | Shape::Single | Shape::Multi => (1, 0),
        };
        Some(Dividing { bytes, width, place })
    }

    pub(crate) fn ascii(&self, at: usize) -> Option<u8> {
        let unit = self.bytes.get(at..at + self.width)?;
        let zeros = unit.iter().enumerate().all(|(i, b)| i == self.place || *b == 0);
        zeros.then(|| unit[self.place])
    }

    /// The ASCII character `n` units before `at`.
    pub(crate) fn back(&self, at: usize, n: usize) -> Option<u8> {
        at.checked_sub(n * self.width).and_then(|at| self.ascii(at))
    }

    /// The last place in `range` that divides. Units must have one byte.
    pub(crate) fn last(&self, range: Range<usize>) -> Option<usize> {
        range.rev().find(|at| self.divides(*at))
    }

    /// The first place at or after `at` that divides and that `accepted` takes.
    pub(crate) fn next(&self, at: usize, accepted: impl Fn(usize) -> bool) -> Option<usize> {
        let divides = |at: &usize| self.divides(*at) && accepted(*at);
        if self.width > 1 {
            let from = at.checked_next_multiple_of(self.width)?;
            return (from..self.bytes.len()).step_by(self.width).find(divides);
        }
        let blanks = memchr::memchr2_iter(b' ', b'\n', self.bytes.get(at..)?);
        blanks.map(|blank| at + blank).find(divides)
    }

    /// True after `@link`.
    fn is_tag(&self, at: usize) -> bool {
        (1..).zip(b"knil@").all(|(n, c)| self.back(at, n) == Some(*c))
    }

    pub(crate) fn divides(&self, at: usize) -> bool {
        let blank = |c: Option<u8>| matches!(c, Some(b' ' | b'\t' | b'\r' | b'\n'));
        match self.ascii(at) {
            // Not at an end of a line, where a link may be wrapped, nor after a `>`, which may be a
            // quote mark, nor in `[[ http://…|label]]`, `{{ …}}` and `{@link …}` (case labels-after-bars).
            Some(b' ') => {
                let before = self.back(at, 1);
                at >= self.width
                    && !blank(before)
                    && !matches!(before, Some(b'>' | b'[' | b'{'))
                    && !self.is_tag(at)
                    && at + self.width < self.bytes.len()
                    && !blank(self.ascii(at + self.width))
            }
            Some(b'\n') => {
                self.back(at, 1) == Some(b'\n')
                    || self.back(at, 1) == Some(b'\r') && self.back(at, 2) == Some(b'\n')
            }
            _ => false,
        }
    }
}

/// The bytes that a link over `offset` can depend on: up to the nearest dividing places on both
/// sides.
pub(crate) fn neighbourhood(bytes: &[u8], offset: usize, charset: Charset) -> Range<usize> {
    let Some(text) = Dividing::of(bytes, charset) else { return 0..bytes.len() };
    let aligned = offset - offset % text.width;
    let divides = |at: &usize| text.divides(*at);
    let mut before = (0..aligned).step_by(text.width).rev();
    let start = before.find(divides).map_or(0, |at| at + text.width);
    let mut behind = (aligned..bytes.len()).step_by(text.width);
    start..behind.find(divides).unwrap_or(bytes.len())
}
