//! Blocks by AVX2, and by AVX-512BW.
//!
//! The one place with `unsafe`: loads from a slice, each inside of it by the
//! loop's condition, hints of what will be read, and calls of functions whose feature
//! `Level` found.

#![allow(unsafe_code)]

use core::arch::x86_64::*;

use super::{
    sets::{Ends, HIGH, NEAR, Set},
    types::{BLOCK, Layout, Level, Searched, Wanted, Work, numbers},
};

/// Whether this machine has AVX2 and what comes with it.
pub(crate) fn is_avx2() -> bool {
    use std::arch::is_x86_feature_detected as has;
    has!("avx2") && has!("bmi1") && has!("bmi2") && has!("lzcnt")
}

/// Whether it has AVX-512BW too.
pub(crate) fn is_avx512() -> bool {
    use std::arch::is_x86_feature_detected as has;
    is_avx2() && has!("avx512f") && has!("avx512bw")
}

/// What `work` gives.
#[inline]
pub(crate) fn run_avx2<W: Work>(work: W) -> W::Out {
    debug_assert!(is_avx2());
    // SAFETY: `Level::Avx2` is only made where AVX2 and its company were detected.
    unsafe { with_avx2(work) }
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
fn with_avx2<W: Work>(work: W) -> W::Out {
    work.run(Level::Avx2)
}

/// What `work` gives.
#[inline]
pub(crate) fn run_avx512<W: Work>(work: W) -> W::Out {
    debug_assert!(is_avx512());
    // SAFETY: `Level::Avx512` is only made where all of it was detected.
    unsafe { with_avx512(work) }
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,avx512f,avx512bw")]
fn with_avx512<W: Work>(work: W) -> W::Out {
    work.run(Level::Avx512)
}

/// As [`crate::simd::find::find`], as far as whole blocks go.
#[inline]
pub(crate) fn avx2<L: Layout, W: Wanted>(
    bytes: &[u8],
    at: usize,
    accept: &mut impl FnMut(usize) -> bool,
) -> Searched {
    debug_assert!(is_avx2());
    // SAFETY: `Level::Avx2` is only made where AVX2 was detected.
    unsafe { find_avx2::<L, W>(bytes, at, accept) }
}

#[target_feature(enable = "avx2")]
fn find_avx2<L: Layout, W: Wanted>(
    bytes: &[u8],
    mut at: usize,
    accept: &mut impl FnMut(usize) -> bool,
) -> Searched {
    let last = match bytes.len().checked_sub(BLOCK + L::WIDTH) {
        Some(last) if at >= L::WIDTH => last,
        _ => return Err(at),
    };
    loop {
        let mut hits;
        (at, hits) = next_hits::<L, W>(bytes, at, last)?;
        while hits != 0 {
            let found = at + hits.trailing_zeros() as usize;
            if W::DOT && L::WIDTH == 1 && bytes[found + 1].is_ascii_digit() {
                // SAFETY: from one byte before `at` to one behind the block all is in `bytes`.
                let numbers = unsafe { numbers_avx2(bytes.as_ptr().add(at)) };
                let is_number = numbers & hits & hits.wrapping_neg() != 0;
                hits &= !numbers;
                if is_number {
                    continue;
                }
            }
            if accept(found) {
                return Ok(found);
            }
            hits &= hits - 1;
        }
        at += BLOCK;
    }
}

/// The first block from `at` to `last` in which some units pass, and which of them.
// Two vectors a round: one branch for both. No call is in here, or the constants would
// be loaded again each time.
#[inline]
#[target_feature(enable = "avx2")]
fn next_hits<L: Layout, W: Wanted>(
    bytes: &[u8],
    mut at: usize,
    last: usize,
) -> Result<(usize, u64), usize> {
    while at <= last {
        fetch(bytes.as_ptr().wrapping_add(at));
        // SAFETY: from one unit before `at`, which only grows, to one behind the
        // block all is in `bytes`.
        let (low, high, mut halves) = unsafe {
            let (low, high) = (bytes.as_ptr().add(at), bytes.as_ptr().add(at + BLOCK / 2));
            (low, high, [block_avx2::<L, W>(low), block_avx2::<L, W>(high)])
        };
        if units::<L>(_mm256_or_si256(halves[0], halves[1])) != 0 {
            if L::WIDTH == 1 {
                // What stands before them is asked where it counts only.
                // SAFETY: the same.
                halves = unsafe {
                    [fits_before_avx2(low, halves[0]), fits_before_avx2(high, halves[1])]
                };
            }
            let [low, high] = halves.map(|half| units::<L>(half));
            let hits = u64::from(low) | u64::from(high) << (BLOCK / 2);
            if hits != 0 {
                return Ok((at, hits));
            }
        }
        at += BLOCK;
    }
    Err(at)
}

/// Asks for what stands a page behind `here`, which need not be there. Nobody else asks
/// for it: what the processor fetches ahead by itself ends with the page.
#[inline]
#[target_feature(enable = "sse")]
fn fetch(here: *const u8) {
    const PAGE: usize = 4096;
    // SAFETY: the instruction is a hint, and never faults.
    #[allow(unused_unsafe, reason = "a safe function since some Rust behind the MSRV")]
    unsafe {
        _mm_prefetch::<_MM_HINT_T0>(here.wrapping_add(PAGE).cast());
    }
}

/// Which units pass, by a bit at the first byte of each: by the top bit of each.
#[target_feature(enable = "avx2")]
fn units<L: Layout>(passed: __m256i) -> u32 {
    let mask = _mm256_movemask_epi8(passed) as u32;
    if L::WIDTH == 1 { mask } else { mask >> 1 & 0x5555_5555 }
}

/// Which units of a block pass, by the top bit of each; bytes, by what stands behind them.
///
/// # Safety
///
/// The 32 bytes at `here`, and one unit before and behind them, are readable.
#[target_feature(enable = "avx2")]
unsafe fn block_avx2<L: Layout, W: Wanted>(here: *const u8) -> __m256i {
    // SAFETY: the caller's.
    let load = |at: isize| unsafe {
        let unit = L::WIDTH as isize;
        _mm256_loadu_si256(here.offset(at * unit).cast())
    };
    if L::WIDTH == 1 {
        fits_behind_avx2::<W>(load(0), load(1))
    } else {
        let swap = |v| if L::BIG { swapped(v) } else { v };
        wide_pairs_avx2::<W>(swap(load(-1)), swap(load(0)), swap(load(1)))
    }
}

#[target_feature(enable = "avx2")]
fn swapped(units: __m256i) -> __m256i {
    let order = _mm256_setr_epi8(
        1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10,
        13, 12, 15, 14,
    );
    _mm256_shuffle_epi8(units, order)
}

/// The predicate of [`crate::simd::find`] for units of two bytes, by the top bit of each: a sum
/// that saturates has it from some value on.
#[target_feature(enable = "avx2")]
fn wide_pairs_avx2<W: Wanted>(before: __m256i, here: __m256i, behind: __m256i) -> __m256i {
    let all = |b: u8| _mm256_set1_epi16(b.into());
    let at_least =
        |v, b: u8| _mm256_adds_epu16(v, _mm256_set1_epi16(i16::MIN.wrapping_sub(b.into())));
    let is = |v, b: u8| _mm256_cmpeq_epi16(v, all(b));
    let mut passed = _mm256_setzero_si256();
    if W::COLON {
        let scheme = _mm256_or_si256(at_least(before, b'A'), is(behind, b'/'));
        passed = _mm256_and_si256(is(here, b':'), scheme);
    }
    if W::AT {
        passed = _mm256_or_si256(passed, is(here, b'@'));
    }
    passed = _mm256_and_si256(passed, at_least(behind, b'!'));
    if W::DOT {
        let between = _mm256_and_si256(at_least(before, b'0'), at_least(behind, b'0'));
        passed = _mm256_or_si256(passed, _mm256_and_si256(is(here, b'.'), between));
    }
    passed
}

/// Of 16 bytes those at the low halves of `@`, `:` and `.`, which no two of them share; `none`
/// at the others. What is no ASCII looks up 0.
#[target_feature(enable = "avx2")]
fn by_anchor(at: u8, colon: u8, dot: u8, none: u8) -> __m256i {
    let mut table = [none; 16];
    (table[0x0], table[0xA], table[0xE]) = (at, colon, dot);
    // SAFETY: 16 bytes are there.
    _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(table.as_ptr().cast()) })
}

