//! SSE2, AVX2 and AVX-512BW.
//!
//! `unsafe` here: loads from arrays of the right length; a prefetch hint; and instructions whose
//! presence the value proves that they are called on.

#![allow(unsafe_code)]

use core::arch::x86_64::*;

use super::vector::{Loads, Neighbours};
#[cfg(feature = "std")]
use super::{
    blocks,
    sets::{Ends, HIGH, NEAR, Set},
    vector::{Tables, Task, fits_before_by_table, fits_behind_by_table},
    wanted::{BLOCK, Layout, Searched, Wanted},
};

/// Methods that take vectors and return one, each by an expression.
macro_rules! instructions {
    ($($name:ident($($arg:ident),+) -> $type:ty = $body:expr;)+) => {
        $(
            #[inline(always)]
            fn $name(self, $($arg: Self::Vector),+) -> $type {
                // SAFETY: `self` exists only where the machine has these instructions.
                #[allow(unused_unsafe, reason = "some are in every machine")]
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
            fn $name(self, $arg: Self::Vector, $byte: u8) -> Self::Vector {
                // SAFETY: `self` exists only where the machine has these instructions.
                #[allow(unused_unsafe, reason = "some are in every machine")]
                unsafe { $body }
            }
        )+
    };
}

/// The searches by tables, compiled for a machine.
#[cfg(feature = "std")]
macro_rules! by_tables {
    ($machine:ident, $features:literal) => {
        /// [`blocks::ends_by_table`], compiled for this machine.
        #[inline(always)]
        pub(crate) fn ending(self, near: &[u8; NEAR], ends: &Ends) -> u64 {
            #[inline]
            #[target_feature(enable = $features)]
            fn ending(machine: $machine, near: &[u8; NEAR], ends: &Ends) -> u64 {
                blocks::ends_by_table(machine, near, ends)
            }
            // SAFETY: `self` exists only where these features were detected.
            unsafe { ending(self, near, ends) }
        }

        /// [`blocks::by_table`], compiled for this machine.
        #[inline(always)]
        pub(crate) fn sorted<const C: usize, const N: usize>(
            self,
            block: &[u8; BLOCK],
            chars: &[u8; C],
            sets: &[Set; N],
        ) -> ([u64; C], [u64; N]) {
            #[inline]
            #[target_feature(enable = $features)]
            fn sorted<const C: usize, const N: usize>(
                machine: $machine,
                block: &[u8; BLOCK],
                chars: &[u8; C],
                sets: &[Set; N],
            ) -> ([u64; C], [u64; N]) {
                blocks::by_table(machine, block, chars, sets)
            }
            // SAFETY: `self` exists only where these features were detected.
            unsafe { sorted(self, block, chars, sets) }
        }
    };
}

/// `least` as what must be added to a byte, or to a unit, to set its top bit from `least` on.
#[inline(always)]
fn missing(least: u8) -> i8 {
    (0x80 - least) as i8
}

#[inline(always)]
fn missing_of_unit(least: u8) -> i16 {
    i16::MIN.wrapping_sub(least.into())
}

/// The bytes of `block` from `at` on.
#[inline(always)]
fn array<const N: usize>(block: &[u8], at: usize) -> &[u8; N] {
    block[at..].first_chunk().expect("the block should have the vector")
}

#[inline(always)]
fn prefetch(here: *const u8) {
    // SAFETY: the instruction is a hint, and never faults.
    #[allow(unused_unsafe, reason = "a safe function since some Rust behind the MSRV")]
    unsafe {
        _mm_prefetch::<_MM_HINT_T0>(here.cast());
    }
}

/// SSE2, which every machine of 64 bits has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sse2;

impl Loads for Sse2 {
    type Vector = __m128i;

    const LEN: usize = 16;

    #[inline(always)]
    fn load(self, block: &[u8], at: usize) -> __m128i {
        let bytes: &[u8; 16] = array(block, at);
        // SAFETY: the array has 16 bytes.
        unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
    }

    #[inline(always)]
    fn splat(self, byte: u8) -> __m128i {
        // SAFETY: every machine has the instruction.
        #[allow(unused_unsafe, reason = "a safe function since some Rust behind the MSRV")]
        unsafe {
            _mm_set1_epi8(byte as i8)
        }
    }

    instructions! {
        equal(left, right) -> u64 = u64::from(_mm_movemask_epi8(_mm_cmpeq_epi8(left, right)) as u16);
    }

    #[inline(always)]
    fn prefetch(self, here: *const u8) {
        prefetch(here);
    }
}

impl Neighbours for Sse2 {
    instructions! {
        and(left, right) -> __m128i = _mm_and_si128(left, right);
        or(left, right) -> __m128i = _mm_or_si128(left, right);
        is(left, right) -> __m128i = _mm_cmpeq_epi8(left, right);
        at_least(left, right) -> __m128i = _mm_cmpeq_epi8(_mm_max_epu8(left, right), left);
        swap(units) -> __m128i = _mm_or_si128(_mm_slli_epi16::<8>(units), _mm_srli_epi16::<8>(units));
        mask(condition) -> u64 = u64::from(_mm_movemask_epi8(condition) as u16);
    }

    comparisons! {
        reach(bytes, least) = _mm_adds_epu8(bytes, _mm_set1_epi8(missing(least)));
        is_unit(units, char) = _mm_cmpeq_epi16(units, _mm_set1_epi16(char.into()));
        reach_unit(units, least) = _mm_adds_epu16(units, _mm_set1_epi16(missing_of_unit(least)));
    }
}

/// AVX2, and what comes with it.
#[cfg(feature = "std")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Avx2(());

#[cfg(feature = "std")]
impl Avx2 {
    /// `None` if this machine has none.
    pub(crate) fn detect() -> Option<Avx2> {
        use std::arch::is_x86_feature_detected as has;
        (has!("avx2") && has!("bmi1") && has!("bmi2") && has!("lzcnt")).then_some(Avx2(()))
    }

    /// Runs `task`, compiled for AVX2.
    #[inline]
    pub(crate) fn run<T: Task<Avx2>>(self, task: T) -> T::Out {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
        fn run<T: Task<Avx2>>(avx2: Avx2, task: T) -> T::Out {
            task.run(avx2)
        }
        // SAFETY: `self` exists only where these features were detected.
        unsafe { run(self, task) }
    }

    /// [`blocks::in_blocks`], compiled for AVX2.
    #[inline]
    pub(crate) fn find<L: Layout, W: Wanted>(
        self,
        bytes: &[u8],
        at: usize,
        accept: &mut impl FnMut(usize) -> bool,
    ) -> Searched {
        #[target_feature(enable = "avx2")]
        fn find<L: Layout, W: Wanted>(
            avx2: Avx2,
            bytes: &[u8],
            at: usize,
            accept: &mut impl FnMut(usize) -> bool,
        ) -> Searched {
            blocks::in_blocks::<Avx2, L, W>(avx2, bytes, at, accept)
        }
        // SAFETY: `self` exists only where AVX2 was detected.
        unsafe { find::<L, W>(self, bytes, at, accept) }
    }

    by_tables!(Avx2, "avx2");
}

#[cfg(feature = "std")]
impl Loads for Avx2 {
    type Vector = __m256i;

    const LEN: usize = 32;

    #[inline(always)]
    fn load(self, block: &[u8], at: usize) -> __m256i {
        let bytes: &[u8; 32] = array(block, at);
        // SAFETY: the array has 32 bytes.
        unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
    }

    #[inline(always)]
    fn splat(self, byte: u8) -> __m256i {
        // SAFETY: `self` exists only where AVX2 was detected.
        unsafe { _mm256_set1_epi8(byte as i8) }
    }

    instructions! {
        equal(left, right) -> u64 = u64::from(_mm256_movemask_epi8(_mm256_cmpeq_epi8(left, right)) as u32);
    }

    #[inline(always)]
    fn prefetch(self, here: *const u8) {
        prefetch(here);
    }
}

#[cfg(feature = "std")]
impl Tables for Avx2 {
    #[inline(always)]
    fn table(self, table: &[u8; 16]) -> __m256i {
        // SAFETY: the table has 16 bytes, and `self` exists only where AVX2 was detected.
        unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(table.as_ptr().cast())) }
    }

    instructions! {
        lookup(table, bytes) -> __m256i = _mm256_shuffle_epi8(table, bytes);
        high(bytes) -> __m256i = _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), _mm256_set1_epi8(15));
        common(left, right) -> u64 = {
            let none = _mm256_cmpeq_epi8(_mm256_and_si256(left, right), _mm256_setzero_si256());
            u64::from(!_mm256_movemask_epi8(none) as u32)
        };
    }

    #[inline(always)]
    fn common_of_three(self, [first, second, third]: [__m256i; 3]) -> u64 {
        self.common(self.and(first, second), third)
    }
}

