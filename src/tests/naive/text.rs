//! Where a link ends in running text.

use std::{string::String, vec, vec::Vec};

use super::{
    after::{After, is_complete},
    decode::Char,
    host::{Parsed, Piece, Place, after_host, parse, pieces, placeholder},
    pattern::matches,
};
use crate::{
    data::{
        link_term::LinkTerm,
        properties,
        schemes::{Form, OpaqueShape, Scheme},
    },
    grammar::classes,
};

/// Returns the characters of a link that starts at `from`, up to the first one that ends it whatever
/// comes before. `tail`: where in them the tail starts, if there is one. A quotation in a query or in a
/// fragment does not end the link.
pub(super) fn body(
    chars: &[Char],
    from: usize,
    ascii_only: bool,
    tail: impl Fn(&[char]) -> Option<usize>,
) -> Vec<char> {
    let ends = |i: usize| {
        let Some(c) = chars[i].c else { return true };
        classes::never_in_link(c)
            || matches!(c, '<' | '>' | '"' | '\\' | '`')
            || (ascii_only && !c.is_ascii())
            || classes::ends_sentence_unspaced(c)
    };
    let next = |i: usize| (i..chars.len()).find(|&i| ends(i)).unwrap_or(chars.len());
    let text = |to: usize| chars[from..to].iter().filter_map(|c| c.c).collect::<Vec<char>>();
    let mut stop = next(from);
    if let Some(at) = tail(&text(stop))
        && !ascii_only
    {
        while let Some(Ok(close)) = quotation(&chars[from..], at, stop - from) {
            stop = next(from + close + 1);
        }
    }
    text(stop)
}

/// What the text before a link shows.
#[derive(Clone, Copy, Default)]
pub(super) struct Marks {
    /// A mark that is not part of the link at its end.
    pub(super) emphasis: Option<char>,
    /// A bar ends the link.
    pub(super) labelled: bool,
    /// A comma ends the link.
    pub(super) listed: bool,
    /// A straight quote directly before the link.
    pub(super) quote: Option<char>,
}

/// Returns the end of the link in running text. `from`: the place after the `:`. As an error, there is no
/// link, and none before that place.
pub(super) fn in_text(
    chars: &[Char],
    from: usize,
    scheme: Scheme,
    marks: Marks,
    ascii_only: bool,
) -> Result<Option<usize>, usize> {
    let graphic = |c: &&Char| {
        c.c.is_some_and(|c| !classes::never_in_link(c) && (c.is_ascii() || !ascii_only))
    };
    let link: Vec<char> =
        chars[from..].iter().take_while(graphic).take(1500).filter_map(|c| c.c).collect();
    let mut chars = chars.to_vec();
    let mut wide = vec![];
    loop {
        let body = body(&chars, from, ascii_only, |body| match parse(body, scheme, Place::Text) {
            Parsed::Tail { at, .. } => Some(at),
            _ => None,
        });
        // Dots of UTS #46 are in no userinfo, so that an `@` after one ends the host.
        let mut body = body;
        if let Some(dot) = wide.first().filter(|dot| **dot < body.len()) {
            let over = body[*dot..].iter().position(|c| matches!(c, '/' | '?' | '#' | '@'));
            if let Some(at) = over.map(|at| dot + at).filter(|at| body[*at] == '@') {
                body.truncate(at);
                // Directly after the host, a browser reads a userinfo.
                if matches!(parse(&body, scheme, Place::Text), Parsed::Host { whole: true, .. }) {
                    return Ok(None);
                }
            }
        }
        // Text glued to a host ends the host. `tail` handles text that is glued to a tail.
        let glued = |i: &usize| {
            classes::is_unspaced_letter(body[*i])
                && closed(&chars[from..from + i])
                && !is_one_label(&body[..*i], scheme)
                && !is_in_userinfo(&body, *i)
        };
        let host = (0..body.len()).find(glued).unwrap_or(body.len());
        let parsed = parse(&body[..host], scheme, Place::Text);
        if let Parsed::Tail { host, at } = parsed {
            if let Some(i) = mark_of_mailto(&body, scheme) {
                let before = tail(&body[..i], host, at, marks);
                let longer = [&body[..i], &['x']].concat();
                // Unless something else ends the link before the mark.
                if tail(&longer, host, at, marks) == Some(i + 1) {
                    let ends = super::marks::ends(&chars, from + i, false);
                    return Ok(before.filter(|_| ends).map(|e| from + e));
                }
            }
            let (end, open) = tail_and_braces(&body, host, at, marks);
            if open.is_some_and(|braces| is_half(&chars[from..], body.len(), braces)) {
                return Err(from + body.len());
            }
            // `file:///C:\\x` is not `file:///C`.
            let drive = host.is_none() && body.len() == at + 3 && matches!(body[at + 2], ':' | '|');
            let cut = drive && end == Some(at + 2) && link.get(at + 3) == Some(&'\\');
            return Ok(end.filter(|_| !cut).map(|e| from + e));
        }
        let seen: Vec<char> = chars[from..from + link.len()].iter().filter_map(|c| c.c).collect();
        match after_host(&seen, &body[..host], scheme, (&wide, marks.quote)) {
            After::Dot(i) => {
                chars[from + i].c = Some('.');
                wide.push(i);
                continue;
            }
            After::Lost(i) => return Err(from + i),
            After::Over => {}
        }
        return Ok(match parsed {
            Parsed::Host { end, .. } => end.map(|e| from + e),
            _ => None,
        });
    }
}

