//! The interface for users: configuration, finder, scanner, and ways to rewrite.

pub(crate) mod config;
pub(crate) mod config_error;
pub(crate) mod config_option;
mod edit;
pub(crate) mod explain;
pub(crate) mod find;
pub(crate) mod finder;
mod fold;
mod option_lookup;
mod options;
#[cfg_attr(iriscan_strings, path = "no_paged.rs")]
mod paged;
pub(crate) mod positions;
mod readable;
#[cfg(feature = "std")]
pub(crate) mod reader;
pub(crate) mod replace;
pub(crate) mod rewrite;
#[cfg(feature = "futures")]
pub(crate) mod rewrite_stream;
#[cfg(feature = "std")]
pub(crate) mod rewriter;
pub(crate) mod rewritten;
pub(crate) mod scanner;
#[cfg(feature = "futures")]
pub(crate) mod segment_stream;
pub(crate) mod segments;
mod shifts;
