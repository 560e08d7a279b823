//! The fields that a column of links may have, and the columns that they become.

use std::{borrow::Cow, collections::HashMap};

use arrow_buffer::Buffer;
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field};
use iriscan::{Kind, Match, reference::Components};

use super::{
    Unit,
    text::{Offset, Text, list_of},
    unchecked,
};

/// The key of the metadata of `start` and `end` that says what they count.
const OFFSETS: &str = "iriscan.offsets";

/// A field of a link.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum LinkField {
    Start,
    End,
    Kind,
    Iri,
    Uri,
    Host,
    Scheme,
    Warnings,
    HostKey,
    /// A field of text that the library gives by its name.
    Known(iriscan::Field),
}

/// The fields that links have if the caller names none.
pub(crate) const USUAL: [LinkField; 8] = [
    LinkField::Start,
    LinkField::End,
    LinkField::Kind,
    LinkField::Iri,
    LinkField::Uri,
    LinkField::Host,
    LinkField::Scheme,
    LinkField::Warnings,
];

/// The fields that links have on request.
const ON_REQUEST: [LinkField; 10] = {
    use LinkField::{HostKey, Known};
    use iriscan::Field::*;
    [
        Known(Text),
        Known(Open),
        Known(Absolute),
        Known(Display),
        HostKey,
        Known(Domain),
        Known(Charset),
        Known(Element),
        Known(Attribute),
        Known(Anchor),
    ]
};

impl LinkField {
    /// All of them.
    pub(crate) fn all() -> impl Iterator<Item = LinkField> {
        USUAL.into_iter().chain(ON_REQUEST)
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            LinkField::Start => "start",
            LinkField::End => "end",
            LinkField::Kind => "kind",
            LinkField::Iri => "iri",
            LinkField::Uri => "uri",
            LinkField::Host => "host",
            LinkField::Scheme => "scheme",
            LinkField::Warnings => "warnings",
            LinkField::HostKey => "host_key",
            LinkField::Known(field) => field.as_str(),
        }
    }

    /// True if the value is one text.
    pub(crate) fn is_text(self) -> bool {
        !matches!(self, LinkField::Start | LinkField::End | LinkField::Warnings)
    }

    /// True if a link may have no value for it.
    fn is_nullable(self) -> bool {
        use LinkField::{Host, HostKey, Known, Scheme, Uri};
        matches!(self, Uri | Host | Scheme | HostKey | Known(_))
    }

    /// Its column in a table of links.
    pub(super) fn column<O: Offset>(self, unit: Unit) -> Field {
        match self {
            LinkField::Start | LinkField::End => {
                let says = HashMap::from([(OFFSETS.to_owned(), unit.as_str().to_owned())]);
                Field::new(self.name(), DataType::Int64, false).with_metadata(says)
            }
            LinkField::Warnings => Field::new(self.name(), list_of::<O>(O::TEXT), false),
            _ => Field::new(self.name(), O::TEXT, self.is_nullable()),
        }
    }
}

/// A link, and what its fields are made of.
pub(super) struct Parts<'a, 'h> {
    link: &'a Match<'h>,
    iri: Cow<'h, str>,
}

impl<'a, 'h> Parts<'a, 'h> {
    pub(super) fn of(link: &'a Match<'h>) -> Parts<'a, 'h> {
        Parts { link, iri: link.iri() }
    }

    /// True if the IRI is the URI too. The URI of a reference with controls is another text.
    #[inline]
    fn is_uri(&self) -> bool {
        self.link.is_ascii() && self.iri.bytes().fold(true, |all, b| all & b.is_ascii_graphic())
    }

    /// Calls `write` with the value of a field of text.
    #[inline]
    pub(super) fn with<T>(&self, field: LinkField, write: impl FnOnce(Option<&str>) -> T) -> T {
        let link = self.link;
        match field {
            LinkField::Uri if self.is_uri() => write(Some(&self.iri)),
            LinkField::Uri => write(link.uri().ok().as_ref().map(|uri| uri.as_str())),
            LinkField::Iri => write(Some(&self.iri)),
            LinkField::Kind => write(Some(link.kind().as_str())),
            LinkField::Host => write(link.host().as_deref()),
            LinkField::Scheme => write(link.scheme().as_deref()),
            LinkField::HostKey => write(link.host_key().as_deref()),
            LinkField::Known(field) => write(link.get(field).as_deref()),
            LinkField::Start | LinkField::End | LinkField::Warnings => write(None),
        }
    }
}

/// The scheme and the host of an `http` or `https` link about whose characters there is surely no
/// warning: a host of letters, digits and hyphens that fits into the DNS, and after it what RFC 3986
/// allows, without escapes. `Match::warnings` takes half a microsecond to say so.
fn plain_parts(iri: &str) -> Option<(&str, &str)> {
    let (scheme, text) = iri.split_once("://")?;
    if !matches!(scheme, "http" | "https") {
        return None;
    }
    let rest = text.as_bytes();
    // A host that begins with a digit may be an address to a browser.
    if rest.first().is_some_and(u8::is_ascii_digit) {
        return None;
    }
    // The host, up to the first delimiter.
    let (mut at, mut label) = (0, 0);
    while let Some(byte) = rest.get(at) {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => {}
            b'-' if at > label && rest.get(at + 1).is_some_and(u8::is_ascii_alphanumeric) => {}
            b'.' if matches!(at - label, 1..=63) => label = at + 1,
            b'/' | b'?' | b'#' => break,
            _ => return None,
        }
        at += 1;
    }
    // The last label is no number, which would be a part of an IPv4 address.
    if !matches!(at - label, 1..=63) || at > 253 || !rest[label].is_ascii_alphabetic() {
        return None;
    }
    // Without a way out of the loops, which is faster for the usual link.
    let tail = &rest[at..];
    let is_plain = tail.iter().fold(true, |plain, byte| plain & TAIL[usize::from(*byte)])
        && tail.iter().filter(|byte| **byte == b'#').count() <= 1;
    is_plain.then(|| (scheme, &text[..at]))
}

