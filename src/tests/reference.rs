//! Tests of whole references that the vectors of the standards do not cover.
//!
//! Cases of one shape are data in `testdata/reference/*.toml`. A case with a `bug` documents a
//! wrong answer: it must fail. Once the bug is fixed, remove the `bug`.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    format, fs,
    net::{Ipv4Addr, Ipv6Addr},
    path::Path,
    string::{String, ToString},
    time::{Duration, Instant},
    vec,
    vec::Vec,
};

use proptest::prelude::*;
use serde::{Deserialize, de::DeserializeOwned};

use crate::{
    charset::Charset,
    reference::{
        bidi::{Embedding, embed},
        components::{Component, Components},
        field::{CharacterReferences, FieldOptions, InnerSpace},
        idna2008::is_idna2008_name,
        normal::{Form, Level, equivalent},
        resolve::SameScheme,
        syntax::{Edition, Grammar, HostKind, Reference},
        text::{LinkParts, to_text},
        to_iri::{HostLabels, Inadvisable, IriOptions, PrivateUse, Unreserved, leiri_to_iri},
        to_uri::{
            Backslash, Disallowed, HostEscapes, HostForm, Nfc, QueryCharset, Unmappable, UriError,
            UriOptions,
        },
        warning::Warning,
    },
};

/// Reads a file of `testdata/reference`.
fn data<T: DeserializeOwned>(name: &str) -> T {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/reference");
    let text = fs::read_to_string(folder.join(name)).expect("data should be UTF-8");
    toml::from_str(&text).unwrap_or_else(|e| panic!("{name}: {e}"))
}

#[derive(Deserialize)]
struct Cases<T> {
    case: Vec<T>,
}

/// Collects the results of cases. A case fails if its answer is wrong, or if it has a `bug` and its
/// answer is right.
#[derive(Default)]
struct Failures(Vec<String>);

impl Failures {
    fn expect(&mut self, passes: bool, bug: Option<&str>, report: impl FnOnce() -> String) {
        match (passes, bug) {
            (true, Some(_)) => self.0.push(format!("comes right: remove its bug: {}", report())),
            (false, None) => self.0.push(report()),
            _ => {}
        }
    }
}

impl Drop for Failures {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            assert!(self.0.is_empty(), "{} fail:\n{}", self.0.len(), self.0.join("\n"));
        }
    }
}

fn parse(text: &str) -> Reference<'_> {
    Reference::parse(text, Grammar::IriReference).unwrap_or_else(|e| panic!("{text:?}: {e}"))
}

// ---- Grammars ----

/// By the letters of `syntax.toml`.
const GRAMMARS: [(char, Grammar); 7] = [
    ('I', Grammar::Iri),
    ('i', Grammar::IriReference),
    ('A', Grammar::AbsoluteIri),
    ('U', Grammar::Uri),
    ('u', Grammar::UriReference),
    ('B', Grammar::AbsoluteUri),
    ('L', Grammar::Leiri),
];

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Syntax {
    ipv6: Vec<String>,
    not_ipv6: Vec<String>,
    future: Vec<String>,
    not_future: Vec<String>,
    case: Vec<Accepted>,
}

#[derive(Deserialize)]
struct Accepted {
    text: String,
    by: String,
}

fn accepting(text: &str) -> String {
    let accepts = |&&(_, grammar): &&(char, Grammar)| Reference::parse(text, grammar).is_ok();
    GRAMMARS.iter().filter(accepts).map(|(letter, _)| *letter).collect()
}

#[test]
fn each_grammar_accepts_exactly_what_its_rules_allow() {
    let syntax: Syntax = data("syntax.toml");
    let mut failures = Failures::default();
    for Accepted { text, by } in &syntax.case {
        let got = accepting(text);
        failures.expect(got == *by, None, || format!("{text:?} by {got:?}, not {by:?}"));
    }
}

#[test]
fn ip_literals_are_the_nine_forms_of_ipv6_and_ipvfuture() {
    let syntax: Syntax = data("syntax.toml");
    let everywhere: String = GRAMMARS.iter().map(|(letter, _)| *letter).collect();
    let mut failures = Failures::default();
    for (literals, yes) in [
        (&syntax.ipv6, true),
        (&syntax.not_ipv6, false),
        (&syntax.future, true),
        (&syntax.not_future, false),
    ] {
        for literal in literals {
            let got = accepting(&format!("http://[{literal}]/"));
            let want = if yes { &*everywhere } else { "" };
            failures.expect(got == want, None, || format!("[{literal}]: {got:?}, not {want:?}"));
        }
    }
    for literal in &syntax.ipv6 {
        let text = format!("//u@[{literal}]:80");
        let address: Ipv6Addr = literal.parse().expect("an address");
        assert_eq!(parse(&text).host_kind(), Some(HostKind::Ipv6(address)));
    }
    for literal in &syntax.future {
        let text = format!("//[{literal}]");
        assert_eq!(parse(&text).host_kind(), Some(HostKind::IpvFuture), "{literal}");
    }
}

#[test]
fn the_first_rule_that_matches_a_host_wins() {
    let four = |a, b, c, d| Some(HostKind::Ipv4(Ipv4Addr::new(a, b, c, d)));
    let name = Some(HostKind::RegName);
    for (text, kind) in [
        ("http://127.0.0.1:80/", four(127, 0, 0, 1)),
        ("//255.255.255.255", four(255, 255, 255, 255)),
        ("//0.0.0.0", four(0, 0, 0, 0)),
        ("//256.0.0.1", name),
        ("//999.1.1.1", name),
        ("//127.0.0.01", name),
        ("//1.2.3", name),
        ("//1.2.3.4.", name),
        ("//1.2.3.4.5", name),
        ("//0x7f.1", name),
        ("//１.2.3.4", name),
        ("//%31.2.3.4", name),
        ("//例え.jp", name),
        ("file:///a", name),
        ("//", name),
        ("//:80", name),
        ("mailto:a@[::1]", None),
        ("/a", None),
        ("", None),
    ] {
        let text = text.replace("a@[::1]", "a@h");
        assert_eq!(parse(&text).host_kind(), kind, "{text}");
    }
}

