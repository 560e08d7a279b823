//! Checks the rules of UTS #58: its test file by every interface in every charset, and a naive
//! implementation of the specification (detection, termination, addresses).
//!
//! The naive implementation has the whole text and shares only the tables with the engine. It has
//! the engine's one departure: a run or a local part of more than 255 characters does not count.

use crate::data::properties;
use crate::data::top_level;
use crate::grammar::types::RuleSet;
use std::{format, println, string::String, vec, vec::Vec};

use proptest::prelude::*;

use super::{
    cases::{self, Document},
    laws, naive, ways,
};
use crate::{
    api::{config::Config, finder::Finder},
    charset::Charset,
    data::link_term::LinkTerm,
    grammar::{classes, types::Kind},
};

const FILE: &str = include_str!("../../testdata/uts58/LinkDetectionTest.txt");
const OPEN: char = '\u{2E20}';
const CLOSE: char = '\u{2E21}';

/// The most characters of a run or local part (docs/decisions.md).
const MOST: usize = 255;

fn finder(charset: Charset) -> Finder {
    Config::new()
        .charset(charset)
        .rules(RuleSet::Uts58)
        .kinds([Kind::Iri, Kind::Bare, Kind::Email])
        .build()
        .expect("the options should be valid")
}

/// Returns the test lines of the file without their marks, and the links as ranges of characters.
fn lines() -> Vec<(String, Vec<(usize, usize)>)> {
    let counts = |line: &&str| !line.is_empty() && !line.starts_with('#');
    FILE.lines()
        .filter(counts)
        .map(|line| {
            let (mut text, mut n, mut links, mut open) = (String::new(), 0, vec![], 0);
            for c in line.chars() {
                match c {
                    OPEN => open = n,
                    CLOSE => links.push((open, n)),
                    c => {
                        text.push(c);
                        n += 1;
                    }
                }
            }
            (text, links)
        })
        .collect()
}

/// Returns `text` in `charset`, if the charset can hold it.
fn document(text: &str, links: &[(usize, usize)], charset: Charset) -> Option<Document> {
    let bytes = cases::encode(text, charset)?;
    let chars = naive::decode(&bytes, charset);
    let same = chars.iter().map(|c| c.c).eq(text.chars().map(Some));
    let span = |&(s, e): &(usize, usize)| (chars[s].start as u64, chars[e - 1].end as u64);
    same.then(|| Document { charset, links: links.iter().map(span).collect(), bytes })
}

#[test]
fn the_test_file_in_every_charset_by_every_interface() {
    let lines = lines();
    assert_eq!(lines.len(), 345);
    let (mut ran, mut failures) = (0, vec![]);
    for (text, links) in &lines {
        let chars: Vec<Option<char>> = text.chars().map(Some).collect();
        assert_eq!(reference(&chars), *links, "the reference: {text:?}");
        let documents = cases::charsets().into_iter();
        let documents: Vec<_> = documents.filter_map(|it| document(text, links, it)).collect();
        let charsets: Vec<_> = documents.iter().map(|document| document.charset).collect();
        let every_split = cases::one_of_each_shape(&charsets, text.len());
        for document in documents {
            ran += 1;
            if let Err(way) = check(&document, every_split.contains(&document.charset)) {
                failures.push(format!("{text:?} in {}, {way}", document.charset));
            }
        }
    }
    println!("{ran} line × charset pairs ran");
    assert!(failures.is_empty(), "{} fail:\n{}", failures.len(), failures.join("\n"));
    // Five charsets can hold every line.
    let least = if cfg!(feature = "legacy-charsets") { 3000 } else { 5 * lines.len() };
    assert!(ran >= least, "only {ran} pairs ran");
}

fn check(document: &Document, every_split: bool) -> Result<(), String> {
    let (finder, bytes) = (finder(document.charset), &document.bytes[..]);
    let agree = |way: &str, got: ways::Outcome| {
        let same = got.links == document.links && got.all == bytes;
        if same { Ok(()) } else { Err(format!("{way}: {:?} {:?}", got.links, document.links)) }
    };
    agree("slice", ways::slice(&finder, bytes))?;
    agree("one push", ways::push(&finder, [bytes]))?;
    agree("byte by byte", ways::push(&finder, bytes.chunks(1)))?;
    for at in (0..=bytes.len()).filter(|_| every_split) {
        let (a, b) = bytes.split_at(at);
        agree(&format!("split at {at}"), ways::push(&finder, [a, b]))?;
    }
    #[cfg(feature = "bytes")]
    {
        agree("bytes", ways::segments(&finder, [bytes]))?;
        agree("bytes, 7 at a time", ways::segments(&finder, bytes.chunks(7)))?;
    }
    Ok(())
}

