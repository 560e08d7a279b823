//! Links that are plain: every reading of them ends at the same place.
//!
//! Most links have a scheme with a host, hold letters, digits and a few marks,
//! and stand between white space, quotes or brackets. They are read here in one
//! go, from bytes that are all there; whatever a rule could make something else
//! of is left to the walks of `syntax`. The two agree: text that comes byte by
//! byte is read by the walks, and the law of chunking compares.

use crate::{
    charset::Shape,
    cursor::{self, Cursor},
    prefilter::{
        classes::{self, BLOCK, Set},
        swar,
        vector::Level,
    },
    syntax::{
        bare::{self, Around, Domain},
        class,
        head::{self, Before, Field, Head, Opener, What, is_scheme},
        mail,
        run::RUN_MAX,
        scheme::Form,
        walk::Part,
    },
};

/// May be in a label, in a tail; may be the last character of a link.
const LABEL: u8 = 1;
const TAIL: u8 = 2;
const LAST: u8 = 4;
/// Ends a link that nothing delimits; behind a path, too.
const STOP: u8 = 8;
const STOP_BEHIND_PATH: u8 = 16;
/// Ends the search for a partner, except between `<` and `>`.
const BLANK: u8 = 32;
/// May be in a tail between quotes.
const QUOTED: u8 = 64;
/// A dot: between labels.
const DOT: u8 = 128;

const CLASS: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = match byte as u8 {
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => LABEL | TAIL | LAST | QUOTED,
            b'-' => LABEL | TAIL | LAST | QUOTED,
            b'/' | b'_' | b'=' | b'~' | b'+' | b'@' | b'%' | b'&' | b'$' => TAIL | LAST | QUOTED,
            b'.' => TAIL | QUOTED | DOT,
            b':' | b'?' | b'!' | b'#' => TAIL | QUOTED,
            b',' | b';' | b'(' | b'*' => QUOTED,
            b' ' | b'\t' | b'\n' | b'\r' => STOP | BLANK,
            b'<' | b'>' | b'"' | b'\\' | b'`' => STOP,
            // No bracket of the link is open.
            b')' => STOP_BEHIND_PATH | QUOTED,
            b']' => STOP_BEHIND_PATH,
            _ => 0,
        };
        byte += 1;
    }
    table
};

/// Labels and dots; tails; tails between quotes.
const NAME: Set = Set::of(&CLASS, LABEL | DOT);
const TAILS: [Set; 2] = [Set::of(&CLASS, TAIL), Set::of(&CLASS, QUOTED)];
/// All of them, in one place: else they would be copied for each link.
static OF_LINKS: [Set; 3] = [NAME, TAILS[0], TAILS[1]];

/// In bytes. Longer hosts are left to the walks, which know the limit.
const HOST_MAX: usize = 100;

/// The same of addresses in brackets, and of what may be a userinfo.
const LITERAL_MAX: usize = 64;
const USERINFO_MAX: usize = 256;

/// The same of a field that holds more than is plain.
const FIELD_MAX: usize = 512;

/// Of the names of fields of queries, and of schemes.
const NAME_MAX: usize = 32;

/// Whether an ASCII character is of `class`.
fn is(c: char, class: u8) -> bool {
    c.is_ascii() && CLASS[c as usize] & class != 0
}

/// Letters of scripts with spaces between words: nothing but part of a link.
fn is_spaced(c: char) -> bool {
    matches!(
        c,
        '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{148}'
            | '\u{14A}'..='\u{24F}' | '\u{388}'..='\u{38A}' | '\u{38E}'..='\u{3A1}'
            | '\u{3A3}'..='\u{3E1}' | '\u{400}'..='\u{481}' | '\u{48A}'..='\u{52F}'
            | '\u{5D0}'..='\u{5EA}' | '\u{620}'..='\u{63F}' | '\u{641}'..='\u{64A}'
    )
}

