//! One text of an archive or a container.

use std::{
    fmt,
    io::{self, Read},
    path::PathBuf,
};

use iriscan::{Finder, Format};

/// A text in an archive or a container. Reading it never fails: an error ends it, and
/// [`Texts::next`](crate::Texts::next) gives a note about that.
pub struct Text<'t> {
    /// Where it is.
    pub place: Place,
    /// Its format, by its media type or its name.
    pub format: Format,
    /// How the format is known, in words.
    pub why: &'static str,
    /// Reads it: the finder that the texts were opened with, in this format, with the charset that a
    /// server declared and the base that the text came from.
    pub finder: Finder,
    pub(super) bytes: Box<dyn Read + Send + 't>,
}

/// Where a text is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a record of a web archive.
    Record(RecordPlace),
    /// The member of a container with this path: the path of the container, `!`, and the name of the
    /// member. Nothing opens a file by it.
    Member(PathBuf),
}

/// The place of a text in a web archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordPlace {
    /// The address that the text came from.
    pub target: String,
    /// The byte that its record starts at.
    pub offset: u64,
    /// The byte that the text starts at; `None` if the text was decoded.
    pub start: Option<u64>,
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Text { place, format, .. } = self;
        f.debug_struct("Text").field("place", place).field("format", format).finish_non_exhaustive()
    }
}

impl Read for Text<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.bytes.read(buffer)
    }
}