/// The place of the first mark directly after ASCII in a domain of a `mailto:`, which `body` is read after.
pub(super) fn mark_of_mailto(body: &[char], scheme: Scheme) -> Option<usize> {
    let mail =
        matches!(scheme.form, Form::Opaque(OpaqueShape::Mail) | Form::Either(OpaqueShape::Mail));
    let path = body.iter().position(|c| matches!(c, '?' | '#')).unwrap_or(body.len());
    let at = body[..path].iter().position(|c| *c == '@').filter(|_| mail)?;
    let mark = |i: &usize| classes::is_mark(body[*i]) && body[*i - 1].is_ascii_alphanumeric();
    (at + 1..path).find(mark)
}

/// The place of the closing mark of the quotation that opens at `i`, if it is at the start of a value
/// in the query or in the fragment of the link; as an error, where the search for that mark ended. The
/// tail starts at `tail`.
pub(super) fn quotation(link: &[Char], tail: usize, i: usize) -> Option<Result<usize, usize>> {
    const MARKS: [&str; 8] = ["“”", "„“", "‘’", "‚‘", "«»", "»«", "‹›", "›‹"];
    let open = link.get(i)?.c?;
    let marks = MARKS.iter().find(|marks| marks.starts_with(open))?;
    let close = marks.chars().nth(1)?;
    let before = link[i.checked_sub(1)?].c?;
    let query = link.get(tail..i)?.iter().any(|c| matches!(c.c, Some('?' | '#')));
    if !query || !matches!(before, '=' | '?' | '#' | '&') {
        return None;
    }
    let stops = |c: &Char| {
        c.c.is_none_or(|c| {
            classes::never_in_link(c) || c == open || "<>\"\\`".contains(c) || c == close
        })
    };
    let inside = &link[i + 1..link.len().min(i + 1 + 250)];
    let len = inside.iter().position(stops).unwrap_or(inside.len());
    let end = i + 1 + len;
    let closed = len < inside.len() && link[end].c == Some(close);
    Some(if closed { Ok(end) } else { Err(end) })
}

/// True if a letter of an unspaced script that follows `link` ends it.
pub(super) fn closed(link: &[Char]) -> bool {
    let back = |n: usize| link.len().checked_sub(n).and_then(|i| link[i].c);
    let Some(c) = back(1) else { return false };
    let hex = |c: Option<char>| c.is_some_and(|c| c.is_ascii_hexdigit());
    if hex(back(1)) && hex(back(2)) && back(3) == Some('%') {
        return false;
    }
    c.is_ascii() && !"/?#=&-_+.:%([~@${}|^".contains(c)
}

