//! The matrix of the W3C's tests of IRIs (requirements 102 to 104): formats × places × charsets ×
//! parts × escapes × schemes, with one link in each document.
//!
//! The expected results are computed here, by tables and by hand; the library only scans. Other
//! parsers read the rest of each document, before and after rewriting.

use std::{
    collections::BTreeMap,
    format, println,
    string::{String, ToString},
    vec,
    vec::Vec,
};

use super::{cases, markup, naive, ways};
use crate::{
    api::{config::Config, finder::Finder},
    charset::Charset,
    format::kinds::Format,
};

/// A charset, the text around links, a word that the charset can hold, and a host.
struct Sample {
    label: &'static str,
    around: &'static str,
    word: &'static str,
    host: &'static str,
    /// The host by the algorithm of RFC 3492, from another implementation.
    ascii_host: &'static str,
}

const fn sample(
    label: &'static str,
    word: &'static str,
    (host, ascii_host): (&'static str, &'static str),
) -> Sample {
    Sample { label, around: word, word, host, ascii_host }
}

const LATIN: (&str, &str) = ("bücher", "xn--bcher-kva");
const CYRILLIC: (&str, &str) = ("пример", "xn--e1afmkfd");
const JAPANESE: (&str, &str) = ("例え", "xn--r8jz45g");
const CHINESE: (&str, &str) = ("例子", "xn--fsqu00a");

/// The charsets of requirement 104, and UTF-32.
const SAMPLES: &[Sample] = &[
    Sample { around: "see", ..sample("us-ascii", "é", LATIN) },
    sample("utf-8", "é日", JAPANESE),
    sample("utf-16le", "é日", JAPANESE),
    sample("utf-16be", "é日", JAPANESE),
    sample("utf-32le", "é日", JAPANESE),
    sample("iso-8859-1", "éü", LATIN),
    sample("macintosh", "éü", LATIN),
    sample("windows-1250", "žluť", ("žluť", "xn--lu-yta1h")),
    sample("windows-1251", "мир", CYRILLIC),
    sample("windows-1253", "γη", ("παράδειγμα", "xn--hxajbheg2az3al")),
    sample("windows-1255", "שלום", ("דוגמה", "xn--6dbbec0c")),
    sample("windows-1256", "سلام", ("مثال", "xn--mgbh0fb")),
    sample("windows-1258", "đô", ("đô", "xn--lda1d")),
    sample("koi8-r", "мир", CYRILLIC),
    sample("windows-874", "ไทย", ("ไทย", "xn--o3cw4h")),
    sample("shift_jis", "日本", JAPANESE),
    sample("euc-jp", "日本", JAPANESE),
    sample("iso-2022-jp", "日本", JAPANESE),
    sample("gbk", "中文", CHINESE),
    sample("gb18030", "中文", CHINESE),
    sample("big5", "中文", CHINESE),
    sample("euc-kr", "한국", ("실례", "xn--9n2bp8q")),
];

/// Each charset that is not Unicode lacks at least one of these.
const FOREIGN: [&str; 3] = ["日", "я", "𠀀"];

