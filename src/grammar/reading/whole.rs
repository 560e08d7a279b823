//! Reads at once a link that only the character after it ends. Most links are like that.
//!
//! Masks over blocks of 64 bytes show how far `//`, a host, a port and a path go without a decision.
//! What must hold: [`Reading::at_once`] says what the reading would say that is fed with each
//! character.

use super::{
    Reading, runs,
    state::{Bounds, Stage},
    tail::{is_kept, is_sentence_punctuation},
};
use crate::{
    charset::{Shape, cursor::Cursor},
    data::{
        properties,
        schemes::{OpaqueShape, Scheme},
    },
    grammar::{
        authority::AUTHORITY_MAX,
        blocks::{
            LAST, SHAPES, STOP, WHOLE, WHOLE_ANGLE, WHOLE_ANGLES, WHOLE_COLON, WHOLE_FIELD,
            WHOLE_FIELDS, WHOLE_LABEL, WHOLE_QUOTE, WHOLE_QUOTES, WHOLE_TARGET, WHOLE_TARGETS,
            WHOLE_TEXT, WHOLE_TEXTS, WORDS, is, mask, run, sorted,
        },
        brackets::is_nested,
        classes::{self, Letter, letter},
        shape::{Shaped, Shaper},
        types::{End, Field, Item, Opener, Step},
    },
    simd::{
        sets::Set,
        types::{BLOCK, Level},
    },
};

/// No IP literal has more bytes.
const LITERAL_MAX: usize = 64;

/// How many characters after a quotation mark are looked at. A quotation may be longer.
const QUOTED_MAX: usize = 200;

/// What [`Reading::at_once`] says, in units.
pub(crate) enum AtOnce {
    Link {
        end: usize,
        /// Where the first character is that is not ASCII.
        non_ascii: Option<usize>,
    },
    /// The search for the partner of the opener ends here without it.
    NoPartner(usize),
    /// No link is here.
    NoLink,
    /// The characters have to be read one by one, or in runs.
    Unsure,
}

/// The text that a link is read from at once.
#[derive(Clone, Copy)]
pub(crate) struct Source<'t> {
    pub(crate) level: Level,
    /// Reads what is not ASCII; without it only ASCII is read.
    pub(crate) cursor: Option<&'t Cursor>,
    /// One unit a byte.
    pub(crate) text: &'t [u8],
    /// The document ends with it.
    pub(crate) ends: bool,
}

impl Source<'_> {
    /// The unit at `at`. Behind the end of the document is a line end, which ends a link as well.
    #[inline(always)]
    fn unit(&self, at: usize) -> Option<u8> {
        match self.text.get(at) {
            None if self.ends && at == self.text.len() => Some(b'\n'),
            unit => unit.copied(),
        }
    }

    /// True if the unit at `at` ends a link in running text.
    #[inline]
    fn is_stop(&self, at: usize) -> bool {
        self.unit(at).is_some_and(|unit| is(char::from(unit), STOP))
    }

    /// True if the `\` at `at` may be in a pattern.
    #[cold]
    fn is_escape(&self, at: usize) -> bool {
        self.unit(at + 1).is_none_or(|unit| b".?dwDWS".contains(&unit))
    }

    /// True if `open`, the character at `at`, opens no quotation, because a character that ends one or another `open`
    /// comes before the closing mark.
    #[cold]
    fn is_unquoted(&self, at: usize, open: char) -> bool {
        let (Some(close), Some((_, len))) = (classes::quotation(open), self.char(at)) else {
            return true;
        };
        let mut at = at + len;
        for _ in 0..QUOTED_MAX {
            match self.unit(at) {
                // These decide nothing in a quotation.
                Some(b) if b.is_ascii_alphanumeric() || b"-._~:/?#=+".contains(&b) => at += 1,
                Some(b @ ..0x80) => return b != b'\\' && is(char::from(b), STOP),
                Some(_) => match self.char(at) {
                    Some((c, _)) if c == open => return true,
                    Some((c, len)) if c != close && letter(c) != Letter::None => at += len,
                    _ => return false,
                },
                None => return false,
            }
        }
        false
    }

    /// The character at `at`, which is not ASCII, and its length.
    #[inline]
    fn char(&self, at: usize) -> Option<(char, usize)> {
        self.cursor?.char(&self.text[at..])
    }

    /// True if the text is read as UTF-8.
    #[inline(always)]
    fn is_utf8(&self) -> bool {
        self.cursor.is_some_and(|cursor| cursor.shape() == Shape::Utf8)
    }

    /// Where the letters at `at` end that are not ASCII.
    #[inline]
    fn letters(&self, at: usize) -> usize {
        let at = if self.is_utf8() { letters(self.text, at) } else { at };
        self.letters_of_any(at)
    }

    /// As [`Source::letters`], by the class of each character.
    #[inline(never)]
    fn letters_of_any(&self, mut at: usize) -> usize {
        let Some(cursor) = self.cursor else { return at };
        cursor.each_char(&self.text[at..], |c, len| {
            let is_letter = letter(c) != Letter::None;
            if is_letter {
                at += len;
            }
            is_letter
        });
        at
    }
}

