//! What a link says, where that is not what its bytes say; and how to write its URI
//! in their place.

use alloc::{
    borrow::Cow,
    string::{String, ToString},
    vec::Vec,
};

use super::Format;
use crate::charset::{Charset, Shift};

/// A link that is written with escapes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Logical {
    /// What it says.
    pub(crate) iri: String,
    /// ASCII punctuation that is escaped in it: which character, the how many-eth of
    /// its kind, and the escape.
    spellings: Vec<(u8, usize, String)>,
    /// How many of each there are.
    counts: [usize; 128],
    format: Format,
}

impl Logical {
    /// `text`: the characters that it is made of; `escapes`: which of them are written
    /// in another way, and how, in order.
    pub(crate) fn new<'s>(
        iri: String,
        text: &[u8],
        escapes: impl Iterator<Item = (u64, &'s [u8])>,
        charset: Charset,
        format: Format,
    ) -> Logical {
        let (mut counts, mut spellings) = ([0; 128], Vec::new());
        let mut counted = 0;
        let mut count_to = |to: usize, counts: &mut [usize; 128]| {
            let ascii = text[counted..to].iter().filter(|b| b.is_ascii());
            ascii.for_each(|b| counts[usize::from(*b)] += 1);
            counted = to;
        };
        for (at, written) in escapes {
            let at = at as usize;
            if let Some(&b) = text.get(at).filter(|b| b.is_ascii_punctuation()) {
                count_to(at, &mut counts);
                let written = charset.decode_shifted(written, Shift::Ascii).into_owned();
                spellings.push((b, counts[usize::from(b)], written));
            }
        }
        count_to(text.len(), &mut counts);
        Logical { iri, spellings, counts, format }
    }

    /// `uri`, the URI of the link, as it has to be written in its place: what was
    /// escaped stays so.
    pub(crate) fn written<'u>(&self, uri: &'u str) -> Cow<'u, str> {
        if self.spellings.is_empty() {
            return Cow::Borrowed(uri);
        }
        let mut counts = [0; 128];
        uri.bytes().filter(u8::is_ascii).for_each(|b| counts[usize::from(b)] += 1);
        let (mut out, mut seen) = (String::with_capacity(uri.len() * 2), [0; 128]);
        let mut spellings = self.spellings.iter().peekable();
        let mut by_kind: [Vec<(usize, &str)>; 128] = [const { Vec::new() }; 128];
        for (b, nth, written) in spellings.by_ref() {
            by_kind[usize::from(*b)].push((*nth, written));
        }
        let mut next = [0; 128];
        for c in uri.chars() {
            let Some(i) = c.is_ascii().then_some(c as usize) else {
                out.push(c);
                continue;
            };
            let spelled = by_kind[i].get(next[i]).filter(|(nth, _)| *nth == seen[i]);
            match spelled {
                // One was mapped to another: which is which cannot be told.
                _ if counts[i] != self.counts[i] && !by_kind[i].is_empty() => {
                    out.push_str(&self.format.escape(c));
                }
                Some((_, written)) => {
                    out.push_str(written);
                    next[i] += 1;
                }
                None => out.push(c),
            }
            seen[i] += 1;
        }
        Cow::Owned(out)
    }
}

impl Format {
    /// `c` as it can stand in any text of the format.
    fn escape(self, c: char) -> String {
        match (self, c) {
            (Format::Html | Format::Xml, '&') => "&amp;".to_string(),
            (Format::Html | Format::Xml, '\'') => "&#39;".to_string(),
            _ => c.to_string(),
        }
    }
}
