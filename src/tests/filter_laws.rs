//! The promises as properties, for finders that choose among the links.

use std::{vec, vec::Vec};

use proptest::prelude::*;

use super::{cases, format_laws, laws, ways};
use crate::{
    api::{config::Config, finder::Finder},
    format::kinds::Format,
    links::filter::{Filter, HostList},
};

/// Some filters, each of which chooses some of the links of hostile text.
fn filters() -> impl Strategy<Value = Filter> {
    let list: HostList = ["a.org", "例え.jp", "*.b.org"].iter().collect();
    let builders = vec![
        Filter::builder().only_host("*.org"),
        Filter::builder().only_host("例*").only_host("www.*"),
        Filter::builder().not_host("a.org"),
        Filter::builder().hosts_from(list),
        Filter::builder().matching(r"\PC[/?#é日]"),
        Filter::builder().not_matching("[^a-z:/.@]"),
        Filter::builder().contains(["é", "?q", "%41"]),
        Filter::builder().changed(true),
        Filter::builder().contains([""; 0]),
    ];
    let built: Vec<Filter> =
        builders.into_iter().map(|b| b.build().expect("the patterns should be valid")).collect();
    prop::sample::select(built)
}

/// The same finder with a filter.
fn choosing(finder: &Finder, filter: &Filter) -> Finder {
    let chosen = finder.config().filter(filter.clone()).build();
    ways::tuned(&chosen.expect("the options should be valid"), finder.rules.tuning)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: laws::cases_count(), ..ProptestConfig::default() })]

    /// The chosen links are those of a search without a filter that the filter chooses, by every
    /// interface and at any chunking.
    #[test]
    fn choosing_is_leaving_out(
        look in format_laws::look_at(Format::ALL),
        told in any::<bool>(),
        filter in filters(),
        sizes in laws::sizes(),
    ) {
        let (all, bytes) = (look.finder(told), &look.bytes[..]);
        let finder = choosing(&all, &filter);
        let links = all.find_iter(bytes).filter(|link| filter.chooses(link));
        let want: Vec<_> = links.map(|link| (link.span().start, link.span().end)).collect();
        let whole = ways::slice(&finder, bytes);
        prop_assert_eq!(&whole.links, &want);
        let unfiltered = ways::slice(&all, bytes);
        prop_assert_eq!((whole.charset, whole.overlong), (unfiltered.charset, unfiltered.overlong));
        prop_assert_eq!(&ways::push(&finder, [bytes]), &whole);
        prop_assert_eq!(&ways::push(&finder, laws::cut(bytes, &sizes)), &whole);
        prop_assert_eq!(&ways::push(&finder, bytes.chunks(1)), &whole);
        let charset = whole.charset.unwrap_or(look.charset);
        prop_assert_eq!(&ways::cut(&finder, bytes, charset), &whole);
        #[cfg(feature = "bytes")]
        prop_assert_eq!(&ways::segments(&finder, laws::cut(bytes, &sizes)), &whole);
        for &(start, end) in &unfiltered.links {
            let found = finder.find_at(bytes, start as usize).map(|link| link.span());
            let wanted = want.contains(&(start, end)).then_some(start..end);
            prop_assert_eq!(found, wanted);
        }
    }

    /// Rewriting changes the chosen links and no others, by every way.
    #[test]
    fn rewriting_changes_what_is_chosen(
        look in format_laws::look_at(Format::ALL),
        told in any::<bool>(),
        filter in filters(),
        sizes in laws::sizes(),
    ) {
        let (all, bytes) = (look.finder(told), &look.bytes[..]);
        let finder = choosing(&all, &filter);
        let (out, done) = finder.rewrite_slice(bytes);
        prop_assert_eq!(&ways::rewrite_chunks(&finder, laws::cut(bytes, &sizes)), &*out);
        prop_assert_eq!(&ways::rewrite_chunks(&finder, bytes.chunks(1)), &*out);
        prop_assert_eq!(&ways::rewrite(&finder, bytes, sizes[0]), &*out);
        prop_assert_eq!(done.changed == 0, *out == *bytes);
        if filter.get_changed() {
            let (everything, all) = all.rewrite_slice(bytes);
            prop_assert_eq!(&*out, &*everything);
            prop_assert_eq!((done.changed, done.summary.links), (all.changed, all.changed));
        }
    }
}

/// Nothing more is held back for the sake of links that are not chosen.
#[test]
fn text_of_links_that_are_not_chosen_is_delivered() {
    let filter = Filter::builder().contains([""; 0]).build().unwrap();
    let text = "http://a.example/x ".repeat(1000);
    for charset in cases::charsets() {
        let bytes = cases::encode(&text, charset).unwrap_or_default();
        let finder = |filter: Option<Filter>| {
            Config::new().charset(charset).filter(filter).build().expect("valid")
        };
        let (all, none) = (finder(None), finder(Some(filter.clone())));
        let held = |finder: &Finder| {
            let (mut scanner, mut outcome) = (finder.scanner(), ways::Outcome::default());
            let mut most = 0;
            for chunk in bytes.chunks(100) {
                let Ok(()) = scanner.push(chunk, &mut outcome);
                most = most.max(scanner.held());
            }
            (most, scanner.delivered())
        };
        assert_eq!(held(&none), held(&all), "{charset}");
    }
}
