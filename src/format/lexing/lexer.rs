//! The interface of a format: its lexer divides a document into markup, text and escapes.
//!
//! Bytes of a document go in, tokens come out. A lexer knows the syntax of one format; it does
//! not know links, charsets or streams. Invariants:
//!
//! - The lengths of the tokens add up to the length of the document.
//! - The chunks in which a document arrives change only where [`Token::Skip`] and [`Token::Raw`]
//!   are divided, and whether a text that cannot hold a link is a region.
//! - A lexer asks for at most [`AHEAD`] bytes before it returns a token for them. (HTML inside
//!   XML: bytes of the decoded text, each of which may be an escape in the source.)

use alloc::vec::Vec;

use super::lookahead::Lookahead;
use crate::{
    charset::{
        Charset,
        source_map::{Make, SAME, SourceMap},
    },
    links::place::{Inside, Place},
    simd::swar,
};

/// The lookahead of a lexer, in bytes.
pub(crate) const AHEAD: usize = 64;

/// The next part of a document. Numbers are lengths in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// Bytes without text: markup, a script. Only outside of regions.
    Skip(usize),
    /// A region of text begins. Only outside of regions.
    Begin(Region),
    /// Text that is its own bytes.
    Raw(usize),
    /// An escape, and the characters that it means.
    Escape(usize, Chars),
    /// The region ends.
    End,
    /// Bytes without text, then a whole region of references without escapes: short for `Skip`,
    /// `Begin`, `Raw`, `End`.
    Whole(usize, Value, usize),
    /// Bytes without text, then a whole field of prose without escapes: short for `Skip`, `Begin`,
    /// `Raw`, `End`.
    Cell(usize, usize),
    /// The region ends and its bytes were not text. Only for references, because their syntax is
    /// checked up to their end.
    Cancel,
    /// The region was one of references, but its bytes are prose, and it goes on as such. The byte of
    /// ASCII that comes before it may open something in it; 0: none does.
    Broken(u8),
    /// The document ends in the region: it counts only if it looks like a reference.
    Cut,
}

/// The kind of text in a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Region {
    /// Running text: the rules say where links are.
    Prose,
    /// Running text that fills a field, such as an attribute: the ends of the field delimit a
    /// link that fills it too.
    Field,
    /// Only references.
    Reference(Value),
}

/// How a value is divided into references.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// One, between white space of HTML (`href`).
    One,
    /// As `One`, what the references of the rest of the document are relative to (`<base href>`).
    Base,
    /// One, white space and all (links of terminals).
    Exact,
    /// As `One`, an identifier of RDF (`rdf:about`).
    About,
    /// As `Exact`, an identifier of RDF (`<…>` in Turtle).
    Name,
    /// Several, with white space between them (`ping`).
    List,
    /// Every second word (`xsi:schemaLocation`); the first of each pair is a name.
    Pairs,
    /// Image candidates with commas between them (`srcset`).
    Srcset,
    /// `5; url=…` (`<meta http-equiv=refresh>`).
    Refresh,
    /// Declarations with `url(…)` (`style`).
    Css,
    /// One, as a URL of a style sheet (`url(…)` in `<style>`).
    Url,
}

impl Value {
    /// What a link in it is in, if it is the value of an attribute.
    #[inline]
    pub(in crate::format) fn inside(self, quoted: bool) -> Inside {
        match self {
            Value::Css => Inside::StyleAttribute { quoted },
            _ => Inside::Attribute { quoted },
        }
    }
}

/// The characters that an escape means, in UTF-8, or some bytes of them. A byte that UTF-8 never
/// has means a malformed character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Chars {
    bytes: [u8; 8],
    len: u8,
}

impl Chars {
    /// Not a character: half of a surrogate pair, or a number above U+10FFFF.
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

