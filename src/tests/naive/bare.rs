//! Hosts without a scheme: which names are tried, and where a link ends that begins with one. Whether
//! a name is a host is a matter of its words (`words.rs`).

use std::{string::String, vec::Vec};

use super::{
    Openers,
    decode::Char,
    delimited::{Search, delimited},
    marks::{self, joins_name, may_join},
    pattern::{group, matches},
    scheme::{Opener, opener},
    text::{Marks, body, is_half, tail_and_braces},
    words::{Around, is_host, is_sure},
};
use crate::{
    data::{host_words::is_service, schemes::HTTP, top_level},
    grammar::classes::{self, HostClass},
};

/// The most characters of a name.
const MOST: usize = 255;

/// The search for names.
pub(super) struct Names<'a> {
    pub(super) chars: &'a [Char],
    pub(super) ascii_only: bool,
    /// Where the last name that is no host ends.
    pub(super) tried: usize,
    /// A bar ends the link.
    pub(super) labelled: bool,
}

/// What shows a character before it as an emoji.
pub(super) const EMOJI_MARKS: [char; 3] = ['\u{FE0E}', '\u{FE0F}', '\u{20E3}'];

/// Characters that cannot be seen.
pub(super) fn is_invisible(c: char) -> bool {
    matches(
        "^[\u{AD}\u{34F}\u{180B}-\u{180F}\u{200B}-\u{200D}\u{2060}-\u{2064}\u{FE00}-\u{FE0F}\u{FEFF}]",
        c.encode_utf8(&mut [0; 4]),
    )
}

/// Characters that end names and cannot be seen.
const UNSEEN: &str =
    "^[\u{61C}\u{200E}\u{200F}\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}]";

/// True if the text after `c` is only the end of a longer word, which `c` does not divide. `further`: the
/// character before `c`.
pub(super) fn is_cut(c: char, further: Option<char>) -> bool {
    match EMOJI_MARKS.contains(&c) {
        true => further.is_some_and(char::is_alphabetic),
        false => {
            let word = |c: char| {
                is_part(c)
                    && !matches!(c, '.' | '-' | '_')
                    && !classes::is_middle_dot(c)
                    && !classes::is_unspaced_letter(c)
                    && !is_invisible(c)
            };
            let unseen = is_invisible(c) || matches(UNSEEN, c.encode_utf8(&mut [0; 4]));
            unseen && further.is_some_and(word)
        }
    }
}

/// True for the characters of a name: those of labels, dots and `_`.
fn is_part(c: char) -> bool {
    let label = classes::host_class(c) == HostClass::Label && !classes::is_mark(c);
    let label = (label || classes::is_middle_dot(c)) && !EMOJI_MARKS.contains(&c);
    matches!(c, '.' | '-' | '_') || label
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric()
}

/// Where the run of name characters ends that starts at `from`. A letter of an unspaced script after an
/// ASCII letter or digit does not belong to it.
pub(super) fn run(chars: &[Char], from: usize, ascii_only: bool) -> usize {
    let mut end = from;
    while let Some(c) = chars.get(end).and_then(|c| c.c) {
        let glued =
            classes::is_unspaced_letter(c) && end > from && chars[end - 1].c.is_some_and(is_word);
        if !is_part(c) || glued || ascii_only && !c.is_ascii() {
            break;
        }
        let get = |back: usize| if end >= from + back { chars[end - back].c } else { None };
        let before = get(1);
        let bullet = match before {
            _ if classes::is_middle_dot(c) => {
                let host = string(&chars[from..end]);
                let host = host.rsplit_once('.').is_some_and(|(_, last)| {
                    last.is_ascii() && top_level::is_tld(last) && !host.contains("--")
                });
                host || !may_join(c, before, true)
            }
            Some(dot) if classes::is_middle_dot(dot) => !joins_name(dot, get(2), Some(c)),
            _ => false,
        };
        if bullet {
            break;
        }
        end += 1;
    }
    end
}

pub(super) fn string(chars: &[Char]) -> String {
    chars.iter().filter_map(|c| c.c).collect()
}

/// The parts of a run: the `_` before a name, the name, and the dots, hyphens and marks after it.
pub(super) struct Parts<'t> {
    marks: usize,
    pub(super) name: &'t str,
    pub(super) rest: &'t str,
}

