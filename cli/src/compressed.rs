//! `-z`: compressed inputs, told by their first bytes, and the same format back.
//!
//! Knows formats of compression and nothing of what is in them. Invariant: what is
//! read before damage is what was compressed before it.

use std::{
    ffi::OsStr,
    io::{self, BufReader, Cursor, Read, Write},
    path::Path,
};

use bzip2::{read::MultiBzDecoder, write::BzEncoder};
use flate2::{Compression as Level, GzBuilder, read::MultiGzDecoder, write::GzEncoder};
use lzma_rust2::{XzOptions, XzReader, XzWriter};

/// Memory that an xz stream may ask for, which a hostile one asks for without end.
/// What `xz -9` makes needs half of it.
const XZ_KIB_MAX: u32 = 128 << 10;

/// Memory that a zstd stream may ask for, as a power of two: that of the command
/// `zstd` without --long.
const ZSTD_WINDOW_LOG_MAX: u32 = 27;

/// How an input is compressed, with what its first bytes say that goes back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    /// The level that shows.
    Gzip(u32),
    Zstd,
    /// The level.
    Bzip2(u32),
    Xz,
}

/// How many bytes tell.
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
            // Behind the level a block, or the end of the stream.
            [b'B', b'Z', b'h', n @ b'1'..=b'9', 0x31, 0x41, 0x59, 0x26, 0x53, 0x59, ..]
            | [b'B', b'Z', b'h', n @ b'1'..=b'9', 0x17, 0x72, 0x45, 0x38, 0x50, 0x90, ..] => {
                Some(Compression::Bzip2(u32::from(n - b'0')))
            }
            [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => Some(Compression::Xz),
            _ => None,
        }
    }
}

/// Whether a file of this name should be compressed.
pub(crate) fn is_named(path: &Path) -> bool {
    inner_name(path) != path
}

/// Whether what begins like this is compressed.
pub(crate) fn is_packed(head: &[u8]) -> bool {
    Compression::of(head).is_some()
}

/// The bytes of `reader`, decompressed if they are compressed.
pub(crate) fn reader(
    mut reader: Box<dyn Read>,
) -> io::Result<(Box<dyn Read>, Option<Compression>)> {
    let mut head = Vec::new();
    (&mut reader).take(HEAD).read_to_end(&mut head)?;
    let compression = Compression::of(&head);
    let all = Cursor::new(head).chain(reader);
    let plain: Box<dyn Read> = match compression {
        None => Box::new(all),
        Some(Compression::Gzip(_)) => Box::new(MultiGzDecoder::new(BufReader::new(all))),
        Some(Compression::Bzip2(_)) => Box::new(MultiBzDecoder::new(BufReader::new(all))),
        Some(Compression::Xz) => {
            Box::new(XzReader::new_mem_limit(BufReader::new(all), true, XZ_KIB_MAX))
        }
        Some(Compression::Zstd) => {
            let mut decoder = zstd::Decoder::new(all)?;
            decoder.window_log_max(ZSTD_WINDOW_LOG_MAX)?;
            Box::new(decoder)
        }
    };
    match compression {
        None => Ok((plain, None)),
        Some(_) => Ok((Box::new(Decoder(plain)), compression)),
    }
}

/// Says of what is wrong with a stream that it is: "failed to fill whole buffer"
/// tells nobody anything.
struct Decoder(Box<dyn Read>);

impl Read for Decoder {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(|e| match e.raw_os_error() {
            Some(_) => e,
            None => io::Error::new(e.kind(), format!("cut short or damaged ({e})")),
        })
    }
}

/// The name of a file without what its compression put behind it, for the extension
/// that tells its format.
pub(crate) fn inner_name(path: &Path) -> &Path {
    let compressed = |extension: &OsStr| {
        ["gz", "zst", "bz2", "xz"].iter().any(|known| extension.eq_ignore_ascii_case(known))
    };
    match (path.extension(), path.file_stem()) {
        (Some(extension), Some(stem)) if compressed(extension) => Path::new(stem),
        _ => path,
    }
}

/// Compresses what is written to it. [`Writer::finish`] writes the end.
pub(crate) enum Writer<'o> {
    Gzip(GzEncoder<&'o mut dyn Write>),
    Zstd(zstd::Encoder<'static, &'o mut dyn Write>),
    Bzip2(BzEncoder<&'o mut dyn Write>),
    Xz(Box<XzWriter<&'o mut dyn Write>>),
}

impl<'o> Writer<'o> {
    pub(crate) fn new(compression: &Compression, out: &'o mut dyn Write) -> io::Result<Self> {
        Ok(match compression {
            Compression::Gzip(level) => {
                Writer::Gzip(GzBuilder::new().write(out, Level::new(*level)))
            }
            Compression::Zstd => {
                let mut encoder = zstd::Encoder::new(out, zstd::DEFAULT_COMPRESSION_LEVEL)?;
                encoder.include_checksum(true)?;
                Writer::Zstd(encoder)
            }
            Compression::Bzip2(level) => {
                Writer::Bzip2(BzEncoder::new(out, bzip2::Compression::new(*level)))
            }
            Compression::Xz => Writer::Xz(Box::new(XzWriter::new(out, XzOptions::with_preset(6))?)),
        })
    }

    pub(crate) fn finish(self) -> io::Result<()> {
        match self {
            Writer::Gzip(encoder) => encoder.finish().map(drop),
            Writer::Zstd(encoder) => encoder.finish().map(drop),
            Writer::Bzip2(encoder) => encoder.finish().map(drop),
            Writer::Xz(encoder) => encoder.finish().map(drop),
        }
    }
}

impl Write for Writer<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Writer::Gzip(encoder) => encoder.write(bytes),
            Writer::Zstd(encoder) => encoder.write(bytes),
            Writer::Bzip2(encoder) => encoder.write(bytes),
            Writer::Xz(encoder) => encoder.write(bytes),
        }
    }

    /// Nothing: each flush would cost compression, and who reads compressed bytes
    /// waits for the end anyway.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
