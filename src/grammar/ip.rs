//! IP addresses in running text, with a port and a path: `192.0.2.1:80/a`, `[2001:db8::1]:443`, `2001:db8::1`.
//!
//! The characters before the first `.` or `:` go in, and then those of the address; out comes where it starts
//! and ends. Numbers with dots and colons are versions, times and identifiers more often than addresses. So an
//! address is one as RFC 3986, section 3.2.2 has it (`dec-octet` without zeros before it), which is not a part
//! of something longer, and
//!
//! * IPv4: no word for a version comes before it;
//! * IPv6: brackets around it, or at least three groups with a digit in them; and not eight groups of two
//!   digits, which are the address of a device (EUI-64).
//!
//! What must hold: at most [`LEN_MAX`] characters are read before there is a verdict.

use alloc::boxed::Box;
use core::{
    net::{Ipv4Addr, Ipv6Addr},
    str::FromStr,
};

use super::{
    classes,
    start::{Head, What},
    types::{Before, End, Item, LinkEnd},
};

/// The longest address with a bracket before it.
pub(crate) const LEN_MAX: usize = "[0000:0000:0000:0000:0000:ffff:255.255.255.255".len();

/// The most characters before the first `.` or `:` of an address: a group, and the bracket before it.
pub(crate) const GROUP_MAX: usize = "[ffff".len();

/// Words for a version at the end of a word, in lower case: `AssemblyVersion`.
const VERSIONS: [&str; 13] = [
    "version",
    "versión",
    "versão",
    "versione",
    "versie",
    "verze",
    "wersja",
    "версия",
    "версія",
    "版本",
    "バージョン",
    "버전",
    "firmware",
];

/// The same as whole words.
const SHORT: [&str; 6] = ["v", "ver", "vers", "rev", "rv", "release"];

/// How many spaces and signs may be between such a word and the number: `version="1.2.3.4"`.
const SIGNS_MAX: usize = 4;

/// The most characters of such a word that are looked at.
const WORD_MAX: usize = 12;

/// The head of the address whose first `.` or `:` comes after the characters of `before`, nearest first.
/// `colon`: it is a `:`. `end`: the place of it.
pub(crate) fn before(
    before: &mut dyn Iterator<Item = Before>,
    colon: bool,
    end: u64,
) -> Option<Head> {
    let mut start = end;
    let mut count = 0;
    let mut stop = before.next();
    while let Some(Before { c: Some(c), start: at }) = stop
        && (c.is_ascii_digit() || colon && c.is_ascii_hexdigit())
    {
        (start, count) = (at, count + 1);
        stop = if count < GROUP_MAX { before.next() } else { return None };
    }
    let nearest = stop.as_ref().and_then(|b| b.c);
    let mut further = || before.next().and_then(|b| b.c);
    let mut from = start;
    let joined = match nearest {
        Some('[') if colon => {
            // After a name it is an index, and its colons are those of a slice.
            if !further().is_some_and(|c| is_word(c) || matches!(c, ')' | ']')) {
                from = stop.as_ref().map_or(start, |b| b.start);
            }
            false
        }
        Some('.' | '@' | '%' | '+' | '~' | '$') => true,
        // A word may name it, as in `[IPv6:2001:db8::1]`; a group may not come before it.
        Some(':') if colon => {
            let mut word = core::iter::from_fn(&mut further).take(WORD_MAX);
            !word.by_ref().take_while(|c| is_word(*c)).any(|c| !c.is_ascii_hexdigit())
        }
        Some(':') => false,
        // A range, or a name with a number at its end; a product with its version.
        Some('-' | '/') => further().is_some_and(is_word),
        // An escape; two begin the name of a computer.
        Some('\\') => further() != Some('\\'),
        c => c.is_some_and(is_word),
    };
    if joined || !colon && is_version(nearest.into_iter().chain(core::iter::from_fn(further))) {
        return None;
    }
    Some(Head {
        start: from,
        from: Some(from),
        what: What::Ip,
        opener: None,
        emphasis: None,
        labelled: false,
        listed: false,
        malformed_before: stop.is_some_and(|b| b.c.is_none()),
        non_ascii: false,
        inner: None,
    })
}

