//! Changing one part of a link: its scheme, host or port, the start of its path, parameters of its query.
//!
//! A reference goes in; out come the ranges of it that change and what is written there, in order. All of the
//! reference outside of these ranges stays, so a caller can keep its bytes as the document has them.

use alloc::{
    borrow::{Cow, ToOwned},
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::{fmt, ops::Range};

use super::{filter::glob, ip, matched::Match};
use crate::{
    data::schemes::{NEVER, SCHEME_MAX},
    grammar::types::Kind,
    reference::{
        components::{Component, Components},
        normal::default_port,
        syntax::{Grammar, Reference},
        to_uri::UriOptions,
    },
};

/// Changes to parts of links: a site that moves, `http` that becomes `https`, parameters that only track.
///
/// [`Rewrite::Edit`](crate::Rewrite::Edit) makes them in documents. What is not named stays byte for byte, with the
/// escapes and in the charset of the document. Scheme, host and port change only where there is a host:
/// `mailto:`, relative references, and addresses of mail stay.
///
/// ```
/// use iriscan::{Config, Filter, Format, LinkEdit};
///
/// let edit = LinkEdit::new().host("new.example")?.scheme("https")?;
/// let filter = Filter::builder().only_host("old.example").build()?;
/// let finder = Config::new().rewrite(edit).filter(filter).format(Format::Html).build()?;
/// let page = "<a href='http://u@old.example:80/%7Ea?b&amp;c#d'>x</a> <a href='//old.example/'>";
/// assert_eq!(
///     finder.rewrite_slice(page).0,
///     "<a href='https://u@new.example/%7Ea?b&amp;c#d'>x</a> <a href='//new.example/'>".as_bytes(),
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkEdit {
    scheme: Option<String>,
    host: Option<Host>,
    /// Empty: links get no port.
    port: Option<String>,
    /// The old start of a path, and the new one.
    prefixes: Vec<(String, String)>,
    /// Patterns of the names of parameters.
    dropped: Vec<String>,
}

/// A host that links get.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Host {
    given: String,
    /// Its ASCII form, for a place that cannot hold it as it was given.
    ascii: String,
}

/// A range of a reference, and what is written there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) range: Range<usize>,
    pub(crate) with: String,
    /// The same in ASCII.
    pub(crate) ascii: String,
}

impl LinkEdit {
    /// No change.
    #[must_use]
    pub fn new() -> LinkEdit {
        LinkEdit::default()
    }

    /// Links get this scheme, in lower case and without the colon. The default port of the old scheme is dropped:
    /// `http://a.example:80/` becomes `https://a.example/`.
    ///
    /// # Errors
    ///
    /// It is no scheme, or one that is never a link (`javascript`, `data`).
    pub fn scheme(mut self, scheme: &str) -> Result<LinkEdit, LinkEditError> {
        let tail = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
        let valid = (1..=SCHEME_MAX).contains(&scheme.len())
            && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(tail);
        let scheme = scheme.to_ascii_lowercase();
        if !valid {
            return Err(fault(format!(
                "{scheme:?} is no scheme; give one such as https, without the colon"
            )));
        }
        if NEVER.contains(&&*scheme) {
            return Err(fault(format!(
                "a link with {scheme:?} runs code or holds data; give another scheme"
            )));
        }
        self.scheme = Some(scheme);
        Ok(self)
    }

    /// Links get this host: a name in any script, an IPv4 address, or an IPv6 address in brackets. Where a document
    /// cannot hold its characters, its ASCII form is written.
    ///
    /// # Errors
    ///
    /// It is no host, or has no ASCII form.
    pub fn host(mut self, host: &str) -> Result<LinkEdit, LinkEditError> {
        let reference = ["https://", host, "/"].concat();
        let parsed = Reference::parse(&reference, Grammar::Iri).ok();
        let whole = parsed.and_then(|parsed| parsed.components().host().map(|it| it == host));
        if host.is_empty() || whole != Some(true) {
            let port = host.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
            let advice = match port {
                true => "the port is a part of its own",
                false => "give one such as new.example",
            };
            return Err(fault(format!("{host:?} is no host; {advice}")));
        }
        let uri = UriOptions::new().to_uri(&reference).map_err(|e| fault(e.to_string()))?;
        let ascii = Components::split(&uri).host().unwrap_or(host).to_owned();
        self.host = Some(Host { given: host.to_owned(), ascii });
        Ok(self)
    }

