//! Charset `auto`: which bytes need a decision, and the decision.
//!
//! Until the first [`trigger`] every charset of the ASCII family reads the stream alike, so the
//! decision waits for it. It is made once, from at most [`WINDOW`] bytes after the trigger, and
//! never changed: the same bytes give the same charset at any chunking.

use alloc::vec::Vec;

use super::{
    Charset, Shape, Shift,
    cursor::Cursor,
    legacy::{self, Detector},
    lookahead::Lookahead,
    unicode::Unit,
};
use crate::{
    data::names::named,
    simd::types::{Level, Work},
};

/// How many bytes from the trigger on are read for the decision. As many may be held back.
pub(crate) const WINDOW: usize = 64 * 1024;

/// The most bytes that the detector gets, and how many it gets before and after each byte that is
/// not ASCII.
const SHOWN_MAX: usize = 8 * 1024;
const NEAR: usize = 16;

/// UTF-16 and UTF-32 without a byte order mark are found within this many bytes or not at all:
/// after that, text has been sent on that was read as ASCII.
pub(crate) const EARLY: u64 = 16;

/// Why a document is read in its charset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Basis {
    /// The caller named it.
    Given,
    /// A byte order mark.
    Bom,
    /// The pattern of NUL bytes (UTF-16, UTF-32).
    Nuls,
    /// Escape sequences of ISO-2022-JP.
    Escapes,
    /// All bytes are ASCII; UTF-8 is assumed.
    Ascii,
    /// The document declares it: `<meta charset>`, an XML declaration.
    Declared,
    /// At least nine in ten non-ASCII sequences are valid UTF-8.
    Utf8,
    /// A statistical detector guessed.
    Detector,
    /// The text is not Unicode, and this build knows nothing else: it has no feature
    /// `legacy-charsets`. UTF-8 is assumed.
    Fallback,
}

named! {
    Basis is "a reason for a charset":
    Given = "given",
    Bom = "bom",
    Nuls = "nuls",
    Escapes = "escapes",
    Ascii = "ascii",
    Declared = "declared",
    Utf8 = "utf-8",
    Detector = "detector",
    Fallback = "fallback",
}

impl Basis {
    /// The reason in a few words that follow "read as UTF-8", for messages.
    ///
    /// ```
    /// use iriscan::Basis;
    ///
    /// assert_eq!(Basis::Bom.reason(), "by its byte order mark");
    /// ```
    #[must_use]
    pub const fn reason(self) -> &'static str {
        match self {
            Basis::Given => "as told",
            Basis::Bom => "by its byte order mark",
            Basis::Nuls => "by the pattern of NUL bytes",
            Basis::Escapes => "by its escape sequences",
            Basis::Ascii => "because every byte is ASCII",
            Basis::Declared => "as the document declares",
            Basis::Utf8 => "because its text is UTF-8",
            Basis::Detector => "guessed by a detector",
            Basis::Fallback => "because this build knows Unicode only",
        }
    }
}

/// The start of a stream, as far as byte order marks go.
pub(crate) enum Bom {
    Found(Charset),
    Absent,
    /// More bytes could still complete one.
    Open,
}

/// The byte order mark at the start of a stream.
#[inline(always)]
pub(crate) fn bom(start: Lookahead<'_>) -> Bom {
    if start.first().is_some_and(|b| !matches!(b, 0 | 0xEF | 0xFE | 0xFF)) {
        return Bom::Absent;
    }
    // UTF-32LE before UTF-16LE: the longer mark starts with the shorter.
    let marks = [
        Charset::UTF_32LE,
        Charset::UTF_32BE,
        Charset::UTF_8,
        Charset::UTF_16LE,
        Charset::UTF_16BE,
    ];
    for charset in marks {
        let mark = charset.byte_order_mark();
        if start.starts_with(mark) {
            return Bom::Found(charset);
        }
        if start.is_partial() && mark.starts_with(&start) {
            return Bom::Open;
        }
    }
    Bom::Absent
}

