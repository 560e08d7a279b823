//! What a caller gives us to search: text or bytes, in any of Python's types for them.
//!
//! Invariant: nobody can change the bytes while we read them, with or without the interpreter
//! lock. So bytes of an object that can change are copied.

use std::{borrow::Cow, ops::Range};

use iriscan::{Charset, Finder, Input};
use pyo3::{
    PyTraverseError, PyVisit,
    buffer::PyBuffer,
    exceptions::{PyOverflowError, PyTypeError, PyValueError},
    intern,
    prelude::*,
    types::{PyByteArray, PyBytes, PyMemoryView, PyString},
};

/// Inputs of more bytes than this are read without the interpreter lock. Releasing it costs about
/// 50 ns, which shorter texts would feel.
const RELEASE_ABOVE: usize = 4096;

/// Runs `work` on `len` bytes, without the interpreter lock if they are many.
pub(crate) fn run<T: Send>(py: Python<'_>, len: usize, work: impl FnOnce() -> T + Send) -> T {
    if len > RELEASE_ABOVE { py.detach(work) } else { work() }
}

/// Text or bytes of a caller.
pub(crate) struct Data {
    object: Py<PyAny>,
    content: Content,
}

enum Content {
    /// A string. CPython keeps its UTF-8 for the next call.
    Text(Py<PyString>),
    /// A string with lone surrogates, which UTF-8 lacks.
    Surrogates(Surrogates),
    Bytes(Py<PyBytes>),
    /// The memory of an object that nobody can change. `owned`: the buffer has a reference to
    /// `Data::object` of its own.
    Shared {
        buffer: PyBuffer<u8>,
        owned: bool,
    },
    Copied(Vec<u8>),
}

/// A string with lone surrogates. Both forms have the same length, because a surrogate and U+FFFD
/// have three bytes.
struct Surrogates {
    /// UTF-8 in which U+FFFD replaces each surrogate.
    replaced: Vec<u8>,
    /// UTF-8 with the surrogates encoded like other characters.
    original: Vec<u8>,
}

impl Data {
    /// Text or bytes. Fails with `TypeError` if `object` is neither.
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Data> {
        if let Ok(text) = object.cast::<PyString>() {
            let content = match text.to_str() {
                Ok(_) => Content::Text(text.clone().unbind()),
                Err(_) => Content::Surrogates(Surrogates::of(text)?),
            };
            return Ok(Data { object: object.clone().unbind(), content });
        }
        Data::bytes_of(object, "str, bytes or another bytes-like object")
    }

    /// Bytes. Fails with `TypeError` if `object` has none; `expected` says what is accepted.
    pub(crate) fn bytes_of(object: &Bound<'_, PyAny>, expected: &str) -> PyResult<Data> {
        let content = match object.cast::<PyBytes>() {
            Ok(bytes) => Content::Bytes(bytes.clone().unbind()),
            Err(_) => {
                let buffer =
                    PyBuffer::<u8>::get(object).map_err(|_| unreadable(object, expected))?;
                if buffer.dimensions() > 1 {
                    return Err(PyTypeError::new_err(format!(
                        "expected {expected}, not an array of {} dimensions; flatten it",
                        buffer.dimensions()
                    )));
                }
                match buffer.readonly() && buffer.is_c_contiguous() && is_constant(object)? {
                    true => {
                        let owner = buffer.obj(object.py());
                        let owned = owner.is_some_and(|owner| owner.is(object));
                        Content::Shared { buffer, owned }
                    }
                    false => Content::Copied(buffer.to_vec(object.py())?),
                }
            }
        };
        Ok(Data { object: object.clone().unbind(), content })
    }

    /// The bytes; those of a string are UTF-8.
    pub(crate) fn bytes<'a>(&'a self, py: Python<'a>) -> &'a [u8] {
        match &self.content {
            // `of` has seen that it has UTF-8.
            Content::Text(text) => text.bind(py).to_str().unwrap_or_default().as_bytes(),
            Content::Surrogates(text) => &text.replaced,
            Content::Bytes(bytes) => bytes.as_bytes(py),
            Content::Shared { buffer, .. } => shared(buffer),
            Content::Copied(bytes) => bytes,
        }
    }

    /// True for a string.
    pub(crate) fn is_text(&self) -> bool {
        matches!(self.content, Content::Text(_) | Content::Surrogates(_))
    }

    /// True for a string of ASCII characters, in which offsets in characters are offsets in bytes.
    pub(crate) fn is_ascii_text(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(match &self.content {
            Content::Text(text) => text.bind(py).code_point_len()? == self.bytes(py).len(),
            _ => false,
        })
    }

