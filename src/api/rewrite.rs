//! Writing the stream back, each link replaced by its URI form.
//!
//! Knows bytes on the way out and the ISO-2022-JP state they leave a reader in;
//! finds nothing. Invariants: bytes outside a replaced link go out as they came
//! in, but for escape sequences directly beside it; what is written decodes, in
//! the same charset, to the text with the link replaced.

use alloc::{borrow::Cow, vec::Vec};

use super::{find::Input, finder::Finder};
use crate::{
    charset::{Shape, Shift},
    links::{matched::Match, sink::Summary},
    reference::to_uri::UriError,
};

/// What a rewriting did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rewritten {
    /// The stream as it came in.
    pub stream: Summary,
    /// Links replaced.
    pub changed: u64,
    /// Links that have no URI form, and stay.
    pub unconvertible: u64,
    /// Identifiers of RDF that are not ASCII, and stay
    /// ([`Config::identifiers`](crate::api::config::Config::identifiers)).
    pub identifiers: u64,
}

/// Bytes in, bytes out: the part of rewriting that knows no writer.
#[derive(Clone, Debug, Default)]
pub(super) struct Splice {
    pub(super) changed: u64,
    pub(super) unconvertible: u64,
    pub(super) identifiers: u64,
    /// An escape sequence at the end of the text, whose need the next link
    /// decides.
    pub(super) escape: Option<[u8; 3]>,
    /// What a reader of the output is in, and what the source assumes there;
    /// they differ only directly behind a replaced link.
    pub(super) reader: Option<(Shift, Shift)>,
    pub(super) scratch: Vec<u8>,
}

impl Splice {
    /// Text, in the pieces to write. Only in a stateful charset (`jis`) may the
    /// first and the last escape sequence matter.
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
            // An escape that follows stays, even where it changes nothing now:
            // what stands behind it may be malformed because of it.
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

    /// A link: its URI in the charset of the document, or its own bytes. `jis`: text is
    /// in ISO-2022-JP, or may turn out to be.
    pub(super) fn link<E>(
        &mut self,
        link: &Match<'_>,
        jis: bool,
        mut write: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let shape = link.charset().shape();
        if link.is_ascii() {
            return self.text(link.source(), jis, write);
        }
        let writable = |uri: &Cow<'_, str>| {
            let encoding = link.charset().encoding().filter(|_| !uri.is_ascii());
            // A broken character before the link would swallow its new first byte
            // (the law of rewriting met it).
            let swallows = shape == Shape::Multi && link.is_malformed_adjacent();
            let first = uri.bytes().next();
            // A `<` before the link would make a tag of it.
            let tag =
                link.found().after_less_than && first.is_some_and(|b| b.is_ascii_alphabetic());
            // A kept host that does not come back from its charset.
            encoding.is_none_or(|e| e.output_encoding() != e || !e.encode(uri).2)
                && !(swallows && first != link.source().first().copied())
                && !tag
        };
        let uri = match link.rewritten() {
            // It is its own URI form, such as one whose host is kept.
            Ok(None) => return self.text(link.source(), jis, write),
            Ok(Some(_)) if link.found().identifier => {
                self.identifiers += 1;
                return self.text(link.source(), jis, write);
            }
            Ok(Some(uri)) if writable(&uri) => uri,
            Ok(Some(_)) | Err(_) => {
                self.unconvertible += 1;
                return self.text(link.source(), jis, write);
            }
        };
        self.changed += 1;
        if shape != Shape::Stateful
            && let Some(escape) = self.escape.take()
        {
            write(&escape)?;
        }
        let uri = &*uri;
        match shape {
            Shape::Utf8 => write(uri.as_bytes()),
            Shape::Single | Shape::Multi => {
                // Only a host that is kept is not ASCII.
                let (bytes, ..) = match link.charset().encoding() {
                    Some(encoding) => encoding.encode(uri),
                    None => return write(link.source()),
                };
                write(&bytes)
            }
            Shape::Wide { width, big } => {
                self.scratch.clear();
                wide(uri, width, big, &mut self.scratch);
                write(&self.scratch)
            }
            Shape::Stateful => self.shifted(uri, link, write),
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
            // 5C and 7E are other characters there.
            Shift::Roman => uri.is_ascii() && !uri.contains(['\\', '~']),
            Shift::Katakana | Shift::Kanji => false,
        };
        match (fits, escape) {
            (true, Some(escape)) => write(&escape)?,
            (true, None) => {}
            // In place of the escape that stood there, or of none.
            (false, _) => write(Shift::Ascii.escape())?,
        }
        let mut behind = if fits { reader } else { Shift::Ascii };
        if uri.is_ascii() {
            write(uri.as_bytes())?;
        } else {
            // A kept host. The encoder starts and ends in the ASCII state; its
            // last escape waits, because another may follow.
            let encoded = encoding_rs::ISO_2022_JP.encode(uri).0;
            let open = encoded.strip_suffix(Shift::Ascii.escape()).unwrap_or(&encoded);
            write(open)?;
            let last = memchr::memrchr(0x1B, open).and_then(|at| Shift::from_escape(&open[at..]));
            behind = last.unwrap_or(Shift::Ascii);
        }
        self.reader = Some((behind, found.shift_after));
        Ok(())
    }

    /// The end of the stream.
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

/// `text` in units of `width` bytes.
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
    /// `input` with each link replaced by its URI form; borrowed if nothing
    /// changes.
    ///
    /// A link whose every character is ASCII is never changed, one without a
    /// URI form stays. Idempotent for a fixed charset.
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

impl Match<'_> {
    /// Why rewriting leaves this link as it is, though it is not ASCII.
    #[must_use]
    #[inline]
    pub fn unconvertible(&self) -> Option<UriError> {
        if self.is_ascii() || self.surely_converts() { None } else { self.uri().err() }
    }
}