/// True if what comes before `at` in `link`, read from the place after the `:`, is no complete host, and an `@`
/// after it makes it a part of the userinfo.
fn is_in_userinfo(link: &[char], at: usize) -> bool {
    let Some(authority) = link.strip_prefix(&['/', '/']) else { return false };
    let end =
        authority.iter().position(|c| matches!(c, '/' | '?' | '#')).unwrap_or(authority.len());
    let sign = authority[..end].iter().rposition(|c| *c == '@').map_or(0, |sign| sign + 2);
    // Text ends what may be a port.
    let before = &link[2..at];
    let is_name = |c: &&char| !c.is_ascii() || c.is_ascii_alphanumeric() || "-._%".contains(**c);
    let name: Vec<char> = before.iter().take_while(is_name).copied().collect();
    at < sign && !before.contains(&':') && !is_complete(&name, None)
}

/// True if `link`, read from the place after the `:`, ends in a host of only one label so far. Text
/// does not cut such a host, because half a label is another host.
pub(super) fn is_one_label(link: &[char], scheme: Scheme) -> bool {
    let Some(authority) = link.strip_prefix(&['/', '/']) else { return false };
    let at = authority.iter().position(|c| *c == '@');
    let from = link.len() - authority.len() + at.map_or(0, |at| at + 1);
    if placeholder(&link[from..]).is_some_and(|(_, c)| from + c < link.len()) {
        return false;
    }
    let (pieces, over) = pieces(link, from, Place::Text, !scheme.described && at.is_none());
    let whole = over == pieces.len() && from + over == link.len();
    whole && !pieces.is_empty() && !pieces.contains(&Piece::Dot)
}

/// True if `rest`, which follows an ASCII letter or digit of a link, is text. `ascii`: all of the
/// link is ASCII.
fn is_text(rest: &[char], ascii: bool) -> bool {
    // One byte for each character. `W`: a letter of an unspaced script. `S`: a symbol. `J`: a
    // character that joins symbols. `X`: another letter.
    let flat: String = rest
        .iter()
        .take(200)
        .map(|&c| match c {
            c if c.is_ascii_uppercase() => 'x',
            c if c.is_ascii() => c,
            c if classes::is_unspaced_letter(c) => 'W',
            c if classes::is_symbol(c) => 'S',
            c if classes::joins_symbols(c) => 'J',
            c if c.is_alphabetic() => 'X',
            _ => '\u{1}',
        })
        .collect();
    let joint = if ascii { "[_%=]" } else { "[-_%=/.]" };
    let is = |pattern: &str| matches(pattern, &flat);
    let goes_on = is(&std::format!("^W{{1,64}}{joint}[a-z0-9(WX]"))
        || is("^W{1,64}&[a-z0-9_-]{0,63}=")
        || is("^S[SJ]{0,63}[-_=/][a-z0-9(WX]");
    !goes_on
}

/// The length of the name at the start of `rest`, which follows ASCII: letters, ASCII and letters, before the `/` or
/// the extension that ends the link.
fn name_with_ascii(rest: &[char]) -> Option<usize> {
    let flat: String = rest
        .iter()
        .take(80)
        .map(|&c| match c {
            c if c.is_ascii() => c,
            c if classes::is_unspaced_letter(c) => '\u{1}',
            _ => '\u{2}',
        })
        .collect();
    let over = r"([.,;:!?)\]'#]|$)";
    let last = std::format!("(/|[.][A-Za-z][A-Za-z0-9]{{1,4}}){over}");
    let len = flat.find(['/', '.']).filter(|len| *len <= 64)?;
    matches(&std::format!("^\u{1}+[A-Za-z0-9][A-Za-z0-9\u{1}]*\u{1}{last}"), &flat).then_some(len)
}

/// True if `rest`, which follows a `/` of an ASCII link, begins with a particle.
fn is_particle(rest: &[char]) -> bool {
    let word: String = rest.iter().take_while(|c| classes::is_particle_letter(**c)).collect();
    let next = rest.get(word.chars().count());
    let goes_on = next.is_some_and(|c| "/_-=%?#".contains(*c));
    if word.starts_with('を') {
        return !goes_on || word != "を";
    }
    word.chars().count() <= 4 && crate::grammar::adjoining::PARTICLES.contains(&&*word) && !goes_on
}

