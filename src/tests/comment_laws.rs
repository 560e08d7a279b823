//! The promises as properties, for links in comments of HTML and XML.

use std::{string::String, vec::Vec};

use proptest::prelude::*;

use super::{format_laws, laws, ways};
use crate::{api::finder::Finder, format::kinds::Format};

/// Some of these would end a comment.
const TEMPLATES: &[&str] = &["-->{iri}", "--!>", "-", "->{host}", ">", "a--b", "", "{iri}-"];

proptest! {
    #![proptest_config(ProptestConfig { cases: laws::cases_count(), ..ProptestConfig::default() })]

    /// What is rewritten in comments stays there: without comments, the same links are found as if they had not
    /// been searched. In XML no comment gets two hyphens.
    #[test]
    fn comments_end_where_they_ended(
        look in format_laws::look_at(&[Format::Html, Format::Xml]),
        rewrite in laws::rewrites(TEMPLATES),
    ) {
        let plain = look.finder(true);
        let build = |comments: bool| -> Finder {
            let config = plain.config().comments(comments).rewrite(rewrite.clone());
            ways::tuned(&config.build().expect("the options should be valid"), plain.rules.tuning)
        };
        let (without, with) = (build(false), build(true));
        let found = |bytes: &[u8]| -> Vec<String> {
            without.find_iter(bytes).map(|link| link.iri().into_owned()).collect()
        };
        let bytes = &look.bytes[..];
        // A comment with a text of its own divides the word that it is in.
        if without.find_iter(bytes).any(|link| link.text().contains("<!--")) {
            return Ok(());
        }
        let searched = with.rewrite_slice(bytes).0;
        prop_assert_eq!(found(&searched), found(&without.rewrite_slice(bytes).0));
        prop_assert_eq!(&ways::rewrite_chunks(&with, bytes.chunks(1)), &*searched);
        let all = with.find_iter(bytes).count();
        prop_assert!(all >= without.find_iter(bytes).count() || plain.rules.options.filter.is_some());
    }
}
