//! The size of a block, the layout of text in bytes, and the anchors that are wanted.

/// How many bytes a block has.
pub(crate) const BLOCK: usize = 64;

/// Which anchors are let through.
pub(crate) trait Wanted {
    const COLON: bool;
    const AT: bool;
    const DOT: bool;
}

/// `:` alone.
pub(crate) struct Colon;

/// `:` and `@`.
pub(crate) struct ColonAt;

/// All three.
pub(crate) struct All;

impl Wanted for Colon {
    const COLON: bool = true;
    const AT: bool = false;
    const DOT: bool = false;
}

impl Wanted for ColonAt {
    const COLON: bool = true;
    const AT: bool = true;
    const DOT: bool = false;
}

impl Wanted for All {
    const COLON: bool = true;
    const AT: bool = true;
    const DOT: bool = true;
}

/// How units of text are laid out in bytes.
pub(crate) trait Layout {
    /// Bytes a unit.
    const WIDTH: usize;
    const BIG: bool;
}

/// One byte a unit: every superset of ASCII.
pub(crate) struct Bytes;

/// UTF-16, little and big endian.
pub(crate) struct Little;

pub(crate) struct Big;

impl Layout for Bytes {
    const WIDTH: usize = 1;
    const BIG: bool = false;
}

impl Layout for Little {
    const WIDTH: usize = 2;
    const BIG: bool = false;
}

impl Layout for Big {
    const WIDTH: usize = 2;
    const BIG: bool = true;
}

/// The result of searching blocks: a unit that was accepted, or the place where no whole block
/// follows.
pub(crate) type Searched = Result<usize, usize>;

/// Of the `dots` of a block: those between `digits`, unless a `w` at `ws` comes before the digits,
/// because after `www2` any name is a host. `before` and `after`: the bytes next to the block.
#[inline]
pub(crate) fn numbers(dots: u64, digits: u64, ws: u64, (before, after): (u8, u8)) -> u64 {
    let (first, last) = (u64::from(before.is_ascii_digit()), u64::from(after.is_ascii_digit()));
    let between = (digits << 1 | first) & (digits >> 1 | last << (BLOCK - 1));
    // The bytes before the block are unknown. The sum carries the start of a run to the place after
    // its end.
    let unknown = first | u64::from(before | 0x20 == b'w');
    let starts = (ws << 1 | unknown) & digits;
    let hosts = (starts.wrapping_add(digits) | unknown) & !digits;
    dots & between & !hosts
}
