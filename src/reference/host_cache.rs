//! A cache of hosts, so that each host of a document is mapped and judged once.
//!
//! This file only stores results. Callers compute what is missing and store it.

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use super::warning::Warnings;

/// A cache of the last hosts of links, at most 128: their ASCII forms, the forms that are shown, and
/// their warnings. The results are those without a cache.
#[derive(Clone, Debug, Default)]
pub(crate) struct HostCache(Vec<Known>);

/// A host and the results for it; `None` if nobody has asked for one yet.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// In UTF-8.
    host: Vec<u8>,
    /// Its ASCII form by UTS #46, if it has one.
    pub(super) ascii: Option<Option<String>>,
    /// The form in which it is shown to people.
    pub(super) shown: Option<String>,
    /// The warnings about it.
    pub(super) warnings: Option<Warnings>,
}

/// How many hosts are kept.
const HOSTS: usize = 128;

/// A host may be in so many places, one after the other. The first one is chosen by its bytes.
const PLACES: usize = 4;

/// The longest host in bytes that has a choice. All longer ones share one place, so that little
/// memory is needed.
const HOST_MAX: usize = 255;

impl HostCache {
    /// An empty cache, which has no memory yet.
    #[must_use]
    pub(crate) const fn new() -> HostCache {
        HostCache(Vec::new())
    }

    /// The entry of `host`; a new one if it has none.
    pub(super) fn of(&mut self, host: &[u8]) -> &mut Known {
        if self.0.is_empty() {
            self.0.resize(HOSTS, Known::default());
        }
        let place = self.place(host);
        let known = &mut self.0[place];
        if known.host != host {
            *known = Known { host: host.to_owned(), ..Known::default() };
        }
        known
    }

    /// The place that has `host`; else one that is free, or that of the host that has to go.
    fn place(&self, host: &[u8]) -> usize {
        let sum = |sum: u32, b: &u8| (sum ^ u32::from(*b)).wrapping_mul(0x0100_0193);
        let first = match host.len() {
            ..=HOST_MAX => host.iter().fold(0x811C_9DC5, sum) as usize >> 8,
            _ => return 0,
        };
        let mut free = None;
        for place in (first..first + PLACES).map(|place| place % HOSTS) {
            let known = &self.0[place].host;
            if known == host {
                return place;
            }
            free = free.or(known.is_empty().then_some(place));
        }
        free.unwrap_or(first % HOSTS)
    }
}

#[cfg(test)]
mod tests {
    use std::{format, string::ToString};

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_known_of_a_host_is_not_that_of_another(
            numbers in prop::collection::vec(0..400_u32, 1..600),
        ) {
            let mut hosts = HostCache::new();
            for number in numbers {
                let host = format!("é{number}").repeat(if number % 50 == 0 { 60 } else { 1 });
                let known = hosts.of(host.as_bytes());
                prop_assert!(known.shown.as_ref().is_none_or(|shown| *shown == number.to_string()));
                known.shown = Some(number.to_string());
            }
        }
    }

    #[test]
    fn the_hosts_of_most_documents_are_all_kept() {
        let mut hosts = HostCache::new();
        let names = || (0..60).map(|number| format!("bücher{number}.example"));
        names().for_each(|name| hosts.of(name.as_bytes()).shown = Some(name.clone()));
        assert!(names().filter(|name| hosts.of(name.as_bytes()).shown.is_some()).count() >= 58);
    }
}
