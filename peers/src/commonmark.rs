//! The examples of the CommonMark Specification: every target that its HTML has is found, and nothing
//! else is taken for one.

use std::{collections::BTreeSet, fs};

use crate::{Config, Format, Kind, REPOSITORY, markup};

#[derive(serde::Deserialize)]
struct Example {
    example: u32,
    markdown: String,
    html: String,
}

/// Targets that are no links: the host of 346 and 600 is none, the schemes of the others are not common.
const NO_LINKS: [u32; 5] = [346, 598, 599, 600, 601];

/// References that the HTML does not have: definitions that nothing refers to, or not that one of two, and
/// links in the text of an image or of a link.
const WITHOUT_HTML: [u32; 18] =
    [204, 207, 208, 210, 317, 520, 536, 537, 538, 544, 545, 563, 565, 567, 571, 574, 575, 592];

/// A reference in the form in which references are compared: what HTML drops dropped, and all that may be
/// percent-encoded so.
fn normal(reference: &str) -> String {
    let kept = |b: &u8| b.is_ascii_alphanumeric() || b"!#$%&'()*+,-./:;=?@_~".contains(b);
    let text = reference.replace(['\n', '\r', '\t'], "");
    text.bytes()
        .map(|b| if kept(&b) { char::from(b).to_string() } else { format!("%{b:02X}") })
        .collect()
}

#[test]
fn targets_are_those_of_the_specification() {
    let path = format!("{REPOSITORY}/peers/data/commonmark-0.31.2.jsonl");
    let lines = fs::read_to_string(path).expect("the examples should be there");
    let finder = Config::new().kinds([Kind::Iri, Kind::Email]).format(Format::Markdown).build();
    let finder = finder.expect("the options should be valid");
    let (mut failed, mut missed, mut more) = (vec![], vec![], vec![]);
    for line in lines.lines() {
        let Example { example, markdown, html } = serde_json::from_str(line).expect("JSON");
        let want: BTreeSet<String> =
            markup::references(&html).iter().map(|it| normal(it)).collect();
        let links: Vec<_> = finder.find_iter(&markdown).collect();
        let reference = |link: &iriscan::Match<'_>| match link.kind() {
            Kind::Email => normal(&format!("mailto:{}", link.iri())),
            _ => normal(&link.iri()),
        };
        let found: BTreeSet<String> = links.iter().map(reference).collect();
        // A link of running text is one, whether Markdown makes it one or not.
        let relative =
            |link: &&iriscan::Match<'_>| link.kind() == Kind::Iri && link.scheme().is_none();
        let targets: BTreeSet<String> =
            links.iter().filter(relative).map(|link| normal(&link.iri())).collect();
        if !want.is_subset(&found) {
            missed.push(example);
        }
        if !targets.is_subset(&want) {
            more.push(example);
        }
        if !NO_LINKS.contains(&example) && !want.is_subset(&found)
            || !WITHOUT_HTML.contains(&example) && !targets.is_subset(&want)
        {
            failed.push(format!("{example}: {markdown:?}: want {want:?}, found {found:?}"));
        }
    }
    assert_eq!(lines.lines().count(), 652);
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert_eq!(
        (missed, more),
        (NO_LINKS.to_vec(), WITHOUT_HTML.to_vec()),
        "each exception is needed"
    );
}
