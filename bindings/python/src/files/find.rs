//! The links of a file.

use std::{
    cell::OnceCell,
    io::{self, Read},
    path::PathBuf,
    sync::{Arc, atomic::Ordering},
};

use iriscan::{
    Finder, Scanner,
    mail::{self, Piece},
};
use iriscan_documents::{Content, MailPiece, Mailbox, Next, NoteKind, Place, Text, Texts};
use pyo3::prelude::*;

use super::open::{About, Alone, CHUNK, Document, Source, fill, read, too_long};
use crate::{
    link::{Begin, Message, PyLink, Within},
    stream::Links,
};

/// The links of a file, a step at a time.
#[pyclass(module = "iriscan._iriscan")]
pub(crate) struct FileLinks {
    about: About,
    /// `None` at the end.
    state: Alone<Finding>,
    /// What to raise next.
    failure: Option<PyErr>,
    warnings: Vec<String>,
}

/// What is read, and how.
struct Finding {
    finder: Finder,
    positions: bool,
    /// False if bytes may have to be waited for.
    is_file: bool,
    /// Takes what is read next of a document.
    chunk: Vec<u8>,
    what: What,
}

enum What {
    Text(Box<dyn Read + Send>, Box<Scanner>, Links),
    Mail(Mailbox),
    Texts(Texts),
}

/// The result of a step.
#[derive(Default)]
struct Step {
    links: Vec<PyLink>,
    /// Messages about members of the file, or about itself.
    notes: Vec<(Option<PathBuf>, String)>,
    error: Option<io::Error>,
    ended: bool,
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
        let Document { opened, about, is_file, .. } = document;
        let mut finder = finder.clone();
        // A small file needs no large buffer. The length of a file of the system may be given as 0.
        let len = opened.plain_file().map_or(CHUNK, |(_, len)| len.saturating_add(1) as usize);
        let mut chunk = Vec::new();
        let what = match opened.content() {
            Content::Document(format) => {
                finder = finder.format(format);
                let scanner = Box::new(finder.scanner());
                chunk = vec![0; len.clamp(8192, CHUNK)];
                What::Text(opened.into_reader(), scanner, Links::new(positions))
            }
            Content::Mail => What::Mail(opened.into_mailbox()),
            Content::Archive | Content::Container => {
                let texts = opened.into_texts(&finder);
                What::Texts(texts.map_err(|e| about.exception(py, &e))?)
            }
        };
        let state = Alone::new(Finding { finder, positions, is_file, chunk, what });
        Ok(FileLinks { about, state, failure: None, warnings })
    }
}

#[pymethods]
impl FileLinks {
    /// The next links; None at the end.
    fn step(&mut self, py: Python<'_>) -> PyResult<Option<Vec<PyLink>>> {
        if let Some(e) = self.failure.take() {
            return Err(e);
        }
        let Some(mut state) = self.state.take() else { return Ok(None) };
        let (state, step) = py.detach(|| {
            let step = state.step();
            (state, step)
        });
        if let Some(e) = self.about.raised() {
            return Err(e);
        }
        let step = step?;
        let Step { links, notes, error, ended } = step;
        let notes = notes.into_iter();
        self.warnings.extend(notes.map(|(at, what)| self.about.message_of(at.as_deref(), what)));
        self.failure = error.map(|e| self.about.exception(py, &e));
        if !ended {
            self.state = Alone::new(state);
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

impl Finding {
    fn step(&mut self) -> PyResult<Step> {
        let mut step = Step::default();
        match &mut self.what {
            What::Text(reader, scanner, links) => {
                let chunk = &mut self.chunk;
                let (n, error) = match self.is_file {
                    true => fill(reader, chunk),
                    false => read(reader, chunk).map_or_else(|e| (0, Some(e)), |n| (n, None)),
                };
                let Ok(()) = scanner.push(&chunk[..n], links);
                step.ended = n == 0 || error.is_some();
                step.error = error;
                if step.ended {
                    let scanner = std::mem::replace(&mut **scanner, self.finder.scanner());
                    let Ok(_) = scanner.finish(links);
                }
                step.links = links.take(None);
            }
            What::Mail(mailbox) => match mailbox.next() {
                Some(Ok(piece)) => message(&self.finder, &piece, &mut step),
                Some(Err(e)) => (step.error, step.ended) = (Some(e), true),
                None => step.ended = true,
            },
            What::Texts(texts) => match texts.next() {
                Ok(Some(Next::Text(text))) => step.links = links_of(text, self.positions)?,
                Ok(Some(Next::Note(note))) => {
                    // They are counted, and the number comes at the end.
                    if !matches!(note.kind(), NoteKind::Coding(..)) {
                        step.notes.push((note.member().cloned(), note.to_string()));
                    }
                }
                Ok(None) => step.ended = true,
                Err(e) => step.error = Some(e),
            },
        }
        Ok(step)
    }
}

/// The links of a message.
fn message(finder: &Finder, piece: &MailPiece, step: &mut Step) {
    let MailPiece { piece, at, line, number, .. } = piece;
    match piece {
        Piece::Message(message) => {
            let begin = Begin { at: *at, line: *line };
            // Only a message with links needs them.
            let headers = OnceCell::new();
            mail::find_each(finder, message, |link| {
                let of = || Arc::new(Message::of(&mail::headers(message), *number));
                step.links.push(PyLink::of_mail(link, begin, headers.get_or_init(of)));
            });
        }
        Piece::TooLong { first: true, .. } => {
            step.notes.push((None, too_long(*at, "is not searched; split it")));
        }
        _ => {}
    }
}

/// The links of a text in an archive or a container. The text may be long, so signals are looked at.
fn links_of(mut text: Text<'_>, positions: bool) -> PyResult<Vec<PyLink>> {
    let (within, start) = match &text.place {
        Place::Record(place) => {
            let (record, offset) = (place.target.clone(), place.offset);
            (Within::Record { record, offset }, place.start)
        }
        Place::Member(path) => (Within::Member(path.to_string_lossy().into_owned()), Some(0)),
    };
    let mut links = Links::new(positions);
    let mut scanner = text.finder.scanner();
    let mut chunk = vec![0; CHUNK];
    loop {
        // A text never fails.
        let n = read(&mut text, &mut chunk).unwrap_or_default();
        if n == 0 {
            break;
        }
        let Ok(()) = scanner.push(&chunk[..n], &mut links);
        Python::attach(|py| py.check_signals())?;
    }
    let Ok(_) = scanner.finish(&mut links);
    Ok(links.take(Some((&Arc::new(within), start))))
}
