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
        "<script type=application/ld+json>", "<script type='importmap", "{", "}", "[", "\\u00e9", "\\\"", ":", ",",
        "<!--[if a]>", "<![endif]-->", "<script ", "type=",
    ])) {
        // With characters of two bytes, in builds that have such charsets.
        let label = if cfg!(feature = "legacy-charsets") { "gb18030" } else { "utf-8" };
        let double = Charset::for_label(label).expect("it is a charset");
        for (triggers, comments, charset) in [
            (Triggers::Any, true, Charset::UTF_8),
            (Triggers::Colon, false, double),
            (Triggers::ColonAtDot, true, double),
        ] {
            let read = |tuning: &Tuning| {
                let mut html = Html::new(triggers, tuning).comments(comments).with_scripts();
                html.read_in(charset);
                all_cuts(&html, &document, |text| may_hold(triggers, text))
            };
            let walked = Tuning { skip_tags: false, ..Tuning::DEFAULT };
            prop_assert_eq!(read(&Tuning::DEFAULT), read(&walked));
        }
    }
}
