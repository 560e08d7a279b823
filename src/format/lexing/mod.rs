//! How a format is read: the interface of a lexer, and what lexers have in common.

pub(in crate::format) mod decoded;
pub(crate) mod escape;
pub(crate) mod lexer;
pub(crate) mod lookahead;
pub(in crate::format) mod marked;
pub(in crate::format) mod mask;
pub(in crate::format) mod nested;
pub(in crate::format) mod triggers;
pub(in crate::format) mod value;
