//! Links with a scheme and `//`, and `mailto:` with a delimiter before it.

use super::blocks::{
    BLANK, CLASS, HOST_MAX, LABEL, LAST, OF_LINKS, QUOTED, STOP, STOP_AFTER_PATH, TAIL, TAILS, is,
    is_multi, mask, name_len, run, sorted, without_full_stop,
};
use crate::{
    charset::{Shape, cursor::Cursor},
    data::schemes::Form,
    grammar::{
        classes,
        start::{self, Head, What, is_scheme},
        types::{Before, Field, Opener, Part},
    },
    simd::{
        sets::Set,
        types::{BLOCK, Level},
    },
};

/// The longest IP literal and userinfo that are looked at, in bytes.
const LITERAL_MAX: usize = 64;
const USERINFO_MAX: usize = 256;

/// The longest delimited field that is looked at, in bytes.
const FIELD_MAX: usize = 512;

/// The longest name of a query field or of a scheme, in bytes.
const NAME_MAX: usize = 32;

/// Letters of scripts with spaces between words: they always belong to the link.
fn is_spaced(c: char) -> bool {
    matches!(
        c,
        '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{148}'
            | '\u{14A}'..='\u{24F}' | '\u{388}'..='\u{38A}' | '\u{38E}'..='\u{3A1}'
            | '\u{3A3}'..='\u{3E1}' | '\u{400}'..='\u{481}' | '\u{48A}'..='\u{52F}'
            | '\u{5D0}'..='\u{5EA}' | '\u{620}'..='\u{63F}' | '\u{641}'..='\u{64A}'
    )
}

/// Letters of scripts without spaces: they belong to the link, except directly after ASCII.
fn is_unspaced(c: char) -> bool {
    matches!(
        c,
        '\u{E01}'..='\u{E2E}' | '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FA}'
            | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FEF}' | '\u{AC00}'..='\u{D7A3}'
    )
}

/// True if the letter `c` belongs to the link, whatever follows. `non_ascii`: the link already
/// has a letter that is not ASCII.
#[inline]
fn is_joined(before: char, c: char, non_ascii: bool) -> bool {
    if c < '\u{E01}' {
        return is_spaced(c);
    }
    let closed = before.is_ascii_alphanumeric() || matches!(before, '!' | ')');
    // After a slash a particle may belong to the sentence.
    let particle = before == '/' && !non_ascii && classes::is_particle_letter(c);
    is_unspaced(c) && !closed && !particle
}

/// Reads the characters after the `:` of a scheme.
struct Reader<'r> {
    cursor: &'r Cursor,
    bytes: &'r [u8],
    at: usize,
    /// The character before.
    before: char,
    non_ascii: bool,
}