    /// Links get this port; empty: they get none.
    ///
    /// # Errors
    ///
    /// It is no number up to 65535.
    pub fn port(mut self, port: &str) -> Result<LinkEdit, LinkEditError> {
        let number = port.bytes().all(|b| b.is_ascii_digit()) && port.parse::<u16>().is_ok();
        if !port.is_empty() && !number {
            return Err(fault(format!(
                "{port:?} is no port; give a number up to 65535, or nothing"
            )));
        }
        self.port = Some(port.to_owned());
        Ok(self)
    }

    /// A path that begins with `old` begins with `new` instead; of several, the first one that fits counts. `/a` is
    /// the start of `/a` and `/a/b`, and not of `/ab`. Paths are compared as they are written, and relative links
    /// are changed too if their path begins with `/`.
    ///
    /// # Errors
    ///
    /// `old` does not begin with `/`, or `new` does not and is not empty; only one of them ends with `/`; or one of
    /// them is no path.
    pub fn path_prefix(mut self, old: &str, new: &str) -> Result<LinkEdit, LinkEditError> {
        if !old.starts_with('/') || !new.is_empty() && !new.starts_with('/') {
            return Err(fault(format!("{old:?} and {new:?}: a path begins with a slash")));
        }
        if old.ends_with('/') != new.ends_with('/') {
            return Err(fault(format!("{old:?} and {new:?}: both end with a slash, or none does")));
        }
        for path in [old, new] {
            let reference = ["https://a", path].concat();
            let parsed = Reference::parse(&reference, Grammar::Iri);
            if parsed.is_err() || Components::split(&reference).path() != path {
                return Err(fault(format!(
                    "{path:?} is no path; a query is no part of it, and white space is %20"
                )));
            }
        }
        self.prefixes.push((old.to_owned(), new.to_owned()));
        Ok(self)
    }

    /// Parameters of the query whose names match `glob` are left out: `utm_*`. `*` matches any characters, `?`
    /// matches one. Names are compared as they are written. If nothing is left, the `?` goes too.
    ///
    /// # Errors
    ///
    /// The pattern is empty, or has a character that no name has: `&`, `=` or `#`.
    pub fn drop_query(mut self, glob: &str) -> Result<LinkEdit, LinkEditError> {
        if glob.is_empty() || glob.contains(['&', '=', '#']) {
            return Err(fault(format!(
                "{glob:?} is no name of a parameter; give one such as utm_*, without = and &"
            )));
        }
        self.dropped.push(glob.to_owned());
        Ok(self)
    }

    /// One part, by its name: `host=new.example`, `scheme=https`, `port=8080`, and `port=` for none.
    ///
    /// # Errors
    ///
    /// There is no such part, or it cannot be this.
    ///
    /// ```
    /// use iriscan::LinkEdit;
    ///
    /// let edit = LinkEdit::new().set("host=new.example")?.set("port=")?;
    /// assert_eq!((edit.get_host(), edit.get_port()), (Some("new.example"), Some("")));
    /// # Ok::<(), iriscan::LinkEditError>(())
    /// ```
    pub fn set(self, part: &str) -> Result<LinkEdit, LinkEditError> {
        match part.split_once('=') {
            Some(("scheme", value)) => self.scheme(value),
            Some(("host", value)) => self.host(value),
            Some(("port", value)) => self.port(value),
            _ => Err(fault(format!(
                "{part:?}: no such part; give host=, scheme= or port=, such as host=new.example"
            ))),
        }
    }

    /// The scheme that links get.
    #[must_use]
    pub fn get_scheme(&self) -> Option<&str> {
        self.scheme.as_deref()
    }

    /// The host that links get, as it was given.
    #[must_use]
    pub fn get_host(&self) -> Option<&str> {
        self.host.as_ref().map(|host| &*host.given)
    }

    /// The port that links get; empty: none.
    #[must_use]
    pub fn get_port(&self) -> Option<&str> {
        self.port.as_deref()
    }

    /// The old and new starts of paths.
    pub fn get_path_prefixes(&self) -> impl Iterator<Item = (&str, &str)> {
        self.prefixes.iter().map(|(old, new)| (&**old, &**new))
    }

    /// The patterns of parameters that are left out.
    #[must_use]
    pub fn get_drop_query(&self) -> &[String] {
        &self.dropped
    }

