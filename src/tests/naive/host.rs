//! The authority of a link, and what other schemes have in its place.

use std::{string::String, vec, vec::Vec};

use regex_automata::meta::Regex;

use super::{
    after::{After, after, after_colon, is_complete, is_known, lost},
    decode::Char,
    marks::joins,
    pattern::{matches, regex},
    text::closed,
};
use crate::{
    data::schemes::{Form, Hosts, OpaqueShape, Scheme},
    grammar::classes::{self, HostClass},
};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Text,
    /// Inside brackets or typographic quotes.
    Phrase,
    /// Inside straight quotes.
    Quotes,
    Field,
}

pub(super) enum Parsed {
    Not,
    /// The link has no tail: it ends with the host. `whole`: the host takes all of the text.
    /// `alive`: more text could continue the authority.
    Host {
        end: Option<usize>,
        whole: bool,
        alive: bool,
    },
    /// A tail starts at `at`. `host`: the end of the host before it.
    Tail {
        host: Option<usize>,
        at: usize,
    },
}

/// Parses up to the tail. The indices are of `body`.
pub(super) fn parse(body: &[char], scheme: Scheme, place: Place) -> Parsed {
    let shape = match scheme.form {
        Form::Opaque(shape) => Some(shape),
        Form::Either(shape) if body.first() != Some(&'/') => Some(shape),
        _ => None,
    };
    if let Some(shape) = shape {
        return match shape_end(body, shape) {
            Some(end) => Parsed::Tail { host: Some(end), at: end },
            None => Parsed::Not,
        };
    }
    if !body.starts_with(&['/', '/']) {
        return Parsed::Not;
    }
    let rest = &body[2..];
    let k = rest.iter().position(|c| matches!(c, '/' | '?' | '#'));
    let full = &rest[..k.unwrap_or(rest.len())];
    let length: u32 = full.iter().map(|c| classes::encoded_len(*c)).sum();
    let too_long = length > 1024 || (length == 1024 && k.is_some());
    let authority = fitting(full, 1024);
    let generic = is_generic(scheme);
    let (skip, at, alive) = match userinfo(body, authority.len(), scheme, place) {
        User::Odd(_) => return Parsed::Not,
        User::None { alive } => (0, None, alive),
        User::Until(at) => (at + 1, Some(at), false),
    };
    let (listed, list) = listed(&body[..2 + authority.len()], 2 + skip, scheme, place);
    let (skip, generic) = (list - 2, generic && listed.is_none());
    let name = &authority[skip..];
    // The syntax of `scp`: a path directly after the colon.
    if scheme.hosts == Hosts::Scp
        && at.is_some()
        && name.first() != Some(&'[')
        && let Some(colon) = name.iter().position(|c| *c == ':')
        && name.get(colon + 1).is_some_and(|c| c.is_alphabetic() || *c == '~')
    {
        let from = 2 + skip;
        let (end, state) = host(&body[..from + colon], from, place, false, None);
        if state == State::Whole {
            return Parsed::Tail { host: end, at: from + colon + 1 };
        }
    }
    let (end, state) = host(
        &body[..2 + skip + name.len()],
        2 + skip,
        place,
        generic && at.is_none(),
        k.map(|k| rest[k]),
    );
    // In a list a colon may be that of another scheme.
    let colon = listed.is_some() && name.last() == Some(&':') && state == State::Whole;
    let whole = state == State::Whole;
    let end = if colon && k.is_some() { listed } else { end.or(listed) };
    // A host that the limit cuts would be another host.
    let end = end.filter(|_| !(too_long && state != State::Over));
    let pathless = matches!(scheme.form, Form::EmptyHost | Form::Either(OpaqueShape::Any));
    let empty = name.is_empty() && pathless && listed.is_none();
    let whole = whole && !(colon && k.is_some());
    let alive = alive || state != State::Over;
    match k {
        Some(k) if !too_long && (whole || (empty && rest[k] == '/')) => {
            Parsed::Tail { host: end, at: 2 + k }
        }
        Some(_) => Parsed::Host { end, whole: false, alive: false },
        None => Parsed::Host { end, whole: whole && !too_long, alive: alive && !too_long },
    }
}

