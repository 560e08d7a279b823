//! Rewrites a file.

use iriscan::{Finder, mail};
use iriscan_documents::{AsItIs, DocumentRewriter};
use pyo3::{exceptions::PyValueError, prelude::*, types::PyBytes};

use super::open::{About, Alone, Document, Source};

/// Rewrites a file, a step at a time.
#[pyclass(module = "iriscan._iriscan")]
pub(crate) struct FileRewriter {
    about: About,
    /// `None` at the end.
    state: Alone<DocumentRewriter>,
    warnings: Vec<String>,
    counts: (u64, u64, u64, &'static str, u64, u64),
}

/// Why a container is not rewritten without `z=True`.
const CONTAINER: &str = "a zip container, left as it is; z=True rewrites the texts in it";

impl FileRewriter {
    /// `in_place`: the result replaces the file.
    pub(crate) fn open(
        py: Python<'_>,
        finder: &Finder,
        source: Source,
        in_place: bool,
    ) -> PyResult<FileRewriter> {
        let document = Document::open(py, source)?;
        let about = &document.about;
        let refused = match document.as_it_is {
            Some(AsItIs::Container) => Some(CONTAINER),
            Some(_) if in_place => Some("compressed, left as it is; z=True decompresses it"),
            _ => document.opened.content().why_not_rewritten(),
        };
        if let Some(why) = refused {
            return Err(PyValueError::new_err(about.message(why)));
        }
        let warnings = document.warnings();
        let Document { opened, about, .. } = document;
        let rewriter = py.detach(|| opened.into_rewriter(finder, &mail::Options::new()));
        let rewriter = rewriter.map_err(|e| about.exception(py, &e))?;
        let (state, counts) = (Alone::default(), Default::default());
        let mut this = FileRewriter { about, state, warnings, counts };
        this.keep(rewriter);
        Ok(this)
    }

    /// Keeps the rewriter for the next step, and what it says now.
    fn keep(&mut self, mut rewriter: DocumentRewriter) {
        while let Some(note) = rewriter.next_note() {
            self.warnings.push(self.about.message_of(note.member().map(|path| &**path), &note));
        }
        self.counts = counts(&rewriter);
        self.state = Alone::new(rewriter);
    }
}

#[pymethods]
impl FileRewriter {
    /// The next bytes; None at the end.
    fn step<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let Some(mut rewriter) = self.state.take() else { return Ok(None) };
        let (rewriter, written) = py.detach(|| {
            let written = rewriter.step();
            (rewriter, written)
        });
        if let Some(e) = self.about.raised() {
            return Err(e);
        }
        let written = written.map_err(|e| self.about.exception(py, &e))?;
        if written.is_some() {
            self.keep(rewriter);
        }
        Ok(written.map(|written| PyBytes::new(py, &written)))
    }

    /// The links, those that changed, those that stay, the charset, and the numbers of lost characters
    /// and of links written too early.
    fn counts(&self) -> (u64, u64, u64, &'static str, u64, u64) {
        self.counts
    }

    /// What could not be read or rewritten since the last call.
    fn warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }
}

fn counts(rewriter: &DocumentRewriter) -> (u64, u64, u64, &'static str, u64, u64) {
    let done = rewriter.done();
    let charset = done.charset.map_or("", |charset| charset.name());
    (done.links, done.changed, done.unconvertible, charset, done.lost, done.early)
}
