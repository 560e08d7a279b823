//! Runs of characters that a reading takes without a decision, measured a block at a time.
//!
//! What must hold: a reading that is fed with the characters of a run, one by one, says `More` after
//! each. A part of a run is a run too.

use super::{
    Reading,
    state::{Another, Bounds, Control, Last, Mailto, Revision, Stage},
    tail::is_sentence_punctuation,
};
use crate::{
    charset::{Shape, cursor::Cursor},
    grammar::{
        authority::{AUTHORITY_MAX, Authority},
        blocks::{
            ANGLES, FIELDS, LAST, NAMES, PHRASES, PHRASES_IN_ROUND, PHRASES_IN_SQUARE, SQUARES,
            TEXTS, USERS, USERS_IN_TEXT, WORDS, is, run, sorted,
        },
        classes::{self, Letter},
        host::Host,
        marks::Side,
        types::{End, Field, Opener, Part},
    },
    simd::{
        sets::Set,
        types::{BLOCK, Level},
    },
};

/// The next text of the window.
#[derive(Clone, Copy)]
pub(crate) struct Text<'a> {
    /// One byte a unit: that of an ASCII character, or 80 and above.
    pub(crate) ascii: &'a [u8],
    /// The same in the charset of the document.
    pub(crate) bytes: &'a [u8],
    pub(crate) level: Level,
    /// Where it begins.
    pub(crate) at: u64,
    /// Bytes of a unit; 0 if no runs are read.
    pub(crate) width: usize,
}

/// How many characters at the start of `text` are in `set`.
#[inline]
pub(super) fn of(level: Level, text: &[u8], set: &Set) -> usize {
    let mut n = 0;
    loop {
        let ([], [mask]) = sorted(level, text, n, (&[], core::array::from_ref(set)));
        let more = run(mask, 0);
        n += more;
        if more < BLOCK {
            return n;
        }
    }
}

/// How many characters at the start of `text` are labels of a host and single dots between them.
/// `first`: the host begins there. `dot`: a dot comes before it.
#[inline]
pub(super) fn of_host(level: Level, text: &[u8], first: bool, dot: bool) -> usize {
    let ([dots], [name]) = sorted(level, text, 0, (b".", &NAMES));
    host_of(text.first().filter(|_| first), name, dots, dot)
}

/// As [`of_host`], by the masks of a block. `first`: the first byte, if the host begins with it.
#[inline]
pub(super) fn host_of(first: Option<&u8>, name: u64, dots: u64, dot: bool) -> usize {
    let rows = dots & (dots << 1 | u64::from(dot));
    match first {
        Some(b'-' | b'.') => 0,
        _ => run(name & !rows, 0),
    }
}

/// Letters outside of ASCII in a row.
struct Letters {
    bytes: usize,
    chars: u32,
    /// Their length in a URI.
    encoded: u32,
    last: char,
}

impl Letters {
    /// The letters at the start of `bytes` that `takes` takes: it gets whether the letter is the
    /// first one, and the letter.
    #[inline(always)]
    fn read(
        cursor: &Cursor,
        bytes: &[u8],
        most: u32,
        takes: impl Fn(bool, char) -> bool,
    ) -> Option<Letters> {
        let mut letters = Letters { bytes: 0, chars: 0, encoded: 0, last: '\0' };
        // In other charsets a byte of ASCII here is no letter.
        let wide = matches!(cursor.shape(), Shape::Wide { .. });
        loop {
            let rest = bytes.get(letters.bytes..).unwrap_or_default();
            if !wide && !matches!(rest.first(), Some(0x80..)) {
                break;
            }
            let Some((c, len)) = cursor.char(rest) else { break };
            let encoded = letters.encoded + classes::encoded_len(c);
            if c.is_ascii() || !takes(letters.chars == 0, c) || encoded > most {
                break;
            }
            letters.bytes += len;
            letters.chars += 1;
            (letters.encoded, letters.last) = (encoded, c);
        }
        (letters.chars > 0).then_some(letters)
    }
}

impl Reading {
    /// Reads characters that come next and decide nothing, and returns their bytes. In UTF-16 a few at
    /// once.
    #[inline]
    pub(crate) fn run(&mut self, cursor: &Cursor, text: &Text<'_>) -> usize {
        let Text { ascii, bytes, at, width, level } = *text;
        match ascii.first() {
            Some(0x80..) => {
                let Some(letters) = self.measure_letters(cursor, bytes) else { return 0 };
                let here = at + letters.bytes as u64;
                self.pass_letters(&letters, End { at: here });
                letters.bytes
            }
            Some(byte) if self.set()[0].has(*byte) => {
                let n = self.measure(level, ascii);
                if n > 0 {
                    let here = End { at: at + (n * width) as u64 };
                    self.pass(&ascii[..n], here, width);
                }
                n * width
            }
            _ => 0,
        }
    }

