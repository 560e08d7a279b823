//! The promises as properties, for finders that replace links by a template.

use core::ops::Range;
use std::{format, string::String, vec::Vec};

use proptest::prelude::*;

use super::{
    cases, cells,
    encode::encode,
    format_laws, laws, naive,
    samples::{self, Written},
    ways,
};
use crate::{
    api::{config::Config, find::Input, finder::Finder},
    charset::Charset,
    format::kinds::Format,
    grammar::types::{Kind, RuleSet},
    links::template::Template,
};

/// Templates with text that every format gives a meaning, and that few charsets have.
const TEMPLATES: [&str; 9] = [
    "<URL>",
    "",
    "{iri}",
    "{text}",
    "[{n}: {host}]({open})",
    "\"' onclick=x() & \\ ]]> </style> {uri} \t=`",
    "é日🍄 {path}?{query}#{fragment}",
    "amp;{kind}",
    "\u{1b}$B\u{e}{scheme}",
];

/// All of them, and those that have a name.
fn templates() -> impl Strategy<Value = Template> {
    prop_oneof![9 => templates_of_links(), 1 => Just(Template::refang())]
}

/// Those that write the same whatever the format is.
fn templates_of_links() -> impl Strategy<Value = Template> {
    let texts = TEMPLATES.iter().map(|text| Template::new(text).expect("it should be valid"));
    prop::sample::select(texts.chain([Template::defang()]).collect::<Vec<_>>())
}

/// The same finder with a template.
fn replacing(finder: &Finder, template: &Template) -> Finder {
    let finder_with = finder.config().rewrite(template.clone()).build();
    ways::tuned(&finder_with.expect("the options should be valid"), finder.rules.tuning)
}

/// Whether the texts of `bytes` between `links` come out in order.
pub(super) fn texts_stay(bytes: &[u8], links: &[Range<usize>], out: &[u8]) -> bool {
    let mut rest = out;
    let ends = links.iter().map(|link| link.end);
    let starts = links.iter().map(|link| link.start).chain([bytes.len()]);
    for (i, (from, to)) in [0].into_iter().chain(ends).zip(starts).enumerate() {
        let text = &bytes[from..to];
        let at = match i {
            0 => rest.starts_with(text).then_some(0),
            _ if i == links.len() => rest.ends_with(text).then(|| rest.len() - text.len()),
            _ => memchr::memmem::find(rest, text),
        };
        let Some(at) = at else { return false };
        rest = &rest[at + text.len()..];
    }
    true
}

