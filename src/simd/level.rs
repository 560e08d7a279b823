//! The choice of instructions: at run time, once for each search.

use super::{
    integer::Integer,
    types::{Level, Work},
};

impl Level {
    /// The best that this machine has.
    pub(crate) fn best() -> Level {
        Level::available().next_back().unwrap_or(Level::Integer(Integer))
    }

    /// What this machine has, the best last.
    pub(crate) fn available() -> impl DoubleEndedIterator<Item = Level> {
        [
            Some(Level::Integer(Integer)),
            #[cfg(target_arch = "x86_64")]
            Some(Level::Sse2(super::x86::Sse2)),
            #[cfg(all(feature = "std", target_arch = "x86_64"))]
            super::x86::Avx2::detect().map(Level::Avx2),
            #[cfg(all(feature = "std", target_arch = "x86_64"))]
            super::x86::Avx512::detect().map(Level::Avx512),
            #[cfg(all(
                target_arch = "aarch64",
                target_endian = "little",
                target_feature = "neon"
            ))]
            Some(Level::Neon(super::neon::Neon)),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Some(Level::Simd128(super::wasm::Simd128)),
        ]
        .into_iter()
        .flatten()
    }

    /// What `work` gives, compiled for this machine.
    #[inline(always)]
    pub(crate) fn run<W: Work>(self, work: W) -> W::Out {
        match self {
            #[cfg(all(feature = "std", target_arch = "x86_64"))]
            Level::Avx2(avx2) => avx2.run(work),
            #[cfg(all(feature = "std", target_arch = "x86_64"))]
            Level::Avx512(avx512) => avx512.run(work),
            // What the others are is in every function.
            _ => work.run(self),
        }
    }
}
