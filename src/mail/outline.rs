//! The outline of a message: its fields, its texts, and its signature.
//!
//! This file knows RFC 5322 and MIME, and nothing of links. mail-parser reads types and
//! parameters of parts. The places where parts begin and end are found here, because
//! mail-parser takes `--boundary` for a delimiter in the middle of a line too, and before more
//! characters (`--Apple-1` in `--Apple-10`). A part that is cut at the wrong place would be
//! written in the wrong transfer encoding. Invariant: the ranges of pieces are in order and do
//! not overlap.

use core::ops::Range;
use std::{
    borrow::ToOwned,
    format,
    string::{String, ToString},
    vec::Vec,
};

use mail_parser::{ContentType, HeaderValue, parsers::MessageStream};

use super::{lines::line_end, signature::Signature};
use crate::format::kinds::Format;

/// How deep parts may be nested. Deeper ones are not read, because each level is searched for
/// delimiters again, so that a message of nothing but levels would take quadratic time.
pub(super) const DEPTH_MAX: usize = 100;

/// How many bytes of a `Content-Type` or `Content-Transfer-Encoding` are read, because parsed
/// parameters need many times their length.
const VALUE_MAX: usize = 16 << 10;

/// A piece of a message that may have links.
#[derive(Debug)]
pub(super) struct Piece<'a> {
    /// The part, numbered as in IMAP.
    pub(super) part: &'a str,
    pub(super) what: What<'a>,
    /// Its bytes in the message: a body, or a value without the colon before it.
    pub(super) range: Range<usize>,
}

#[derive(Debug)]
pub(super) enum What<'a> {
    /// The value of the field of this name.
    Field(&'a str),
    Text(About),
    /// A message in a transfer encoding, which RFC 2046 forbids.
    Message(Transfer),
}

/// What the fields of a part say about its text.
#[derive(Debug)]
pub(super) struct About {
    pub(super) transfer: Transfer,
    pub(super) charset: Option<String>,
    pub(super) format: Format,
    /// `format=flowed; delsp=yes` (RFC 3676): lines that end in a space are joined without
    /// it.
    pub(super) flowed: bool,
}

/// The transfer encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Transfer {
    /// 7bit, 8bit, binary.
    Identity,
    Quoted,
    Base64,
    /// One that MIME does not define.
    Unknown,
}

/// Shows each piece of a message to `visit`, in order. Nothing is collected, because a message
/// may be nothing but short fields. Returns the kind of signature, if there is one.
pub(super) fn walk(message: &[u8], visit: &mut dyn FnMut(&Piece<'_>)) -> Option<Signature> {
    let mut start = envelope(message);
    // Copying may leave lines of nothing but spaces before a message. An empty line would be
    // an empty header.
    while let (end, next) = line_end(message, start)
        && end > start
        && message[start..end].trim_ascii().is_empty()
    {
        start = next;
    }
    let mut reader = Reader { message, visit, signed: None };
    reader.entity(start..message.len(), Place::message(""), 0);
    reader.signed
}

/// The length of the line `From …` before a message; 0 without one.
pub(super) fn envelope(message: &[u8]) -> usize {
    if message.starts_with(b"From ") { line_end(message, 0).1 } else { 0 }
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
    if head.starts_with(b"From ") {
        return crate::mail::lines::is_envelope(&head[..line_end(head, 0).0]);
    }
    let known = |field: &Field<'_>| FIELDS.iter().any(|name| field.name.eq_ignore_ascii_case(name));
    Fields { message: head, start: 0, at: 0 }.filter(known).take(2).count() == 2
}

/// The numbers of an entity and of its parts.
struct Place {
    /// The number for its fields.
    fields: String,
    /// The number for its body, if it is one part.
    body: String,
    /// The prefix of the numbers of its parts.
    parts: String,
    /// Its type if it does not declare one.
    default: Default,
}

#[derive(Clone, Copy)]
enum Default {
    Text,
    /// In a multipart/digest.
    Message,
}

impl Place {
    /// A message whose parts have numbers that begin with `prefix`.
    fn message(prefix: &str) -> Place {
        let prefix = prefix.to_owned();
        Place {
            fields: format!("{prefix}0"),
            body: format!("{prefix}1"),
            parts: prefix,
            default: Default::Text,
        }
    }

    fn part(&self, number: usize, default: Default) -> Place {
        let path = format!("{}{number}", self.parts);
        Place { parts: format!("{path}."), fields: path.clone(), body: path, default }
    }
}

struct Reader<'m, 'v> {
    message: &'m [u8],
    visit: &'v mut dyn FnMut(&Piece<'_>),
    signed: Option<Signature>,
}