proptest! {
    #![proptest_config(ProptestConfig { cases: laws::cases_count(), ..ProptestConfig::default() })]

    /// Replacing is the same by every way and at any chunking, and leaves every byte outside of the
    /// links as it is.
    #[test]
    fn replacing_is_the_same_by_every_way(
        look in format_laws::look_at(Format::ALL),
        told in any::<bool>(),
        template in templates(),
        sizes in laws::sizes(),
    ) {
        let (plain, bytes) = (look.finder(told), &look.bytes[..]);
        let finder = replacing(&plain, &template);
        let (out, done) = finder.rewrite_slice(bytes);
        prop_assert_eq!(&ways::rewrite_chunks(&finder, laws::cut(bytes, &sizes)), &*out);
        prop_assert_eq!(&ways::rewrite_chunks(&finder, bytes.chunks(1)), &*out);
        prop_assert_eq!(&ways::rewrite(&finder, bytes, sizes[0]), &*out);
        prop_assert_eq!(done.changed == 0, *out == *bytes);
        let links: Vec<_> = plain.find_iter(bytes).map(|link| link.range()).collect();
        prop_assert_eq!(links.len() as u64, done.summary.links);
        prop_assert!(done.changed + done.unconvertible <= done.summary.links);
        // The texts between the links come out in order. In ISO-2022-JP there may be an escape
        // sequence more or less at their ends.
        if done.summary.charset == Charset::ISO_2022_JP {
            return Ok(());
        }
        prop_assert!(texts_stay(bytes, &links, &out));
    }

    /// Reading text that was defanged gives the text again, if nothing in it was defanged before.
    #[test]
    fn refanging_undoes_defanging(look in format_laws::look_at(&[Format::Text]), uts58 in any::<bool>()) {
        let text = look.charset.decode_shifted(&look.bytes, Default::default()).replace('\u{FEFF}', "");
        let signs = [".", "\u{3002}", "\u{FF0E}", "\u{FF61}", ":", "@"];
        let bracketed = ["[", "(", "{"].iter().any(|open| signs.iter().any(|sign| {
            text.contains(&format!("{open}{sign}"))
        }));
        let lower = text.to_lowercase();
        let words = ["xxp", "fxp", "\\.", "dot", "at]", "at)", "at}"];
        prop_assume!(!bracketed && !words.iter().any(|word| lower.contains(word)));
        let rules = if uts58 { RuleSet::Uts58 } else { RuleSet::Prose };
        let config = Config::new().rules(rules).kinds(Kind::ALL.iter().copied()).charset(Charset::UTF_8);
        let defang = config.clone().rewrite(Template::defang()).build().expect("valid");
        let refang = config.format(Format::Defanged).rewrite(Template::refang()).build().expect("valid");
        // A link over several lines is written in one.
        let over_lines = defang.find_iter(&*text).any(|link| link.source().contains(&b'\n') || link.source().contains(&b'\r'));
        prop_assume!(!over_lines);
        let harmless = defang.rewrite_slice(&*text).0.into_owned();
        let (back, _) = refang.rewrite_slice(&harmless);
        let harmless = String::from_utf8_lossy(&harmless);
        prop_assert_eq!(String::from_utf8_lossy(&back), text, "{:?}", harmless);
    }

    /// A stream with a function writes what the template writes.
    #[cfg(feature = "std")]
    #[test]
    fn a_function_writes_what_a_template_writes(
        look in format_laws::look_at(Format::ALL),
        told in any::<bool>(),
        template in templates_of_links(),
    ) {
        let (plain, bytes) = (look.finder(told), &look.bytes[..]);
        let (want, done) = replacing(&plain, &template).rewrite_slice(bytes);
        let (mut out, mut n) = (Vec::new(), 0);
        let replaced = plain.replace_stream(bytes, &mut out, |link, out| {
            let mut text = String::new();
            n += 1;
            match template.write(link, n, &mut text) {
                Ok(true) => out.push_str(&text),
                _ => out.keep(),
            }
        });
        prop_assert_eq!(&out, &*want);
        prop_assert_eq!(replaced.expect("memory should not fail").changed, done.changed);
    }
}

/// A template with characters that the formats give a meaning reads as itself in each cell of the
/// matrix: every format, place, charset, part and escape. The text around it stays.
#[test]
fn a_template_reads_as_itself_in_every_cell() {
    // A link again, which the scanner of the format reads.
    let template = Template::new("http://z.example/{n}?a=b&c=%C3%A9#d").expect("valid");
    let check = |cell: &cells::Cell, finder: &Finder| {
        let finder = replacing(finder, &template);
        let plain = [&*cell.before, &cell.source, &cell.after].concat();
        let bytes = encode(&plain, cell.charset).ok_or("the charset should hold it")?;
        let fail = |what: String| format!("{} {}: {plain:?}: {what}", cell.format, cell.charset);
        let (out, done) = finder.rewrite_slice(&bytes[..]);
        let iris: Vec<String> = finder
            .find_iter(Input::new(&out).charset(done.summary.charset))
            .map(|l| l.iri().into_owned())
            .collect();
        let want: Vec<String> = (1..=done.summary.links)
            .map(|n| format!("http://z.example/{n}?a=b&c=%C3%A9#d"))
            .collect();
        let read: String =
            naive::decode(&out, cell.charset).iter().map(|c| c.c.unwrap_or('\u{FFFD}')).collect();
        if iris != want {
            return Err(fail(format!("{read:?} has the links {iris:?}")));
        }
        if ways::rewrite_chunks(&finder, bytes.chunks(1)) != *out {
            return Err(fail("byte by byte the result should be the same".into()));
        }
        // Of a triple, all three are replaced.
        let stays = read.starts_with(&*cell.before) && read.ends_with(&*cell.after);
        if !stays && cell.format != Format::Turtle {
            return Err(fail(format!("the text around should stay: {read:?}")));
        }
        Ok(())
    };
    cells::parts_in(&cases::has_turn, &check).finish(30_000);
}

