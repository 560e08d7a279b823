//! Links as JavaScript reads them.
//!
//! A table has four numbers of 32 bits for each link: its start, its end, flags, and a length. After the
//! table come texts, one after the other. The text of a link has that length, in UTF-16 units. It is the
//! URI of the link, or JSON where that is not enough. That is all that most callers need. Else the links
//! are a JSON array of all that is known, which takes several times as long.

use std::{
    borrow::Cow,
    ops::{ControlFlow, Range},
};

use iriscan::{Charset, Field, Finder, Input, Kind, Match, Rewriter, Sink, Viewer};

use crate::{json::Object, state::Searcher};

/// Bits 0 and 1 of the flags are the kind: 0 for `iri`, 1 for `bare`, 2 for `email`, 3 for `ip`. This
/// bit: `iri` and `uri` are the text, and `open` is the text with the prefix of the kind.
const SAME: u32 = 4;
/// `iri` is the text, `uri` is given, and `open` is it with the prefix of the kind. Without either
/// bit a JSON object is given that has the addresses.
const GIVEN: u32 = 8;

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

/// Converts offsets in bytes, given in ascending order but for links in the query of another.
struct Offsets<'b> {
    bytes: &'b [u8],
    units: Units,
    byte: usize,
    unit: usize,
    /// The first byte from `byte` on that is not ASCII.
    wide: usize,
}

impl<'b> Offsets<'b> {
    fn new(bytes: &'b [u8], units: Units) -> Offsets<'b> {
        let wide = if units == Units::Utf16 { 0 } else { bytes.len() };
        Offsets { bytes, units, byte: 0, unit: 0, wide }
    }

    fn at(&mut self, byte: usize) -> u32 {
        if byte < self.byte {
            let back = match self.units {
                Units::Utf16 => units_of(&self.bytes[byte..self.byte]),
                _ => self.byte - byte,
            };
            return (self.unit - back) as u32;
        }
        if byte <= self.wide {
            self.unit += byte - self.byte;
        } else {
            self.unit += units_of(&self.bytes[self.byte..byte]);
            self.wide = byte + ascii_len(&self.bytes[byte..]);
        }
        self.byte = byte;
        self.unit as u32
    }
}

/// The number of bytes before the first one that is not ASCII.
fn ascii_len(bytes: &[u8]) -> usize {
    let blocks = bytes.chunks(64).take_while(|block| block.iter().fold(0, |all, b| all | b) < 0x80);
    let len = bytes.len().min(64 * blocks.count());
    len + bytes[len..].iter().take_while(|b| b.is_ascii()).count()
}

/// The number of UTF-16 units in UTF-8.
fn units_of(utf8: &[u8]) -> usize {
    utf8.chunks(128).map(utf16_units).sum()
}

/// The same for at most 128 bytes.
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
pub(crate) fn table(searcher: &mut Searcher, bytes: &[u8], units: Units, out: &mut Vec<u8>) -> u32 {
    let Searcher { finder, unwraps, viewer } = searcher;
    let mut table = Table { unwraps: *unwraps, viewer, out, texts: Vec::new() };
    let mut offsets = Offsets::new(bytes, units);
    let mut count = 0;
    for link in finder.find_iter(document(bytes, units)) {
        table.push(&link, &mut offsets);
        count += 1;
    }
    table.end();
    count
}

struct Table<'t> {
    /// `open` may be the link in a wrapper.
    unwraps: bool,
    viewer: &'t mut Viewer,
    out: &'t mut Vec<u8>,
    texts: Vec<u8>,
}

