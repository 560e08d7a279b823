//! The matrix of the W3C's tests of IRIs (requirements 102 to 104): checks the scanner on each
//! cell of `cells.rs`.
//!
//! Nothing of the library is asked but the scanner. Other parsers read the cells before and after
//! rewriting in `peers/src/matrix.rs`.

#[cfg(feature = "mail")]
use std::vec;
use std::{format, string::String, vec::Vec};

#[cfg(feature = "mail")]
use super::cells::{Part, SAMPLES, Tally, around_link, axes, spell, utf8};
#[cfg(feature = "mail")]
use super::samples::Escape;
use super::{
    cells::{self, Cell},
    encode::encode,
    naive, ways,
};
#[cfg(feature = "mail")]
use crate::{api::config::Config, charset::Charset};
use crate::{api::finder::Finder, charset::Shape, format::kinds::Format};

impl Cell {
    fn check(&self, finder: &Finder) -> Result<(), String> {
        let plain = [&*self.before, &self.source, &self.after].concat();
        let bytes = encode(&plain, self.charset).ok_or("the charset should hold it")?;
        let fail =
            |what: &str| format!("{} {}: {plain:?}: {what}", self.format.as_str(), self.charset);
        // The place of each character, by the twin's decoder.
        let chars = naive::decode(&bytes, self.charset);
        if chars.iter().any(|c| c.c.is_none()) || chars.len() != plain.chars().count() {
            return Err(fail("the document should decode"));
        }
        let first = self.before.chars().count();
        let last = first + self.source.chars().count() - 1;
        let span = (chars[first].start as u64, chars[last].end as u64);

        let got: Vec<_> = finder.find_iter(&bytes[..]).collect();
        let is =
            |link: &crate::links::matched::Match<'_>| (link.span().start, link.span().end) == span;
        let Some(link) = got.iter().find(|link| is(link)) else {
            let all: Vec<_> = got.iter().map(|l| (l.span(), l.iri().into_owned())).collect();
            return Err(fail(&format!("{span:?} should be found: {all:?}")));
        };
        // A triple needs two more IRIs.
        let others = if self.format == Format::Turtle { 2 } else { 0 };
        if got.len() != 1 + others {
            return Err(fail(&format!("{} links", got.len())));
        }
        if link.iri() != self.iri {
            return Err(fail(&format!("the iri is {:?}, not {:?}", link.iri(), self.iri)));
        }
        match link.uri() {
            Ok(uri) if uri.as_str() == self.uri => {}
            uri => return Err(fail(&format!("the uri is {uri:?}, not {:?}", self.uri))),
        }
        let whole = ways::slice(finder, &bytes);
        if ways::push(finder, bytes.chunks(1)) != whole {
            return Err(fail("byte by byte the result should be the same"));
        }

        let out = finder.rewrite_slice(&bytes[..]).0;
        let chars = naive::decode(&out, self.charset);
        let Some(text) = chars.iter().map(|c| c.c).collect::<Option<String>>() else {
            return Err(fail("the rewritten document should decode"));
        };
        let text = match self.format {
            Format::Ical => match unfolded(&text, self.may_get_long()) {
                Some(text) => text,
                None => return Err(fail(&format!("a line is too long: {text:?}"))),
            },
            _ => text,
        };
        if text != [&*self.before, &self.written(), &self.after].concat() {
            return Err(fail(&format!("rewriting gives {text:?}")));
        }
        Ok(())
    }

    /// Whether lines may be too long: those of the source, and what follows a link in charsets in
    /// which no fold comes after it.
    fn may_get_long(&self) -> bool {
        self.iri.is_ascii() || matches!(self.charset.shape(), Shape::Stateful | Shape::Wide { .. })
    }

    /// What rewriting puts in the place of the link.
    fn written(&self) -> String {
        match self.iri.is_ascii() {
            true => self.source.clone(),
            false if matches!(self.format, Format::Html | Format::Xml) => {
                self.uri.replace('&', "&amp;")
            }
            false => self.uri.clone(),
        }
    }
}

/// The text of a calendar without its folds; `None` if a line is longer than 75 characters, which
/// only some may be.
fn unfolded(text: &str, may_be_long: bool) -> Option<String> {
    let fits = |line: &str| line.trim_end_matches('\r').chars().count() <= 75;
    let good = may_be_long || text.split('\n').all(fits);
    good.then(|| text.replace("\r\n ", "").replace("\n ", ""))
}

#[test]
fn every_part_by_every_escape_in_every_format_and_charset() {
    cells::every_part(&Cell::check).finish(45_000);
}

#[test]
fn letters_directly_after_ascii() {
    cells::letters_after_ascii(&Cell::check).finish(10_000);
}

#[test]
fn ascii_links_in_every_format_and_charset() {
    let all = 2 * cells::SAMPLES.len() * cells::places().len();
    cells::ascii_links(&Cell::check).finish(all);
}

/// The transfer encoding of a message.
#[cfg(feature = "mail")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Transfer {
    EightBit,
    /// Quoted-printable, with soft breaks inside links.
    Quoted,
    Base64,
}

#[cfg(feature = "mail")]
impl Transfer {
    const ALL: [(Transfer, &str); 3] = [
        (Transfer::EightBit, "8bit"),
        (Transfer::Quoted, "quoted-printable"),
        (Transfer::Base64, "base64"),
    ];

