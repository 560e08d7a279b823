//! Which characters before and after an `@` are an e-mail address.
//!
//! The local part is read backwards from the `@`; the domain is a run.

use alloc::{string::String, vec::Vec};

use super::{
    classes,
    marks::{self, Marked, Next, Side},
    name::{self, is_standard_domain},
    types::{Before, RuleSet},
};
use crate::data::{
    host_words::ADDRESS_LABELS,
    properties,
    rules::Rule,
    schemes::{SCHEME_MAX, Schemes},
    top_level,
};

/// The most characters of a local part. RFC 5321 allows 64 octets; mailing lists and robots use
/// more. The limit keeps `aaaa…@` from being read again and again.
pub(crate) const LOCAL_MAX: usize = 255;

/// The characters before an `@`.
#[derive(Default)]
pub(crate) struct Local {
    /// Where the address starts, with `mailto:` if the rules include it.
    pub(crate) start: u64,
    /// `mailto:` is part of it.
    pub(crate) scheme: bool,
    pub(crate) malformed_before: bool,
    pub(crate) non_ascii: bool,
    /// Where it starts if this character follows the address: the mark of emphasis, or a quote.
    pub(crate) inner: Option<(u64, char)>,
    pub(crate) domains: Domains,
}

/// Which last labels a domain may have.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum Domains {
    /// A top-level domain, or a name that some networks know (case email-unknown-domains).
    #[default]
    Known,
    /// Any, if a `>` follows.
    InAngles,
    /// Any.
    Any,
}

/// The local part that ends before an `@`. `before` gives the characters before the `@`, nearest
/// first. Nothing starts before `floor`. `field`: the text is a field of mail with addresses.
pub(crate) fn local_part(
    rules: RuleSet,
    before: &mut dyn Iterator<Item = Before>,
    floor: u64,
    field: bool,
) -> Option<Local> {
    let mut before = before.take_while(|b| b.start >= floor);
    match rules {
        RuleSet::Uts58 => standard_local(&mut before),
        RuleSet::Prose if field => field_local(&mut before),
        RuleSet::Prose => prose_local(&mut before, floor > 0),
    }
}

/// A local part that is being read backwards.
#[derive(Clone, Copy, Default)]
struct Part {
    start: Option<u64>,
    /// The character at `start`.
    first: Option<char>,
    chars: usize,
    non_ascii: bool,
}

impl Part {
    /// Reads `c`. `None` if the local part ends with a dot, has two in a row, or is too long: then
    /// neither it nor a part of it is an address (case email-two-dots).
    fn take(&mut self, c: char, at: u64) -> Option<()> {
        let dots = c == '.' && matches!(self.first, None | Some('.'));
        self.chars += 1;
        self.non_ascii |= !c.is_ascii();
        (self.start, self.first) = (Some(at), Some(c));
        (!dots && self.chars <= LOCAL_MAX).then_some(())
    }
}

/// The local part by UTS #58, section E: characters of Link_Email, and `mailto:`.
fn standard_local(before: &mut dyn Iterator<Item = Before>) -> Option<Local> {
    let mut part = Part::default();
    let mut slashes = 0;
    let stop = loop {
        match before.next() {
            Some(Before { c: Some(c), start }) if properties::is_link_email(c) => {
                part.take(c, start)?;
                slashes = if c == '/' { slashes + 1 } else { 0 };
            }
            stop => break stop,
        }
    };
    let mut start = part.start?;
    let colon = stop.as_ref().is_some_and(|b| b.c == Some(':'));
    if part.first == Some('.') || colon && slashes >= 2 {
        return None;
    }
    let scheme = colon
        && "mailto".chars().rev().all(|letter| {
            before.next().is_some_and(|b| {
                start = b.start;
                b.c.is_some_and(|c| c.eq_ignore_ascii_case(&letter))
            })
        });
    let malformed_before = !scheme && stop.is_some_and(|b| b.c.is_none());
    let start = if scheme { start } else { part.start? };
    Some(Local { start, scheme, malformed_before, non_ascii: part.non_ascii, ..Local::default() })
}

