//! The fields that a column of links may have, and the columns that they become.

use std::{borrow::Cow, collections::HashMap};

use arrow_buffer::Buffer;
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field};
use iriscan::{Kind, Match, Viewer, reference::Components};

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
const ON_REQUEST: &[LinkField] = {
    use LinkField::{HostKey, Known};
    use iriscan::Field::*;
    &[
        Known(Text),
        Known(Open),
        Known(Absolute),
        Known(Display),
        HostKey,
        Known(Domain),
        Known(Charset),
        // generated: fields
        Known(Element),
        Known(Attribute),
        Known(Anchor),
        // end of fields
    ]
};

impl LinkField {
    /// All of them.
    pub(crate) fn all() -> impl Iterator<Item = LinkField> {
        USUAL.into_iter().chain(ON_REQUEST.iter().copied())
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
    viewer: &'a mut Viewer,
}

impl<'a, 'h> Parts<'a, 'h> {
    pub(super) fn of(link: &'a Match<'h>, viewer: &'a mut Viewer) -> Parts<'a, 'h> {
        Parts { link, iri: link.iri(), viewer }
    }

    /// True if the IRI is the URI too. The URI of a reference with controls is another text.
    #[inline]
    fn is_uri(&self) -> bool {
        // As in the library's own class of what is encoded.
        let other =
            |b: u8| matches!(b, b'"' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}');
        let is_uri = |b: u8| b.is_ascii_graphic() & !other(b);
        self.link.is_ascii() && self.iri.bytes().fold(true, |all, b| all & is_uri(b))
    }

    /// Appends the value of a field of text; false if there is none.
    #[inline]
    pub(super) fn write(&mut self, field: LinkField, out: &mut String) -> bool {
        let link = self.link;
        let mut put = |value: Option<&str>| {
            out.push_str(value.unwrap_or_default());
            value.is_some()
        };
        match field {
            LinkField::Uri if self.is_uri() => put(Some(&self.iri)),
            LinkField::Uri => self.viewer.write_uri(link, out).is_ok(),
            LinkField::Iri => put(Some(&self.iri)),
            LinkField::Kind => put(Some(link.kind().as_str())),
            LinkField::Host => put(self.viewer.get(iriscan::Field::Host, link).as_deref()),
            LinkField::Scheme => put(self.scheme().as_deref()),
            LinkField::HostKey => put(link.host_key().as_deref()),
            LinkField::Known(field) => put(self.viewer.get(field, link).as_deref()),
            LinkField::Start | LinkField::End | LinkField::Warnings => false,
        }
    }

    /// The scheme of the text in lower case: that of what a browser opens may be another one.
    #[inline]
    fn scheme(&self) -> Option<Cow<'_, str>> {
        let text = (self.link.kind() == Kind::Iri).then_some(&*self.iri)?;
        match text {
            _ if text.starts_with("https://") => Some(Cow::Borrowed("https")),
            _ if text.starts_with("http://") => Some(Cow::Borrowed("http")),
            _ => Some(Cow::Owned(Components::split(text).scheme()?.to_ascii_lowercase())),
        }
    }
}

/// The columns of all links, for those fields that were asked for.
pub(super) struct Columns<O> {
    fields: Vec<LinkField>,
    columns: Vec<Builder<O>>,
    /// The places of the columns of IRIs and URIs, as long as each URI is the IRI: the result then
    /// has the text once.
    same: Option<(usize, usize)>,
    viewer: Viewer,
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
        Columns {
            fields: fields.to_vec(),
            columns: columns.collect(),
            same: place(LinkField::Iri).zip(place(LinkField::Uri)),
            viewer: Viewer::new(),
            len: 0,
        }
    }

    /// The number of links.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Adds a link with its range in the offsets of the caller.
    #[inline]
    pub(super) fn push(
        &mut self,
        link: &Match<'_>,
        (start, end): (usize, usize),
    ) -> Result<(), String> {
        let mut parts = Parts::of(link, &mut self.viewer);
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
                    for warning in parts.viewer.warnings(link) {
                        texts.add(|text| {
                            text.push_str(warning.as_str());
                            true
                        })?;
                    }
                    ends.push(O::usize_as(texts.len()));
                }
                (Builder::Text(_), LinkField::Uri) if self.same.is_some() => {}
                (Builder::Text(text), _) => text.add(|text| parts.write(*field, text))?,
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
