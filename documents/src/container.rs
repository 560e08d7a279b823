//! Zip containers, such as office documents and electronic books: their members that hold text.
//!
//! In goes a file; out comes one member after the other, inflated. What must hold: only the
//! directory is held in memory; a container inflates to a bounded number of bytes, whatever its
//! fields say; the name of a member is shown and never opened.

use std::{
    ffi::OsString,
    io::{self, BufReader, Read},
    path::{Path, PathBuf},
};

use iriscan::{Finder, Format};
use zip::{CompressionMethod, ZipArchive, read::ZipFile, result::ZipError};

use crate::{
    compressed,
    content::{Content, is_binary},
    random::Random,
};

/// How many bytes a container may inflate to: so many, and [`RATIO_MAX`] for each byte of the
/// file. Members of office documents inflate to 5 to 100 times their length. A hostile container
/// can have members that share their bytes, and inflate to millions of times.
const INFLATED_MIN: u64 = 64 << 20;
const RATIO_MAX: u64 = 256;

pub(crate) type Reader = BufReader<Box<dyn Random>>;

/// A container whose directory was read.
pub(crate) struct Container {
    archive: ZipArchive<Reader>,
    /// The member that comes next.
    next: usize,
    inflating: Inflating,
}

/// What is known of inflating the members.
#[derive(Default)]
pub(crate) struct Inflating {
    /// How many bytes may still be inflated.
    room: u64,
    /// How many were inflated.
    pub(crate) bytes: u64,
    /// The error that ended the last member.
    pub(crate) trouble: Option<io::Error>,
    /// The container would inflate to more than it may.
    pub(crate) full: bool,
}

/// How many bytes of a member show whether it is text.
const PEEK: u64 = 8192;

/// A member that may hold text.
pub(crate) struct Entry {
    index: usize,
    name: Vec<u8>,
    pub(crate) format: Format,
    /// How its format is known.
    pub(crate) basis: &'static str,
    /// Why it cannot be read.
    pub(crate) closed: Option<&'static str>,
}

impl Container {
    /// Reads the directory of the container in `file`, of `len` bytes.
    pub(crate) fn open(file: Box<dyn Random>, len: u64) -> io::Result<Container> {
        Container::of(BufReader::new(file), len)
    }

    /// The same, of a file that was read before.
    pub(crate) fn of(reader: Reader, len: u64) -> io::Result<Container> {
        let archive = ZipArchive::new(reader).map_err(damaged)?;
        let room = INFLATED_MIN.saturating_add(len.saturating_mul(RATIO_MAX));
        let inflating = Inflating { room, ..Inflating::default() };
        Ok(Container { archive, next: 0, inflating })
    }

    /// Where the directory is.
    pub(crate) fn directory(&self) -> u64 {
        self.archive.central_directory_start()
    }

    /// The bytes of the container.
    pub(crate) fn into_reader(self) -> Reader {
        self.archive.into_inner()
    }

    /// The names of the members.
    pub(crate) fn names(&self) -> impl Iterator<Item = &[u8]> {
        self.archive.file_names_raw()
    }

    /// Where in the container the record of a member is, in the directory.
    pub(crate) fn record(&self, entry: &Entry) -> Option<u64> {
        self.archive.by_index_data(entry.index).ok().map(|data| data.central_header_start())
    }

    /// What is known of inflating the members so far.
    pub(crate) fn inflating(&self) -> &Inflating {
        &self.inflating
    }

    /// The same, to be taken note of.
    pub(crate) fn inflating_mut(&mut self) -> &mut Inflating {
        &mut self.inflating
    }

    /// The number of members.
    pub(crate) fn len(&self) -> usize {
        self.archive.len()
    }

    /// The next member that may hold text by its name.
    pub(crate) fn next(&mut self) -> Option<Entry> {
        while self.next < self.archive.len() {
            let index = self.next;
            self.next += 1;
            let Ok(data) = self.archive.by_index_data(index) else { continue };
            let Some((content, basis)) = content(data.name_raw()).filter(|_| !data.is_dir()) else {
                continue;
            };
            let (format, mail) = match content {
                Content::Document(format) => (format, None),
                _ => (Format::Text, Some("mail or a web archive; unpack the file")),
            };
            let closed = match data.compression() {
                _ if mail.is_some() => mail,
                _ if data.encrypted() => Some("encrypted; decrypt the file"),
                CompressionMethod::Stored | CompressionMethod::Deflated => None,
                _ => Some("compressed in another way than deflate; pack the file again"),
            };
            let name = data.name_raw().to_vec();
            return Some(Entry { index, name, format, basis, closed });
        }
        None
    }