/// The local part in a field of mail, which is no prose: all characters of an atom and dots between them (RFC 5322,
/// 3.2.3), as in `prvs=12ab=joe`, or a quoted string. A quote before it and after the domain is not part of it.
fn field_local(before: &mut dyn Iterator<Item = Before>) -> Option<Local> {
    let mut part = Part::default();
    let mut second = None;
    let stop = loop {
        match before.next() {
            Some(Before { c: Some('"'), .. }) if part.start.is_none() => {
                return quoted_local(before);
            }
            Some(Before { c: Some(c), start }) if properties::is_link_email(c) => {
                second = part.start;
                part.take(c, start)?;
            }
            stop => break stop,
        }
    };
    let dot = part.first == Some('.');
    let start = if dot { second? } else { part.start? };
    let inner = second.filter(|_| part.first == Some('\'')).map(|at| (at, '\''));
    let malformed_before = !dot && stop.is_some_and(|b| b.c.is_none());
    let domains = Domains::Any;
    Some(Local {
        start,
        scheme: false,
        malformed_before,
        non_ascii: part.non_ascii,
        inner,
        domains,
    })
}

/// A local part that is a quoted string (RFC 5322, 3.2.4), as in `"john doe"@host.example`; `before` begins
/// before its last quote. With an atom before it, as in the obsolete `joe."the cat"@host.example`, it is none:
/// its end would be another address.
fn quoted_local(before: &mut dyn Iterator<Item = Before>) -> Option<Local> {
    let mut non_ascii = false;
    let mut chars = 0;
    let mut next = before.next();
    let start = loop {
        let Before { c: Some(c), start } = next? else { return None };
        next = before.next();
        chars += 1;
        non_ascii |= !c.is_ascii();
        if c == '"' {
            // After an odd number of backslashes it is a quote within the string.
            let mut pairs = 0;
            while pairs <= LOCAL_MAX && next.as_ref().is_some_and(|b| b.c == Some('\\')) {
                pairs += 1;
                next = before.next();
            }
            chars += pairs;
            if pairs % 2 == 0 {
                let empty = chars == 1 + pairs;
                let atom = pairs > 0
                    || next.as_ref().and_then(|b| b.c).is_some_and(properties::is_link_email);
                break (!empty && !atom).then_some(start)?;
            }
        }
        if chars > LOCAL_MAX || c.is_control() {
            return None;
        }
    };
    let malformed_before = next.is_some_and(|b| b.c.is_none());
    Some(Local { start, malformed_before, non_ascii, domains: Domains::Any, ..Local::default() })
}

/// The characters before an `@`, as far as they may belong to a local part.
struct BeforeAt {
    part: Part,
    /// Backwards from the `@`.
    read: Vec<(char, u64)>,
    /// The first character that does not belong to it, and the one before that, if it was read.
    stop: Option<Before>,
    ahead: Option<Before>,
}

impl BeforeAt {
    /// `None` as for [`Part::take`].
    fn read(before: &mut dyn Iterator<Item = Before>) -> Option<BeforeAt> {
        let mut part = Part::default();
        let mut read: Vec<(char, u64)> = Vec::with_capacity(64);
        let mut ahead: Option<Before> = None;
        let stop = loop {
            match ahead.take().or_else(|| before.next()) {
                // After a letter it is no sigil of a variable: `e$@a.example`.
                Some(sign @ Before { c: Some('$'), start }) => {
                    ahead = before.next();
                    let after_word = |b: &Before| b.c.is_some_and(|c| c.is_ascii_alphanumeric());
                    if !ahead.as_ref().is_some_and(after_word) {
                        break Some(sign);
                    }
                    part.take('$', start)?;
                    read.push(('$', start));
                }
                Some(Before { c: Some(c), start })
                    if is_prose_local(c, part.first) && joins(c, &read)
                        || c == '=' && is_reversed_domain(&read) =>
                {
                    part.take(c, start)?;
                    read.push((c, start));
                }
                stop => break stop,
            }
        };
        Some(BeforeAt { part, read, stop, ahead })
    }

    /// True if the character before the local part shows that the start of it is missing. `before` goes on from there.
    fn is_cut_off(&mut self, before: &mut dyn Iterator<Item = Before>) -> bool {
        let Some(nearest) = self.stop.as_ref().and_then(|b| b.c) else { return false };
        let first = self.read.last().map_or('\0', |(c, _)| *c);
        // A mark is before the address, or within a word that is no address (case marks-next-to-addresses).
        if !nearest.is_ascii() && classes::is_mark(nearest) && marks::is_within(before, 0, first) {
            return true;
        }
        if nearest != '!' && !classes::is_unseen(nearest) && !name::is_emoji_mark(nearest) {
            return false;
        }
        self.ahead = self.ahead.take().or_else(|| before.next());
        let further = self.ahead.as_ref().and_then(|b| b.c);
        name::is_cut(nearest, further) || nearest == '!' && is_mask(self.part.first, further)
    }
}

