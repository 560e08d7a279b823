//! The promises as properties, on documents of every format, whole and broken.

use crate::grammar::types::RuleSet;
use std::{convert::Infallible, format, ops::ControlFlow, string::String, vec, vec::Vec};

use proptest::prelude::*;

use super::{cases, laws, samples, ways};
use crate::{
    api::{config::Config, explain::Explanation, find::Input, finder::Finder},
    charset::{Charset, Shape},
    engine::tuning::Tuning,
    format::kinds::Format,
    grammar::types::{Kind, Trait},
    links::{matched::Match, sink::Sink},
};

/// Escape sequences of ISO-2022-JP, and what they shift.
const SHIFTS: &[&str] = &["\u{1b}$B", "\u{1b}$BF|", "\u{1b}(B", "\u{1b}(J", "\u{1b}(I", "\u{1b}$"];

const ESC: char = '\u{1b}';

/// The pieces of the documents of a format.
fn pieces(format: Format) -> impl Strategy<Value = String> {
    prop::sample::select(samples::of(format).pieces())
}

/// Every shape of charset that a format is read in.
const CHARSETS: [&str; 8] = [
    "utf-8",
    "windows-1251",
    "shift_jis",
    "gb18030",
    "iso-2022-jp",
    "utf-16le",
    "utf-16be",
    "utf-32le",
];

/// A document, and how to look at it.
#[derive(Clone, Debug)]
pub(super) struct Look {
    format: Format,
    pub(super) charset: Charset,
    rules: RuleSet,
    kinds: Vec<Kind>,
    fields: bool,
    elements: bool,
    /// Links are ASCII only; code of Markdown is left out; all fields are CSV by this delimiter.
    ascii_only: bool,
    code: bool,
    /// Targets of requests in logs are links.
    targets: bool,
    comments: bool,
    delimiter: Option<u8>,
    max_len: u64,
    tuning: Tuning,
    pub(super) bytes: Vec<u8>,
}

impl Look {
    fn config(&self, told: bool) -> Config {
        let config = Config::new().rules(self.rules).kinds(self.kinds.iter().copied());
        let config = config.max_len(self.max_len).elements(self.elements);
        let config = config
            .ascii_only(self.ascii_only)
            .code(self.code)
            .targets(self.targets)
            .comments(self.comments);
        let config = match self.delimiter {
            Some(delimiter) => config.delimiter(char::from(delimiter)),
            None => config,
        };
        let config = if told { config.charset(self.charset) } else { config };
        if self.fields { config.fields(["u"]) } else { config }
    }

    pub(super) fn finder(&self, told: bool) -> Finder {
        let finder = self.config(told).build().expect("the options should be valid");
        ways::tuned(&finder, self.tuning).format(self.format)
    }
}

/// Plain text has laws of its own, in `laws.rs`.
fn look() -> impl Strategy<Value = Look> {
    look_at(&Format::ALL[1..])
}

/// Documents of these formats.
pub(super) fn look_at(formats: &'static [Format]) -> impl Strategy<Value = Look> {
    let format = prop::sample::select(formats);
    let charset = prop::sample::select(&CHARSETS[..])
        .prop_map(|label| Charset::for_label(label).expect("a label"));
    let kinds = prop_oneof![
        2 => Just(vec![Kind::Iri]),
        2 => Just(vec![Kind::Iri, Kind::Bare, Kind::Email]),
        1 => Just(vec![Kind::Bare, Kind::Email, Kind::Ip]),
    ];
    let rules = prop_oneof![2 => Just(RuleSet::Prose), 1 => Just(RuleSet::Uts58)];
    let noise = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..3);
    let max_len = prop_oneof![6 => Just(65_536u64), 2 => 1..40u64, 1 => Just(u64::MAX)];
    let tuning = prop::sample::select(&ways::TUNINGS[..]);
    let delimiter =
        prop_oneof![3 => Just(None), 1 => prop::sample::select(&b";:@/#_ "[..]).prop_map(Some)];
    let delimiter = (delimiter, 0..6u8);
    let options = (charset, rules, kinds, any::<bool>(), max_len, noise, 0..4u8, tuning, delimiter);
    format
        .prop_flat_map(move |format| {
            let piece = prop_oneof![
                6 => pieces(format),
                4 => pieces(Format::Text),
                1 => prop::sample::select(SHIFTS).prop_map(String::from),
            ];
            let text = prop::collection::vec(piece, 0..28).prop_map(|pieces| pieces.concat());
            (Just(format), text, options.clone())
        })
        .prop_map(|(format, text, options)| {
            let (charset, rules, kinds, fields, max_len, noise, how, tuning, delimiter) = options;
            let (delimiter, seldom) = delimiter;
            // Encoders reject an escape, so each is inserted after encoding.
            let holds = |c: &char| *c == ESC || cases::encode(&String::from(*c), charset).is_some();
            let kept: String = text.chars().filter(holds).collect();
            let unit = cases::encode("a", charset).map_or(1, |unit| unit.len());
            let escape = match charset.shape() {
                Shape::Wide { big: true, .. } => [&vec![0; unit - 1][..], b"\x1B"].concat(),
                _ => [b"\x1B", &vec![0; unit - 1][..]].concat(),
            };
            let runs = kept.split(ESC).map(|run| cases::encode(run, charset).unwrap_or_default());
            let mut bytes = runs.collect::<Vec<_>>().join(&escape[..]);
            if seldom == 0 {
                // A byte order mark is stronger than what the caller says.
                bytes = ["\u{FEFF}", &*text].concat().into_bytes();
            }
            for (at, byte) in noise {
                if how == 0 && !bytes.is_empty() {
                    let at = at.index(bytes.len());
                    bytes[at] = byte;
                }
            }
            // As likely as not, and without another generator: a tuple has at most twelve.
            let elements = bytes.len() % 2 == 0;
            let (ascii_only, code) = (bytes.len() % 5 == 0, bytes.len() % 3 > 0);
            Look {
                format,
                charset,
                rules,
                kinds,
                fields,
                elements,
                ascii_only,
                code,
                // Only JSON has fields.
                targets: fields,
                comments: how & 2 != 0,
                delimiter,
                max_len,
                tuning,
                bytes,
            }
        })
}

