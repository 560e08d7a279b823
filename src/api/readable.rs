//! Rewriting from URIs to the IRIs that people can read.
//!
//! A link goes in, and what to write in its place comes out. Invariants: the new link has the same
//! URI, up to the case of hexadecimal digits, and between the characters that are around it the
//! search finds it whole. That is not assumed but tried, with less and less decoded.

use alloc::{borrow::Cow, string::String, sync::Arc};

use super::finder::Finder;
use crate::{
    charset::{Charset, Shape},
    data::{link_term::LinkTerm, properties::link_term},
    format::{kinds::Format, slot::Slot},
    grammar::types::Kind,
    links::{matched::Match, rewrite::Rewrite},
    reference::{
        components::{Component, Components},
        to_iri::{HostLabels, IriOptions},
        to_uri::{HostForm, QueryCharset, UriOptions},
        unicode::is_mark,
    },
};

/// Put before a link without a scheme, so that it can be converted.
const WEB: &str = "https://";

/// What becomes of a link.
pub(crate) enum Readable {
    /// There is nothing to decode.
    Same,
    /// What to write, with the escapes of the format.
    Changed(String),
    /// What there is to decode would make another link of it, or cannot be written there.
    Stays,
}

/// Makes links readable.
#[derive(Clone, Debug)]
pub(crate) struct Readables {
    options: IriOptions,
    back: UriOptions,
    /// Finds what was decoded.
    finder: Finder,
}

/// How much is decoded.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Much {
    All,
    /// All but punctuation at the end.
    Inner,
    /// All but brackets and quotation marks.
    Unquoted,
    /// What never ends a link by UTS #58.
    Included,
    /// Letters, digits and marks.
    Letters,
}

/// Which parts are decoded, and how much of them.
#[derive(Clone, Copy)]
struct How {
    much: Much,
    query: bool,
    host: bool,
    /// The link is an e-mail address.
    address: bool,
    /// The charset of the query, if that is not Unicode.
    legacy: Option<Charset>,
}

impl Readables {
    /// `None` if the finder does not rewrite to IRIs.
    pub(crate) fn of(finder: &Finder) -> Option<Readables> {
        let options = finder.rules.to_iri?;
        let rules = finder.rules.with(|options| {
            (options.filter, options.rewrite) = (None, Rewrite::Uri);
            options.nested = false;
        });
        let back = rules.uri.host(HostForm::Punycode);
        let finder =
            Finder { rules: Arc::new(rules), format: Format::Text, charset: Some(Charset::UTF_8) };
        Some(Readables { options, back, finder })
    }

    /// What becomes of a link, whose text is written by `slot`.
    pub(super) fn rewriting(&self, link: &Match<'_>, slot: &Slot) -> Readable {
        let iri = link.iri();
        if !iri.contains('%')
            && (self.options.get_host() == HostLabels::Keep || !has_punycode(&iri))
        {
            return Readable::Same;
        }
        let prefix = if link.kind() == Kind::Iri { "" } else { WEB };
        let whole = Cow::from([prefix, &*iri].concat());
        let back = self.back.charset(link.charset());
        // A link of ASCII is its own URI, whatever characters it has.
        let uri = match link.is_ascii() {
            true => Ok(whole.clone()),
            false => back.to_uri(&whole),
        };
        let Ok(uri) = uri else { return Readable::Stays };
        let legacy = self.legacy(link, &whole);
        let address = link.kind() == Kind::Email;
        let how = |much, query, host| How { much, query, host, address, legacy };
        let everything = self.attempt(&whole, how(Much::All, true, true), &|_| true);
        if is_same_but_digits(&everything, &whole) {
            return Readable::Same;
        }
        // Nothing that can be written there is no failure.
        let mut otherwise = Readable::Same;
        let mut last = everything;
        let all = [Much::All, Much::Inner, Much::Unquoted, Much::Included, Much::Letters];
        let tries = all.into_iter().map(|much| (much, true, true)).chain([
            (Much::Letters, false, true),
            (Much::Letters, true, false),
            (Much::Letters, false, false),
        ]);
        for (i, (much, query, host)) in tries.enumerate() {
            let holds = |c: char| slot.holds(c);
            let attempt = self.attempt(&whole, how(much, query, host), &holds);
            if i > 0 && attempt == last {
                continue;
            }
            if is_same_but_digits(&attempt, &whole) {
                // An earlier run came to this, and to decode less would be to decode more than it did.
                return otherwise;
            }
            otherwise = Readable::Stays;
            let leads_back = back.to_uri(&attempt).is_ok_and(|u| is_same_but_digits(&u, &uri));
            let new = &attempt[prefix.len()..];
            if leads_back && self.is_found(new, link) {
                let written = slot.spelled(&link.spelled(new));
                let fits = |text: &String| link.can_be(text.as_bytes()) && self.fits(text, link);
                if let Some(written) = written.filter(fits) {
                    return Readable::Changed(written);
                }
            }
            last = attempt;
        }
        otherwise
    }

    /// Whether a link is short enough to be found.
    fn fits(&self, written: &str, link: &Match<'_>) -> bool {
        let len = match link.charset().shape() {
            Shape::Wide { width, .. } => width * written.chars().count(),
            // At most that in other charsets, but for escape sequences.
            Shape::Stateful => 4 * written.len(),
            _ => written.len(),
        };
        len as u64 <= self.finder.rules.options.max_len
    }

