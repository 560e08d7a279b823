//! The records of `find --json`: one JSON object for each link, on a line.
//!
//! In goes a link; out come its keys, in a fixed order. What must hold: every link has the same
//! keys with the same meanings, whatever input it is from; keys that only some inputs have come
//! last.

use std::{
    fmt,
    io::{self, Write},
    ops::Range,
    path::Path,
};

use base64::Engine as _;
use iriscan::{Match, Position, Uri, Viewer, Warning};
use serde_json::Value;

use super::{
    context::opened,
    item::{InMail, Item, Place, Source},
};
use crate::args::find::OffsetsArg;

/// Writes the record of a link in `source`, with offsets in `units`. `absolute` wants the link as an
/// absolute URI whether or not it knows its base. What `viewer` has of a host is not made again.
pub(crate) fn record(
    item: &Item<'_>,
    source: &Source<'_>,
    units: &[OffsetsArg],
    absolute: bool,
    viewer: &mut Viewer,
    out: &mut impl Write,
) -> io::Result<()> {
    let Place { path, span, line, .. } = item.place(source);
    let mut record = Record::of(path, item.link, span, viewer);
    if let Some(InMail { found, .. }) = item.mail {
        record.text("part", found.part());
        record.text_if_any("header", found.header());
        record.put("line", line.unwrap_or_default());
    }
    // Links of plain text know no base.
    if absolute && item.link.base().is_none() {
        record.absolute(item.link);
    }
    record.text_if_any("unwrapped", item.inner);
    if let Some(mail) = &item.mail {
        record.text_if_any("message_id", mail.message.message_id());
        record.text_if_any("subject", mail.message.subject());
        record.text_if_any("from", mail.message.from());
        record.text_if_any("date", mail.message.date());
    }
    if let Some(archived) = &source.record {
        record.text("record", &archived.target);
        record.put("offset", archived.offset);
    }
    if let Some(at) = item.at {
        record.offsets(at, units);
    }
    if let Some([before, after]) = item.around {
        record.text("before", before);
        record.text("after", after);
    }
    record.write(out)
}

/// A record: the text of its object, key by key, without the closing brace.
///
/// It is written at once and not kept as values, because a record has twelve keys, and a value for
/// each would cost more than all else that is known about a link.
#[derive(Debug)]
struct Record(Vec<u8>);

impl Record {
    /// The record of a link that is at `span` of the source; `None` if the text was decoded from
    /// other bytes. What `viewer` has of a host is not made again.
    fn of(path: &Path, link: &Match<'_>, span: Option<Range<u64>>, viewer: &mut Viewer) -> Record {
        let mut record = Record(Vec::with_capacity(64 + 6 * link.source().len() + USUAL));
        record.0.push(b'{');
        match path.to_str() {
            Some(path) => record.text("path", path),
            None => record.text("path_bytes", &path_bytes(path)),
        }
        match span {
            Some(span) => {
                record.put("start", span.start);
                record.put("end", span.end);
            }
            None => {
                record.put("start", "null");
                record.put("end", "null");
            }
        }
        record.text("text", &link.text());
        record.text("iri", &link.iri());
        let uri = viewer.uri(link);
        record.text_or_null("uri", uri.as_ref().ok().map(Uri::as_str));
        record.text_or_null("open", opened(link, &uri).as_deref());
        if let Err(why) = uri {
            record.text("error", &why.to_string());
        }
        record.text("kind", link.kind().as_str());
        record.text_or_null("scheme", link.scheme().as_deref());
        record.text_or_null("host", link.host().as_deref());
        record.text("display", &viewer.display(link));
        record.text("charset", link.charset().name());
        record.warnings(&viewer.warnings(link));
        record.text_if_any("element", link.element());
        record.text_if_any("attribute", link.attribute());
        record.text_if_any("anchor", link.anchor());
        if link.base().is_some() {
            record.absolute(link);
        }
        record
    }

    /// Adds the link as an absolute URI.
    fn absolute(&mut self, link: &Match<'_>) {
        self.text_or_null("absolute", link.absolute().ok().as_deref());
    }

    /// Adds the start and the end of the link, in the units that were asked for.
    fn offsets(&mut self, [start, end]: [Position; 2], units: &[OffsetsArg]) {
        if units.contains(&OffsetsArg::Utf16) {
            self.put("utf16", format_args!("[{},{}]", start.utf16, end.utf16));
        }
        if units.contains(&OffsetsArg::Chars) {
            self.put("chars", format_args!("[{},{}]", start.chars, end.chars));
        }
        if units.contains(&OffsetsArg::Lines) {
            self.put("line", start.line);
            self.put("column", start.column);
        }
    }

    /// Adds a key. Its value comes next.
    fn key(&mut self, key: &str) {
        let comma: &[u8] = if self.0.len() > 1 { b",\"" } else { b"\"" };
        self.0.extend_from_slice(comma);
        self.0.extend_from_slice(key.as_bytes());
        self.0.extend_from_slice(b"\":");
    }

    /// Adds a value that is written alike in JSON: a number, `null`.
    fn put(&mut self, key: &str, value: impl fmt::Display) {
        self.key(key);
        self.0.extend_from_slice(value.to_string().as_bytes());
    }

    fn text(&mut self, key: &str, value: &str) {
        self.key(key);
        push_text(&mut self.0, value);
    }

    fn text_if_any(&mut self, key: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.text(key, value);
        }
    }

    fn text_or_null(&mut self, key: &str, value: Option<&str>) {
        match value {
            Some(value) => self.text(key, value),
            None => self.put(key, "null"),
        }
    }

    fn warnings(&mut self, warnings: &[Warning]) {
        self.key("warnings");
        self.0.push(b'[');
        for (i, warning) in warnings.iter().enumerate() {
            if i > 0 {
                self.0.push(b',');
            }
            push_text(&mut self.0, warning.as_str());
        }
        self.0.push(b']');
    }

    /// Writes the record as a line.
    fn write(mut self, out: &mut impl Write) -> io::Result<()> {
        self.0.extend_from_slice(b"}\n");
        out.write_all(&self.0)
    }
}

/// The bytes of a record without the texts of its link.
const USUAL: usize = 256;

/// Adds `text` as a string of JSON.
fn push_text(out: &mut Vec<u8>, text: &str) {
    // No early end, so that the compiler can compare many bytes at once.
    let special = |b: u8| b < b' ' || b == b'"' || b == b'\\';
    if text.bytes().fold(false, |any, b| any | special(b)) {
        return serde_json::to_writer(out, text).expect("text should be a JSON value");
    }
    out.push(b'"');
    out.extend_from_slice(text.as_bytes());
    out.push(b'"');
}

/// Writes `value` as a line.
pub(crate) fn write_line(out: &mut impl Write, value: &Value) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")
}

/// The names of warnings.
pub(crate) fn names(warnings: &[Warning]) -> Value {
    warnings.iter().map(|warning| warning.as_str()).collect()
}

/// Bytes that are no text, in base64.
pub(crate) fn bytes(bytes: &[u8]) -> String {
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

fn path_bytes(path: &Path) -> String {
    #[cfg(unix)]
    let name = std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str());
    #[cfg(not(unix))]
    let name = path.as_os_str().as_encoded_bytes();
    bytes(name)
}
