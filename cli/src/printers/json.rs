//! The records of `find --json`: one JSON object for each link, on a line.
//!
//! In goes a link; out come its keys, in a fixed order. What must hold: every link has the same
//! keys with the same meanings, whatever input it is from; keys that only some inputs have come
//! last.

use std::{
    io::{self, Write},
    ops::Range,
    path::Path,
};

use base64::Engine as _;
use iriscan::{
    Match, Position, Warning,
    mail::{Headers, MailLink},
};
use serde_json::{Map, Value, json};

use crate::args::find::OffsetsArg;

/// A record, key by key.
#[derive(Debug)]
pub(crate) struct Record(Map<String, Value>);

/// The values that every link has.
struct Common {
    /// The bytes of the source; `None` if the link was decoded from other bytes.
    span: Option<Range<u64>>,
    text: Value,
    iri: Value,
    /// The URI form, or the reason why the link has no such form.
    uri: Result<Value, String>,
    open: Value,
    kind: &'static str,
    scheme: Value,
    host: Value,
    charset: &'static str,
    warnings: Value,
    display: String,
    element: Option<String>,
    attribute: Option<String>,
    anchor: Option<String>,
}

impl Common {
    /// The fields of `link`, which is at `span` in the source.
    fn of(link: &Match<'_>, span: Option<Range<u64>>) -> Common {
        Common {
            span,
            text: link.text().into(),
            iri: link.iri().into(),
            uri: link.uri().map(|uri| uri.as_str().into()).map_err(|e| e.to_string()),
            open: link.open().ok().into(),
            kind: link.kind().as_str(),
            scheme: link.scheme().into(),
            host: link.host().into(),
            charset: link.charset().name(),
            warnings: names(&link.warnings()),
            display: link.display(),
            element: link.element().map(str::to_owned),
            attribute: link.attribute().map(str::to_owned),
            anchor: link.anchor().map(str::to_owned),
        }
    }
}

impl Record {
    /// The record of a link that is at `span` of the source; `None` if the text was decoded from
    /// other bytes.
    pub(crate) fn of(path: &Path, link: &Match<'_>, span: Option<Range<u64>>) -> Record {
        Record::new(path, Common::of(link, span))
    }

    /// The record of a link of a message, which starts at byte `at` and in line `line`.
    pub(crate) fn of_mail(path: &Path, found: &MailLink, at: u64, line: u64) -> Record {
        let span = found.span().map(|span| at + span.start..at + span.end);
        let mut record = Record::new(path, Common::of(&found.link().as_match(), span));
        record.put("part", found.part());
        if let Some(header) = found.header() {
            record.put("header", header);
        }
        record.put("line", line + found.line() - 1);
        record
    }

    fn new(path: &Path, common: Common) -> Record {
        let mut record = Record(Map::new());
        match path.to_str() {
            Some(path) => record.put("path", path),
            None => record.put("path_bytes", path_bytes(path)),
        }
        record.put("start", common.span.as_ref().map(|span| span.start));
        record.put("end", common.span.map(|span| span.end));
        record.put("text", common.text);
        record.put("iri", common.iri);
        let (uri, error) = match common.uri {
            Ok(uri) => (uri, None),
            Err(why) => (Value::Null, Some(why)),
        };
        record.put("uri", uri);
        record.put("open", common.open);
        if let Some(why) = error {
            record.put("error", why);
        }
        record.put("kind", common.kind);
        record.put("scheme", common.scheme);
        record.put("host", common.host);
        record.put("display", common.display);
        record.put("charset", common.charset);
        record.put("warnings", common.warnings);
        let markup = [
            ("element", common.element),
            ("attribute", common.attribute),
            ("anchor", common.anchor),
        ];
        for (key, value) in markup {
            if let Some(value) = value {
                record.put(key, value);
            }
        }
        record
    }

    /// Adds the text before and after the link.
    pub(crate) fn around(&mut self, [before, after]: [&str; 2]) {
        self.put("before", before);
        self.put("after", after);
    }

    /// Adds what tells which message the link is in.
    pub(crate) fn of_message(&mut self, message: &Headers) {
        let fields = [
            ("message_id", message.message_id()),
            ("subject", message.subject()),
            ("from", message.from()),
            ("date", message.date()),
        ];
        for (key, value) in fields {
            if let Some(value) = value {
                self.put(key, value);
            }
        }
    }

    /// Adds the link inside a wrapper, if there is one.
    pub(crate) fn unwrapped(&mut self, inner: Option<String>) {
        if let Some(inner) = inner {
            self.put("unwrapped", inner);
        }
    }

    /// Adds the address and the first byte of the record of a web archive.
    pub(crate) fn archived(&mut self, uri: &str, offset: u64) {
        self.put("record", uri);
        self.put("offset", offset);
    }

    /// Adds the start and the end of the link, in the units that were asked for.
    pub(crate) fn offsets(&mut self, [start, end]: [Position; 2], units: &[OffsetsArg]) {
        if units.contains(&OffsetsArg::Utf16) {
            self.put("utf16", json!([start.utf16, end.utf16]));
        }
        if units.contains(&OffsetsArg::Chars) {
            self.put("chars", json!([start.chars, end.chars]));
        }
        if units.contains(&OffsetsArg::Lines) {
            self.put("line", start.line);
            self.put("column", start.column);
        }
    }

    fn put(&mut self, key: &str, value: impl Into<Value>) {
        self.0.insert(key.into(), value.into());
    }

    /// Writes the record as a line.
    pub(crate) fn write(self, out: &mut impl Write) -> io::Result<()> {
        write_line(out, &self.0.into())
    }
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