/// Returns the links of a text by sections 3 and 5 of UTS #58, as ranges of characters. `None` in
/// `text` is malformed bytes.
fn reference(text: &[Option<char>]) -> Vec<(usize, usize)> {
    let (mut out, mut floor, mut pos) = (vec![], 0, 0);
    loop {
        let Some(start) = (pos..text.len()).find(|&i| text[i].is_some_and(is_host)) else {
            return out;
        };
        let run_end = run_end(text, start);
        pos = run_end;
        // The text from here on is in no other link.
        let Some(bare_end) = domain(text, start, run_end) else { continue };
        let at = |i: usize| text.get(i).copied().flatten();
        if start > floor && at(start - 1) == Some('@') {
            if let Some(j) = local(text, start - 1, floor) {
                out.push((j, bare_end));
            }
            floor = bare_end.max(floor);
            continue;
        }
        // An address has no port, so any text may follow it (section 5.2).
        let Some(end) = port(text, run_end) else { continue };
        if bare_end == run_end && at(run_end) == Some('@') {
            let after = self::run_end(text, run_end + 1);
            if let Some(end) = domain(text, run_end + 1, after) {
                if let Some(j) = local(text, run_end, floor) {
                    out.push((j, end));
                }
                (floor, pos) = (end, after);
                continue;
            }
        }
        let scheme = ["https://", "http://"].into_iter().find_map(|scheme| {
            let n = scheme.chars().count();
            let from = start.checked_sub(n).filter(|from| *from >= floor)?;
            let same =
                |(c, want): (&Option<char>, char)| c.is_some_and(|c| c.eq_ignore_ascii_case(&want));
            text[from..start].iter().zip(scheme.chars()).all(same).then_some(from)
        });
        let mut e = tail(text, end);
        if e == end && end == run_end {
            e = bare_end;
        }
        out.push((scheme.unwrap_or(start), e));
        floor = e;
        pos = pos.max(e);
    }
}

fn is_host(c: char) -> bool {
    classes::is_standard_host(c)
}

fn run_end(text: &[Option<char>], from: usize) -> usize {
    let rest = &text[from.min(text.len())..];
    from + rest.iter().take_while(|c| c.is_some_and(is_host)).count()
}

/// Returns the end of the domain name that the run is, without a dot at its end (D3, D4).
fn domain(text: &[Option<char>], start: usize, end: usize) -> Option<usize> {
    let run: String = text.get(start..end)?.iter().flatten().collect();
    let dots = ['.', '。'];
    let name = run.strip_suffix(dots).unwrap_or(&run);
    let labels: Vec<&str> = name.split(dots).collect();
    let good = |l: &&str| !l.is_empty() && !l.starts_with('-') && !l.ends_with('-');
    let is = run.chars().count() <= MOST
        && labels.len() >= 2
        && labels.iter().all(good)
        && top_level::is_tld(labels[labels.len() - 1]);
    is.then(|| start + name.chars().count())
}

/// Returns the end of the port, or `at` if there is no port; `None` if the port is invalid (D5).
fn port(text: &[Option<char>], at: usize) -> Option<usize> {
    if text.get(at) != Some(&Some(':')) {
        return Some(at);
    }
    let digit = |c: &&Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let digits: String = text[at + 1..].iter().take_while(digit).flatten().collect();
    if digits.is_empty() {
        return Some(at);
    }
    let fits = digits.len() <= 5 && digits.parse::<u32>().is_ok_and(|port| port <= 65_535);
    fits.then(|| at + 1 + digits.len())
}

/// Returns the start of the address whose `@` is at `at` (E).
fn local(text: &[Option<char>], at: usize, floor: usize) -> Option<usize> {
    let part = |c: &&Option<char>| c.is_some_and(properties::is_link_email);
    let n = text[floor.min(at)..at].iter().rev().take_while(part).count();
    let local: String = text[at - n..at].iter().flatten().collect();
    let start = at - n;
    let before = |n: usize| start.checked_sub(n).filter(|i| *i >= floor).and_then(|i| text[i]);
    if n == 0 || n > MOST || local.starts_with('.') || local.ends_with('.') || local.contains("..")
    {
        return None;
    }
    if local.starts_with("//") && before(1) == Some(':') {
        return None;
    }
    let word: String = (1..=7).rev().filter_map(before).collect();
    let mailto = word.eq_ignore_ascii_case("mailto:");
    Some(if mailto { start - 7 } else { start })
}

