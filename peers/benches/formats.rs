//! Compares what costs more than plain ASCII text with peers that do similar work: text of many
//! scripts, HTML, feeds, mail, and hostile rows.
//!
//! From the root of the repository, with `formats` for
//! `cargo bench --manifest-path peers/Cargo.toml --bench formats`:
//!
//!     formats                              # the small set in testdata/, and hostile rows
//!     IRISCAN_CORPORA=DIR formats          # the *.txt, *.html, *.xml and *.mbox of DIR, an absolute path
//!     IRISCAN_CORPORA=DIR formats -- wiki  # those with "wiki" in their names
//!     formats -- --test                    # each once, counts only
//!
//! Each round runs all programs over a document one after the other, and the ratios are medians of
//! those within a round. [`WAYS`] says what each program does.

use std::{
    env, fs,
    hint::black_box,
    io::{self, Write},
    path::{Path, PathBuf},
    time::Instant,
};

use encoding_rs::Encoding;
use iriscan::{
    Charset, Config, Finder, Format, Kind, Rewriter,
    mail::{self, Messages},
};
use iriscan_peers::measure::{Buffer, median};
use linkify::{LinkFinder, LinkKind};
use lol_html::{AsciiCompatibleEncoding, HtmlRewriter, Settings, element};
use mail_parser::MessageParser;
use quick_xml::{Reader, escape::resolve_predefined_entity, events::Event};

/// The names of the programs, and what each does.
const WAYS: [(&str, &str); 11] = [
    ("find", "links with a scheme and addresses, with the format of the document"),
    ("rewrite", "find, and the document with each link as its URI copied into a buffer"),
    ("linkify", "linkify 0.11, URLs with a scheme and addresses; no IDN hosts"),
    ("utf-16", "find in the same text in UTF-16LE"),
    ("lol-read", "lol-html 3, reads all attributes that hold links, and none in text"),
    (
        "lol-a-href",
        "lol-html 3, reads href of a, percent-encodes it if it is not ASCII; the same buffer",
    ),
    (
        "quick-xml",
        "quick-xml 0.42 reads texts, and lol-html 3 the attributes of those that hold tags; no links in text",
    ),
    ("mail", "mail::find for each message: links of all headers and text parts"),
    (
        "mail-parser",
        "mail-parser 0.11 parses each message: headers, and parts decoded; finds nothing",
    ),
    ("hostile", "find in rows that were made to be slow; as text"),
    ("hostile-uri", "the same, with the URI of each link"),
];

/// The ratios that are printed: the speed of the first by that of the second, where bytes are those of
/// each one's own document.
const RATIOS: [(&str, &str); 8] = [
    ("find", "linkify"),
    ("rewrite", "find"),
    ("utf-16", "find"),
    ("find", "lol-read"),
    ("rewrite", "lol-a-href"),
    ("find", "quick-xml"),
    ("mail", "mail-parser"),
    ("hostile-uri", "hostile"),
];

/// What the programs count in the small set and in 10,000 bytes of each hostile row: links, attributes
/// (lol-html), or parts of messages (mail-parser).
const COUNTS: [(&str, &str, usize); 28] = [
    ("dense.txt", "rewrite", 1_400),
    ("dense.txt", "find", 1_400),
    ("dense.txt", "linkify", 1_400),
    ("dense.txt", "utf-16", 1_400),
    ("feed.xml", "find", 217),
    ("feed.xml", "quick-xml", 192),
    ("mail.txt", "mail", 448),
    ("mail.txt", "mail-parser", 75),
    ("minified.html", "rewrite", 160),
    ("minified.html", "find", 160),
    ("minified.html", "lol-read", 160),
    ("minified.html", "lol-a-href", 160),
    ("page.html", "rewrite", 520),
    ("page.html", "find", 520),
    ("page.html", "lol-read", 520),
    ("page.html", "lol-a-href", 520),
    ("angles", "hostile", 1_000),
    ("angles", "hostile-uri", 1_000),
    ("ats", "hostile", 0),
    ("ats", "hostile-uri", 0),
    ("brackets", "hostile", 1_111),
    ("brackets", "hostile-uri", 1_111),
    ("commas", "hostile", 1_111),
    ("commas", "hostile-uri", 1_111),
    ("han", "hostile", 434),
    ("han", "hostile-uri", 434),
    ("references", "hostile", 526),
    ("references", "hostile-uri", 526),
];

