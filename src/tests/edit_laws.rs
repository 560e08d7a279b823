//! The promises as properties, for finders that change parts of links.

use std::{
    borrow::ToOwned,
    format,
    string::String,
    sync::atomic::{AtomicUsize, Ordering},
    vec::Vec,
};

use proptest::prelude::*;

use super::{cases, cells, encode::encode, format_laws, laws, naive, template_laws, ways};
use crate::{
    api::{find::Input, finder::Finder},
    charset::Charset,
    format::kinds::Format,
    grammar::types::Kind,
    links::edit::LinkEdit,
    reference::components::{Component, Components},
};

fn edits() -> impl Strategy<Value = LinkEdit> {
    let new = LinkEdit::new;
    let moved = || new().host("z.example").expect("valid");
    prop::sample::select(Vec::from([
        moved(),
        new().host("é.example").expect("valid"),
        new().host("[::1]").expect("valid"),
        new().scheme("https").expect("valid"),
        new().scheme("ftp").expect("valid").port("").expect("valid"),
        moved().port("8080").expect("valid").path_prefix("/", "/(a&b)/*/é/").expect("valid"),
        new().path_prefix("/a", "/b;c'd").expect("valid").path_prefix("/x", "").expect("valid"),
        new().drop_query("*").expect("valid"),
        new().drop_query("?").expect("valid").drop_query("q*").expect("valid"),
    ]))
}

/// The same finder with these changes.
fn editing(finder: &Finder, edit: &LinkEdit) -> Finder {
    let edited = finder.config().rewrite(edit.clone()).build();
    ways::tuned(&edited.expect("the options should be valid"), finder.rules.tuning)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: laws::cases_count(), ..ProptestConfig::default() })]

    /// Changing parts is the same by every way and at any chunking, and leaves every byte outside of the
    /// links as it is.
    #[test]
    fn editing_is_the_same_by_every_way(
        look in format_laws::look_at(Format::ALL),
        told in any::<bool>(),
        edit in edits(),
        sizes in laws::sizes(),
    ) {
        let (plain, bytes) = (look.finder(told), &look.bytes[..]);
        let finder = editing(&plain, &edit);
        let (out, done) = finder.rewrite_slice(bytes);
        prop_assert_eq!(&ways::rewrite_chunks(&finder, laws::cut(bytes, &sizes)), &*out);
        prop_assert_eq!(&ways::rewrite_chunks(&finder, bytes.chunks(1)), &*out);
        prop_assert_eq!(&ways::rewrite(&finder, bytes, sizes[0]), &*out);
        prop_assert_eq!(done.changed == 0, *out == *bytes);
        prop_assert_eq!(done.lost, 0);
        let changing = plain.find_iter(bytes).filter(|link| edit.apply(link).is_some()).count() as u64;
        prop_assert!(done.changed + done.unconvertible + done.identifiers == changing);
        if done.summary.charset == Charset::ISO_2022_JP {
            return Ok(());
        }
        let links: Vec<_> = plain.find_iter(bytes).map(|link| link.range()).collect();
        prop_assert!(template_laws::texts_stay(bytes, &links, &out));
    }

    /// The new reference is the old one but for the parts that are named.
    #[test]
    fn only_the_named_parts_differ(look in format_laws::look_at(Format::ALL)) {
        let finder = look.finder(true);
        let edit = LinkEdit::new().host("z.example").expect("valid").port("1").expect("valid");
        for link in finder.find_iter(&look.bytes[..]).filter(|link| link.kind() == Kind::Iri) {
            let old = link.iri();
            let new = edit.apply(&link);
            let (old, new) = (Components::split(&old), Components::split(new.as_deref().unwrap_or(&old)));
            for part in Component::ALL.iter().copied() {
                let [old, new] = [old, new].map(|parts| parts.range(part).map(|range| parts.as_str()[range].to_owned()));
                match part {
                    Component::Host | Component::Port | Component::Authority => {}
                    _ => prop_assert_eq!(old, new, "{}", part),
                }
            }
            let named = old.host().is_some_and(|host| !host.is_empty());
            if named {
                prop_assert_eq!((new.host(), new.port()), (Some("z.example"), Some("1")));
            } else {
                prop_assert_eq!(old, new);
            }
        }
    }
}

/// In each cell of the matrix (every format, place, charset, part and escape) a link gets a new host, and nothing
/// else in the document changes.
#[test]
fn a_host_changes_alone_in_every_cell() {
    let edit = LinkEdit::new().host("z.example").expect("valid");
    let changed = AtomicUsize::new(0);
    let check = |cell: &cells::Cell, finder: &Finder| {
        let finder = editing(finder, &edit);
        let plain = [&*cell.before, &cell.source, &cell.after].concat();
        let bytes = encode(&plain, cell.charset).ok_or("the charset should hold it")?;
        let fail = |what: String| format!("{} {}: {plain:?}: {what}", cell.format, cell.charset);
        let (out, done) = finder.rewrite_slice(&bytes[..]);
        let read: String =
            naive::decode(&out, cell.charset).iter().map(|c| c.c.unwrap_or('\u{FFFD}')).collect();
        // Of a triple, all three are links.
        let before = match cell.format {
            Format::Turtle => cell.before.replace("//s.", "//z.").replace("//p.", "//z."),
            _ => cell.before.clone(),
        };
        let parts = Components::split(&cell.iri);
        let (Some(host), Some(at)) = (parts.host(), parts.range(Component::Host)) else {
            return match read == [&*before, &cell.source, &cell.after].concat() {
                true => Ok(()),
                false => Err(fail("a link without a host should stay".into())),
            };
        };
        let want = [&cell.iri[..at.start], "z.example", &cell.iri[at.end..]].concat();
        let iris: Vec<String> = finder
            .find_iter(Input::new(&out).charset(done.summary.charset))
            .map(|link| link.iri().into_owned())
            .collect();
        if done.changed > 0 && !iris.contains(&want) {
            return Err(fail(format!("{read:?} has the links {iris:?}, not {want:?}")));
        }
        if ways::rewrite_chunks(&finder, bytes.chunks(1)) != *out {
            return Err(fail("byte by byte the result should be the same".into()));
        }
        // An identifier of RDF stays, and so does a link that goes over the ends of strings.
        let stays = done.changed == 0;
        changed.fetch_add(usize::from(!stays), Ordering::Relaxed);
        let source = match cell.source.split_once(host) {
            _ if stays => cell.source.clone(),
            Some((before, after)) => [before, "z.example", after].concat(),
            None => {
                // The host has escapes.
                let (before, after) = (&cell.iri[..at.start], &cell.iri[at.end..]);
                let (head, tail) = (cell.source.starts_with(before), cell.source.ends_with(after));
                if !head || !tail {
                    return Err(fail("the host alone should be escaped".into()));
                }
                [before, "z.example", after].concat()
            }
        };
        let want = [&*before, &*source, &*cell.after].concat();
        match read == want {
            true => Ok(()),
            false => Err(fail(format!("{read:?}, not {want:?}"))),
        }
    };
    cells::parts_in(&cases::has_turn, &check).finish(30_000);
    assert!(changed.load(Ordering::Relaxed) > 20_000, "only {changed:?} links changed");
}
