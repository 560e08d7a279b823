//! Positions are those of the decoded text, counted in pieces or at once, and the
//! characters between the positions of a link's ends are the link.

#![no_main]

use std::ops::ControlFlow;

use iriscan::{Basis, Charset, Match, Position, Positions, Sink};
use iriscan_fuzz::{By, Case, WAYS};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|case: Case| {
    let mut pieces = Positions::new(case.charset);
    let mut at = 0;
    for chunk in case.chunks() {
        pieces.advance(chunk);
        at += chunk.len();
        let prefix = &case.bytes[..at];
        let mut once = Positions::new(case.charset);
        once.advance(prefix);
        assert_eq!(once.position(), pieces.position(), "in pieces as at once, {at} bytes");
        if let Some(text) = decode(prefix, case.charset) {
            assert_position(once.position(), &text);
        }
        if case.charset == Charset::UTF_8
            && let Ok(text) = str::from_utf8(prefix)
        {
            assert_position(once.position(), text.strip_prefix('\u{FEFF}').unwrap_or(text));
        }
    }
    for by in WAYS {
        links_lie_there(&case, by);
        decided_late(&case, by);
    }
});

/// The text between the positions of a link's ends is the link's.
fn links_lie_there(case: &Case, by: By) {
    let finder = case.finder(by);
    let mut links = finder.find_iter(&case.bytes[..]);
    let found: Vec<_> = links.by_ref().collect();
    let (charset, _) = links.charset();
    let mut positions = Positions::new(charset);
    let mut at = 0;
    for link in found {
        if link.charset() != charset && charset.name().starts_with("UTF-") {
            // Read as ASCII, before NULs showed UTF-16 or UTF-32.
            return;
        }
        positions.advance(&case.bytes[at..link.range().start]);
        let from = positions.position();
        positions.advance(link.source());
        let to = positions.position();
        at = link.range().end;
        let text = link.text();
        assert_eq!(to.utf16 - from.utf16, text.encode_utf16().count() as u64, "{by:?} {text:?}");
        assert_eq!(to.chars - from.chars, text.chars().count() as u64, "{by:?} {text:?}");
        assert_eq!(to.line, from.line, "{by:?} {text:?}");
        assert_eq!(to.column - from.column, to.chars - from.chars, "{by:?} {text:?}");
        if let Some(before) = decode(&case.bytes[..link.range().start], charset)
            && let Some(through) = decode(&case.bytes[..at], charset)
        {
            let between = through.strip_prefix(&before[..]);
            assert_eq!(between, Some(&*text), "the text of the link, {by:?}");
        }
    }
}

/// Positions that get the charset from the scanner are the same.
fn decided_late(case: &Case, by: By) {
    let mut counter = Counter(Positions::undecided());
    let mut scanner = case.finder(by).scanner();
    for chunk in case.chunks() {
        let Ok(()) = scanner.push(chunk, &mut counter);
    }
    let Ok(summary) = scanner.finish(&mut counter);
    let mut at_once = Positions::new(summary.charset);
    at_once.advance(&case.bytes);
    assert_eq!(
        counter.0.position(),
        at_once.position(),
        "decided late or at once, {by:?} {summary:?}"
    );
}

struct Counter(Positions);

impl Sink for Counter {
    type Error = core::convert::Infallible;

    fn charset(&mut self, charset: Charset, _: Basis) -> Result<(), Self::Error> {
        self.0.decide(charset);
        Ok(())
    }

    fn text(&mut self, bytes: &[u8]) -> Result<(), Self::Error> {
        self.0.advance(bytes);
        Ok(())
    }

    fn matched(&mut self, link: &Match<'_>) -> Result<ControlFlow<()>, Self::Error> {
        self.0.advance(link.source());
        Ok(ControlFlow::Continue(()))
    }
}

/// Decodes `prefix` with encoding_rs, as if one more character followed; `None` for
/// UTF-32, which encoding_rs lacks.
fn decode(prefix: &[u8], charset: Charset) -> Option<String> {
    let encoding = encoding_rs::Encoding::for_label(charset.name().as_bytes())?;
    let mut decoder = encoding.new_decoder_with_bom_removal();
    let mut text = String::with_capacity(decoder.max_utf8_buffer_length(prefix.len() + 1)? + 16);
    let _ = decoder.decode_to_string(prefix, &mut text, !encoding.is_ascii_compatible());
    if encoding.is_ascii_compatible() {
        let _ = decoder.decode_to_string(b" ", &mut text, true);
        text.pop();
    }
    Some(text)
}

fn assert_position(at: Position, text: &str) {
    let ends = text.matches(['\n', '\r']).count() - text.matches("\r\n").count();
    let last = text.rfind(['\n', '\r']).map_or(text, |i| &text[i + 1..]);
    assert_eq!(at.utf16, text.encode_utf16().count() as u64, "UTF-16 units of {text:?}");
    assert_eq!(at.chars, text.chars().count() as u64, "characters of {text:?}");
    assert_eq!(at.line, ends as u64 + 1, "line after {text:?}");
    assert_eq!(at.column, last.chars().count() as u64 + 1, "column after {text:?}");
}
