//! The layout of tags: where they and the values of their attributes are, 64 bytes at a time
//! and without a branch for each byte.
//!
//! A block of 64 bytes goes in, a [`Block`] of bit masks comes out. It accepts the regular part of
//! the grammar of [`tag`](crate::format::markup::tag):
//!
//! - between the name and its `=`, and between the `=` and the value, there is no white space;
//! - a quote is only before and after a value, or within one between quotes of the other kind;
//! - within a block all values have the same quotes, `"` or `'`, or none;
//! - a `>` in quotes does not occur.
//!
//! Where a block differs, [`Block::irregular`] has a bit. Invariant: all masks are right up to the
//! first of these; the caller must give up there. A test compares every block with a reader that
//! goes byte by byte. Of the names of elements it reads the first two letters.

use super::names::ENDS_DATA_LETTERS;
use crate::simd::{
    sets::Set,
    sort::sorted,
    types::{BLOCK, Level},
};

/// White space and `/`; letters; the first and the second letters of elements whose tag data
/// does not follow.
static SETS: [Set; 4] = [
    Set::chars(b" \t\n\r\x0C/"),
    Set::chars(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"),
    ENDS_DATA_LETTERS[0],
    ENDS_DATA_LETTERS[1],
];

/// The state between two blocks.
#[derive(Clone, Copy, Debug)]
pub(in crate::format) struct Layout {
    /// In a tag (1), and in its name.
    tag: u64,
    name: u64,
    /// In a value in quotes: all bits, or none. In a value without quotes (1).
    value: u64,
    bare: u64,
    /// The last values had `'`.
    single: bool,
    /// After the `=` of an attribute (1); after a byte that cannot come before an `=` (1).
    equals: u64,
    apart: u64,
}

/// A bit for each byte of a block, the first one lowest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::format) struct Block {
    /// Tags, from `<` to `>`.
    pub(in crate::format) tags: u64,
    /// Values, with the quote before them and without the one after; those without quotes.
    pub(in crate::format) values: u64,
    pub(in crate::format) bare: u64,
    /// The `<` that begin tags, and the `>` that end them.
    pub(in crate::format) starts: u64,
    pub(in crate::format) ends: u64,
    /// The `<` that may not begin a tag, or begin one that data may not follow; also a `<` at the
    /// end of the block.
    pub(in crate::format) odd: u64,
    /// The `=` before values.
    pub(in crate::format) equals: u64,
    /// Before the first of these all masks are right.
    pub(in crate::format) irregular: u64,
    /// All `"`, or all `'` if values have those; all `&`, `:`, `@` and `.`.
    pub(in crate::format) quotes: u64,
    pub(in crate::format) references: u64,
    pub(in crate::format) colons: u64,
    pub(in crate::format) ats: u64,
    pub(in crate::format) dots: u64,
}

impl Layout {
    /// `in_tag`: an attribute may begin at the first byte; if not, it is text.
    pub(in crate::format) fn new(in_tag: bool) -> Layout {
        let tag = u64::from(in_tag);
        Layout { tag, name: 0, value: 0, bare: 0, single: false, equals: 0, apart: tag }
    }

    /// Whether a tag continues after the last block.
    pub(in crate::format) fn is_in_tag(&self) -> bool {
        self.tag == 1
    }

    /// Returns the quotes of the last values.
    pub(in crate::format) fn quote(&self) -> u8 {
        if self.single { b'\'' } else { b'"' }
    }

