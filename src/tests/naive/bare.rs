//! Hosts without a scheme: which names are tried, and where a link ends that begins with one. Whether
//! a name is a host is a matter of its words (`words.rs`).

use std::{string::String, vec::Vec};

use super::{
    decode::Char,
    pattern::matches,
    text::{Marks, body, tail},
    words::{Around, is_host},
};
use crate::grammar::classes::{self, HostClass};

/// The most characters of a name.
const MOST: usize = 255;

/// The search for names.
pub(super) struct Names<'a> {
    pub(super) chars: &'a [Char],
    pub(super) ascii_only: bool,
    /// Where the last name that is no host ends.
    pub(super) tried: usize,
}

/// True for the characters of a name: those of labels, dots and `_`.
fn is_part(c: char) -> bool {
    matches!(c, '.' | '-' | '_') || classes::host_class(c) == HostClass::Label
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
        end += 1;
    }
    end
}

pub(super) fn string(chars: &[Char]) -> String {
    chars.iter().filter_map(|c| c.c).collect()
}

impl Names<'_> {
    /// Returns the link that begins with the name around the dot at `dot`.
    pub(super) fn at(&mut self, dot: usize, floor: usize) -> Option<(usize, usize)> {
        if dot < self.tried || !self.may_be_last(dot, floor) {
            return None;
        }
        let (start, before) = self.start(dot, floor)?;
        let found = self.from(start, before);
        found.map(|end| (start, end))
    }

    /// True unless another dot decides, or no host has this dot: its labels are next to a `_`, or the
    /// name is part of something else.
    fn may_be_last(&self, dot: usize, floor: usize) -> bool {
        let ascii = |c: &Char| c.c.filter(char::is_ascii).unwrap_or('\u{80}');
        // One character each, so that a pattern of ASCII sees only ASCII.
        let before: String = self.chars[..dot].iter().map(ascii).collect();
        let after: String = self.chars[dot + 1..].iter().take(300).map(ascii).collect();
        if !matches("[A-Za-z0-9\u{80}]$", &before) || !matches("^[A-Za-z0-9\u{80}]", &after) {
            return false;
        }
        let own: String = before.chars().skip(floor).collect();
        if matches("_[A-Za-z0-9-]+$", &own)
            || matches(r"[@/#$%&~+]([A-Za-z0-9-]+\.)*[A-Za-z0-9-]+$", &own)
        {
            return false;
        }
        let other = matches("^[A-Za-z0-9-]{1,63}_", &after)
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
            if !is_part(c) || divided {
                break;
            }
            start -= 1;
            if dot - start > MOST {
                return None;
            }
        }
        let before = start.checked_sub(1).and_then(at);
        // The escape of a string before `www`: `\nwww.example.org`.
        let www: String = string(&self.chars[start..self.chars.len().min(start + 5)]);
        if before == Some('\\') && start > floor && ["nwww.", "rwww.", "twww."].contains(&&*www) {
            return Some((start + 1, None));
        }
        Some((start, before))
    }

    /// Returns the end of the link that begins with the name at `start`.
    fn from(&mut self, start: usize, before: Option<char>) -> Option<usize> {
        let mut over = run(self.chars, start, self.ascii_only);
        // Dots in a row are an ellipsis, after which another name may begin.
        let dots = |i: usize| self.chars[i].c == Some('.');
        if let Some(i) =
            (start..over).find(|&i| i >= start + 2 && dots(i - 1) && dots(i - 2) && !dots(i))
        {
            over = i;
        }
        let text = string(&self.chars[start..over]);
        let name = text.trim_end_matches(['.', '-']);
        let end = start + name.chars().count();
        let after = self.chars.get(over).and_then(|c| c.c);
        self.tried = over.min(start + MOST + 1);
        let around = Around { before, after, goes_on: end == over };
        if over - start > MOST || !is_host(name, around) {
            return None;
        }
        if end < over {
            return Some(end);
        }
        let whole = self.rest(start, end)?;
        // What shows that it is a host must be part of the link.
        let alone = is_host(name, Around { after: None, ..around });
        let least = if after == Some('#') { end + 1 } else { end };
        if !alone && whole <= least {
            return None;
        }
        Some(whole)
    }

    /// Returns the end of the link with its port and tail. `end`: the end of the name. The link is read
    /// as after `//`.
    fn rest(&self, start: usize, end: usize) -> Option<usize> {
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
        let whole = tail(&text, Some(name + host), name + at, Marks::default())?;
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