/// The formats, with the places of links in them: `%` is the link, `~` the text around it.
const PLACES: &[(Format, &str)] = &[
    (Format::Text, "~ % ~\r\n"),
    // CSS.
    (Format::Text, "/* ~ */ @import '%'; a::before { content: '~' }\n"),
    (Format::Text, "a { background: url(%) no-repeat } /* ~ */\n"),
    (Format::Text, "a { background: url(\"%\"); content: \"~\" }\n"),
    // Markdown.
    (Format::Text, "# ~\n\n**~** [~](%) ~\n"),
    (Format::Text, "> ~ <%> ~\n"),
    (Format::Text, "~ [~]\n\n[~]: %\n"),
    // CSV. A comma after a link without quotes may as well be part of the link.
    (Format::Text, "~,~,%\r\n"),
    (Format::Text, "\"~\";\"%\";\"~\"\r\n"),
    (Format::Html, "<p>~ % ~</p>"),
    (Format::Html, "<p>~<b title='~ % ~'>~</b>"),
    (Format::Html, "<p>~<a class=x href=\"%\">~</a>"),
    (Format::Xml, "<?xml version='1.0'?>\n<a><b>~ % ~</b></a>"),
    (Format::Xml, "<a><b title='~ % ~'>~</b></a>"),
    (Format::Xml, "<a>~<b c='~' href=\"%\"/>~</a>"),
    (Format::Json, "{\"~\": [1, \"~ % ~\"]}\n"),
    (Format::Json, "{\"~\":\"~\",\"u\":\"%\"}"),
    (Format::Log, "1.2.3.4 ~ % ~\n"),
    (Format::Log, "1.2.3.4 ~ \"GET % HTTP/1.1\" \"~\"\n"),
    (Format::Turtle, "# ~\n<http://s.example/> <http://p.example/> \"~ % ~\" .\n"),
    (Format::Turtle, "<http://s.example/> <http://p.example/> <%>, \"~\" .\n"),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Escape {
    Raw,
    Percent,
    Decimal,
    Hexadecimal,
    Name,
    /// `\uXXXX`: one unit of UTF-16.
    Unit,
    /// `\UXXXXXXXX`.
    CodePoint,
    /// `\xHH`: one byte of UTF-8.
    Byte,
}

const ESCAPES: [Escape; 8] = [
    Escape::Raw,
    Escape::Percent,
    Escape::Decimal,
    Escape::Hexadecimal,
    Escape::Name,
    Escape::Unit,
    Escape::CodePoint,
    Escape::Byte,
];

const NAMES: &[(char, &str)] = &[
    ('é', "&eacute;"),
    ('ü', "&uuml;"),
    ('ž', "&zcaron;"),
    ('ť', "&tcaron;"),
    ('đ', "&dstrok;"),
    ('ô', "&ocirc;"),
    ('м', "&mcy;"),
    ('и', "&icy;"),
    ('р', "&rcy;"),
    ('п', "&pcy;"),
    ('е', "&iecy;"),
    ('я', "&yacy;"),
    ('γ', "&gamma;"),
    ('η', "&eta;"),
];

impl Escape {
    fn is_of(self, format: Format) -> bool {
        match self {
            Escape::Raw | Escape::Percent => true,
            Escape::Decimal | Escape::Hexadecimal => matches!(format, Format::Html | Format::Xml),
            Escape::Name => format == Format::Html,
            Escape::Unit => matches!(format, Format::Json | Format::Log | Format::Turtle),
            Escape::CodePoint => format == Format::Turtle,
            Escape::Byte => format == Format::Log,
        }
    }

    /// Returns `word` with every character escaped that is not ASCII.
    fn spell(self, word: &str) -> Option<String> {
        let each = |c: char| {
            Some(match self {
                _ if c.is_ascii() => c.to_string(),
                Escape::Raw => c.to_string(),
                Escape::Percent => percent(c.to_string().as_bytes()),
                Escape::Decimal => format!("&#{};", u32::from(c)),
                Escape::Hexadecimal => format!("&#x{:X};", u32::from(c)),
                Escape::Name => NAMES.iter().find(|(of, _)| *of == c)?.1.to_string(),
                Escape::Unit => {
                    c.encode_utf16(&mut [0; 2]).iter().map(|u| format!("\\u{u:04x}")).collect()
                }
                Escape::CodePoint => format!("\\U{:08X}", u32::from(c)),
                Escape::Byte => c.to_string().bytes().map(|b| format!("\\x{b:02x}")).collect(),
            })
        };
        word.chars().map(each).collect()
    }
}

fn percent(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("%{b:02X}")).collect()
}

/// Returns `word` with each character that is not ASCII percent-encoded as UTF-8.
fn utf8(word: &str) -> String {
    let each = |c: char| match c.is_ascii() {
        true => c.to_string(),
        false => percent(c.to_string().as_bytes()),
    };
    word.chars().map(each).collect()
}

