//! The escape sequences of ISO-2022-JP around links that are replaced.
//!
//! Text and links of a document go in, with the escape sequences that a reader of the output needs between them.
//! Sequences of the document stay, but for those directly beside a replaced link.

use crate::{
    charset::{Charset, Shift},
    links::matched::Match,
};

/// The shift states of a document and of its output.
#[derive(Clone, Debug, Default)]
pub(super) struct Shifts {
    /// An escape sequence at the end of the text. The next link decides whether it is
    /// written.
    pub(super) escape: Option<[u8; 3]>,
    /// The shift state of a reader of the output, and the state of the source at the same
    /// place. They differ only directly after a replaced link.
    reader: Option<(Shift, Shift)>,
}

impl Shifts {
    /// Writes what comes before a text. Returns the text without an escape sequence at its end, which is held
    /// back.
    pub(super) fn text<'t, E>(
        &mut self,
        bytes: &'t [u8],
        mut write: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<&'t [u8], E> {
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
        match bytes.split_last_chunk::<3>() {
            Some((text, escape)) if Shift::from_escape(escape).is_some() => {
                self.escape = Some(*escape);
                Ok(text)
            }
            _ => Ok(bytes),
        }
    }

    /// Writes `uri` in the place of a link.
    pub(super) fn link<E>(
        &mut self,
        uri: &str,
        charset: Charset,
        link: &Match<'_>,
        mut write: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let found = link.found();
        let escape = self.escape.take();
        let reader = match self.reader.take() {
            Some((reader, _)) => reader,
            None => found.shifts().0,
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
        if let Some(encoding) = charset.encoding().filter(|_| !uri.is_ascii()) {
            // The encoder starts and ends in the ASCII state. Its last escape sequence is left
            // out, because the text after the link may begin with another one.
            let encoded = encoding.encode(uri).0;
            let open = encoded.strip_suffix(Shift::Ascii.escape()).unwrap_or(&encoded);
            write(open)?;
            let last = memchr::memrchr(0x1B, open).and_then(|at| Shift::from_escape(&open[at..]));
            after = last.unwrap_or(Shift::Ascii);
        } else {
            write(uri.as_bytes())?;
        }
        self.reader = Some((after, found.shifts().1));
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
