//! Reads characters before a place, nearest first: what comes before a scheme, a `.` or an `@`.
//!
//! In UTF-8, UTF-16, UTF-32 and single-byte charsets a character is found from its end. In multi-byte
//! charsets that is not always possible: then the characters are read forwards, from a byte that is
//! surely a boundary.

use super::{
    near::narrow,
    state::{Http, Machine, Units, border},
};
use crate::{
    charset::{Shape, cursor::Cursor, lookahead::Lookahead, unicode::Unit, window::Window},
    data::properties,
    grammar::{
        opener,
        start::{self, Head, LOOKBACK, LOOKBACK_MAX, SchemeBytes},
        types::{Before, Opener},
    },
};

/// What reading the characters before a place led to.
enum Seen {
    /// As many characters as were asked for.
    Enough,
    /// More were asked for than were read.
    TooLittle,
    /// None, because the place lies within a character.
    None,
}

/// How many characters before the `:` of a plain `http` or `https` are looked at.
const HTTP_BEFORE: usize = "?(https".len();

impl Machine {
    /// Calls `look` with the characters before `at`, nearest first: at least
    /// `chars` of them, if there are so many. In multi-byte charsets it may call `look` twice: first
    /// with few characters, and again if these were not enough. Returns what `look` does, or `None`
    /// if `at` lies within a character.
    pub(super) fn with_lookback<T>(
        &self,
        w: Window<'_>,
        at: u64,
        chars: usize,
        mut look: impl FnMut(&mut dyn Iterator<Item = Before>) -> Option<T>,
    ) -> Option<T> {
        if self.cursor.shape() != Shape::Multi {
            return look(&mut Backwards::new(&self.cursor, w, at));
        }
        let mut seen = None;
        let mut look = |before: &mut dyn Iterator<Item = Before>| seen = look(before);
        let there = self.show(w, at, chars, &mut look);
        if matches!(there, Seen::None) { None } else { seen }
    }

    /// As [`Machine::with_lookback`], for charsets that cannot be decoded backwards.
    #[inline(never)]
    fn show(
        &self,
        w: Window<'_>,
        at: u64,
        chars: usize,
        look: &mut dyn FnMut(&mut dyn Iterator<Item = Before>),
    ) -> Seen {
        // Most calls need few characters.
        match self.forwards::<LOOKBACK>(w, at, look) {
            Seen::TooLittle if chars != LOOKBACK => self.forwards::<LOOKBACK_MAX>(w, at, look),
            there => there,
        }
    }

    /// Reads forwards from a boundary before `at`, and keeps the last `N` characters.
    fn forwards<const N: usize>(
        &self,
        w: Window<'_>,
        at: u64,
        look: &mut dyn FnMut(&mut dyn Iterator<Item = Before>),
    ) -> Seen {
        let bytes = if N == LOOKBACK { LOOKBACK - 6 + 8 * 4 } else { N * 4 };
        let from = self.border_before(w, at.saturating_sub(bytes as u64).max(w.base));
        let mut ring: [Option<Before>; N] = [const { None }; N];
        let (mut count, mut next, mut pos) = (0, 0, from.min(at));
        while pos < at {
            let Some((unit, len)) = self.cursor.plain(Lookahead::whole(w.from(pos))) else { break };
            let c = match unit {
                Unit::Char(c) | Unit::Pair(_, c) => Some(c),
                Unit::Malformed | Unit::Escape => None,
            };
            ring[next] = Some(Before { c, start: pos });
            next = if next + 1 == N { 0 } else { next + 1 };
            count += 1;
            pos += len as u64;
        }
        if pos > at {
            return Seen::None;
        }
        let mut wanted_more = false;
        let (newest, oldest) = ring.split_at_mut(next);
        let mut ring = newest.iter_mut().rev().chain(oldest.iter_mut().rev()).map(Option::take);
        let mut before = core::iter::from_fn(|| {
            let next = ring.next().flatten();
            wanted_more |= next.is_none();
            next
        });
        look(&mut before);
        let more = from > w.base || count > N;
        if wanted_more && more { Seen::TooLittle } else { Seen::Enough }
    }

    /// The last position at or before `at` that is surely a boundary of a
    /// multi-byte charset.
    pub(super) fn border_before(&self, w: Window<'_>, at: u64) -> u64 {
        let border = w.base + border(&w.bytes[..w.index(at)]) as u64;
        // Text may be long without a sure boundary. `keep` is one, and spares reading it again for
        // every chunk.
        if self.keep <= at { border.max(self.keep) } else { border }
    }

    /// The head before the `:` at `at`.
    // Not inlined, because most schemes are `http` and `https`.
    #[inline(never)]
    pub(super) fn before_colon(&self, w: Window<'_>, at: u64) -> Option<Head> {
        let schemes = self.rules.schemes();
        if !self.fast || !matches!(self.cursor.shape(), Shape::Utf8 | Shape::Single) {
            return self
                .with_lookback(w, at, LOOKBACK, |before| start::before_colon(before, schemes));
        }
        let scheme = SchemeBytes::of(&w.bytes[..w.index(at)]);
        #[cfg(test)]
        crate::charset::cursor::LOOKS
            .set(crate::charset::cursor::LOOKS.get() + scheme.len() as u64);
        let start = at - scheme.len() as u64;
        scheme.head(start, Backwards::new(&self.cursor, w, start), schemes)
    }