impl<'t> Parts<'t> {
    pub(super) fn of(text: &'t str) -> Parts<'t> {
        let end =
            |c: char| matches!(c, '.' | '-' | '_') || is_invisible(c) || classes::is_middle_dot(c);
        let mut len = text.trim_end_matches(end).len();
        // Two hyphens after a top-level domain are a dash, if no label follows.
        if let Some(from) = group("(?:^|[.])([^.]*)$", &text[..len]).map(|last| len - last.len())
            && let Some(dash) = text[from..len].find("--")
            && from > 0
            && top_level::is_known(&text[from..from + dash])
        {
            len = from + dash;
        }
        let marks = text.len() - text.trim_start_matches('_').len();
        let label = text[marks..].split('.').next().unwrap_or_default();
        let emphasis = (1..=3).contains(&marks) && !(marks == 1 && is_service(label));
        let marks = if emphasis { marks.min(len) } else { 0 };
        Parts { marks, name: &text[marks..len], rest: &text[len..] }
    }

    /// True if the marks after the name are none, or emphasis.
    pub(super) fn is_closed(&self) -> bool {
        matches("^_{0,3}[^_]*$", self.rest)
    }
}

impl Names<'_> {
    /// Returns the link that begins with the name around the dot at `dot`.
    pub(super) fn at(
        &mut self,
        dot: usize,
        floor: usize,
        openers: &mut Openers,
    ) -> Option<(usize, usize)> {
        if dot < self.tried || !self.may_be_last(dot, floor) {
            return None;
        }
        let (start, before) = self.start(dot, floor)?;
        let opener = opener(self.chars, start, start, false);
        let opener = opener.filter(|_| start > floor);
        self.labelled = opener.as_ref().is_some_and(|by| matches!(by.open, '<' | '['));
        let opener = opener.filter(|_| !self.ascii_only);
        let opener = opener.filter(|_| openers.count(self.chars, start));
        match opener.map(|by| self.delimited(start, before, by)) {
            Some(Search::Found(end)) => Some((start, end)),
            Some(Search::NoPartner(at)) => {
                let found = self.from(start, before);
                openers.fail(self.chars, start, at, found.map(|(_, end)| end));
                found
            }
            _ => self.from(start, before),
        }
    }

    /// Reads the link that begins with the name at `start` up to the partner of the opener before it.
    fn delimited(&mut self, start: usize, before: Option<char>, by: Opener) -> Search {
        let over = run(self.chars, start, false);
        let get = |i: usize| self.chars.get(i).and_then(|c| c.c);
        let text = string(&self.chars[start..over]);
        let parts = Parts::of(&text);
        let around = Around { before, after: get(over), goes_on: parts.rest.is_empty() };
        let plain = text == parts.name && over - start <= MOST;
        if !plain || !is_host(parts.name, around) {
            return Search::NotAReference;
        }
        let rest: Vec<char> = self.chars[over..].iter().map_while(|c| c.c).take(300).collect();
        if !rest.starts_with(&['/'])
            && !rest.starts_with(&['?'])
            && !rest.starts_with(&['#'])
            && !rest.starts_with(&[':'])
        {
            return Search::NotAReference;
        }
        let Some((host, at)) = port(&rest) else { return Search::NotAReference };
        let stop = over + at;
        match get(stop) {
            None => return Search::NoPartner(stop),
            Some(c) if classes::never_in_link(c) => return Search::NoPartner(stop),
            Some(c) if c == by.close && host == at => return Search::Found(stop),
            Some('/' | '?' | '#') if host == at => {}
            _ => return Search::NotAReference,
        }
        let slash = Char { c: Some('/'), start: 0, end: 0 };
        let link: Vec<Char> =
            [slash, slash].into_iter().chain(self.chars[start..].iter().copied()).collect();
        let alone = is_host(parts.name, Around { after: None, ..around });
        let least = if get(over) == Some('#') { over + 1 } else { over };
        match delimited(&link, 0, HTTP, (by, self.labelled)) {
            Search::Found(end) if !alone && start + end - 2 <= least => Search::NotAReference,
            Search::Found(end) => Search::Found(start + end - 2),
            Search::NoPartner(at) => Search::NoPartner(start + at - 2),
            Search::NotAReference => Search::NotAReference,
        }
    }

