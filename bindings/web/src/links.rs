//! Links as JavaScript reads them.
//!
//! A table has four numbers of 32 bits for each link: its start, its end, flags, and the length of
//! its URI, if that is not the text of the link. The URIs are ASCII and come after the table, one
//! after the other. That is all that most callers need. Else the links are a JSON array, of their
//! addresses or of all that is known, which takes several times as long.

use iriscan::{Charset, Finder, Input, Kind, Match};

use crate::{json::Object, state::Searcher};

/// Bits 0 and 1 of the flags are the kind: 0 for `iri`, 1 for `bare`, 2 for `email`. This bit: `iri`
/// and `uri` are the text, and `open` is the text with the prefix of the kind.
const SAME: u32 = 4;
/// `iri` is the text, `uri` is given, and `open` is it with the prefix of the kind. Without either
/// bit the addresses are in the JSON only.
const GIVEN: u32 = 8;

/// What JSON has of a link.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Addresses,
    Details,
}

/// The form that `flags` ask for; `None` for the table.
pub(crate) fn form(flags: u32) -> Option<Form> {
    match flags & (crate::DETAILS | crate::ADDRESSES) {
        0 => None,
        crate::ADDRESSES => Some(Form::Addresses),
        _ => Some(Form::Details),
    }
}

/// What offsets count.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Units {
    Bytes,
    /// UTF-16 units of the string whose UTF-8 the bytes are.
    Utf16,
    /// The same in ASCII, where there is nothing to count.
    Ascii,
}

impl Units {
    /// What `flags` ask for.
    pub(crate) fn of(flags: u32) -> Units {
        match flags & (crate::STRING | crate::ASCII) {
            0 => Units::Bytes,
            crate::STRING => Units::Utf16,
            _ => Units::Ascii,
        }
    }
}

/// Converts offsets in bytes, given in ascending order.
struct Offsets<'b> {
    bytes: &'b [u8],
    units: Units,
    byte: usize,
    unit: usize,
}

impl<'b> Offsets<'b> {
    fn new(bytes: &'b [u8], units: Units) -> Offsets<'b> {
        Offsets { bytes, units, byte: 0, unit: 0 }
    }

    fn at(&mut self, byte: usize) -> u32 {
        if self.units != Units::Utf16 {
            return byte as u32;
        }
        let passed = &self.bytes[self.byte..byte];
        self.unit += passed.chunks(128).map(utf16_units).sum::<usize>();
        self.byte = byte;
        self.unit as u32
    }
}

/// The number of UTF-16 units in at most 128 bytes of UTF-8.
fn utf16_units(utf8: &[u8]) -> usize {
    // A sequence of four bytes is two units.
    let units = |b: u8| u8::from(b & 0xC0 != 0x80) + u8::from(b >= 0xF0);
    usize::from(utf8.iter().fold(0_u8, |sum, b| sum.wrapping_add(units(*b))))
}

/// The document in `bytes`. Those of a string need no validation, because JavaScript wrote the UTF-8.
pub(crate) fn document(bytes: &[u8], units: Units) -> Input<'_> {
    match units {
        Units::Bytes => Input::new(bytes),
        Units::Utf16 | Units::Ascii => Input::new(bytes).charset(Charset::UTF_8),
    }
}

/// Writes the table of the links. Returns how many there are.
pub(crate) fn table(searcher: &Searcher, bytes: &[u8], units: Units, out: &mut Vec<u8>) -> u32 {
    let Searcher { finder, unwraps } = searcher;
    let mut offsets = Offsets::new(bytes, units);
    let mut uris = Vec::new();
    let mut count = 0;
    for link in finder.find_iter(document(bytes, units)) {
        record(&link, *unwraps, &mut offsets, out, &mut uris);
        count += 1;
    }
    out.extend_from_slice(&uris);
    count
}

