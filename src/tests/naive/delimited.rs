//! Where a link ends that a delimiter comes before.

use std::{string::String, vec, vec::Vec};

use super::{
    decode::Char,
    host::{Parsed, Place, parse},
    pattern::matches,
    scheme::Opener,
    text::{closed, invisible, is_one_label, mark_of_mailto},
};
use crate::{
    data::schemes::{Form, Scheme},
    grammar::classes,
};

pub(super) enum Search {
    Found(usize),
    NotAReference,
    /// The search was given up at this character.
    NoPartner(usize),
}

/// Reads between `<` and `>`. Returns the characters without line breaks, and the place of the `>`,
/// or as an error the place where the search was given up.
fn lines(
    chars: &[Char],
    from: usize,
    scheme: Scheme,
    labelled: bool,
) -> (Vec<char>, Result<usize, usize>) {
    let mut body = vec![];
    let at = |i: usize| chars.get(i).map(|c| c.c);
    let blank = |i: usize| matches!(at(i), Some(Some(' ' | '\t')));
    let line = |i: usize| matches!(at(i), Some(Some('\r' | '\n')));
    let (mut i, mut wraps) = (from, 0);
    loop {
        let Some(c) = at(i) else { return (body, Err(i)) };
        if !blank(i) && !line(i) {
            let Some(c) = c.filter(|c| !classes::never_in_link(*c)) else { return (body, Err(i)) };
            if c == '>' || labelled && is_label(&body, c, scheme) {
                return (body, Ok(i));
            }
            body.push(c);
            i += 1;
            continue;
        }
        let before = i;
        while blank(i) {
            i += 1;
        }
        if !line(i) || is_begun(&body, scheme) {
            return (body, Err(i));
        }
        i += if at(i) == Some(Some('\r')) && at(i + 1) == Some(Some('\n')) { 2 } else { 1 };
        loop {
            if blank(i) {
                i += 1;
            } else if at(i) == Some(Some('>')) {
                let quote = blank(i + 1) || at(i + 1) == Some(Some('>'));
                if line(i + 1) {
                    return (body, Err(i + 1));
                }
                if !quote {
                    return (body, Ok(before));
                }
                i += 1;
            } else {
                break;
            }
        }
        wraps += 1;
        let other = matches!(at(i), Some(Some('<' | '"' | '\'')));
        let goes_on = at(i).is_some_and(|c| c.is_some()) && !line(i) && !other;
        if !goes_on || wraps > 16 {
            return (body, Err(i));
        }
    }
}

/// True if nothing follows the `:` yet, or only the first of two slashes.
fn is_begun(body: &[char], scheme: Scheme) -> bool {
    body.is_empty() || (body == ['/'] && !matches!(scheme.form, Form::Opaque(_)))
}

/// True if `c` after `body` is a bar that separates a label from the link.
fn is_label(body: &[char], c: char, scheme: Scheme) -> bool {
    let tail = || matches!(parse(body, scheme, Place::Field), Parsed::Tail { .. });
    c == '|' && body.last() != Some(&'\\') && tail()
}