/// True if any `reg-name` is a host, within reason.
fn is_generic(scheme: Scheme) -> bool {
    !scheme.described || matches!(scheme.form, Form::Either(_)) && !scheme.dns
}

/// What is before the host.
enum User {
    /// `alive`: more text could still make it a userinfo.
    None { alive: bool },
    /// A userinfo, and the `@` at this place of the authority.
    Until(usize),
    /// An `@` after characters that no userinfo has.
    Odd(usize),
}

/// Before the first `@`, userinfo holds only its own characters; where no host can go on any more, any
/// graphic ASCII character; and what a list of links has if no host is complete before it.
fn userinfo(body: &[char], len: usize, scheme: Scheme, place: Place) -> User {
    let authority = &body[2..2 + len];
    let first = authority.iter().position(|c| *c == '@').unwrap_or(len);
    let from = listed(&body[..2 + first], 2, scheme, place).1;
    let settled = from - 2 + settles(&body[..2 + len], from, place, is_generic(scheme));
    let fits = |(i, c): (usize, &char)| {
        let name = &authority[from.min(2 + i) - 2..i];
        let name: Vec<char> = name.iter().copied().take_while(|c| *c != ':').collect();
        let open = || name.first() != Some(&'[') && !is_complete(&name, None);
        is_user(*c) && !classes::is_idna_dot(*c)
            || scheme.hosts == Hosts::List && *c == ','
            || i > settled && c.is_ascii_graphic()
            || ",;(".contains(*c) && open()
    };
    let user = |n: usize| authority[..n].iter().enumerate().all(fits);
    if first == len || first == 0 || !user(first) {
        return User::None { alive: user(len) };
    }
    match authority[..first].iter().all(|c| is_user(*c) || ",;()".contains(*c)) {
        true => User::Until(first),
        false => User::Odd(first),
    }
}

/// The end of the host before the last comma of a list, and where the host after it begins.
fn listed(body: &[char], from: usize, scheme: Scheme, place: Place) -> (Option<usize>, usize) {
    // After a userinfo or a comma a host has the usual characters.
    let first = from == 2;
    let (mut end, mut start) = (None, from);
    while scheme.hosts == Hosts::List
        && let Some(n) = body[start..].iter().position(|c| *c == ',')
        && n > 0
        && body[start + n - 1] != ':'
        && let generic = is_generic(scheme) & first & end.is_none()
        && let (Some(e), State::Whole) = host(&body[..start + n], start, place, generic, Some(','))
    {
        (end, start) = (Some(e), start + n + 1);
    }
    (end, start)
}