/// True for a character of a word, which a number next to it is a part of.
fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric() && !classes::is_unspaced_letter(c) && !classes::is_mark(c)
}

/// True if a word for a version comes before a number. `before`: the characters before it, nearest first.
fn is_version(before: impl Iterator<Item = char>) -> bool {
    let is_sign = |c: &char| matches!(c, ' ' | '\t' | ':' | '=' | '"' | '\'' | '(' | '>' | '：');
    let mut signs = 0;
    let mut before = before.skip_while(|c| {
        signs += 1;
        signs <= SIGNS_MAX && is_sign(c)
    });
    let mut before = before.by_ref().peekable();
    // `ver. 1.2.3.4`; a longer word ends a sentence.
    let is_short = before.next_if_eq(&'.').is_some();
    let mut word = ['\0'; WORD_MAX];
    let mut len = 0;
    while let Some(c) = before.next().filter(|c| c.is_alphabetic())
        && len < WORD_MAX
    {
        len += 1;
        word[WORD_MAX - len] = c;
    }
    let word = &word[WORD_MAX - len..];
    let ends = |with: &str| {
        let mut letters = word.iter().rev().flat_map(|c| c.to_lowercase());
        with.chars().rev().all(|c| letters.next() == Some(c))
    };
    !is_short && VERSIONS.iter().any(|it| ends(it))
        || SHORT.iter().any(|it| word.len() == it.chars().count() && ends(it))
}

/// Where the earliest address may start that text after `before`, nearest first, would complete.
pub(crate) fn may_begin(before: &mut dyn Iterator<Item = Before>) -> Option<u64> {
    let is_part = |b: &Before| b.c.is_some_and(|c| c.is_ascii_hexdigit() || c == '[');
    before.take(GROUP_MAX).take_while(is_part).last().map(|b| b.start)
}

/// An address, as far as it has been read.
#[derive(Clone, Debug)]
pub(super) struct Ip {
    text: [u8; LEN_MAX],
    len: usize,
    /// How much of it is the address without punctuation after it, and where that ends.
    complete: usize,
    end: End,
    /// Where it begins without the bracket before it.
    inner: Option<u64>,
    /// Where the bracket after it ends.
    closed: Option<End>,
    /// A hyphen follows it.
    hyphen: bool,
    /// Where the last character ends.
    last: u64,
}

/// What one more character is to an address.
pub(super) enum IpFed {
    More,
    /// It is over. `end`: where it ends, if it is one; `inner`: where it begins, if that is not its start.
    Over {
        end: LinkEnd,
        inner: Option<u64>,
    },
    /// A port or a path begins. The address alone is a link if `whole`.
    Goes {
        end: End,
        inner: Option<u64>,
        whole: bool,
    },
}

impl Ip {
    pub(super) fn new() -> Box<Ip> {
        Box::new(Ip {
            text: [0; LEN_MAX],
            len: 0,
            complete: 0,
            end: End { at: 0 },
            inner: None,
            closed: None,
            hyphen: false,
            last: 0,
        })
    }

