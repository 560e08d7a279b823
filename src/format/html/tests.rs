//! HTML is divided alike with every cut, with the skipper and without.

use proptest::prelude::*;

use super::*;
use crate::format::tests::{all_cuts, hostile, may_hold};

proptest! {
    /// Cuts change nothing, the tokens add up to the document, and the lookahead is bounded;
    /// and the regions are the same with the skipper and without.
    #[test]
    fn any_bytes(document in hostile(&[
        "<", "<a ", "</a>", ">", "href=", "'", "\"", "&", "&amp;", "&#58;", ";", "http://a",
        "style=\"", "title=\"", "mailto:", "<!--", "-->", "--!>", "<!", "<?", "<script>",
        "</script", "<style>", "</style>", "url(",
        ")", "@import ", "/*", "*/", "<title>", "<meta content=", "5;url=", " ", "/", "é",
        "<plaintext>", "<textarea>", "=", "x:y", "\\", "b=", "b=&amp;", "<b>", "</b>", "<wbr>", "<span ",
        "://a", "a@b.c", "www.a", "a", "-",
    ])) {
        for (triggers, comments) in [
            (Triggers::Any, true), (Triggers::Colon, false), (Triggers::ColonAtDot, true),
        ] {
            let read = |tuning: &Tuning| {
                let html = Html::new(triggers, tuning).comments(comments);
                all_cuts(&html, &document, |text| may_hold(triggers, text))
            };
            let walked = Tuning { skip_tags: false, ..Tuning::DEFAULT };
            prop_assert_eq!(read(&Tuning::DEFAULT), read(&walked));
        }
    }
}
