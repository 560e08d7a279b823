//! How a stream is cut changes nothing, whether pushed or pulled, and the memory
//! stays bounded.

#![no_main]

use iriscan_fuzz::{By, Case, Link, Seen, WAYS};
use libfuzzer_sys::fuzz_target;

/// The most bytes held besides a link: overhang, look-behind, one bridge, and the part
/// of the carry that is not worth moving yet.
const SLACK: u64 = 2048;

fuzz_target!(|case: Case| {
    for by in WAYS {
        let finder = case.finder(by);
        let mut links = finder.find_iter(&case.bytes[..]);
        let found: Vec<Link> = links.by_ref().map(|link| (&link).into()).collect();

        let whole = Seen::of(&finder, [&case.bytes[..]]);
        assert_eq!(found, whole.links, "one push should find what a slice gives, {by:?}");
        assert_eq!(whole.charset, Some(links.charset()), "the charset should be the same, {by:?}");

        let cut = Seen::watched(&finder, case.chunks(), |scanner| {
            let bound = case.max_len.saturating_mul(2).saturating_add(SLACK);
            let held = scanner.held() as u64;
            assert!(by == By::Detection || held <= bound, "{held} bytes held, bound {bound}");
        });
        assert_eq!(found, cut.links, "chunks should not change the links, {by:?}");
        assert_eq!(whole.summary, cut.summary, "chunks should not change the summary, {by:?}");

        let pulled = Seen::pulled(&finder, case.chunks());
        assert_eq!(pulled.copy, case.bytes, "segments should be the input, {by:?}");
        assert_eq!(found, pulled.links, "segments should be the same links, {by:?}");
        assert_eq!(whole.summary, pulled.summary, "segments should end the same, {by:?}");
    }
});
