//! What `patterns.rs` has, for a build without regular expressions. No value exists.

use alloc::{string::String, vec::Vec};

use super::error::{FilterError, FilterErrorKind};

#[derive(PartialEq, Eq)]
pub(super) enum Patterns {}

impl Patterns {
    /// `None`, because no method gives any.
    pub(super) fn new(_: FilterErrorKind, _: Vec<String>) -> Result<Option<Patterns>, FilterError> {
        Ok(None)
    }

    pub(super) fn given(&self) -> &[String] {
        match *self {}
    }

    pub(super) fn is_match(&self, _: &str) -> bool {
        match *self {}
    }
}