fn show(charset: Charset, bytes: &[u8]) -> String {
    format!("{charset} {:?}", charset.decode_shifted(bytes, Default::default()))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: laws::cases_count(), ..ProptestConfig::default() })]

    /// Text and links are the document, and how it is cut changes nothing.
    #[test]
    fn chunking(look in look(), told in any::<bool>(), sizes in laws::sizes()) {
        let finder = look.finder(told);
        let bytes = &look.bytes[..];
        let whole = ways::slice(&finder, bytes);
        let plain = look.config(told).elements(false).build().expect("the options should be valid");
        let plain = ways::slice(&ways::tuned(&plain.format(look.format), look.tuning), bytes);
        prop_assert_eq!(&plain.links, &whole.links, "{}", show(look.charset, bytes));
        let pushed = ways::push(&finder, [bytes]);
        prop_assert_eq!(&pushed.all, bytes);
        prop_assert_eq!(&pushed, &whole, "{}", show(look.charset, bytes));
        let cut = ways::push(&finder, laws::cut(bytes, &sizes));
        prop_assert_eq!(&cut, &whole, "{}", show(look.charset, bytes));
        let single = ways::push(&finder, bytes.chunks(1));
        prop_assert_eq!(&single, &whole, "{}", show(look.charset, bytes));
        let charset = whole.charset.unwrap_or(look.charset);
        let divided = ways::cut(&finder, bytes, charset);
        prop_assert_eq!(&divided, &whole, "{}", show(look.charset, bytes));
        #[cfg(feature = "bytes")]
        prop_assert_eq!(&ways::segments(&finder, laws::cut(bytes, &sizes)), &whole);
    }

    /// Explanations are of the links that are found, in order, and say nothing of other documents.
    #[test]
    fn explanations(look in look(), told in any::<bool>()) {
        let finder = look.finder(told);
        let all = finder.explain(&look.bytes);
        let len = look.bytes.len() as u64;
        prop_assert!(all.iter().all(|it| it.at() <= len && it.range().end <= len), "{:?}", all);
        prop_assert!(all.is_sorted_by_key(|it| it.range().start), "{:?}", all);
        // An escape sequence before the one that shows the charset is text in a scan.
        if !told && look.bytes.contains(&0x1B) {
            return Ok(());
        }
        let found: Vec<_> = finder.find_iter(&look.bytes).map(|link| link.span()).collect();
        let explained: Vec<_> = all.iter().filter(|it| it.is_link()).map(Explanation::range).collect();
        prop_assert_eq!(explained, found, "{:?} {}", look.format, show(look.charset, &look.bytes));
    }

    /// A byte order mark wins over the charset that the caller names, in every format.
    #[test]
    fn marks_win(look in look_at(Format::ALL), mark in 0..3usize) {
        let charset = [Charset::UTF_8, Charset::UTF_16LE, Charset::UTF_16BE][mark];
        let text = look.charset.decode_shifted(&look.bytes, Default::default()).into_owned();
        // With a NUL, the mark of UTF-16 is that of UTF-32.
        let text = text.trim_start_matches(['\u{FEFF}', '\0']);
        let bytes = cases::encode(&["\u{FEFF}", text].concat(), charset).expect("Unicode holds all");
        let want = ways::slice(&look.finder(false).charset(charset), &bytes);
        prop_assert_eq!(want.charset, Some(charset));
        let other = ways::slice(&look.finder(true), &bytes);
        prop_assert_eq!(&other, &want, "{} {}", look.charset, show(charset, &bytes));
        prop_assert_eq!(&ways::push(&look.finder(true), bytes.chunks(1)), &want);
    }

    /// Rewriting is the same by every way, and done once.
    #[test]
    fn rewriting(
        look in look(),
        told in any::<bool>(),
        sizes in laws::sizes(),
        forms in laws::forms(),
    ) {
        let finder = forms.of(look.config(told)).build().expect("the options should be valid");
        let finder = ways::tuned(&finder.format(look.format), look.tuning);
        let bytes = &look.bytes[..];
        let (out, done) = finder.rewrite_slice(bytes);
        prop_assert_eq!(&ways::rewrite_chunks(&finder, laws::cut(bytes, &sizes)), &*out);
        prop_assert_eq!(&ways::rewrite_chunks(&finder, bytes.chunks(1)), &*out);
        prop_assert_eq!(&ways::rewrite(&finder, bytes, sizes[0]), &*out);
        prop_assert_eq!(done.changed == 0, *out == *bytes);
        let read = done.summary.charset;
        let again = finder.rewrite_slice(Input::new(&out).charset(read)).0;
        prop_assert!(
            !told || *again == *out || odd(&look, &finder, read),
            "{:?} {:?} {:?}\n{}\n{}\n{}", look.format, look.rules, forms,
            show(read, bytes), show(read, &out), show(read, &again)
        );
        for link in finder.find_iter(bytes) {
            laws::is_uri(&link, forms)?;
            // In these documents U+FFFD comes only from character references without a
            // character; no link holds malformed bytes.
            let replaced = link.iri().contains('\u{FFFD}');
            prop_assert!(!replaced || link.text().contains("&#"), "{:?} {}", link, show(read, bytes));
        }
    }

    /// Each link is replaced by ASCII; ASCII links and text are kept.
    #[test]
    fn ascii_out(look in look()) {
        let finder = look.finder(true);
        let bytes = &look.bytes[..];
        let out = finder.rewrite_slice(bytes).0;
        let read = ways::slice(&finder, bytes).charset.unwrap_or(look.charset);
        let text = |bytes: &[u8]| read.decode_shifted(bytes, Default::default()).into_owned();
        let mut want: Vec<String> = vec![];
        let mut at = 0;
        for link in finder.find_iter(bytes) {
            want.push(text(&bytes[at..link.range().start]));
            at = link.range().end;
            laws::is_uri(&link, laws::Forms::NONE)?;
        }
        want.push(text(&bytes[at..]));
        // The pieces of text come in order, with only ASCII between them.
        // A shift state or a cut sequence may make a piece another text.
        if read == Charset::ISO_2022_JP || text(bytes).contains('\u{FFFD}') {
            return Ok(());
        }
        let out = text(&out);
        let not_ascii = |text: &str| text.chars().filter(|c| !c.is_ascii()).collect::<String>();
        let left: String = want.iter().map(|piece| not_ascii(piece)).collect();
        // Some have no URI; and none is written where a broken character might take
        // its first byte, or a `<` make a tag of it.
        let stays = |link: Match<'_>| {
            let adjacent = link.is_malformed_adjacent() && read.shape() == Shape::Multi;
            let found = link.found();
            // Punycode has two hyphens.
            let place = found.context().place();
            let stays = adjacent || found.context().is_after_less_than()
                || link.uri().is_ok_and(|uri| !place.keeps_comment(uri.as_str().as_bytes()))
                || found.has(Trait::Identifier) || found.has(Trait::Fixed)
                || look.format.row().has_placeholders && link.iri().contains(CODE);
            !link.text().is_ascii() && (stays || link.uri().is_err())
        };
        let kept = finder.find_iter(bytes).any(stays);
        if !kept {
            prop_assert_eq!(not_ascii(&out), left, "{:?}", out);
        }
    }
}

