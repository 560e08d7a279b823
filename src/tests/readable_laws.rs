//! The promises as properties, for finders that rewrite URIs to IRIs.

use std::{format, string::String, vec::Vec};

use proptest::prelude::*;

use super::{cases, cells, encode::encode, format_laws, laws, ways};
use crate::{
    api::{config::Config, find::Input, finder::Finder},
    charset::Charset,
    format::kinds::Format,
    grammar::types::Kind,
    links::rewrite::Rewrite,
    reference::to_iri::HostLabels,
};

/// The same finder, to IRIs.
fn readable(finder: &Finder, labels: HostLabels) -> Finder {
    let config = finder.config().rewrite(Rewrite::Iri(labels));
    ways::tuned(&config.build().expect("the options should be valid"), finder.rules.tuning)
}

/// The URIs of the links, with the hexadecimal digits of escapes in upper case.
fn uris(finder: &Finder, bytes: &[u8], charset: Charset) -> Vec<(Kind, Option<String>)> {
    let links = finder.find_iter(Input::new(bytes).charset(charset));
    links.map(|link| (link.kind(), link.uri().ok().map(|uri| upper(uri.as_str())))).collect()
}

fn upper(uri: &str) -> String {
    let mut digits = 0;
    uri.chars()
        .map(|c| {
            digits = if c == '%' { 3 } else { digits - i32::from(digits > 0) };
            if digits > 0 { c.to_ascii_uppercase() } else { c }
        })
        .collect()
}

/// What holds for a document in a known charset. Returns how many links changed.
fn check(plain: &Finder, bytes: &[u8], labels: HostLabels) -> Result<u64, String> {
    let finder = readable(plain, labels);
    let (out, done) = finder.rewrite_slice(bytes);
    let charset = done.summary.charset;
    let show = |bytes: &[u8]| charset.decode(bytes).into_owned();
    let (old, new) = (uris(plain, bytes, charset), uris(plain, &out, charset));
    if old != new {
        return Err(format!("{:?} became {:?}: {old:?}, {new:?}", show(bytes), show(&out)));
    }
    if ways::rewrite_chunks(&finder, bytes.chunks(1)) != *out {
        return Err(format!("byte by byte {:?} should give {:?}", show(bytes), show(&out)));
    }
    let again = finder.charset(charset).rewrite_slice(&*out).0.into_owned();
    if again != *out {
        return Err(format!("{:?}, and again {:?}", show(&out), show(&again)));
    }
    Ok(done.changed)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: laws::cases_count(), ..ProptestConfig::default() })]

    /// There and back each link has the same URI, and the same links are found.
    #[test]
    fn there_and_back(
        look in format_laws::look_at(Format::ALL),
        unicode in any::<bool>(),
        sizes in laws::sizes(),
    ) {
        let plain = look.finder(true);
        let charset = plain.find_iter(&look.bytes[..]).charset().0;
        let plain = plain.charset(charset);
        let labels = if unicode { HostLabels::Unicode } else { HostLabels::Keep };
        let uris = plain.rewrite_slice(&look.bytes[..]).0;
        for bytes in [&look.bytes[..], &uris] {
            check(&plain, bytes, labels).map_err(TestCaseError::fail)?;
            let finder = readable(&plain, labels);
            let out = finder.rewrite_slice(bytes).0;
            prop_assert_eq!(&ways::rewrite_chunks(&finder, laws::cut(bytes, &sizes)), &*out);
            prop_assert_eq!(&ways::rewrite(&finder, bytes, sizes[0]), &*out);
        }
    }
}

/// The same in each cell of the matrix: every format, place, charset, part and escape.
#[test]
fn there_and_back_in_every_cell() {
    let changed = core::cell::Cell::new(0);
    let check = |cell: &cells::Cell, finder: &Finder| {
        let plain = [&*cell.before, &cell.source, &cell.after].concat();
        let bytes = encode(&plain, cell.charset).ok_or("the charset should hold it")?;
        let uris = finder.rewrite_slice(&bytes[..]).0;
        let done = check(finder, &uris, HostLabels::Unicode)
            .map_err(|e| format!("{} {}: {e}", cell.format, cell.charset))?;
        changed.set(changed.get() + done);
        Ok(())
    };
    cells::parts_in(&cases::has_turn, &check).finish(30_000);
    assert!(changed.get() > 20_000, "{} links should change", changed.get());
}

