//! Which names in running text are hosts, without a scheme before them.
//!
//! Precise rather than greedy, because files, versions, packages, abbreviations and words without a
//! space after the full stop look the same. A name counts if its top-level domain can be nothing
//! else, or if something else shows that it is a host. Each rule names its case in
//! testdata/bare.toml.

use super::classes;
use crate::data::{
    host_words::{
        ALWAYS_FILES, DOCUMENT_ENDINGS, DOCUMENTS, EXCHANGES, FILES, FORMATS, IDENTIFIERS, MEMBERS,
        OF_NUMBERS, PLAIN, REGISTRY, SCRIPTS, SOFT, STEMS, WORDS,
    },
    rules::Rule,
    tlds::TLDS,
    top_level,
};

/// The characters around a name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Around {
    /// The character before it.
    pub(crate) before: Option<char>,
    /// The character after it and the dots at its end.
    pub(crate) after: Option<char>,
    /// How many dots are at its end.
    pub(crate) dots: usize,
}

/// Lists of top-level domains.
#[derive(Clone, Copy)]
enum List {
    Plain,
    Files,
    Words,
    AlwaysFiles,
    Exchanges,
    OfNumbers,
    Soft,
    Members,
}

/// One bit a list for each of [`TLDS`], so that a name is looked up once.
static LISTS: [u8; TLDS.len()] = {
    let lists: [(List, &[&str]); 8] = [
        (List::Plain, &PLAIN),
        (List::Files, &FILES),
        (List::Words, &WORDS),
        (List::AlwaysFiles, &ALWAYS_FILES),
        (List::Exchanges, &EXCHANGES),
        (List::OfNumbers, &OF_NUMBERS),
        (List::Soft, &SOFT),
        (List::Members, &MEMBERS),
    ];
    let (mut bits, mut i) = ([0; TLDS.len()], 0);
    while i < lists.len() {
        let (list, names) = lists[i];
        let mut j = 0;
        while j < names.len() {
            let tld = top_level::ascii_tld(names[j].as_bytes(), names[j].len());
            bits[tld.expect("each should be a top-level domain")] |= 1 << list as u8;
            j += 1;
        }
        i += 1;
    }
    bits
};

/// The rule by which `name`, a run without the dots at its end, is no host; `None` if it is one.
pub(crate) fn refusal(name: &str, around: Around) -> Option<Rule> {
    if around.is_glued() {
        let mark = around.before.is_some_and(|c| !c.is_ascii() && classes::is_mark(c));
        return Some(if mark { Rule::MarkInHost } else { Rule::BareJoined });
    }
    match Domain::split(name) {
        Some(domain) => domain.refusal(around),
        None => Some(Rule::BareLabel),
    }
}

/// True if `name` is a host more likely than the member of an object, which ends in a `_` in some
/// programs: `node.top_` (case bare-emphasis-marks).
pub(crate) fn is_sure(name: &str) -> bool {
    Domain::split(name).is_some_and(|domain| {
        let word = [List::Members, List::Words, List::Files].iter().any(|list| domain.is(*list));
        // `numpy.ma.mr_` is a reference of reStructuredText.
        let short = domain.labels == 2 || REGISTRY.contains(&domain.second);
        let country = domain.lower.len() == 2 && short;
        domain.is_www() || !word && (domain.is(List::Plain) || country)
    })
}

/// True if a name that is a host is one whatever follows it, because it begins with `www`.
pub(crate) fn is_www(host: &str) -> bool {
    matches!(host.as_bytes(), [b'w' | b'W', b'w' | b'W', b'w' | b'W', b'.', next, ..] if *next != b'_')
}

/// True if a name after `c` is part of something else: an address, a path, a variable, a template.
pub(crate) fn is_joined_to(c: char) -> bool {
    matches!(c, '@' | '/' | '\\' | '#' | '$' | '%' | '&' | '~' | '+' | '}')
}

impl Around {
    /// True if a character next to the name makes it part of something else.
    pub(crate) fn is_glued(self) -> bool {
        // A letter of an unspaced script next to ASCII, or next to a link: conversion would make
        // another name of it (case name-glued-to-ascii).
        // A hyphen or a mark of another kind, within a word.
        let within = |c: char| !c.is_ascii() && (classes::is_hyphen(c) || classes::is_mark(c));
        let before = |c: char| is_joined_to(c) || c.is_ascii_alphanumeric() || within(c);
        // A call, or a name that goes on. Not `\`, because the escape of a string may follow.
        let goes_on = matches!(self.after, Some('(' | '$' | '%' | '+' | '~'));
        self.before.is_some_and(before) || self.after == Some('@') || self.dots == 0 && goes_on
    }

    /// True for the left side of an assignment (case bare-assignment).
    fn assigns(self) -> bool {
        self.dots == 0 && self.after == Some('=')
    }