    /// Writes the head before the `:` at `at` to `head`, if it is a plain `http` or `https`.
    #[inline(always)]
    pub(super) fn http(&self, w: Window<'_>, at: u64, head: &mut Head) -> Http {
        let before = &w.bytes[..w.index(at)];
        let mut narrowed = [0; HTTP_BEFORE];
        let (before, width) = match self.units() {
            Units::Bytes if self.fast => (before, 1),
            Units::Utf16 { big } if self.fast => {
                let near = before.len() - before.len().min(2 * HTTP_BEFORE);
                (narrow(&before[near..], big, &mut narrowed), 2)
            }
            _ => return Http::Unsure,
        };
        let Some((rest, name)) = start::ends_with_http(before) else { return Http::Unsure };
        let start = at - ((before.len() - rest.len()) * width) as u64;
        if let Some(opener) = self.opener_of_http(rest, self.cursor.shape()) {
            *head = Head { listed: rest.last() == Some(&b','), ..Head::http(start, opener) };
            return if self.rules.web.has(name) { Http::Head } else { Http::NoHead };
        }
        self.http_after_any(w, start, name, head)
    }

    /// The opener of an `http` after `before`, one byte a unit, if what is nearest decides by itself.
    #[inline(always)]
    pub(super) fn opener_of_http(&self, before: &[u8], shape: Shape) -> Option<Option<Opener>> {
        // Most characters before a scheme are ASCII.
        match *before {
            [.., further @ ..0x80, nearest] if shape != Shape::Multi || start::is_sync(further) => {
                start::opener_of_http([further, nearest])
            }
            [.., 0x80..=0xFF, 0x80..=0xFF] if shape == Shape::Utf8 => {
                properties::ends_with_letter(before).then_some(None)
            }
            [.., further, nearest] if opener::may_be_mark([further, nearest]) => None,
            [b'='] => None,
            [.., nearest] => opener::opens_nothing(nearest).then_some(None),
            // The text begins with it.
            [] => Some(None),
        }
    }

    /// As [`Machine::http`], for the scheme `name` at `start` after any characters.
    #[inline(never)]
    fn http_after_any(
        &self,
        w: Window<'_>,
        start: u64,
        name: &'static [u8],
        head: &mut Head,
    ) -> Http {
        let mut before = Backwards::new(&self.cursor, w, start);
        let mut stop = before.next();
        match stop.as_ref().map(|b| b.c) {
            None => return Http::Unsure,
            // Robots write `(compatible; +http://…)`. No scheme begins with `+`.
            Some(Some('+')) => {
                stop = None;
                if before.next().is_none_or(|b| b.c.is_some_and(start::is_scheme)) {
                    return Http::Unsure;
                }
            }
            Some(Some(c)) if start::is_scheme(c) => return Http::Unsure,
            Some(_) => {}
        }
        let read = start::http(name, start, stop, &mut before, self.rules.schemes());
        match read {
            _ if before.lost => Http::Unsure,
            Some(read) => {
                *head = read;
                Http::Head
            }
            None => Http::NoHead,
        }
    }
}

/// The characters before a position, nearest first, in charsets where a character can be found
/// from its end. In multi-byte charsets this holds after a byte that is surely a boundary; other
/// characters are decoded from the last such byte.
pub(super) struct Backwards<'c, 'w> {
    cursor: &'c Cursor,
    w: Window<'w>,
    at: u64,
    /// The character before could not be found from its end.
    lost: bool,
}

impl<'c, 'w> Backwards<'c, 'w> {
    fn new(cursor: &'c Cursor, w: Window<'w>, at: u64) -> Backwards<'c, 'w> {
        Backwards { cursor, w, at, lost: false }
    }

    /// The character that ends at `end`, in a multi-byte charset.
    fn multi(&mut self, end: usize) -> Option<Before> {
        let before = &self.w.bytes[..end];
        let (c, len) = match before {
            [] => return None,
            // In no charset are the last two bytes of a character both ASCII.
            [b] | [.., ..0x80, b] if b.is_ascii() => (char::from(*b), 1),
            [.., b] if start::is_sync(*b) => (char::from(*b), 1),
            [rest @ .., _] => {
                let last = self.cursor.last(&before[border(rest)..]);
                self.lost |= last.is_none();
                last?
            }
        };
        self.at -= len as u64;
        Some(Before { c: Some(c), start: self.at })
    }
}

impl Iterator for Backwards<'_, '_> {
    type Item = Before;

    fn next(&mut self) -> Option<Before> {
        let end = self.w.index(self.at);
        if self.cursor.shape() == Shape::Multi {
            return self.multi(end);
        }
        let shortest = match self.cursor.shape() {
            Shape::Wide { width, .. } => width,
            _ => 1,
        };
        end.checked_sub(shortest)?;
        let bytes = &self.w.bytes[..end];
        // Most characters before a scheme are ASCII.
        if shortest == 1
            && let &[.., byte @ ..0x80] = bytes
        {
            #[cfg(test)]
            crate::charset::cursor::LOOKS.set(crate::charset::cursor::LOOKS.get() + 1);
            self.at -= 1;
            return Some(Before { c: Some(char::from(byte)), start: self.at });
        }
        let longest = match self.cursor.shape() {
            // A sequence begins at the last byte that is not a continuation byte.
            Shape::Utf8 => {
                let goes_on = |b: &&u8| matches!(b, 0x80..0xC0);
                1 + bytes.iter().rev().take(3).take_while(goes_on).count()
            }
            Shape::Wide { .. } => 4,
            _ => 1,
        };
        // The longest sequence that ends here, or else one malformed unit.
        let whole = (1..=longest.min(end)).rev().filter(|len| len % shortest == 0).find_map(
            |len| match self.cursor.plain(Lookahead::whole(&bytes[end - len..]))? {
                (Unit::Char(c), n) if n == len => Some((len, c)),
                _ => None,
            },
        );
        let (len, c) = whole.map_or((shortest, None), |(len, c)| (len, Some(c)));
        self.at -= len as u64;
        Some(Before { c, start: self.at })
    }
}
