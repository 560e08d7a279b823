//! Where the records of a web archive begin: by their first bytes, and by what is known of the members of its file.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

/// True if the first bytes are those of a record.
pub(crate) fn is_record(head: &[u8]) -> bool {
    head.starts_with(b"WARC/0.") || head.starts_with(b"WARC/1.")
}

/// The longest line that a record begins with.
pub(crate) const VERSION_MAX: usize = 16;

/// The first record that begins at a line of `bytes` other than the first one: at the version alone in
/// its line.
pub(crate) fn next_record(bytes: &[u8]) -> Option<usize> {
    memchr::memmem::find_iter(bytes, b"\nWARC/").map(|at| at + 1).find(|at| {
        let line = &bytes[*at..bytes.len().min(at + VERSION_MAX)];
        let end = line.iter().position(|b| *b == b'\n');
        is_record(line) && end.is_some_and(|end| is_version(line[..end].trim_ascii_end()))
    })
}

fn is_version(line: &[u8]) -> bool {
    line.iter().skip(b"WARC/".len()).all(|b| b.is_ascii_digit() || *b == b'.')
}

/// What is known about the places where members meet. The reader of records shares it.
#[derive(Clone, Default)]
pub(crate) struct Seams(Arc<Mutex<Known>>);

#[derive(Default)]
struct Known {
    /// Where members start, in bytes of the content.
    starts: VecDeque<u64>,
    /// Where bytes of the file were passed over, in bytes of the content, and what to say of it.
    passed: VecDeque<(u64, String)>,
}

impl Seams {
    /// A member starts at byte `at` of the content.
    #[cfg(feature = "gzip")]
    pub(crate) fn start(&self, at: u64) {
        self.with(|known| known.starts.push_back(at));
    }

    /// Bytes of the file were passed over at byte `at` of the content.
    #[cfg(feature = "gzip")]
    pub(crate) fn pass(&self, at: u64, what: String) {
        self.with(|known| known.passed.push_back((at, what)));
    }

    fn with<T>(&self, work: impl FnOnce(&mut Known) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The first place at byte `from` of the content or after it where a member starts, as far as is
    /// known. Those before it are forgotten.
    pub(crate) fn next_start(&self, from: u64) -> Option<u64> {
        self.with(|known| {
            while known.starts.front().is_some_and(|start| *start < from) {
                known.starts.pop_front();
            }
            known.starts.front().copied()
        })
    }

    /// True if bytes were passed over at byte `at` of the content.
    pub(crate) fn is_damaged(&self, at: u64) -> bool {
        self.with(|known| known.passed.iter().any(|(place, _)| *place == at))
    }

    /// What to say of bytes that were passed over at byte `at` of the content or before it, once.
    pub(crate) fn passed(&self, at: u64) -> Option<String> {
        self.with(|known| {
            let is_before = known.passed.front().is_some_and(|(place, _)| *place <= at);
            is_before.then(|| known.passed.pop_front()).flatten().map(|(_, what)| what)
        })
    }
}
