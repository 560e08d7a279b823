//! Choosing links: by their host, by their reference, and by whether rewriting changes them.
//!
//! Patterns and lists go in; whether a link is chosen comes out. A link that is not chosen is
//! text. Invariant: the time for a link is linear in its length, whatever the patterns are.

mod error;
pub(super) mod glob;
mod hash_table;
mod hosts;
#[cfg_attr(not(feature = "regex"), path = "no_patterns.rs")]
mod patterns;

use alloc::{string::String, sync::Arc, vec::Vec};
use core::fmt;

use aho_corasick::AhoCorasick;

pub use self::{
    error::{FilterError, FilterErrorKind},
    hosts::HostList,
};
use self::{
    glob::{HostGlob, unicode_form},
    patterns::Patterns,
};
use super::matched::Match;
use crate::reference::host_name::comparable;

/// Which of the links that are found count: by host, by text, or by whether rewriting changes
/// them.
///
/// [`Filter::builder`] makes one, and [`Config::filter`](crate::Config::filter) gives it to a
/// finder. For all that the finder does (iterators, scanners, rewriting, mail), a link that is not
/// chosen is text. A filter is cheap to clone.
///
/// ```
/// use iriscan::{Config, Filter};
///
/// let filter = Filter::builder().only_host("*.example.org").not_matching(r"\.(png|css)$").build()?;
/// let finder = Config::new().filter(filter).build()?;
/// let text = "http://a.example.org/x http://a.example.org/x.png http://example.com/";
/// let links: Vec<_> = finder.find_iter(text).map(|link| link.text()).collect();
/// assert_eq!(links, ["http://a.example.org/x"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Filter(Arc<Chosen>);

/// The options, compiled.
#[derive(PartialEq, Eq)]
struct Chosen {
    only_hosts: Vec<HostGlob>,
    not_hosts: Vec<HostGlob>,
    hosts_from: Vec<HostList>,
    not_hosts_from: Vec<HostList>,
    matching: Option<Patterns>,
    not_matching: Option<Patterns>,
    contains: Option<Literals>,
    changed: bool,
    links_only: bool,
}

/// Literal strings.
struct Literals {
    given: Vec<String>,
    search: AhoCorasick,
}

impl PartialEq for Literals {
    fn eq(&self, other: &Literals) -> bool {
        self.given == other.given
    }
}

impl Eq for Literals {}

impl fmt::Debug for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Filter")
            .field("only_host", &self.get_only_host().collect::<Vec<_>>())
            .field("not_host", &self.get_not_host().collect::<Vec<_>>())
            .field("hosts_from", &self.0.hosts_from)
            .field("not_hosts_from", &self.0.not_hosts_from)
            .field("matching", &self.get_matching())
            .field("not_matching", &self.get_not_matching())
            .field("contains", &self.get_contains().map(<[String]>::len))
            .field("changed", &self.0.changed)
            .field("links_only", &self.0.links_only)
            .finish()
    }
}

impl Filter {
    /// A builder without any condition.
    pub fn builder() -> FilterBuilder {
        FilterBuilder::default()
    }

    /// Whether `link` is chosen.
    ///
    /// ```
    /// use iriscan::{Filter, Finder};
    ///
    /// let filter = Filter::builder().contains(["/wiki/", "/doc/"]).build()?;
    /// let text = "http://a.example/wiki/x http://a.example/about";
    /// let chosen: Vec<_> = Finder::new().find_iter(text).map(|link| filter.chooses(&link)).collect();
    /// assert_eq!(chosen, [true, false]);
    /// # Ok::<(), iriscan::FilterError>(())
    /// ```
    #[must_use]
    pub fn chooses(&self, link: &Match<'_>) -> bool {
        let chosen = &*self.0;
        chosen.by_host(link)
            && chosen.by_text(link)
            && (!chosen.changed || link.changes_by_rewriting())
            && (!chosen.links_only || link.is_followed())
    }

    /// The patterns of [`FilterBuilder::only_host`].
    pub fn get_only_host(&self) -> impl Iterator<Item = &str> {
        self.0.only_hosts.iter().map(|glob| &*glob.given)
    }

