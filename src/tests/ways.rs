//! Runs the scanner by every interface, and returns the results in one shape.

use std::{convert::Infallible, ops::ControlFlow, string::String, sync::Arc, vec::Vec};

use crate::{
    api::{finder::Finder, scanner::Scanner},
    charset::{Charset, detect::Basis},
    engine::{rules::Rules, tuning::Tuning},
    links::{matched::Match, sink::Sink, viewer::Viewer},
};

/// All of these tunings must give the same result: the default, one with which short documents
/// cross every boundary, and both of them without the fast paths.
pub(super) const TUNINGS: [Tuning; 4] = [
    Tuning::DEFAULT,
    Tuning::SMALL,
    Tuning { fast_path: false, skip_tags: false, ..Tuning::DEFAULT },
    Tuning { fast_path: false, skip_tags: false, ..Tuning::SMALL },
];

/// Returns the same finder with this tuning.
pub(super) fn tuned(finder: &Finder, tuning: Tuning) -> Finder {
    let rules = Rules { tuning, ..Rules::clone(&finder.rules) };
    Finder { rules: Arc::new(rules), ..finder.clone() }
}

/// The result of one interface.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Outcome {
    pub(super) links: Vec<(u64, u64)>,
    pub(super) uris: Vec<Option<String>>,
    /// The element, the attribute and the text of the element of each link, as far as it has them.
    pub(super) places: Vec<Vec<String>>,
    pub(super) absolute: Vec<Option<String>>,
    /// What the replacement of each link must take into account.
    pub(super) contexts: Vec<String>,
    /// The number of candidates that were too long.
    pub(super) overlong: u64,
    /// Text and links, in order.
    pub(super) all: Vec<u8>,
    pub(super) charset: Option<Charset>,
}

impl Sink for Outcome {
    type Error = Infallible;

    fn charset(&mut self, charset: Charset, _: Basis) -> Result<(), Infallible> {
        assert_eq!(self.charset, None, "the charset should be reported once");
        self.charset = Some(charset);
        Ok(())
    }

    fn text(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        assert!(!bytes.is_empty(), "text should not be empty");
        self.all.extend_from_slice(bytes);
        Ok(())
    }

    fn matched(&mut self, link: &Match<'_>) -> Result<ControlFlow<()>, Infallible> {
        assert_eq!(
            link.span().start,
            self.all.len() as u64,
            "links should come in the order of the stream"
        );
        self.links.push((link.span().start, link.span().end));
        self.uris.push(link.uri().ok().map(|uri| uri.as_str().into()));
        self.places.push(place(link));
        self.absolute.push(link.absolute().ok());
        self.contexts.push(context(link));
        self.all.extend_from_slice(link.source());
        Ok(ControlFlow::Continue(()))
    }
}

/// The element, the attribute and the text of the element.
pub(super) fn place(link: &Match<'_>) -> Vec<String> {
    let all = [link.element(), link.attribute(), link.anchor()];
    all.into_iter().flatten().map(Into::into).collect()
}

/// Where the link is in the syntax of the document.
fn context(link: &Match<'_>) -> String {
    let found = link.found();
    std::format!("{:?} {:?} {:?}", found.context(), found.part(), found.delimiter())
}

/// By slice.
pub(super) fn slice(finder: &Finder, bytes: &[u8]) -> Outcome {
    let (mut links, mut viewer) = (finder.find_iter(bytes), Viewer::new());
    let mut outcome = Outcome::default();
    for link in links.by_ref() {
        assert_eq!(
            link.source(),
            &bytes[link.range()],
            "the source should be the bytes of the span"
        );
        outcome.links.push((link.span().start, link.span().end));
        // The other ways ask the link itself.
        let mut uri = String::new();
        outcome.uris.push(viewer.write_uri(&link, &mut uri).ok().map(|()| uri));
        outcome.places.push(place(&link));
        outcome.absolute.push(link.absolute().ok());
        outcome.contexts.push(context(&link));
    }
    outcome.charset = Some(links.charset().0);
    outcome.overlong = links.overlong();
    outcome.all = bytes.to_vec();
    outcome
}

/// By pushing these chunks.
pub(super) fn push<'b>(finder: &Finder, chunks: impl IntoIterator<Item = &'b [u8]>) -> Outcome {
    let mut outcome = Outcome::default();
    let mut scanner: Scanner = finder.scanner();
    for chunk in chunks {
        let Ok(()) = scanner.push(chunk, &mut outcome);
        assert_eq!(scanner.delivered(), outcome.all.len() as u64);
        assert!(scanner.delivered() <= scanner.pushed());
    }
    let Ok(summary) = scanner.finish(&mut outcome);
    assert_eq!(summary.bytes, outcome.all.len() as u64);
    assert_eq!(summary.links, outcome.links.len() as u64);
    outcome.overlong = summary.overlong;
    outcome
}

/// By pushing the chunks of lines, and flushing after each line.
pub(super) fn lines<'b>(
    finder: &Finder,
    lines: impl IntoIterator<Item = Vec<&'b [u8]>>,
) -> Outcome {
    let mut outcome = Outcome::default();
    let mut scanner: Scanner = finder.scanner();
    for line in lines {
        for chunk in line {
            let Ok(()) = scanner.push(chunk, &mut outcome);
        }
        let Ok(()) = scanner.flush(&mut outcome);
    }
    let Ok(summary) = scanner.finish(&mut outcome);
    outcome.overlong = summary.overlong;
    outcome
}