/// Writes the record of a link, and its URI if that is not its text.
fn record(
    link: &Match<'_>,
    unwraps: bool,
    offsets: &mut Offsets<'_>,
    out: &mut Vec<u8>,
    uris: &mut Vec<u8>,
) {
    let before = uris.len();
    let form = if unwraps { 0 } else { form_of(link, uris) };
    let kind = match link.kind() {
        Kind::Bare => 1,
        Kind::Email => 2,
        _ => 0,
    };
    let range = link.range();
    let len = (uris.len() - before) as u32;
    let numbers = [offsets.at(range.start), offsets.at(range.end), kind | form, len];
    out.extend_from_slice(numbers.map(u32::to_le_bytes).as_flattened());
}

/// Whether the addresses follow from the text, or from the URI, which is then added to `uris`.
fn form_of(link: &Match<'_>, uris: &mut Vec<u8>) -> u32 {
    // A link with an escape of the format, or wrapped over lines, differs from its text.
    let source = link.source();
    if link.iri().as_bytes() != source {
        return 0;
    }
    if link.is_ascii() {
        return if has_prefix(link, source) { SAME } else { 0 };
    }
    // U+FFFD is a lone surrogate in the string.
    let Ok(uri) = link.uri() else { return 0 };
    let uri = uri.as_str();
    if !uri.is_ascii() || !has_prefix(link, uri.as_bytes()) || link.iri().contains('\u{FFFD}') {
        return 0;
    }
    uris.extend_from_slice(uri.as_bytes());
    GIVEN
}

/// Whether `open` is `uri` with the prefix of the kind.
fn has_prefix(link: &Match<'_>, uri: &[u8]) -> bool {
    let is_alphanumeric = u8::is_ascii_alphanumeric;
    match link.kind() {
        Kind::Bare => true,
        // `mailto:` escapes some of the other signs.
        Kind::Email => uri.iter().all(|b| is_alphanumeric(b) || b"-._+@".contains(b)),
        // A relative reference cannot be opened.
        _ => {
            let end = uri.iter().find(|b| !is_alphanumeric(b) && !b"+-.".contains(b));
            end == Some(&b':')
        }
    }
}

/// Writes the links as a JSON array. Returns how many there are.
pub(crate) fn json(
    finder: &Finder,
    bytes: &[u8],
    units: Units,
    form: Form,
    out: &mut Vec<u8>,
) -> u32 {
    let mut offsets = Offsets::new(bytes, units);
    let links = finder.find_iter(document(bytes, units));
    array(out, links, |link, object| formed(&link, form, &mut offsets, object))
}

/// Writes a link in this form.
fn formed(link: &Match<'_>, form: Form, offsets: &mut Offsets<'_>, object: &mut Object<'_>) {
    if form == Form::Addresses {
        return addresses(link, object);
    }
    let range = link.range();
    let (start, end) = (offsets.at(range.start), offsets.at(range.end));
    object.raw("start", &start.to_string());
    object.raw("end", &end.to_string());
    detail(link, object);
}

