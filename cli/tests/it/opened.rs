//! The documents of `testdata/opened`: what the command finds in each, and says of it. Python and C find and say the same
//! (`bindings/python/tests/test_documents.py`, `bindings/c/tests/opened.c`).
//!
//! `IRISCAN_WRITE_OPENED=1 cargo test --workspace --all-features --test it -- opened` renews the list.

use std::{fmt::Write as _, fs, path::Path};

use crate::common::iriscan_in;

/// What the command adds to a message, because it has done that and has such an option.
const ADDED: [&str; 2] = ["; what could be read was used", "; -v names each"];

#[test]
fn documents_are_read_as_listed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/opened");
    let list = folder.with_extension("txt");
    let mut names: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let mut now = String::new();
    for name in names {
        writeln!(now, "= {name}").unwrap();
        let done = iriscan_in(&folder, &format!("find -z --json {name}"), "");
        for link in done.records() {
            now += link["path"].as_str().unwrap();
            if let (Some(record), offset) = (link["record"].as_str(), &link["offset"]) {
                write!(now, " <{record}> at {offset}").unwrap();
            }
            if let (Some(start), end) = (link["start"].as_u64(), &link["end"]) {
                write!(now, " {start}-{end}").unwrap();
            }
            let open = link["open"].as_str().or(link["iri"].as_str());
            writeln!(now, " {}", open.unwrap()).unwrap();
        }
        for said in done.stderr.lines() {
            let said = said.strip_prefix("iriscan: ").unwrap();
            let said =
                ADDED.iter().fold(said, |said, more| said.strip_suffix(more).unwrap_or(said));
            writeln!(now, "! {said}").unwrap();
        }
    }
    if std::env::var_os("IRISCAN_WRITE_OPENED").is_some() {
        fs::write(&list, &now).unwrap();
    }
    assert_eq!(now, fs::read_to_string(&list).unwrap());
}
