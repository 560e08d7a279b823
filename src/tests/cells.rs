//! The cells of the matrix of the W3C's tests of IRIs (requirements 102 to 104): formats ×
//! places × charsets × parts × escapes × schemes, one link in each document.
//!
//! The right answers are computed here, from tables and by hand. `matrix.rs` checks what the
//! scanner makes of each cell; `peers/src/matrix.rs`, which includes this file, asks other parsers.

use std::{
    collections::BTreeMap,
    format, println,
    string::{String, ToString},
    sync::OnceLock,
    vec,
    vec::Vec,
};

use super::{
    encode::encode,
    samples::{self, Escape, Samples},
};
use crate::{Charset, Config, Finder, Format};

/// What a check says of a cell, with the finder of its place.
type Check<'c> = &'c dyn Fn(&Cell, &Finder) -> Result<(), String>;

/// A charset, the text around links, a word that the charset can hold, and a host.
pub(super) struct Sample {
    pub(super) label: &'static str,
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
pub(super) const SAMPLES: &[Sample] = &[
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

/// A place of a link in a format: in its text, `%` is the link and `~` the text around it.
pub(super) struct Place {
    samples: &'static Samples,
    format: Format,
    text: &'static str,
    held: Held,
}

impl Place {
    /// True if a query of the link in this place is written in `charset`, not in UTF-8.
    fn has_query_in(&self, charset: Charset) -> bool {
        let is_utf8 = self.samples.utf8_queries && self.held == Held::Firmly;
        !is_utf8 && !charset.name().starts_with("UTF")
    }
}

/// The places of all formats, those of plain text first.
pub(super) fn places() -> &'static [Place] {
    static PLACES: OnceLock<Vec<Place>> = OnceLock::new();
    let of = |samples: &'static Samples| {
        let loosely = samples.places.iter().map(|text| (text, Held::Loosely));
        let firmly = samples.delimited.iter().map(|text| (text, Held::Firmly));
        let format = samples.format();
        loosely.chain(firmly).map(move |(text, held)| Place { samples, format, text, held })
    };
    PLACES.get_or_init(|| samples::all().iter().flat_map(of).collect())
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
    fn is_of(self, samples: &Samples) -> bool {
        matches!(self, Escape::Raw | Escape::Percent) || samples.escapes().contains(&self)
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
pub(super) fn utf8(word: &str) -> String {
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
        let holds = encode(&c.to_string(), charset).is_some();
        match runs.last_mut() {
            Some((is, run)) if *is == holds && holds => run.push(c),
            _ => runs.push((holds, c.to_string())),
        }
    }
    let each = |(holds, run): &(bool, String)| match encode(run, charset) {
        _ if run.is_ascii() => run.clone(),
        Some(bytes) if *holds => percent(&bytes),
        _ => run.chars().map(|c| format!("%26%23{}%3B", u32::from(c))).collect(),
    };
    runs.iter().map(each).collect()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
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
pub(super) struct Cell {
    pub(super) format: Format,
    pub(super) charset: Charset,
    /// The document: the text before the link, the link as it is written, the text after it.
    pub(super) before: String,
    pub(super) source: String,
    pub(super) after: String,
    pub(super) iri: String,
    pub(super) uri: String,
}

/// Counts the cells that ran, and the skipped ones by reason.
#[derive(Default)]
pub(super) struct Tally {
    ran: usize,
    skipped: BTreeMap<&'static str, usize>,
    failures: Vec<String>,
}

impl Tally {
    pub(super) fn skip(&mut self, why: &'static str) {
        *self.skipped.entry(why).or_default() += 1;
    }

    pub(super) fn take(&mut self, result: Result<(), String>) {
        self.ran += 1;
        self.failures.extend(result.err());
    }

    pub(super) fn finish(self, at_least: usize) {
        println!("{} cells ran; not: {:?}", self.ran, self.skipped);
        let shown = &self.failures[..self.failures.len().min(25)];
        assert!(shown.is_empty(), "{} cells fail:\n{}", self.failures.len(), shown.join("\n"));
        assert!(self.ran >= at_least, "only {} cells ran", self.ran);
    }
}

/// Returns the text before and after the link in a place. It begins with a byte order mark where
/// requirement 104 has one.
pub(super) fn around_link(sample: &Sample, place: &str) -> (String, String) {
    let mark = if sample.label.starts_with("utf-16") { "\u{FEFF}" } else { "" };
    let place = place.replace('~', sample.around);
    let (before, after) = place.split_once('%').expect("a place should have a link");
    (format!("{mark}{before}"), after.to_string())
}

fn finders(sample: &Sample) -> (Charset, Vec<Finder>) {
    let charset = Charset::for_label(sample.label).expect("a label");
    let finder = |place: &Place| {
        let config = Config::new().charset(charset).identifiers(true);
        // This place is the value of a field: the lexer reads it with `fields` too.
        let config = if place.text.contains("\"u\":") { config.fields(["u"]) } else { config };
        config.build().expect("options should be valid").format(place.format)
    };
    (charset, places().iter().map(finder).collect())
}

/// Scheme, part, escape, and word. In a host the word is the sample's host.
pub(super) type Axes = (&'static str, Part, Escape, &'static str);

pub(super) fn axes(sample: &Sample, charset: Charset) -> Vec<Axes> {
    let lacks = |word: &&str| encode(word, charset).is_none();
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
pub(super) struct Spelling {
    pub(super) source: String,
    pub(super) iri: String,
    pub(super) uri: String,
}

/// Returns the spelling, or the reason why the cell is skipped.
pub(super) fn spell(
    sample: &Sample,
    charset: Charset,
    place: &Place,
    (scheme, part, escape, word): Axes,
) -> Result<Spelling, &'static str> {
    let (head, tail) = link(scheme, part).ok_or("the scheme has no such part")?;
    if !escape.is_of(place.samples) {
        return Err("the format has no such escape");
    }
    let spelled = escape.spell(word).ok_or("the character has no name")?;
    if escape == Escape::Unit && place.format == Format::Turtle && word == "𠀀" {
        return Err("Turtle has no pairs of surrogates");
    }
    let bare = [&*head, &spelled, tail].concat();
    let source = match &place.samples.ampersand {
        Some(ampersand) if escape != Escape::Percent => {
            let [head, tail] = [&head, tail].map(|text| text.replace('&', ampersand));
            [&*head, &spelled, &*tail].concat()
        }
        Some(ampersand) => bare.replace('&', ampersand),
        None => bare,
    };
    if encode(&source, charset).is_none() || sample.around == "see" && !source.is_ascii() {
        return Err("the charset lacks the character");
    }
    let iri_word = if escape == Escape::Percent { &*spelled } else { word };
    let uri_word = match part {
        _ if escape == Escape::Percent => spelled.clone(),
        // RFC 6068, section 5: the domain of an address too.
        Part::Host => sample.ascii_host.to_string(),
        Part::Query if scheme.starts_with("http") && place.has_query_in(charset) => {
            query(word, charset)
        }
        _ => utf8(word),
    };
    let iri = [&*head, iri_word, tail].concat();
    let uri = [&*head, &uri_word, tail].concat();
    Ok(Spelling { source, iri, uri })
}

/// Every part by every escape in every format and charset.
pub(super) fn every_part(check: Check<'_>) -> Tally {
    parts_in(&|_, _| true, check)
}

/// The same in those charsets that `chooses` takes for the place with this number.
pub(super) fn parts_in(chooses: &dyn Fn(Charset, usize) -> bool, check: Check<'_>) -> Tally {
    let mut tally = Tally::default();
    for sample in SAMPLES {
        let (charset, finders) = finders(sample);
        for (number, (place, finder)) in places().iter().zip(&finders).enumerate() {
            if !chooses(charset, number) {
                continue;
            }
            let (before, after) = around_link(sample, place.text);
            for axes in axes(sample, charset) {
                match spell(sample, charset, place, axes) {
                    Err(why) => tally.skip(why),
                    Ok(Spelling { source, iri, uri }) => {
                        let (before, after) = (before.clone(), after.clone());
                        let cell =
                            Cell { format: place.format, charset, before, source, after, iri, uri };
                        tally.take(check(&cell, finder));
                    }
                }
            }
        }
    }
    tally
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

/// A letter of an unspaced script directly after an ASCII letter. Where delimiters decide, it never
/// ends the link. Elsewhere it is text, except in a host that is not complete before it, which is not cut.
pub(super) fn letters_after_ascii(check: Check<'_>) -> Tally {
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
        for (place, finder) in places().iter().zip(&finders) {
            let (before, after) = around_link(sample, place.text);
            for (word, label) in UNSPACED {
                for escape in ESCAPES {
                    if escape == Escape::Percent || !escape.is_of(place.samples) {
                        continue;
                    }
                    let Some(spelled) = escape.spell(word) else {
                        tally.skip("the character has no name");
                        continue;
                    };
                    if encode(&spelled, charset).is_none()
                        || sample.around == "see" && !spelled.is_ascii()
                    {
                        tally.skip("the charset lacks the character");
                        continue;
                    }
                    for (part, head, tail, least) in parts {
                        let head = format!("https{head}");
                        let (before, after) = (before.clone(), after.clone());
                        let (source, after, iri, uri) = if place.held >= least {
                            let written = match part {
                                Part::Host => [head.trim_end_matches('k'), label, tail].concat(),
                                Part::Query if place.has_query_in(charset) => {
                                    [&*head, &query(word, charset), tail].concat()
                                }
                                _ => [&*head, &utf8(word), tail].concat(),
                            };
                            let source = [&*head, &spelled, tail].concat();
                            (source, after, [&*head, word, tail].concat(), written)
                        } else if part == Part::Host {
                            // In text half a host is no link.
                            tally.skip("the link would have another host");
                            continue;
                        } else {
                            let after = [&*spelled, tail, &after].concat();
                            (head.clone(), after, head.clone(), head)
                        };
                        let format = place.format;
                        let cell = Cell { format, charset, before, source, after, iri, uri };
                        tally.take(check(&cell, finder));
                    }
                }
            }
        }
    }
    tally
}

/// The control tests of requirement 102: format and charset work without any character that is not
/// ASCII.
pub(super) fn ascii_links(check: Check<'_>) -> Tally {
    let mut tally = Tally::default();
    for sample in SAMPLES {
        let (charset, finders) = finders(sample);
        let ascii = Sample { around: "see", ..*sample };
        for (place, finder) in places().iter().zip(&finders) {
            for sample in [&ascii, sample] {
                let (before, after) = around_link(sample, place.text);
                let iri = "http://a.example/b?c=d#e".to_string();
                let source = iri.clone();
                let uri = iri.clone();
                let cell = Cell { format: place.format, charset, before, source, after, iri, uri };
                tally.take(check(&cell, finder));
            }
        }
    }
    tally
}
