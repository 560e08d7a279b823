//! Finds each `:`, `@` and `.` with neighbours that a link may have, many bytes at a time.
//!
//! There is one predicate and two ways to compute it: by vectors ([`in_blocks`]), and one by one where
//! no whole block is left (in bytes only for those that memchr finds). The predicate lets through more than links;
//! `accept` is asked about each, in order. Dots inside numbers, of which addresses and versions are
//! full, are removed from a block all at once.
//!
//! AVX-512BW was built and measured for this (Zen 5): 12 to 16 GB/s in text without links where
//! AVX2 did 17; a gain of 13 % in prose, which aligned loads turned into a loss of 8 %; less in the
//! log and in HTML. It is used only for sorting blocks into many sets, where it needs less than
//! half of the instructions ([`crate::simd::sets`]).

use memchr::{memchr_iter, memchr2_iter, memchr3_iter};

use super::{
    blocks::in_blocks,
    swar,
    types::{Layout, Level, Searched, Wanted},
};

/// The first unit at or after `from` that passes the predicate and `accept`, as an offset in
/// `bytes`. A unit starts at `from`. A neighbour outside of `bytes` passes.
#[inline(always)]
pub(crate) fn find<L: Layout, W: Wanted>(
    level: Level,
    bytes: &[u8],
    mut from: usize,
    mut accept: impl FnMut(usize) -> bool,
) -> Option<usize> {
    if let Some(at) = near::<L, W>(bytes, from) {
        if accept(at) {
            return Some(at);
        }
        from = at + 1;
    }
    match blocks::<L, W>(level, bytes, from, &mut accept) {
        Ok(found) => Some(found),
        Err(at) => ends::<L, W>(level, bytes, at, &mut accept),
    }
}

/// The first unit that passes, if it is a `:` among the next eight bytes that passes whatever comes
/// before it. After a link another one often begins there, and starting a block search costs more.
/// Not for dots, nor for units of two bytes.
#[inline(always)]
fn near<L: Layout, W: Wanted>(bytes: &[u8], from: usize) -> Option<usize> {
    if L::WIDTH > 1 || W::DOT {
        return None;
    }
    let near: &[u8; 8] = bytes.get(from..)?.first_chunk()?;
    let len = swar::before(near, b':');
    let behind = *bytes.get(from + len + 1)?;
    let passes = len < near.len() && pair::<W>(0, u16::from(b':'), u16::from(behind));
    (passes && !(W::AT && near[..len].contains(&b'@'))).then_some(from + len)
}

/// Searches the whole blocks that have neighbours on both sides.
#[inline(always)]
fn blocks<L: Layout, W: Wanted>(
    level: Level,
    bytes: &[u8],
    at: usize,
    accept: &mut impl FnMut(usize) -> bool,
) -> Searched {
    match level {
        Level::Integer(integer) => in_blocks::<_, L, W>(integer, bytes, at, accept),
        #[cfg(target_arch = "x86_64")]
        Level::Sse2(sse2) => in_blocks::<_, L, W>(sse2, bytes, at, accept),
        #[cfg(all(feature = "std", target_arch = "x86_64"))]
        Level::Avx2(avx2) => avx2.find::<L, W>(bytes, at, accept),
        #[cfg(all(feature = "std", target_arch = "x86_64"))]
        Level::Avx512(avx512) => avx512.avx2().find::<L, W>(bytes, at, accept),
        #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
        Level::Neon(neon) => in_blocks::<_, L, W>(neon, bytes, at, accept),
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        Level::Simd128(simd128) => in_blocks::<_, L, W>(simd128, bytes, at, accept),
    }
}

/// Searches what is left after the last block, and before the first one.
#[cold]
#[inline(never)]
fn ends<L: Layout, W: Wanted>(
    level: Level,
    bytes: &[u8],
    mut at: usize,
    accept: &mut impl FnMut(usize) -> bool,
) -> Option<usize> {
    // The first unit has no neighbour before it.
    if at < L::WIDTH && at + L::WIDTH <= bytes.len() {
        if passes::<L, W>(bytes, at) && accept(at) {
            return Some(at);
        }
        match blocks::<L, W>(level, bytes, at + L::WIDTH, accept) {
            Ok(found) => return Some(found),
            Err(behind) => at = behind,
        }
    }
    if L::WIDTH > 1 {
        return one_by_one::<L, W>(bytes, at, bytes.len(), accept);
    }
    let rest = bytes.get(at..).unwrap_or_default();
    let is_found = |i: &usize| passes::<L, W>(bytes, at + i) && accept(at + i);
    let found = match (W::DOT, W::AT) {
        (true, _) => memchr3_iter(b':', b'@', b'.', rest).find(is_found),
        (_, true) => memchr2_iter(b':', b'@', rest).find(is_found),
        _ => memchr_iter(b':', rest).find(is_found),
    };
    found.map(|i| at + i)
}

/// The scalar twin of the block searches, from `at` to `to`.
fn one_by_one<L: Layout, W: Wanted>(
    bytes: &[u8],
    at: usize,
    to: usize,
    accept: &mut impl FnMut(usize) -> bool,
) -> Option<usize> {
    let mut units = (at..to).step_by(L::WIDTH).filter(|at| at + L::WIDTH <= bytes.len());
    units.find(|&at| passes::<L, W>(bytes, at) && accept(at))
}

