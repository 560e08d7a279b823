//! gzip, which knows levels from 1 to 9. It also is deflate, the coding of HTTP bodies.

use std::io::{self, BufRead, BufReader, Read, Write};

pub(crate) use flate2::write::GzEncoder as Encoder;
use flate2::{
    Compression, GzBuilder,
    bufread::GzDecoder,
    read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder},
};

pub(crate) fn reader(all: impl Read + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
    Ok(Box::new(Gzip::new(BufReader::new(all))))
}

pub(crate) fn encoder<W: Write>(level: u32, out: W) -> io::Result<Encoder<W>> {
    Ok(GzBuilder::new().write(out, Compression::new(level)))
}

/// The bytes inside of an HTTP body.
pub(crate) fn body(bytes: &[u8]) -> Box<dyn Read + '_> {
    Box::new(MultiGzDecoder::new(bytes))
}

/// The bytes inside of an HTTP body in the coding `deflate`.
pub(crate) fn deflate_body(bytes: &[u8]) -> Box<dyn Read + '_> {
    match bytes.first() {
        // The standard wants a zlib head, and some servers leave it out.
        Some(b) if b & 0x0F == 8 => Box::new(ZlibDecoder::new(bytes)),
        _ => Box::new(DeflateDecoder::new(bytes)),
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