/// Returns `word` as the query of a web address has it (URL Standard, "percent-encode after
/// encoding"): a character that the charset lacks becomes a numeric reference.
fn query(word: &str, charset: Charset) -> String {
    let mut runs: Vec<(bool, String)> = vec![];
    for c in word.chars() {
        if c.is_ascii() {
            runs.push((false, c.to_string()));
            continue;
        }
        let holds = cases::encode(&c.to_string(), charset).is_some();
        match runs.last_mut() {
            Some((is, run)) if *is == holds && holds => run.push(c),
            _ => runs.push((holds, c.to_string())),
        }
    }
    let each = |(holds, run): &(bool, String)| match cases::encode(run, charset) {
        _ if run.is_ascii() => run.clone(),
        Some(bytes) if *holds => percent(&bytes),
        _ => run.chars().map(|c| format!("%26%23{}%3B", u32::from(c))).collect(),
    };
    runs.iter().map(each).collect()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Host,
    Path,
    Query,
    Fragment,
    Userinfo,
}

const PARTS: [Part; 5] = [Part::Host, Part::Path, Part::Query, Part::Fragment, Part::Userinfo];
const SCHEMES: [&str; 5] = ["http", "https", "ftp", "mailto", "urn"];

/// Returns the link before the word and the link after it.
fn link(scheme: &str, part: Part) -> Option<(String, &'static str)> {
    // Punctuation comes directly before the word; `letters_directly_after_ascii` has the cells with
    // an ASCII letter there.
    let (before, after) = match (scheme, part) {
        ("urn", Part::Path) => (":example:", ""),
        ("urn", Part::Query) => (":example:x?=a&q=", "&r=1"),
        ("urn", Part::Fragment) => (":example:x#", ""),
        ("mailto", Part::Userinfo) => (":", "@a.example"),
        ("mailto", Part::Host) => (":x@", ".example"),
        ("mailto", Part::Query) => (":x@a.example?cc=y&subject=", ""),
        ("urn" | "mailto", _) => return None,
        (_, Part::Host) => ("://", ".example/x"),
        (_, Part::Path) => ("://a.example/", "/y"),
        (_, Part::Query) => ("://a.example/?a=1&q=", "&r=1"),
        (_, Part::Fragment) => ("://a.example/#", ""),
        (_, Part::Userinfo) => ("://", "@a.example/"),
    };
    Some((format!("{scheme}{before}"), after))
}

/// A document with one link.
struct Cell {
    format: Format,
    charset: Charset,
    /// The document: the text before the link, the link as it is written, the text after it.
    before: String,
    source: String,
    after: String,
    iri: String,
    uri: String,
}

impl Cell {
    fn check(&self, finder: &Finder) -> Result<(), String> {
        let plain = [&*self.before, &self.source, &self.after].concat();
        let bytes = cases::encode(&plain, self.charset).ok_or("the charset should hold it")?;
        let fail =
            |what: &str| format!("{} {}: {plain:?}: {what}", self.format.as_str(), self.charset);
        // The place of each character, by the twin's decoder.
        let chars = naive::decode(&bytes, self.charset);
        if chars.iter().any(|c| c.c.is_none()) || chars.len() != plain.chars().count() {
            return Err(fail("the document should decode"));
        }
        let first = self.before.chars().count();
        let last = first + self.source.chars().count() - 1;
        let span = (chars[first].start as u64, chars[last].end as u64);

        let got: Vec<_> = finder.find_iter(&bytes[..]).collect();
        let is =
            |link: &crate::links::matched::Match<'_>| (link.span().start, link.span().end) == span;
        let Some(link) = got.iter().find(|link| is(link)) else {
            let all: Vec<_> = got.iter().map(|l| (l.span(), l.iri().into_owned())).collect();
            return Err(fail(&format!("{span:?} should be found: {all:?}")));
        };
        // A triple needs two more IRIs.
        let others = if self.format == Format::Turtle { 2 } else { 0 };
        if got.len() != 1 + others {
            return Err(fail(&format!("{} links", got.len())));
        }
        if link.iri() != self.iri {
            return Err(fail(&format!("the iri is {:?}, not {:?}", link.iri(), self.iri)));
        }
        match link.uri() {
            Ok(uri) if uri.as_str() == self.uri => {}
            uri => return Err(fail(&format!("the uri is {uri:?}, not {:?}", self.uri))),
        }
        let whole = ways::slice(finder, &bytes);
        if ways::push(finder, bytes.chunks(1)) != whole {
            return Err(fail("byte by byte the result should be the same"));
        }

        let out = finder.rewrite_slice(&bytes[..]).0;
        let chars = naive::decode(&out, self.charset);
        let Some(text) = chars.iter().map(|c| c.c).collect::<Option<String>>() else {
            return Err(fail("the rewritten document should decode"));
        };
        let written = match self.iri.is_ascii() {
            true => self.source.clone(),
            false if matches!(self.format, Format::Html | Format::Xml) => {
                self.uri.replace('&', "&amp;")
            }
            false => self.uri.clone(),
        };
        if text != [&*self.before, &written, &self.after].concat() {
            return Err(fail(&format!("rewriting gives {text:?}")));
        }
        self.other_parser(&plain, &text).map_err(|why| fail(&why))
    }

