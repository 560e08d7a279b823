//! Compressed inputs are decompressed, and compressed again when they are rewritten.
//!
//! In go the bytes of an input; the first ones show whether and how it is compressed. Out come
//! the bytes inside. What must hold: if a stream is damaged, all bytes before the damage come
//! out.

use std::{
    ffi::OsStr,
    io::{self, Cursor, Read, Write},
    path::Path,
};

#[cfg(feature = "gzip")]
use crate::members::{Maybe, Members};
use crate::{
    codecs,
    content::{Content, Wanted},
    seams::Seams,
};

/// How an input is compressed: what a [`Compressor`] needs to compress it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Compression {
    /// gzip, with the level that the first bytes show.
    Gzip(u32),
    /// zstd.
    Zstd,
    /// bzip2, with the level that the first bytes show.
    Bzip2(u32),
    /// xz.
    Xz,
}

/// The number of bytes that show the format.
const HEAD: u64 = 10;

impl Compression {
    fn of(head: &[u8]) -> Option<Compression> {
        match *head {
            [0x1F, 0x8B, 8, ..] => Some(Compression::Gzip(match head.get(8) {
                Some(2) => 9,
                Some(4) => 1,
                _ => 6,
            })),
            [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => {
                Some(Compression::Zstd)
            }
            // After the level comes a block, or the end of the stream.
            [b'B', b'Z', b'h', n @ b'1'..=b'9', 0x31, 0x41, 0x59, 0x26, 0x53, 0x59, ..]
            | [b'B', b'Z', b'h', n @ b'1'..=b'9', 0x17, 0x72, 0x45, 0x38, 0x50, 0x90, ..] => {
                Some(Compression::Bzip2(u32::from(n - b'0')))
            }
            [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => Some(Compression::Xz),
            _ => None,
        }
    }
}

/// True if the extension is that of a compressed file.
pub(crate) fn is_named(path: &Path) -> bool {
    inner_name(path) != path
}

/// True if the first bytes are those of a compressed file.
pub(crate) fn is_packed(head: &[u8]) -> bool {
    Compression::of(head).is_some()
}

/// What the first bytes of an input show.
pub(crate) enum Packed {
    /// It is not packed.
    No,
    Stream(Compression),
    /// It is a zip container, whose members are packed.
    Container,
}

/// What an input is, as far as its name and the options say.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Named {
    /// A web archive, in which damage to one member hides no other.
    Archive,
    /// The first bytes decide.
    Unknown,
    Other,
}

/// The bytes of `reader`, decompressed if they are compressed, and what they were. `seams` learns
/// where the members of a web archive meet.
pub(crate) fn reader(
    mut reader: Box<dyn Read + Send>,
    named: Named,
    seams: &Seams,
) -> io::Result<(Box<dyn Read + Send>, Packed)> {
    let mut head = Vec::with_capacity(HEAD as usize);
    (&mut reader).take(HEAD).read_to_end(&mut head)?;
    let compression = Compression::of(&head);
    let plain = if is_zip(&head) { Packed::Container } else { Packed::No };
    let all = Cursor::new(head).chain(reader);
    let inner = match (&compression, named) {
        // Its start may be damaged.
        (None, Named::Archive) => return Ok((archive(all, seams)?, plain)),
        (None, _) => return Ok((Box::new(all), plain)),
        (Some(Compression::Gzip(_)), _) => gzip_reader(all, named, seams)?,
        (Some(Compression::Bzip2(_)), _) => codecs::bzip2::reader(all)?,
        (Some(Compression::Xz), _) => codecs::xz::reader(all)?,
        (Some(Compression::Zstd), _) => codecs::zstd::reader(all)?,
    };
    Ok((Box::new(Decoder(inner)), compression.map_or(plain, Packed::Stream)))
}

/// The bytes of a web archive that does not begin with a gzip member.
#[cfg(feature = "gzip")]
fn archive(all: impl Read + Send + 'static, seams: &Seams) -> io::Result<Box<dyn Read + Send>> {
    Ok(Box::new(Members::new(all, seams.clone())?))
}

#[cfg(not(feature = "gzip"))]
fn archive(all: impl Read + Send + 'static, _: &Seams) -> io::Result<Box<dyn Read + Send>> {
    Ok(Box::new(all))
}

/// The bytes inside of a gzip stream, which may be a web archive.
#[cfg(feature = "gzip")]
fn gzip_reader(
    all: impl Read + Send + 'static,
    named: Named,
    seams: &Seams,
) -> io::Result<Box<dyn Read + Send>> {
    match named {
        Named::Archive => archive(all, seams),
        Named::Unknown => match Members::sniff(all, seams.clone())? {
            Maybe::Archive(members) => Ok(Box::new(members)),
            Maybe::Other(all) => codecs::gzip::reader(all),
        },
        Named::Other => codecs::gzip::reader(all),
    }
}

#[cfg(not(feature = "gzip"))]
fn gzip_reader(
    all: impl Read + Send + 'static,
    _: Named,
    _: &Seams,
) -> io::Result<Box<dyn Read + Send>> {
    codecs::gzip::reader(all)
}

/// Says in errors that the stream is damaged: "failed to fill whole buffer", the message of a
/// decoder, does not help the user.
struct Decoder(Box<dyn Read + Send>);

impl Read for Decoder {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(|e| match e.raw_os_error() {
            Some(_) => e,
            // What zstd says is left out of the program.
            None if e.to_string() == "Error strings stripped" => {
                io::Error::new(e.kind(), "cut short or damaged (or its zstd window is too large)")
            }
            None => io::Error::new(e.kind(), format!("cut short or damaged ({e})")),
        })
    }
}