/// Rows that are slow to search. A real document has none of them many times.
const HOSTILE: [(&str, &str); 6] = [
    ("angles", "http://a/<"),
    ("ats", "a.a@"),
    ("brackets", "mailto:a["),
    ("commas", "http://a,"),
    ("han", "http://例え.jp/路，"),
    ("references", "&quot;http://a&amp;"),
];

/// The attributes of HTML that hold links.
const ATTRIBUTES: [&str; 14] = [
    "href",
    "src",
    "poster",
    "formaction",
    "cite",
    "background",
    "longdesc",
    "action",
    "data",
    "manifest",
    "ping",
    "srcset",
    "imagesrcset",
    "codebase",
];

/// A program over one document.
struct Way<'d> {
    name: &'static str,
    /// The bytes of its document.
    bytes: usize,
    /// Returns a count, which must not change.
    run: Box<dyn FnMut() -> usize + 'd>,
}

/// A document, and what its programs need of it.
struct Document {
    name: String,
    charset: Charset,
    bytes: Vec<u8>,
    /// Only of text.
    text: String,
    utf16: Vec<u8>,
    /// Only of mail.
    messages: Vec<Vec<u8>>,
    hostile: bool,
}

impl Document {
    fn of(name: String, bytes: Vec<u8>) -> Document {
        // A document in another charset than UTF-8 has its name.
        let charset = Charset::for_label(name.split('.').next().unwrap_or(""));
        Document {
            charset: charset.unwrap_or(Charset::UTF_8),
            bytes,
            name,
            text: String::new(),
            utf16: Vec::new(),
            messages: Vec::new(),
            hostile: false,
        }
    }

    fn text(name: String, bytes: Vec<u8>) -> Document {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let utf16 = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        Document { utf16, bytes: text.clone().into_bytes(), text, ..Document::of(name, Vec::new()) }
    }

    fn mail(name: String, bytes: Vec<u8>) -> Document {
        let messages = Messages::new(&bytes[..], usize::MAX).map(|piece| {
            let piece = piece.expect("memory should be readable");
            // Without the line that an mbox has before a message.
            let envelope = piece.bytes().starts_with(b"From ");
            let line = piece.bytes().iter().position(|b| *b == b'\n').filter(|_| envelope);
            piece.bytes()[line.map_or(0, |at| at + 1)..].to_vec()
        });
        Document { messages: messages.collect(), ..Document::of(name, bytes) }
    }

    /// The document in the file at `path`, repeated to at least `len` bytes.
    fn read(path: &Path, len: usize) -> Document {
        let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
        let bytes = fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let bytes = bytes.repeat((len / bytes.len().max(1)).max(1));
        match () {
            () if name.starts_with("mail") => Document::mail(name, bytes),
            () if name.ends_with(".html") || name.ends_with(".xml") => Document::of(name, bytes),
            () => Document::text(name, bytes),
        }
    }

    fn hostile(name: &str, row: &str, len: usize) -> Document {
        let bytes = row.repeat((len / row.len()).max(1)).into_bytes();
        Document { hostile: true, ..Document::of(name.into(), bytes) }
    }

