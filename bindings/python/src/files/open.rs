//! Opens a file, as the command does.

use std::{
    fmt::Display,
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use iriscan::Format;
use iriscan_documents::{AsItIs, Content, Input, Opened, Opener, Wanted};
use pyo3::{
    exceptions::{PyOSError, PyValueError},
    prelude::*,
};

use super::object::{PyFile, PyReader, Raised};

/// Where a file comes from, and how it is opened.
pub(crate) struct Source {
    /// The name, which may show the content.
    pub(crate) name: Option<PathBuf>,
    /// What reads the file: an object with `read()`, which returns the next bytes; without it, the
    /// regular file of this name is opened.
    pub(crate) reader: Option<Py<PyAny>>,
    /// A file object that can seek, which `reader` reads.
    pub(crate) seekable: Option<Py<PyAny>>,
    /// The format that the caller named.
    pub(crate) format: Option<Format>,
    pub(crate) decompress: bool,
}

/// A value that is for one thread at a time, until somebody takes it. Python holds the object that it
/// is in, and only `&mut` gives it.
pub(super) struct Alone<T>(Mutex<Option<T>>);

impl<T> Default for Alone<T> {
    fn default() -> Alone<T> {
        Alone(Mutex::new(None))
    }
}

impl<T> Alone<T> {
    pub(super) fn new(value: T) -> Alone<T> {
        Alone(Mutex::new(Some(value)))
    }

    pub(super) fn take(&mut self) -> Option<T> {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// A file that was opened.
pub(super) struct Document {
    pub(super) opened: Opened,
    pub(super) as_it_is: Option<AsItIs>,
    pub(super) about: About,
}

/// What is known of a file while it is read.
pub(super) struct About {
    name: Option<PathBuf>,
    /// The bytes that were read of it.
    pub(super) read: Arc<AtomicU64>,
    raised: Raised,
}

impl About {
    /// A message about the file.
    pub(super) fn message(&self, what: impl Display) -> String {
        match &self.name {
            Some(name) => format!("{}: {what}", name.display()),
            None => what.to_string(),
        }
    }

    /// A message about a member of it, or about the file itself.
    pub(super) fn message_of(&self, member: Option<&Path>, what: impl Display) -> String {
        match member {
            Some(member) => format!("{}: {what}", member.display()),
            None => self.message(what),
        }
    }

    /// The exception for an error of reading: that of the file object, if there was one.
    pub(super) fn exception(&self, py: Python<'_>, e: &io::Error) -> PyErr {
        self.raised().unwrap_or_else(|| os_error(py, e, self.name.as_deref()))
    }

    /// The exception of the file object, if there was one.
    pub(super) fn raised(&self) -> Option<PyErr> {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// The name of what a decompressor reads, by that of its file.
#[pyfunction]
pub(crate) fn _inner_name(name: PathBuf) -> String {
    iriscan_documents::inner_name(&name).to_string_lossy().into_owned()
}

/// The exception that Python's own `open` and `read` would raise; for damage, one that says so.
fn os_error(py: Python<'_>, e: &io::Error, name: Option<&Path>) -> PyErr {
    let Some(number) = e.raw_os_error() else {
        let name = name.map(|name| format!("{}: ", name.display())).unwrap_or_default();
        return PyOSError::new_err(format!("{name}{e}"));
    };
    #[cfg(not(windows))]
    {
        let text = py.import("os").and_then(|os| os.call_method1("strerror", (number,)));
        let text = text.and_then(|text| text.extract::<String>());
        PyOSError::new_err((
            number,
            text.unwrap_or_else(|_| e.to_string()),
            name.map(Path::to_owned),
        ))
    }
    #[cfg(windows)]
    {
        let _ = py;
        PyOSError::new_err((0, e.to_string(), name.map(Path::to_owned), number))
    }
}

impl Document {
    pub(super) fn open(py: Python<'_>, source: Source) -> PyResult<Document> {
        let (read, raised) = (Arc::<AtomicU64>::default(), Raised::default());
        let about = About { name: source.name, read, raised };
        let counted = |reader| Counted { reader, read: Arc::clone(&about.read) };
        let (input, is_file) = match (source.reader, &about.name) {
            (None, Some(name)) => {
                let file = py.detach(|| File::open(name));
                let opened = file.and_then(|file| Ok((file.metadata()?, Arc::new(file))));
                let (meta, file) = opened.map_err(|e| about.exception(py, &e))?;
                let reader: Box<dyn Read + Send> = Box::new(Arc::clone(&file));
                let input = Input::new(counted(reader));
                let is_file = meta.is_file();
                (if is_file { input.file(file, meta.len()) } else { input }, is_file)
            }
            (None, None) => (Input::new(io::empty()), false),
            (Some(file), _) => {
                let raised = Arc::clone(&about.raised);
                let reader = PyReader::new(file, raised);
                let mut input = Input::new(counted(Box::new(reader)));
                if let Some(file) = source.seekable {
                    let mut file = PyFile::new(file, Arc::clone(&about.raised));
                    let at = file.stream_position();
                    let ends = at.and_then(|at| {
                        let len = file.seek(SeekFrom::End(0))?;
                        file.seek(SeekFrom::Start(at)).map(|_| len)
                    });
                    match ends {
                        Ok(len) => input = input.seekable(file, len),
                        Err(_) => drop(about.raised()),
                    }
                }
                (input, false)
            }
        };
        let input = match &about.name {
            Some(name) => input.name(name),
            None => input,
        };
        let wanted = match (source.format, &about.name) {
            (Some(format), _) => Wanted::Told(Content::Document(format)),
            (None, Some(_)) => Wanted::ByName,
            (None, None) => Wanted::ByContent,
        };
        let opener = Opener::new().wanted(wanted).decompress(source.decompress);
        let opened = py.detach(|| {
            let mut opened = opener.open_input(input)?;
            let as_it_is = if is_file { opener.as_it_is(&mut opened) } else { None };
            Ok((opened, as_it_is))
        });
        if let Some(e) = about.raised() {
            return Err(e);
        }
        let (opened, as_it_is) = opened.map_err(|e| about.exception(py, &e))?;
        match opened.why_not_read() {
            Some(why) => Err(PyValueError::new_err(about.message(why))),
            None => Ok(Document { opened, as_it_is, about }),
        }
    }

    /// What to say of a file that is compressed and read as it is.
    pub(super) fn warnings(&self) -> Vec<String> {
        let what = match self.as_it_is {
            Some(AsItIs::Container) => {
                "a zip container, read as it is; z=True reads the texts in it"
            }
            Some(_) => "compressed, read as it is; z=True decompresses it",
            None => return Vec::new(),
        };
        vec![self.about.message(what)]
    }
}

/// Counts the bytes that are read.
struct Counted {
    reader: Box<dyn Read + Send>,
    read: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.reader.read(buffer)?;
        self.read.fetch_add(n as u64, Ordering::Relaxed);
        Ok(n)
    }
}