    /// Checks that another parser reads the same as before, except for the link.
    fn other_parser(&self, before: &str, after: &str) -> Result<(), String> {
        let read = match self.format {
            Format::Html => markup::strings,
            Format::Xml => xml,
            Format::Json => json,
            Format::Turtle => turtle,
            _ => return Ok(()),
        };
        let (before, after) = (read(before)?, read(after)?);
        let links = before.iter().filter(|text| text.contains(&self.iri)).count();
        if links != 1 {
            return Err(format!("the other parser reads {before:?}"));
        }
        let iri = if self.iri.is_ascii() { &self.iri } else { &self.uri };
        let want: Vec<_> = before.iter().map(|text| text.replace(&self.iri, iri)).collect();
        let same = want == after;
        same.then_some(()).ok_or_else(|| format!("the other parser reads {after:?}"))
    }
}

/// Returns names, values and text, as quick-xml reads them.
fn xml(document: &str) -> Result<Vec<String>, String> {
    use quick_xml::{XmlVersion, events::Event};

    let mut reader = quick_xml::Reader::from_str(document.trim_start_matches('\u{FEFF}'));
    let mut strings = vec![];
    let mut text = String::new();
    loop {
        let event = reader.read_event().map_err(|e| e.to_string())?;
        match &event {
            Event::Text(piece) => {
                text += &piece.xml10_content();
                continue;
            }
            Event::GeneralRef(reference) => {
                match reference.resolve_char_ref().map_err(|e| e.to_string())? {
                    Some(c) => text.push(c),
                    None if &*reference.xml10_content() == "amp" => text.push('&'),
                    None => return Err(format!("{reference:?}")),
                }
                continue;
            }
            _ => strings.push(core::mem::take(&mut text)),
        }
        match event {
            Event::Start(tag) | Event::Empty(tag) => {
                for attribute in tag.attributes() {
                    let attribute = attribute.map_err(|e| e.to_string())?;
                    let value = attribute.normalized_value(XmlVersion::Implicit1_0);
                    strings.push(value.map_err(|e| e.to_string())?.into_owned());
                }
            }
            Event::Eof => return Ok(strings),
            _ => {}
        }
    }
}

/// Returns keys and strings, as serde_json reads them.
fn json(document: &str) -> Result<Vec<String>, String> {
    fn strings(value: &serde_json::Value, out: &mut Vec<String>) {
        match value {
            serde_json::Value::String(text) => out.push(text.clone()),
            serde_json::Value::Array(items) => items.iter().for_each(|item| strings(item, out)),
            serde_json::Value::Object(pairs) => pairs.iter().for_each(|(key, value)| {
                out.push(key.clone());
                strings(value, out);
            }),
            _ => {}
        }
    }
    let document = document.trim_start_matches('\u{FEFF}');
    let value = serde_json::from_str(document).map_err(|e| e.to_string())?;
    let mut out = vec![];
    strings(&value, &mut out);
    Ok(out)
}