    /// True unless another dot decides, or no host has this dot: its labels are next to a `_`, or the
    /// name is part of something else.
    fn may_be_last(&self, dot: usize, floor: usize) -> bool {
        let label = |c: char| classes::host_class(c) == HostClass::Label && !is_invisible(c);
        let ascii = |c: &Char| match c.c {
            Some(c) if c.is_ascii() => c,
            Some(c) if label(c) => '\u{80}',
            _ => '\u{81}',
        };
        // One character each, so that a pattern of ASCII sees only ASCII.
        let before: String = self.chars[..dot].iter().map(ascii).collect();
        let after: String = self.chars[dot + 1..].iter().take(300).map(ascii).collect();
        const WORD: &str = "[A-Za-z0-9\u{80}\u{81}]";
        if !matches(&std::format!("{WORD}$"), &before) || !matches(&std::format!("^{WORD}"), &after)
        {
            return false;
        }
        let own: String = before.chars().skip(floor).collect();
        // Up to three `_` are emphasis, and so are two `~`.
        let emphasis = matches("(?:^|[^A-Za-z0-9._\u{80}-])_{1,3}[A-Za-z0-9-]+$", &own);
        if !emphasis && matches("_[A-Za-z0-9-]+$", &own)
            || matches(r"(?:[@/#$%&+}]|(?:^|[^~])~)([A-Za-z0-9-]+\.)*[A-Za-z0-9-]+$", &own)
        {
            return false;
        }
        let other = matches(&std::format!("^[A-Za-z0-9-]{{1,63}}(?:_{{1,3}}{WORD}|____)"), &after)
            || matches(r"^[A-Za-z0-9-]{1,63}\.[A-Za-z0-9]", &after);
        !other || matches("(?i)www[0-9]*$", &before)
    }

    /// Returns where the name with the dot at `dot` starts, and the character before it. Text divides it:
    /// several dots in a row, and a letter of an unspaced script beside an ASCII letter or digit.
    fn start(&self, dot: usize, floor: usize) -> Option<(usize, Option<char>)> {
        let at = |i: usize| self.chars[i].c;
        let mut start = dot;
        while start > floor {
            let (Some(c), Some(next)) = (at(start - 1), at(start)) else { break };
            let unspaced = classes::is_unspaced_letter;
            let divided = is_word(next) && unspaced(c) || is_word(c) && unspaced(next);
            if c == '.' && next == '.' {
                start += 1;
                break;
            }
            let bullet = match () {
                () if classes::is_middle_dot(c) => !may_join(c, Some(next), false),
                () if classes::is_middle_dot(next) => !joins_name(next, Some(c), at(start + 1)),
                () => false,
            };
            if !is_part(c) || divided || bullet {
                break;
            }
            start -= 1;
            if dot - start > MOST {
                return None;
            }
        }
        if at(start).is_some_and(classes::is_middle_dot) {
            start += 1;
        }
        let mut before = start.checked_sub(1).and_then(at);
        if start > floor
            && let Some(mark) = before
        {
            let first = at(start).unwrap_or_default();
            let unseen = is_invisible(mark) && start > floor + 1;
            if unseen
                && at(start - 2).is_some_and(classes::is_mark)
                && marks::is_within(self.chars, start - 2, floor, first)
            {
                return None;
            }
            let hyphen = start > floor + 1 && "‐‑﹣－".contains(mark);
            if classes::is_mark(mark) && marks::is_within(self.chars, start - 1, floor, first)
                || hyphen && at(start - 2).is_some_and(is_word)
            {
                return None;
            }
        }
        // The escape of a string before `www`: `\nwww.example.org`.
        let www: String = string(&self.chars[start..self.chars.len().min(start + 5)]);
        if before == Some('\\') && start > floor && ["nwww.", "rwww.", "twww."].contains(&&*www) {
            return Some((start + 1, None));
        }
        if let Some(c) = before.filter(|_| start > floor) {
            let further = if start > floor + 1 { at(start - 2) } else { None };
            if is_cut(c, further) {
                return None;
            }
            if c == '~' && further == Some('~') {
                before = Some('\n');
            }
        }
        let first = (start..dot).find(|&i| !at(i).is_some_and(is_invisible));
        Some((first.unwrap_or(dot), before))
    }

