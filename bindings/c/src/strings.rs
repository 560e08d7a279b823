//! Strings of links, one after the other in one piece of memory.

use std::{ffi::c_char, ptr};

/// Where a string is in [`Strings`].
#[derive(Clone, Copy)]
pub(crate) struct Place {
    start: usize,
    size: usize,
}

/// Collects strings, each with a NUL after it. They have addresses once all are there.
#[derive(Default)]
pub(crate) struct Strings {
    bytes: Vec<u8>,
}

impl Strings {
    /// Makes room for so many bytes, so that the strings are moved less often while they are added.
    pub(crate) fn reserve(&mut self, bytes: usize) {
        self.bytes.reserve(bytes);
    }

    /// Takes back the memory of all strings.
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
    }

    pub(crate) fn push(&mut self, string: &[u8]) -> Place {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(string);
        self.bytes.push(0);
        Place { start, size: string.len() }
    }

    /// The place of `string`, which is that of `other` if they are equal.
    pub(crate) fn push_or(&mut self, string: &str, other: Place) -> Place {
        match self.bytes.get(other.start..other.start + other.size) == Some(string.as_bytes()) {
            true => other,
            false => self.push(string.as_bytes()),
        }
    }

    /// The address and the size of a string; NULL and 0 for `None`. Both are valid until a
    /// string is added.
    pub(crate) fn get(&self, place: Option<Place>) -> (*const c_char, usize) {
        match place {
            Some(Place { start, size }) => (self.bytes[start..].as_ptr().cast(), size),
            None => (ptr::null(), 0),
        }
    }
}