    /// True if each of the next characters has to be looked at.
    #[inline]
    fn is_waiting(&self) -> bool {
        let read = &self.read;
        read.percent > 0
            || read.escape
            || read.control != Control::No
            || read.tag
            || self.wrap.is_open()
            || self.tagged.is_open()
            || matches!(self.mailto, Mailto::Mark(_))
    }

    /// How many ASCII characters at the start of `text` this reading takes without a decision, each
    /// one byte; at most all of `text`. [`Reading::pass`] reads them.
    #[inline]
    pub(super) fn measure(&self, level: Level, text: &[u8]) -> usize {
        if self.is_waiting() {
            return 0;
        }
        match &self.stage {
            Stage::Tail { .. } => match self.takes() {
                Some(set) if core::ptr::eq(set, &SQUARES) => self.measure_squares(level, text),
                Some(set) => of(level, text, &set[0]),
                None => 0,
            },
            Stage::Authority(Authority { host: Host::Name(name), length, .. })
                if name.is_plain() =>
            {
                if let ([b'/', rest @ ..], Some(set)) = (text, self.takes())
                    && name.end.is_some()
                {
                    return 1 + of(level, rest, &set[0]);
                }
                let run = of_host(level, text, name.length == 0, name.dots > 0);
                run.min((AUTHORITY_MAX - length) as usize)
            }
            // All of these may be part of a password.
            Stage::Authority(Authority { host: Host::Settled(_), user: true, length, .. })
                if self.joined.another == Another::No =>
            {
                let set = if matches!(self.bounds, Bounds::Open { .. }) {
                    &USERS_IN_TEXT
                } else {
                    &USERS
                };
                of(level, text, &set[0]).min((AUTHORITY_MAX - length) as usize)
            }
            Stage::Slashes { seen: 0, .. } if text.starts_with(b"//") => 2,
            Stage::Name { run, tilde, mark, revision, .. }
                if run.is_after_ellipsis()
                    || *tilde
                    || mark.is_some()
                    || *revision != Revision::No =>
            {
                0
            }
            Stage::Name { run, .. } | Stage::Domain { run, .. } if run.is_after_dot() => 0,
            Stage::Name { run, .. } | Stage::Domain { run, .. } => {
                of(level, text, &WORDS[0]).min(run.room() as usize)
            }
            _ => 0,
        }
    }

    /// As [`Reading::measure`], inside a `[` that may precede a text.
    #[cold]
    fn measure_squares(&self, level: Level, text: &[u8]) -> usize {
        let ([mut squares], [taken]) = sorted(level, text, 0, (b"[", &SQUARES));
        for _ in 0..self.brackets.room() {
            squares &= squares.wrapping_sub(1);
        }
        run(taken, 0).min(squares.trailing_zeros() as usize)
    }