/// True if the first bytes are those of a zip container: of a member, or of an empty directory.
pub(crate) fn is_zip(head: &[u8]) -> bool {
    matches!(head, [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..])
}

/// True if the input should be a web archive. Archives are always decompressed, because
/// each of their records is compressed alone.
pub(crate) fn is_archive(wanted: Wanted, path: &Path) -> bool {
    let extension = inner_name(path).extension().and_then(OsStr::to_str);
    match wanted {
        Wanted::Told(content) => content == Content::Archive,
        Wanted::ByName => extension.and_then(Content::from_extension) == Some(Content::Archive),
        Wanted::ByContent => false,
    }
}

/// The name of a file without the extension of its compression. A name without one stays.
///
/// ```
/// use std::path::Path;
///
/// assert_eq!(iriscan_documents::inner_name(Path::new("a/page.html.gz")), Path::new("page.html"));
/// ```
#[must_use]
pub fn inner_name(path: &Path) -> &Path {
    let compressed = |extension: &OsStr| {
        ["gz", "zst", "bz2", "xz"].iter().any(|known| extension.eq_ignore_ascii_case(known))
    };
    match (path.extension(), path.file_stem()) {
        (Some(extension), Some(stem)) if compressed(extension) => Path::new(stem),
        _ => path,
    }
}

/// Compresses the bytes that are written to it. Call [`Compressor::finish`] at the end.
#[derive(Debug)]
pub struct Compressor<W: Write>(Encoder<W>);

enum Encoder<W: Write> {
    Gzip(codecs::gzip::Encoder<W>),
    Zstd(codecs::zstd::Encoder<W>),
    Bzip2(codecs::bzip2::Encoder<W>),
    Xz(codecs::xz::Encoder<W>),
}

impl<W: Write> std::fmt::Debug for Encoder<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Encoder::Gzip(_) => "gzip",
            Encoder::Zstd(_) => "zstd",
            Encoder::Bzip2(_) => "bzip2",
            Encoder::Xz(_) => "xz",
        })
    }
}

impl<W: Write> Compressor<W> {
    /// Compresses into `out`, as an input was compressed.
    ///
    /// # Errors
    ///
    /// `out` cannot be written, or the codec was not compiled: its feature is off.
    pub fn new(compression: Compression, out: W) -> io::Result<Self> {
        Ok(Compressor(match compression {
            Compression::Gzip(level) => Encoder::Gzip(codecs::gzip::encoder(level, out)?),
            Compression::Zstd => Encoder::Zstd(codecs::zstd::encoder(0, out)?),
            Compression::Bzip2(level) => Encoder::Bzip2(codecs::bzip2::encoder(level, out)?),
            Compression::Xz => Encoder::Xz(codecs::xz::encoder(6, out)?),
        }))
    }

    /// The writer of the compressed bytes.
    pub fn get_mut(&mut self) -> &mut W {
        match &mut self.0 {
            Encoder::Gzip(encoder) => encoder.get_mut(),
            Encoder::Zstd(encoder) => encoder.get_mut(),
            Encoder::Bzip2(encoder) => encoder.get_mut(),
            Encoder::Xz(encoder) => encoder.get_mut(),
        }
    }

    /// Writes what is left, and returns the writer.
    ///
    /// # Errors
    ///
    /// The writer cannot be written.
    pub fn finish(self) -> io::Result<W> {
        match self.0 {
            Encoder::Gzip(encoder) => encoder.finish(),
            Encoder::Zstd(encoder) => encoder.finish(),
            Encoder::Bzip2(encoder) => encoder.finish(),
            Encoder::Xz(encoder) => encoder.finish(),
        }
    }
}

impl<W: Write> Write for Compressor<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Encoder::Gzip(encoder) => encoder.write(bytes),
            Encoder::Zstd(encoder) => encoder.write(bytes),
            Encoder::Bzip2(encoder) => encoder.write(bytes),
            Encoder::Xz(encoder) => encoder.write(bytes),
        }
    }

    /// Does nothing. A flush would make the output longer, and a decompressor has to wait for
    /// the end anyway.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
