//! Documents of testdata and of a folder of corpora.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// All files below `folder`, sorted. Links and other things are left out.
pub(crate) fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut entries: Vec<_> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    entries.sort();
    let mut out = vec![];
    for path in entries {
        let kind = fs::symlink_metadata(&path)?.file_type();
        if kind.is_dir() {
            out.extend(files(&path)?);
        } else if kind.is_file() {
            out.push(path);
        }
    }
    Ok(out)
}

/// The documents of all cases, with and without characters that ASCII does not have.
pub(crate) fn cases(repository: &Path) -> Vec<Vec<u8>> {
    let path = repository.join("testdata/interop.jsonl");
    let text = fs::read_to_string(path).expect("the cases should be there");
    let mut out: Vec<Vec<u8>> = text
        .lines()
        .map(|line| {
            let case: serde_json::Value =
                serde_json::from_str(line).expect("each line should be a case");
            match (case["text"].as_str(), case["bytes"].as_str()) {
                (Some(text), _) => text.into(),
                (None, Some(digits)) => bytes(digits),
                (None, None) => panic!("a case should have a text: {line}"),
            }
        })
        .collect();
    out.sort();
    out.dedup();
    out
}

/// Returns the text of `bytes`, in the charset that is detected.
pub(crate) fn text(bytes: &[u8]) -> String {
    let finder = iriscan::Finder::new();
    let mut links = finder.find_iter(bytes);
    links.by_ref().for_each(drop);
    links.charset().0.decode(bytes).into_owned()
}

/// Reads hexadecimal digits.
fn bytes(digits: &str) -> Vec<u8> {
    let pairs = digits.as_bytes().chunks(2);
    pairs
        .map(|pair| {
            let pair = std::str::from_utf8(pair).expect("digits should be ASCII");
            u8::from_str_radix(pair, 16).expect("digits should be hexadecimal")
        })
        .collect()
}
