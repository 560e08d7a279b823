//! The links of a file.

use std::{
    cell::OnceCell,
    io,
    ops::ControlFlow,
    sync::{Arc, atomic::Ordering},
};

use iriscan::{Basis, Charset, Finder, Match, Sink, mail};
use iriscan_documents::{LinkReader, MailPiece, Note, NoteKind, Place, Visitor};
use pyo3::prelude::*;

use super::open::{About, Alone, Document, Source};
use crate::{
    link::{Begin, Message, PyLink, Within},
    stream::Links,
};

/// The links of a file, a step at a time.
#[pyclass(module = "iriscan._iriscan")]
pub(crate) struct FileLinks {
    about: About,
    /// `None` at the end.
    state: Alone<(LinkReader, Found)>,
    /// What to raise next.
    failure: Option<PyErr>,
    warnings: Vec<String>,
}

/// What a step finds.
struct Found {
    finder: Finder,
    /// The links of the text that is read, which is that of the file or one in it.
    text: Links,
    /// Which text that is, and the byte of the file that it starts at, unless it was decoded.
    within: Option<(Arc<Within>, Option<u64>)>,
    positions: bool,
    links: Vec<PyLink>,
    notes: Vec<Note>,
    /// The signal that came while a text was read.
    signal: Option<PyErr>,
}

impl FileLinks {
    pub(crate) fn open(
        py: Python<'_>,
        finder: &Finder,
        source: Source,
        positions: bool,
    ) -> PyResult<FileLinks> {
        let document = Document::open(py, source)?;
        let warnings = document.warnings();
        let Document { opened, about, .. } = document;
        let reader = opened.into_links(finder).map_err(|e| about.exception(py, &e))?;
        let found = Found {
            finder: finder.clone(),
            text: Links::new(positions),
            within: None,
            positions,
            links: Vec::new(),
            notes: Vec::new(),
            signal: None,
        };
        Ok(FileLinks { about, state: Alone::new((reader, found)), failure: None, warnings })
    }
}

#[pymethods]
impl FileLinks {
    /// The next links; None at the end.
    fn step(&mut self, py: Python<'_>) -> PyResult<Option<Vec<PyLink>>> {
        if let Some(e) = self.failure.take() {
            return Err(e);
        }
        let Some((mut reader, mut found)) = self.state.take() else { return Ok(None) };
        let (reader, mut found, step) = py.detach(|| {
            let step = reader.step(&mut found);
            (reader, found, step)
        });
        if let Some(e) = found.signal.take().or_else(|| self.about.raised()) {
            return Err(e);
        }
        found.links.extend(found.text.take(None));
        let links = std::mem::take(&mut found.links);
        for note in found.notes.drain(..) {
            self.warnings.push(self.about.message_of(note.member().map(|path| &**path), &note));
        }
        let more = step.unwrap_or_else(|e| {
            self.failure = Some(self.about.exception(py, &e));
            true
        });
        if more {
            self.state = Alone::new((reader, found));
        }
        Ok(Some(links))
    }

    /// The bytes of the file that were read.
    #[getter]
    fn read(&self) -> u64 {
        self.about.read.load(Ordering::Relaxed)
    }

    /// What could not be read since the last call.
    fn warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }
}

impl Sink for Found {
    type Error = io::Error;

    fn charset(&mut self, charset: Charset, basis: Basis) -> io::Result<()> {
        let Ok(()) = self.text.charset(charset, basis);
        Ok(())
    }

    fn text(&mut self, bytes: &[u8]) -> io::Result<()> {
        let Ok(()) = self.text.text(bytes);
        Ok(())
    }

    fn matched(&mut self, link: &Match<'_>) -> io::Result<ControlFlow<()>> {
        let Ok(on) = self.text.matched(link);
        Ok(on)
    }

    fn nested(&mut self, link: &Match<'_>, around: &Match<'_>) -> io::Result<ControlFlow<()>> {
        let Ok(on) = self.text.nested(link, around);
        Ok(on)
    }
}

impl Visitor for Found {
    fn begin(&mut self, place: &Place) -> io::Result<()> {
        self.text = Links::new(self.positions);
        let (within, start) = match place {
            Place::Record(place) => {
                let (record, offset) = (place.target.clone(), place.offset);
                (Within::Record { record, offset }, place.start)
            }
            Place::Member(path) => (Within::Member(path.to_string_lossy().into_owned()), Some(0)),
        };
        self.within = Some((Arc::new(within), start));
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        let within = self.within.take();
        self.links.extend(self.text.take(within.as_ref().map(|(within, at)| (within, *at))));
        Ok(())
    }

    fn message(&mut self, message: &[u8], place: &MailPiece) -> io::Result<()> {
        let begin = Begin { at: place.at, line: place.line };
        // Only a message with links needs them.
        let headers = OnceCell::new();
        mail::find_each(&self.finder, message, |link| {
            let of = || Arc::new(Message::of(&mail::headers(message), place.number));
            self.links.push(PyLink::of_mail(link, begin, headers.get_or_init(of)));
        });
        Ok(())
    }

    fn note(&mut self, note: Note) -> io::Result<()> {
        // They are counted, and the number comes at the end.
        if !matches!(note.kind(), NoteKind::Coding(..)) {
            self.notes.push(note);
        }
        Ok(())
    }

    fn pause(&mut self) -> io::Result<()> {
        Python::attach(|py| py.check_signals()).map_err(|e| {
            self.signal = Some(e);
            io::ErrorKind::Interrupted.into()
        })
    }
}
