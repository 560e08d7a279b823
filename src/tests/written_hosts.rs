//! A link in text leads to a host that the text has, between marks that a reader takes for its ends.
//!
//! Texts are made of links with a character of Unicode before, within or after a host, a port, a local part, an
//! IPv4 address or `localhost`. The test judges each link that is found without the reader's code: by the general
//! categories of characters, and by the characters next to the host. Only which characters are marks and letters
//! of unspaced scripts it asks the table that the reader uses.

use std::{format, string::String, vec::Vec};

use icu_normalizer::ComposingNormalizerBorrowed;
use icu_properties::{
    CodePointMapData,
    props::{GeneralCategory, GeneralCategoryGroup},
};
use proptest::prelude::*;

use crate::{
    api::{config::Config, finder::Finder},
    data::top_level,
    grammar::{classes, types::Kind},
    links::matched::Match,
    reference::{components::Components, host_name::comparable},
};

/// Links, and where the characters come: `¦` is the first one, `‖` the second.
const PLACES: [&str; 34] = [
    "https://¦example.com/",
    "https://¦‖.example.com",
    "https://ex¦ample.com/x",
    "https://ex¦‖ample.com",
    "https://www.ex¦ample.com/",
    "https://example¦.com",
    "https://example.¦com",
    "https://example.com¦",
    "https://example.com¦‖",
    "https://example.com¦/x",
    "https://example.com.¦ x",
    "https://example.com¦https://example.org‖",
    "https://example.com:80¦",
    "https://example.com:8¦0/",
    "https://user¦@example.com/",
    "http://192.168.0.1¦",
    "http://192.168¦0.1/",
    "http://192.16¦8.0.1/‖",
    "http://localhost¦",
    "http://local¦host/",
    "http://localhost:8080¦",
    "<https://ex¦ample.com>",
    "\"https://example.com¦\"",
    "¦www.example.com",
    "‖¦example.org",
    "www.ex¦ample.com",
    "www.example.com¦",
    "example.com¦example.org",
    "example.com¦‖ example.org¦.",
    "¦joe@example.com",
    "joe¦@example.com",
    "joe@ex¦ample.com",
    "joe@example.com¦",
    "joe@example.com¦ann@example.org‖",
];

/// The text of a place with these characters.
pub(super) fn text(first: char, second: char, place: usize) -> String {
    let chars = PLACES[place % PLACES.len()].chars().map(|c| match c {
        '¦' => first,
        '‖' => second,
        c => c,
    });
    chars.collect()
}

pub(super) fn finder() -> Finder {
    let kinds = [Kind::Iri, Kind::Bare, Kind::Email];
    Config::new()
        .charset(crate::Charset::UTF_8)
        .kinds(kinds)
        .build()
        .expect("the options should be valid")
}

fn category(c: char) -> GeneralCategory {
    CodePointMapData::<GeneralCategory>::new().get(c)
}

/// True for what a reader takes for a part of a word in a script with spaces.
fn is_word(c: char) -> bool {
    let group = |group: GeneralCategoryGroup| group.contains(category(c));
    let letter = group(GeneralCategoryGroup::Letter) || group(GeneralCategoryGroup::Mark);
    let number = category(c) == GeneralCategory::DecimalNumber;
    let selector = matches!(c, '\u{FE0E}' | '\u{FE0F}' | '\u{20E3}');
    let seen = !selector && !is_unseen(c);
    matches!(c, '-' | '_')
        || seen && (letter || number) && !classes::is_unspaced_letter(c) && !is_beside(c)
}

/// True for forms of half and of full width.
fn is_wide(c: char) -> bool {
    matches!(c, '\u{FF00}'..='\u{FFEF}')
}

/// True for the marks of notes and middle dots.
fn is_beside(c: char) -> bool {
    let mark = matches!(category(c), GeneralCategory::OtherNumber) || classes::is_mark(c);
    mark || "·\u{387}・･་".contains(c)
}

/// True for what UTS #46 leaves out, or nobody sees.
fn is_unseen(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{34F}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}'
        | '\u{200B}'..='\u{200D}' | '\u{2060}'..='\u{2064}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}'
        | '\u{FFA0}' | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
}