/// Signs of a link that may be a placeholder or a pattern in a program.
const CODE: [char; 10] = ['{', '}', '|', '\\', '^', '`', '<', '>', '"', '%'];

/// The first character that shows the charset may be in a link: the bytes before it belong to
/// the link too.
#[test]
fn a_charset_that_shows_within_a_link() {
    for (format, document) in [
        (Format::Html, "<a href=https://例え.jp/>x"),
        (Format::Html, "<p>x http://例え.jp/ y"),
        (Format::Html, "<p title='x http://a.org/&amp;例'>"),
        (Format::Xml, "<a href='http://a.org/例'/>"),
        (Format::Json, "{\"u\": \"http:\\/\\/a.org\\/例\"}"),
        (Format::Log, "GET http://a.org/例 x"),
        (Format::Turtle, "<http://a.org/例> <b>"),
        (Format::Turtle, "\"http://a.org/\\u00e9例\" "),
    ] {
        for charset in [Charset::ISO_2022_JP, Charset::UTF_8, Charset::UTF_16LE] {
            let bytes = cases::encode(document, charset).expect("it should hold it");
            let config = |config: Config| config.build().expect("valid").format(format);
            let told = config(Config::new().charset(charset));
            let found = config(Config::new());
            let want = ways::slice(&told, &bytes);
            assert!(!want.links.is_empty(), "{document}");
            assert_eq!(ways::slice(&found, &bytes), want, "{document} {charset}");
            assert_eq!(ways::push(&found, bytes.chunks(1)), want, "{document} {charset}");
        }
    }
}