/// UTS #58 termination with our departures. `body` ends where text ends a link. `at`: the start of
/// the tail. `host`: the end of the link without the tail.
pub(super) fn tail(body: &[char], host: Option<usize>, at: usize, marks: Marks) -> Option<usize> {
    tail_and_braces(body, host, at, marks).0
}

/// True if the link whose tail is read up to `n` is half a pattern, or half a placeholder with spaces.
/// `braces`: how many braces are open.
pub(super) fn is_half(chars: &[Char], n: usize, braces: usize) -> bool {
    let rest: String = chars[n..].iter().take(3).map(|c| c.c.unwrap_or(' ')).collect();
    let before = chars[n - 1].c;
    let open = braces > usize::from(before == Some('{'));
    match rest.chars().next() {
        None => open,
        Some(' ' | '\t' | '\r' | '\n') if chars[n].c.is_some() => open,
        Some(c) if classes::never_in_link(c) && chars[n].c.is_some() => open,
        Some('\\') => {
            let escape = r"^\\([.?]|[dwDWS][+*?{)\]])";
            matches!(before, Some('(' | '[')) || matches(escape, &rest)
        }
        _ => false,
    }
}

/// As [`tail`]; and how many braces are open, if nothing before the end of `body` ends the link.
pub(super) fn tail_and_braces(
    body: &[char],
    host: Option<usize>,
    at: usize,
    Marks { emphasis, labelled, listed, .. }: Marks,
) -> (Option<usize>, Option<usize>) {
    let mut part = match body.get(at) {
        Some('?') => '?',
        Some('#') => '#',
        _ => '/',
    };
    // The tail of a shape starts with any character of a path.
    let by_shape = host == Some(at) && at > 0 && !body.starts_with(&['/', '/']);
    let (mut end, mut i) = if by_shape {
        part = '/';
        (host, at)
    } else if part == '?' {
        (host, at + 1)
    } else {
        (Some(at + 1), at + 1)
    };
    let (mut ascii, mut other): (Vec<char>, Vec<char>) = (vec![], vec![]);
    let mut quotes = 0;
    // The end of the link if it ended before each character.
    let mut ends = vec![None; body.len()];
    let first = i;
    for c in body[..at].iter().filter(|_| by_shape) {
        match c {
            '(' => ascii.push(')'),
            ')' => drop(ascii.pop()),
            _ => {}
        }
    }
    let as_chars: Vec<Char> = body.iter().map(|c| Char { c: Some(*c), start: 0, end: 0 }).collect();
    // The end before the first bar; and before an open bracket in a path, with the number of
    // brackets open there.
    let (mut bar, mut square) = (None, None);
    // Where a name ends that has ASCII between its letters.
    let mut named = 0;
    // Where the last label in brackets ends, and the end of the link before it.
    let mut label: Option<(usize, Option<usize>)> = None;
    // Where a quotation ends, and the end of the link before it.
    let mut quoted: Option<(usize, Option<usize>)> = None;
    let mut open = None;
    let end = loop {
        let Some(&c) = body.get(i) else {
            open = Some(other.iter().filter(|c| **c == '}').count());
            break end;
        };
        let inside = quoted.is_some_and(|(close, _)| i <= close);
        quoted = quoted.filter(|_| inside);
        if !inside && let Some(Ok(close)) = quotation(&as_chars, at, i) {
            quoted = Some((close, square.map_or(end, |(_, before)| end.min(before))));
        }
        let closes = quoted.is_some_and(|(close, _)| i == close);
        let ascii_so_far = body[..i].iter().all(char::is_ascii);
        let letter = classes::is_unspaced_letter(c) || classes::is_symbol(c);
        if !inside && letter && i >= named && closed(&as_chars[..i]) {
            match name_with_ascii(&body[i..]) {
                Some(len) => named = i + len,
                None if is_text(&body[i..], ascii_so_far) => break end,
                None => {}
            }
        }
        if !inside && ascii_so_far && body[i - 1] == '/' && is_particle(&body[i..]) {
            break end;
        }
        if c == '&' && escaped(&body[i + 1..]) {
            break end;
        }
        // A comma of a list.
        let loose =
            "/?#=".contains(body[i - 1]) && body.get(i + 1).is_some_and(|c| !"/.".contains(*c));
        if c == ',' && (listed || loose) {
            break end;
        }
        if c == '[' && square.is_none() && tag(&body[i + 1..]) {
            break end;
        }
        ends[i] = end;
        if c == ';' {
            // A character reference at the end does not belong to the link.
            let name = body[first..i].iter().rev().take_while(|c| c.is_ascii_alphanumeric());
            let and = (i - first).checked_sub(name.count() + 1).map(|n| first + n);
            if let Some(and) = and.filter(|and| body[*and] == '&') {
                end = ends[and];
            }
        }
        let rest: String = body[i + 1..].iter().collect();
        let begins = |pattern: &str| matches(pattern, &rest);
        if matches!(c, ',' | ';') && part != '?' && begins("^[A-Za-z0-9]*://") {
            break end;
        }
        if c == '|' {
            let cut = square.map_or(end, |(_, before)| end.min(before));
            let cut = quoted.map_or(cut, |(_, before)| cut.min(before));
            let bracketed = label.filter(|(close, _)| i > *close);
            let cut = bracketed.map_or(cut, |(_, before)| cut.min(before));
            let before = *bar.get_or_insert(cut);
            let field = "^[A-Za-z0-9][A-Za-z0-9_-]*(://|=)";
            let empty = part != '?' && rest.starts_with('|');
            // The second of two bars begins nothing.
            let second = body[first..i].iter().rev().take_while(|c| **c == '|').count() % 2 == 1;
            if labelled || !second && begins(field) || empty {
                break before;
            }
        }
        // An expression of RFC 6570 begins no part.
        let expression = body[i - 1] == '{' && matches!(c, '/' | '?' | '#' | '&');
        let turns = !expression && ((part == '/' && c == '?') || (part != '#' && c == '#'));
        if expression {
            // Nor does it close brackets.
        } else if turns || (part == '/' && c == '/') || (part == '?' && matches!(c, '=' | '&')) {
            ascii.clear();
            other.clear();
            square = None;
        }
        if turns {
            part = c;
        }
        i += 1;
        match properties::link_term(c) {
            LinkTerm::Hard => break end,
            _ if matches!(c, '*' | '|' | '…' | '⋯' | '–' | '—' | '―') => {}
            _ if emphasis == Some(c) => {}
            _ if invisible(&body[..i]) => {}
            LinkTerm::Include => {
                end = Some(i);
                label = label.filter(|(close, _)| i <= *close);
            }
            LinkTerm::Soft if c == '\'' => {
                quotes += 1;
                if quotes % 2 == 0 {
                    end = Some(i);
                    label = label.filter(|(close, _)| i <= *close);
                }
            }
            LinkTerm::Soft => {}
            LinkTerm::Open => {
                if c == '[' && square.is_none() {
                    let before = label.map_or(end, |(_, before)| before);
                    square = Some((ascii.len(), before));
                    let close = labels(&body[i..]).map(|len| i + len);
                    let fits = part != '?' && !matches!(body[i - 2], '/' | '_');
                    label = close.filter(|_| fits).map(|close| (close, before));
                }
                let family = if matches!(c, '(' | '[') { &mut ascii } else { &mut other };
                if family.len() == 125 {
                    break end;
                }
                family.push(properties::closing_bracket(c).unwrap_or(c));
                // With this many open brackets it is text.
                if square.is_some_and(|(open, _)| ascii.len() > open + 4) {
                    break end;
                }
            }
            LinkTerm::Close => {
                let family = if matches!(c, ')' | ']') { &mut ascii } else { &mut other };
                if family.pop() != Some(c) {
                    break end;
                }
                end = Some(i);
                square = square.filter(|(open, _)| ascii.len() > *open);
                if c != ']' {
                    label = label.filter(|(close, _)| i <= *close);
                }
            }
        }
        if closes {
            (end, quoted) = (Some(i), None);
        }
    };
    // A bracket that is never closed is not part of the link, and neither is half a quotation.
    if let Some((_, before)) = quoted {
        return (before, None);
    }
    let end = square.map_or(end, |(_, before)| end.min(before));
    // Nor is a label, if the link does not go on after it.
    let end = label.filter(|(close, _)| i > *close).map_or(end, |(_, before)| end.min(before));
    (end, open)
}