/// Returns terms, as oxttl reads them.
fn turtle(document: &str) -> Result<Vec<String>, String> {
    let document = document.trim_start_matches('\u{FEFF}');
    let mut strings = vec![];
    for triple in oxttl::TurtleParser::new().for_slice(document.as_bytes()) {
        let triple = triple.map_err(|e| e.to_string())?;
        strings.push(match triple.object {
            oxrdf::Term::NamedNode(node) => node.into_string(),
            oxrdf::Term::Literal(literal) => literal.value().to_string(),
            other => other.to_string(),
        });
    }
    Ok(strings)
}

/// Counts the cells that ran, and the skipped ones by reason.
#[derive(Default)]
struct Tally {
    ran: usize,
    skipped: BTreeMap<&'static str, usize>,
    failures: Vec<String>,
}

impl Tally {
    fn skip(&mut self, why: &'static str) {
        *self.skipped.entry(why).or_default() += 1;
    }

    fn take(&mut self, result: Result<(), String>) {
        self.ran += 1;
        self.failures.extend(result.err());
    }

    fn finish(self, at_least: usize) {
        println!("{} cells ran; not: {:?}", self.ran, self.skipped);
        let shown = &self.failures[..self.failures.len().min(25)];
        assert!(shown.is_empty(), "{} cells fail:\n{}", self.failures.len(), shown.join("\n"));
        assert!(self.ran >= at_least, "only {} cells ran", self.ran);
    }
}

/// Returns the text before and after the link in a place. It begins with a byte order mark where
/// requirement 104 has one.
fn around_link(sample: &Sample, place: &str) -> (String, String) {
    let mark = if sample.label.starts_with("utf-16") { "\u{FEFF}" } else { "" };
    let place = place.replace('~', sample.around);
    let (before, after) = place.split_once('%').expect("a place should have a link");
    (format!("{mark}{before}"), after.to_string())
}

fn finders(sample: &Sample) -> (Charset, Vec<Finder>) {
    let charset = Charset::for_label(sample.label).expect("a label");
    let finder = |(format, text): &(Format, &str)| {
        let config = Config::new().charset(charset).identifiers(true);
        // This place is the value of a field: the lexer reads it with `fields` too.
        let config = if text.contains("\"u\":") { config.fields(["u"]) } else { config };
        config.build().expect("options should be valid").format(*format)
    };
    (charset, PLACES.iter().map(finder).collect())
}

/// Scheme, part, escape, and word. In a host the word is the sample's host.
type Axes = (&'static str, Part, Escape, &'static str);

fn axes(sample: &Sample, charset: Charset) -> Vec<Axes> {
    let lacks = |word: &&str| cases::encode(word, charset).is_none();
    let foreign = FOREIGN.into_iter().find(lacks).unwrap_or("𠀀");
    let mut axes = vec![];
    for scheme in SCHEMES {
        for part in PARTS {
            let words: &[&str] = match part {
                Part::Host => &[sample.host],
                _ => &[sample.word, foreign],
            };
            for escape in ESCAPES {
                axes.extend(words.iter().map(|word| (scheme, part, escape, *word)));
            }
        }
    }
    axes
}

/// The link as the document spells it, its IRI and its URI.
struct Spelling {
    source: String,
    iri: String,
    uri: String,
}