    /// The patterns of [`FilterBuilder::not_host`].
    pub fn get_not_host(&self) -> impl Iterator<Item = &str> {
        self.0.not_hosts.iter().map(|glob| &*glob.given)
    }

    /// The lists of [`FilterBuilder::hosts_from`].
    #[must_use]
    pub fn get_hosts_from(&self) -> &[HostList] {
        &self.0.hosts_from
    }

    /// The lists of [`FilterBuilder::not_hosts_from`].
    #[must_use]
    pub fn get_not_hosts_from(&self) -> &[HostList] {
        &self.0.not_hosts_from
    }

    /// The regular expressions of `FilterBuilder::matching`.
    #[must_use]
    pub fn get_matching(&self) -> &[String] {
        self.0.matching.as_ref().map_or(&[], Patterns::given)
    }

    /// The regular expressions of `FilterBuilder::not_matching`.
    #[must_use]
    pub fn get_not_matching(&self) -> &[String] {
        self.0.not_matching.as_ref().map_or(&[], Patterns::given)
    }

    /// The strings of [`FilterBuilder::contains`]; `None`: it was not called.
    #[must_use]
    pub fn get_contains(&self) -> Option<&[String]> {
        self.0.contains.as_ref().map(|literals| &*literals.given)
    }

    /// Whether only links that rewriting changes are chosen.
    #[must_use]
    pub fn get_changed(&self) -> bool {
        self.0.changed
    }

    /// Whether only links that a person can follow are chosen.
    #[must_use]
    pub fn get_links_only(&self) -> bool {
        self.0.links_only
    }
}

impl Chosen {
    fn by_host(&self, link: &Match<'_>) -> bool {
        let has_globs = !self.only_hosts.is_empty() || !self.not_hosts.is_empty();
        if !has_globs && self.hosts_from.is_empty() && self.not_hosts_from.is_empty() {
            return true;
        }
        if !has_globs && let Some(host) = link.plain_host() {
            return self.is_listed(host);
        }
        link.with_host(|host| match host {
            None => self.only_hosts.is_empty() && self.hosts_from.is_empty(),
            Some(host) => self.has_host(&comparable(host)),
        })
    }

    fn has_host(&self, host: &str) -> bool {
        let globs = !self.only_hosts.is_empty() || !self.not_hosts.is_empty();
        let unicode = if globs { unicode_form(host) } else { None };
        let covered =
            |globs: &[HostGlob]| globs.iter().any(|glob| glob.covers(host, unicode.as_deref()));
        (self.only_hosts.is_empty() || covered(&self.only_hosts))
            && !covered(&self.not_hosts)
            && self.is_listed(host.as_bytes())
    }

    /// Whether the lists choose `host`, which is comparable.
    fn is_listed(&self, host: &[u8]) -> bool {
        let covered = |lists: &[HostList]| lists.iter().any(|list| list.covers_comparable(host));
        (self.hosts_from.is_empty() || covered(&self.hosts_from)) && !covered(&self.not_hosts_from)
    }

    fn by_text(&self, link: &Match<'_>) -> bool {
        if self.matching.is_none() && self.not_matching.is_none() && self.contains.is_none() {
            return true;
        }
        let iri = link.iri();
        let found = |patterns: &Patterns| patterns.is_match(&iri);
        self.contains.as_ref().is_none_or(|literals| literals.search.is_match(&*iri))
            && self.matching.as_ref().is_none_or(found)
            && !self.not_matching.as_ref().is_some_and(found)
    }
}

/// The conditions of a [`Filter`].
///
/// A link is chosen if all conditions hold. A method that is called again adds a value to its
/// condition: one of the hosts of [`only_host`](FilterBuilder::only_host) is enough, and none of
/// those of [`not_host`](FilterBuilder::not_host) may be there.
///
/// ```
/// use iriscan::{Config, Filter, HostList};
///
/// let blocked: HostList = "# my list\nads.example\n0.0.0.0 tracker.example".lines().collect();
/// let filter = Filter::builder().hosts_from(blocked).build()?;
/// let finder = Config::new().filter(filter).build()?;
/// let html = "http://www.ads.example/1 http://a.example/2";
/// assert_eq!(finder.find_iter(html).count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct FilterBuilder {
    only_hosts: Vec<String>,
    not_hosts: Vec<String>,
    hosts_from: Vec<HostList>,
    not_hosts_from: Vec<HostList>,
    matching: Vec<String>,
    not_matching: Vec<String>,
    contains: Option<Vec<String>>,
    changed: bool,
    links_only: bool,
}