    /// The charset of the link's query, if that is not Unicode.
    fn legacy(&self, link: &Match<'_>, whole: &str) -> Option<Charset> {
        let scheme = Components::split(whole).scheme().unwrap_or("https");
        let web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
        let document = web && self.back.get_query() == QueryCharset::Document;
        Some(link.charset()).filter(|charset| document && !charset.is_unicode())
    }

    /// `uri` with so much decoded.
    fn attempt(&self, uri: &str, how: How, holds: &dyn Fn(char) -> bool) -> String {
        let options = if how.host { self.options } else { self.options.host(HostLabels::Keep) };
        let holds = |c: char| {
            holds(c)
                && match how.much {
                    Much::All | Much::Inner => true,
                    Much::Unquoted => {
                        matches!(link_term(c), LinkTerm::Include | LinkTerm::Soft) && !is_quote(c)
                    }
                    Much::Included => link_term(c) == LinkTerm::Include,
                    Much::Letters => c.is_alphanumeric() || is_mark(c),
                }
        };
        // Of a host nothing is decoded but its labels. What is before an `@` decides where an address
        // begins.
        let wanted = |component| match component {
            _ if how.address => false,
            Component::Host => false,
            Component::Query => how.query && how.legacy.is_none(),
            _ => true,
        };
        let mut iri = options.decode_where(uri, &wanted, &holds);
        if let Some(charset) = how.legacy.filter(|_| how.query)
            && let Some(range) = Components::split(&iri).range(Component::Query)
        {
            let query = self.legacy_query(&iri[range.clone()], charset, &holds);
            iri = Cow::Owned([&iri[..range.start], &query, &iri[range.end..]].concat());
        }
        match how.much {
            Much::Inner => with_end_encoded(&iri, uri),
            _ => iri.into_owned(),
        }
    }

    /// A query with those of its values decoded that are in the charset of the document.
    fn legacy_query(&self, query: &str, charset: Charset, holds: &dyn Fn(char) -> bool) -> String {
        let options = self.options.host(HostLabels::Keep).escapes(Some(charset));
        let back = self.back.charset(charset);
        let mut out = String::with_capacity(query.len());
        for value in query.split_inclusive(['&', '=', ';', '+']) {
            let uri = [WEB, "a/?", value].concat();
            let iri = options.decode_where(&uri, &|part| part == Component::Query, holds);
            let leads_back = back.to_uri(&iri).is_ok_and(|u| is_same_but_digits(&u, &uri));
            out.push_str(if leads_back { &iri[WEB.len() + 3..] } else { value });
        }
        out
    }

    /// Whether `new` is found whole where the link is.
    fn is_found(&self, new: &str, link: &Match<'_>) -> bool {
        // A whole reference is no text.
        let Some(around) = link.surroundings() else { return true };
        let before = around.before;
        let free = before.is_some_and(|c| c.is_whitespace() || c == '(' || c == '"');
        if link.kind() != Kind::Iri && !free && new.chars().next() != link.iri().chars().next() {
            // The character before a host without a scheme decides where it begins.
            return false;
        }
        // Any character may come after a text that is cut.
        let tails: &[&str] = if around.is_cut { &["", "a", "日", " "] } else { &[""] };
        let mut text = String::with_capacity(new.len() + around.after.len() + 4);
        tails.iter().all(|tail| {
            text.clear();
            text.extend(before.filter(|&c| c == '\''));
            let start = text.len();
            text.push_str(new);
            let range = start..text.len();
            text.push_str(&around.after);
            text.push_str(tail);
            let found = self.finder.find_iter(&*text).next();
            found.is_some_and(|l| l.range() == range && l.kind() == link.kind())
        })
    }
}

/// Whether a label of the text may be one of an internationalised host.
fn has_punycode(text: &str) -> bool {
    text.as_bytes().windows(4).any(|w| w.eq_ignore_ascii_case(b"xn--"))
}

/// A quotation mark that is no apostrophe.
fn is_quote(c: char) -> bool {
    matches!(c, '“' | '”' | '„' | '‟' | '«' | '»' | '‹' | '›' | '‘' | '‚' | '‛')
}

/// Whether both are the same up to the case of letters that are hexadecimal digits of escapes.
fn is_same_but_digits(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    a.len() == b.len()
        && a.iter().zip(b).enumerate().all(|(i, (x, y))| {
            x == y
                || x.eq_ignore_ascii_case(y)
                    && x.is_ascii_hexdigit()
                    && (i >= 1 && a[i - 1] == b'%' || i >= 2 && a[i - 2] == b'%')
        })
}

/// `iri` with the punctuation at its end as in `uri`.
fn with_end_encoded(iri: &str, uri: &str) -> String {
    let kept = iri.trim_end_matches(|c: char| !c.is_ascii() && link_term(c) != LinkTerm::Include);
    let end: usize = iri[kept.len()..].chars().map(|c| 3 * c.len_utf8()).sum();
    match uri.len().checked_sub(end).and_then(|at| uri.get(at..)) {
        Some(end) if end.starts_with('%') || end.is_empty() => [kept, end].concat(),
        _ => uri.into(),
    }
}
