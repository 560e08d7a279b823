//! Streams: an iterator over the links of an input, a scanner and a rewriter of chunks.

use std::{collections::VecDeque, ops::ControlFlow, sync::Arc};

use iriscan::{
    Basis, Charset, Finder, Match, Position, Positions, Rewriter, Scanner, Sink, Summary,
};
use pyo3::{PyTraverseError, PyVisit, exceptions::PyValueError, prelude::*, types::PyBytes};

use crate::{
    data::{Data, Offsets, run},
    link::{Pickled, PyLink, Within},
};

/// The result of a sink that never fails.
type Sure<T> = Result<T, std::convert::Infallible>;

/// How many bytes an iterator reads at once.
const PAGE: usize = 64 * 1024;

/// The links of an input, in order of their start.
#[pyclass(module = "iriscan._iriscan")]
pub(crate) struct FindIter {
    /// None if the garbage collector has ended the iterator.
    data: Option<Data>,
    /// None after the end.
    scanner: Option<Scanner>,
    read: usize,
    links: Links,
    offsets: Offsets,
}

impl FindIter {
    /// `positions`: the links have line, column and offsets in UTF-16 and characters.
    pub(crate) fn new(
        py: Python<'_>,
        finder: &Finder,
        data: Data,
        positions: bool,
    ) -> PyResult<FindIter> {
        let offsets = Offsets::of(&data, py)?;
        let scanner = data.finder(finder).scanner();
        let links = Links::new(positions);
        Ok(FindIter { data: Some(data), scanner: Some(scanner), read: 0, links, offsets })
    }
}

#[pymethods]
impl FindIter {
    fn __iter__(slf: PyRef<'_, FindIter>) -> PyRef<'_, FindIter> {
        slf
    }

    pub(crate) fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<PyLink>> {
        let Some(data) = &self.data else { return Ok(None) };
        let bytes = data.bytes(py);
        loop {
            if let Some((link, place)) = self.links.found.pop_front() {
                let range = link.range();
                let start = self.offsets.at(bytes, range.start);
                let end = self.offsets.at(bytes, range.end);
                return Ok(Some(PyLink::new(link, start..end, place)));
            }
            let Some(mut scanner) = self.scanner.take() else { return Ok(None) };
            py.check_signals()?;
            let rest = &bytes[self.read..];
            let page = &rest[..rest.len().min(PAGE)];
            let links = &mut self.links;
            self.scanner = run(py, page.len(), || {
                let Ok(()) = scanner.push(page, links);
                if page.len() < rest.len() {
                    return Some(scanner);
                }
                let Ok(_) = scanner.finish(links);
                None
            });
            self.read += page.len();
        }
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.data.as_ref().map_or(Ok(()), |data| data.traverse(&visit))
    }

    fn __clear__(&mut self) {
        (self.data, self.scanner) = (None, None);
        self.links.found.clear();
    }
}

/// Counts positions in the text of a stream, if that is asked for.
struct Track {
    positions: Option<Positions>,
    /// Where the last link or text began.
    began: Option<Positions>,
}

impl Track {
    fn new(wanted: bool) -> Track {
        Track { positions: wanted.then(Positions::undecided), began: None }
    }

    fn charset(&mut self, charset: Charset) {
        if let Some(positions) = &mut self.positions {
            positions.decide(charset);
        }
    }

    fn text(&mut self, bytes: &[u8]) {
        self.began.clone_from(&self.positions);
        if let Some(positions) = &mut self.positions {
            positions.advance(bytes);
        }
    }

    /// Where the next link starts and ends.
    fn link(&mut self, link: &Match<'_>) -> Option<(Position, Position)> {
        let start = self.positions.as_ref()?.position();
        self.text(link.source());
        Some((start, self.positions.as_ref()?.position()))
    }