impl FilterBuilder {
    /// Only links with a host that `glob` covers: `*` matches any characters, dots included,
    /// and `?` matches one. `*.example.org` does not cover `example.org`. Hosts are compared in lower
    /// case, and an internationalised one in its ASCII and its Unicode form, whichever the link
    /// and the pattern have. A link without a host is not chosen.
    pub fn only_host(mut self, glob: impl Into<String>) -> FilterBuilder {
        self.only_hosts.push(glob.into());
        self
    }

    /// No links with a host that `glob` covers; see [`FilterBuilder::only_host`]. A link without
    /// a host may be chosen.
    pub fn not_host(mut self, glob: impl Into<String>) -> FilterBuilder {
        self.not_hosts.push(glob.into());
        self
    }

    /// Only links with a host that `list` covers. A link without a host is not chosen.
    pub fn hosts_from(mut self, list: HostList) -> FilterBuilder {
        self.hosts_from.push(list);
        self
    }

    /// No links with a host that `list` covers. A link without a host may be chosen.
    ///
    /// ```
    /// use iriscan::{Config, Filter, HostList};
    ///
    /// let allowed: HostList = "bank.example".lines().collect();
    /// let filter = Filter::builder().not_hosts_from(allowed).build()?;
    /// let finder = Config::new().filter(filter).build()?;
    /// let text = "http://www.bank.example/ http://bank.example.evil.example/";
    /// let links: Vec<_> = finder.find_iter(text).map(|link| link.text()).collect();
    /// assert_eq!(links, ["http://bank.example.evil.example/"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn not_hosts_from(mut self, list: HostList) -> FilterBuilder {
        self.not_hosts_from.push(list);
        self
    }

    /// Only links whose IRI ([`Match::iri`]) has a match of `regex`, in the syntax of the crate
    /// `regex`. The time is linear in the length of the link.
    #[cfg(feature = "regex")]
    pub fn matching(mut self, regex: impl Into<String>) -> FilterBuilder {
        self.matching.push(regex.into());
        self
    }

    /// No links whose IRI has a match of `regex`; see [`FilterBuilder::matching`].
    #[cfg(feature = "regex")]
    pub fn not_matching(mut self, regex: impl Into<String>) -> FilterBuilder {
        self.not_matching.push(regex.into());
        self
    }

    /// Only links whose IRI contains one of `literals`, of which there may be many thousands, with 32 MiB
    /// together. If the list is empty, no link is chosen.
    pub fn contains<S: Into<String>>(
        mut self,
        literals: impl IntoIterator<Item = S>,
    ) -> FilterBuilder {
        let all = self.contains.get_or_insert_default();
        all.extend(literals.into_iter().map(Into::into));
        self
    }

    /// Only links that rewriting changes. What stays in a message for the sake of the message, such
    /// as a signature, counts as changed.
    pub fn changed(mut self, yes: bool) -> FilterBuilder {
        self.changed = yes;
        self
    }

    /// Only links that a person can follow. In HTML and XML these are links in running text, those
    /// of `<a>` and `<area>`, and in XML the text of `<link>`, `<guid>`, `<loc>` and the like and the
    /// attributes of `<link>` and `<enclosure>`. Images, scripts, style sheets, other resources, names
    /// of namespaces and identifiers are not chosen; nor are, anywhere, links to parts of a message
    /// (`cid:`). In other formats every other link is chosen.
    ///
    /// The finder must read the markup for it, so [`Filter::chooses`] does not know it of a link that
    /// was found without [`Config::elements`](crate::Config::elements).
    pub fn links_only(mut self, yes: bool) -> FilterBuilder {
        self.links_only = yes;
        self
    }

    /// Compiles the conditions.
    ///
    /// # Errors
    ///
    /// A pattern is not valid, or too large when compiled. The error has the place in it.
    ///
    /// ```
    /// use iriscan::{Filter, FilterErrorKind};
    ///
    /// let error = Filter::builder().matching("a(b").build().unwrap_err();
    /// assert_eq!(error.kind(), FilterErrorKind::Match);
    /// assert_eq!((error.pattern(), error.offset()), ("a(b", Some(1)));
    /// ```
    pub fn build(self) -> Result<Filter, FilterError> {
        let globs = |kind, globs: Vec<String>| {
            let compiled = globs.into_iter().map(|given| {
                HostGlob::new(&given).map_err(|fault| FilterError::of_glob(kind, given, fault))
            });
            compiled.collect::<Result<Vec<_>, _>>()
        };
        Ok(Filter(Arc::new(Chosen {
            only_hosts: globs(FilterErrorKind::OnlyHost, self.only_hosts)?,
            not_hosts: globs(FilterErrorKind::NotHost, self.not_hosts)?,
            hosts_from: self.hosts_from,
            not_hosts_from: self.not_hosts_from,
            matching: Patterns::new(FilterErrorKind::Match, self.matching)?,
            not_matching: Patterns::new(FilterErrorKind::NotMatch, self.not_matching)?,
            contains: self.contains.map(|given| literals(given, LITERALS_MAX)).transpose()?,
            changed: self.changed,
            links_only: self.links_only,
        })))
    }
}

