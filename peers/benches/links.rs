//! Counts what one link costs, by the shape of the link and of the text around it.
//!
//! From the root of the repository:
//!
//!     cargo bench --manifest-path peers/Cargo.toml --bench links
//!     cargo bench --manifest-path peers/Cargo.toml --bench links -- --test   # each once, counts only
//!
//! Each file of `testdata/bench/links` has one text a line, with a number in it, so that no two are
//! alike. *Row*: each line is searched alone. *Joined*: the whole file at once. The table gives
//! instructions a line where `valgrind` is installed, and nanoseconds otherwise, for iriscan
//! (`find_iter` over a `str`, kinds `iri`) and for linkify 0.11 (URLs with a scheme).
//!
//! A run under `valgrind` is this program again: `links FILE PROGRAM WAY TIMES`.

use std::{
    env, fs,
    hint::black_box,
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};

use iriscan::{Config, Finder, Kind};
use iriscan_peers::measure::median;
use linkify::{LinkFinder, LinkKind};

const PROGRAMS: [&str; 2] = ["iriscan", "linkify"];
const WAYS: [&str; 2] = ["row", "joined"];

/// How often the texts are searched in the longer of two runs; the shorter one does it once.
const TIMES: usize = 21;
const ROUNDS: usize = 101;

struct Programs {
    iriscan: Finder,
    linkify: LinkFinder,
}

impl Programs {
    fn new() -> Programs {
        let iriscan = Config::new().kinds([Kind::Iri]).build();
        let mut linkify = LinkFinder::new();
        linkify.kinds(&[LinkKind::Url]);
        Programs { iriscan: iriscan.expect("the options should be valid"), linkify }
    }

    /// How many links `program` finds in `text`.
    fn count(&self, program: &str, way: &str, text: &str) -> usize {
        let find = |text: &str| match program {
            "iriscan" => self.iriscan.find_iter(black_box(text)).count(),
            _ => self.linkify.links(black_box(text)).count(),
        };
        match way {
            "row" => text.lines().map(find).sum(),
            _ => find(text),
        }
    }
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let programs = Programs::new();
    if let [file, program, way, times] = &arguments[..] {
        let text = fs::read_to_string(file).expect("the texts should be readable");
        for _ in 0..times.parse().expect("TIMES should be a number") {
            black_box(programs.count(program, way, &text));
        }
        return;
    }
    let test = arguments.iter().any(|arg| arg == "--test");
    let counts = !test && Command::new("valgrind").arg("--version").output().is_ok();
    println!("{} a line", if counts { "instructions" } else { "nanoseconds" });
    print!("{:14}", "");
    for (program, way) in columns() {
        print!(" {:>15}", format!("{program} {way}"));
    }
    println!();
    for file in files() {
        let text = fs::read_to_string(&file).expect("the texts should be readable");
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        print!("{name:14}");
        for (program, way) in columns() {
            let lines = text.lines().count() as f64;
            let cost = match counts {
                true => instructions(&file, program, way) / lines,
                false => nanoseconds(&programs, (program, way), &text, test) / lines,
            };
            print!(" {cost:>15.0}");
        }
        println!();
    }
}

fn columns() -> impl Iterator<Item = (&'static str, &'static str)> {
    PROGRAMS.into_iter().flat_map(|program| WAYS.map(|way| (program, way)))
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/bench/links");
    let entries = fs::read_dir(folder).expect("the texts should be there");
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    files
}

/// The instructions of one search of the texts: the difference of two runs, so that what comes before
/// and after them does not count.
fn instructions(file: &Path, program: &str, way: &str) -> f64 {
    let itself = env::current_exe().expect("the program should know its file");
    let run = |times: usize| -> f64 {
        let mut command = Command::new("valgrind");
        command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
        command.arg(&itself).arg(file).args([program, way, &times.to_string()]);
        let output = command.output().expect("valgrind should run");
        let log = String::from_utf8_lossy(&output.stderr);
        let collected = log.lines().find_map(|line| line.split_once("Collected : "));
        let (_, count) = collected.unwrap_or_else(|| panic!("no count: {log}"));
        count.trim().parse().expect("the count should be a number")
    };
    (run(TIMES) - run(1)) / (TIMES - 1) as f64
}

/// The nanoseconds of one search of the texts; the median of the rounds.
fn nanoseconds(programs: &Programs, (program, way): (&str, &str), text: &str, test: bool) -> f64 {
    let mut times = Vec::new();
    for _ in 0..if test { 1 } else { ROUNDS } {
        let from = Instant::now();
        black_box(programs.count(program, way, text));
        times.push(from.elapsed().as_nanos() as f64);
    }
    median(times)
}