/// `ESC ( B` does not show ISO-2022-JP, because terminals write it too. Directly before the
/// escape that does, it makes that one malformed, and a reference with both is not a link.
#[test]
fn a_reference_whose_charset_shows_in_malformed_bytes() {
    for format in [Format::Html, Format::Xml] {
        for (escapes, want) in [("\x1b(B\x1b$B", 0), ("\x1b$B", 1), ("\x1b(Bx\x1b$B", 1)] {
            let document = format!("<a href='/{escapes}F|\x1b(B'/> <b>x</b>");
            let finder = Finder::new().format(format);
            let found = ways::push(&finder, document.as_bytes().chunks(1));
            assert_eq!(found.links.len(), want, "{format:?} {document:?}");
            assert_eq!(ways::slice(&finder, document.as_bytes()), found);
        }
    }
}

/// Lets everything go.
struct Ignore;

impl Sink for Ignore {
    type Error = Infallible;
    fn text(&mut self, _: &[u8]) -> Result<(), Infallible> {
        Ok(())
    }
    fn matched(&mut self, _: &Match<'_>) -> Result<ControlFlow<()>, Infallible> {
        Ok(ControlFlow::Continue(()))
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(laws::cases_count() / 50))]

    /// The bytes held back have a bound, however long the document is.
    #[test]
    fn held(look in look()) {
        let look = Look { max_len: 64, ..look };
        let finder = look.finder(true);
        if look.bytes.is_empty() {
            return Ok(());
        }
        let bytes = look.bytes.repeat((1 << 17) / look.bytes.len());
        let mut scanner = finder.scanner();
        for chunk in bytes.chunks(1000) {
            let Ok(()) = scanner.push(chunk, &mut Ignore);
            let (held, unit) = (scanner.held(), cases::encode("a", look.charset).map_or(1, |b| b.len()));
            prop_assert!(held <= bound(64, unit), "{held} held of {}", show(look.charset, &look.bytes));
        }
    }
}

/// The longest value that may hold links, as bytes of the source twice, as the carry
/// keeps them, as the view of it twice, and as its text; and what is scanned at once.
fn bound(max_len: usize, unit: usize) -> usize {
    let value = max_len + 64 * 1024;
    2 * unit * value + 2 * value + value + 40_000
}

/// Whether rewriting twice may change more, as docs/decisions.md lists it.
fn odd(look: &Look, finder: &Finder, read: Charset) -> bool {
    let input = Input::new(&look.bytes).charset(read);
    finder.find_iter(input).any(|link| laws::is_odd(&link, &look.bytes, finder.rules.options.set))
}

