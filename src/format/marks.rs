//! Where the next byte of some set stands, asked for again and again, and forwards.
//!
//! Each block of bytes is sorted once, into all sets; where a machine cannot, its
//! bytes are looked at one by one.

use crate::prefilter::{
    classes::{BLOCK, Set, members},
    vector::Level,
};

/// Where the characters of `N` sets stand in some bytes.
pub(super) struct Marks<'a, const N: usize> {
    level: Level,
    bytes: &'a [u8],
    sets: &'a [Set; N],
    /// Where the block begins that has been sorted, and what it holds.
    block: usize,
    masks: [u64; N],
}

impl<'a, const N: usize> Marks<'a, N> {
    #[inline]
    pub(super) fn new(level: Level, bytes: &'a [u8], sets: &'a [Set; N]) -> Marks<'a, N> {
        Marks { level, bytes, sets, block: usize::MAX, masks: [0; N] }
    }

    pub(super) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The first byte at or after `from` that is in a set; the end of the bytes, if none is.
    #[inline(always)]
    pub(super) fn next(&mut self, set: usize, from: usize) -> usize {
        // In the block at hand, mostly.
        let place = from.wrapping_sub(self.block);
        if place < BLOCK {
            let mask = self.masks[set] >> place;
            if mask != 0 {
                return from + mask.trailing_zeros() as usize;
            }
        }
        self.search(set, from)
    }

    #[inline(never)]
    fn search(&mut self, set: usize, from: usize) -> usize {
        let len = self.bytes.len();
        if self.level == Level::Portable {
            let rest = self.bytes.get(from..).unwrap_or_default();
            return rest.iter().position(|b| self.sets[set].has(*b)).map_or(len, |n| from + n);
        }
        let mut at = from;
        while at < len {
            let block = at - at % BLOCK;
            if block != self.block {
                self.sort(block);
            }
            let mask = self.masks[set] >> (at - block);
            if mask != 0 {
                return at + mask.trailing_zeros() as usize;
            }
            at = block + BLOCK;
        }
        len
    }

    #[inline]
    fn sort(&mut self, block: usize) {
        let rest = &self.bytes[block..];
        self.masks = match rest.first_chunk() {
            Some(whole) => members(self.level, whole, self.sets),
            None => {
                let mut part = [0; BLOCK];
                part[..rest.len()].copy_from_slice(rest);
                members(self.level, &part, self.sets)
            }
        };
        self.block = block;
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_byte_of_a_set_is_met(
            bytes in prop::collection::vec(prop::sample::select(&b"<>& x\x00\x80"[..]), 0..300),
            steps in prop::collection::vec(0..90usize, 1..20),
        ) {
            let sets = [Set::chars(b"<&"), Set::chars(b">")];
            for level in Level::available() {
                let mut marks = Marks::new(level, &bytes, &sets);
                let mut from = 0;
                for step in &steps {
                    let met: Vec<_> = [0, 1].map(|set| marks.next(set, from)).into();
                    let is = |wanted: &'static [u8]| {
                        let mut rest = from..bytes.len();
                        rest.find(|at| wanted.contains(&bytes[*at])).unwrap_or(bytes.len())
                    };
                    assert_eq!(met, [is(b"<&"), is(b">")], "{level:?} from {from}");
                    from += step;
                }
            }
        }
    }
}
