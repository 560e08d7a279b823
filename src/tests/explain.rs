//! Explanations: they are of the links that are found, and name the rule that a case is for.

use std::{
    collections::{BTreeMap, BTreeSet},
    format, fs,
    path::Path,
    println,
    string::{String, ToString},
    vec::Vec,
};

use super::{
    REPOSITORY,
    cases::{self, Case},
    encode::encode,
};
use crate::{
    Config, Kind, Rule,
    api::explain::Explanation,
    charset::{Charset, cursor::STEPS},
    format::kinds::Format,
    grammar::types::RuleSet,
};

/// The cases of running text.
fn of_text() -> impl Iterator<Item = Case> {
    cases::all().into_iter().filter(|case| case.format() == Format::Text)
}

/// The explanations of a case in UTF-8, or in its first charset.
fn explained(case: &Case) -> Vec<Explanation> {
    let documents = case.documents().0;
    let utf8 = documents.iter().find(|document| document.charset == Charset::UTF_8);
    let Some(document) = utf8.or(documents.first()) else { return Vec::new() };
    let finder = case.config(document.charset).build();
    let finder = finder.expect("options of cases should be valid").format(case.format());
    finder.explain(&document.bytes)
}

/// The rules that decided about a case.
fn rules(case: &Case) -> BTreeSet<&'static str> {
    let all = explained(case);
    all.iter().flat_map(|it| [it.began(), it.rule()]).map(Rule::as_str).collect()
}

#[test]
fn explanations_agree() {
    let mut failures = Vec::new();
    for case in cases::all() {
        for document in case.documents().0 {
            let finder = case.config(document.charset).build();
            let finder = finder.expect("options of cases should be valid").format(case.format());
            let all = finder.explain(&document.bytes);
            let links = all.iter().filter(|it| it.is_link());
            let links: Vec<_> = links.map(|it| (it.range().start, it.range().end)).collect();
            // By UTS #58 a name may be read from another dot.
            let read_again = finder.rules.options.set == RuleSet::Uts58
                || case.name == "many-openers-without-partner"
                || all.iter().all(|it| it.rule() != Rule::UnclosedDelimiters);
            if links != document.links || !read_again {
                let rules: Vec<_> = all.iter().map(|it| (it.text(), it.rule().as_str())).collect();
                let (name, charset) = (&case.name, document.charset);
                failures
                    .push(format!("{name} in {charset}: {links:?} {:?} {rules:?}", document.links));
                break;
            }
        }
    }
    assert!(failures.is_empty(), "{} cases:\n{}", failures.len(), failures.join("\n"));
}

/// The rules that only end links.
const ENDS: [Rule; 4] = [Rule::WhiteSpace, Rule::EndOfText, Rule::HostEnd, Rule::BareEnd];

