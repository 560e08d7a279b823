//! Which names are hosts, by their words and by the characters around them.

use std::{string::String, vec::Vec};

use super::pattern::matches;
use crate::data::{
    host_words::{
        ALWAYS_FILES, DOCUMENT_ENDINGS, DOCUMENTS, EXCHANGES, FILES, FORMATS, IDENTIFIERS, MEMBERS,
        OF_NUMBERS, PLAIN, REGISTRY, SCRIPTS, SOFT, STEMS, WORDS,
    },
    top_level,
};

/// The characters around a name.
#[derive(Clone, Copy)]
pub(super) struct Around {
    pub(super) before: Option<char>,
    /// The character after it and after the dots and hyphens at its end.
    pub(super) after: Option<char>,
    /// There are no such dots and hyphens.
    pub(super) goes_on: bool,
}

impl Around {
    /// The next character, if it is directly after the name.
    fn next(self) -> Option<char> {
        self.after.filter(|_| self.goes_on)
    }

    fn is_before(self, chars: &str) -> bool {
        self.next().is_some_and(|c| chars.contains(c))
    }
}

/// True if the name, without the dots at its end, is a host.
pub(super) fn is_host(name: &str, around: Around) -> bool {
    let beside = |c: char| c.is_ascii_alphanumeric() || "@/\\#$%&~+}".contains(c);
    if around.before.is_some_and(beside) || around.after == Some('@') || around.is_before("($%+~") {
        return false;
    }
    let labels: Vec<&str> = name.split('.').collect();
    let valid = |label: &&str| {
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().count() <= 63
    };
    let [.., second, tld] = labels[..] else { return false };
    if !labels.iter().all(valid) || second.contains('_') || tld.contains('_') {
        return false;
    }
    let server = labels[0].to_ascii_lowercase();
    let number = server.strip_prefix("www");
    if number.is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit())) && !labels[1].starts_with('_')
    {
        let digit = tld.starts_with(|c: char| c.is_ascii_digit());
        return labels.len() >= 3 && !digit && tld.chars().count() >= 2;
    }
    let name = Name { rest: &name[..name.len() - tld.len() - 1], labels: &labels, second, tld };
    let lower = tld.to_lowercase();
    top_level::is_tld(tld)
        && !around.is_before("=")
        && !name.is_written_as_text(&lower)
        && !name.is_code(&lower)
        && !name.is_number(&lower)
        && !name.is_file(&lower, around)
        && name.is_clear(&lower, around)
}

/// True if the name is a host more likely than the member of an object that ends in a `_`.
pub(super) fn is_sure(name: &str) -> bool {
    let (rest, tld) = name.rsplit_once('.').unwrap_or_default();
    let lower = tld.to_lowercase();
    let www = matches("(?i)^www[0-9]*[.][^_]", rest);
    let word = has(&MEMBERS, &lower) || has(&WORDS, &lower) || has(&FILES, &lower);
    let registry =
        REGISTRY.iter().any(|label| rest.as_bytes().ends_with(&[&b"."[..], label].concat()));
    let country = lower.len() == 2 && (!rest.contains('.') || registry);
    let known = top_level::is_tld(tld) && (has(&PLAIN, &lower) || country);
    www || known && !word
}

/// A name with at least two labels.
struct Name<'n> {
    labels: &'n [&'n str],
    /// All but the last label.
    rest: &'n str,
    /// The last but one, and the last.
    second: &'n str,
    tld: &'n str,
}

fn has(list: &[&str], word: &str) -> bool {
    list.contains(&word)
}

/// True if the word, in any case, is on the list.
fn is_on(list: &[&[u8]], word: &str) -> bool {
    list.iter().any(|other| other.eq_ignore_ascii_case(word.as_bytes()))
}

fn has_upper(word: &str) -> bool {
    word.chars().any(char::is_uppercase)
}

fn has_lower(word: &str) -> bool {
    word.chars().any(char::is_lowercase)
}