#[target_feature(enable = "avx2")]
fn at_least(bytes: __m256i, least: __m256i) -> __m256i {
    _mm256_cmpeq_epi8(_mm256_max_epu8(bytes, least), bytes)
}

/// Of the anchors in bytes those that pass by what stands behind them, by the top bit of each.
#[target_feature(enable = "avx2")]
fn fits_behind_avx2<W: Wanted>(here: __m256i, behind: __m256i) -> __m256i {
    let wanted = |is: bool, anchor: u8| if is { anchor } else { 0xFF };
    let (at, dot) = (wanted(W::AT, b'@'), wanted(W::DOT, b'.'));
    let is = _mm256_shuffle_epi8(by_anchor(at, wanted(W::COLON, b':'), dot, 0xFF), here);
    let fits = if W::DOT {
        at_least(behind, _mm256_shuffle_epi8(by_anchor(b'!', b'!', b'0', 0), here))
    } else {
        _mm256_adds_epu8(behind, _mm256_set1_epi8((0x80 - b'!') as i8))
    };
    _mm256_and_si256(_mm256_cmpeq_epi8(is, here), fits)
}

/// Of those the ones that pass by what stands before them, too.
///
/// # Safety
///
/// As for [`block_avx2`].
#[target_feature(enable = "avx2")]
unsafe fn fits_before_avx2(here: *const u8, passed: __m256i) -> __m256i {
    // SAFETY: the caller's.
    let load = |at: isize| unsafe { _mm256_loadu_si256(here.offset(at).cast()) };
    let least = _mm256_shuffle_epi8(by_anchor(0, b'A', b'0', 0), load(0));
    // No dot passed before a `/`, and before an `@` anything will do.
    let scheme = _mm256_cmpeq_epi8(load(1), _mm256_set1_epi8(b'/' as i8));
    _mm256_and_si256(passed, _mm256_or_si256(at_least(load(-1), least), scheme))
}

