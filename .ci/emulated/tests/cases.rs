//! The cases of `testdata/`, from `testdata/interop.jsonl`, which `src/tests/interop.rs` describes;
//! and that chunks change nothing, as a property.

use std::{convert::Infallible, fs};

use iriscan::{
    Basis, Charset, Config, Direction, Filter, FilterBuilder, Finder, Format, HostList, Kind,
    Match, Schemes, Sink, Template,
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

    fn matched(&mut self, link: &Match<'_>) -> Result<(), Infallible> {
        let span = link.span();
        let uri = link.uri().map_or_else(|e| e.to_string(), |uri| uri.as_str().to_owned());
        self.links.push((span.start, span.end, uri));
        self.text(link.source())
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

/// The strings of a list.
fn strings(value: &Value) -> impl Iterator<Item = &str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str)
}

/// The configuration that `line` asks for.
fn config(line: &Value) -> Config {
    let charset = line["charset"].as_str().unwrap_or("utf-8");
    let charset = Charset::for_label(charset).expect("the charset should be known");
    let mut config = Config::new().charset(charset).kinds([Kind::Iri]).identifiers(false);
    let mut filter: Option<FilterBuilder> = None;
    for (name, value) in line["options"].as_object().expect("options should be an object") {
        let word = value.as_str().unwrap_or_default();
        let chosen = || filter.clone().unwrap_or_else(Filter::builder);
        let each = |add: fn(FilterBuilder, String) -> FilterBuilder| {
            Some(strings(value).map(str::to_owned).fold(chosen(), add))
        };
        match &**name {
            "format" => config = config.format(word.parse::<Format>().expect("a format")),
            "schemes" if value.is_string() => {
                let Ok(schemes) = word.parse();
                config = config.schemes(schemes);
            }
            "schemes" => {
                config = config.schemes(Schemes::List(strings(value).map(str::to_owned).collect()));
            }
            "rules" => config = config.rules(word.parse().expect("rules")),
            "kinds" => {
                let kinds = strings(value).map(|word| word.parse::<Kind>().expect("a kind"));
                config = config.kinds(kinds);
            }
            "ascii_only" => config = config.ascii_only(true),
            "max_len" => config = config.max_len(value.as_u64().expect("a number")),
            "delimiter" => config = config.delimiter(word.chars().next()),
            "code" => config = config.code(value == true),
            "identifiers" => config = config.identifiers(true),
            "elements" => config = config.elements(true),
            "host" => config = config.host(word.parse().expect("a form of hosts")),
            "query" => config = config.query(word.parse().expect("a charset of queries")),
            "nfc" => config = config.nfc(word.parse().expect("a choice")),
            "only_host" => filter = each(FilterBuilder::only_host),
            "not_host" => filter = each(FilterBuilder::not_host),
            "hosts_from" => {
                let hosts: HostList = strings(value).collect();
                filter = Some(chosen().hosts_from(hosts));
            }
            "contains_from" => {
                let literals: Vec<&str> = strings(value).collect();
                filter = Some(chosen().contains(literals));
            }
            "changed" => filter = Some(chosen().changed(true)),
            "links_only" => filter = Some(chosen().links_only(true)),
            other => panic!("{other}: no such option"),
        }
    }
    config.filter(filter.map(|filter| filter.build().expect("the filter should be valid")))
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
            ("readable", config(&line).direction(Direction::Iri)),
            ("replaced", config(&line).template(template)),
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