/// Returns the spelling, or the reason why the cell is skipped.
fn spell(
    sample: &Sample,
    charset: Charset,
    format: Format,
    (scheme, part, escape, word): Axes,
) -> Result<Spelling, &'static str> {
    let (head, tail) = link(scheme, part).ok_or("the scheme has no such part")?;
    if !escape.is_of(format) {
        return Err("the format has no such escape");
    }
    let spelled = escape.spell(word).ok_or("the character has no name")?;
    if escape == Escape::Unit && format == Format::Turtle && word == "𠀀" {
        return Err("Turtle has no pairs of surrogates");
    }
    let bare = [&*head, &spelled, tail].concat();
    let source = match format {
        Format::Html | Format::Xml if escape != Escape::Percent => {
            let [head, tail] = [&head, tail].map(|text| text.replace('&', "&amp;"));
            [&*head, &spelled, &*tail].concat()
        }
        Format::Html | Format::Xml => bare.replace('&', "&amp;"),
        _ => bare,
    };
    if cases::encode(&source, charset).is_none() || sample.around == "see" && !source.is_ascii() {
        return Err("the charset lacks the character");
    }
    let iri_word = if escape == Escape::Percent { &*spelled } else { word };
    let uri_word = match part {
        _ if escape == Escape::Percent => spelled.clone(),
        // RFC 6068, section 2: the part after the `@` is not the host of a URI.
        Part::Host if scheme != "mailto" => sample.ascii_host.to_string(),
        Part::Query if scheme.starts_with("http") && !charset.name().starts_with("UTF") => {
            query(word, charset)
        }
        _ => utf8(word),
    };
    let iri = [&*head, iri_word, tail].concat();
    let uri = [&*head, &uri_word, tail].concat();
    Ok(Spelling { source, iri, uri })
}

#[test]
fn every_part_by_every_escape_in_every_format_and_charset() {
    let mut tally = Tally::default();
    for sample in SAMPLES {
        let (charset, finders) = finders(sample);
        for ((format, text), finder) in PLACES.iter().zip(&finders) {
            let (before, after) = around_link(sample, text);
            for axes in axes(sample, charset) {
                match spell(sample, charset, *format, axes) {
                    Err(why) => tally.skip(why),
                    Ok(Spelling { source, iri, uri }) => {
                        let (before, after) = (before.clone(), after.clone());
                        let cell =
                            Cell { format: *format, charset, before, source, after, iri, uri };
                        tally.take(cell.check(finder));
                    }
                }
            }
        }
    }
    tally.finish(45_000);
}

/// For each script that is written without spaces between words: a word, and the host label of `k`
/// and the word by the algorithm of RFC 3492, from another implementation.
const UNSPACED: [(&str, &str); 9] = [
    ("工房", "xn--k-jb3bo2k"),
    ("つくば", "xn--k-o8twc5b"),
    ("テスト", "xn--k-qfusbj"),
    ("한글", "xn--k-ds6ej65h"),
    ("ไทย", "xn--k-3xf7a0j"),
    ("ລາວ", "xn--k-75fg7b"),
    ("ខ្មែរ", "xn--k-tvj4di3rnd"),
    ("မြန်မာ", "xn--k-6rgob9gtdm"),
    ("ㄅㄆ", "xn--k-2jud"),
];

/// How firmly a place delimits its link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
enum Held {
    /// By white space or brackets, which may hold a sentence.
    Loosely,
    /// By straight quotes, `<` and `>`, an attribute, a Markdown target, or `url(…)` of a style
    /// sheet.
    Firmly,
}

fn held(place: &str) -> Held {
    let (before, _) = place.split_once('%').expect("a place should have a link");
    let fast = ["\"", "'", "<", "](", "url("].iter().any(|opener| before.ends_with(opener));
    if fast { Held::Firmly } else { Held::Loosely }
}

