//! Plain text.

pub(in crate::format) mod writer;