/// True if the unit at `at` passes.
fn passes<L: Layout, W: Wanted>(bytes: &[u8], at: usize) -> bool {
    let read = |at: usize| bytes.get(at..at + L::WIDTH).map(unit::<L>);
    let before = at.checked_sub(L::WIDTH).and_then(read).unwrap_or(u16::from(b'a'));
    let behind = read(at + L::WIDTH).unwrap_or(u16::from(b'/'));
    read(at).is_some_and(|here| {
        // A neighbour that is missing passes, whatever the anchor.
        let ends = at + 2 * L::WIDTH > bytes.len();
        let pair =
            pair::<W>(before, here, behind) || ends && pair::<W>(before, here, u16::from(b'a'));
        pair && !(L::WIDTH == 1 && is_in_number(bytes, at))
    })
}

/// True if a dot between digits is at `at`, and no `www2` comes before it.
fn is_in_number(bytes: &[u8], at: usize) -> bool {
    let (before, behind) = bytes.split_at(at);
    matches!((before, behind), ([.., b'0'..=b'9'], [b'.', b'0'..=b'9', ..]))
        && !swar::ends_with_www(before)
}

fn unit<L: Layout>(bytes: &[u8]) -> u16 {
    match bytes {
        [low, high] if L::BIG => u16::from_be_bytes([*low, *high]),
        [low, high] => u16::from_le_bytes([*low, *high]),
        _ => u16::from(bytes[0]),
    }
}

/// The predicate. A `:` before a `/`, or between a possible letter and a graphic character; an `@`
/// before a graphic character; a `.` between characters of labels. It asks little, because each
/// comparison costs something in every block.
#[inline]
fn pair<W: Wanted>(before: u16, here: u16, behind: u16) -> bool {
    let label = |unit: u16| unit >= u16::from(b'0');
    let graphic = behind > u16::from(b' ');
    let scheme = (before >= u16::from(b'A')) | (behind == u16::from(b'/'));
    let colon = (here == u16::from(b':')) & scheme & graphic;
    let at = (here == u16::from(b'@')) & graphic;
    let dot = (here == u16::from(b'.')) & label(before) & label(behind);
    W::COLON & colon | W::AT & at | W::DOT & dot
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use proptest::prelude::*;

    use super::*;
    use crate::simd::wanted::{All, BLOCK, Big, Bytes, Colon, ColonAt, Little};

    /// Returns all units from `from` on that the blocks of `level` find. The predicate drops those
    /// that a block lets through too much.
    fn all<L: Layout, W: Wanted>(level: Level, bytes: &[u8], from: usize) -> Vec<usize> {
        let mut seen = Vec::new();
        let found = find::<L, W>(level, bytes, from, |at| {
            if passes::<L, W>(bytes, at) {
                seen.push(at);
            }
            false
        });
        assert_eq!(found, None, "the closure should accept nothing");
        seen
    }

    /// Returns the same units by the predicate alone.
    fn twin<L: Layout, W: Wanted>(bytes: &[u8], from: usize) -> Vec<usize> {
        let mut seen = Vec::new();
        one_by_one::<L, W>(bytes, from, bytes.len(), &mut |at| {
            seen.push(at);
            false
        });
        seen
    }

    fn compare<L: Layout, W: Wanted>(bytes: &[u8]) {
        for from in 0..bytes.len().min(2 * BLOCK + 3) {
            let want = twin::<L, W>(bytes, from);
            for level in Level::available() {
                assert_eq!(all::<L, W>(level, bytes, from), want, "{level:?} from {from}");
                // `find` returns the first unit that the closure accepts.
                for &at in want.iter().take(3) {
                    let found = find::<L, W>(level, bytes, from, |hit| hit >= at);
                    assert_eq!(found, Some(at), "{level:?} from {from}");
                }
            }
        }
    }

    fn compare_all(bytes: &[u8]) {
        compare::<Bytes, Colon>(bytes);
        compare::<Bytes, ColonAt>(bytes);
        compare::<Bytes, All>(bytes);
        compare::<Little, Colon>(bytes);
        compare::<Little, All>(bytes);
        compare::<Big, ColonAt>(bytes);
        compare::<Big, All>(bytes);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn blocks_find_what_the_predicate_finds(
            bytes in prop::collection::vec(
                prop_oneof![
                    4 => prop::sample::select(&b":@./ \0"[..]),
                    4 => prop::sample::select(&b".12wW"[..]),
                    2 => prop::sample::select(&b"/09:;@AZ[`az{!\x1F\x7F\x80\xFF"[..]),
                    1 => any::<u8>(),
                ],
                0..=515,
            ),
        ) {
            compare_all(&bytes);
        }
    }

    /// Puts one anchor at every place of texts of every length.
    #[test]
    fn an_anchor_is_found_at_every_place() {
        for len in 1..=200 {
            for at in 0..len {
                let mut bytes = [b'a'; 200];
                bytes[at] = b'@';
                for level in Level::available() {
                    let bytes = &bytes[..len];
                    assert_eq!(all::<Bytes, ColonAt>(level, bytes, 0), [at], "{level:?} of {len}");
                }
            }
        }
    }
}
