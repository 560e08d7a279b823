//! What one of the two libraries finds. `main.rs` compiles this file twice, with `library` for each
//! of them.

use std::convert::Infallible;

use super::library::{Charset, Config, Finder, Format, Kind, Match, RuleSet, Schemes, Sink};
use super::{Flow, GO_ON};
use crate::{
    answer::{Answer, Link},
    options::Options,
};

/// Returns a finder with these options.
fn finder(options: &Options) -> Finder {
    let kinds = match options.all_kinds {
        true => vec![Kind::Iri, Kind::Bare, Kind::Email],
        false => vec![Kind::Iri],
    };
    let mut config = Config::new()
        .kinds(kinds)
        .rules(if options.standard { RuleSet::Uts58 } else { RuleSet::Prose })
        .schemes(if options.any_scheme { Schemes::Any } else { Schemes::Common })
        .ascii_only(options.ascii_only)
        .format(options.format.parse::<Format>().expect("each format should be known"));
    if let Some(max_len) = options.max_len {
        config = config.max_len(max_len);
    }
    if let Some(label) = options.charset {
        config = config.charset(Charset::for_label(label).expect("each charset should be known"));
    }
    config.build().expect("the options should be valid")
}

/// Returns what a search of all of `bytes` finds.
pub(crate) fn slice(options: &Options, bytes: &[u8]) -> Answer {
    let finder = finder(options);
    let mut links = finder.find_iter(bytes);
    let found = links.by_ref().map(|link| describe(&link)).collect();
    Answer { links: found, overlong: links.overlong(), charset: links.charset().0.name().into() }
}

/// Returns what a scanner finds that gets `bytes` in chunks of these sizes, again and again.
pub(crate) fn chunks(options: &Options, bytes: &[u8], sizes: &[usize]) -> Answer {
    let mut scanner = finder(options).scanner();
    let (mut sink, mut rest) = (Collect::default(), bytes);
    for size in sizes.iter().cycle() {
        if rest.is_empty() {
            break;
        }
        let (chunk, after) = rest.split_at((*size).min(rest.len()));
        let Ok(()) = scanner.push(chunk, &mut sink);
        rest = after;
    }
    let Ok(summary) = scanner.finish(&mut sink);
    assert!(sink.all == bytes, "text and links together should be the input");
    Answer { links: sink.links, overlong: summary.overlong, charset: summary.charset.name().into() }
}

/// All links, and all bytes.
#[derive(Default)]
struct Collect {
    links: Vec<Link>,
    all: Vec<u8>,
}

impl Sink for Collect {
    type Error = Infallible;

    fn text(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        self.all.extend_from_slice(bytes);
        Ok(())
    }

    fn matched(&mut self, link: &Match<'_>) -> Result<Flow, Infallible> {
        self.links.push(describe(link));
        self.all.extend_from_slice(link.source());
        Ok(GO_ON)
    }
}

/// Everything that is public about a link.
fn describe(link: &Match<'_>) -> Link {
    let (text, place) = (link.text(), [link.element(), link.attribute(), link.anchor()]);
    let uri = link.uri().map(|uri| uri.as_str().to_string());
    let mut warnings: Vec<_> = link.warnings().iter().map(|warning| warning.as_str()).collect();
    // Before 570ec7d, an escape sequence between a link and malformed bytes after it counted as text.
    if link.charset().name() == "ISO-2022-JP" {
        warnings.retain(|warning| *warning != "malformed-bytes-adjacent");
    }
    Link {
        span: (link.span().start, link.span().end),
        kind: link.kind().as_str(),
        text: text.into_owned(),
        uri: format!("{uri:?}"),
        more: format!(
            "{} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {place:?} {:?} {warnings:?}",
            link.charset().name(),
            link.is_ascii(),
            link.iri(),
            link.scheme(),
            link.host(),
            link.display(),
            link.open(),
            link.unwrapped(),
            link.replacement(),
        ),
    }
}