/// What the text after the host of `link` says. `body` is what of it can be in a link; `wide`: the dots of
/// UTS #46 in the host; `quote`: the one directly before the link.
pub(super) fn after_host(
    link: &[char],
    body: &[char],
    scheme: Scheme,
    (wide, quote): (&[usize], Option<char>),
) -> After {
    let opaque = matches!(scheme.form, Form::Opaque(_))
        || matches!(scheme.form, Form::Either(_)) && body.first() != Some(&'/');
    if opaque || !body.starts_with(&['/', '/']) {
        return After::Over;
    }
    let len = body[2..].iter().position(|c| matches!(c, '/' | '?' | '#')).unwrap_or(body.len() - 2);
    let (place, mut from, mut generic) = (Place::Text, 2, is_generic(scheme));
    match userinfo(body, len, scheme, place) {
        User::Odd(at) => return After::Lost(lost(link, 2 + at, 2 + at + 1)),
        User::Until(at) => (from, generic) = (2 + at + 1, false),
        User::None { .. } => {}
    }
    let (end, from) = listed(&body[..2 + len], from, scheme, place);
    let generic = generic && end.is_none();
    let name = &link[from..];
    let stops = |i: usize| i >= body.len();
    if name.first() == Some(&'[') {
        let close = name.iter().position(|c| *c == ']').filter(|i| name.get(i + 1) == Some(&':'));
        let Some(close) = close.filter(|i| !stops(from + i + 1)) else { return After::Over };
        let literal: String = name[1..close].iter().collect();
        let valid = literal.len() <= 64 && is_literal(&literal);
        return if valid {
            after_port(link, body, from + close + 1, (None, quote))
        } else {
            After::Over
        };
    }
    let (pieces, over) = pieces(link, from, place, generic);
    let n = pieces.len();
    let dot = |p: &Piece| *p == Piece::Dot;
    let trailing = pieces.iter().rev().take_while(|p| dot(p)).count();
    if pieces.first().is_some_and(dot) {
        return After::Over;
    }
    let twice = pieces[..n - trailing].windows(2).position(|w| w.iter().all(dot));
    if let Some((i, digit)) =
        placeholder(name).filter(|(i, _)| *i < n && twice.is_none_or(|t| *i < t))
    {
        let over = stops(from + digit) || matches!(name[digit], '/' | '?' | '#');
        let ends = digit == i + 1 && !over && ",;)]}'!|".contains(name[digit]);
        return if over || ends {
            After::Over
        } else {
            After::Lost(lost(link, from + digit, from + digit + 1))
        };
    }
    if let Some(i) = twice {
        let dots = pieces[i..].iter().take_while(|p| dot(p)).count();
        let whole = pieces[..i].contains(&Piece::Dot) || is_complete(&name[..i], None);
        let over = dots > 2 && whole || stops(from + i + dots);
        return if over {
            After::Over
        } else {
            After::Lost(lost(link, from + i + dots, from + i + dots + 1))
        };
    }
    let Some(&c) = name.get(n).filter(|_| over == n) else { return After::Over };
    let sentence = classes::ends_sentence_unspaced(c) && n > 0;
    let seen = !stops(from + n)
        || matches!(c, '\\' | '<')
        || sentence
        || classes::is_unspaced_letter(c)
        || classes::is_mark_or_middle_dot(c);
    match c {
        '/' | '?' | '#' | '@' => After::Over,
        _ if !seen => After::Over,
        ':' if trailing <= 1 && named(&pieces, name, place, false).is_some() => {
            after_port(link, body, from + n, (Some(&name[..n]), quote))
        }
        ':' => After::Over,
        _ => after(link, from, from + n, &pieces, wide),
    }
}

/// As [`after_colon`], if the character after the digits is seen.
fn after_port(
    link: &[char],
    body: &[char],
    colon: usize,
    (name, quote): (Option<&[char]>, Option<char>),
) -> After {
    let at = colon + 1;
    if quote.is_some() && link.get(at) == quote.as_ref() {
        return After::Lost(lost(link, at, at + 1));
    }
    let digits = link[colon + 1..].iter().take_while(|c| c.is_ascii_digit()).count();
    let next = colon + 1 + digits;
    let special = digits == 0 && matches!(link.get(next), Some('\\' | '<' | '"'));
    if next >= body.len() && !special {
        return After::Over;
    }
    after_colon(link, colon, name)
}

/// The longest start of `text` that has at most `most` characters when it is percent-encoded.
fn fitting(text: &[char], most: u32) -> &[char] {
    let mut length = 0;
    let fits = |c: &&char| {
        length += classes::encoded_len(**c);
        length <= most
    };
    &text[..text.iter().take_while(fits).count()]
}

