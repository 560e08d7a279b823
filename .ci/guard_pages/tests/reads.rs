//! No function of the library reads outside a document. Tested with every length up to 515
//! bytes, at the end and at the start of readable memory, in charsets of each shape.

use std::{convert::Infallible, ops::ControlFlow};

use guard_pages::Guarded;
use iriscan::{
    Charset, Config, Finder, Format, Input, Kind, Match, Positions, RuleSet, Sink, mail,
    reference::{Grammar, Reference},
};

/// Eight blocks of 64 bytes, and three bytes more.
const LONGEST: usize = 515;

/// A text with links, and with pieces that only look like links.
const TEXT: &str = "http://a.example/b?c=d#e https://例え.jp/道、www.example.org/ü \
    <a href=\"/x&amp;y\" title='z'>ä</a> {\"u\":\"http:\\/\\/b.example\\/\\u00e9\"} \
    a.b.c:80 anna@example.org mailto:x@y.example <http://[::1]:8080/%41%C3%A9> ://:.@ \
    \\xC3\\xA9 “http://c.example/(d)” .com http://d.example/ヽ(。 \
    &#x68;ttp://e.example/ url(f.png) <http://g.example/\n  h> ";

const CHARSETS: [&str; 7] =
    ["utf-8", "windows-1252", "shift_jis", "gb18030", "iso-2022-jp", "utf-16le", "utf-32be"];

/// Repeats `TEXT` in `charset`, without the characters that the charset lacks.
fn document(charset: Charset) -> Vec<u8> {
    let mut text = TEXT.repeat(2);
    match charset.name() {
        "windows-1252" => text.retain(|c| c < '\u{100}'),
        _ if charset.is_unicode() => {}
        _ => text.retain(|c| !matches!(c, 'ä' | 'ü' | '“' | '”')),
    }
    let mut bytes: Vec<u8> = match charset.name() {
        "UTF-8" => text.into_bytes(),
        "UTF-16LE" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        "UTF-32BE" => text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect(),
        name => {
            let encoding = encoding_rs::Encoding::for_label(name.as_bytes());
            let (bytes, _, lossy) = encoding.expect("a name is a label").encode(&text);
            assert!(!lossy, "{name} should hold the text");
            bytes.into_owned()
        }
    };
    bytes.truncate(LONGEST + 64);
    bytes
}

#[derive(Default, PartialEq, Eq, Debug)]
struct Seen {
    spans: Vec<(u64, u64)>,
    copy: Vec<u8>,
}

impl Sink for Seen {
    type Error = Infallible;
    fn text(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        self.copy.extend_from_slice(bytes);
        Ok(())
    }
    fn matched(&mut self, link: &Match<'_>) -> Result<ControlFlow<()>, Infallible> {
        self.spans.push((link.span().start, link.span().end));
        self.text(link.source()).map(ControlFlow::Continue)
    }
}

/// The results of all functions of the library for a document, as one value to compare.
fn all(
    finder: &Finder,
    charset: Charset,
    bytes: &[u8],
) -> impl PartialEq + std::fmt::Debug + use<> {
    let links: Vec<_> = finder
        .find_iter(bytes)
        .map(|link| (link.span(), link.uri().ok().map(|uri| uri.to_string()), link.warnings()))
        .collect();
    let (rewritten, done) = finder.rewrite_slice(bytes);
    let middle = bytes.len() / 2;
    let at = [0, middle, bytes.len().saturating_sub(1)]
        .map(|at| finder.find_at(bytes, at).map(|link| link.span()));
    let boundary = finder.boundary(bytes, charset, middle);
    let (mut seen, mut scanner) = (Seen::default(), finder.scanner());
    let Ok(()) = scanner.push(&bytes[..middle], &mut seen);
    let Ok(()) = scanner.push(&bytes[middle..], &mut seen);
    let Ok(_) = scanner.finish(&mut seen);
    (links, rewritten.into_owned(), done, at, boundary, seen)
}

/// Compares the results between pages that cannot be read with the results elsewhere.
fn check(finders: &[Finder], charset: Charset) {
    let document = document(charset);
    let mut memory = Guarded::new(2 * LONGEST);
    let mut found = 0;
    for len in 0..=LONGEST {
        // Every length starts at another byte of a block.
        let bytes = &document[len % 64..][..len];
        for finder in finders {
            let want = all(finder, charset, bytes);
            found += finder.find_iter(bytes).count();
            assert_eq!(all(finder, charset, memory.at_end(bytes)), want, "{charset} {len}");
            assert_eq!(all(finder, charset, memory.at_start(bytes)), want, "{charset} {len}");
        }
        let decoded = charset.decode(memory.at_end(bytes)).into_owned();
        assert_eq!(decoded, charset.decode(bytes), "{charset} {len}");
        let mut positions = Positions::new(charset);
        positions.advance(memory.at_end(bytes));
    }
    assert!(found > 50, "{charset}: {found} links");
}

fn finders(format: Format) -> Vec<Finder> {
    let all = [Kind::Iri, Kind::Bare, Kind::Email];
    [Config::new(), Config::new().kinds(all), Config::new().kinds(all).rules(RuleSet::Uts58)]
        .map(|config| config.build().expect("the options are valid").format(format))
        .into()
}

fn labels() -> impl Iterator<Item = Charset> {
    CHARSETS.iter().map(|label| Charset::for_label(label).expect("a label"))
}

#[test]
fn text() {
    for charset in labels() {
        let mut finders = finders(Format::Text);
        finders.push(Config::new().charset(charset).build().expect("a charset is valid"));
        check(&finders, charset);
    }
}

#[test]
fn formats() {
    for format in Format::ALL.iter().skip(1) {
        for charset in labels() {
            check(&finders(*format)[..1], charset);
        }
    }
}

#[test]
fn text_by_str_mail_and_references() {
    let mut memory = Guarded::new(2 * LONGEST);
    let finder = Finder::new();
    let head = "Subject: =?utf-8?q?http=3A//a.example/=C3=A9?=\n\n";
    let text = [head, TEXT, TEXT].concat();
    for len in 0..=LONGEST {
        let bytes = &text.as_bytes()[..len];
        let want = mail::find(&finder, bytes).len();
        assert_eq!(mail::find(&finder, memory.at_end(bytes)).len(), want);
        assert_eq!(mail::find(&finder, memory.at_start(bytes)).len(), want);
        let Ok(valid) = std::str::from_utf8(bytes) else { continue };
        let want = finder.find_iter(valid).count();
        let guarded = std::str::from_utf8(memory.at_end(bytes)).expect("it is the same text");
        assert_eq!(finder.find_iter(Input::from(guarded)).count(), want);
        let want = Reference::parse(valid, Grammar::IriReference).is_ok();
        assert_eq!(Reference::parse(guarded, Grammar::IriReference).is_ok(), want);
    }
}