impl Reader<'_> {
    /// The next character and its length in bytes; U+FFFD if it is malformed or cut off. `None`
    /// at the end of the bytes.
    fn peek(&self) -> Option<(char, usize)> {
        let rest = &self.bytes[self.at..];
        match rest.first()? {
            b @ ..0x80 => Some((char::from(*b), 1)),
            _ => self.cursor.char(rest).or(Some(('\u{FFFD}', 1))),
        }
    }

    /// Reads characters of `class` and letters that belong to the link. Returns their bytes.
    fn span(&mut self, class: u8) -> &[u8] {
        let (bytes, from) = (self.bytes, self.at);
        let Reader { mut at, mut before, mut non_ascii, .. } = *self;
        loop {
            match bytes.get(at) {
                Some(b @ ..0x80) if CLASS[usize::from(*b)] & class != 0 => {
                    before = char::from(*b);
                    at += 1;
                }
                Some(0x80..) => match self.cursor.char(&bytes[at..]) {
                    Some((c, len)) if is_joined(before, c, non_ascii) => {
                        at += len;
                        (before, non_ascii) = (c, true);
                    }
                    _ => break,
                },
                _ => break,
            }
        }
        (self.at, self.before, self.non_ascii) = (at, before, non_ascii);
        &bytes[from..at]
    }

    /// Reads the link. Returns its extent and the character after it. If `opener` begins a field
    /// that holds one reference, the link goes up to its end.
    fn extent(mut self, opener: Option<Opener>) -> Option<(Extent, Option<(char, usize)>)> {
        self.host()?;
        let host = self.at;
        if matches!(self.bytes.get(host), Some(b'/' | b'?' | b'#')) {
            let tail = self.tail();
            let close = self.bytes.get(self.at).map(|b| char::from(*b));
            let whole = opener.filter(|by| by.field == Field::Whole && close != Some(by.close));
            match whole.and_then(|by| field(Some(self.cursor), self.bytes, host, by)) {
                Some((end, others)) => {
                    self.at = end;
                    self.non_ascii |= others;
                }
                None => tail?,
            }
        }
        let after = self.peek();
        let Reader { bytes, at: end, before, non_ascii, .. } = self;
        let colon = bytes[host..end].contains(&b':');
        Some((Extent { host, end, before, non_ascii, quoted: false, colon, open: false }, after))
    }

    /// Reads path, query and fragment, with `(` and `)` in pairs.
    fn tail(&mut self) -> Option<()> {
        let (mut open, mut so_far) = (0, SoFar::from(self.at));
        loop {
            let piece = self.span(TAIL);
            // A pair must not go over one of these: each part has its own.
            if open > 0 && piece.iter().any(|b| b"/?#=&".contains(b)) {
                return None;
            }
            match self.bytes.get(self.at) {
                Some(b'(') => open += 1,
                Some(b')') if open > 0 => open -= 1,
                Some(b',' | b';') if open == 0 && so_far.goes_on_after(self.bytes, self.at) => {}
                _ => return (self.before != '(').then_some(()),
            }
            self.before = char::from(self.bytes[self.at]);
            self.at += 1;
        }
    }

    /// Reads a host and a port. Labels are letters, digits, and hyphens between them.
    fn host(&mut self) -> Option<()> {
        let from = self.at;
        let (first, mut dotted) = (self.peek()?.0, false);
        loop {
            let label = self.span(LABEL);
            let hyphen = label.first()? == &b'-' || label.last()? == &b'-';
            if hyphen || self.at - from > HOST_MAX {
                return None;
            }
            match self.bytes.get(self.at) {
                Some(b'.') => {
                    (self.at, self.before, dotted) = (self.at + 1, '.', true);
                }
                // A name of one label may be the first word of a sentence.
                _ if !dotted && is_unspaced(first) => return None,
                Some(b':') => break,
                _ => return Some(()),
            }
        }
        let port = self.bytes[self.at + 1..].iter().take_while(|b| b.is_ascii_digit()).count();
        self.at += 1 + port;
        self.before = '0';
        let next = self.bytes.get(self.at).copied().map(char::from);
        let over = next.is_none_or(|c| matches!(c, '/' | '?' | '#') || is(c, STOP));
        (over && (1..=4).contains(&port)).then_some(())
    }
}

/// The longest that a link can be.
struct Extent {
    /// Where host and port end.
    host: usize,
    end: usize,
    /// The character before `end`.
    before: char,
    non_ascii: bool,
    /// It holds characters that are part of a link only between quotes.
    quoted: bool,
    /// There is a colon after the host.
    colon: bool,
    /// It has a tail without brackets, and the end of its field was not searched for.
    open: bool,
}

impl Extent {
    /// True if the link may end at `end`.
    #[inline(always)]
    fn closes(&self) -> bool {
        !is(self.before, TAIL) && !self.quoted || is(self.before, LAST)
    }
}

