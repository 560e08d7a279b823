//! The map from a text to the source that it was made of.
//!
//! *Inside* is an offset in the text, *outside* one in the source. The map is a list of pieces,
//! each decoded character by character or made of one escape. Invariant: both offsets grow from
//! piece to piece.

use alloc::collections::VecDeque;
use core::ops::Range;

use super::Shift;

/// Maps offsets in a text to offsets in its source. Pieces that are settled are forgotten.
#[derive(Clone, Debug, Default)]
pub(crate) struct SourceMap {
    pieces: VecDeque<Piece>,
    /// Where the last piece ends, on both sides.
    inside: u64,
    outside: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    inside: u64,
    outside: u64,
    make: Make,
}

/// How the inside of a piece was made of its outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Make {
    /// Character by character; each has this many bytes.
    Chars { inside: u8, outside: u8, shift: Shift },
    /// As a whole: it is an escape.
    Escape,
}

/// The first capacity of a map for text with many escapes.
const ROOM: usize = 1024;

/// The text has the bytes of its source.
pub(crate) const SAME: Make = Make::Chars { inside: 1, outside: 1, shift: Shift::Ascii };

impl Make {
    /// Returns how many bytes outside come before the character with the byte at `within`.
    fn before(self, within: u64) -> u64 {
        match self {
            Make::Chars { inside, outside, .. } => {
                // An escape sequence of ISO-2022-JP is no character.
                within.checked_div(inside.into()).unwrap_or(0) * u64::from(outside)
            }
            Make::Escape => 0,
        }
    }
}

impl SourceMap {
    /// A map for a text that begins at `outside`.
    pub(crate) fn at(outside: u64) -> SourceMap {
        SourceMap { pieces: VecDeque::new(), inside: 0, outside }
    }

    /// A map for a text with escapes, with capacity, because growing step by step fragments
    /// memory.
    pub(crate) fn roomy() -> SourceMap {
        SourceMap { pieces: VecDeque::with_capacity(ROOM), ..SourceMap::default() }
    }

    /// Starts over as [`SourceMap::at`].
    pub(crate) fn restart(&mut self, outside: u64) {
        self.pieces.clear();
        (self.inside, self.outside) = (0, outside);
    }

    /// A map for a text that goes on at `at`, and was its own source before.
    pub(crate) fn after(at: u64) -> SourceMap {
        let pieces = (at > 0).then_some(Piece { inside: 0, outside: 0, make: SAME });
        SourceMap { pieces: pieces.into_iter().collect(), inside: at, outside: at }
    }

    /// Appends a piece.
    pub(crate) fn push(&mut self, inside: usize, outside: usize, make: Make) {
        let runs = make != Make::Escape;
        if runs && inside + outside == 0 {
            return;
        }
        if !(runs && self.pieces.back().is_some_and(|last| last.make == make)) {
            self.pieces.push_back(Piece { inside: self.inside, outside: self.outside, make });
        }
        self.inside += inside as u64;
        self.outside += outside as u64;
    }

    /// Appends a text that was made of a part of another one: `of` maps it to that, and `outer` maps that
    /// to the source.
    pub(crate) fn push_made(&mut self, of: &SourceMap, outer: &SourceMap) {
        for (i, piece) in of.pieces.iter().enumerate() {
            let next = of.pieces.get(i + 1).map(|next| (next.inside, next.outside));
            let (inside, to) = next.unwrap_or((of.inside, of.outside));
            match piece.make {
                Make::Chars { .. } => self.push_part(outer, piece.outside..to, next.is_none()),
                Make::Escape => {
                    let end = if next.is_some() { outer.start(to) } else { outer.end(to) };
                    let len = end - outer.start(piece.outside);
                    self.push((inside - piece.inside) as usize, len as usize, Make::Escape);
                }
            }
        }
    }

