//! The searches of blocks, written once over the vectors of every machine.

use super::{
    sets::{Ends, HIGH, NEAR, Set},
    vector::{Loads, Neighbours, Tables},
    wanted::{BLOCK, Layout, Searched, Wanted, numbers},
};

/// How far ahead a block is prefetched. The prefetcher of the processor stops at the end of a page.
const PAGE: usize = 4096;

/// The first unit from `at` on that passes the predicate of [`find`](super::find) and `accept`, in
/// whole blocks that have neighbours on both sides.
#[inline(always)]
pub(super) fn in_blocks<V: Neighbours, L: Layout, W: Wanted>(
    v: V,
    bytes: &[u8],
    mut at: usize,
    accept: &mut impl FnMut(usize) -> bool,
) -> Searched {
    if at < L::WIDTH || at > bytes.len() {
        return Err(at);
    }
    loop {
        let mut hits;
        (at, hits) = next_hits::<V, L, W>(v, bytes, at)?;
        while hits != 0 {
            let found = at + hits.trailing_zeros() as usize;
            if W::DOT && L::WIDTH == 1 && bytes[found + 1].is_ascii_digit() {
                let numbers = numbers_in(v, &bytes[at - 1..=at + BLOCK]);
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

/// The first block from `at` on with units that pass, and a mask of these. `Err` is the place where
/// no whole block with neighbours follows.
// There is no call in the loop, so that the constants stay in registers, and one branch a block.
#[inline(always)]
fn next_hits<V: Neighbours, L: Layout, W: Wanted>(
    v: V,
    bytes: &[u8],
    at: usize,
) -> Result<(usize, u64), usize> {
    let mut rest = &bytes[at - L::WIDTH..];
    while let Some((near, _)) = rest.split_at_checked(BLOCK + 2 * L::WIDTH) {
        v.prefetch(near.as_ptr().wrapping_add(PAGE));
        // As many as there are vectors in a block.
        let mut passed = [passing::<V, L, W>(v, near, 0); BLOCK / 8];
        let mut some = passed[0];
        let mut i = 1;
        while i < BLOCK / V::LEN {
            passed[i] = passing::<V, L, W>(v, near, i * V::LEN);
            some = v.or(some, passed[i]);
            i += 1;
        }
        if units::<L>(v.mask(some)) != 0 {
            let mut hits = 0;
            let mut i = 0;
            while i < BLOCK / V::LEN {
                let mut passed = passed[i];
                if L::WIDTH == 1 {
                    // The bytes before are compared only where it matters.
                    let from = i * V::LEN;
                    let (before, here) = (v.load(near, from), v.load(near, from + 1));
                    let fits = v.fits_before::<W>(before, here, v.load(near, from + 2));
                    passed = v.and(passed, fits);
                }
                hits |= units::<L>(v.mask(passed)) << (i * V::LEN);
                i += 1;
            }
            if hits != 0 {
                return Ok((bytes.len() - rest.len() + L::WIDTH, hits));
            }
        }
        rest = &rest[BLOCK..];
    }
    Err(bytes.len() - rest.len() + L::WIDTH)
}

/// The units of the vector at `from` of a block that pass; in units of one byte, by the byte after
/// them only.
#[inline(always)]
fn passing<V: Neighbours, L: Layout, W: Wanted>(v: V, near: &[u8], from: usize) -> V::Vector {
    if L::WIDTH == 1 {
        return v.fits_behind::<W>(v.load(near, from + 1), v.load(near, from + 2));
    }
    let (mut before, mut here) = (v.load(near, from), v.load(near, from + 2));
    let mut behind = v.load(near, from + 4);
    if L::BIG {
        (before, here, behind) = (v.swap(before), v.swap(here), v.swap(behind));
    }
    let mut passed = v.is_unit(here, if W::COLON { b':' } else { b'@' });
    if W::COLON {
        let scheme = v.or(v.reach_unit(before, b'A'), v.is_unit(behind, b'/'));
        passed = v.and(passed, scheme);
    }
    if W::COLON && W::AT {
        passed = v.or(passed, v.is_unit(here, b'@'));
    }
    passed = v.and(passed, v.reach_unit(behind, b'!'));
    if W::DOT {
        let between = v.and(v.reach_unit(before, b'0'), v.reach_unit(behind, b'0'));
        passed = v.or(passed, v.and(v.is_unit(here, b'.'), between));
    }
    passed
}

/// The bit of the first byte of each unit, by the top bits of all bytes.
#[inline(always)]
fn units<L: Layout>(mask: u64) -> u64 {
    if L::WIDTH == 1 { mask } else { mask >> 1 & 0x5555_5555_5555_5555 }
}

/// The dots of a block that are in numbers; see [`numbers`]. `near`: the block and a byte before and
/// after it.
#[inline(always)]
fn numbers_in<V: Neighbours>(v: V, near: &[u8]) -> u64 {
    let (mut dots, mut digits, mut ws) = (0, 0, 0);
    let mut from = 0;
    while from < BLOCK {
        let bytes = v.load(near, from + 1);
        dots |= v.equal(bytes, v.splat(b'.')) << from;
        digits |= (v.mask(v.reach(bytes, b'0')) & !v.mask(v.reach(bytes, b'9' + 1))) << from;
        ws |= v.equal(v.or(bytes, v.splat(0x20)), v.splat(b'w')) << from;
        from += V::LEN;
    }
    numbers(dots, digits, ws, (near[0], near[BLOCK + 1]))
}

/// [`ending`](super::sort::ending), where there are tables.
#[allow(dead_code, reason = "not every machine looks up tables")]
#[inline(always)]
pub(super) fn ends_by_table<V: Tables>(v: V, near: &[u8; NEAR], ends: &Ends) -> u64 {
    let mut mask = 0;
    let mut at = 0;
    while at < BLOCK {
        let first = v.lookup(v.table(&ends.0[0]), v.load(near, at));
        let second = v.lookup(v.table(&ends.0[1]), v.load(near, at + 1));
        let third = v.lookup(v.table(&ends.0[2]), v.load(near, at + 2));
        mask |= v.common_of_three([first, second, third]) << at;
        at += V::LEN;
    }
    mask
}

/// The bytes of `block` that are `char`.
#[inline(always)]
pub(super) fn equal<V: Loads>(v: V, block: &[u8; BLOCK], char: u8) -> u64 {
    let char = v.splat(char);
    let mut mask = 0;
    let mut at = 0;
    while at < BLOCK {
        mask |= v.equal(v.load(block, at), char) << at;
        at += V::LEN;
    }
    mask
}

/// [`sorted`](super::sort::sorted), where there are tables.
// Loops, because a closure is compiled without the instructions of the function around it.
#[allow(dead_code, reason = "not every machine looks up tables")]
#[inline(always)]
pub(super) fn by_table<V: Tables, const C: usize, const N: usize>(
    v: V,
    block: &[u8; BLOCK],
    chars: &[u8; C],
    sets: &[Set; N],
) -> ([u64; C], [u64; N]) {
    v.prefetch(block.as_ptr().wrapping_add(PAGE));
    let (mut met, mut masks) = ([0; C], [0; N]);
    for (mask, char) in met.iter_mut().zip(chars) {
        *mask = equal(v, block, *char);
    }
    let high = v.table(&HIGH);
    let mut at = 0;
    while at < BLOCK {
        let bytes = v.load(block, at);
        let rows = v.lookup(high, v.high(bytes));
        for (mask, set) in masks.iter_mut().zip(sets) {
            // A byte outside of ASCII gets neither a row nor a column.
            *mask |= v.common(v.lookup(v.table(&set.0), bytes), rows) << at;
        }
        at += V::LEN;
    }
    (met, masks)
}
