//! NEON, which every AArch64 machine has.
//!
//! `unsafe` here: loads from arrays of the right length.

#![allow(unsafe_code)]

use core::arch::aarch64::*;

use super::{
    vector::{Loads, Neighbours, Tables, fits_before_by_table, fits_behind_by_table},
    wanted::Wanted,
};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Neon;

/// Methods that take vectors and return one, each by an expression.
macro_rules! instructions {
    ($($name:ident($($arg:ident),+) = $body:expr;)+) => {
        $(
            #[inline(always)]
            fn $name(self, $($arg: uint8x16_t),+) -> uint8x16_t {
                // SAFETY: every machine has the instructions.
                #[allow(unused_unsafe, reason = "safe functions since some Rust behind the MSRV")]
                unsafe { $body }
            }
        )+
    };
}

/// As [`instructions`], with a byte after the vector.
macro_rules! comparisons {
    ($($name:ident($arg:ident, $byte:ident) = $body:expr;)+) => {
        $(
            #[inline(always)]
            fn $name(self, $arg: uint8x16_t, $byte: u8) -> uint8x16_t {
                // SAFETY: every machine has the instructions.
                #[allow(unused_unsafe, reason = "safe functions since some Rust behind the MSRV")]
                unsafe { $body }
            }
        )+
    };
}

/// One bit for each byte that has any.
#[inline(always)]
fn some(bytes: uint8x16_t) -> u64 {
    const BITS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];
    // SAFETY: the array has 16 bytes, and every machine has the instructions.
    let sums = unsafe {
        let bits = vandq_u8(vtstq_u8(bytes, bytes), vld1q_u8(BITS.as_ptr()));
        let pairs = vpaddq_u8(bits, bits);
        let fours = vpaddq_u8(pairs, pairs);
        vgetq_lane_u16::<0>(vreinterpretq_u16_u8(vpaddq_u8(fours, fours)))
    };
    u64::from(sums)
}

impl Loads for Neon {
    type Vector = uint8x16_t;

    const LEN: usize = 16;

    #[inline(always)]
    fn load(self, block: &[u8], at: usize) -> uint8x16_t {
        let bytes: &[u8; 16] = block[at..].first_chunk().expect("the block should have the vector");
        // SAFETY: the array has 16 bytes.
        unsafe { vld1q_u8(bytes.as_ptr()) }
    }

    #[inline(always)]
    fn splat(self, byte: u8) -> uint8x16_t {
        // SAFETY: every machine has the instruction.
        #[allow(unused_unsafe, reason = "a safe function since some Rust behind the MSRV")]
        unsafe {
            vdupq_n_u8(byte)
        }
    }

    #[inline(always)]
    fn equal(self, left: uint8x16_t, right: uint8x16_t) -> u64 {
        some(self.is(left, right))
    }
}

impl Tables for Neon {
    #[inline(always)]
    fn table(self, table: &[u8; 16]) -> uint8x16_t {
        self.load(table, 0)
    }

    instructions! {
        // Indices from 16 on look up 0. The halves of an ASCII byte that do not count go.
        lookup(table, bytes) = vqtbl1q_u8(table, vandq_u8(bytes, vdupq_n_u8(0x8F)));
        high(bytes) = vshrq_n_u8::<4>(bytes);
    }

    #[inline(always)]
    fn common(self, left: uint8x16_t, right: uint8x16_t) -> u64 {
        some(self.and(left, right))
    }

    #[inline(always)]
    fn common_of_three(self, [first, second, third]: [uint8x16_t; 3]) -> u64 {
        self.common(self.and(first, second), third)
    }
}

impl Neighbours for Neon {
    instructions! {
        and(left, right) = vandq_u8(left, right);
        or(left, right) = vorrq_u8(left, right);
        is(left, right) = vceqq_u8(left, right);
        at_least(left, right) = vcgeq_u8(left, right);
        swap(units) = vrev16q_u8(units);
    }

    comparisons! {
        reach(bytes, least) = vcgeq_u8(bytes, vdupq_n_u8(least));
        is_unit(units, char) =
            vreinterpretq_u8_u16(vceqq_u16(vreinterpretq_u16_u8(units), vdupq_n_u16(char.into())));
        reach_unit(units, least) =
            vreinterpretq_u8_u16(vcgeq_u16(vreinterpretq_u16_u8(units), vdupq_n_u16(least.into())));
    }

    #[inline(always)]
    fn mask(self, condition: uint8x16_t) -> u64 {
        some(self.and(condition, self.splat(0x80)))
    }

    #[inline(always)]
    fn fits_behind<W: Wanted>(self, here: uint8x16_t, behind: uint8x16_t) -> uint8x16_t {
        fits_behind_by_table::<Neon, W>(self, here, behind)
    }

    #[inline(always)]
    fn fits_before<W: Wanted>(
        self,
        before: uint8x16_t,
        here: uint8x16_t,
        behind: uint8x16_t,
    ) -> uint8x16_t {
        fits_before_by_table(self, before, here, behind)
    }
}
