//! The regions of a document that is held in memory, for who explains its links.
//!
//! The lexer of the format is the same as in a scan; only who reads its tokens is another. A
//! [`Document`](crate::format::document::Document) passes over most text as soon as it knows that no link is in it;
//! here each region comes out with its text and, for each byte of that, the part of the document that it
//! stands for.

use alloc::vec::Vec;
use core::ops::Range;

use crate::{
    engine::rules::Rules,
    format::{
        csv::delimiter,
        kinds::Format,
        lexing::{
            lexer::{Lexer, Token},
            lookahead::Lookahead,
            value,
        },
        row::Start,
    },
};

pub(crate) use crate::format::lexing::lexer::{Region, Value};
pub(crate) use crate::format::lexing::value::{Reference, references, refusal};

/// A region of a document.
pub(crate) struct ReadRegion {
    pub(crate) kind: Region,
    /// The byte of ASCII before it that may open something in it.
    pub(crate) before: Option<u8>,
    /// Where it is in the document.
    pub(crate) range: Range<usize>,
    /// Its characters in UTF-8, escapes undone.
    pub(crate) text: Vec<u8>,
    /// For each byte of the text, the part of the document that it stands for.
    pub(crate) sources: Vec<Range<usize>>,
}

impl ReadRegion {
    fn new(kind: Region, at: usize) -> ReadRegion {
        ReadRegion { kind, before: None, range: at..at, text: Vec::new(), sources: Vec::new() }
    }

    fn raw(&mut self, document: &[u8], range: Range<usize>) {
        self.text.extend_from_slice(&document[range.clone()]);
        self.sources.extend(range.map(|at| at..at + 1));
    }

    fn escape(&mut self, range: Range<usize>, chars: &[u8]) {
        self.text.extend_from_slice(chars);
        self.sources.extend(chars.iter().map(|_| range.clone()));
    }

    /// The same region, which ends at `to`.
    fn ended(mut self, to: usize) -> ReadRegion {
        self.range.end = to;
        self
    }
}

/// Returns the delimiter of the fields of a document that begins with `head`, in which its first
/// [`head_len`] bytes are decoded.
pub(crate) fn delimiter(format: Format, rules: &Rules, head: &str) -> u8 {
    match format.delimiter().or(rules.delimiter()) {
        Some(delimiter) => delimiter,
        None if format.has_fields() => delimiter::of(head),
        None => delimiter::USUAL,
    }
}

/// How many bytes of a document are read for its delimiter.
pub(crate) fn head_len(bytes: &[u8]) -> usize {
    let head = &bytes[..bytes.len().min(delimiter::HEAD)];
    delimiter::head(head).unwrap_or(head.len())
}

/// Returns the regions of a document, in order.
pub(crate) fn regions(
    document: &[u8],
    format: Format,
    delimiter: u8,
    rules: &Rules,
) -> Vec<ReadRegion> {
    let mut lexer = Start { delimiter, first: true, rules }.lexer(format);
    let (mut all, mut open, mut at) = (Vec::new(), None::<ReadRegion>, 0);
    while let Some(token) = lexer.next(Lookahead::whole(&document[at..])) {
        match (token, &mut open) {
            (Token::Skip(n), _) => at += n,
            (Token::Begin(kind), _) => open = Some(ReadRegion::new(kind, at)),
            (Token::Raw(n), region) => {
                region.iter_mut().for_each(|region| region.raw(document, at..at + n));
                at += n;
            }
            (Token::Escape(n, chars), region) => {
                region.iter_mut().for_each(|region| region.escape(at..at + n, chars.as_bytes()));
                at += n;
            }
            (Token::End, _) => all.extend(open.take().map(|region| region.ended(at))),
            (Token::Whole(before, value, n), _) => {
                let from = at + before;
                at = from + n;
                all.push(whole(document, Region::Reference(value), from..at));
            }
            (Token::Cell(before, n), _) => {
                let from = at + before;
                at = from + n;
                all.push(whole(document, Region::Field, from..at));
            }
            (Token::Cancel, _) => open = None,
            (Token::Broken(before), Some(region)) => {
                region.kind = Region::Prose;
                region.before = before.is_ascii_graphic().then_some(before);
            }
            (Token::Broken(_), None) => {}
            (Token::Cut, _) => {
                let whole = open.take().filter(|region| !value::is_torn(&region.text));
                all.extend(whole.map(|region| region.ended(at)));
            }
        }
    }
    all
}

/// A region without escapes.
fn whole(document: &[u8], kind: Region, range: Range<usize>) -> ReadRegion {
    let mut region = ReadRegion::new(kind, range.start);
    region.raw(document, range.clone());
    region.ended(range.end)
}
