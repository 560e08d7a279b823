//! Where a link starts: the head of a candidate, and the scheme before a `:`. `name_start` has the name
//! around a `.` and the local part before an `@`, and `opener` what is before these.
//!
//! Characters before the anchor go in, nearest first; the head of a candidate comes out. At most
//! [`LOOKBACK_MAX`] characters are read.

use super::{
    address::Domains,
    marks,
    opener::{marks, may_be_mark, opener, opens_nothing},
    types::{Before, End, Found, Kind, Opener, RUN_MAX, RuleSet, Trait},
};
use crate::data::schemes::{Form, HTTP, SCHEME_MAX, Scheme, Schemes};

/// The most characters before a `:` (or before the end of the window) that can matter: a scheme,
/// the character that shows that it is too long, and six characters before it.
pub(crate) const LOOKBACK: usize = SCHEME_MAX + 1 + 6;

/// The same before a `.` or `@`: a name or local part, the character that shows that it is too
/// long, and `mailto:`, `https://` or what shows that the name is half of another one.
pub(crate) const LOOKBACK_MAX: usize = RUN_MAX + 1 + marks::BEFORE_MAX;

/// The first part of a candidate.
#[derive(Clone, Copy, Debug)]
pub(crate) enum What {
    /// A scheme that counts.
    Scheme(Scheme),
    /// A name. `before`: the character before it. `scheme`: with a scheme, by UTS #58, which looks
    /// for hosts first.
    Name { rules: RuleSet, before: Option<char>, scheme: bool },
    /// A local part and `@`. `dead`: the local part is invalid, and the domain after it is no host
    /// either (UTS #58).
    Address { rules: RuleSet, scheme: bool, dead: bool, domains: Domains },
    /// An IP address.
    Ip,
}

/// The beginning of a candidate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head {
    pub(crate) start: u64,
    /// Where the characters of the candidate are read from, if not after the anchor.
    pub(crate) from: Option<u64>,
    pub(crate) what: What,
    pub(crate) opener: Option<Opener>,
    /// A `_`, `~` or `=` directly before it. At its end the same character is emphasis.
    pub(crate) emphasis: Option<char>,
    /// What comes before it, and opens nothing by itself, shows that a `|` ends it: a label, or another
    /// cell, follows.
    pub(crate) labelled: bool,
    /// A comma directly before it shows a list, in which a comma ends it.
    pub(crate) listed: bool,
    /// Malformed bytes come directly before it.
    pub(crate) malformed_before: bool,
    /// A character before the anchor is not ASCII.
    pub(crate) non_ascii: bool,
    /// Where an address starts if this character follows it.
    pub(crate) inner: Option<(u64, char)>,
}

impl Head {
    pub(crate) fn kind(&self) -> Kind {
        match self.what {
            What::Scheme(_)
            | What::Name { scheme: true, .. }
            | What::Address { scheme: true, .. } => Kind::Iri,
            What::Name { .. } => Kind::Bare,
            What::Address { .. } => Kind::Email,
            What::Ip => Kind::Ip,
        }
    }

    /// The link up to `end`. `non_ascii`: where the first character is that is not ASCII.
    #[inline(always)]
    pub(crate) fn found(&self, end: End, non_ascii: Option<u64>) -> Found {
        let non_ascii = self.non_ascii || non_ascii.is_some_and(|at| at < end.at);
        Found::ascii(self.start, end.at, self.kind())
            .with(Trait::NonAscii, non_ascii)
            .with(Trait::MalformedAdjacent, self.malformed_before)
    }

    /// The domain of an address may have any last label.
    pub(crate) fn allow_any_domain(&mut self) {
        if let What::Address { domains, .. } = &mut self.what {
            *domains = Domains::Any;
        }
    }

    /// True if a `|` ends the link.
    pub(crate) fn is_labelled(&self) -> bool {
        self.labelled || self.opener.is_some_and(Opener::holds_labels)
    }

    pub(crate) fn is_dead(&self) -> bool {
        matches!(self.what, What::Address { dead: true, .. })
    }
}

/// The scheme characters before a position, read backwards.
struct SchemeRun {
    /// Lower case, in reading order, filled from the end.
    name: [u8; SCHEME_MAX + 1],
    start: [u64; SCHEME_MAX + 1],
    from: usize,
}