#[test]
fn an_error_names_the_first_wrong_character_and_says_what_to_do() {
    #[derive(Deserialize)]
    struct Case {
        grammar: String,
        text: String,
        at: usize,
        found: String,
        says: String,
        bug: Option<String>,
    }
    let mut failures = Failures::default();
    for case in data::<Cases<Case>>("errors.toml").case {
        let error = Reference::parse(&case.text, grammar(&case.grammar)).expect_err(&case.text);
        let found = error.found().map(String::from).unwrap_or_default();
        let reason = error.reason().to_string();
        assert_eq!(error.to_string(), format!("byte {}: {reason}", error.offset()));
        assert!(!reason.ends_with('.') && !reason.starts_with(char::is_uppercase), "{reason}");
        let passes =
            (error.offset(), &found) == (case.at, &case.found) && reason.contains(&*case.says);
        failures.expect(passes, case.bug.as_deref(), || {
            format!("{:?}: byte {}, {found:?}: {reason}", case.text, error.offset())
        });
    }
}

fn grammar(name: &str) -> Grammar {
    match name {
        "iri" => Grammar::Iri,
        "iri-reference" => Grammar::IriReference,
        "absolute-iri" => Grammar::AbsoluteIri,
        "uri" => Grammar::Uri,
        "uri-reference" => Grammar::UriReference,
        "absolute-uri" => Grammar::AbsoluteUri,
        "leiri" => Grammar::Leiri,
        other => panic!("grammar {other:?}"),
    }
}

#[test]
fn the_editions_differ_in_tags_and_in_escapes_of_hosts() {
    for (text, grammar, rfc3987, bis) in [
        ("http://h%41/", Grammar::Iri, true, false),
        ("http://u%41@h/%41?%41#%41", Grammar::Iri, true, true),
        ("http://u%41@h%41/", Grammar::Iri, true, false),
        ("//h%41", Grammar::IriReference, true, false),
        ("http://h%41", Grammar::AbsoluteIri, true, false),
        ("http://h%41/", Grammar::Uri, true, true),
        ("//h%41/", Grammar::UriReference, true, true),
        ("http://h%41/", Grammar::AbsoluteUri, true, true),
        ("http://[::1]/", Grammar::Iri, true, true),
        ("http://h/?\u{E0000}\u{E0FFF}", Grammar::Iri, false, true),
        ("?\u{E0001}", Grammar::IriReference, false, true),
        ("http://h/\u{E0001}", Grammar::Iri, false, false),
        ("http://h/#\u{E0001}", Grammar::Iri, false, false),
        ("http://\u{E0001}/", Grammar::Iri, false, false),
        ("http://h/?\u{E0001}", Grammar::Uri, false, false),
        ("http://h/\u{E0001}", Grammar::Leiri, true, true),
    ] {
        let is = |edition| Reference::parse_edition(text, grammar, edition).is_ok();
        assert_eq!(
            (is(Edition::Rfc3987), is(Edition::Bis)),
            (rfc3987, bis),
            "{text:?} {grammar:?}"
        );
    }
    let error = Reference::parse_edition("http://a.h%41/", Grammar::Iri, Edition::Bis).unwrap_err();
    assert_eq!((error.offset(), error.found()), (10, Some('%')));
}

#[test]
fn components_are_split_at_their_delimiters() {
    use Component::*;
    let all = [Scheme, Authority, Userinfo, Host, Port, Path, Query, Fragment];
    for (text, parts) in [
        ("", [None, None, None, None, None, Some(""), None, None]),
        (
            "http://ü:p@例え.jp:80/パス?q=é#f",
            [
                Some("http"),
                Some("ü:p@例え.jp:80"),
                Some("ü:p"),
                Some("例え.jp"),
                Some("80"),
                Some("/パス"),
                Some("q=é"),
                Some("f"),
            ],
        ),
        ("?#", [None, None, None, None, None, Some(""), Some(""), Some("")]),
        ("//@:", [None, Some("@:"), Some(""), Some(""), Some(""), Some(""), None, None]),
        ("a:b?c?d", [Some("a"), None, None, None, None, Some("b"), Some("c?d"), None]),
        ("x#y?z#", [None, None, None, None, None, Some("x"), None, Some("y?z#")]),
        (
            "//[::1]:8/é",
            [None, Some("[::1]:8"), None, Some("[::1]"), Some("8"), Some("/é"), None, None],
        ),
        ("//[::1]", [None, Some("[::1]"), None, Some("[::1]"), None, Some(""), None, None]),
        // No scheme begins with a digit or with a letter outside of ASCII.
        ("1a:b", [None, None, None, None, None, Some("1a:b"), None, None]),
        ("é:b", [None, None, None, None, None, Some("é:b"), None, None]),
        // These are not valid. Of several `@` the last one counts, as in browsers. A colon in a
        // literal without its `]` begins no port.
        ("//a@b@c", [None, Some("a@b@c"), Some("a@b"), Some("c"), None, Some(""), None, None]),
        ("//[::1", [None, Some("[::1"), None, Some("[::1"), None, Some(""), None, None]),
        ("//a:b:c", [None, Some("a:b:c"), None, Some("a:b"), Some("c"), Some(""), None, None]),
    ] {
        let split = Components::split(text);
        for (component, want) in all.into_iter().zip(parts) {
            let range = split.range(component);
            assert_eq!(range.map(|range| &text[range]), want, "{text}: {}", component.as_str());
        }
        let named = [
            split.scheme(),
            split.authority(),
            split.userinfo(),
            split.host(),
            split.port(),
            Some(split.path()),
            split.query(),
            split.fragment(),
        ];
        assert_eq!(named, parts, "{text}");
        assert_eq!(split.as_str(), text);
        if let Ok(reference) = Reference::parse(text, Grammar::Leiri) {
            assert_eq!(reference.components(), split, "{text}");
        }
    }
}

