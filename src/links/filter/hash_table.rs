//! The hash table of a list of hosts: the hashes of names, and the slots that have the places of names.
//!
//! The bytes of a name and a seed go in, a hash comes out; a hash and a place go into the slots. What must
//! hold: the hash of a host is made from that of its parent and its first label, and there is always a free
//! slot.

/// A slot of the table: the upper half of the hash, and the place of the name, which is never 0.
pub(super) fn slot(hash: u64, at: u32) -> u64 {
    hash >> 32 << 32 | u64::from(at)
}

/// Reads the slots of all these hashes, one after the other, so that the memory is fetched for many
/// at once. In a large table most of the time of an insertion is that wait.
pub(super) fn touch(slots: &[u64], hashes: &[(u64, u32)]) {
    let mask = slots.len().wrapping_sub(1);
    let slot = |&(hash, _): &(u64, u32)| slots.get(hash as usize & mask).copied().unwrap_or(0);
    core::hint::black_box(hashes.iter().map(slot).fold(0, |all, slot| all | slot));
}

/// Puts a slot into the table, which has free ones.
pub(super) fn insert(slots: &mut [u64], slot: u64, hash: u64) {
    let mask = slots.len() - 1;
    let mut i = hash as usize & mask;
    while slots[i] != 0 {
        i = (i + 1) & mask;
    }
    slots[i] = slot;
}

pub(super) fn last_label(name: &[u8]) -> &[u8] {
    // Labels are short.
    let start = name.iter().rposition(|b| *b == b'.').map_or(0, |dot| dot + 1);
    &name[start..]
}

/// The hash of a name, from its last label to the first.
pub(super) fn hash_of(seed: u64, name: &[u8]) -> u64 {
    let (mut hash, mut end) = (seed, name.len());
    loop {
        let label = last_label(&name[..end]);
        hash = mix(hash, label);
        match end - label.len() {
            0 => return hash,
            start => end = start - 1,
        }
    }
}

/// The hash of a name, of which `hash` is that of all labels but the first, `label`.
pub(super) fn mix(hash: u64, label: &[u8]) -> u64 {
    let fold = |hash: u64, word: u64| {
        let wide = u128::from(hash ^ word) * 0x9E37_79B9_7F4A_7C15;
        (wide >> 64) as u64 ^ wide as u64
    };
    let (words, rest) = label.as_chunks::<8>();
    let hash = words.iter().fold(hash, |hash, word| fold(hash, u64::from_le_bytes(*word)));
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    // The length tells `a` from `a` and NULs.
    fold(hash, u64::from_le_bytes(last) ^ (label.len() as u64) << 56)
}
