//! The promises as properties, for notebooks: a parser of JSON sees the same but for the links.

use std::{string::String, vec::Vec};

use proptest::prelude::*;
use serde_json::{Value, json};

use super::laws;
use crate::{
    api::{config::Config, finder::Finder},
    format::kinds::Format,
    links::{rewrite::Rewrite, template::Template},
    reference::HostLabels,
};

/// What texts are made of.
const PIECES: &[&str] = &[
    "http://bücher.example/é",
    "http://a.example/%C3%A9\"",
    "[a](é.html)",
    "[b]\n\n[b]: <é c>\n",
    "<a href='/é?a&amp;b'>",
    "<img src=\"é\\\"",
    "```\n",
    "`",
    "    ",
    "\n",
    "\n\n",
    "- ",
    "\\",
    "\\\"",
    "\t",
    "\u{1}",
    "é",
    "🍄",
    "\u{2028}",
    "<",
    "<!",
    "&",
    " ",
    ", ",
    "\"",
];

/// A text, as a string or as lines.
fn text() -> impl Strategy<Value = Value> {
    let joined =
        prop::collection::vec(prop::sample::select(PIECES), 0..8).prop_map(|it| it.concat());
    (joined, any::<bool>()).prop_map(|(text, lines)| match lines {
        true => text.split_inclusive('\n').map(Value::from).collect(),
        false => text.into(),
    })
}

fn notebook() -> impl Strategy<Value = Value> {
    let kinds = prop::sample::select(&["markdown", "code", "raw", "other"][..]);
    let cell = (kinds, text(), text(), text(), text()).prop_map(|(kind, source, html, plain, stream)| {
        let data = json!({ "data": { "text/html": html, "text/plain": plain, "image/png": "aHR0cDovL2EuYi8=" } });
        json!({ "cell_type": kind, "metadata": {}, "source": source, "outputs": [data, { "text": stream }] })
    });
    let cells = prop::collection::vec(cell, 0..4);
    cells.prop_map(
        |cells| json!({ "cells": cells, "metadata": { "é": "http://é.example/" }, "nbformat": 4 }),
    )
}

/// The document with an `X` in the place of each link, as a parser reads it. A link that goes over the end of a string
/// stays where links are rewritten.
fn without_links(finder: &Finder, document: &[u8]) -> Value {
    let (mut out, mut at) = (Vec::new(), 0);
    for link in finder.find_iter(document).filter(|link| !goes_over(link.source())) {
        out.extend_from_slice(&document[at..link.range().start]);
        out.push(b'X');
        at = link.range().end;
    }
    out.extend_from_slice(&document[at..]);
    serde_json::from_slice(&out).expect("it should be JSON")
}

/// Whether a link goes over the end of a string, which comes after a line feed.
fn goes_over(link: &[u8]) -> bool {
    link.windows(4).any(|it| it == b"\\n\",")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: laws::cases_count(), ..ProptestConfig::default() })]

    #[test]
    fn a_parser_sees_the_same_but_for_links(
        notebook in notebook(),
        pretty in any::<bool>(),
        rewrite in prop::sample::select(Vec::from([
            Rewrite::Uri,
            Rewrite::Iri(HostLabels::Unicode),
            Template::new("http://new.example{path}").expect("it should be valid").into(),
        ])),
    ) {
        let document = match pretty {
            true => serde_json::to_vec_pretty(&notebook),
            false => serde_json::to_vec(&notebook),
        };
        let document = document.expect("it should be JSON");
        let config = Config::new().format(Format::Ipynb).rewrite(rewrite);
        let finder = config.build().expect("the options should be valid");
        let written = finder.rewrite_slice(&document).0;
        let links = |document: &[u8]| -> Vec<String> {
            finder.find_iter(document).map(|link| link.iri().into_owned()).collect()
        };
        prop_assert_eq!(links(&written).len(), links(&document).len());
        prop_assert_eq!(without_links(&finder, &written), without_links(&finder, &document));
    }
}