    /// Where a link in the query of `around` starts and ends; that one was the last link or text.
    fn nested(&mut self, link: &Match<'_>, around: &Match<'_>) -> Option<(Position, Position)> {
        let mut positions = self.began.clone()?;
        let at = (link.span().start - around.span().start) as usize;
        positions.advance(&around.source()[..at]);
        let start = positions.position();
        positions.advance(link.source());
        Some((start, positions.position()))
    }
}

/// Collects links.
pub(crate) struct Links {
    found: VecDeque<(iriscan::Link, Option<(Position, Position)>)>,
    track: Track,
}

impl Links {
    pub(crate) fn new(positions: bool) -> Links {
        Links { found: VecDeque::new(), track: Track::new(positions) }
    }

    /// Takes the links that were found. `within`: what they are in, and the byte of the input that it
    /// starts at, unless it was decoded.
    pub(crate) fn take(&mut self, within: Option<(&Arc<Within>, Option<u64>)>) -> Vec<PyLink> {
        let links = self.found.drain(..).map(|(link, at)| match within {
            None => {
                let range = link.range();
                PyLink::new(link, range, at)
            }
            Some((within, start)) => PyLink::within(link, at, within, start),
        });
        links.collect()
    }
}

impl Sink for Links {
    type Error = std::convert::Infallible;

    fn charset(&mut self, charset: Charset, _: Basis) -> Sure<()> {
        self.track.charset(charset);
        Ok(())
    }

    fn text(&mut self, bytes: &[u8]) -> Sure<()> {
        self.track.text(bytes);
        Ok(())
    }

    fn matched(&mut self, link: &Match<'_>) -> Sure<ControlFlow<()>> {
        let place = self.track.link(link);
        self.found.push_back((link.to_link(), place));
        Ok(ControlFlow::Continue(()))
    }

    fn nested(&mut self, link: &Match<'_>, around: &Match<'_>) -> Sure<ControlFlow<()>> {
        let place = self.track.nested(link, around);
        self.found.push_back((link.to_link(), place));
        Ok(ControlFlow::Continue(()))
    }
}

/// Bytes of a stream that are not a link.
#[pyclass(frozen, module = "iriscan", eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Text {
    /// Where the text starts in the stream, in bytes.
    #[pyo3(get)]
    start: u64,
    source: Vec<u8>,
}

#[pymethods]
impl Text {
    /// Where the text ends in the stream, exclusive, in bytes.
    #[getter]
    fn end(&self) -> u64 {
        self.start + self.source.len() as u64
    }

    /// The bytes.
    #[getter]
    fn source<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.source)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let source = self.source(py).repr()?.to_string();
        Ok(format!("Text(start={}, end={}, source={source})", self.start, self.end()))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py, (u64, Vec<u8>)>> {
        let load = py.import("iriscan._iriscan")?.getattr("_load_text")?;
        Ok((load, (self.start, self.source.clone())))
    }
}

/// The text that was pickled with this state.
#[pyfunction]
pub(crate) fn _load_text(start: u64, source: Vec<u8>) -> Text {
    Text { start, source }
}

/// What a stream is made of.
#[derive(IntoPyObject)]
pub(crate) enum Event {
    Text(Text),
    Link(PyLink),
}

/// Finds the links of one stream of bytes, which comes in chunks.
///
/// `push` and `finish` return lists of Text and Link. Their `source`, one after the other, is the
/// stream, byte for byte. How the stream is cut into chunks never changes the links. At most
/// `max_len` and the 64 KiB that decide on a charset are held back. A scanner is for one thread at
/// a time.
///
/// With `texts=False` the lists have links only, which is faster. With `positions=True` links
/// have their line, column and offsets in UTF-16 and characters.
///
/// >>> import iriscan
/// >>> scanner = iriscan.Finder().scanner()
/// >>> scanner.push(b"see http://a.exam")
/// [Text(start=0, end=4, source=b'see ')]
/// >>> scanner.push(b"ple/ ok")
/// [Link(start=4, end=21, kind='iri', iri='http://a.example/', uri='http://a.example/'), Text(start=21, end=24, source=b' ok')]
/// >>> scanner.finish()
/// []
#[pyclass(module = "iriscan", name = "Scanner")]
pub(crate) struct PyScanner {
    /// None after the end.
    scanner: Option<Scanner>,
    charset: Charset,
    events: Events,
}

