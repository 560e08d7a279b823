//! `src/simd` of the library with its tests: each vector of this machine gives what a loop over
//! single bytes gives.

#[cfg(test)]
extern crate alloc;

#[cfg(test)]
#[allow(dead_code)]
#[path = "../../../src/simd/mod.rs"]
mod simd;

#[cfg(test)]
mod tests {
    use super::simd::types::Level;

    /// Without this a machine whose vectors are not compiled would pass.
    #[test]
    fn the_machine_has_the_vectors_it_should_have() {
        let has = format!("{:?}", Level::best());
        let integers = has.starts_with("Integer");
        let vectors = match std::env::consts::ARCH {
            "aarch64" => has.starts_with("Neon"),
            "x86_64" => !integers,
            _ => integers,
        };
        assert!(vectors, "{has} on {}", std::env::consts::ARCH);
    }
}