/// Where the letters of UTF-8 at `at` end. Some may be left.
#[inline(always)]
pub(super) fn letters(text: &[u8], at: usize) -> usize {
    let rest = match &text[at..] {
        rest @ [..0xE0, ..] => properties::after_short_letters(after_cyrillic(rest)),
        rest => properties::after_letters(rest),
    };
    text.len() - rest.len()
}

/// The rest of `text`, which is UTF-8, after fours of characters from U+0400 to U+047F. All of these are letters, so
/// words are compared and no character is decoded.
#[inline(always)]
fn after_cyrillic(mut text: &[u8]) -> &[u8] {
    while let Some(block) = text.first_chunk()
        && u64::from_le_bytes(*block) & 0xC0FE_C0FE_C0FE_C0FE == 0x80D0_80D0_80D0_80D0
    {
        text = &text[8..];
    }
    text
}

/// Masks of the first 64 bytes of a link after `//`: dots, `:` and `;`; the characters of a host, and of a path. After
/// the end of the text no bit is set.
type Masks = ([u64; 3], [u64; 2]);

/// Where the run of bytes ends that are in `set`, one of [`Masks`], from `at` on. `None` if it goes on after that.
#[inline(always)]
fn end_of_run(set: u64, at: usize) -> Option<usize> {
    let end = at + if at < 2 + BLOCK { run(set, at - 2) } else { BLOCK };
    (end < 2 + BLOCK).then_some(end)
}

/// True if `host` has a dot, and after that another label.
#[inline(always)]
fn has_labels(host: &[u8]) -> bool {
    host.iter().skip_while(|b| **b != b'.').any(|b| !matches!(b, b'.' | b'-'))
}

/// A link as far as nothing decides: `//`, a host, a port, a path; or a shape and a path.
#[derive(Default)]
struct Measured {
    /// The start of the path; the end of the link if it has no path. After a shape, the path begins
    /// with the last character of that.
    path: usize,
    n: usize,
    /// Where the last run of ASCII begins that the link may end in.
    last_run: usize,
    non_ascii: Option<usize>,
    /// The host ends with a port.
    port: bool,
    /// There may be one in the path.
    colon: bool,
    semicolon: bool,
}

