//! Fields of a header as text: their kinds, encoded words (RFC 2047) and folding.
//!
//! Invariant: bytes outside of encoded words stay as they are, except the folds of a
//! reference.

use core::{iter, ops::Range};
use std::vec::Vec;

use super::{
    lines::line_end,
    signature::is_signature,
    transfer,
    view::{Maker, View},
};
use crate::{
    api::finder::Finder,
    charset::{
        Charset,
        cursor::Cursor,
        decider::Decider,
        detect::WINDOW,
        lookahead::Lookahead,
        unicode::Unit,
        window::{Ahead, Window},
    },
};

/// The kind of value that a field has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// One reference, in whose value a fold is no white space (RFC 2557, section 4.4.2).
    Location,
    /// Text, or references between `<` and `>`.
    Prose,
    /// Addresses, perhaps with text beside them. The URI form of an address is not an address.
    Addresses,
    /// Traces, identifiers and parameters, which nobody follows.
    Machine,
}

const LOCATIONS: [&str; 2] = ["content-location", "content-base"];

const ADDRESSES: [&str; 18] = [
    "from",
    "to",
    "cc",
    "bcc",
    "sender",
    "reply-to",
    "resent-from",
    "resent-to",
    "resent-cc",
    "resent-bcc",
    "resent-sender",
    "resent-reply-to",
    "mail-followup-to",
    "mail-reply-to",
    "disposition-notification-to",
    "return-receipt-to",
    "errors-to",
    "apparently-to",
];

const MACHINE: [&str; 24] = [
    "message-id",
    "in-reply-to",
    "references",
    "content-id",
    "resent-message-id",
    "list-id",
    "list-unsubscribe-post",
    "received",
    "received-spf",
    "return-path",
    "delivered-to",
    "envelope-to",
    "x-original-to",
    "date",
    "mime-version",
    "content-type",
    "content-transfer-encoding",
    "content-disposition",
    "authentication-results",
    "x-developer-key",
    "autocrypt",
    "face",
    "x-face",
    "openpgp-signature",
];

impl Value {
    pub(super) fn of(name: &str) -> Value {
        let name = name.trim().to_ascii_lowercase();
        let name = &*name;
        if LOCATIONS.contains(&name) {
            Value::Location
        } else if ADDRESSES.contains(&name) {
            Value::Addresses
        } else if MACHINE.contains(&name)
            || name.starts_with("arc-")
            || is_signature(name)
            || name.ends_with("-message-state")
        {
            Value::Machine
        } else {
            Value::Prose
        }
    }
}

/// Decodes the value in `range` of `message`. Returns the decoded text, `None` if the value is
/// read as it is; and the charset if it is certain: UTF-8 if an encoded word was decoded.
pub(super) fn text(
    message: &[u8],
    range: Range<usize>,
    value: Value,
    finder: &Finder,
) -> (Option<View<'static>>, Option<Charset>) {
    let bytes = &message[range.clone()];
    // A field of ISO-2022-JP is ASCII too, but for its escape sequences.
    let is_utf8 = core::str::from_utf8(bytes).is_ok() && memchr::memchr(0x1B, bytes).is_none();
    let utf8 = is_utf8.then_some(Charset::UTF_8);
    if let Some(view) = decoded(message, range.clone(), finder) {
        return (Some(view), Some(Charset::UTF_8));
    }
    // Between `<` and `>` the finder joins folded lines. Elsewhere a fold is white space, so that
    // a comment or a second reference on the next line does not join the one before.
    if value == Value::Location && memchr::memchr(b'<', bytes).is_none() {
        return (Some(unfolded(message, range)), utf8);
    }
    (None, utf8)
}

/// The value without its folds, except before a comment.
fn unfolded(message: &[u8], range: Range<usize>) -> View<'static> {
    let mut made = Maker::with_capacity(range.len());
    let value = &message[..range.end];
    let mut at = range.start;
    while at < range.end {
        let (end, next) = line_end(value, at);
        made.plain(&value[at..end], at);
        let blank = |b: &u8| matches!(b, b' ' | b'\t');
        let text = next + value[next..].iter().take_while(|b| blank(b)).count();
        at = if value.get(text) == Some(&b'(') { next } else { text };
    }
    made.view()
}