/// Letters of scripts without: part of a link unless ASCII stands before them.
fn is_unspaced(c: char) -> bool {
    matches!(
        c,
        '\u{E01}'..='\u{E2E}' | '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FA}'
            | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FEF}' | '\u{AC00}'..='\u{D7A3}'
    )
}

/// Whether the letter `c` belongs to the link, whatever follows. `non_ascii`: so did another
/// that is not ASCII.
#[inline]
fn is_joined(before: char, c: char, non_ascii: bool) -> bool {
    if c < '\u{E01}' {
        return is_spaced(c);
    }
    let closed = before.is_ascii_alphanumeric() || matches!(before, '!' | ')');
    // Behind a slash a particle may be the sentence's.
    let particle = before == '/' && !non_ascii && class::is_particle_letter(c);
    is_unspaced(c) && !closed && !particle
}

/// What stands behind the `:` of a scheme, being read.
struct Reader<'r> {
    cursor: &'r Cursor,
    bytes: &'r [u8],
    at: usize,
    /// The character before.
    before: char,
    non_ascii: bool,
}

impl Reader<'_> {
    /// The next character, in bytes at `at`; U+FFFD: it is malformed or has to be
    /// waited for. `None`: nothing follows.
    fn peek(&self) -> Option<(char, usize)> {
        let rest = &self.bytes[self.at..];
        match rest.first()? {
            b @ ..0x80 => Some((char::from(*b), 1)),
            _ => self.cursor.char(rest).or(Some(('\u{FFFD}', 1))),
        }
    }

    /// Goes over characters of `class` and letters that belong to the link.
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

    /// All of it, and what stands behind; of the whole field, if `opener` begins one.
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
        let behind = self.peek();
        let Reader { bytes, at: end, before, non_ascii, .. } = self;
        let colon = bytes[host..end].contains(&b':');
        Some((Extent { host, end, before, non_ascii, quoted: false, colon, open: false }, behind))
    }

    /// A path, a query, a fragment, with `(` and `)` in pairs.
    fn tail(&mut self) -> Option<()> {
        let (mut open, mut so_far) = (0, SoFar::from(self.at));
        loop {
            let piece = self.span(TAIL);
            // These end pairs, each in its part.
            if open > 0 && piece.iter().any(|b| b"/?#=&".contains(b)) {
                return None;
            }
            match self.bytes.get(self.at) {
                Some(b'(') => open += 1,
                Some(b')') if open > 0 => open -= 1,
                Some(b',' | b';') if open == 0 && so_far.goes_on_behind(self.bytes, self.at) => {}
                _ => return (self.before != '(').then_some(()),
            }
            self.before = char::from(self.bytes[self.at]);
            self.at += 1;
        }
    }

    /// A host and a port: labels of letters, digits, and hyphens between them.
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

/// How far a link may go.
struct Extent {
    /// Behind the host and port.
    host: usize,
    end: usize,
    /// The character before `end`.
    before: char,
    non_ascii: bool,
    /// It holds what only quotes hold together.
    quoted: bool,
    /// There is a colon behind the host.
    colon: bool,
    /// It has a tail without brackets, and where its field ends was not looked for.
    open: bool,
}

/// Which of the bytes from `from` on are each of `chars`, and in each of `sets`; zeros stand
/// where there are no more.
#[inline(always)]
fn sorted<const C: usize, const N: usize>(
    level: Level,
    bytes: &[u8],
    from: usize,
    (chars, sets): (&[u8; C], &[Set; N]),
) -> ([u64; C], [u64; N]) {
    let rest = bytes.get(from..).unwrap_or_default();
    match rest.first_chunk() {
        Some(block) => classes::sorted(level, block, chars, sets),
        None => cut(level, rest, 0, (chars, sets)),
    }
}

/// The same of the bytes before `to`.
#[inline(always)]
fn sorted_before<const C: usize, const N: usize>(
    level: Level,
    bytes: &[u8],
    to: usize,
    (chars, sets): (&[u8; C], &[Set; N]),
) -> ([u64; C], [u64; N]) {
    let before = &bytes[..to];
    match before.last_chunk() {
        Some(block) => classes::sorted(level, block, chars, sets),
        None => cut(level, before, BLOCK - to, (chars, sets)),
    }
}

