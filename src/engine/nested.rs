//! Links in the queries of links: `?u=http%3A%2F%2Fb.example%2F`.
//!
//! A link goes in; the addresses that the values of its query hold come out, each with its place in the link. A value
//! is decoded and searched as running text, by the rules of the search:
//!
//! ```text
//! for each value of the query:
//!     for each link of the decoded value, with its place in the value:
//!         give it, then the links of its own query
//! ```
//!
//! A value that is an address as a whole is read as if it were between `<` and `>`, so that a dot at its end is part
//! of it. What must hold: a link comes after the link that it is in, and its place is within that one's; time is
//! linear in the length of the link, because at most [`DEPTH`] links are in each other.

use alloc::{string::String, sync::Arc, vec::Vec};
use core::ops::Range;

use super::{rules::Rules, search::Search};
use crate::{
    charset::{
        Charset,
        window::{Ahead, Window},
    },
    grammar::types::{Found, Kind, Trait},
    links::{logical::Logical, markup::Markup, matched::Match, sink::Halt, spots::SourcePlaces},
    reference::{
        class::hex,
        components::{Component, Components},
    },
};

/// So many links may be in each other, the first one not counted.
const DEPTH: usize = 4;

/// Shows the links in the query of `link` to `each`, those that the filter chooses.
pub(crate) fn each<'h>(
    rules: &Rules,
    link: &Match<'h>,
    mut each: impl FnMut(Match<'h>) -> Result<(), Halt>,
) -> Result<(), Halt> {
    let Some(within) = &rules.nested else { return Ok(()) };
    let iri = link.iri();
    if !memchr::memchr(b'?', iri.as_bytes()).is_some_and(|at| may_hold(within, &iri[at..])) {
        return Ok(());
    }
    // What a known wrapper leads to is told already.
    if rules.uri.get_unwraps() && link.unwrapped().is_some() {
        return Ok(());
    }
    let mut addresses = Vec::new();
    search(within, &iri, &|range| range, DEPTH, &mut addresses);
    let places = SourcePlaces::of(link, &iri);
    let mut around = [const { None }; DEPTH + 1];
    around[DEPTH] = link.host_key();
    for Address { text, kind, range, depth } in addresses {
        let place = places.range(&range);
        let found = Found::ascii(place.start, place.end, kind)
            .with(Trait::NonAscii, !text.is_ascii())
            .in_context(link.found().context());
        let at = |offset: u64| (offset - link.span().start) as usize;
        let source = &link.source()[at(place.start)..at(place.end)];
        let logical = Some(Arc::new(Logical::decoded(text)));
        let inner = Match::of(source, found, Charset::UTF_8, link.options()).with(logical);
        let host = inner.host_key();
        let is_mail = kind == Kind::Email || inner.scheme().as_deref() == Some("mailto");
        let is_in_another = !is_mail && host.is_some() && around[depth] != host;
        let markup = Markup {
            is_in_another,
            // These describe the text around the outer link.
            named: None,
            base_host: None,
            base: None,
            has_twin: false,
            surroundings: None,
            ..link.markup().as_deref().cloned().unwrap_or_default()
        };
        around[depth - 1] = host;
        let inner = inner.standing(Some(Arc::new(markup)));
        if rules.choose(&inner) {
            each(inner)?;
        }
    }
    Ok(())
}

/// Whether a query may hold an address at all.
fn may_hold(rules: &Rules, query: &str) -> bool {
    // Each anchor may be written as an escape.
    memchr::memchr(b'%', query.as_bytes()).is_some() || rules.anchors.may_be_in(query.as_bytes())
}

/// An address in a query.
struct Address {
    text: String,
    kind: Kind,
    /// Its place in the reference that it is in.
    range: Range<usize>,
    /// How many addresses may be in it, one in the other, and one more.
    depth: usize,
}

/// Finds the addresses in the query of `reference`. `outside`: the places in the outermost reference of places in
/// this one.
fn search(
    rules: &Arc<Rules>,
    reference: &str,
    outside: &dyn Fn(Range<usize>) -> Range<usize>,
    depth: usize,
    found: &mut Vec<Address>,
) {
    let parts = Components::split(reference);
    let Some(query) = parts.range(Component::Query).filter(|_| depth > 0) else { return };
    let mut start = query.start;
    for piece in reference[query].split('&') {
        let name = piece.find('=').filter(|at| !piece[..*at].contains([':', '%']));
        let value = start + name.map_or(0, |at| at + 1)..start + piece.len();
        start += piece.len() + 1;
        let Some(value) = Value::of(reference, value) else { continue };
        value.each_link(rules, |kind, range| {
            let text = &value.text[range.clone()];
            let place = outside(value.outside(range.clone()));
            found.push(Address { text: text.into(), kind, range: place, depth });
            let outside = |inner: Range<usize>| {
                outside(value.outside(range.start + inner.start..range.start + inner.end))
            };
            search(rules, text, &outside, depth - 1, found);
        });
    }
}

/// The decoded value of a parameter.
struct Value {
    text: String,
    /// Where each byte of the text starts in the reference, and where the last one ends.
    places: Vec<usize>,
}

impl Value {
    /// `None` if the octets are no UTF-8.
    fn of(reference: &str, range: Range<usize>) -> Option<Value> {
        let (bytes, end) = (reference.as_bytes(), range.end);
        let (mut octets, mut places) = (Vec::new(), Vec::new());
        let mut at = range.start;
        while at < end {
            places.push(at);
            let escape = match bytes[at..end] {
                [b'%', high, low, ..] => hex(high).zip(hex(low)),
                _ => None,
            };
            octets.push(escape.map_or(bytes[at], |(high, low)| high << 4 | low));
            at += if escape.is_some() { 3 } else { 1 };
        }
        places.push(end);
        Some(Value { text: String::from_utf8(octets).ok()?, places })
    }

    /// The place in the reference of a range of the text.
    fn outside(&self, range: Range<usize>) -> Range<usize> {
        self.places[range.start]..self.places[range.end]
    }

    /// Shows the links of the text, with their kind and their place.
    fn each_link(&self, rules: &Arc<Rules>, mut each: impl FnMut(Kind, Range<usize>)) {
        if !rules.anchors.may_be_in(self.text.as_bytes()) {
            return;
        }
        // A link between `<` and `>` may go over line ends.
        let (open, close) = match self.text.contains(['\n', '\r']) {
            true => ("", ""),
            false => ("<", ">"),
        };
        let bytes = [open, &*self.text, close].concat().into_bytes();
        let w = Window { bytes: &bytes, base: 0, ahead: Ahead::Nothing };
        let mut search = Search::within(rules.clone(), Charset::UTF_8);
        let mut found = Found::NONE;
        while search.next(w, &mut found) {
            let at = |offset: u64| w.index(offset) - open.len();
            each(found.kind(), at(found.start)..at(found.end));
        }
    }
}
