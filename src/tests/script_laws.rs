//! The promises as properties, for JSON in scripts of HTML and for conditional comments: what is read there is what
//! the same bytes are alone, and a parser of JSON sees the same but for the links.

use std::{format, string::String, vec::Vec};

use proptest::prelude::*;
use serde_json::{Map, Value};

use super::{laws, samples};
use crate::{
    api::{config::Config, finder::Finder},
    charset::Charset,
    format::kinds::Format,
    links::rewrite::Rewrite,
};

/// What strings are made of.
const PIECES: &[&str] = &[
    "http://bücher.example/é",
    "http://a.example/%C3%A9",
    "http://a.example/",
    "<",
    "</",
    "<!",
    "<!-",
    "-",
    ">",
    "script",
    "é",
    "🍄",
    "\"",
    "\\",
    "\n",
    "\u{1}",
    " ",
    "&amp;",
    "{\"a\":\"",
    "[",
    ",",
];

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..6).prop_map(|it| it.concat())
}

fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<i32>().prop_map(Value::from),
        text().prop_map(Value::from)
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        let pairs = prop::collection::vec((text(), inner.clone()), 0..4);
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(Value::from),
            pairs.prop_map(|pairs| Map::from_iter(pairs).into()),
        ]
    })
}

/// Some of these would end a script or begin a comment.
const TEMPLATES: &[&str] =
    &["</script>{iri}", "<!--<script ", "script ", "/script>", "!--", "->\"\\", "-", ""];

/// The start of a page, up to the JSON.
fn start(kind: &str) -> String {
    format!("<p>x <script type=\"{kind}\">")
}

const END: &str = "</script> <a href=\"http://end.example/\">";

/// The JSON of a page.
fn script<'p>(page: &'p str, kind: &str) -> &'p str {
    let rest = page.strip_prefix(&*start(kind)).expect("it should begin as it began");
    &rest[..rest.find("</script").expect("it should have an end tag")]
}

/// All keys and strings, in order.
fn strings(value: &Value, keys: bool, to: &mut Vec<String>) {
    match value {
        Value::String(text) if !keys => to.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| strings(item, keys, to)),
        Value::Object(pairs) => pairs.iter().for_each(|(key, value)| {
            to.push(key.clone());
            strings(value, keys, to);
        }),
        _ => {}
    }
}

fn finder(config: Config) -> Finder {
    config.charset(Charset::UTF_8).build().expect("the options should be valid")
}

fn links(finder: &Finder, document: &[u8]) -> Vec<(usize, String)> {
    finder.find_iter(document).map(|link| (link.range().start, link.iri().into_owned())).collect()
}

