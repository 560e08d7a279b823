//! Sets of ASCII characters, in the form in which a block can be sorted into them.

use super::wanted::BLOCK;

/// A set of ASCII characters. For each low half of a byte: one bit for each high half with which it
/// is a member.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Set(pub(crate) [u8; 16]);

/// The bit of each high half. Bytes outside of ASCII have none.
pub(crate) const HIGH: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0];

impl Set {
    /// The characters that have a bit of `class` in `table`.
    pub(crate) const fn of(table: &[u8; 256], class: u8) -> Set {
        let mut low = [0; 16];
        let mut byte = 0;
        while byte < 0x80 {
            if table[byte] & class != 0 {
                low[byte & 15] |= HIGH[byte >> 4];
            }
            byte += 1;
        }
        Set(low)
    }

    /// The characters of `text`.
    pub(crate) const fn chars(text: &[u8]) -> Set {
        let mut table = [0; 256];
        let mut i = 0;
        while i < text.len() {
            table[text[i] as usize] = 1;
            i += 1;
        }
        Set::of(&table, 1)
    }

    /// This set and the characters of `text`.
    pub(crate) const fn with(self, text: &[u8]) -> Set {
        let (mut low, more) = (self.0, Set::chars(text).0);
        let mut i = 0;
        while i < low.len() {
            low[i] |= more[i];
            i += 1;
        }
        Set(low)
    }

    /// This set without the characters of `text`.
    pub(crate) const fn without(self, text: &[u8]) -> Set {
        let (mut low, less) = (self.0, Set::chars(text).0);
        let mut i = 0;
        while i < low.len() {
            low[i] &= !less[i];
            i += 1;
        }
        Set(low)
    }

    pub(crate) fn has(&self, byte: u8) -> bool {
        self.0[usize::from(byte & 15)] & HIGH[usize::from(byte >> 4)] != 0
    }
}

/// A block with the three bytes before it.
pub(crate) const NEAR: usize = BLOCK + 3;

/// The last three letters of some names in ASCII. For each of the three, and each low half of a
/// byte (which is the same in both cases): one bit for each of eight groups of names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ends(pub(crate) [[u8; 16]; 3]);

impl Ends {
    /// Of `names`, which have three letters or more. Names with the same last letter are one group.
    pub(crate) const fn of(names: &[&[u8]]) -> Ends {
        let mut groups = [[0; 16]; 3];
        let mut i = 0;
        while i < names.len() {
            let (name, len) = (names[i], names[i].len());
            let mut place = 0;
            while place < 3 {
                groups[place][(name[len - 3 + place] & 15) as usize] |= 1 << (name[len - 1] & 7);
                place += 1;
            }
            i += 1;
        }
        Ends(groups)
    }

    /// True if a name with this end may be one of them.
    pub(crate) fn may_end(&self, end: &[u8]) -> bool {
        let groups = |(groups, byte): (&[u8; 16], &u8)| match byte {
            0x80.. => 0,
            _ => groups[usize::from(byte & 15)],
        };
        self.0.iter().zip(end).map(groups).fold(0xFF, |common, groups| common & groups) != 0
    }
}
