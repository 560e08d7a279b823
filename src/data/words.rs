//! Lists of words without pointers.
//!
//! A `&str` in a table is an address that the loader writes into the memory of each process, so
//! that a word of seven bytes takes 47 bytes of the file.

use core::cmp::Ordering;

/// Words without anything between them: `LEN` bytes in all, and one fewer than `PLACES`.
#[derive(Debug)]
pub(crate) struct Words<const PLACES: usize, const LEN: usize> {
    text: [u8; LEN],
    /// Where each begins, and where the last one ends.
    places: [u16; PLACES],
}

/// The sum of the lengths of `words`, in bytes.
pub(crate) const fn len(words: &[&str]) -> usize {
    let (mut len, mut i) = (0, 0);
    while i < words.len() {
        len += words[i].len();
        i += 1;
    }
    len
}

impl<const PLACES: usize, const LEN: usize> Words<PLACES, LEN> {
    pub(crate) const fn of(words: &[&str]) -> Words<PLACES, LEN> {
        assert!(words.len() + 1 == PLACES, "each word should have its place");
        assert!(LEN <= u16::MAX as usize, "a place should fit into its two bytes");
        let (mut text, mut places, mut at, mut i) = ([0; LEN], [0; PLACES], 0, 0);
        while i < words.len() {
            let (word, mut j) = (words[i].as_bytes(), 0);
            while j < word.len() {
                text[at] = word[j];
                (at, j) = (at + 1, j + 1);
            }
            i += 1;
            places[i] = at as u16;
        }
        Words { text, places }
    }

    /// The word at `i`.
    pub(crate) const fn get(&self, i: usize) -> &[u8] {
        let (before, _) = self.text.split_at(self.places[i + 1] as usize);
        before.split_at(self.places[i] as usize).1
    }

    /// The index of `word` in a sorted list.
    pub(crate) fn find(&self, word: &[u8]) -> Option<usize> {
        let (mut from, mut to) = (0, PLACES - 1);
        while from < to {
            let middle = (from + to) / 2;
            match self.get(middle).cmp(word) {
                Ordering::Less => from = middle + 1,
                Ordering::Equal => return Some(middle),
                Ordering::Greater => to = middle,
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_back_and_found() {
        const LIST: [&str; 4] = ["", "a", "ab", "б"];
        static WORDS: Words<5, { len(&LIST) }> = Words::of(&LIST);
        for (i, word) in LIST.iter().enumerate() {
            assert_eq!(WORDS.get(i), word.as_bytes());
            assert_eq!(WORDS.find(word.as_bytes()), Some(i));
        }
        for none in ["A", "aa", "abc", "в"] {
            assert_eq!(WORDS.find(none.as_bytes()), None);
        }
    }
}