/// The JSON with an `X` in the place of each link, as a parser reads it. A link that goes on after the end of its string
/// stays where links are rewritten.
fn without_links(json: &str) -> Value {
    let (mut out, mut at) = (Vec::new(), 0);
    let finder = finder(Config::new().format(Format::Json));
    for link in finder.find_iter(json).filter(|link| !link.text().contains('"')) {
        out.extend_from_slice(&json.as_bytes()[at..link.range().start]);
        out.push(b'X');
        at = link.range().end;
    }
    out.extend_from_slice(&json.as_bytes()[at..]);
    serde_json::from_slice(&out).expect("it should be JSON")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: laws::cases_count(), ..ProptestConfig::default() })]

    #[test]
    fn scripts_stay_json(
        value in json(),
        kind in prop::sample::select(&["application/ld+json", "importmap", "speculationrules"][..]),
        pretty in any::<bool>(),
        rewrite in laws::rewrites(TEMPLATES),
    ) {
        let json = match pretty {
            true => serde_json::to_string_pretty(&value),
            false => serde_json::to_string(&value),
        };
        let json = json.expect("it should be JSON");
        // Where they end is decided without their JSON.
        prop_assume!(!json.contains("</script") && !json.contains("<!--"));
        let page = [&*start(kind), &json, END].concat();
        let html = Config::new().format(Format::Html);
        let from = start(kind).len();

        let found = links(&finder(html.clone()), page.as_bytes());
        let alone = finder(Config::new().format(Format::Json));
        let mut want: Vec<String> = match kind {
            "importmap" => {
                let mut texts = Vec::new();
                strings(&value, false, &mut texts);
                let quoted = |text: &String| serde_json::to_string(text).expect("it should be JSON");
                texts.iter().flat_map(|text| links(&alone, quoted(text).as_bytes())).map(|link| link.1).collect()
            }
            _ => links(&alone, json.as_bytes()).into_iter().map(|link| link.1).collect(),
        };
        want.push("http://end.example/".into());
        let iris: Vec<_> = found.iter().map(|link| link.1.clone()).collect();
        prop_assert_eq!(iris, want, "{}", page);
        if kind != "importmap" {
            let places = links(&alone, json.as_bytes()).into_iter().map(|link| from + link.0);
            prop_assert!(found.iter().map(|link| link.0).zip(places).all(|(a, b)| a == b), "{}", page);
        }

        let is_template = matches!(rewrite, Rewrite::Template(_));
        let all = finder(html.clone().rewrite(rewrite.clone()).identifiers(true));
        let written = String::from_utf8(all.rewrite_slice(&page).0.into_owned()).expect("UTF-8");
        let inside = script(&written, kind);
        let parsed: Result<Value, _> = serde_json::from_str(inside);
        prop_assert!(parsed.is_ok(), "{}", written);
        prop_assert!(!is_template || written[from + inside.len()..].starts_with("</script> <a href=\""), "{}", written);
        if matches!(rewrite, Rewrite::Uri) {
            prop_assert!(written.ends_with(END), "{}", written);
            prop_assert_eq!(without_links(inside), without_links(&json));
        }
        if kind == "importmap" {
            let (mut before, mut after) = (Vec::new(), Vec::new());
            strings(&value, true, &mut before);
            strings(&parsed.expect("it is JSON"), true, &mut after);
            prop_assert_eq!(before, after, "{}", written);
        }

        if !is_template {
            let some = finder(html.rewrite(rewrite));
            let (written, done) = some.rewrite_slice(&page);
            let written = String::from_utf8(written.into_owned()).expect("UTF-8");
            prop_assert_eq!(script(&written, kind), &json);
            prop_assert!(all.rewrite_slice(&page).1.changed <= done.changed + done.identifiers);
        }
    }

    /// The links of a conditional comment are those of its HTML, and what is open in it ends with it.
    #[test]
    fn conditional_comments_are_html(
        pieces in prop::collection::vec(
            prop_oneof![
                3 => prop::sample::select(samples::of(Format::Html).pieces()),
                1 => prop::sample::select(samples::of(Format::Text).pieces()),
            ],
            0..20,
        ),
        kinds in prop::sample::select(&["iri", "iri,bare,email"][..]),
    ) {
        let text = format!("[if mso]>{}<![endif]", pieces.concat());
        // Scripts there are not read, and `>` directly before the end belongs to that.
        let text = ["-->", "--!>", "<script type"].iter().fold(text, |text, part| text.replace(part, ""));
        prop_assume!(!text.contains("-->") && !text.contains("--!>"));
        let page = ["<!--", &text, "--> <a href=\"http://end.example/\">"].concat();
        let config = Config::new().format(Format::Html).set("kinds", kinds).expect("it should be valid");
        let mut want = links(&finder(config.clone()), text.as_bytes());
        want.iter_mut().for_each(|link| link.0 += "<!--".len());
        want.push((page.len() - "http://end.example/\">".len(), "http://end.example/".into()));
        let searched = finder(config.comments(true));
        prop_assert_eq!(links(&searched, page.as_bytes()), want, "{}", page);
    }
}