/// The characters of paths, queries and fragments, and their delimiters.
const TAIL: [bool; 256] = {
    let (mut table, others) = ([false; 256], b"-._~!$&'()*+,;=:@/?#");
    let mut i = 0;
    while i < 256 {
        table[i] = (i as u8).is_ascii_alphanumeric();
        i += 1;
    }
    while i - 256 < others.len() {
        table[others[i - 256] as usize] = true;
        i += 1;
    }
    table
};

/// The columns of all links, for those fields that were asked for.
pub(super) struct Columns<O> {
    fields: Vec<LinkField>,
    columns: Vec<Builder<O>>,
    /// The places of the columns of IRIs and URIs, as long as each URI is the IRI: the result then
    /// has the text once.
    same: Option<(usize, usize)>,
    /// A field needs the parts of a host.
    has_parts: bool,
    len: usize,
}

/// A column under construction.
enum Builder<O> {
    Numbers(Vec<i64>),
    Text(Text<O>),
    /// Lists of texts, and the end of each.
    Lists(Vec<O>, Text<O>),
}

impl<O: Offset> Columns<O> {
    pub(super) fn new(fields: &[LinkField]) -> Columns<O> {
        let columns = fields.iter().map(|field| match field {
            LinkField::Start | LinkField::End => Builder::Numbers(Vec::new()),
            LinkField::Warnings => Builder::Lists(vec![O::usize_as(0)], Text::default()),
            _ => Builder::Text(Text::default()),
        });
        let place = |wanted| fields.iter().position(|field| *field == wanted);
        let parts = [LinkField::Host, LinkField::Scheme, LinkField::Warnings];
        Columns {
            fields: fields.to_vec(),
            columns: columns.collect(),
            same: place(LinkField::Iri).zip(place(LinkField::Uri)),
            has_parts: parts.iter().any(|field| fields.contains(field)),
            len: 0,
        }
    }

    /// The number of links.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Adds a link with its range in the offsets of the caller. `plain`: nothing malformed is beside
    /// it.
    #[inline]
    pub(super) fn push(
        &mut self,
        link: &Match<'_>,
        (start, end): (usize, usize),
        plain: bool,
    ) -> Result<(), String> {
        let parts = Parts::of(link);
        let plain = match plain && self.has_parts {
            true => plain_parts(&parts.iri),
            false => None,
        };
        if let Some((iri, uri)) = self.same.filter(|_| !parts.is_uri()) {
            // From here on the URIs have texts of their own.
            if let Builder::Text(text) = &self.columns[iri] {
                self.columns[uri] = Builder::Text(text.copy());
            }
            self.same = None;
        }
        for (field, column) in self.fields.iter().zip(&mut self.columns) {
            match (column, field) {
                (Builder::Numbers(numbers), LinkField::Start) => numbers.push(start as i64),
                (Builder::Numbers(numbers), _) => numbers.push(end as i64),
                (Builder::Lists(ends, texts), _) => {
                    if plain.is_none() {
                        for warning in link.warnings() {
                            texts.push(Some(warning.as_str()))?;
                        }
                    }
                    ends.push(O::usize_as(texts.len()));
                }
                (Builder::Text(_), LinkField::Uri) if self.same.is_some() => {}
                (Builder::Text(text), LinkField::Host) => match plain {
                    Some((_, host)) => text.push(Some(host))?,
                    None => parts.with(*field, |host| text.push(host))?,
                },
                (Builder::Text(text), LinkField::Scheme) => match plain {
                    Some((scheme, _)) => text.push(Some(scheme))?,
                    // The scheme of the text: that of what a browser opens may be another one.
                    None if link.kind() == Kind::Iri => {
                        text.push_lower(Components::split(&parts.iri).scheme())?;
                    }
                    None => parts.with(*field, |scheme| text.push(scheme))?,
                },
                (Builder::Text(text), _) => parts.with(*field, |value| text.push(value))?,
            }
        }
        self.len += 1;
        Ok(())
    }

    /// The columns, in the order of the fields.
    pub(super) fn finish(self) -> Vec<ArrayData> {
        let len = self.len;
        let same = self.same;
        let mut columns: Vec<ArrayData> = Vec::with_capacity(self.columns.len());
        for builder in self.columns {
            columns.push(match builder {
                Builder::Numbers(numbers) => {
                    let buffer = Buffer::from_vec(numbers);
                    unchecked(ArrayData::builder(DataType::Int64).len(len).add_buffer(buffer))
                }
                Builder::Text(text) => text.finish(),
                Builder::Lists(ends, texts) => {
                    let builder = ArrayData::builder(list_of::<O>(O::TEXT))
                        .len(len)
                        .add_buffer(Buffer::from_vec(ends))
                        .add_child_data(texts.finish());
                    unchecked(builder)
                }
            });
        }
        if let Some((iri, uri)) = same {
            columns[uri] = columns[iri].clone();
        }
        columns
    }
}