    /// The ASCII characters that a tail takes without a decision, if nothing waits for one.
    fn set(&self) -> &'static [Set; 1] {
        match self.bounds {
            Bounds::Delimited { by: Opener { open: '<', field: Field::Whole, .. }, .. } => &ANGLES,
            Bounds::Delimited { by: Opener { open: '[', field: Field::Whole, .. }, .. } => &PHRASES,
            Bounds::Delimited { by: Opener { field: Field::Whole, .. }, .. } => &FIELDS,
            Bounds::Delimited { by: Opener { open: '(', .. }, .. } => &PHRASES_IN_ROUND,
            Bounds::Delimited { by: Opener { open: '[', .. }, .. } => &PHRASES_IN_SQUARE,
            Bounds::Delimited { .. } => &PHRASES,
            Bounds::Open { .. } => &TEXTS,
        }
    }

    /// The ASCII characters that a tail takes without a decision, as far as they are in a row.
    pub(super) fn takes(&self) -> Option<&'static [Set; 1]> {
        let free = self.joined.another == Another::No;
        Some(match self.bounds {
            Bounds::Delimited { by, .. } if free || !by.is_of_text() => self.set(),
            Bounds::Open { .. }
                if self.escaped.is_open() || self.adjoining.is_some() || self.tagged.is_open() =>
            {
                return None;
            }
            Bounds::Open { .. } if free && self.emphasis.is_none() && !self.unquoted => {
                self.brackets.takes()
            }
            _ => &WORDS,
        })
    }

    /// As [`Reading::feed`] with each of the ASCII characters `text`, which end at `here` and are
    /// `width` bytes each; at most as many as [`Reading::measure`] said.
    #[inline]
    pub(super) fn pass(&mut self, text: &[u8], here: End, width: usize) {
        match &mut self.stage {
            Stage::Name { run, .. } | Stage::Domain { run, .. } => run.pass(text, here),
            Stage::Authority(_) if text.first() == Some(&b'/') => {
                self.stage = Stage::Tail { part: Part::Path };
                self.read_tail(text, here, width);
            }
            Stage::Authority(Authority { host: Host::Settled(_), length, .. }) => {
                *length += text.len() as u32;
            }
            Stage::Authority(authority) => {
                authority.read(text, text.contains(&b'.'), here, width);
            }
            Stage::Slashes { scheme, quote, .. } => {
                self.stage = Stage::Authority(Authority::of(*scheme, *quote));
            }
            _ => self.read_tail(text, here, width),
        }
        self.read_run(text, here);
    }

    /// Reads a run of a tail.
    #[inline]
    pub(super) fn read_tail(&mut self, text: &[u8], here: End, width: usize) {
        if matches!(self.mailto, Mailto::Local) && text.contains(&b'@') {
            self.mailto = Mailto::Domain;
        }
        let last = match &mut self.bounds {
            Bounds::Delimited { by: Opener { field: Field::Whole, .. }, .. } => {
                self.end = Some(here);
                return;
            }
            Bounds::Delimited { by: Opener { open, .. }, depth } => {
                if matches!(open, '(' | '[') {
                    *depth += memchr::memchr_iter(*open as u8, text).count() as u32;
                }
                text.iter().rposition(|b| !is_sentence_punctuation(char::from(*b)))
            }
            Bounds::Open { .. } => {
                self.escaped.pass(text);
                if !self.brackets.is_empty() {
                    self.brackets.pass(text);
                }
                text.iter().rposition(|b| is(char::from(*b), LAST))
            }
        };
        if let Some(last) = last {
            let after = text.len() - 1 - last;
            self.end = Some(End { at: here.at - (after * width) as u64 });
        }
    }

    /// Notes what the run `text` is to the next character.
    #[inline]
    pub(super) fn read_run(&mut self, text: &[u8], here: End) {
        let hex = u8::is_ascii_hexdigit;
        let read = &mut self.read;
        (read.percent, read.last) = match text {
            [.., b'%'] => (2, Last::Continues),
            [.., b'%', a] if hex(a) => (1, Last::Closed),
            [.., b'%', a, b] if hex(a) && hex(b) => (0, Last::Continues),
            [.., b] => (0, Last::of(char::from(*b))),
            [] => return,
        };
        read.end = Some(here);
        read.before = char::from(text[text.len() - 1]);
        (read.escape, read.tag) = (false, false);
        if self.joined.another != Another::No {
            let words = text.iter().all(u8::is_ascii_alphanumeric);
            self.joined.another = match self.joined.another {
                Another::Scheme if words => Another::Scheme,
                Another::Bar | Another::Field if words => Another::Field,
                _ => Another::No,
            };
        }
    }

    /// The letters outside of ASCII that come next and that this reading takes without a decision;
    /// [`Reading::pass_letters`] reads them.
    #[inline]
    fn measure_letters(&self, cursor: &Cursor, bytes: &[u8]) -> Option<Letters> {
        let read = &self.read;
        let ascii_only = self.bounds == Bounds::Open { ascii_only: true };
        if ascii_only || self.is_waiting() {
            return None;
        }
        match &self.stage {
            Stage::Authority(Authority { host: Host::Name(name), length, .. })
                if name.is_plain() && !name.foreign =>
            {
                Letters::read(cursor, bytes, AUTHORITY_MAX - length, |_, c| {
                    classes::letter(c) == Letter::Spaced
                })
            }
            Stage::Tail { .. } => {
                // What a letter of an unspaced script decides about, if it is the first one.
                let closed = read.last == Last::Closed;
                let (glued, particle) = match self.bounds {
                    Bounds::Delimited { by: Opener { field: Field::Whole, .. }, .. } => {
                        (false, false)
                    }
                    Bounds::Delimited { by: Opener { open: '"' | '\'', .. }, .. } => (false, false),
                    Bounds::Delimited { .. } => (closed && read.all_ascii, false),
                    Bounds::Open { .. } if self.escaped.is_open() || self.adjoining.is_some() => {
                        return None;
                    }
                    Bounds::Open { .. } => (closed, read.before == '/' && read.all_ascii),
                };
                Letters::read(cursor, bytes, u32::MAX, |first, c| {
                    let text = || glued || particle && classes::is_particle_letter(c);
                    match classes::letter(c) {
                        Letter::Spaced => true,
                        Letter::Unspaced => !(first && text()),
                        Letter::None => false,
                    }
                })
            }
            _ => None,
        }
    }

    /// As [`Reading::feed`] with each of `letters`, which end at `here`.
    #[inline]
    fn pass_letters(&mut self, letters: &Letters, here: End) {
        let mut host = false;
        match &mut self.stage {
            Stage::Authority(Authority { host: Host::Name(name), length, .. }) => {
                *length += letters.encoded;
                name.length += letters.chars;
                name.last.forget();
                name.inner |= name.dots > 0;
                (name.dots, name.word, name.end) = (0, true, Some(here));
                name.side = Side::Other;
                host = true;
            }
            _ => {
                self.end = Some(here);
                self.escaped.pass(&[0x80]);
            }
        }
        let read = &mut self.read;
        (read.end, read.last, read.before) = (Some(here), Last::Continues, letters.last);
        (read.percent, read.all_ascii) = (0, false);
        let phrase = matches!(self.bounds, Bounds::Delimited { by, .. } if by.is_of_text());
        self.joined.another = if phrase && !host { Another::Scheme } else { Another::No };
    }
}

