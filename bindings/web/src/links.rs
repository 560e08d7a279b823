//! Links as JavaScript reads them.
//!
//! A table has four numbers of 32 bits for each link: its start, its end, flags, and a length. After the
//! table come texts, one after the other. The text of a link has that length, in UTF-16 units. It is the
//! URI of the link, or JSON where that is not enough.

use std::borrow::Cow;

use iriscan::{Charset, Finder, Input, Kind, Match, Viewer};

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
pub(crate) struct Offsets<'b> {
    bytes: &'b [u8],
    units: Units,
    byte: usize,
    unit: usize,
    /// The first byte from `byte` on that is not ASCII.
    wide: usize,
}

impl<'b> Offsets<'b> {
    pub(crate) fn new(bytes: &'b [u8], units: Units) -> Offsets<'b> {
        let wide = if units == Units::Utf16 { 0 } else { bytes.len() };
        Offsets { bytes, units, byte: 0, unit: 0, wide }
    }

    /// The offset that the byte has.
    pub(crate) fn at(&mut self, byte: usize) -> u32 {
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

/// Writes the link at `offset`, if there is one, as [`table`] does.
pub(crate) fn at(
    searcher: &mut Searcher,
    bytes: &[u8],
    units: Units,
    offset: usize,
    out: &mut Vec<u8>,
) -> u32 {
    let Searcher { finder, unwraps, viewer } = searcher;
    let Some(link) = link_at(finder, bytes, units, offset) else { return 0 };
    let mut table = Table { unwraps: *unwraps, viewer, out, texts: Vec::new() };
    table.push(&link, &mut Offsets::new(bytes, units));
    table.end();
    1
}

/// The link at `offset`.
pub(crate) fn link_at<'b>(
    finder: &Finder,
    bytes: &'b [u8],
    units: Units,
    offset: usize,
) -> Option<Match<'b>> {
    let byte = byte_of(bytes, units, offset)?;
    finder.find_at(document(bytes, units), byte)
}

/// The byte of the character at `offset`; `None` after the end.
fn byte_of(bytes: &[u8], units: Units, offset: usize) -> Option<usize> {
    if units != Units::Utf16 {
        return (offset < bytes.len()).then_some(offset);
    }
    let text = str::from_utf8(bytes).ok()?;
    let mut unit = 0;
    text.char_indices().find_map(|(byte, c)| {
        unit += c.len_utf16();
        (offset < unit).then_some(byte)
    })
}

/// Writes the addresses of a link, and the parts of them that everyone asks for.
pub(crate) fn addresses(link: &Match<'_>, object: &mut Object<'_>) {
    let uri = link.uri();
    object.text("iri", &link.iri());
    object.option("uri", uri.as_ref().ok().map(|uri| uri.as_str()));
    object.some("error", uri.as_ref().err().map(ToString::to_string).as_deref());
    object.option("open", link.open().ok().as_deref());
    object.option("scheme", link.scheme().as_deref());
    object.option("host", link.host().as_deref());
}
