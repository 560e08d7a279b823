//! Scans a document from its start to its end.

use std::{
    io::{self, Seek, SeekFrom},
    ops::ControlFlow,
    path::Path,
};

use iriscan::{Basis, Charset, Finder, Match, Sink, Summary};

use super::open::Opened;
use crate::messages::trouble::{Trouble, Unfinished, complain};

/// How far an input was read.
#[derive(Debug)]
pub(crate) enum Reading {
    /// To its end.
    Whole(Summary),
    /// Up to an error, of which the user was told.
    Partly(Summary),
    /// Not a byte of it, because of an error of which the user was told.
    Nothing,
}

impl Reading {
    /// The reading that gave `summary` and ended with `trouble`. Tells the user of that.
    pub(crate) fn new(
        path: &Path,
        summary: Summary,
        trouble: Option<io::Error>,
        unfinished: Unfinished,
    ) -> Reading {
        let Some(e) = trouble else { return Reading::Whole(summary) };
        complain(path, &e, unfinished);
        if summary.bytes > 0 { Reading::Partly(summary) } else { Reading::Nothing }
    }

    /// The summary of the bytes that were read.
    pub(crate) fn summary(&self) -> Option<&Summary> {
        match self {
            Reading::Whole(summary) | Reading::Partly(summary) => Some(summary),
            Reading::Nothing => None,
        }
    }

    /// The number of links that were too long.
    pub(crate) fn overlong(&self) -> u64 {
        self.summary().map_or(0, |summary| summary.overlong)
    }

    /// True if the input was read to its end.
    pub(crate) fn is_whole(&self) -> bool {
        matches!(self, Reading::Whole(_))
    }
}

/// Returns the charset of a document in a regular file, and how it is known; `None` for others, and
/// if it cannot be read, which is told when it is.
pub(crate) fn charset_of(finder: &Finder, opened: &Opened) -> Option<(Charset, Basis)> {
    let (file, _) = opened.plain_file()?;
    let mut file = &**file;
    let at = file.stream_position().ok()?;
    let mut sink = Decided(None);
    let scanned = file.rewind().and_then(|()| finder.scan(file, &mut sink));
    file.seek(SeekFrom::Start(at)).ok()?;
    match scanned {
        Ok(summary) => Some((summary.charset, summary.basis)),
        Err(_) => sink.0,
    }
}

/// Ends a scan as soon as the charset is decided.
struct Decided(Option<(Charset, Basis)>);

impl Sink for Decided {
    type Error = io::Error;

    fn charset(&mut self, charset: Charset, basis: Basis) -> io::Result<()> {
        self.0 = Some((charset, basis));
        Err(io::ErrorKind::Other.into())
    }

    fn text(&mut self, _: &[u8]) -> io::Result<()> {
        Ok(())
    }

    fn matched(&mut self, _: &Match<'_>) -> io::Result<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }
}

/// Scans a document into `sink`, whose errors are those of standard output. It is flushed before each
/// read that may have to wait.
pub(crate) fn scan<S: Sink<Error = io::Error>>(
    finder: &Finder,
    path: &Path,
    opened: Opened,
    sink: &mut S,
) -> Result<Reading, Trouble> {
    let Opened { mut source, waits, unfinished, .. } = opened;
    let summary =
        finder.scan(&mut source, &mut Patient { sink, waits }).map_err(Trouble::Output)?;
    Ok(Reading::new(path, summary, source.trouble, unfinished))
}

/// A sink that is flushed only if a read may have to wait.
struct Patient<'s, S> {
    sink: &'s mut S,
    waits: bool,
}

impl<S: Sink> Sink for Patient<'_, S> {
    type Error = S::Error;

    fn charset(&mut self, charset: Charset, basis: Basis) -> Result<(), S::Error> {
        self.sink.charset(charset, basis)
    }

    fn text(&mut self, bytes: &[u8]) -> Result<(), S::Error> {
        self.sink.text(bytes)
    }

    fn matched(&mut self, link: &Match<'_>) -> Result<ControlFlow<()>, S::Error> {
        self.sink.matched(link)
    }

    fn flush(&mut self) -> Result<(), S::Error> {
        if self.waits { self.sink.flush() } else { Ok(()) }
    }

    fn finish(&mut self, summary: &Summary) -> Result<(), S::Error> {
        self.sink.finish(summary)
    }
}
