//! What a message is made of: fields that may hold links, texts, and whether it
//! is signed.
//!
//! Knows RFC 5322 and MIME, and nothing of links. Types and parameters of parts are
//! mail-parser's; where parts begin and end is read here, because mail-parser
//! takes `--boundary` for a delimiter in the middle of a line too, and before more
//! characters (`--Apple-1` in `--Apple-10`), and a part that is cut at the wrong
//! place would be written in the wrong transfer encoding. Invariant: ranges are of
//! the message, in order, and none lies over another.

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

/// How deep parts may lie in parts. Deeper ones are not read: each level is
/// looked through once more, and a message of nothing but levels would take a
/// time that grows with the square of its length.
pub(super) const DEPTH_MAX: usize = 100;

/// How much of a `Content-Type` or `Content-Transfer-Encoding` is read, in bytes. Parsed
/// parameters take many times their length.
const VALUE_MAX: usize = 16 << 10;

/// Something of a message in which links may stand.
#[derive(Debug)]
pub(super) struct Piece<'a> {
    /// Where it is, as IMAP counts parts.
    pub(super) part: &'a str,
    pub(super) what: What<'a>,
    /// The bytes of the message: a value behind its colon, or a body.
    pub(super) range: Range<usize>,
}

#[derive(Debug)]
pub(super) enum What<'a> {
    /// The value of the field of this name.
    Field(&'a str),
    Text(About),
    /// A message that stands in the source encoded, against RFC 2046.
    Message(Transfer),
}

/// What the fields of a text say of it.
#[derive(Debug)]
pub(super) struct About {
    pub(super) transfer: Transfer,
    pub(super) charset: Option<String>,
    pub(super) format: Format,
    /// `format=flowed; delsp=yes` (RFC 3676): lines that belong together, where
    /// nothing stands in between.
    pub(super) flowed: bool,
}

/// The transfer encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Transfer {
    /// 7bit, 8bit, binary.
    Identity,
    Quoted,
    Base64,
    /// One that is none of MIME's.
    Unknown,
}

