//! Changing parts of links in a document ([`Rewrite::Edit`](crate::Rewrite::Edit)).
//!
//! A link and the changes of its reference go in; out comes the text in the place of the link. All characters
//! outside of the changes come out as the document has them, with their escapes. What must hold: a new part means
//! the same there as it does alone, and nothing beside it is read differently; if that is not certain, the link
//! stays.

use alloc::string::String;

use super::rewrite::{Splice, keeps_comment};
use crate::{
    charset::Shape,
    format::slot::Slot,
    grammar::types::Trait,
    links::{
        edit::{Change, LinkEdit, applied},
        matched::Match,
        spots::Spots,
    },
};

/// What becomes of a link of which parts change.
enum Edited {
    /// Nothing changes.
    Same,
    /// This text replaces it.
    Text(String),
    /// The same, but it needs the escapes of its place.
    Unescaped(String),
    /// It is an identifier.
    Identifier,
    /// The new part cannot be written there.
    Stays,
}

impl Splice {
    /// Writes a link with its changes.
    pub(super) fn edit<E>(
        &mut self,
        edit: &LinkEdit,
        link: &Match<'_>,
        write: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        match self.edited(edit, link) {
            Edited::Text(text) => return self.put(text.as_bytes(), link.charset(), link, write),
            Edited::Unescaped(text) => {
                let undecided = link.found().context().is_undecided();
                return self.replace(&text, link.charset(), undecided, link, write);
            }
            Edited::Identifier => self.counts.identifiers += 1,
            Edited::Stays => self.counts.unconvertible += 1,
            Edited::Same => {}
        }
        self.text(link.source(), write)
    }

    fn edited(&self, edit: &LinkEdit, link: &Match<'_>) -> Edited {
        let iri = link.iri();
        let changes = edit.changes(&iri, link.kind());
        let (found, charset) = (link.found(), link.charset());
        let opened = link.is_opened();
        if changes.is_empty() && !(opened && edit.is_of_authority()) {
            return Edited::Same;
        }
        if found.has(Trait::Identifier) {
            return Edited::Identifier;
        }
        // Malformed bytes before the link would take a new first byte for the rest of a character.
        let swallows = charset.shape() == Shape::Multi && link.is_malformed_adjacent();
        let begins = changes.first().is_some_and(|change| change.range.start == 0);
        if found.has(Trait::Fixed) || opened || swallows && begins {
            return Edited::Stays;
        }
        let new = applied(&iri, &changes);
        if let Some(harmless) = link.spelled_harmless(&new) {
            return Edited::Text(harmless);
        }
        let ascii = self.ascii || found.context().is_undecided();
        let slot = Slot::new(self.format, charset, ascii, link, self.recent);
        let Some(spots) = Spots::of(link, &iri) else { return Edited::Unescaped(new) };
        if slot.without_marks().write(&new).is_none() && slot.without_marks().write(&iri).is_some()
        {
            return Edited::Stays;
        }
        match spliced(&spots, &changes, &slot) {
            Some(text) if text.is_empty() || self.ascii && !text.is_ascii() => Edited::Stays,
            Some(text) if !keeps_comment(link, &text) => Edited::Stays,
            Some(text) if is_exact(link, spots.source()) => Edited::Text(text),
            _ => Edited::Stays,
        }
    }
}

/// The characters of a link with the changes; `None` if one of them cannot be written there.
fn spliced(spots: &Spots<'_>, changes: &[Change], slot: &Slot) -> Option<String> {
    let (source, mut out, mut at) = (spots.source(), String::new(), 0);
    for change in changes {
        let range = spots.range(&change.range)?;
        out.push_str(&source[at..range.start]);
        let first = range.start == 0;
        let part = slot.write_part(&change.with, first);
        let part = part.or_else(|| slot.write_part(&change.ascii, first))?;
        let next = part.chars().chain(source[range.end..].chars()).next();
        let escaped = spots.is_escaped_before(range.start);
        if slot.goes_on(&out, escaped, next) || !slot.gives_up(&source[range.clone()]) {
            return None;
        }
        out += &part;
        at = range.end;
    }
    out.push_str(&source[at..]);
    Some(out)
}

/// Whether the characters of a link, encoded again, are its bytes. Shift_JIS and others have two ways to write some
/// characters.
fn is_exact(link: &Match<'_>, text: &str) -> bool {
    let again = || link.charset().encoding().map(|encoding| encoding.encode(text).0);
    match link.charset().shape() {
        Shape::Single | Shape::Multi if !text.is_ascii() => {
            again().is_some_and(|again| *again == *link.source())
        }
        _ => true,
    }
}
