//! What block searches ask of the instructions of a machine.
//!
//! The searches are written once, over these traits. Each file that implements them (`integer`, and
//! `x86`, `neon` and `wasm` where they are compiled) is for one kind of machine, and `unsafe` is only
//! there. A value of an implementing type proves that the machine has the instructions, so that
//! every method is safe to call: it is made where they were detected, or where the target has them.
//!
//! A condition is true for a byte of a vector if its top bit is set; the other bits mean nothing.

use super::wanted::Wanted;

/// A computation that a machine `M` compiles for its instructions.
#[cfg(all(feature = "std", target_arch = "x86_64"))]
pub(crate) trait Task<M> {
    type Out;

    /// Must be inlined into the caller.
    fn run(self, machine: M) -> Self::Out;
}

/// Instructions that load bytes and compare them.
pub(crate) trait Loads: Copy {
    /// Bytes that are worked on at the same time.
    type Vector: Copy;

    /// How many bytes a vector has. Divides [`BLOCK`](super::wanted::BLOCK).
    const LEN: usize;

    /// The bytes of `block` from `at` on.
    fn load(self, block: &[u8], at: usize) -> Self::Vector;

    /// `byte` in every place.
    fn splat(self, byte: u8) -> Self::Vector;

    /// One bit for each byte: set if it is the same in both.
    fn equal(self, left: Self::Vector, right: Self::Vector) -> u64;

    /// Asks the memory for the bytes at `here`, which need not exist. A hint, if anything.
    #[inline(always)]
    fn prefetch(self, _here: *const u8) {}
}

/// Instructions that look up bytes in a table of 16.
#[allow(dead_code, reason = "not every machine looks up tables")]
pub(crate) trait Tables: Loads {
    /// A table for [`lookup`](Tables::lookup).
    fn table(self, table: &[u8; 16]) -> Self::Vector;

    /// For each of `bytes` the entry of `table` at its low half; 0 for a byte outside of ASCII.
    fn lookup(self, table: Self::Vector, bytes: Self::Vector) -> Self::Vector;

    /// The high half of each byte, as a number from 0 to 15.
    fn high(self, bytes: Self::Vector) -> Self::Vector;

    /// One bit for each byte: set if both have a bit in common there.
    fn common(self, left: Self::Vector, right: Self::Vector) -> u64;

    /// As [`common`](Tables::common), of three.
    fn common_of_three(self, three: [Self::Vector; 3]) -> u64;
}

/// Instructions that compare bytes, and units of two bytes, with their neighbours.
pub(crate) trait Neighbours: Loads {
    fn and(self, left: Self::Vector, right: Self::Vector) -> Self::Vector;

    fn or(self, left: Self::Vector, right: Self::Vector) -> Self::Vector;

    /// The bytes that are the same.
    fn is(self, left: Self::Vector, right: Self::Vector) -> Self::Vector;

    /// The bytes of `left` that are not less than those of `right`.
    #[allow(dead_code, reason = "not every machine looks up tables")]
    fn at_least(self, left: Self::Vector, right: Self::Vector) -> Self::Vector;

    /// The bytes from `least` on, which is ASCII and not NUL.
    fn reach(self, bytes: Self::Vector, least: u8) -> Self::Vector;

    /// The units of two bytes, the less significant first, that are `char`.
    fn is_unit(self, units: Self::Vector, char: u8) -> Self::Vector;

    /// The units from `least` on, which is ASCII and not NUL. The condition is the top bit of a unit.
    fn reach_unit(self, units: Self::Vector, least: u8) -> Self::Vector;

    /// The two bytes of each unit changed over.
    fn swap(self, units: Self::Vector) -> Self::Vector;

    /// One bit for each byte: its top bit.
    fn mask(self, condition: Self::Vector) -> u64;

