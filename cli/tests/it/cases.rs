//! The cases of `testdata/*.toml` through the program: spans and URIs from
//! `find --json`, and documents through `rewrite`, in UTF-8.

use std::{fs, path::Path, process::Command};

use iriscan::{Config, OptionKind};
use serde_json::Value;

use crate::common::on_all_cores;

struct Case {
    name: String,
    text: String,
    /// Byte spans of the links.
    links: Vec<(u64, u64)>,
    uris: Vec<Option<String>>,
    /// For each link its element, its attribute and the text of its element, if the case has them.
    elements: Option<Vec<Vec<String>>>,
    absolute: Option<Vec<String>>,
    args: Vec<String>,
    /// Options that name a file, and its lines.
    files: Vec<(String, String)>,
    /// True if rewriting changes identifiers of RDF and keys of PO.
    identifiers: bool,
    written: Vec<String>,
}

/// The cases whose text can be written in UTF-8.
fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata");
    let mut cases = vec![];
    for entry in fs::read_dir(folder).expect("testdata should be there") {
        let path = entry.expect("testdata should be readable").path();
        if path.extension().is_none_or(|e| e != "toml") || path.ends_with("requirements.toml") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a case file should be UTF-8");
        let file: toml::Table = text.parse().expect("a case file should be TOML");
        let cases_of_file = file.get("case").and_then(toml::Value::as_array);
        for case in cases_of_file.into_iter().flatten() {
            cases.extend(read(case));
        }
    }
    cases
}

fn read(case: &toml::Value) -> Option<Case> {
    let word = |key: &str| case.get(key).and_then(toml::Value::as_str);
    let words = |key: &str| -> Option<Vec<&str>> {
        let list = case.get(key)?.as_array()?;
        Some(list.iter().filter_map(toml::Value::as_str).collect())
    };
    let marked = word("text")?;
    if words("charsets").is_some_and(|labels| !labels.contains(&"utf-8")) {
        return None;
    }
    let (mut text, mut links) = (String::new(), vec![]);
    for (i, piece) in marked.split(word("mark").unwrap_or("|")).enumerate() {
        let start = text.len() as u64;
        text.push_str(piece);
        if i % 2 == 1 {
            links.push((start, text.len() as u64));
        }
    }
    let uris = match words("uris") {
        Some(uris) => uris.iter().map(|u| (*u != "!").then(|| (*u).to_owned())).collect(),
        None => links.iter().map(|&(s, e)| Some(encoded(&text[s as usize..e as usize]))).collect(),
    };
    let mut args = vec!["--charset".to_owned(), "utf-8".to_owned()];
    let mut files = vec![];
    // In a case `elements` are those of its links, and without `identifiers` they are rewritten.
    let options =
        Config::options().iter().filter(|it| !matches!(it.name(), "elements" | "identifiers"));
    for option in options {
        let Some(value) = case.get(option.name()) else { continue };
        let flag = option.name().replace('_', "-");
        match (option.kind(), value) {
            (OptionKind::Flag, toml::Value::Boolean(true)) => args.push(format!("--{flag}")),
            (OptionKind::Flag, _) => args.push(format!("--no-{flag}")),
            (OptionKind::Lines, _) => {
                let lines = words(option.name()).unwrap_or_default();
                files.push((format!("--{flag}"), lines.join("\n")));
            }
            (_, toml::Value::String(word)) => args.push(format!("--{flag}={word}")),
            (_, toml::Value::Array(_)) => {
                let values = words(option.name()).unwrap_or_default().into_iter();
                args.extend(values.map(|value| format!("--{flag}={value}")));
            }
            (_, number) => args.push(format!("--{flag}={number}")),
        }
    }
    let elements = case.get("elements").and_then(toml::Value::as_array).map(|links| {
        let words = |link: &toml::Value| -> Vec<String> {
            let words = link.as_array().into_iter().flatten();
            words.filter_map(toml::Value::as_str).map(str::to_owned).collect()
        };
        links.iter().map(words).collect()
    });
    let written = words("written").unwrap_or_default().into_iter().map(str::to_owned).collect();
    let identifiers = case.get("identifiers").and_then(toml::Value::as_bool).unwrap_or(true);
    Some(Case {
        written,
        identifiers,
        files,
        name: word("name")?.to_owned(),
        text,
        links,
        uris,
        elements,
        absolute: words("absolute").map(|uris| uris.into_iter().map(str::to_owned).collect()),
        args,
    })
}