// ---- Conversions ----

/// Options as they are written in `testdata/reference/convert.toml`.
struct With<'w>(BTreeMap<&'w str, &'w str>);

impl<'w> With<'w> {
    fn of(text: &'w str) -> With<'w> {
        let pair = |word: &'w str| word.split_once('=').expect("an option should have a value");
        With(text.split_whitespace().map(pair).collect())
    }

    /// Returns the value that the option's name gives; the library's default without it.
    fn get<T: Default + Copy>(&mut self, option: &str, values: &[(&str, T)]) -> T {
        let Some(value) = self.0.remove(option) else { return T::default() };
        let known = values.iter().find(|(name, _)| *name == value);
        known.unwrap_or_else(|| panic!("{option}={value}")).1
    }

    fn uri(mut self) -> UriOptions {
        let charset = self.0.remove("charset").unwrap_or("utf-8");
        let options = UriOptions::new()
            .charset(Charset::for_label(charset).expect("a label"))
            .host(self.get("host", &[("percent", HostForm::Percent), ("keep", HostForm::Keep)]))
            .host_escapes(self.get("host-escapes", &[("keep", HostEscapes::Keep)]))
            .query(self.get("query", &[("utf-8", QueryCharset::Utf8)]))
            .nfc(self.get("nfc", &[("always", Nfc::Always), ("never", Nfc::Never)]))
            .disallowed(self.get("disallowed", &[("fail", Disallowed::Fail)]))
            .unmappable(
                self.get("unmappable", &[("utf-8", Unmappable::Utf8), ("fail", Unmappable::Fail)]),
            )
            .backslash(self.get("backslash", &[("slash", Backslash::Slash)]));
        self.done();
        options
    }

    fn iri(mut self) -> IriOptions {
        let escapes = self.0.remove("escapes");
        let escapes = escapes.map(|label| Charset::for_label(label).expect("a label"));
        let host = [("unicode", HostLabels::Unicode), ("always", HostLabels::UnicodeAlways)];
        let options =
            IriOptions::new()
                .escapes(escapes)
                .host(self.get("host", &host))
                .private_use(self.get(
                    "private-use",
                    &[("keep", PrivateUse::Keep), ("decode", PrivateUse::Decode)],
                ))
                .inadvisable(self.get(
                    "inadvisable",
                    &[
                        ("unseen", Inadvisable::Unseen),
                        ("keep", Inadvisable::Keep),
                        ("all", Inadvisable::All),
                    ],
                ))
                .unreserved(self.get("unreserved", &[("keep", Unreserved::Keep)]));
        self.done();
        options
    }

    fn edition(mut self) -> Edition {
        let edition = self.get("edition", &[("bis", Edition::Bis)]);
        self.done();
        edition
    }

    fn normal(mut self) -> (Level, Form) {
        let level = self.get("level", &LEVELS);
        let form = self.get("form", &[("uri", Form::Uri), ("iri", Form::Iri)]);
        self.done();
        (level, form)
    }

    fn done(self) {
        assert!(self.0.is_empty(), "unknown options {:?}", self.0);
    }
}

const LEVELS: [(&str, Level); 8] = [
    ("string", Level::String),
    ("case", Level::Case),
    ("percent", Level::Percent),
    ("path", Level::Path),
    ("syntax", Level::Syntax),
    ("scheme", Level::Scheme),
    ("idn", Level::Idn),
    ("nfc", Level::Nfc),
];

#[test]
fn conversions_follow_each_option_and_borrow_unchanged_text() {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Case {
        op: String,
        #[serde(default)]
        with: String,
        text: String,
        want: Option<String>,
        error: Option<String>,
        bug: Option<String>,
    }
    let mut failures = Failures::default();
    for case in data::<Cases<Case>>("convert.toml").case {
        let (text, with) = (&*case.text, With::of(&case.with));
        let got: Result<Cow<'_, str>, String> = match &*case.op {
            "to-uri" => with.uri().to_uri(text).map_err(|e: UriError| e.to_string()),
            "to-iri" => Ok(with.iri().to_iri(text)),
            "leiri-to-iri" => leiri_to_iri(text, with.edition()).map_err(|e| e.to_string()),
            "normal" => {
                let (level, form) = with.normal();
                Ok(parse(text).normalize_as(level, form))
            }
            "text" => Ok(to_text(text).into()),
            other => panic!("op {other:?}"),
        };
        let passes = match (&got, &case.want, &case.error) {
            (Ok(got), Some(want), None) => got == want,
            (Ok(got), None, None) => matches!(got, Cow::Borrowed(got) if *got == text),
            (Err(why), None, Some(words)) => why.contains(&**words),
            _ => false,
        };
        failures.expect(passes, case.bug.as_deref(), || {
            format!("{} {:?} with {:?}: {got:?}", case.op, case.text, case.with)
        });
    }
}

#[test]
fn converting_a_second_time_changes_nothing() {
    #[derive(Deserialize)]
    struct Case {
        op: String,
        #[serde(default)]
        with: String,
        text: String,
        bug: Option<String>,
    }
    for case in data::<Cases<Case>>("convert.toml").case {
        let with = || With::of(&case.with);
        if case.bug.is_some() {
            continue;
        }
        match &*case.op {
            "to-uri" => {
                let Ok(once) = with().uri().to_uri(&case.text) else { continue };
                let again = with().uri().to_uri(&once);
                assert_eq!(again.as_deref(), Ok(&*once), "{:?} {:?}", case.text, case.with);
            }
            "normal" => {
                let (level, form) = with().normal();
                let once = parse(&case.text).normalize_as(level, form);
                assert_eq!(parse(&once).normalize_as(level, form), once, "{}", case.text);
            }
            "to-iri" => {
                let once = with().iri().to_iri(&case.text);
                assert_eq!(with().iri().to_iri(&once), once, "{:?} {:?}", case.text, case.with);
            }
            "leiri-to-iri" => {
                let Ok(iri) = leiri_to_iri(&case.text, with().edition()) else { continue };
                let is = Reference::parse_edition(&iri, Grammar::IriReference, with().edition());
                assert!(is.is_ok(), "{iri:?}");
                assert!(Components::split(&iri).bidi_findings().is_empty());
            }
            _ => assert_eq!(to_text(&to_text(&case.text)), to_text(&case.text), "{}", case.text),
        }
    }
}

