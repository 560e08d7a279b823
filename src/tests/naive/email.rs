//! E-mail addresses without `mailto:`.

use std::string::String;

use super::{
    bare::{run, string},
    decode::Char,
    pattern::{group, matches, regex},
};
use crate::{
    data::{host_words::ADDRESS_LABELS, properties, schemes::Schemes, top_level},
    grammar::classes,
};

/// The most characters of a local part, and of a domain.
const MOST: usize = 255;

/// Returns the address with the `@` at `at`.
pub(super) fn at(
    chars: &[Char],
    at: usize,
    floor: usize,
    ascii_only: bool,
) -> Option<(usize, usize)> {
    let start = local(chars, at, floor)?;
    Some((start, domain(chars, at + 1, ascii_only)?))
}

/// True if a local part may hold `c` before `next`. Delimiters of markup and code end it, and so does
/// a letter of an unspaced script before ASCII.
fn is_local(c: char, next: Option<char>) -> bool {
    let glued =
        classes::is_unspaced_letter(c) && next.is_some_and(|next| next.is_ascii_alphanumeric());
    properties::is_link_email(c) && !"*/=?`{|}&#$!^".contains(c) && !glued
}

/// Returns where the local part before the `@` at `at` starts.
fn local(chars: &[Char], at: usize, floor: usize) -> Option<usize> {
    let get = |i: usize| chars[i].c;
    let mut from = at;
    while from > floor {
        let Some(c) = get(from - 1) else { break };
        let next = (from < at).then(|| get(from)).flatten();
        let word = from >= floor + 2 && get(from - 2).is_some_and(|c| c.is_ascii_alphanumeric());
        let list = || is_domain_of_reader(&string(&chars[from..at]));
        if !(is_local(c, next) || c == '$' && word || c == '=' && list()) {
            break;
        }
        from -= 1;
    }
    let part = string(&chars[from..at]);
    // With two dots in a row, or one before the `@`, no part of it is an address.
    if part.ends_with('.') || part.contains("..") || part.chars().count() > MOST {
        return None;
    }
    let before = if from > floor { get(from - 1) } else { None };
    let after_link = from == floor && floor > 0;
    if before == Some('@') || after_link && !part.is_ascii() {
        return None;
    }
    let escape = match before {
        Some(c @ ('\\' | '=')) => escape(c, &part),
        _ => 0,
    };
    if let Some(c) = before.filter(|c| *c == ':' || properties::is_link_email(*c)) {
        let text = word(chars, from - 1, floor);
        if escape == 0 && c != ':' {
            if let Some(len) = in_angles(&text, c, &part) {
                return Some(from - 1 - len);
            }
        }
        if c == ':' && is_user_name(&text) || is_userinfo(&std::format!("{text}{c}")) {
            return None;
        }
    }
    let begins = |c: char| c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii();
    let skip = part.chars().skip(escape).position(begins)?;
    Some(from + escape + skip)
}

/// The characters before `to` up to white space or the end of a link, at most 255.
fn word(chars: &[Char], to: usize, floor: usize) -> String {
    let least = floor.max(to.saturating_sub(MOST));
    let space = |i: &usize| chars[*i].c.is_none_or(char::is_whitespace);
    let from = (least..to).rev().find(space).map_or(least, |i| i + 1);
    string(&chars[from..to])
}

/// Returns the length of what is between a `<` and `before`, if all of that is of a local part.
fn in_angles(text: &str, before: char, part: &str) -> Option<usize> {
    let (_, inner) = text.rsplit_once('<')?;
    let all = std::format!("{inner}{before}{part}");
    let fits = all.chars().all(properties::is_link_email) && all.chars().count() <= MOST;
    (fits && !all.contains("..") && !all.ends_with('.')).then(|| inner.chars().count())
}

/// Returns how many characters of `part` belong to an escape that begins with `before`: of a string, of
/// a manual page, of quoted-printable.
fn escape(before: char, part: &str) -> usize {
    let pattern = match before {
        '\\' => r"^(?:f[BCIPR]|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|[nrt])",
        _ => r"^(?:0[9AD]|2[0278C]|3[ACDE]|5B)",
    };
    regex(pattern).find(part).map_or(0, |m| m.end())
}