impl Measured {
    /// Measures the link at the start of `text`, which begins with `//`. `tail`: the characters that its path takes.
    /// Two units if nothing follows that ASCII can measure.
    #[inline(always)]
    fn ascii(
        (level, text): (Level, &[u8]),
        &([dots, colons, semicolons], [name, tail]): &Masks,
        set: &'static Set,
    ) -> Measured {
        let host = runs::host_of(text.get(2), name, dots, false);
        let mut path = 2 + host;
        if let (1.., Some([b':', digits @ ..])) = (host, text.get(path..)) {
            let count = digits.iter().take(5).take_while(|b| b.is_ascii_digit()).count();
            path += if count > 0 { 1 + count } else { 0 };
        }
        let port = path > 2 + host;
        let mut link = Measured { path, n: path, last_run: 2, port, ..Measured::default() };
        if host > 0 && path < BLOCK && text.get(path) == Some(&b'/') {
            link.n += run(tail, path - 2);
            let of_tail = mask(link.n - 2) & !mask(path - 2);
            link.colon = colons & of_tail != 0;
            link.semicolon = semicolons & of_tail != 0;
            if link.n == 2 + BLOCK {
                link.blocks(level, text, set);
            }
        }
        link
    }

    /// Continues over a run of the path, in blocks of 64 bytes.
    #[inline(always)]
    fn blocks(&mut self, level: Level, text: &[u8], set: &'static Set) {
        loop {
            let ([colons, semicolons], [tail]) =
                sorted(level, text, self.n, (b":;", core::array::from_ref(set)));
            let more = run(tail, 0);
            self.colon |= colons & mask(more) != 0;
            self.semicolon |= semicolons & mask(more) != 0;
            self.n += more;
            if more < BLOCK {
                return;
            }
        }
    }

