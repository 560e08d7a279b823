//! Runs the promises on real documents (`documents.rs`).

use std::{collections::BTreeSet, format, path::Path, println, string::String, vec, vec::Vec};

use super::{
    documents::{STEP, files, on_every_file},
    ways,
};
use crate::{
    api::{config::Config, find::Input, finder::Finder},
    charset::Charset,
    format::kinds::Format,
};

/// Returns the charsets that a document declares: in an XML declaration, a meta element or a MIME
/// header.
fn declared(bytes: &[u8]) -> BTreeSet<String> {
    let pattern = r#"(?i-u)(?:encoding|charset)\s*=\s*(?:3D)?["']?([A-Za-z0-9_.:\-]+)"#;
    let regex = regex_automata::meta::Regex::builder()
        .syntax(regex_automata::util::syntax::Config::new().utf8(false))
        .build(pattern)
        .expect("the pattern should be valid");
    let head = &bytes[..bytes.len().min(16 * 1024)];
    regex
        .captures_iter(head)
        .take(4)
        .filter_map(|c| c.get_group(1))
        .map(|span| String::from_utf8_lossy(&head[span.range()]).to_lowercase())
        .collect()
}

/// Returns the finders for a document: with charset `auto`, and with each charset that it declares.
/// The format follows from the file name.
fn finders(path: &Path, bytes: &[u8]) -> Vec<Finder> {
    let build = |config: Config| config.build().expect("the options should be valid");
    let named = declared(bytes);
    let known = named.iter().filter_map(|label| Charset::for_label(label).ok());
    let mut finders: Vec<Finder> = known.map(|c| build(Config::new().charset(c))).collect();
    finders.push(Finder::new());
    let extension = path.extension().and_then(|extension| extension.to_str());
    let format = extension.and_then(Format::from_extension).filter(|f| *f != Format::Text);
    finders.extend(format.map(|format| Finder::new().format(format)));
    finders
}

#[test]
fn rewriting_keeps_its_promises() {
    let links = on_every_file(|_, path, bytes| {
        let mut count = 0;
        for finder in finders(path, bytes) {
            let (out, done) = finder.rewrite_slice(bytes);
            let charset = done.summary.charset;
            count += done.summary.links as usize;
            let again = finder.rewrite_slice(Input::new(&out).charset(charset));
            if *again.0 != *out {
                return Err(format!("rewriting a second time changes the output, in {charset}"));
            }
            let (mut at, mut rest) = (0, &out[..]);
            for link in finder.find_iter(bytes) {
                if bytes[link.range()] != *link.source() {
                    return Err(format!("{:?} does not cut its source", link.span()));
                }
                if link.uri().is_ok_and(|uri| !uri.as_str().is_ascii()) {
                    return Err(format!("{link:?} has a URI that is not ASCII"));
                }
                let text = &bytes[at..link.range().start];
                if charset == Charset::ISO_2022_JP {
                    continue;
                }
                let unit = crate::tests::cases::encode("a", charset).map_or(1, |b| b.len());
                let len = match link.replacement() {
                    Ok(uri) if !link.is_ascii() => uri.len() * unit,
                    _ => link.source().len(),
                };
                if !rest.starts_with(text) || rest.len() < text.len() + len {
                    return Err(format!("bytes before {link:?} changed"));
                }
                rest = &rest[text.len() + len..];
                at = link.range().end;
            }
            if charset != Charset::ISO_2022_JP && *rest != bytes[at..] {
                return Err(format!("bytes at the end changed, in {charset}"));
            }
        }
        Ok(count)
    });
    if let Some(links) = links {
        println!("{links} links");
        assert!(links > 40_000 / STEP / 2, "only {links} links");
    }
}

#[test]
fn chunking_changes_nothing() {
    on_every_file(|i, path, bytes| {
        // A small random generator, so that the chunks are the same each time.
        let mut seed = 0x9E37_79B9_7F4A_7C15u64.wrapping_mul(i as u64 + 1);
        let mut random = move |n: usize| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            (seed % n as u64) as usize
        };
        for finder in finders(path, bytes) {
            let whole = ways::slice(&finder, bytes);
            for tuning in ways::TUNINGS {
                if ways::slice(&ways::tuned(&finder, tuning), bytes) != whole {
                    return Err(format!("other links with {tuning:?}"));
                }
            }
            let (rewritten, _) = finder.rewrite_slice(bytes);
            for round in 0..64 {
                // Small chunks first, then larger ones.
                let most = [7, 60, 500, 4000, 30_000][round % 5].max(bytes.len() / 2000);
                let (mut rest, mut chunks) = (bytes, vec![]);
                while !rest.is_empty() {
                    let (chunk, after) = rest.split_at((1 + random(most)).min(rest.len()));
                    chunks.push(chunk);
                    rest = after;
                }
                if ways::push(&finder, chunks.iter().copied()) != whole {
                    return Err(format!("chunks up to {most} change what is found"));
                }
                if round % 8 == 0 && ways::rewrite_chunks(&finder, chunks) != *rewritten {
                    return Err(format!("chunks up to {most} change what is written"));
                }
            }
        }
        Ok(0)
    });
}

/// Splits `document` at every position, and checks that nothing changes.
fn every_split(finder: &Finder, document: &[u8]) -> Result<(), String> {
    let whole = ways::slice(finder, document);
    for at in 0..=document.len() {
        let (a, b) = document.split_at(at);
        if ways::push(finder, [a, b]) != whole {
            return Err(format!("a split at {at} of {} changes what is found", document.len()));
        }
    }
    Ok(())
}

#[test]
fn every_split_of_small_documents() {
    // The first 4 KiB of two hundred files, evenly spread.
    let every = (files().len() / (200 / STEP).max(1)).max(1);
    on_every_file(|i, path, bytes| {
        if i % every == 0 {
            for finder in finders(path, bytes) {
                every_split(&finder, &bytes[..bytes.len().min(4096)])?;
            }
        }
        Ok(0)
    });
}

#[test]
fn every_split_around_links() {
    let links = on_every_file(|_, path, bytes| {
        let mut count = 0;
        for finder in finders(path, bytes) {
            let spans: Vec<_> = finder.find_iter(bytes).map(|l| l.range()).collect();
            // A document of one link and the text around it.
            for span in spans.iter().step_by((spans.len() / 40).max(1)) {
                let from = span.start.saturating_sub(64);
                let to = (span.end + 64).min(bytes.len());
                if to - from < 1000 {
                    every_split(&finder, &bytes[from..to])?;
                    count += 1;
                }
            }
        }
        Ok(count)
    });
    println!("{links:?} links");
}