    /// Appends the part `range` of a text that `outer` maps to the source, and, unless it is the `last`
    /// one, the escapes without meaning after it.
    fn push_part(&mut self, outer: &SourceMap, range: Range<u64>, last: bool) {
        for (i, piece) in outer.pieces.iter().enumerate() {
            let next = outer.pieces.get(i + 1).map(|next| (next.inside, next.outside));
            let (inside, outside) = next.unwrap_or((outer.inside, outer.outside));
            let (from, to) = (piece.inside.max(range.start), inside.min(range.end));
            let empty = piece.inside == inside && range.start < from && from == to;
            if from < to || empty && !(last && from == range.end) {
                let start = piece.outside + piece.make.before(from - piece.inside);
                let end = match to == inside {
                    true => outside,
                    false => piece.outside + piece.make.before(to - piece.inside),
                };
                self.push((to - from) as usize, (end - start) as usize, piece.make);
            }
        }
    }

    /// One byte more comes before the text, made of nothing.
    pub(crate) fn follow(&mut self) {
        let outside = self.pieces.front().map_or(self.outside, |piece| piece.outside);
        self.pieces.iter_mut().for_each(|piece| piece.inside += 1);
        self.pieces.push_front(Piece { inside: 0, outside, make: Make::Escape });
        self.inside += 1;
    }

    /// Where the text ends outside.
    pub(crate) fn outside(&self) -> u64 {
        self.outside
    }

    /// Returns the last piece that begins at or before `inside`, with its index.
    fn piece(&self, inside: u64) -> Option<(usize, Piece)> {
        // That is mostly the first one, because pieces before a link are forgotten.
        let second = self.pieces.get(1).map_or(u64::MAX, |piece| piece.inside);
        let i = match inside < second {
            true => usize::from(self.pieces.front()?.inside <= inside),
            false => self.pieces.partition_point(|piece| piece.inside <= inside),
        };
        Some((i.checked_sub(1)?, self.pieces[i - 1]))
    }

    /// Returns where the character that begins at `inside` begins outside.
    pub(crate) fn start(&self, inside: u64) -> u64 {
        if inside >= self.inside {
            return self.outside;
        }
        match self.piece(inside) {
            None => self.outside,
            Some((_, piece)) => piece.outside + piece.make.before(inside - piece.inside),
        }
    }

    /// Returns how many bytes of the text from `from` on come from at most `len` bytes of the source;
    /// the greatest number if all of them do so far.
    pub(crate) fn room(&self, from: u64, len: u64) -> u64 {
        let to = self.start(from).saturating_add(len);
        if self.outside <= to {
            return u64::MAX;
        }
        let next = self.pieces.partition_point(|piece| piece.outside <= to);
        let Some(Piece { inside, outside, make }) = next.checked_sub(1).map(|i| self.pieces[i])
        else {
            return u64::MAX;
        };
        let within = match make {
            Make::Chars { inside, outside: each, .. } => {
                (to - outside).checked_div(each.into()).unwrap_or(0) * u64::from(inside)
            }
            Make::Escape => 0,
        };
        (inside + within).saturating_sub(from)
    }

    /// Returns where the character that ends at `inside` ends outside.
    pub(crate) fn end(&self, inside: u64) -> u64 {
        let Some(last) = inside.checked_sub(1) else { return self.start(inside) };
        if inside == self.inside && self.pieces.back().is_some_and(|piece| piece.inside <= last) {
            return self.outside;
        }
        match self.piece(last) {
            None => self.outside,
            Some((_, piece @ Piece { make: Make::Chars { outside, .. }, .. })) => {
                let before = piece.make.before(last - piece.inside);
                piece.outside + before + u64::from(outside)
            }
            Some((i, _)) => self.pieces.get(i + 1).map_or(self.outside, |next| next.outside),
        }
    }

    /// Returns how many bytes from `from` on have the same make, and whether they are the same
    /// bytes outside.
    pub(crate) fn run(&self, from: u64) -> (u64, bool) {
        let Some((i, Piece { make, .. })) = self.piece(from) else { return (0, false) };
        (self.pieces.get(i + 1).map_or(self.inside, |next| next.inside) - from, make == SAME)
    }

