//! The outline of a message: its fields, its texts, and its signature.
//!
//! This file knows RFC 5322 and MIME, and nothing of links. mail-parser reads types and
//! parameters of parts. The places where parts begin and end are found here, because
//! mail-parser takes `--boundary` for a delimiter in the middle of a line too, and before more
//! characters (`--Apple-1` in `--Apple-10`). A part that is cut at the wrong place would be
//! written in the wrong transfer encoding. Invariant: the ranges of pieces are in order and do
//! not overlap.

use core::ops::Range;
use std::{borrow::ToOwned, format, string::String, vec::Vec};

use mail_parser::{HeaderValue, parsers::MessageStream};
use memchr::memmem;

use super::{
    fields::{self, Field, Fields},
    lines::line_end,
    signature::{Signature, is_signature},
    transfer,
    types::{About, Header, Kind, Transfer, UnsearchedReason, file_name, signature_of},
};
use crate::reference::base::BaseUri;

/// How deep parts may be nested. Deeper ones are not read, because each level is searched for
/// delimiters again, so that a message of nothing but levels would take quadratic time.
pub(super) const DEPTH_MAX: usize = 100;

/// How many bytes of a `Content-Type` or `Content-Transfer-Encoding` are read, because parsed
/// parameters need many times their length.
const VALUE_MAX: usize = 16 << 10;

/// How many bytes of a part of data are looked at, to know what it is.
const SNIFFED: usize = 2 << 10;

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
    /// A part that nobody but its reader can read.
    Closed(UnsearchedReason),
}

/// Shows each piece of a message to `visit`, in order. Nothing is collected, because a message
/// may be nothing but short fields. Returns the kind of signature, if there is one.
pub(super) fn walk(message: &[u8], visit: &mut dyn FnMut(&Piece<'_>)) -> Option<Signature> {
    let start = fields::start(message);
    let mut reader = Reader { message, visit, signed: None };
    reader.entity(start..message.len(), Place::message(""), 0);
    reader.signed
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
    /// What references in the entity around it are relative to.
    base: Option<BaseUri>,
}

#[derive(Clone, Copy)]
enum Default {
    Text,
    /// In a multipart/digest.
    Message,
    /// A text, but in a multipart/encrypted.
    Encrypted,
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
            base: None,
        }
    }

    fn part(&self, number: usize, default: Default, base: Option<BaseUri>) -> Place {
        let path = format!("{}{number}", self.parts);
        Place { parts: format!("{path}."), fields: path.clone(), body: path, default, base }
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
        let header = self.header(&range, &place);
        let body = header.body..range.end;
        let (kind, about) = self.kind(&header, &body, place.default);
        match kind {
            Kind::Multipart => self.multipart(body, header, place, depth),
            Kind::Message if header.transfer == Transfer::Identity && depth < DEPTH_MAX => {
                drop(header);
                let start = body.start + fields::mark(&self.message[body.clone()]);
                let place = Place::message(&format!("{}.", place.body));
                self.entity(start..body.end, place, depth + 1);
            }
            Kind::Message if header.transfer == Transfer::Identity => self.too_deep(&place, body),
            Kind::Message => self.show(&place.body, What::Message(header.transfer), body),
            Kind::Text if header.transfer != Transfer::Unknown => {
                drop(header);
                self.show(&place.body, What::Text(about), body);
            }
            Kind::Closed(closed) => self.show(&place.body, What::Closed(closed), body),
            Kind::Text | Kind::Data => {}
        }
    }

    /// How the body of an entity is read, and what its header says about it as a text.
    fn kind(&self, header: &Header, body: &Range<usize>, default: Default) -> (Kind, About) {
        let mut about = header.about(header.content.as_ref());
        let mut kind = header.kind(matches!(default, Default::Message));
        if let (Kind::Data, Default::Encrypted) = (kind, default)
            && header.subtype() != "pgp-encrypted"
        {
            kind = Kind::Closed(UnsearchedReason::Encrypted);
        }
        if kind == Kind::Data
            && header.is("application")
            && let Some((other, format)) = header.kind_of_data(&self.first(header.transfer, body))
        {
            (kind, about.format) = (other, format);
        }
        (kind, about)
    }

    /// The first bytes of a body, without its transfer encoding.
    fn first(&self, transfer: Transfer, body: &Range<usize>) -> Vec<u8> {
        let some = &self.message[body.start..body.end.min(body.start + SNIFFED)];
        match transfer {
            Transfer::Identity => some.to_vec(),
            Transfer::Base64 => transfer::base64(some).bytes,
            Transfer::Quoted => transfer::quoted(some, 0..some.len()).into_bytes(),
            Transfer::Unknown => Vec::new(),
        }
    }

    /// Reads the header of the entity in `range`, and shows its fields.
    fn header(&mut self, range: &Range<usize>, place: &Place) -> Header {
        let message = self.message;
        let (mut content, mut name, mut transfer) = (None, None, Transfer::Identity);
        let (mut base, mut location) = (None, None);
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
                    HeaderValue::Text(name) => Transfer::of(&name),
                    _ => Transfer::Identity,
                };
            } else if field.name.eq_ignore_ascii_case("content-disposition") {
                name = file_name(&self.value(&field));
            } else if field.name.eq_ignore_ascii_case("content-base") {
                base = self.uri(&field);
            } else if field.name.eq_ignore_ascii_case("content-location") {
                location = self.uri(&field);
            } else if is_signature(field.name) {
                self.signed.get_or_insert(Signature::Dkim);
            }
            self.show(&place.fields, What::Field(field.name), field.value);
        }
        let base = relative_to([base, location], place.base.as_ref());
        let header = Header { content, file_name: name, transfer, base, body: fields.at };
        if header.content.is_some()
            && let Some(signature) = signature_of(header.is("multipart"), &header.subtype())
        {
            self.signed.get_or_insert(signature);
        }
        header
    }

    fn multipart(&mut self, body: Range<usize>, header: Header, place: Place, depth: usize) {
        let child = match &*header.subtype() {
            "digest" => Default::Message,
            "encrypted" => Default::Encrypted,
            _ => Default::Text,
        };
        let boundary = header.attribute("boundary").unwrap_or_default().to_owned();
        let parts = Parts::of(self.message, body.clone(), boundary.as_bytes());
        let mut parts = parts.peekable();
        if parts.peek().is_none() {
            // Somebody lost the boundary. The body can be read as text.
            self.show(&place.body, What::Text(header.about(None)), body);
        } else if depth < DEPTH_MAX {
            let base = header.base.clone();
            drop(header);
            for (i, part) in parts.enumerate() {
                self.entity(part, place.part(i + 1, child, base.clone()), depth + 1);
            }
        } else {
            drop(parts);
            self.too_deep(&place, body);
        }
    }

    fn too_deep(&mut self, place: &Place, body: Range<usize>) {
        self.show(&place.body, What::Closed(UnsearchedReason::TooDeep), body);
    }

    /// The URI that a field holds: without white space, because long ones are folded (RFC 2557, section
    /// 4.4.2), and without the quotation marks and angle brackets that some programs write.
    fn uri(&self, field: &Field<'_>) -> Option<String> {
        match MessageStream::new(&self.value(field)).parse_unstructured() {
            HeaderValue::Text(text) => {
                let uri: String = text.chars().filter(|c| !c.is_whitespace()).collect();
                Some(uri.trim_matches(['"', '<', '>']).to_owned())
            }
            _ => None,
        }
    }

    /// The value of a field as mail-parser wants it: followed by the end of a header. Bytes
    /// beyond [`VALUE_MAX`] are left out.
    fn value(&self, field: &Field<'_>) -> Vec<u8> {
        let value = &self.message[field.value.clone()];
        [&value[..value.len().min(VALUE_MAX)], b"\r\n\r\n"].concat()
    }
}

