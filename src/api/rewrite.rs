//! Writing a document with links replaced.
//!
//! Text and links come in, bytes go out. Invariants: bytes outside of a replaced link go out
//! as they came in, except escape sequences of ISO-2022-JP directly beside it. The output
//! decodes, in the same charset, to the text with the links replaced.

use alloc::{borrow::Cow, vec::Vec};

use super::{find::Input, finder::Finder};
use crate::{
    charset::{Charset, Shape, Shift},
    links::{
        matched::{Match, Rewriting},
        sink::Summary,
    },
};

/// Figures about a document that was rewritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rewritten {
    /// The document as it came in.
    pub stream: Summary,
    /// Links replaced.
    pub changed: u64,
    /// Links that stay because they have no URI form.
    pub unconvertible: u64,
    /// Identifiers of RDF that are not ASCII and stay
    /// ([`Config::identifiers`](crate::api::config::Config::identifiers)).
    pub identifiers: u64,
}

/// The part of rewriting that does not depend on a writer.
#[derive(Clone, Debug, Default)]
pub(super) struct Splice {
    pub(super) changed: u64,
    pub(super) unconvertible: u64,
    pub(super) identifiers: u64,
    /// An escape sequence at the end of the text. The next link decides whether it is
    /// written.
    pub(super) escape: Option<[u8; 3]>,
    /// The shift state of a reader of the output, and the state of the source at the same
    /// place. They differ only directly after a replaced link.
    pub(super) reader: Option<(Shift, Shift)>,
    pub(super) scratch: Vec<u8>,
}

impl Splice {
    /// Writes text. In ISO-2022-JP (`jis`) an escape sequence at its end is held back.
    pub(super) fn text<E>(
        &mut self,
        mut bytes: &[u8],
        jis: bool,
        mut write: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        if !jis {
            return write(bytes);
        }
        if let Some((reader, source)) = self.reader.take() {
            // An escape sequence at the start of the text stays, even if it changes nothing now,
            // because the bytes after it may be malformed due to it.
            if reader != source && Shift::from_escape(bytes).is_none() {
                write(source.escape())?;
            }
        }
        if let Some(escape) = self.escape.take() {
            write(&escape)?;
        }
        if let Some((text, escape)) = bytes.split_last_chunk::<3>()
            && Shift::from_escape(escape).is_some()
        {
            self.escape = Some(*escape);
            bytes = text;
        }
        if bytes.is_empty() { Ok(()) } else { write(bytes) }
    }

    /// Writes a link: its URI in the charset of the document, or its own bytes. `jis`: the
    /// text is in ISO-2022-JP, or its charset is not decided yet.
    pub(super) fn link<E>(
        &mut self,
        link: &Match<'_>,
        jis: bool,
        write: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        if link.is_ascii() {
            return self.text(link.source(), jis, write);
        }
        let uri = match link.rewriting() {
            // It is its own URI form, for example because its host is kept.
            Rewriting::Same => return self.text(link.source(), jis, write),
            Rewriting::Changed(_) if link.found().identifier => {
                self.identifiers += 1;
                return self.text(link.source(), jis, write);
            }
            Rewriting::Changed(uri) if link.can_be(&uri) => uri,
            Rewriting::Changed(_) | Rewriting::NoUri(_) => {
                self.unconvertible += 1;
                return self.text(link.source(), jis, write);
            }
        };
        self.put(&uri, link.charset(), link, write)
    }

    /// `text` in place of a link of a document in `charset`, which has all its characters.
    pub(super) fn put<E>(
        &mut self,
        text: &str,
        charset: Charset,
        link: &Match<'_>,
        mut write: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.changed += 1;
        let shape = charset.shape();
        if shape != Shape::Stateful
            && let Some(escape) = self.escape.take()
        {
            write(&escape)?;
        }
        match shape {
            Shape::Utf8 => write(text.as_bytes()),
            Shape::Single | Shape::Multi => match charset.encoding() {
                Some(encoding) => write(&encoding.encode(text).0),
                None => write(link.source()),
            },
            Shape::Wide { width, big } => {
                self.scratch.clear();
                wide(text, width, big, &mut self.scratch);
                write(&self.scratch)
            }
            Shape::Stateful => self.shifted(text, link, write),
        }
    }