/// The same of a block that has these bytes from `at` on.
#[cold]
#[inline(never)]
fn cut<const C: usize, const N: usize>(
    level: Level,
    bytes: &[u8],
    at: usize,
    (chars, sets): (&[u8; C], &[Set; N]),
) -> ([u64; C], [u64; N]) {
    let mut block = [0; BLOCK];
    block[at..at + bytes.len()].copy_from_slice(bytes);
    classes::sorted(level, &block, chars, sets)
}

/// How many of the lowest bits are set, from `from` on.
#[inline]
fn run(mask: u64, from: usize) -> usize {
    (mask >> from).trailing_ones() as usize
}

/// How long the name at the start of a block is, whose labels have neither dots
/// nor hyphens at their ends.
#[inline]
fn name_len(name: u64, dot: u64, hyphen: u64) -> Option<usize> {
    let len = run(name, 0);
    if len == 0 || len == BLOCK {
        return None;
    }
    let within = (1 << len) - 1;
    let edges = dot << 1 | dot >> 1 | 1 | 1 << (len - 1);
    ((dot | hyphen) & edges & within == 0).then_some(len)
}

/// `name` without a dot at its end, which what follows must show to be a
/// sentence's.
#[inline]
fn without_full_stop(name: u64, dot: u64) -> u64 {
    let len = run(name, 0);
    if len < BLOCK && len > 1 { name & mask(len) & !(dot & 1 << (len - 1)) } else { name }
}

/// The extent of a link that is all ASCII, with a host of at most a block and no
/// port.
#[inline]
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
        // It may go on behind these.
        Some(b',' | b';') if end > host && SoFar::from(host).goes_on_behind(bytes, end) => None,
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