/// Returns the first byte at or after `from` that needs a decision: one that is not ASCII, a NUL
/// (if `nuls`), or an escape sequence that only ISO-2022-JP has. Second: up to where the bytes hold
/// none.
pub(crate) fn trigger(bytes: Lookahead<'_>, from: usize, nuls: bool) -> (Option<usize>, usize) {
    let from = from + Level::best().run(Untelling(&bytes[from..]));
    let rest = &bytes[from..];
    let ascii = &rest[..ascii_up_to(rest)];
    let beyond = (ascii.len() < rest.len()).then_some(from + ascii.len());
    let ascii = match memchr::memchr(0, ascii) {
        Some(nul) if nuls => &ascii[..nul],
        _ => ascii,
    };
    let stop = if ascii.len() < rest.len() && rest[ascii.len()] == 0 && nuls {
        Some(from + ascii.len())
    } else {
        beyond
    };
    for at in memchr::memchr_iter(0x1B, ascii) {
        let tail = &rest[at..];
        if tail.len() < 3 && bytes.is_partial() && matches!(tail, [_] | [_, b'$' | b'(']) {
            return (None, from + at);
        }
        // Terminals write `ESC ( B` too, so it alone decides nothing.
        if !matches!(Shift::from_escape(tail), None | Some(Shift::Ascii)) {
            return (Some(from + at), from + at);
        }
    }
    (stop, stop.unwrap_or(bytes.len()))
}

/// The length of the whole blocks at the start that hold neither a trigger nor a part of one.
struct Untelling<'b>(&'b [u8]);

impl Work for Untelling<'_> {
    type Out = usize;

    #[inline(always)]
    fn run(self, _: Level) -> usize {
        const BLOCK: usize = 128;
        let (blocks, _) = self.0.as_chunks::<BLOCK>();
        let tells = |b: &u8| !(1..0x80).contains(b) | (*b == 0x1B);
        let first = blocks.iter().position(|b| b.iter().fold(false, |some, b| some | tells(b)));
        first.unwrap_or(blocks.len()) * BLOCK
    }
}

/// The number of ASCII bytes at the start.
fn ascii_up_to(bytes: &[u8]) -> usize {
    // By blocks, because searching for the byte needs five times the instructions.
    let blocks = bytes.chunks(256).take_while(|block| block.is_ascii());
    let at = blocks.map(<[u8]>::len).sum();
    at + legacy::ascii_up_to(&bytes[at..])
}

/// The charset of a stream with its first trigger at `window[0]`, at the absolute offset `at`.
/// `None` if these bytes do not decide, and all are ASCII.
pub(crate) fn decide(window: Lookahead<'_>, at: u64) -> Option<(Charset, Basis)> {
    if at < EARLY
        && let Some(wide) = wide(&window, at)
    {
        return Some((wide, Basis::Nuls));
    }
    let ascii = window.is_ascii();
    if ascii {
        let escape = trigger(Lookahead::whole(&window), 0, false).0?;
        let jis = Charset::iso_2022_jp().filter(|jis| is_jis(*jis, &window[escape..]))?;
        return Some((jis, Basis::Escapes));
    }
    if is_utf8(&window) {
        return Some((Charset::UTF_8, Basis::Utf8));
    }
    if !legacy::PRESENT {
        return Some((Charset::UTF_8, Basis::Fallback));
    }
    guess(window).map(|charset| (charset, Basis::Detector))
}

/// The guess of the detector for `window`. The detector reads about ten bytes a microsecond, so it
/// gets only the bytes near those that are not ASCII.
fn guess(window: Lookahead<'_>) -> Option<Charset> {
    let mut detector = Detector::new();
    let (mut at, mut shown) = (0, 0);
    while shown < SHOWN_MAX && at < window.len() {
        let first = at + ascii_up_to(&window[at..]);
        let (start, mut end) = (first.saturating_sub(NEAR).max(at), first);
        while let Some(other) = window[end..].iter().take(2 * NEAR).rposition(|b| !b.is_ascii())
            && end - start < SHOWN_MAX
        {
            end += other + 1;
        }
        end = window.len().min(end + NEAR);
        if at < start {
            // Words must stay apart.
            detector.feed(Lookahead::part(b" "));
        }
        detector.feed(Lookahead::part(&window[start..end]));
        (at, shown) = (end, shown + end - start);
    }
    detector.feed(Lookahead::new(b"", window.is_last() && at == window.len()));
    detector.guess().map(Charset::from_encoding)
}

