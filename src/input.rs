//! A slice to search, and the links of it.

use alloc::sync::Arc;

use crate::{
    charset::{Charset, detect::Basis},
    finder::Rules,
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