    fn encode(self, bytes: &[u8]) -> Vec<u8> {
        use base64::prelude::*;

        let lines = |text: &[u8], end: &[u8]| {
            let lines: Vec<_> = text.chunks(60).collect();
            lines.join(end)
        };
        match self {
            Transfer::EightBit => bytes.to_vec(),
            Transfer::Quoted => {
                let octets: Vec<Vec<u8>> = bytes
                    .iter()
                    .map(|b| match b {
                        b'a'..=b'z' | b':' | b'/' | b'.' | b' ' => vec![*b],
                        _ => format!("={b:02X}").into_bytes(),
                    })
                    .collect();
                let lines: Vec<_> = octets.chunks(20).map(|line| line.concat()).collect();
                lines.join(&b"=\r\n"[..])
            }
            Transfer::Base64 => lines(BASE64_STANDARD.encode(bytes).as_bytes(), b"\r\n"),
        }
    }

    /// Decodes as another parser does.
    fn decode(self, bytes: &[u8]) -> Option<Vec<u8>> {
        use mail_parser::decoders::{base64::base64_decode, quoted_printable::*};

        match self {
            Transfer::EightBit => Some(bytes.to_vec()),
            Transfer::Quoted => quoted_printable_decode(bytes),
            Transfer::Base64 => base64_decode(bytes),
        }
    }
}

/// The eighth format: text parts of messages.
#[cfg(feature = "mail")]
#[test]
fn every_part_in_mail_by_every_transfer_encoding_and_charset() {
    use crate::mail;

    let mut tally = Tally::default();
    // The default for mail is UTF-8, whatever the charset of the part is.
    let config = Config::new().query(crate::reference::to_uri::QueryCharset::Document);
    let finder = config.build().expect("options should be valid");
    for sample in SAMPLES {
        let charset = Charset::for_label(sample.label).expect("a label");
        for (transfer, name) in Transfer::ALL {
            let header = format!(
                "MIME-Version: 1.0\r\nContent-Type: text/plain; charset={}\r\n\
                 Content-Transfer-Encoding: {name}\r\n\r\n",
                sample.label
            );
            for axes in axes(sample, charset) {
                let spelling = match spell(sample, charset, &cells::places()[0], axes) {
                    Err(why) => {
                        tally.skip(why);
                        continue;
                    }
                    Ok(spelling) => spelling,
                };
                let (before, after) = around_link(sample, "~ % ~\r\n");
                let text = [&*before, &spelling.source, &after].concat();
                let encoded = encode(&text, charset).expect("the charset should hold it");
                if transfer != Transfer::Base64 && encoded.contains(&0) {
                    tally.skip("only base64 holds NUL");
                    continue;
                }
                let message = [header.as_bytes(), &transfer.encode(&encoded)].concat();
                let check = || {
                    let links = mail::find(&finder, &message);
                    let [link] = &links[..] else { return Err(format!("{} links", links.len())) };
                    let (iri, uri) = (link.link().iri(), link.link().uri());
                    if iri != spelling.iri
                        || uri.as_ref().ok().map(crate::Uri::as_str) != Some(&*spelling.uri)
                    {
                        return Err(format!("found {link:?}"));
                    }
                    let link_by_default = &mail::find(&Finder::new(), &message)[0];
                    let is_query = axes.1 == Part::Query && axes.0.starts_with("http");
                    let in_utf_8 = link_by_default
                        .link()
                        .uri()
                        .is_ok_and(|uri| uri.as_str().contains(&utf8(axes.3)));
                    if is_query && axes.2 == Escape::Raw && !in_utf_8 {
                        return Err(format!(
                            "with default options the link becomes {link_by_default:?}"
                        ));
                    }
                    // Spans are of the bytes of the message if these bytes hold the text.
                    let decoded = link.span().map(|span| {
                        let source = &message[span.start as usize..span.end as usize];
                        let source = transfer.decode(source).unwrap_or_default();
                        naive::decode(&source, charset).iter().filter_map(|c| c.c).collect()
                    });
                    let source: &String = &spelling.source;
                    if decoded.as_ref().is_some_and(|decoded: &String| decoded != source)
                        || decoded.is_none() != (transfer == Transfer::Base64)
                    {
                        return Err(format!("the span {:?} holds {decoded:?}", link.span()));
                    }
                    let (out, _) = mail::rewrite(&finder, &message, &mail::Options::new());
                    let body = out.strip_prefix(header.as_bytes()).ok_or("the header changed")?;
                    if body.split(|b| *b == b'\n').any(|line| line.len() > 999) {
                        return Err("a line is too long".into());
                    }
                    let decoded = transfer.decode(body).ok_or("the output should decode")?;
                    let chars = naive::decode(&decoded, charset);
                    let is: String = chars.iter().filter_map(|c| c.c).collect();
                    let ascii = spelling.iri.is_ascii();
                    let link = if ascii { &spelling.source } else { &spelling.uri };
                    let want = [&*before, link, &after].concat();
                    (is == want).then_some(()).ok_or(format!("rewriting gives {is:?}"))
                };
                tally.take(check().map_err(|why| format!("{charset} {name}: {text:?}: {why}")));
            }
        }
    }
    tally.finish(3_000);
}
