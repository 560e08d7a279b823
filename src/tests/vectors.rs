//! Checks conversion, validation and resolution against the examples of the standards.
//!
//! `testdata/reference/vectors.jsonl` holds examples of the standards, and cases derived from their
//! rules. If there is a larger set next to the checkout (`../shared/vectors`, or the folder in
//! `IRISCAN_VECTORS`), it is tested too. `testdata/reference/differs.toml` lists the vectors that
//! differ on purpose, with the reasons. A listed vector that passes fails the test.

use std::{
    collections::BTreeMap,
    env, format, fs,
    path::{Path, PathBuf},
    println,
    string::{String, ToString},
    vec,
    vec::Vec,
};

use serde_json::Value;

use crate::{
    charset::Charset,
    reference::{
        bidi::{Embedding, embed},
        components::{Component, Components},
        field::{CharacterReferences, FieldOptions, InnerSpace},
        idna2008::is_idna2008_name,
        normal::{Form, Level, equivalent},
        resolve::SameScheme,
        syntax::{Edition, Grammar, Reference},
        to_iri::{HostLabels, Inadvisable, IriOptions, PrivateUse, Unreserved, leiri_to_iri},
        to_uri::{Backslash, Disallowed, HostForm, Nfc, QueryCharset, Unmappable, UriOptions},
    },
};

#[derive(serde::Deserialize)]
struct Differ {
    differs: Vec<Difference>,
}

#[derive(serde::Deserialize)]
struct Difference {
    id: String,
    because: String,
}

/// One line of a set.
struct Vector {
    id: String,
    op: String,
    input: Value,
    base: Option<String>,
    charset: Option<Charset>,
    octets: Option<Vec<u8>>,
    options: BTreeMap<String, Value>,
    expect: Value,
    expect_octets: Option<Vec<u8>>,
}

impl Vector {
    fn of(line: &str) -> Vector {
        let value: Value = serde_json::from_str(line).expect("a line should be JSON");
        let text = |key: &str| value[key].as_str().map(ToString::to_string);
        let hex = |key: &str| {
            let digits = value[key].as_str()?;
            let octet = |i| u8::from_str_radix(&digits[i..i + 2], 16).expect("hexadecimal");
            Some((0..digits.len()).step_by(2).map(octet).collect())
        };
        let options = match &value["options"] {
            Value::Object(map) => map.iter().map(|(k, v)| (k.clone(), v.clone())).collect(),
            _ => BTreeMap::new(),
        };
        Vector {
            id: text("id").expect("a vector should have an id"),
            op: text("op").expect("a vector should have an op"),
            input: value["input"].clone(),
            base: text("base"),
            charset: text("charset").map(|label| Charset::for_label(&label).expect("a label")),
            octets: hex("input_hex"),
            options,
            expect: value["expect"].clone(),
            expect_octets: hex("expect_hex"),
        }
    }

    fn text(&self) -> String {
        match (&self.octets, self.charset) {
            (Some(octets), Some(charset)) => charset.decode(octets).into_owned(),
            _ => self.input.as_str().expect("input should be text").to_string(),
        }
    }

