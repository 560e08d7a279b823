//! A column of links: for each row of text a list of its links.

use std::{borrow::Cow, collections::HashMap, sync::Arc};

use arrow_buffer::{ArrowNativeType, Buffer, NullBufferBuilder};
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field, Fields};
use iriscan::{Charset, Finder, Format, Input, Kind, Match, reference::Components};

use super::{Unit, column::Column, item, unchecked};
use crate::data::Offsets;

/// The key of the metadata of `start` and `end` that says what they count.
const OFFSETS: &str = "iriscan.offsets";

/// A field that links have on request: its name, and its value.
pub(crate) type Extra = (&'static str, fn(&Match<'_>) -> Option<String>);

/// All fields that links may have on request.
pub(crate) const EXTRA: [Extra; 10] = [
    ("text", |link| Some(link.text().into_owned())),
    ("open", |link| link.open().ok()),
    ("absolute", |link| link.absolute().ok()),
    ("display", |link| Some(link.display())),
    ("host_key", |link| link.host_key().map(Cow::into_owned)),
    ("domain", |link| link.domain()),
    ("charset", |link| Some(link.charset().name().to_owned())),
    ("element", |link| link.element().map(ToOwned::to_owned)),
    ("attribute", |link| link.attribute().map(ToOwned::to_owned)),
    ("anchor", |link| link.anchor().map(ToOwned::to_owned)),
];

/// The type of the links of a column of `text`. Columns with 64-bit offsets have links with such.
pub(super) fn data_type(text: &DataType, unit: Unit, extra: &[Extra]) -> DataType {
    match text {
        DataType::LargeUtf8 | DataType::LargeBinary => list_of::<i64>(links_of::<i64>(unit, extra)),
        _ => list_of::<i32>(links_of::<i32>(unit, extra)),
    }
}

/// The number of the row of a table of links.
fn row_field() -> Field {
    Field::new("row", DataType::Int64, false)
}

/// The fields of a table of links, of the type of a column of links; `None` if it is of another type.
pub(super) fn table_fields(links: &DataType) -> Option<Fields> {
    let (DataType::List(item) | DataType::LargeList(item)) = links else { return None };
    let DataType::Struct(fields) = item.data_type() else { return None };
    Some(std::iter::once(Arc::new(row_field())).chain(fields.iter().cloned()).collect())
}

/// A table with a row for each link of a column that `find` made. The rows of that are counted from `first`.
pub(super) fn table(links: &ArrayData, first: i64) -> Option<ArrayData> {
    let fields = table_fields(links.data_type())?;
    let inner = links.child_data().first()?;
    let ends: Vec<usize> = match links.data_type() {
        DataType::List(_) => links.buffer::<i32>(0).iter().map(|n| n.as_usize()).collect(),
        _ => links.buffer::<i64>(0).iter().map(|n| n.as_usize()).collect(),
    };
    let counts = (first..).zip(ends.windows(2).take(links.len()));
    let rows: Vec<i64> =
        counts.flat_map(|(row, ends)| std::iter::repeat_n(row, ends[1] - ends[0])).collect();
    let (start, len) = (*ends.first()?, rows.len());
    let rows = ArrayData::builder(DataType::Int64).len(len).add_buffer(Buffer::from_vec(rows));
    let inner = inner.slice(start, len);
    let columns = inner.child_data().iter().map(|column| column.slice(inner.offset(), len));
    let columns = std::iter::once(unchecked(rows)).chain(columns).collect();
    Some(unchecked(ArrayData::builder(DataType::Struct(fields)).len(len).child_data(columns)))
}

/// The links of each row.
pub(super) fn find(
    finder: &Finder,
    column: &Column,
    unit: Unit,
    extra: &[Extra],
) -> Result<ArrayData, String> {
    match column.text {
        DataType::LargeUtf8 | DataType::LargeBinary => find_as::<i64>(finder, column, unit, extra),
        _ => find_as::<i32>(finder, column, unit, extra),
    }
}

/// The offsets of a list or of text in the result.
trait Offset: arrow_buffer::ArrowNativeType {
    const LIST: fn(std::sync::Arc<Field>) -> DataType;
    const TEXT: DataType;
}

impl Offset for i32 {
    const LIST: fn(std::sync::Arc<Field>) -> DataType = DataType::List;
    const TEXT: DataType = DataType::Utf8;
}

