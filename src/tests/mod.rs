//! The test system: cases as data × every way × every charset, a naive twin
//! that says what is right, and the promises as properties.

mod cases;
mod cells;
mod corpora;
pub(crate) mod documents;
mod encode;
mod format_laws;
mod format_limits;
mod laws;
mod layers;
mod limits;
mod matrix;
mod naive;
mod reference;
mod reference_laws;
mod references;
mod requirements;
mod suite;
mod traits;
mod uts58;
mod vectors;
mod ways;

/// The folder of the repository.
const REPOSITORY: &str = env!("CARGO_MANIFEST_DIR");