/// The extent of a link that is all ASCII, with a host of at most a block and no
/// port. `None` for others.
// Most links are read by it, so it is part of both its callers.
#[inline(always)]
fn ascii(level: Level, bytes: &[u8], quotes: bool) -> Option<Extent> {
    let ([dot, hyphen, colon], [name, tail, quoted]) = sorted(level, bytes, 2, (b".-:", &OF_LINKS));
    let len = name_len(without_full_stop(name, dot), dot, hyphen)?;
    let host = 2 + len;
    let (mut end, mut only_quoted, mut colons) = (host, 0, 0);
    match bytes.get(host) {
        Some(b'/' | b'?' | b'#') => {
            let set = if quotes { quoted } else { tail };
            let mut n = run(set, len);
            only_quoted = (set & !tail) >> len & mask(n);
            colons = colon >> len & mask(n);
            end += n;
            while (end - 2) % BLOCK == 0 && n > 0 {
                let ([colon], [tail, quoted]) = sorted(level, bytes, end, (b":", &TAILS));
                let set = if quotes { quoted } else { tail };
                n = run(set, 0);
                only_quoted |= set & !tail & mask(n);
                colons |= colon & mask(n);
                end += n;
            }
        }
        Some(b':') => return None,
        _ => {}
    }
    match bytes.get(end) {
        Some(0x80.. | b'(') => None,
        // The link may go on after these.
        Some(b',' | b';') if end > host && SoFar::from(host).goes_on_after(bytes, end) => None,
        _ => Some(Extent {
            host,
            end,
            before: char::from(bytes[end - 1]),
            non_ascii: false,
            quoted: only_quoted != 0,
            colon: colons != 0,
            open: end > host,
        }),
    }
}

/// Searches from `at`, in a tail, for the end of the field that `by` begins: its closing
/// delimiter, without white space before it. Returns its place, and whether the field holds
/// characters that are not ASCII. `None`: the slow path decides.
#[cold]
#[inline(never)]
fn field(cursor: Option<&Cursor>, bytes: &[u8], at: usize, by: Opener) -> Option<(usize, bool)> {
    let bytes = &bytes[..bytes.len().min(at + FIELD_MAX)];
    let (mut at, mut depth, mut others) = (at, 0, false);
    loop {
        match *bytes.get(at)? {
            b if char::from(b) == by.close => {
                if depth == 0 {
                    return Some((at, others));
                }
                depth -= 1;
            }
            b'(' if by.open == '(' => depth += 1,
            // In quotes these may belong to code, or to markup that is cut off.
            b'\\' | b'<' | b'"' if matches!(by.open, '"' | '\'') => return None,
            b'!'..=b'~' => {}
            0x80.. => {
                let (c, len) = cursor?.char(&bytes[at..])?;
                if classes::never_in_link(c) {
                    return None;
                }
                others = true;
                at += len - 1;
            }
            _ => return None,
        }
        at += 1;
    }
}

/// The state of a tail up to a place.
struct SoFar {
    part: Part,
    /// It holds an `&`.
    references: bool,
    at: usize,
}

impl SoFar {
    /// Of the tail that starts at `at`, before anything was read.
    fn from(at: usize) -> SoFar {
        SoFar { part: Part::Path, references: false, at }
    }

    /// True if the tail goes on after the `,` or `;` at `at`.
    fn goes_on_after(&mut self, bytes: &[u8], at: usize) -> bool {
        let piece = &bytes[self.at..at];
        self.part = piece.iter().fold(self.part, |part, b| part.behind(char::from(*b)));
        self.references |= piece.contains(&b'&');
        self.at = at;
        let after = &bytes[at + 1..];
        if self.references && bytes[at] == b';' {
            return bytes[..at].ends_with(b"&amp") && is_field(after);
        }
        let goes_on = after.first().is_some_and(|b| is(char::from(*b), LAST));
        goes_on && (self.part == Part::Query || !may_be_scheme(after))
    }
}

/// True if `bytes` start with the name of a query field and `=`.
fn is_field(bytes: &[u8]) -> bool {
    let name = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
    let len = bytes.iter().take(NAME_MAX).take_while(name).count();
    len > 0 && bytes.get(len) == Some(&b'=')
}

/// True if a colon may follow the letters and digits that `bytes` start with.
fn may_be_scheme(bytes: &[u8]) -> bool {
    let len = bytes.iter().take(NAME_MAX).take_while(|b| b.is_ascii_alphanumeric()).count();
    len == NAME_MAX || bytes.get(len).is_none_or(|b| *b == b':')
}