/// True if `text` before a `:` ends in a user name, so that a password follows: `joe:secret@a.example`.
/// Labels of addresses, and texts that are no word in lower case, are no user names.
fn is_user_name(text: &str) -> bool {
    let name = group(r#"(?:^|["'(<=,])([A-Za-z0-9._-]+)$"#, text);
    let Some(name) = name else { return false };
    let last = name.rsplit(['.', '-', '_']).next().unwrap_or_default();
    (2..32).contains(&name.len())
        && !name.contains(|c: char| c.is_ascii_uppercase())
        && !name.contains("mail")
        && !ADDRESS_LABELS.contains(&last)
        && Schemes::Common.get(name.as_bytes()).is_none()
}

/// True if `text` ends in a scheme, `://` and a part of a userinfo. `mailto://` is meant as an address.
fn is_userinfo(text: &str) -> bool {
    if !text.ends_with([':', '/']) {
        return false;
    }
    let text = text.rsplit(['<', '>', '"', '\'', '(', ')', ',']).next().unwrap_or_default();
    group("([A-Za-z0-9]+)://[^/]*$", text).is_some_and(|scheme| scheme != "mailto")
}

/// True for a domain by UTS #58, before which a list writes the address of its reader:
/// `list-anna=example.org@lists.example`.
fn is_domain_of_reader(name: &str) -> bool {
    let labels = || name.split(['.', '\u{3002}']);
    let valid = |l: &str| !l.is_empty() && !l.starts_with('-') && !l.ends_with('-');
    labels().count() >= 2
        && labels().all(valid)
        && labels().next_back().is_some_and(top_level::is_tld)
}

/// Returns where the address ends whose domain starts at `from`.
fn domain(chars: &[Char], from: usize, ascii_only: bool) -> Option<usize> {
    let over = run(chars, from, ascii_only);
    let text = string(&chars[from..over]);
    let name = text.trim_end_matches(['.', '-']);
    let next = chars.get(over).and_then(|c| c.c).filter(|_| name.len() == text.len());
    if over - from > MOST || !is_domain(name, next, &text[name.len()..]) {
        return None;
    }
    let rest = chars.get(over + 1..).unwrap_or_default();
    let address = match next {
        Some(':') => !is_remote_path(rest),
        // Only a link may follow it.
        Some('@') => {
            let rest: String = rest.iter().map_while(|c| c.c).take(40).collect();
            matches("^[A-Za-z0-9]{2,32}://", &rest)
        }
        _ => true,
    };
    address.then(|| from + name.chars().count())
}

/// True if `rest` after `user@host:` begins with a path, as scp, rsync and git write it. It is another
/// address if an `@` comes.
fn is_remote_path(rest: &[Char]) -> bool {
    let first = rest.first().and_then(|c| c.c);
    if !first.is_some_and(|c| c.is_ascii_lowercase() || "/~_:".contains(c)) {
        return false;
    }
    let goes_on = |c: &&Char| c.c.is_some_and(|c| is_local(c, None));
    let len = 1 + rest[1..].iter().take_while(goes_on).count();
    len > 64 || rest.get(len).and_then(|c| c.c) != Some('@')
}

/// Endings of files with an `@` in their names that are not top-level domains.
const FILES: &str = "avif bmp conf css csv cfg gif gz header htm html ico jpeg jpg js json jsx log mount \
    patch path pdf php png po pot rb scope scss service slice socket svg tar tgz timer toml ts tsx txt \
    webp xml yml";

/// True if `name` is the domain of an address. `next`: the character directly after it; `rest`: the dots
/// and hyphens at its end.
fn is_domain(name: &str, next: Option<char>, rest: &str) -> bool {
    let Some((labels, tld)) = name.rsplit_once('.') else { return false };
    let valid = |l: &str| !l.is_empty() && !l.starts_with('-') && !l.ends_with('-');
    if !name.split('.').all(valid) || name.contains('_') {
        return false;
    }
    let lower = tld.to_lowercase();
    let one = |label: &str| label.chars().count() == 1;
    // event-stream@3.x, @S.F.
    let small = |c: char| c.is_ascii_lowercase() || c == '.';
    let initial = one(tld) && !name.chars().all(small);
    // user@1000.service, but not a@163.com.
    let number =
        matches("^[0-9]+(?:[.]|$)", labels) && !["com", "net", "org", "cn"].contains(&&*lower);
    let placeholder = labels.contains('.') && name.split('.').all(one);
    let letters = tld.chars().all(|c| c.is_ascii_alphabetic() || !c.is_ascii());
    if initial || number || placeholder || FILES.split(' ').any(|file| file == lower) {
        return false;
    }
    if !letters && !lower.starts_with("xn--") {
        return false;
    }
    if top_level::is_tld(tld) {
        return true;
    }
    // An unknown one must not be a word of the sentence, a scheme, or the beginning of a longer name.
    let sentence = tld.starts_with(|c: char| c.is_ascii_uppercase()) && tld != tld.to_uppercase();
    let scheme = next == Some(':') && Schemes::Common.get(lower.as_bytes()).is_some();
    tld.is_ascii() && !sentence && !scheme && !rest.contains('-')
}