/// UTF-16 or UTF-32 without a byte order mark, by the places of the NULs: in the upper bytes of
/// ASCII, and nowhere else.
fn wide(window: &[u8], at: u64) -> Option<Charset> {
    let mut nuls = [0usize; 4];
    for i in memchr::memchr_iter(0, window) {
        nuls[(at.wrapping_add(i as u64) % 4) as usize] += 1;
    }
    if nuls == [0; 4] {
        return None;
    }
    let (units, quads) = (window.len() / 2, window.len() / 4);
    let [even, odd] = [nuls[0] + nuls[2], nuls[1] + nuls[3]];
    // Where everything else is plain text (a list with NULs between its items), only NULs beside
    // most characters decide. Otherwise two things must hold: at least one unit in sixteen is ASCII
    // (a space, a line end, markup), and NULs in the other half of units are sixteen times rarer. A
    // binary file has neither. In UTF-32 every character has a NUL at its far end.
    let enough = if units < 4 { 1 } else { 2 };
    let least = if is_plain(window) { units * 3 / 4 } else { units / 16 }.max(enough);
    let fits = |nuls: usize, others: usize| nuls >= least && others * 16 <= nuls;
    let fits_quads = |far: usize, next: usize, near: usize| {
        far >= (quads * 3 / 4).max(1) && next * 4 >= far * 3 && near * 16 <= far
    };
    let charset = if fits_quads(nuls[3], nuls[2], nuls[0]) {
        Charset::UTF_32LE
    } else if fits_quads(nuls[0], nuls[1], nuls[3]) {
        Charset::UTF_32BE
    } else if fits(odd, even) {
        Charset::UTF_16LE
    } else if fits(even, odd) {
        Charset::UTF_16BE
    } else {
        return None;
    };
    let Shape::Wide { width, .. } = charset.shape() else { return None };
    // Align to the stream, and leave out the cut unit at the end.
    let skip = (width - (at % width as u64) as usize) % width;
    let aligned = window.get(skip..)?;
    // ASCII read as UTF-16 gives Han, too: half of the units would be pairs of letters.
    let letter = |b: &u8| b.is_ascii_alphabetic() || *b == b' ';
    let others = aligned.chunks_exact(2).filter(|unit| !unit.contains(&0));
    let (pairs, all) = others
        .fold((0, 0), |(pairs, all), unit| (pairs + usize::from(unit.iter().all(letter)), all + 1));
    if pairs * 2 > all {
        return None;
    }
    let (good, bad) = tally(charset, aligned);
    (good > 0 && bad * 10 <= good).then_some(charset)
}

/// True if the bytes without the NULs are UTF-8, without controls that text does not have.
fn is_plain(window: &[u8]) -> bool {
    let control = |b: &u8| matches!(b, 1..=7 | 0x0B | 0x0E..=0x1A | 0x1C..=0x1F | 0x7F);
    let mut pieces = window.split(|b| *b == 0);
    // The window may cut off the last character.
    let cut = |e: core::str::Utf8Error| e.error_len().is_none();
    let last = pieces.next_back().unwrap_or_default();
    !window.iter().any(control)
        && core::str::from_utf8(last).map_or_else(cut, |_| true)
        && pieces.all(|piece| core::str::from_utf8(piece).is_ok())
}

fn is_jis(jis: Charset, window: &[u8]) -> bool {
    let (good, bad) = tally(jis, window);
    good > 0 && bad * 10 <= good
}

/// True if at least nine in ten sequences that are not ASCII are valid UTF-8. A sequence that the
/// end of the window cuts off counts as neither, even at the end of the stream.
fn is_utf8(window: &[u8]) -> bool {
    let first_bytes = |valid: &[u8]| valid.iter().filter(|b| **b >= 0xC0).count();
    let (mut good, mut bad, mut rest) = (0, 0, window);
    loop {
        let (valid, other) = rest.split_at(legacy::utf8_up_to(rest));
        let head = core::str::from_utf8(&other[..other.len().min(4)]);
        let Some(len) = head.err().and_then(|e| e.error_len()) else {
            // In most texts none is malformed.
            return bad == 0 || good + first_bytes(valid) >= bad * 9;
        };
        good += first_bytes(valid);
        bad += 1;
        rest = &other[len..];
        // The rest cannot make up for it.
        if good + rest.len() / 2 < bad * 9 {
            return false;
        }
    }
}

