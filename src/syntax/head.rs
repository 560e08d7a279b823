//! Where a link starts: the scheme before a `:`, and what stands before it.
//!
//! Reads characters backwards from the `:`; never looks further than
//! [`LOOKBACK`] characters.

use super::{
    class,
    scheme::{SCHEME_MAX, Scheme, Schemes},
};

/// The most characters before a `:` (or before the end of what has come) that
/// can matter: a scheme, the character that shows that it is too long, and what
/// stands before it.
pub(crate) const LOOKBACK: usize = SCHEME_MAX + 1 + 6;

/// A character before a position, nearest first. `None`: malformed bytes.
pub(crate) struct Before {
    pub(crate) c: Option<char>,
    /// Where it starts, absolute.
    pub(crate) start: u64,
}

/// What opens directly before a link, so that its partner ends it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Opener {
    pub(crate) open: char,
    pub(crate) close: char,
    pub(crate) field: Field,
}

/// Whether everything up to the partner is the link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Field {
    /// `<…>`, an attribute value, a Markdown target: everything.
    Whole,
    /// Other quotes and brackets: less trailing sentence punctuation.
    Phrase,
}

/// A scheme that counts, and where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head {
    pub(crate) start: u64,
    pub(crate) scheme: Scheme,
    pub(crate) opener: Option<Opener>,
    /// Malformed bytes stand directly before.
    pub(crate) malformed_before: bool,
}

/// The letters before a position, read backwards.
struct Run {
    /// Lower case, in reading order, filled from the end.
    name: [u8; SCHEME_MAX + 1],
    start: [u64; SCHEME_MAX + 1],
    from: usize,
}

impl Run {
    /// Takes the scheme characters that stand nearest; `first` is the nearest
    /// character that is none.
    fn take(before: &mut impl Iterator<Item = Before>) -> (Run, Option<Before>) {
        let mut run =
            Run { name: [0; SCHEME_MAX + 1], start: [0; SCHEME_MAX + 1], from: SCHEME_MAX + 1 };
        for b in before {
            // scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )
            match b.c {
                Some(c @ ('a'..='z' | 'A'..='Z' | '0'..='9' | '+' | '-' | '.')) if run.from > 0 => {
                    run.from -= 1;
                    run.name[run.from] = c.to_ascii_lowercase() as u8;
                    run.start[run.from] = b.start;
                }
                _ => return (run, Some(b)),
            }
        }
        (run, None)
    }

    fn name(&self) -> &[u8] {
        &self.name[self.from..]
    }

    /// Where the scheme starts in `name()`, when the run is read as one.
    ///
    /// Not part of it: what no scheme can begin with, the letter of a literal
    /// `\n`, and the end of an ANSI colour sequence (`ESC [ 4 m`).
    fn whole(&self, before: Option<char>) -> usize {
        let name = self.name();
        let digits = name.iter().take_while(|b| b.is_ascii_digit()).count();
        let glue = match (before, name) {
            (Some('\\'), [b'n' | b'r' | b't', ..]) => 1,
            (Some('[' | ';'), _) if name.get(digits) == Some(&b'm') => digits + 1,
            _ => 0,
        };
        glue + name[glue..].iter().take_while(|b| !b.is_ascii_alphabetic()).count()
    }
}

/// The head whose scheme ends before a `:`; `before` gives the characters
/// before the `:`, nearest first.
pub(crate) fn before_colon(
    mut before: impl Iterator<Item = Before>,
    schemes: &Schemes,
) -> Option<Head> {
    let (run, stop) = Run::take(&mut before);
    let name = run.name();
    if !name.last()?.is_ascii_alphanumeric() {
        return None;
    }
    let whole = run.whole(stop.as_ref().and_then(|b| b.c));
    let found = if name.len() <= SCHEME_MAX { schemes.get(&name[whole..]) } else { None };
    let (skip, scheme) = match found {
        Some(scheme) => (whole, scheme),
        // Nothing is required before `http`: text is glued to it in every
        // language (case glued-ascii).
        None => [&b"https"[..], b"http"].into_iter().find_map(|http| {
            let skip = name.len().checked_sub(http.len())?;
            (name[skip..] == *http).then_some(())?;
            Some((skip, schemes.get(http)?))
        })?,
    };
    let start = run.start[run.from + skip];
    let glued = skip > 0;
    let malformed_before = !glued && stop.as_ref().is_some_and(|b| b.c.is_none());
    let opener = if glued { None } else { stop.and_then(|b| opener(b.c?, before)) };
    Some(Head { start, scheme, opener, malformed_before })
}

/// Where the earliest head starts that what has come may still begin; `before`
/// gives the characters before its end, nearest first.
pub(crate) fn may_begin(
    mut before: impl Iterator<Item = Before>,
    schemes: &Schemes,
) -> Option<u64> {
    let (run, stop) = Run::take(&mut before);
    let name = run.name();
    let whole = run.whole(stop.as_ref().and_then(|b| b.c));
    if name.len() <= SCHEME_MAX && whole < name.len() && schemes.may_begin(&name[whole..]) {
        return Some(run.start[run.from + whole]);
    }
    let longest = name.len().min("https".len());
    (name.len() - longest..name.len())
        .find(|&i| b"https".starts_with(&name[i..]))
        .filter(|_| schemes.get(b"http").is_some() || schemes.get(b"https").is_some())
        .map(|i| run.start[run.from + i])
}

/// Quotes that open a phrase, with what closes it. Brackets are Link_Bracket.
const QUOTES: [(char, char); 11] = [
    ('"', '"'),
    ('\'', '\''),
    ('`', '`'),
    ('“', '”'),
    ('”', '”'),
    ('„', '“'),
    ('‘', '’'),
    ('‚', '‘'),
    ('«', '»'),
    ('»', '«'),
    ('‹', '›'),
];

/// What `nearest`, the character directly before a link, opens.
fn opener(nearest: char, mut further: impl Iterator<Item = Before>) -> Option<Opener> {
    let mut next = || further.next().and_then(|b| b.c);
    let whole = |open, close| Some(Opener { open, close, field: Field::Whole });
    match nearest {
        '<' => whole('<', '>'),
        // `<URL:…>`, RFC 3986 appendix C.
        ':' => {
            let label = [next()?, next()?, next()?, next()?];
            let wrapped = label[..3].iter().map(char::to_ascii_lowercase).eq("lru".chars());
            (wrapped && label[3] == '<').then_some(())?;
            whole('<', '>')
        }
        '"' | '\'' => match next() {
            Some('=') => whole(nearest, nearest),
            // `\"` in a string literal is closed by `\"`.
            Some('\\') => whole('\\', '\\'),
            _ => Some(Opener { open: nearest, close: nearest, field: Field::Phrase }),
        },
        '(' if next() == Some(']') => whole('(', ')'),
        _ => {
            let close = class::closing_bracket(nearest)
                .or_else(|| QUOTES.iter().find(|(open, _)| *open == nearest).map(|q| q.1))?;
            Some(Opener { open: nearest, close, field: Field::Phrase })
        }
    }
}
