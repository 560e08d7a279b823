//! The promises as properties, for links in the queries of links.

use std::{
    convert::Infallible,
    ops::ControlFlow,
    string::{String, ToString},
    vec::Vec,
};

use percent_encoding::percent_decode_str;
use proptest::prelude::*;

use super::{cases, laws, ways};
use crate::{
    api::{config::Config, finder::Finder},
    format::kinds::Format,
    grammar::types::Kind,
    links::{filter::Filter, matched::Match, sink::Sink},
    reference::components::Components,
};

/// What the texts are made of.
const PIECES: &[&str] = &[
    "http://a.example/?u=",
    "http%3A%2F%2Fb.example%2F",
    "http%3a//bücher.example/%3Fq=",
    "http://b.example/x.",
    "%3Fv%3Dhttp%253A%252F%252Fc.example%252F%2526",
    "%3Fw%3Dhttp%25253A%25252F%25252Fd.example%25252F",
    "mailto:x@a.example?body=see%20",
    "www.e.example/?",
    "%77ww.f.example",
    "x%40g.example",
    "%0A",
    "%FF",
    "%E6%BC%A2",
    "&",
    "&amp;",
    "=",
    "?",
    "#",
    "%",
    "%26",
    " ",
    "\n",
    "\"",
    "<",
    ">",
    "<a href=\"",
    "](",
    "\\u0026",
    "\\/",
    "é",
    "漢",
    "\\",
    ",",
];

/// A link, as far as it matters here.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Seen {
    place: (u64, u64),
    text: String,
    nested: bool,
}

/// The links of a stream, and those in their queries.
#[derive(Default)]
struct All(Vec<Seen>);

impl All {
    fn take(&mut self, link: &Match<'_>, nested: bool) {
        let place = (link.span().start, link.span().end);
        self.0.push(Seen { place, text: link.text().into_owned(), nested });
    }
}

impl Sink for All {
    type Error = Infallible;

    fn text(&mut self, _: &[u8]) -> Result<(), Infallible> {
        Ok(())
    }

    fn matched(&mut self, link: &Match<'_>) -> Result<ControlFlow<()>, Infallible> {
        self.take(link, false);
        Ok(ControlFlow::Continue(()))
    }

    fn nested(&mut self, link: &Match<'_>, _: &Match<'_>) -> Result<ControlFlow<()>, Infallible> {
        self.take(link, true);
        Ok(ControlFlow::Continue(()))
    }
}

/// By pushing these chunks.
fn push<'b>(finder: &Finder, chunks: impl IntoIterator<Item = &'b [u8]>) -> Vec<Seen> {
    let (mut all, mut scanner) = (All::default(), finder.scanner());
    for chunk in chunks {
        let Ok(()) = scanner.push(chunk, &mut all);
    }
    let Ok(_) = scanner.finish(&mut all);
    all.0
}

