//! Compares finding and rewriting with peers, in one run.
//!
//! From the root of the repository, with `scan` for
//! `cargo bench --manifest-path peers/Cargo.toml --bench scan`:
//!
//!     scan                              # the small set in testdata/
//!     IRISCAN_CORPORA=DIR scan          # the files of DIR, an absolute path
//!     IRISCAN_CORPORA=DIR scan -- wiki  # those with "wiki" in their names
//!     scan -- --test                    # each once, counts only
//!
//! The machines this runs on are noisy. So each round runs all programs over a corpus
//! one after the other, and the tables give medians of the ratios within a round.
//! [`WAYS`] says what each program does. Peers do other work than this crate: read
//! the factors with that in mind.

use std::{
    collections::BTreeMap,
    env, fs,
    hint::black_box,
    path::{Path, PathBuf},
    time::Instant,
};

use encoding_rs::Encoding;
use iriscan::{Charset, Config, Finder, Kind, Rewriter};
use iriscan_peers::measure::{Buffer, median};
use linkify::{LinkFinder, LinkKind};
use regex_automata::meta::Regex;

/// The names of the programs, and what each does.
const WAYS: [(&str, &str); 13] = [
    ("memchr", "reads every byte for one that is absent"),
    ("memcpy", "copies into a buffer of 256 KiB, again and again"),
    ("find", "links with a scheme and addresses, by the file's charset; IDN hosts"),
    ("find-iri", "links with a scheme"),
    ("find-all", "links with a scheme, hosts without, addresses; top-level domains are known"),
    ("rewrite", "find, and the stream with each link as its URI copied as memcpy does"),
    ("segments", "find over Bytes in chunks of 64 KiB, handing text on without a copy"),
    ("linkify", "linkify 0.11, URLs and addresses, of valid UTF-8; any scheme, no IDN hosts"),
    ("linkify-url", "linkify 0.11, URLs with a scheme only"),
    ("linkify-all", "linkify 0.11, scheme not required; knows no top-level domains"),
    ("regex", "(?i)\\b(?:https?|ftp|file)://[^\\s<>\"]+, of valid UTF-8; takes the prose after it"),
    ("decode", "encoding_rs alone: to UTF-8, in pieces of 64 KiB; legacy charsets only"),
    ("to-utf8", "encoding_rs, then find in its output; legacy charsets only"),
];

/// The ratios that are printed: the speed of the first by that of the second.
const RATIOS: [(&str, &str); 10] = [
    ("find", "memchr"),
    ("find", "linkify"),
    ("find-iri", "linkify-url"),
    ("find-all", "linkify-all"),
    ("find", "regex"),
    ("find", "decode"),
    ("find", "to-utf8"),
    ("rewrite", "find"),
    ("rewrite", "memcpy"),
    ("segments", "find"),
];

/// Works through a corpus; returns a count, which must not change.
type Way<'c> = Box<dyn FnMut() -> usize + 'c>;

struct Corpus {
    name: String,
    charset: Charset,
    bytes: Vec<u8>,
}

impl Corpus {
    fn read(path: &Path) -> Corpus {
        let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
        // A legacy corpus has the name of its charset.
        let charset = Charset::for_label(name.split('.').next().unwrap_or(""));
        let bytes = fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        Corpus { name, charset: charset.unwrap_or(Charset::UTF_8), bytes }
    }

    fn finder(&self, kinds: &[Kind]) -> Finder {
        let config = Config::new().charset(self.charset).kinds(kinds.iter().copied());
        config.build().expect("the options should be valid")
    }

    /// Its encoding, if peers have to decode it first.
    fn legacy(&self) -> Option<&'static Encoding> {
        let encoding = Encoding::for_label(self.charset.name().as_bytes());
        encoding.filter(|e| *e != encoding_rs::UTF_8)
    }
}

const MAIN: [Kind; 2] = [Kind::Iri, Kind::Email];
const ALL: [Kind; 3] = [Kind::Iri, Kind::Bare, Kind::Email];