    /// True if a path, a query or a fragment follows.
    fn tail(self) -> bool {
        self.dots == 0 && matches!(self.after, Some('/' | '?' | '#'))
    }

    /// True if a port follows.
    fn port(self) -> bool {
        self.dots == 0 && self.after == Some(':')
    }
}

/// A name by its labels. Most rules need only bytes.
pub(crate) struct Domain<'n> {
    labels: usize,
    first: &'n [u8],
    /// All but the last label.
    rest: &'n [u8],
    /// The last label but one.
    second: &'n [u8],
    /// The last label as written, and in lower case; the second is empty if it is not a top-level
    /// domain.
    tld: &'n [u8],
    lower: &'static [u8],
    /// Which of [`LISTS`] the last label is on.
    lists: u8,
}

/// True if `label`, in any case if it is a word, is on the sorted `list`.
fn is_on(list: &[&[u8]], label: &[u8]) -> bool {
    let lower = || label.iter().map(u8::to_ascii_lowercase);
    list.binary_search_by(|word| word.iter().copied().cmp(lower())).is_ok()
}

/// The labels as text, where they are not all ASCII.
fn text(bytes: &[u8]) -> &str {
    core::str::from_utf8(bytes).unwrap_or_default()
}

impl<'n> Domain<'n> {
    /// Splits a name. `None` if it has fewer than two labels, or one that no host has.
    fn split(name: &'n str) -> Option<Domain<'n>> {
        let is_label = |l: &str| {
            let long = l.len() > 63 && l.chars().count() > 63;
            !l.is_empty() && !l.starts_with('-') && !l.ends_with('-') && !long
        };
        let (rest, tld) = name.rsplit_once('.')?;
        let second = rest.rsplit('.').next()?;
        let registered = !second.contains('_') && !tld.contains('_');
        if !registered || !name.split('.').all(is_label) {
            return None;
        }
        let (labels, first) = (name.split('.').count(), name.split('.').next()?);
        let parts = [first, rest, second, tld].map(str::as_bytes);
        Some(Domain::of(labels, parts, top_level::tld(tld)))
    }

    /// Splits a name of ASCII letters, digits, and single dots and hyphens between them, with fewer
    /// than 64 bytes. `dots`: one bit for each byte that is a dot, the first lowest. `known`: which
    /// top-level domain it ends with.
    pub(crate) fn of_ascii(name: &'n [u8], dots: u64, known: Option<usize>) -> Domain<'n> {
        debug_assert!(name.is_ascii() && name.len() < 64 && dots != 0);
        let dot = dots.ilog2();
        let before = dots & !(1 << dot);
        let (rest, tld) = (&name[..dot as usize], &name[dot as usize + 1..]);
        let second = &rest[(u64::BITS - before.leading_zeros()) as usize..];
        let first = &name[..dots.trailing_zeros() as usize];
        Domain::of(dots.count_ones() as usize + 1, [first, rest, second, tld], known)
    }

    fn of(
        labels: usize,
        [first, rest, second, tld]: [&'n [u8]; 4],
        known: Option<usize>,
    ) -> Domain<'n> {
        let none = (&b""[..], 0);
        let (lower, lists) = known.map_or(none, |i| (top_level::top_level(i), LISTS[i]));
        Domain { labels, first, rest, second, tld, lower, lists }
    }

    /// True if the name is a host, where no character next to it says otherwise.
    pub(crate) fn is_host(&self, around: Around) -> bool {
        self.refusal(around).is_none()
    }

    /// The rule by which the name is no host; `None` if it is one, unless a character next to it says
    /// otherwise.
    #[inline]
    fn refusal(&self, around: Around) -> Option<Rule> {
        if self.is_www() {
            // After `www` any label may be the last (case bare-www).
            let host = self.labels >= 3
                && !self.tld[0].is_ascii_digit()
                && text(self.tld).chars().nth(1).is_some();
            return if host { None } else { Some(Rule::BareWww) };
        }
        match self {
            it if !it.is_known() => Some(Rule::BareTopLevelDomain),
            it if it.is(List::AlwaysFiles) && !it.is_script_host(around) => {
                Some(Rule::BareFileEnding)
            }
            _ if around.assigns() => Some(Rule::BareAssignment),
            it if it.is_spelt_as_text() => Some(Rule::BareCapitals),
            it if it.is_package() => Some(Rule::BarePackage),
            it if it.is_member() => Some(Rule::BareMember),
            it if it.is_initial(around) => Some(Rule::BareInitial),
            it if it.is_number() => Some(Rule::BareNumber),
            it if it.is_bundle() || it.has_format() => Some(Rule::BareIdentifier),
            it if around.tail() && !it.is_source() => None,
            it => it.doubt(around),
        }
    }

    /// True if the last label is a top-level domain.
    fn is_known(&self) -> bool {
        !self.lower.is_empty()
    }

    /// True if the last label is on `list`.
    fn is(&self, list: List) -> bool {
        self.lists >> list as u8 & 1 == 1
    }

    /// True for `www` and `www2`, if a label follows that a host may have directly after them: no
    /// name is looked for at the dot before a `_` (case bare-www-before-underscore).
    fn is_www(&self) -> bool {
        let (www, digits) = self.first.split_at(self.first.len().min(3));
        www.eq_ignore_ascii_case(b"www")
            && digits.iter().all(u8::is_ascii_digit)
            && self.rest.get(self.first.len() + 1) != Some(&b'_')
    }

    /// True if its capitals are those of a sentence or of a brand, or have no meaning.
    fn is_spelt_as_text(&self) -> bool {
        if self.tld == self.lower && self.rest.is_ascii() {
            return false;
        }
        let (rest, tld) = (text(self.rest), text(self.tld));
        let upper = |l: &str| l.chars().any(char::is_uppercase);
        let lower = |l: &str| l.chars().any(char::is_lowercase);
        let noise = |l: &str| lower(l) && l.chars().skip(1).any(char::is_uppercase);
        // Words without a space between them: "it.The next", "Us.Net"; not Example.Com.
        let word = tld.starts_with(char::is_uppercase) && lower(tld) && tld != "Com";
        // Brands and libraries: ASP.NET, Socket.IO (case bare-brands-and-frameworks). Not
        // Telegram.ORG (case bare-capital-top-level-domains).
        let capitals = upper(tld) && !lower(tld);
        let member = || {
            let hump = rest.chars().skip(1).any(char::is_uppercase) && lower(rest);
            hump || is_on(&IDENTIFIERS, self.second)
        };
        let domain = matches!(self.lower, b"com" | b"edu" | b"gov" | b"mil" | b"org");
        let domain = (domain || !tld.is_ascii()) && !member();
        let brand = capitals && self.labels == 2 && (lower(rest) || tld == "NET") && !domain;
        // Capitals without a reason: an emoticon (case bare-emoticon).
        let code = tld.len() == 2 && tld.bytes().all(|b| b.is_ascii_uppercase());
        let emoticon = code && !upper(rest);
        word || brand
            || emoticon
            || noise(tld)
            || !rest.is_ascii() && rest.split(['.', '-']).any(noise)
    }

    /// True for packages, which are written the other way round: `com.example.app` (case
    /// bare-packages).
    fn is_package(&self) -> bool {
        self.labels >= 3
            && matches!(
                self.first,
                b"com" | b"org" | b"net" | b"io" | b"edu" | b"gov" | b"java" | b"javax"
            )
    }

    /// `self.io`, `Array.prototype.at`, `auth.info` of syslog (case bare-members).
    fn is_member(&self) -> bool {
        match self.second {
            b"operator" | b"prototype" | b"self" | b"this" => true,
            b"auth" | b"authpriv" | b"cron" | b"daemon" | b"kern" | b"mail" | b"syslog" => {
                self.labels == 2 && self.lower == b"info"
            }
            _ => false,
        }
    }

    /// True for an initial: one letter before the dot (case bare-one-letter).
    fn is_initial(&self, around: Around) -> bool {
        let one = || match self.second {
            [_] => true,
            [first, ..] => !first.is_ascii() && text(self.second).chars().nth(1).is_none(),
            [] => false,
        };
        let lonely = self.labels < 3 || self.is(List::Files) || self.is(List::Words);
        lonely && one() && !around.tail() && self.lower != b"com" && !self.is_shortener()
    }

    /// True for well-known hosts of one letter.
    fn is_shortener(&self) -> bool {
        self.labels == 2 && self.second == b"t" && matches!(self.lower, b"cn" | b"co" | b"me")
    }

    /// True for numbers: 3.2.am, 10.in are times and versions; 08008.HK, 005930.ks are tickers
    /// (case bare-tickers).
    fn is_number(&self) -> bool {
        let short = || self.second.len() < 4 || self.tld != self.lower;
        let lists = [List::Files, List::Words, List::Exchanges];
        let listed = || lists.iter().any(|list| self.is(*list));
        let number = || self.second.iter().all(u8::is_ascii_digit) && (short() || listed());
        // 0.17b.dev
        let digit = |l: &[u8]| l[0].is_ascii_digit();
        let version = || self.labels >= 3 && self.rest.split(|b| *b == b'.').all(digit);
        // Versions and tickers both begin with a digit.
        (digit(self.first) && version() || digit(self.second) && number())
            && !self.is(List::OfNumbers)
    }

    /// `Object.is`, `Terminal.app`: a class of a program or an application of macOS (case
    /// bare-capital-names).
    fn is_bundle(&self) -> bool {
        self.labels == 2
            && matches!(self.tld, b"is" | b"app")
            && self.rest.iter().any(u8::is_ascii_uppercase)
    }

    /// True if the label before the last is the ending of a file (case bare-formats). Under some
    /// top-level domains it may also be the name of a project.
    fn has_format(&self) -> bool {
        self.labels >= 3
            && self.second.len() <= 5
            && !matches!(self.lower, b"com" | b"net" | b"org")
            && is_on(&FORMATS, self.second)
    }

    /// True for `esm.sh/run`: a word, and the path shows that it is no script (case
    /// bare-hosts-or-scripts).
    fn is_script_host(&self, around: Around) -> bool {
        let named = self.second.contains(&b'-') || is_on(&IDENTIFIERS, self.second);
        let path = around.tail() && around.after == Some('/');
        self.lower == b"sh" && path && self.labels == 2 && !named
    }

    /// `message.to`, `logger.info`: a variable and its member (case bare-identifiers).
    fn is_variable(&self) -> bool {
        self.is(List::Members) && is_on(&IDENTIFIERS, self.second)
    }

    /// `main.rs/lib.rs`, `start.sh/stop.sh`: files although a slash follows (case bare-file-stems).
    fn is_source(&self) -> bool {
        self.labels == 2 && self.is(List::Files) && is_on(&SCRIPTS, self.second)
    }

    /// `config.ru`, `Dockerfile.dev`: a file for a country, a language or an environment (case
    /// bare-file-stems).
    fn is_variant(&self) -> bool {
        let short = self.lower.len() == 2 || matches!(self.lower, b"dev" | b"app" | b"int");
        let file = self.second.len() > 4
            && self.second[0].is_ascii_uppercase()
            && self.second.ends_with(b"file");
        let stem = || self.second.len() > 5 && is_on(&STEMS, self.second);
        self.labels == 2 && short && (file || stem())
    }

    /// `README.org`, `config.org`: a document, unless a port follows (case bare-documents).
    fn is_document(&self, around: Around) -> bool {
        self.labels == 2
            && !around.port()
            && DOCUMENT_ENDINGS.iter().any(|ending| ending.as_bytes() == self.lower)
            && is_on(&DOCUMENTS, self.second)
    }

    /// The rule by which the name alone does not show that it is a host; `None` if it does.
    fn doubt(&self, around: Around) -> Option<Rule> {
        let unless = |host: bool, rule: Rule| if host { None } else { Some(rule) };
        if self.is_variable() || self.is_variant() {
            return Some(Rule::BareIdentifier);
        }
        if self.is_document(around) {
            return Some(Rule::BareFileEnding);
        }
        let Domain { labels, rest, second, tld, lower, .. } = self;
        if self.is(List::Plain) || self.is_shortener() || lower.starts_with(b"xn--") {
            return None;
        }
        if !tld.is_ascii() {
            // Thai abbreviates with a dot: พรบ.คอม (case bare-emoticon).
            let thai = text(tld).chars().all(|c| matches!(c, '\u{E00}'..='\u{E7F}'));
            return unless(!thai || text(second).chars().count() >= 4, Rule::BareShortName);
        }
        let country = lower.len() == 2;
        // Names under a label of the registry: `co.uk` (case bare-registry-labels).
        if country && *labels >= 3 && REGISTRY.contains(second) {
            return None;
        }
        // A file and a line of it: `a.test.rs:12` (case bare-file-and-line). Not `.pl`: Poland has
        // more hosts than there are Perl files with such names.
        let latin = |c| matches!(c, '\u{C0}'..='\u{24F}');
        let polish = || *labels >= 3 || text(rest).chars().any(latin);
        if self.is(List::Files) && !(*lower == b"pl" && !around.port() && polish()) {
            return Some(Rule::BareFileEnding);
        }
        if !country && !self.is(List::Soft) {
            return unless(around.port() && *labels >= 3, Rule::BareEvidence);
        }
        // foo.isEmpty, expect.to.be: code has capitals inside after a small first letter; brands do
        // not (case bare-brands-and-frameworks).
        let hump = |w: &[u8]| w[0].is_ascii_lowercase() && w[1].is_ascii_uppercase();
        let camel = rest[0].is_ascii_lowercase() && rest.windows(2).any(hump);
        if camel && tld.iter().all(u8::is_ascii_lowercase) {
            return Some(Rule::BareCapitals);
        }
        // A letter of East Asia is a syllable or a word.
        let letters = text(second).chars().map(|c| if c >= '\u{1100}' { 2 } else { 1 });
        let letters: usize = letters.sum();
        if self.is(List::Soft) && is_on(&IDENTIFIERS, second) {
            return Some(Rule::BareIdentifier);
        }
        let long = match self.is(List::Words) {
            true => letters >= 4,
            false => letters >= 3 || *labels >= 3,
        };
        unless(long, Rule::BareShortName)
    }
}