    /// True if lone surrogates were replaced.
    pub(crate) fn has_surrogates(&self) -> bool {
        matches!(self.content, Content::Surrogates(_))
    }

    /// True if a lone surrogate was replaced in `range` of the bytes.
    pub(crate) fn has_surrogates_in(&self, range: Range<usize>) -> bool {
        match &self.content {
            Content::Surrogates(text) => {
                text.replaced.get(range.clone()) != text.original.get(range)
            }
            _ => false,
        }
    }

    /// Each U+FFFD of the bytes: its offset, and the three bytes that were there before lone
    /// surrogates were replaced.
    pub(crate) fn replaced(&self) -> impl Iterator<Item = (usize, [u8; 3])> {
        let text = match &self.content {
            Content::Surrogates(text) => Some(text),
            _ => None,
        };
        text.into_iter().flat_map(|text| {
            let starts = starts_of_replacement_characters(&text.replaced);
            starts.filter_map(|at| Some((at, *text.original.get(at..)?.first_chunk()?)))
        })
    }

    /// The input for `finder`: a string is UTF-8 whatever the options say.
    pub(crate) fn input<'a>(&self, bytes: &'a [u8]) -> Input<'a> {
        let input = Input::new(bytes);
        if self.is_text() { input.charset(Charset::UTF_8) } else { input }
    }

    /// The finder for a stream of these bytes.
    pub(crate) fn finder(&self, finder: &Finder) -> Finder {
        let finder = finder.clone();
        if self.is_text() { finder.charset(Charset::UTF_8) } else { finder }
    }

    /// Shows the garbage collector each reference to an object of Python. An object with a `Data`
    /// in it can be an attribute of the text, if that is of a subclass of `str` or `bytes`.
    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.object)?;
        match &self.content {
            Content::Text(text) => visit.call(text),
            Content::Bytes(bytes) => visit.call(bytes),
            Content::Shared { owned: true, .. } => visit.call(&self.object),
            Content::Shared { .. } | Content::Surrogates(_) | Content::Copied(_) => Ok(()),
        }
    }

    /// The object that was given.
    pub(crate) fn same(&self, py: Python<'_>) -> Py<PyAny> {
        self.object.clone_ref(py)
    }

    /// `bytes` in the type of the object that was given: `str`, `bytes`, `bytearray` or
    /// `memoryview`, and `bytes` for every other type.
    pub(crate) fn like(&self, py: Python<'_>, bytes: &[u8]) -> PyResult<Py<PyAny>> {
        let object = self.object.bind(py);
        if self.is_text() {
            return Ok(match str::from_utf8(bytes) {
                Ok(text) => PyString::new(py, text).into_any().unbind(),
                // Only a string with lone surrogates comes to this.
                Err(_) => {
                    let bytes = PyBytes::new(py, bytes);
                    let (charset, errors) = (Some(c"utf-8"), Some(c"surrogatepass"));
                    PyString::from_encoded_object(&bytes, charset, errors)?.into_any().unbind()
                }
            });
        }
        Ok(if object.is_instance_of::<PyByteArray>() {
            PyByteArray::new(py, bytes).into_any().unbind()
        } else if object.is_instance_of::<PyMemoryView>() {
            PyMemoryView::from(&PyBytes::new(py, bytes))?.into_any().unbind()
        } else {
            PyBytes::new(py, bytes).into_any().unbind()
        })
    }
}

impl Surrogates {
    fn of(text: &Bound<'_, PyString>) -> PyResult<Surrogates> {
        let py = text.py();
        // Not a method of the object, because a subclass may have another one.
        let encode = py.get_type::<PyString>().getattr(intern!(py, "encode"))?;
        let original: Vec<u8> = encode.call1((text, "utf-8", "surrogatepass"))?.extract()?;
        let mut replaced = original.clone();
        for i in 0..replaced.len().saturating_sub(2) {
            // ED A0 80 to ED BF BF are the surrogates.
            if replaced[i] == 0xED && replaced[i + 1] >= 0xA0 {
                replaced[i..i + 3].copy_from_slice("\u{FFFD}".as_bytes());
            }
        }
        Ok(Surrogates { replaced, original })
    }
}