impl PyScanner {
    pub(crate) fn new(finder: &Finder, texts: bool, positions: bool) -> PyScanner {
        let scanner = finder.scanner();
        let events = Events { at: 0, events: Vec::new(), texts, track: Track::new(positions) };
        PyScanner { charset: scanner.charset().0, scanner: Some(scanner), events }
    }
}

#[pymethods]
impl PyScanner {
    /// Scans the next bytes of the stream. Returns what is settled.
    fn push(&mut self, py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<Vec<Event>> {
        let data = Data::bytes_of(data, "bytes or another bytes-like object")?;
        let bytes = data.bytes(py);
        let scanner = self.scanner.as_mut().ok_or_else(finished)?;
        let events = &mut self.events;
        run(py, bytes.len(), || {
            let Ok(()) = scanner.push(bytes, events);
        });
        self.charset = scanner.charset().0;
        Ok(std::mem::take(&mut self.events.events))
    }

    /// Decides the charset by the bytes that have come, if it is not decided. Returns what was held back for
    /// that. For the end of a line of a stream that someone waits for, such as a log that grows.
    fn flush(&mut self, py: Python<'_>) -> PyResult<Vec<Event>> {
        let scanner = self.scanner.as_mut().ok_or_else(finished)?;
        let events = &mut self.events;
        run(py, scanner.held(), || {
            let Ok(()) = scanner.flush(events);
        });
        self.charset = scanner.charset().0;
        Ok(std::mem::take(&mut self.events.events))
    }

    /// Ends the stream. Returns the rest of it.
    fn finish(&mut self, py: Python<'_>) -> PyResult<Vec<Event>> {
        let scanner = self.scanner.take().ok_or_else(finished)?;
        let events = &mut self.events;
        let summary = run(py, scanner.held(), || {
            let Ok(summary) = scanner.finish(events);
            summary
        });
        self.charset = summary.charset;
        Ok(std::mem::take(&mut self.events.events))
    }

    /// The charset of the stream as far as it is known; it is final after `finish`.
    #[getter]
    fn charset(&self) -> &'static str {
        self.charset.name()
    }
}

fn finished() -> PyErr {
    PyValueError::new_err("the stream is finished; make another object for the next one")
}

/// Collects text and links. Text in several pieces becomes one.
struct Events {
    at: u64,
    events: Vec<Event>,
    /// False: only links are collected.
    texts: bool,
    track: Track,
}

impl Sink for Events {
    type Error = std::convert::Infallible;

    fn charset(&mut self, charset: Charset, _: Basis) -> Sure<()> {
        self.track.charset(charset);
        Ok(())
    }

    fn text(&mut self, bytes: &[u8]) -> Sure<()> {
        self.track.text(bytes);
        match self.events.last_mut() {
            _ if !self.texts => {}
            Some(Event::Text(text)) => text.source.extend_from_slice(bytes),
            _ => self.events.push(Event::Text(Text { start: self.at, source: bytes.to_vec() })),
        }
        self.at += bytes.len() as u64;
        Ok(())
    }

    fn matched(&mut self, link: &Match<'_>) -> Sure<ControlFlow<()>> {
        let place = self.track.link(link);
        self.events.push(Event::Link(PyLink::new(link.to_link(), link.range(), place)));
        self.at += link.source().len() as u64;
        Ok(ControlFlow::Continue(()))
    }