#[test]
fn explanations_do_not_contradict_the_text() {
    let mut failures = Vec::new();
    for case in cases::all() {
        for it in explained(&case) {
            let space = it.character().is_none_or(char::is_whitespace);
            let right = match (it.is_link(), it.rule()) {
                (true, Rule::EndOfText) => it.character().is_none(),
                (true, Rule::WhiteSpace) => it.character().is_some() && space,
                (true, _) => it.without().is_none_or(|longer| longer.starts_with(it.text())),
                (false, rule) => !ENDS.contains(&rule) && it.without().is_none(),
            };
            if !right {
                failures.push(format!(
                    "{}: {:?} {:?} {}",
                    case.name,
                    it.text(),
                    it.character(),
                    it.rule().as_str()
                ));
            }
        }
    }
    assert!(failures.is_empty(), "{} texts:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn explanations_name_the_rule_of_a_case() {
    let (mut failures, mut without) = (Vec::new(), 0);
    for case in cases::all() {
        let Some(rule) = &case.rule else {
            without += usize::from(case.format() == Format::Text);
            continue;
        };
        let rules = rules(&case);
        if !rules.contains(&**rule) {
            failures.push(format!(
                "{}: {rule} is not among {rules:?} (grammar/explain.rs or the reader names it)",
                case.name
            ));
        }
    }
    println!("{without} cases of running text are for no rule");
    assert!(failures.is_empty(), "{} cases:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn what_is_before_a_link_says_why_it_begins() {
    let text = "a\nsee (http://a.example/) xhttp://b.example/ é，http://c.example/";
    let finder = Config::new().build().expect("the defaults should be valid");
    let all = finder.explain(text);
    let links: Vec<_> = all.iter().filter(|it| it.is_link()).collect();
    let began: Vec<_> = links.iter().map(|it| it.began()).collect();
    assert_eq!(began, [Rule::Delimiter, Rule::GluedStart, Rule::Start]);
    let before: Vec<_> = links.iter().map(|it| it.before().to_string()).collect();
    let line = text.lines().last().expect("there are two");
    let starts = ["http://a", "http://b", "http://c"].map(|it| line.find(it).expect("it is there"));
    let want = starts.map(|at| {
        let chars: Vec<char> = line[..at].chars().collect();
        chars[chars.len().saturating_sub(24)..].iter().collect::<String>()
    });
    assert_eq!(before, want);
}

#[test]
fn a_link_is_too_long_by_its_bytes_of_the_source() {
    let links = ["http://a.example/\u{444}\u{444}", "https://\u{444}.example/"];
    let (text, html) = (Format::Text, Format::Html);
    let places = [(text, "(", ")"), (html, "<a href='", "'>"), (html, "<p>", "</p>")];
    let charsets = ["utf-8", "utf-16le", "windows-1251", "gb18030"];
    let charsets: Vec<_> = charsets.iter().filter_map(|it| Charset::for_label(it).ok()).collect();
    for (link, charset) in links.iter().flat_map(|it| charsets.iter().map(move |c| (*it, *c))) {
        let encode = |text: &str| encode(text, charset).expect("the charset should have it");
        let len = encode(link).len() as u64;
        for (format, before, after) in places {
            let text = encode(&[before, link, after].concat());
            for (max_len, fits) in [(len, true), (len - 1, false)] {
                let config = Config::new().charset(charset).max_len(max_len);
                let finder = config.build().expect("options should be valid").format(format);
                let all = finder.explain(&text);
                let rules: Vec<_> = all.iter().map(|it| (it.is_link(), it.rule())).collect();
                let what = format!("{link} in {charset}, {format:?}, {before}: {max_len}");
                assert_eq!(finder.find_iter(&text).count(), usize::from(fits), "{what}");
                assert_eq!(rules.iter().filter(|it| it.0).count(), usize::from(fits), "{what}");
                assert!(fits || rules == [(false, Rule::MaxLength)], "{what}: {rules:?}");
            }
        }
    }
}

#[test]
fn explanations_are_json() {
    for case in cases::all() {
        for it in explained(&case) {
            let json: serde_json::Value = serde_json::from_str(&it.to_json()).expect(&case.name);
            let rule = if it.is_link() { &json["ended"] } else { &json["refused"] };
            let (text, what) = (&json["text"], &rule["rule"]);
            assert_eq!(text, it.text(), "{}", case.name);
            assert_eq!(what, it.rule().as_str(), "{}", case.name);
        }
    }
}

/// A rule as `data/rules.toml` has it.
#[derive(serde::Deserialize)]
struct Written {
    name: String,
    cases: Vec<String>,
}

fn written() -> Vec<Written> {
    #[derive(serde::Deserialize)]
    struct File {
        rule: Vec<Written>,
    }
    let path = Path::new(REPOSITORY).join("data/rules.toml");
    let text = fs::read_to_string(path).expect("the rules should be there");
    toml::from_str::<File>(&text).expect("the rules should be TOML").rule
}

/// Writes the rules of each case, for who fills in the field.
#[test]
#[ignore = "prints"]
fn print_the_rules_of_each_case() {
    for case in of_text() {
        println!("CASE {} {:?}", case.name, rules(&case));
    }
}

#[test]
fn every_rule_has_a_case() {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for rule in cases::all().iter().flat_map(rules) {
        *seen.entry(rule).or_default() += 1;
    }
    let all: BTreeSet<String> = cases::all().into_iter().map(|case| case.name).collect();
    for rule in written() {
        let known = rule.cases.iter().all(|case| all.contains(case));
        assert!(known, "{}: a case of it does not exist", rule.name);
        let occurs = seen.contains_key(&*rule.name) || !rule.cases.is_empty();
        assert!(occurs, "{}: no case is decided by it", rule.name);
    }
}

/// Texts full of anchors. A text is read from each anchor, but not to its end: four times the text takes six
/// times the work at most, and not sixteen. Work is counted, because time depends on the machine.
#[test]
fn explaining_hostile_texts_takes_linear_time() {
    let kinds = [Kind::Iri, Kind::Bare, Kind::Email];
    let finder = Config::new().kinds(kinds).build().expect("the options should be valid");
    for unit in [
        "a@",
        "a.a@",
        "a.",
        "a:",
        "http://",
        "mailto:",
        "http://a ",
        "a@b. ",
        "[http://a(",
        "www.",
        "http://a.example/(",
        "http://a.example/\"",
    ] {
        let work = |n: usize| {
            let (text, before) = (unit.repeat(n), STEPS.get());
            let all = finder.explain(&*text);
            assert!(all.iter().all(|it| it.range().end <= text.len() as u64));
            STEPS.get() - before
        };
        let (few, many) = (work(1_200), work(4_800));
        // A link of 64 KiB is in the longer text, and none in the shorter one.
        let most = (6 * few).max(256 * 4_800 * unit.len() as u64);
        assert!(few > 1_200 && many < most, "{unit:?}: {few:?}, {many:?}");
    }
}