    /// The anchors among `here` that pass by the byte after them.
    #[inline(always)]
    fn fits_behind<W: Wanted>(self, here: Self::Vector, behind: Self::Vector) -> Self::Vector {
        fits_behind_by_comparing::<Self, W>(self, here, behind)
    }

    /// The bytes of `here` that pass by the byte before them, if they are anchors that pass by the
    /// one after them.
    #[inline(always)]
    fn fits_before<W: Wanted>(
        self,
        before: Self::Vector,
        here: Self::Vector,
        behind: Self::Vector,
    ) -> Self::Vector {
        fits_before_by_comparing::<Self, W>(self, before, here, behind)
    }
}

#[inline(always)]
fn fits_behind_by_comparing<V: Neighbours, W: Wanted>(
    v: V,
    here: V::Vector,
    behind: V::Vector,
) -> V::Vector {
    let is = |char: u8| v.is(here, v.splat(char));
    let mut anchors = is(if W::COLON { b':' } else { b'@' });
    if W::COLON && W::AT {
        anchors = v.or(anchors, is(b'@'));
    }
    let passed = v.and(anchors, v.reach(behind, b'!'));
    if W::DOT { v.or(passed, v.and(is(b'.'), v.reach(behind, b'0'))) } else { passed }
}

#[inline(always)]
fn fits_before_by_comparing<V: Neighbours, W: Wanted>(
    v: V,
    before: V::Vector,
    here: V::Vector,
    behind: V::Vector,
) -> V::Vector {
    // A `/` may come after a `:` whatever is before it. No dot has passed before a `/`, and any byte
    // may come before an `@`.
    let mut passed = v.or(v.reach(before, b'A'), v.is(behind, v.splat(b'/')));
    if W::AT {
        passed = v.or(passed, v.is(here, v.splat(b'@')));
    }
    if W::DOT {
        let label = v.and(v.is(here, v.splat(b'.')), v.reach(before, b'0'));
        passed = v.or(passed, label);
    }
    passed
}

/// [`Neighbours::fits_behind`] where a table is looked up by one instruction.
#[allow(dead_code, reason = "not every machine looks up tables")]
#[inline(always)]
pub(super) fn fits_behind_by_table<V: Neighbours + Tables, W: Wanted>(
    v: V,
    here: V::Vector,
    behind: V::Vector,
) -> V::Vector {
    let wanted = |is: bool, anchor: u8| if is { anchor } else { 0xFF };
    let (at, dot) = (wanted(W::AT, b'@'), wanted(W::DOT, b'.'));
    let is = v.lookup(by_anchor(v, at, wanted(W::COLON, b':'), dot, 0xFF), here);
    let fits = if W::DOT {
        v.at_least(behind, v.lookup(by_anchor(v, b'!', b'!', b'0', 0), here))
    } else {
        v.reach(behind, b'!')
    };
    v.and(v.is(is, here), fits)
}

/// [`Neighbours::fits_before`] where a table is looked up by one instruction.
#[allow(dead_code, reason = "not every machine looks up tables")]
#[inline(always)]
pub(super) fn fits_before_by_table<V: Neighbours + Tables>(
    v: V,
    before: V::Vector,
    here: V::Vector,
    behind: V::Vector,
) -> V::Vector {
    let least = v.lookup(by_anchor(v, 0, b'A', b'0', 0), here);
    // No dot has passed before a `/`, and any byte may come before an `@`.
    let scheme = v.is(behind, v.splat(b'/'));
    v.or(v.at_least(before, least), scheme)
}

/// A table with `@`, `:` and `.` at their low halves, which differ, and `none` at the others.
#[allow(dead_code, reason = "not every machine looks up tables")]
#[inline(always)]
fn by_anchor<V: Tables>(v: V, at: u8, colon: u8, dot: u8, none: u8) -> V::Vector {
    let mut table = [none; 16];
    (table[0x0], table[0xA], table[0xE]) = (at, colon, dot);
    v.table(&table)
}
