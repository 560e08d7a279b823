//! Whole references: iri-string agrees which are valid; their URI and IRI forms,
//! normal forms and resolved forms are references with the same meaning.

#![no_main]

use iri_string::{
    spec::{IriSpec, UriSpec},
    validate,
};
use iriscan::{
    HostForm,
    reference::{
        Component, Components, Edition, Form, Grammar, HostLabels, Inadvisable, IriOptions, Level,
        PrivateUse, Reference, UriOptions, equivalent, leiri_to_iri,
    },
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let (base, text) = text.split_once('\n').unwrap_or(("http://a/b/../c?q", &text));
    for text in [base, text] {
        components(text);
        validity(text);
        uri(text);
        leiri(text);
        if let Ok(reference) = Reference::parse(text, Grammar::IriReference) {
            normal_forms(&reference);
        }
        if text.is_ascii()
            && let Ok(reference) = Reference::parse(text, Grammar::UriReference)
        {
            iri(&reference);
        }
    }
    let parse = |text, grammar| Reference::parse(text, grammar);
    if let (Ok(base), Ok(reference)) =
        (parse(base, Grammar::Iri), parse(text, Grammar::IriReference))
    {
        resolution(&base, &reference);
        equivalence(&base, &reference);
    }
});

/// Bidi_Control, all twelve.
const BIDI_CONTROLS: &[char] = &[
    '\u{61C}', '\u{200E}', '\u{200F}', '\u{202A}', '\u{202B}', '\u{202C}', '\u{202D}', '\u{202E}',
    '\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}',
];

fn is_valid(text: &str, grammar: Grammar) -> bool {
    Reference::parse(text, grammar).is_ok()
}

/// Components are parts of the text, in order, up to its end.
fn components(text: &str) {
    let parts = Components::split(text);
    let mut at = 0;
    let leaves = Component::ALL.iter().filter(|&&c| c != Component::Authority);
    for &component in leaves {
        if let Some(range) = parts.range(component) {
            assert!(
                at <= range.start && text.get(range.clone()).is_some(),
                "{component:?} {parts:?}"
            );
            at = range.end;
        }
    }
    assert_eq!(at, text.len(), "{parts:?}");
    let iri = IriOptions::new().to_iri(text);
    assert_eq!(Components::split(&iri).scheme(), parts.scheme(), "{text:?} gives {iri:?}");
}

fn validity(text: &str) {
    let theirs = [
        (Grammar::Iri, validate::iri::<IriSpec>(text).is_ok()),
        (Grammar::IriReference, validate::iri_reference::<IriSpec>(text).is_ok()),
        (Grammar::AbsoluteIri, validate::absolute_iri::<IriSpec>(text).is_ok()),
        (Grammar::Uri, validate::iri::<UriSpec>(text).is_ok()),
        (Grammar::UriReference, validate::iri_reference::<UriSpec>(text).is_ok()),
        (Grammar::AbsoluteUri, validate::absolute_iri::<UriSpec>(text).is_ok()),
    ];
    for (grammar, theirs) in theirs {
        let ours = Reference::parse(text, grammar);
        assert_eq!(ours.is_ok(), theirs, "{grammar:?} {text:?} {ours:?}");
        if let Err(e) = ours {
            let found = text.get(e.offset()..).expect("an offset should lie between characters");
            assert_eq!(e.found(), found.chars().next(), "{e}");
        }
    }
}

/// A URI is ASCII and its own URI form; the URI form of a reference is a reference.
fn uri(text: &str) {
    for host in [HostForm::Punycode, HostForm::Percent] {
        let options = UriOptions::new().host(host);
        let Ok(uri) = options.to_uri(text) else { continue };
        assert!(uri.is_ascii(), "{text:?} gives {uri}");
        assert_eq!(options.to_uri(&uri).as_deref(), Ok(&*uri), "{text:?}");
        if is_valid(text, Grammar::IriReference) {
            assert!(is_valid(&uri, Grammar::UriReference), "{text:?} gives {uri}");
        }
        let escaped = Components::split(text).host().is_some_and(|host| host.contains('%'));
        if is_valid(text, Grammar::UriReference) && !escaped {
            assert_eq!(uri, text);
        }
    }
}