    /// Appends them to `text`: first all eight bytes, because that needs no loop, then cuts.
    pub(in crate::format) fn append_to(&self, text: &mut Vec<u8>) {
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
    /// Returns the token at the start of `bytes`, which begin where the last token ended.
    ///
    /// Returns `None` if more bytes are needed; where the document ends with `bytes`, only if these are
    /// empty and no region is open.
    fn next(&mut self, bytes: Lookahead<'_>) -> Option<Token>;

    /// A fast path in prose, for bytes in UTF-8: appends pairs of text and escape to `unescaped`
    /// for as long as it can, and returns how many bytes they have. [`Lexer::next`] would return
    /// the same as tokens.
    fn unescape_run(&mut self, bytes: Lookahead<'_>, unescaped: &mut Unescaped<'_>) -> usize {
        let _ = (bytes, unescaped);
        0
    }

    /// The syntax around the links of the region that begins here.
    fn place(&self, region: Region) -> Place {
        let _ = region;
        Place::default()
    }

    /// Whether markup that follows, or text in a format without any, is what it would be at the start
    /// of a document; in CSV a record, if a line end is directly before it.
    fn is_between(&self) -> bool {
        false
    }

    /// Whether all bytes with a meaning in the format are 00–2F and 3A–3F, which are never the
    /// second byte of a character.
    fn is_sync(&self) -> bool {
        false
    }

    /// The document is read in this charset. Only to a lexer that is in sync ([`Lexer::is_sync`]) a character may
    /// have two bytes, of which the second one is ASCII.
    fn read_in(&mut self, charset: Charset) {
        let _ = charset;
    }

    /// The delimiter of fields.
    fn delimiter(&self) -> Option<u8> {
        None
    }

    /// Whether the region that begins here is not the first one of its field.
    fn is_further(&self) -> bool {
        false
    }

    /// Whether the region that ended just now is not the last one of its field.
    fn goes_on(&self) -> bool {
        false
    }
}

/// Text before an escape is copied without a loop up to this length.
const SHORT: usize = 32;

/// Text with its escapes resolved, and the map to its source.
pub(crate) struct Unescaped<'s> {
    pub(in crate::format) text: &'s mut Vec<u8>,
    pub(in crate::format) map: &'s mut SourceMap,
    /// About how long the text may become.
    pub(in crate::format) room: usize,
    /// Text before an escape is taken with it up to this length; longer text may be scanned in
    /// place.
    pub(in crate::format) far: usize,
}

impl Unescaped<'_> {
    /// Takes pairs of text and escape from the start of `bytes`, and returns their length. An
    /// escape begins with `begins`, and `escaped` reads it. Stops before one of `ends`, and where
    /// `escaped` returns no escape.
    // Not inlined, because it would be large in each lexer.
    #[inline(never)]
    pub(in crate::format) fn take(
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
            // First all of it, because that needs no loop; then cut.
            let unescaped = self.text.len() + n;
            self.text.extend_from_slice(short);
            self.text.truncate(unescaped);
        } else {
            self.text.extend_from_slice(&bytes[..n]);
        }
        self.map.push(n, n, SAME);
        chars.append_to(self.text);
        self.map.push(chars.as_bytes().len(), len, Make::Escape);
        Some(n + len)
    }
}

/// Returns where the next escape begins; `None` if one of `ends`, at most two, comes before it.
fn position(bytes: &[u8], begins: u8, ends: &[u8]) -> Option<usize> {
    let found = match *ends {
        [] => memchr::memchr(begins, bytes),
        [end] => memchr::memchr2(begins, end, bytes),
        [end, other, ..] => memchr::memchr3(begins, end, other, bytes),
    };
    found.filter(|at| bytes[*at] == begins)
}

/// White space of the HTML standard.
pub(in crate::format) fn is_space(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | b'\n' | b'\r' | 0x0C)
}

/// How long the byte order mark is that a document begins with, which is no text; 0 without one. `None`:
/// more bytes are needed.
pub(in crate::format) fn byte_order_mark(bytes: Lookahead<'_>) -> Option<usize> {
    const MARK: &[u8] = b"\xEF\xBB\xBF";
    bytes.begins(MARK).map(|is| if is { MARK.len() } else { 0 })
}

/// Skips to the end of `end`, and then sets `state` to `then`.
pub(in crate::format) fn until<S>(
    state: &mut S,
    bytes: Lookahead<'_>,
    end: &[u8],
    then: S,
) -> Option<Token> {
    match memchr::memchr(end[0], &bytes) {
        None if bytes.is_empty() => None,
        None => Some(Token::Skip(bytes.len())),
        Some(0) if bytes.begins(end)? => {
            *state = then;
            Some(Token::Skip(end.len()))
        }
        Some(at) => Some(Token::Skip(at.max(1))),
    }
}