/// Returns the end of the path, query and fragment that may start at `p` (T).
fn tail(text: &[Option<char>], p: usize) -> usize {
    let mut part = match text.get(p) {
        Some(Some(c @ ('/' | '?' | '#'))) => *c,
        _ => return p,
    };
    let (mut safe, mut stack) = (p + 1, vec![]);
    for i in p + 1..text.len() {
        let Some(c) = text[i] else { return safe };
        if (part == '/' && c == '?') || (matches!(part, '/' | '?') && c == '#') {
            part = c;
            safe = i + 1;
            stack.clear();
            continue;
        }
        let directive =
            matches!(part, '#' | '~') && text[i..].starts_with(&[Some(':'), Some('~'), Some(':')]);
        if directive {
            part = '~';
        }
        let separates = match part {
            '/' => c == '/',
            '?' => matches!(c, '=' | '&'),
            '~' => directive || matches!(c, '=' | '&' | ','),
            _ => false,
        };
        if separates {
            stack.clear();
        }
        match properties::link_term(c) {
            LinkTerm::Include => safe = i + 1,
            LinkTerm::Hard => return safe,
            LinkTerm::Soft => {}
            LinkTerm::Open => {
                if stack.len() == 125 {
                    return safe;
                }
                stack.push(c);
                safe = i + 1;
            }
            LinkTerm::Close => match stack.pop() {
                Some(open) if properties::closing_bracket(open) == Some(c) => safe = i + 1,
                _ => return safe,
            },
        }
    }
    safe
}

/// The pieces of hostile text for UTS #58.
const PIECES: &[&str] = &[
    ".",
    "..",
    "。",
    "．",
    "｡",
    "@",
    "-",
    "_",
    "a",
    "b1",
    "example",
    "com",
    ".com",
    ".com",
    "a.com",
    "a.com",
    "b.org.",
    "例え.jp",
    "müller.de",
    "δοκιμή.gr",
    ".рф",
    "пример.рф",
    "x。com",
    "a.zzz",
    "www.",
    "mailto:",
    "MAILTO:",
    "http://",
    "https://",
    "HTTP://",
    "ftp://",
    "//",
    "://",
    "/",
    "?",
    "#",
    ":",
    ":80",
    ":99999",
    ":123456",
    ":~:",
    "~",
    "=",
    "&",
    ",",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "「",
    "」",
    "<",
    ">",
    "\"",
    "'",
    "!",
    ";",
    "…",
    "、",
    "，",
    "\u{200B}",
    "\u{AD}",
    "\u{E000}",
    " ",
    " ",
    "\n",
    "　",
    "\u{200D}",
    "日",
    "本",
    "ü",
    "e\u{301}",
    "😀",
    "`",
    "|",
    "*",
    "+",
    "%41",
    "john.doe",
    "@a.com",
    "u@b.com",
    "\\",
];

fn hostile() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..24).prop_map(|p| p.concat())
}

fn held(text: &str, charset: Charset) -> Vec<u8> {
    let kept: String =
        text.chars().filter(|c| cases::encode(&String::from(*c), charset).is_some()).collect();
    cases::encode(&kept, charset).unwrap_or_default()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: laws::cases_count(), ..ProptestConfig::default() })]

    /// The engine finds what the specification says.
    #[test]
    fn the_engine_follows_uts58(
        text in hostile(),
        charset in prop::sample::select(cases::charsets()),
        noise in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..3),
        noisy in any::<bool>(),
    ) {
        let mut bytes = held(&text, charset);
        for (at, byte) in noise {
            if noisy && !bytes.is_empty() {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
        }
        let got = ways::slice(&finder(charset), &bytes);
        let read = got.charset.unwrap_or(charset);
        let mut chars = naive::decode(&bytes, read);
        // A byte order mark is not text.
        if chars.first().is_some_and(|c| c.c == Some('\u{FEFF}')) {
            chars[0].c = None;
        }
        let flat: Vec<Option<char>> = chars.iter().map(|c| c.c).collect();
        let want: Vec<(u64, u64)> = reference(&flat)
            .into_iter()
            .map(|(s, e)| (chars[s].start as u64, chars[e - 1].end as u64))
            .collect();
        let text: String = flat.iter().map(|c| c.unwrap_or('\u{FFFD}')).collect();
        prop_assert_eq!(got.links, want, "{} {:?}", read, text);
    }
}
