//! bzip2, which knows levels from 1 to 9.

use std::io::{self, BufReader, Read, Write};

pub(crate) use bzip2::write::BzEncoder as Encoder;
use bzip2::{Compression, read::MultiBzDecoder};

pub(crate) fn reader(all: impl Read + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
    Ok(Box::new(MultiBzDecoder::new(BufReader::new(all))))
}

pub(crate) fn encoder<W: Write>(level: u32, out: W) -> io::Result<Encoder<W>> {
    Ok(Encoder::new(out, Compression::new(level)))
}
