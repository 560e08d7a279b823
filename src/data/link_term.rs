//! The values of the property Link_Term.

/// The property Link_Term of UTS #58.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LinkTerm {
    Include,
    Hard,
    Soft,
    Close,
    Open,
}
