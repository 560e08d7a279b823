//! Blocks of 64 bytes: sets of bytes in a block, and bytes with certain neighbours.
//!
//! Takes bytes, gives offsets and bit masks. Knows nothing of links or charsets. The searches are
//! written once, over the traits of [`vector`], which are implemented for AVX2, AVX-512BW (sorting
//! only), SSE2, NEON, WebAssembly and integers; [`level`] chooses at run time, and the tests hold all
//! that the machine has against a loop over single bytes. `x86`, `neon` and `wasm` are the files with
//! `unsafe`.

mod blocks;
pub(crate) mod find;
mod integer;
pub(crate) mod level;
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
mod neon;
pub(crate) mod sets;
pub(crate) mod sort;
pub(crate) mod swar;
pub(crate) mod types;
mod vector;
mod wanted;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm;
#[cfg(target_arch = "x86_64")]
mod x86;
