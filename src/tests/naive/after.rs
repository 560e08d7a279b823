//! What follows a host in running text: does its name go on with characters that no host has?

use std::{string::String, vec::Vec};

use super::{
    bare::is_invisible,
    decode::Char,
    host::{Piece, is_foreign},
    pattern::matches,
    text::closed,
};
use crate::{
    data::top_level,
    grammar::classes::{self, HostClass},
};

/// What the text after a host says.
pub(super) enum After {
    Over,
    /// The dot of UTS #46 at this place is a dot of the host.
    Dot(usize),
    /// There is no link, and none before this place.
    Lost(usize),
}

fn is_label(c: char) -> bool {
    c == '-' || classes::host_class(c) == HostClass::Label
}

/// True if nobody cuts the name short: it ends with a top-level domain or the like. `wide`: where its
/// last dot of UTS #46 is, in `name`.
pub(super) fn is_complete(name: &[char], wide: Option<usize>) -> bool {
    let seen: String = name.iter().filter(|c| !classes::is_left_out(**c)).collect();
    let seen = seen.trim_end_matches('.');
    let labels: Vec<&str> = seen.split('.').collect();
    let last = labels[labels.len() - 1];
    let text = last.trim_end_matches(['-', '_']).to_ascii_lowercase();
    let known =
        last.is_ascii() && !last.contains('%') && last.len() <= 24 && !text.starts_with("xn--");
    if labels.len() == 1 {
        return known && text == "localhost";
    }
    if !known {
        return wide.is_none_or(|dot| {
            let rest = &name[dot + 1..];
            rest.contains(&'.') || top_level::is_tld(&label(rest))
        });
    }
    if matches("^[0-9]+$", &text) {
        return labels.len() == 4 && seen.chars().all(|c| c == '.' || c.is_ascii_hexdigit());
    }
    let special = "alt baz bitnet corp example home internal intranet invalid lan local localdomain \
                   localhost onion private test uucp";
    special.split(' ').any(|name| name == text) || top_level::is_tld(&text)
}

/// True if the name ends with a top-level domain and the like in ASCII.
pub(super) fn is_known(name: &[char]) -> bool {
    let seen: String = name.iter().filter(|c| !classes::is_left_out(**c)).collect();
    let last = seen.trim_end_matches('.').rsplit('.').next().unwrap_or_default();
    let known = last.is_ascii() && !last.contains('%') && last.len() <= 24;
    known && !last.to_ascii_lowercase().starts_with("xn--") && is_complete(name, None)
}

/// The label at the start of `text`.
fn label(text: &[char]) -> String {
    let glued = |i: usize| {
        i > 0 && classes::is_unspaced_letter(text[i]) && text[i - 1].is_ascii_alphanumeric()
    };
    (0..text.len().min(63))
        .take_while(|i| is_label(text[*i]) && !glued(*i))
        .map(|i| text[i])
        .collect()
}

/// The text from `text[0]` on that may be a part of the name.
fn following(text: &[char]) -> &[char] {
    let first = text[0];
    let dot = |c: char| c == '.' || classes::is_idna_dot(c);
    let mut n = 1;
    while let Some(&c) = text.get(n).filter(|_| n < 64) {
        let last = text[n - 1];
        let glued = classes::is_unspaced_letter(c) && last.is_ascii_alphanumeric();
        let part = |c: char| c == '_' || is_label(c) && !classes::is_middle_dot(c);
        let takes = if classes::is_middle_dot(first) {
            c == '.' || part(c) || classes::is_mark_or_middle_dot(c) || is_invisible(c)
        } else if dot(first) {
            is_label(c) || dot(c) && is_label(last) && !text[1..n].iter().any(|c| dot(*c))
        } else {
            match c {
                ':' | '@' if first == '[' && n == 1 => true,
                '/' | '?' | '#' | '"' | '\'' | '`' | ':' | '@' | '<' => false,
                '>' => first == '<',
                '\\' => first == '\\' && last == '\\',
                c => !classes::ends_sentence_unspaced(c),
            }
        };
        if glued || !takes {
            break;
        }
        n += 1;
    }
    &text[..n]
}

/// Where the rest of a name ends that no host has. `link[start..at]` belongs to it.
pub(super) fn lost(link: &[char], start: usize, at: usize) -> usize {
    let as_chars: Vec<Char> = link.iter().map(|c| Char { c: Some(*c), start: 0, end: 0 }).collect();
    let takes = |i: usize| {
        let c = link[i];
        let text = classes::is_unspaced_letter(c) && closed(&as_chars[..i]);
        !text && (is_label(c) || ".-_\\{}$%*+&()[]=~!^".contains(c))
    };
    let end = (at..link.len()).find(|i| !takes(*i)).unwrap_or(link.len());
    // A scheme may end there.
    let word = link[start..end].iter().rev().take_while(|c| c.is_ascii_alphanumeric()).count();
    match link.get(end) {
        Some(':') => end - word,
        _ => end,
    }
}

