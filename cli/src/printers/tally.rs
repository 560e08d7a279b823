//! `find --count-by`: how often each value of a field is there; `--stats` counts hosts with it too.
//!
//! In go links; out come numbers, the largest first. What must hold: the counts of the pieces of an
//! input add up to those of the whole, and equal numbers are in the order of the values.

use std::{
    cmp::Reverse,
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use foldhash::quality::RandomState;
use iriscan::Match;

use crate::{args::find::CountByArg, messages::text::one_record};

/// The value of links that have none.
const NONE: &str = "-";

/// Numbers of values.
#[derive(Debug, Default)]
pub(crate) struct Tally(HashMap<String, u64, RandomState>);

impl Tally {
    /// Counts a link by `field`.
    pub(crate) fn link(&mut self, field: CountByArg, link: &Match<'_>) {
        match field {
            CountByArg::Host => self.host(link),
            CountByArg::Domain => self.add(link.domain().as_deref().unwrap_or(NONE), 1),
            CountByArg::Scheme => self.add(link.scheme().as_deref().unwrap_or(NONE), 1),
            CountByArg::Kind => self.add(link.kind().as_str(), 1),
            CountByArg::Charset => self.add(link.charset().name(), 1),
            CountByArg::Warning => {
                link.warnings().iter().for_each(|warning| self.add(warning.as_str(), 1));
            }
            CountByArg::Uri => match link.uri() {
                Ok(uri) => self.add(uri.as_str(), 1),
                Err(_) => self.add(&one_record(&link.iri()), 1),
            },
        }
    }

    /// Counts a link by its host; both forms of an internationalised one are the same.
    pub(crate) fn host(&mut self, link: &Match<'_>) {
        self.add(&one_record(link.host_key().as_deref().unwrap_or(NONE)), 1);
    }

    fn add(&mut self, value: &str, n: u64) {
        match self.0.get_mut(value) {
            Some(count) => *count += n,
            None => {
                self.0.insert(value.to_owned(), n);
            }
        }
    }

    /// Adds the counts of a piece or of another input, and resets them.
    pub(crate) fn merge(&mut self, piece: &mut Tally) {
        for (value, n) in std::mem::take(&mut piece.0) {
            *self.0.entry(value).or_default() += n;
        }
    }

    /// The values and their numbers, the largest first, and at most so many.
    pub(crate) fn most(&self, at_most: usize) -> Vec<(&str, u64)> {
        let mut all: Vec<_> = self.0.iter().map(|(value, n)| (&**value, *n)).collect();
        all.sort_unstable_by_key(|(value, n)| (Reverse(*n), *value));
        all.truncate(at_most);
        all
    }
}

/// The counts of all inputs, for all threads.
#[derive(Debug, Default)]
pub(crate) struct SharedTally(Mutex<Tally>);

impl SharedTally {
    /// Adds the counts of an input.
    pub(crate) fn add(&self, mut tally: Tally) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).merge(&mut tally);
    }

    /// The counts.
    pub(crate) fn into_inner(self) -> Tally {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}