impl Offset for i64 {
    const LIST: fn(std::sync::Arc<Field>) -> DataType = DataType::LargeList;
    const TEXT: DataType = DataType::LargeUtf8;
}

fn list_of<O: Offset>(links: Fields) -> DataType {
    O::LIST(item(DataType::Struct(links), false))
}

fn warnings_of<O: Offset>() -> DataType {
    O::LIST(item(O::TEXT, false))
}

fn links_of<O: Offset>(unit: Unit, extra: &[Extra]) -> Fields {
    let counted = |name: &str| {
        let says = HashMap::from([(OFFSETS.to_owned(), unit.as_str().to_owned())]);
        Field::new(name, DataType::Int64, false).with_metadata(says)
    };
    let mut fields = vec![
        counted("start"),
        counted("end"),
        Field::new("kind", O::TEXT, false),
        Field::new("iri", O::TEXT, false),
        Field::new("uri", O::TEXT, true),
        Field::new("host", O::TEXT, true),
        Field::new("scheme", O::TEXT, true),
        Field::new("warnings", warnings_of::<O>(), false),
    ];
    fields.extend(extra.iter().map(|(name, _)| Field::new(*name, O::TEXT, true)));
    Fields::from(fields)
}

fn find_as<O: Offset>(
    finder: &Finder,
    column: &Column,
    unit: Unit,
    extra: &[Extra],
) -> Result<ArrayData, String> {
    let (rows, nulls, count) = (column.rows(), column.nulls(), column.len());
    if unit == Unit::Characters && !column.is_utf8() {
        return Err("offsets: 'chars' needs a column of strings; use 'bytes'".into());
    }
    let mut links = Links::<O>::default();
    let mut others: Vec<Text<O>> = extra.iter().map(|_| Text::default()).collect();
    // In plain text of UTF-8, ASCII beside a link means that nothing malformed is there.
    let plain = column.is_utf8() && finder.config().get_format() == Format::Text;
    let mut ends = Vec::with_capacity(count + 1);
    ends.push(O::usize_as(0));
    for i in 0..count {
        if nulls.is_none_or(|nulls| nulls.is_valid(i)) {
            let bytes = rows.get(i)?;
            let input = Input::new(bytes);
            let input = if column.is_utf8() { input.charset(Charset::UTF_8) } else { input };
            let mut offsets = Offsets::new(unit == Unit::Characters);
            for link in finder.find_iter(input) {
                let range = link.range();
                links.start.push(offsets.at(bytes, range.start) as i64);
                links.end.push(offsets.at(bytes, range.end) as i64);
                let edges = [range.start.wrapping_sub(1), range.end];
                let plain = plain && edges.iter().all(|i| bytes.get(*i).is_none_or(u8::is_ascii));
                links.push(&link, plain)?;
                for ((_, value), column) in extra.iter().zip(&mut others) {
                    column.push(value(&link).as_deref())?;
                }
            }
        }
        ends.push(O::usize_as(links.start.len()));
    }
    let len = links.start.len();
    fits::<O>(len)?;
    let fields = links_of::<O>(unit, extra);
    let mut columns = links.finish(len);
    columns.extend(others.into_iter().map(Text::finish));
    let links = ArrayData::builder(DataType::Struct(fields.clone())).len(len).child_data(columns);
    let list = ArrayData::builder(list_of::<O>(fields))
        .len(count)
        .nulls(nulls.cloned())
        .add_buffer(Buffer::from_vec(ends))
        .add_child_data(unchecked(links));
    Ok(unchecked(list))
}

