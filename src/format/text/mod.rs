//! Plain text.

pub(in crate::format) mod row;
pub(in crate::format) mod writer;