    /// Reads the next block.
    // The level is a constant in the caller; a field would be compared for each block.
    #[inline(always)]
    pub(in crate::format) fn next(&mut self, level: Level, bytes: &[u8; BLOCK]) -> Block {
        #[cfg(test)]
        crate::charset::cursor::STEPS.set(crate::charset::cursor::STEPS.get() + 1);
        let (
            [less, greater, slashes, double, single, equal, references, colons, ats, dots],
            [breaks, letters, first, second],
        ) = sorted(level, bytes, b"<>/\"'=&:@.", &SETS);

        let (tags, tag) = runs(less, greater, self.tag);
        let ends = greater & tags;
        // A `<` in a tag is part of a name.
        let starts = less & !((tags & !greater) << 1 | self.tag);
        let (names, name) = runs(starts, breaks | greater, self.name);
        let opening = letters >> 1 & !(first >> 1 & second >> 2);
        let plain = opening & !(1 << (BLOCK - 2)) | slashes >> 1 & letters >> 2;
        let odd = starts & !plain;

        let markup = Markup {
            tags,
            ends,
            names,
            equal,
            spaces: breaks & !slashes,
            apart: breaks | double | single,
        };
        let mut valued = match self.single {
            true => markup.valued(self, single, double, false),
            false => markup.valued(self, double, single, false),
        };
        // One branch for both: whether a value continues is hard to predict.
        if valued.irregular | self.bare != 0 {
            (valued, self.single) = self.less_regular(markup, double, single);
        }
        let Valued { quotes, quoted, bare, equals, irregular } = valued;
        (self.tag, self.name) = (tag, name);
        self.value = (quoted as i64 >> (BLOCK - 1)) as u64;
        self.bare = bare >> (BLOCK - 1);
        (self.equals, self.apart) = (equals >> (BLOCK - 1), markup.apart >> (BLOCK - 1));
        Block {
            tags,
            values: quoted | bare,
            bare,
            starts,
            ends,
            odd,
            equals,
            irregular,
            quotes,
            references,
            colons,
            ats,
            dots,
        }
    }

    /// Reads the values of a block with other quotes than the last ones, or without quotes.
    /// Returns them, and whether they have `'`.
    #[cold]
    #[inline(never)]
    fn less_regular(self, markup: Markup, double: u64, single: u64) -> (Valued, bool) {
        let by = |single_quotes| match single_quotes {
            true => markup.valued(&self, single, double, true),
            false => markup.valued(&self, double, single, true),
        };
        let valued = by(self.single);
        if valued.irregular == 0 || self.value != 0 {
            return (valued, self.single);
        }
        // Mostly all values of a block have the same quotes.
        let other = by(!self.single);
        if other.irregular.trailing_zeros() <= valued.irregular.trailing_zeros() {
            return (valued, self.single);
        }
        (other, !self.single)
    }
}

/// The masks of a block that do not depend on its quotes.
#[derive(Clone, Copy)]
struct Markup {
    tags: u64,
    ends: u64,
    names: u64,
    /// All `=`.
    equal: u64,
    spaces: u64,
    apart: u64,
}

/// The masks of a block if its values have the quotes `quotes`.
struct Valued {
    quotes: u64,
    quoted: u64,
    bare: u64,
    equals: u64,
    irregular: u64,
}

impl Markup {
    /// Reads the values with the quotes `by`; a quote of `other` in a tag is irregular.
    /// `with_bare`: values without quotes are regular.
    #[inline(always)]
    fn valued(&self, before: &Layout, by: u64, other: u64, with_bare: bool) -> Valued {
        let quotes = by & self.tags;
        let quoted = parity(quotes) ^ before.value;
        let markup = self.tags & !quoted & !quotes;
        let mut equals = self.equal & markup;
        let mut bare = 0;
        if with_bare {
            let over = self.spaces | self.ends;
            // An `=` within a value does not begin one.
            let starts = (equals << 1 | before.equals) & markup & !over;
            bare = runs(starts, over, before.bare).0 & !over;
            equals &= !bare;
        }
        let irregular = self.ends & quoted
            | quotes & quoted ^ (equals << 1 | before.equals) & !bare
            | equals & (self.names | self.apart << 1 | before.apart)
            | other & markup;
        Valued { quotes: by, quoted, bare, equals, irregular }
    }
}

/// Returns the runs from each of `starts` to the next of `ends`, both included, and 1 if the last
/// one continues after the block. `within`: 1 if one began before it.
#[inline(always)]
fn runs(starts: u64, ends: u64, within: u64) -> (u64, u64) {
    // The carry of an addition moves through ones and stops at the first zero, an end.
    let on = !ends;
    let (sum, over) = on.overflowing_add(starts);
    let (sum, far) = sum.overflowing_add(within);
    // A start within a run is a bit that the carry has passed.
    ((sum ^ on) | starts, u64::from(over | far))
}

