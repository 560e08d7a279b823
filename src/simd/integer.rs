//! What every machine has: eight bytes in an integer (SWAR). The first byte is the least
//! significant one, whatever the byte order of the machine.

use super::vector::{Loads, Neighbours};

/// Eight bytes in a `u64`. Made by [`Integer::new`] only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Integer(Made);

/// No value of this type exists where all machines have vectors, so that nothing is compiled for
/// integers there.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128", not(test)))]
type Made = core::convert::Infallible;
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128", not(test))))]
type Made = ();

impl Integer {
    /// `None` where all machines have vectors.
    pub(crate) fn new() -> Option<Integer> {
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128", not(test)))]
        return None;
        #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128", not(test))))]
        Some(Integer(()))
    }
}

/// The top bit of each byte, and of each unit of two bytes.
const TOP: u64 = bytes(0x80);
const TOP_OF_UNIT: u64 = units(0x8000);

/// `byte` in each byte.
const fn bytes(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// `unit` in each unit.
const fn units(unit: u16) -> u64 {
    unit as u64 * 0x0001_0001_0001_0001
}

/// The top bit of each part that is zero. `top` has the top bit of each part.
#[inline(always)]
fn zeros(parts: u64, top: u64) -> u64 {
    // The sums do not carry into the next part.
    !(((parts & !top) + !top) | parts) & top
}

/// The top bit of each part of `left` that is not less than that of `right`.
#[inline(always)]
fn at_least(left: u64, right: u64, top: u64) -> u64 {
    // With the top bits on one side only, no difference borrows from the next part.
    let rest = (left | top) - (right & !top);
    (left & !right | !(left ^ right) & rest) & top
}

impl Loads for Integer {
    type Vector = u64;

    const LEN: usize = 8;

    #[inline(always)]
    fn load(self, block: &[u8], at: usize) -> u64 {
        u64::from_le_bytes(*block[at..].first_chunk().expect("the block should have the vector"))
    }

    #[inline(always)]
    fn splat(self, byte: u8) -> u64 {
        bytes(byte)
    }

    #[inline(always)]
    fn equal(self, left: u64, right: u64) -> u64 {
        self.mask(self.is(left, right))
    }
}

impl Neighbours for Integer {
    #[inline(always)]
    fn and(self, left: u64, right: u64) -> u64 {
        left & right
    }

    #[inline(always)]
    fn or(self, left: u64, right: u64) -> u64 {
        left | right
    }

    #[inline(always)]
    fn is(self, left: u64, right: u64) -> u64 {
        zeros(left ^ right, TOP)
    }

    #[inline(always)]
    fn at_least(self, left: u64, right: u64) -> u64 {
        at_least(left, right, TOP)
    }

    #[inline(always)]
    fn reach(self, all: u64, least: u8) -> u64 {
        ((all & !TOP) + bytes(0x80 - least)) | all
    }

    #[inline(always)]
    fn is_unit(self, all: u64, char: u8) -> u64 {
        zeros(all ^ units(char.into()), TOP_OF_UNIT)
    }

    #[inline(always)]
    fn reach_unit(self, all: u64, least: u8) -> u64 {
        ((all & !TOP_OF_UNIT) + units(0x8000 - u16::from(least))) | all
    }

    #[inline(always)]
    fn swap(self, all: u64) -> u64 {
        (all & units(0xFF)) << 8 | all >> 8 & units(0xFF)
    }

    #[inline(always)]
    fn mask(self, condition: u64) -> u64 {
        // Each factor puts the bit of one byte into another place of the top byte.
        ((condition & TOP) >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
    }
}