/// A link that the fast path read.
pub(crate) struct Plain {
    /// Bytes of the link after the `:` of its scheme.
    pub(crate) len: usize,
    pub(crate) non_ascii: bool,
    /// Bytes searched for the closing delimiter without finding it, if more than `len`.
    pub(crate) no_partner: Option<usize>,
}

/// True if the fast path can read links with the scheme of `head`.
pub(crate) fn is_plain(head: &Head) -> bool {
    let What::Scheme(scheme) = head.what else { return false };
    scheme.form == Form::Host && scheme.described && !scheme.scp && head.emphasis.is_none()
}

/// If `bytes` end with `http` or `https`: the bytes before it, and the scheme in lower case.
#[inline]
pub(crate) fn web(bytes: &[u8]) -> Option<(&[u8], &'static [u8])> {
    let (whole, scheme) = match bytes {
        [rest @ .., b's' | b'S'] => (rest, &b"https"[..]),
        rest => (rest, &b"http"[..]),
    };
    let (before, name) = whole.split_last_chunk()?;
    let http = u32::from_ne_bytes(*name) | 0x2020_2020 == u32::from_ne_bytes(*b"http");
    http.then_some((before, scheme))
}

/// True if none of `bytes`, which follow the `:` of a scheme, ends a link.
pub(crate) fn goes_on(bytes: &[u8]) -> bool {
    bytes.iter().all(|b| is(char::from(*b), TAIL | QUOTED))
}

/// If `bytes` end with `http` or `https`: its length, and the opening delimiter before it.
/// `None` too if the slow path has to look for the delimiter.
#[inline]
pub(crate) fn head(bytes: &[u8], shape: Shape) -> Option<(usize, Option<Opener>)> {
    let (before, name) = web(bytes)?;
    match opening(before, shape) {
        Opening::Opener(by) => Some((name.len(), Some(by))),
        Opening::No => Some((name.len(), None)),
        Opening::Unsure => None,
    }
}

/// As [`head`], for `mailto` after an opening delimiter of a whole reference.
#[inline]
pub(crate) fn mail_head(bytes: &[u8], shape: Shape) -> Option<(usize, Opener)> {
    let (before, name) = bytes.split_last_chunk::<6>()?;
    if !name.eq_ignore_ascii_case(b"mailto") {
        return None;
    }
    match opening(before, shape) {
        Opening::Opener(by) if by.field == Field::Whole => Some((name.len(), by)),
        _ => None,
    }
}

/// The length of a `mailto:` link after its `:`, where `bytes` start. `by` delimits it.
pub(crate) fn mail(level: Level, bytes: &[u8], by: Opener) -> Option<usize> {
    let ([], [set]) = sorted(level, bytes, 0, (&[], &[TAILS[1]]));
    let len = run(set, 0);
    let closed = bytes.get(len).is_some_and(|b| char::from(*b) == by.close);
    (closed && bytes[0].is_ascii_alphanumeric() && by.open != '(').then_some(len)
}

/// What the character before a scheme opens.
enum Opening {
    Opener(Opener),
    /// It opens nothing.
    No,
    /// The slow path decides.
    Unsure,
}

/// What the character at the end of `before` opens.
#[inline]
fn opening(before: &[u8], shape: Shape) -> Opening {
    let multi = is_multi(shape);
    let Some(&[further, nearest]) = before.last_chunk() else { return Opening::Unsure };
    // Letters and some signs may be the second half of a character.
    if multi && !further.is_ascii() && nearest >= b'@' {
        return Opening::Unsure;
    }
    match nearest {
        // Robots write `(compatible; +http://…)`. No scheme begins with `+`.
        b'+' if further.is_ascii() && !is_scheme(char::from(further)) => Opening::No,
        b' ' | b'\t' | b'\n' | b'\r' | b'=' | b',' | b';' | b'>' | b')' | b']' | b'/' => {
            Opening::No
        }
        // After these bytes they may be the second half of a character.
        b'"' | b'\'' | b'(' | b'<' if multi && matches!(further, b'\\' | b']') => Opening::Unsure,
        // It may be the `(` of `url(`.
        b'(' if matches!(further, b'l' | b'L') => Opening::Unsure,
        b'"' | b'\'' | b'(' | b'<' | b'[' => {
            let c = if further.is_ascii() { char::from(further) } else { '\u{FFFD}' };
            let further = Before { c: Some(c), start: 0 };
            match start::opener(char::from(nearest), core::iter::once(further)) {
                Some(by) => Opening::Opener(by),
                None => Opening::No,
            }
        }
        _ => Opening::Unsure,
    }
}