/// Writes a JSON array of objects, one for each item. Returns how many there are.
fn array<T>(
    out: &mut Vec<u8>,
    items: impl Iterator<Item = T>,
    mut each: impl FnMut(T, &mut Object<'_>),
) -> u32 {
    let mut count = 0;
    out.push(b'[');
    for item in items {
        if count > 0 {
            out.push(b',');
        }
        let mut object = Object::new(out);
        each(item, &mut object);
        object.end();
        count += 1;
    }
    out.push(b']');
    count
}

/// Writes the link at `offset`, if there is one, as [`json`] or [`table`] do.
pub(crate) fn at(
    searcher: &Searcher,
    bytes: &[u8],
    units: Units,
    offset: usize,
    form: Option<Form>,
    out: &mut Vec<u8>,
) -> u32 {
    let Searcher { finder, unwraps } = searcher;
    let mut offsets = Offsets::new(bytes, units);
    let place = byte_of(&offsets, offset);
    let link = place.and_then(|byte| finder.find_at(document(bytes, units), byte));
    let Some(form) = form else {
        let Some(link) = link else { return 0 };
        let mut uris = Vec::new();
        record(&link, *unwraps, &mut offsets, out, &mut uris);
        out.extend_from_slice(&uris);
        return 1;
    };
    array(out, link.into_iter(), |link, object| formed(&link, form, &mut offsets, object))
}

/// The byte of the character at `offset`; `None` after the end.
fn byte_of(offsets: &Offsets<'_>, offset: usize) -> Option<usize> {
    if offsets.units != Units::Utf16 {
        return (offset < offsets.bytes.len()).then_some(offset);
    }
    let text = str::from_utf8(offsets.bytes).ok()?;
    let mut unit = 0;
    text.char_indices().find_map(|(byte, c)| {
        unit += c.len_utf16();
        (offset < unit).then_some(byte)
    })
}

/// Writes the addresses of a link.
fn addresses(link: &Match<'_>, object: &mut Object<'_>) {
    let uri = link.uri();
    object.text("iri", &link.iri());
    object.option("uri", uri.as_ref().ok().map(|uri| uri.as_str()));
    object.some("error", uri.as_ref().err().map(ToString::to_string).as_deref());
    object.option("open", link.open().ok().as_deref());
}

/// Writes what a link is, except for its place.
fn detail(link: &Match<'_>, object: &mut Object<'_>) {
    object.text("kind", link.kind().as_str());
    object.text("text", &link.text());
    addresses(link, object);
    object.option("scheme", link.scheme().as_deref());
    object.option("host", link.host().as_deref());
    object.text("display", &link.display());
    object.some("unwrapped", link.unwrapped().as_deref());
    object.some("element", link.element());
    object.some("attribute", link.attribute());
    object.some("anchor", link.anchor());
    object.text("charset", link.charset().name());
    let warnings: Vec<String> = link.warnings().iter().map(ToString::to_string).collect();
    object.list("warnings", warnings.iter().map(String::as_str));
}

/// Writes the links of a message as a JSON array, with `part`, `field` and `line`. Returns how many
/// there are.
#[cfg(feature = "all")]
pub(crate) fn mail(finder: &Finder, message: &[u8], out: &mut Vec<u8>) -> u32 {
    let number = |place: Option<u64>| place.map_or("null".into(), |place| place.to_string());
    let links = iriscan::mail::find(finder, message);
    array(out, links.into_iter(), |link, object| {
        let span = link.span();
        object.raw("start", &number(span.as_ref().map(|span| span.start)));
        object.raw("end", &number(span.as_ref().map(|span| span.end)));
        object.text("part", link.part());
        object.option("field", link.header());
        object.raw("line", &link.line().to_string());
        detail(&link.link().as_match(), object);
    })
}

/// Rewrites a message. Returns how many links are replaced.
#[cfg(feature = "all")]
pub(crate) fn rewrite_mail(
    finder: &Finder,
    message: &[u8],
    even_signed: bool,
    out: &mut Vec<u8>,
) -> u32 {
    let options = iriscan::mail::Options::new().even_signed(even_signed);
    let (bytes, done) = iriscan::mail::rewrite_each(finder, message, &options, |_| {});
    if done.changed > 0 {
        out.extend_from_slice(&bytes);
    }
    done.changed as u32
}

#[cfg(not(feature = "all"))]
pub(crate) fn mail(_: &Finder, _: &[u8], out: &mut Vec<u8>) -> u32 {
    out.extend_from_slice(format!("mail: {}", crate::ONLY_TEXT).as_bytes());
    crate::FAILED
}

#[cfg(not(feature = "all"))]
pub(crate) fn rewrite_mail(_: &Finder, _: &[u8], _: bool, out: &mut Vec<u8>) -> u32 {
    out.extend_from_slice(format!("mail: {}", crate::ONLY_TEXT).as_bytes());
    crate::FAILED
}
