//! Compares finding in short texts with peers: rows of a table, messages of a chat.
//!
//! From the root of the repository:
//!
//!     cargo bench --manifest-path peers/Cargo.toml --bench short
//!     cargo bench --manifest-path peers/Cargo.toml --bench short -- --test   # each once
//!
//! Each round runs all programs over the same rows, one call a row; the table gives nanoseconds a
//! row, the median of the rounds. [`WAYS`] says what each program does.

use std::{env, hint::black_box, time::Instant};

use iriscan::{Finder, Input};
use iriscan_peers::measure::median;
use linkify::{LinkFinder, LinkKind};
use regex_automata::meta::Regex;

/// The names of the programs, and what each does.
const WAYS: [(&str, &str); 7] = [
    ("memchr", "looks for a colon"),
    ("find", "find_iter over a str, all links counted"),
    ("uri", "the same, with the URI of each link"),
    ("detect", "find_iter over bytes whose charset is detected"),
    ("match", "has_link over a str"),
    ("linkify", "linkify 0.11, URLs with a scheme; no IDN hosts, no charsets"),
    ("regex", "(?i)\\b(?:https?|ftp|file)://[^\\s<>\"]+; takes the prose after a link"),
];

/// Finds in a row; returns how many links it found.
type Way<'w> = &'w dyn Fn(&str) -> usize;

const ROWS: usize = 512;
const ROUNDS: usize = 101;

/// Rows of `len` bytes. Those with a link have one; the words differ from row to row.
fn rows(len: usize, link: bool) -> Vec<String> {
    const WORDS: [&str; 12] = [
        "the", "weather", "was", "nice", "today,", "and", "nobody", "came", "to", "our", "party.",
        "Well,",
    ];
    let row = |number: usize| {
        let mut text = String::new();
        for i in 0.. {
            if link && i == number % 3 {
                let part = WORDS[number % 5].trim_matches([',', '.']);
                text.push_str(match len {
                    0..=20 => "http://a.example/x",
                    _ => "https://www.example.org/",
                });
                if len > 20 {
                    text.push_str(part);
                    text.push_str("?id=1234");
                }
            } else {
                text.push_str(WORDS[(number * 7 + i * 5) % WORDS.len()]);
            }
            if text.len() >= len {
                break;
            }
            text.push(' ');
        }
        // A row of 20 bytes has room for its link only.
        if link && len <= 20 { "so http://a.example/".into() } else { text[..len].to_string() }
    };
    (0..ROWS).map(row).collect()
}

fn main() {
    let test = env::args().any(|arg| arg == "--test");
    let finder = Finder::new();
    let mut linkify = LinkFinder::new();
    linkify.kinds(&[LinkKind::Url]);
    let regex = Regex::new(r#"(?i)\b(?:https?|ftp|file)://[^\s<>"]+"#);
    let regex = regex.expect("the pattern should be valid");
    let ways: [(&str, Way); 7] = [
        ("memchr", &|row| usize::from(memchr::memchr(b':', row.as_bytes()).is_some())),
        ("find", &|row| finder.find_iter(row).count()),
        ("uri", &|row| {
            let uris = finder.find_iter(row).map(|link| link.uri());
            uris.filter(|uri| black_box(uri).is_ok()).count()
        }),
        ("detect", &|row| finder.find_iter(Input::new(row.as_bytes())).count()),
        ("match", &|row| usize::from(finder.has_link(row))),
        ("linkify", &|row| linkify.links(row).count()),
        ("regex", &|row| regex.find_iter(row).count()),
    ];
    print!("{:24}", "nanoseconds a row");
    ways.iter().for_each(|(name, _)| print!(" {name:>8}"));
    println!();
    for (len, link) in
        [(0, false), (20, false), (20, true), (100, false), (100, true), (300, false), (300, true)]
    {
        let rows = rows(len, link);
        assert!(rows.iter().all(|row| row.len() == len), "every row should have {len} bytes");
        let links = if link { ROWS } else { 0 };
        print!("{:24}", format!("{len} bytes, {} link", if link { "one" } else { "no" }));
        let mut times = [const { Vec::new() }; 7];
        for _ in 0..if test { 1 } else { ROUNDS } {
            for ((name, way), times) in ways.iter().zip(&mut times) {
                let from = Instant::now();
                let count: usize = rows.iter().map(|row| way(black_box(row))).sum();
                times.push(from.elapsed().as_nanos() as f64 / ROWS as f64);
                assert_eq!(count, links, "{name}: {len} bytes");
            }
        }
        times.into_iter().for_each(|times| print!(" {:>8.1}", median(times)));
        println!();
    }
    println!();
    WAYS.iter().for_each(|(name, what)| println!("{name:12} {what}"));
}