/// Returns for each bit whether the number of ones up to it is odd.
#[inline(always)]
fn parity(mut bits: u64) -> u64 {
    for by in [1, 2, 4, 8, 16, 32] {
        bits ^= bits << by;
    }
    bits
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[derive(Clone, Copy, Default)]
    struct State {
        tag: bool,
        name: bool,
        value: bool,
        bare: bool,
        single: bool,
        equals: bool,
        apart: bool,
    }

    fn is_break(b: u8) -> bool {
        b.is_ascii_whitespace() || b == b'/'
    }

    /// The same, read byte by byte.
    fn naive(bytes: &[u8], mut s: State) -> (Block, State) {
        let (mut block, quote) = (Block::default(), if s.single { b'\'' } else { b'"' });
        for (i, &b) in bytes.iter().enumerate() {
            let mut set = |mask: fn(&mut Block) -> &mut u64, is: bool| {
                *mask(&mut block) |= u64::from(is) << i;
            };
            let starts = b == b'<' && !s.tag;
            let named = s.name;
            (s.tag, s.name) = (s.tag | starts, s.name | starts);
            let delimits = s.tag && b == quote;
            s.value ^= delimits;
            let markup = s.tag && !s.value && !delimits;
            s.bare = (s.bare || s.equals && markup) && !b.is_ascii_whitespace() && b != b'>';
            let is_equals = markup && !s.bare && b == b'=';
            set(|b| &mut b.tags, s.tag);
            set(|b| &mut b.values, s.value || s.bare);
            set(|b| &mut b.bare, s.bare);
            set(|b| &mut b.starts, starts);
            set(|b| &mut b.ends, s.tag && b == b'>');
            let plain = match bytes[i + 1..] {
                [b'/', b, ..] => b.is_ascii_alphabetic(),
                [a, b, ..] => {
                    let like = ENDS_DATA_LETTERS[0].has(a) && ENDS_DATA_LETTERS[1].has(b);
                    a.is_ascii_alphabetic() && !like
                }
                _ => false,
            };
            set(|b| &mut b.odd, starts && !plain);
            set(|b| &mut b.equals, is_equals);
            let irregular = s.tag && b == b'>' && s.value
                || (delimits && s.value) != (s.equals && !s.bare)
                || is_equals && (named || s.apart)
                || markup && matches!(b, b'"' | b'\'');
            set(|b| &mut b.irregular, irregular);
            set(|b| &mut b.quotes, b == quote);
            set(|b| &mut b.references, b == b'&');
            set(|b| &mut b.colons, b == b':');
            set(|b| &mut b.ats, b == b'@');
            set(|b| &mut b.dots, b == b'.');
            s.tag &= b != b'>';
            s.name &= !is_break(b) && b != b'>';
            (s.equals, s.apart) = (is_equals, is_break(b) || matches!(b, b'"' | b'\''));
        }
        (block, s)
    }

    proptest! {
        #[test]
        fn blocks_are_what_bytes_tell(
            pieces in prop::collection::vec(
                prop::sample::select(&[
                    "<", "<a ", "</a", ">", "a", "=", "\"", "'", "a=\"", "a='", "\" ", "' ", "/",
                    " ", "&", ":", "@", ".", "\n", "é", "<s", "<sc", "<st", "title=\"b\"",
                    "id='b'", "a=b", "/c=d",
                ][..]),
                40..200,
            ),
            in_tag in any::<bool>(),
        ) {
            let bytes = pieces.concat().into_bytes();
            for level in Level::available() {
                let mut layout = Layout::new(in_tag);
                let mut state = State { tag: in_tag, apart: in_tag, ..State::default() };
                for block in bytes.chunks_exact(BLOCK) {
                    let mut want = naive(block, state);
                    let other = naive(block, State { single: !state.single, ..state });
                    let first = |(block, _): &(Block, State)| block.irregular.trailing_zeros();
                    if !state.value && first(&other) > first(&want) {
                        want = other;
                    }
                    let got = layout.next(level, block.try_into().expect("it is a block"));
                    prop_assert_eq!(got, want.0, "{:?}", level);
                    state = want.1;
                }
            }
        }
    }
}