impl SchemeRun {
    /// Reads the scheme characters that are nearest. Returns them and the first other character.
    fn nearest(before: &mut impl Iterator<Item = Before>) -> (SchemeRun, Option<Before>) {
        let mut run = SchemeRun {
            name: [0; SCHEME_MAX + 1],
            start: [0; SCHEME_MAX + 1],
            from: SCHEME_MAX + 1,
        };
        for b in before {
            match b.c {
                Some(c) if is_scheme(c) && run.from > 0 => {
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
}

/// The scheme characters at the end of some bytes, in a charset where each ASCII byte is a character.
pub(crate) struct SchemeBytes {
    /// The last bytes, in lower case. A copy in one piece: one byte by byte would have to be complete
    /// before it could be compared.
    bytes: [u8; SchemeBytes::SIZE],
    /// At the end of `bytes`; one more than a scheme may have.
    len: usize,
}

impl SchemeBytes {
    const SIZE: usize = 2 * SCHEME_MAX;

    #[inline]
    pub(crate) fn of(text: &[u8]) -> SchemeBytes {
        let mut bytes = match text.last_chunk() {
            Some(bytes) => *bytes,
            None => {
                let mut bytes = [0; SchemeBytes::SIZE];
                bytes[SchemeBytes::SIZE - text.len()..].copy_from_slice(text);
                bytes
            }
        };
        bytes.make_ascii_lowercase();
        let last = text.iter().rev().take(SCHEME_MAX + 1);
        let len = last.take_while(|b| is_scheme(char::from(**b))).count();
        SchemeBytes { bytes, len }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The head with the scheme. `start`: where the characters start; `before`: the characters before
    /// them, nearest first.
    #[inline]
    pub(crate) fn head(
        &self,
        start: u64,
        mut before: impl Iterator<Item = Before>,
        schemes: &Schemes,
    ) -> Option<Head> {
        let stop = before.next();
        let start = |skip| start + skip as u64;
        Head::of_run(&self.bytes[SchemeBytes::SIZE - self.len..], start, (stop, before), schemes)
    }
}

/// Where the scheme starts in `name`, when all scheme characters in a row are read as one.
///
/// Characters that cannot begin a scheme are left out, and so are the letter of a literal `\n` and
/// the end of an ANSI colour sequence (`ESC [ 4 m`). `before`: the character before the run;
/// `further`: gives the one before that.
fn scheme_start(
    name: &[u8],
    before: Option<char>,
    mut further: impl FnMut() -> Option<char>,
) -> usize {
    let digits = name.iter().take_while(|b| b.is_ascii_digit()).count();
    let glue = match (before, name) {
        (Some('\\'), [b'n' | b'r' | b't', ..]) => 1,
        // `[m` alone is the beginning of `[mailto:`.
        (Some('['), [b'm', ..]) => usize::from(further() == Some('\u{1B}')),
        (Some('[' | ';'), _) if digits > 0 && name.get(digits) == Some(&b'm') => digits + 1,
        _ => 0,
    };
    glue + name[glue..].iter().take_while(|b| !b.is_ascii_alphabetic()).count()
}

/// The head with the scheme that ends before a `:`. `before` gives the characters before the `:`,
/// nearest first.
pub(crate) fn before_colon(
    mut before: impl Iterator<Item = Before>,
    schemes: &Schemes,
) -> Option<Head> {
    let (run, stop) = SchemeRun::nearest(&mut before);
    let start = |skip| run.start[run.from + skip];
    Head::of_run(run.name(), start, (stop, before), schemes)
}

/// True if a scheme may hold `c`: `ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )`.
pub(crate) fn is_scheme(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.')
}

/// If `bytes` end with `http` or `https`: the bytes before it, and the scheme in lower case.
#[inline]
pub(crate) fn ends_with_http(bytes: &[u8]) -> Option<(&[u8], &'static [u8])> {
    let (whole, scheme) = match bytes {
        [rest @ .., b's' | b'S'] => (rest, &b"https"[..]),
        rest => (rest, &b"http"[..]),
    };
    let (before, name) = whole.split_last_chunk()?;
    let http = u32::from_ne_bytes(*name) | 0x2020_2020 == u32::from_ne_bytes(*b"http");
    http.then_some((before, scheme))
}

/// If `bytes` end with the scheme `mailto`, and no longer name does: the bytes before it.
#[inline]
pub(crate) fn ends_with_mailto(bytes: &[u8]) -> Option<&[u8]> {
    let (before, name) = bytes.split_last_chunk()?;
    let is_alone = before.last().is_none_or(|b| !is_scheme(char::from(*b)));
    (name.map(|b| b | 0x20) == *b"mailto" && is_alone).then_some(before)
}

/// The head with the scheme `name` (`http` or `https`), which starts at `start`. `stop`: the
/// character before it, which no scheme holds; `None` if it is a sign that begins no scheme.
/// `further`: the characters before that, nearest first.
pub(crate) fn http(
    name: &[u8],
    start: u64,
    stop: Option<Before>,
    further: impl Iterator<Item = Before>,
    schemes: &Schemes,
) -> Option<Head> {
    Some(Head::of_scheme(schemes.get(name)?, start, stop, further))
}

/// The opener of an `http` after the two characters `before`, if these decide about it. `None` if not.
#[inline(always)]
pub(crate) fn opener_of_http(before: [u8; 2]) -> Option<Option<Opener>> {
    let [further, nearest] = before.map(char::from);
    match nearest {
        _ if opens_nothing(nearest as u8) => (!may_be_mark(before)).then_some(None),
        // Robots write `(compatible; +http://…)`. No scheme begins with `+`.
        '+' if !is_scheme(further) => Some(None),
        // It may be the `(` of `url(`.
        '(' if matches!(further, 'l' | 'L') => None,
        '"' | '\'' | '(' | '<' => {
            Some(opener(nearest, core::iter::once(Before { c: Some(further), start: 0 })))
        }
        _ => None,
    }
}

/// True for 00–2F and 3A–3F, which are never part of a longer sequence in an ASCII superset.
#[inline]
pub(crate) fn is_sync(byte: u8) -> bool {
    matches!(byte, 0..=0x2F | 0x3A..=0x3F)
}

impl Head {
    /// Of an `http` or `https` after ASCII characters.
    #[inline]
    pub(crate) const fn http(start: u64, opener: Option<Opener>) -> Head {
        Head::after_ascii(HTTP, start, opener)
    }

    /// Of a scheme after ASCII characters.
    #[inline]
    pub(crate) const fn after_ascii(scheme: Scheme, start: u64, opener: Option<Opener>) -> Head {
        Head {
            start,
            from: None,
            what: What::Scheme(scheme),
            opener,
            emphasis: None,
            labelled: false,
            listed: false,
            malformed_before: false,
            non_ascii: false,
            inner: None,
        }
    }

    /// The head with the scheme at the end of `name`: all scheme characters in a row. `start`: where
    /// each of them starts; `stop`: the character before them; `further`: the characters before that,
    /// nearest first.
    #[inline]
    fn of_run(
        name: &[u8],
        start: impl Fn(usize) -> u64,
        (stop, further): (Option<Before>, impl Iterator<Item = Before>),
        schemes: &Schemes,
    ) -> Option<Head> {
        if !name.last()?.is_ascii_alphanumeric() {
            return None;
        }
        let nearest = stop.as_ref().and_then(|b| b.c);
        let mut further = further.peekable();
        let whole = scheme_start(name, nearest, || further.peek().and_then(|b| b.c));
        let found = if name.len() <= SCHEME_MAX { schemes.get(&name[whole..]) } else { None };
        // An unknown scheme begins where its word does, and a word that ends in `.http` is not one
        // (cases digits-before-a-scheme, scheme-after-dots).
        let found = found.filter(|scheme| {
            let digit = whole > 0 && name[whole - 1].is_ascii_digit();
            let glued = [&b".http"[..], b".https", b"-http", b"-https"];
            scheme.described || !(digit || glued.iter().any(|http| name.ends_with(http)))
        });
        let (skip, scheme) = match found {
            Some(scheme) => (whole, scheme),
            // Text may come directly before `http`, which happens in every language (case
            // glued-ascii).
            None => [&b"https"[..], b"http"].into_iter().find_map(|http| {
                let skip = name.len().checked_sub(http.len())?;
                (name[skip..] == *http).then_some(())?;
                Some((skip, schemes.get(http)?))
            })?,
        };
        let mut head = Head::of_scheme(scheme, start(skip), stop.filter(|_| skip == 0), further);
        if skip > 0 {
            // A `<` in a string of JSON.
            head.labelled = nearest == Some('\\') && name[..skip] == *b"u003c";
        }
        Some(head)
    }

    /// `stop`: the character directly before the scheme; `None` if a scheme could hold it.
    fn of_scheme(
        scheme: Scheme,
        start: u64,
        stop: Option<Before>,
        mut further: impl Iterator<Item = Before>,
    ) -> Head {
        let nearest = stop.as_ref().and_then(|b| b.c);
        // Of addresses there are many, and few have labels.
        let short = nearest == Some(' ') && matches!(scheme.form, Form::Opaque(_));
        let marked = nearest.filter(|_| !short);
        let (labelled, emphasis) = marked.map_or((false, None), |c| marks(c, &mut further));
        Head {
            start,
            from: None,
            what: What::Scheme(scheme),
            labelled,
            opener: nearest.and_then(|c| opener(c, further)),
            emphasis,
            listed: nearest == Some(',') && scheme.has_slashes(),
            malformed_before: stop.is_some_and(|b| b.c.is_none()),
            non_ascii: false,
            inner: None,
        }
    }
}

/// Where the earliest scheme may start that text after a window would complete. `before` gives the
/// characters before its end, nearest first; fewer than [`LOOKBACK`] are read.
pub(crate) fn may_begin(
    mut before: impl Iterator<Item = Before>,
    schemes: &Schemes,
) -> Option<u64> {
    let (run, stop) = SchemeRun::nearest(&mut before);
    let name = run.name();
    let nearest = stop.as_ref().and_then(|b| b.c);
    let whole = scheme_start(name, nearest, || before.next().and_then(|b| b.c));
    if name.len() <= SCHEME_MAX && whole < name.len() && schemes.may_begin(&name[whole..]) {
        return Some(run.start[run.from + whole]);
    }
    let longest = name.len().min("https".len());
    (name.len() - longest..name.len())
        .find(|&i| b"https".starts_with(&name[i..]))
        .filter(|_| schemes.get(b"http").is_some() || schemes.get(b"https").is_some())
        .map(|i| run.start[run.from + i])
}
