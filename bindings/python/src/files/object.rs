//! File objects of Python, as readers.

use std::{
    io::{self, Read, Seek, SeekFrom},
    sync::{Arc, Mutex, PoisonError},
};

use pyo3::prelude::*;

use crate::data::Data;

/// The exception of a file object that the caller gave.
pub(super) type Raised = Arc<Mutex<Option<PyErr>>>;

/// Reads a file object by an object with `read()`, which returns the next bytes.
pub(super) struct PyReader {
    file: Py<PyAny>,
    /// What it returned and nobody has read.
    rest: io::Cursor<Vec<u8>>,
    raised: Raised,
}

impl PyReader {
    pub(super) fn new(file: Py<PyAny>, raised: Raised) -> PyReader {
        PyReader { file, rest: io::Cursor::default(), raised }
    }
}

impl Read for PyReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.position() == self.rest.get_ref().len() as u64 {
            let file = &self.file;
            let bytes = call(&self.raised, |py| bytes_of(&file.bind(py).call_method0("read")?))?;
            self.rest = io::Cursor::new(bytes);
        }
        self.rest.read(buffer)
    }
}

/// A file object that can seek.
pub(super) struct PyFile {
    file: Py<PyAny>,
    raised: Raised,
}

impl PyFile {
    pub(super) fn new(file: Py<PyAny>, raised: Raised) -> PyFile {
        PyFile { file, raised }
    }
}

impl Read for PyFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = call(&self.raised, |py| {
            bytes_of(&self.file.bind(py).call_method1("read", (buffer.len(),))?)
        })?;
        (&bytes[..]).read(buffer)
    }
}

impl Seek for PyFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let (offset, whence) = match to {
            SeekFrom::Start(at) => (i64::try_from(at).unwrap_or(i64::MAX), 0),
            SeekFrom::Current(by) => (by, 1),
            SeekFrom::End(by) => (by, 2),
        };
        call(&self.raised, |py| {
            self.file.bind(py).call_method1("seek", (offset, whence))?.extract()
        })
    }
}

/// Calls Python. Its exception is kept for the caller.
fn call<T>(raised: &Raised, work: impl FnOnce(Python<'_>) -> PyResult<T>) -> io::Result<T> {
    Python::attach(work).map_err(|e| {
        *raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(e);
        io::Error::other("the file object raised an exception")
    })
}

/// A copy of the bytes of an object.
fn bytes_of(object: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    let data = Data::bytes_of(object, "bytes or another bytes-like object")?;
    Ok(data.bytes(object.py()).to_vec())
}