/// The numbers of characters and of malformed sequences in `window`. A sequence that its end cuts
/// off counts as neither.
fn tally(charset: Charset, window: &[u8]) -> (usize, usize) {
    let (mut cursor, mut text) = (Cursor::new(charset), Vec::new());
    let (mut good, mut bad, mut rest) = (0, 0, window);
    loop {
        let len = cursor.many(rest, &mut text, |n, _| good += n);
        text.clear();
        rest = &rest[len..];
        match cursor.step(Lookahead::part(rest)) {
            Some((unit, len)) => {
                good += usize::from(matches!(unit, Unit::Char(_) | Unit::Pair(..)));
                bad += usize::from(unit == Unit::Malformed);
                rest = &rest[len..];
            }
            None => return (good, bad),
        }
    }
}

#[cfg(test)]
mod tests {
    #[cfg(feature = "legacy-charsets")]
    use std::vec;

    use proptest::prelude::*;

    use super::*;

    static PIECES: [&[u8]; 14] = [
        b"a",
        b"\0",
        b"some words ",
        b"\x1B$B",
        b"\x1B(B",
        b"\x1B(J\\",
        b" ",
        b"\xC3\xA9",
        b"\xE6\x97\xA5",
        b"\xF0\x9D\x84\x9E",
        b"\xC3",
        b"\xE6\x97",
        b"\xFF",
        b"\xED\xA0\x80",
    ];

    /// Counts one character after the other. Returns the number of characters, of those that are
    /// not ASCII, and of malformed sequences.
    fn one_by_one(charset: Charset, window: &[u8]) -> (usize, usize, usize) {
        let (mut cursor, mut at) = (Cursor::new(charset), 0);
        let (mut all, mut others, mut bad) = (0, 0, 0);
        while let Some((unit, len)) = cursor.step(Lookahead::part(&window[at..])) {
            match unit {
                Unit::Char(c) | Unit::Pair(c, _) => {
                    all += 1;
                    others += usize::from(!c.is_ascii());
                }
                Unit::Malformed => bad += 1,
                Unit::Escape => {}
            }
            at += len;
        }
        (all, others, bad)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn counting_in_bulk_equals_counting_one_by_one(
            pieces in prop::collection::vec(
                prop::sample::select(&PIECES[..]),
                0..60,
            ),
        ) {
            let window = pieces.concat();
            let (_, good, bad) = one_by_one(Charset::UTF_8, &window);
            prop_assert_eq!(is_utf8(&window), good >= bad * 9);
            let wide = [
                Charset::UTF_16LE, Charset::UTF_16BE, Charset::UTF_32LE, Charset::UTF_32BE,
            ];
            for charset in Charset::iso_2022_jp().into_iter().chain(wide) {
                let (good, _, bad) = one_by_one(charset, &window);
                prop_assert_eq!(tally(charset, &window), (good, bad), "{}", charset);
            }
        }
    }

    #[cfg(feature = "legacy-charsets")]
    #[test]
    fn markup_far_from_words_does_not_change_the_guess() {
        let pangrams = [
            (encoding_rs::WINDOWS_1251, "Съешь ещё этих мягких французских булок"),
            (encoding_rs::KOI8_U, "Съешь ещё этих мягких французских булок"),
            (
                encoding_rs::SHIFT_JIS,
                "吾輩は猫である。名前はまだ無い。どこで生れたか頓と見当がつかぬ。",
            ),
            (encoding_rs::EUC_KR, "키스의 고유조건은 입술끼리 만나야 하고"),
            (encoding_rs::BIG5, "視野無限廣，窗外有藍天"),
        ];
        for (encoding, pangram) in pangrams {
            let text = encoding.encode(pangram).0.into_owned();
            let near = guess(Lookahead::whole(&[&text[..], b"  ", &text].concat()));
            assert_eq!(near.expect("a guess").decode(&text), pangram);
            for far in [30, 100, 10_000] {
                let markup = vec![b'<'; far];
                let window = [&text[..], b" ", &markup, b" ", &text, &markup].concat();
                assert_eq!(guess(Lookahead::whole(&window)), near, "{far}");
            }
        }
    }
}