    /// Returns where a range begins outside, if it has the same bytes there. The pieces before it
    /// must be forgotten.
    #[inline]
    pub(crate) fn same(&self, from: u64, to: u64) -> Option<u64> {
        let Piece { inside, outside, make } = self.pieces.front()?;
        let Make::Chars { inside: 1, outside: 1, .. } = make else { return None };
        let end = self.pieces.get(1).map_or(self.inside, |next| next.inside);
        (*inside <= from && to <= end).then(|| outside + (from - inside))
    }

    /// Returns the shift state of ISO-2022-JP at the character at `inside`.
    pub(crate) fn shift(&self, inside: u64) -> Shift {
        match self.piece(inside).map(|(_, piece)| piece.make) {
            Some(Make::Chars { shift, .. }) => shift,
            _ => Shift::Ascii,
        }
    }

    /// Returns the escapes in a range: the range of each inside, empty if it means nothing, and
    /// outside. The pieces before the range must be forgotten.
    pub(crate) fn escapes(
        &self,
        from: u64,
        to: u64,
    ) -> impl Iterator<Item = (Range<u64>, Range<u64>)> + '_ {
        (0..self.pieces.len())
            .map(|i| (self.pieces[i], self.pieces.get(i + 1)))
            .skip_while(move |(piece, _)| piece.inside < from)
            .take_while(move |(piece, _)| piece.inside < to)
            .filter(|(piece, _)| piece.make == Make::Escape)
            .map(|(piece, next)| {
                let (inside, outside) =
                    next.map_or((self.inside, self.outside), |next| (next.inside, next.outside));
                (piece.inside..inside, piece.outside..outside)
            })
    }

    /// Whether an escape is in a range. The pieces before the range must be forgotten.
    #[inline]
    pub(crate) fn has_escape(&self, from: u64, to: u64) -> bool {
        let within = self.pieces.iter().take_while(|piece| piece.inside < to);
        within.into_iter().any(|piece| piece.make == Make::Escape && piece.inside >= from)
    }

    /// Whether an escape without meaning is in a range, with characters before and after it.
    pub(crate) fn divides(&self, from: u64, to: u64) -> bool {
        // The map of text with many escapes is long, the range short.
        let within = self.pieces.iter().take_while(|piece| piece.inside < to);
        within.zip(self.pieces.iter().skip(1)).any(|(piece, next)| {
            piece.make == Make::Escape && piece.inside == next.inside && from < piece.inside
        })
    }

    /// Whether the byte at `inside` comes from an escape.
    pub(crate) fn is_escape(&self, inside: u64) -> bool {
        self.piece(inside).is_some_and(|(_, piece)| piece.make == Make::Escape)
    }

    /// Forgets the pieces before `inside`.
    pub(crate) fn forget(&mut self, inside: u64) {
        // Mostly all but the last one go; `clear` keeps the memory.
        if self.pieces.len() > 2
            && let Some(&last) = self.pieces.back().filter(|last| last.inside <= inside)
        {
            self.pieces.clear();
            self.pieces.push_back(last);
            return;
        }
        while self.pieces.len() > 1 && self.pieces[1].inside <= inside {
            self.pieces.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `ab&amp;c` and a soft break, from offset 10.
    fn map() -> SourceMap {
        let mut map = SourceMap::at(10);
        map.push(2, 2, SAME);
        map.push(1, 5, Make::Escape);
        map.push(0, 2, Make::Escape);
        map.push(1, 1, SAME);
        map
    }

    #[test]
    fn both_ends_are_those_of_the_characters() {
        let starts = [10, 11, 12, 19, 20];
        let ends = [10, 11, 12, 17, 20];
        for inside in 0..=4 {
            assert_eq!(map().start(inside), starts[inside as usize], "start of {inside}");
            assert_eq!(map().end(inside), ends[inside as usize], "end of {inside}");
        }
    }

    /// `aéé日本` from GBK, at offset 10.
    #[test]
    fn characters_are_counted() {
        let mut map = SourceMap::at(10);
        map.push(1, 1, SAME);
        let shift = Shift::Ascii;
        for (inside, outside) in [(2, 2), (2, 2), (3, 2), (3, 2), (3, 4)] {
            let make = Make::Chars { inside, outside, shift };
            map.push(inside.into(), outside.into(), make);
        }
        assert_eq!(map.pieces.len(), 4, "what is alike is one piece");
        let starts = [10, 11, 11, 13, 13, 15, 15, 15, 17, 17, 17, 19, 19, 19, 23];
        let ends = [10, 11, 13, 13, 15, 15, 17, 17, 17, 19, 19, 19, 23, 23, 23];
        for inside in 0..starts.len() {
            assert_eq!(map.start(inside as u64), starts[inside], "start of {inside}");
            assert_eq!(map.end(inside as u64), ends[inside], "end of {inside}");
        }
        assert_eq!((map.same(0, 1), map.same(0, 2)), (Some(10), None));
        let rooms = [(0, 0), (1, 1), (2, 1), (3, 3), (5, 5), (7, 8), (9, 11), (10, 11), (12, 11)];
        for (len, room) in rooms {
            assert_eq!(map.room(0, len), room, "room for {len}");
        }
        assert_eq!((map.room(0, 13), map.room(1, 3), map.room(8, 6)), (u64::MAX, 2, u64::MAX));
    }

    #[test]
    fn a_map_over_a_map_is_one() {
        // `b\a;c` of `ab&amp;` …: the middle one is an escape in the text.
        let mut inner = SourceMap::at(1);
        inner.push(1, 1, SAME);
        inner.push(1, 1, Make::Escape);
        inner.push(1, 1, SAME);
        let mut all = SourceMap::at(map().start(1));
        all.push_made(&inner, &map());
        let starts = [11, 12, 19, 20];
        let ends = [11, 12, 19, 20];
        for inside in 0..=3 {
            assert_eq!(all.start(inside), starts[inside as usize], "start of {inside}");
            assert_eq!(all.end(inside), ends[inside as usize], "end of {inside}");
        }
        assert_eq!(all.escapes(0, 3).collect::<std::vec::Vec<_>>(), [(1..2, 12..19)]);
        let mut inner = SourceMap::at(0);
        inner.push(4, 4, SAME);
        let mut all = SourceMap::at(10);
        all.push_made(&inner, &map());
        assert_eq!(all.pieces, map().pieces);
    }

    #[test]
    fn escapes_of_a_range() {
        let all: Vec<_> = map().escapes(0, 4).collect();
        assert_eq!(all, [(2..3, 12..17), (3..3, 17..19)]);
        assert!(!map().divides(0, 3) && map().divides(2, 4) && !map().divides(3, 4));
        for (from, to, escapes) in [(0, 2, 0), (2, 3, 1), (0, 4, 2), (3, 4, 1)] {
            assert_eq!(map().escapes(from, to).count(), escapes, "{from}..{to}");
            assert_eq!(map().has_escape(from, to), escapes > 0, "{from}..{to}");
        }
    }

    #[test]
    fn what_is_forgotten_does_not_matter() {
        let all = map();
        for from in 0..=4 {
            let mut map = map();
            map.forget(from);
            for at in from..=4 {
                assert_eq!(map.start(at), all.start(at), "start of {at} behind {from}");
                assert!(at == from || map.end(at) == all.end(at), "end of {at} behind {from}");
            }
        }
        let mut map = map();
        map.forget(1);
        map.forget(2);
        map.forget(4);
        assert_eq!(map.pieces.len(), 1, "only the last one can matter");
    }

    use alloc::vec::Vec;
}
