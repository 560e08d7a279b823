//! Compares iriscan with other libraries and programs, the peers.
//!
//! The modules are tests:
//!
//! | module | what is compared | with |
//! |---|---|---|
//! | `differential` | whole references | iri-string, fluent-uri, oxiri, url |
//! | `injection` | the structure of documents, before and after links are replaced | html5ever, quick-xml, csv, pulldown-cmark, serde_json, oxttl |
//! | `domains` | registrable domains | psl |
//! | `markup` | HTML and XML, before and after rewriting | html5ever, quick-xml |
//! | `matrix` | one link in each format, place and charset, before and after rewriting | html5ever, quick-xml, serde_json, oxttl |
//! | `commonmark` | targets of Markdown | the examples of the CommonMark Specification |
//! | `opened` | the host that a link opens, for any character in and around a host | url |
//! | `places` | what is written in each place, and what is read there | html5ever, quick-xml, csv, pulldown-cmark, serde_json, oxttl, cssparser |
//! | `turtle` | IRIs and literals of RDF | oxttl |
//! | `report` | the page of `iriscan report` | html5ever, Chromium |
//!
//! `benches` has speeds, and [`measure`] what its programs have in common. Other modules are files of the main tests.

#[cfg(test)]
use std::{
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
};

// The files of the main tests find the library in `crate`.
#[cfg(test)]
use iriscan::{Charset, Config, Finder, Format, Kind, Link, reference};

#[cfg(test)]
#[path = "../../src/tests/cells.rs"]
#[allow(dead_code)]
mod cells;
#[cfg(test)]
#[path = "../../cli/tests/it/common.rs"]
#[allow(dead_code)]
mod common;
#[cfg(test)]
mod commonmark;
#[cfg(test)]
mod differential;
#[cfg(test)]
#[path = "../../src/tests/documents.rs"]
mod documents;
#[cfg(test)]
mod domains;
#[cfg(test)]
#[path = "../../src/tests/encode.rs"]
mod encode;
#[cfg(test)]
mod injection;
#[cfg(test)]
mod markup;
#[cfg(test)]
mod matrix;
#[cfg(test)]
mod opened;
#[cfg(test)]
mod places;
#[cfg(test)]
#[path = "../../src/tests/references.rs"]
#[allow(dead_code)]
mod references;
#[cfg(test)]
mod report;
#[cfg(test)]
#[path = "../../src/tests/samples.rs"]
#[allow(dead_code)]
mod samples;
#[cfg(test)]
mod turtle;

pub mod measure;

/// The folder of the repository.
#[cfg(test)]
const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// How many cases a property has.
#[cfg(test)]
fn cases_count() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(1500)
}

/// Cargo on the main workspace, with the flags of `cargo test --workspace --all-features`, so that
/// it finds everything built after that.
#[cfg(test)]
fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO"));
    command.args(args).args(["--locked", "--workspace", "--all-features"]).current_dir(REPOSITORY);
    command
}

/// The path of the command `iriscan`, which this builds.
#[cfg(test)]
fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let mut command = cargo(&["test", "--test", "it", "--no-run", "--message-format=json"]);
        let done = command.output().expect("cargo should run");
        let messages = String::from_utf8_lossy(&done.stdout);
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        let program = messages.lines().find_map(|line| {
            let message: serde_json::Value = serde_json::from_str(line).ok()?;
            let is =
                message["target"]["name"] == "iriscan" && message["target"]["kind"][0] == "bin";
            message["executable"].as_str().filter(|_| is).map(PathBuf::from)
        });
        program.expect("cargo should name the program")
    })
}
