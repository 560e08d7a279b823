//! The figures about a document that was rewritten.
//!
//! They are counted while links are written, and become [`Rewritten`] when the summary of the search is known.
//! What must hold: each link is counted at most once among those that changed and those that had to stay.

use crate::links::sink::Summary;

/// Figures about a document that was rewritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rewritten {
    /// The document as it came in.
    pub summary: Summary,
    /// Links replaced.
    pub changed: u64,
    /// Links that stay because they have no URI form, or lack a field that the template needs, or
    /// because the new text cannot be in their place.
    pub unconvertible: u64,
    /// Characters of replacements that are written as `?`, because the charset has neither them nor
    /// has the format an escape.
    pub lost: u64,
    /// Identifiers of RDF and keys of PO that are not ASCII and stay
    /// ([`Config::identifiers`](crate::api::config::Config::identifiers)).
    pub identifiers: u64,
    /// With [`Rewrite::Iri`](crate::Rewrite::Iri): links that were written in UTF-8 before the
    /// charset was decided. If it is another one in the end, they are wrong, and the charset should
    /// be given.
    pub before_charset: u64,
}

/// What was done with the links so far, as [`Rewritten`] has it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) changed: u64,
    pub(super) unconvertible: u64,
    pub(super) identifiers: u64,
    pub(super) lost: u64,
    pub(super) early: u64,
}

impl Counts {
    /// The figures of the document.
    pub(super) fn of(self, summary: Summary) -> Rewritten {
        let Counts { changed, unconvertible, identifiers, lost, early } = self;
        Rewritten { summary, changed, unconvertible, identifiers, lost, before_charset: early }
    }
}
