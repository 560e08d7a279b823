//! The warnings about links that deceive, on messages written for it: `testdata/mail/deceit.toml`.

use std::{fs, path::Path, string::String, vec::Vec};

use crate::{
    Filter, Format, Rewrite, Schemes,
    api::config::Config,
    mail,
    reference::{to_iri::HostLabels, warning::Warning},
};

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

fn assert_rewriting_leaves(html: &str) {
    for rewrite in [Rewrite::Uri, Rewrite::Iri(HostLabels::Keep)] {
        let config = Config::new().rewrite(rewrite.clone()).format(Format::Html);
        let finder = config.build().expect("the options should be valid");
        assert_eq!(finder.rewrite_slice(html).0, html.as_bytes(), "{rewrite:?}");
    }
}

/// What a browser opens where RFC 3986 says something else. Rewriting leaves all of it.
#[test]
fn hosts_are_those_that_a_browser_opens() {
    let finder = Config::new().elements(true).build().expect("the options should be valid");
    for (href, host, open) in [
        ("https:\\\\evil.example/é", "evil.example", Some("https://evil.example/%C3%A9")),
        ("https:/evil.example/x", "evil.example", Some("https://evil.example/x")),
        ("https:evil.example", "evil.example", Some("https://evil.example")),
        ("https:////evil.example/", "evil.example", Some("https://evil.example/")),
        ("/\\evil.example/x", "evil.example", None),
        ("\\\\evil.example/é", "evil.example", None),
        ("///evil.example/x", "evil.example", None),
        ("&#1; https://evil.example/x", "evil.example", Some("https://evil.example/x")),
        ("https:&#9;\\&#10;/ev&#13;il.example/", "evil.example", Some("https://evil.example/")),
        (
            "https://evil.example\\@good.example/é",
            "evil.example",
            Some("https://evil.example/@good.example/%C3%A9"),
        ),
        ("http://0x7f.1/é", "127.0.0.1", Some("http://127.0.0.1/%C3%A9")),
        ("http://2130706433", "127.0.0.1", Some("http://127.0.0.1")),
        (
            "http:\\\\b\u{fc}cher.example\\x",
            "xn--bcher-kva.example",
            Some("http://xn--bcher-kva.example/x"),
        ),
    ] {
        let html = ["<a href=\"", href, "\">https://good.example/</a>"].concat();
        let finders = [finder.clone().format(Format::Html), finder.clone().format(Format::Xml)];
        let header = "Content-Type: text/html; charset=utf-8\r\n\r\n";
        let message = [header, &html].concat();
        let feed = ["<a><![CDATA[", &html, "]]></a>"].concat();
        let mut links: Vec<_> = finders[0].find_iter(&html).map(|link| link.to_link()).collect();
        links.truncate(1);
        links.extend(
            mail::find(&finder, message.as_bytes()).first().map(|link| link.link().clone()),
        );
        links.extend(finders[1].find_iter(&feed).next().map(|link| link.to_link()));
        assert_eq!(links.len(), 3, "{href}");
        for link in &links {
            assert_eq!(link.host().as_deref(), Some(host), "{href}");
            assert_eq!(link.host_key().as_deref(), Some(host), "{href}");
            assert_eq!(link.open().ok().as_deref(), open, "{href}");
            assert_eq!(link.scheme().is_some(), open.is_some(), "{href}");
            let warnings = link.warnings();
            // Controls before a reference are no part of it.
            let differs = !href.starts_with("&#1;");
            assert_eq!(warnings.contains(&Warning::BrowserHost), differs, "{href}: {warnings:?}");
            assert!(warnings.contains(&Warning::TextNamesAnotherHost), "{href}: {warnings:?}");
            assert_eq!(link.iri() != open.unwrap_or_default(), differs, "the IRI stays");
            assert_eq!(link.uri().is_ok(), link.is_ascii(), "{href}");
        }
        assert_rewriting_leaves(&html);
        let filter = Filter::builder().only_host(host).build().expect("valid");
        let finder = Config::new().filter(filter).schemes(Schemes::Any).format(Format::Html);
        let chosen = finder.build().expect("valid").find_iter(&html).count();
        assert_eq!(chosen, usize::from(open.is_some()), "{href}");
    }
    for html in
        ["<a href='https://good.example/\\x'>", "<p>https:\\\\evil.example", "<a href='/x//y'>"]
    {
        for link in finder.clone().format(Format::Html).find_iter(html) {
            assert!(!link.warnings().contains(&Warning::BrowserHost), "{html}");
        }
    }
}

#[test]
fn the_base_of_a_document_counts_for_the_text_of_links() {
    let finder = Config::new().elements(true).format(Format::Html).build();
    let finder = finder.expect("the options should be valid");
    for (html, warned) in [
        ("<base href='https://evil.example/'><a href='/x'>https://bank.example/</a>", true),
        ("<base href='//evil.example'><a href='#x'>https://bank.example</a>", true),
        (
            "<base target=x><base href=https:\\\\evil.example><a href=x>https://bank.example</a>",
            true,
        ),
        ("<base href='https://www.bank.example/'><a href='/x'>https://bank.example/</a>", false),
        (
            "<base href='/y'><base href='https://evil.example/'><a href='/x'>https://bank.example/</a>",
            false,
        ),
        (
            "<base href='https://evil.example/'><a href='mailto:x@y.example'>https://bank.example</a>",
            false,
        ),
        ("<base href='https://evil.example/'><a href='/x'>My bank</a>", false),
        ("<a href='/x'>https://bank.example/</a>", false),
    ] {
        let given = finder
            .find_iter(html)
            .any(|link| link.warnings().contains(&Warning::TextNamesAnotherHost));
        assert_eq!(given, warned, "{html}");
    }
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