/// What references in an entity are relative to: `Content-Base`, or else `Content-Location`, if it is absolute
/// or `outer` is known, which is that of the entity around it; or else `outer`.
fn relative_to(fields: [Option<String>; 2], outer: Option<&BaseUri>) -> Option<BaseUri> {
    let within = |uri: String| match outer {
        Some(outer) => BaseUri::new(&outer.resolve(&uri)),
        None => BaseUri::new(&uri),
    };
    fields.into_iter().flatten().find_map(|uri| within(uri).ok()).or_else(|| outer.cloned())
}

/// The parts of a multipart body (RFC 2046, section 5.1.1), one by one. The line end before a
/// delimiter belongs to the delimiter. A part that is never closed extends to the end.
struct Parts<'m> {
    /// The message up to the end of the body.
    body: &'m [u8],
    /// Finds how a delimiter begins. Parts are nested, so each level must pass over text fast.
    delimiter: memmem::Finder<'static>,
    /// The start of the next line; of the first one too.
    at: usize,
    /// The start of the open part.
    open: Option<usize>,
}

impl<'m> Parts<'m> {
    fn of(message: &'m [u8], range: Range<usize>, boundary: &[u8]) -> Parts<'m> {
        // Without a boundary there are no parts.
        let at = if boundary.is_empty() { range.end } else { range.start };
        let delimiter = memmem::Finder::new(&[b"--", boundary].concat()).into_owned();
        Parts { body: &message[..range.end], delimiter, at, open: None }
    }

    /// The start of the next line that begins like a delimiter, at or after the line that starts at `line`.
    fn line(&self, line: usize) -> Option<usize> {
        let mut from = line;
        loop {
            let at = from + self.delimiter.find(self.body.get(from..)?)?;
            if at == line || self.body[at - 1] == b'\n' {
                return Some(at);
            }
            from = at + 1;
        }
    }
}

impl Iterator for Parts<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let body = self.body;
        while let Some(at) = self.line(self.at) {
            let (end, next) = line_end(body, at);
            self.at = next;
            let rest = body[..end].get(at + self.delimiter.needle().len()..);
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