/// What the text from `n` on says about the name in `link[from..n]`, which is over there.
pub(super) fn after(
    link: &[char],
    from: usize,
    n: usize,
    pieces: &[Piece],
    wide: &[usize],
) -> After {
    let name = &link[from..n];
    // Those of a userinfo are not in the host.
    let wide: Vec<usize> = wide.iter().copied().filter(|i| *i >= from).collect();
    let Some(&first) = link.get(n) else { return After::Over };
    let trailing = pieces.iter().rev().take_while(|p| **p == Piece::Dot).count();
    let dots = pieces.iter().filter(|p| **p == Piece::Dot).count() - trailing;
    let complete = is_complete(name, None);
    let text = following(&link[n..]);
    let over = n + text.len();
    let given =
        |lost: bool| if lost { After::Lost(self::lost(link, n, over)) } else { After::Over };
    let next = |i: usize| text.get(i).copied().unwrap_or(' ');
    let spaced = |c: char| is_label(c) && !classes::is_unspaced_letter(c);
    let goes_on = text.windows(2).any(|two| two[0] == '.' && is_label(two[1]));
    if classes::is_idna_dot(first) {
        let label = label(&text[1..]);
        let another = text.len() > label.chars().count() + 2 && is_label(text[text.len() - 1]);
        let tld = top_level::is_tld(&label);
        let foreign = is_foreign(name, pieces);
        let complete = is_complete(name, wide.last().map(|i| i - from));
        let is_dot = !label.is_empty()
            && !name.is_empty()
            && trailing == 0
            && match (dots, complete) {
                (0, complete) => !complete && (tld || another && !foreign),
                _ if wide.is_empty() => tld && label.is_ascii() && !complete,
                (_, complete) => !complete || tld && label.is_ascii(),
            };
        if is_dot {
            return After::Dot(n);
        }
        let text = name.is_empty() || foreign || is_complete(name, None);
        let address = matches(r"(^|[.])[0-9]+[-_]*[.]?$", &name.iter().collect::<String>());
        let half = address && is_label(next(1)) || next(1).is_ascii_alphanumeric() && goes_on;
        return given(!text && half);
    }
    let string: String = text.iter().collect();
    let seen: String = name.iter().filter(|c| !classes::is_left_out(**c)).collect();
    // Some numbers of an IPv4 address.
    let address = !is_known(name) && matches(r"(^|[.])[0-9]+[-_]*[.]?$", &seen);
    if classes::is_mark(first) {
        let mark = |c: &&char| classes::is_mark_or_middle_dot(**c) || is_invisible(**c);
        let marks = link[n..].iter().take(64).take_while(mark).count();
        let at = |i: usize| link.get(n + marks + i).copied();
        let part = |c: char| c == '_' || is_label(c) && !classes::is_middle_dot(c);
        let tld = seen.trim_end_matches(['.', '-', '_']).rsplit('.').next().unwrap_or_default();
        let registered = complete
            && (!is_known(name) || dots == 0 || matches("^[0-9]+$", tld) || top_level::is_tld(tld));
        let within = match (at(0), at(1)) {
            _ if name.is_empty() => Some(0),
            _ if complete && trailing > 0 => None,
            (Some('.'), Some(c)) if part(c) => Some(2),
            (Some(':'), Some(c)) if !complete && c.is_ascii_digit() => Some(2),
            (Some('/' | '?' | '#'), _) if !complete => Some(1),
            (Some(c), _) if part(c) && !complete => Some(1),
            (Some(c), _) if part(c) && spaced(c) && !registered => Some(1),
            (Some('.'), _) if address => Some(1),
            (Some(':'), _) if address && !complete => Some(1),
            _ if address => Some(0),
            _ => None,
        };
        let marks = if name.is_empty() { 1 } else { marks };
        return match within {
            Some(more) => After::Lost(self::lost(link, n, n + marks + more)),
            None => After::Over,
        };
    }
    if classes::is_middle_dot(first) {
        if name.is_empty() {
            return After::Lost(self::lost(link, n, n + 1));
        }
        return given(!is_known(name) && (address && is_label(next(1)) || goes_on));
    }
    if !first.is_ascii()
        && !complete
        && address
        && is_label(next(1))
        && !classes::is_idna_dot(first)
    {
        return given(true);
    }
    let numbers = matches(r"^([0-9A-Fa-f]+\.)*[0-9]+\.$", &seen) && dots < 3
        || matches(r"^[0-9]+[-_]*\.$", &seen);
    if numbers && "*{<[(\\".contains(first) {
        return given(true);
    }
    match first {
        '{' | '$' if trailing > 0 => After::Lost(self::lost(link, n, n + 1)),
        '\\' => {
            let rest = string.trim_start_matches('\\');
            let escaped = rest.starts_with(['.', '-']);
            let label = rest.chars().nth(1).is_some_and(is_label);
            given(if escaped { label } else { !complete && rest.starts_with(PATTERN) })
        }
        '\u{2024}' => given(is_label(next(1))),
        '[' if string.starts_with("[.]") => given(true),
        '[' if next(1) == ':' || next(1) == '@' && !complete => given(true),
        '[' => given(!complete && goes_on),
        _ if complete => After::Over,
        '&' => {
            let unseen = "^&(shy|zwj|zwnj|NoBreak|ZeroWidthSpace);";
            let rest = string.split_once(';').map_or("", |(_, rest)| rest);
            given(matches(unseen, &string) && rest.starts_with(is_label))
        }
        '{' | '…' if dots == 0 => given(true),
        '$' if dots == 0 && (next(1).is_alphabetic() || "{(_".contains(next(1))) => given(true),
        '<' => {
            let rest = string.split_once('>').map_or("", |(_, rest)| rest);
            let joined =
                rest.starts_with(['.', '-', '_']) || name.is_empty() && rest.starts_with(is_label);
            given(joined && goes_on)
        }
        '{' | '$' | '(' | '*' | '+' | '=' | '~' | '!' | '^' | ',' | ';' => given(goes_on),
        c if classes::ends_sentence_unspaced(c) => {
            given(next(1).is_ascii_alphanumeric() && goes_on)
        }
        '\u{2010}' | '\u{2011}' | '\u{FF01}'..='\u{FF5E}' if spaced(next(1)) => given(true),
        c if !c.is_ascii() => given(goes_on),
        _ => After::Over,
    }
}