impl Table<'_> {
    fn push(&mut self, link: &Match<'_>, offsets: &mut Offsets<'_>) {
        let before = self.texts.len();
        let form = if self.unwraps { 0 } else { self.form(link) };
        if form == 0 {
            let mut object = Object::new(&mut self.texts);
            addresses(link, &mut object);
            object.end();
        }
        let kind = match link.kind() {
            Kind::Bare => 1,
            Kind::Email => 2,
            Kind::Ip => 3,
            _ => 0,
        };
        let range = link.range();
        let len = units_of(&self.texts[before..]) as u32;
        let numbers = [offsets.at(range.start), offsets.at(range.end), kind | form, len];
        self.out.extend_from_slice(numbers.map(u32::to_le_bytes).as_flattened());
    }

    /// Whether the addresses follow from the text, or from the URI, which is then added to `texts`.
    fn form(&mut self, link: &Match<'_>) -> u32 {
        // A link with an escape of the format, or wrapped over lines, differs from its text.
        let source = link.source();
        let Cow::Borrowed(iri) = link.iri() else { return 0 };
        // Nor is the host of a mailto: where hosts are.
        if iri.len() != source.len()
            || iri.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("mailto:"))
        {
            return 0;
        }
        // U+FFFD is a lone surrogate in the string.
        let Ok(uri) = self.viewer.uri(link) else { return 0 };
        let uri = uri.as_str();
        if uri.as_bytes() == source {
            return if has_prefix(link, source) { SAME } else { 0 };
        }
        if !uri.is_ascii() || !has_prefix(link, uri.as_bytes()) || iri.contains('\u{FFFD}') {
            return 0;
        }
        self.texts.extend_from_slice(uri.as_bytes());
        GIVEN
    }

    fn end(self) {
        self.out.extend_from_slice(&self.texts);
    }
}

/// Class: may be in a scheme.
const SCHEME: u8 = 1;
/// Class: is not escaped in the local part of a `mailto:`.
const MAILTO: u8 = 2;

const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut b = 0;
    while b < 128 {
        classes[b] = match b as u8 {
            b'+' | b'-' | b'.' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => SCHEME | MAILTO,
            b'_' => MAILTO,
            _ => 0,
        };
        b += 1;
    }
    classes
};

/// Whether `open` is `uri` with the prefix of the kind.
fn has_prefix(link: &Match<'_>, uri: &[u8]) -> bool {
    let is = |b: u8, class: u8| CLASSES[usize::from(b)] & class != 0;
    match link.kind() {
        Kind::Bare => true,
        // Nothing opens it.
        Kind::Ip => false,
        Kind::Email => uri.iter().find(|b| !is(**b, MAILTO)) == Some(&b'@'),
        // A relative reference cannot be opened.
        _ => uri.iter().find(|b| !is(**b, SCHEME)) == Some(&b':'),
    }
}

/// Writes the links as a JSON array. Returns how many there are.
pub(crate) fn json(finder: &Finder, bytes: &[u8], units: Units, out: &mut Vec<u8>) -> u32 {
    let mut offsets = Offsets::new(bytes, units);
    let links = finder.find_iter(document(bytes, units));
    array(out, links, |link, object| placed(&link, &mut offsets, object))
}

