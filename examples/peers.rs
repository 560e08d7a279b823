//! What iriscan and linkify mark in the same lines.
//!
//!     cargo run --example peers

use iriscan::Finder;

const LINES: [&str; 5] = [
    "https://example.com。次の行",
    "見よhttp://例え.jp/道、と",
    "（http://example.com/路，口）",
    "https://de.wikipedia.org/wiki/Straße, danke",
    "http://feedmeter.net/index.phpをつけて",
];

fn main() {
    let mut linkify = linkify::LinkFinder::new();
    linkify.kinds(&[linkify::LinkKind::Url]);
    for line in LINES {
        let ours: Vec<_> = Finder::new().find_iter(line).map(|l| l.text().into_owned()).collect();
        let theirs: Vec<_> = linkify.links(line).map(|l| l.as_str()).collect();
        println!("{line}\n  iriscan {ours:?}\n  linkify {theirs:?}");
    }
}