impl Name<'_> {
    /// True if capitals show a sentence without a space (`it.The`), a brand or a library (`ASP.NET`,
    /// `Socket.IO`), or have no meaning (`กกน.TT`).
    fn is_written_as_text(&self, lower: &str) -> bool {
        let Name { rest, tld, .. } = self;
        let odd = |word: &str| has_lower(word) && word.chars().skip(1).any(char::is_uppercase);
        let capitals = has_upper(tld) && !has_lower(tld);
        let sentence = tld.starts_with(char::is_uppercase) && has_lower(tld) && *tld != "Com";
        let mixed = has_lower(rest) && rest.chars().skip(1).any(char::is_uppercase);
        let registry = ["com", "edu", "gov", "mil", "org"].contains(&lower) || !tld.is_ascii();
        let domain = registry && !mixed && !is_on(&IDENTIFIERS, self.second);
        let brand =
            capitals && self.labels.len() == 2 && !domain && (has_lower(rest) || *tld == "NET");
        let country = tld.len() == 2 && tld.bytes().all(|b| b.is_ascii_uppercase());
        let emoticon = country && !has_upper(rest);
        let parts = !rest.is_ascii() && rest.split(['.', '-']).any(odd);
        parts || *tld != lower && (sentence || brand || emoticon || odd(tld))
    }

    /// True for a package, a member of an object, a facility of syslog, an application, or an initial.
    fn is_code(&self, lower: &str) -> bool {
        let Name { labels, second, tld, rest } = self;
        let package = ["com", "org", "net", "io", "edu", "gov", "java", "javax"];
        let member = ["operator", "prototype", "self", "this"];
        let facility = ["auth", "authpriv", "cron", "daemon", "kern", "mail", "syslog"];
        let two = labels.len() == 2;
        let capital = rest.bytes().any(|b| b.is_ascii_uppercase());
        labels.len() >= 3 && has(&package, labels[0])
            || has(&member, second)
            || two && lower == "info" && has(&facility, second)
            || two && has(&["is", "app"], tld) && capital
    }

    /// True for well-known hosts of one letter.
    fn is_shortener(&self, lower: &str) -> bool {
        self.labels.len() == 2 && self.second == "t" && has(&["cn", "co", "me"], lower)
    }

    /// True for versions, times and stock symbols.
    fn is_number(&self, lower: &str) -> bool {
        let digit = |label: &str| label.starts_with(|c: char| c.is_ascii_digit());
        let version = self.labels.len() >= 3 && self.rest.split('.').all(digit);
        let digits = self.second.bytes().all(|b| b.is_ascii_digit());
        let short = self.second.len() < 4 || self.tld != lower;
        let other = has(&FILES, lower) || has(&WORDS, lower) || has(&EXCHANGES, lower);
        (version || digits && (short || other)) && !has(&OF_NUMBERS, lower)
    }

    /// True for files whatever follows, and for the initial of a name.
    fn is_file(&self, lower: &str, around: Around) -> bool {
        let Name { labels, second, .. } = self;
        let path = around.is_before("/?#");
        let two = labels.len() == 2;
        let script = lower == "sh"
            && around.is_before("/")
            && two
            && !second.contains('-')
            && !is_on(&IDENTIFIERS, second);
        let format = labels.len() >= 3
            && second.len() <= 5
            && !has(&["com", "net", "org"], lower)
            && is_on(&FORMATS, second);
        let one = second.chars().count() == 1;
        let lonely = two || has(&FILES, lower) || has(&WORDS, lower);
        let initial = one && lonely && !path && lower != "com" && !self.is_shortener(lower);
        let source = path && two && has(&FILES, lower) && is_on(&SCRIPTS, second);
        has(&ALWAYS_FILES, lower) && !script || format || initial || source
    }

    /// True if the name and what follows it can be nothing but a host.
    fn is_clear(&self, lower: &str, around: Around) -> bool {
        let Name { labels, rest, second, tld } = self;
        // A file with a path was ruled out before.
        if around.is_before("/?#") {
            return true;
        }
        let two = labels.len() == 2;
        let variable = has(&MEMBERS, lower) && is_on(&IDENTIFIERS, second);
        let capital = second.starts_with(|c: char| c.is_ascii_uppercase());
        let file = second.len() > 4 && capital && second.ends_with("file");
        let stem = second.len() > 5 && is_on(&STEMS, second);
        let short = lower.len() == 2 || has(&["dev", "app", "int"], lower);
        if variable || two && short && (file || stem) {
            return false;
        }
        let document = has(&DOCUMENT_ENDINGS, lower) && is_on(&DOCUMENTS, second);
        if two && document && !around.is_before(":") {
            return false;
        }
        if has(&PLAIN, lower) || self.is_shortener(lower) || lower.starts_with("xn--") {
            return true;
        }
        if !tld.is_ascii() {
            let thai = tld.chars().all(|c| ('\u{E00}'..='\u{E7F}').contains(&c));
            return !thai || second.chars().count() >= 4;
        }
        let country = lower.len() == 2;
        if country && !two && is_exactly(&REGISTRY, second) {
            return true;
        }
        let port = around.is_before(":");
        if has(&FILES, lower) {
            let latin = rest.chars().any(|c| ('\u{C0}'..='\u{24F}').contains(&c));
            if lower != "pl" || port || two && !latin {
                return false;
            }
        }
        if !country && !has(&SOFT, lower) {
            return port && !two;
        }
        let pairs = rest.as_bytes().windows(2);
        let hump =
            pairs.into_iter().any(|w| w[0].is_ascii_lowercase() && w[1].is_ascii_uppercase());
        let camel = hump && rest.starts_with(|c: char| c.is_ascii_lowercase());
        if camel && tld.bytes().all(|b| b.is_ascii_lowercase()) {
            return false;
        }
        if has(&SOFT, lower) && is_on(&IDENTIFIERS, second) {
            return false;
        }
        let letters: String =
            second.chars().map(|c| if c >= '\u{1100}' { "xx" } else { "x" }).collect();
        match has(&WORDS, lower) {
            true => letters.len() >= 4,
            false => letters.len() >= 3 || !two,
        }
    }
}

fn is_exactly(list: &[&[u8]], word: &str) -> bool {
    list.contains(&word.as_bytes())
}
