//! Regular expressions.

use alloc::{string::String, vec::Vec};

use regex_automata::{Input, meta::Regex, util::syntax};

use super::error::{FilterError, FilterErrorKind};

/// The memory for the patterns of a regular expression, compiled, in bytes.
const REGEX_MAX: usize = 10 << 20;
/// The memory for the states that a search has seen, in bytes, for each thread.
const CACHE_MAX: usize = 2 << 20;

/// Regular expressions.
pub(super) struct Patterns {
    given: Vec<String>,
    regex: Regex,
}

impl PartialEq for Patterns {
    fn eq(&self, other: &Patterns) -> bool {
        self.given == other.given
    }
}

impl Eq for Patterns {}

impl Patterns {
    /// Compiles regular expressions into one; `None` if `given` is empty.
    pub(super) fn new(
        kind: FilterErrorKind,
        given: Vec<String>,
    ) -> Result<Option<Patterns>, FilterError> {
        if given.is_empty() {
            return Ok(None);
        }
        let config = Regex::config()
            .nfa_size_limit(Some(REGEX_MAX))
            .onepass_size_limit(Some(REGEX_MAX))
            .hybrid_cache_capacity(CACHE_MAX);
        match Regex::builder().configure(config).syntax(syntax::Config::new()).build_many(&given) {
            Ok(regex) => Ok(Some(Patterns { given, regex })),
            Err(e) => Err(FilterError::of_regex(kind, &given, &e)),
        }
    }

    pub(super) fn given(&self) -> &[String] {
        &self.given
    }

    /// True if one of them has a match in `iri`.
    pub(super) fn is_match(&self, iri: &str) -> bool {
        self.regex.is_match(Input::new(iri).earliest(true))
    }
}
