//! Resolution of references (RFC 3986, section 5) and its inverse.
//!
//! It works on components that are split already. All characters but the delimiters are alike
//! here (RFC 3987, section 6.5).

use alloc::{borrow::ToOwned, string::String, vec::Vec};
use core::fmt;

use super::{
    components::{Component, Components},
    syntax::Reference,
};
use crate::data::names::named;

/// How a reference with the scheme of its base is read (RFC 3986, section 5.4.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SameScheme {
    /// As absolute: `http:g` is itself.
    #[default]
    Strict,
    /// As relative, as in parsers before RFC 2396: `http:g` is `g`.
    Relative,
}

named! {
    SameScheme is "a rule for references with the scheme of their base":
    Strict = "strict",
    Relative = "relative",
}

/// The base has no scheme, so that nothing can be resolved against it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BaseError(());

impl fmt::Display for BaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the base has no scheme; give an absolute one")
    }
}

impl core::error::Error for BaseError {}

impl Reference<'_> {
    /// The reference resolved against `base` (RFC 3986, section 5.2, strict).
    /// If the path of a result without an authority begins with `//`, `/.` is put before it.
    ///
    /// # Errors
    ///
    /// `base` has no scheme.
    ///
    /// ```
    /// use iriscan::reference::{Grammar, Reference};
    ///
    /// let base = Reference::parse("http://例え.jp/b/c/d;p?q", Grammar::Iri)?;
    /// let link = Reference::parse("../ö#s", Grammar::IriReference)?;
    /// assert_eq!(link.resolve(&base)?, "http://例え.jp/b/ö#s");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn resolve(&self, base: &Reference<'_>) -> Result<String, BaseError> {
        self.resolve_with(base, SameScheme::Strict)
    }

    /// As [`Reference::resolve`], with a choice for references that have the scheme of the base.
    ///
    /// # Errors
    ///
    /// `base` has no scheme.
    pub fn resolve_with(
        &self,
        base: &Reference<'_>,
        same_scheme: SameScheme,
    ) -> Result<String, BaseError> {
        let base_scheme = base.scheme().ok_or(BaseError(()))?;
        let scheme = self.scheme().filter(|scheme| {
            same_scheme == SameScheme::Strict || !scheme.eq_ignore_ascii_case(base_scheme)
        });
        Ok(transform(&self.components, scheme, &base.components, base_scheme))
    }

    /// A short reference that resolves against `base` to the same as this one; this one if no
    /// other is shorter.
    ///
    /// # Errors
    ///
    /// `base` has no scheme.
    ///
    /// ```
    /// use iriscan::reference::{Grammar, Reference};
    ///
    /// let base = Reference::parse("http://例え.jp/b/c/d?q", Grammar::Iri)?;
    /// let target = Reference::parse("http://例え.jp/b/ö#s", Grammar::Iri)?;
    /// assert_eq!(target.make_relative(&base)?, "../ö#s");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn make_relative(&self, base: &Reference<'_>) -> Result<String, BaseError> {
        let target = self.resolve(base)?;
        let whole = Components::split(&target);
        let leads = |candidate: &&String| {
            Reference::parse(candidate, crate::reference::syntax::Grammar::Leiri)
                .is_ok_and(|reference| reference.resolve(base).as_deref() == Ok(&*target))
        };
        // Each candidate is tried, because empty segments, colons and components that the base
        // lacks decide whether it resolves back.
        let candidates = candidates(&whole, &base.components);
        let best = candidates.iter().filter(leads).min_by_key(|candidate| candidate.len());
        Ok(best
            .filter(|best| best.len() < self.as_str().len())
            .map_or_else(|| self.as_str().to_owned(), ToOwned::to_owned))
    }
}

/// RFC 3986, section 5.2.2.
///
/// The target is copied in three pieces: the base up to its path, or the reference; a path; the
/// rest of either.
pub(super) fn transform(
    reference: &Components<'_>,
    scheme: Option<&str>,
    base: &Components<'_>,
    base_scheme: &str,
) -> String {
    let path = reference.path();
    let authority = reference.authority().is_some();
    let own = scheme.is_some() || authority;
    if scheme.is_some() && !has_dots(path) {
        return reference.as_str().to_owned();
    }
    let mut target = String::with_capacity(base.as_str().len() + reference.as_str().len() + 3);
    if scheme.is_some() {
        target.push_str(reference.before_path());
    } else if authority {
        target.push_str(base_scheme);
        target.push(':');
        let after_scheme = reference.scheme().map_or(0, |scheme| scheme.len() + 1);
        target.push_str(&reference.before_path()[after_scheme..]);
    } else {
        target.push_str(base.before_path());
    }
    let start = target.len();
    let authority = if own { authority } else { base.authority().is_some() };
    if own || path.starts_with('/') {
        push_without_dots(&mut target, path);
    } else if path.is_empty() {
        target.push_str(base.path());
    } else {
        // Section 5.2.3: after the last "/" of the path of the base.
        let directory = match memchr::memrchr(b'/', base.path().as_bytes()) {
            Some(slash) => &base.path()[..=slash],
            None if base.authority().is_some() => "/",
            None => "",
        };
        if has_dots(directory) || has_dots(path) {
            let merged = [directory, path].concat();
            push_without_dots(&mut target, &merged);
        } else {
            target.push_str(directory);
            target.push_str(path);
        }
    }
    protect(&mut target, start, authority);
    if !own && path.is_empty() && reference.query().is_none() {
        target.push_str(base.query_part());
    }
    target.push_str(reference.after_path());
    target
}