/// True if the name ends as complete hosts do.
fn is_complete(host: &str) -> bool {
    let labels: Vec<&str> = host.trim_end_matches('.').split('.').collect();
    let [.., last] = labels[..] else { return false };
    let numbers = labels.iter().all(|l| !l.is_empty() && l.bytes().all(|b| b.is_ascii_digit()));
    host == "localhost"
        || numbers && labels.len() == 4
        || labels.len() > 1 && (top_level::is_tld(last) || !last.is_ascii())
}

/// The host of `link` as it is written, with its place in the link.
fn written(link: &Match<'_>) -> Option<(usize, String)> {
    let text = link.text().into_owned();
    if text.contains(['\r', '\n']) {
        // Wrapped between `<` and `>`.
        return None;
    }
    let (skip, text) = match link.kind() {
        Kind::Iri => (0, text),
        Kind::Bare => (2, format!("//{text}")),
        // Nothing opens it.
        Kind::Ip => return None,
        Kind::Email => {
            let at = text.rfind('@')?;
            return Some((at + 1, text[at + 1..].into()));
        }
    };
    let host = Components::split(&text).host()?;
    let at = host.as_ptr() as usize - text.as_ptr() as usize - skip;
    Some((at, host.into()))
}

/// The host that `open` leads to.
pub(super) fn opened(open: &str) -> Option<&str> {
    match open.strip_prefix("mailto:") {
        Some(address) => address.split('?').next()?.rsplit_once('@').map(|(_, domain)| domain),
        None => Components::split(open).host(),
    }
}

/// The first fault of a link of `text`; `None` if there is no fault.
pub(super) fn fault(finder: &Finder, text: &str) -> Option<String> {
    finder.find_iter(text).find_map(|link| {
        let open = link.open().ok()?;
        let (at, host) = written(&link)?;
        let range = link.range();
        let start = range.start + at;
        let what = wrong(text, &link, (start, &host), &open)?;
        Some(format!(
            "{what}: {host:?} of {:?} opens {open:?} in {:?}",
            link.text(),
            context(text, start)
        ))
    })
}

fn context(text: &str, at: usize) -> &str {
    let line = text[..at].rfind('\n').map_or(0, |n| n + 1);
    text[line..].split('\n').next().unwrap_or_default()
}

fn wrong(
    text: &str,
    link: &Match<'_>,
    (start, host): (usize, &str),
    open: &str,
) -> Option<&'static str> {
    let (before, after) = (&text[..start], &text[start + host.len()..]);
    // The link opens the host that is written.
    let numbers = host.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    if !numbers && opened(open).is_none_or(|it| comparable(it) != comparable(host)) {
        return Some("another host");
    }
    if host.chars().any(|c| category(c) == GeneralCategory::OtherNumber || classes::is_mark(c)) {
        return Some("a mark in a host");
    }
    let letters: Vec<char> = host.chars().collect();
    for (i, c) in letters.iter().enumerate().filter(|(_, c)| "·\u{387}・･".contains(**c)) {
        let sides = [i.checked_sub(1).map(|i| letters[i]), letters.get(i + 1).copied()];
        let l = sides.iter().all(|side| side.is_some_and(|c| matches!(c, 'l' | 'L')));
        let east = |side: &Option<char>| {
            side.is_some_and(|c| classes::is_unspaced_letter(c) && c >= '\u{2E80}')
        };
        if !(if "·\u{387}".contains(*c) { l } else { sides.iter().any(east) }) {
            return Some("a bullet in a host");
        }
    }
    // Symbols are written as they are opened.
    let symbol = |c: &char| !c.is_ascii() && !is_unseen(*c) && !is_word(*c) && !is_beside(*c);
    for c in letters.into_iter().filter(symbol) {
        let alone = ComposingNormalizerBorrowed::new_nfc()
            .normalize(c.encode_utf8(&mut [0; 4]))
            .into_owned();
        let mapped = idna::domain_to_unicode(&comparable(&alone)).0;
        let groups = [GeneralCategoryGroup::Letter, GeneralCategoryGroup::Mark];
        let letter = groups.into_iter().any(|group| group.contains(category(c)));
        let dot = matches!(c, '。' | '．' | '｡');
        if !letter && !dot && !is_wide(c) && mapped != alone {
            return Some("a symbol that is mapped");
        }
    }
    if link.kind() == Kind::Bare && is_half_before(before) {
        return Some("the second half of a host");
    }
    is_half_after(host, after, link.kind()).then_some("the first half of a host")
}