const PATTERN: [char; 11] = ['d', 'w', 'S', 'D', 'W', '(', '[', '{', '$', '*', '+'];

/// What the text after the colon at `colon` says. `name`: the name before it, `None` for an IP literal.
pub(super) fn after_colon(link: &[char], colon: usize, name: Option<&[char]>) -> After {
    let rest: String = link[colon + 1..].iter().take(65).collect();
    let single = name.is_some_and(|name| !name.contains(&'.'));
    let short = name.is_some_and(|name| {
        name.len() <= 4 && name.iter().all(|c| c.is_ascii_hexdigit() || classes::is_left_out(*c))
    });
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let lost = |n: usize| After::Lost(self::lost(link, colon + n, colon + 1 + n));
    if single && short && matches("^[0-9]*[:a-fA-F]", &rest)
        || matches("^[%${]", &rest)
        || single && rest.starts_with(':')
    {
        return lost(digits + 1);
    }
    if digits > 0 {
        return After::Over;
    }
    let one_letter = name.is_some_and(|name| {
        let text: String = name.iter().filter(|c| !classes::is_left_out(**c)).collect();
        matches(r"^[^%.]\.*$", &text) && text.is_ascii()
    });
    let patterns = [
        r#"^["']\+?"#,
        r"^\*[!-.0-~]?",
        r"^\\[!-.0-~]?",
        r"^<[A-Za-z0-9_\-\\]*>?",
        r"^\[[A-Za-z0-9_\-\\]*\]?",
        r"^\([A-Za-z0-9_\-\\]*\)?",
        r"^[A-Za-z][A-Za-z0-9_]*",
    ];
    let cut: String = rest.chars().take(64).collect();
    let Some(text) = patterns.iter().find_map(|p| {
        let regex = super::pattern::regex(p);
        regex.find(&cut).map(|m| &cut[m.range()])
    }) else {
        return After::Over;
    };
    let inner = text.get(1..text.len() - 1).unwrap_or_default();
    let closed = text.len() > 1 && text.ends_with(['>', ']', ')']);
    let port = match text.as_bytes()[0] {
        b'"' | b'\'' => text.len() > 1,
        b'*' => text != "**",
        b'\\' => one_letter || matches(r"^.[dw(\[{$]", text),
        b'[' if closed && matches(r"^[0-9\-\\d]*-[0-9\-\\d]*$", inner) => true,
        b'<' | b'[' | b'(' => {
            closed && (is_port_name(inner) || inner.to_ascii_lowercase().contains("port"))
        }
        _ => is_port_name(text),
    };
    match port {
        true => After::Lost(self::lost(link, colon + 1, colon + 1 + text.len())),
        false => After::Over,
    }
}

/// True for a word that stands for a port.
fn is_port_name(word: &str) -> bool {
    matches(r"^[A-Z][^a-z]+$", word)
        || matches("(?i)^(x{2,}|n{2,})$", word)
        || matches("(?i)(^|[_-])port([_-]|$)", word)
        || matches("Port$", word)
}