impl Reader<'_, '_> {
    fn show(&mut self, part: &str, what: What<'_>, range: Range<usize>) {
        (self.visit)(&Piece { part, what, range });
    }

    fn entity(&mut self, range: Range<usize>, place: Place, depth: usize) {
        let header = self.header(&range, &place.fields);
        let body = header.body..range.end;
        if header.is("multipart") {
            return self.multipart(body, header, place, depth);
        }
        let sub = header.subtype();
        let is_message = match header.content {
            Some(_) => header.is("message") && matches!(&*sub, "rfc822" | "global" | "news"),
            None => matches!(place.default, Default::Message),
        };
        let is_text = header.content.is_none() || header.is("text");
        if is_message && header.transfer == Transfer::Identity {
            if depth < DEPTH_MAX {
                drop(header);
                self.entity(body, Place::message(&format!("{}.", place.body)), depth + 1);
            }
        } else if is_message {
            self.show(&place.body, What::Message(header.transfer), body);
        } else if is_text && header.transfer != Transfer::Unknown {
            let about = header.about(header.content.as_ref());
            drop(header);
            self.show(&place.body, What::Text(about), body);
        }
    }

    /// Reads the header of the entity in `range`, and shows its fields.
    fn header(&mut self, range: &Range<usize>, part: &str) -> Header {
        let message = self.message;
        let (mut content, mut transfer) = (None, Transfer::Identity);
        let mut fields =
            Fields { message: &message[..range.end], start: range.start, at: range.start };
        for field in fields.by_ref() {
            // As in mail-parser, the last field of a name counts.
            if field.name.eq_ignore_ascii_case("content-type") {
                let value = self.value(&field);
                let value = MessageStream::new(&value).parse_content_type();
                content = value.into_owned().into_content_type();
            } else if field.name.eq_ignore_ascii_case("content-transfer-encoding") {
                let value = self.value(&field);
                transfer = match MessageStream::new(&value).parse_unstructured() {
                    HeaderValue::Text(name) => transfer_of(&name),
                    _ => Transfer::Identity,
                };
            } else if SIGNATURES.iter().any(|name| field.name.eq_ignore_ascii_case(name)) {
                self.signed.get_or_insert(Signature::Dkim);
            }
            self.show(part, What::Field(field.name), field.value);
        }
        let header = Header { content, transfer, body: fields.at };
        if header.content.is_some()
            && let Some(signature) = signature_of(header.is("multipart"), &header.subtype())
        {
            self.signed.get_or_insert(signature);
        }
        header
    }

    fn multipart(&mut self, body: Range<usize>, header: Header, place: Place, depth: usize) {
        let child = if header.subtype() == "digest" { Default::Message } else { Default::Text };
        let boundary = header.attribute("boundary").unwrap_or_default().to_owned();
        let parts = Parts::of(self.message, body.clone(), boundary.as_bytes());
        let mut parts = parts.peekable();
        if parts.peek().is_none() {
            // Somebody lost the boundary. The body can be read as text.
            self.show(&place.body, What::Text(header.about(None)), body);
        } else if depth < DEPTH_MAX {
            drop(header);
            for (i, part) in parts.enumerate() {
                self.entity(part, place.part(i + 1, child), depth + 1);
            }
        }
    }

    /// The value of a field as mail-parser wants it: followed by the end of a header. Bytes
    /// beyond [`VALUE_MAX`] are left out.
    fn value(&self, field: &Field<'_>) -> Vec<u8> {
        let value = &self.message[field.value.clone()];
        [&value[..value.len().min(VALUE_MAX)], b"\r\n\r\n"].concat()
    }
}

/// What the header of an entity says about its body.
struct Header {
    content: Option<ContentType<'static>>,
    transfer: Transfer,
    /// The start of the body.
    body: usize,
}

impl Header {
    /// Whether the type is `name`.
    fn is(&self, name: &str) -> bool {
        self.content.as_ref().is_some_and(|c| c.ctype().eq_ignore_ascii_case(name))
    }

