//! What a format's lexer says of the bytes: which are text, and what stands in
//! them for something else.
//!
//! A lexer knows the syntax of one format and nothing of links, charsets or
//! streams. Invariants: the lengths of its tokens add up to the document;
//! how the document is cut changes nothing but where [`Token::Skip`] and
//! [`Token::Raw`] are divided, and whether text that cannot hold a link is a region;
//! no more than [`AHEAD`] bytes are looked at before they are said to be something
//! (of HTML in the text of XML: bytes of that text, an escape for each at worst).

use alloc::vec::Vec;

use super::map::{Make, Map, SAME};
use crate::simd::swar;

/// How many bytes a lexer may ask to see together.
pub(crate) const AHEAD: usize = 64;

/// The next bytes of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// So many bytes are no text: markup, a script. Outside of regions only, as
    /// [`Token::Begin`] and [`Token::Whole`].
    Skip(usize),
    /// Text begins here; what stands before it is apart from it.
    Begin(Region),
    /// So many bytes of text, as they stand.
    Raw(usize),
    /// So many bytes stand for these in the text.
    Escape(usize, Chars),
    /// The text ends.
    End,
    /// So many bytes are no text; then references, begun and ended: so many bytes of
    /// text, as they stand.
    Whole(usize, Value, usize),
    /// The region was none: its bytes are no text. Only of references, whose syntax
    /// is known to be kept when they end.
    Cancel,
    /// The document ends within the region: it was one only if it looks like it.
    Cut,
}

/// What stands in a piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Region {
    /// Running text: the rules say where links are.
    Prose,
    /// Running text that fills a field: a link that does so too is delimited by it.
    Field,
    /// References, and nothing else.
    Reference(Value),
}

/// How references stand in a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// One, between white space of HTML (`href`).
    One,
    /// One, white space and all (links of terminals).
    Exact,
    /// As `One`, an identifier of RDF (`rdf:about`).
    About,
    /// As `Exact`, an identifier of RDF (`<…>` of Turtle).
    Name,
    /// Several, with white space between them (`ping`).
    List,
    /// Image candidates with commas between them (`srcset`).
    Srcset,
    /// `5; url=…` (`<meta http-equiv=refresh>`).
    Refresh,
    /// Declarations with `url(…)` (`style`).
    Css,
    /// One, as a URL of a style sheet (`url(…)` in `<style>`).
    Url,
}

/// UTF-8 that an escape stands for, or some bytes of it; U+FFFD's place is taken by
/// a byte that is never UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Chars {
    bytes: [u8; 8],
    len: u8,
}

impl Chars {
    /// No character: half of a surrogate pair, a number that is none.
    pub(crate) const MALFORMED: Chars = Chars::byte(0xFF);

    /// A byte of UTF-8.
    pub(crate) const fn byte(b: u8) -> Chars {
        Chars { bytes: [b, 0, 0, 0, 0, 0, 0, 0], len: 1 }
    }

    /// `text`, if it has up to eight bytes.
    pub(crate) fn text(text: &str) -> Option<Chars> {
        let mut bytes = [0; 8];
        bytes.get_mut(..text.len())?.copy_from_slice(text.as_bytes());
        Some(Chars { bytes, len: text.len() as u8 })
    }

    /// Up to eight bytes; more are left out.
    pub(crate) fn bytes(from: &[u8]) -> Chars {
        let (mut bytes, len) = ([0; 8], from.len().min(8));
        bytes[..len].copy_from_slice(&from[..len]);
        Chars { bytes, len: len as u8 }
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }

    /// Appends them to `text`: all eight bytes, which takes no loop, and then less.
    pub(super) fn append_to(&self, text: &mut Vec<u8>) {
        let len = text.len() + usize::from(self.len);
        text.extend_from_slice(&self.bytes);
        text.truncate(len);
    }
}

impl From<char> for Chars {
    fn from(c: char) -> Chars {
        let mut bytes = [0; 8];
        let len = c.encode_utf8(&mut bytes).len() as u8;
        Chars { bytes, len }
    }
}

/// Reads one format.
pub(crate) trait Lexer {
    /// What the first bytes of `bytes` are, the ones behind the last token. `last`:
    /// the document ends with them.
    ///
    /// `None`: more bytes are needed to tell; with `last` only if there are no
    /// bytes and no region is open.
    fn next(&mut self, bytes: &[u8], last: bool) -> Option<Token>;

