//! Links as JavaScript reads them.
//!
//! In short each link is three numbers of 32 bits: its start, its end, and flags. That is all that
//! most callers need, and JSON takes ten times as long. Else the links are a JSON array, of their
//! addresses or of all that is known.

use iriscan::{Finder, Input, Kind, Match};

use crate::json::Object;

/// Bits 0 and 1 of the flags are the kind: 0 for `iri`, 1 for `bare`, 2 for `email`. This bit: `iri`,
/// `uri` and `open` are the text.
const SAME: u32 = 4;

/// What JSON has of a link.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Addresses,
    Details,
}

/// The form that `flags` ask for; `None` for numbers.
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
    Utf16,
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
        // Most text is ASCII, where there is nothing to count.
        let units = if bytes.is_ascii() { Units::Bytes } else { units };
        Offsets { bytes, units, byte: 0, unit: 0 }
    }

    fn at(&mut self, byte: usize) -> u32 {
        if self.units == Units::Bytes {
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

/// The document in `bytes`, which are UTF-8 if it is a string.
pub(crate) fn document(bytes: &[u8], is_string: bool) -> Input<'_> {
    match str::from_utf8(bytes) {
        Ok(text) if is_string => Input::from(text),
        _ => Input::from(bytes),
    }
}

/// Writes the links as numbers. Returns how many there are.
pub(crate) fn numbers(finder: &Finder, bytes: &[u8], units: Units, out: &mut Vec<u8>) -> u32 {
    let mut offsets = Offsets::new(bytes, units);
    let mut count = 0;
    for link in finder.find_iter(document(bytes, units == Units::Utf16)) {
        number(&link, &mut offsets, out);
        count += 1;
    }
    count
}

fn number(link: &Match<'_>, offsets: &mut Offsets<'_>, out: &mut Vec<u8>) {
    let range = link.range();
    let numbers = [offsets.at(range.start), offsets.at(range.end), flags(link)];
    out.extend_from_slice(numbers.map(u32::to_le_bytes).as_flattened());
}

fn flags(link: &Match<'_>) -> u32 {
    let kind = match link.kind() {
        Kind::Bare => 1,
        Kind::Email => 2,
        _ => 0,
    };
    // A link without a scheme, with an escape of the format, or wrapped over lines differs.
    let same = kind == 0
        && link.is_ascii()
        && link.open().is_ok_and(|open| open.as_bytes() == link.source())
        && link.iri().as_bytes() == link.source()
        && link.scheme().is_some()
        && link.uri().is_ok_and(|uri| uri.is_unchanged());
    kind | if same { SAME } else { 0 }
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
    let links = finder.find_iter(document(bytes, units == Units::Utf16));
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

/// Writes the link at `offset`, if there is one, as [`json`] or [`numbers`] do.
pub(crate) fn at(
    finder: &Finder,
    bytes: &[u8],
    units: Units,
    offset: usize,
    form: Option<Form>,
    out: &mut Vec<u8>,
) -> u32 {
    let mut offsets = Offsets::new(bytes, units);
    let place = byte_of(&offsets, offset);
    let link = place.and_then(|byte| finder.find_at(document(bytes, units == Units::Utf16), byte));
    let Some(form) = form else {
        let Some(link) = link else { return 0 };
        number(&link, &mut offsets, out);
        return 1;
    };
    array(out, link.into_iter(), |link, object| formed(&link, form, &mut offsets, object))
}

/// The byte of the character at `offset`; `None` after the end.
fn byte_of(offsets: &Offsets<'_>, offset: usize) -> Option<usize> {
    if offsets.units == Units::Bytes {
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
