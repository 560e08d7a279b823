//! IP addresses: which numbers are tried, and where a link ends that begins with one.

use std::{format, string::String};

use super::{
    bare::{Names, string},
    decode::Char,
    pattern::{group, matches},
};
use crate::grammar::classes;

const BYTE: &str = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";

/// Words for a version before a number, the short ones alone.
const VERSION: &str = "(?:version|versión|versão|versione|versie|verze|wersja|версия|версія|版本|バージョン|버전\
    |firmware|(?:^|\\PL)(?:v|ver|vers|rev|rv|release)[.]?)";

/// Returns the form of an IPv4 address.
fn ipv4() -> String {
    format!("{BYTE}(?:[.]{BYTE}){{3}}")
}

/// True for an IPv6 address (RFC 3986, section 3.2.2: its nine forms).
fn is_ipv6(text: &str) -> bool {
    let group = "[0-9A-Fa-f]{1,4}";
    let last = format!("(?:{group}:{group}|{})", ipv4());
    // `before` groups at most before the `::`, and `after` groups and the last two after it.
    let squeezed = |before: usize, after: usize| match before {
        0 => format!("::(?:{group}:){{{after}}}{last}"),
        n => format!("(?:(?:{group}:){{0,{}}}{group})?::(?:{group}:){{{after}}}{last}", n - 1),
    };
    let mut forms = std::vec![format!("(?:{group}:){{6}}{last}")];
    forms.extend((0..=4).zip((1..=5).rev()).map(|(before, after)| squeezed(before, after)));
    forms.push(squeezed(5, 0));
    forms.push(format!("(?:(?:{group}:){{0,5}}{group})?::{group}"));
    forms.push(format!("(?:(?:{group}:){{0,6}}{group})?::"));
    matches(&format!("^(?:{})$", forms.join("|")), text)
}

/// True if an IPv6 address without brackets can be nothing else.
fn is_sure(text: &str) -> bool {
    let groups = text.split(':').filter(|group| !group.is_empty()).count();
    let groups = groups + usize::from(text.contains('.'));
    groups >= 3 && matches("[0-9]", text) && !matches("^[^:]{2}(?::[^:]{2}){7}$", text)
}

/// One character each: of those that are not ASCII, `é` is a word and `日` is a word without spaces.
fn shapes(chars: &[Char]) -> String {
    let shape = |c: &Char| match c.c {
        Some(c) if c.is_ascii() => c,
        Some(c) if classes::is_unspaced_letter(c) => '日',
        Some(c) if c.is_alphanumeric() && !classes::is_mark(c) => 'é',
        _ => '。',
    };
    chars.iter().map(shape).collect()
}

/// Returns the link to the IP address whose first `.` or `:` is at `at`.
pub(super) fn at(names: &Names<'_>, at: usize, floor: usize) -> Option<(usize, usize)> {
    let chars = names.chars;
    let near = at.saturating_sub(40);
    let before = shapes(&chars[near..at]);
    let colon = chars[at].c == Some(':');
    let digits = group(if colon { "([0-9A-Fa-f]{0,4})$" } else { "([0-9]{1,4})$" }, &before)?;
    let start = at - digits.len();
    let before = &before[..before.len() - digits.len()];
    let after = shapes(&chars[start..chars.len().min(start + 80)]);
    let bracket = colon && start > floor && matches(r"(?:^|[^A-Za-z0-9_é)\]])\[$", before);
    // The number is a part of something longer.
    if matches(r"[A-Za-z0-9_é.@%+~$]$|[A-Za-z0-9_é][-/]$|(?:^|[^\\])\\$", before)
        || colon && before.ends_with(':') && !matches("[G-Zg-z_é][A-Za-z0-9_é]{0,11}:$", before)
        || start < floor
    {
        return None;
    }
    let written = string(&chars[near..start]).to_lowercase();
    if !colon && matches(&format!("{VERSION}[ \t:=\"'(>：]{{0,4}}$"), &written) {
        return None;
    }
    let word = "[A-Za-z0-9_é]";
    if !colon {
        let text = group(&format!("^({})(?:[^0-9]|$)", ipv4()), &after)?;
        let rest = &after[text.len()..];
        if matches(&format!(r"^(?:[.-]?{word}|[@+~%])"), rest) {
            return None;
        }
        let end = start + text.len();
        let goes_on = matches("^[/:]", rest);
        return if goes_on {
            Some((start, names.rest(start, end, None)?))
        } else {
            Some((start, end))
        };
    }
    // After a dot no colon belongs to it, and dots in a row are an ellipsis.
    let run = group("^([0-9A-Fa-f:]*(?:[.][0-9A-Fa-f]*)*)", &after)?;
    let run = run.split("..").next().unwrap_or(run);
    let text = run.trim_end_matches('.');
    let text = match text.strip_suffix(':') {
        Some(one) if !one.ends_with(':') => one.trim_end_matches('.'),
        _ => text,
    };
    if !is_ipv6(text) || run.len() > 46 {
        return None;
    }
    let (end, rest) = (start + text.len(), &after[text.len()..]);
    if bracket && rest.starts_with(']') && !matches(&format!(r"^\](?:{word}|[(\[])"), rest) {
        let whole = match matches(r"^\][:/]", rest) {
            true => names.rest(start - 1, end + 1, None)?,
            false => end + 1,
        };
        return (text != "::" || whole > end + 1).then_some((start - 1, whole));
    }
    let over = &after[run.len()..];
    let joined = match run == text {
        true => matches(&format!("^(?:{word}|-{word}|[@+~])"), over),
        false => matches(&format!("^{word}"), over),
    };
    (is_sure(text) && (!joined || bracket && rest.starts_with(']'))).then_some((start, end))
}
