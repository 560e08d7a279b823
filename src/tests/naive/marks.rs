//! Marks of notes and numbers of lists, and middle dots, next to names.

use std::string::String;

use super::{bare::is_invisible, decode::Char};
use crate::{
    data::top_level,
    grammar::classes::{self, HostClass},
};

/// What a character is to a middle dot next to it: `l`, another ASCII letter or digit (`a`), a letter of
/// Hiragana, Katakana or Han (`E`), another letter (`o`), or nothing of that (`-`).
fn kind(c: Option<char>) -> char {
    let Some(c) = c else { return '-' };
    let code = u32::from(c);
    let bopomofo = (0x3100..0x3130).contains(&code) || (0x31A0..0x31C0).contains(&code);
    match c {
        'l' | 'L' => 'l',
        _ if c.is_ascii_alphanumeric() => 'a',
        _ if c.is_ascii() || classes::is_mark(c) || classes::is_middle_dot(c) => '-',
        _ if code >= 0x2E80
            && classes::is_unspaced_letter(c)
            && !classes::is_hangul(c)
            && !bopomofo =>
        {
            'E'
        }
        _ if classes::host_class(c) == HostClass::Label => 'o',
        _ => '-',
    }
}

/// True if a middle dot is a letter between two characters.
pub(super) fn joins(dot: char, before: Option<char>, after: Option<char>) -> bool {
    let both = [kind(before), kind(after)];
    match dot {
        '·' | '\u{387}' => both == ['l', 'l'],
        '་' => both.iter().all(|kind| "Eo".contains(*kind)),
        _ => both.contains(&'E') && !both.contains(&'-'),
    }
}

/// The same in a name without a scheme, which ASCII next to `・` divides.
pub(super) fn joins_name(dot: char, before: Option<char>, after: Option<char>) -> bool {
    let ascii = |c: Option<char>| c.is_some_and(|c| c.is_ascii());
    let katakana = matches!(dot, '・' | '･');
    joins(dot, before, after) && !(katakana && (ascii(before) || ascii(after)))
}

/// True if the middle dot may be a letter of a name next to this character, which is before it if `before`.
pub(super) fn may_join(dot: char, c: Option<char>, before: bool) -> bool {
    ['l', 'カ', 'é'].into_iter().any(|other| match before {
        true => joins_name(dot, c, Some(other)),
        false => joins_name(dot, Some(other), c),
    })
}

fn is_label(c: char) -> bool {
    let label = classes::host_class(c) == HostClass::Label && !classes::is_middle_dot(c);
    matches!(c, '-' | '_') || label
}

/// True if the name before the marks at `at` ends there. `registered`: a top-level domain ends it.
pub(super) fn ends(chars: &[Char], at: usize, registered: bool) -> bool {
    let get = |i: usize| chars.get(i).and_then(|c| c.c);
    let mark = |c: char| classes::is_mark_or_middle_dot(c) || is_invisible(c);
    let marks = (at..at + 16).take_while(|i| get(*i).is_some_and(mark)).count();
    match (get(at + marks), get(at + marks + 1)) {
        (Some('.'), Some(c)) => !is_label(c),
        (Some(c), _) if is_label(c) && !classes::is_unspaced_letter(c) => registered,
        _ => true,
    }
}

/// True if a mark at `at` is within a label. `first`: the character after it. Nothing before `floor` counts.
pub(super) fn is_within(chars: &[Char], at: usize, floor: usize, first: char) -> bool {
    let get = |i: usize| chars[i].c;
    let mark =
        |i: &usize| get(*i).is_some_and(|c| classes::is_mark_or_middle_dot(c) || is_invisible(c));
    let marks = (floor..at).rev().take_while(mark).take(15).count();
    let end = at - marks;
    let Some(c) = (end > floor).then(|| get(end - 1)).flatten() else { return false };
    let word = |c: char| is_label(c) && !classes::is_unspaced_letter(c);
    if c == '.' {
        return end > floor + 1 && get(end - 2).is_some_and(word);
    }
    if !c.is_ascii_alphanumeric() {
        return if classes::is_unspaced_letter(c) { !first.is_ascii() } else { is_label(c) };
    }
    let name: String = chars[floor..end]
        .iter()
        .rev()
        .map_while(|c| c.c.filter(|c| c.is_ascii_alphanumeric() || "-.".contains(*c)))
        .take(26)
        .collect();
    let name: String = name.chars().rev().collect();
    let Some((rest, last)) = name.rsplit_once('.') else { return !is_localhost(&name) };
    let number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let host = match rest.chars().next_back() {
        None => is_localhost(last),
        Some(c) if !c.is_ascii_alphanumeric() => false,
        Some(_) if number(last) => {
            let mut numbers = name.rsplit('.').take(4);
            numbers.clone().count() == 4 && numbers.all(number)
        }
        Some(_) => top_level::is_tld(last),
    };
    !host
}

fn is_localhost(name: &str) -> bool {
    name.eq_ignore_ascii_case("localhost")
}
