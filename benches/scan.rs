//! Finding and rewriting beside their peers, in one run.
//!
//!     cargo bench --bench scan                       # the small set in testdata/
//!     IRISCAN_CORPORA=DIR cargo bench --bench scan   # files of DIR (bench/make.py)
//!     cargo bench --bench scan -- --test             # each once, counts only
//!
//! The machines this runs on are noisy: all ways of a corpus are run in turn,
//! round by round, and the table gives medians of the ratios within a round.
//! What each way does: `memchr` reads every byte for one that is absent; `find`
//! finds links with a scheme in the file's charset, decoding near candidates;
//! `rewrite` also copies the stream to memory; `linkify` finds links with a
//! scheme (any scheme, no IDN hosts, no charsets) in text that is UTF-8 already;
//! `decode` is encoding_rs alone, legacy charsets only. Unlike work: read the
//! factors with that in mind.

use std::{
    env, fs,
    hint::black_box,
    path::PathBuf,
    time::{Duration, Instant},
};

use iriscan::{Charset, Config};

struct Corpus {
    name: String,
    charset: Charset,
    bytes: Vec<u8>,
}

fn corpora(test: bool) -> Vec<Corpus> {
    let folder = env::var_os("IRISCAN_CORPORA").map(PathBuf::from);
    let given = folder.is_some();
    let folder = folder
        .unwrap_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/bench")));
    let mut paths: Vec<_> = fs::read_dir(&folder)
        .unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
        .map(|entry| entry.expect("the folder should be readable").path())
        .filter(|path| path.is_file() && !path.ends_with("references.txt"))
        .collect();
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
            let label = name.split('.').next().unwrap_or("");
            let charset = Charset::for_label(label).unwrap_or(Charset::UTF_8);
            let mut bytes = fs::read(&path).expect("the corpus should be readable");
            // The small set is repeated, so that a round takes longer than the clock's grain.
            if !given && !test {
                bytes = bytes.repeat((8 << 20) / bytes.len().max(1));
            }
            Corpus { name, charset, bytes }
        })
        .collect()
}

fn time(mut work: impl FnMut() -> usize) -> (Duration, usize) {
    let start = Instant::now();
    let count = black_box(work());
    (start.elapsed(), count)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    let test = env::args().any(|arg| arg == "--test");
    let rounds = if test { 1 } else { 9 };
    println!(
        "{:22} {:>8} {:>9} {:>9} {:>9} {:>9} {:>9}",
        "", "find", "find/", "find/", "rewrite/", "find/", "links"
    );
    println!(
        "{:22} {:>8} {:>9} {:>9} {:>9} {:>9}",
        "corpus", "GB/s", "memchr", "linkify", "find", "decode"
    );
    for Corpus { name, charset, bytes } in corpora(test) {
        let finder = Config::new().charset(charset).build().expect("the options should be valid");
        let encoding = encoding_rs::Encoding::for_label(charset.name().as_bytes());
        let legacy = encoding.filter(|e| *e != encoding_rs::UTF_8);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let mut links = linkify::LinkFinder::new();
        links.kinds(&[linkify::LinkKind::Url]);
        let expected = finder.find_iter(&bytes[..]).count();
        let absent = (0..=255).find(|b| !bytes.contains(b)).expect("a byte should be absent");
        let mut seen = [vec![], vec![], vec![], vec![], vec![]];
        for round in 0..=rounds {
            let (memchr, hits) = time(|| usize::from(memchr::memchr(absent, &bytes).is_some()));
            let (find, found) = time(|| finder.find_iter(&bytes[..]).count());
            assert_eq!(found, expected, "{name}: the count should not change");
            let (rewrite, _) = time(|| {
                let mut out = Vec::with_capacity(bytes.len() + bytes.len() / 8);
                let done = finder.rewrite(&bytes[..], &mut out).expect("memory should not fail");
                assert_eq!(done.stream.links as usize, expected);
                out.len()
            });
            let linkify = legacy.is_none().then(|| time(|| links.links(&text).count()).0);
            let decode = legacy.map(|e| time(|| e.decode_without_bom_handling(&bytes).0.len()).0);
            assert_eq!(hits, 0, "{name}: the byte should be absent");
            if round == 0 {
                continue;
            }
            let ratio = |a: Duration, b: Duration| a.as_secs_f64() / b.as_secs_f64();
            seen[0].push(bytes.len() as f64 / find.as_secs_f64() / 1e9);
            seen[1].push(ratio(memchr, find));
            if let Some(linkify) = linkify {
                seen[2].push(ratio(linkify, find));
            }
            seen[3].push(ratio(find, rewrite));
            if let Some(decode) = decode {
                seen[4].push(ratio(decode, find));
            }
        }
        let show = |values: Vec<f64>| match values.is_empty() {
            true => String::from("–"),
            false => format!("{:.2}", median(values)),
        };
        let [a, b, c, d, e] = seen.map(show);
        println!("{name:22} {a:>8} {b:>9} {c:>9} {d:>9} {e:>9} {expected:>9}");
    }
}