/// A placeholder in every charset: what it lacks is the escape of the format, or a `?` that is
/// counted.
#[test]
fn what_the_charset_lacks_is_escaped_or_counted() {
    let template = Template::new(Written::TEXT).expect("valid");
    for charset in cases::charsets() {
        for samples in samples::all() {
            let format = samples.format();
            for Written { place, text, escaped } in samples.written() {
                let config = Config::new().charset(charset).format(format);
                let finder = config.rewrite(template.clone()).build().expect("valid");
                let source = place.replace('%', "http://a.example/");
                let bytes = encode(&source, charset).expect("ASCII should be in every charset");
                let (out, done) = finder.rewrite_slice(&bytes[..]);
                let (mut want, mut lost) = (String::new(), 0);
                for c in text.chars() {
                    let letter = Written::LETTERS.iter().position(|letter| *letter == c);
                    match letter.map(|i| &*escaped[i]) {
                        Some(escaped) if encode(c.encode_utf8(&mut [0; 4]), charset).is_none() => {
                            want += escaped;
                            lost += u64::from(escaped == "?");
                        }
                        _ => want.push(c),
                    }
                }
                let want = place.replace('%', &want);
                let read = naive::decode(&out, charset);
                let read: String = read.iter().map(|c| c.c.unwrap_or('\u{FFFD}')).collect();
                assert_eq!((read, done.lost), (want, lost), "{format} {charset}");
            }
        }
    }
}

/// In every charset, every character of the Basic Multilingual Plane that is written reads as itself,
/// or as the escape of HTML. Encoders write some as others: U+00A5 as the backslash of Shift_JIS.
#[test]
fn every_character_reads_as_itself() {
    let all: String = ('\u{A0}'..='\u{FFFF}').collect();
    let template = Template::new(&all).expect("valid");
    for charset in cases::charsets() {
        let config = Config::new().charset(charset).format(Format::Html).rewrite(template.clone());
        let source = encode("<p>http://a.example/ <", charset).expect("ASCII");
        let (out, done) = config.build().expect("valid").rewrite_slice(&source[..]);
        assert_eq!(done.lost, 0, "{charset}");
        let read: String =
            naive::decode(&out, charset).iter().map(|c| c.c.unwrap_or('\u{FFFD}')).collect();
        let read = read.strip_prefix("<p>").and_then(|read| read.strip_suffix(" <"));
        let (mut text, mut rest) = (String::new(), read.expect("the text around should stay"));
        while let Some((before, after)) = rest.split_once("&#") {
            let (number, after) = after.split_once(';').expect("an escape should end");
            text.push_str(before);
            text.extend(number.parse().ok().and_then(char::from_u32));
            rest = after;
        }
        text.push_str(rest);
        let wrong = text.chars().zip(all.chars()).find(|(read, written)| read != written);
        assert_eq!((wrong, text.len()), (None, all.len()), "{charset}");
    }
}

/// While the charset is not decided, only ASCII is written, however the stream is cut.
#[test]
fn until_the_charset_is_decided_ascii_is_written() {
    let template = Template::new("é").expect("valid");
    for (format, text, want) in [
        (Format::Text, "http://a.example/ x http://b.example/ é http://c.example/", "? x ? é é"),
        (Format::Text, "http://a.example/é", "é"),
        (Format::Html, "<p>http://a.example/ x é http://c.example/", "<p>&#233; x é é"),
        (Format::Json, "[\"http://a.example/\", \"é\"]", "[\"\\u00e9\", \"é\"]"),
    ] {
        let config = Config::new().format(format).rewrite(template.clone());
        let finder = config.build().expect("valid");
        let (out, done) = finder.rewrite_slice(text.as_bytes());
        assert_eq!(String::from_utf8_lossy(&out), want);
        assert_eq!(done.lost, want.matches('?').count() as u64);
        for n in 1..40 {
            let out = ways::rewrite_chunks(&finder, text.as_bytes().chunks(n));
            assert_eq!(String::from_utf8_lossy(&out), want, "{n} at a time");
        }
    }
}
