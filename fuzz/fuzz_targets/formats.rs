//! The laws of documents in a format: text and links, concatenated, are the document;
//! chunks change nothing; every interface rewrites to the same bytes; nothing panics.
//!
//! The last two digits of the settings, the sizes of the third and the fourth chunk, choose the
//! format, so that every target can use the same seeds.

#![no_main]

use iriscan::{
    Config, Format, Kind, Rewrite, Rewriter, Template, Warning,
    reference::{Grammar, HostLabels, Reference},
};
use iriscan_fuzz::{Case, Link, Seen};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|case: Case| {
    let format = Format::ALL[(10 * case.sizes[2] + case.sizes[3]) % Format::ALL.len()];
    let config = || Config::new().charset(case.charset).max_len(case.max_len);
    let names = config().kinds([Kind::Iri, Kind::Bare, Kind::Email]);
    let template = |text| config().rewrite(Template::new(text).expect("it should be valid"));
    for config in [
        config(),
        names,
        config().fields(["u"]),
        Config::new().max_len(case.max_len),
        config().elements(true).ascii_only(true).code(false),
        config().delimiter('#'),
        config().rewrite(Rewrite::Iri(HostLabels::Keep)),
        template("\"<{host}>' x=y\n"),
        template(""),
    ] {
        let finder = config.build().expect("these options should be valid").format(format);
        for link in finder.find_iter(&case.bytes[..]).filter(|link| link.kind() == Kind::Iri) {
            let is_printable = |text: &str| text.bytes().all(|b| b.is_ascii_graphic());
            assert!(link.open().is_ok_and(|open| is_printable(&open)) || link.open().is_err());
            assert!(!link.display().contains(char::is_control), "{link:?} is shown, {format:?}");
            let Ok(uri) = link.uri() else { continue };
            assert!(is_printable(uri.as_str()), "{uri} is no URI, {format:?}");
            let valid = Reference::parse(uri.as_str(), Grammar::UriReference).is_ok();
            let said = link.warnings().contains(&Warning::NotRfc3986);
            assert!(valid || said, "{uri} is no URI reference, {format:?}");
        }
        let links: Vec<Link> =
            finder.find_iter(&case.bytes[..]).map(|link| (&link).into()).collect();
        let whole = Seen::of(&finder, [&case.bytes[..]]);
        assert_eq!(whole.copy, case.bytes, "text and links should be the document, {format:?}");
        assert_eq!(links, whole.links, "one push should find what a slice gives, {format:?}");
        for seen in [
            Seen::of(&finder, case.chunks()),
            Seen::of(&finder, case.bytes.chunks(1)),
            Seen::pulled(&finder, case.chunks()),
        ] {
            assert_eq!(seen.copy, case.bytes, "chunks should be the document, {format:?}");
            assert_eq!(links, seen.links, "chunks should not change the links, {format:?}");
            assert_eq!(whole.summary, seen.summary, "chunks should end the same, {format:?}");
        }

        let (slice, done) = finder.rewrite_slice(&case.bytes[..]);
        let (mut rewriter, mut scanner) = (Rewriter::new(Vec::new(), &finder), finder.scanner());
        for chunk in case.chunks() {
            scanner.push(chunk, &mut rewriter).expect("a vector should take all");
        }
        scanner.finish(&mut rewriter).expect("a vector should take all");
        let (stream, streamed) = rewriter.into_inner();
        assert_eq!(*slice, stream, "chunks should come out as the slice does, {format:?}");
        assert_eq!(Some(done), streamed, "chunks should give the same figures, {format:?}");
    }
    // Only the default limit is promised, because rewritten links are longer.
    let finder = Config::new().charset(case.charset).build().expect("a charset is valid");
    let finder = finder.format(format);
    let (once, done) = finder.rewrite_slice(&case.bytes[..]);
    assert_eq!(done.changed == 0, *once == case.bytes, "changed means other bytes, {format:?}");
    assert_eq!(once, finder.rewrite_slice(&once[..]).0, "once should be enough, {format:?}");
});
