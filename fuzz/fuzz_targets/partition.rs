//! Text and links, concatenated, are the input; the spans of links are right and in
//! order; no piece of text ends inside a character.

#![no_main]

use iriscan_fuzz::{Case, Seen, WAYS};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|case: Case| {
    for by in WAYS {
        let finder = case.finder(by);

        let whole = Seen::of(&finder, [&case.bytes[..]]);
        assert_eq!(whole.copy, case.bytes, "text and links should be the input, {by:?}");
        let cut = Seen::of(&finder, case.chunks());
        assert_eq!(cut.copy, case.bytes, "text and links of chunks should be the input, {by:?}");

        let mut end = 0;
        for link in finder.find_iter(&case.bytes[..]) {
            let range = link.range();
            assert!(end <= range.start && range.start < range.end, "links should be in order");
            assert_eq!(link.source(), &case.bytes[range.clone()], "spans should cut the input");
            end = range.end;
        }

        let Ok(text) = str::from_utf8(&case.bytes) else { continue };
        if cut.charset.is_some_and(|(charset, _)| charset == iriscan::Charset::UTF_8) {
            let ends_whole = cut.ends.iter().all(|at| text.is_char_boundary(*at));
            assert!(ends_whole, "text should end on characters, {by:?}");
        }
    }
});