/// One encoded word.
#[derive(Clone)]
struct Word<'m> {
    charset: &'m [u8],
    base64: bool,
    /// The place of the encoded text.
    text: Range<usize>,
    /// The place of the word, from `=?` to `?=`.
    range: Range<usize>,
}

/// The encoded word that starts at `at` with `=?`.
fn read_word(value: &[u8], at: usize) -> Option<Word<'_>> {
    let mut marks = memchr::memchr_iter(b'?', &value[at + 2..]).map(|i| at + 2 + i);
    let (charset_end, encoding_end) = (marks.next()?, marks.next()?);
    let end = marks.next().filter(|end| value.get(end + 1) == Some(&b'='))?;
    let base64 = match &value[charset_end + 1..encoding_end] {
        b"B" | b"b" => true,
        b"Q" | b"q" => false,
        _ => return None,
    };
    // RFC 2231, section 5: the charset may be followed by a language.
    let charset = value[at + 2..charset_end].split(|b| *b == b'*').next()?;
    if charset.is_empty() || !charset.iter().all(u8::is_ascii_graphic) {
        return None;
    }
    let range = at..end + 2;
    let inside = &value[range.clone()];
    if inside.iter().any(|b| matches!(b, b'\r' | b'\n')) {
        return None;
    }
    Some(Word { charset, base64, text: encoding_end + 1..end, range })
}

/// The value with its encoded words decoded to UTF-8; `None` if it has none.
fn decoded(message: &[u8], range: Range<usize>, finder: &Finder) -> Option<View<'static>> {
    let value = &message[..range.end];
    let mut made = Maker::default();
    let (mut kept, mut at, mut words) = (range.start, range.start, 0);
    while let Some(start) = memchr::memmem::find(&value[at..], b"=?").map(|i| at + i) {
        let Some(first) = read_word(value, start) else {
            at = start + 2;
            continue;
        };
        if words == 0 {
            // A byte becomes three at most, those of one character.
            made = Maker::with_capacity(3 * range.len());
        }
        made.plain(&value[kept..start], kept);
        let mut octets = Octets::of(value, &first, finder);
        // White space between two words is not part of the text, and a character may be divided
        // between them.
        let mut end = start;
        for word in alike(value, first) {
            octets.word(value, &word, &mut made);
            end = word.range.end;
        }
        octets.end(&mut made);
        let gap = value[end..].iter().take_while(|b| b.is_ascii_whitespace()).count();
        let another =
            value[end + gap..].starts_with(b"=?") && read_word(value, end + gap).is_some();
        (at, kept) = (end, if another { end + gap } else { end });
        words += 1;
    }
    made.plain(&value[kept..], kept);
    (words > 0).then(|| made.view())
}

/// The next word, if it has the same charset and only white space is before it.
fn next_word<'m>(value: &'m [u8], end: usize, charset: &[u8]) -> Option<Word<'m>> {
    let gap = value[end..].iter().take_while(|b| b.is_ascii_whitespace()).count();
    if gap == 0 || !value[end + gap..].starts_with(b"=?") {
        return None;
    }
    read_word(value, end + gap).filter(|word| word.charset.eq_ignore_ascii_case(charset))
}

/// `first`, and the words of the same charset that follow it with only white space between them.
fn alike<'m>(value: &'m [u8], first: Word<'m>) -> impl Iterator<Item = Word<'m>> {
    let charset = first.charset;
    iter::successors(Some(first), move |word| next_word(value, word.range.end, charset))
}

/// The charset of words whose own says nothing: that of the finder, or else it is detected, as for
/// a body.
fn detected(value: &[u8], first: &Word<'_>, finder: &Finder) -> Charset {
    let mut bytes = Vec::new();
    for word in alike(value, first.clone()) {
        word.octets(value, |byte, _| bytes.push(byte));
        if bytes.len() >= WINDOW {
            break;
        }
    }
    let whole = Window { bytes: &bytes, base: 0, ahead: Ahead::Nothing };
    Decider::new(finder.charset).charset_of(whole)
}

