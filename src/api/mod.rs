//! What users call: configuration, finder, scanner, and ready ways to rewrite.

pub(crate) mod config;
pub(crate) mod find;
pub(crate) mod finder;
pub(crate) mod positions;
pub(crate) mod rewrite;
#[cfg(feature = "std")]
pub(crate) mod rewriter;
pub(crate) mod scanner;
#[cfg(feature = "bytes")]
pub(crate) mod segments;
