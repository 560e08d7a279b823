//! Reads at once a link that only the character after it ends. Most links are like that.
//!
//! Masks over blocks of 64 bytes show how far `//`, a host, a port and a path go without a decision.
//! What must hold: [`Reading::at_once`] says what the reading would say that is fed with each
//! character.

use super::{
    Last, Place, Reading, Stage, is_sentence_punctuation,
    runs::{self, Letters},
};
use crate::{
    charset::{Shift, cursor::Cursor},
    data::schemes::{OpaqueShape, Scheme},
    grammar::{
        blocks::{
            LAST, SHAPES, STOP, USERS_IN_TEXT, WHOLE_ANGLES, WHOLE_FIELDS, WHOLE_QUOTES,
            WHOLE_TARGETS, WHOLE_TEXTS, WORDS, is, mask, run, sorted,
        },
        brackets::is_nested,
        classes::{self, Letter},
        host::{AUTHORITY_MAX, Authority, Fed, Holds, Host},
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

/// How many runs and other characters of an authority are read at once. Most have fewer.
const AUTHORITY_STEPS: usize = 16;

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

/// Says whether the path takes a letter. It gets the byte before, for the first letter in a row;
/// whether all before is ASCII; and the letter.
trait Takes: Fn(Option<u8>, bool, char) -> bool {}
impl<T: Fn(Option<u8>, bool, char) -> bool> Takes for T {}

/// A link as far as nothing decides: `//`, a host, a port, a path; or a shape and a path.
struct Measured {
    /// The start of the path; the end of the link if it has no path. After a shape, the path begins
    /// with the last character of that.
    path: usize,
    n: usize,
    /// Where the last run of ASCII begins that the link may end in.
    last_run: usize,
    non_ascii: Option<usize>,
    /// There is one in the path.
    colon: bool,
    semicolon: bool,
}

impl Measured {
    /// Measures the link at the start of `text`. `sets`: the characters of a host, and those that its
    /// path takes. `None` without `//`; two units if nothing follows that ASCII can measure.
    #[inline]
    fn ascii(level: Level, text: &[u8], sets: &'static [Set; 2]) -> Option<Measured> {
        text.starts_with(b"//").then_some(())?;
        let ([dots, colons, semicolons], [name, tail]) = sorted(level, text, 2, (b".:;", sets));
        let host = runs::host_of(text.get(2), name, dots, false);
        let mut path = 2 + host;
        if let (1.., Some([b':', digits @ ..])) = (host, text.get(path..)) {
            let count = digits.iter().take(5).take_while(|b| b.is_ascii_digit()).count();
            path += if count > 0 { 1 + count } else { 0 };
        }
        let (mut n, mut has) = (path, [0; 2]);
        if host > 0 && path < BLOCK && text.get(path) == Some(&b'/') {
            n += run(tail, path - 2);
            let of_tail = mask(n - 2) & !mask(path - 2);
            has = [colons & of_tail, semicolons & of_tail];
        }
        let mut end = 2 + BLOCK;
        while n == end && n > path {
            let ([colons, semicolons], [tail]) =
                sorted(level, text, n, (b":;", core::array::from_ref(&sets[1])));
            let more = run(tail, 0);
            has = [has[0] | colons & mask(more), has[1] | semicolons & mask(more)];
            (n, end) = (n + more, end + BLOCK);
        }
        let [colon, semicolon] = has.map(|mask| mask != 0);
        Some(Measured { path, n, last_run: 2, non_ascii: None, colon, semicolon })
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
        let (mut n, mut colon, mut semicolon) = (path + 1, false, false);
        loop {
            let ([colons, semicolons], [tail]) =
                sorted(level, text, n, (b":;", core::array::from_ref(set)));
            let more = run(tail, 0);
            colon |= colons & mask(more) != 0;
            semicolon |= semicolons & mask(more) != 0;
            n += more;
            if more < BLOCK {
                return Ok(Measured { path, n, last_run: path, non_ascii: None, colon, semicolon });
            }
        }
    }

    /// Continues over letters that are not ASCII and over words in brackets. Returns the next character,
    /// or `None` if it is cut off or malformed.
    #[inline(never)]
    fn go_on(
        &mut self,
        (level, cursor): (Level, Option<&Cursor>),
        text: &[u8],
        (opener, set): (Option<&Opener>, &'static Set),
    ) -> Option<char> {
        let whole = matches!(opener, Some(Opener { field: Field::Whole, .. }));
        let quote = matches!(opener, Some(Opener { open: '"' | '\'', .. }));
        let takes = |before: Option<u8>, ascii, c| {
            let decides = || {
                before.is_some_and(|before| match opener {
                    None => {
                        let particle = ascii && before == b'/';
                        is_closed(before) || particle && classes::is_particle_letter(c)
                    }
                    Some(_) => ascii && is_closed(before) && !whole && !quote,
                })
            };
            match classes::letter(c) {
                Letter::Spaced => true,
                Letter::Unspaced => !decides(),
                Letter::None => false,
            }
        };
        loop {
            match text.get(self.n)? {
                // A word in brackets belongs to the link.
                b'(' if opener.is_none() && self.n > self.path => {
                    self.pair((level, cursor), text, (set, &takes))?;
                }
                b @ ..0x80 => return Some(char::from(*b)),
                _ => {
                    let (from, cursor) = (self.n, cursor?);
                    self.letters((level, cursor), text, (set, &takes));
                    if self.n == from {
                        return cursor.char(&text[from..]).map(|(c, _)| c);
                    }
                }
            }
        }
    }

    /// Continues over a `(`, letters and digits, the `)`, and the run of the path after it. `None`
    /// without the `)`.
    #[inline(never)]
    fn pair(
        &mut self,
        (level, cursor): (Level, Option<&Cursor>),
        text: &[u8],
        (set, takes): (&'static Set, &impl Takes),
    ) -> Option<()> {
        let mut n = self.n + 1;
        loop {
            n += runs::of(level, &text[n..], &WORDS[0]);
            let Some(0x80..) = text.get(n) else { break };
            let (last, ascii) = (text[n - 1], self.non_ascii.is_none());
            let takes = |first: bool, c| takes(first.then_some(last), ascii, c);
            let letters = Letters::read(cursor?, &text[n..], u32::MAX, takes)?;
            self.non_ascii = self.non_ascii.or(Some(n));
            n += letters.bytes;
        }
        (text.get(n) == Some(&b')')).then_some(())?;
        self.last_run = n + 1;
        self.n = n + 1 + runs::of(level, &text[n + 1..], set);
        let path = &text[self.path..self.n];
        (self.colon, self.semicolon) = (path.contains(&b':'), path.contains(&b';'));
        Some(())
    }

    /// Continues over letters that are not ASCII, and runs of ASCII between them.
    #[inline(never)]
    fn letters(
        &mut self,
        (level, cursor): (Level, &Cursor),
        text: &[u8],
        (set, takes): (&'static Set, &impl Takes),
    ) {
        while let Some(0x80..) = text.get(self.n) {
            let (before, rest) = text.split_at(self.n);
            let host = self.path == self.n;
            // The host is over before the port.
            if host && before[2..].contains(&b':') {
                break;
            }
            let (last, ascii) = (before[self.n - 1], self.non_ascii.is_none());
            let label = self.n == 2 || last == b'.';
            let letters = Letters::read(cursor, rest, u32::MAX, |first, c| match host {
                true => match classes::letter(c) {
                    Letter::Spaced => true,
                    Letter::Unspaced => label || !first,
                    Letter::None => false,
                },
                false => takes(first.then_some(last), ascii, c),
            });
            let Some(letters) = letters else { break };
            self.non_ascii = self.non_ascii.or(Some(self.n));
            self.n += letters.bytes;
            self.last_run = self.n;
            if host {
                self.n += runs::of_host(level, &text[self.n..], false, false);
                self.path = self.n;
            }
            if !host || text.get(self.n) == Some(&b'/') {
                self.n += runs::of(level, &text[self.n..], set);
            }
        }
        // A name of one label may be the first word of a sentence.
        let mut labels = text[2..self.path].split(|b| *b == b'.').skip(1);
        let one = text.get(2).is_some_and(|b| !b.is_ascii())
            && !labels.any(|label| label.iter().any(|b| *b != b'-'));
        if one {
            self.n = 2;
            return;
        }
        let path = &text[self.path..self.n];
        (self.colon, self.semicolon) = (path.contains(&b':'), path.contains(&b';'));
    }

    /// True if the path ends before a `[`, which opens too many for a text.
    #[cold]
    #[inline(never)]
    fn is_nested(&self, level: Level, text: &[u8]) -> bool {
        let path = &text[self.path..self.n];
        let in_path = !path.is_empty() && !path.iter().any(|b| b"?#".contains(b));
        in_path && is_nested(level, &text[self.n..])
    }

    /// The end of the link: after the last ASCII character for which `is` is true.
    #[inline(always)]
    fn end(&self, text: &[u8], is: impl Fn(u8) -> bool) -> Option<usize> {
        match text[self.last_run..self.n].iter().rposition(|b| is(*b)) {
            Some(last) => Some(self.last_run + last + 1),
            None => Some(self.last_run).filter(|end| *end > 2),
        }
    }
}

impl Reading {
    /// Reads a whole link with `//`, which `text` begins with, if only the character after it decides:
    /// the partner of `opener`, or in running text white space and the like. The result is that of
    /// [`Reading::feed`] with each character. Without a `cursor` only ASCII is read.
    #[inline]
    pub(crate) fn at_once(
        (level, cursor): (Level, Option<&Cursor>),
        text: &[u8],
        (scheme, opener): (&Scheme, Option<&Opener>),
    ) -> AtOnce {
        let sets = whole_sets(opener);
        let Some(mut link) = Measured::ascii(level, text, sets) else { return AtOnce::Unsure };
        let behind = match text.get(link.n) {
            Some(b @ ..0x80) if *b != b'(' || opener.is_some() => char::from(*b),
            _ => match link.go_on((level, cursor), text, (opener, &sets[1])) {
                Some(behind) => behind,
                None => return AtOnce::Unsure,
            },
        };
        let no_path = || Reading::no_path((level, cursor), text, (scheme, opener));
        if link.n == 2 {
            return no_path();
        }
        Reading::whole(level, text, &mut link, (opener, behind), no_path)
    }

    /// As [`Reading::at_once`], for a link without a path that the character after the host does not
    /// decide.
    #[cold]
    #[inline(never)]
    fn no_path(
        with: (Level, Option<&Cursor>),
        text: &[u8],
        (scheme, opener): (&Scheme, Option<&Opener>),
    ) -> AtOnce {
        match opener {
            _ if text.get(2) == Some(&b'[') && is_open_literal(&text[2..]) => AtOnce::NoLink,
            None => Reading::authority_at_once(with, text, scheme),
            Some(_) => AtOnce::Unsure,
        }
    }

    /// As [`Reading::at_once`], for a link with a `shape`. Only ASCII is read.
    #[cold]
    #[inline(never)]
    pub(crate) fn opaque_at_once(
        level: Level,
        text: &[u8],
        (shape, opener): (OpaqueShape, Option<&Opener>),
    ) -> AtOnce {
        let set = &whole_sets(opener)[1];
        let mut link = match Measured::opaque(level, text, (shape, set)) {
            Ok(link) => link,
            Err(known) => return known,
        };
        let behind = match text.get(link.n) {
            Some(b @ ..0x80) if *b != b'(' || opener.is_some() => Some(char::from(*b)),
            _ => link.go_on((level, None), text, (opener, set)),
        };
        match behind {
            Some(behind) => {
                Reading::whole(level, text, &mut link, (opener, behind), || AtOnce::Unsure)
            }
            None => AtOnce::Unsure,
        }
    }

    /// The link that was measured, if the character `behind` it decides. `no_path` gives the result for a
    /// link without a path if that character does not decide.
    #[inline(always)]
    fn whole(
        level: Level,
        text: &[u8],
        link: &mut Measured,
        (opener, behind): (Option<&Opener>, char),
        no_path: impl FnOnce() -> AtOnce,
    ) -> AtOnce {
        let whole = matches!(opener, Some(Opener { field: Field::Whole, .. }));
        if let (Some(Opener { open: '(', field: Field::Whole, .. }), '(') = (opener, behind)
            && link.n > link.path
        {
            return Reading::target(text, link);
        }
        if opener.is_none()
            && link.colon
            && link.non_ascii.is_none()
            && let Some(separator) = separator(&text[link.path..link.n])
            && link.path + separator >= link.last_run
        {
            link.n = link.path + separator;
            let end = link.end(text, |b| is(char::from(b), LAST));
            return end.map_or(AtOnce::Unsure, |end| AtOnce::Link { end, non_ascii: None });
        }
        let path = &text[link.path..link.n];
        // Another link may begin after these.
        let joins = |b: &u8| match b {
            b',' | b';' => true,
            b'%' | 0x80.. => opener.is_some(),
            _ => false,
        };
        if !whole && link.colon && path.iter().any(joins) {
            return AtOnce::Unsure;
        }
        let stops = is(behind, STOP);
        match opener {
            Some(by) if behind == by.close => {}
            Some(by) => {
                // These are in no phrase; white space is in no field but between `<` and `>`.
                let never = behind.is_ascii_whitespace() || !whole;
                let quote = matches!(by.open, '"' | '\'');
                if by.open == '<' && behind.is_ascii_whitespace() {
                    let end = unwrapped(&text[link.n..]);
                    return end.map_or(AtOnce::Unsure, |end| AtOnce::NoPartner(link.n + end));
                }
                let ends = stops && never && by.open != '<' && !(quote && behind == '\\');
                return if ends { AtOnce::NoPartner(link.n) } else { AtOnce::Unsure };
            }
            None if stops => {}
            // No bracket of the link is open, and a host has none of these.
            None if matches!(behind, ')' | ']') => {}
            None if matches!(behind, ',' | ';' | '(' | '}') && path.is_empty() => {}
            None if behind == '[' && link.is_nested(level, text) => {}
            None if classes::ends_sentence_unspaced(behind) => {
                if classes::quotation(behind).is_some() {
                    return AtOnce::Unsure;
                }
            }
            None if path.is_empty() => return no_path(),
            None => return AtOnce::Unsure,
        }
        let end = match opener {
            _ if whole => Some(link.n),
            _ if path.is_empty() => link.end(text, |b| b.is_ascii_alphanumeric()),
            // They may make a character reference.
            None if link.semicolon && path.contains(&b'&') => None,
            Some(_) => link.end(text, |b| !is_sentence_punctuation(char::from(b))),
            None => link.end(text, |b| is(char::from(b), LAST)),
        };
        end.map_or(AtOnce::Unsure, |end| AtOnce::Link { end, non_ascii: link.non_ascii })
    }

    /// As [`Reading::at_once`], in running text and without a path: an authority that may be a
    /// userinfo for some characters after its host.
    #[cold]
    #[inline(never)]
    fn authority_at_once(
        (level, cursor): (Level, Option<&Cursor>),
        text: &[u8],
        scheme: &Scheme,
    ) -> AtOnce {
        let mut authority = Authority::of(*scheme);
        let (mut at, mut last, mut non_ascii) = (2, Last::Continues, None);
        for _ in 0..AUTHORITY_STEPS {
            let rest = &text[at..];
            let room = (AUTHORITY_MAX - authority.length) as usize;
            let n = room.min(match &authority.host {
                Host::Name(name) if name.is_plain() => {
                    runs::of_host(level, rest, name.length == 0, name.dots > 0)
                }
                Host::Settled(_) => runs::of(level, rest, &USERS_IN_TEXT[0]),
                _ => 0,
            });
            if n > 0 {
                let here = End { at: (at + n) as u64, shift: Shift::Ascii };
                match authority.host {
                    Host::Settled(_) => authority.length += n as u32,
                    _ => authority.read(&rest[..n], rest[..n].contains(&b'.'), here, 1),
                }
                last = Last::of(char::from(rest[n - 1]));
                at += n;
                continue;
            }
            let read = match rest.first() {
                Some(b @ ..0x80) => Some((char::from(*b), 1)),
                _ => cursor.and_then(|cursor| cursor.char(rest)),
            };
            let Some((c, len)) = read else { return AtOnce::Unsure };
            let glued = last == Last::Closed;
            let over = match c {
                // A userinfo, or an escape of a host.
                '@' | '%' => return AtOnce::Unsure,
                c if is(c, STOP) => true,
                c if c.is_ascii() => false,
                c if classes::never_in_link(c) => return AtOnce::Unsure,
                c if glued && classes::is_unspaced_letter(c) => return AtOnce::Unsure,
                c => classes::ends_sentence_unspaced(c),
            };
            let (from, next) = (at as u64, (at + len) as u64);
            let fed = match over {
                true => Fed::Over(authority.settled(false)),
                false => {
                    let item = Item { c, at: from, next, shift: Shift::Ascii };
                    authority.feed(item, Holds::Text, glued)
                }
            };
            match fed {
                Fed::More => {}
                Fed::Tail(_) => return AtOnce::Unsure,
                Fed::Over(None) => return AtOnce::NoLink,
                Fed::Over(Some(end)) => return AtOnce::Link { end: end.at as usize, non_ascii },
            }
            if !c.is_ascii() {
                non_ascii = non_ascii.or(Some(at));
            }
            (at, last) = (at + len, Last::of(c));
        }
        AtOnce::Unsure
    }

    /// As [`Reading::at_once`], for the target of a Markdown link with brackets in it. The first one
    /// follows directly.
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
        let place = Place::Delimited { by, depth: 0 };
        let mut reading = Reading::at(Stage::of(scheme), place);
        let mut at = 0;
        while let Some(rest @ [byte, ..]) = text.get(at..) {
            let n = reading.measure(level, rest);
            if n > 0 {
                let here = End { at: (at + n) as u64, shift: Shift::Ascii };
                reading.pass(&rest[..n], here, 1);
                at += n;
                continue;
            }
            let c = char::from(*byte);
            let item = Item { c, at: at as u64, next: at as u64 + 1, shift: Shift::Ascii };
            if !matches!(c, '/' | '?' | '#' | '(' | ')') || reading.feed(item) != Step::More {
                return false;
            }
            at += 1;
        }
        matches!(reading.partner(by.field), Step::Done(Some(_)))
    }
}

/// The characters of a host, and those of a path after it.
#[inline(always)]
fn whole_sets(opener: Option<&Opener>) -> &'static [Set; 2] {
    match opener {
        Some(Opener { open: '"' | '\'', field: Field::Whole, .. }) => &WHOLE_QUOTES,
        Some(Opener { open: '(', field: Field::Whole, .. }) => &WHOLE_TARGETS,
        Some(Opener { open: '<', field: Field::Whole, .. }) => &WHOLE_ANGLES,
        Some(Opener { field: Field::Whole, .. }) => &WHOLE_FIELDS,
        _ => &WHOLE_TEXTS,
    }
}

/// True if a letter of an unspaced script after the ASCII byte `byte` may be text. After an escape it
/// is not, but that is not seen here.
fn is_closed(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'!' | b',' | b';' | b')')
}

/// Where in `path`, which is ASCII, the separator is before the `http://` or `https://` of another
/// link, if it is the first separator and the first colon.
#[cold]
fn separator(path: &[u8]) -> Option<usize> {
    let at = path.iter().position(|b| matches!(b, b',' | b';' | b'?' | b'&' | b':' | 0x80..))?;
    let next = &path[at + 1..];
    let another = next.starts_with(b"http://") || next.starts_with(b"https://");
    (another && matches!(path[at], b',' | b';')).then_some(at)
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

/// True if `text` begins with an IP literal that has no `]` before the path.
fn is_open_literal(text: &[u8]) -> bool {
    let Some((b'[', literal)) = text.split_first() else { return false };
    let part = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b':' | b'.');
    let len = literal.iter().take(LITERAL_MAX).take_while(part).count();
    matches!(literal.get(len), Some(b'/' | b'?' | b'#'))
}
