//! The tests of the library: cases as data × every interface × every charset, a naive twin that
//! gives the expected links, and the promises as properties.
//!
//! Without the feature `legacy-charsets` the cases and laws run in UTF-8, UTF-16 and UTF-32;
//! without `regex` the cases with regular expressions do not run.

#[cfg(feature = "std")]
mod adaptors;
#[cfg_attr(not(all(feature = "legacy-charsets", feature = "regex")), allow(dead_code))]
mod cases;
#[cfg_attr(not(feature = "legacy-charsets"), allow(dead_code))]
mod cells;
#[cfg(feature = "legacy-charsets")]
mod comment_laws;
#[cfg(feature = "legacy-charsets")]
mod corpora;
#[cfg(all(feature = "mail", feature = "psl"))]
mod deceit;
#[cfg_attr(not(feature = "legacy-charsets"), allow(dead_code))]
pub(crate) mod documents;
#[cfg(feature = "legacy-charsets")]
mod edit_laws;
mod encode;
#[cfg(feature = "legacy-charsets")]
mod explain;
#[cfg(all(feature = "legacy-charsets", feature = "regex"))]
mod filter_laws;
#[cfg(feature = "legacy-charsets")]
mod format_laws;
#[cfg(feature = "legacy-charsets")]
mod format_limits;
#[cfg(all(feature = "legacy-charsets", feature = "regex"))]
mod interop;
#[cfg(feature = "legacy-charsets")]
mod ip_laws;
mod laws;
mod layers;
#[cfg(feature = "legacy-charsets")]
mod limits;
#[cfg(feature = "legacy-charsets")]
mod matrix;
mod naive;
#[cfg(feature = "legacy-charsets")]
mod nested_laws;
#[cfg(feature = "legacy-charsets")]
mod notebook_laws;
#[cfg(feature = "legacy-charsets")]
mod queries;
#[cfg(feature = "legacy-charsets")]
mod readable_laws;
#[cfg(feature = "legacy-charsets")]
mod reference;
mod reference_laws;
mod references;
mod requirements;
#[cfg_attr(not(feature = "legacy-charsets"), allow(dead_code))]
pub(crate) mod samples;
mod script_laws;
mod suite;
#[cfg(feature = "legacy-charsets")]
mod template_laws;
#[cfg(feature = "legacy-charsets")]
mod traits;
mod uts58;
#[cfg(feature = "legacy-charsets")]
mod vectors;
mod ways;
mod words;
mod written_hosts;

/// True if the tests shall take their time (`IRISCAN_TESTS=long`, which `.ci/nightly` sets): all sizes, and all
/// ways in every charset. Without it, a way that reads the same code in many charsets runs in one of them.
pub(crate) fn are_long() -> bool {
    std::env::var_os("IRISCAN_TESTS").is_some_and(|value| value == "long")
}

/// The folder of the repository.
const REPOSITORY: &str = env!("CARGO_MANIFEST_DIR");
