//! The warnings about links that deceive, on messages written for it: `testdata/mail/deceit.toml`.

use std::{fs, path::Path, string::String, vec::Vec};

use crate::{api::config::Config, mail, reference::warning::Warning};

#[derive(serde::Deserialize)]
struct File {
    message: Vec<Message>,
}

#[derive(serde::Deserialize)]
struct Message {
    language: String,
    html: String,
    truth: Vec<String>,
}

/// How often a warning was given, and should be.
#[derive(Debug, Default, PartialEq, Eq)]
struct Count {
    right: u32,
    /// Given for a link that does not deceive in this way.
    wrong: u32,
    missed: u32,
}

#[test]
fn precision_and_recall_of_the_warnings_about_deceit() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/mail/deceit.toml");
    let text = fs::read_to_string(path).expect("the messages should be there");
    let file: File = toml::from_str(&text).expect("the messages should be TOML");
    assert!(file.message.len() >= 60, "{} messages", file.message.len());
    let mut languages: Vec<_> = file.message.iter().map(|message| &message.language).collect();
    languages.sort();
    languages.dedup();
    assert!(languages.len() >= 10, "{languages:?}");

    let finder = Config::new().elements(true).build().expect("the options should be valid");
    let (mut by_text, mut by_host) = (Count::default(), Count::default());
    for message in &file.message {
        let header = "Content-Type: text/html; charset=utf-8\r\n\r\n";
        let links = mail::find(&finder, [header, &message.html].concat().as_bytes());
        let links: Vec<_> = links.iter().filter(|link| link.link().anchor().is_some()).collect();
        assert_eq!(links.len(), message.truth.len(), "{}", message.html);
        for (found, truth) in links.iter().zip(&message.truth) {
            let warnings = found.link().warnings();
            for (count, name, warning) in [
                (&mut by_text, "text", Warning::TextNamesAnotherHost),
                (&mut by_host, "host", Warning::ConfusableHost),
            ] {
                match (warnings.contains(&warning), truth == name) {
                    (true, true) => count.right += 1,
                    (true, false) => count.wrong += 1,
                    (false, true) => count.missed += 1,
                    (false, false) => {}
                }
            }
        }
    }
    // Missed: "Click here for My Bank" and "Weiter zur Volksbank" name no host. Wrong: a mailing
    // counts clicks.
    assert_eq!(by_text, Count { right: 28, wrong: 1, missed: 2 }, "text-names-another-host");
    assert_eq!(by_host, Count { right: 5, wrong: 0, missed: 0 }, "confusable-host");
}