/// Writes all that is known of a link.
fn placed(link: &Match<'_>, offsets: &mut Offsets<'_>, object: &mut Object<'_>) {
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
    searcher: &mut Searcher,
    bytes: &[u8],
    units: Units,
    offset: usize,
    details: bool,
    out: &mut Vec<u8>,
) -> u32 {
    let Searcher { finder, unwraps, viewer } = searcher;
    let mut offsets = Offsets::new(bytes, units);
    let place = byte_of(&offsets, offset);
    let link = place.and_then(|byte| finder.find_at(document(bytes, units), byte));
    if !details {
        let Some(link) = link else { return 0 };
        let mut table = Table { unwraps: *unwraps, viewer, out, texts: Vec::new() };
        table.push(&link, &mut offsets);
        table.end();
        return 1;
    }
    array(out, link.into_iter(), |link, object| placed(&link, &mut offsets, object))
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

/// Writes the addresses of a link, and the parts of them that everyone asks for.
fn addresses(link: &Match<'_>, object: &mut Object<'_>) {
    let uri = link.uri();
    object.text("iri", &link.iri());
    object.option("uri", uri.as_ref().ok().map(|uri| uri.as_str()));
    object.some("error", uri.as_ref().err().map(ToString::to_string).as_deref());
    let (open, absolute) = (link.open().ok(), link.absolute().ok());
    object.option("open", open.as_deref());
    // Without a base it hardly ever differs.
    if link.base().is_some() || absolute != open {
        object.option("absolute", absolute.as_deref());
    }
    object.option("scheme", link.scheme().as_deref());
    object.option("host", link.host().as_deref());
}

/// Writes what a link is, except for its place.
fn detail(link: &Match<'_>, object: &mut Object<'_>) {
    object.text("kind", link.kind().as_str());
    object.text("text", &link.text());
    addresses(link, object);
    object.text("display", &link.display());
    object.option("hostKey", link.host_key().as_deref());
    object.some("unwrapped", link.unwrapped().as_deref());
    // generated: fields
    object.some("element", link.get(Field::Element).as_deref());
    object.some("attribute", link.get(Field::Attribute).as_deref());
    object.some("anchor", link.get(Field::Anchor).as_deref());
    // end of fields
    object.text("charset", link.charset().name());
    let warnings: Vec<String> = link.warnings().iter().map(ToString::to_string).collect();
    object.list("warnings", warnings.iter().map(String::as_str));
}

/// A rewriter that keeps what it writes in the place of each link: the range of the link, and the
/// range of the output.
struct Pieces {
    rewriter: Rewriter<Vec<u8>>,
    made: Vec<(Range<usize>, Range<usize>)>,
}

impl Sink for Pieces {
    type Error = std::io::Error;

    fn charset(&mut self, charset: Charset, basis: iriscan::Basis) -> std::io::Result<()> {
        self.rewriter.charset(charset, basis)
    }

    fn text(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.rewriter.text(bytes)
    }

    fn matched(&mut self, link: &Match<'_>) -> std::io::Result<ControlFlow<()>> {
        let (changed, at) = (self.rewriter.changed(), self.rewriter.get_ref().len());
        let flow = self.rewriter.matched(link)?;
        if self.rewriter.changed() > changed {
            self.made.push((link.range(), at..self.rewriter.get_ref().len()));
        }
        Ok(flow)
    }

    fn finish(&mut self, summary: &iriscan::Summary) -> std::io::Result<()> {
        self.rewriter.finish(summary)
    }
}

/// Writes what comes in the place of each link of a string that is replaced, as a JSON array.
/// Returns how many there are.
pub(crate) fn replaced(finder: &Finder, bytes: &[u8], units: Units, out: &mut Vec<u8>) -> u32 {
    let finder = finder.clone().charset(Charset::UTF_8);
    let mut pieces = Pieces { rewriter: Rewriter::new(Vec::new(), &finder), made: Vec::new() };
    let mut scanner = finder.scanner();
    // Writing to a vector cannot fail.
    let _ = scanner.push(bytes, &mut pieces).and_then(|()| scanner.finish(&mut pieces));
    let mut offsets = Offsets::new(bytes, units);
    let written = pieces.rewriter.get_ref();
    array(out, pieces.made.into_iter(), |(link, text), object| {
        object.raw("start", &offsets.at(link.start).to_string());
        object.raw("end", &offsets.at(link.end).to_string());
        object.text("text", &String::from_utf8_lossy(&written[text]));
    })
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

/// Writes the explanations of a document as a JSON array. Returns how many there are.
#[cfg(feature = "all")]
pub(crate) fn explain(finder: &Finder, bytes: &[u8], units: Units, out: &mut Vec<u8>) -> u32 {
    let all = finder.explain(document(bytes, units));
    let json = all
        .iter()
        .map(|it| it.to_json_with(|byte| Offsets::new(bytes, units).at(byte as usize).into()));
    let json: Vec<String> = json.collect();
    out.extend_from_slice(format!("[{}]", json.join(",")).as_bytes());
    all.len() as u32
}

#[cfg(not(feature = "all"))]
pub(crate) fn explain(_: &Finder, _: &[u8], _: Units, out: &mut Vec<u8>) -> u32 {
    out.extend_from_slice(format!("explain: {}", crate::ONLY_TEXT).as_bytes());
    crate::FAILED
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