/// A letter of an unspaced script directly after an ASCII letter. Where delimiters decide, it never
/// ends the link. Elsewhere it is text, except in the first label of a host, which is not cut.
#[test]
fn letters_directly_after_ascii() {
    let parts = [
        (Part::Host, "://k", ".example/x", Held::Loosely),
        (Part::Host, "://u@k", ".example:80/x", Held::Loosely),
        (Part::Host, "://www.k", ".example/x", Held::Firmly),
        (Part::Path, "://a.example/x", "/y", Held::Firmly),
        (Part::Query, "://a.example/?q=x", "", Held::Firmly),
        (Part::Fragment, "://a.example/#x", "", Held::Firmly),
    ];
    let mut tally = Tally::default();
    for sample in SAMPLES {
        let (charset, finders) = finders(sample);
        for ((format, place), finder) in PLACES.iter().zip(&finders) {
            let (before, after) = around_link(sample, place);
            for (word, label) in UNSPACED {
                for escape in ESCAPES {
                    if escape == Escape::Percent || !escape.is_of(*format) {
                        continue;
                    }
                    let Some(spelled) = escape.spell(word) else {
                        tally.skip("the character has no name");
                        continue;
                    };
                    if cases::encode(&spelled, charset).is_none()
                        || sample.around == "see" && !spelled.is_ascii()
                    {
                        tally.skip("the charset lacks the character");
                        continue;
                    }
                    for (part, head, tail, least) in parts {
                        let head = format!("https{head}");
                        let (before, after) = (before.clone(), after.clone());
                        let (source, after, iri, uri) = if held(place) >= least {
                            let written = match part {
                                Part::Host => [head.trim_end_matches('k'), label, tail].concat(),
                                Part::Query if !charset.name().starts_with("UTF") => {
                                    [&*head, &query(word, charset), tail].concat()
                                }
                                _ => [&*head, &utf8(word), tail].concat(),
                            };
                            let source = [&*head, &spelled, tail].concat();
                            (source, after, [&*head, word, tail].concat(), written)
                        } else {
                            let after = [&*spelled, tail, &after].concat();
                            (head.clone(), after, head.clone(), head)
                        };
                        let format = *format;
                        let cell = Cell { format, charset, before, source, after, iri, uri };
                        tally.take(cell.check(finder));
                    }
                }
            }
        }
    }
    tally.finish(10_000);
}

/// The control tests of requirement 102: format and charset work without any character that is not
/// ASCII.
#[test]
fn ascii_links_in_every_format_and_charset() {
    let mut tally = Tally::default();
    for sample in SAMPLES {
        let (charset, finders) = finders(sample);
        let ascii = Sample { around: "see", ..*sample };
        for ((format, text), finder) in PLACES.iter().zip(&finders) {
            for sample in [&ascii, sample] {
                let (before, after) = around_link(sample, text);
                let iri = "http://a.example/b?c=d#e".to_string();
                let source = iri.clone();
                let uri = iri.clone();
                tally.take(
                    Cell { format: *format, charset, before, source, after, iri, uri }
                        .check(finder),
                );
            }
        }
    }
    tally.finish(2 * SAMPLES.len() * PLACES.len());
}

/// The transfer encoding of a message.
#[cfg(feature = "mail")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Transfer {
    EightBit,
    /// Quoted-printable, with soft breaks inside links.
    Quoted,
    Base64,
}

#[cfg(feature = "mail")]
impl Transfer {
    const ALL: [(Transfer, &str); 3] = [
        (Transfer::EightBit, "8bit"),
        (Transfer::Quoted, "quoted-printable"),
        (Transfer::Base64, "base64"),
    ];

    fn encode(self, bytes: &[u8]) -> Vec<u8> {
        use base64::prelude::*;

        let lines = |text: &[u8], end: &[u8]| {
            let lines: Vec<_> = text.chunks(60).collect();
            lines.join(end)
        };
        match self {
            Transfer::EightBit => bytes.to_vec(),
            Transfer::Quoted => {
                let octets: Vec<Vec<u8>> = bytes
                    .iter()
                    .map(|b| match b {
                        b'a'..=b'z' | b':' | b'/' | b'.' | b' ' => vec![*b],
                        _ => format!("={b:02X}").into_bytes(),
                    })
                    .collect();
                let lines: Vec<_> = octets.chunks(20).map(|line| line.concat()).collect();
                lines.join(&b"=\r\n"[..])
            }
            Transfer::Base64 => lines(BASE64_STANDARD.encode(bytes).as_bytes(), b"\r\n"),
        }
    }

    /// Decodes as another parser does.
    fn decode(self, bytes: &[u8]) -> Option<Vec<u8>> {
        use mail_parser::decoders::{base64::base64_decode, quoted_printable::*};

        match self {
            Transfer::EightBit => Some(bytes.to_vec()),
            Transfer::Quoted => quoted_printable_decode(bytes),
            Transfer::Base64 => base64_decode(bytes),
        }
    }
}