#[cfg(feature = "std")]
impl Neighbours for Avx2 {
    instructions! {
        and(left, right) -> __m256i = _mm256_and_si256(left, right);
        or(left, right) -> __m256i = _mm256_or_si256(left, right);
        is(left, right) -> __m256i = _mm256_cmpeq_epi8(left, right);
        at_least(left, right) -> __m256i = _mm256_cmpeq_epi8(_mm256_max_epu8(left, right), left);
        swap(units) -> __m256i =
            _mm256_or_si256(_mm256_slli_epi16::<8>(units), _mm256_srli_epi16::<8>(units));
        mask(condition) -> u64 = u64::from(_mm256_movemask_epi8(condition) as u32);
    }

    comparisons! {
        reach(bytes, least) = _mm256_adds_epu8(bytes, _mm256_set1_epi8(missing(least)));
        is_unit(units, char) = _mm256_cmpeq_epi16(units, _mm256_set1_epi16(char.into()));
        reach_unit(units, least) = _mm256_adds_epu16(units, _mm256_set1_epi16(missing_of_unit(least)));
    }

    #[inline(always)]
    fn fits_behind<W: Wanted>(self, here: __m256i, behind: __m256i) -> __m256i {
        fits_behind_by_table::<Avx2, W>(self, here, behind)
    }