/// Where the field that `by` begins ends behind `at`, in a tail, and whether it holds more
/// than ASCII: at its partner, whatever stands before it but white space and the like.
/// `None`: the walks tell.
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
            // In an attribute they may be of code, or of markup that is cut.
            b'\\' | b'<' | b'"' if matches!(by.open, '"' | '\'') => return None,
            b'!'..=b'~' => {}
            0x80.. => {
                let (c, len) = cursor?.char(&bytes[at..])?;
                if class::never_in_link(c) {
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

/// A tail up to a place.
struct SoFar {
    part: Part,
    /// There is an `&` in it.
    references: bool,
    at: usize,
}

impl SoFar {
    /// Nothing of it, which starts at `at`.
    fn from(at: usize) -> SoFar {
        SoFar { part: Part::Path, references: false, at }
    }

    /// Whether the tail goes on behind the `,` or `;` at `at`.
    fn goes_on_behind(&mut self, bytes: &[u8], at: usize) -> bool {
        let piece = &bytes[self.at..at];
        self.part = piece.iter().fold(self.part, |part, b| part.behind(char::from(*b)));
        self.references |= piece.contains(&b'&');
        self.at = at;
        let behind = &bytes[at + 1..];
        if self.references && bytes[at] == b';' {
            return bytes[..at].ends_with(b"&amp") && is_field(behind);
        }
        let goes_on = behind.first().is_some_and(|b| is(char::from(*b), LAST));
        goes_on && (self.part == Part::Query || !may_be_scheme(behind))
    }
}

/// Whether `bytes` start with the name of a field and `=`.
fn is_field(bytes: &[u8]) -> bool {
    let name = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
    let len = bytes.iter().take(NAME_MAX).take_while(name).count();
    len > 0 && bytes.get(len) == Some(&b'=')
}

/// Whether a colon may stand behind letters and digits that `bytes` start with.
fn may_be_scheme(bytes: &[u8]) -> bool {
    let len = bytes.iter().take(NAME_MAX).take_while(|b| b.is_ascii_alphanumeric()).count();
    len == NAME_MAX || bytes.get(len).is_none_or(|b| *b == b':')
}

/// The lowest `n` bits.
#[inline]
fn mask(n: usize) -> u64 {
    if n >= BLOCK { !0 } else { (1 << n) - 1 }
}

/// A link that is plain.
pub(crate) struct Plain {
    /// In bytes, from behind the `:` on.
    pub(crate) len: usize,
    pub(crate) non_ascii: bool,
    /// How far what delimits it was looked for in vain, if further than the link.
    pub(crate) no_partner: Option<usize>,
}

/// Whether the link of `head` may be plain.
pub(crate) fn is_plain(head: &Head) -> bool {
    let What::Scheme(scheme) = head.what else { return false };
    scheme.form == Form::Host && scheme.described && !scheme.scp && head.emphasis.is_none()
}

/// What stands before the `http` or `https` that `bytes` end with, and this, in
/// lower case.
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

/// Whether none of `bytes`, which stand behind the `:` of a scheme, ends a link.
pub(crate) fn goes_on(bytes: &[u8]) -> bool {
    bytes.iter().all(|b| is(char::from(*b), TAIL | QUOTED))
}

/// How long the `http` or `https` is that `bytes` end with, and what opens before
/// it. `None`: it takes a closer look, or they end with neither.
#[inline]
pub(crate) fn head(bytes: &[u8], shape: Shape) -> Option<(usize, Option<Opener>)> {
    let (before, name) = web(bytes)?;
    Some((name.len(), opener(before, shape)?))
}

/// Whether the character in UTF-8 at the end of `before` surely opens nothing.
#[inline(never)]
fn unopened(before: &[u8]) -> bool {
    let three = before.last_chunk::<3>();
    three.and_then(|three| cursor::short(three)).is_some_and(|(c, _)| opens_nothing(c))
}

/// What stands between two texts, and letters without spaces between words.
fn opens_nothing(c: char) -> bool {
    matches!(c, '、' | '。' | '，' | '：' | '；' | '！' | '？' | '）' | '」') || is_unspaced(c)
}

/// As [`head`] for `mailto`, behind what delimits it.
#[inline]
pub(crate) fn mail_head(bytes: &[u8], shape: Shape) -> Option<(usize, Opener)> {
    let (before, name) = bytes.split_last_chunk::<6>()?;
    if !name.eq_ignore_ascii_case(b"mailto") {
        return None;
    }
    let by = opener(before, shape)??;
    (by.field == Field::Whole).then_some((name.len(), by))
}

/// How long the rest of a `mailto:` is that `by` delimits. `bytes` stand behind
/// its `:`.
pub(crate) fn mail(level: Level, bytes: &[u8], by: Opener) -> Option<usize> {
    let ([], [set]) = sorted(level, bytes, 0, (&[], &[TAILS[1]]));
    let len = run(set, 0);
    let closed = bytes.get(len).is_some_and(|b| char::from(*b) == by.close);
    (closed && bytes[0].is_ascii_alphanumeric() && by.open != '(').then_some(len)
}

/// Whether an ASCII byte may be the last of a longer character, or nothing is known of
/// those.
fn is_multi(shape: Shape) -> bool {
    !matches!(shape, Shape::Utf8 | Shape::Single)
}

/// What the character at the end of `before` opens, if anything.
#[inline]
fn opener(before: &[u8], shape: Shape) -> Option<Option<Opener>> {
    let multi = is_multi(shape);
    let &[further, nearest] = before.last_chunk()?;
    // Letters and some signs may be the second half of a character.
    if multi && !further.is_ascii() && nearest >= b'@' {
        return None;
    }
    match nearest {
        // Of robots: `(compatible; +http://…)`. No scheme begins with it.
        b'+' if further.is_ascii() && !is_scheme(char::from(further)) => Some(None),
        b' ' | b'\t' | b'\n' | b'\r' | b'=' | b',' | b';' | b'>' | b')' | b']' | b'/' => Some(None),
        // They may be the second half of a character, and then mean nothing.
        b'"' | b'\'' | b'(' if multi && matches!(further, b'\\' | b']') => None,
        // Of `url(`, perhaps.
        b'(' if matches!(further, b'l' | b'L') => None,
        b'"' | b'\'' | b'(' | b'<' | b'[' => {
            let c = if further.is_ascii() { char::from(further) } else { '\u{FFFD}' };
            let further = Before { c: Some(c), start: 0 };
            Some(head::opener(char::from(nearest), core::iter::once(further)))
        }
        0x80.. if shape == Shape::Utf8 => unopened(before).then_some(None),
        _ => None,
    }
}

/// The link that `opener` may delimit. `bytes` stand behind the `:` of its scheme,
/// in a charset where ASCII bytes between characters are themselves; `last`:
/// nothing follows them. Without a `cursor` no others are read. `None`: the walks
/// tell.
pub(crate) fn link(
    (cursor, level): (Option<&Cursor>, Level),
    bytes: &[u8],
    last: bool,
    opener: Option<Opener>,
) -> Option<Plain> {
    if !bytes.starts_with(b"//") {
        return None;
    }
    let quotes = opener.is_some_and(|by| matches!(by.open, '"' | '\''));
    let (extent, behind) = match ascii(level, bytes, quotes) {
        Some(extent) => {
            let behind = bytes.get(extent.end).map(|b| (char::from(*b), 1));
            (extent, behind)
        }
        None => {
            let reader = Reader { cursor: cursor?, bytes, at: 2, before: '/', non_ascii: false };
            reader.extent(opener)?
        }
    };
    let Extent { host, end: at, before, non_ascii, quoted, colon, open } = extent;
    if behind.is_none() && !last {
        return None;
    }
    let tail = &bytes[host..at];
    let plain = |len| Plain { len, non_ascii, no_partner: None };
    let closes = !is(before, TAIL) && !quoted || is(before, LAST);
    let mut no_partner = None;
    if let Some(by) = opener {
        let closed = behind.is_some_and(|(c, _)| c == by.close);
        if closed && by.field == Field::Whole {
            return Some(plain(at));
        }
        if by.field == Field::Whole
            && open
            && behind.is_some_and(|(c, _)| !is(c, BLANK))
            && let Some((len, others)) = field(cursor, bytes, at, by)
        {
            return Some(Plain { non_ascii: non_ascii || others, ..plain(len) });
        }
        // A phrase in which another link begins behind text is none.
        let text = || quoted || non_ascii || tail.iter().any(|b| b"%,;".contains(b));
        if !closes || colon && by.field == Field::Phrase && text() {
            return None;
        }
        if closed {
            return Some(plain(at));
        }
        match (behind, by.open) {
            (Some((c, _)), '<') if is(c, BLANK) => {
                no_partner = Some(at + unwrapped(&bytes[at..])?);
            }
            (Some((c, _)), '(') if is(c, STOP) && !is(c, BLANK) => {
                (by.field == Field::Whole && c != '<').then_some(())?;
                no_partner = Some(at + unclosed(level, &bytes[at..])?);
            }
            (Some((c, _)), _) if !is(c, BLANK) => return None,
            _ => {}
        }
        if quoted {
            return None;
        }
    }
    // Behind an escape a letter goes on.
    if non_ascii && tail.contains(&b'%') {
        return None;
    }
    let stops = behind.is_none_or(|(c, len)| match c {
        c if is(c, STOP) => true,
        // A semicolon ends a reference.
        ';' if tail.contains(&b'&') => false,
        // Behind these another link may begin.
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
        c => is(c, STOP_BEHIND_PATH) || class::ends_sentence_unspaced(c),
    });
    if !stops || closes {
        return stops.then_some(Plain { no_partner, ..plain(at) });
    }
    // What a sentence ends with; dots behind a host are for the walks.
    let over = tail.iter().rev().take_while(|b| matches!(b, b'.' | b'!' | b':')).count();
    let nearest = bytes[at - over - 1];
    let closes = !nearest.is_ascii() || is(char::from(nearest), LAST);
    closes.then_some(plain(at - over))
}

/// Whether no link is what the `http` or `https` begins that has its `:` at `at`: an address
/// in brackets without a `]` before the path.
#[cold]
pub(crate) fn is_unended(bytes: &[u8], at: usize, shape: Shape) -> bool {
    let [b'/', b'/', b'[', literal @ ..] = &bytes[at + 1..] else { return false };
    let part = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b':' | b'.');
    let len = literal.iter().take(LITERAL_MAX).take_while(part).count();
    matches!(literal.get(len), Some(b'/' | b'?' | b'#')) && head(&bytes[..at], shape).is_some()
}

/// Whether an `@` may follow behind what is part of no host.
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

/// How much white space `bytes` start with, if it shows that a link in angle brackets
/// does not go over a line end there.
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

/// How far `bytes` go without white space, in which no `)` is left over; not far,
/// because it may be read again from the next link.
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

/// What stands in a word, brackets left out.
const WORD: [Set; 1] = {
    let (mut table, mut byte) = ([0; 256], b'!');
    while byte <= b'~' {
        table[byte as usize] = (byte != b'(' && byte != b')') as u8;
        byte += 1;
    }
    [Set::of(&table, 1)]
};

/// Of addresses: may be in a local part; may stand before it, in no word.
const LOCAL: u8 = 1;
const BEFORE_LOCAL: u8 = 2;
/// May stand behind the domain, or behind a full stop there.
const BEHIND_DOMAIN: u8 = 4;

const ADDRESS: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = match byte as u8 {
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'.' | b'+' | b'-' | b'_' => LOCAL,
            b' ' | b'\t' | b'\n' | b'\r' | b'<' | b'>' | b'"' | b'(' | b')' | b',' | b';' => {
                BEFORE_LOCAL | BEHIND_DOMAIN
            }
            b'[' => BEFORE_LOCAL,
            b'@' => 0,
            _ => BEHIND_DOMAIN,
        };
        byte += 1;
    }
    table
};