    /// The reference of `link` ([`Match::iri`]) with the changes; `None` if nothing changes.
    ///
    /// ```
    /// use iriscan::{Finder, LinkEdit};
    ///
    /// let link = Finder::new().find_iter("http://a.example/x?utm_source=y&z").next().unwrap();
    /// let edit = LinkEdit::new().path_prefix("/x", "/new/x")?.drop_query("utm_*")?;
    /// assert_eq!(edit.apply(&link).as_deref(), Some("http://a.example/new/x?z"));
    /// # Ok::<(), iriscan::LinkEditError>(())
    /// ```
    #[must_use]
    pub fn apply(&self, link: &Match<'_>) -> Option<String> {
        let iri = link.iri();
        let changes = self.changes(&iri, link.kind());
        (!changes.is_empty()).then(|| applied(&iri, &changes))
    }

    /// The changes without those of scheme, host and port, for setting these anew.
    pub(crate) fn without_settings(&self) -> LinkEdit {
        LinkEdit { scheme: None, host: None, port: None, ..self.clone() }
    }

    /// The changes without those of paths.
    pub(crate) fn without_prefixes(&self) -> LinkEdit {
        LinkEdit { prefixes: Vec::new(), ..self.clone() }
    }

    /// The changes without those of queries.
    pub(crate) fn without_dropped(&self) -> LinkEdit {
        LinkEdit { dropped: Vec::new(), ..self.clone() }
    }

    /// Whether scheme, host or port change.
    pub(crate) fn is_of_authority(&self) -> bool {
        self.scheme.is_some() || self.host.is_some() || self.port.is_some()
    }

    /// What changes in `iri`, a link of this kind, in order.
    pub(crate) fn changes(&self, iri: &str, kind: Kind) -> Vec<Change> {
        /// Makes a reference of a host without a scheme.
        const SLASHES: &str = "//";
        let mut changes = Vec::new();
        let (reference, added) = match kind {
            Kind::Iri => (Cow::Borrowed(iri), 0),
            Kind::Bare | Kind::Ip if !ip::is_unbracketed(iri) => {
                (Cow::Owned([SLASHES, iri].concat()), SLASHES.len())
            }
            Kind::Bare | Kind::Ip | Kind::Email => return changes,
        };
        let parts = Components::split(&reference);
        let mut change = |range: Range<usize>, with: &str, ascii: &str| {
            if reference[range.clone()] != *with {
                let range = range.start - added..range.end - added;
                let (with, ascii) = (with.to_owned(), ascii.to_owned());
                changes.push(Change { range, with, ascii });
            }
        };
        if let (Some(host), Some(at)) = (parts.host(), parts.range(Component::Host))
            && !host.is_empty()
        {
            let scheme = parts.scheme().map(str::to_ascii_lowercase);
            let new_scheme = self
                .scheme
                .as_deref()
                .filter(|new| scheme.as_deref().is_some_and(|old| old != *new));
            if let (Some(new), Some(old)) = (new_scheme, &scheme) {
                // Only what differs, so that the letters of both stay as they are written.
                let written = parts.scheme().unwrap_or(old).as_bytes();
                let same = written.iter().zip(new.as_bytes()).take_while(|(a, b)| a == b).count();
                change(same..old.len(), &new[same..], &new[same..]);
            }
            if let Some(new) = &self.host {
                change(at.clone(), &new.given, &new.ascii);
            }
            // With its colon.
            let port = parts.range(Component::Port).map_or(at.end..at.end, |port| at.end..port.end);
            let old = parts.port();
            let dropped = new_scheme.is_some()
                && old.is_some()
                && old == scheme.as_deref().and_then(default_port);
            match self.port.as_deref() {
                Some("") => change(port, "", ""),
                Some(new) => {
                    let new = [":", new].concat();
                    change(port, &new, &new);
                }
                None if dropped => change(port, "", ""),
                None => {}
            }
        }
        if let Some((range, new)) = self.prefix_of(&parts) {
            change(range, new, new);
        }
        for range in self.dropped_of(&parts) {
            change(range, "", "");
        }
        changes
    }