/// The IRI form of a URI is an IRI reference, and has that URI form.
fn iri(uri: &Reference<'_>) {
    let keep = IriOptions::new();
    let most = keep.host(HostLabels::Unicode).private_use(PrivateUse::Decode);
    for options in [keep, most, most.inadvisable(Inadvisable::Keep)] {
        let iri = options.to_iri(uri.as_str());
        assert!(is_valid(&iri, Grammar::IriReference), "{uri:?} gives {iri:?}");
        assert!(!iri.contains(BIDI_CONTROLS), "{uri:?} gives {iri:?}");
        assert_eq!(options.to_iri(&iri), iri, "{uri:?}");
    }
    let iri = keep.to_iri(uri.as_str());
    let back = UriOptions::new().host(HostForm::Percent).to_uri(&iri);
    let back = back.expect("a percent-encoded host should always have a form");
    let back = Reference::parse(&back, Grammar::UriReference).expect("should be a URI");
    let normal = |uri: &Reference<'_>| {
        let uri = uri.normalize(Level::Percent).into_owned();
        let uri = Reference::parse(&uri, Grammar::UriReference).expect("should be a URI");
        uri.normalize(Level::Case).into_owned()
    };
    assert_eq!(normal(&back), normal(uri), "{iri:?}");
}

/// A LEIRI has an IRI form, without Bidi_Control.
fn leiri(text: &str) {
    let iri = leiri_to_iri(text, Edition::Rfc3987);
    assert_eq!(iri.is_ok(), is_valid(text, Grammar::Leiri), "{text:?}");
    if let Ok(iri) = iri {
        assert!(is_valid(&iri, Grammar::IriReference), "{text:?} gives {iri:?}");
        assert!(!iri.contains(BIDI_CONTROLS), "{text:?} gives {iri:?}");
    }
}

/// A normal form is a reference of the same kind, and its own normal form.
fn normal_forms(reference: &Reference<'_>) {
    for level in [
        Level::Case,
        Level::Percent,
        Level::Path,
        Level::Syntax,
        Level::Scheme,
        Level::Idn,
        Level::Nfc,
    ] {
        for (form, grammar) in [
            (Form::Same, Grammar::IriReference),
            (Form::Iri, Grammar::IriReference),
            (Form::Uri, Grammar::UriReference),
        ] {
            let normal = reference.normalize_as(level, form);
            let parsed = Reference::parse(&normal, grammar)
                .unwrap_or_else(|e| panic!("{reference:?} gives {normal:?}: {e}"));
            assert_eq!(parsed.normalize_as(level, form), normal, "{level:?} {form:?}");
            assert_eq!(parsed.authority().is_some(), reference.authority().is_some());
        }
    }
}

/// A resolved reference is an IRI; one made relative resolves to it again.
fn resolution(base: &Reference<'_>, reference: &Reference<'_>) {
    let resolved = reference.resolve(base).expect("the base should have a scheme");
    assert!(is_valid(&resolved, Grammar::Iri), "{base:?} {reference:?} gives {resolved}");
    let relative = reference.make_relative(base).expect("the base should have a scheme");
    let parsed = Reference::parse(&relative, Grammar::IriReference)
        .unwrap_or_else(|e| panic!("{base:?} {reference:?} gives {relative:?}: {e}"));
    assert_eq!(parsed.resolve(base).as_ref(), Ok(&resolved), "{relative:?}");
    assert!(relative.len() <= reference.as_str().len(), "{relative:?}");
}

/// Equivalence is symmetric, and holds at every higher level too.
fn equivalence(a: &Reference<'_>, b: &Reference<'_>) {
    let mut before = false;
    for level in [Level::String, Level::Syntax, Level::Scheme, Level::Idn] {
        let same = equivalent(a, b, level);
        assert_eq!(same, equivalent(b, a, level), "{level:?} {a:?} {b:?}");
        assert!(same || !before, "{level:?} {a:?} {b:?}");
        assert!(equivalent(a, a, level));
        before = same;
    }
}