#[test]
fn a_valid_iri_converts_to_a_valid_uri() {
    #[derive(Deserialize)]
    struct Case {
        op: String,
        #[serde(default)]
        with: String,
        text: String,
    }
    let mut count = 0;
    for Case { op, with, text } in data::<Cases<Case>>("convert.toml").case {
        let valid = Reference::parse(&text, Grammar::IriReference).is_ok();
        if op != "to-uri" || with.contains("host=keep") || !valid {
            continue;
        }
        let Ok(uri) = With::of(&with).uri().to_uri(&text) else { continue };
        assert!(Reference::parse(&uri, Grammar::UriReference).is_ok(), "{text:?} {with}: {uri:?}");
        count += 1;
    }
    assert!(count > 40, "only {count} were converted");
}

/// The pieces of URIs: escapes of every kind, and the characters around them.
const PIECES: &[&str] = &[
    "a",
    "B",
    "~",
    "/",
    "?",
    "#",
    "=",
    "&",
    ".",
    "..",
    ":",
    "@",
    "+",
    "%41",
    "%7e",
    "%2F",
    "%2f",
    "%25",
    "%20",
    "%00",
    "%7F",
    "%C3%A9",
    "%c3%a9",
    "%E9",
    "%C3",
    "%A9",
    "%C0%AF",
    "%ED%A0%80",
    "%E6%97%A5",
    "%F0%9F%98%80",
    "%CC%81",
    "%E2%80%AE",
    "%D8%9C",
    "%E2%80%8D",
    "%EF%BF%BD",
    "%EF%B7%90",
    "%EE%80%80",
    "%F3%A0%80%81",
    "%C2%85",
    "%C2%A0",
    "%EF%BC%8F",
    "%E1%84%80",
    "%E1%85%A1",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    /// Conversion to an IRI and back gives the same URI, except for the case of digits and for
    /// escapes of unreserved characters.
    #[test]
    fn conversion_to_an_iri_and_back_gives_the_same_uri(
        head in prop::sample::select(vec!["", "http://h/", "foo:", "//%C3%A9.de/", "http://u%40@h?"]),
        pieces in prop::collection::vec(prop::sample::select(PIECES), 0..12),
        keep in any::<[bool; 3]>(),
    ) {
        let uri = [head, &*pieces.concat()].concat();
        let Ok(reference) = Reference::parse(&uri, Grammar::UriReference) else { return Ok(()) };
        let mut options = IriOptions::new();
        for (i, keep) in keep.into_iter().enumerate() {
            options = match (keep, i) {
                (false, _) => options,
                (true, 0) => options.private_use(PrivateUse::Decode),
                (true, 1) => options.inadvisable(Inadvisable::Keep),
                (true, _) => options.unreserved(Unreserved::Keep),
            };
        }
        let iri = options.to_iri(&uri);
        prop_assert!(Reference::parse(&iri, Grammar::IriReference).is_ok(), "{uri:?} {iri:?}");
        let back = UriOptions::new().host(HostForm::Percent).to_uri(&iri).expect("percent-encoded");
        let plain = |uri: &str| {
            let decoded = parse(uri).normalize(Level::Percent).into_owned();
            parse(&decoded).normalize(Level::Case).into_owned()
        };
        prop_assert_eq!(plain(&back), plain(reference.as_str()), "{:?}", iri);
    }
}

// ---- Comparison ----

#[test]
fn each_level_compares_as_its_standard_says() {
    #[derive(Deserialize)]
    struct Case {
        a: String,
        b: String,
        at: String,
        bug: Option<String>,
    }
    let mut failures = Failures::default();
    for case in data::<Cases<Case>>("compare.toml").case {
        let (a, b) = (parse(&case.a), parse(&case.b));
        let same = |(_, level): &&(&str, Level)| equivalent(&a, &b, *level);
        let got: Vec<_> = LEVELS.iter().filter(same).map(|(name, _)| *name).collect();
        for (name, level) in LEVELS {
            assert_eq!(equivalent(&b, &a, level), got.contains(&name), "{}", case.a);
            assert!(equivalent(&a, &a, level) && equivalent(&b, &b, level));
        }
        let want: Vec<_> = case.at.split(' ').filter(|word| !word.is_empty()).collect();
        failures.expect(got == want, case.bug.as_deref(), || {
            format!("{:?} and {:?} at {got:?}, not {want:?}", case.a, case.b)
        });
    }
}