pub(super) fn delimited(
    chars: &[Char],
    from: usize,
    scheme: Scheme,
    (by, labelled): (Opener, bool),
) -> Search {
    let labelled = labelled && matches!(by.open, '<' | '[' | '{');
    let mut depth = 0;
    let mut partner = Err(chars.len());
    for (i, Char { c, .. }) in chars.iter().enumerate().skip(from) {
        let Some(c) = c.filter(|c| !classes::never_in_link(*c)) else {
            partner = Err(i);
            break;
        };
        let quote = matches!(by.open, '"' | '\'');
        let before: Vec<char> = chars[from..i].iter().filter_map(|c| c.c).collect();
        if labelled && is_label(&before, c, scheme) {
            partner = Ok(i);
            break;
        }
        let text: String = before.iter().collect();
        if quote && (text.ends_with("\\u00") || text.ends_with("\\x")) && matches!(c, '0' | '1') {
            partner = Err(i);
            break;
        }
        let escaped = quote && i > from && chars[i - 1].c == Some('\\');
        if c == by.close {
            if escaped {
                partner = Err(i);
                break;
            }
            if depth == 0 {
                partner = Ok(i);
                break;
            }
            depth -= 1;
        } else if c == by.open && matches!(by.open, '(' | '[') {
            depth += 1;
        } else if (!by.whole || by.open == '[') && breaks_phrase(&chars[from..i], c, scheme, by) {
            partner = Err(i);
            break;
        }
        let tag = i > from && chars[i - 1].c == Some('<') && c == '/';
        let code = escaped && matches!(c, 'n' | 'r' | 't' | '"' | '\'');
        if by.whole && quote && (tag || code || (by.open == '\'' && c == '"')) {
            partner = Err(i);
            break;
        }
    }
    let mut stop = partner.unwrap_or_else(|i| i);
    let mut body: Vec<char> = chars[from..stop].iter().filter_map(|c| c.c).collect();
    if by.whole && by.open == '<' {
        (body, partner) = lines(chars, from, scheme, labelled);
        stop = partner.unwrap_or_else(|i| i);
    }
    let place = match by.open {
        _ if by.whole => Place::Field,
        '"' | '\'' => Place::Quotes,
        _ => Place::Phrase,
    };
    if mark_of_mailto(&body, scheme).is_some() {
        return Search::NotAReference;
    }
    let parsed = parse(&body, scheme, place);
    let end = match parsed {
        Parsed::Not => {
            // More text could still make it a reference.
            return match partner {
                Err(stop) if is_begun(&body, scheme) => Search::NoPartner(stop),
                _ => Search::NotAReference,
            };
        }
        Parsed::Host { end, whole, alive } => {
            if partner.is_err() && (whole || alive || is_open(&body)) {
                return Search::NoPartner(stop);
            }
            // A program adds the port after the quotes.
            let port = matches!(by.open, '"' | '\'') && body.last() == Some(&':');
            if !whole || port {
                return Search::NotAReference;
            }
            end
        }
        Parsed::Tail { host, at } => {
            if partner.is_err() {
                return Search::NoPartner(stop);
            }
            // The tail of a shape has no initial character. Any other tail includes its own.
            let first = if body.starts_with(&['/', '/']) { Some(at + 1) } else { host };
            let loose = |i: usize| {
                let comma = matches!(by.open, '\'' | '"') && body[i] == ',';
                invisible(&body[..=i]) || ".,:;!?…⋯。、，．：；！？｡".contains(body[i]) && !comma
            };
            let kept = (first.unwrap_or(at)..body.len()).rev().find(|&i| !loose(i));
            kept.map(|i| i + 1).or(first)
        }
    };
    match end {
        Some(_) if by.whole => Search::Found(stop),
        Some(end) => Search::Found(from + end),
        None => Search::NotAReference,
    }
}

/// True if `c` after `link` shows that the quotes or brackets hold a sentence.
fn breaks_phrase(link: &[Char], c: char, scheme: Scheme, by: Opener) -> bool {
    let quote = matches!(by.open, '"' | '\'');
    let text: String = link.iter().filter_map(|c| c.c).collect();
    if text.ends_with('\\') && !"ux/.?+*()[]-dwDWS".contains(c) {
        return true;
    }
    let Some(c) = Some(c).filter(char::is_ascii) else {
        let letter = classes::is_unspaced_letter(c)
            && !is_one_label(&text.chars().collect::<Vec<_>>(), scheme);
        let sentence = classes::ends_sentence_unspaced(c) || letter || classes::is_symbol(c);
        return !quote && !by.whole && text.is_ascii() && closed(link) && sentence;
    };
    // Another link after text.
    let another = std::format!("{text}{c}").strip_suffix("://").is_some_and(|word| {
        let before = word.trim_end_matches(|c: char| c.is_ascii_alphanumeric());
        let comma = before.ends_with([',', ';']) && !is_query(before);
        let escape = "%[89A-Fa-f][0-9A-Fa-f][0-9A-Za-z]*$";
        let host = before.strip_prefix("//").is_some_and(|host| !host.contains(['/', '?', '#']));
        let text = !host && before.chars().next_back().is_some_and(|c| !c.is_ascii());
        comma || text || matches(escape, word)
    });
    another || matches!(c, '<' | '>' | '"' | '`') || (c == '\\' && !quote)
}

/// True if the end of `link`, read from the place after the `:`, is in a query.
fn is_query(link: &str) -> bool {
    let tail =
        link.strip_prefix("//").and_then(|rest| rest.find(['/', '?', '#']).map(|i| &rest[i..]));
    tail.is_some_and(|tail| {
        tail.find('?').is_some_and(|i| !tail[..i].contains('#') && !tail[i..].contains('#'))
    })
}

/// True if the authority may still go on after `body`: an IP literal has no `]` yet, or the name
/// has no letter yet.
fn is_open(body: &[char]) -> bool {
    let authority = body.get(2..).unwrap_or_default();
    let name = authority.iter().rposition(|c| *c == '@').map_or(authority, |i| &authority[i + 1..]);
    (name.first() == Some(&'[') && !name.contains(&']'))
        || name.iter().all(|c| matches!(c, '-' | '_' | '%'))
            && !name.iter().rev().skip(1).any(|c| *c == '%')
}