/// How many graphic characters of ASCII are at the start of `text`, up to a `)` without its partner.
#[inline(never)]
pub(super) fn of_brackets(text: &[u8]) -> usize {
    let mut depth = 0;
    let goes_on = |byte: &&u8| {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 0 => return false,
            b')' => depth -= 1,
            _ => {}
        }
        byte.is_ascii_graphic()
    };
    text.iter().take_while(goes_on).count()
}

#[cfg(test)]
mod tests {
    use super::{super::whole::letters, *};
    use crate::{
        data::{link_term::LinkTerm, properties},
        grammar::{
            blocks::{LABEL, LAST, STOP, TEXTS, is},
            classes::HostClass,
        },
    };

    #[test]
    fn letters_of_runs_follow_the_rules() {
        for c in ('\u{80}'..=char::MAX).filter(|c| classes::letter(*c) != Letter::None) {
            assert_eq!(properties::link_term(c), LinkTerm::Include, "{c:?}");
            assert_eq!(classes::host_class(c), HostClass::Label, "{c:?}");
            let unspaced = classes::letter(c) == Letter::Unspaced;
            assert!(!unspaced || c.len_utf8() > 2, "{c:?}");
            let ideograph = matches!(c, '\u{4000}'..'\u{A000}');
            assert!(!(ideograph && classes::is_particle_letter(c)), "{c:?}");
            assert_eq!(classes::is_unspaced_letter(c), unspaced, "{c:?}");
            assert!(!classes::is_symbol(c) && !classes::never_in_link(c), "{c:?}");
            assert!(!classes::ends_sentence_unspaced(c) && !classes::is_idna_dot(c), "{c:?}");
            assert!(!classes::is_invisible(c, 'a'), "{c:?}");
        }
    }

    #[test]
    fn letters_of_utf8_are_letters() {
        for c in ('\u{80}'..='\u{FFFF}').filter(|c| *c != 'x') {
            let text = std::format!("{c}{c}{c}{c}{c}xxxx");
            let is_letter = classes::letter(c) != Letter::None;
            let end = if is_letter { 5 * c.len_utf8() } else { 0 };
            assert_eq!(letters(text.as_bytes(), 0), end, "{c:?}");
        }
        assert_eq!(letters("хпутьё中中xxxx".as_bytes(), 2), 12);
        // Malformed.
        for text in
            [&b"\xE0\x83\xA9xx"[..], b"\xED\xA0\x80xx", b"\xC1\xA1xxx", b"\xE4\xB8xxx", b"\xC3xxxx"]
        {
            assert_eq!(letters(text, 0), 0, "{text:?}");
        }
    }

    #[test]
    fn ascii_of_runs_follows_the_rules() {
        for c in '\0'..'\u{80}' {
            let term = properties::link_term(c);
            let text = TEXTS[0].has(c as u8);
            assert_eq!(is(c, LABEL), c.is_ascii_alphanumeric() || c == '-', "{c:?}");
            assert!(!text || is(c, LAST) == (term == LinkTerm::Include), "{c:?}");
            assert!(!text || matches!(term, LinkTerm::Include | LinkTerm::Soft), "{c:?}");
            assert!(!text || !is(c, STOP), "{c:?}");
        }
    }
}
