//! The cases of `testdata/`, from `testdata/interop.jsonl`, which `src/tests/interop.rs` describes;
//! and that chunks change nothing, as a property.

use std::{convert::Infallible, fs, ops::ControlFlow};

use iriscan::{
    Basis, Charset, Config, Finder, Kind, Match, Rewrite, Sink, Template, reference::HostLabels,
};
use proptest::prelude::*;
use serde_json::Value;

/// The links of a document, and its bytes as they arrived.
#[derive(Debug, Default, PartialEq)]
struct Seen {
    links: Vec<(u64, u64, String)>,
    bytes: Vec<u8>,
}

impl Sink for Seen {
    type Error = Infallible;

    fn charset(&mut self, _: Charset, _: Basis) -> Result<(), Infallible> {
        Ok(())
    }

    fn text(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    fn matched(&mut self, link: &Match<'_>) -> Result<ControlFlow<()>, Infallible> {
        let span = link.span();
        let uri = link.uri().map_or_else(|e| e.to_string(), |uri| uri.as_str().to_owned());
        self.links.push((span.start, span.end, uri));
        self.text(link.source()).map(ControlFlow::Continue)
    }
}

impl Seen {
    fn in_chunks<'b>(finder: &Finder, chunks: impl Iterator<Item = &'b [u8]>) -> Seen {
        let (mut scanner, mut seen) = (finder.scanner(), Seen::default());
        for chunk in chunks {
            let Ok(_) = scanner.push(chunk, &mut seen);
        }
        let Ok(_) = scanner.finish(&mut seen);
        seen
    }
}

fn bytes_of_hexadecimal(digits: &str) -> Vec<u8> {
    let byte = |i| u8::from_str_radix(&digits[i..i + 2], 16).expect("digits should be hexadecimal");
    (0..digits.len()).step_by(2).map(byte).collect()
}

/// The values of an option as texts. A list without lines is a list all the same.
fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::Array(list) if list.is_empty() => vec![String::new()],
        Value::Array(list) => list.iter().flat_map(texts).collect(),
        Value::String(text) => vec![text.clone()],
        other => vec![other.to_string()],
    }
}

/// The configuration that `line` asks for.
fn config(line: &Value) -> Config {
    let charset = line["charset"].as_str().unwrap_or("utf-8");
    let given = line["options"].as_object().expect("options should be an object");
    let options: Vec<(&str, String)> = given
        .iter()
        .flat_map(|(name, value)| texts(value).into_iter().map(|text| (name.as_str(), text)))
        .chain([("charset", charset.to_owned())])
        .collect();
    let options = options.iter().map(|(name, value)| (*name, value.as_str()));
    Config::new().set_all(options).expect("the options should be valid")
}

/// What replaces each link for `replaced`.
const TEMPLATE: &str = "<{n} é\"> {iri}";