#[test]
fn each_scheme_has_its_default_port_and_empty_path() {
    for (scheme, port, empty_is_slash) in [
        ("acap", "674", false),
        ("coap", "5683", true),
        ("coap+tcp", "5683", true),
        ("coap+ws", "80", true),
        ("coaps", "5684", true),
        ("coaps+tcp", "5684", true),
        ("coaps+ws", "443", true),
        ("dict", "2628", false),
        ("dns", "53", false),
        ("ftp", "21", true),
        ("git", "9418", false),
        ("gopher", "70", false),
        ("http", "80", true),
        ("https", "443", true),
        ("imap", "143", false),
        ("ipp", "631", true),
        ("ipps", "631", true),
        ("ldap", "389", false),
        ("mtqp", "1038", false),
        ("nfs", "2049", false),
        ("nntp", "119", false),
        ("pop", "110", false),
        ("rsync", "873", false),
        ("rtsp", "554", false),
        ("rtsps", "322", false),
        ("rtspu", "554", false),
        ("ssh", "22", false),
        ("svn", "3690", false),
        ("telnet", "23", false),
        ("tn3270", "23", false),
        ("vnc", "5900", false),
        ("ws", "80", true),
        ("wss", "443", true),
    ] {
        let normal = |text: String| parse(&text).normalize(Level::Scheme).into_owned();
        assert_eq!(normal(format!("{scheme}://h:{port}/")), format!("{scheme}://h/"));
        assert_eq!(normal(format!("{scheme}://h:1/")), format!("{scheme}://h:1/"));
        let slash = if empty_is_slash { "/" } else { "" };
        assert_eq!(normal(format!("{scheme}://h?q")), format!("{scheme}://h{slash}?q"));
    }
}

// ---- Resolution ----

#[test]
fn a_base_needs_a_scheme() {
    let error = parse("g").resolve(&parse("//h/a")).unwrap_err();
    assert_eq!(error.to_string(), "the base has no scheme; give an absolute one");
    assert!(parse("http://h/").resolve(&parse("")).is_err());
    assert!(parse("http://h/").make_relative(&parse("a")).is_err());
}

#[test]
fn a_reference_with_the_scheme_of_its_base_is_absolute_by_default() {
    for (text, strict, relative) in [
        ("http:g", "http:g", "http://h/b/g"),
        ("HTTP:g", "HTTP:g", "http://h/b/g"),
        ("http:", "http:", "http://h/b/c?q"),
        ("http:?y", "http:?y", "http://h/b/c?y"),
        ("http:#s", "http:#s", "http://h/b/c?q#s"),
        ("http://g", "http://g", "http://g"),
        ("https:g", "https:g", "https:g"),
        ("g", "http://h/b/g", "http://h/b/g"),
    ] {
        let base = parse("http://h/b/c?q");
        let resolve = |same| parse(text).resolve_with(&base, same).unwrap();
        assert_eq!(resolve(SameScheme::Strict), strict);
        assert_eq!(resolve(SameScheme::Relative), relative);
        assert_eq!(parse(text).resolve(&base).unwrap(), strict);
    }
}

#[test]
fn a_path_that_would_read_as_an_authority_is_protected() {
    for (text, base, want) in [
        ("..//a", "foo:b/c", "foo:/.//a"),
        ("/.//a", "foo:b", "foo:/.//a"),
        ("/..//a", "foo:/b", "foo:/.//a"),
        (".//a", "foo:", "foo:/a"),
        ("/.//a", "http://h/b", "http://h//a"),
        (".//a", "http://h/b", "http://h//a"),
        ("é", "foo:/.//a/b", "foo:/.//a/é"),
    ] {
        let got = parse(text).resolve(&parse(base)).unwrap();
        assert_eq!(got, want, "{text} {base}");
        assert_eq!(Components::split(&got).authority(), Components::split(base).authority());
    }
}

#[test]
fn the_path_of_the_base_is_kept_if_the_reference_has_none() {
    let base = parse("http://h/a/../b/./c?q#f");
    for (text, want) in [
        ("", "http://h/a/../b/./c?q"),
        ("#s", "http://h/a/../b/./c?q#s"),
        ("?y", "http://h/a/../b/./c?y"),
        ("?", "http://h/a/../b/./c?"),
        (".", "http://h/b/"),
        ("d", "http://h/b/d"),
    ] {
        assert_eq!(parse(text).resolve(&base).unwrap(), want, "{text}");
    }
}

#[test]
fn a_relative_reference_resolves_back_and_is_not_longer() {
    for (base, target, want) in [
        ("http://h/b/c/d?q", "http://h/b/c/d?q", ""),
        ("http://h/b/c/d?q", "http://h/b/c/d?q#f", "#f"),
        ("http://h/b/c/d?q", "http://h/b/c/d", "d"),
        ("http://h/b/c/d?q", "http://h/b/c/d?y", "?y"),
        ("http://h/b/c/d", "http://h/b/c/d", ""),
        ("http://h/b/c/d", "http://h/b/c/", "./"),
        ("http://h/b/c/d", "http://h/b/c/e", "e"),
        ("http://h/b/c/d", "http://h/b/e", "../e"),
        ("http://h/b/c/d", "http://h/é", "/é"),
        ("http://h/b/c/d", "http://h/", "/"),
        ("http://h/b/c/d", "http://h", "//h"),
        ("http://h/b/c/d", "http://g/b", "//g/b"),
        ("http://h/b/c/d", "https://h/b", "https://h/b"),
        ("http://h/b/c/d", "http://h/b/c/x:y", "./x:y"),
        ("http://h/b/c/d", "http://h/b/c//x", ".//x"),
        ("http://h/b/c/d", "http://h//x", "/.//x"),
        ("foo:a/b", "foo:a/c", "c"),
        ("foo:a", "foo:b", "b"),
        ("foo:a", "foo://h", "//h"),
        ("http://h/b/c/d", "g", "g"),
        ("http://h/b/c/d", "../x/../e", "../e"),
    ] {
        let base = parse(base);
        let relative = parse(target).make_relative(&base).unwrap();
        let resolve = |text: &str| parse(text).resolve(&base).unwrap();
        assert_eq!(resolve(&relative), resolve(target), "{target}: {relative}");
        assert!(relative.len() <= target.len(), "{target}: {relative}");
        assert_eq!(relative, want, "{target}");
    }
}

// ---- Bidi ----

