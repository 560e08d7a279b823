//! Which characters before and behind an `@` are an e-mail address.
//!
//! The local part is read backwards from the `@`, the domain is a run. Knows
//! nothing of what else may start there.

use alloc::string::String;

use super::{
    class,
    head::Before,
    run::{Ruleset, is_standard_domain},
};

/// The most characters a local part may have. RFC 5321 allows 64 octets; lists
/// and robots go beyond. Stops `aaaa…@` from being read again and again.
pub(crate) const LOCAL_MAX: usize = 255;

/// What stands before an `@`.
#[derive(Default)]
pub(crate) struct Local {
    /// Where the address starts, `mailto:` included if the rules take it in.
    pub(crate) start: u64,
    /// `mailto:` is part of it.
    pub(crate) scheme: bool,
    pub(crate) malformed_before: bool,
    pub(crate) non_ascii: bool,
}

/// Whether `c`, which stands directly before `nearer`, may be part of a local
/// part.
fn is_local(rules: Ruleset, c: char, nearer: Option<char>) -> bool {
    match rules {
        Ruleset::Standard => class::is_link_email(c),
        // Delimiters of markup and code end it (case email-in-code), and so does
        // the text of an unspaced script that ASCII stands behind.
        Ruleset::Prose => match c {
            '*' | '/' | '=' | '?' | '`' | '{' | '|' | '}' | '&' | '#' | '$' | '!' | '^' => false,
            c => {
                class::is_link_email(c)
                    && !(class::is_unspaced_letter(c)
                        && nearer.is_some_and(|n| n.is_ascii_alphanumeric()))
            }
        },
    }
}

/// The local part that ends before an `@`; `before` gives the characters before
/// it, nearest first, down to the last link.
pub(crate) fn local_part(
    rules: Ruleset,
    before: &mut dyn Iterator<Item = Before>,
    floor: u64,
) -> Option<Local> {
    let mut nearer: Option<char> = None;
    // Of prose: the last place where an address may begin.
    let mut begins: Option<u64> = None;
    let mut start = None;
    let mut count = 0;
    // In prose an address may begin with each of these.
    let mut non_ascii = false;
    let mut slashes = 0;
    // Of prose, from the `@` backwards up to a `=`.
    let mut part = String::new();
    let stop = loop {
        let Some(b) = before.next().filter(|b| b.start >= floor) else { break None };
        // Lists write the address of whom they write to into their own:
        // `list-anna=example.org@lists.example` (case email-verp).
        let verp = |part: &str| {
            let name: String = part.chars().rev().collect();
            is_standard_domain(&name)
        };
        let joint = rules == Ruleset::Prose && b.c == Some('=') && verp(&part);
        let local = |c: &char| joint || is_local(rules, *c, nearer);
        let Some(c) = b.c.filter(local) else { break Some(b) };
        part.push(c);
        if c == '.' && matches!(nearer, None | Some('.')) {
            // Ends with a dot, or holds two in a row: no address, and no part
            // of one either (case email-two-dots).
            return None;
        }
        count += 1;
        if count > LOCAL_MAX {
            return None;
        }
        slashes = if c == '/' { slashes + 1 } else { 0 };
        if c.is_alphanumeric() || matches!(c, '_' | '+') || !c.is_ascii() {
            begins = Some(b.start);
        }
        non_ascii |= !c.is_ascii();
        start = Some(b.start);
        nearer = Some(c);
    };
    if let (Ruleset::Prose, Some(b)) = (rules, &stop)
        && b.c.is_some_and(class::is_link_email)
    {
        // Directly behind `<` all of it is the local part (case email-in-angles).
        let mut wide = Local { start: b.start, non_ascii, ..Local::default() };
        while let Some(b) = before.next().filter(|b| b.start >= floor) {
            match b.c {
                Some('<') => return Some(wide),
                Some(c) if class::is_link_email(c) && count < LOCAL_MAX => {
                    wide.non_ascii |= !c.is_ascii();
                    wide.start = b.start;
                    count += 1;
                }
                _ => break,
            }
        }
    }
    let before_it = stop.as_ref().and_then(|b| b.c);
    if before_it == Some('@') && rules == Ruleset::Prose {
        // What stands between two of them is nobody's name.
        return None;
    }
    let malformed = stop.as_ref().is_some_and(|b| b.c.is_none());
    match rules {
        Ruleset::Standard => {
            let start = start?;
            if nearer == Some('.') || slashes >= 2 && before_it == Some(':') {
                return None;
            }
            let mut at = start;
            let scheme = before_it == Some(':')
                && "mailto".chars().rev().all(|m| {
                    before.next().filter(|b| b.start >= floor).is_some_and(|b| {
                        at = b.start;
                        b.c.is_some_and(|c| c.eq_ignore_ascii_case(&m))
                    })
                });
            let start = if scheme { at } else { start };
            Some(Local { start, scheme, malformed_before: malformed && !scheme, non_ascii })
        }
        // Quotes and dashes before it are the text's.
        Ruleset::Prose => {
            let begins = begins?;
            let malformed_before = malformed && Some(begins) == start;
            Some(Local { start: begins, scheme: false, malformed_before, non_ascii })
        }
    }
}

/// Endings of files that follow an `@` in their names: `icon@2x.png`.
const FILES: [&str; 16] = [
    "avif", "bmp", "css", "gif", "htm", "html", "ico", "jpeg", "jpg", "js", "json", "pdf", "png",
    "svg", "txt", "webp",
];

/// Whether `name`, the run behind an `@` without the dots at its end, is the
/// domain of an address; `rest`: the dots and hyphens at its end.
pub(crate) fn is_domain(rules: Ruleset, name: &str, behind: Option<char>, rest: &str) -> bool {
    if rules == Ruleset::Standard {
        return is_standard_domain(name);
    }
    let labels = name.split('.').count();
    let tld = name.rsplit('.').next().unwrap_or_default();
    let lower = tld.to_lowercase();
    let hyphens = |l: &str| l.starts_with('-') || l.ends_with('-');
    let first = name.split('.').next().unwrap_or_default();
    let number = |l: &str| l.bytes().all(|b| b.is_ascii_digit());
    let capital = tld.starts_with(|c: char| c.is_ascii_uppercase()) && tld != tld.to_uppercase();
    labels >= 2
        // A name of one's own may go on behind a hyphen.
        && (!rest.contains('-') || class::is_tld(tld))
        && behind != Some('@')
        && !name.contains('_')
        && name.split('.').all(|l| !l.is_empty() && !hyphens(l))
        // One letter only if all is small letters: event-stream@3.x, @S.F.
        && (tld.chars().count() >= 2 || name.chars().all(|c| c.is_ascii_lowercase() || c == '.'))
        && tld.chars().all(|c| c.is_alphabetic() || !c.is_ascii())
            | lower.starts_with("xn--")
        && !FILES.contains(&&*lower)
        // user@1000.service, react@16.next; 163.com is one.
        && (matches!(&*lower, "com" | "net" | "org" | "cn") || !number(first))
        // Words run together: จะ@พอดี.อยาก, a@b.The.
        && (class::is_tld(tld) || tld.is_ascii() && !capital)
}