fn is_user(c: char) -> bool {
    !c.is_ascii() || c.is_ascii_alphanumeric() || "-._~:%!$&'*+=".contains(c)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// The host takes all of the text.
    Whole,
    /// The rest may become part of the host if more text follows.
    Begun,
    /// The host ends before the rest.
    Over,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece {
    Dot,
    Label,
    /// Part of a label, but not at its end.
    Inner,
    /// A symbol directly after ASCII in the first label.
    Sign,
    /// Part of the name only if a dot and another label follow.
    Pending,
}

/// Returns the kind of each character of the name, and where the text that is not part of it
/// starts: directly after the name, or after symbols that are glued to ASCII without a dot after
/// them.
pub(super) fn pieces(
    body: &[char],
    from: usize,
    place: Place,
    generic: bool,
) -> (Vec<Piece>, usize) {
    let name = &body[from..];
    let as_chars: Vec<Char> = body.iter().map(|c| Char { c: Some(*c), start: 0, end: 0 }).collect();
    let symbol = |c: char| classes::host_class(c) == HostClass::Symbol;
    let field = place == Place::Field;
    let mut out = vec![];
    let (mut pending, mut begins) = (false, false);
    let unseen = classes::is_left_out;
    while let Some(&c) = name.get(out.len()) {
        let i = out.len();
        let before = name[..i].iter().rev().take_while(|c| unseen(**c)).count();
        let glued = !field && closed(&as_chars[..from + i - before]);
        if unseen(c) && i > 0 {
            pending |= is_complete(&name[..i], None);
            out.push(if pending { Piece::Pending } else { Piece::Inner });
            continue;
        }
        if c == '.' || field && classes::is_idna_dot(c) {
            out.push(Piece::Dot);
            begins = true;
            continue;
        }
        let last = name[..i].iter().rev().find(|c| !unseen(**c)).copied();
        let text = place == Place::Text;
        if classes::is_mark(c) {
            break;
        }
        if classes::is_middle_dot(c) {
            // Between syllables of Tibetan it is a letter like others.
            let tibetan = c == '་' && joins(c, last, Some('é')) && !joins('・', last, Some('a'));
            let joins = joins(c, last, name.get(i + 1).copied()) && !is_known(&name[..i]);
            if !(tibetan || text && joins && i > 0) {
                break;
            }
            if !tibetan {
                begins = false;
                out.push(if pending { Piece::Pending } else { Piece::Inner });
                continue;
            }
        }
        let label = match c {
            '-' | '_' | '%' => false,
            '+' | '&' | '$' | '\'' | '=' | '!' | '~' if generic => false,
            // Text after a host. Quotes hold no text.
            c if glued
                && place != Place::Quotes
                && classes::is_unspaced_letter(c)
                && out.contains(&Piece::Dot) =>
            {
                break;
            }
            c if glued && symbol(c) && !is_complete(&name[..i], None) && i > 0 && !begins => {
                pending |= out.contains(&Piece::Dot);
                out.push(if pending { Piece::Pending } else { Piece::Sign });
                continue;
            }
            // After the full stop of a sentence.
            c if symbol(c) && !field && begins && is_complete(&name[..i], None) => break,
            c if glued && symbol(c) && i > 0 => {
                let more = |c: &&char| {
                    symbol(**c) && !classes::is_mark(**c) || matches!(c, '\u{FE0F}' | '\u{200D}')
                };
                let n = name[i..].iter().take_while(more).count();
                if name.get(i + n) != Some(&'.') {
                    return (out, i + n);
                }
                out.extend(vec![Piece::Inner; n]);
                continue;
            }
            c if classes::host_class(c) == HostClass::No => break,
            _ => true,
        };
        pending &= !begins;
        begins = false;
        out.push(match label {
            _ if pending => Piece::Pending,
            true => Piece::Label,
            false => Piece::Inner,
        });
    }
    let n = out.len();
    (out, n)
}

/// Returns the end of the host that these pieces form. Without a dot it may be a sentence about
/// addresses, which is no host: it begins with a letter of an unspaced script, or has one after
/// ASCII.
/// In Hangul it is one if it has no particle at its start or end, or if a path or a delimiter follows
/// (`led`) and it is no particle.
fn named(pieces: &[Piece], name: &[char], place: Place, led: bool) -> Option<usize> {
    let end = pieces.iter().rposition(|p| *p == Piece::Label)?;
    let first = pieces.iter().position(|p| *p == Piece::Dot).unwrap_or(pieces.len());
    if first < end || place == Place::Field {
        return Some(end + 1);
    }
    let seen = |c: &&char| !classes::is_left_out(**c);
    if name[..first].iter().filter(seen).all(|c| classes::is_hangul(*c)) {
        let word: String = name[..first].iter().filter(seen).collect();
        let mut particles = crate::grammar::adjoining::PARTICLES.iter();
        let text = match led {
            true => particles.any(|p| word == *p),
            false => particles.any(|p| word.starts_with(p) || word.ends_with(p)),
        };
        return (!text).then_some(end + 1);
    }
    let most = if place == Place::Quotes { 1 } else { first };
    let sign = pieces[..first].contains(&Piece::Sign);
    (!sign && !begins_sentence(&name[..most])).then_some(end + 1)
}

/// True if the only label is no host unless a dot follows: it begins with a hyphen, or it may be a
/// sentence.
fn begins_sentence(label: &[char]) -> bool {
    let chars: Vec<Char> = label.iter().map(|c| Char { c: Some(*c), start: 0, end: 0 }).collect();
    let text = |i: usize| {
        let before = label[..i].iter().rev().take_while(|c| classes::is_left_out(**c)).count();
        classes::is_unspaced_letter(label[i]) && (i == 0 || closed(&chars[..i - before]))
    };
    label.first() == Some(&'-') || (0..label.len()).any(text)
}

/// The same for the first label of `name`.
pub(super) fn is_foreign(name: &[char], pieces: &[Piece]) -> bool {
    let first = pieces.iter().position(|p| *p == Piece::Dot).unwrap_or(pieces.len());
    pieces[..first].contains(&Piece::Sign) || begins_sentence(&name[..first])
}

/// Returns the place of the first `%` in `name` that two hexadecimal digits do not follow, and the
/// place where the first of them is missing.
pub(super) fn placeholder(name: &[char]) -> Option<(usize, usize)> {
    let hex = |i: &usize| name.get(*i).is_some_and(char::is_ascii_hexdigit);
    let percents = (0..name.len()).filter(|i| name[*i] == '%');
    percents.map(|i| (i, [i + 1, i + 2])).find_map(|(i, digits)| {
        digits.into_iter().find(|digit| !hex(digit)).map(|digit| (i, digit))
    })
}

/// Returns the place in `body[from..]` where no host can go on any more.
fn settles(body: &[char], from: usize, place: Place, generic: bool) -> usize {
    let name = &body[from..];
    let (pieces, over) = pieces(body, from, place, generic);
    if pieces.first() == Some(&Piece::Dot) {
        return 0;
    }
    let empty_label = pieces
        .windows(3)
        .position(|w| w[0] == Piece::Dot && w[1] == Piece::Dot && w[2] != Piece::Dot);
    let percent = placeholder(name).filter(|(i, _)| *i < pieces.len()).map(|(_, c)| c);
    let first = [empty_label.map(|i| i + 2), percent].into_iter().flatten().min();
    if let Some(i) = first {
        return i;
    }
    let dots = pieces.iter().rev().take_while(|p| **p == Piece::Dot).count();
    if name.get(over) == Some(&':')
        && over == pieces.len()
        && dots <= 1
        && named(&pieces, name, place, false).is_some()
    {
        let digits = name[over + 1..].iter().take_while(|c| c.is_ascii_digit()).count();
        return over + 1 + digits;
    }
    over
}

/// Returns the end of the host in `body[from..]`, and whether the host takes all of the text.
fn host(
    body: &[char],
    from: usize,
    place: Place,
    generic: bool,
    led: Option<char>,
) -> (Option<usize>, State) {
    let name = &body[from..];
    if name.first() == Some(&'[') {
        let Some(close) = name.iter().position(|c| *c == ']') else { return (None, State::Over) };
        let literal: String = name[1..close].iter().collect();
        if literal.len() > 64 || !is_literal(&literal) {
            return (None, State::Over);
        }
        return match name.get(close + 1) {
            Some(':') => port(name, close + 1, Some(close + 1), from, false),
            Some(_) => (Some(from + close + 1), State::Over),
            None => (Some(from + close + 1), State::Whole),
        };
    }
    let (pieces, over) = pieces(body, from, place, generic);
    let n = pieces.len();
    let trailing = pieces.iter().rev().take_while(|p| **p == Piece::Dot).count();
    let dot = |p: &Piece| *p == Piece::Dot;
    if pieces.first().is_some_and(dot) {
        return (None, State::Over);
    }
    let twice = pieces[..n - trailing].windows(2).position(|w| w.iter().all(dot));
    if let Some((i, digit)) = placeholder(name)
        && i < n
        && twice.is_none_or(|twice| i < twice)
    {
        let before = named(&pieces[..i], name, place, false).map(|e| from + e);
        let before = before.filter(|_| digit == i + 1);
        return match name.get(digit) {
            None if led.is_none() => (before, State::Begun),
            Some(',' | ';' | ')' | ']' | '}' | '\'' | '!' | '|') => (before, State::Over),
            _ => (None, State::Over),
        };
    }
    if let Some(i) = twice {
        // Two dots make an empty label, three an ellipsis.
        let before = named(&pieces[..i], name, place, false).map(|e| from + e);
        let whole = pieces[..i].contains(&Piece::Dot) || is_complete(&name[..i], None);
        let ellipsis = pieces.get(i + 2).is_some_and(dot) && whole;
        return (before.filter(|_| ellipsis), State::Over);
    }
    // Only a path or a delimiter that follows directly shows that the name has no particle.
    let led_here = (led.is_some() || place != Place::Text) && n == name.len();
    let end = named(&pieces, name, place, led_here);
    let found = end.map(|e| from + e);
    match name.get(n) {
        // `http://a../x` has an empty label. In `http://a..` a sentence ends after the host.
        None if led.is_some() && trailing > 1 => (found.filter(|_| led != Some('/')), State::Over),
        None if n > 0
            && (pieces[..n - trailing].last() == Some(&Piece::Pending)
                || classes::is_left_out(name[n - 1])) =>
        {
            (found, State::Begun)
        }
        None if end.is_some() && trailing <= 1 => (found, State::Whole),
        None => (found, State::Begun),
        // A dot may follow these symbols.
        Some(_) if over > n && over == name.len() && led.is_none() => (found, State::Begun),
        Some(':') if end.is_some() && trailing <= 1 => {
            port(name, n, end, from, !pieces.iter().any(dot))
        }
        Some('@') => (None, State::Over),
        // A placeholder.
        Some('{' | '$') if trailing > 0 => (None, State::Over),
        // `http://foo[.]example`
        Some('[') if end.is_some() && trailing == 0 => match &name[n..] {
            ['[', '.', ']', ..] => (None, State::Over),
            ['['] | ['[', '.'] if led.is_none() => (found, State::Begun),
            _ => (found, State::Over),
        },
        Some(_) => (found, State::Over),
    }
}

fn port(
    name: &[char],
    colon: usize,
    bare: Option<usize>,
    from: usize,
    single: bool,
) -> (Option<usize>, State) {
    let digits = name[colon + 1..].iter().take_while(|c| c.is_ascii_digit()).count();
    let next = name.get(colon + 1 + digits);
    let end = if digits == 0 { bare } else { Some(colon + 1 + digits) };
    match next {
        Some('@') => (None, State::Over),
        Some('%' | '$' | '{') if digits == 0 => (None, State::Over),
        Some(':') if digits == 0 && single => (None, State::Over),
        // The first groups of an IPv6 address.
        Some(':' | 'a'..='f' | 'A'..='F')
            if single && colon <= 4 && name[..colon].iter().all(char::is_ascii_hexdigit) =>
        {
            (None, State::Over)
        }
        Some(_) => (end.map(|e| from + e), State::Over),
        None => (end.map(|e| from + e), State::Whole),
    }
}

fn is_literal(text: &str) -> bool {
    let future = r"^(?i:v)[0-9A-Fa-f]+\.[A-Za-z0-9\-._~!$&'()*+,;=:]+$";
    // RFC 6874, which RFC 9844 obsoletes.
    let zone = regex("%25([A-Za-z0-9._~-]|%[0-9A-Fa-f]{2})+$");
    let address = zone.find(text).map_or(text, |zone| &text[..zone.start()]);
    matches(future, text) || address.parse::<core::net::Ipv6Addr>().is_ok()
}

/// Returns the place from which the text satisfies the shape.
fn shape_end(body: &[char], shape: OpaqueShape) -> Option<usize> {
    // One byte for each character: words of every script become letters of class `w`.
    let flat: Vec<u8> = fitting(body, 255)
        .iter()
        .map(|&c| match c {
            c if c.is_ascii() => c as u8,
            c if classes::host_class(c) == HostClass::Label => 0x80,
            _ => 0xFF,
        })
        .collect();
    let pattern = match shape {
        OpaqueShape::Mail => r"^(?:\??(?:W|%)|[-_+~!$*'](?:W|O|[./])*@W)",
        OpaqueShape::Phone => r"^(?:[+(][-.()]*|)[0-9][-.()]*[0-9][-.()]*[0-9]",
        OpaqueShape::Urn => r"^[A-Za-z0-9][A-Za-z0-9-]{0,30}[A-Za-z0-9]:(?:W|[%+\-_=@$(*!'])",
        OpaqueShape::Dotted => {
            r"^(?:O*W(?:(?:W|O)*\.|(?:(?:W|O)*W)?@)W|O*\.W(?:(?:W|O)*\.|(?:(?:W|O)*W)?@)W)"
        }
        OpaqueShape::At => r"^(?:W|O|\.)*?W@W",
        OpaqueShape::Jid => r"^(?:W|O|\.)*?W(?:(?:W|O|[.;,()])*?W)?@W",
        OpaqueShape::Sip => {
            r"^(?:O*W(?:(?:W|O)*\.|(?:(?:W|O)*W)?@)W|O*\.W(?:(?:W|O)*\.|(?:(?:W|O)*W)?@)W|O*\.?W(?:W|O)*[:;,?/](?:W|O|[.:;,?/])*?W@W)"
        }
        OpaqueShape::Tag => r"^(?:(?:W|[_-])*W[.@])+(?:W|[_-])*W,[0-9]{4}",
        OpaqueShape::Query => r"^\?[A-Za-z]",
        OpaqueShape::Geo => r"^-?[0-9](?:\.?[0-9])*,-?[0-9]",
        OpaqueShape::Matrix => r"^(?:u|r|e|roomid)/W",
        OpaqueShape::Any => "^(?:W|[-_~@$+=])",
        OpaqueShape::Coin => r"^[A-Za-z0-9]{25}",
    };
    let pattern = pattern.replace('W', r"[A-Za-z0-9%\x80]").replace('O', r"[-_+%!~=&*$']");
    let pattern = std::format!("(?s-u){pattern}");
    let regex = Regex::builder()
        .syntax(regex_automata::util::syntax::Config::new().utf8(false).unicode(false))
        .build(&pattern)
        .unwrap_or_else(|e| panic!("{pattern}: {e}"));
    regex.find(&flat).map(|m| m.end())
}