/// The conditions by the names of options: each replaces what the condition said before.
impl FilterBuilder {
    pub(crate) fn only_hosts(self, globs: &[&str]) -> FilterBuilder {
        FilterBuilder { only_hosts: owned(globs), ..self }
    }

    pub(crate) fn not_hosts(self, globs: &[&str]) -> FilterBuilder {
        FilterBuilder { not_hosts: owned(globs), ..self }
    }

    pub(crate) fn only_hosts_from(self, list: HostList) -> FilterBuilder {
        FilterBuilder { hosts_from: Vec::from([list]), ..self }
    }

    pub(crate) fn none_hosts_from(self, list: HostList) -> FilterBuilder {
        FilterBuilder { not_hosts_from: Vec::from([list]), ..self }
    }

    #[cfg(feature = "regex")]
    pub(crate) fn all_matching(self, regexes: &[&str]) -> FilterBuilder {
        FilterBuilder { matching: owned(regexes), ..self }
    }

    #[cfg(feature = "regex")]
    pub(crate) fn none_matching(self, regexes: &[&str]) -> FilterBuilder {
        FilterBuilder { not_matching: owned(regexes), ..self }
    }

    pub(crate) fn only_containing(self, literals: Vec<String>) -> FilterBuilder {
        FilterBuilder { contains: Some(literals), ..self }
    }
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().copied().map(String::from).collect()
}

impl From<&Filter> for FilterBuilder {
    /// The conditions of a filter, to change them.
    fn from(filter: &Filter) -> FilterBuilder {
        FilterBuilder {
            only_hosts: filter.get_only_host().map(String::from).collect(),
            not_hosts: filter.get_not_host().map(String::from).collect(),
            hosts_from: filter.0.hosts_from.clone(),
            not_hosts_from: filter.0.not_hosts_from.clone(),
            matching: filter.get_matching().to_vec(),
            not_matching: filter.get_not_matching().to_vec(),
            contains: filter.get_contains().map(<[String]>::to_vec),
            changed: filter.0.changed,
            links_only: filter.0.links_only,
        }
    }
}

/// The most bytes of all literal strings together. The automaton takes up to 45 times as much
/// while it is made: 1.5 GB.
const LITERALS_MAX: usize = 32 << 20;

fn literals(given: Vec<String>, most: usize) -> Result<Literals, FilterError> {
    let len = given.iter().map(String::len).fold(0, usize::saturating_add);
    if len > most {
        return Err(FilterError::of_many_literals(len, most));
    }
    match AhoCorasick::new(&given) {
        Ok(search) => Ok(Literals { given, search }),
        Err(e) => Err(FilterError::of_literals(&e)),
    }
}

#[cfg(all(test, feature = "regex"))]
mod tests;