const LOCALS: [Set; 1] = [Set::of(&ADDRESS, LOCAL)];

/// Where the domain behind the `@` at `at` ends, in a charset where ASCII bytes between
/// characters are themselves; nothing follows `bytes`, if they are the `last`.
/// `Some(None)`: there is no address; `None`: the walks tell.
pub(crate) fn domain(
    level: Level,
    bytes: &[u8],
    at: usize,
    last: bool,
    shape: Shape,
) -> Option<Option<usize>> {
    match ascii_domain(level, bytes, at, last) {
        None if !is_multi(shape) && has_no_dot(&bytes[at + 1..]) => Some(None),
        domain => domain,
    }
}

/// Whether a name at the start of `bytes` ends before any dot.
fn has_no_dot(bytes: &[u8]) -> bool {
    let goes_on = |b: &u8| is(char::from(*b), LABEL) || *b == b'_' || !b.is_ascii();
    let end = bytes.iter().take(HOST_MAX).find(|b| !goes_on(b));
    end.is_some_and(|b| *b != b'.')
}

/// [`domain`], of one that is all ASCII.
#[inline]
fn ascii_domain(level: Level, bytes: &[u8], at: usize, last: bool) -> Option<Option<usize>> {
    let is = |b: u8, class: u8| ADDRESS[usize::from(b)] & class != 0;
    let ([dot, hyphen], [name]) = sorted(level, bytes, at + 1, (b".-", &[NAME]));
    let name = without_full_stop(name, dot);
    let len = name_len(name, dot, hyphen)?;
    let end = at + 1 + len;
    let full_stop = bytes.get(end) == Some(&b'.');
    let behind = bytes.get(end + usize::from(full_stop));
    let dots = dot & mask(len);
    // Names without a dot, with a `_`, and before another `@`.
    let no_domain = match behind {
        Some(b'_') if !full_stop => true,
        Some(b'@') => !full_stop || dots == 0,
        Some(b) if is(*b, BEHIND_DOMAIN) => dots == 0,
        None if last => dots == 0,
        _ => return None,
    };
    if no_domain {
        return Some(None);
    }
    let tld = at + 1 + BLOCK - dots.leading_zeros() as usize;
    // Numbers take a closer look.
    let first = &bytes[at + 1..][..dots.trailing_zeros() as usize];
    let number = first.iter().all(u8::is_ascii_digit);
    (!number && mail::is_top_level(&bytes[tld..], end - tld)).then_some(Some(end))
}

