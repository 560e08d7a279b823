//! Every URI is ASCII, and is a URI reference by the grammar of RFC 3986 unless a warning
//! says otherwise; the URI of a link of characters that a URI may have is the link.

#![no_main]

use iriscan::{
    Warning,
    reference::{Grammar, Reference},
};
use iriscan_fuzz::{Case, WAYS};
use libfuzzer_sys::fuzz_target;

/// True for what is encoded in each URI (RFC 3987, section 3.1).
fn is_encoded(c: char) -> bool {
    !c.is_ascii_graphic() || "\"<>\\^`{|}".contains(c)
}

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
            let same = !text.contains(is_encoded);
            assert_eq!(uri.is_unchanged(), same, "{text:?} gives {uri}");
            assert_eq!(uri.as_str() == text, same, "{text:?} gives {uri}");
            if let Err(why) = Reference::parse(uri.as_str(), Grammar::UriReference) {
                let said = link.warnings().contains(&Warning::NotRfc3986);
                assert!(said, "{text:?} gives {uri}: {why}");
            }
        }
    }
});
