//! Every URI is ASCII, and of the characters of RFC 3986 unless a warning says
//! otherwise; that of an ASCII link is the link.

#![no_main]

use iriscan::Warning;
use iriscan_fuzz::{Case, WAYS};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|case: Case| {
    for by in WAYS {
        for link in case.finder(by).find_iter(&case.bytes[..]) {
            let text = link.text();
            assert_eq!(link.source(), &case.bytes[link.range()], "spans should cut the input");
            assert!(!text.contains('\u{FFFD}'), "a link should hold nothing malformed: {text:?}");
            assert_eq!(text.is_ascii(), link.is_ascii(), "{text:?}");
            let Ok(uri) = link.uri() else {
                assert!(!text.is_ascii(), "an ASCII link should be its own URI: {text:?}");
                continue;
            };
            assert!(uri.as_str().is_ascii(), "{text:?} gives {uri}");
            assert_eq!(uri.is_unchanged(), text.is_ascii(), "{text:?} gives {uri}");
            assert_eq!(uri.as_str() == text, text.is_ascii(), "{text:?} gives {uri}");
            if !link.warnings().contains(&Warning::NotRfc3986) {
                assert!(is_rfc3986(uri.as_str()), "{text:?} gives {uri}");
            }
        }
    }
});

/// Characters that a URI may hold, each `%` with its digits.
fn is_rfc3986(uri: &str) -> bool {
    let bytes = uri.as_bytes();
    let hex = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_hexdigit);
    bytes.iter().enumerate().all(|(i, b)| match b {
        b'%' => hex(i + 1) && hex(i + 2),
        _ => b.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=".contains(b),
    })
}
