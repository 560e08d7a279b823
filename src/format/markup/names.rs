//! The elements and attributes of HTML that have a meaning of their own, and fast filters that
//! rule out most other names.

use super::tag::Name;
use crate::simd::sets::{Ends, Set};

/// The elements whose tag data does not follow.
pub(in crate::format) static ENDS_DATA: Names = Names::of(&ENDS_DATA_NAMES);

const ENDS_DATA_NAMES: [&[u8]; 9] = [
    b"script",
    b"iframe",
    b"noembed",
    b"noframes",
    b"textarea",
    b"xmp",
    b"style",
    b"title",
    b"plaintext",
];

/// The first letters of these names, and the second ones.
pub(in crate::format) const ENDS_DATA_LETTERS: [Set; 2] =
    [letters(&ENDS_DATA_NAMES, 0), letters(&ENDS_DATA_NAMES, 1)];

/// The attributes whose value is more than prose, in some elements at least.
pub(in crate::format) static SPECIAL: Names = Names::of(&SPECIAL_NAMES);

/// The last letters of these names.
pub(in crate::format) static SPECIAL_ENDS: Ends = Ends::of(&SPECIAL_NAMES);

const SPECIAL_NAMES: [&[u8]; 21] = [
    b"href",
    b"src",
    b"xlink:href",
    b"poster",
    b"formaction",
    b"cite",
    b"background",
    b"longdesc",
    b"lowsrc",
    b"dynsrc",
    b"codebase",
    b"action",
    b"data",
    b"manifest",
    b"profile",
    b"ping",
    b"srcset",
    b"imagesrcset",
    b"style",
    b"http-equiv",
    b"content",
];

/// A set of names that begin with letters, in any case, with a filter by first letter and
/// length.
pub(in crate::format) struct Names {
    names: &'static [&'static [u8]],
    /// For each first letter a bit for each length.
    lengths: Letters,
}

/// Some bits for each letter.
struct Letters([u32; 32]);

impl Letters {
    const NONE: Letters = Letters([0; 32]);

    const fn add(&mut self, letter: u8, bit: u8) {
        self.0[(letter & 31) as usize] |= 1 << (bit & 31);
    }

    #[inline(always)]
    fn hold(&self, letter: u8, bit: u8) -> bool {
        self.0[usize::from(letter & 31)] >> (bit & 31) & 1 == 1
    }
}

impl Names {
    const fn of(names: &'static [&'static [u8]]) -> Names {
        let mut lengths = Letters::NONE;
        let mut i = 0;
        while i < names.len() {
            assert!(names[i].len() < 32, "a bit for each length");
            lengths.add(names[i][0], names[i].len() as u8);
            i += 1;
        }
        Names { names, lengths }
    }

    /// Whether `name` is one of them, in either case.
    #[inline]
    pub(in crate::format) fn hold(&self, name: &[u8]) -> bool {
        self.may_hold(name) && self.do_hold(name)
    }

    #[inline(never)]
    fn do_hold(&self, name: &[u8]) -> bool {
        self.names.contains(&Name::from(name).get())
    }

    /// Whether `name` may be one of them, by its length and its first letter.
    #[inline(always)]
    pub(in crate::format) fn may_hold(&self, name: &[u8]) -> bool {
        name.len() < 32 && name.first().is_some_and(|b| self.lengths.hold(*b, name.len() as u8))
    }
}

/// The letters at `place` of `names`, in either case.
const fn letters(names: &[&[u8]], place: usize) -> Set {
    let (mut table, mut i) = ([0; 256], 0);
    while i < names.len() {
        let letter = names[i][place];
        table[letter.to_ascii_lowercase() as usize] = 1;
        table[letter.to_ascii_uppercase() as usize] = 1;
        i += 1;
    }
    Set::of(&table, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_told_from_its_own() {
        for name in ENDS_DATA_NAMES {
            for name in [name.to_vec(), name.to_ascii_uppercase()] {
                assert!(ENDS_DATA.hold(&name));
                assert!(ENDS_DATA_LETTERS[0].has(name[0]) && ENDS_DATA_LETTERS[1].has(name[1]));
            }
        }
        for name in SPECIAL_NAMES {
            for name in [name.to_vec(), name.to_ascii_uppercase()] {
                let end = name.last_chunk::<3>().expect("it has three letters");
                assert!(SPECIAL.may_hold(&name) && SPECIAL_ENDS.may_end(end));
            }
        }
        for name in [&b"strong"[..], b"select", b"script2", b"s", b""] {
            assert!(!ENDS_DATA.hold(name), "{name:?}");
        }
        assert!(!SPECIAL.may_hold(b"class") && !SPECIAL_ENDS.may_end(b"tle"));
    }
}