#[test]
fn components_that_break_the_bidi_rules_are_found_and_encoded_whole() {
    #[derive(Deserialize)]
    struct Case {
        text: String,
        findings: Vec<String>,
        encoded: Option<String>,
        bug: Option<String>,
    }
    let mut failures = Failures::default();
    for case in data::<Cases<Case>>("bidi.toml").case {
        let parts = Components::split(&case.text);
        let found = parts.bidi_findings();
        let findings: Vec<_> = found
            .iter()
            .map(|f| {
                let fault = format!("{:?}", f.fault).to_lowercase();
                format!("{fault} {} {}..{}", f.component.as_str(), f.range.start, f.range.end)
            })
            .collect();
        let encoded = parts.encode_bidi_faults();
        let passes = findings == case.findings
            && match &case.encoded {
                Some(want) => {
                    encoded == **want && Components::split(&encoded).bidi_findings().is_empty()
                }
                None => matches!(encoded, Cow::Borrowed(_)) || !findings.is_empty(),
            };
        failures.expect(passes, case.bug.as_deref(), || {
            format!("{:?}: {findings:?} {encoded:?}", case.text)
        });
    }
}

#[test]
fn the_labels_of_a_host_are_encoded_together() {
    for (text, want) in [
        ("http://א1.ג.example/ג", "http://xn--1-zhc.xn--6db.example/ג"),
        ("foo://aא.ג/", "foo://a%D7%90.%D7%92/"),
        // The label has no ASCII form (RFC 5893), so it is percent-encoded.
        ("http://aא.ג.example/ג", "http://a%D7%90.%D7%92.example/ג"),
        ("http://1א.example/", "http://1%D7%90.example/"),
        ("http://ב\u{202E}.ג.example/", "http://%D7%91%E2%80%AE.%D7%92.example/"),
    ] {
        assert_eq!(Components::split(text).encode_bidi_faults(), want, "{text}");
    }
}

#[test]
fn embedding_keeps_the_text_around_in_order() {
    let iri = "http://ab.גד/?a&b<\"";
    for (embedding, want) in [
        (Embedding::Isolate, "\u{2066}http://ab.גד/?a&b<\"\u{2069}"),
        (Embedding::Embed, "\u{202A}http://ab.גד/?a&b<\"\u{202C}"),
        (Embedding::Bdi, "<bdi dir=\"ltr\">http://ab.גד/?a&amp;b&lt;&quot;</bdi>"),
        (
            Embedding::EmbedMarked,
            "\u{202A}http\u{200E}:\u{200E}\u{200E}/\u{200E}\u{200E}/\u{200E}ab.גד\u{200E}/\u{200E}\
             \u{200E}?\u{200E}a\u{200E}&\u{200E}b<\"\u{202C}",
        ),
    ] {
        assert_eq!(embed(iri, embedding), want, "{embedding:?}");
        // Characters that could break out are encoded with every option.
        for c in "\u{61C}\u{200E}\u{200F}\u{202A}\u{202B}\u{202C}\u{202D}\u{202E}\u{2066}\u{2067}\
                  \u{2068}\u{2069}"
            .chars()
        {
            let hostile = format!("a{c}b");
            let escaped: String = c.to_string().bytes().map(|b| format!("%{b:02X}")).collect();
            assert_eq!(embed(&hostile, embedding), embed(&format!("a{escaped}b"), embedding));
        }
    }
    assert_eq!(embed("", Embedding::default()), "\u{2066}\u{2069}");
    // Of ASCII, only reserved characters get marks.
    for c in (0x21..0x7F_u8).map(char::from) {
        let marked = ":/?#[]@!$&'()*+,;=".contains(c);
        let mark = if marked { "\u{200E}" } else { "" };
        let want = format!("\u{202A}{mark}{c}{mark}\u{202C}");
        assert_eq!(embed(&c.to_string(), Embedding::EmbedMarked), want);
    }
}

// ---- Warnings ----

#[test]
fn each_warning_is_given_for_its_texts_and_not_for_similar_ones() {
    #[derive(Deserialize)]
    struct File {
        warning: Vec<Warned>,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "kebab-case")]
    struct Warned {
        name: String,
        has: Vec<String>,
        has_not: Vec<String>,
    }
    let file: File = data("warnings.toml");
    let names: Vec<_> = file.warning.iter().map(|w| &*w.name).collect();
    let all: Vec<_> = Warning::ALL.iter().map(|w| w.as_str()).collect();
    assert_eq!(names, all, "each warning should have its texts");
    let given = |text: &str, name: &str| {
        let warnings = Components::split(text).warnings();
        assert!(warnings.is_sorted() && warnings.windows(2).all(|w| w[0] != w[1]));
        warnings.iter().any(|w| w.as_str() == name && w.to_string() == name)
    };
    let mut failures = Failures::default();
    for Warned { name, has, has_not } in &file.warning {
        for (texts, yes) in [(has, true), (has_not, false)] {
            for text in texts {
                failures.expect(given(text, name) == yes, None, || {
                    let not = if yes { "should have" } else { "should not have" };
                    format!("{text:?} {not} {name}: {:?}", Components::split(text).warnings())
                });
            }
        }
    }
}

