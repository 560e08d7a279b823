//! zstd, the only codec that compiles C.

use std::io::{self, Read, Write};

/// The most memory that a zstd stream may ask for, as a power of two: the limit of the command
/// `zstd` without `--long`.
const WINDOW_LOG_MAX: u32 = 27;

/// The number of first bytes that show the window.
const HEAD: usize = 18;

pub(crate) type Encoder<W> = zstd::Encoder<'static, W>;

/// Refuses a stream whose window is too large, as far as its first frame says.
pub(crate) fn reader(mut all: impl Read + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
    let mut head = Vec::with_capacity(HEAD);
    (&mut all).take(HEAD as u64).read_to_end(&mut head)?;
    refuse_window(&head)?;
    let mut decoder = zstd::Decoder::new(io::Cursor::new(head).chain(all))?;
    decoder.window_log_max(WINDOW_LOG_MAX)?;
    Ok(Box::new(decoder))
}

/// The bytes inside of an HTTP body.
pub(crate) fn body(bytes: &[u8]) -> io::Result<Box<dyn Read + '_>> {
    Ok(Box::new(zstd::Decoder::new(bytes)?))
}

/// `level` does not count: the bytes do not show with which level they were compressed.
pub(crate) fn encoder<W: Write>(_: u32, out: W) -> io::Result<Encoder<W>> {
    let mut encoder = zstd::Encoder::new(out, zstd::DEFAULT_COMPRESSION_LEVEL)?;
    encoder.include_checksum(true)?;
    Ok(encoder)
}

fn refuse_window(head: &[u8]) -> io::Result<()> {
    let window = window(head).filter(|window| *window > 1 << WINDOW_LOG_MAX);
    let Some(window) = window else { return Ok(()) };
    let mib = window >> 20;
    let log = u64::BITS - (window - 1).leading_zeros();
    Err(io::Error::new(
        io::ErrorKind::Unsupported,
        format!(
            "its zstd window of {mib} MiB is above the limit of {} MiB; decompress it first, with \
             zstd -d --long={log}",
            (1_u64 << WINDOW_LOG_MAX) >> 20
        ),
    ))
}

/// The size of the window that a frame of zstd needs (RFC 8878, 3.1.1.1).
fn window(head: &[u8]) -> Option<u64> {
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