/// The length of the label at the start of `text`, which follows a `[`.
fn labels(text: &[char]) -> Option<usize> {
    let len = text.iter().take(65).position(|c| *c == ']')?;
    let stops = |c: &char| "[/?#&=%*{}|".contains(*c);
    let first = || text[0].is_alphabetic() && text[1] != '-' && text[1] != ']';
    (len == 0 || first() && !text[1..len].iter().any(stops)).then_some(len)
}

/// True if the last character of `link` is one that nobody sees at the end of a link.
pub(super) fn invisible(link: &[char]) -> bool {
    let Some((c, before)) = link.split_last() else { return false };
    let before = before.last().copied().unwrap_or(' ');
    let letter = before.is_ascii() || properties::letter(before) == properties::Letter::Spaced;
    match u32::from(*c) {
        0xFE00..=0xFE0F => letter || invisible(&[' ', before]),
        0xAD | 0x34F | 0x180E | 0x200B..=0x200D | 0x2060..=0x2064 | 0xFEFF => true,
        _ => false,
    }
}

/// True if a tag follows a `[`: the `/url]` of BBCode, `@name]`, `#name]`; the names at the end of the
/// text as well.
fn tag(text: &[char]) -> bool {
    let name = |c: char| {
        let letter = properties::letter(c) == properties::Letter::Spaced;
        c.is_ascii_alphanumeric() || "_-.:".contains(c) || letter
    };
    let Some((first, rest)) = text.split_first() else { return false };
    let len = match first {
        '/' => rest.iter().take_while(|c| c.is_ascii_alphanumeric()).count(),
        '@' | '#' => rest.iter().take_while(|c| name(**c)).count(),
        _ => 0,
    };
    let ends = rest.get(len).map_or(*first != '/', |c| *c == ']');
    (1..=64).contains(&len) && ends
}