    fn ways(&self) -> Vec<Way<'_>> {
        match self {
            Document { hostile: true, .. } => self.hostile_ways(),
            Document { messages, .. } if !messages.is_empty() => self.mail_ways(),
            Document { text, .. } if !text.is_empty() => self.text_ways(),
            Document { name, .. } if name.ends_with(".xml") => self.feed_ways(),
            _ => self.html_ways(),
        }
    }

    fn way<'d>(&'d self, name: &'static str, run: impl FnMut() -> usize + 'd) -> Way<'d> {
        Way { name, bytes: self.bytes.len(), run: Box::new(run) }
    }

    fn finder(&self, format: Format) -> Finder {
        let config = Config::new().charset(self.charset).format(format);
        config.kinds([Kind::Iri, Kind::Email]).build().expect("the options should be valid")
    }

    fn text_ways(&self) -> Vec<Way<'_>> {
        let finder = self.finder(Format::Text);
        let wide = finder.clone().charset(Charset::UTF_16LE);
        let mut linkify = LinkFinder::new();
        linkify.kinds(&[LinkKind::Url, LinkKind::Email]).url_must_have_scheme(true);
        let utf16 = self.way("utf-16", move || wide.find_iter(&self.utf16).count());
        vec![
            self.rewriting(&finder),
            self.way("find", move || finder.find_iter(&self.bytes).count()),
            self.way("linkify", move || linkify.links(&self.text).count()),
            Way { bytes: self.utf16.len(), ..utf16 },
        ]
    }

    fn html_ways(&self) -> Vec<Way<'_>> {
        let finder = self.finder(Format::Html);
        let mut ways = vec![self.rewriting(&finder)];
        ways.push(self.way("find", move || finder.find_iter(&self.bytes).count()));
        let encoding = Encoding::for_label(self.charset.name().as_bytes());
        // lol-html reads no UTF-16.
        let Some(encoding) = encoding.and_then(AsciiCompatibleEncoding::new) else { return ways };
        let selector = selector();
        ways.push(self.way("lol-read", move || lol_reads(&self.bytes, encoding, &selector)));
        let mut buffer = Buffer::new();
        ways.push(self.way("lol-a-href", move || {
            let mut count = 0;
            let read = element!("a[href]", |element| {
                let href = element.get_attribute("href").unwrap_or_default();
                if !href.is_ascii() {
                    let all = percent_encoding::CONTROLS;
                    let uri = percent_encoding::utf8_percent_encode(&href, all).to_string();
                    element.set_attribute("href", &uri)?;
                }
                count += 1;
                Ok(())
            });
            let settings = Settings::new().with_encoding(encoding).with_strict(false);
            through_lol(&self.bytes, settings.append_element_content_handler(read), &mut buffer);
            count
        }));
        ways
    }

    fn feed_ways(&self) -> Vec<Way<'_>> {
        let finder = self.finder(Format::Xml);
        let selector = selector();
        let source = std::str::from_utf8(&self.bytes).expect("the feed should be UTF-8");
        vec![
            self.way("find", move || finder.find_iter(&self.bytes).count()),
            self.way("quick-xml", move || {
                let (mut reader, mut text) = (Reader::from_str(source), String::new());
                let mut count = 0;
                loop {
                    match reader.read_event().expect("quick-xml should read the document") {
                        Event::Text(piece) => text += &piece.xml10_content(),
                        Event::CData(piece) => text += &piece.xml10_content(),
                        Event::GeneralRef(name) => match name.resolve_char_ref() {
                            Ok(Some(c)) => text.push(c),
                            _ => {
                                text += resolve_predefined_entity(&name.xml10_content())
                                    .unwrap_or_default()
                            }
                        },
                        Event::Eof => return count,
                        _ => {
                            if text.contains('<') {
                                let encoding = AsciiCompatibleEncoding::utf_8();
                                count += lol_reads(text.as_bytes(), encoding, &selector);
                            }
                            text.clear();
                        }
                    }
                }
            }),
        ]
    }

    fn mail_ways(&self) -> Vec<Way<'_>> {
        let finder = self.finder(Format::Text);
        let messages = self.messages.iter();
        vec![
            self.way("mail", {
                let messages = messages.clone();
                move || messages.clone().map(|message| mail::find(&finder, message).len()).sum()
            }),
            self.way("mail-parser", move || {
                let parts = messages.clone().map(|message| {
                    MessageParser::default().parse(message).map_or(0, |parsed| parsed.parts.len())
                });
                parts.sum()
            }),
        ]
    }

    fn hostile_ways(&self) -> Vec<Way<'_>> {
        let finder = self.finder(Format::Text);
        let again = finder.clone();
        vec![
            self.way("hostile", move || finder.find_iter(&self.bytes).count()),
            self.way("hostile-uri", move || {
                again.find_iter(&self.bytes).filter(|link| link.uri().is_ok()).count()
            }),
        ]
    }

    fn rewriting<'d>(&'d self, finder: &Finder) -> Way<'d> {
        let (finder, mut out) = (finder.clone(), Buffer::new());
        self.way("rewrite", move || {
            let (mut scanner, mut rewriter) = (finder.scanner(), Rewriter::new(&mut out, &finder));
            for piece in self.bytes.chunks(128 << 10) {
                scanner.push(piece, &mut rewriter).expect("memory should not fail");
            }
            scanner.finish(&mut rewriter).expect("memory should not fail").links as usize
        })
    }
}

/// A selector for all elements with an attribute that holds links.
fn selector() -> String {
    ATTRIBUTES.map(|name| format!("[{name}]")).join(",")
}