    /// The start of the path that changes, and what is written there.
    fn prefix_of(&self, parts: &Components<'_>) -> Option<(Range<usize>, &str)> {
        let path = parts.path();
        let fits = |old: &str| {
            let rest = path.strip_prefix(old);
            rest.is_some_and(|rest| old.ends_with('/') || rest.is_empty() || rest.starts_with('/'))
        };
        let (old, new) = self.prefixes.iter().find(|(old, _)| fits(old))?;
        let start = parts.range(Component::Path)?.start;
        // Without an authority, two slashes would begin one, and nothing at all is no reference to the path.
        let rest = &path[old.len()..];
        let is_other = new.is_empty()
            && (rest.starts_with("//") || rest.is_empty() && parts.scheme().is_none());
        (parts.authority().is_some() || !is_other && !new.starts_with("//"))
            .then_some((start..start + old.len(), &**new))
    }

    /// The ranges of the query that are left out.
    fn dropped_of(&self, parts: &Components<'_>) -> Vec<Range<usize>> {
        let (Some(query), Some(at)) = (parts.query(), parts.range(Component::Query)) else {
            return Vec::new();
        };
        let mut ranges = Vec::new();
        let (mut start, mut kept) = (at.start, 0);
        // Where the parameters at the start end that are left out.
        let mut first = at.start;
        for parameter in query.split('&') {
            let end = start + parameter.len();
            let name = parameter.split('=').next().unwrap_or_default();
            if !self.dropped.iter().any(|glob| glob::matches(glob, name)) {
                kept += 1;
            } else if kept == 0 {
                first = (end + 1).min(at.end);
            } else {
                // With the `&` before it, so that each parameter that stays keeps its own.
                ranges.push(start - 1..end);
            }
            start = end + 1;
        }
        if kept == 0 && !self.dropped.is_empty() {
            // Without a parameter, the `?` goes too.
            ranges.clear();
            ranges.push(at.start - 1..at.end);
            return ranges;
        }
        if first > at.start {
            ranges.insert(0, at.start..first);
        }
        ranges
    }
}

/// `reference` with the changes.
pub(crate) fn applied(reference: &str, changes: &[Change]) -> String {
    let (mut out, mut at) = (String::with_capacity(reference.len()), 0);
    for change in changes {
        out.push_str(&reference[at..change.range.start]);
        out.push_str(&change.with);
        at = change.range.end;
    }
    out.push_str(&reference[at..]);
    out
}

/// A part that no link can get.
///
/// ```
/// use iriscan::LinkEdit;
///
/// let error = LinkEdit::new().host("new.example:8080").unwrap_err();
/// assert_eq!(error.to_string(), "\"new.example:8080\" is no host; the port is a part of its own");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkEditError(String);

fn fault(why: String) -> LinkEditError {
    LinkEditError(why)
}

impl fmt::Display for LinkEditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for LinkEditError {}

#[cfg(test)]
mod tests {
    use std::{string::String, vec::Vec};

    use super::*;
    use crate::{api::config::Config, format::kinds::Format};

    /// The links of a text with the changes, `=` for one that stays.
    fn edited(edit: &LinkEdit, format: Format, text: &str) -> Vec<String> {
        let kinds = [Kind::Iri, Kind::Bare, Kind::Email];
        let finder = Config::new().kinds(kinds).format(format).build().unwrap();
        let one = |link: Match<'_>| edit.apply(&link).unwrap_or_else(|| String::from("="));
        finder.find_iter(text).map(one).collect()
    }

    #[test]
    fn only_the_part_that_is_named_changes() {
        let host = LinkEdit::new().host("new.example").unwrap();
        let text = "HTTP://u:p@Old.example:80/x?q#f www.old.example/y a@old.example mailto:a@old.example \
                    http://new.example/ ftp://[::1]:21 file:///x";
        assert_eq!(
            edited(&host, Format::Text, text),
            [
                "HTTP://u:p@new.example:80/x?q#f",
                "new.example/y",
                "=",
                "=",
                "=",
                "ftp://new.example:21",
                "=",
            ]
        );
        let html = "<a href='//old.example'><a href='/x'><a href=''><a href='?q'><a href='tel:1'>";
        assert_eq!(edited(&host, Format::Html, html), ["//new.example", "=", "=", "="]);
    }