    /// With texts, the events are the stream, which has these bytes once.
    fn nested(&mut self, link: &Match<'_>, around: &Match<'_>) -> Sure<ControlFlow<()>> {
        if !self.texts {
            let place = self.track.nested(link, around);
            self.events.push(Event::Link(PyLink::new(link.to_link(), link.range(), place)));
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// Rewrites one stream of bytes, which comes in chunks.
///
/// `push` and `finish` return bytes: together they are the stream with each link that is not
/// ASCII replaced by its URI form, or as the options of the finder say. A rewriter is for one thread at a time.
///
/// >>> import iriscan
/// >>> rewriter = iriscan.Finder().rewriter()
/// >>> out = rewriter.push("http://a.example/é ".encode()) + rewriter.finish()
/// >>> out, rewriter.links, rewriter.changed
/// (b'http://a.example/%C3%A9 ', 1, 1)
#[pyclass(module = "iriscan", name = "Rewriter")]
pub(crate) struct PyRewriter {
    /// None after the end.
    scanner: Option<Scanner>,
    sink: Counting,
    charset: Charset,
}

impl PyRewriter {
    pub(crate) fn new(finder: &Finder) -> PyRewriter {
        let scanner = finder.scanner();
        let sink = Counting::new(finder);
        PyRewriter { charset: scanner.charset().0, scanner: Some(scanner), sink }
    }

    fn written<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &std::mem::take(self.sink.rewriter.get_mut()))
    }
}

#[pymethods]
impl PyRewriter {
    /// Rewrites the next bytes of the stream. Returns what is settled.
    fn push<'py>(
        &mut self,
        py: Python<'py>,
        data: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let data = Data::bytes_of(data, "bytes or another bytes-like object")?;
        let bytes = data.bytes(py);
        let scanner = self.scanner.as_mut().ok_or_else(finished)?;
        let sink = &mut self.sink;
        run(py, bytes.len(), || scanner.push(bytes, sink))?;
        self.charset = scanner.charset().0;
        Ok(self.written(py))
    }

    /// Decides the charset by the bytes that have come, if it is not decided. Returns what was held back for
    /// that. For the end of a line of a stream that someone waits for, such as a log that grows.
    fn flush<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let scanner = self.scanner.as_mut().ok_or_else(finished)?;
        let sink = &mut self.sink;
        run(py, scanner.held(), || scanner.flush(sink))?;
        self.charset = scanner.charset().0;
        Ok(self.written(py))
    }

    /// Ends the stream. Returns the rest of it.
    fn finish<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let scanner = self.scanner.take().ok_or_else(finished)?;
        let sink = &mut self.sink;
        self.charset = run(py, scanner.held(), || scanner.finish(sink))?.charset;
        Ok(self.written(py))
    }

    /// Links found so far.
    #[getter]
    fn links(&self) -> u64 {
        self.sink.links
    }

    /// Links replaced so far.
    #[getter]
    fn changed(&self) -> u64 {
        self.sink.rewriter.changed()
    }

    /// Links so far that stay because they have no URI form, or lack a field that the template
    /// needs, or because the new text cannot be in their place.
    #[getter]
    fn unconvertible(&self) -> u64 {
        self.sink.rewriter.unconvertible()
    }

    /// Characters so far that are written as '?', because the charset has neither them nor has the
    /// format an escape.
    #[getter]
    fn lost(&self) -> u64 {
        self.sink.rewriter.lost()
    }

    /// With to='iri': links that were written in UTF-8 before the charset was known. If the document is
    /// in another one, they are wrong: give the charset.
    #[getter]
    fn early(&self) -> u64 {
        self.sink.rewriter.before_charset()
    }

    /// The charset of the stream as far as it is known; it is final after `finish`.
    #[getter]
    fn charset(&self) -> &'static str {
        self.charset.name()
    }
}

/// A rewriter into memory that counts links.
pub(crate) struct Counting {
    pub(crate) rewriter: Rewriter<Vec<u8>>,
    pub(crate) links: u64,
}

impl Counting {
    pub(crate) fn new(finder: &Finder) -> Counting {
        Counting { rewriter: Rewriter::new(Vec::new(), finder), links: 0 }
    }
}

impl Sink for Counting {
    type Error = std::io::Error;

    fn charset(&mut self, charset: Charset, basis: iriscan::Basis) -> std::io::Result<()> {
        self.rewriter.charset(charset, basis)
    }

    fn text(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.rewriter.text(bytes)
    }

    fn matched(&mut self, link: &Match<'_>) -> std::io::Result<ControlFlow<()>> {
        self.links += 1;
        self.rewriter.matched(link)
    }

    fn finish(&mut self, summary: &Summary) -> std::io::Result<()> {
        self.rewriter.finish(summary)
    }
}