/// The local part that people would read: quotes, dashes and delimiters before it belong to the
/// text. `behind_link`: a link ends where the characters of `before` end.
fn prose_local(before: &mut dyn Iterator<Item = Before>, behind_link: bool) -> Option<Local> {
    let mut begun = BeforeAt::read(before)?;
    if begun.is_cut_off(before) {
        return None;
    }
    let BeforeAt { part, read, stop, ahead } = begun;
    let nearest = stop.as_ref().and_then(|b| b.c);
    let first = read.last().map(|(c, _)| *c);
    // Characters that only come between two names are not part of one. A letter directly after a
    // link would become part of the link by its conversion (case email-glued-to-a-link).
    let glued = behind_link
        && stop.is_none()
        && part.non_ascii
        && !first.is_some_and(classes::is_mark_or_middle_dot);
    // `[~bob@host]` is the user of a client of IRC.
    let user = matches!(nearest, Some('[' | '(')) && first == Some('~');
    if nearest == Some('@') || glued || user {
        return None;
    }
    let escape = nearest.map_or(0, |c| escape_len(c, read.iter().rev().map(|(c, _)| *c)));
    // The rest of the word, as far as it shows what this is.
    let tells = |c: char| c == ':' || properties::is_link_email(c);
    let most = if nearest.is_some_and(tells) { LOCAL_MAX } else { 0 };
    let mut word = ahead.into_iter().chain(before).map_while(of_word).fuse().take(most);
    let mut seen = Vec::new();
    if escape == 0
        && let Some(Before { c: Some(c), start }) = stop
        && properties::is_link_email(c)
    {
        let mut wide = part;
        let mut word = word.by_ref().inspect(|(c, _)| seen.push(*c));
        if wide.take(c, start).is_some()
            && let Some(local) = angle_local(wide, &mut word)
        {
            return Some(local);
        }
    }
    let word = &mut seen.into_iter().chain(word.map(|(c, _)| c));
    if nearest.is_some_and(|c| is_end_of_word(c, &read, word)) {
        return None;
    }
    let mut text = read.iter().rev().skip(escape).skip_while(|(c, _)| !begins(*c));
    let &(_, start) = text.clone().next()?;
    let non_ascii = text.any(|(c, _)| !c.is_ascii());
    let malformed = stop.is_some_and(|b| b.c.is_none());
    let whole = part.start == Some(start);
    let domains = if whole && nearest == Some('<') { Domains::InAngles } else { Domains::Known };
    let inner = inner(read.iter().rev().skip_while(|(_, at)| *at < start), whole);
    let malformed_before = malformed && whole;
    Some(Local { start, scheme: false, malformed_before, non_ascii, inner, domains })
}

/// True if the local part `read` is the end of a longer word that is no address: a path, or a user name with a password.
/// `nearest`: the character before the local part. `word`: the characters before that, nearest first.
fn is_end_of_word(
    nearest: char,
    read: &[(char, u64)],
    word: &mut impl Iterator<Item = char>,
) -> bool {
    // `yobi+owner/x@a.example` is one word, of which the end is no address.
    let mut path = Vec::new();
    while nearest == '/' && path.len() < USER_MAX {
        let Some(c) = word.next() else { break };
        path.push(c);
        if !is_in_user_name(&c) && !matches!(c, '+' | '~') {
            break;
        }
    }
    if path.iter().any(|c| matches!(c, '+' | '~')) {
        return true;
    }
    let word = &mut path.into_iter().chain(word);
    let mut name = Vec::new();
    while nearest == ':' && name.len() < USER_MAX {
        let Some(c) = word.next() else { break };
        name.push(c);
        if !is_in_user_name(&c) {
            break;
        }
    }
    let word = &mut name.iter().copied().chain(word);
    nearest == ':'
        && (is_user_name(&name) || is_password(read) && name.first().is_some_and(is_in_user_name))
        || is_in_userinfo(nearest, word)
}

/// True if an address may begin with `c`.
fn begins(c: char) -> bool {
    let mark = || classes::is_edge(c) || classes::is_mark_or_middle_dot(c);
    c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii() && !mark()
}