/// The links in the query of a reference, by the slow way: the decoded values are searched as they are.
fn naive(plain: &Finder, reference: &str, depth: usize, found: &mut Vec<String>) {
    let query = Components::split(reference).query().filter(|_| depth > 0);
    for piece in query.into_iter().flat_map(|query| query.split('&')) {
        let value = match piece.split_once('=') {
            Some((name, value)) if !name.contains([':', '%']) => value,
            _ => piece,
        };
        let Ok(value) = percent_decode_str(value).decode_utf8() else { continue };
        let delimited = if value.contains(['\n', '\r']) {
            value.into_owned()
        } else {
            std::format!("<{value}>")
        };
        for link in plain.find_iter(&delimited) {
            found.push(link.iri().into_owned());
            naive(plain, &link.iri(), depth - 1, found);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: laws::cases_count(), ..ProptestConfig::default() })]

    /// Links in queries come after the link that they are in, by every interface and at any chunking. Their places
    /// are those of their escapes. All else is as without them.
    #[test]
    fn links_in_queries_are_added(
        pieces in prop::collection::vec(prop::sample::select(PIECES), 1..14),
        charset in prop::sample::select(cases::charsets()),
        format in prop::sample::select(Vec::from([
            Format::Text, Format::Html, Format::Json, Format::Markdown, Format::Latex, Format::Csv, Format::Log,
        ])),
        kinds in prop::sample::select(Vec::from([&[Kind::Iri][..], Kind::ALL])),
        sizes in laws::sizes(),
    ) {
        let Some(bytes) = cases::encode(&pieces.concat(), charset) else { return Ok(()) };
        let bytes = &bytes[..];
        let config = Config::new().charset(charset).format(format).kinds(kinds.iter().copied());
        let build = |config: Config| config.build().expect("the options should be valid");
        let without = build(config.clone());
        let with = build(config.clone().nested(true));
        let all = push(&with, [bytes]);
        prop_assert_eq!(&push(&with, laws::cut(bytes, &sizes)), &all);
        prop_assert_eq!(&push(&with, bytes.chunks(1)), &all);
        let slice = with.find_iter(bytes).map(|link| (link.span(), link.text().into_owned()));
        let pushed = all.iter().map(|it| (it.place.0..it.place.1, it.text.clone()));
        prop_assert!(slice.eq(pushed));
        // The outer links are the same.
        let outer: Vec<Seen> = all.iter().filter(|it| !it.nested).cloned().collect();
        prop_assert_eq!(&outer, &push(&without, [bytes]));
        prop_assert_eq!(ways::push(&with, [bytes]), ways::push(&without, [bytes]));
        prop_assert_eq!(with.rewrite_slice(bytes).0, without.rewrite_slice(bytes).0);
        for link in &outer {
            let at = with.find_at(bytes, link.place.0 as usize).map(|link| link.span());
            prop_assert_eq!(at, Some(link.place.0..link.place.1));
        }
        // The nested ones are those of the slow way, in their places.
        let plain = build(Config::new().kinds(kinds.iter().copied()));
        let mut seen = all.iter().peekable();
        for link in without.find_iter(bytes) {
            prop_assert_eq!(seen.next().map(|it| it.nested), Some(false));
            let mut wanted = Vec::new();
            naive(&plain, &link.iri(), 4, &mut wanted);
            for text in wanted {
                let inner = seen.next().expect("it should be found");
                prop_assert_eq!((&inner.text, inner.nested), (&text, true));
                let (start, end) = inner.place;
                prop_assert!(link.span().start <= start && start < end && end <= link.span().end);
                if format == Format::Text && (start, end) != (link.span().start, link.span().end) {
                    let written = charset.decode(&bytes[start as usize..end as usize]);
                    let mut decoded = written.into_owned();
                    // One level, or as many as it is in.
                    let reached = (0..=4).any(|_| {
                        let now = decoded == text;
                        decoded = percent_decode_str(&decoded).decode_utf8_lossy().into_owned();
                        now
                    });
                    prop_assert!(reached, "{text} in {pieces:?}");
                }
            }
        }
        prop_assert_eq!(seen.next(), None);
        // A filter chooses among all of them.
        let filter = Filter::builder().only_host("*b.example").build().expect("it should be valid");
        let chosen = push(&build(config.nested(true).filter(filter.clone())), [bytes]);
        let links = with.find_iter(bytes).filter(|link| filter.chooses(link));
        let wanted = links.map(|link| (link.span().start, link.span().end));
        prop_assert!(chosen.iter().map(|it| it.place).eq(wanted));
    }
}

/// The places of nested links are exact in every charset, and over the escapes of formats.
#[test]
fn places_are_exact() {
    for (format, text, raw) in [
        (
            Format::Text,
            "é http://a.example/é?x&u=http%3A%2F%2Fb.example%2F&é",
            "http%3A%2F%2Fb.example%2F",
        ),
        (
            Format::Html,
            "é <a href='http://a.example/é?x&amp;u=http%3A&#x2F;/b.example/&amp;y'>",
            "http%3A&#x2F;/b.example/",
        ),
        (
            Format::Html,
            "<a href='http://a.example/x y?u=http://b.example/&amp;'>",
            "http://b.example/",
        ),
        (Format::Html, "<a href='http://a.example/x y?u=http://b.example/'>", "http://b.example/"),
        (
            Format::Json,
            r#"["é http:\/\/a.example\/é?u=http%3A\/\u002fb.example\/"]"#,
            r"http%3A\/\u002fb.example\/",
        ),
    ] {
        for charset in cases::charsets() {
            let Some(bytes) = cases::encode(text, charset) else { continue };
            let config = Config::new().charset(charset).format(format).nested(true);
            let finder = config.build().expect("the options should be valid");
            let links: Vec<_> = finder.find_iter(&bytes).collect();
            assert_eq!(links.len(), 2, "{charset} {format}");
            assert_eq!(links[1].text(), "http://b.example/", "{charset} {format}");
            let written = charset.decode(&bytes[links[1].range()]);
            // In ISO-2022-JP an escape sequence may come before it.
            assert!(written.ends_with(raw), "{charset} {format}: {written}");
        }
    }
}

/// Time is linear: a link of the greatest length with as many links in it as fit, and links in links.
#[test]
fn many_in_one_are_found() {
    let finder = Config::new().nested(true).build().expect("the options should be valid");
    let many = "http://a.example/?".to_string() + &"u=http%3A%2F%2Fb.example&".repeat(2500);
    assert_eq!(finder.find_iter(&many).count(), 2501);
    let mut deep = "http://z.example/".to_string();
    for _ in 0..7 {
        let inner: String = deep.bytes().map(|b| std::format!("%{b:02X}")).collect();
        deep = "http://a.example/?u=".to_string() + &inner;
        if deep.len() > 60_000 {
            break;
        }
    }
    assert_eq!(finder.find_iter(&deep).count(), 5);
}