/// `text` with what no URI has encoded.
fn encoded(text: &str) -> String {
    let encode = |c: char| match "\"<>\\^`{|}".contains(c) {
        true => format!("%{:02X}", u32::from(c)),
        false => c.into(),
    };
    text.chars().map(encode).collect()
}

#[test]
fn every_case_comes_out_of_the_program_as_written() {
    let cases = cases();
    assert!(cases.len() > 80, "only {} cases", cases.len());
    // Most of the time is starting programs.
    on_all_cores(&cases, check);
}

/// Runs the case in a folder of its own.
fn check(case: &Case) {
    let folder = tempfile::tempdir().expect("a folder should be made");
    let folder = folder.path();
    let file = folder.join("case");
    fs::write(&file, &case.text).expect("the case should be written");
    for (option, lines) in &case.files {
        fs::write(folder.join(&option[2..]), lines).expect("it should be written");
    }
    let lists = case
        .files
        .iter()
        .flat_map(|(option, _)| [option.into(), folder.join(&option[2..]).into_os_string()]);
    let run = |command: &str, more: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_iriscan"))
            .arg(command)
            .args(&case.args)
            .args(lists.clone())
            .args(more)
            .arg(&file)
            .output()
            .expect("the program should run")
    };
    let found = run("find", &["--json"]);
    let records: Vec<Value> = String::from_utf8(found.stdout)
        .expect("records should be UTF-8")
        .lines()
        .map(|line| serde_json::from_str(line).expect("a record should be JSON"))
        .collect();
    let number = |r: &Value, key: &str| r[key].as_u64().expect("an offset should be a number");
    let links: Vec<_> = records.iter().map(|r| (number(r, "start"), number(r, "end"))).collect();
    let uris: Vec<_> = records.iter().map(|r| r["uri"].as_str().map(str::to_owned)).collect();
    assert_eq!((&links, &uris), (&case.links, &case.uris), "{}", case.name);
    if let Some(elements) = &case.elements {
        let place = |record: &Value| -> Vec<String> {
            let keys = ["element", "attribute", "anchor"];
            keys.iter().filter_map(|key| record[key].as_str().map(str::to_owned)).collect()
        };
        let places: Vec<_> = records.iter().map(place).collect();
        assert_eq!(&places, elements, "{}", case.name);
    }
    if let Some(absolute) = &case.absolute {
        let printed = run("find", &["--print", "{absolute}"]);
        let printed = String::from_utf8(printed.stdout).expect("URIs should be UTF-8");
        let want = absolute.iter().map(|uri| if uri == "!" { "" } else { uri });
        assert!(printed.lines().eq(want), "{}: {printed}", case.name);
    }
    assert_eq!(found.status.code(), Some(i32::from(links.is_empty())), "{}", case.name);

    let (mut want, mut at) = (String::new(), 0);
    for (i, (&(start, end), uri)) in case.links.iter().zip(&case.uris).enumerate() {
        let link = &case.text[start as usize..end as usize];
        want += &case.text[at..start as usize];
        let uri = uri.as_deref().filter(|_| !link.is_ascii());
        want += case.written.get(i).map(String::as_str).or(uri).unwrap_or(link);
        at = end as usize;
    }
    want += &case.text[at..];
    let more: &[&str] = if case.identifiers { &["--identifiers"] } else { &[] };
    let rewritten = run("rewrite", more);
    assert_eq!(String::from_utf8_lossy(&rewritten.stdout), want, "{}", case.name);
    assert_eq!(rewritten.status.code(), Some(0), "{}", case.name);
}