/// A character that the charset decodes and cannot encode keeps its link as it is, in every place that has
/// no escape for it; and a field that is one link is searched again.
#[cfg(feature = "legacy-charsets")]
#[test]
fn what_cannot_be_written_stays() {
    for (format, charset, document) in [
        (Format::Text, "euc-jp", &b"http://a.example/\x8F\xB0\xA1/%E6%97%A5\n"[..]),
        (Format::Csv, "euc-jp", b"x,http://a.example/\x8F\xB0\xA1/%E6%97%A5\n"),
        (Format::AsciiDoc, "euc-jp", b"see http://a.example/\x8F\xB0\xA1/%E6%97%A5[t]\n"),
        (Format::Text, "iso-2022-jp", b"http://a.example/\x1B(I1\x1B(B/%E6%97%A5\n"),
        (Format::Csv, "utf-8", b"http://xn--12-c6t\n"),
    ] {
        let charset = Charset::for_label(charset).expect("a label");
        let plain = Config::new().charset(charset).build().expect("valid").format(format);
        let (out, done) = readable(&plain, HostLabels::Unicode).rewrite_slice(document);
        assert_eq!((&*out, done.unconvertible), (document, 1), "{format} {charset}");
    }
}

/// Cases of plain text.
#[test]
fn readable_text() {
    for (charset, text, want, stay) in [
        ("utf-8", "see http://a.example/D%C3%BCrst%20x.", "see http://a.example/Dürst%20x.", 0),
        ("utf-8", "(http://a.example/%e6%97%A5)。次", "(http://a.example/日)。次", 0),
        ("utf-8", "http://a.example/%e6%97%FF", "http://a.example/%e6%97%FF", 0),
        ("utf-8", "http://a.example/%E3%81%8B%EF%BC%9F x", "http://a.example/か%EF%BC%9F x", 0),
        ("utf-8", "http://xn--r8jz45g.jp/?q=%E8%A1%A8#%E7%B5%90", "http://例え.jp/?q=表#結", 0),
        ("utf-8", "http://b%C3%BCcher.example/%C3%9C", "http://b%C3%BCcher.example/Ü", 0),
        ("utf-8", "http://a.example/%41%2F%25%C3%9C", "http://a.example/%41%2F%25Ü", 0),
        ("utf-8", "http://a.example/{x}%C3%9C", "http://a.example/{x}%C3%9C", 1),
        ("utf-8", "http://a.example/%E2%80%AE%C2%A0", "http://a.example/%E2%80%AE%C2%A0", 0),
        ("windows-1252", "http://a.example/%C3%A9/%E6%97%A5", "http://a.example/é/%E6%97%A5", 0),
        ("windows-1252", "http://a.example/?q=%E9&r=%C3%A9", "http://a.example/?q=é&r=%C3%A9", 0),
        ("shift_jis", "http://a.example/?q=%95%5C", "http://a.example/?q=表", 0),
        ("shift_jis", "http://a.example/%C2%A5", "http://a.example/%C2%A5", 0),
        ("iso-2022-jp", "http://a.example/%E8%A1%A8 x", "http://a.example/表 x", 0),
        ("utf-16le", "http://a.example/%F0%9F%8D%84", "http://a.example/🍄", 0),
        // Decoded, it would go on into the text.
        (
            "utf-8",
            "http://a.example/%E6%97%A5%E6%9C%ACa版/b版を見",
            "http://a.example/%E6%97%A5%E6%9C%ACa版/b版を見",
            1,
        ),
        // Quotes at the end are decoded in one run, or in none.
        ("utf-8", "irc://a#é%E2%80%99%E2%80%98", "irc://a#é%E2%80%99%E2%80%98", 1),
    ] {
        let charset = Charset::for_label(charset).expect("a label");
        let plain = Config::new().charset(charset).build().expect("valid");
        let finder = readable(&plain, HostLabels::Unicode);
        let bytes = encode(text, charset).expect("the charset should hold it");
        let (out, done) = finder.rewrite_slice(&bytes[..]);
        assert_eq!((&*charset.decode(&out), done.unconvertible), (want, stay), "{charset}");
        check(&plain, &bytes, HostLabels::Unicode).unwrap();
    }
}
