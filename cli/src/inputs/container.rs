//! Zip containers, such as office documents and electronic books: their members that are XML or HTML.
//!
//! In goes a file; out comes one member after the other, inflated. What must hold: only the
//! directory is held in memory; a container inflates to a bounded number of bytes, whatever its
//! fields say; the name of a member is shown and never opened.

use std::{
    ffi::OsString,
    fs::File,
    io::{self, BufReader, Read},
    path::{Path, PathBuf},
    sync::Arc,
};

use iriscan::Format;
use zip::{CompressionMethod, ZipArchive, read::ZipFile, result::ZipError};

/// How many bytes a container may inflate to: so many, and [`RATIO_MAX`] for each byte of the
/// file. Members of office documents inflate to 5 to 100 times their length. A hostile container
/// can have members that share their bytes, and inflate to millions of times.
const INFLATED_MIN: u64 = 64 << 20;
const RATIO_MAX: u64 = 256;

type Reader = BufReader<Arc<File>>;

/// True if the first bytes are those of a zip container: of a member, or of an empty directory.
pub(crate) fn sniff(head: &[u8]) -> bool {
    matches!(head, [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..])
}

/// A container whose directory was read.
pub(crate) struct Container {
    archive: ZipArchive<Reader>,
    /// The member that comes next.
    next: usize,
    /// How many bytes may still be inflated.
    room: u64,
}

/// A member that is XML or HTML.
pub(crate) struct Entry {
    index: usize,
    name: Vec<u8>,
    pub(crate) format: Format,
    /// Why it cannot be read.
    pub(crate) closed: Option<&'static str>,
}

impl Container {
    /// Reads the directory of the container in `file`, of `len` bytes.
    pub(crate) fn open(file: &Arc<File>, len: u64) -> io::Result<Container> {
        let archive = ZipArchive::new(BufReader::new(Arc::clone(file))).map_err(damaged)?;
        let room = INFLATED_MIN.saturating_add(len.saturating_mul(RATIO_MAX));
        Ok(Container { archive, next: 0, room })
    }

    /// The number of members.
    pub(crate) fn len(&self) -> usize {
        self.archive.len()
    }

    /// The next member that is XML or HTML by its name.
    pub(crate) fn next(&mut self) -> Option<Entry> {
        while self.next < self.archive.len() {
            let index = self.next;
            self.next += 1;
            let Ok(data) = self.archive.by_index_data(index) else { continue };
            let Some(format) = format(data.name_raw()).filter(|_| !data.is_dir()) else { continue };
            let closed = match data.compression() {
                _ if data.encrypted() => Some("encrypted; decrypt the file"),
                CompressionMethod::Stored | CompressionMethod::Deflated => None,
                _ => Some("compressed in another way than deflate; pack the file again"),
            };
            return Some(Entry { index, name: data.name_raw().to_vec(), format, closed });
        }
        None
    }

    /// The text of a member.
    pub(crate) fn read(&mut self, entry: &Entry) -> io::Result<Inflated<'_>> {
        let Container { archive, room, .. } = self;
        let member = archive.by_index(entry.index).map_err(damaged)?;
        Ok(Inflated { member, room, bytes: 0, trouble: None, full: false })
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

/// The format of a member with this name, if it is XML or HTML.
fn format(name: &[u8]) -> Option<Format> {
    let file = name.rsplit(|b| matches!(b, b'/' | b'\\')).next()?;
    let dot = file.iter().rposition(|b| *b == b'.')?;
    let extension = str::from_utf8(&file[dot + 1..]).ok()?.to_ascii_lowercase();
    // Links of office documents; packages and contents of books; drawings.
    if ["rels", "opf", "ncx", "vml"].contains(&&*extension) {
        return Some(Format::Xml);
    }
    Format::from_extension(&extension).filter(|format| matches!(format, Format::Xml | Format::Html))
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
    room: &'c mut u64,
    pub(crate) bytes: u64,
    pub(crate) trouble: Option<io::Error>,
    /// The container would inflate to more than it may.
    pub(crate) full: bool,
}

impl Read for Inflated<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.trouble.is_some() || self.full {
            return Ok(0);
        }
        // A byte more than there is room for shows that the member does not end.
        let most = usize::try_from(self.room.saturating_add(1)).unwrap_or(usize::MAX);
        let len = buffer.len().min(most);
        match self.member.read(&mut buffer[..len]) {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => Err(e),
            Err(e) => {
                self.trouble = Some(damaged(ZipError::Io(e)));
                Ok(0)
            }
            Ok(n) if n as u64 > *self.room => {
                self.full = true;
                let n = *self.room as usize;
                (*self.room, self.bytes) = (0, self.bytes + n as u64);
                Ok(n)
            }
            Ok(n) => {
                (*self.room, self.bytes) = (*self.room - n as u64, self.bytes + n as u64);
                Ok(n)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_chosen_by_their_names() {
        let xml = ["word/document.xml", "_rels/.rels", "a\\b.XHTML", "../x.opf", "\u{e9}.svg"];
        for name in xml {
            assert_eq!(format(name.as_bytes()), Some(Format::Xml), "{name}");
        }
        assert_eq!(format(b"OEBPS/\xFF.html"), Some(Format::Html));
        for name in ["mimetype", "a.xml/b", "x.docx", "x.txt", "x.json", "xml", "a.xm\u{e9}"] {
            assert_eq!(format(name.as_bytes()), None, "{name}");
        }
    }

    #[test]
    fn containers_are_known_by_their_first_bytes() {
        assert!(sniff(b"PK\x03\x04\x14") && sniff(b"PK\x05\x06"));
        assert!(!sniff(b"PK") && !sniff(b"PK\x01\x02") && !sniff(b""));
    }
}