    /// In prose, where `bytes` are UTF-8: takes text with an escape behind it, again and
    /// again, into `spelt`, as [`Lexer::next`] would say them one by one. How many bytes those
    /// are.
    fn spell(&mut self, bytes: &[u8], last: bool, spelt: &mut Spelt<'_>) -> usize {
        let _ = (bytes, last, spelt);
        0
    }
}

/// Shorter than this is text before an escape that is short.
const SHORT: usize = 32;

/// Text with its escapes resolved, and where it comes from.
pub(crate) struct Spelt<'s> {
    pub(super) text: &'s mut Vec<u8>,
    pub(super) map: &'s mut Map,
    /// How long the text may become, about.
    pub(super) room: usize,
    /// Text before an escape is taken with it up to this length; longer text may be scanned in
    /// place.
    pub(super) far: usize,
}

impl Spelt<'_> {
    /// Text at the start of `bytes` with an escape behind it, again and again: how many
    /// bytes all of it has. An escape begins with `begins`, and `escaped` says what it stands
    /// for, if it is one; with one of `ends` the text ends, or more has to be known.
    // For all lexers, since it would be large in each.
    #[inline(never)]
    pub(super) fn take(
        &mut self,
        bytes: &[u8],
        begins: u8,
        ends: &[u8],
        escaped: &dyn Fn(&[u8]) -> Option<Token>,
    ) -> usize {
        let mut at = 0;
        while let Some(n) = self.take_one(&bytes[at..], begins, ends, escaped) {
            at += n;
        }
        at
    }

    #[inline]
    fn take_one(
        &mut self,
        bytes: &[u8],
        begins: u8,
        ends: &[u8],
        escaped: &dyn Fn(&[u8]) -> Option<Token>,
    ) -> Option<usize> {
        let short: &[u8; SHORT] = bytes.first_chunk()?;
        let mut n = swar::before(short, begins);
        let ended = ends.iter().any(|end| swar::before(short, *end) < n);
        if ended || self.text.len() >= self.room {
            return None;
        }
        if n == SHORT {
            n += position(&bytes[SHORT..bytes.len().min(self.far)], begins, ends)?;
        }
        let Some(Token::Escape(len, chars)) = escaped(&bytes[n..]) else { return None };
        if n < SHORT {
            // All of it, which takes no loop, and then less.
            let spelt = self.text.len() + n;
            self.text.extend_from_slice(short);
            self.text.truncate(spelt);
        } else {
            self.text.extend_from_slice(&bytes[..n]);
        }
        self.map.push(n, n, SAME);
        chars.append_to(self.text);
        self.map.push(chars.as_bytes().len(), len, Make::Escape);
        Some(n + len)
    }
}

/// Where an escape begins, if none of `ends`, of which there are two at most, comes before.
fn position(bytes: &[u8], begins: u8, ends: &[u8]) -> Option<usize> {
    let found = match *ends {
        [] => memchr::memchr(begins, bytes),
        [end] => memchr::memchr2(begins, end, bytes),
        [end, other, ..] => memchr::memchr3(begins, end, other, bytes),
    };
    found.filter(|at| bytes[*at] == begins)
}

/// Whether `bytes` begin with these, letters in any case: `None`, if the next bytes tell.
pub(super) fn begins(bytes: &[u8], with: &[u8], last: bool) -> Option<bool> {
    let seen = &bytes[..bytes.len().min(with.len())];
    match seen.eq_ignore_ascii_case(&with[..seen.len()]) {
        true if seen.len() < with.len() && !last => None,
        same => Some(same && seen.len() == with.len()),
    }
}

/// Up to `end`, which is no text either; the state behind it is `then`.
pub(super) fn until<S>(
    state: &mut S,
    bytes: &[u8],
    end: &[u8],
    last: bool,
    then: S,
) -> Option<Token> {
    match memchr::memchr(end[0], bytes) {
        None if bytes.is_empty() => None,
        None => Some(Token::Skip(bytes.len())),
        Some(0) if begins(bytes, end, last)? => {
            *state = then;
            Some(Token::Skip(end.len()))
        }
        Some(at) => Some(Token::Skip(at.max(1))),
    }
}
