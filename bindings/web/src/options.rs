//! A finder from its options, as words of the command line.

use std::fmt::Display;

use iriscan::{Config, Finder, Kind, RuleSet, Schemes};
#[cfg(not(iriscan_strings))]
use {
    iriscan::{Charset, HostList, NameError},
    std::str::FromStr,
};

/// The strings of the input, each after its length in four bytes, least significant first.
pub(crate) fn strings(mut input: &[u8]) -> Vec<&str> {
    let mut strings = Vec::new();
    while let Some((len, rest)) = input.split_first_chunk() {
        let Some((text, rest)) = rest.split_at_checked(u32::from_le_bytes(*len) as usize) else {
            break;
        };
        strings.push(str::from_utf8(text).unwrap_or_default());
        input = rest;
    }
    strings
}

/// The value that `word` names, for the option `name`.
#[cfg(not(iriscan_strings))]
pub(crate) fn value<T: FromStr<Err = NameError>>(name: &str, word: &str) -> Result<T, String> {
    word.parse().map_err(|e| wrong(name, e))
}

/// The charset with this label.
#[cfg(not(iriscan_strings))]
pub(crate) fn charset(name: &str, label: &str) -> Result<Charset, String> {
    Charset::for_label(label).map_err(|e| wrong(name, e))
}

fn wrong(name: &str, why: impl Display) -> String {
    format!("{name}: {why}")
}

/// The name that the library has for the option `name`: with `_` before a capital letter.
fn snake(name: &str) -> String {
    let mut snake = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
    }
    snake
}

/// The name in JavaScript of the option that the library calls `name`.
fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |camel, word| {
        let (head, rest) = word.split_at_checked(1).unwrap_or((word, ""));
        camel + &head.to_ascii_uppercase() + rest
    })
}

/// The finder with the options of `input`: strings that are names and values by turns. The same name
/// comes once for each value of a list. `core.js` has checked the types.
pub(crate) fn finder(input: &[u8]) -> Result<Finder, String> {
    let strings = strings(input);
    let given: Vec<(String, &str)> =
        strings.chunks_exact(2).map(|two| (snake(two[0]), two[1])).collect();
    #[cfg(not(feature = "all"))]
    if let Some((name, _)) =
        given.iter().find(|(name, _)| ["match", "not_match"].contains(&&**name))
    {
        return Err(wrong(&camel(name), "this build is for text; import \"iriscan\""));
    }
    let pairs = given.iter().map(|(name, value)| (&**name, *value));
    let config = Config::new().set_all(pairs).map_err(|e| wrong(&camel(e.option()), e.reason()))?;
    #[cfg(not(iriscan_strings))]
    if let Some(filter) = config.get_filter() {
        let lists =
            [("hostsFrom", filter.get_hosts_from()), ("notHostsFrom", filter.get_not_hosts_from())];
        for (name, lists) in lists {
            if let Some((_, first)) = lists.iter().find_map(HostList::left_out) {
                return Err(wrong(name, format!("line {first} has no host; give a host a line")));
            }
        }
    }
    config.build().map_err(|e| e.to_string())
}

/// See [`signs`](crate::signs).
pub(crate) fn signs(config: &Config) -> u32 {
    // A scheme that is not one of the common ones is known by its name, and needs no slashes after it.
    let is_named = match config.get_schemes() {
        Some(Schemes::List(names)) => {
            let common = Schemes::Common.to_string();
            names.iter().any(|name| !common.split(' ').any(|known| known == name))
        }
        _ => false,
    };
    let has = |kind| config.get_kinds().any(|one| one == kind);
    match config.get_rules() == RuleSet::Uts58 || is_named {
        true => 7,
        // The rules for hosts look at an `@` beside them.
        false => u32::from(has(Kind::Bare)) | u32::from(has(Kind::Bare) || has(Kind::Email)) << 1,
    }
}