/// True unless `c`, which comes before `read`, or the character after it is a middle dot that is no letter of
/// a local part (case middle-dots-of-addresses).
fn joins(c: char, read: &[(char, u64)]) -> bool {
    let after = |n: usize| read.len().checked_sub(n).map_or('\0', |at| read[at].0);
    match after(1) {
        _ if c.is_ascii() && after(1).is_ascii() => true,
        first if classes::is_middle_dot(c) => marks::may_join_name(c, Side::of(first)),
        dot if classes::is_middle_dot(dot) => {
            marks::joins_name(dot, Side::of(c), Side::of(after(2)))
        }
        _ => true,
    }
}

/// Where a local part begins if emphasis or the quote of a string comes before it: `_joe@a.example_`,
/// `N'joe@a.example'` (cases bare-emphasis-marks, email-in-strings). `whole`: the characters are not the
/// end of a longer word.
fn inner<'c>(mut chars: impl Iterator<Item = &'c (char, u64)>, whole: bool) -> Option<(u64, char)> {
    let (first, _) = chars.next()?;
    let (second, at) = chars.next()?;
    let (mark, from) = match (first, second) {
        ('_', '_') => ('_', chars.find(|(c, _)| *c != '_')),
        ('_', _) => ('_', Some(&(*second, *at))),
        ('N' | 'E' | 'B' | 'R' | 'b' | 'f' | 'r' | 'u', '\'') if whole => ('\'', chars.next()),
        _ => return None,
    };
    from.filter(|(c, _)| begins(*c)).map(|(_, at)| (*at, mark))
}

/// True if a `!` between `before` and a local part, which begins with `first`, belongs to the mask of
/// a host: `nick!~user@a.example` (case email-masks).
fn is_mask(first: Option<char>, before: Option<char>) -> bool {
    let nick = |c: char| c.is_ascii_alphanumeric() || "_-[]\\`^{}|*".contains(c);
    first == Some('~') || before.is_some_and(nick)
}

/// How many of `chars`, which follow `before`, belong to an escape before an address: of a string
/// (`\n`, `\u003c`, `\x3c`), of a manual page (`\fI`), of quoted-printable (`=3C`) (case
/// email-after-escapes).
fn escape_len(before: char, chars: impl Iterator<Item = char>) -> usize {
    let mut head = ['\0'; 5];
    chars.zip(&mut head).for_each(|(c, place)| *place = c);
    let hex = |digits: &[char]| digits.iter().all(char::is_ascii_hexdigit);
    match (before, head) {
        ('\\', ['f', 'B' | 'C' | 'I' | 'P' | 'R', ..]) => 2,
        ('\\', ['u', digits @ ..]) if hex(&digits) => 5,
        ('\\', ['x', a, b, ..]) if hex(&[a, b]) => 3,
        ('\\', ['n' | 'r' | 't', ..]) => 1,
        ('=', ['0', '9' | 'A' | 'D', ..] | ['2', '0' | '2' | '7' | '8' | 'C', ..]) => 2,
        ('=', ['3', 'A' | 'C' | 'D' | 'E', ..] | ['5', 'B', ..]) => 2,
        _ => 0,
    }
}

/// The longest user name before a password. It keeps `a:a@a:a@…` linear.
const USER_MAX: usize = 32;

fn is_in_user_name(c: &char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_')
}

/// True if `word`, read backwards from a `:`, is a user name, and what follows the `:` a password:
/// `joe:secret@a.example` (case email-or-password). It is a label if people call an address so, or if
/// it is not a word in lower case.
fn is_user_name(word: &[char]) -> bool {
    let len = word.iter().take_while(|c| is_in_user_name(c)).count();
    let begins = len < USER_MAX
        && word.get(len).is_none_or(|c| matches!(c, '"' | '\'' | '(' | '<' | '=' | ','));
    let name: String = word[..len].iter().rev().collect();
    let last = name.rsplit(['.', '-', '_']).next().unwrap_or_default();
    begins
        && len > 1
        && !name.bytes().any(|b| b.is_ascii_uppercase())
        && !name.contains("mail")
        && ADDRESS_LABELS.binary_search(&last).is_err()
        && Schemes::Common.get(name.as_bytes()).is_none()
}

/// True for a word that stands for a password: `user:password@a.example`.
fn is_password(read: &[(char, u64)]) -> bool {
    let word: String = read.iter().rev().map(|(c, _)| c.to_ascii_lowercase()).collect();
    matches!(&*word, "password" | "passwd" | "passwort" | "pass" | "pwd" | "pw" | "secret")
}