/// Fails if an offset of the result does not fit into its type.
fn fits<O: Offset>(len: usize) -> Result<(), String> {
    match O::from_usize(len) {
        Some(_) => Ok(()),
        None => Err("the links of one chunk exceed 2 GiB; cast the column to large_string or \
                     large_binary, or use smaller chunks"
            .into()),
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

/// The fields of all links.
struct Links<O> {
    start: Vec<i64>,
    end: Vec<i64>,
    kind: Text<O>,
    iri: Text<O>,
    /// `None` as long as each URI is the IRI: the result then has the text once.
    uri: Option<Text<O>>,
    host: Text<O>,
    scheme: Text<O>,
    warnings: Text<O>,
    warnings_ends: Vec<O>,
}

impl<O: Offset> Default for Links<O> {
    fn default() -> Links<O> {
        Links {
            start: Vec::new(),
            end: Vec::new(),
            kind: Text::default(),
            iri: Text::default(),
            uri: None,
            host: Text::default(),
            scheme: Text::default(),
            warnings: Text::default(),
            warnings_ends: vec![O::usize_as(0)],
        }
    }
}

impl<O: Offset> Links<O> {
    /// Adds a link, but for its range. `plain`: nothing malformed is beside it.
    fn push(&mut self, link: &Match<'_>, plain: bool) -> Result<(), String> {
        let iri = link.iri();
        self.kind.push(Some(link.kind().as_str()))?;
        // The URI of a reference with controls is another text.
        let is_uri = iri.bytes().fold(true, |all, b| all & b.is_ascii_graphic());
        if link.is_ascii() && is_uri {
            if let Some(uri) = &mut self.uri {
                uri.push(Some(&iri))?;
            }
        } else {
            let uri = self.uri.get_or_insert_with(|| self.iri.copy());
            uri.push(link.uri().ok().as_ref().map(|uri| uri.as_str()))?;
        }
        self.iri.push(Some(&iri))?;
        if let Some((scheme, host)) = plain.then(|| plain_parts(&iri)).flatten() {
            self.scheme.push(Some(scheme))?;
            self.host.push(Some(host))?;
        } else {
            if link.kind() == Kind::Iri {
                // The host may be another one to a browser.
                self.host.push(link.host().as_deref())?;
                self.scheme.push_lower(Components::split(&iri).scheme())?;
            } else {
                self.host.push(link.host().as_deref())?;
                self.scheme.push(link.scheme().as_deref())?;
            }
            for warning in link.warnings() {
                self.warnings.push(Some(warning.as_str()))?;
            }
        }
        self.warnings_ends.push(O::usize_as(self.warnings.ends.len() - 1));
        Ok(())
    }

    fn finish(self, len: usize) -> Vec<ArrayData> {
        let numbers = |values: Vec<i64>| {
            let buffer = Buffer::from_vec(values);
            unchecked(ArrayData::builder(DataType::Int64).len(len).add_buffer(buffer))
        };
        let warnings = ArrayData::builder(warnings_of::<O>())
            .len(len)
            .add_buffer(Buffer::from_vec(self.warnings_ends))
            .add_child_data(self.warnings.finish());
        let iri = self.iri.finish();
        let uri = self.uri.map_or_else(|| iri.clone(), Text::finish);
        vec![
            numbers(self.start),
            numbers(self.end),
            self.kind.finish(),
            iri,
            uri,
            self.host.finish(),
            self.scheme.finish(),
            unchecked(warnings),
        ]
    }
}

/// A column of text under construction.
struct Text<O> {
    /// The start of the first value, and the end of each.
    ends: Vec<O>,
    bytes: Vec<u8>,
    nulls: NullBufferBuilder,
}

impl<O: Offset> Default for Text<O> {
    fn default() -> Text<O> {
        Text { ends: vec![O::usize_as(0)], bytes: Vec::new(), nulls: NullBufferBuilder::new(0) }
    }
}

impl<O: Offset> Text<O> {
    #[inline]
    fn push(&mut self, text: Option<&str>) -> Result<(), String> {
        self.nulls.append(text.is_some());
        self.bytes.extend_from_slice(text.unwrap_or_default().as_bytes());
        fits::<O>(self.bytes.len())?;
        self.ends.push(O::usize_as(self.bytes.len()));
        Ok(())
    }

    /// A copy of a column without nulls.
    fn copy(&self) -> Text<O> {
        let mut nulls = NullBufferBuilder::new(0);
        nulls.append_n_non_nulls(self.ends.len() - 1);
        Text { ends: self.ends.clone(), bytes: self.bytes.clone(), nulls }
    }

    /// Adds `text` with lower-case ASCII letters.
    fn push_lower(&mut self, text: Option<&str>) -> Result<(), String> {
        let start = self.bytes.len();
        self.push(text)?;
        self.bytes[start..].make_ascii_lowercase();
        Ok(())
    }

    fn finish(mut self) -> ArrayData {
        let builder = ArrayData::builder(O::TEXT)
            .len(self.ends.len() - 1)
            .nulls(self.nulls.finish())
            .add_buffer(Buffer::from_vec(self.ends))
            .add_buffer(Buffer::from_vec(self.bytes));
        unchecked(builder)
    }
}
