//! Prints the differences between the links of the working tree and those of an older commit:
//!
//! ```sh
//! .ci/differential [COMMIT] [--texts N] [--seed N] [--corpora DIR] [--no-documents]
//! ```
//!
//! Generated texts, the cases and files of `testdata/` and all files of a folder are searched by
//! both libraries, in eight charsets, with all kinds of options, as a slice and in chunks. An input
//! that differs is made as small as possible and printed with both answers; then the exit status
//! is 1.

mod answer;
mod documents;
mod encode;
mod generate;
mod minimise;
mod options;
mod random;

/// The library of the working tree.
#[path = "."]
mod now {
    pub(crate) use iriscan as library;

    pub(crate) type Flow = core::ops::ControlFlow<()>;
    pub(crate) const GO_ON: Flow = Flow::Continue(());

    #[path = "answers.rs"]
    pub(crate) mod answers;
}

/// The library of the older commit.
#[path = "."]
mod old {
    pub(crate) use before as library;

    /// What a sink returns for a link. `.ci/differential` looks which of the two it is.
    #[cfg(sinks_stop)]
    pub(crate) use super::now::{Flow, GO_ON};
    #[cfg(not(sinks_stop))]
    pub(crate) type Flow = ();
    #[cfg(not(sinks_stop))]
    pub(crate) const GO_ON: Flow = ();

    #[path = "answers.rs"]
    pub(crate) mod answers;
}

use std::{
    fs,
    panic::{self, AssertUnwindSafe},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::atomic::{AtomicBool, Ordering},
};

use answer::Answer;
use encode::{Piece, encode};
use generate::Generator;
use options::{CHARSETS, Options};
use random::Random;

/// After this many differences no more are looked for.
const MOST: usize = 20;

/// The arguments.
struct Arguments {
    texts: u64,
    seed: u64,
    corpora: Option<PathBuf>,
    documents: bool,
}

fn arguments() -> Result<Arguments, String> {
    let default = Path::new(REPOSITORY).join("../shared/corpora");
    let corpora = default.is_dir().then_some(default);
    let mut out = Arguments { texts: 100_000, seed: 3987, corpora, documents: true };
    let mut all = std::env::args().skip(1);
    while let Some(name) = all.next() {
        if name == "--no-documents" {
            out.documents = false;
            continue;
        }
        let value = all.next().ok_or(format!("{name} needs a value"))?;
        let number = || value.parse().map_err(|_| format!("{name}: {value} is no number"));
        match &*name {
            "--texts" => out.texts = number()?,
            "--seed" => out.seed = number()?,
            "--corpora" => out.corpora = Some(value.into()),
            _ => return Err(format!("unknown option {name}")),
        }
    }
    Ok(out)
}

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// What both libraries gave for one input.
type Pair = (Result<Answer, String>, Result<Answer, String>);

/// True while a library searches.
static SEARCHES: AtomicBool = AtomicBool::new(false);

/// The answer, or the message of a panic.
fn caught(search: impl FnOnce() -> Answer) -> Result<Answer, String> {
    SEARCHES.store(true, Ordering::Relaxed);
    let answer = panic::catch_unwind(AssertUnwindSafe(search));
    SEARCHES.store(false, Ordering::Relaxed);
    answer.map_err(|why| {
        let text = why.downcast_ref::<String>().cloned();
        text.or_else(|| why.downcast_ref::<&str>().map(|s| s.to_string())).unwrap_or_default()
    })
}

/// Searches `bytes` by both libraries. Returns their answers if they differ, and how many links
/// there are. `sizes`: in chunks of these sizes, or at once.
fn compare(options: &Options, bytes: &[u8], sizes: Option<&[usize]>) -> Result<usize, Box<Pair>> {
    let now = caught(|| match sizes {
        Some(sizes) => now::answers::chunks(options, bytes, sizes),
        None => now::answers::slice(options, bytes),
    });
    let old = caught(|| match sizes {
        Some(sizes) => old::answers::chunks(options, bytes, sizes),
        None => old::answers::slice(options, bytes),
    });
    match old {
        // A failed assertion of the older commit is no difference.
        Err(_) => Ok(0),
        Ok(answer) if now.as_ref() == Ok(&answer) => Ok(answer.links.len()),
        old => Err(Box::new((old, now))),
    }
}

/// What was compared so far.
#[derive(Default)]
struct Tally {
    searches: u64,
    links: u64,
    differences: usize,
}

impl Tally {
    fn is_full(&self) -> bool {
        self.differences >= MOST
    }

    /// Compares a document as a slice and in chunks, and prints the smallest input that differs.
    fn check(&mut self, name: &str, pieces: &[Piece], options: &Options, sizes: &[usize]) {
        let bytes = encode(pieces, options.charset);
        for sizes in [None, Some(sizes)] {
            if self.is_full() {
                return;
            }
            self.searches += 1;
            match compare(options, &bytes, sizes) {
                Ok(links) => self.links += links as u64,
                Err(_) => {
                    self.differences += 1;
                    show(name, pieces, options, sizes);
                    return;
                }
            }
        }
    }
}

