//! A slice to search, and the links of it.

use alloc::sync::Arc;
use core::ops::Range;

use crate::{
    charset::{Charset, Shape, detect::Basis},
    finder::{Finder, Rules},
    matched::Match,
    scanner::{
        engine::Engine,
        machine::{Ahead, Window},
    },
};

/// Bytes to search, and the charset they are in.
///
/// ```
/// use iriscan::{Charset, Finder, Input};
///
/// let bytes = b"h\0t\0t\0p\0:\0/\0/\0\xE9\0.\0f\0r\0";
/// let input = Input::new(bytes).charset(Charset::UTF_16LE);
/// let link = Finder::new().find_iter(input).next().unwrap();
/// assert_eq!(link.text(), "http://é.fr");
/// assert_eq!(link.range(), 0..22); // bytes of the source
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Input<'h> {
    bytes: &'h [u8],
    charset: Option<Charset>,
}

impl<'h> Input<'h> {
    /// These bytes, in the configured charset, or else in one to be detected.
    #[must_use]
    pub fn new(bytes: &'h [u8]) -> Input<'h> {
        Input { bytes, charset: None }
    }

    pub(crate) fn bytes(&self) -> &'h [u8] {
        self.bytes
    }

    /// The charset of the bytes, whatever is configured.
    #[must_use]
    pub fn charset(mut self, charset: Charset) -> Input<'h> {
        self.charset = Some(charset);
        self
    }
}

impl<'h> From<&'h [u8]> for Input<'h> {
    fn from(bytes: &'h [u8]) -> Input<'h> {
        Input::new(bytes)
    }
}

impl<'h> From<&'h str> for Input<'h> {
    fn from(text: &'h str) -> Input<'h> {
        Input::new(text.as_bytes()).charset(Charset::UTF_8)
    }
}

/// The links of a slice, in order of their start.
#[derive(Clone, Debug)]
pub struct FindIter<'h> {
    bytes: &'h [u8],
    engine: Engine,
    rules: Arc<Rules>,
}

impl<'h> FindIter<'h> {
    pub(crate) fn new(rules: &Arc<Rules>, input: Input<'h>) -> FindIter<'h> {
        FindIter {
            bytes: input.bytes,
            engine: Engine::new(rules.clone(), input.charset.or(rules.charset)),
            rules: rules.clone(),
        }
    }

    /// The charset the bytes are read in, and why. Detection looks ahead only
    /// as far as the links asked for need: final once the iterator is at its
    /// end.
    #[must_use]
    pub fn charset(&self) -> (Charset, Basis) {
        self.engine.charset()
    }
}

impl<'h> Iterator for FindIter<'h> {
    type Item = Match<'h>;

    fn next(&mut self) -> Option<Match<'h>> {
        let w = Window { bytes: self.bytes, base: 0, ahead: Ahead::Nothing };
        let found = self.engine.next(w)?;
        let source = &self.bytes[w.index(found.start)..w.index(found.end)];
        Some(Match::of(source, found, self.engine.charset().0, self.rules.uri))
    }
}

impl core::iter::FusedIterator for FindIter<'_> {}

impl Finder {
    /// The link that a byte of `input` lies in: what [`Finder::find_iter`] finds
    /// there, for editors, terminals and mail views. `offset` is in bytes.
    ///
    /// It reads only as far as the nearest spaces between words, or empty lines, on
    /// either side, once the charset is known: tell it ([`Input::charset`]; a
    /// `&str` is UTF-8), or all up to the first telling byte is looked at. In
    /// ISO-2022-JP, and in UTF-16 and UTF-32 that had to be detected, all of `input`
    /// is.
    ///
    /// ```
    /// use iriscan::Finder;
    ///
    /// let text = "siehe https://de.example/Straße, danke";
    /// let finder = Finder::new();
    /// assert_eq!(finder.find_at(text, 20).unwrap().text(), "https://de.example/Straße");
    /// assert!(finder.find_at(text, 35).is_none());
    /// ```
    #[must_use]
    pub fn find_at<'h>(&self, input: impl Into<Input<'h>>, offset: usize) -> Option<Match<'h>> {
        let input = input.into();
        let bytes = input.bytes;
        if offset >= bytes.len() {
            return None;
        }
        let whole = Window { bytes, base: 0, ahead: Ahead::Nothing };
        let given = input.charset.or(self.rules.charset);
        let (charset, ascii) = Engine::new(self.rules.clone(), given).charset_of(whole);
        if given.is_none() && matches!(charset.shape(), Shape::Wide { .. } | Shape::Stateful) {
            // Its first characters were read before that was known.
            let reaches = |link: &Match<'_>| link.range().start <= offset;
            let mut links = self.find_iter(input).take_while(reaches);
            return links.find(|link| link.range().contains(&offset));
        }
        let near = neighbourhood(bytes, offset, charset);
        // What stands before the first telling byte is read as UTF-8.
        let charset = if near.end as u64 <= ascii { Charset::UTF_8 } else { charset };
        let w = Window { bytes: &bytes[near.clone()], base: 0, ahead: Ahead::Nothing };
        let mut engine = Engine::within(self.rules.clone(), charset);
        let base = near.start as u64;
        core::iter::from_fn(|| engine.next(w))
            .map(|found| found.shifted(base))
            .take_while(|found| found.start <= offset as u64)
            .find(|found| (offset as u64) < found.end)
            .map(|found| {
                let source = &bytes[whole.index(found.start)..whole.index(found.end)];
                Match::of(source, found, charset, self.rules.uri)
            })
    }
}

/// What a link over `offset` can depend on: up to the nearest spaces within a
/// line, or empty lines, on both sides. No link goes over one, wrapped ones
/// neither, and nothing that was read before one is remembered behind it.
fn neighbourhood(bytes: &[u8], offset: usize, charset: Charset) -> Range<usize> {
    let (width, place) = match charset.shape() {
        // What a byte is depends on all before it.
        Shape::Stateful => return 0..bytes.len(),
        Shape::Wide { width, big } => (width, if big { width - 1 } else { 0 }),
        Shape::Utf8 | Shape::Single | Shape::Multi => (1, 0),
    };
    let ascii = |at: usize| {
        let unit = bytes.get(at..at + width)?;
        unit.iter().enumerate().all(|(i, b)| i == place || *b == 0).then(|| unit[place])
    };
    // `n` units before `at`.
    let back = |at: usize, n: usize| at.checked_sub(n * width).and_then(ascii);
    let blank = |c: Option<u8>| matches!(c, Some(b' ' | b'\t' | b'\r' | b'\n'));
    let divides = |at: &usize| match ascii(*at) {
        // Not at either end of a line, where a link may be wrapped; nor behind a
        // `>`, which may be a quote mark there.
        Some(b' ') => {
            let before = back(*at, 1);
            *at >= width
                && !blank(before)
                && before != Some(b'>')
                && at + width < bytes.len()
                && !blank(ascii(at + width))
        }
        Some(b'\n') => {
            back(*at, 1) == Some(b'\n')
                || back(*at, 1) == Some(b'\r') && back(*at, 2) == Some(b'\n')
        }
        _ => false,
    };
    let aligned = offset - offset % width;
    let start = (0..aligned).step_by(width).rev().find(divides).map_or(0, |at| at + width);
    let end = (aligned..bytes.len()).step_by(width).find(divides).unwrap_or(bytes.len());
    start..end
}
