//! A link as people read it, in three parts of which one is the host.
//!
//! In go links; out come parts that fit into a number of columns. What must hold: the parts have no
//! control character and no bidi control, and the host is the one that the link leads to.

use std::borrow::Cow;

use iriscan::{
    Finder, Kind, Match,
    reference::{Component, Components},
};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::messages::text::{escaped, is_one_column_each};

/// A link as it is shown: what is before its host, its host, and what is after that. The host is
/// empty if there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Parts<'t> {
    pub(crate) before: Cow<'t, str>,
    pub(crate) host: Cow<'t, str>,
    pub(crate) after: Cow<'t, str>,
}

impl<'t> Parts<'t> {
    /// The readable form of `link`, whose host is in Unicode only where that cannot deceive.
    pub(crate) fn of(link: &Match<'_>) -> Parts<'static> {
        Parts::split(&link.display(), link.kind()).into_owned()
    }

    /// A URI as people read it.
    pub(crate) fn of_uri(uri: &str) -> Parts<'static> {
        let finder = Finder::new();
        let link = finder.find_iter(uri).next().filter(|link| link.range() == (0..uri.len()));
        link.map_or_else(|| Parts::split(uri, Kind::Iri).into_owned(), |link| Parts::of(&link))
    }

    /// The parts of a link of this kind.
    pub(crate) fn split(text: &'t str, kind: Kind) -> Parts<'t> {
        // A link without a scheme is read as one of the web.
        let web = if kind == Kind::Iri { "" } else { "http://" };
        let whole = if web.is_empty() { text.into() } else { Cow::Owned([web, text].concat()) };
        let parts = Components::split(&whole);
        let host = parts.range(Component::Host).or_else(|| of_address(&parts));
        let host = host.map_or(0..0, |host| host.start - web.len()..host.end - web.len());
        let parts = [&text[..host.start], &text[host.clone()], &text[host.end..]];
        let [before, host, after] = match is_one_column_each(text) {
            true => parts.map(Cow::Borrowed),
            false => parts.map(escaped),
        };
        Parts { before, host, after }
    }

    /// The same, without a borrow.
    pub(crate) fn into_owned(self) -> Parts<'static> {
        let Parts { before, host, after } = self;
        let [before, host, after] = [before, host, after].map(|part| part.into_owned().into());
        Parts { before, host, after }
    }

    /// All of it.
    pub(crate) fn text(&self) -> String {
        [&*self.before, &self.host, &self.after].concat()
    }

    /// True if `text` is all of it.
    pub(crate) fn are(&self, text: &str) -> bool {
        let rest = text.strip_prefix(&*self.before);
        rest.and_then(|rest| rest.strip_prefix(&*self.host)) == Some(&*self.after)
    }

    pub(crate) fn width(&self) -> usize {
        width(&self.before) + width(&self.host) + width(&self.after)
    }

    /// As much as there is room for in so many columns. A part that is cut has `…`. The host is cut
    /// only if it alone is too long; then its end stays, which says who owns it.
    pub(crate) fn fitted(&self, room: usize) -> Parts<'_> {
        let Parts { before, host, after } = self;
        if self.width() <= room {
            let [before, host, after] = [before, host, after].map(|part| Cow::Borrowed(&**part));
            return Parts { before, host, after };
        }
        let left = room.saturating_sub(width(host));
        // A column is for the `…` of what is after the host.
        let (before, host) = match left.checked_sub(usize::from(!after.is_empty())) {
            Some(left) => (tail(before, left).into(), Cow::Borrowed(&**host)),
            None => (Cow::default(), Cow::Owned(tail(host, room))),
        };
        let left = room.saturating_sub(width(&before) + width(&host));
        Parts { before, host, after: cut(after, left).into() }
    }
}

/// The number of columns of `text`, which has no controls.
pub(super) fn width(text: &str) -> usize {
    if is_one_column_each(text) { text.len() } else { text.width() }
}

/// The host of a mail address.
fn of_address(parts: &Components<'_>) -> Option<std::ops::Range<usize>> {
    let path = parts.range(Component::Path)?;
    let (user, host) = parts.path().split_once('@')?;
    let mailto = parts.scheme().is_some_and(|scheme| scheme.eq_ignore_ascii_case("mailto"));
    (mailto && !host.contains(['@', ','])).then_some(path.start + user.len() + 1..path.end)
}

/// The start of `text` in at most `room` columns, with `…` if something is cut.
pub(crate) fn cut(text: &str, room: usize) -> String {
    if text.width() <= room {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut width = 1;
    for c in text.chars() {
        width += c.width().unwrap_or(0);
        if width > room {
            break;
        }
        out.push(c);
    }
    if room > 0 { out + "…" } else { out }
}

/// The end of `text` in at most `room` columns, with `…` if something is cut.
pub(crate) fn tail(text: &str, room: usize) -> String {
    if text.width() <= room {
        return text.to_owned();
    }
    let (mut width, mut from) = (1, text.len());
    for (at, c) in text.char_indices().rev() {
        let columns = c.width().unwrap_or(0);
        width += columns;
        if width > room {
            break;
        }
        // A mark stays only with its letter.
        if columns > 0 {
            from = at;
        }
    }
    if room > 0 { ["…", &text[from..]].concat() } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str, room: usize) -> String {
        let joined = Parts::split(text, Kind::Iri).fitted(room).text();
        assert!(joined.width() <= room, "{joined}");
        joined
    }

    #[test]
    fn the_host_is_never_cut_if_it_fits() {
        assert_eq!(line("http://a.example/path", 40), "http://a.example/path");
        assert_eq!(line("http://a.example/a/long/path", 20), "http://a.example/a/…");
        assert_eq!(line("http://bank.example@evil.example/", 18), "…ple@evil.example/");
        assert_eq!(line("http://bank.example@evil.example", 12), "evil.example");
        assert_eq!(line("http://a.very.long.host.example/", 10), "…t.example");
        assert_eq!(line("http://例え.jp/道道道道", 16), "http://例え.jp/…");
        assert_eq!(line("mailto:e\u{301}e\u{301}@a.example", 12), "…e\u{301}@a.example");
        assert_eq!(line("", 5), "");
        assert_eq!(line("http://a.example/", 0), "");
    }

    #[test]
    fn hosts() {
        for (text, kind, host) in [
            ("http://a.example/x", Kind::Iri, "a.example"),
            ("http://u@b.example:80?q", Kind::Iri, "b.example"),
            ("http://[::1]:80/", Kind::Iri, "[::1]"),
            ("//a.example/x", Kind::Iri, "a.example"),
            ("/x?u=//evil.example/", Kind::Iri, ""),
            ("jane@c.example", Kind::Email, "c.example"),
            ("mailto:jane@c.example?subject=//evil.example", Kind::Iri, "c.example"),
            ("mailto:jane@c.example,john@d.example", Kind::Iri, ""),
            ("www.d.example:80/@x", Kind::Bare, "www.d.example"),
            ("urn:a@b", Kind::Iri, ""),
        ] {
            let parts = Parts::split(text, kind);
            assert_eq!(parts.host, host, "{text}");
            assert_eq!(parts.text(), text);
        }
    }

    #[test]
    fn controls_are_escaped() {
        let parts = Parts::split("http://a.example/\u{202e}\n", Kind::Iri);
        assert_eq!(parts.after, "/\\u{202e}\\u{a}");
    }
}
