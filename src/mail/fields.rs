//! The fields of a header, one by one, and what may come before a message.
//!
//! This file knows lines of RFC 5322, and no field by its name but those that show that a
//! document is a message.

use core::ops::Range;

use super::lines::{is_envelope, line_end};

/// The length of the UTF-8 byte order mark that `bytes` begin with; 0 without one. Some servers
/// write one before a message.
pub(super) fn mark(bytes: &[u8]) -> usize {
    const MARK: &[u8] = b"\xEF\xBB\xBF";
    if bytes.starts_with(MARK) { MARK.len() } else { 0 }
}

/// Where the header of `message` starts: after byte order marks and the line `From …` of an
/// mbox.
pub(super) fn start(message: &[u8]) -> usize {
    let mut start = mark(message);
    if message[start..].starts_with(b"From ") {
        start = line_end(message, start).1;
        start += mark(&message[start..]);
    }
    // Copying may leave lines of nothing but spaces before a message. An empty line would be
    // an empty header.
    while let (end, next) = line_end(message, start)
        && end > start
        && message[start..end].trim_ascii().is_empty()
    {
        start = next;
    }
    start
}

/// Whether a document that begins with `head` is a message or an mbox: it begins with the line
/// `From …` of an mbox, or with a header that has at least two fields of mail. A few hundred
/// bytes are enough.
///
/// ```
/// use iriscan::mail;
///
/// assert!(mail::sniff(b"Received: from a.example\r\n by b.example\r\nSubject: hi\r\n\r\n"));
/// assert!(!mail::sniff(b"Subject: the weather\n\nIt rains."));
/// ```
#[must_use]
pub fn sniff(head: &[u8]) -> bool {
    const FIELDS: [&str; 12] = [
        "received",
        "return-path",
        "delivered-to",
        "message-id",
        "from",
        "to",
        "subject",
        "date",
        "mime-version",
        "reply-to",
        "in-reply-to",
        "dkim-signature",
    ];
    let head = &head[mark(head)..];
    if head.starts_with(b"From ") {
        return is_envelope(&head[..line_end(head, 0).0]);
    }
    let known = |field: &Field<'_>| FIELDS.iter().any(|name| field.name.eq_ignore_ascii_case(name));
    Fields { message: head, start: 0, at: 0 }.filter(known).take(2).count() == 2
}

/// A field of a header.
pub(super) struct Field<'m> {
    pub(super) name: &'m str,
    /// Everything after the colon, without the line end.
    pub(super) value: Range<usize>,
}

/// The fields of the entity at `start`, one by one. After the last one, `at` is the start of the
/// body: after the first empty line, or at `start` if the first line is not one of a header.
pub(super) struct Fields<'m> {
    pub(super) message: &'m [u8],
    pub(super) start: usize,
    pub(super) at: usize,
}

impl<'m> Iterator for Fields<'m> {
    type Item = Field<'m>;

    fn next(&mut self) -> Option<Field<'m>> {
        while self.at < self.message.len() {
            let at = self.at;
            let (end, mut next) = line_end(self.message, at);
            if end == at {
                self.at = next;
                return None;
            }
            let line = &self.message[at..end];
            let Some(name) = name(line) else {
                if at == self.start && !line.trim_ascii().is_empty() {
                    return None;
                }
                // A broken line in the middle of a header does not make the rest text.
                self.at = next;
                continue;
            };
            let mut last = end;
            while matches!(self.message.get(next), Some(b' ' | b'\t')) {
                (last, next) = line_end(self.message, next);
            }
            let colon = memchr::memchr(b':', line).unwrap_or(0);
            self.at = next;
            return Some(Field { name, value: at + colon + 1..last });
        }
        None
    }
}

/// The name of the field that starts on `line` (RFC 5322, section 3.6.8). White space before
/// the colon is obsolete and still found.
fn name(line: &[u8]) -> Option<&str> {
    let (name, _) = line.split_at(memchr::memchr(b':', line)?);
    let name = name.trim_ascii_end();
    let printable = !name.is_empty() && name.iter().all(|b| matches!(b, b'!'..=b'~'));
    core::str::from_utf8(name).ok().filter(|_| printable)
}