/// Cuts at every boundary and scans each piece with a scanner of its own.
pub(super) fn cut(finder: &Finder, bytes: &[u8], charset: Charset) -> Outcome {
    let mut outcome = Outcome::default();
    let (mut at, mut scanner) = (0, finder.scanner());
    let mut begin = 0;
    loop {
        let cut = finder.boundary(bytes, charset, at + 1);
        let from = (at + 1).saturating_sub(16) & !3;
        let of_a_piece = finder.boundary(&bytes[from..], charset, at + 1 - from);
        assert_eq!(of_a_piece.map(|cut| from + cut), cut, "the boundary in the piece from {from}");
        let end = cut.unwrap_or(bytes.len());
        let Ok(()) = scanner.push(&bytes[at..end], &mut outcome);
        at = end;
        // The bytes that decide about the charset are scanned together.
        let undecided = scanner.charset().1 == Basis::Ascii;
        if cut.is_some() && (undecided || !scanner.is_at_boundary()) {
            continue;
        }
        let rest = scanner.rest(at as u64);
        let Ok(summary) = core::mem::replace(&mut scanner, rest).finish(&mut outcome);
        assert_eq!(summary.bytes, (end - begin) as u64);
        outcome.overlong += summary.overlong;
        if cut.is_none() {
            return outcome;
        }
        outcome.charset = None;
        begin = at;
    }
}

/// By segments of `Bytes`, in these chunks.
#[cfg(feature = "bytes")]
pub(super) fn segments<'b>(finder: &Finder, chunks: impl IntoIterator<Item = &'b [u8]>) -> Outcome {
    use crate::api::segments::{Segment, Segments};

    let mut outcome = Outcome::default();
    let mut segments = Segments::new(finder);
    let mut take = |segments: &mut Segments<bytes::Bytes>| {
        while let Some(segment) = segments.next_segment() {
            match &segment {
                Segment::Text(text) => {
                    let Ok(()) = outcome.text(text);
                }
                Segment::Link(link) => {
                    let Ok(ControlFlow::Continue(())) = outcome.matched(&link.as_match()) else {
                        unreachable!("it takes every link")
                    };
                }
            }
        }
    };
    for chunk in chunks {
        segments.feed(bytes::Bytes::copy_from_slice(chunk));
        take(&mut segments);
    }
    segments.end();
    take(&mut segments);
    outcome.charset = segments.summary().map(|s| s.charset);
    outcome.overlong = segments.summary().map_or(0, |s| s.overlong);
    outcome
}

#[cfg(feature = "std")]
pub(super) use with_std::{rewrite, rewrite_chunks};

#[cfg(feature = "std")]
mod with_std {
    use std::{
        io::{self, Read},
        vec,
        vec::Vec,
    };

    use crate::api::{finder::Finder, reader::RewriteReader, rewriter::Rewriter};

    /// A reader that gives `n` bytes at a time and is interrupted before each of these reads.
    struct Slow<'b> {
        bytes: &'b [u8],
        n: usize,
        interrupted: bool,
    }

    impl io::Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.interrupted = !self.interrupted;
            if self.interrupted {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let n = self.n.min(buffer.len()).min(self.bytes.len());
            buffer[..n].copy_from_slice(&self.bytes[..n]);
            self.bytes = &self.bytes[n..];
            Ok(n)
        }
    }

    /// Rewrites from a reader that gives `n` bytes at a time.
    pub(in crate::tests) fn rewrite(finder: &Finder, bytes: &[u8], n: usize) -> Vec<u8> {
        let mut out = vec![];
        let done = finder
            .rewrite(Slow { bytes, n, interrupted: false }, &mut out)
            .expect("memory should not fail");
        assert_eq!(done.summary.bytes, bytes.len() as u64);
        let mut read = vec![];
        let mut reader = RewriteReader::new(Slow { bytes, n, interrupted: false }, finder);
        reader.read_to_end(&mut read).expect("memory should not fail");
        assert_eq!(reader.done(), Some(done));
        assert!(read == out, "a reader should give what a writer gets");
        out
    }

    /// Rewrites by pushing these chunks.
    pub(in crate::tests) fn rewrite_chunks<'b>(
        finder: &Finder,
        chunks: impl IntoIterator<Item = &'b [u8]>,
    ) -> Vec<u8> {
        let mut rewriter = Rewriter::new(vec![], finder);
        let mut scanner = finder.scanner();
        for chunk in chunks {
            scanner.push(chunk, &mut rewriter).expect("memory should not fail");
        }
        scanner.finish(&mut rewriter).expect("memory should not fail");
        rewriter.into_inner().0
    }
}

/// Without `std`, only a slice can be rewritten.
#[cfg(not(feature = "std"))]
pub(super) fn rewrite(finder: &Finder, bytes: &[u8], _: usize) -> Vec<u8> {
    finder.rewrite_slice(bytes).0.into_owned()
}

/// Without `std`, only a slice can be rewritten.
#[cfg(not(feature = "std"))]
pub(super) fn rewrite_chunks<'b>(
    finder: &Finder,
    chunks: impl IntoIterator<Item = &'b [u8]>,
) -> Vec<u8> {
    finder.rewrite_slice(&chunks.into_iter().collect::<Vec<_>>().concat()[..]).0.into_owned()
}