/// Places where a document must not be cut, or only in another state of the lexer.
#[test]
fn what_looks_like_a_boundary() {
    const HTML: &[&str] = &[
        "<p>a <a href='http://a.example/1'>b</a> <script>f > <a href='http://no.example/'> ; </script> <b>c",
        "<p title='http://a.example/ <b http://b.example/'> <b>x http://c.example/ <i>",
        "<a title=' <b' href='http://a.example/ <i x' > <b>c",
        "<!-- http://no.example/ <a href='http://no.example/'> <b> --> <a href='http://a.example/'> <b>",
        "<title>a <b http://a.example/ <a href='http://b.example/'> </title> <a href='x'>",
        "<textarea> <a href='http://no.example/'> </textarea> <a href='http://a.example/'>",
        "<style>a{} > <b url(http://a.example/) <i </style> <b url(http://no.example/)>",
        "<plaintext> <a href='http://no.example/'> <b> http://a.example/",
        "<p> <i>http://a<b></b><!-- > --><b>b.example/</b></i> c <p> <b>d</b>",
    ];
    const XML: &[&str] = &[
        "<r> <!-- <a href='http://no.example/'> --> <a href='http://a.example/'/> <b>c</b> </r>",
        "<r> <![CDATA[ <x href='http://no.example/'> http://a.example/ <b ]]> <b>c</b> </r>",
        "<r> <![CDATA[ <a href='http://a.example/'> http://b.example/ <b ]]> <b>c</b> </r>",
        "<r>&lt;a href='http://a.example/?b &lt;b' &gt; <b>c &lt;script> <b>http://d.example/ <b>",
        "<link> http://a.example/x <b>y</b> </link> <link>http://b.example/ </link> <b>",
        "<r> <?a <b href='http://no.example/'> ?> <script> a <b href='http://no.example/'> </script> <b a='http://a.example/'>",
        "<!DOCTYPE a [ <b href='http://no.example/'> ]> <a href='http://a.example/'> <b>",
        "<w:p> <w:r><w:t>http://a</w:t></w:r> <w:r><w:rPr><w:b/> </w:rPr> <w:t>b.example/ c</w:t></w:r></w:p> <w:p><w:t>d",
        "<text:p>http://a<text:span>b</text:span><text:span>c.example/ d</text:span></text:p> <text:p>",
    ];
    const LOG: &[&str] = &[
        "a \x1b]0;title http://no.example/ b\x07 http://a.example/ c \x1b[0m http://b.example/ d",
        "\x1b]8;;http://a.example/x y z\x1b\\text here\x1b]8;;\x1b\\ http://b.example/ c",
        r"http://a.example/b\n c http://b.example/c\x20 d \x41 http://c.example/ \u0020 e x\\ y z",
        "http://a.example/<b\\n c>\\ d \\x\n\n \\ http://a.example/",
    ];
    const JSON: &[&str] = &[
        r#"{"a": "http://a.example/b\n c", "b": "<http://b.example/\n c> d \u0020 e", "f": "g\\ h"}"#,
        r#"["\" http://a.example/é \" b", "http:\/\/b.example\/\u00e9 c", " d "]"#,
    ];
    const CSV: &[&str] = &[
        "a,b\n1,http://a.example/x\n2,\"http://b.example/\nc\nd, http://c.example/,e\"\n3,http://d.example/,x\n",
        "a;b\n\"x\"\"\n\"\"\nhttp://a.example/;\"\nhttp://b.example/;c\nd\"\n;http://c.example/\"\n",
        "a|http://a.example/,x|\r\n|http://b.example/;|b\r\nc||\"d\r\n",
    ];
    const SOURCE: &[&str] = &[
        "a = \"http://a.example/\"\n  + \"b\"; x y, \"http://b.example/\" \n \"c\" d e\n// http://c.example/ f",
        "b = 'http://a.example/b\\u{20}c', d e; http://b.example/ \\\n c \\U00000020 d e f\n",
    ];
    let (mut cuts, mut none) = (0, 0);
    for (format, documents) in [
        (Format::Html, HTML),
        (Format::Xml, XML),
        (Format::Log, LOG),
        (Format::Json, JSON),
        (Format::Csv, CSV),
        (Format::Java, SOURCE),
    ] {
        for document in documents {
            // The head decides about the charset, and is not cut.
            for padding in ["", &" ".repeat(2000)] {
                let document = format!("{padding}{document}");
                let config = Config::new().kinds([Kind::Iri, Kind::Email]).charset(Charset::UTF_8);
                let finder = config.build().unwrap().format(format);
                let bytes = document.as_bytes();
                let whole = ways::slice(&finder, bytes);
                assert!(!whole.links.is_empty(), "{document}");
                assert_eq!(ways::cut(&finder, bytes, Charset::UTF_8), whole, "{document}");
                let mut at = 0;
                while let Some(cut) = finder.boundary(bytes, Charset::UTF_8, at + 1) {
                    at = cut;
                    let mut scanner = finder.scanner();
                    let Ok(()) = scanner.push(&bytes[..cut], &mut ways::Outcome::default());
                    match scanner.is_at_boundary() {
                        true => cuts += 1,
                        false => none += 1,
                    }
                }
            }
        }
    }
    assert!(cuts > 50 && none > 50, "{cuts} places, {none} that look like one");
}
