//! The tests of the library: cases as data × every interface × every charset, a naive twin that
//! gives the expected links, and the promises as properties.

#[cfg(feature = "std")]
mod adaptors;
mod cases;
mod corpora;
mod differential;
mod format_laws;
mod format_limits;
mod interop;
mod laws;
mod layers;
mod limits;
mod markup;
mod matrix;
mod naive;
mod reference;
mod references;
mod requirements;
mod suite;
mod traits;
mod uts58;
mod vectors;
mod ways;
