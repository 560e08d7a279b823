//! Fields of a header as text: encoded words (RFC 2047), folding, and which fields
//! hold what.
//!
//! Knows headers and nothing of links. Invariant: what is no encoded word stays as
//! it is, byte for byte, but for the folds of a reference.

use core::ops::Range;
use std::{string::String, vec::Vec};

use super::{
    transfer,
    view::{Maker, View},
};
use crate::{
    charset::Charset,
    cursor::{Cursor, Unit},
};

/// What the value of a field is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// One reference, which may be folded anywhere.
    Reference,
    /// Text, or references between `<` and `>`.
    Prose,
    /// Addresses: text may stand beside them, but a URI form of one is no address.
    Addresses,
    /// Traces, identifiers and parameters: nothing that anybody follows.
    Machine,
}

const REFERENCES: [&str; 6] =
    ["content-location", "content-base", "archived-at", "url", "link", "list-archive"];

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

const MACHINE: [&str; 25] = [
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
    "dkim-signature",
    "domainkey-signature",
    "autocrypt",
    "face",
    "x-face",
    "openpgp-signature",
];

impl Value {
    pub(super) fn of(name: &str) -> Value {
        let name = name.trim().to_ascii_lowercase();
        let name = &*name;
        let own = name.starts_with("x-")
            && ["url", "uri", "link"].iter().any(|word| name.split('-').any(|part| part == *word));
        if REFERENCES.contains(&name) || own {
            Value::Reference
        } else if ADDRESSES.contains(&name) {
            Value::Addresses
        } else if MACHINE.contains(&name)
            || name.starts_with("arc-")
            || name.ends_with("-dkim-signature")
            || name.ends_with("-message-state")
        {
            Value::Machine
        } else {
            Value::Prose
        }
    }
}

/// The value in `range` of `message`, and its charset if that is certain: Unicode
/// where a word was decoded. `None`: nothing to read.
pub(super) fn text(
    message: &[u8],
    range: Range<usize>,
    value: Value,
) -> Option<(View<'_>, Option<Charset>)> {
    if value == Value::Machine {
        return None;
    }
    let bytes = &message[range.clone()];
    let utf8 = core::str::from_utf8(bytes).is_ok().then_some(Charset::UTF_8);
    if let Some(view) = decoded(message, range.clone()) {
        return Some((view, Some(Charset::UTF_8)));
    }
    // Between `<` and `>` the finder itself reads over folds.
    if value == Value::Reference && memchr::memchr(b'<', bytes).is_none() {
        return Some((unfolded(message, range), utf8));
    }
    Some((View::plain(message, range), utf8))
}

/// All folds taken out (RFC 2557, section 4.4.2).
fn unfolded(message: &[u8], range: Range<usize>) -> View<'static> {
    let mut made = Maker::default();
    let value = &message[..range.end];
    let mut at = range.start;
    while at < range.end {
        let (end, next) = super::outline::line_end(value, at);
        made.plain(&value[at..end], at);
        let blank = |b: &u8| matches!(b, b' ' | b'\t');
        at = next + value[next..].iter().take_while(|b| blank(b)).count();
    }
    made.view()
}

/// One encoded word.
struct Word<'m> {
    charset: &'m [u8],
    base64: bool,
    /// Where the encoded text is.
    text: Range<usize>,
    /// Where the word is, with all its marks.
    range: Range<usize>,
}

/// The word that starts at `at`, where `=?` stands.
fn word(value: &[u8], at: usize) -> Option<Word<'_>> {
    let mut marks = memchr::memchr_iter(b'?', &value[at + 2..]).map(|i| at + 2 + i);
    let (charset_end, encoding_end) = (marks.next()?, marks.next()?);
    let end = marks.next().filter(|end| value.get(end + 1) == Some(&b'='))?;
    let base64 = match &value[charset_end + 1..encoding_end] {
        b"B" | b"b" => true,
        b"Q" | b"q" => false,
        _ => return None,
    };
    // RFC 2231, section 5: a language may follow.
    let charset = value[at + 2..charset_end].split(|b| *b == b'*').next()?;
    let range = at..end + 2;
    let inside = &value[range.clone()];
    if inside.iter().any(|b| matches!(b, b'\r' | b'\n')) {
        return None;
    }
    Some(Word { charset, base64, text: encoding_end + 1..end, range })
}