    /// Reads one more character.
    pub(super) fn feed(&mut self, item: Item) -> IpFed {
        if self.closed.is_some() || self.hyphen {
            return self.after(Some(item.c));
        }
        let has = |b| self.text[..self.len].contains(&b);
        let last = self.text[..self.len].last().copied();
        match item.c {
            '[' if self.len == 0 => self.inner = Some(item.next),
            ']' if self.inner.is_some() => {
                self.closed = Some(End { at: item.next });
                return IpFed::More;
            }
            // A number follows a dot. Else it is the dot of a sentence, or dots in a row are an ellipsis.
            c if last == Some(b'.') && !c.is_ascii_digit() => return self.after(Some(c)),
            // Only two colons begin an address.
            c if last == Some(b':') && self.len == 1 && c != ':' => return self.after(Some(c)),
            // A port, or a colon of the sentence.
            ':' if has(b'.') => return self.after(Some(':')),
            ':' | '.' => {}
            c if c.is_ascii_hexdigit() => {}
            c => return self.after(Some(c)),
        }
        if self.len == LEN_MAX {
            return IpFed::Over { end: None, inner: None };
        }
        self.text[self.len] = item.c as u8;
        self.len += 1;
        self.last = item.next;
        if item.c.is_ascii_hexdigit() || item.c == ':' && last == Some(b':') {
            (self.complete, self.end) = (self.len, End { at: item.next });
        }
        IpFed::More
    }

    /// The verdict if the text ends here.
    pub(super) fn stop(&mut self) -> IpFed {
        self.after(None)
    }

    /// The verdict where `c` follows the address.
    fn after(&mut self, c: Option<char>) -> IpFed {
        let from = usize::from(self.inner.is_some());
        let text = self.text.get(from..self.complete).unwrap_or_default();
        let text = core::str::from_utf8(text).unwrap_or_default();
        let ipv6 = text.contains(':');
        let is_address = match ipv6 {
            true => Ipv6Addr::from_str(text).is_ok(),
            false => Ipv4Addr::from_str(text).is_ok(),
        };
        let none = IpFed::Over { end: None, inner: None };
        if !is_address {
            return none;
        }
        if let Some(closed) = self.closed
            && ipv6
            && self.complete == self.len
            && !c.is_some_and(|c| is_word(c) || matches!(c, '(' | '['))
        {
            let whole = text != "::";
            return match c {
                Some(':' | '/') => IpFed::Goes { end: closed, inner: None, whole },
                _ => IpFed::Over { end: whole.then_some(closed), inner: None },
            };
        }
        // Without brackets. The signs that follow it directly are of the address, if no bracket was closed.
        let alone = !ipv6 || is_sure(text);
        let end = Some(self.end).filter(|_| alone);
        let inner = self.inner;
        if self.closed.is_some() {
            return IpFed::Over { end, inner };
        }
        let punctuated = self.complete < self.len;
        match c {
            _ if punctuated || self.hyphen => match c.is_some_and(is_word) {
                true => none,
                false => IpFed::Over { end, inner },
            },
            Some('-') => {
                self.hyphen = true;
                IpFed::More
            }
            Some(c) if is_word(c) || matches!(c, '@' | '+' | '~') => none,
            Some('%') if !ipv6 => none,
            // Without brackets nothing shows where a port begins, and after `/` comes the length of a prefix.
            Some('/' | ':') if !ipv6 => IpFed::Goes { end: self.end, inner, whole: true },
            _ => IpFed::Over { end, inner },
        }
    }

    /// Where the last group begins, which may be the start of another address, if this one begins at `from`.
    pub(super) fn passed(&self, from: u64) -> Option<u64> {
        let text = &self.text[..self.len];
        let width = (self.last.checked_sub(from)?).checked_div(self.len as u64)?;
        let units = text.iter().rposition(|b| *b == b':').map_or(self.len, |at| at + 1);
        Some(from + units as u64 * width)
    }
}

/// True if an IPv6 address without brackets around it can be nothing else.
fn is_sure(text: &str) -> bool {
    let is_byte = |group: &str| group.len() == 2;
    let groups = || text.split(':').filter(|group| !group.is_empty());
    // An IPv4 address at the end is two of them.
    let count = groups().count() + usize::from(text.contains('.'));
    let device = groups().count() == 8 && groups().all(is_byte);
    count >= 3 && text.contains(|c: char| c.is_ascii_digit()) && !device
}
