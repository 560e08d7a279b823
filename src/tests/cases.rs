//! Cases read from `testdata/*.toml` (format: `testdata/README.md`).

use std::{borrow::ToOwned, format, fs, path::Path, string::String, vec, vec::Vec};

use super::cells;
pub(super) use super::encode::encode;
use crate::{api::config::Config, charset::Charset, format::kinds::Format};

#[derive(serde::Deserialize)]
struct File {
    #[serde(default)]
    case: Vec<Case>,
}

/// A text and its links.
#[derive(Clone, Debug, serde::Deserialize)]
pub(super) struct Case {
    pub(super) name: String,
    text: Option<String>,
    bytes: Option<String>,
    mark: Option<String>,
    uris: Option<Vec<String>>,
    written: Option<Vec<String>>,
    format: Option<String>,
    charsets: Option<Vec<String>>,
    /// For each link its absolute URI, `!` if it has none.
    absolute: Option<Vec<String>>,
    /// For each link its element, its attribute and the text of its element, as far as it has them.
    pub(super) elements: Option<Vec<Vec<String>>>,
    /// True if rewriting changes identifiers of RDF and keys of PO. That is the default here, but not in the
    /// command.
    identifiers: Option<bool>,
    /// The rule that the case is for: `iriscan explain` names it.
    pub(super) rule: Option<String>,
    /// The reason for the case, for readers.
    #[serde(rename = "because")]
    _because: Option<String>,
    /// All other options, by the names that `Config::options` has.
    #[serde(flatten)]
    options: toml::Table,
}

/// A case in one charset.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) charset: Charset,
    pub(super) bytes: Vec<u8>,
    pub(super) links: Vec<(u64, u64)>,
}

/// Returns all cases, by file name and in the order of the file.
pub(super) fn all() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata");
    let mut files: Vec<_> = fs::read_dir(&folder)
        .expect("testdata should be there")
        .map(|entry| entry.expect("testdata should be readable").path())
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .filter(|path| !path.ends_with("requirements.toml"))
        .collect();
    files.sort();
    let cases: Vec<Case> = files
        .iter()
        .flat_map(|path| {
            let text = fs::read_to_string(path).expect("a case file should be UTF-8");
            let file: File =
                toml::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            file.case
        })
        .filter(|case: &Case| {
            let needs_regex =
                ["match", "not_match"].iter().any(|name| case.options.contains_key(*name));
            cfg!(feature = "regex") || !needs_regex
        })
        .collect();
    let mut names: Vec<_> = cases.iter().map(|c| &c.name).collect();
    names.sort();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count, "names of cases should differ");
    cases
}

/// Returns every charset.
pub(super) fn charsets() -> Vec<Charset> {
    let web = [
        encoding_rs::UTF_8,
        encoding_rs::IBM866,
        encoding_rs::ISO_8859_2,
        encoding_rs::ISO_8859_3,
        encoding_rs::ISO_8859_4,
        encoding_rs::ISO_8859_5,
        encoding_rs::ISO_8859_6,
        encoding_rs::ISO_8859_7,
        encoding_rs::ISO_8859_8,
        encoding_rs::ISO_8859_8_I,
        encoding_rs::ISO_8859_10,
        encoding_rs::ISO_8859_13,
        encoding_rs::ISO_8859_14,
        encoding_rs::ISO_8859_15,
        encoding_rs::ISO_8859_16,
        encoding_rs::KOI8_R,
        encoding_rs::KOI8_U,
        encoding_rs::MACINTOSH,
        encoding_rs::WINDOWS_874,
        encoding_rs::WINDOWS_1250,
        encoding_rs::WINDOWS_1251,
        encoding_rs::WINDOWS_1252,
        encoding_rs::WINDOWS_1253,
        encoding_rs::WINDOWS_1254,
        encoding_rs::WINDOWS_1255,
        encoding_rs::WINDOWS_1256,
        encoding_rs::WINDOWS_1257,
        encoding_rs::WINDOWS_1258,
        encoding_rs::X_MAC_CYRILLIC,
        encoding_rs::GBK,
        encoding_rs::GB18030,
        encoding_rs::BIG5,
        encoding_rs::EUC_JP,
        encoding_rs::ISO_2022_JP,
        encoding_rs::SHIFT_JIS,
        encoding_rs::EUC_KR,
        encoding_rs::UTF_16BE,
        encoding_rs::UTF_16LE,
        encoding_rs::X_USER_DEFINED,
    ];
    let mut all: Vec<Charset> = web.iter().filter_map(|e| known(e.name())).collect();
    all.extend([Charset::UTF_32LE, Charset::UTF_32BE]);
    assert_eq!(all.len(), if cfg!(feature = "legacy-charsets") { 41 } else { 5 });
    all
}