/// Reads the attributes of [`ATTRIBUTES`] with lol-html, and counts those that are not empty.
fn lol_reads(html: &[u8], encoding: AsciiCompatibleEncoding, selector: &str) -> usize {
    let mut count = 0;
    let read = element!(selector, |element| {
        let held = element.attributes().iter();
        let held = held.filter(|held| ATTRIBUTES.contains(&&*held.name()));
        count += held.filter(|held| !black_box(held.value()).is_empty()).count();
        Ok(())
    });
    let settings = Settings::new().with_encoding(encoding).with_strict(false);
    through_lol(html, settings.append_element_content_handler(read), &mut io::sink());
    count
}

fn through_lol(html: &[u8], settings: Settings<'_, '_>, out: &mut impl Write) {
    let copy = |piece: &[u8]| out.write_all(piece).expect("memory should not fail");
    let mut rewriter = HtmlRewriter::new(settings, copy);
    for piece in html.chunks(128 << 10) {
        rewriter.write(piece).expect("lol-html should read the document");
    }
    rewriter.end().expect("lol-html should read the document");
}

/// Runs each program once. With the counts of the small set, fails if one counts something else.
fn count(document: &Document, asserted: bool) {
    for mut way in document.ways() {
        let count = (way.run)();
        let known = COUNTS.iter().find(|row| (row.0, row.1) == (&document.name, way.name));
        println!("{:15} {:12} {count}", document.name, way.name);
        let known = known.map(|row| row.2);
        assert!(!asserted || known == Some(count), "{} {}", document.name, way.name);
    }
}

fn measure(document: &Document, rounds: usize) {
    let mut ways = document.ways();
    let counts: Vec<usize> = ways.iter_mut().map(|way| (way.run)()).collect();
    let mut speeds = vec![Vec::new(); ways.len()];
    for _ in 0..rounds {
        for (i, way) in ways.iter_mut().enumerate() {
            let from = Instant::now();
            assert_eq!(black_box((way.run)()), counts[i], "{}: the count changed", way.name);
            speeds[i].push(way.bytes as f64 / from.elapsed().as_secs_f64() / 1e6);
        }
    }
    println!("{}", document.name);
    for ((way, speeds), count) in ways.iter().zip(&speeds).zip(&counts) {
        println!("    {:12} {:7.0} MB/s {count:9}", way.name, median(speeds.clone()));
    }
    let place = |name| ways.iter().position(|way| way.name == name);
    for (a, b) in RATIOS {
        let (Some(i), Some(j)) = (place(a), place(b)) else { continue };
        let ratio = median(speeds[i].iter().zip(&speeds[j]).map(|(a, b)| a / b).collect());
        print!("    {:26} {ratio:5.2}", format!("{a} ÷ {b}"));
        match ways[i].bytes == ways[j].bytes {
            true => println!(),
            // The same characters take other numbers of bytes.
            false => {
                let documents = ratio * ways[j].bytes as f64 / ways[i].bytes as f64;
                println!(" by bytes, {documents:.2} by characters");
            }
        }
    }
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let test = arguments.iter().any(|arg| arg == "--test");
    let wanted = arguments.iter().find(|arg| !arg.starts_with("--"));
    let given = env::var_os("IRISCAN_CORPORA").map(PathBuf::from);
    let small = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/bench");
    let mut paths: Vec<PathBuf> = match &given {
        None => ["dense.txt", "page.html", "minified.html", "feed.xml", "mail.txt"]
            .map(|name| small.join(name))
            .into(),
        Some(folder) => fs::read_dir(folder)
            .unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
            .map(|entry| entry.expect("the folder should be readable").path())
            .filter(|path| {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                [".txt", ".html", ".xml", ".mbox"].iter().any(|end| name.ends_with(end))
            })
            .collect(),
    };
    paths.sort();
    // A round must be longer than the clock's grain, and shorter than the time after which a busy
    // machine gives the core to another program.
    let len = if test || given.is_some() { 0 } else { 512 << 10 };
    let documents = paths.iter().map(|path| (path.file_name(), path));
    let wanted = |name: &str| wanted.is_none_or(|part| name.contains(&**part));
    for (name, path) in documents {
        if !wanted(&name.unwrap_or_default().to_string_lossy()) {
            continue;
        }
        let document = Document::read(path, len);
        if test { count(&document, given.is_none()) } else { measure(&document, 25) }
    }
    for (name, row) in HOSTILE {
        if !wanted(name) {
            continue;
        }
        let document = Document::hostile(name, row, if test { 10_000 } else { 64 << 10 });
        if test { count(&document, true) } else { measure(&document, 25) }
    }
    if !test {
        println!();
        WAYS.iter().for_each(|(name, what)| println!("{name:12} {what}"));
    }
}
