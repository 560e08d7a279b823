//! The choice of instructions: at run time, once for each search.

use super::types::{Level, Work};

impl Level {
    /// The best that this machine has.
    pub(crate) fn best() -> Level {
        Level::available().next_back().unwrap_or(Level::Portable)
    }

    /// What this machine has, the best last.
    pub(crate) fn available() -> impl DoubleEndedIterator<Item = Level> {
        #[cfg(all(feature = "std", target_arch = "x86_64"))]
        let [avx2, avx512] = [
            crate::simd::x86::is_avx2().then_some(Level::Avx2),
            crate::simd::x86::is_avx512().then_some(Level::Avx512),
        ];
        #[cfg(not(all(feature = "std", target_arch = "x86_64")))]
        let [avx2, avx512] = [None, None];
        [Some(Level::Portable), avx2, avx512].into_iter().flatten()
    }
}

impl Level {
    /// What `work` gives, compiled for this machine.
    #[inline(always)]
    pub(crate) fn run<W: Work>(self, work: W) -> W::Out {
        match self {
            Level::Portable => work.run(self),
            #[cfg(all(feature = "std", target_arch = "x86_64"))]
            Level::Avx2 => crate::simd::x86::run_avx2(work),
            #[cfg(all(feature = "std", target_arch = "x86_64"))]
            Level::Avx512 => crate::simd::x86::run_avx512(work),
        }
    }
}
