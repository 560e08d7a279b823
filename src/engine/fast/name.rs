//! Hosts without a scheme: the name around a `.`.

use crate::grammar::blocks::{
    DOT, LABEL, NAME, STOP, is, is_multi, mask, name_len, run, sorted, sorted_before,
};
use crate::{
    charset::{Shape, lookahead::Lookahead},
    data::top_level,
    grammar::{
        bare::{self, Around, Domain},
        types::RUN_MAX,
    },
    simd::{
        swar,
        types::{BLOCK, Level},
    },
};

/// What the fast path says of a `.`.
pub(crate) enum Name {
    /// A host from `start` to `end`.
    Host { start: usize, end: usize },
    /// No host has its last dot before this place.
    NoHostBefore(usize),
}

/// Reads the host around the `.` at `at`, if it starts after `floor`. `None`: the slow path
/// decides. `last`: the text ends where `bytes` end.
///
/// The charset must be one where ASCII bytes between characters are themselves.
pub(crate) fn name(
    level: Level,
    bytes: &[u8],
    at: usize,
    (floor, last): (usize, bool),
    shape: Shape,
) -> Option<Name> {
    let multi = is_multi(shape);
    let none = Some(Name::NoHostBefore(at + 1));
    // After `www.` whatever follows is a host.
    let www = swar::ends_with_www(&bytes[..at]);
    let ([dot], [before]) = sorted_before(level, bytes, at, (b".", &[NAME]));
    let before = before.leading_ones() as usize;
    let start = at - before;
    if !multi && start > floor && is_elsewhere(bytes, (start, before), dot) {
        return none;
    }
    let ([dot, hyphen], [name]) = sorted(level, bytes, start, (b".-", &[NAME]));
    let seen = before + 1 < BLOCK;
    let len = if seen { run(if www { name } else { name & !dot }, before + 1) } else { 0 };
    if before + 1 + len >= BLOCK {
        return overlong(bytes, at, if www { LABEL | DOT } else { LABEL });
    }
    if len == 0 {
        return None;
    }
    // From the dot on, without the full stop of a sentence.
    let len = 1 + len - usize::from(www && dot >> (before + len) & 1 == 1);
    let end = at + len;
    let full_stop = match after_label(bytes, (at, end), www, last) {
        AfterLabel::FullStop => true,
        AfterLabel::NoDot => false,
        AfterLabel::NotLast => return none,
        AfterLabel::Unsure => return None,
    };
    let within = mask(before + len);
    let last_dot = (dot & within).ilog2() as usize;
    let tld = top_level::ascii_tld(&bytes[start + last_dot + 1..], before + len - last_dot - 1);
    // Two hyphens may be a dash (case bare-typewriter-dash).
    let dash = hyphen & hyphen << 1 & within != 0;
    if !www && tld.is_none() && bytes[end - 1] != b'-' && !dash {
        return none;
    }
    // The byte before it must be in the window too.
    if start <= floor {
        return None;
    }
    let (name, nearest) = (name_len(name & within, dot, hyphen)?, bytes[start - 1]);
    if dash || is_doubtful(bytes, (start, end), shape) {
        return None;
    }
    let after = bytes.get(end + usize::from(full_stop)).copied().map(char::from);
    let around = Around { before: Some(char::from(nearest)), after, dots: usize::from(full_stop) };
    let name = &bytes[start..][..name];
    if around.is_glued() || !Domain::of_ascii(name, dot & within, tld).is_host(around) {
        return Some(Name::NoHostBefore(end));
    }
    let ends = full_stop || is_ended(Lookahead::new(&bytes[end..], last));
    ends.then_some(Name::Host { start, end })
}

/// The verdict on a run after the `.` at `at` that is longer than a block: no host, if it is longer than one may be. That
/// limit keeps `www.www.www.…`, which is read again from each dot, linear. `class`: the characters of the run.
fn overlong(bytes: &[u8], at: usize, class: u8) -> Option<Name> {
    let rest = &bytes[at + 1..bytes.len().min(at + 2 + RUN_MAX)];
    let len = rest.iter().take_while(|b| is(char::from(**b), class)).count();
    (len > RUN_MAX).then_some(Name::NoHostBefore(at + 1 + len))
}

/// True if the byte before the name from `start` to `end`, or a `~` after it, may join it to something else.
#[inline(always)]
fn is_doubtful(bytes: &[u8], (start, end): (usize, usize), shape: Shape) -> bool {
    let nearest = bytes[start - 1];
    let alone = nearest < b'@' || start > 1 && bytes[start - 2].is_ascii();
    let struck = nearest == b'~' || bytes.get(end) == Some(&b'~');
    !nearest.is_ascii() || matches!(nearest, b'_' | b'\\') || struck || is_multi(shape) && !alone
}

/// True if the host before `rest` ends there for certain.
#[inline(always)]
fn is_ended(rest: Lookahead<'_>) -> bool {
    let blank = |b: Option<&u8>| {
        b.map_or(rest.is_last(), |b| is(char::from(*b), STOP) && !b"\\`".contains(b))
    };
    match rest.first() {
        Some(b',' | b')' | b';') => blank(rest.get(1)),
        b => blank(b),
    }
}

/// True if no host has its last dot after the name of `len` bytes at `start`, which is not the start
/// of `bytes`. `dot`: the dots of the block before.
#[inline(always)]
fn is_elsewhere(bytes: &[u8], (start, len): (usize, usize), dot: u64) -> bool {
    if !(1..BLOCK).contains(&len) {
        return false;
    }
    let nearest = bytes[start - 1];
    let dots = dot & !mask(BLOCK - len);
    // After dots in a row another name begins.
    let rows = dots & (dots << 1 | 1 << (BLOCK - 1));
    // In markup and in encoded text most names are part of something else.
    nearest.is_ascii()
        && nearest != b'\\'
        && bare::is_joined_to(char::from(nearest))
        && rows == 0
        && !bytes[..start].ends_with(b"~~")
}

/// The character after an ASCII label that follows a dot.
enum AfterLabel {
    /// The full stop of a sentence, or of the root.
    FullStop,
    /// No dot.
    NoDot,
    /// The label is not the last one, or no top-level domain.
    NotLast,
    /// The slow path decides.
    Unsure,
}

/// Reads on after the label from the dot at `at` to `end`. `www`: any label may be the last.
#[inline(always)]
fn after_label(bytes: &[u8], (at, end): (usize, usize), www: bool, last: bool) -> AfterLabel {
    match bytes.get(end) {
        Some(b'_') if !www && bytes.get(end + 1).is_some_and(u8::is_ascii_alphanumeric) => {
            AfterLabel::NotLast
        }
        Some(b'.') => match bytes.get(end + 1) {
            Some(b) if b.is_ascii_alphanumeric() => AfterLabel::NotLast,
            Some(b'.' | b'-' | b'_' | 0x80..) => AfterLabel::Unsure,
            Some(_) => AfterLabel::FullStop,
            None if last => AfterLabel::FullStop,
            None => AfterLabel::Unsure,
        },
        Some(0x80..) if !www && bytes[at + 1].is_ascii_digit() => AfterLabel::NotLast,
        Some(b'_' | 0x80..) => AfterLabel::Unsure,
        Some(_) => AfterLabel::NoDot,
        None if last => AfterLabel::NoDot,
        None => AfterLabel::Unsure,
    }
}
