//! Block searches by AVX2 and AVX-512BW.
//!
//! The one file with `unsafe`: loads from a slice, which the loop condition keeps inside of it;
//! prefetch hints; and calls of functions whose CPU features `Level` has detected.

#![allow(unsafe_code)]

use core::arch::x86_64::*;

use super::{
    sets::{Ends, HIGH, NEAR, Set},
    types::{BLOCK, Layout, Level, Searched, Wanted, Work, numbers},
};

/// True if this machine has AVX2 and the features that come with it.
pub(crate) fn is_avx2() -> bool {
    use std::arch::is_x86_feature_detected as has;
    has!("avx2") && has!("bmi1") && has!("bmi2") && has!("lzcnt")
}

/// True if it has AVX-512BW too.
pub(crate) fn is_avx512() -> bool {
    use std::arch::is_x86_feature_detected as has;
    is_avx2() && has!("avx512f") && has!("avx512bw")
}

/// Runs `work`, compiled for AVX2.
#[inline]
pub(crate) fn run_avx2<W: Work>(work: W) -> W::Out {
    debug_assert!(is_avx2());
    // SAFETY: `Level::Avx2` is only made where AVX2 and the features with it were detected.
    unsafe { with_avx2(work) }
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
fn with_avx2<W: Work>(work: W) -> W::Out {
    work.run(Level::Avx2)
}

/// Runs `work`, compiled for AVX-512BW.
#[inline]
pub(crate) fn run_avx512<W: Work>(work: W) -> W::Out {
    debug_assert!(is_avx512());
    // SAFETY: `Level::Avx512` is only made where all its features were detected.
    unsafe { with_avx512(work) }
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,avx512f,avx512bw")]
fn with_avx512<W: Work>(work: W) -> W::Out {
    work.run(Level::Avx512)
}

/// As [`crate::simd::find::find`], over whole blocks.
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
                // SAFETY: `bytes` has all bytes from one before `at` to one after the block.
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

/// The first block from `at` to `last` with units that pass, and a mask of these.
// Two vectors a round, with one branch for both. There is no call in the loop, so that the
// constants stay in registers.
#[inline]
#[target_feature(enable = "avx2")]
fn next_hits<L: Layout, W: Wanted>(
    bytes: &[u8],
    mut at: usize,
    last: usize,
) -> Result<(usize, u64), usize> {
    while at <= last {
        fetch(bytes.as_ptr().wrapping_add(at));
        // SAFETY: `bytes` has everything from one unit before `at`, which only grows, to one after
        // the block.
        let (low, high, mut halves) = unsafe {
            let (low, high) = (bytes.as_ptr().add(at), bytes.as_ptr().add(at + BLOCK / 2));
            (low, high, [block_avx2::<L, W>(low), block_avx2::<L, W>(high)])
        };
        if units::<L>(_mm256_or_si256(halves[0], halves[1])) != 0 {
            if L::WIDTH == 1 {
                // The bytes before are compared only where it matters.
                // SAFETY: as above.
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

/// Prefetches the bytes one page after `here`, which need not exist. The prefetcher of the
/// processor stops at the end of a page.
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

/// A mask of the units that pass, with a bit for the first byte of each. Takes the top bit of each
/// byte.
#[target_feature(enable = "avx2")]
fn units<L: Layout>(passed: __m256i) -> u32 {
    let mask = _mm256_movemask_epi8(passed) as u32;
    if L::WIDTH == 1 { mask } else { mask >> 1 & 0x5555_5555 }
}

/// Sets the top bit of each unit of a block that passes. In units of one byte, only the byte after
/// is compared.
///
/// # Safety
///
/// The 32 bytes at `here`, and one unit before and after them, must be readable.
#[target_feature(enable = "avx2")]
unsafe fn block_avx2<L: Layout, W: Wanted>(here: *const u8) -> __m256i {
    // SAFETY: by the contract of this function.
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

/// The predicate of [`crate::simd::find`] for units of two bytes, in the top bit of each. A sum
/// that saturates sets it from some value on.
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

/// A table of 16 bytes with `@`, `:` and `.` at their low halves, which differ, and `none` at the
/// others. Bytes outside of ASCII look up 0.
#[target_feature(enable = "avx2")]
fn by_anchor(at: u8, colon: u8, dot: u8, none: u8) -> __m256i {
    let mut table = [none; 16];
    (table[0x0], table[0xA], table[0xE]) = (at, colon, dot);
    // SAFETY: the table has 16 bytes.
    _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(table.as_ptr().cast()) })
}

#[target_feature(enable = "avx2")]
fn at_least(bytes: __m256i, least: __m256i) -> __m256i {
    _mm256_cmpeq_epi8(_mm256_max_epu8(bytes, least), bytes)
}

/// Keeps the anchors that pass by the byte after them, in the top bit of each.
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

/// Keeps those that also pass by the byte before them.
///
/// # Safety
///
/// As for [`block_avx2`].
#[target_feature(enable = "avx2")]
unsafe fn fits_before_avx2(here: *const u8, passed: __m256i) -> __m256i {
    // SAFETY: by the contract of this function.
    let load = |at: isize| unsafe { _mm256_loadu_si256(here.offset(at).cast()) };
    let least = _mm256_shuffle_epi8(by_anchor(0, b'A', b'0', 0), load(0));
    // No dot has passed before a `/`, and any byte may come before an `@`.
    let scheme = _mm256_cmpeq_epi8(load(1), _mm256_set1_epi8(b'/' as i8));
    _mm256_and_si256(passed, _mm256_or_si256(at_least(load(-1), least), scheme))
}

/// As [`crate::simd::types::numbers`], of a block.
///
/// # Safety
///
/// The 64 bytes at `here`, and one before and after them, must be readable.
#[inline(never)]
#[target_feature(enable = "avx2")]
unsafe fn numbers_avx2(here: *const u8) -> u64 {
    // SAFETY: by the contract of this function.
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
            // SAFETY: the table has 16 bytes; the last bytes read are the third before the end of
            // the block and the two after it.
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
    // SAFETY: the table has 16 bytes.
    let table = |bytes: &[u8; 16]| unsafe {
        _mm256_broadcastsi128_si256(_mm_loadu_si128(bytes.as_ptr().cast()))
    };
    // SAFETY: there are twice 32 bytes.
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
            // A byte with the top bit set gets neither a row nor a column.
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
        // SAFETY: the table has 16 bytes, and 64 follow each of the first three bytes.
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
    // SAFETY: the table has 16 bytes.
    let table = |bytes: &[u8; 16]| unsafe {
        _mm512_broadcast_i32x4(_mm_loadu_si128(bytes.as_ptr().cast()))
    };
    // SAFETY: there are 64 bytes.
    let bytes = unsafe { _mm512_loadu_si512(block.as_ptr().cast()) };
    let chars = chars.map(|char| _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(char as i8)));
    let high = _mm512_and_si512(_mm512_srli_epi16::<4>(bytes), _mm512_set1_epi8(15));
    let rows = _mm512_shuffle_epi8(table(&HIGH), high);
    // A byte with the top bit set gets neither a row nor a column.
    let sets =
        sets.map(|set| _mm512_test_epi8_mask(_mm512_shuffle_epi8(table(&set.0), bytes), rows));
    (chars, sets)
}