#[test]
fn cases() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/interop.jsonl");
    let file = fs::read_to_string(file).expect("the cases should be readable");
    let mut count = 0;
    for line in file.lines() {
        let line: Value = serde_json::from_str(line).expect("a line should be JSON");
        // These need the feature `regex`.
        if ["match", "not_match"].iter().any(|option| !line["options"][option].is_null()) {
            continue;
        }
        let name = format!("{} in {}", line["name"], line["charset"]);
        let bytes_of = |value: &Value| match (&line["text"], value.as_str()) {
            (_, None) => None,
            (Value::Null, Some(digits)) => Some(bytes_of_hexadecimal(digits)),
            (_, Some(text)) => Some(text.as_bytes().to_vec()),
        };
        let document = bytes_of(&line["text"]).or_else(|| bytes_of(&line["bytes"]));
        let document = &document.expect("a line should have a document")[..];

        let finder = config(&line).build().expect("the options should be valid");
        let found: Vec<Value> = finder
            .find_iter(document)
            .map(|link| {
                let uri = link.uri().ok();
                let span = link.span();
                serde_json::json!([
                    [span.start, span.end],
                    link.text(),
                    link.kind().as_str(),
                    link.iri(),
                    uri.as_ref().map(|uri| uri.as_str()),
                    link.display(),
                    link.element(),
                    link.attribute(),
                    link.anchor(),
                    link.unwrapped()
                ])
            })
            .collect();
        let links = line["links"].as_array().expect("links should be a list");
        let wanted: Vec<Value> = links
            .iter()
            .map(|link| {
                let display = [&link["display"], &link["iri"]].into_iter().find(|d| d.is_string());
                serde_json::json!([
                    link["bytes"],
                    link["text"],
                    link["kind"],
                    link["iri"],
                    link["uri"],
                    display,
                    link["element"],
                    link["attribute"],
                    link["anchor"],
                    link["unwrapped"]
                ])
            })
            .collect();
        assert_eq!(found, wanted, "{name}");

        let whole = Seen::in_chunks(&finder, [document].into_iter());
        assert_eq!(whole.bytes, document, "{name}");
        for len in [1, 7] {
            assert_eq!(Seen::in_chunks(&finder, document.chunks(len)), whole, "{name}, by {len}");
        }

        let template = Template::new(TEMPLATE).expect("the template should be valid");
        let rewriting = [
            ("rewritten", config(&line)),
            ("readable", config(&line).rewrite(Rewrite::Iri(HostLabels::Keep))),
            ("replaced", config(&line).rewrite(template)),
        ];
        for (key, config) in rewriting {
            // There the words of `host` mean something else.
            if key == "readable" && !line["options"]["host"].is_null() {
                continue;
            }
            let finder = config.build().expect("the options should be valid");
            let written = finder.rewrite_slice(document).0.into_owned();
            let wanted = bytes_of(&line[key]);
            assert_eq!(written, wanted.as_deref().unwrap_or(document), "{name}, {key}");
        }
        count += 1;
    }
    assert!(count > 1000, "{count} cases");
}

/// A document with pieces of links, and the sizes of its chunks.
fn document() -> impl Strategy<Value = (String, Vec<u8>)> {
    let pieces = prop::sample::select(vec![
        "http://",
        "https://例え.jp",
        "a.example",
        "/é?q=ü#f",
        "www.",
        "jane@b.example",
        ":",
        "://",
        ".",
        " ",
        "、",
        "。",
        "「",
        "」",
        "<",
        ">",
        "\"",
        "(",
        ")",
        "\n",
        "[::1]",
        "%C3%A9",
        "&amp;",
        "text of some length without anything ",
        "日本語",
        "\u{202e}",
        "😀",
    ]);
    let text = prop::collection::vec(pieces, 0..40).prop_map(|pieces| pieces.concat());
    (text, prop::collection::vec(1..90u8, 1..5))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn chunks_change_nothing((text, sizes) in document()) {
        let utf16 = |bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect();
        let utf32 = |bytes: fn(u32) -> [u8; 4]| text.chars().map(u32::from).flat_map(bytes).collect();
        let documents: [(&str, Vec<u8>); 6] = [
            ("utf-8", text.clone().into_bytes()),
            ("windows-1252", text.clone().into_bytes()),
            ("utf-16le", utf16(u16::to_le_bytes)),
            ("utf-16be", utf16(u16::to_be_bytes)),
            ("utf-32le", utf32(u32::to_le_bytes)),
            ("utf-32be", utf32(u32::to_be_bytes)),
        ];
        let mut links = Vec::new();
        for (label, bytes) in documents {
            let charset = Charset::for_label(label).expect("the charset should be known");
            let kinds = [Kind::Iri, Kind::Bare, Kind::Email];
            let finder = Config::new().charset(charset).kinds(kinds).build();
            let finder = finder.expect("the options should be valid");
            let whole = Seen::in_chunks(&finder, [&bytes[..]].into_iter());
            prop_assert_eq!(&whole.bytes, &bytes);
            let (mut chunks, mut rest, mut sizes) = (Vec::new(), &bytes[..], sizes.iter().cycle());
            while !rest.is_empty() {
                let size = sizes.next().map_or(1, |size| usize::from(*size)).min(rest.len());
                let (chunk, others) = rest.split_at(size);
                chunks.push(chunk);
                rest = others;
            }
            prop_assert_eq!(Seen::in_chunks(&finder, chunks.into_iter()), whole, "{}", label);
            links.push(finder.find_iter(&bytes).filter_map(|link| {
                link.uri().ok().map(|uri| uri.as_str().to_owned())
            }).collect::<Vec<_>>());
        }
        // Every form of Unicode has the same links.
        for i in 2..links.len() {
            prop_assert_eq!(&links[0], &links[i]);
        }
    }
}