/// The error for an object without text and bytes. A file gets advice.
fn unreadable(object: &Bound<'_, PyAny>, expected: &str) -> PyErr {
    let name = object.get_type().name();
    let name = name.map_or_else(|_| "object".into(), |name| name.to_string());
    let is_path = object.hasattr(intern!(object.py(), "__fspath__")).unwrap_or_default();
    let is_file = object.hasattr(intern!(object.py(), "read")).unwrap_or_default();
    let advice = match (is_file, object.is_instance_of::<PyString>()) {
        (true, _) => "; give what it reads, or use find_file with a file in binary mode",
        _ if is_path => "; use find_file",
        (_, true) => "; encode it first",
        _ => "",
    };
    PyTypeError::new_err(format!("expected {expected}, not {name}{advice}"))
}

/// The offset of each U+FFFD in UTF-8.
pub(crate) fn starts_of_replacement_characters(utf8: &[u8]) -> impl Iterator<Item = usize> {
    utf8.windows(3).enumerate().filter(|(_, w)| *w == "\u{FFFD}".as_bytes()).map(|(i, _)| i)
}

/// True if nobody can change the bytes of a read-only object: `bytes`, `mmap`, or a `memoryview`
/// of them. A read-only view of a `bytearray` changes with it. The file of an `mmap` must not
/// be changed while it is searched; the documentation says so.
fn is_constant(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = object.py();
    let owner = match object.cast::<PyMemoryView>() {
        Ok(view) => view.getattr(intern!(py, "obj"))?,
        Err(_) => object.clone(),
    };
    if owner.is_instance_of::<PyBytes>() {
        return Ok(true);
    }
    let class = owner.get_type();
    Ok(class.name()? == "mmap" && class.module()? == "mmap")
}

/// The bytes of a buffer.
#[expect(unsafe_code)]
fn shared(buffer: &PyBuffer<u8>) -> &[u8] {
    let Some(bytes) = buffer.as_slice_ptr() else { return &[] };
    // SAFETY: the memory is valid as long as the buffer is held, which the result borrows, and
    // nobody changes it (`is_constant`).
    unsafe { bytes.as_ref() }
}

/// Text of a caller; a lone surrogate becomes U+FFFD.
pub(crate) fn text<'a>(object: &'a Bound<'_, PyString>) -> Cow<'a, str> {
    match object.to_str() {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => match Surrogates::of(object).map(|text| String::from_utf8(text.replaced)) {
            Ok(Ok(text)) => Cow::Owned(text),
            _ => object.to_string_lossy(),
        },
    }
}

/// Converts offsets in bytes to those of the caller: characters of a string, bytes of everything else. They are given in
/// ascending order, but for links in the query of another.
#[derive(Clone, Copy)]
pub(crate) struct Offsets {
    in_characters: bool,
    byte: usize,
    character: usize,
}

impl Offsets {
    pub(crate) fn of(data: &Data, py: Python<'_>) -> PyResult<Offsets> {
        Ok(Offsets::new(data.is_text() && !data.is_ascii_text(py)?))
    }

    /// Offsets of one text, in characters of UTF-8 or in bytes.
    pub(crate) fn new(in_characters: bool) -> Offsets {
        Offsets { in_characters, byte: 0, character: 0 }
    }

    /// The caller's offset of the byte at `to`.
    pub(crate) fn at(&mut self, bytes: &[u8], to: usize) -> usize {
        if !self.in_characters {
            return to;
        }
        let count = |range: Range<usize>| {
            let between = bytes.get(range).unwrap_or_default();
            between.iter().filter(|byte| **byte as i8 >= -64).count()
        };
        if to < self.byte {
            return self.character - count(to..self.byte);
        }
        self.character += count(self.byte..to);
        self.byte = to;
        self.character
    }

    /// The byte of the caller's offset, which is at most the length.
    pub(crate) fn byte(&self, bytes: &[u8], offset: usize) -> usize {
        if !self.in_characters {
            return offset.min(bytes.len());
        }
        let mut starts = (0..bytes.len()).filter(|i| bytes[*i] as i8 >= -64);
        starts.nth(offset).unwrap_or(bytes.len())
    }
}

/// An offset of a caller, which must not be negative.
pub(crate) fn offset(offset: &Bound<'_, PyAny>) -> PyResult<usize> {
    match offset.extract::<i64>() {
        Ok(number) => usize::try_from(number).map_err(|_| {
            PyValueError::new_err(format!("offset {number} is negative; count from 0"))
        }),
        // A number that is too large for 64 bits.
        Err(e) if e.is_instance_of::<PyOverflowError>(offset.py()) => match offset.lt(0)? {
            true => {
                Err(PyValueError::new_err(format!("offset {offset} is negative; count from 0")))
            }
            false => Ok(i64::MAX as usize),
        },
        Err(e) => Err(e),
    }
}