/// Returns one of the charsets of each shape, another one for another `number`; all of them if the tests are
/// long. Charsets of one shape are read by the same code, and differ in a table or in their byte order.
pub(super) fn one_of_each_shape(charsets: &[Charset], number: usize) -> Vec<Charset> {
    if super::are_long() {
        return charsets.to_vec();
    }
    let shape = |charset: &Charset| core::mem::discriminant(&charset.shape());
    let is_chosen = |charset: &&Charset| {
        let same: Vec<_> = charsets.iter().filter(|it| shape(it) == shape(charset)).collect();
        same[number % same.len()] == *charset
    };
    charsets.iter().filter(is_chosen).copied().collect()
}

/// Whether a charset of the cells has its turn at this number: one of each shape has, or all if the tests are long.
pub(super) fn has_turn(charset: Charset, number: usize) -> bool {
    let all: Vec<_> = cells::SAMPLES.iter().filter_map(|sample| known(sample.label)).collect();
    one_of_each_shape(&all, number).contains(&charset)
}

/// Returns the charset of a label; `None` for a legacy one, in a build without them.
pub(super) fn known(label: &str) -> Option<Charset> {
    match Charset::for_label(label) {
        Ok(charset) => Some(charset),
        Err(_) if cfg!(not(feature = "legacy-charsets")) => None,
        Err(e) => panic!("{e}"),
    }
}

impl Case {
    fn mark(&self) -> &str {
        self.mark.as_deref().unwrap_or("|")
    }

    /// Returns the format of the document.
    pub(super) fn format(&self) -> Format {
        let name = self.format.as_deref().unwrap_or("text");
        name.parse().unwrap_or_else(|e| panic!("{}: {e}", self.name))
    }

    /// Returns the text that replaces link `i`, if that is neither its URI nor the link itself.
    pub(super) fn written(&self, i: usize) -> Option<&str> {
        self.written.as_ref().and_then(|written| written.get(i)).map(String::as_str)
    }

    /// Returns the configuration of the case in `charset`.
    pub(super) fn config(&self, charset: Charset) -> Config {
        self.config_in(Some(charset))
    }

    /// As [`Case::config`]. Without a charset it is detected.
    pub(super) fn config_in(&self, charset: Option<Charset>) -> Config {
        let texts = |(name, value): (String, serde_json::Value)| -> Vec<(String, String)> {
            match value {
                // A list without lines is a list all the same.
                serde_json::Value::Array(list) if list.is_empty() => vec![(name, String::new())],
                serde_json::Value::Array(list) => {
                    let text = |one: serde_json::Value| one.as_str().map(ToOwned::to_owned);
                    list.into_iter().filter_map(text).map(|one| (name.clone(), one)).collect()
                }
                serde_json::Value::String(text) => vec![(name, text)],
                other => vec![(name, format!("{other}"))],
            }
        };
        let options: Vec<_> = self.options().into_iter().flat_map(texts).collect();
        let options = options.iter().map(|(name, value)| (&**name, &**value));
        Config::new()
            .set_all(options)
            .unwrap_or_else(|e| panic!("{}: {e}", self.name))
            .identifiers(self.identifiers.unwrap_or(true))
            .charset(charset)
    }

    /// Returns true if the case does not name its charsets.
    pub(super) fn is_for_all_charsets(&self) -> bool {
        self.charsets.is_none()
    }