/// [`crate::simd::types::numbers`] of a block.
///
/// # Safety
///
/// The 64 bytes at `here`, and one before and behind them, are readable.
#[inline(never)]
#[target_feature(enable = "avx2")]
unsafe fn numbers_avx2(here: *const u8) -> u64 {
    // SAFETY: the caller's.
    let (halves, before, behind) = unsafe {
        let half = |at| _mm256_loadu_si256(here.add(at).cast());
        ([half(0), half(BLOCK / 2)], *here.sub(1), *here.add(BLOCK))
    };
    let all = |b: u8| _mm256_set1_epi8(b as i8);
    let at_least = |v, b: u8| _mm256_adds_epu8(v, all(0x80 - b));
    let masks = |picked: [__m256i; 2]| {
        let [low, high] = picked.map(|half| _mm256_movemask_epi8(half) as u32);
        u64::from(low) | u64::from(high) << (BLOCK / 2)
    };
    let digits = halves.map(|v| _mm256_andnot_si256(at_least(v, b'9' + 1), at_least(v, b'0')));
    let dots = halves.map(|v| _mm256_cmpeq_epi8(v, all(b'.')));
    let ws = halves.map(|v| _mm256_cmpeq_epi8(_mm256_or_si256(v, all(0x20)), all(b'w')));
    numbers(masks(dots), masks(digits), masks(ws), (before, behind))
}