    fn option(&self, name: &str) -> &str {
        self.options.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    fn is(&self, name: &str) -> Option<bool> {
        self.options.get(name).and_then(Value::as_bool)
    }

    fn edition(&self) -> Edition {
        if self.option("spec") == "bis" { Edition::Bis } else { Edition::Rfc3987 }
    }

    fn uri_options(&self) -> UriOptions {
        UriOptions::new()
            .charset(self.charset.unwrap_or(Charset::UTF_8))
            .host(if self.option("host") == "idna" {
                HostForm::Punycode
            } else {
                HostForm::Percent
            })
            .query(match self.option("query") {
                "document" => QueryCharset::Document,
                _ => QueryCharset::Utf8,
            })
            .nfc(match self.option("nfc") {
                "always" => Nfc::Always,
                "never" => Nfc::Never,
                _ => Nfc::Auto,
            })
            .disallowed(match (self.option("ascii_unallowed"), self.is("validate")) {
                (_, Some(false)) | ("encode", None) => Disallowed::Encode,
                _ if self.is("strict") == Some(false) => Disallowed::Encode,
                _ => Disallowed::Fail,
            })
            .unmappable(match self.option("unmappable") {
                "utf8" => Unmappable::Utf8,
                _ => Unmappable::CharacterReference,
            })
            .backslash(match self.option("backslash") {
                "slash" => Backslash::Slash,
                _ => Backslash::Encode,
            })
    }

    /// Returns our result, in the shape of `expect`.
    fn outcome(&self) -> Value {
        match &*self.op {
            "validate" => self.validate().into(),
            "parse" => self.parse(),
            "resolve" => {
                let base = self.base.clone().expect("a base");
                let (input, base) = (self.text(), base);
                let parse = |text| Reference::parse(text, Grammar::IriReference);
                let (Ok(input), Ok(base)) = (parse(&input), parse(&base)) else {
                    return Value::Null;
                };
                let same = match self.is("strict") {
                    Some(false) => SameScheme::Relative,
                    _ => SameScheme::Strict,
                };
                input.resolve_with(&base, same).ok().into()
            }
            "iri_to_uri" => self.uri_options().to_uri(&self.text()).ok().into(),
            "uri_to_iri" => {
                let options = IriOptions::new()
                    .host(match (self.option("host"), self.is("scheme_is_dns")) {
                        (_, Some(true)) => HostLabels::UnicodeAlways,
                        ("idna", _) => HostLabels::Unicode,
                        ("", _) if self.edition() == Edition::Bis => HostLabels::Unicode,
                        _ => HostLabels::Keep,
                    })
                    .private_use(match self.option("private") {
                        "decode" => PrivateUse::Decode,
                        _ => PrivateUse::Keep,
                    })
                    .inadvisable(match self.option("advisory") {
                        "keep-encoded" => Inadvisable::Keep,
                        _ => Inadvisable::Decode,
                    })
                    .unreserved(match self.option("spec") {
                        "masinter07" => Unreserved::Keep,
                        _ => Unreserved::Decode,
                    });
                options.to_iri(&self.text()).into()
            }
            "leiri_to_iri" => leiri_to_iri(&self.text(), self.edition()).ok().into(),
            "normalize" => {
                let level = level(self.option("rung"));
                let form = match self.option("form") {
                    "uri" => Form::Uri,
                    "iri" => Form::Iri,
                    _ => Form::Same,
                };
                let text = self.text();
                let reference = Reference::parse(&text, Grammar::IriReference);
                reference.ok().map(|reference| reference.normalize_as(level, form)).into()
            }
            "equivalent" => {
                let text = |i: usize| self.input[i].as_str().expect("two texts");
                let parse = |i| Reference::parse(text(i), Grammar::IriReference).expect("valid");
                equivalent(&parse(0), &parse(1), level(self.option("rung"))).into()
            }
            "preprocess" => self.preprocess(),
            "bidi_wrap" => {
                let embedding = match self.option("wrap") {
                    "LRE-PDF" => Embedding::Embed,
                    "LRE-PDF+LRM" => Embedding::EmbedMarked,
                    other => panic!("{other}"),
                };
                embed(&self.text(), embedding).into()
            }
            "bidi_display" => self.display(),
            "percent_encode_after_encoding" | "percent_encode_bytes" => {
                let options = UriOptions::new().charset(self.charset.expect("a charset"));
                let iri = format!("http://h/?{}", self.text());
                let uri = options.to_uri(&iri).ok();
                uri.map(|uri| uri.strip_prefix("http://h/?").unwrap_or_default().to_string()).into()
            }
            "rewrite" => {
                let finder = crate::api::config::Config::new()
                    .charset(self.charset.expect("a charset"))
                    .query(QueryCharset::Utf8)
                    .build()
                    .expect("a configuration");
                let source = self.octets.as_deref().expect("octets");
                let got = finder.rewrite_slice(source).0.into_owned();
                let want = self.expect_octets.as_deref().expect("octets");
                if got == want { self.expect.clone() } else { format!("{got:x?}").into() }
            }
            other => panic!("{}: unknown op {other}", self.id),
        }
    }

    fn validate(&self) -> bool {
        let text = self.text();
        let grammar = match self.option("kind") {
            "iri" => Grammar::Iri,
            "iri-reference" => Grammar::IriReference,
            "uri" => Grammar::Uri,
            "uri-reference" => Grammar::UriReference,
            "leiri" => Grammar::Leiri,
            "idn-hostname" => return is_idna2008_name(&text),
            other => panic!("{}: kind {other}", self.id),
        };
        let Ok(reference) = Reference::parse_edition(&text, grammar, self.edition()) else {
            return false;
        };
        let findings = reference.components().bidi_findings();
        match (self.option("bidi"), self.option("check")) {
            ("", "bidi-4.2") => findings.is_empty(),
            ("rfc3987", _) => findings
                .iter()
                .all(|finding| finding.fault != crate::reference::bidi::BidiFault::Control),
            _ => true,
        }
    }

    fn parse(&self) -> Value {
        let text = self.text();
        let parts = Components::split(&text);
        let component = |component: Component| -> Value {
            parts.range(component).map(|range| text[range].to_string()).into()
        };
        let mut map = serde_json::Map::new();
        for &which in Component::ALL {
            map.insert(which.as_str().to_string(), component(which));
        }
        map.into()
    }

    fn preprocess(&self) -> Value {
        let several = self.is("multiple") == Some(true);
        let options = FieldOptions::new()
            .inner_space(match self.option("inner_space") {
                _ if several => InnerSpace::Separate,
                "remove" => InnerSpace::Remove,
                _ => InnerSpace::Encode,
            })
            .character_references(match self.option("ncr") {
                "html" => CharacterReferences::Html,
                "xml" | "all" => CharacterReferences::Xml,
                "iunreserved" => CharacterReferences::Iunreserved,
                _ => CharacterReferences::None,
            });
        let text = self.text();
        let references = options.references(&text);
        match &references[..] {
            _ if several => references.iter().map(ToString::to_string).collect(),
            [one] => Value::from(&**one),
            other => panic!("{}: {other:?}", self.id),
        }
    }

    /// Returns the visual order of the output of `embed`, by the Unicode Bidirectional Algorithm.
    /// Upper case letters are right-to-left letters.
    fn display(&self) -> Value {
        let show = |letters: &[char]| -> String {
            let logical: String = self
                .text()
                .chars()
                .map(|c| if c.is_ascii_uppercase() { letters[c as usize - 65] } else { c })
                .collect();
            let embedded = embed(&logical, Embedding::Isolate);
            let info = unicode_bidi::BidiInfo::new(&embedded, Some(unicode_bidi::Level::rtl()));
            let paragraph = &info.paragraphs[0];
            let visual = info.reorder_line(paragraph, paragraph.range.clone());
            visual
                .chars()
                .filter(|c| !matches!(c, '\u{2066}' | '\u{2069}'))
                .map(|c| match letters.iter().position(|l| *l == c) {
                    Some(i) => char::from(b'A' + i as u8),
                    None => c,
                })
                .collect()
        };
        let hebrew: Vec<char> = ('א'..='ת').take(26).collect();
        let arabic: Vec<char> = ('\u{627}'..='\u{63A}').chain('\u{641}'..='\u{646}').collect();
        let (he, ar) = (show(&hebrew), show(&arabic));
        match &self.expect {
            Value::Object(_) => serde_json::json!({ "he": he, "ar": ar }),
            _ if he == ar => he.into(),
            _ => serde_json::json!([he, ar]),
        }
    }
}

fn level(rung: &str) -> Level {
    match rung {
        "string" => Level::String,
        "percent" => Level::Percent,
        "path" => Level::Path,
        "syntax" => Level::Syntax,
        "scheme" => Level::Scheme,
        "idn" => Level::Idn,
        "nfc" => Level::Nfc,
        other => panic!("rung {other}"),
    }
}

/// Returns the sets that exist.
fn sets() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let beside = env::var_os("IRISCAN_VECTORS")
        .map_or_else(|| root.join("../shared/vectors/vectors.jsonl"), PathBuf::from);
    let mut sets = vec![root.join("testdata/reference/vectors.jsonl")];
    sets.extend(Some(beside).filter(|path| path.exists()));
    sets
}