/// The octets of encoded words, which are decoded piece by piece.
struct Octets {
    /// How many octets are held before they are decoded.
    at_once: usize,
    /// `None` for UTF-7, which is decoded at the end.
    cursor: Option<Cursor>,
    bytes: Vec<u8>,
    /// The place of each octet; `None` in base64.
    sources: Vec<Option<Range<usize>>>,
}

impl Word<'_> {
    /// Shows each octet and its place in `value`; base64 has no places.
    fn octets(&self, value: &[u8], mut each: impl FnMut(u8, Option<Range<usize>>)) {
        if self.base64 {
            for byte in transfer::base64(&value[self.text.clone()]).bytes {
                each(byte, None);
            }
            return;
        }
        let mut at = self.text.start;
        while at < self.text.end {
            let (byte, len) = match transfer::escaped(&value[at..self.text.end]) {
                Some(byte) => (byte, 3),
                None if value[at] == b'_' => (b' ', 1),
                None => (value[at], 1),
            };
            each(byte, Some(at..at + len));
            at += len;
        }
    }
}

impl Octets {
    /// For `first` and the words that are alike.
    fn of(value: &[u8], first: &Word<'_>, finder: &Finder) -> Octets {
        let label = core::str::from_utf8(first.charset).unwrap_or_default();
        let cursor = match transfer::is_utf7(label) {
            true => None,
            false => Some(match transfer::charset_of(label) {
                Some(charset) => Cursor::new(charset),
                None => Cursor::new(detected(value, first, finder)),
            }),
        };
        let at_once = finder.rules.tuning.octets;
        Octets { at_once, cursor, bytes: Vec::new(), sources: Vec::new() }
    }

    fn word(&mut self, value: &[u8], word: &Word<'_>, made: &mut Maker) {
        self.decode(Ahead::More, made);
        if let Some(cursor) = &mut self.cursor
            && self.bytes.is_empty()
        {
            // A word ends and begins in ASCII (RFC 2047, section 3), so that two escape sequences
            // meet here. Within a text that would be malformed.
            cursor.jis.fresh = false;
        }
        word.octets(value, |byte, source| self.push(byte, source, made));
    }

    fn push(&mut self, byte: u8, source: Option<Range<usize>>, made: &mut Maker) {
        self.bytes.push(byte);
        if self.cursor.is_some() {
            self.sources.push(source);
            if self.bytes.len() >= self.at_once {
                self.decode(Ahead::More, made);
            }
        }
    }

    /// Decodes the octets that are held. If more may follow, an incomplete character stays.
    fn decode(&mut self, ahead: Ahead, made: &mut Maker) {
        let Octets { cursor: Some(cursor), bytes, sources, .. } = self else { return };
        let mut put = |c: char, source: Option<Range<usize>>| {
            made.whole(c.encode_utf8(&mut [0; 4]).as_bytes(), source);
        };
        let (held, mut at) = (Lookahead::new(bytes, ahead == Ahead::Nothing), 0);
        while let Some((unit, len)) = cursor.step(held.from(at)) {
            let source = match (&sources[at], &sources[at + len - 1]) {
                (Some(first), Some(last)) => Some(first.start..last.end),
                _ => None,
            };
            match unit {
                Unit::Char(c) => put(c, source),
                Unit::Pair(a, b) => {
                    put(a, None);
                    put(b, None);
                }
                Unit::Malformed => put(char::REPLACEMENT_CHARACTER, source),
                Unit::Escape => {}
            }
            at += len;
        }
        bytes.drain(..at);
        sources.drain(..at);
    }

    /// Decodes the rest.
    fn end(mut self, made: &mut Maker) {
        if self.cursor.is_some() {
            return self.decode(Ahead::Nothing, made);
        }
        let view = transfer::utf7(&View::plain(&self.bytes, 0));
        for chunk in view.bytes().utf8_chunks() {
            made.whole(chunk.valid().as_bytes(), None);
            if !chunk.invalid().is_empty() {
                made.whole("\u{FFFD}".as_bytes(), None);
            }
        }
    }
}