/// True for characters that are not white space.
fn of_word(before: Before) -> Option<(char, u64)> {
    before.c.filter(|c| !c.is_whitespace()).map(|c| (c, before.start))
}

/// True if a userinfo comes before the `@`: `nearest` and then `word` are read backwards, as in
/// `db://root:pw@host` (case email-userinfo).
fn is_in_userinfo(nearest: char, word: &mut dyn Iterator<Item = char>) -> bool {
    let ends = |c: &char| matches!(c, '<' | '>' | '"' | '\'' | '(' | ')' | ',');
    let word = core::iter::once(nearest).chain(word).take_while(|c| !ends(c));
    let mut word = word.skip_while(|c| *c != '/');
    if !matches!(nearest, ':' | '/') || !word.by_ref().take(3).eq("//:".chars()) {
        return false;
    }
    let mut scheme = word.take_while(char::is_ascii_alphanumeric).peekable();
    // `mailto://anna@example.org` is meant as an address.
    scheme.peek().is_some() && !scheme.eq("mailto".chars().rev())
}

/// True if `c`, which comes directly before `nearer`, may belong to a local part.
fn is_prose_local(c: char, nearer: Option<char>) -> bool {
    // Delimiters of markup and code end it (case email-in-code), and so does a letter of an
    // unspaced script directly before ASCII (case email-glued-before).
    let code =
        matches!(c, '*' | '/' | '=' | '?' | '`' | '{' | '|' | '}' | '&' | '#' | '$' | '!' | '^');
    let glued = classes::is_unspaced_letter(c) && nearer.is_some_and(|n| n.is_ascii_alphanumeric());
    properties::is_link_email(c) && !code && !glued && !name::is_emoji_mark(c)
}

/// True if a local part may end in `byte`, or in a character that `byte` is part of.
pub(crate) fn may_end_local(byte: u8) -> bool {
    !byte.is_ascii() || byte == b'"' || byte != b'.' && properties::is_link_email(char::from(byte))
}

/// True for mailing lists that write the address of the reader into their own:
/// `list-anna=example.org@lists.example` (case email-verp).
fn is_reversed_domain(read: &[(char, u64)]) -> bool {
    let name: String = read.iter().rev().map(|(c, _)| c).collect();
    is_standard_domain(&name)
}

/// Directly after `<` all of it is the local part (case email-in-angles). `part`: the local part so
/// far; `word`: the characters before it, backwards.
fn angle_local(mut part: Part, word: &mut dyn Iterator<Item = (char, u64)>) -> Option<Local> {
    for (c, start) in word {
        match c {
            '<' => {
                let (start, non_ascii) = (part.start?, part.non_ascii);
                let domains = Domains::InAngles;
                return Some(Local { start, non_ascii, domains, ..Local::default() });
            }
            c if properties::is_link_email(c) => part.take(c, start)?,
            _ => return None,
        }
    }
    None
}

/// How many characters of a path are read. It keeps `a@b.c:a@b.c:…`, where each is read from two
/// places, linear.
const PATH_MAX: u8 = 64;

/// The characters after a domain that can show that there is no address: a `:` or an `@`, and more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AfterDomain {
    /// A `:`, and then so many characters of a path, as in `git@a.example:b/c` (case
    /// email-or-remote-path), or of another address.
    Colon { path: u8 },
    /// An `@`. Only a link may follow it (case email-before-a-link).
    At { scheme: u8, slashes: u8 },
    /// A mark (case marks-next-to-addresses). `registered`: a top-level domain comes before it.
    Mark { marked: Marked, registered: bool },
}

impl AfterDomain {
    /// Reads `c`. Returns whether it was an address, if `c` shows it.
    pub(crate) fn feed(&mut self, c: char) -> Option<bool> {
        match self {
            AfterDomain::Colon { path: 0 } if !begins_remote_path(c) => Some(true),
            AfterDomain::Colon { path: 1.. } if c == '@' => Some(true),
            AfterDomain::Colon { path } => {
                let goes_on = *path == 0 || is_prose_local(c, None);
                *path += 1;
                (!goes_on || *path > PATH_MAX).then_some(false)
            }
            AfterDomain::Mark { marked, registered } => marked.feed(c).map(|next| match next {
                Next::Text => true,
                Next::Label => *registered,
                Next::Dot => false,
            }),
            AfterDomain::At { scheme, slashes } => {
                match (*slashes, c) {
                    (0, c) if c.is_ascii_alphanumeric() && usize::from(*scheme) < SCHEME_MAX => {
                        *scheme += 1;
                    }
                    (0, ':') if *scheme > 1 => *slashes = 1,
                    (1, '/') => *slashes = 2,
                    (2, '/') => return Some(true),
                    _ => return Some(false),
                }
                None
            }
        }
    }