#[test]
fn idna2008_names_are_stricter_than_conversion() {
    let long = "a".repeat(63);
    let name = [&*long, &long, &long, &"a".repeat(61)].join(".");
    let longer = [&*name, "a"].concat();
    for (name, is) in [
        ("example", true),
        ("EXAMPLE.com", true),
        ("a-b.c1", true),
        ("bücher.example", true),
        ("xn--bcher-kva.example", true),
        ("XN--bcher-kva.example", true),
        ("faß.de", true),
        ("실례。테스트", true),
        ("l·l.cat", true),
        ("ב׳", true),
        ("カ・カ", true),
        ("क\u{94D}\u{200D}ष", true),
        ("ب٠١", true),
        ("ب\u{6FD}", true),
        ("ب\u{6FE}", true),
        ("ཀ་ཀ", true),
        ("〇", true),
        ("\u{375}α", true),
        ("א״ב", true),
        ("ب\u{669}", true),
        ("ب\u{6F9}\u{6F0}", true),
        (&name, true),
        ("", false),
        (".", false),
        ("example.", false),
        ("a..b", false),
        ("-a", false),
        ("a-", false),
        ("ab--c", false),
        ("a_b", false),
        ("a b", false),
        ("Bücher.example", false),
        ("☃.example", false),
        ("a·l", false),
        ("l·", false),
        ("׳ב", false),
        ("a・b", false),
        ("a\u{200D}b", false),
        ("ب٠۰", false),
        ("ب\u{669}\u{6F9}", false),
        ("\u{375}a", false),
        ("״ב", false),
        ("ب\u{640}ب", false),
        ("ߊ\u{7FA}ߊ", false),
        ("가\u{302E}", false),
        ("가\u{302F}", false),
        ("あ\u{3031}", false),
        ("あ\u{3035}", false),
        ("あ\u{303B}", false),
        ("٠ب", false),
        ("e\u{301}", false),
        ("\u{301}a", false),
        ("א1a", false),
        ("xn--n3h", false),
        ("xn--a", false),
        ("xn--", false),
        ("ｅxample", false),
        (&longer, false),
        (&"a".repeat(64), false),
    ] {
        assert_eq!(is_idna2008_name(name), is, "{name:?}");
    }
}

// ---- Field values ----

#[test]
fn field_values_give_their_references() {
    #[derive(Deserialize)]
    struct Case {
        escapes: String,
        space: String,
        value: String,
        references: Vec<String>,
        bug: Option<String>,
    }
    let mut failures = Failures::default();
    for case in data::<Cases<Case>>("fields.toml").case {
        let options = FieldOptions::new()
            .character_references(match &*case.escapes {
                "none" => CharacterReferences::None,
                "xml" => CharacterReferences::Xml,
                "html" => CharacterReferences::Html,
                "iunreserved" => CharacterReferences::Iunreserved,
                other => panic!("escapes {other:?}"),
            })
            .inner_space(match &*case.space {
                "encode" => InnerSpace::Encode,
                "remove" => InnerSpace::Remove,
                "separate" => InnerSpace::Separate,
                other => panic!("space {other:?}"),
            });
        let got = options.references(&case.value);
        failures.expect(got == case.references, case.bug.as_deref(), || {
            format!("{:?} {} {}: {got:?}", case.value, case.escapes, case.space)
        });
    }
}

#[test]
fn a_value_without_escapes_or_inner_space_is_borrowed() {
    let html = FieldOptions::new().character_references(CharacterReferences::Html);
    for (options, value) in [
        (FieldOptions::new(), " http://h/é\n"),
        (FieldOptions::new(), "a&amp;b"),
        (html, " http://h/é\n"),
        (html.inner_space(InnerSpace::Remove), "a"),
        (html.inner_space(InnerSpace::Separate), " a\tb "),
    ] {
        let references = options.references(value);
        assert!(references.iter().all(|r| matches!(r, Cow::Borrowed(_))), "{references:?}");
    }
}

// ---- Time ----

/// The time limit. Linear time stays below it on any machine; quadratic time does not.
const PATIENCE: Duration = Duration::from_secs(20);

/// Hostile texts, each of which has made some implementation take quadratic time.
fn hostile(n: usize) -> Vec<String> {
    [
        ("http://h/", "&"),
        ("http://h/", "&#"),
        ("http://h/", "%"),
        ("http://h/é", "%"),
        ("http://h/", "%FF"),
        ("http://h/", "%CC%81"),
        ("http://h/", "%E2%80%8C"),
        ("http://h/ب", "\u{301}\u{200C}"),
        ("http://h/", "a\u{200D}"),
        ("http://h/a", "\u{301}"),
        ("http://h/", "aא/"),
        ("http://h/", "a/../"),
        ("http://h/a", "/.."),
        ("http://", "a@"),
        ("http://", "a:"),
        ("http://", "é."),
        ("http://", "xn--a."),
        ("http://", "é"),
        ("http://h/", "("),
        ("http://h/", ")"),
        ("http://h/#", ":~:"),
        ("", "a:"),
        ("", "\\"),
        ("", " "),
    ]
    .iter()
    .map(|(head, piece)| [head, &*piece.repeat(n)].concat())
    .collect()
}

#[test]
fn hostile_references_take_linear_time() {
    let began = Instant::now();
    for text in hostile(50_000) {
        let parts = Components::split(&text);
        let _ = (parts.warnings(), parts.encode_bidi_faults().len(), to_text(&text).len());
        let keep = IriOptions::new().inadvisable(Inadvisable::Keep).host(HostLabels::UnicodeAlways);
        let _ = (keep.to_iri(&text).len(), leiri_to_iri(&text, Edition::Bis).is_ok());
        let koi8 = Charset::for_label("koi8-r").expect("a label");
        let _ = UriOptions::new().nfc(Nfc::Always).charset(koi8).to_uri(&text).is_ok();
        let html = FieldOptions::new().character_references(CharacterReferences::Html);
        let _ = html.inner_space(InnerSpace::Separate).references(&text).len();
        if let Ok(reference) = Reference::parse(&text, Grammar::Leiri) {
            let base = parse("http://h/a/b");
            let _ = (reference.normalize(Level::Nfc).len(), reference.resolve(&base).is_ok());
            let _ = (reference.make_relative(&base), base.make_relative(&reference));
        }
        assert!(began.elapsed() < PATIENCE, "{:.30}", text);
    }
}

#[test]
fn ten_thousand_ampersands_take_linear_time() {
    let began = Instant::now();
    for piece in ["&", "&a", "&#", "&#x", "&amp", "&amp;", "&#38;"] {
        let value = piece.repeat(10_000);
        let html = FieldOptions::new().character_references(CharacterReferences::Html);
        let text = html.references(&value).concat();
        assert!(text.len() <= value.len());
    }
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
}

