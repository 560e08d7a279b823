//! What a link opens, in another parser of URLs: the host that iriscan says, or a warning that says which other
//! host a browser opens.

use iriscan::Warning;
use proptest::prelude::*;

use crate::{Config, Finder, Kind};

/// Links, and where the characters come: `¦` is the first one, `‖` the second.
const PLACES: [&str; 22] = [
    "https://¦example.com/",
    "https://¦‖.example.com",
    "https://ex¦‖ample.com/x",
    "https://example¦.com",
    "https://example.¦com",
    "https://example.com¦‖",
    "https://example.com¦‖example.org/",
    "https://example.com¦@‖example.org/",
    "https://example.com:80¦/",
    "https://example.com:8¦0‖",
    "https://user¦:‖@example.com/",
    "http://192.168.0.1¦‖",
    "http://192.168¦0.1/‖",
    "http://1¦.2‖",
    "http://localhost¦‖/",
    "http:¦//example.com/‖",
    "<https://ex¦ample.com‖>",
    "\"https://example.com¦\\‖\"",
    "¦www.example.com‖",
    "www.ex¦ample.com‖",
    "example.com¦‖example.org",
    "ftp://ex¦ample.com‖",
];

fn finder() -> Finder {
    Config::new()
        .kinds([Kind::Iri, Kind::Bare])
        .charset(crate::Charset::UTF_8)
        .build()
        .expect("the options should be valid")
}

/// A character of any script; punctuation, forms of other characters and ASCII more often.
fn character() -> impl Strategy<Value = char> {
    prop_oneof![
        2 => prop::char::range('\0', '\u{17F}'),
        1 => prop::char::range('\u{2000}', '\u{2BFF}'),
        1 => prop::char::range('\u{3000}', '\u{33FF}'),
        1 => prop::char::range('\u{FE00}', '\u{FFFF}'),
        1 => prop::char::range('\u{1D400}', '\u{1F2FF}'),
        2 => any::<char>(),
    ]
}

/// The host that a browser reads in `url`.
fn host(url: &str) -> Option<String> {
    url::Url::parse(url).ok()?.host_str().map(String::from)
}

/// The first link of `text` that opens another host than it says, without a warning.
fn fault(finder: &Finder, text: &str) -> Option<String> {
    finder.find_iter(text).find_map(|link| {
        let open = link.open().ok()?;
        let theirs = host(&open)?;
        let ours = host(&["http://", &link.host()?, "/"].concat());
        let warned = || link.warnings().contains(&Warning::BrowserHost);
        let same = ours.as_deref() == Some(&theirs);
        (!same && !warned())
            .then(|| format!("{text:?}: {:?} opens {open:?}, which is {theirs:?}", link.text()))
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 16 * ProptestConfig::default().cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_browser_opens_the_host_that_the_link_has(first in character(), second in character()) {
        let finder = finder();
        for place in PLACES {
            let text: String = place
                .chars()
                .map(|c| match c {
                    '¦' => first,
                    '‖' => second,
                    c => c,
                })
                .collect();
            prop_assert_eq!(fault(&finder, &text), None);
        }
    }
}
