//! Runs every case × every charset that can hold it × every interface.

use std::{
    format, println,
    string::String,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    vec::Vec,
};

use super::{
    cases::{self, Case, Document},
    naive, ways,
};
use crate::{
    api::finder::Finder, engine::tuning::Tuning, format::kinds::Format,
    reference::to_uri::Disallowed,
};

/// The cases are shared by all cores.
#[test]
fn every_case_in_every_charset_by_every_interface() {
    let (all, next) = (cases::all(), AtomicUsize::new(0));
    let work = || {
        let mut done = Done::default();
        while let Some(case) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
            done.add(case);
        }
        done
    };
    let count = thread::available_parallelism().map_or(1, Into::into);
    let all: Vec<Done> = thread::scope(|scope| {
        let threads: Vec<_> = (0..count).map(|_| scope.spawn(work)).collect();
        threads.into_iter().map(|it| it.join().expect("a failure should be returned")).collect()
    });
    let ran: usize = all.iter().map(|done| done.ran).sum();
    let skipped: usize = all.iter().map(|done| done.skipped).sum();
    let failures: Vec<_> = all.into_iter().flat_map(|done| done.failures).collect();
    println!("{ran} case × charset pairs ran, {skipped} skipped: the charset cannot hold the text");
    assert!(failures.is_empty(), "{} cases fail:\n{}", failures.len(), failures.join("\n"));
    assert!(ran > 1000, "only {ran} pairs ran");
}

/// What a thread did.
#[derive(Default)]
struct Done {
    ran: usize,
    skipped: usize,
    failures: Vec<String>,
}

impl Done {
    fn add(&mut self, case: &Case) {
        let (documents, without) = case.documents();
        let all = cfg!(feature = "legacy-charsets");
        assert!(!documents.is_empty() || !all, "{}: no charset can hold it", case.name);
        self.skipped += without;
        let charsets: Vec<_> = documents.iter().map(|document| document.charset).collect();
        let all_ways = cases::one_of_each_shape(&charsets, case.name.len());
        for document in documents {
            self.ran += 1;
            let how = if all_ways.contains(&document.charset) { Ways::All } else { Ways::Few };
            if let Err(why) = check(case, &document, how) {
                self.failures.push(why);
                break;
            }
        }
    }
}

/// How many ways a document is read by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ways {
    /// Without every split and half of the tunings and chunks.
    Few,
    All,
}

fn check(case: &Case, document: &Document, how: Ways) -> Result<(), String> {
    let finder = case.config(document.charset).build().expect("options of cases should be valid");
    let finder = finder.format(case.format());
    let bytes = &document.bytes[..];
    let want = (document.links.clone(), case.uris(document));
    let agree = |way: &str, got: ways::Outcome| {
        let same = (got.links.clone(), got.uris.clone()) == want && got.all == bytes;
        let same = same && case.elements.as_ref().is_none_or(|elements| *elements == got.places);
        let same = same && case.absolute().is_none_or(|absolute| absolute == got.absolute);
        if same { Ok(()) } else { Err(report(case, document, way, &got, &want.1)) }
    };
    let tunings = if how == Ways::All { &ways::TUNINGS[..] } else { &ways::TUNINGS[..2] };
    for tuning in tunings.iter().copied() {
        let finder = ways::tuned(&finder, tuning);
        agree("slice", ways::slice(&finder, bytes))?;
        agree("one push", ways::push(&finder, [bytes]))?;
        agree("byte by byte", ways::push(&finder, bytes.chunks(1)))?;
    }
    // What lies around a link does not matter to it.
    if case.format() == Format::Text {
        for (start, end) in &document.links {
            let at = finder.find_at(bytes, *start as usize).map(|link| link.range());
            if at != Some(*start as usize..*end as usize) {
                return Err(format!("{}: find_at {start} gives {at:?}, not {end}", case.name));
            }
        }
    }
    // With this tuning every split is a boundary.
    let finder = ways::tuned(&finder, Tuning::SMALL);
    for at in (0..=bytes.len()).filter(|_| how == Ways::All) {
        let (a, b) = bytes.split_at(at);
        agree(&format!("split at {at}"), ways::push(&finder, [a, b]))?;
    }
    #[cfg(feature = "bytes")]
    {
        agree("bytes", ways::segments(&finder, [bytes]))?;
        agree("bytes, 7 at a time", ways::segments(&finder, bytes.chunks(7)))?;
    }
    // The twin has no limit and no format.
    if case.format() == Format::Text
        && !case.name.starts_with("max-len")
        && naive::knows(&finder.rules)
    {
        let twin = naive::links(bytes, document.charset, &finder.rules);
        let kinds = finder.find_iter(bytes).map(|link| link.kind());
        if !twin.iter().map(|(start, end, _)| (*start, *end)).eq(want.0.iter().copied())
            || !kinds.eq(twin.iter().map(|(.., kind)| *kind))
        {
            return Err(format!("{} in {}: the twin finds {twin:?}", case.name, document.charset));
        }
    }
    rewriting(case, document, &finder, how)?;
    detection(case, document)
}