/// Writes `/.` before a path from `start` on that would be read as an
/// authority.
pub(super) fn protect(text: &mut String, start: usize, authority: bool) {
    if !authority && text[start..].starts_with("//") {
        text.insert_str(start, "/.");
    }
}

/// Whether the path may have a segment `.` or `..`.
pub(super) fn has_dots(path: &str) -> bool {
    // Few paths have a dot, and fewer have two.
    let bytes = path.as_bytes();
    memchr::memchr_iter(b'.', bytes).any(|dot| dot == 0 || bytes[dot - 1] == b'/')
}

/// Appends `path` as `remove_dot_segments` leaves it (RFC 3986, section 5.2.4).
pub(super) fn push_without_dots(out: &mut String, path: &str) {
    if !has_dots(path) {
        out.push_str(path);
        return;
    }
    let floor = out.len();
    let mut rest = path;
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix("../").or_else(|| rest.strip_prefix("./")) {
            rest = after;
        } else if rest.starts_with("/./") {
            rest = &rest[2..];
        } else if rest == "/." {
            rest = "/";
        } else if rest.starts_with("/../") || rest == "/.." {
            rest = if rest.len() == 3 { "/" } else { &rest[3..] };
            out.truncate(out[floor..].rfind('/').map_or(floor, |slash| floor + slash));
        } else if rest == "." || rest == ".." {
            return;
        } else {
            // In bytes: the first character may be longer than one.
            let after = &rest.as_bytes()[1..];
            let end = memchr::memchr(b'/', after).map_or(rest.len(), |slash| slash + 1);
            out.push_str(&rest[..end]);
            rest = &rest[end..];
        }
    }
}

/// References that may resolve to `target` against `base`.
fn candidates(target: &Components<'_>, base: &Components<'_>) -> Vec<String> {
    let text = target.as_str();
    let from = |component| target.range(component).map_or(text.len(), |range| range.start);
    let path = from(Component::Path);
    let after_path = path + target.path().len();
    let mut found = Vec::new();
    if target.scheme() == base.scheme() {
        // "", "#f", "?q#f": the base's path, and its query if it has one.
        found.push(text[before_fragment(target)..].to_owned());
        found.push(text[after_path..].to_owned());
        let relative = relative_path(target.path(), base.path());
        for prefix in ["", "./"] {
            found.push([prefix, &relative, &text[after_path..]].concat());
        }
        found.push(text[path..].to_owned());
        found.push(["/.", &text[path..]].concat());
        if let Some(authority) = target.range(Component::Authority) {
            found.push(text[authority.start - 2..].to_owned());
        }
    }
    found.push(text.to_owned());
    found
}

fn before_fragment(target: &Components<'_>) -> usize {
    target.before_fragment().len()
}

/// The segments that lead from the directory of `base` to `target`.
fn relative_path(target: &str, base: &str) -> String {
    let directory = |path: &str| path.rfind('/').map_or(0, |slash| slash + 1);
    let base = &base[..directory(base)];
    let common = target[..directory(target)]
        .bytes()
        .zip(base.bytes())
        .take_while(|(a, b)| a == b)
        .enumerate()
        .filter(|(_, (b, _))| *b == b'/')
        .last()
        .map_or(0, |(i, _)| i + 1);
    let up = base[common..].matches('/').count();
    let mut path = "../".repeat(up);
    path.push_str(&target[common..]);
    path
}

#[cfg(test)]
mod tests {
    use crate::reference::resolve::push_without_dots;

    #[test]
    fn rootless_path_may_begin_with_any_character() {
        for (path, expected) in [("é/./b", "é/b"), ("日本/../b", "/b"), ("é/..", "/")] {
            let mut out = alloc::string::String::new();
            push_without_dots(&mut out, path);
            assert_eq!(out, expected, "{path}");
        }
    }
}
