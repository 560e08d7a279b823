//! The vectors of WebAssembly, where the module is compiled for them (`-Ctarget-feature=+simd128`).
//!
//! `unsafe` here: loads from arrays of the right length.

#![allow(unsafe_code)]

use core::arch::wasm32::*;

use super::{
    vector::{Loads, Neighbours, Tables, fits_before_by_table, fits_behind_by_table},
    wanted::Wanted,
};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Simd128;

impl Loads for Simd128 {
    type Vector = v128;

    const LEN: usize = 16;

    #[inline(always)]
    fn load(self, block: &[u8], at: usize) -> v128 {
        let bytes: &[u8; 16] = block[at..].first_chunk().expect("the block should have the vector");
        // SAFETY: the array has 16 bytes.
        unsafe { v128_load(bytes.as_ptr().cast()) }
    }

    #[inline(always)]
    fn splat(self, byte: u8) -> v128 {
        u8x16_splat(byte)
    }

    #[inline(always)]
    fn equal(self, left: v128, right: v128) -> u64 {
        self.mask(u8x16_eq(left, right))
    }
}

impl Tables for Simd128 {
    #[inline(always)]
    fn table(self, table: &[u8; 16]) -> v128 {
        self.load(table, 0)
    }

    #[inline(always)]
    fn lookup(self, table: v128, bytes: v128) -> v128 {
        // Indices from 16 on look up 0. The halves of an ASCII byte that do not count go.
        u8x16_swizzle(table, v128_and(bytes, u8x16_splat(0x8F)))
    }

    #[inline(always)]
    fn high(self, bytes: v128) -> v128 {
        u8x16_shr(bytes, 4)
    }

    #[inline(always)]
    fn common(self, left: v128, right: v128) -> u64 {
        self.mask(u8x16_ne(v128_and(left, right), u8x16_splat(0)))
    }

    #[inline(always)]
    fn common_of_three(self, [first, second, third]: [v128; 3]) -> u64 {
        self.common(v128_and(first, second), third)
    }
}

impl Neighbours for Simd128 {
    #[inline(always)]
    fn and(self, left: v128, right: v128) -> v128 {
        v128_and(left, right)
    }

    #[inline(always)]
    fn or(self, left: v128, right: v128) -> v128 {
        v128_or(left, right)
    }

    #[inline(always)]
    fn is(self, left: v128, right: v128) -> v128 {
        u8x16_eq(left, right)
    }

    #[inline(always)]
    fn at_least(self, left: v128, right: v128) -> v128 {
        u8x16_ge(left, right)
    }

    #[inline(always)]
    fn reach(self, bytes: v128, least: u8) -> v128 {
        u8x16_ge(bytes, u8x16_splat(least))
    }

    #[inline(always)]
    fn is_unit(self, units: v128, char: u8) -> v128 {
        u16x8_eq(units, u16x8_splat(char.into()))
    }

    #[inline(always)]
    fn reach_unit(self, units: v128, least: u8) -> v128 {
        u16x8_ge(units, u16x8_splat(least.into()))
    }

    #[inline(always)]
    fn swap(self, units: v128) -> v128 {
        v128_or(u16x8_shl(units, 8), u16x8_shr(units, 8))
    }

    #[inline(always)]
    fn mask(self, condition: v128) -> u64 {
        u64::from(u8x16_bitmask(condition))
    }

    #[inline(always)]
    fn fits_behind<W: Wanted>(self, here: v128, behind: v128) -> v128 {
        fits_behind_by_table::<Simd128, W>(self, here, behind)
    }

    #[inline(always)]
    fn fits_before<W: Wanted>(self, before: v128, here: v128, behind: v128) -> v128 {
        fits_before_by_table(self, before, here, behind)
    }
}
