//! Where each character of a reference is in the characters of its link.
//!
//! A link goes in, and ranges of its reference; the same ranges of its text come out ([`Match::text`]), which has
//! the escapes of the format, folds, and the line ends of a link that is wrapped.

use alloc::{borrow::Cow, vec::Vec};
use core::ops::Range;

use super::{
    logical::Written,
    matched::{Match, Span},
};
use crate::charset::{cursor::Cursor, lookahead::Lookahead, unicode};

/// The text of a link, and the part of the reference that each piece of it means.
#[derive(Debug)]
pub(crate) struct Spots<'l> {
    source: Cow<'l, str>,
    units: Vec<Unit>,
}

/// A character, or an escape.
#[derive(Clone, Debug)]
struct Unit {
    /// In the text.
    source: Range<usize>,
    /// In the reference; empty for what means nothing, such as a fold.
    means: Range<usize>,
    escaped: bool,
}

impl<'l> Spots<'l> {
    /// The places in a link with the reference `iri`. `None` if they are not known: the link was found in another
    /// text than the one that it is in, as in mail.
    pub(crate) fn of(link: &Match<'l>, iri: &str) -> Option<Spots<'l>> {
        let (source, logical) = (link.text(), link.logical());
        let written = match &logical {
            Some(logical) => Some(logical.places.as_deref()?),
            None => None,
        };
        let units = units(&source, written, iri)?;
        Some(Spots { source, units })
    }

    /// The text of the link.
    pub(crate) fn source(&self) -> &str {
        &self.source
    }

    /// The range of the text for one of the reference; `None` if it ends within an escape.
    pub(crate) fn range(&self, means: &Range<usize>) -> Option<Range<usize>> {
        let mut units = self.units.iter().filter(|unit| !unit.means.is_empty());
        if means.is_empty() {
            let before = units.find(|unit| unit.means.end == means.start);
            let at = before.map(|unit| unit.source.end);
            let at = if means.start == 0 { Some(0) } else { at }?;
            return Some(at..at);
        }
        let start = units.clone().find(|unit| unit.means.start == means.start)?;
        let end = units.find(|unit| unit.means.end == means.end)?;
        Some(start.source.start..end.source.end)
    }

    /// Whether an escape ends at this place of the text.
    pub(crate) fn is_escaped_before(&self, at: usize) -> bool {
        self.units.iter().any(|unit| unit.source.end == at && unit.escaped)
    }
}

/// The places in the source of ranges of a reference.
#[derive(Debug)]
pub(crate) struct SourcePlaces<'l> {
    link: Span,
    how: How<'l>,
}

/// How they are known.
#[derive(Debug)]
enum How<'l> {
    /// The reference is the bytes of the source.
    Alike,
    /// By its characters; and, if these are not the bytes of the source, where each begins in the text and in the
    /// source, and where the last one ends.
    Spots(Spots<'l>, Option<Vec<(usize, usize)>>),
    Unknown,
}

impl<'l> SourcePlaces<'l> {
    /// Those of a link with the reference `iri`.
    pub(crate) fn of(link: &Match<'l>, iri: &str) -> SourcePlaces<'l> {
        let how = match Spots::of(link, iri) {
            _ if link.source() == iri.as_bytes() => How::Alike,
            None => How::Unknown,
            Some(spots) if spots.source().as_bytes() == link.source() => How::Spots(spots, None),
            Some(spots) => match characters(link, spots.source().len()) {
                Some(places) => How::Spots(spots, Some(places)),
                None => How::Unknown,
            },
        };
        SourcePlaces { link: link.span(), how }
    }

    /// The bytes of the stream for a range of the reference: those of the whole link if they are not known.
    pub(crate) fn range(&self, range: &Range<usize>) -> Span {
        let within = match &self.how {
            How::Alike => Some(range.clone()),
            How::Unknown => None,
            How::Spots(spots, None) => spots.range(range),
            How::Spots(spots, Some(places)) => spots.range(range).and_then(|range| {
                let at = |text: usize| {
                    let at = places.binary_search_by_key(&text, |(text, _)| *text).ok()?;
                    Some(places[at].1)
                };
                Some(at(range.start)?..at(range.end)?)
            }),
        };
        let start = self.link.start;
        within.map_or(self.link.clone(), |it| start + it.start as u64..start + it.end as u64)
    }
}

/// Where each character of a link begins in its text and in its source, and where the last one ends. `len`: the length
/// of the text.
fn characters(link: &Match<'_>, len: usize) -> Option<Vec<(usize, usize)>> {
    let (mut cursor, source) = (Cursor::new(link.charset()), link.source());
    cursor.jis.shift = link.found().shifts().0;
    let (mut places, mut text, mut at) = (Vec::new(), 0, 0);
    while let Some((unit, bytes)) = cursor.step(Lookahead::whole(&source[at..])) {
        let chars = match unit {
            unicode::Unit::Char(c) => c.len_utf8(),
            unicode::Unit::Pair(one, other) => one.len_utf8() + other.len_utf8(),
            unicode::Unit::Malformed => char::REPLACEMENT_CHARACTER.len_utf8(),
            unicode::Unit::Escape => 0,
        };
        if chars > 0 {
            places.push((text, at));
        }
        (text, at) = (text + chars, at + bytes);
    }
    places.push((text, at));
    (text == len).then_some(places)
}

/// The pieces of `source`; `None` if its meaning is not `iri`.
fn units(source: &str, written: Option<&Written>, iri: &str) -> Option<Vec<Unit>> {
    let text = written.map_or(source, |written| &written.text);
    let mut escapes = written.map_or(&[][..], |written| &written.escapes).iter().peekable();
    let (mut units, mut in_text, mut in_source, mut in_iri) = (Vec::new(), 0, 0, 0);
    loop {
        let escape = escapes.next_if(|escape| escape.at == in_text);
        let (mut len, mut source_len) = match (escape, text.get(in_text..)?.chars().next()) {
            (Some(escape), _) => (escape.len, escape.source_len),
            (None, Some(c)) if source.get(in_source..)?.starts_with(c) => {
                (c.len_utf8(), c.len_utf8())
            }
            (None, Some(_)) => return None,
            (None, None) => break,
        };
        // In logs each byte of a character may have an escape.
        while !text.is_char_boundary(in_text + len) {
            let more = escapes.next_if(|escape| escape.at == in_text + len)?;
            len += more.len.max(1);
            source_len += more.source_len;
        }
        let piece = text.get(in_text..in_text + len)?;
        let rest = &iri[in_iri..];
        let means = match piece {
            piece if rest.starts_with(piece) => len,
            // What is dropped where a link is wrapped, and in a value with white space.
            piece if piece.chars().all(|c| c.is_ascii_whitespace() || c == '>') => match piece {
                " " if rest.starts_with("%20") => 3,
                "\u{C}" if rest.starts_with("%0C") => 3,
                _ => 0,
            },
            _ => return None,
        };
        units.push(Unit {
            source: in_source..in_source + source_len,
            means: in_iri..in_iri + means,
            escaped: escape.is_some(),
        });
        (in_text, in_source, in_iri) = (in_text + len, in_source + source_len, in_iri + means);
    }
    (in_source == source.len() && in_iri == iri.len()).then_some(units)
}