    #[test]
    fn a_scheme_takes_its_default_port_with_it() {
        let https = LinkEdit::new().scheme("HTTPS").unwrap();
        let text = "http://a.example:80/ Http://a.example:443 http://a.example:8080/ https://a.example:80/ \
                    ftp://a.example:21/ www.a.example http://a.example:/";
        assert_eq!(
            edited(&https, Format::Text, text),
            [
                "https://a.example/",
                "https://a.example:443",
                "https://a.example:8080/",
                "=",
                "https://a.example/",
                "=",
                "https://a.example:/",
            ]
        );
        let both = https.port("8443").unwrap();
        assert_eq!(
            edited(
                &both,
                Format::Text,
                "http://a.example:80/ http://a.example/ https://a.example:1"
            ),
            ["https://a.example:8443/", "https://a.example:8443/", "https://a.example:8443"]
        );
        let none = LinkEdit::new().port("").unwrap();
        assert_eq!(
            edited(&none, Format::Text, "http://a.example:80/ http://a.example/ http://[::1]:8/"),
            ["http://a.example/", "=", "http://[::1]/"]
        );
    }

    #[test]
    fn a_prefix_ends_with_a_segment() {
        let moved = LinkEdit::new().path_prefix("/a", "/b/c").unwrap();
        let moved = moved.path_prefix("/d/", "/").unwrap().path_prefix("/e", "").unwrap();
        let text = "http://h.example/a http://h.example/a/x?/a http://h.example/ab http://h.example/d/x \
                    http://h.example/d http://h.example/e http://h.example/e/f http://h.example";
        assert_eq!(
            edited(&moved, Format::Text, text),
            [
                "http://h.example/b/c",
                "http://h.example/b/c/x?/a",
                "=",
                "http://h.example/x",
                "=",
                "http://h.example",
                "http://h.example/f",
                "=",
            ]
        );
        let html = "<a href='/a/x'><a href='a/x'><a href='/e//evil.example'><a href='/e?q'><a href='/e/f'>";
        assert_eq!(edited(&moved, Format::Html, html), ["/b/c/x", "=", "=", "=", "/f"]);
    }

    #[test]
    fn parameters_are_left_out_by_name() {
        let clean = LinkEdit::new().drop_query("utm_*").unwrap().drop_query("fbclid").unwrap();
        let text = "http://h.example/?utm_a=1 http://h.example/?utm_a=1#f http://h.example/?a&utm_b&c \
                    http://h.example/?utm_a&b http://h.example/?utm_a&fbclid=x&b&utm_c http://h.example/?a&b=utm_c \
                    http://h.example/? http://h.example/?utm_a& http://h.example/#?utm_a http://h.example/?Utm_a";
        assert_eq!(
            edited(&clean, Format::Text, text),
            [
                "http://h.example/",
                "http://h.example/#f",
                "http://h.example/?a&c",
                "http://h.example/?b",
                "http://h.example/?b",
                "=",
                "=",
                "http://h.example/?",
                "=",
                "=",
            ]
        );
    }

    #[test]
    fn what_is_no_part_is_refused() {
        let new = LinkEdit::new;
        for (refused, why) in [
            (
                new().scheme("ht tp"),
                "\"ht tp\" is no scheme; give one such as https, without the colon",
            ),
            (new().scheme(""), "\"\" is no scheme; give one such as https, without the colon"),
            (
                new().scheme("Data"),
                "a link with \"data\" runs code or holds data; give another scheme",
            ),
            (new().host(""), "\"\" is no host; give one such as new.example"),
            (new().host("a/b"), "\"a/b\" is no host; give one such as new.example"),
            (new().host("u@a"), "\"u@a\" is no host; give one such as new.example"),
            (new().host("a b"), "\"a b\" is no host; give one such as new.example"),
            (new().host("a:1"), "\"a:1\" is no host; the port is a part of its own"),
            (new().port("65536"), "\"65536\" is no port; give a number up to 65535, or nothing"),
            (new().port("+1"), "\"+1\" is no port; give a number up to 65535, or nothing"),
            (new().path_prefix("a", "/b"), "\"a\" and \"/b\": a path begins with a slash"),
            (new().path_prefix("/a", "b"), "\"/a\" and \"b\": a path begins with a slash"),
            (
                new().path_prefix("/a/", "/b"),
                "\"/a/\" and \"/b\": both end with a slash, or none does",
            ),
            (
                new().path_prefix("/a", "/b?c"),
                "\"/b?c\" is no path; a query is no part of it, and white space is %20",
            ),
            (
                new().drop_query("a=b"),
                "\"a=b\" is no name of a parameter; give one such as utm_*, without = and &",
            ),
        ] {
            assert_eq!(refused.unwrap_err().to_string(), why);
        }
        for host in ["[::1]", "127.0.0.1", "localhost", "bücher.example", "a_b.example", "%41"] {
            assert_eq!(new().host(host).unwrap().get_host(), Some(host));
        }
    }
}
