//! The values of the property Link_Term.

use super::class_tables::TERM;

/// The property Link_Term of UTS #58.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LinkTerm {
    Hard,
    Include,
    Soft,
    Open,
    Close,
}

impl LinkTerm {
    /// Of a character with these bits.
    #[inline]
    pub(crate) fn of(bits: u32) -> LinkTerm {
        match bits & TERM {
            0 => LinkTerm::Hard,
            1 => LinkTerm::Include,
            2 => LinkTerm::Soft,
            3 => LinkTerm::Open,
            _ => LinkTerm::Close,
        }
    }
}