    /// Measures the link with a `shape` at the start of `text`. `set`: the characters that its path
    /// takes. `Err`: what is known without them.
    #[inline]
    fn opaque(
        level: Level,
        text: &[u8],
        (shape, set): (OpaqueShape, &'static Set),
    ) -> Result<Measured, AtOnce> {
        let mut shaper = Shaper::new(shape);
        let mut chars = text.iter().take_while(|b| SHAPES[0].has(**b)).enumerate();
        let path = loop {
            let (at, byte) = chars.next().ok_or(AtOnce::Unsure)?;
            match shaper.feed(char::from(*byte)) {
                Shaped::More => {}
                Shaped::No => return Err(AtOnce::NoLink),
                Shaped::Yes if byte.is_ascii_alphanumeric() => break at,
                Shaped::Yes => return Err(AtOnce::Unsure),
            }
        };
        let mut link = Measured { path, n: path + 1, last_run: path, ..Measured::default() };
        link.blocks(level, text, set);
        Ok(link)
    }

    /// Continues over letters that are not ASCII, runs of ASCII between them, and words in brackets.
    /// Returns the next character, or `None` if it is cut off or malformed.
    #[inline(always)]
    fn go_on(
        &mut self,
        source: Source<'_>,
        by: (Option<&Opener>, u8),
        masks: &Masks,
    ) -> Option<char> {
        match source.is_utf8() {
            true => self.go_on_in::<true>(source, by, masks),
            false => self.go_on_in::<false>(source, by, masks),
        }
    }

    /// As [`Measured::go_on`], in UTF-8 or in another charset.
    #[inline(never)]
    fn go_on_in<const UTF8: bool>(
        &mut self,
        source: Source<'_>,
        (opener, class): (Option<&Opener>, u8),
        masks: &Masks,
    ) -> Option<char> {
        let behind = loop {
            if UTF8 {
                self.cross((source.text, class), masks);
            }
            match source.unit(self.n)? {
                b @ ..0x80 if b != b'(' || opener.is_some() => break char::from(b),
                _ => {
                    let step = match UTF8 {
                        true => self.rare_step(source, (opener, class))?,
                        false => self.step(source, (opener, class))?,
                    };
                    if let Some(c) = step {
                        break c;
                    }
                }
            }
        };
        if let Some(at) = self.non_ascii.filter(|at| *at < self.path) {
            // The limit of an authority counts characters as they are encoded: up to nine for a byte.
            if self.path > AUTHORITY_MAX as usize / 9 {
                return None;
            }
            // A name of one label may be the first word of a sentence.
            let first_dot = 2 + masks.0[0].trailing_zeros() as usize;
            if at == 2 && !has_labels(source.text.get(first_dot..self.path).unwrap_or_default()) {
                self.n = 2;
                return source.char(2).map(|(c, _)| c);
            }
        }
        Some(behind)
    }

    /// Continues over what comes next, up to a character that decides, which it returns. `None` if that is cut off
    /// or malformed.
    #[inline(always)]
    fn step(
        &mut self,
        source: Source<'_>,
        (opener, class): (Option<&Opener>, u8),
    ) -> Option<Option<char>> {
        let at = self.n;
        match source.unit(at)? {
            // A word in brackets belongs to the link.
            b'(' if at > self.path => {
                self.n = self.pair(source)?;
                self.last_run = self.n;
                self.run(source.text, class);
            }
            b @ ..0x80 => return Some(Some(char::from(b))),
            _ => {
                let (host, before) = (self.path == at, source.text[at - 1]);
                let (c, len) = source.char(at)?;
                let takes = match letter(c) {
                    // The host is over before the port.
                    _ if host && self.port => false,
                    Letter::Unspaced if host => at == 2 || matches!(before, b'.' | 0x80..),
                    letter => self.takes(opener, before, (c, letter)),
                };
                if !takes {
                    return Some(Some(c));
                }
                self.non_ascii = self.non_ascii.or(Some(at));
                self.n = source.letters_of_any(at + len);
                self.last_run = self.n;
                if host {
                    self.host(source.text);
                }
                if !host || source.text.get(self.n) == Some(&b'/') {
                    self.run(source.text, class);
                }
            }
        }
        Some(None)
    }

    /// As [`Measured::step`]. In UTF-8 most links need none.
    #[inline(never)]
    fn rare_step(&mut self, source: Source<'_>, by: (Option<&Opener>, u8)) -> Option<Option<char>> {
        self.step(source, by)
    }

    /// Continues over letters of UTF-8 and runs of ASCII between them, as far as the link surely goes on by what
    /// little is looked at here.
    #[inline(always)]
    fn cross(
        &mut self,
        (text, class): (&[u8], u8),
        &([dots, colons, semicolons], [name, path]): &Masks,
    ) {
        // Letters of two bytes are of scripts with spaces between words.
        let is_spaced = |lead: u8| lead < 0xE0;
        let mut n = self.n;
        let mut non_ascii = self.non_ascii.unwrap_or(usize::MAX);
        if self.path == n && !self.port {
            while let Some([before, lead @ 0x80..=0xFF, ..]) = text.get(n - 1..)
                && (is_spaced(*lead) || n == 2 || matches!(before, b'.' | 0x80..))
                && let at = letters(text, n)
                && at > n
            {
                non_ascii = non_ascii.min(n);
                (n, self.last_run) = (at, at);
                if let Some(end) = end_of_run(name & !(dots & dots << 1), n) {
                    n = end;
                } else {
                    self.n = n;
                    self.host(text);
                    n = self.n;
                }
            }
            self.path = n;
        }
        if self.path != n || text.get(n) == Some(&b'/') {
            let from = n;
            loop {
                if let Some(end) = end_of_run(path, n) {
                    n = end;
                } else {
                    self.n = n;
                    self.run_further(text, class);
                    n = self.n;
                }
                let Some([before, lead @ 0x80..=0xFF, ..]) = text.get(n - 1..) else { break };
                // Particles are written in Kana or Hangul, not with ideographs.
                let particle = *before == b'/' && non_ascii > n && !matches!(lead, 0xE4..=0xE9);
                if !is_spaced(*lead) && (is_closed(*before) || particle) {
                    break;
                }
                let at = letters(text, n);
                if at == n {
                    break;
                }
                non_ascii = non_ascii.min(n);
                (n, self.last_run) = (at, at);
            }
            self.see((colons | semicolons) & mask(n - 2) & !mask(from - 2) != 0);
        }
        self.n = n;
        self.non_ascii = (non_ascii < n).then_some(non_ascii);
    }

    /// Continues over labels of the host and single dots, after a letter.
    #[inline(never)]
    fn host(&mut self, text: &[u8]) {
        let mut before = 0;
        let rest = &text[self.n..];
        let is_name = |b: &&u8| {
            let dots = before == b'.' && **b == b'.';
            before = **b;
            !dots && (**b == b'.' || WHOLE[usize::from(**b)] & WHOLE_LABEL != 0)
        };
        self.n += rest.iter().take_while(is_name).count();
        self.path = self.n;
    }

    /// Continues over a run of ASCII in the path. Between letters that are not ASCII it is short, and
    /// masks would take longer.
    #[inline(always)]
    fn run(&mut self, text: &[u8], class: u8) {
        let (mut n, mut seen) = (self.n, 0);
        while let Some(b) = text.get(n)
            && WHOLE[usize::from(*b)] & class != 0
        {
            seen |= WHOLE[usize::from(*b)];
            n += 1;
        }
        self.n = n;
        self.see(seen & WHOLE_COLON != 0);
    }

    /// As [`Measured::run`], for a long link.
    #[inline(never)]
    fn run_further(&mut self, text: &[u8], class: u8) {
        self.run(text, class);
    }

    /// Notes that the path has a `:` or a `;`.
    #[inline(always)]
    fn see(&mut self, colon: bool) {
        // Which of the two it is, is seldom asked.
        self.colon |= colon;
        self.semicolon |= colon;
    }

    /// Whether the link goes on with the letter `c`, which is not ASCII, after `before`.
    #[inline]
    fn takes(&self, opener: Option<&Opener>, before: u8, (c, letter): (char, Letter)) -> bool {
        match letter {
            Letter::Spaced => return true,
            Letter::None => return false,
            Letter::Unspaced => {}
        }
        let ascii = self.non_ascii.is_none();
        !match opener {
            None => {
                let particle = ascii && before == b'/';
                is_closed(before) || particle && classes::is_particle_letter(c)
            }
            Some(Opener { field: Field::Whole, .. } | Opener { open: '"' | '\'', .. }) => false,
            Some(_) => ascii && is_closed(before),
        }
    }

    /// The place after a `(`, letters and digits, and the `)`, in running text. `None` without the `)`.
    #[inline(never)]
    fn pair(&mut self, source: Source<'_>) -> Option<usize> {
        let text = source.text;
        let mut n = self.n + 1;
        loop {
            n += text[n..].iter().take_while(|b| b.is_ascii_alphanumeric()).count();
            let Some(0x80..) = text.get(n) else { break };
            let (c, len) = source.char(n)?;
            self.takes(None, text[n - 1], (c, letter(c))).then_some(())?;
            self.non_ascii = self.non_ascii.or(Some(n));
            n = source.letters(n + len);
        }
        (text.get(n) == Some(&b')')).then_some(n + 1)
    }

    /// True if `behind`, which may go on with the name of a host, has to be read with what follows it:
    /// all but white space and another link. (Marks and middle dots end no link here.)
    #[inline]
    fn waits(&self, source: Source<'_>, behind: char) -> bool {
        let text = source.text;
        let rest = text.get(self.n + 1..).unwrap_or_default();
        match behind {
            ',' | ';' if rest.starts_with(b"http://") || rest.starts_with(b"https://") => false,
            c if !c.is_ascii() => {
                // After most punctuation only ASCII may go on with a host that is not complete, but any letter
                // with a part of an IPv4 address.
                let next = source.char(self.n).and_then(|(_, len)| text.get(self.n + len));
                let number = || matches!(text[self.n - 1], b'0'..=b'9' | b'-' | b'_' | b'.');
                let goes_on = |b: &u8| b.is_ascii_alphanumeric() || !b.is_ascii() && number();
                classes::is_idna_dot(c) || next.is_none_or(goes_on)
            }
            _ => !matches!(rest.first(), Some(b' ' | b'\n' | b'\r')),
        }
    }

    /// True if the path ends before a `[`, which opens too many for a text.
    #[cold]
    #[inline(never)]
    fn is_nested(&self, level: Level, text: &[u8]) -> bool {
        let path = &text[self.path..self.n];
        let in_path = !path.is_empty() && !path.iter().any(|b| b"?#".contains(b));
        in_path && is_nested(level, &text[self.n..])
    }

    /// Ends the characters of the link before a separator that another link follows. False if there is none.
    #[inline(always)]
    fn cut_at_separator(&mut self, text: &[u8]) -> bool {
        if self.colon
            && self.non_ascii.is_none()
            && let Some(separator) = separator(&text[self.path..self.n])
            && self.path + separator >= self.last_run
        {
            self.n = self.path + separator;
            return true;
        }
        false
    }

    /// The end of the link, without the punctuation of a sentence. `None` if that is not known at once.
    #[inline(always)]
    fn trimmed(&self, text: &[u8], opener: Option<&Opener>) -> Option<usize> {
        let path = &text[self.path..self.n];
        match opener {
            _ if path.is_empty() => self.end(text, |b| b.is_ascii_alphanumeric()),
            // They may make a character reference.
            None if self.semicolon && path.contains(&b'&') => None,
            Some(by) => self.end(text, |b| {
                !is_sentence_punctuation(char::from(b)) || is_kept(by.open, char::from(b))
            }),
            None => self.end(text, |b| is(char::from(b), LAST)),
        }
    }

    /// The end of the link: after the last ASCII character for which `is` is true.
    #[inline(always)]
    fn end(&self, text: &[u8], is: impl Fn(u8) -> bool) -> Option<usize> {
        // Mostly the last one: `rposition` would be a call.
        let mut end = self.n;
        while end > self.last_run && !is(text[end - 1]) {
            end -= 1;
        }
        (end > self.last_run || end > 2).then_some(end)
    }
}

impl Reading {
    /// Reads a whole link with `//`, which `source` begins with, if only the character after it decides:
    /// the partner of `opener`, or in running text white space and the like. `listed`: a comma ends it as
    /// well. The result is that of [`Reading::feed`] with each character.
    #[inline]
    pub(crate) fn at_once(source: Source<'_>, (opener, listed): (Option<&Opener>, bool)) -> AtOnce {
        let (level, text, (sets, class)) = (source.level, source.text, whole_sets(opener));
        if !text.starts_with(b"//") {
            return AtOnce::Unsure;
        }
        let masks = sorted(level, text, 2, (b".:;", sets));
        let mut link = Measured::ascii((level, text), &masks, &sets[1]);
        let behind = match source.unit(link.n) {
            Some(b @ ..0x80) if b != b'(' || opener.is_some() => char::from(b),
            _ => match link.go_on(source, (opener, class), &masks) {
                Some(behind) => behind,
                None => return AtOnce::Unsure,
            },
        };
        if link.n == 2 {
            let literal = text.get(2) == Some(&b'[') && is_open_literal(&text[3..]);
            return if literal { AtOnce::NoLink } else { AtOnce::Unsure };
        }
        Reading::whole(source, &mut link, (opener, behind, listed))
    }