    /// Returns the options that differ from the defaults of the command, with its names and words.
    pub(super) fn options(&self) -> serde_json::Map<String, serde_json::Value> {
        let list = |words: &str| words.split(',').map(ToOwned::to_owned).collect::<Vec<_>>().into();
        let mut options = serde_json::Map::new();
        let mut set = |name: &str, value: Option<serde_json::Value>| {
            options.extend(value.map(|value| (name.to_owned(), value)));
        };
        set("format", self.format.clone().map(Into::into));
        for (name, value) in &self.options {
            let value = match value {
                toml::Value::String(words) if ["schemes", "kinds"].contains(&&**name) => {
                    if matches!(&**words, "common" | "any") {
                        words.clone().into()
                    } else {
                        list(words)
                    }
                }
                value => {
                    serde_json::to_value(value).expect("a value of TOML should be one of JSON")
                }
            };
            set(name, Some(value));
        }
        set("elements", self.elements.is_some().then(|| true.into()));
        let has_identifiers = match self.format() {
            Format::Turtle | Format::Xml | Format::Po | Format::JsonLd => true,
            // Few pages have any.
            Format::Html => self.identifiers.is_some(),
            _ => false,
        };
        set(
            "identifiers",
            (has_identifiers && self.identifiers.unwrap_or(true)).then(|| true.into()),
        );
        options
    }

    /// Returns the absolute URI of each link, if the case is about them.
    pub(super) fn absolute(&self) -> Option<Vec<Option<String>>> {
        let uris = self.absolute.as_ref()?.iter();
        Some(uris.map(|uri| (uri != "!").then(|| uri.clone())).collect())
    }

    /// Returns the URI of each link, `None` for a link without one. By default a URI is the link's
    /// text, with what no URI has encoded.
    pub(super) fn uris(&self, document: &Document) -> Vec<Option<String>> {
        match &self.uris {
            Some(uris) => uris.iter().map(|u| (u != "!").then(|| u.clone())).collect(),
            None => document
                .links
                .iter()
                .map(|&(s, e)| {
                    let source = &document.bytes[s as usize..e as usize];
                    let text = document.charset.decode_shifted(source, Default::default());
                    let encode = |c: char| match "\"<>\\^`{|}".contains(c) {
                        true => format!("%{:02X}", u32::from(c)),
                        false => c.into(),
                    };
                    Some(text.chars().map(encode).collect())
                })
                .collect(),
        }
    }

    /// Returns the case in every charset that can hold it, and how many charsets cannot.
    pub(super) fn documents(&self) -> (Vec<Document>, usize) {
        let mut skipped = 0;
        let wanted: Vec<Charset> = match &self.charsets {
            Some(labels) => labels.iter().filter_map(|label| known(label)).collect(),
            None => charsets(),
        };
        let documents = wanted
            .into_iter()
            .filter_map(|charset| {
                let document = match (&self.text, &self.bytes) {
                    (Some(text), None) => self.encode(text, charset),
                    (None, Some(hex)) => Some(self.raw(hex, charset)),
                    _ => panic!("{}: needs text or bytes", self.name),
                };
                skipped += usize::from(document.is_none());
                document
            })
            .collect();
        (documents, skipped)
    }

    fn encode(&self, text: &str, charset: Charset) -> Option<Document> {
        let pieces: Vec<&str> = text.split(self.mark()).collect();
        assert!(pieces.len() % 2 == 1, "{}: marks should come in pairs", self.name);
        let plain = pieces.concat();
        let bytes = encode(&plain, charset)?;
        // The start of each character, by the twin's decoder and not by the cursor.
        let chars = crate::tests::naive::decode(&bytes, charset);
        let decoded: String = chars.iter().map(|c| c.c.unwrap_or('\u{FFFD}')).collect();
        if decoded != plain {
            return None;
        }
        let (mut at, mut links) = (0, vec![]);
        for (i, piece) in pieces.iter().enumerate() {
            let n = piece.chars().count();
            if i % 2 == 1 {
                links.push((chars[at].start as u64, chars[at + n - 1].end as u64));
            }
            at += n;
        }
        Some(Document { charset, bytes, links })
    }

    fn raw(&self, hex: &str, charset: Charset) -> Document {
        let (mut bytes, mut marks) = (vec![], vec![]);
        for word in hex.replace('|', " | ").split_whitespace() {
            match word {
                "|" => marks.push(bytes.len() as u64),
                word => bytes.push(u8::from_str_radix(word, 16).unwrap_or_else(|e| {
                    panic!("{}: {word:?}: {e}", self.name);
                })),
            }
        }
        let links = marks.chunks(2).map(|pair| (pair[0], pair[1])).collect();
        Document { charset, bytes, links }
    }
}
