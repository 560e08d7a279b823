//! Random numbers that depend on the seed alone.

/// A generator of random numbers (splitmix64).
pub(crate) struct Random(u64);

impl Random {
    /// The generator number `number` of a seed.
    pub(crate) fn new(seed: u64, number: u64) -> Random {
        let mut random = Random(seed);
        random.0 = random.next() ^ number.wrapping_mul(0xD134_2543_DE82_EF95);
        random
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn choose<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// The sizes of chunks, most of them small.
    pub(crate) fn sizes(&mut self) -> Vec<usize> {
        let count = 1 + self.below(5);
        let size = |random: &mut Random| match random.below(9) {
            0..6 => 1 + random.below(8),
            6..8 => 9 + random.below(70),
            _ => 200 + random.below(400),
        };
        (0..count).map(|_| size(self)).collect()
    }
}
