//! Scans a document from its start to its end.

use std::{
    io::{self, Read},
    ops::ControlFlow,
    path::Path,
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use iriscan::{Basis, Charset, Finder, Match, Sink, Summary};

use super::open::Opened;
use crate::{
    args::scan::Pace,
    messages::{
        say,
        text::name,
        trouble::{Trouble, Unfinished, complain},
    },
};

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

/// Scans a document into `sink`, whose errors are those of standard output. It is flushed before each
/// read that may have to wait.
pub(crate) fn scan<S: Sink<Error = io::Error>>(
    finder: &Finder,
    path: &Path,
    opened: Opened,
    sink: &mut S,
    pace: Pace,
) -> Result<Reading, Trouble> {
    let (waits, unfinished) = (opened.waits(), opened.unfinished());
    let mut text = opened.into_document().into_text();
    let summary = match (waits, pace) {
        (false, Pace::Settled) => finder.scan(&mut text, &mut Patient { sink, waits }),
        _ => as_it_comes(finder, path, &mut text, sink, pace),
    };
    let summary = summary.map_err(Trouble::Output)?;
    Ok(Reading::new(path, summary, text.take_error(), unfinished))
}

/// How many bytes are read at once from what may have to wait.
const BLOCK: usize = 64 * 1024;

/// Scans what may have to wait for bytes.
fn as_it_comes<S: Sink<Error = io::Error>>(
    finder: &Finder,
    path: &Path,
    reader: &mut impl Read,
    sink: &mut S,
    pace: Pace,
) -> io::Result<Summary> {
    let mut scanner = finder.scanner();
    let mut block = vec![0; BLOCK];
    loop {
        sink.flush()?;
        let held = pace == Pace::Settled && scanner.pushed() > 0 && scanner.awaits_charset();
        let reminder = held.then(|| Reminder::new(path));
        let read = reader.read(&mut block);
        drop(reminder);
        let mut bytes = match read {
            Ok(0) => return scanner.finish(sink),
            Ok(n) => &block[..n],
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => {
                // The bytes before the error are not lost.
                scanner.finish(sink)?;
                return Err(e);
            }
        };
        while pace == Pace::Lines
            && scanner.charset().1 == Basis::Ascii
            && let Some(end) = memchr::memchr(b'\n', bytes)
        {
            let (line, rest) = bytes.split_at(end + 1);
            scanner.push(line, sink)?;
            scanner.flush(sink)?;
            bytes = rest;
        }
        scanner.push(bytes, sink)?;
        if scanner.is_stopped() {
            return scanner.finish(sink);
        }
    }
}

/// After a second without more bytes, says why nothing is written, once a run.
struct Reminder {
    _done: mpsc::Sender<()>,
}

impl Reminder {
    fn new(path: &Path) -> Reminder {
        static SAID: AtomicBool = AtomicBool::new(false);
        let (done, wait) = mpsc::channel();
        let name = name(path);
        // Where no thread can be had, nothing is said.
        let _ = thread::Builder::new().spawn(move || {
            let waited = wait.recv_timeout(Duration::from_secs(1));
            if waited == Err(mpsc::RecvTimeoutError::Timeout) && !SAID.swap(true, Ordering::Relaxed) {
                say(format_args!(
                    "{name}: waiting for more bytes, because up to 64 KiB decide on the charset; with \
                     --line-buffered each line decides when it ends, with --charset utf-8 nothing waits"
                ));
            }
        });
        Reminder { _done: done }
    }
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
