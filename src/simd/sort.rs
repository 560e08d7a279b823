//! Sorts the bytes of a block into sets, all at once.

use super::{
    blocks::equal,
    sets::{Ends, NEAR, Set},
    types::{BLOCK, Level},
    vector::Loads,
};

/// One bit for each byte of a block: set if a name that may be one of `ends` ends before it.
/// `near`: the block with the three bytes before it.
#[inline(always)]
pub(crate) fn ending(level: Level, near: &[u8; NEAR], ends: &Ends) -> u64 {
    match level {
        #[cfg(all(feature = "std", target_arch = "x86_64"))]
        Level::Avx2(avx2) => avx2.ending(near, ends),
        #[cfg(all(feature = "std", target_arch = "x86_64"))]
        Level::Avx512(avx512) => avx512.ending(near, ends),
        #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
        Level::Neon(neon) => super::blocks::ends_by_table(neon, near, ends),
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        Level::Simd128(simd128) => super::blocks::ends_by_table(simd128, near, ends),
        _ => ends_one_by_one(near, ends),
    }
}

#[inline(never)]
fn ends_one_by_one(near: &[u8; NEAR], ends: &Ends) -> u64 {
    let windows = near.windows(3).take(BLOCK).rev();
    windows.fold(0, |mask, end| mask << 1 | u64::from(ends.may_end(end)))
}

/// One mask for each of `chars` and of `sets`: bit `i` is set if byte `i` of `block` is that
/// character, or in that set. A character costs less than a set.
#[inline(always)]
pub(crate) fn sorted<const C: usize, const N: usize>(
    level: Level,
    block: &[u8; BLOCK],
    chars: &[u8; C],
    sets: &[Set; N],
) -> ([u64; C], [u64; N]) {
    match level {
        Level::Integer(integer) => by_comparing(integer, block, chars, sets),
        #[cfg(target_arch = "x86_64")]
        Level::Sse2(sse2) => by_comparing(sse2, block, chars, sets),
        #[cfg(all(feature = "std", target_arch = "x86_64"))]
        Level::Avx2(avx2) => avx2.sorted(block, chars, sets),
        #[cfg(all(feature = "std", target_arch = "x86_64"))]
        Level::Avx512(avx512) => avx512.sorted(block, chars, sets),
        #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
        Level::Neon(neon) => super::blocks::by_table(neon, block, chars, sets),
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        Level::Simd128(simd128) => super::blocks::by_table(simd128, block, chars, sets),
    }
}

/// As [`sorted`], for fewer bytes than a block has: they stand at `at` of a block that is empty otherwise.
/// None of `chars` and `sets` has a NUL.
#[inline(always)]
pub(crate) fn sorted_part<const C: usize, const N: usize>(
    level: Level,
    bytes: &[u8],
    at: usize,
    (chars, sets): (&[u8; C], &[Set; N]),
) -> ([u64; C], [u64; N]) {
    match level {
        #[cfg(all(feature = "std", target_arch = "x86_64"))]
        Level::Avx512(avx512) => avx512.sorted_part(bytes, at, (chars, sets)),
        _ => copied(level, bytes, at, (chars, sets)),
    }
}

/// As [`sorted_part`], of a copy.
#[cold]
#[inline(never)]
fn copied<const C: usize, const N: usize>(
    level: Level,
    bytes: &[u8],
    at: usize,
    (chars, sets): (&[u8; C], &[Set; N]),
) -> ([u64; C], [u64; N]) {
    let mut block = [0; BLOCK];
    block[at..at + bytes.len()].copy_from_slice(bytes);
    sorted(level, &block, chars, sets)
}

/// [`sorted`], on machines without tables.
#[inline(never)]
fn by_comparing<V: Loads, const C: usize, const N: usize>(
    v: V,
    block: &[u8; BLOCK],
    chars: &[u8; C],
    sets: &[Set; N],
) -> ([u64; C], [u64; N]) {
    let chars = chars.map(|char| equal(v, block, char));
    (chars, sets.map(|set| one_by_one(block, |byte| set.has(byte))))
}

fn one_by_one(block: &[u8; BLOCK], is: impl Fn(u8) -> bool) -> u64 {
    block.iter().rev().fold(0, |mask, byte| mask << 1 | u64::from(is(*byte)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn blocks_find_the_ends_of_names(
            words in prop::collection::vec(
                prop::sample::select(&["href", "HREF", "src", "sRc", "hrec", "é", "=", " ", "p"][..]),
                NEAR,
            ),
        ) {
            const ENDS: Ends = Ends::of(&[b"href", b"src"]);
            let text = words.concat();
            let near = text.as_bytes().first_chunk::<NEAR>().expect("the text should be long enough");
            for level in Level::available() {
                let mask = ending(level, near, &ENDS);
                for i in 0..BLOCK {
                    let end = &near[i..i + 3];
                    let is = [b"ref", b"src"].iter().any(|name| end.eq_ignore_ascii_case(*name));
                    assert_eq!(mask >> i & 1 == 1, is, "{level:?}: {end:?}");
                    assert_eq!(ENDS.may_end(end), is, "{end:?}");
                }
            }
        }

        #[test]
        fn blocks_are_classified_as_single_bytes_are(
            block in prop::array::uniform32(any::<u8>()),
            other in prop::array::uniform32(prop::sample::select(&b"/09:@AZ[`az{\x1F\x7F\x80"[..])),
            mut table in prop::collection::vec(any::<u8>(), 256),
            cut in 0..BLOCK as u8,
        ) {
            table[0] = 0;
            let mut bytes = [0; BLOCK];
            bytes[..32].copy_from_slice(&block);
            bytes[32..].copy_from_slice(&other);
            let table: [u8; 256] = table.try_into().expect("the table should have 256 entries");
            let sets = [1, 2, 4].map(|class| Set::of(&table, class));
            for level in Level::available() {
                let chars = *b"/az";
                let (met, masks) = sorted(level, &bytes, &chars, &sets);
                let (part, to) = (&bytes[..usize::from(cut)], BLOCK - usize::from(cut));
                let shifted = |mask: u64| mask.checked_shl(to as u32).unwrap_or(0);
                let (first, second) = sorted_part(level, part, to, (&chars, &sets));
                assert_eq!(first, met.map(shifted), "{level:?}, {cut} bytes");
                // A NUL is in no set.
                assert_eq!(second, masks.map(shifted), "{level:?}, {cut} bytes");
                for (char, mask) in chars.iter().zip(met) {
                    for (i, byte) in bytes.iter().enumerate() {
                        assert_eq!(mask >> i & 1 == 1, byte == char, "{level:?}: {byte:x} at {i}");
                    }
                }
                for (set, (class, mask)) in sets.iter().zip([1, 2, 4].into_iter().zip(masks)) {
                    for (i, &byte) in bytes.iter().enumerate() {
                        let member = byte < 0x80
                            && table[usize::from(byte)] & class != 0;
                        assert_eq!(set.has(byte), member, "{byte:x}");
                        assert_eq!(mask >> i & 1 == 1, member, "{level:?}: {byte:x} at {i}");
                    }
                }
            }
        }
    }
}