/// Where the local part before the `@` at `at` starts, in such a charset; nothing starts
/// before `floor`. `None`: its characters tell.
pub(crate) fn local(level: Level, bytes: &[u8], at: usize, floor: usize) -> Option<usize> {
    let is = |b: u8, class: u8| ADDRESS[usize::from(b)] & class != 0;
    let ([dot], [local]) = sorted_before(level, bytes, at, (b".", &LOCALS));
    let chars = local.leading_ones() as usize;
    let within = !mask(BLOCK - chars);
    let start = at - chars;
    // What stands before it has to be seen.
    if chars == 0 || chars == BLOCK || start <= floor || dot & dot << 1 & within != 0 {
        return None;
    }
    let before = bytes[start - 1];
    // A byte that is not ASCII may make one character with the next.
    let alone = before < b'@' || start > 1 && bytes[start - 2].is_ascii();
    let plain = bytes[start].is_ascii_alphanumeric() && bytes[at - 1] != b'.';
    (plain && alone && is(before, BEFORE_LOCAL)).then_some(start)
}

/// Where the host round the `.` at `at` starts and ends, in a charset where ASCII
/// bytes between characters are themselves; `floor`, `last`: as above.
/// `Err`: no host has its last dot before this place; `None`: the walks tell.
pub(crate) fn name(
    level: Level,
    bytes: &[u8],
    at: usize,
    (floor, last): (usize, bool),
    shape: Shape,
) -> Option<Result<(usize, usize), usize>> {
    let multi = is_multi(shape);
    let none = Some(Err(at + 1));
    // The first label of `www.` makes a host of whatever follows.
    let www = swar::ends_with_www(&bytes[..at]);
    let ([dot], [before]) = sorted_before(level, bytes, at, (b".", &[NAME]));
    let before = before.leading_ones() as usize;
    let start = at - before;
    if !multi && start > floor && (1..BLOCK).contains(&before) {
        let nearest = bytes[start - 1];
        let dots = dot & !mask(BLOCK - before);
        // Dots in a row begin another name.
        let rows = dots & (dots << 1 | 1 << (BLOCK - 1));
        // In markup and in what is encoded most are part of something else.
        let joined = nearest.is_ascii()
            && nearest != b'\\'
            && bare::is_joined_to(char::from(nearest))
            && rows == 0;
        // No registry has a label with a `_`: `get_maintainer.pl`.
        if joined || nearest == b'_' && dots == 0 {
            return none;
        }
    }
    let ([dot, hyphen], [name]) = sorted(level, bytes, start, (b".-", &[NAME]));
    let seen = before + 1 < BLOCK;
    let len = if seen { run(if www { name } else { name & !dot }, before + 1) } else { 0 };
    if before + 1 + len >= BLOCK {
        // Not far: `www.www.www.…` is read again from each dot.
        let rest = &bytes[at + 1..bytes.len().min(at + 2 + RUN_MAX)];
        let part = |b: &&u8| is(char::from(**b), LABEL) || www && **b == b'.';
        let len = rest.iter().take_while(part).count();
        return (len > RUN_MAX).then_some(Err(at + 1 + len));
    }
    if len == 0 {
        return None;
    }
    // From the dot on, without the full stop of a sentence.
    let len = 1 + len - usize::from(www && dot >> (before + len) & 1 == 1);
    let end = at + len;
    let full_stop = match bytes.get(end) {
        // It is not the last dot, or no top-level domain stands behind it.
        Some(b'_') if !www => return none,
        Some(b'.') => match bytes.get(end + 1) {
            Some(b) if b.is_ascii_alphanumeric() => return none,
            Some(b'.' | b'-' | b'_' | 0x80..) => return None,
            Some(_) => true,
            None if last => true,
            None => return None,
        },
        Some(0x80..) if !www && bytes[at + 1].is_ascii_digit() => return none,
        Some(b'_' | 0x80..) => return None,
        Some(_) => false,
        None if last => false,
        None => return None,
    };
    let within = mask(before + len);
    let last_dot = (dot & within).ilog2() as usize;
    let tld = class::ascii_tld(&bytes[start + last_dot + 1..], before + len - last_dot - 1);
    if !www && tld.is_none() && bytes[end - 1] != b'-' {
        return none;
    }
    // What stands before it has to be seen.
    if start <= floor {
        return None;
    }
    let (name, nearest) = (name_len(name & within, dot, hyphen)?, bytes[start - 1]);
    let alone = nearest < b'@' || start > 1 && bytes[start - 2].is_ascii();
    if !nearest.is_ascii() || matches!(nearest, b'_' | b'\\') || multi && !alone {
        return None;
    }
    let behind = bytes.get(end + usize::from(full_stop)).copied().map(char::from);
    let around = Around { before: Some(char::from(nearest)), behind, dots: usize::from(full_stop) };
    let name = &bytes[start..][..name];
    if around.is_glued() || !Domain::of_ascii(name, dot & within, tld).is_host(around) {
        return Some(Err(end));
    }
    let blank =
        |b: Option<&u8>| b.map_or(last, |b| is(char::from(*b), STOP) && !b"\\`".contains(b));
    let stops = full_stop
        || match bytes.get(end) {
            Some(b',' | b')' | b';') => blank(bytes.get(end + 1)),
            b => blank(b),
        };
    stops.then_some(Ok((start, end)))
}

