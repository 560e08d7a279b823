//! Blocks of 64 bytes: sets of bytes in a block, and bytes with certain neighbours.
//!
//! Takes bytes, gives offsets and bit masks. Knows nothing of links or charsets. Every search
//! has a portable version and one for AVX2 (some for AVX-512BW); [`level`] chooses at run time, and
//! the tests hold all of them against a loop over single bytes. `x86` is the one file with
//! `unsafe`.

pub(crate) mod find;
pub(crate) mod level;
pub(crate) mod sets;
pub(crate) mod sort;
pub(crate) mod swar;
pub(crate) mod types;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod x86;
