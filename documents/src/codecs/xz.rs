//! xz.

use std::io::{self, BufReader, Read, Write};

use lzma_rust2::{XzOptions, XzReader, XzWriter};

/// The most memory that an xz stream may ask for, because a hostile one may ask for any
/// amount. A stream of `xz -9` needs half of this.
const KIB_MAX: u32 = 128 << 10;

pub(crate) struct Encoder<W: Write>(Box<XzWriter<W>>);

pub(crate) fn reader(all: impl Read + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
    Ok(Box::new(XzReader::new_mem_limit(BufReader::new(all), true, KIB_MAX)))
}

pub(crate) fn encoder<W: Write>(level: u32, out: W) -> io::Result<Encoder<W>> {
    Ok(Encoder(Box::new(XzWriter::new(out, XzOptions::with_preset(level))?)))
}

impl<W: Write> Encoder<W> {
    pub(crate) fn get_mut(&mut self) -> &mut W {
        self.0.inner_mut()
    }

    pub(crate) fn finish(self) -> io::Result<W> {
        self.0.finish()
    }
}

impl<W: Write> Write for Encoder<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
