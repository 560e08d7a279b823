//! Prints what iriscan and linkify mark in the same lines.
//!
//!     cargo run --manifest-path peers/Cargo.toml --example linkify
//!
//! With a file as argument it prints two byte offsets for each link that linkify finds
//! in it, one link a line. The picture of docs/comparison.md is made from that.

use std::{env, fs, io};

use iriscan::Finder;

const LINES: [&str; 5] = [
    "https://example.com。次の行",
    "見よhttp://例え.jp/道、と",
    "（http://example.com/路，口）",
    "https://de.wikipedia.org/wiki/Straße, danke",
    "http://feedmeter.net/index.phpをつけて",
];

fn main() -> io::Result<()> {
    let mut linkify = linkify::LinkFinder::new();
    linkify.kinds(&[linkify::LinkKind::Url]);
    if let Some(path) = env::args_os().nth(1) {
        for link in linkify.links(&fs::read_to_string(path)?) {
            println!("{} {}", link.start(), link.end());
        }
        return Ok(());
    }
    for line in LINES {
        let ours: Vec<_> = Finder::new().find_iter(line).map(|l| l.text().into_owned()).collect();
        let theirs: Vec<_> = linkify.links(line).map(|l| l.as_str()).collect();
        println!("{line}\n  iriscan {ours:?}\n  linkify {theirs:?}");
    }
    Ok(())
}
