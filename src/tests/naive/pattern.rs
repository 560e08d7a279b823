//! Regular expressions, each compiled once.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    string::{String, ToString},
};

use regex_automata::meta::Regex;

std::thread_local! {
    static COMPILED: RefCell<BTreeMap<String, Regex>> = const { RefCell::new(BTreeMap::new()) };
}

/// Returns the compiled pattern.
pub(super) fn regex(pattern: &str) -> Regex {
    COMPILED.with_borrow_mut(|compiled| {
        let new = || Regex::new(pattern).unwrap_or_else(|e| panic!("{pattern}: {e}"));
        compiled.entry(pattern.to_string()).or_insert_with(new).clone()
    })
}

/// True if the pattern is somewhere in `text`.
pub(super) fn matches(pattern: &str, text: &str) -> bool {
    regex(pattern).is_match(text)
}

/// Returns what the first group of the pattern holds in `text`.
pub(super) fn group<'t>(pattern: &str, text: &'t str) -> Option<&'t str> {
    let regex = regex(pattern);
    let mut groups = regex.create_captures();
    regex.captures(text, &mut groups);
    groups.get_group(1).map(|span| &text[span.range()])
}