    /// The subtype in lower case, perhaps empty.
    fn subtype(&self) -> String {
        let sub = self.content.as_ref().and_then(|c| c.subtype());
        sub.unwrap_or_default().to_ascii_lowercase()
    }

    fn attribute(&self, name: &str) -> Option<&str> {
        self.content.as_ref().and_then(|c| c.attribute(name))
    }

    /// The body as a text, with the parameters of `content`.
    fn about(&self, content: Option<&ContentType<'_>>) -> About {
        let sub = self.subtype();
        let of = |name| content.and_then(|c| c.attribute(name));
        let says = |name, value| of(name).is_some_and(|v| v.eq_ignore_ascii_case(value));
        About {
            transfer: self.transfer,
            charset: of("charset").map(str::to_string),
            format: match &*sub {
                "html" => Format::Html,
                "xml" => Format::Xml,
                "json" => Format::Json,
                "turtle" => Format::Turtle,
                "csv" => Format::Csv,
                "markdown" => Format::Markdown,
                "asciidoc" => Format::AsciiDoc,
                "css" => Format::Css,
                "tab-separated-values" => Format::Tsv,
                _ => Format::Text,
            },
            flowed: sub == "plain" && says("format", "flowed") && says("delsp", "yes"),
        }
    }
}

const SIGNATURES: [&str; 3] = ["dkim-signature", "domainkey-signature", "arc-message-signature"];

/// A field of a header.
struct Field<'m> {
    name: &'m str,
    /// Everything after the colon, without the line end.
    value: Range<usize>,
}

/// The fields of the entity at `start`, one by one. After the last one, `at` is the start of the
/// body: after the first empty line, or at `start` if the first line is not one of a header.
struct Fields<'m> {
    message: &'m [u8],
    start: usize,
    at: usize,
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

fn transfer_of(name: &str) -> Transfer {
    let name = name.trim().to_ascii_lowercase();
    match &*name {
        "quoted-printable" => Transfer::Quoted,
        "base64" => Transfer::Base64,
        name if name.contains("uu") || name.starts_with("x-") => Transfer::Unknown,
        // People write `8-bit`, `utf-8` and `7bit;` too.
        _ => Transfer::Identity,
    }
}

fn signature_of(multipart: bool, sub: &str) -> Option<Signature> {
    match sub {
        "signed" if multipart => Some(Signature::Multipart),
        "pkcs7-mime" | "x-pkcs7-mime" | "pkcs7-signature" | "x-pkcs7-signature" => {
            Some(Signature::Smime)
        }
        "pgp-signature" | "pgp" => Some(Signature::Pgp),
        _ => None,
    }
}

/// The parts of a multipart body (RFC 2046, section 5.1.1), one by one. The line end before a
/// delimiter belongs to the delimiter. A part that is never closed extends to the end.
struct Parts<'m, 'b> {
    /// The message up to the end of the body.
    body: &'m [u8],
    boundary: &'b [u8],
    /// The start of the next line.
    at: usize,
    /// The start of the open part.
    open: Option<usize>,
}

impl<'m, 'b> Parts<'m, 'b> {
    fn of(message: &'m [u8], range: Range<usize>, boundary: &'b [u8]) -> Parts<'m, 'b> {
        // Without a boundary there are no parts.
        let at = if boundary.is_empty() { range.end } else { range.start };
        Parts { body: &message[..range.end], boundary, at, open: None }
    }
}

impl Iterator for Parts<'_, '_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let body = self.body;
        while self.at < body.len() {
            let at = self.at;
            let (end, next) = line_end(body, at);
            self.at = next;
            let line = body[at..end].strip_prefix(b"--");
            let rest = line.and_then(|line| line.strip_prefix(self.boundary));
            let Some(rest @ (b"" | b"--")) = rest.map(<[u8]>::trim_ascii_end) else { continue };
            let part = self.open.take().map(|start| start..before_line_end(body, start, at));
            if rest == b"--" {
                self.at = body.len();
                return part;
            }
            self.open = Some(next);
            if part.is_some() {
                return part;
            }
        }
        self.open.take().filter(|start| *start < body.len()).map(|start| start..body.len())
    }
}

/// The end of the line before the one that starts at `at`, without its line end.
fn before_line_end(body: &[u8], start: usize, at: usize) -> usize {
    match &body[start..at] {
        [.., b'\r', b'\n'] => at - 2,
        [.., b'\n'] => at - 1,
        _ => at,
    }
}
