//! Lookups in the list of top-level domains.

use super::{
    tlds::TLDS,
    words::{Words, len},
};

/// True if `label` is a top-level domain, in any case.
pub(crate) fn is_tld(label: &str) -> bool {
    tld(label).is_some()
}

/// True for a top-level domain, and for one that only some networks know (case
/// email-unknown-domains).
pub(crate) fn is_known(label: &str) -> bool {
    is_tld(label) || PRIVATE.iter().any(|name| label.eq_ignore_ascii_case(name))
}

/// The same for the first `len` bytes of `text`, which are ASCII.
pub(crate) fn is_known_ascii(text: &[u8], len: usize) -> bool {
    let private = |name: &&str| text[..len].eq_ignore_ascii_case(name.as_bytes());
    ascii_tld(text, len).is_some() || PRIVATE.iter().any(private)
}

/// Names of special use (RFC 6761, RFC 7686, RFC 9476), those that companies and homes use, those of
/// old mail, and a placeholder.
const PRIVATE: [&str; 17] = [
    "alt",
    "baz",
    "bitnet",
    "corp",
    "example",
    "home",
    "internal",
    "intranet",
    "invalid",
    "lan",
    "local",
    "localdomain",
    "localhost",
    "onion",
    "private",
    "test",
    "uucp",
];

/// The top-level domain with the index `i` in [`TLDS`].
pub(crate) fn top_level(i: usize) -> &'static [u8] {
    TOP_LEVEL.get(i)
}

/// The index of `label` in [`TLDS`], in any case.
pub(crate) fn tld(label: &str) -> Option<usize> {
    if label.is_ascii() {
        return ascii_tld(label.as_bytes(), label.len());
    }
    TOP_LEVEL.find(label.to_lowercase().as_bytes())
}

/// As [`tld`], for the first `len` bytes of `text`, which are ASCII. It is asked at every dot, so
/// the bytes are not copied.
#[inline]
pub(crate) const fn ascii_tld(text: &[u8], len: usize) -> Option<usize> {
    match text.first_chunk() {
        Some(start) if len < KEY => tld_by(tld_key(*start, len), b""),
        _ => long_tld(text.split_at(len).0),
    }
}

/// The same for a label that is longer than a key, or at the end of the text.
#[cold]
const fn long_tld(label: &[u8]) -> Option<usize> {
    tld_by(tld_key(start(label), label.len()), label)
}

/// The start of `label`, as long as a key, filled up with zeros.
const fn start(label: &[u8]) -> [u8; KEY] {
    let (mut start, mut i) = ([0; KEY], 0);
    while i < label.len() && i < KEY {
        start[i] = label[i];
        i += 1;
    }
    start
}

/// The index of the top-level domain with this `key`; a longer one must equal `label`.
#[inline(always)]
const fn tld_by(key: u64, label: &[u8]) -> Option<usize> {
    let mut place = tld_place(key);
    while TLD_PLACES[place] != 0 {
        let i = TLD_PLACES[place] as usize - 1;
        let whole = label.len() < KEY || TOP_LEVEL.get(i).eq_ignore_ascii_case(label);
        if TLD_KEYS[i] == key && whole {
            return Some(i);
        }
        place = (place + 1) % PLACES;
    }
    None
}

/// How many characters of a label its key holds.
const KEY: usize = 8;

/// The key of a label of `len` bytes: its start, in lower case. Shorter labels are in the key as a
/// whole: shorter top-level domains have only letters, and upper and lower case differ in one bit.
const fn tld_key(start: [u8; KEY], len: usize) -> u64 {
    let all = if len < KEY { !(!0 << (8 * len)) } else { !0 };
    (u64::from_le_bytes(start) | 0x2020_2020_2020_2020) & all
}

/// The top-level domains.
static TOP_LEVEL: Words<{ TLDS.len() + 1 }, { len(&TLDS) }> = Words::of(&TLDS);

/// More than twice as many as there are top-level domains.
const PLACES: usize = 4096;

/// Where the search for a key starts. The highest bits of a product differ for most keys.
const fn tld_place(key: u64) -> usize {
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - PLACES.ilog2())) as usize
}

/// The keys of [`TLDS`].
static TLD_KEYS: [u64; TLDS.len()] = {
    let (mut keys, mut i) = ([0; TLDS.len()], 0);
    while i < TLDS.len() {
        keys[i] = tld_key(start(TLDS[i].as_bytes()), TLDS[i].len());
        i += 1;
    }
    keys
};

/// The indices of [`TLDS`] plus 1, each at its [`tld_place`], or at the next free place.
static TLD_PLACES: [u16; PLACES] = {
    let (mut places, mut i) = ([0; PLACES], 0);
    while i < TLDS.len() {
        let mut place = tld_place(TLD_KEYS[i]);
        while places[place] != 0 {
            place = (place + 1) % PLACES;
        }
        i += 1;
        places[place] = i as u16;
    }
    places
};

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    #[test]
    fn only_top_level_domains_are_found() {
        for (i, name) in TLDS.iter().enumerate() {
            assert_eq!(tld(name), Some(i));
            assert_eq!(tld(&name.to_uppercase()), Some(i));
            assert_eq!(tld(&format!("{name}x")), TLDS.binary_search(&&*format!("{name}x")).ok());
            // Lower case by one bit would turn a control character into a digit or a hyphen, so
            // short names may have only letters.
            let letters = name.bytes().all(|b| b.is_ascii_lowercase());
            assert!(!name.is_ascii() || letters || name.len() >= KEY, "{name}");
        }
        assert_eq!(tld(""), None);
        assert_eq!(tld("xn-\rp1ai"), None);
    }
}
