//! What a lexer may look at, and what it finds there.
//!
//! Functions that read ahead take a [`Lookahead`] and return an `Option`: `None` means that more bytes are needed. What
//! was looked for and is not there is [`Here::Nothing`].

pub(crate) use crate::charset::lookahead::Lookahead;

/// The thing that a function looks for, if the bytes begin with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Here<T> {
    Is(T),
    Nothing,
}

impl<T> Here<T> {
    /// The same as an `Option`, for its methods.
    #[inline]
    pub(in crate::format) fn found(self) -> Option<T> {
        match self {
            Here::Is(found) => Some(found),
            Here::Nothing => None,
        }
    }
}

impl<T> From<Option<T>> for Here<T> {
    #[inline]
    fn from(found: Option<T>) -> Here<T> {
        found.map_or(Here::Nothing, Here::Is)
    }
}