/// Reads the link whose `:` comes before `bytes`; `opener` may delimit it. `None`: the slow path
/// decides. `reach`: where the search for a closing delimiter is given up, if that is known. `last`: the text ends where `bytes` end.
///
/// The charset must be one where ASCII bytes between characters are themselves. Without a
/// `cursor` only ASCII is read.
pub(crate) fn link(
    (cursor, level): (Option<&Cursor>, Level),
    bytes: &[u8],
    last: bool,
    (opener, reach): (Option<Opener>, Option<usize>),
) -> Option<Plain> {
    if !bytes.starts_with(b"//") {
        return None;
    }
    let quotes = opener.is_some_and(|by| matches!(by.open, '"' | '\''));
    let (extent, after) = match ascii(level, bytes, quotes) {
        Some(extent) => {
            let after = bytes.get(extent.end).map(|b| (char::from(*b), 1));
            (extent, after)
        }
        None => {
            let reader = Reader { cursor: cursor?, bytes, at: 2, before: '/', non_ascii: false };
            reader.extent(opener)?
        }
    };
    if after.is_none() && !last {
        return None;
    }
    let mut no_partner = None;
    if let Some(by) = opener {
        match delimited((cursor, level), bytes, (&extent, after), (by, reach))? {
            Delimited::Link(plain) => return Some(plain),
            Delimited::Text(searched) => no_partner = searched,
        }
    }
    let Extent { host, end: at, non_ascii, .. } = extent;
    let tail = &bytes[host..at];
    // After an escape a letter goes on with the link.
    if non_ascii && tail.contains(&b'%') || !stops(bytes, (host, at), after, last) {
        return None;
    }
    let plain = |len| Plain { len, non_ascii, no_partner: None };
    if extent.closes() {
        return Some(Plain { no_partner, ..plain(at) });
    }
    // Sentence punctuation is not part of the link. After a host the slow path reads it.
    let over = tail.iter().rev().take_while(|b| matches!(b, b'.' | b'!' | b':')).count();
    let nearest = bytes[at - over - 1];
    let closes = !nearest.is_ascii() || is(char::from(nearest), LAST);
    closes.then_some(plain(at - over))
}

/// A link with an opening delimiter before it.
enum Delimited {
    /// The delimiter, or a field, says where it ends.
    Link(Plain),
    /// It is read as in running text. With the bytes searched for the closing delimiter, if more
    /// than the link has.
    Text(Option<usize>),
}

/// Whether a field is one link of ASCII with `http` or `https`, whatever the name of the scheme is
/// written like, and nothing else. It begins where `bytes` begin and has `len` bytes of them; in
/// quotes all of it would be the link.
#[inline]
pub(crate) fn fills(level: Level, bytes: &[u8], len: usize) -> bool {
    let Some(colon) = bytes[..len.min(6)].iter().position(|b| *b == b':') else { return false };
    let after = &bytes[colon + 1..];
    let is_web = web(&bytes[..colon]).is_some_and(|(before, _)| before.is_empty());
    let Some(rest) = len.checked_sub(colon + 1).filter(|_| is_web && after.starts_with(b"//"))
    else {
        return false;
    };
    // The delimiter of the fields may be part of a tail.
    ascii(level, after, true).is_some_and(|link| link.host <= rest && link.end >= rest)
}

