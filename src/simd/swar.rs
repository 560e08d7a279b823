//! Eight bytes at a time, in one integer (SWAR). For labels and numbers, which are shorter than a
//! block: a loop over their bytes ends where no branch predictor expects it.

/// `byte` in each byte.
const fn splat(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// Sets the top bit of each byte of `word` that is from `first` to `last`, which are ASCII.
#[inline(always)]
fn within(word: u64, first: u8, last: u8) -> u64 {
    let low = word & splat(0x7F);
    // The sums set the top bit from a byte on, and do not carry into the next byte.
    let (from, behind) = (low + splat(0x80 - first), low + splat(0x7F - last));
    from & !behind & !word & splat(0x80)
}

/// How many ASCII letters and digits `bytes` start with: a word of less than eight, mostly.
#[inline(always)]
pub(crate) fn alphanumerics(bytes: &[u8]) -> usize {
    match bytes.first_chunk().map(|word| alphanumerics_in(*word)) {
        Some(len @ 0..8) => len,
        _ => more_alphanumerics(bytes),
    }
}

#[cold]
#[inline(never)]
fn more_alphanumerics(bytes: &[u8]) -> usize {
    let (words, rest) = bytes.as_chunks();
    let mut len = 0;
    for word in words {
        let here = alphanumerics_in(*word);
        len += here;
        if here < word.len() {
            return len;
        }
    }
    len + rest.iter().take_while(|b| b.is_ascii_alphanumeric()).count()
}

/// How many ASCII letters and digits `word` starts with.
#[inline(always)]
fn alphanumerics_in(word: [u8; 8]) -> usize {
    let word = u64::from_le_bytes(word);
    let letters = within(word | splat(0x20), b'a', b'z');
    let others = (letters | within(word, b'0', b'9')) ^ splat(0x80);
    others.trailing_zeros() as usize / 8
}

/// How many bytes come before the first `byte`.
#[inline]
pub(crate) fn before(bytes: &[u8], byte: u8) -> usize {
    let (words, rest) = bytes.as_chunks();
    for (i, word) in words.iter().enumerate() {
        let others = u64::from_le_bytes(*word) ^ splat(byte);
        // Right up to the first zero; the bytes after it may be wrong.
        let zeros = others.wrapping_sub(splat(1)) & !others & splat(0x80);
        if zeros != 0 {
            return i * 8 + zeros.trailing_zeros() as usize / 8;
        }
    }
    words.len() * 8 + rest.iter().take_while(|b| **b != byte).count()
}

/// How many ASCII digits `bytes` end with.
#[inline]
fn trailing_digits(bytes: &[u8]) -> usize {
    if let Some(word) = bytes.last_chunk() {
        let others = within(u64::from_be_bytes(*word), b'0', b'9') ^ splat(0x80);
        if others != 0 {
            return others.trailing_zeros() as usize / 8;
        }
    }
    bytes.iter().rev().take_while(|b| b.is_ascii_digit()).count()
}

/// True if `bytes` end with `www` or `www2`. After these first labels any name is a host.
#[inline]
pub(crate) fn ends_with_www(bytes: &[u8]) -> bool {
    // Few dots follow one of these bytes.
    let may = bytes.last().is_some_and(|b| b.is_ascii_digit() || b | 0x20 == b'w');
    may && bytes[..bytes.len() - trailing_digits(bytes)]
        .last_chunk::<3>()
        .is_some_and(|www| www.eq_ignore_ascii_case(b"www"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn words_are_counted_as_single_bytes_are(
            bytes in prop::collection::vec(
                prop_oneof![
                    8 => prop::sample::select(&b"/09:@AZ[`az{"[..]),
                    8 => prop::sample::select(&b"09azAZ"[..]),
                    1 => any::<u8>(),
                ],
                0..=40,
            ),
            digits in "[0-9]{0,20}",
        ) {
            let run = bytes.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
            assert_eq!(alphanumerics(&bytes), run);
            for byte in [b'/', b'z', 0xFF] {
                let run = bytes.iter().take_while(|b| **b != byte).count();
                assert_eq!(before(&bytes, byte), run);
            }
            let bytes = [&bytes, digits.as_bytes()].concat();
            let run = bytes.iter().rev().take_while(|b| b.is_ascii_digit()).count();
            assert_eq!(trailing_digits(&bytes), run);
            for (www, yes) in [(&b"www"[..], true), (b"wWw", true), (b"wxw", false)] {
                let bytes = [&bytes, www, digits.as_bytes()].concat();
                assert_eq!(ends_with_www(&bytes), yes);
            }
        }
    }
}