/// The value with its encoded words decoded to UTF-8; `None` if it has none.
fn decoded(message: &[u8], range: Range<usize>) -> Option<View<'static>> {
    let value = &message[..range.end];
    let mut made = Maker::default();
    let (mut kept, mut at, mut words) = (range.start, range.start, 0);
    while let Some(start) = memchr::memmem::find(&value[at..], b"=?").map(|i| at + i) {
        let Some(first) = word(value, start) else {
            at = start + 2;
            continue;
        };
        // White space between two words is none of the text; a character may go
        // over from one to the next.
        let mut octets = Octets::default();
        let (charset, mut end) = (first.charset, first.range.end);
        octets.word(value, &first);
        while let Some(next) = next_word(value, end, charset) {
            octets.word(value, &next);
            end = next.range.end;
        }
        at = end;
        let Some(text) = octets.decode(charset) else { continue };
        made.plain(&value[kept..start], kept);
        for (character, source) in text {
            made.whole(character.encode_utf8(&mut [0; 4]).as_bytes(), source);
        }
        let gap = value[end..].iter().take_while(|b| b.is_ascii_whitespace()).count();
        let another = value[end + gap..].starts_with(b"=?")
            && word(value, end + gap).is_some_and(|word| is_known(word.charset));
        kept = if another { end + gap } else { end };
        words += 1;
    }
    made.plain(&value[kept..], kept);
    (words > 0).then(|| made.view())
}

/// A word of the same charset, with nothing but white space before it.
fn next_word<'m>(value: &'m [u8], end: usize, charset: &[u8]) -> Option<Word<'m>> {
    let gap = value[end..].iter().take_while(|b| b.is_ascii_whitespace()).count();
    if gap == 0 || !value[end + gap..].starts_with(b"=?") {
        return None;
    }
    word(value, end + gap).filter(|word| word.charset.eq_ignore_ascii_case(charset))
}

fn is_known(label: &[u8]) -> bool {
    let known = |label| super::is_utf7(label) || Charset::for_label(label).is_ok();
    core::str::from_utf8(label).is_ok_and(known)
}

/// What words stood for, in their charset.
#[derive(Default)]
struct Octets {
    bytes: Vec<u8>,
    /// Where each stands; `None`: in base64.
    sources: Vec<Option<Range<usize>>>,
}

impl Octets {
    fn word(&mut self, value: &[u8], word: &Word<'_>) {
        if word.base64 {
            let decoded = transfer::base64(&value[word.text.clone()]).bytes;
            self.sources.extend(decoded.iter().map(|_| None));
            self.bytes.extend(decoded);
            return;
        }
        let mut at = word.text.start;
        while at < word.text.end {
            let (byte, len) = match transfer::escaped(&value[at..word.text.end]) {
                Some(byte) => (byte, 3),
                None if value[at] == b'_' => (b' ', 1),
                None => (value[at], 1),
            };
            self.bytes.push(byte);
            self.sources.push(Some(at..at + len));
            at += len;
        }
    }

    /// The characters, and where each stands; `None` if the charset is unknown.
    fn decode(&self, label: &[u8]) -> Option<Vec<(char, Option<Range<usize>>)>> {
        let label = core::str::from_utf8(label).ok()?;
        if super::is_utf7(label) {
            let view = transfer::utf7(&View::plain(&self.bytes, 0..self.bytes.len()));
            let text = String::from_utf8_lossy(view.bytes()).into_owned();
            return Some(text.chars().map(|c| (c, None)).collect());
        }
        let mut cursor = Cursor::new(Charset::for_label(label).ok()?);
        let mut text = Vec::new();
        let mut at = 0;
        while let Some((unit, len)) = cursor.step(&self.bytes[at..], true) {
            let source = match (&self.sources[at], &self.sources[at + len - 1]) {
                (Some(first), Some(last)) => Some(first.start..last.end),
                _ => None,
            };
            match unit {
                Unit::Char(c) => text.push((c, source)),
                Unit::Pair(a, b) => text.extend([(a, None), (b, None)]),
                Unit::Malformed => text.push(('\u{FFFD}', source)),
                Unit::Escape => {}
            }
            at += len;
        }
        Some(text)
    }
}