/// True if a name goes on before these characters.
fn is_half_before(before: &str) -> bool {
    // Characters that are in no link end one although nobody sees them.
    let selector = |c: char| matches!(c, '\u{FE0E}' | '\u{FE0F}');
    let unseen = |c: char| is_unseen(c) && !selector(c) && !classes::never_in_link(c);
    let text = before.trim_end_matches(unseen);
    let Some(c) = text.chars().next_back() else { return false };
    if is_beside(c) && !"·\u{387}・･་".contains(c) {
        let rest = text.trim_end_matches(is_beside);
        let name = rest.rsplit(|c: char| !(c.is_ascii_alphanumeric() || "-.".contains(c)));
        let host = name.clone().next().is_some_and(is_complete);
        return rest.strip_suffix('.').unwrap_or(rest).ends_with(is_word) && !host;
    }
    // `__x` and the like are emphasis.
    // A host may end before what nobody sees.
    let name = |c: char| !(c.is_ascii_alphanumeric() || "-.".contains(c));
    let host = text.len() < before.len() && text.rsplit(name).next().is_some_and(is_complete);
    is_word(c) && c != '_' && c != '-' && !host
}

/// True if the name `host` goes on after it.
fn is_half_after(host: &str, after: &str, kind: Kind) -> bool {
    let mut chars = after.chars();
    let (first, next) = (chars.next(), chars.next());
    let Some(c) = first else { return false };
    let label = |c: Option<char>| c.is_some_and(|c| is_word(c) && c != '_' && c != '-');
    match c {
        '.' | '-' | '_' => label(next),
        c if is_beside(c) && !"·\u{387}・･་".contains(c) => {
            let rest = after.trim_start_matches(is_beside);
            let tld = host.rsplit('.').next().is_some_and(top_level::is_tld);
            let sure = tld
                || host == "localhost"
                || is_complete(host) && host.ends_with(|c: char| c.is_ascii_digit());
            match rest.strip_prefix('.') {
                Some(rest) => label(rest.chars().next()),
                None => label(rest.chars().next()) && !sure,
            }
        }
        c if is_word(c) => true,
        // Half a host that is not complete.
        c if !c.is_ascii() && kind == Kind::Iri && !is_complete(host) => {
            let name = after[c.len_utf8()..]
                .split(|c: char| !(c.is_ascii_alphanumeric() || "-.".contains(c)));
            name.clone().next().is_some_and(|name| {
                name.trim_end_matches('.').contains('.')
                    && name.starts_with(|c: char| c.is_ascii_alphanumeric())
                    && !c.is_whitespace()
                    && !classes::never_in_link(c)
            })
        }
        _ => false,
    }
}

/// Every character, and those that matter more often.
fn character() -> impl Strategy<Value = char> {
    let marks: Vec<char> = ('\u{80}'..='\u{1FFFF}').filter(|c| is_beside(*c)).collect();
    let mapped = [
        ('\u{2000}', '\u{2BFF}'),
        ('\u{3000}', '\u{33FF}'),
        ('\u{FE00}', '\u{FFFF}'),
        ('\u{1D400}', '\u{1F2FF}'),
    ];
    let mapped = mapped.map(|(from, to)| prop::char::range(from, to));
    let [punctuation, east, forms, symbols] = mapped;
    prop_oneof![
        2 => prop::sample::select(marks),
        1 => prop_oneof![punctuation, east, forms, symbols],
        1 => prop::char::range('\0', '\u{17F}'),
        1 => prop::char::range('\u{180}', '\u{FFFF}'),
        1 => any::<char>(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 8 * ProptestConfig::default().cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// Each case has a text for each place.
    #[test]
    fn links_lead_to_hosts_that_are_written((first, second) in (character(), character())) {
        let finder = finder();
        for place in 0..PLACES.len() {
            let text = text(first, second, place);
            prop_assert_eq!(fault(&finder, &text), None);
        }
    }
}

/// Each character in each place: 38 million texts.
#[test]
#[ignore = "takes minutes"]
fn with_every_character_links_lead_to_hosts_that_are_written() {
    let finder = finder();
    let (mut texts, mut faults) = (0, Vec::new());
    for c in '\0'..=char::MAX {
        for place in 0..PLACES.len() {
            texts += 1;
            faults.extend(fault(&finder, &text(c, '①', place)).map(|it| (c, it)));
        }
    }
    std::println!("{texts} texts");
    let shown: Vec<String> =
        faults.iter().take(200).map(|(c, it)| format!("U+{:04X} {it}", u32::from(*c))).collect();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), shown.join("\n"));
}
