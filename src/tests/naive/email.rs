//! E-mail addresses without `mailto:`.

use std::string::String;

use super::{
    bare::{EMOJI_MARKS, Parts, is_cut, is_invisible, run, string},
    decode::Char,
    marks::{self, joins_name, may_join},
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
    let Local { start, inner, angle } = local(chars, at, floor)?;
    let end = domain(chars, at + 1, ascii_only, angle)?;
    let next = chars.get(end).and_then(|c| c.c);
    let inner = inner.filter(|(_, mark)| next == Some(*mark)).map(|(at, _)| at);
    Some((inner.unwrap_or(start), end))
}

/// The local part before an `@`.
struct Local {
    start: usize,
    /// Where it starts if this mark follows the address.
    inner: Option<(usize, char)>,
    /// It is directly after a `<`.
    angle: bool,
}

/// True if a local part may hold `c` before `next`. Delimiters of markup and code end it, and so does
/// a letter of an unspaced script before ASCII.
fn is_local(c: char, next: Option<char>) -> bool {
    let glued =
        classes::is_unspaced_letter(c) && next.is_some_and(|next| next.is_ascii_alphanumeric());
    properties::is_link_email(c)
        && !"*/=?`{|}&#$!^".contains(c)
        && !EMOJI_MARKS.contains(&c)
        && !glued
}

/// Returns where the local part before the `@` at `at` starts.
fn local(chars: &[Char], at: usize, floor: usize) -> Option<Local> {
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
        let after = if from + 1 < at { get(from + 1) } else { None };
        let bullet = match next {
            _ if classes::is_middle_dot(c) => !may_join(c, next, false),
            Some(dot) if classes::is_middle_dot(dot) => !joins_name(dot, Some(c), after),
            _ => false,
        };
        if bullet {
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
    let marked = part.starts_with(classes::is_mark_or_middle_dot);
    if matches!(before, Some('[' | '(')) && part.starts_with('~') {
        return None;
    }
    if before == Some('@') || after_link && !part.is_ascii() && !marked {
        return None;
    }
    let first = part.chars().next().unwrap_or_default();
    if before.is_some_and(classes::is_mark) && marks::is_within(chars, from - 1, floor, first) {
        return None;
    }
    let further = if from > floor + 1 { get(from - 2) } else { None };
    // `nick!~user@host`
    let nick = |c: char| c.is_ascii_alphanumeric() || "_-[]\\`^{}|*".contains(c);
    let mask = before == Some('!') && (part.starts_with('~') || further.is_some_and(nick));
    if mask || before.is_some_and(|c| is_cut(c, further)) {
        return None;
    }
    let escape = match before {
        Some(c @ ('\\' | '=')) => escape(c, &part),
        _ => 0,
    };
    if let Some(c) = before.filter(|c| *c == ':' || properties::is_link_email(*c)) {
        let text = word(chars, from - 1, floor);
        if escape == 0
            && c != ':'
            && let Some(len) = in_angles(&text, c, &part)
        {
            return Some(Local { start: from - 1 - len, inner: None, angle: true });
        }
        if c == '/' && matches("[+~][A-Za-z0-9._+~-]{0,31}$", &text) {
            return None;
        }
        let password = matches("(?i)^(password|passwd|passwort|pass|pwd|pw|secret)$", &part);
        let named = text.ends_with(|c: char| c.is_ascii_alphanumeric() || ".-_".contains(c));
        if c == ':' && password && named {
            return None;
        }
        if c == ':' && is_user_name(&text) || is_userinfo(&std::format!("{text}{c}")) {
            return None;
        }
    }
    let begins = |c: char| match c {
        c if c.is_ascii() => c.is_ascii_alphanumeric() || c == '_',
        c => !is_invisible(c) && !classes::is_mark_or_middle_dot(c),
    };
    let skip = part.chars().skip(escape).position(begins)?;
    let start = from + escape + skip;
    let angle = start == from && before == Some('<');
    let inner = inner(&string(&chars[start..at]), start == from);
    let inner = inner.map(|(i, mark)| (start + i, mark));
    let inner = inner.filter(|(i, _)| *i < at && get(*i).is_some_and(begins));
    Some(Local { start, inner, angle })
}

/// How many characters of `text` before an `@` are emphasis, or the prefix of a string with its quote, and
/// what ends these. `whole`: they are not the end of a longer word.
fn inner(text: &str, whole: bool) -> Option<(usize, char)> {
    match text.len() - text.trim_start_matches('_').len() {
        0 if whole && matches("^[NEBRbfru]'", text) => Some((2, '\'')),
        0 => None,
        marks => Some((marks, '_')),
    }
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
fn domain(chars: &[Char], from: usize, ascii_only: bool, angle: bool) -> Option<usize> {
    let over = run(chars, from, ascii_only);
    let text = string(&chars[from..over]);
    // `_` before it is part of it.
    let from_label = text.len() - text.trim_start_matches('_').len();
    let parts = Parts::of(&text[from_label..]);
    let name = parts.name;
    let next = chars.get(over).and_then(|c| c.c).filter(|_| name.len() == text.len());
    if over - from > MOST || from_label > 0 || !parts.is_closed() {
        return None;
    }
    if !is_domain(name, next, parts.rest, angle && next == Some('>')) {
        return None;
    }
    let rest = chars.get(over + 1..).unwrap_or_default();
    let address = match next {
        Some(':') => !is_remote_path(rest),
        Some(mark) if classes::is_mark(mark) && !ascii_only => {
            let registered = name.rsplit('.').next().is_some_and(top_level::is_tld);
            marks::ends(chars, over, registered)
        }
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
/// and hyphens at its end; `any`: its last label may be any.
fn is_domain(name: &str, next: Option<char>, rest: &str, any: bool) -> bool {
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
    // After a hyphen a name may go on.
    let over = !rest.starts_with('_') && !rest.contains('-');
    if top_level::is_known(tld) || over && matches("^[a-z][.][a-z]$", name) {
        return true;
    }
    if !any {
        return false;
    }
    // An unknown one must not be a word of the sentence, a scheme, or the beginning of a longer name.
    let sentence = tld.starts_with(|c: char| c.is_ascii_uppercase()) && tld != tld.to_uppercase();
    let scheme = next == Some(':') && Schemes::Common.get(lower.as_bytes()).is_some();
    tld.is_ascii() && !sentence && !scheme && !rest.contains('-')
}