#[cfg(test)]
mod tests {
    use std::format;

    use super::*;
    use crate::syntax::class::{HostClass, LinkTerm};

    #[test]
    fn letters_are_what_the_rules_call_them() {
        for c in ('\u{80}'..=char::MAX).filter(|c| is_spaced(*c) || is_unspaced(*c)) {
            assert_eq!(class::link_term(c), LinkTerm::Include, "{c:?}");
            assert_eq!(class::host_class(c), HostClass::Label, "{c:?}");
            assert_eq!(class::is_unspaced_letter(c), is_unspaced(c), "{c:?}");
            assert!(!class::is_symbol(c) && !class::never_in_link(c), "{c:?}");
            assert!(!class::ends_sentence_unspaced(c) && !class::is_idna_dot(c), "{c:?}");
        }
    }

    #[test]
    fn what_opens_nothing_opens_nothing() {
        let some = ('\u{800}'..=char::MAX).filter(|c| opens_nothing(*c));
        for c in some.inspect(|c| assert_eq!(c.len_utf8(), 3, "{c:?}")) {
            assert_eq!(head::opener(c, core::iter::empty()), None, "{c:?}");
            let head = head(format!("a{c}http").as_bytes(), Shape::Utf8);
            assert_eq!(head, Some((4, None)), "{c:?}");
        }
        assert_eq!(head("《http".as_bytes(), Shape::Utf8), None);
        assert_eq!(head("éhttp".as_bytes(), Shape::Utf8), None);
        assert_eq!(head(b"\x81\x82http", Shape::Utf8), None);
        assert_eq!(head("，http".as_bytes(), Shape::Single), None);
    }

    #[test]
    fn ascii_is_what_the_rules_call_it() {
        for c in '\0'..'\u{80}' {
            let term = class::link_term(c);
            assert!(!is(c, LAST) || term == LinkTerm::Include, "{c:?}");
            assert!(!is(c, TAIL) || is(c, LAST) || c == '#' || term == LinkTerm::Soft, "{c:?}");
            assert_eq!(is(c, LABEL), c.is_ascii_alphanumeric() || c == '-', "{c:?}");
        }
    }
}
