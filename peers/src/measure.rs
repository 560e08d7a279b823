//! What the benchmarks measure with.

use std::{
    hint::black_box,
    io::{self, Write},
};

/// A writer that overwrites the same 256 KiB again and again.
#[derive(Debug)]
pub struct Buffer {
    bytes: Vec<u8>,
    at: usize,
}

impl Buffer {
    /// A buffer whose memory is there already.
    #[must_use]
    pub fn new() -> Buffer {
        Buffer { bytes: vec![0; 256 << 10], at: 0 }
    }
}

impl Default for Buffer {
    fn default() -> Buffer {
        Buffer::new()
    }
}

impl Write for Buffer {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        if self.at == self.bytes.len() {
            black_box(&mut self.bytes);
            self.at = 0;
        }
        let room = &mut self.bytes[self.at..];
        let len = room.len().min(piece.len());
        room[..len].copy_from_slice(&piece[..len]);
        self.at += len;
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The middle one of `values`, which are not empty; of an even number the upper one.
#[must_use]
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
