//! The twin: a second implementation of the scanner that is simple and slow.
//!
//! It is written from the rules (docs/departures.md), not from the machine: it decodes the whole
//! document, tries every start, and looks ahead as far as it likes. It uses an encoding_rs decoder
//! that is fed byte by byte instead of the cursor, Aho-Corasick and a regex for the schemes, regexes
//! for the shapes, strings for names and addresses, and parses whole slices. It shares only the
//! tables: the properties of characters, the list of schemes, and the lists of words that are no
//! hosts. It has no limit on the length of a link.

mod after;
mod bare;
mod decode;
mod delimited;
mod email;
mod host;
mod ip;
mod marks;
mod pattern;
mod scheme;
mod text;
mod words;

use std::{vec, vec::Vec};

pub(super) use decode::{Char, decode};

use crate::{
    charset::Charset,
    engine::rules::Rules,
    grammar::types::{Kind, RuleSet},
};
use delimited::{Search, delimited};
use scheme::{Heads, Named};
use text::Marks;

/// A link: where it starts and ends in the bytes, and its kind.
pub(super) type Link = (u64, u64, Kind);

/// True if the twin implements these rules: prose.
pub(super) fn knows(rules: &Rules) -> bool {
    rules.options.filter.is_none() && rules.options.set == RuleSet::Prose
}

/// Returns the links of `bytes`.
///
/// A link is looked for at each `:` of a scheme, at each `.` if hosts without a scheme are wanted,
/// and at each `@` if addresses are, in the order of the text. The first link that is found wins:
/// nothing before its end is part of another link. So a link with a scheme hides hosts and addresses
/// within it, also if it is not wanted itself.
pub(super) fn links(bytes: &[u8], charset: Charset, rules: &Rules) -> Vec<Link> {
    let chars = decode(bytes, charset);
    let heads = Heads::new(rules).all(&chars);
    let mut openers = Openers { len: bytes.len(), until: 0, searches: 0 };
    let iris = Iris { chars: &chars, rules };
    let mut names = bare::Names {
        chars: &chars,
        ascii_only: rules.options.ascii_only,
        tried: 0,
        labelled: false,
    };
    let (mut out, mut floor, mut i) = (vec![], 0, 0);
    while i < chars.len() {
        if rules.options.kinds.has(Kind::Ip)
            && matches!(chars[i].c, Some('.' | ':'))
            && let Some((start, end)) = ip::at(&names, i, floor)
        {
            out.push((chars[start].start as u64, chars[end - 1].end as u64, Kind::Ip));
            (floor, i) = (end, end);
            continue;
        }
        let (kind, found) = match chars[i].c {
            Some('.') if rules.options.kinds.has(Kind::Bare) => {
                (Kind::Bare, names.at(i, floor, &mut openers))
            }
            Some('@') if rules.options.kinds.has(Kind::Email) => {
                (Kind::Email, email::at(&chars, i, floor, rules.options.ascii_only))
            }
            _ => {
                let head = heads[i].filter(|(start, _)| *start >= floor);
                match head.map_or(Ok(None), |head| iris.at(i, head, &mut openers)) {
                    Ok(found) => (Kind::Iri, found),
                    // In the rest of a name that no host has, nothing is looked for.
                    Err(to) => {
                        (floor, i) = (to, to);
                        continue;
                    }
                }
            }
        };
        i += 1;
        if let Some((start, end)) = found {
            if rules.options.kinds.has(kind) {
                out.push((chars[start].start as u64, chars[end - 1].end as u64, kind));
            }
            (floor, i) = (end, end);
        }
    }
    out
}

/// Where failed searches for a closing delimiter ended, and how many there were.
struct Openers {
    /// The length of the document in bytes.
    len: usize,
    until: usize,
    searches: u8,
}

impl Openers {
    /// True if an opener before the link at `start` counts.
    fn count(&self, chars: &[Char], start: usize) -> bool {
        chars[start].start >= self.until || self.searches < 8
    }

    /// Notes that the search from `start` ended at `at`. `end`: the end of the link in text.
    fn fail(&mut self, chars: &[Char], start: usize, at: usize, end: Option<usize>) {
        let at = chars.get(at).map_or(self.len, |c| c.start);
        if end.is_none_or(|e| chars[e - 1].end != at) {
            let again = chars[start].start < self.until;
            self.searches = if again { self.searches + 1 } else { 1 };
            self.until = self.until.max(at);
        }
    }
}

/// The search for links with a scheme.
struct Iris<'a> {
    chars: &'a [Char],
    rules: &'a Rules,
}

impl Iris<'_> {
    /// Returns the link whose scheme ends before the `:` at `colon`; as an error, the place before which
    /// no other link begins.
    fn at(
        &self,
        colon: usize,
        (start, scheme): (usize, Named),
        openers: &mut Openers,
    ) -> Result<Option<(usize, usize)>, usize> {
        let chars = self.chars;
        let opener = scheme::opener(chars, start, colon, scheme.glued);
        let mark = start.checked_sub(1).and_then(|i| chars[i].c);
        let further = start.checked_sub(2).and_then(|i| chars[i].c).unwrap_or(' ');
        let verbatim = matches!(further, ' ' | '\t' | '\r' | '\n' | '(' | '\0');
        let begins = |c: &char| matches!(c, '_' | '~') || *c == '=' && verbatim;
        let emphasis = mark.filter(|c| !scheme.glued && begins(c));
        let ascii_only = self.rules.options.ascii_only;
        let labelled = scheme::labelled(chars, start, scheme);
        let hosted = scheme.scheme.has_slashes();
        let listed = mark == Some(',') && hosted && !scheme.glued;
        let quote = opener.map(|by| by.open).filter(|c| matches!(c, '"' | '\''));
        let marks = Marks { emphasis, labelled, listed, quote };
        let in_text = text::in_text(chars, colon + 1, scheme.scheme, marks, ascii_only);
        let mut end = in_text.unwrap_or_default();
        if let Some(opener) = opener.filter(|_| !ascii_only && openers.count(chars, start)) {
            match delimited(chars, colon + 1, scheme.scheme, (opener, labelled)) {
                Search::Found(delimited) => end = Some(delimited),
                Search::NotAReference => {}
                Search::NoPartner(at) => openers.fail(chars, start, at, end),
            }
        }
        match (end, in_text) {
            (None, Err(to)) => Err(to),
            _ => Ok(end.map(|end| (start, end))),
        }
    }
}