/// True if an escaped delimiter follows an `&`.
fn escaped(text: &[char]) -> bool {
    const MARKS: &str = "“”‘’„‚«»…′″\u{A0}";
    let head: String = text.iter().take(11).map(char::to_ascii_lowercase).collect();
    let (twice, head) = head.strip_prefix("amp;").map_or((false, &*head), |inner| (true, inner));
    let Some((name, _)) = head.split_once(';') else { return false };
    let number =
        |base, digits: &str| u32::from_str_radix(digits, base).ok().and_then(char::from_u32);
    let c = match name.strip_prefix('#') {
        Some("039") => Some('\''),
        Some(digits) if digits.starts_with(['0', '+']) => None,
        Some(digits) => match digits.strip_prefix('x') {
            Some(hex) if hex.starts_with(['0', '+']) => None,
            Some(hex) => number(16, hex),
            None => number(10, digits),
        },
        None => [
            ("quot", '"'),
            ("apos", '\''),
            ("lt", '<'),
            ("gt", '>'),
            ("nbsp", '\u{A0}'),
            ("laquo", '«'),
            ("raquo", '»'),
            ("lsquo", '‘'),
            ("rsquo", '’'),
            ("sbquo", '‚'),
            ("ldquo", '“'),
            ("rdquo", '”'),
            ("bdquo", '„'),
            ("hellip", '…'),
            ("prime", '′'),
        ]
        .iter()
        .find_map(|(n, c)| (*n == name).then_some(*c)),
    };
    let Some(c) = c else { return false };
    if twice {
        let named = !name.starts_with('#') && "\"<>\u{A0}“”‘’…".contains(c);
        return named || matches!(name, "#39" | "#34");
    }
    matches!(c, '"' | '\'' | '<' | '>') || MARKS.contains(c)
}