/// Searches for the closing delimiter of `by`. `None`: the slow path decides.
#[inline(always)]
fn delimited(
    (cursor, level): (Option<&Cursor>, Level),
    bytes: &[u8],
    (extent, after): (&Extent, Option<(char, usize)>),
    (by, reach): (Opener, Option<usize>),
) -> Option<Delimited> {
    let &Extent { host, end: at, non_ascii, quoted, colon, open, .. } = extent;
    let plain = |len| Plain { len, non_ascii, no_partner: None };
    let closed = after.is_some_and(|(c, _)| c == by.close);
    if closed && by.field == Field::Whole {
        return Some(Delimited::Link(plain(at)));
    }
    if by.field == Field::Whole
        && open
        && after.is_some_and(|(c, _)| !is(c, BLANK))
        && let Some((len, others)) = field(cursor, bytes, at, by)
    {
        return Some(Delimited::Link(Plain { non_ascii: non_ascii || others, ..plain(len) }));
    }
    // A phrase with text and then another link in it does not delimit this one.
    let text = || quoted || non_ascii || bytes[host..at].iter().any(|b| b"%,;".contains(b));
    if !extent.closes() || colon && by.field == Field::Phrase && text() {
        return None;
    }
    if closed {
        return Some(Delimited::Link(plain(at)));
    }
    let searched = match (after, by.open) {
        (Some((c, _)), '<') if is(c, BLANK) => Some(at + unwrapped(&bytes[at..])?),
        (Some((c, _)), '<') if is(c, STOP) && open && by.field == Field::Whole => {
            Some(given_up(bytes, at, reach?)?)
        }
        (Some((c, _)), '(') if is(c, STOP) && !is(c, BLANK) => {
            (by.field == Field::Whole && c != '<').then_some(())?;
            Some(at + unclosed(level, &bytes[at..])?)
        }
        (Some((c, _)), _) if !is(c, BLANK) => return None,
        _ => None,
    };
    (!quoted).then_some(Delimited::Text(searched))
}

/// True if the link in running text stops before the character `after`. Its host ends at `host`
/// and all of it at `at`.
#[inline(always)]
fn stops(
    bytes: &[u8],
    (host, at): (usize, usize),
    after: Option<(char, usize)>,
    last: bool,
) -> bool {
    let tail = &bytes[host..at];
    after.is_none_or(|(c, len)| match c {
        c if is(c, STOP) => true,
        // A semicolon ends a character reference.
        ';' if tail.contains(&b'&') => false,
        // Another link may begin after these.
        ',' | ';' | ')' | '.' if tail.is_empty() || c != ')' => match bytes.get(at + len) {
            None => last,
            Some(b'h') if matches!(c, ',' | ';') && !tail.contains(&b'?') => {
                let rest = &bytes[at + len..];
                rest.starts_with(b"http://") || rest.starts_with(b"https://")
            }
            Some(b) if is(char::from(*b), STOP) => true,
            Some(_) => tail.is_empty() && c != '.',
        },
        '&' | '=' | '+' | '!' | '$' | '*' | '~' | '\'' | '(' if tail.is_empty() => {
            !may_be_userinfo(&bytes[at + len..], last)
        }
        _ if tail.is_empty() => false,
        // A quotation may belong to the link.
        c if classes::quotation(c).is_some() && b"=?#&".contains(&tail[tail.len() - 1]) => false,
        c => is(c, STOP_AFTER_PATH) || classes::ends_sentence_unspaced(c),
    })
}

/// True if the scheme with its `:` at `at` cannot start a link: its IP literal has no closing
/// `]` before the path.
#[cold]
pub(crate) fn is_unended(bytes: &[u8], at: usize, shape: Shape) -> bool {
    let [b'/', b'/', b'[', literal @ ..] = &bytes[at + 1..] else { return false };
    let part = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b':' | b'.');
    let len = literal.iter().take(LITERAL_MAX).take_while(part).count();
    matches!(literal.get(len), Some(b'/' | b'?' | b'#')) && head(&bytes[..at], shape).is_some()
}

/// True if `bytes`, which follow a character that no host has, may have an `@`: then the host
/// was a userinfo.
fn may_be_userinfo(bytes: &[u8], last: bool) -> bool {
    let goes_on = |b: &&u8| {
        !matches!(b, b'@' | b'/' | b'?' | b'#' | 0x80..) && CLASS[usize::from(**b)] & STOP == 0
    };
    let len = bytes.iter().take(USERINFO_MAX).take_while(goes_on).count();
    match bytes.get(len) {
        None => !last,
        Some(b) => len == USERINFO_MAX || matches!(b, b'@' | 0x80..),
    }
}