/// Shows each piece of a message, in their order, to `visit`. Nothing is kept of
/// them: a message may be nothing but short fields. Gives how it is signed, if it is.
pub(super) fn walk(message: &[u8], visit: &mut dyn FnMut(&Piece<'_>)) -> Option<Signature> {
    let mut start = envelope(message);
    // Lines of nothing but spaces before a message, as copying leaves them. An empty
    // one is an empty header.
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

/// The length of the line that an mbox has before a message.
pub(super) fn envelope(message: &[u8]) -> usize {
    if message.starts_with(b"From ") { line_end(message, 0).1 } else { 0 }
}

/// Whether a document that begins with `head`, of which a few hundred bytes tell, is a
/// message or an mbox: it begins with a line as an mbox has, or with a header that
/// holds at least two fields of mail.
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

/// Names of an entity.
struct Place {
    /// Its fields.
    fields: String,
    /// Its body, if it is one part.
    body: String,
    /// What the numbers of its parts stand behind.
    parts: String,
    /// What it is if it does not say.
    default: Default,
}

#[derive(Clone, Copy)]
enum Default {
    Text,
    /// In a multipart/digest.
    Message,
}

impl Place {
    /// A message whose parts are numbered behind `prefix`.
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
        let message = self.message;
        let (mut parsed, mut transfer) = (None, Transfer::Identity);
        let mut fields =
            Fields { message: &message[..range.end], start: range.start, at: range.start };
        for field in fields.by_ref() {
            // The last of a name counts, as for mail-parser.
            if field.name.eq_ignore_ascii_case("content-type") {
                let value = self.value(&field);
                let value = MessageStream::new(&value).parse_content_type();
                parsed = value.into_owned().into_content_type();
            } else if field.name.eq_ignore_ascii_case("content-transfer-encoding") {
                let value = self.value(&field);
                transfer = match MessageStream::new(&value).parse_unstructured() {
                    HeaderValue::Text(name) => transfer_of(&name),
                    _ => Transfer::Identity,
                };
            } else if SIGNATURES.iter().any(|name| field.name.eq_ignore_ascii_case(name)) {
                self.signed.get_or_insert(Signature::Dkim);
            }
            self.show(&place.fields, What::Field(field.name), field.value);
        }
        let body = fields.at;
        let kind = parsed.as_ref();
        let is = |name: &str| kind.is_some_and(|k| k.ctype().eq_ignore_ascii_case(name));
        let sub = kind.and_then(|k| k.subtype()).unwrap_or_default().to_ascii_lowercase();
        if let Some(signature) = kind.and_then(|_| signature_of(is("multipart"), &sub)) {
            self.signed.get_or_insert(signature);
        }
        let range = body..range.end;
        let text = |kind: Option<&ContentType<'_>>| {
            let of = |name| kind.and_then(|k| k.attribute(name));
            let says = |name, value| of(name).is_some_and(|v| v.eq_ignore_ascii_case(value));
            What::Text(About {
                transfer,
                charset: of("charset").map(str::to_string),
                format: match &*sub {
                    "html" => Format::Html,
                    "xml" => Format::Xml,
                    "json" => Format::Json,
                    "turtle" => Format::Turtle,
                    _ => Format::Text,
                },
                flowed: sub == "plain" && says("format", "flowed") && says("delsp", "yes"),
            })
        };
        if is("multipart") {
            let child = if sub == "digest" { Default::Message } else { Default::Text };
            let boundary =
                kind.and_then(|k| k.attribute("boundary")).unwrap_or_default().to_owned();
            let mut parts = Parts::of(message, range.clone(), boundary.as_bytes()).peekable();
            if parts.peek().is_none() {
                // Somebody lost the boundary: what is there can be read.
                let what = text(None);
                self.show(&place.body, what, range);
            } else if depth < DEPTH_MAX {
                drop(parsed);
                for (i, part) in parts.enumerate() {
                    self.entity(part, place.part(i + 1, child), depth + 1);
                }
            }
            return;
        }
        let as_message = match kind {
            Some(_) => is("message") && matches!(&*sub, "rfc822" | "global" | "news"),
            None => matches!(place.default, Default::Message),
        };
        if as_message && transfer == Transfer::Identity {
            if depth < DEPTH_MAX {
                drop(parsed);
                self.entity(range, Place::message(&format!("{}.", place.body)), depth + 1);
            }
        } else if as_message {
            self.show(&place.body, What::Message(transfer), range);
        } else if kind.is_none_or(|k| k.ctype().eq_ignore_ascii_case("text"))
            && transfer != Transfer::Unknown
        {
            let what = text(kind);
            drop(parsed);
            self.show(&place.body, what, range);
        }
    }

    /// The value of a field as mail-parser reads one: with the end of a header. What is
    /// beyond [`VALUE_MAX`] is not read.
    fn value(&self, field: &Field<'_>) -> Vec<u8> {
        let value = &self.message[field.value.clone()];
        [&value[..value.len().min(VALUE_MAX)], b"\r\n\r\n"].concat()
    }
}

const SIGNATURES: [&str; 3] = ["dkim-signature", "domainkey-signature", "arc-message-signature"];

/// A field of a header.
struct Field<'m> {
    name: &'m str,
    /// All behind the colon, without the line end.
    value: Range<usize>,
}

/// The fields of the entity at `start`, one by one. Behind the last, `at` is where
/// the body starts: behind the first empty line, or at once if the first line is none
/// of a header.
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
                // What a mailer broke in the middle of a header is no reason to read
                // the rest as text.
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

/// The name of the field that starts on `line` (RFC 5322, section 3.6.8; white space
/// before the colon is obsolete, and still there).
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

/// The parts of a multipart body (RFC 2046, section 5.1.1), one by one. The line end before
/// a delimiter belongs to the delimiter. A part that is never closed goes to the end.
struct Parts<'m, 'b> {
    /// The message up to the end of the body.
    body: &'m [u8],
    boundary: &'b [u8],
    /// The start of the next line.
    at: usize,
    /// Where the open part starts.
    open: Option<usize>,
}

impl<'m, 'b> Parts<'m, 'b> {
    fn of(message: &'m [u8], range: Range<usize>, boundary: &'b [u8]) -> Parts<'m, 'b> {
        // Without a boundary there are none.
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

/// `at` is where a line starts: the end of the one before, without its line end.
fn before_line_end(body: &[u8], start: usize, at: usize) -> usize {
    match &body[start..at] {
        [.., b'\r', b'\n'] => at - 2,
        [.., b'\n'] => at - 1,
        _ => at,
    }
}
