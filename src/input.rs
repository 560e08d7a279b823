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

/// What a link over `offset` can depend on: up to the nearest places that divide,
/// on both sides.
fn neighbourhood(bytes: &[u8], offset: usize, charset: Charset) -> Range<usize> {
    let Some(text) = Dividing::of(bytes, charset) else { return 0..bytes.len() };
    let aligned = offset - offset % text.width;
    let divides = |at: &usize| text.divides(*at);
    let mut before = (0..aligned).step_by(text.width).rev();
    let start = before.find(divides).map_or(0, |at| at + text.width);
    let mut behind = (aligned..bytes.len()).step_by(text.width);
    start..behind.find(divides).unwrap_or(bytes.len())
}

/// Where a text can be divided: at spaces within a line, and at empty lines. No
/// link goes over one, wrapped ones neither, and nothing that was read before one
/// is remembered behind it.
struct Dividing<'b> {
    bytes: &'b [u8],
    width: usize,
    place: usize,
}

impl<'b> Dividing<'b> {
    /// `None`: what a byte is depends on all before it.
    fn of(bytes: &'b [u8], charset: Charset) -> Option<Dividing<'b>> {
        let (width, place) = match charset.shape() {
            Shape::Stateful => return None,
            Shape::Wide { width, big } => (width, if big { width - 1 } else { 0 }),
            Shape::Utf8 | Shape::Single | Shape::Multi => (1, 0),
        };
        Some(Dividing { bytes, width, place })
    }

    fn ascii(&self, at: usize) -> Option<u8> {
        let unit = self.bytes.get(at..at + self.width)?;
        let zeros = unit.iter().enumerate().all(|(i, b)| i == self.place || *b == 0);
        zeros.then(|| unit[self.place])
    }

    /// `n` units before `at`.
    fn back(&self, at: usize, n: usize) -> Option<u8> {
        at.checked_sub(n * self.width).and_then(|at| self.ascii(at))
    }

    fn divides(&self, at: usize) -> bool {
        let blank = |c: Option<u8>| matches!(c, Some(b' ' | b'\t' | b'\r' | b'\n'));
        match self.ascii(at) {
            // Not at either end of a line, where a link may be wrapped; nor behind a
            // `>`, which may be a quote mark there.
            Some(b' ') => {
                let before = self.back(at, 1);
                at >= self.width
                    && !blank(before)
                    && before != Some(b'>')
                    && at + self.width < self.bytes.len()
                    && !blank(self.ascii(at + self.width))
            }
            Some(b'\n') => {
                self.back(at, 1) == Some(b'\n')
                    || self.back(at, 1) == Some(b'\r') && self.back(at, 2) == Some(b'\n')
            }
            _ => false,
        }
    }
}

impl Finder {
    /// The first place at or after `at` where a stream in `charset` may be cut, so
    /// that what is found on either side is what is found in the whole: for threads
    /// that share the work. `None`: there is none in `bytes`, or the charset has
    /// state (ISO-2022-JP).
    ///
    /// `bytes` are a piece of the stream that starts at a multiple of 4 bytes, at
    /// least 16 bytes before `at` unless that is where the stream starts. Scan what
    /// is behind the cut with [`Finder::scanner_from`].
    ///
    /// ```
    /// use iriscan::{Charset, Finder, Match, Sink};
    ///
    /// struct Count;
    ///
    /// impl Sink for Count {
    ///     type Error = std::convert::Infallible;
    ///     fn text(&mut self, _: &[u8]) -> Result<(), Self::Error> {
    ///         Ok(())
    ///     }
    ///     fn matched(&mut self, _: &Match<'_>) -> Result<(), Self::Error> {
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let text = "one http://a.example and http://b.example too";
    /// let finder = Finder::new();
    /// let cut = finder.boundary(text.as_bytes(), Charset::UTF_8, 16).unwrap();
    /// assert_eq!(&text[cut..], " and http://b.example too");
    /// let mut scanner = finder.scanner_from(cut as u64, Some(Charset::UTF_8));
    /// scanner.push(&text.as_bytes()[cut..], &mut Count)?;
    /// assert_eq!(scanner.finish(&mut Count)?.links, 1);
    /// # Ok::<(), std::convert::Infallible>(())
    /// ```
    #[must_use]
    pub fn boundary(&self, bytes: &[u8], charset: Charset, at: usize) -> Option<usize> {
        let text = Dividing::of(bytes, charset)?;
        let aligned = at.next_multiple_of(text.width);
        (aligned..bytes.len()).step_by(text.width).find(|at| text.divides(*at))
    }
}