/// If the charset is detected, a stream gives the same output as a slice, whatever charset it is.
/// No link is counted as changed that did not change.
fn detection(case: &Case, document: &Document) -> Result<(), String> {
    let finder = case.config_in(None).build().expect("options of cases should be valid");
    let finder = finder.format(case.format());
    let bytes = &document.bytes[..];
    let (out, done) = finder.rewrite_slice(bytes);
    let same = (done.changed == 0) == (*out == *bytes)
        && ways::rewrite_chunks(&finder, [bytes]) == *out
        && ways::rewrite_chunks(&finder, bytes.chunks(1)) == *out;
    if same {
        return Ok(());
    }
    let read = done.summary.charset;
    Err(format!("{} in {}, read as {read}: chunks change the output", case.name, document.charset))
}

/// Checks the output of rewriting: the document with each changed link replaced.
fn rewriting(case: &Case, document: &Document, finder: &Finder, how: Ways) -> Result<(), String> {
    let bytes = &document.bytes[..];
    let (out, done) = finder.rewrite_slice(bytes);
    let fail = |what: &str, got: &[u8]| {
        let text = |b: &[u8]| document.charset.decode_shifted(b, Default::default()).into_owned();
        Err(format!(
            "{} in {}: {what}:\n  {:?}\n  {:?}",
            case.name,
            document.charset,
            text(got),
            text(bytes)
        ))
    };
    // The decoded text with the links replaced.
    let chars = naive::decode(bytes, document.charset);
    let (mut want, mut at) = (String::new(), 0);
    let text = |from: u64, to: u64| -> String {
        let inside = |c: &&naive::Char| from <= c.start as u64 && (c.start as u64) < to;
        chars.iter().filter(inside).map(|c| c.c.unwrap_or('\u{FFFD}')).collect()
    };
    let mut encoded = String::new();
    for (i, (&(start, end), uri)) in document.links.iter().zip(case.uris(document)).enumerate() {
        let (before, link) = (text(at, start), text(start, end));
        encoded += &before;
        // A link of ASCII stays over its lines.
        let wrapped = link.is_ascii() && link.contains('\n');
        encoded += uri.as_ref().filter(|_| !wrapped).unwrap_or(&link);
        let uri = case.written(i).map(String::from).or(uri.filter(|_| !link.is_ascii()));
        want += &before;
        want += uri.as_ref().unwrap_or(&link);
        at = end;
    }
    let rest = text(at, bytes.len() as u64);
    want += &rest;
    encoded += &rest;
    let got: String =
        naive::decode(&out, document.charset).iter().map(|c| c.c.unwrap_or('\u{FFFD}')).collect();
    if got != want {
        return fail(&format!("rewriting should give {want:?}"), &out);
    }
    if finder.config().get_format() == Format::Text
        && (0..document.links.len()).all(|i| case.written(i).is_none())
    {
        let config = finder.config().disallowed(Disallowed::Encode);
        let out = config.build().expect("the options should be valid").rewrite_slice(bytes).0;
        let got = document.charset.decode_shifted(&out, Default::default());
        if got != encoded && !bytes.contains(&0x1B) {
            return fail(&format!("rewriting, encoding all, should give {encoded:?}"), &out);
        }
    }
    let sizes = if how == Ways::All { &[1, 2, 5, 4096][..] } else { &[1, 4096] };
    for n in sizes.iter().copied() {
        if ways::rewrite(finder, bytes, n) != *out {
            return fail(&format!("a reader of {n} bytes at a time changes the output"), &out);
        }
    }
    if ways::rewrite_chunks(finder, bytes.chunks(1)) != *out {
        return fail("pushing byte by byte changes the output", &out);
    }
    if (done.changed == 0) != (*out == *bytes) {
        return fail(&format!("{} links are counted as changed", done.changed), &out);
    }
    if *finder.rewrite_slice(&out[..]).0 != *out {
        return fail("rewriting a second time changes the output", &out);
    }
    Ok(())
}

fn report(
    case: &Case,
    document: &Document,
    way: &str,
    got: &ways::Outcome,
    uris: &[Option<String>],
) -> String {
    let show = |links: &[(u64, u64)]| -> Vec<String> {
        let cut = |&(s, e): &(u64, u64)| {
            let source = &document.bytes[s as usize..e as usize];
            format!("{s}..{e} {:?}", document.charset.decode_shifted(source, Default::default()))
        };
        links.iter().map(cut).collect()
    };
    format!(
        "{} in {}, {way}:\n  want {:?} {uris:?} {:?} {:?}\n  got  {:?} {:?} {:?} {:?}",
        case.name,
        document.charset,
        show(&document.links),
        case.elements,
        case.absolute(),
        show(&got.links),
        got.uris,
        got.places,
        got.absolute
    )
}