    /// True if the member is text, as far as its first bytes show. A member whose name says its
    /// format is not looked into.
    pub(crate) fn is_text(&mut self, entry: &Entry, finder: &Finder) -> io::Result<bool> {
        if entry.format != Format::Text {
            return Ok(true);
        }
        let mut head = Vec::new();
        // They count as inflated when the member is read.
        let (room, bytes) = (self.inflating.room, self.inflating.bytes);
        self.read(entry)?.take(PEEK).read_to_end(&mut head)?;
        let is_text = !compressed::is_packed(&head) && !is_binary(&head, finder);
        if is_text {
            let full = false;
            self.inflating = Inflating { room, bytes, trouble: None, full };
        }
        Ok(is_text)
    }

    /// The text of a member.
    pub(crate) fn read(&mut self, entry: &Entry) -> io::Result<Inflated<'_>> {
        let Container { archive, inflating, .. } = self;
        let member = archive.by_index(entry.index).map_err(damaged)?;
        Ok(Inflated { member, inflating })
    }
}

impl Entry {
    /// The name of the member after that of its container: `a.docx!word/document.xml`.
    pub(crate) fn path(&self, container: &Path) -> PathBuf {
        let mut path = OsString::from(container);
        path.push("!");
        #[cfg(unix)]
        path.push(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(&self.name));
        #[cfg(not(unix))]
        path.push(&*String::from_utf8_lossy(&self.name));
        PathBuf::from(path)
    }
}

/// The content that a member with this name should have, and how that is known. `None`: it says of which kind
/// the container is.
fn content(name: &[u8]) -> Option<(Content, &'static str)> {
    if name == b"mimetype" {
        return None;
    }
    let file = name.rsplit(|b| matches!(b, b'/' | b'\\')).next()?;
    let dot = file.iter().rposition(|b| *b == b'.');
    let extension = dot.and_then(|dot| str::from_utf8(&file[dot + 1..]).ok()).unwrap_or_default();
    // Links of office documents, and drawings in them.
    let format = match ["rels", "vml"].iter().any(|known| extension.eq_ignore_ascii_case(known)) {
        true => Some(Content::Document(Format::Xml)),
        false => Content::from_extension(extension),
    };
    Some(match format {
        Some(content) => (content, "by its name"),
        None => (Content::Document(Format::Text), "for want of a known extension"),
    })
}

/// The message about a container that cannot be read.
fn damaged(e: ZipError) -> io::Error {
    match e {
        ZipError::Io(e) if e.raw_os_error().is_some() => e,
        e => io::Error::new(io::ErrorKind::InvalidData, format!("cut short or damaged ({e})")),
    }
}

/// Inflates a member. An error ends it and is kept, as with other inputs.
pub(crate) struct Inflated<'c> {
    member: ZipFile<'c, Reader>,
    inflating: &'c mut Inflating,
}

impl Read for Inflated<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Inflating { room, bytes, trouble, full } = &mut *self.inflating;
        if trouble.is_some() || *full {
            return Ok(0);
        }
        // A byte more than there is room for shows that the member does not end.
        let most = usize::try_from(room.saturating_add(1)).unwrap_or(usize::MAX);
        let len = buffer.len().min(most);
        match self.member.read(&mut buffer[..len]) {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => Err(e),
            Err(e) => {
                *trouble = Some(damaged(ZipError::Io(e)));
                Ok(0)
            }
            Ok(n) if n as u64 > *room => {
                *full = true;
                let n = *room as usize;
                (*room, *bytes) = (0, *bytes + n as u64);
                Ok(n)
            }
            Ok(n) => {
                (*room, *bytes) = (*room - n as u64, *bytes + n as u64);
                Ok(n)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_have_the_format_of_their_names() {
        let format = |name: &str| match content(name.as_bytes()) {
            Some((Content::Document(format), _)) => Some(format),
            _ => None,
        };
        let xml = ["word/document.xml", "_rels/.rels", "a\\b.XHTML", "../x.opf", "\u{e9}.svg"];
        for name in xml {
            assert_eq!(format(name), Some(Format::Xml), "{name}");
        }
        for (name, of) in [
            ("a/b.html", Format::Html),
            ("a.xml/b", Format::Text),
            ("x.docx", Format::Text),
            ("README", Format::Text),
            ("a.xm\u{e9}", Format::Text),
            ("x.json", Format::Json),
            ("x.TEX", Format::Latex),
            ("de.po", Format::Po),
        ] {
            assert_eq!(format(name), Some(of), "{name}");
        }
        assert!(matches!(content(b"OEBPS/\xFF.html"), Some((Content::Document(Format::Html), _))));
        assert!(matches!(content(b"a.eml"), Some((Content::Mail, _))));
        assert!(matches!(content(b"a.warc"), Some((Content::Archive, _))));
        assert!(content(b"mimetype").is_none());
    }

    #[test]
    fn containers_are_known_by_their_first_bytes() {
        assert!(compressed::is_zip(b"PK\x03\x04\x14") && compressed::is_zip(b"PK\x05\x06"));
        assert!(
            !compressed::is_zip(b"PK")
                && !compressed::is_zip(b"PK\x01\x02")
                && !compressed::is_zip(b"")
        );
    }
}
