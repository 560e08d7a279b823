//! The bytes that a stream keeps from one chunk to the next.
//!
//! Chunks go in; windows come out that are read one after the other. Each reading says which
//! bytes it still needs. Invariant: every byte from there on is in the carry or in the chunk
//! that is being read.

use alloc::vec::Vec;

use crate::charset::window::{Ahead, Window};

/// Bytes before the next chunk that are still needed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Carry {
    bytes: Vec<u8>,
    /// Where in the stream they begin.
    at: u64,
}

impl Carry {
    /// Nothing is kept; the stream goes on at `at`.
    pub(crate) fn at(at: u64) -> Carry {
        Carry { bytes: Vec::new(), at }
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Starts over with a stream that begins at 0.
    pub(crate) fn restart(&mut self) {
        self.bytes.clear();
        self.at = 0;
    }

    /// All that is kept, after which nothing comes.
    pub(crate) fn last(&self) -> Window<'_> {
        self.window(Ahead::Nothing)
    }

    /// Reads what is kept once more, where nothing has come since. `read` is that of [`Carry::feed`].
    pub(crate) fn again<E>(
        &mut self,
        read: impl FnOnce(Window<'_>) -> Result<u64, E>,
    ) -> Result<(), E> {
        let end = self.at + self.bytes.len() as u64;
        let keep = read(self.window(Ahead::More))?.max(self.at);
        self.drop_before(keep, end);
        Ok(())
    }

    fn window(&self, ahead: Ahead) -> Window<'_> {
        Window { bytes: &self.bytes, base: self.at, ahead }
    }

    /// Reads `chunk`, which begins at `chunk_at` where the carry ends. `read` takes a window and
    /// returns from where on it needs bytes again.
    ///
    /// While something is kept, the window is the carry with the first bytes of the chunk copied
    /// to its end: `bridge` bytes, and twice as many each time, until nothing before the chunk is
    /// needed. Then the window is the rest of the chunk, in place.
    #[inline]
    pub(crate) fn feed<E>(
        &mut self,
        chunk: &[u8],
        chunk_at: u64,
        bridge: usize,
        mut read: impl FnMut(Window<'_>) -> Result<u64, E>,
    ) -> Result<(), E> {
        let (mut copied, mut piece) = (0, bridge);
        while !self.is_empty() && copied < chunk.len() {
            let to = (copied + piece).min(chunk.len());
            self.bytes.extend_from_slice(&chunk[copied..to]);
            (copied, piece) = (to, piece * 2);
            // What was dropped before is not there any more.
            let keep = read(self.window(Ahead::More))?.max(self.at);
            self.drop_before(keep, chunk_at);
        }
        if self.is_empty() {
            let base = self.at.max(chunk_at);
            let bytes = &chunk[(base - chunk_at) as usize..];
            self.at = read(Window { bytes, base, ahead: Ahead::More })?.max(base);
            self.bytes.extend_from_slice(&chunk[(self.at - chunk_at) as usize..]);
        }
        Ok(())
    }

    /// Drops what is before `keep`; all of it, if the chunk holds the rest.
    fn drop_before(&mut self, keep: u64, chunk_at: u64) {
        if keep >= chunk_at {
            self.bytes.clear();
            self.at = keep;
            return;
        }
        let dead = (keep - self.at) as usize;
        // Moving the rest pays only then: chunks of one byte stay linear.
        if dead * 2 >= self.bytes.len() {
            self.bytes.drain(..dead);
            self.at = keep;
        }
    }
}
