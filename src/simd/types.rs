//! The instructions of a machine, and what is compiled for them.

use super::integer::Integer;
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
use super::neon::Neon;
pub(crate) use super::wanted::*;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use super::wasm::Simd128;
#[cfg(target_arch = "x86_64")]
use super::x86::Sse2;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
use super::x86::{Avx2, Avx512};

/// The instructions that block searches use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Level {
    Integer(Integer),
    #[cfg(target_arch = "x86_64")]
    Sse2(Sse2),
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    Avx2(Avx2),
    /// AVX-512BW for sorting blocks, AVX2 for all else.
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    Avx512(Avx512),
    #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
    Neon(Neon),
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128(Simd128),
}

/// A computation that [`Level::run`] compiles for each level. (A closure would be compiled for all
/// of them.)
pub(crate) trait Work {
    type Out;

    /// Must be inlined into the caller. `level` is the one that it is compiled for.
    fn run(self, level: Level) -> Self::Out;
}