/// The eighth format: text parts of messages.
#[cfg(feature = "mail")]
#[test]
fn every_part_in_mail_by_every_transfer_encoding_and_charset() {
    use crate::mail;

    let mut tally = Tally::default();
    // The default for mail is UTF-8, whatever the charset of the part is.
    let config = Config::new().query(crate::reference::to_uri::QueryCharset::Document);
    let finder = config.build().expect("options should be valid");
    for sample in SAMPLES {
        let charset = Charset::for_label(sample.label).expect("a label");
        for (transfer, name) in Transfer::ALL {
            let header = format!(
                "MIME-Version: 1.0\r\nContent-Type: text/plain; charset={}\r\n\
                 Content-Transfer-Encoding: {name}\r\n\r\n",
                sample.label
            );
            for axes in axes(sample, charset) {
                let spelling = match spell(sample, charset, Format::Text, axes) {
                    Err(why) => {
                        tally.skip(why);
                        continue;
                    }
                    Ok(spelling) => spelling,
                };
                let (before, after) = around_link(sample, "~ % ~\r\n");
                let text = [&*before, &spelling.source, &after].concat();
                let encoded = cases::encode(&text, charset).expect("the charset should hold it");
                if transfer != Transfer::Base64 && encoded.contains(&0) {
                    tally.skip("only base64 holds NUL");
                    continue;
                }
                let message = [header.as_bytes(), &transfer.encode(&encoded)].concat();
                let check = || {
                    let links = mail::find(&finder, &message);
                    let [link] = &links[..] else { return Err(format!("{} links", links.len())) };
                    let (iri, uri) = (link.link().iri(), link.link().uri());
                    if iri != spelling.iri
                        || uri.as_ref().ok().map(crate::Uri::as_str) != Some(&*spelling.uri)
                    {
                        return Err(format!("found {link:?}"));
                    }
                    let link_by_default = &mail::find(&Finder::new(), &message)[0];
                    let is_query = axes.1 == Part::Query && axes.0.starts_with("http");
                    let in_utf_8 = link_by_default
                        .link()
                        .uri()
                        .is_ok_and(|uri| uri.as_str().contains(&utf8(axes.3)));
                    if is_query && axes.2 == Escape::Raw && !in_utf_8 {
                        return Err(format!(
                            "with default options the link becomes {link_by_default:?}"
                        ));
                    }
                    // Spans are of the bytes of the message if these bytes hold the text.
                    let decoded = link.span().map(|span| {
                        let source = &message[span.start as usize..span.end as usize];
                        let source = transfer.decode(source).unwrap_or_default();
                        naive::decode(&source, charset).iter().filter_map(|c| c.c).collect()
                    });
                    let source: &String = &spelling.source;
                    if decoded.as_ref().is_some_and(|decoded: &String| decoded != source)
                        || decoded.is_none() != (transfer == Transfer::Base64)
                    {
                        return Err(format!("the span {:?} holds {decoded:?}", link.span()));
                    }
                    let (out, _) = mail::rewrite(&finder, &message, &mail::Options::new());
                    let body = out.strip_prefix(header.as_bytes()).ok_or("the header changed")?;
                    if body.split(|b| *b == b'\n').any(|line| line.len() > 999) {
                        return Err("a line is too long".into());
                    }
                    let decoded = transfer.decode(body).ok_or("the output should decode")?;
                    let chars = naive::decode(&decoded, charset);
                    let is: String = chars.iter().filter_map(|c| c.c).collect();
                    let ascii = spelling.iri.is_ascii();
                    let link = if ascii { &spelling.source } else { &spelling.uri };
                    let want = [&*before, link, &after].concat();
                    (is == want).then_some(()).ok_or(format!("rewriting gives {is:?}"))
                };
                tally.take(check().map_err(|why| format!("{charset} {name}: {text:?}: {why}")));
            }
        }
    }
    tally.finish(3_000);
}