#[test]
fn characters_that_the_charset_lacks_take_linear_time() {
    let koi8 = UriOptions::new().charset(Charset::for_label("koi8-r").expect("a label"));
    let text = ["http://h/?", &*"é".repeat(200_000)].concat();
    let began = Instant::now();
    let uri = koi8.to_uri(&text).expect("no option makes it fail");
    assert_eq!(uri.len(), "http://h/?".len() + 200_000 * "%26%23233%3B".len());
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
}

// ---- UTS #58 ----

/// A pair of `LinkFormattingTest.txt`: the structure, and the link fully and minimally escaped.
struct Pair {
    parts: LinkParts,
    escaped: String,
    minimal: String,
}

fn pairs() -> Vec<Pair> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/uts58/LinkFormattingTest.txt");
    let file = fs::read_to_string(path).expect("the file of Unicode should be there");
    let (mut pairs, mut parts, mut escaped) = (Vec::new(), None, None);
    for line in file.lines() {
        if let Some(structure) = line.strip_prefix("# {").and_then(|l| l.strip_suffix('}')) {
            parts = Some(self::parts(structure));
        } else if line.is_empty() || line.starts_with('#') {
            continue;
        } else if let Some(escaped) = escaped.take() {
            let parts = parts.take().expect("a pair should have its structure");
            pairs.push(Pair { parts, escaped, minimal: line.into() });
        } else {
            escaped = Some(line.into());
        }
    }
    assert_eq!(pairs.len(), 55);
    pairs
}

/// Parses `𝑺=https:// 𝑯=example.com 𝑷=αβ γ 𝑸=θ 𝑽=ικ λ 𝑭=πρ σ`. A value may hold spaces and `=`.
fn parts(structure: &str) -> LinkParts {
    const LETTERS: [char; 7] = ['𝑺', '𝑯', '𝑷', '𝑸', '𝑽', '𝑭', '𝑫'];
    let starts: Vec<(usize, char)> = structure
        .char_indices()
        .filter(|&(i, c)| {
            LETTERS.contains(&c)
                && structure[i + c.len_utf8()..].starts_with('=')
                && (i == 0 || structure[..i].ends_with(' '))
        })
        .collect();
    let ends = starts.iter().skip(1).map(|(i, _)| i - 1).chain([structure.len()]);
    let fields: Vec<(char, &str)> = starts
        .iter()
        .zip(ends)
        .map(|(&(i, c), end)| (c, &structure[i + c.len_utf8() + 1..end]))
        .collect();
    let [('𝑺', scheme), ('𝑯', host), rest @ ..] = &fields[..] else { panic!("{structure}") };
    let mut parts = LinkParts::new(*scheme, *host);
    let mut rest = rest.iter().peekable();
    while let Some(&(letter, text)) = rest.next() {
        parts = match letter {
            '𝑷' => parts.segment(text),
            '𝑸' => {
                let mut values = Vec::new();
                while let Some(&&('𝑽', value)) = rest.peek() {
                    values.push(value);
                    rest.next();
                }
                parts.query(text, values)
            }
            '𝑭' => parts.fragment(text),
            '𝑫' => parts.directive(text),
            other => panic!("{other} in {structure}"),
        };
    }
    parts
}

#[test]
fn every_pair_of_unicode_is_formatted_from_its_structure() {
    for Pair { parts, minimal, .. } in pairs() {
        assert_eq!(parts.to_text(), minimal, "{parts:?}");
    }
}

#[test]
fn every_pair_of_unicode_whose_structure_survives_is_formatted_from_text() {
    let lost: Vec<_> =
        pairs().into_iter().filter(|pair| to_text(&pair.escaped) != pair.minimal).collect();
    let lost: Vec<&str> = lost.iter().map(|pair| &*pair.minimal).collect();
    // The fully escaped lines of these pairs hold raw `#`, `/`, `&` and `=` that are not
    // delimiters, so their structure is lost.
    assert_eq!(
        lost,
        [
            "https://example.com/α%23β?γ=δ%23ε",
            "https://example.com/α/β%2Fγ",
            "https://example.com?α%26=β&γ=%26δ",
            "https://example.com?α%3Dβ=γ%3Dδ",
            "https://example.com/α/b%2F%3F%23c?αβ=γ%26ζ%3D%23Ξ&k=v#frag",
        ]
    );
}

#[test]
fn text_is_found_whole_between_spaces() {
    for Pair { minimal, .. } in pairs() {
        assert_eq!(to_text(&minimal), minimal);
        let uri = UriOptions::new().to_uri(&minimal).expect("an ASCII host should have a URI");
        assert_eq!(to_text(&uri), minimal);
    }
}

#[test]
fn parts_of_a_link_are_escaped_where_they_would_end_it() {
    let link = || LinkParts::new("https://", "例え.jp");
    for (parts, want) in [
        (link(), "https://例え.jp"),
        (link().segment(""), "https://例え.jp/"),
        (link().segment("a").segment(""), "https://例え.jp/a/"),
        (link().segment("a/b%41%"), "https://例え.jp/a%2Fb%2541%"),
        (link().segment("a b\u{3000}c"), "https://例え.jp/a%20b%E3%80%80c"),
        (link().query("a", [""; 0]), "https://例え.jp?a"),
        (link().query("a", ["b", "c"]).query("d", [""]), "https://例え.jp?a=b=c&d="),
        (link().query("a&=#", ["?"]), "https://例え.jp?a%26%3D%23=%3F"),
        (link().fragment("a?/b.").directive("text=c."), "https://例え.jp#a?/b.:~:text=c%2E"),
        (link().directive("text=é").directive("x"), "https://例え.jp#:~:text=é:~:x"),
        (link().segment("(").segment(")"), "https://例え.jp/(/%29"),
        (link().segment("<\\`>"), "https://例え.jp/%3C%5C%60%3E"),
    ] {
        assert_eq!(parts.to_text(), want);
    }
}