/// The length of the white space at the start of `bytes`. `None` if a link in angle brackets
/// may go on after it, on the next line.
fn unwrapped(bytes: &[u8]) -> Option<usize> {
    let blanks =
        |from: usize| from + bytes[from..].iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
    let mut at = blanks(0);
    let line = match &bytes[at..] {
        [b'\r', b'\n', ..] => 2,
        [b'\n', ..] => 1,
        [b'\r', ..] | [] => return None,
        _ => return Some(at),
    };
    at = blanks(at + line);
    matches!(bytes.get(at), Some(b'\r' | b'\n' | b'<')).then_some(at)
}

/// `reach`, if no `>` and nothing that ends the search for it is in `bytes` from `at` to there. In
/// `<http://a/<http://a/…` each link is searched so far.
#[cold]
#[inline(never)]
fn given_up(bytes: &[u8], at: usize, reach: usize) -> Option<usize> {
    is_unclosed(bytes.get(at..=reach)?).then_some(reach)
}

/// True if no `>`, and nothing that ends the search for it, is in `bytes`.
pub(crate) fn is_unclosed(bytes: &[u8]) -> bool {
    // No early end, so that the compiler can compare many bytes at once.
    let goes_on = |b: u8| (b > b' ') & (b < 0x7F) & (b != b'>');
    bytes.iter().fold(true, |all, b| all & goes_on(*b))
}

/// The number of bytes before the first white space, if no `)` without a partner is among them.
/// At most 256 are read, because the next link may read them again.
fn unclosed(level: Level, bytes: &[u8]) -> Option<usize> {
    let mut depth = 0;
    for from in (0..256).step_by(BLOCK) {
        let ([], [word]) = sorted(level, bytes, from, (&[], &WORD));
        let mut others = !word;
        while others != 0 {
            let at = from + others.trailing_zeros() as usize;
            match bytes.get(at)? {
                b' ' | b'\t' | b'\r' | b'\n' => return Some(at),
                b'(' => depth += 1,
                b')' if depth > 0 => depth -= 1,
                _ => return None,
            }
            others &= others - 1;
        }
    }
    None
}

/// The bytes of a word, without brackets.
const WORD: [Set; 1] = {
    let (mut table, mut byte) = ([0; 256], b'!');
    while byte <= b'~' {
        table[byte as usize] = (byte != b'(' && byte != b')') as u8;
        byte += 1;
    }
    [Set::of(&table, 1)]
};

#[cfg(test)]
mod tests {

    use super::*;
    use crate::data::properties;
    use crate::{data::link_term::LinkTerm, grammar::classes::HostClass};

    #[test]
    fn letters_of_the_fast_path_follow_the_rules() {
        for c in ('\u{80}'..=char::MAX).filter(|c| is_spaced(*c) || is_unspaced(*c)) {
            assert_eq!(properties::link_term(c), LinkTerm::Include, "{c:?}");
            assert_eq!(classes::host_class(c), HostClass::Label, "{c:?}");
            assert_eq!(classes::is_unspaced_letter(c), is_unspaced(c), "{c:?}");
            assert!(!classes::is_symbol(c) && !classes::never_in_link(c), "{c:?}");
            assert!(!classes::ends_sentence_unspaced(c) && !classes::is_idna_dot(c), "{c:?}");
        }
    }

    #[test]
    fn ascii_of_the_fast_path_follows_the_rules() {
        for c in '\0'..'\u{80}' {
            let term = properties::link_term(c);
            assert!(!is(c, LAST) || term == LinkTerm::Include, "{c:?}");
            assert!(!is(c, TAIL) || is(c, LAST) || c == '#' || term == LinkTerm::Soft, "{c:?}");
            assert_eq!(is(c, LABEL), c.is_ascii_alphanumeric() || c == '-', "{c:?}");
        }
    }
}
