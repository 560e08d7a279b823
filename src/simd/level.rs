//! The choice of instructions: at run time, once for each search.

use super::{
    integer::Integer,
    types::{Level, Work},
};

#[cfg(all(feature = "std", target_arch = "x86_64"))]
use super::{
    vector::Task,
    x86::{Avx2, Avx512},
};

/// A [`Work`] as a [`Task`].
#[cfg(all(feature = "std", target_arch = "x86_64"))]
struct At<W>(W);

#[cfg(all(feature = "std", target_arch = "x86_64"))]
impl<W: Work> Task<Avx2> for At<W> {
    type Out = W::Out;

    #[inline(always)]
    fn run(self, avx2: Avx2) -> W::Out {
        self.0.run(Level::Avx2(avx2))
    }
}

#[cfg(all(feature = "std", target_arch = "x86_64"))]
impl<W: Work> Task<Avx512> for At<W> {
    type Out = W::Out;

    #[inline(always)]
    fn run(self, avx512: Avx512) -> W::Out {
        self.0.run(Level::Avx512(avx512))
    }
}

impl Level {
    /// The best that this machine has.
    pub(crate) fn best() -> Level {
        Level::available().next_back().expect("every machine should have a level")
    }

    /// What this machine has, the best last.
    pub(crate) fn available() -> impl DoubleEndedIterator<Item = Level> {
        [
            Integer::new().map(Level::Integer),
            #[cfg(target_arch = "x86_64")]
            Some(Level::Sse2(super::x86::Sse2)),
            #[cfg(all(feature = "std", target_arch = "x86_64"))]
            Avx2::detect().map(Level::Avx2),
            #[cfg(all(feature = "std", target_arch = "x86_64"))]
            Avx512::detect().map(Level::Avx512),
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
            Level::Avx2(avx2) => avx2.run(At(work)),
            #[cfg(all(feature = "std", target_arch = "x86_64"))]
            Level::Avx512(avx512) => avx512.run(At(work)),
            // What the others are is in every function.
            _ => work.run(self),
        }
    }
}