/// As [`crate::simd::sort::ending`].
#[inline(always)]
pub(crate) fn ending_avx2(near: &[u8; NEAR], ends: &Ends) -> u64 {
    debug_assert!(is_avx2());
    // SAFETY: `Level::Avx2` is only made where AVX2 was detected.
    unsafe { end_avx2(near, ends) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn end_avx2(near: &[u8; NEAR], ends: &Ends) -> u64 {
    let masks = [0, BLOCK / 2].map(|half| {
        let [first, second, third] = [0, 1, 2].map(|place| {
            // SAFETY: 16 bytes are in the table; of the bytes the last that are read are
            // the third before the end of the block, and the two behind.
            unsafe {
                let groups = _mm_loadu_si128(ends.0[place].as_ptr().cast());
                let bytes = _mm256_loadu_si256(near.as_ptr().add(half + place).cast());
                _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(groups), bytes)
            }
        });
        let common = _mm256_and_si256(_mm256_and_si256(first, second), third);
        let none = _mm256_cmpeq_epi8(common, _mm256_setzero_si256());
        !_mm256_movemask_epi8(none) as u32
    });
    u64::from(masks[1]) << 32 | u64::from(masks[0])
}

/// As [`crate::simd::sort::sorted`].
#[inline(always)]
pub(crate) fn sorted_avx2<const C: usize, const N: usize>(
    block: &[u8; BLOCK],
    chars: &[u8; C],
    sets: &[Set; N],
) -> ([u64; C], [u64; N]) {
    debug_assert!(is_avx2());
    // SAFETY: `Level::Avx2` is only made where AVX2 was detected.
    unsafe { sort_avx2(block, chars, sets) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn sort_avx2<const C: usize, const N: usize>(
    block: &[u8; BLOCK],
    chars: &[u8; C],
    sets: &[Set; N],
) -> ([u64; C], [u64; N]) {
    fetch(block.as_ptr());
    // SAFETY: 16 bytes are there.
    let table = |bytes: &[u8; 16]| unsafe {
        _mm256_broadcastsi128_si256(_mm_loadu_si128(bytes.as_ptr().cast()))
    };
    // SAFETY: twice 32 bytes are there.
    let halves = [0, 32].map(|at| unsafe { _mm256_loadu_si256(block.as_ptr().add(at).cast()) });
    let mask = |[low, high]: [__m256i; 2]| {
        let [low, high] = [low, high].map(|half| _mm256_movemask_epi8(half) as u32);
        u64::from(high) << 32 | u64::from(low)
    };
    let chars = chars.map(|char| {
        let char = _mm256_set1_epi8(char as i8);
        mask(halves.map(|bytes| _mm256_cmpeq_epi8(bytes, char)))
    });
    let high = table(&HIGH);
    let nibble = _mm256_set1_epi8(15);
    let rows = halves.map(|bytes| {
        _mm256_shuffle_epi8(high, _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), nibble))
    });
    let sets = sets.map(|set| {
        let low = table(&set.0);
        !mask([0, 1].map(|i| {
            // A byte with the top bit gives no row, and no column either.
            let common = _mm256_and_si256(_mm256_shuffle_epi8(low, halves[i]), rows[i]);
            _mm256_cmpeq_epi8(common, _mm256_setzero_si256())
        }))
    });
    (chars, sets)
}

/// As [`crate::simd::sort::ending`].
#[inline(always)]
pub(crate) fn ending_avx512(near: &[u8; NEAR], ends: &Ends) -> u64 {
    debug_assert!(is_avx512());
    // SAFETY: `Level::Avx512` is only made where AVX-512BW was detected.
    unsafe { end_avx512(near, ends) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn end_avx512(near: &[u8; NEAR], ends: &Ends) -> u64 {
    let [first, second, third] = [0, 1, 2].map(|place| {
        // SAFETY: 16 bytes are in the table, and 64 from each of the first three on.
        unsafe {
            let groups = _mm_loadu_si128(ends.0[place].as_ptr().cast());
            let bytes = _mm512_loadu_si512(near.as_ptr().add(place).cast());
            _mm512_shuffle_epi8(_mm512_broadcast_i32x4(groups), bytes)
        }
    });
    _mm512_test_epi8_mask(_mm512_and_si512(first, second), third)
}

/// As [`crate::simd::sort::sorted`].
#[inline(always)]
pub(crate) fn sorted_avx512<const C: usize, const N: usize>(
    block: &[u8; BLOCK],
    chars: &[u8; C],
    sets: &[Set; N],
) -> ([u64; C], [u64; N]) {
    debug_assert!(is_avx512());
    // SAFETY: `Level::Avx512` is only made where AVX-512BW was detected.
    unsafe { sort_avx512(block, chars, sets) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn sort_avx512<const C: usize, const N: usize>(
    block: &[u8; BLOCK],
    chars: &[u8; C],
    sets: &[Set; N],
) -> ([u64; C], [u64; N]) {
    fetch(block.as_ptr());
    // SAFETY: 16 bytes are there.
    let table = |bytes: &[u8; 16]| unsafe {
        _mm512_broadcast_i32x4(_mm_loadu_si128(bytes.as_ptr().cast()))
    };
    // SAFETY: 64 bytes are there.
    let bytes = unsafe { _mm512_loadu_si512(block.as_ptr().cast()) };
    let chars = chars.map(|char| _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(char as i8)));
    let high = _mm512_and_si512(_mm512_srli_epi16::<4>(bytes), _mm512_set1_epi8(15));
    let rows = _mm512_shuffle_epi8(table(&HIGH), high);
    // A byte with the top bit gives no row, and no column either.
    let sets =
        sets.map(|set| _mm512_test_epi8_mask(_mm512_shuffle_epi8(table(&set.0), bytes), rows));
    (chars, sets)
}