    /// As [`Reading::at_once`], for a link with a `shape`. Only ASCII is read.
    #[cold]
    #[inline(never)]
    pub(crate) fn opaque_at_once(
        source: Source<'_>,
        (shape, opener): (OpaqueShape, Option<&Opener>),
    ) -> AtOnce {
        let source = Source { cursor: None, ..source };
        let (sets, class) = whole_sets(opener);
        let mut link = match Measured::opaque(source.level, source.text, (shape, &sets[1])) {
            Ok(link) => link,
            Err(known) => return known,
        };
        let behind = match source.unit(link.n) {
            Some(b @ ..0x80) if b != b'(' || opener.is_some() => Some(char::from(b)),
            _ => link.go_on(source, (opener, class), &Masks::default()),
        };
        match behind {
            Some(behind) => Reading::whole(source, &mut link, (opener, behind, false)),
            None => AtOnce::Unsure,
        }
    }

    /// The measured link, if the character after it (`behind`) decides where it ends.
    #[inline(always)]
    fn whole(
        source: Source<'_>,
        link: &mut Measured,
        (opener, behind, listed): (Option<&Opener>, char, bool),
    ) -> AtOnce {
        let (level, text) = (source.level, source.text);
        let whole = matches!(opener, Some(Opener { field: Field::Whole, .. }));
        if whole && (opener.map(|by| by.open), behind) == (Some('('), '(') && link.n > link.path {
            return Reading::target(text, link);
        }
        if opener.is_none() && link.cut_at_separator(text) {
            let end = link.end(text, |b| is(char::from(b), LAST));
            return end.map_or(AtOnce::Unsure, |end| AtOnce::Link { end, non_ascii: None });
        }
        let path = &text[link.path..link.n];
        // Another link may begin after these.
        let joins = |b: &u8| match b {
            b';' => true,
            b'%' | 0x80.. => opener.is_some(),
            _ => false,
        };
        let of_text = opener.is_none_or(Opener::is_of_text);
        if of_text && link.colon && path.iter().any(joins) {
            return AtOnce::Unsure;
        }
        let stops = is(behind, STOP);
        // The text after a host may show that it is none.
        let joins = matches!(behind, ',' | ';' | '(' | '\\' | '<') || !behind.is_ascii();
        if joins && path.is_empty() && opener.is_none() && link.waits(source, behind) {
            return AtOnce::Unsure;
        }
        // It may be in a pattern.
        if behind == '\\' && opener.is_none() && !path.is_empty() && source.is_escape(link.n) {
            return AtOnce::Unsure;
        }
        match opener {
            Some(by) if behind == by.close => {}
            Some(by) => return without_partner(link.n, text, (by, behind)),
            None if stops => {}
            // No bracket of the link is open, and a host has none of these.
            None if matches!(behind, ')' | ']') => {}
            // In a list, or at the end of a part of a sentence.
            None if behind == ',' && (listed || source.is_stop(link.n + 1)) => {}
            None if matches!(behind, ',' | ';' | '(' | '}') && path.is_empty() => {}
            None if behind == '[' && link.is_nested(level, text) => {}
            None if classes::ends_sentence_unspaced(behind) => {
                // At the start of a value it may open a quotation, which is a part of the link.
                let value = matches!(text[link.n - 1], b'=' | b'?' | b'#' | b'&');
                if value && !source.is_unquoted(link.n, behind) {
                    return AtOnce::Unsure;
                }
            }
            None => return AtOnce::Unsure,
        }
        let end = if whole { Some(link.n) } else { link.trimmed(text, opener) };
        end.map_or(AtOnce::Unsure, |end| AtOnce::Link { end, non_ascii: link.non_ascii })
    }

