//! Rewriting the output again, in the same charset, changes nothing; a stream in
//! any chunks and a slice give the same output.

#![no_main]

use iriscan::{Config, Finder, HostForm, Nfc, QueryCharset, Rewriter};
use iriscan_fuzz::{By, Case, WAYS};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|case: Case| {
    for by in WAYS {
        stream_is_slice(&case, &case.finder(by), by);
    }
    // Only the default limit is promised, because rewriting makes a link longer.
    let config = || Config::new().charset(case.charset);
    let keep = config().host(HostForm::Keep);
    let percent = config().host(HostForm::Percent).query(QueryCharset::Utf8).nfc(Nfc::Never);
    for config in [config(), keep, percent, config().nfc(Nfc::Always)] {
        let finder = config.clone().build().expect("these options should be valid");
        let (once, done) = finder.rewrite_slice(&case.bytes[..]);
        let (twice, again) = finder.rewrite_slice(&once[..]);
        assert_eq!(once, twice, "rewriting again should change nothing: {config:?}");
        assert_eq!(done.summary.charset, again.summary.charset, "{config:?}");
        assert_eq!(done.changed == 0, *once == case.bytes, "changed means other bytes: {config:?}");
        stream_is_slice(&case, &finder, By::Label);
    }
});

fn stream_is_slice(case: &Case, finder: &Finder, by: By) {
    let (slice, done) = finder.rewrite_slice(&case.bytes[..]);

    let (mut rewriter, mut scanner) = (Rewriter::new(Vec::new(), finder), finder.scanner());
    for chunk in case.chunks() {
        scanner.push(chunk, &mut rewriter).expect("a vector should take all");
    }
    scanner.finish(&mut rewriter).expect("a vector should take all");
    let (stream, streamed) = rewriter.into_inner();
    assert_eq!(*slice, stream, "chunks should come out as the slice does, {by:?}");
    assert_eq!(Some(done), streamed, "chunks should give the same figures, {by:?}");

    let mut copied = Vec::new();
    let figures = finder.rewrite(&case.bytes[..], &mut copied).expect("a vector should take all");
    assert_eq!(*slice, copied, "a reader should come out as the slice does, {by:?}");
    assert_eq!(done, figures, "a reader should give the same figures, {by:?}");
}