    /// Returns the link that begins with the name at `start`, after marks of emphasis.
    fn from(&mut self, start: usize, before: Option<char>) -> Option<(usize, usize)> {
        let mut over = run(self.chars, start, self.ascii_only);
        // Dots in a row are an ellipsis, after which another name may begin.
        let dots = |i: usize| self.chars[i].c == Some('.');
        if let Some(i) =
            (start..over).find(|&i| i >= start + 2 && dots(i - 1) && dots(i - 2) && !dots(i))
        {
            over = i;
        }
        let text = string(&self.chars[start..over]);
        let parts = Parts::of(&text);
        let name = parts.name;
        self.tried = over.min(start + MOST + 1);
        if over - start > MOST || !parts.is_closed() {
            return None;
        }
        if parts.rest.starts_with('_') && parts.marks == 0 && !is_sure(name) {
            return None;
        }
        let start = start + parts.marks;
        let end = start + name.chars().count();
        let mut after = self.chars.get(over).and_then(|c| c.c);
        let strikes = before == Some('\n') && self.is_struck(start - parts.marks);
        let next = self.chars.get(over + 1).and_then(|c| c.c);
        let struck = after == Some('~') && (strikes || next == Some('~'));
        if struck {
            after = Some('\n');
        }
        let marked = after.is_some_and(classes::is_mark) && end == over && !self.ascii_only;
        if marked {
            let registered = name.rsplit('.').next().is_some_and(top_level::is_tld);
            let around = Around { before, after: None, goes_on: true };
            let host = is_host(name, around) && marks::ends(self.chars, over, registered);
            return host.then_some((start, end));
        }
        let around = Around { before, after, goes_on: end == over };
        if !is_host(name, around) {
            return None;
        }
        // A file of RCS: `idx.wiki,v`.
        let at = |n: usize| self.chars.get(over + n).and_then(|c| c.c);
        let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        let dots = parts.rest.contains('.');
        // `a.org,v.de` are two hosts.
        let past = if at(2) == Some('.') { at(3) } else { at(2) };
        if after == Some(',') && !dots && at(1) == Some('v') && !past.is_some_and(word) {
            return None;
        }
        if end < over || struck {
            return Some((start, end));
        }
        let emphasis = match strikes {
            _ if parts.marks > 0 => Some('_'),
            true => Some('~'),
            false => None,
        };
        let whole = self.rest(start, end, emphasis)?;
        // What shows that it is a host must be part of the link.
        let alone = is_host(name, Around { after: None, ..around });
        let least = if after == Some('#') { end + 1 } else { end };
        if !alone && whole <= least {
            return None;
        }
        Some((start, whole))
    }

    /// True if `~~` is before `start`.
    fn is_struck(&self, start: usize) -> bool {
        let before = self.chars[..start].iter().rev().map(|c| c.c);
        let mut before = before.skip_while(|c| c.is_some_and(is_invisible));
        before.next() == Some(Some('~'))
    }

    /// Returns the end of the link with its port and tail. `end`: the end of the name. The link is read
    /// as after `//`.
    pub(super) fn rest(&self, start: usize, end: usize, emphasis: Option<char>) -> Option<usize> {
        let slash = Char { c: Some('/'), start: 0, end: 0 };
        let link: Vec<Char> =
            [slash, slash].into_iter().chain(self.chars[start..].iter().copied()).collect();
        let name = end - start + 2;
        let text = body(&link, name, self.ascii_only, |_| None);
        // `example.com[.]` is written so that nobody opens it.
        if text.starts_with(&['[', '.', ']']) {
            return None;
        }
        let (host, at) = port(&text)?;
        let leads =
            |text: &[char]| host == at && matches!(text.get(name + at), Some('/' | '?' | '#'));
        let text = body(&link, 0, self.ascii_only, |text| leads(text).then_some(name + at));
        if !leads(&text) {
            return Some(end + host);
        }
        let (whole, open) = tail_and_braces(
            &text,
            Some(name + host),
            name + at,
            Marks { emphasis, labelled: self.labelled, ..Marks::default() },
        );
        if open.is_some_and(|braces| is_half(&link, text.len(), braces)) {
            return None;
        }
        let whole = whole?;
        Some(end + whole - name)
    }
}

/// Returns the end of the port in `text`, which follows a name, and where a tail may start. `None` if there
/// is no link.
fn port(text: &[char]) -> Option<(usize, usize)> {
    let Some(rest) = text.strip_prefix(&[':']) else { return Some((0, 0)) };
    let digits: String = rest.iter().take_while(|c| c.is_ascii_digit()).collect();
    let next = rest.get(digits.len());
    match digits.parse::<u64>() {
        Ok(number) if number > 65_535 => None,
        Ok(_) => Some((1 + digits.len(), 1 + digits.len())),
        Err(_) if digits.is_empty() && !matches!(next, Some('%' | '$' | '{' | ':')) => {
            // A colon of the sentence.
            Some((0, 1))
        }
        Err(_) => None,
    }
}
