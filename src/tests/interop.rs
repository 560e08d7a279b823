//! `testdata/interop.jsonl`: the cases of `testdata/*.toml` in a form that the tests of every
//! binding read (bindings/). A test here checks that the file is current.
//!
//! Each line is a JSON object:
//!
//! - `name`: the name of the case. A case can have several lines, one for each charset.
//! - `text`, or `bytes` (hexadecimal) and `charset`: the document.
//! - `options`: options of the finder that differ from their defaults, with the names and words
//!   of the command line, with `_` for `-`; `kinds` and `schemes` can be lists. `only_host`,
//!   `not_host`, `match` and `not_match` are lists, and so are `hosts_from` and `contains_from`,
//!   whose elements are the lines of a file.
//! - `links`: for each link `bytes`, `chars` and `utf16`, its range in bytes, code points and
//!   UTF-16 units of the document; `text`, `kind`, `iri`, and `uri`, which is null if the link has
//!   none; `display`, if it is not `iri`; `element`, `attribute`, `anchor` and `unwrapped`, if it has them;
//!   `absolute`, which is null if the link has none, if it is not `uri`. In `text` a byte order mark counts as a character; in `bytes` it does not.
//! - `rewritten`: the document after rewriting, as text or hexadecimal bytes; absent if rewriting
//!   changes nothing.
//! - `readable`: the same for rewriting to IRIs (`to`). A case with the option `host` has none, because its
//!   words are others there.
//! - `replaced`: the same for the template [`TEMPLATE`].

use std::{
    borrow::ToOwned, collections::BTreeMap, env, format, fs, path::Path, string::String, vec::Vec,
};

use super::cases::{self, Case, Document};
use crate::{
    api::{config::Config, positions::Positions},
    charset::Charset,
    links::{rewrite::Rewrite, template::Template},
    reference::to_iri::HostLabels,
};

const FILE: &str = "testdata/interop.jsonl";

/// What replaces each link: it has to be escaped in most formats, and many charsets lack a part.
const TEMPLATE: &str = "<{n} é\"> {iri}";

#[derive(serde::Serialize)]
struct Line {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    charset: Option<&'static str>,
    // In alphabetical order, whether or not another crate turns on `preserve_order` of serde_json.
    options: BTreeMap<String, serde_json::Value>,
    links: Vec<Link>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rewritten: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    readable: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    replaced: Option<String>,
}

#[derive(serde::Serialize)]
struct Link {
    bytes: [u64; 2],
    chars: [u64; 2],
    utf16: [u64; 2],
    text: String,
    kind: &'static str,
    iri: String,
    uri: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    display: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    element: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    attribute: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    anchor: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unwrapped: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    absolute: Option<Option<String>>,
}

#[test]
fn the_cases_for_other_languages_are_current() {
    let mut lines = String::new();
    for case in cases::all() {
        for document in chosen(&case) {
            let line = line(&case, &document);
            lines += &serde_json::to_string(&line).expect("a line should be JSON");
            lines.push('\n');
        }
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    if env::var_os("IRISCAN_WRITE_INTEROP").is_some() {
        fs::write(&path, &lines).expect("the file should be writable");
        return;
    }
    let file = fs::read_to_string(&path).unwrap_or_default();
    let differs = lines.lines().zip(file.lines()).find(|(now, then)| now != then);
    assert!(
        lines == file,
        "{FILE} is not current; renew it with\n    IRISCAN_WRITE_INTEROP=1 cargo test -p iriscan \
         --all-features --lib interop\nfirst difference: {differs:#?}"
    );
}

/// The documents of a case to export: UTF-8 as text, and every other charset that the case names.
/// If it names none, one other charset, so that all charsets together have lines.
fn chosen(case: &Case) -> Vec<Document> {
    let (documents, _) = case.documents();
    let (text, mut others): (Vec<_>, Vec<_>) =
        documents.into_iter().partition(|document| document.charset == Charset::UTF_8);
    if case.is_for_all_charsets() && !others.is_empty() {
        let sum: usize = case.name.bytes().map(usize::from).sum();
        let one = others.swap_remove(sum % others.len());
        others = Vec::from([one]);
    }
    text.into_iter().chain(others).collect()
}

fn line(case: &Case, document: &Document) -> Line {
    let bytes = &document.bytes[..];
    let finder = case.config(document.charset).build().expect("options of cases should be valid");
    let finder = finder.format(case.format());
    let is_text = document.charset == Charset::UTF_8;
    let text = str::from_utf8(bytes).ok().filter(|_| is_text);
    let place = |at: u64| -> (u64, u64) {
        let before = &bytes[..at as usize];
        match text.and_then(|_| str::from_utf8(before).ok()) {
            Some(before) => (before.chars().count() as u64, before.encode_utf16().count() as u64),
            None => {
                let mut positions = Positions::new(document.charset);
                positions.advance(before);
                let place = positions.position();
                (place.chars, place.utf16)
            }
        }
    };
    let links: Vec<Link> = finder
        .find_iter(bytes)
        .map(|link| {
            let span = link.span();
            let (start, end) = (place(span.start), place(span.end));
            let uri = link.uri().ok().map(|uri| uri.as_str().to_owned());
            Link {
                bytes: [span.start, span.end],
                chars: [start.0, end.0],
                utf16: [start.1, end.1],
                text: link.text().into_owned(),
                kind: link.kind().as_str(),
                iri: link.iri().into_owned(),
                uri: uri.clone(),
                display: Some(link.display()).filter(|shown| *shown != link.iri()),
                element: link.element().map(ToOwned::to_owned),
                attribute: link.attribute().map(ToOwned::to_owned),
                anchor: link.anchor().map(ToOwned::to_owned),
                unwrapped: link.unwrapped(),
                absolute: Some(link.absolute().ok()).filter(|absolute| *absolute != uri),
            }
        })
        .collect();
    let spans: Vec<_> = links.iter().map(|link| (link.bytes[0], link.bytes[1])).collect();
    assert_eq!(spans, document.links, "{} in {}", case.name, document.charset);
    let (out, done) = finder.rewrite_slice(bytes);
    let written = |out: &[u8]| match (text, str::from_utf8(out)) {
        (Some(_), Ok(out)) => out.to_owned(),
        _ => hexadecimal(out),
    };
    let rewritten = (done.changed > 0).then(|| written(&out));
    let options: BTreeMap<_, _> = case.options().into_iter().collect();
    let other = |config: Config| {
        let finder = config.build().expect("options of cases should be valid");
        let (out, done) = finder.format(case.format()).rewrite_slice(bytes);
        (done.changed > 0).then(|| written(&out))
    };
    let readable = other(case.config(document.charset).rewrite(Rewrite::Iri(HostLabels::Keep)));
    let readable = readable.filter(|_| !options.contains_key("host"));
    let template = Template::new(TEMPLATE).expect("the template should be valid");
    let replaced = other(case.config(document.charset).rewrite(template));
    Line {
        name: case.name.clone(),
        text: text.map(ToOwned::to_owned),
        bytes: text.is_none().then(|| hexadecimal(bytes)),
        charset: text.is_none().then(|| document.charset.name()),
        options,
        links,
        rewritten,
        readable,
        replaced,
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