fn ways<'c>(corpus: &'c Corpus, text: &'c str) -> Vec<(&'static str, Way<'c>)> {
    let bytes = &corpus.bytes[..];
    let absent = (0..=255).find(|b| !bytes.contains(b));
    let mut ways: Vec<(&str, Way<'c>)> = Vec::new();
    ways.push((
        "memchr",
        Box::new(move || match absent {
            Some(b) => usize::from(memchr::memchr(b, bytes).is_some()),
            // Every byte occurs: go on after each of the rarest.
            None => memchr::memchr_iter(0x01, bytes).count(),
        }),
    ));
    let mut buffer = vec![0; 256 << 10];
    ways.push((
        "memcpy",
        Box::new(move || {
            bytes.chunks(buffer.len()).for_each(|b| {
                buffer[..b.len()].copy_from_slice(b);
                black_box(&mut buffer);
            });
            0
        }),
    ));
    for (name, kinds) in [("find", &MAIN[..]), ("find-iri", &[Kind::Iri]), ("find-all", &ALL)] {
        let finder = corpus.finder(kinds);
        ways.push((name, Box::new(move || finder.find_iter(bytes).count())));
    }
    let finder = corpus.finder(&MAIN);
    ways.push(("rewrite", {
        let finder = finder.clone();
        let mut out = Buffer::new();
        Box::new(move || {
            let (mut scanner, mut rewriter) = (finder.scanner(), Rewriter::new(&mut out, &finder));
            for piece in bytes.chunks(128 << 10) {
                scanner.push(piece, &mut rewriter).expect("memory should not fail");
            }
            scanner.finish(&mut rewriter).expect("memory should not fail").links as usize
        })
    }));
    ways.push(("segments", segments(finder, bytes)));
    if let Some(encoding) = corpus.legacy() {
        ways.push(("decode", Box::new(move || decode(encoding, bytes))));
        let finder = Config::new().charset(Charset::UTF_8).kinds(MAIN).build();
        let finder = finder.expect("the options should be valid");
        ways.push((
            "to-utf8",
            Box::new(move || finder.find_iter(&*encoding.decode(bytes).0).count()),
        ));
        return ways;
    }
    for (name, kinds, scheme) in [
        ("linkify", &[LinkKind::Url, LinkKind::Email][..], true),
        ("linkify-url", &[LinkKind::Url], true),
        ("linkify-all", &[LinkKind::Url, LinkKind::Email], false),
    ] {
        let mut finder = LinkFinder::new();
        finder.kinds(kinds).url_must_have_scheme(scheme);
        ways.push((name, Box::new(move || finder.links(text).count())));
    }
    let regex = Regex::new(r#"(?i)\b(?:https?|ftp|file)://[^\s<>"]+"#);
    let regex = regex.expect("the pattern should be valid");
    ways.push(("regex", Box::new(move || regex.find_iter(text).count())));
    ways
}

/// Pulls all segments, chunk by chunk, and counts the links.
fn segments<'c>(finder: Finder, bytes: &[u8]) -> Way<'c> {
    use iriscan::{Segment, Segments};

    let whole = bytes::Bytes::copy_from_slice(bytes);
    Box::new(move || {
        let (mut links, mut segments) = (0, Segments::new(&finder));
        let mut pull = |segments: &mut Segments<bytes::Bytes>| {
            while let Some(segment) = segments.next_segment() {
                links += usize::from(matches!(segment, Segment::Link(_)));
            }
        };
        for from in (0..whole.len()).step_by(64 << 10) {
            segments.feed(whole.slice(from..whole.len().min(from + (64 << 10))));
            pull(&mut segments);
        }
        segments.end();
        pull(&mut segments);
        links
    })
}

/// Decodes in pieces; returns the number of decoded bytes.
fn decode(encoding: &'static Encoding, bytes: &[u8]) -> usize {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut text = String::with_capacity(256 << 10);
    let (mut rest, mut count) = (bytes, 0);
    while !rest.is_empty() {
        let piece = &rest[..rest.len().min(64 << 10)];
        text.clear();
        let (_, read, _) = decoder.decode_to_string(piece, &mut text, piece.len() == rest.len());
        count += black_box(&text).len();
        rest = &rest[read..];
    }
    count
}

/// The median speed of each way in GB/s, and of each ratio within a round.
type Figures = (BTreeMap<&'static str, f64>, BTreeMap<(&'static str, &'static str), f64>);

fn measure(corpus: &Corpus, rounds: usize, expected: &BTreeMap<&str, usize>) -> Figures {
    let text = String::from_utf8_lossy(&corpus.bytes);
    let mut ways = ways(corpus, &text);
    // The first round warms up, and gives the counts.
    let counts: Vec<usize> = ways.iter_mut().map(|(_, way)| way()).collect();
    for ((name, _), count) in ways.iter().zip(&counts) {
        let want = expected.get(name).unwrap_or(count);
        assert_eq!(count, want, "{}: {name} counts something else", corpus.name);
    }
    let count = |name| ways.iter().position(|(n, _)| *n == name).map(|i| counts[i]);
    for same in ["rewrite", "segments"] {
        let links = count(same).or(count("find"));
        assert_eq!(links, count("find"), "{}: {same} finds other links", corpus.name);
    }
    println!(
        "{:18} {:>9} links with a scheme, {:>9} with addresses, {:>9} with hosts; linkify {} and {}",
        corpus.name,
        count("find-iri").unwrap_or(0),
        count("find").unwrap_or(0),
        count("find-all").unwrap_or(0),
        count("linkify").map_or("–".into(), |n| n.to_string()),
        count("linkify-all").map_or("–".into(), |n| n.to_string()),
    );
    let mut speeds: BTreeMap<&'static str, Vec<f64>> = BTreeMap::new();
    for _ in 0..rounds {
        for (i, (name, way)) in ways.iter_mut().enumerate() {
            let from = Instant::now();
            assert_eq!(black_box(way()), counts[i], "{name}: the count should not change");
            let speed = corpus.bytes.len() as f64 / from.elapsed().as_secs_f64() / 1e9;
            speeds.entry(name).or_default().push(speed);
        }
    }
    let mut ratios = BTreeMap::new();
    for (a, b) in RATIOS {
        if let (Some(a_speeds), Some(b_speeds)) = (speeds.get(a), speeds.get(b)) {
            let each = a_speeds.iter().zip(b_speeds).map(|(a, b)| a / b).collect();
            ratios.insert((a, b), median(each));
        }
    }
    (speeds.into_iter().map(|(name, each)| (name, median(each))).collect(), ratios)
}

/// The number of links in each file of the small set, by program.
fn counts_of_small_set() -> BTreeMap<String, BTreeMap<&'static str, usize>> {
    let mut counts: BTreeMap<String, BTreeMap<_, _>> = BTreeMap::new();
    for line in include_str!("../../testdata/bench/counts.txt").lines() {
        let mut words = line.split_whitespace();
        let name = words.next().expect("a line should have a name").to_string();
        for (way, count) in ["find-iri", "find", "find-all"].into_iter().zip(words) {
            let count = count.parse().expect("counts should be numbers");
            counts.entry(name.clone()).or_default().insert(way, count);
        }
    }
    counts
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let test = arguments.iter().any(|arg| arg == "--test");
    let wanted = arguments.iter().find(|arg| !arg.starts_with("--"));
    let given = env::var_os("IRISCAN_CORPORA").map(PathBuf::from);
    let small = concat!(env!("CARGO_MANIFEST_DIR"), "/../testdata/bench");
    let folder = given.clone().unwrap_or_else(|| PathBuf::from(small));
    let entries = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("the folder should be readable").path())
        .filter(|path| path.is_file())
        .filter(|path| !path.ends_with("references.txt") && !path.ends_with("counts.txt"))
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            wanted.is_none_or(|part| name.contains(&**part))
        })
        .collect();
    paths.sort();
    let known = if given.is_none() { counts_of_small_set() } else { BTreeMap::new() };
    let rounds = if test { 0 } else { 9 };
    let mut figures = Vec::new();
    for path in paths {
        let mut corpus = Corpus::read(&path);
        let mut expected = known.get(&corpus.name).cloned().unwrap_or_default();
        assert!(given.is_some() || !expected.is_empty(), "{}: no counts", corpus.name);
        // The small set is repeated, because a round must be longer than the clock's grain.
        if given.is_none() && !test {
            let times = (8 << 20) / corpus.bytes.len().max(1);
            corpus.bytes = corpus.bytes.repeat(times);
            expected.values_mut().for_each(|count| *count *= times);
        }
        figures.push((corpus.name.clone(), measure(&corpus, rounds, &expected)));
    }
    if test {
        return;
    }
    println!("\nGB/s");
    let shown = |name: &str| figures.iter().any(|(_, (speeds, _))| speeds.contains_key(name));
    let names: Vec<_> = WAYS.iter().map(|(name, _)| *name).filter(|name| shown(name)).collect();
    let cell = |value: Option<&f64>| value.map_or("–".into(), |v| format!("{v:.2}"));
    print!("{:18}", "");
    names.iter().for_each(|name| print!(" {name:>11}"));
    println!();
    for (corpus, (speeds, _)) in &figures {
        print!("{corpus:18}");
        names.iter().for_each(|name| print!(" {:>11}", cell(speeds.get(name))));
        println!();
    }
    println!("\nratios of speeds");
    print!("{:18}", "");
    RATIOS.iter().for_each(|(a, _)| print!(" {a:>12}"));
    print!("\n{:18}", "");
    RATIOS.iter().for_each(|(_, b)| print!(" {:>12}", format!("÷ {b}")));
    println!();
    for (corpus, (_, ratios)) in &figures {
        print!("{corpus:18}");
        RATIOS.iter().for_each(|pair| print!(" {:>12}", cell(ratios.get(pair))));
        println!();
    }
    println!();
    WAYS.iter().for_each(|(name, what)| println!("{name:12} {what}"));
}
