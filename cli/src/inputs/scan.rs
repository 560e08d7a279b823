//! Scans a document from its start to its end.

use std::{io, path::Path};

use iriscan::{Finder, Sink, Summary};

use super::open::Opened;
use crate::messages::trouble::{Trouble, complain};

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
    pub(crate) fn new(path: &Path, summary: Summary, trouble: Option<io::Error>) -> Reading {
        let Some(e) = trouble else { return Reading::Whole(summary) };
        complain(path, &e);
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

/// Scans a document into `sink`, whose errors are those of standard output. `before_wait` is
/// called before each read that may have to wait.
pub(crate) fn scan<S: Sink<Error = io::Error>>(
    finder: &Finder,
    path: &Path,
    opened: Opened,
    sink: &mut S,
    mut before_wait: impl FnMut(&mut S) -> io::Result<()>,
) -> Result<Reading, Trouble> {
    let Opened { mut source, waits, .. } = opened;
    let before_read = |sink: &mut S| if waits { before_wait(sink) } else { Ok(()) };
    let summary = finder.scan(&mut source, sink, before_read).map_err(Trouble::Output)?;
    Ok(Reading::new(path, summary, source.trouble))
}
