//! The errors of patterns and lists: the mistake, and its place.

use alloc::{
    format,
    string::{String, ToString},
};
use core::fmt;

use super::glob::Fault;
use crate::data::names::named;

/// A pattern that [`FilterBuilder::build`](super::FilterBuilder::build) refuses.
///
/// ```
/// use iriscan::Filter;
///
/// let error = Filter::builder().only_host("http://a.example").build().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "only_host: \"http://a.example\": no host has ':', character 5; \
///      give a host, such as example.org or *.example.org",
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterError {
    kind: FilterErrorKind,
    pattern: String,
    why: String,
    offset: Option<usize>,
    advice: &'static str,
}

/// The condition that a pattern was given for; its name is that of the option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FilterErrorKind {
    /// [`FilterBuilder::only_host`](super::FilterBuilder::only_host).
    OnlyHost,
    /// [`FilterBuilder::not_host`](super::FilterBuilder::not_host).
    NotHost,
    /// `FilterBuilder::matching`.
    Match,
    /// `FilterBuilder::not_matching`.
    NotMatch,
    /// [`FilterBuilder::contains`](super::FilterBuilder::contains): there are too many strings.
    Contains,
}

named! {
    FilterErrorKind is "a condition of a filter":
    OnlyHost = "only_host",
    NotHost = "not_host",
    Match = "match",
    NotMatch = "not_match",
    Contains = "contains_from",
}

const GIVE_A_HOST: &str = "give a host, such as example.org or *.example.org";
#[cfg(feature = "regex")]
const GIVE_A_REGEX: &str = "correct it; a backslash takes the meaning from a character";
const TOO_LARGE: &str = "give fewer or shorter ones, with smaller numbers of repetitions";

impl FilterError {
    pub(super) fn of_glob(kind: FilterErrorKind, pattern: String, fault: Fault) -> FilterError {
        let (why, offset) = fault;
        FilterError { kind, pattern, why, offset, advice: GIVE_A_HOST }
    }

    #[cfg(feature = "regex")]
    pub(super) fn of_regex(
        kind: FilterErrorKind,
        patterns: &[String],
        e: &regex_automata::meta::BuildError,
    ) -> FilterError {
        let pattern = match e.pattern() {
            Some(id) => patterns[id.as_usize()].clone(),
            None => patterns.join("|"),
        };
        let (why, offset) = match e.syntax_error() {
            Some(regex_syntax::Error::Parse(e)) => {
                (e.kind().to_string(), Some(e.span().start.offset))
            }
            Some(regex_syntax::Error::Translate(e)) => {
                (e.kind().to_string(), Some(e.span().start.offset))
            }
            _ => {
                let why = match e.size_limit() {
                    Some(limit) => format!("it takes more than {} MiB compiled", limit >> 20),
                    None => e.to_string(),
                };
                return FilterError { kind, pattern, why, offset: None, advice: TOO_LARGE };
            }
        };
        FilterError { kind, pattern, why, offset, advice: GIVE_A_REGEX }
    }

    /// The strings have so many bytes, and `most` are allowed.
    pub(super) fn of_many_literals(len: usize, most: usize) -> FilterError {
        FilterError {
            kind: FilterErrorKind::Contains,
            pattern: String::new(),
            why: format!("the strings have {len} bytes together, and {most} are the most"),
            offset: None,
            advice: "give fewer or shorter ones",
        }
    }

    pub(super) fn of_literals(e: &aho_corasick::BuildError) -> FilterError {
        FilterError {
            kind: FilterErrorKind::Contains,
            pattern: String::new(),
            why: e.to_string(),
            offset: None,
            advice: TOO_LARGE,
        }
    }

    /// The condition that the pattern was given for.
    #[must_use]
    pub fn kind(&self) -> FilterErrorKind {
        self.kind
    }

    /// The pattern.
    #[must_use]
    pub fn pattern(&self) -> &str {
        &self.pattern
    }

    /// Where the fault is in the pattern, in bytes; `None` if it is all of it.
    #[must_use]
    pub fn offset(&self) -> Option<usize> {
        self.offset
    }
}

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FilterError { kind, pattern, why, offset, advice } = self;
        write!(f, "{kind}: ")?;
        if !pattern.is_empty() {
            write!(f, "{:?}: ", shortened(pattern))?;
        }
        f.write_str(why)?;
        if let Some(at) = offset {
            let before = pattern.get(..*at).unwrap_or(pattern).chars().count();
            write!(f, ", character {}", before + 1)?;
        }
        write!(f, "; {advice}")
    }
}

impl core::error::Error for FilterError {}

/// The start of a pattern, if it is too long for a message.
fn shortened(pattern: &str) -> String {
    match pattern.char_indices().nth(200) {
        Some((at, _)) => format!("{}…", &pattern[..at]),
        None => pattern.to_string(),
    }
}