    /// As [`Reading::whole`], for a target of Markdown in which a `(` comes next. (An encyclopedia in Markdown
    /// takes a third less time so.)
    #[inline(never)]
    fn target(text: &[u8], link: &Measured) -> AtOnce {
        let end = link.n + runs::of_brackets(&text[link.n..]);
        match text.get(end) {
            Some(b')') => AtOnce::Link { end, non_ascii: link.non_ascii },
            Some(b) if b.is_ascii_whitespace() => AtOnce::NoPartner(end),
            _ => AtOnce::Unsure,
        }
    }

    /// True if `text` is ASCII, and with the scheme before it one link that ends where `text` does; in
    /// quotes all of it would be the link.
    pub(crate) fn fills(scheme: Scheme, level: Level, text: &[u8]) -> bool {
        let by = Opener { open: '"', close: '"', field: Field::Whole };
        let bounds = Bounds::Delimited { by, depth: 0 };
        let mut reading = Reading::at(Stage::of(scheme, None), bounds);
        let mut at = 0;
        while let Some(rest @ [byte, ..]) = text.get(at..) {
            let n = reading.measure(level, rest);
            if n > 0 {
                let here = End { at: (at + n) as u64 };
                reading.pass(&rest[..n], here, 1);
                at += n;
                continue;
            }
            let c = char::from(*byte);
            let item = Item { c, at: at as u64, next: at as u64 + 1 };
            if !matches!(c, '/' | '?' | '#' | '(' | ')') || reading.feed(item) != Step::More {
                return false;
            }
            at += 1;
        }
        matches!(reading.partner(by.field), Step::Done(Some(_)))
    }
}

/// The characters of a host, and those of a path after it; the latter as a class of [`WHOLE`] too.
#[inline(always)]
fn whole_sets(opener: Option<&Opener>) -> (&'static [Set; 2], u8) {
    match opener {
        Some(Opener { open: '"' | '\'', field: Field::Whole, .. }) => (&WHOLE_QUOTES, WHOLE_QUOTE),
        Some(Opener { open: '(', field: Field::Whole, .. }) => (&WHOLE_TARGETS, WHOLE_TARGET),
        Some(Opener { open: '<', field: Field::Whole, .. }) => (&WHOLE_ANGLES, WHOLE_ANGLE),
        Some(Opener { open: '[', .. }) => (&WHOLE_TEXTS, WHOLE_TEXT),
        Some(Opener { field: Field::Whole, .. }) => (&WHOLE_FIELDS, WHOLE_FIELD),
        _ => (&WHOLE_TEXTS, WHOLE_TEXT),
    }
}

/// True if a letter of an unspaced script after the ASCII byte `byte` may be text. After an escape it
/// is not, but that is not seen here.
#[inline(always)]
fn is_closed(byte: u8) -> bool {
    static CLOSED: Set = WORDS[0].with(b"!,;)");
    CLOSED.has(byte)
}

/// Where in `path`, which is ASCII, the separator is before the `http://` or `https://` of another
/// link, if it is the first separator and the first colon.
#[cold]
fn separator(path: &[u8]) -> Option<usize> {
    let at = path.iter().position(|b| matches!(b, b';' | b'?' | b'&' | b':' | 0x80..))?;
    let next = &path[at + 1..];
    let another = next.starts_with(b"http://") || next.starts_with(b"https://");
    (another && path[at] == b';').then_some(at)
}

/// The length of the white space at the start of `text`. `None` if a link in angle brackets may go on
/// after it, on the next line.
fn unwrapped(text: &[u8]) -> Option<usize> {
    let blanks =
        |from: usize| from + text[from..].iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
    let mut at = blanks(0);
    let line = match &text[at..] {
        [b'\r', b'\n', ..] => 2,
        [b'\n', ..] => 1,
        [b'\r', ..] | [] => return None,
        _ => return Some(at),
    };
    at = blanks(at + line);
    matches!(text.get(at), Some(b'\r' | b'\n' | b'<')).then_some(at)
}

/// Whether the search for the partner of `by` has failed at `n`, where another character (`behind`) comes.
fn without_partner(n: usize, text: &[u8], (by, behind): (&Opener, char)) -> AtOnce {
    let space = behind.is_ascii_whitespace();
    if by.open == '<' {
        return match n == text.len() {
            true => AtOnce::NoPartner(n),
            false if space => {
                let end = unwrapped(&text[n..]);
                end.map_or(AtOnce::Unsure, |end| AtOnce::NoPartner(n + end))
            }
            false => AtOnce::Unsure,
        };
    }
    // These are in no phrase; white space is in no field.
    let never = space || by.is_of_text();
    let escape = matches!(by.open, '"' | '\'') && behind == '\\';
    match is(behind, STOP) && never && !escape {
        true => AtOnce::NoPartner(n),
        false => AtOnce::Unsure,
    }
}

/// True if `text` is the rest of an IP literal that has no `]` before the path.
#[cold]
fn is_open_literal(text: &[u8]) -> bool {
    let part = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b':' | b'.');
    let len = text.iter().take(LITERAL_MAX).take_while(part).count();
    matches!(text.get(len), Some(b'/' | b'?' | b'#'))
}