    fn shifted<E>(
        &mut self,
        uri: &str,
        link: &Match<'_>,
        mut write: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let found = link.found();
        let escape = self.escape.take();
        let reader = match self.reader.take() {
            Some((reader, _)) => reader,
            None => found.shift_before,
        };
        let fits = match reader {
            Shift::Ascii => true,
            // The bytes 5C and 7E are other characters in this state.
            Shift::Roman => uri.is_ascii() && !uri.contains(['\\', '~']),
            Shift::Katakana | Shift::Kanji => false,
        };
        match (fits, escape) {
            (true, Some(escape)) => write(&escape)?,
            (true, None) => {}
            // In place of the escape sequence before the link, if there is one.
            (false, _) => write(Shift::Ascii.escape())?,
        }
        let mut after = if fits { reader } else { Shift::Ascii };
        if uri.is_ascii() {
            write(uri.as_bytes())?;
        } else {
            // The encoder starts and ends in the ASCII state. Its last escape sequence is left
            // out, because the text after the link may begin with another one.
            let encoded = encoding_rs::ISO_2022_JP.encode(uri).0;
            let open = encoded.strip_suffix(Shift::Ascii.escape()).unwrap_or(&encoded);
            write(open)?;
            let last = memchr::memrchr(0x1B, open).and_then(|at| Shift::from_escape(&open[at..]));
            after = last.unwrap_or(Shift::Ascii);
        }
        self.reader = Some((after, found.shift_after));
        Ok(())
    }

    /// Ends the document.
    pub(super) fn end<E>(
        &mut self,
        mut write: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        if let Some((reader, source)) = self.reader.take()
            && !reader.is_latin()
            && source.is_latin()
        {
            write(source.escape())?;
        }
        self.escape.take().map_or(Ok(()), |escape| write(&escape))
    }
}

/// Writes `text` in units of `width` bytes: UTF-16 or UTF-32.
fn wide(text: &str, width: usize, big: bool, out: &mut Vec<u8>) {
    let mut put = |bytes: &mut [u8]| {
        if !big {
            bytes.reverse();
        }
        out.extend_from_slice(bytes);
    };
    for c in text.chars() {
        if width == 4 {
            put(&mut u32::from(c).to_be_bytes());
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                put(&mut unit.to_be_bytes());
            }
        }
    }
}

impl Finder {
    /// `input` with each link replaced by its URI form; borrowed if nothing changes.
    ///
    /// A link of ASCII characters is never changed, and a link without a URI form stays.
    /// For a fixed charset, rewriting the output again changes nothing.
    ///
    /// ```
    /// use iriscan::Finder;
    ///
    /// let (text, done) = Finder::new().rewrite_slice("→ http://пример.рф/å, да");
    /// assert_eq!(&*text, "→ http://xn--e1afmkfd.xn--p1ai/%C3%A5, да".as_bytes());
    /// assert_eq!(done.changed, 1);
    /// ```
    pub fn rewrite_slice<'h>(&self, input: impl Into<Input<'h>>) -> (Cow<'h, [u8]>, Rewritten) {
        let input = input.into();
        let bytes = input.bytes();
        let mut links = self.find_iter(input);
        let (mut splice, mut out, mut at, mut count) = (Splice::default(), Vec::new(), 0, 0);
        let mut push = |piece: &[u8]| -> Result<(), core::convert::Infallible> {
            out.extend_from_slice(piece);
            Ok(())
        };
        for link in links.by_ref() {
            count += 1;
            if link.is_ascii() {
                continue;
            }
            let jis = link.charset().shape() == Shape::Stateful;
            let text = &bytes[at..link.range().start];
            let Ok(()) = if text.is_empty() { Ok(()) } else { splice.text(text, jis, &mut push) };
            let Ok(()) = splice.link(&link, jis, &mut push);
            at = link.range().end;
        }
        let (charset, basis) = links.charset();
        let jis = charset.shape() == Shape::Stateful;
        if splice.changed > 0 {
            let text = &bytes[at..];
            let Ok(()) = if text.is_empty() { Ok(()) } else { splice.text(text, jis, &mut push) };
            let Ok(()) = splice.end(&mut push);
        }
        let overlong = links.overlong();
        let stream = Summary { bytes: bytes.len() as u64, links: count, overlong, charset, basis };
        let Splice { changed, unconvertible, identifiers, .. } = splice;
        let done = Rewritten { stream, changed, unconvertible, identifiers };
        (if done.changed > 0 { Cow::Owned(out) } else { Cow::Borrowed(bytes) }, done)
    }
}
