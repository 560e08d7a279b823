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

/// The local part that ends before an `@`; `before` gives the characters before
/// it, nearest first. Nothing starts before `floor`.
pub(crate) fn local_part(
    rules: Ruleset,
    before: &mut dyn Iterator<Item = Before>,
    floor: u64,
) -> Option<Local> {
    let mut before = before.take_while(|b| b.start >= floor);
    match rules {
        Ruleset::Standard => standard_local(&mut before),
        Ruleset::Prose => prose_local(&mut before),
    }
}

/// A local part that is being read, backwards.
#[derive(Clone, Copy, Default)]
struct Part {
    start: Option<u64>,
    /// The character there.
    first: Option<char>,
    chars: usize,
    non_ascii: bool,
}

impl Part {
    /// `None`: it ends with a dot, or holds two in a row, or is too long; no
    /// address, and no part of one either (case email-two-dots).
    fn take(&mut self, c: char, at: u64) -> Option<()> {
        let dots = c == '.' && matches!(self.first, None | Some('.'));
        self.chars += 1;
        self.non_ascii |= !c.is_ascii();
        (self.start, self.first) = (Some(at), Some(c));
        (!dots && self.chars <= LOCAL_MAX).then_some(())
    }
}

/// UTS #58, section E: characters of Link_Email, and `mailto:`.
fn standard_local(before: &mut dyn Iterator<Item = Before>) -> Option<Local> {
    let mut part = Part::default();
    let mut slashes = 0;
    let stop = loop {
        match before.next() {
            Some(Before { c: Some(c), start }) if class::is_link_email(c) => {
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
    Some(Local { start, scheme, malformed_before, non_ascii: part.non_ascii })
}

/// What people read as one: quotes, dashes and delimiters before it are the
/// text's.
fn prose_local(before: &mut dyn Iterator<Item = Before>) -> Option<Local> {
    let mut part = Part::default();
    // Where an address may begin.
    let mut begins = None;
    // From the `@` backwards, as far as a host may go.
    let mut name = String::new();
    let stop = loop {
        match before.next() {
            Some(Before { c: Some(c), start })
                if is_prose_local(c, part.first) || c == '=' && is_reversed_domain(&name) =>
            {
                part.take(c, start)?;
                name.push(c);
                if c.is_alphanumeric() || matches!(c, '_' | '+') || !c.is_ascii() {
                    begins = Some(start);
                }
            }
            stop => break stop,
        }
    };
    let angle = match &stop {
        // What stands between two of them is nobody's name.
        Some(Before { c: Some('@'), .. }) => return None,
        Some(Before { c: Some(c), start }) if class::is_link_email(*c) => {
            let mut wide = part;
            wide.take(*c, *start)?;
            angle_local(wide, before)
        }
        _ => None,
    };
    if angle.is_some() {
        return angle;
    }
    let start = begins?;
    let malformed = stop.is_some_and(|b| b.c.is_none());
    let malformed_before = malformed && part.start == begins;
    Some(Local { start, scheme: false, malformed_before, non_ascii: part.non_ascii })
}

/// Whether `c`, which stands directly before `nearer`, may be part of a local
/// part.
fn is_prose_local(c: char, nearer: Option<char>) -> bool {
    // Delimiters of markup and code end it (case email-in-code), and so does
    // the text of an unspaced script that ASCII stands behind (case
    // email-glued-before).
    let code =
        matches!(c, '*' | '/' | '=' | '?' | '`' | '{' | '|' | '}' | '&' | '#' | '$' | '!' | '^');
    let glued = class::is_unspaced_letter(c) && nearer.is_some_and(|n| n.is_ascii_alphanumeric());
    class::is_link_email(c) && !code && !glued
}

/// Lists write the address of whom they write to into their own:
/// `list-anna=example.org@lists.example` (case email-verp).
fn is_reversed_domain(name: &str) -> bool {
    let name: String = name.chars().rev().collect();
    is_standard_domain(&name)
}

/// Directly behind `<` all of it is the local part (case email-in-angles);
/// `part`: what has been read.
fn angle_local(mut part: Part, before: &mut dyn Iterator<Item = Before>) -> Option<Local> {
    for Before { c, start } in before {
        match c? {
            '<' => {
                let (start, non_ascii) = (part.start?, part.non_ascii);
                return Some(Local { start, non_ascii, ..Local::default() });
            }
            c if class::is_link_email(c) => part.take(c, start)?,
            _ => return None,
        }
    }
    None
}

/// Endings of files that follow an `@` in their names: `icon@2x.png`.
const FILES: [&str; 16] = [
    "avif", "bmp", "css", "gif", "htm", "html", "ico", "jpeg", "jpg", "js", "json", "pdf", "png",
    "svg", "txt", "webp",
];

/// Whether `name`, the run behind an `@` without the dots at its end, is the
/// domain of an address; `rest`: the dots and hyphens at its end.
pub(crate) fn is_domain(name: &str, behind: Option<char>, rest: &str) -> bool {
    let Some((labels, tld)) = name.rsplit_once('.') else { return false };
    let is_label = |l: &str| !l.is_empty() && !l.starts_with('-') && !l.ends_with('-');
    if behind == Some('@') || name.contains('_') || !name.split('.').all(is_label) {
        return false;
    }
    let known = class::is_tld(tld);
    let lower = tld.to_lowercase();
    let letters = tld.chars().all(|c| c.is_alphabetic() || !c.is_ascii());
    let named = letters || lower.starts_with("xn--");
    // event-stream@3.x, @S.F.
    let initial =
        tld.chars().nth(1).is_none() && !name.chars().all(|c| c.is_ascii_lowercase() || c == '.');
    // user@1000.service, react@16.next; 163.com is one.
    let first = labels.split('.').next().unwrap_or(labels);
    let version = first.bytes().all(|b| b.is_ascii_digit())
        && !matches!(&*lower, "com" | "net" | "org" | "cn");
    // จะ@พอดี.อยาก, a@b.The.
    let capital = tld.starts_with(|c: char| c.is_ascii_uppercase()) && tld != tld.to_uppercase();
    let words = !known && (!tld.is_ascii() || capital);
    // A name of one's own may go on behind a hyphen.
    let goes_on = !known && rest.contains('-');
    named && !initial && !version && !words && !goes_on && !FILES.contains(&&*lower)
}