    /// True if it is an address in case the text ends here.
    pub(crate) fn is_address(self) -> bool {
        matches!(self, AfterDomain::Colon { path: 0 } | AfterDomain::Mark { .. })
    }
}

/// True if `c` after the `:` of `user@host:` begins a path, as scp, rsync and git write it. A capital
/// begins text more often, and a digit a port or a line.
pub(crate) fn begins_remote_path(c: char) -> bool {
    c.is_ascii_lowercase() || matches!(c, '/' | '~' | '_' | ':')
}

/// Endings of files with an `@` in their names that are not top-level domains: `icon@2x.png`,
/// `getty@tty2.service`, `po/ca@valencia.po`.
const FILES: [&str; 43] = [
    "avif", "bmp", "conf", "css", "csv", "cfg", "gif", "gz", "header", "htm", "html", "ico",
    "jpeg", "jpg", "js", "json", "jsx", "log", "mount", "patch", "path", "pdf", "php", "png", "po",
    "pot", "rb", "scope", "scss", "service", "slice", "socket", "svg", "tar", "tgz", "timer",
    "toml", "ts", "tsx", "txt", "webp", "xml", "yml",
];

/// The rule by which `name` is no domain of an address.
pub(crate) fn refusal(name: &str) -> Rule {
    match name.rsplit_once('.') {
        Some((_, tld)) if !top_level::is_tld(tld) => Rule::EmailUnknownDomain,
        _ => Rule::EmailDomain,
    }
}

/// True if `name`, the run after an `@` without the dots at its end, is the domain of an address.
/// `rest`: the dots and hyphens at its end. `any`: its last label may be any.
pub(crate) fn is_domain(name: &str, behind: Option<char>, rest: &str, any: bool) -> bool {
    let Some((labels, tld)) = name.rsplit_once('.') else { return false };
    let is_label = |l: &str| !l.is_empty() && !l.starts_with('-') && !l.ends_with('-');
    if behind == Some('@') || name.contains('_') || !name.split('.').all(is_label) {
        return false;
    }
    let known = top_level::is_known(tld);
    let lower = tld.to_lowercase();
    let letters = tld.bytes().all(|b| b.is_ascii_alphabetic() || !b.is_ascii());
    let named = letters || lower.starts_with("xn--");
    // Not event-stream@3.x or @S.F.
    let initial =
        tld.chars().nth(1).is_none() && !name.chars().all(|c| c.is_ascii_lowercase() || c == '.');
    // Not user@1000.service or react@16.next; but 163.com is a domain.
    let first = labels.split('.').next().unwrap_or(labels);
    let version = first.bytes().all(|b| b.is_ascii_digit())
        && !matches!(&*lower, "com" | "net" | "org" | "cn");
    // Not จะ@พอดี.อยาก or a@b.The.
    let capital = tld.starts_with(|c: char| c.is_ascii_uppercase()) && tld != tld.to_uppercase();
    let words = !known && (!tld.is_ascii() || capital);
    // In a@b.http://c.example only the link counts (case email-before-a-scheme).
    let scheme = !known && behind == Some(':') && Schemes::Common.get(lower.as_bytes()).is_some();
    // After a hyphen a name may go on.
    let goes_on = !known && rest.contains('-');
    // Not yarn@x.y.z
    let letter = |l: &str| l.chars().nth(1).is_none();
    let placeholder = labels.contains('.') && name.split('.').all(letter);
    // `a@b.c` stands for any address.
    let letters =
        matches!(name.as_bytes(), [b'a'..=b'z', b'.', b'a'..=b'z']) && !rest.starts_with('_');
    (known || any || letters)
        && named
        && !scheme
        && !initial
        && !version
        && !words
        && !goes_on
        && !placeholder
        && !FILES.contains(&&*lower)
}

#[cfg(test)]
mod tests {
    #[test]
    fn file_name_extensions_are_not_top_level_domains() {
        assert_eq!(
            crate::grammar::address::FILES
                .iter()
                .find(|ending| crate::data::top_level::is_tld(ending)),
            None
        );
    }
}
