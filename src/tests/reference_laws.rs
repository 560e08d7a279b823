//! Laws of whole references, on generated ones: conversions, normal forms, resolution.

use std::{
    borrow::Cow,
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};

use proptest::prelude::*;

use super::{
    laws,
    references::{self, BIDI_CONTROLS, COMPONENTS, GRAMMARS, iri_reference, is_valid},
};
use crate::reference::{
    Component, Components, Edition, Form, Grammar, HostForm, HostLabels, Inadvisable, IriOptions,
    Level, Reference, UriOptions, equivalent, leiri_to_iri, to_text, warning::Warning,
};

const FORMS: [Form; 3] = [Form::Same, Form::Uri, Form::Iri];

/// Returns `text` with `%41` as `A` and `%e3` as `%E3`: conversion to an IRI and back may change
/// these.
fn loose(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(c) = rest.chars().next() {
        let octet = rest.strip_prefix('%').and_then(|rest| rest.get(..2));
        match octet.and_then(|octet| u8::from_str_radix(octet, 16).ok()) {
            Some(b) if b.is_ascii_alphanumeric() || b"-._~".contains(&b) => {
                out.push(char::from(b));
                rest = &rest[3..];
            }
            Some(_) => {
                out.push_str(&rest[..3].to_ascii_uppercase());
                rest = &rest[3..];
            }
            None => {
                out.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    out
}

/// Applies only RFC 3986, sections 6.2.2.1 and 6.2.2.2.
fn case_and_percent(uri: &str) -> String {
    let uri = iri_reference(uri).unwrap().normalize_as(Level::Percent, Form::Uri).into_owned();
    iri_reference(&uri).unwrap().normalize_as(Level::Case, Form::Uri).into_owned()
}

/// Characters of which some are better not in a reference.
fn inadvisable() -> impl Strategy<Value = char> {
    const SOME: &str = "éЖ日한ａﬁ⁄…✂\u{301}\u{308}\u{A0}\u{3000}\u{200B}\u{200C}ᄀ\u{1161}α";
    let any = any::<char>().prop_filter("not ASCII", |c| !c.is_ascii());
    prop_oneof![3 => prop::sample::select(Vec::from_iter(SOME.chars())), 1 => any]
}

/// Labels that are written as A-labels: encoded letters of a few scripts, symbols and digits, or any text.
fn a_label() -> impl Strategy<Value = String> {
    let letters = prop::collection::vec(
        prop_oneof![
            3 => prop::char::range('a', 'z'),
            1 => prop::char::range('0', '9'),
            2 => prop::char::range('\u{DF}', '\u{24F}'),
            1 => prop::char::range('\u{3B1}', '\u{44F}'),
            1 => prop::char::range('\u{5D0}', '\u{64A}'),
            1 => prop::char::range('\u{2190}', '\u{33FF}'),
            1 => any::<char>(),
        ],
        1..8,
    );
    let encoded = letters.prop_filter_map("no punycode", |letters| {
        let text: String = letters.into_iter().collect();
        idna::punycode::encode_str(&text)
    });
    prop_oneof![3 => encoded, 1 => "[a-z0-9-]{0,12}"]
        .prop_map(|text| ["xn--", &text].concat().to_ascii_lowercase())
        .prop_filter("a label", |label| {
            label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
        })
}

fn has_escape(text: &str) -> bool {
    text.contains('%')
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 8 * laws::cases_count(),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// What is inadvisable stays encoded with `Inadvisable::All`; where nothing is, all is decoded.
    #[test]
    fn inadvisable_characters_stay_encoded(text in prop::collection::vec(inadvisable(), 1..6)) {
        let written = format!("http://h/{}", String::from_iter(&text));
        let octets = written["http://h/".len()..].bytes();
        let encoded = format!("http://h/{}", octets.map(|b| format!("%{b:02X}")).collect::<String>());
        let named = |reference: &str| -> Vec<char> {
            Components::split(reference).inadvisable().into_iter().map(|(_, c)| c).collect()
        };
        let found = named(&encoded);
        prop_assert_eq!(&named(&written), &found);
        let iri = IriOptions::new().inadvisable(Inadvisable::All).to_iri(&encoded).into_owned();
        let decoded: Vec<char> = iri.chars().filter(|c| !c.is_ascii()).collect();
        let count = |of: &[char], c: char| of.iter().filter(|it| **it == c).count();
        for c in &text {
            prop_assert!(count(&decoded, *c) + count(&found, *c) <= count(&text, *c), "{:?} {:?}", text, iri);
        }
        if found.is_empty() && is_valid(&written, Grammar::Iri) {
            prop_assert_eq!(decoded, text);
        }
    }

    /// RFC 5891, 4.2: an A-label is what the ASCII form of its U-label is. What decodes and is mapped back is judged
    /// as the decoded name; all else has the warning.
    #[test]
    fn both_spellings_of_a_label_are_judged_alike(label in a_label()) {
        let decoded = idna::punycode::decode_to_string(&label[4..]).filter(|text| !text.is_ascii());
        let back = decoded.as_deref().and_then(crate::reference::to_uri::to_ascii);
        let warnings = |host: &str| {
            let uri = format!("http://{host}.example/");
            let mut warnings = Components::split(&uri).warnings();
            // Only what was written in Unicode deviates, is composed or holds joiners.
            warnings.retain(|warning| !matches!(
                warning,
                Warning::IdnaDeviation | Warning::NotNfc | Warning::JoinerContext | Warning::BidiMixed
                    | Warning::BidiEdge | Warning::LeadingCombining
            ));
            warnings
        };
        let written = warnings(&label);
        if back.as_deref() != Some(&*label) {
            prop_assert!(written.contains(&Warning::BadALabel), "{:?} {:?}", label, decoded);
        } else {
            prop_assert_eq!(written, warnings(&decoded.unwrap()));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: laws::cases_count(),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn uri_laws(text in references::any_reference(), options in references::uri_options()) {
        let Some(reference) = iri_reference(&text) else { return Ok(()) };
        let Ok(uri) = options.to_uri(&text) else {
            // Only a host can lack a URI form.
            prop_assert!(reference.host().is_some());
            return Ok(());
        };
        prop_assert!(uri.is_ascii());
        prop_assert!(is_valid(&uri, Grammar::UriReference), "{}", uri);
        let again = options.to_uri(&uri).unwrap();
        prop_assert_eq!(&*again, &*uri);
        let plain = reference.host().is_none_or(|host| !host.contains('%'));
        if text.is_ascii() && plain {
            prop_assert!(matches!(uri, Cow::Borrowed(_)), "{}", uri);
            prop_assert_eq!(&*uri, &*text);
        }
    }

    #[test]
    fn iri_laws(
        text in references::any_reference(),
        (labels, options) in references::iri_options(),
    ) {
        let Ok(reference) = Reference::parse(&text, Grammar::UriReference) else { return Ok(()) };
        let iri = options.to_iri(&text);
        prop_assert!(is_valid(&iri, Grammar::IriReference), "{}", iri);
        prop_assert!(!iri.contains(BIDI_CONTROLS), "{:?}", iri);
        prop_assert_eq!(&options.to_iri(&iri), &iri);
        // Labels come back as Punycode if hosts of the scheme are DNS names; everything else comes
        // back unchanged.
        if labels == HostLabels::Keep {
            let back = UriOptions::new().host(HostForm::Percent).to_uri(&iri).unwrap();
            prop_assert_eq!(loose(&back), loose(&text), "{}", iri);
            prop_assert_eq!(case_and_percent(&back), case_and_percent(&text), "{}", iri);
        } else if labels == HostLabels::Unicode && !reference.host().is_some_and(has_escape) {
            let back = UriOptions::new().to_uri(&iri).unwrap();
            prop_assert_eq!(case_and_percent(&back), case_and_percent(&text), "{}", iri);
        }
    }

    #[test]
    fn conversion_keeps_the_components(
        text in references::text(),
        (_, to_iri) in references::iri_options(),
        to_uri in references::uri_options(),
    ) {
        let before = Components::split(&text);
        let there = |text: &str| {
            let parts = Components::split(text);
            Component::ALL.iter().map(|&c| parts.range(c).is_some()).collect::<Vec<_>>()
        };
        let mut converted = vec![to_iri.to_iri(&text).into_owned(), to_text(&text)];
        converted.extend(to_uri.to_uri(&text).map(|uri| uri.into_owned()));
        for converted in converted {
            prop_assert_eq!(there(&converted), there(&text), "{:?}", converted);
            let after = Components::split(&converted);
            prop_assert_eq!(after.scheme(), before.scheme(), "{:?}", converted);
        }
    }

    #[test]
    fn leiri_laws(text in references::text()) {
        for edition in [Edition::Rfc3987, Edition::Bis] {
            let iri = leiri_to_iri(&text, edition);
            prop_assert_eq!(iri.is_ok(), is_valid(&text, Grammar::Leiri));
            let Ok(iri) = iri else { continue };
            let parsed = Reference::parse_edition(&iri, Grammar::IriReference, edition);
            // The draft cannot escape a host: its ireg-name holds no `%HH`, although section 6.2
            // makes some.
            if edition == Edition::Bis && Components::split(&iri).host().is_some_and(has_escape) {
                continue;
            }
            prop_assert!(parsed.is_ok(), "{edition:?} {:?}", parsed);
            prop_assert!(!iri.contains(BIDI_CONTROLS));
            let again = leiri_to_iri(&iri, edition).unwrap();
            prop_assert_eq!(&*again, &*iri);
            let valid = Reference::parse_edition(&text, Grammar::IriReference, edition).is_ok();
            if valid && !text.contains(BIDI_CONTROLS) {
                prop_assert!(matches!(iri, Cow::Borrowed(_)));
            }
        }
        // Every IRI reference is a LEIRI.
        if is_valid(&text, Grammar::IriReference) {
            prop_assert!(is_valid(&text, Grammar::Leiri));
        }
    }

    #[test]
    fn normal_form_laws(text in references::any_reference(), level in references::level()) {
        let Some(reference) = iri_reference(&text) else { return Ok(()) };
        for form in FORMS {
            let normal = reference.normalize_as(level, form);
            prop_assert_eq!(*normal == text, matches!(normal, Cow::Borrowed(_)));
            let grammar = match form {
                Form::Uri => Grammar::UriReference,
                Form::Same if text.is_ascii() => Grammar::UriReference,
                _ => Grammar::IriReference,
            };
            let parsed = Reference::parse(&normal, grammar);
            prop_assert!(parsed.is_ok(), "{:?} {:?}: {:?}", level, form, parsed);
            let again = parsed.unwrap().normalize_as(level, form);
            prop_assert_eq!(&*again, &*normal, "{:?} {:?}", level, form);
            // The same components are present.
            let parsed = parsed.unwrap();
            prop_assert_eq!(parsed.scheme().is_some(), reference.scheme().is_some());
            prop_assert_eq!(parsed.authority().is_some(), reference.authority().is_some());
            prop_assert_eq!(parsed.userinfo().is_some(), reference.userinfo().is_some());
            prop_assert_eq!(parsed.query().is_some(), reference.query().is_some());
            prop_assert_eq!(parsed.fragment().is_some(), reference.fragment().is_some());
        }
    }

    #[test]
    fn equivalence_laws((a, b) in references::spellings()) {
        let (Some(a), Some(b)) = (iri_reference(&a), iri_reference(&b)) else { return Ok(()) };
        for level in references::LEVELS {
            prop_assert!(equivalent(&a, &a, level));
            prop_assert_eq!(equivalent(&a, &b, level), equivalent(&b, &a, level));
            prop_assert!(equivalent(&a, &b, level) || !equivalent(&a, &b, Level::String));
        }
        let ladder = [Level::Syntax, Level::Scheme, Level::Idn, Level::Nfc];
        for step in ladder.windows(2) {
            let (low, high) = (equivalent(&a, &b, step[0]), equivalent(&a, &b, step[1]));
            prop_assert!(high || !low, "{:?}: {:?} {:?}", step,
                a.normalize_as(step[1], Form::Iri), b.normalize_as(step[1], Form::Iri));
        }
        // Except for Path: at this level `%2E` is an ordinary segment, which a `..` removes.
        for step in [Level::Case, Level::Percent] {
            prop_assert!(equivalent(&a, &b, Level::Syntax) || !equivalent(&a, &b, step), "{step:?}");
        }
    }

    #[test]
    fn an_iri_is_equivalent_to_its_uri(text in references::reference()) {
        let Some(iri) = iri_reference(&text) else { return Ok(()) };
        let uri = UriOptions::new().host(HostForm::Percent).to_uri(&text).unwrap();
        let uri = Reference::parse(&uri, Grammar::UriReference).unwrap();
        for level in [Level::Percent, Level::Syntax, Level::Scheme, Level::Idn, Level::Nfc] {
            prop_assert!(equivalent(&iri, &uri, level), "{:?} {:?} {:?}", level,
                iri.normalize_as(level, Form::Iri), uri.normalize_as(level, Form::Iri));
        }
    }

    #[test]
    fn resolution_laws((base, text) in references::pair()) {
        let Ok(base) = Reference::parse(&base, Grammar::Iri) else { return Ok(()) };
        let Some(target) = iri_reference(&text) else { return Ok(()) };
        let resolved = target.resolve(&base).unwrap();
        prop_assert!(is_valid(&resolved, Grammar::Iri), "{}", resolved);
        prop_assert!(!text.is_ascii() || !base.as_str().is_ascii() || is_valid(&resolved, Grammar::Uri));
        let relative = target.make_relative(&base).unwrap();
        let parsed = iri_reference(&relative);
        prop_assert!(parsed.is_some(), "{}", relative);
        prop_assert_eq!(parsed.unwrap().resolve(&base).unwrap(), &*resolved, "{}", relative);
        prop_assert!(relative.len() <= text.len(), "{}", relative);
        // A resolved reference resolves to itself.
        let whole = Reference::parse(&resolved, Grammar::Iri).unwrap();
        if !reference_keeps_dots(&target) {
            prop_assert_eq!(whole.resolve(&base).unwrap(), &*resolved);
        }
        prop_assert!(whole.make_relative(&base).unwrap().len() <= resolved.len());
    }

    #[test]
    fn errors_point_into_the_text(text in references::text()) {
        for grammar in GRAMMARS {
            for edition in [Edition::Rfc3987, Edition::Bis] {
                let Err(e) = Reference::parse_edition(&text, grammar, edition) else { continue };
                prop_assert!(e.offset() <= text.len());
                prop_assert!(text.is_char_boundary(e.offset()));
                prop_assert_eq!(e.found(), text[e.offset()..].chars().next());
                let place = format!("byte {}: ", e.offset());
                prop_assert!(e.to_string().starts_with(&place), "{}", e);
            }
        }
    }

    #[test]
    fn nothing_panics(
        text in references::text(),
        uri in references::uri_options(),
        (_, iri) in references::iri_options(),
        level in references::level(),
    ) {
        let split = Components::split(&text);
        let mut at = 0;
        for range in COMPONENTS.iter().filter_map(|&c| split.range(c)) {
            prop_assert!(at <= range.start && range.start <= range.end);
            prop_assert!(text.get(range.clone()).is_some());
            at = range.end;
        }
        prop_assert_eq!(at, text.len());
        if let Ok(converted) = uri.to_uri(&text) {
            prop_assert!(converted.is_ascii());
            let again = uri.to_uri(&converted);
            prop_assert_eq!(again.as_deref(), Ok(&*converted));
        }
        let _ = iri.to_iri(&text);
        let base = Reference::parse("http://a/b/../c?q", Grammar::Iri).unwrap();
        for grammar in GRAMMARS {
            for edition in [Edition::Rfc3987, Edition::Bis] {
                let Ok(parsed) = Reference::parse_edition(&text, grammar, edition) else { continue };
                for form in FORMS {
                    let _ = parsed.normalize_as(level, form);
                }
                let _ = (parsed.host_kind(), parsed.resolve(&base), parsed.make_relative(&base));
                let _ = base.make_relative(&parsed);
            }
        }
    }
}

/// True if the reference takes the path of its base unchanged.
fn reference_keeps_dots(reference: &Reference<'_>) -> bool {
    reference.scheme().is_none() && reference.authority().is_none() && reference.path().is_empty()
}

/// Composition could break escapes and make ASCII that no IRI holds, and must come before the case
/// of the host. "IRIs SHOULD be created by using NFC" (RFC 3987, section 5.3.2.2) cannot ask for a
/// result that is not an IRI.
#[test]
fn nfc_gives_a_stable_reference() {
    let inputs =
        ["http://a/?%2F\u{307}", "http://a/\u{1FEF}", "http://a/%E1%BF%AF", "http://\u{212A}/"];
    for text in inputs {
        for form in FORMS {
            let normal = iri_reference(text).unwrap().normalize_as(Level::Nfc, form);
            let parsed = iri_reference(&normal)
                .unwrap_or_else(|| panic!("{normal}, made of {text}, should be an IRI"));
            assert_eq!(parsed.normalize_as(Level::Nfc, form), normal, "{text} {form:?}");
        }
    }
}

/// The namespace of a `urn:` and the domains of a `mailto:` are located after dot segments are
/// removed. Escapes are not letters (RFC 3986, section 6.2.2.1). A namespace consists of letters,
/// digits and `-` (RFC 8141, section 2).
#[test]
fn scheme_rules_apply_after_all_others() {
    let inputs = ["urn:%c3%a9:a", "urn:../CD:e", "urn:%AA/b:c/..", "mailto:a@B/c@/.."];
    for text in inputs {
        let normal = iri_reference(text).unwrap().normalize(Level::Scheme);
        assert_eq!(loose(&normal), &*normal, "{text}");
        let again = iri_reference(&normal).unwrap().normalize(Level::Scheme);
        assert_eq!(again, normal, "{text}");
    }
}

/// An IRI is equivalent to its URI from `Level::Percent` on: RFC 3987, section 3.1, maps both
/// references of a pair to one URI.
#[test]
fn a_raw_character_is_equivalent_to_its_escape() {
    let pairs = [
        ("http://a/?\u{E000}", "http://a/?%EE%80%80"),
        ("http://a/\u{202E}", "http://a/%E2%80%AE"),
    ];
    for (iri, uri) in pairs {
        let (iri, uri) = (iri_reference(iri).unwrap(), iri_reference(uri).unwrap());
        assert!(equivalent(&iri, &uri, Level::Percent), "{iri:?}");
    }
}

/// The generators make valid and invalid references.
#[test]
fn about_half_of_the_generated_references_are_valid() {
    use proptest::{strategy::ValueTree, test_runner::TestRunner};

    let mut runner = TestRunner::deterministic();
    let mut share = |grammar, strategy: &BoxedStrategy<String>| {
        let valid = (0..2000).filter(|_| {
            let text = strategy.new_tree(&mut runner).unwrap().current();
            is_valid(&text, grammar)
        });
        valid.count() / 20
    };
    let any = share(Grammar::IriReference, &references::any_reference().boxed());
    assert!((35..65).contains(&any), "{any} % of the changed references are valid");
    let plain = share(Grammar::IriReference, &references::reference().boxed());
    assert!(plain > 75, "{plain} % of the references are valid");
    let uris = share(Grammar::UriReference, &references::any_reference().boxed());
    assert!(uris > 10, "{uris} % of the changed references are URIs");
}