    #[inline(always)]
    fn fits_before<W: Wanted>(self, before: __m256i, here: __m256i, behind: __m256i) -> __m256i {
        fits_before_by_table(self, before, here, behind)
    }
}

/// AVX-512BW, for sorting only.
#[cfg(feature = "std")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Avx512(Avx2);

#[cfg(feature = "std")]
impl Avx512 {
    /// `None` if this machine has none.
    pub(crate) fn detect() -> Option<Avx512> {
        use std::arch::is_x86_feature_detected as has;
        let avx2 = Avx2::detect()?;
        (has!("avx512f") && has!("avx512bw")).then_some(Avx512(avx2))
    }

    /// What this machine has too.
    pub(crate) fn avx2(self) -> Avx2 {
        self.0
    }

    /// Runs `task`, compiled for AVX-512BW.
    #[inline]
    pub(crate) fn run<T: Task<Avx512>>(self, task: T) -> T::Out {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,avx512f,avx512bw")]
        fn run<T: Task<Avx512>>(avx512: Avx512, task: T) -> T::Out {
            task.run(avx512)
        }
        // SAFETY: `self` exists only where these features were detected.
        unsafe { run(self, task) }
    }

    by_tables!(Avx512, "avx512f,avx512bw");

    /// As [`Avx512::sorted`], of fewer bytes than a block has, which stand at `at`. They are loaded as they are: to copy them to a block
    /// first takes longer than all the rest, because a processor waits for a vector that was written in pieces.
    #[inline(always)]
    pub(crate) fn sorted_part<const C: usize, const N: usize>(
        self,
        bytes: &[u8],
        at: usize,
        (chars, sets): (&[u8; C], &[Set; N]),
    ) -> ([u64; C], [u64; N]) {
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw")]
        fn sorted<const C: usize, const N: usize>(
            machine: Avx512,
            bytes: &[u8],
            at: usize,
            (chars, sets): (&[u8; C], &[Set; N]),
        ) -> ([u64; C], [u64; N]) {
            let (there, at) = ((1 << bytes.len()) - 1, at as u32);
            // SAFETY: only the bytes of the slice are read, one for each bit that is set.
            let bytes = unsafe { _mm512_maskz_loadu_epi8(there, bytes.as_ptr().cast()) };
            let (mut met, mut masks) = ([0; C], [0; N]);
            for (mask, char) in met.iter_mut().zip(chars) {
                let met = there & machine.equal(bytes, machine.splat(*char));
                // At the end of the block no byte is left.
                *mask = met.wrapping_shl(at);
            }
            let rows = machine.lookup(machine.table(&HIGH), machine.high(bytes));
            for (mask, set) in masks.iter_mut().zip(sets) {
                let columns = machine.lookup(machine.table(&set.0), bytes);
                *mask = (there & machine.common(columns, rows)).wrapping_shl(at);
            }
            (met, masks)
        }
        assert!(at + bytes.len() <= BLOCK && bytes.len() < BLOCK);
        // SAFETY: `self` exists only where these features were detected.
        unsafe { sorted(self, bytes, at, (chars, sets)) }
    }
}

#[cfg(feature = "std")]
impl Loads for Avx512 {
    type Vector = __m512i;

    const LEN: usize = 64;

    #[inline(always)]
    fn load(self, block: &[u8], at: usize) -> __m512i {
        let bytes: &[u8; 64] = array(block, at);
        // SAFETY: the array has 64 bytes, and `self` exists only where AVX-512BW was detected.
        unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
    }

    #[inline(always)]
    fn splat(self, byte: u8) -> __m512i {
        // SAFETY: `self` exists only where AVX-512BW was detected.
        unsafe { _mm512_set1_epi8(byte as i8) }
    }

    instructions! {
        equal(left, right) -> u64 = _mm512_cmpeq_epi8_mask(left, right);
    }

    #[inline(always)]
    fn prefetch(self, here: *const u8) {
        prefetch(here);
    }
}

#[cfg(feature = "std")]
impl Tables for Avx512 {
    #[inline(always)]
    fn table(self, table: &[u8; 16]) -> __m512i {
        // SAFETY: the table has 16 bytes, and `self` exists only where AVX-512BW was detected.
        unsafe { _mm512_broadcast_i32x4(_mm_loadu_si128(table.as_ptr().cast())) }
    }

    instructions! {
        lookup(table, bytes) -> __m512i = _mm512_shuffle_epi8(table, bytes);
        high(bytes) -> __m512i = _mm512_and_si512(_mm512_srli_epi16::<4>(bytes), _mm512_set1_epi8(15));
        common(left, right) -> u64 = _mm512_test_epi8_mask(left, right);
    }

    #[inline(always)]
    fn common_of_three(self, [first, second, third]: [__m512i; 3]) -> u64 {
        // SAFETY: `self` exists only where AVX-512BW was detected.
        unsafe { _mm512_test_epi8_mask(_mm512_and_si512(first, second), third) }
    }
}
