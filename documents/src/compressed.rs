//! Compressed inputs are decompressed, and compressed again when they are rewritten.
//!
//! In go the bytes of an input; the first ones show whether and how it is compressed. Out come
//! the bytes inside. What must hold: if a stream is damaged, all bytes before the damage come
//! out.

use std::{
    ffi::OsStr,
    io::{self, BufRead, BufReader, Cursor, Read, Write},
    path::Path,
};

use bzip2::{read::MultiBzDecoder, write::BzEncoder};
use flate2::{Compression as Level, GzBuilder, bufread::GzDecoder, write::GzEncoder};
use lzma_rust2::{XzOptions, XzReader, XzWriter};

use crate::{
    content::{Content, Wanted},
    members::{Maybe, Members, Seams},
};

/// The most memory that an xz stream may ask for, because a hostile one may ask for any
/// amount. A stream of `xz -9` needs half of this.
const XZ_KIB_MAX: u32 = 128 << 10;

/// The most memory that a zstd stream may ask for, as a power of two: the limit of the command
/// `zstd` without `--long`.
const ZSTD_WINDOW_LOG_MAX: u32 = 27;

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

/// The number of bytes that show the format, and the window of zstd.
const HEAD: u64 = 18;

/// Refuses a zstd stream whose window is too large, as far as its first frame says.
fn refuse_window(head: &[u8]) -> io::Result<()> {
    let window = zstd_window(head).filter(|window| *window > 1 << ZSTD_WINDOW_LOG_MAX);
    let Some(window) = window else { return Ok(()) };
    let mib = window >> 20;
    let log = u64::BITS - (window - 1).leading_zeros();
    Err(io::Error::new(
        io::ErrorKind::Unsupported,
        format!(
            "its zstd window of {mib} MiB is above the limit of {} MiB; decompress it first, with \
             zstd -d --long={log}",
            (1_u64 << ZSTD_WINDOW_LOG_MAX) >> 20
        ),
    ))
}

/// The size of the window that a frame of zstd needs (RFC 8878, 3.1.1.1).
fn zstd_window(head: &[u8]) -> Option<u64> {
    let rest = head.strip_prefix(b"\x28\xB5\x2F\xFD")?;
    let (descriptor, rest) = rest.split_first()?;
    if descriptor & 0x20 == 0 {
        let window = *rest.first()?;
        let base = 1_u64 << (10 + (window >> 3));
        return Some(base + base / 8 * u64::from(window & 7));
    }
    // All of the content is the window.
    let id = [0, 1, 2, 4][usize::from(descriptor & 3)];
    let (size, plus) = [(1, 0), (2, 256), (4, 0), (8, 0)][usize::from(descriptor >> 6)];
    let mut content = [0; 8];
    content.get_mut(..size)?.copy_from_slice(rest.get(id..id + size)?);
    u64::from_le_bytes(content).checked_add(plus)
}

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
    if compression == Some(Compression::Zstd) {
        refuse_window(&head)?;
    }
    let all = Cursor::new(head).chain(reader);
    let inner: Box<dyn Read + Send> = match (&compression, named) {
        // Its start may be damaged.
        (None, Named::Archive) => return Ok((Box::new(Members::new(all, seams.clone())?), plain)),
        (None, _) => return Ok((Box::new(all), plain)),
        (Some(Compression::Gzip(_)), Named::Archive) => Box::new(Members::new(all, seams.clone())?),
        (Some(Compression::Gzip(_)), Named::Unknown) => match Members::sniff(all, seams.clone())? {
            Maybe::Archive(members) => Box::new(members),
            Maybe::Other(all) => Box::new(Gzip::new(all)),
        },
        (Some(Compression::Gzip(_)), Named::Other) => Box::new(Gzip::new(BufReader::new(all))),
        (Some(Compression::Bzip2(_)), _) => Box::new(MultiBzDecoder::new(BufReader::new(all))),
        (Some(Compression::Xz), _) => {
            Box::new(XzReader::new_mem_limit(BufReader::new(all), true, XZ_KIB_MAX))
        }
        (Some(Compression::Zstd), _) => {
            let mut decoder = zstd::Decoder::new(all)?;
            decoder.window_log_max(ZSTD_WINDOW_LOG_MAX)?;
            Box::new(decoder)
        }
    };
    Ok((Box::new(Decoder(inner)), compression.map_or(plain, Packed::Stream)))
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

/// The members of a gzip stream, one after the other, and the zeros after the last one.
///
/// A tape or a block device is written in whole blocks, so zeros may fill the last one;
/// `gzip -d` accepts them too. Anything else after a member must be another member.
struct Gzip<R> {
    /// `None` at the end of the stream.
    member: Option<GzDecoder<R>>,
}

impl<R: BufRead> Gzip<R> {
    fn new(reader: R) -> Self {
        Gzip { member: Some(GzDecoder::new(reader)) }
    }
}

impl<R: BufRead> Read for Gzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let n = member.read(buffer)?;
            if n > 0 || buffer.is_empty() {
                return Ok(n);
            }
            let more = follows(member.get_mut())?;
            let done = self.member.take().filter(|_| more);
            self.member = done.map(|member| GzDecoder::new(member.into_inner()));
        }
        Ok(0)
    }
}

/// Reads what comes after a member of a gzip stream: true if it may be another member,
/// false at the end of the stream, which zeros may come before.
fn follows(reader: &mut impl BufRead) -> io::Result<bool> {
    let mut zeros = false;
    loop {
        let block = match reader.fill_buf() {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            block => block?,
        };
        let len = block.len();
        match block.iter().position(|byte| *byte != 0) {
            None if len == 0 => return Ok(false),
            None => reader.consume(len),
            Some(0) if !zeros => return Ok(true),
            Some(_) => {
                let what = "there is more after the zeros at its end";
                return Err(io::Error::new(io::ErrorKind::InvalidData, what));
            }
        }
        zeros = true;
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
    Gzip(GzEncoder<W>),
    Zstd(zstd::Encoder<'static, W>),
    Bzip2(BzEncoder<W>),
    Xz(Box<XzWriter<W>>),
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
    /// `out` cannot be written.
    pub fn new(compression: Compression, out: W) -> io::Result<Self> {
        Ok(Compressor(match compression {
            Compression::Gzip(level) => {
                Encoder::Gzip(GzBuilder::new().write(out, Level::new(level)))
            }
            Compression::Zstd => {
                let mut encoder = zstd::Encoder::new(out, zstd::DEFAULT_COMPRESSION_LEVEL)?;
                encoder.include_checksum(true)?;
                Encoder::Zstd(encoder)
            }
            Compression::Bzip2(level) => {
                Encoder::Bzip2(BzEncoder::new(out, bzip2::Compression::new(level)))
            }
            Compression::Xz => {
                Encoder::Xz(Box::new(XzWriter::new(out, XzOptions::with_preset(6))?))
            }
        }))
    }

    /// The writer of the compressed bytes.
    pub fn get_mut(&mut self) -> &mut W {
        match &mut self.0 {
            Encoder::Gzip(encoder) => encoder.get_mut(),
            Encoder::Zstd(encoder) => encoder.get_mut(),
            Encoder::Bzip2(encoder) => encoder.get_mut(),
            Encoder::Xz(encoder) => encoder.inner_mut(),
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