#[test]
fn every_vector_gives_the_result_of_its_standard() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let listed =
        fs::read_to_string(root.join("testdata/reference/differs.toml")).expect("readable");
    let listed: Differ = toml::from_str(&listed).expect("the list should be valid");
    assert!(listed.differs.iter().all(|d| d.because.len() > 20), "each needs its reason");
    let mut wrong = Vec::new();
    for set in sets() {
        let mut counts = BTreeMap::<String, (usize, usize)>::new();
        let text = fs::read_to_string(&set).expect("a set should be readable");
        for line in text.lines() {
            let vector = Vector::of(line);
            let got = vector.outcome();
            let mut want = vector.expect.clone();
            if vector.op == "parse"
                && let (Value::Object(want), Value::Object(got)) = (&mut want, &got)
            {
                // Some documents print fewer components.
                want.extend(
                    got.iter()
                        .filter(|(k, _)| vector.expect.get(k).is_none())
                        .map(|(k, v)| (k.clone(), v.clone()))
                        .collect::<Vec<_>>(),
                );
            }
            let passes = got == want;
            let count = counts.entry(vector.op.clone()).or_default();
            count.0 += usize::from(passes);
            count.1 += 1;
            let listed = listed.differs.iter().any(|d| d.id == vector.id);
            if passes == listed {
                let note = if passes { "passes, but is listed in differs.toml" } else { "differs" };
                wrong.push(format!(
                    "{} {note}: {} {} {:?}\n  want {want}\n  got  {got}",
                    vector.id, vector.op, vector.input, vector.options,
                ));
            }
        }
        println!("{}: {counts:?}", set.display());
    }
    assert!(wrong.is_empty(), "{} vectors:\n{}", wrong.len(), wrong.join("\n"));
}
