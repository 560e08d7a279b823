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
        for triggers in [Triggers::Any, Triggers::Colon, Triggers::ColonAtDot] {
            let read = |tuning: &Tuning| {
                all_cuts(&Html::new(triggers, tuning), &document, |text| may_hold(triggers, text))
            };
            let walked = Tuning { skip_tags: false, ..Tuning::DEFAULT };
            prop_assert_eq!(read(&Tuning::DEFAULT), read(&walked));
        }
    }
}
