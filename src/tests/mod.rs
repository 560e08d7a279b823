//! The tests of the library: cases as data × every interface × every charset, a naive twin that
//! gives the expected links, and the promises as properties.

#[cfg(feature = "std")]
mod adaptors;
mod cases;
mod cells;
mod corpora;
#[cfg(all(feature = "mail", feature = "psl"))]
mod deceit;
pub(crate) mod documents;
mod encode;
mod filter_laws;
mod format_laws;
mod format_limits;
mod interop;
mod laws;
mod layers;
mod limits;
mod matrix;
mod naive;
mod readable_laws;
mod reference;
mod reference_laws;
mod references;
mod requirements;
mod suite;
mod template_laws;
mod traits;
mod uts58;
mod vectors;
mod ways;

/// The folder of the repository.
const REPOSITORY: &str = env!("CARGO_MANIFEST_DIR");
