//! All that is known of links, as JSON: it takes several times as long as the table of `links.rs`.

use std::ops::{ControlFlow, Range};

use iriscan::{Charset, Field, Finder, Match, Rewriter, Sink};

use crate::{
    json::Object,
    links::{Offsets, Units, addresses, document, link_at},
};

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

/// Writes the link at `offset`, if there is one, as [`json`] does.
pub(crate) fn at(
    finder: &Finder,
    bytes: &[u8],
    units: Units,
    offset: usize,
    out: &mut Vec<u8>,
) -> u32 {
    let mut offsets = Offsets::new(bytes, units);
    let link = link_at(finder, bytes, units, offset);
    array(out, link.into_iter(), |link, object| placed(&link, &mut offsets, object))
}

/// Writes what a link is, except for its place.
fn detail(link: &Match<'_>, object: &mut Object<'_>) {
    object.text("kind", link.kind().as_str());
    object.text("text", &link.text());
    addresses(link, object);
    let (open, absolute) = (link.open().ok(), link.absolute().ok());
    // Without a base it hardly ever differs.
    if link.base().is_some() || absolute != open {
        object.option("absolute", absolute.as_deref());
    }
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

/// What a module without mail says of it.
#[cfg(not(feature = "all"))]
fn lacks(what: &str, out: &mut Vec<u8>) -> u32 {
    out.extend_from_slice(format!("{what}: this build is for text; import \"iriscan\"").as_bytes());
    crate::FAILED
}

#[cfg(not(feature = "all"))]
pub(crate) fn explain(_: &Finder, _: &[u8], _: Units, out: &mut Vec<u8>) -> u32 {
    lacks("explain", out)
}

#[cfg(not(feature = "all"))]
pub(crate) fn mail(_: &Finder, _: &[u8], out: &mut Vec<u8>) -> u32 {
    lacks("mail", out)
}

#[cfg(not(feature = "all"))]
pub(crate) fn rewrite_mail(_: &Finder, _: &[u8], _: bool, out: &mut Vec<u8>) -> u32 {
    lacks("mail", out)
}