/// Makes the input smaller and prints it.
fn show(name: &str, pieces: &[Piece], options: &Options, sizes: Option<&[usize]>) {
    let differs = |p: &[Piece]| compare(options, &encode(p, options.charset), sizes).is_err();
    let pieces = minimise::minimise(pieces.to_vec(), differs);
    let characters = pieces.iter().flat_map(|piece| match piece {
        Piece::Text(text) => text.chars().map(|c| Piece::Text(c.to_string().into())).collect(),
        Piece::Bytes(bytes) => {
            bytes.iter().map(|b| Piece::Bytes(vec![*b].into())).collect::<Vec<_>>()
        }
    });
    let pieces = minimise::minimise(characters.collect(), differs);
    let bytes = encode(&pieces, options.charset);
    println!("\n{name}: {options:?}");
    match sizes {
        Some(sizes) => println!("  in chunks of {sizes:?} bytes"),
        None => println!("  as a slice"),
    }
    let text: String = pieces
        .iter()
        .map(|piece| match piece {
            Piece::Text(text) => text.to_string(),
            Piece::Bytes(bytes) => bytes.iter().map(|b| format!("\u{FFFD}{b:02X}")).collect(),
        })
        .collect();
    println!("  {text:?}\n  bytes {:?}", bytes.escape_ascii().to_string());
    let Err(pair) = compare(options, &bytes, sizes) else { return };
    match *pair {
        (Ok(old), Ok(now)) => {
            old.print("before", &now);
            now.print("now", &old);
        }
        (_, now) => println!("  now: {:?}", now.err()),
    }
}

/// A document by its lines, so that it can be made smaller.
fn lines(text: &str) -> Vec<Piece> {
    text.split_inclusive('\n').map(|line| Piece::Text(line.to_string().into())).collect()
}

fn byte_lines(bytes: &[u8]) -> Vec<Piece> {
    bytes.split_inclusive(|b| *b == b'\n').map(|line| Piece::Bytes(line.to_vec().into())).collect()
}

/// Compares a document: as it is, with its charset detected, and its text in each charset. Short
/// ones are compared with all combinations of options, others with some of them.
fn document(tally: &mut Tally, random: &mut Random, name: &str, bytes: &[u8]) {
    let few = bytes.len() > 4096;
    let options = |random: &mut Random, charset| -> Vec<Options> {
        match few {
            // The two that matter most, and one more.
            true => [0, 1, random.next()].map(|bits| Options::of(bits, charset)).into(),
            false => (0..16).map(|bits| Options::of(bits, charset)).collect(),
        }
    };
    let raw = byte_lines(bytes);
    for options in options(random, None) {
        tally.check(name, &raw, &options, &random.sizes());
    }
    let format = Path::new(name).extension().and_then(|e| e.to_str()).unwrap_or_default();
    if ["html", "xml", "json", "md"].contains(&format) {
        let format = if format == "md" { "markdown" } else { format };
        let format = ["html", "xml", "json", "markdown"].into_iter().find(|f| *f == format);
        let options = Options { format: format.unwrap_or("text"), ..Options::of(1, None) };
        tally.check(name, &raw, &options, &random.sizes());
    }
    let text = lines(&documents::text(bytes));
    for charset in CHARSETS {
        for options in options(random, Some(charset)) {
            tally.check(name, &text, &options, &random.sizes());
        }
    }
}

fn documents(tally: &mut Tally, random: &mut Random, arguments: &Arguments, cases: &[Vec<u8>]) {
    for case in cases {
        document(tally, random, "testdata/interop.jsonl", case);
    }
    let folders = [Some(Path::new(REPOSITORY).join("testdata")), arguments.corpora.clone()];
    for folder in folders.iter().flatten() {
        let files = documents::files(folder).unwrap_or_else(|e| panic!("{folder:?}: {e}"));
        println!("{}: {} files", folder.display(), files.len());
        for file in files {
            let bytes = fs::read(&file).unwrap_or_else(|e| panic!("{file:?}: {e}"));
            document(tally, random, &file.to_string_lossy(), &bytes);
        }
    }
}

fn main() -> ExitCode {
    let arguments = match arguments() {
        Ok(arguments) => arguments,
        Err(why) => {
            eprintln!("{why}");
            return ExitCode::from(2);
        }
    };
    // Panics of a library are caught and printed as differences.
    let hook = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if !SEARCHES.load(Ordering::Relaxed) {
            hook(info);
        }
    }));
    let cases = documents::cases(Path::new(REPOSITORY));
    let texts: Vec<String> =
        cases.iter().filter_map(|c| String::from_utf8(c.clone()).ok()).collect();
    let generator = Generator { cases: &texts };
    let mut tally = Tally::default();
    for number in 0..arguments.texts {
        let mut random = Random::new(arguments.seed, number);
        let pieces = generator.text(&mut random);
        for charset in CHARSETS.into_iter().map(Some).chain([None]) {
            let (options, sizes) = (Options::any(&mut random, charset), random.sizes());
            let before = tally.differences;
            tally.check(&format!("text {number}"), &pieces, &options, &sizes);
            // Most likely the other charsets have the same difference.
            if tally.differences > before {
                break;
            }
        }
    }
    if arguments.documents {
        let mut random = Random::new(arguments.seed, u64::MAX);
        documents(&mut tally, &mut random, &arguments, &cases);
    }
    let Tally { searches, links, differences } = tally;
    println!("{searches} searches, {links} links, {differences} differences");
    ExitCode::from(u8::from(differences > 0))
}
