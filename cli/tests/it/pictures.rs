//! Compares the pictures of README.md and docs/ with what the program prints now. If one
//! is out of date, the message names the command of `docs/pictures/make.py` that makes it
//! again. These tests need none of the programs that make.py needs.

use std::{collections::BTreeMap, fs, path::PathBuf};

use sha2::{Digest, Sha256};

use crate::common::{Done, command, iriscan};

/// A file of the repository, by its path from the root.
fn repository(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", name].iter().collect()
}

fn read(name: &str) -> String {
    fs::read_to_string(repository(name)).unwrap()
}

/// Each text between `start` and `end`.
fn between<'t>(text: &'t str, start: &'t str, end: &'t str) -> impl Iterator<Item = &'t str> {
    text.split(start).skip(1).filter_map(move |rest| rest.split(end).next())
}

/// An element of SVG: one of its attributes.
fn attribute<'t>(element: &'t str, name: &str) -> Option<&'t str> {
    element.split_once(&format!(" {name}=\""))?.1.split('"').next()
}

/// The text of an element, without tags in it.
fn text(element: &str) -> String {
    let (_, inner) = element.split_once('>').unwrap();
    let parts = inner.split('<').enumerate();
    let plain: String = parts
        .map(|(i, part)| if i == 0 { part } else { part.split_once('>').unwrap().1 })
        .collect();
    plain.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

/// A visible character, with its style as a class of the picture.
type Styled = (char, String);

/// The characters that a terminal shows for a line.
fn styled(line: &str) -> Vec<Styled> {
    let (mut marks, mut color) = (String::new(), String::new());
    let mut shown = Vec::new();
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        if let Some((link, behind)) =
            rest.strip_prefix("\x1b]8;").and_then(|rest| rest.split_once("\x1b\\"))
        {
            assert!(link.starts_with(';'), "{line:?}");
            rest = behind;
        } else if let Some((codes, behind)) =
            rest.strip_prefix("\x1b[").and_then(|rest| rest.split_once('m'))
        {
            rest = behind;
            // A colour of the table of 256 is one code.
            for code in codes.replace("38;5;", "").split(';') {
                match code {
                    "0" => (marks, color) = (String::new(), String::new()),
                    "1" => marks.insert(0, 'b'),
                    "2" => marks.push('d'),
                    "4" => marks.push('u'),
                    "22" => marks.retain(|mark| mark == 'u'),
                    _ => color = format!("c{code}"),
                }
            }
        } else {
            rest = &rest[c.len_utf8()..];
            if !c.is_whitespace() && !matches!(c, '\u{2066}' | '\u{2068}' | '\u{2069}') {
                let classes = marks.chars().map(String::from).chain([color.clone()]);
                let classes: Vec<String> = classes.filter(|class| !class.is_empty()).collect();
                shown.push((c, classes.join(" ")));
            }
        }
    }
    shown
}

#[test]
fn the_terminal_is_the_one_of_now() {
    let mut command = command(["find", "--color", "always", "languages.txt"]);
    command.current_dir(repository("testdata/documents")).env("COLUMNS", "100");
    let done = Done::of(command, b"").exits(0).quiet();
    let screen = format!("$ iriscan find languages.txt\n{}", str::from_utf8(&done.stdout).unwrap());
    let mut rows: BTreeMap<u32, (Vec<Styled>, bool)> = BTreeMap::new();
    let picture = read("docs/pictures/terminal.svg");
    for element in between(&picture, "<text", "</text>") {
        let row = attribute(element, "y").unwrap().parse().unwrap();
        let (characters, rtl) = rows.entry(row).or_default();
        let class = attribute(element, "class").unwrap_or_default();
        let visible = text(element).chars().filter(|c| !c.is_whitespace()).collect::<Vec<_>>();
        characters.extend(visible.into_iter().map(|c| (c, class.to_owned())));
        // Its pieces are in order from right to left, which is not checked here.
        *rtl |= attribute(element, "direction") == Some("rtl");
    }
    assert_eq!(rows.len(), screen.lines().count(), "docs/pictures/make.py terminal makes it anew");
    for ((mut drawn, rtl), line) in rows.into_values().zip(screen.lines()) {
        let mut shown = styled(line);
        if rtl {
            drawn.sort();
            shown.sort();
        }
        assert!(
            drawn == shown,
            "docs/pictures/make.py terminal makes it anew\n{line}\n{drawn:?}\n{shown:?}"
        );
    }
}

/// The sentences of the comparison: each with the links that its writer meant.
fn sentences() -> Vec<(String, Vec<String>)> {
    let text = read("docs/pictures/paragraph.txt");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let meant = line.split('|').skip(1).step_by(2).map(str::to_owned).collect();
            (line.replace('|', ""), meant)
        })
        .collect()
}

#[test]
fn the_comparison_says_what_is_found_now() {
    let make = "docs/pictures/make.py comparison makes it anew";
    let page = read("docs/comparison.md");
    let head = format!("| | iriscan {} |", env!("CARGO_PKG_VERSION"));
    assert!(page.contains(&head), "{head}: {make}");
    let picture = read("docs/pictures/comparison.svg");
    let elements: Vec<&str> = between(&picture, "<text", "</text>").collect();
    let mut rows = elements.chunks(2).filter(|row| text(row[0]).contains("iriscan"));
    let mut right = 0;
    let sentences = sentences();
    assert!(!sentences.is_empty());
    for (number, (sentence, meant)) in (1..).zip(&sentences) {
        let found = iriscan("find --json", sentence).exits(0).records();
        let found: Vec<String> =
            found.iter().map(|record| record["text"].as_str().unwrap().to_owned()).collect();
        let good = found == *meant;
        right += usize::from(good);
        // The numbers in the table.
        let answer = if good { "yes" } else { "no" };
        let row = format!("| {number}. <bdi>`{sentence}`</bdi> | {answer} |");
        assert!(page.contains(&row), "{row}: {make}");
        let links: Vec<String> = found.iter().map(|link| format!("<bdi>`{link}`</bdi>")).collect();
        let note = links.join(", ");
        let wrong = page.lines().any(|line| {
            let line = line.strip_prefix(&format!("- {number}, iriscan"));
            line.is_some_and(|line| line.ends_with(&format!(": {note}")))
        });
        assert_eq!(wrong, !good, "{number}. {note}: {make}");
        // The numbers in the picture.
        let row = rows.next().unwrap_or_else(|| panic!("{number}: {make}"));
        assert!(text(row[0]).starts_with(if good { "✓ " } else { "✗ " }), "{row:?}: {make}");
        assert_eq!(text(row[1]), *sentence, "{make}");
        let drawn: Vec<String> = between(row[1], "<tspan", "</tspan>").map(text).collect();
        assert_eq!(drawn, found, "{make}");
    }
    let total = format!("| as meant | {right} of {} |", sentences.len());
    assert!(page.contains(&total), "{total}: {make}");
    assert!(rows.next().is_none(), "{make}");
}

/// A browser drew this picture. A digest shows which page it drew.
#[test]
fn the_picture_of_a_report_is_of_the_page_of_now() {
    let mut command = command(["report", "-o", "-", "languages.txt", "oshirase.shift_jis.txt"]);
    command.current_dir(repository("testdata/documents"));
    let page = Done::of(command, b"").exits(0).quiet().stdout;
    let digest: String = Sha256::digest(page).iter().map(|byte| format!("{byte:02x}")).collect();
    let known = read("docs/pictures/report.sha256");
    assert_eq!(known.trim_end(), digest, "docs/pictures/make.py report makes it anew");
}
