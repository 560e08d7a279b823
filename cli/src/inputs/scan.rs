//! Scans a document from its start to its end.

use std::{
    io::{self, Read},
    path::Path,
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use iriscan::{Basis, Finder, Scanner, Sink, Summary};

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

/// How many bytes are read at once.
const BLOCK: usize = 128 * 1024;

/// The same of a short file.
const LEAST: u64 = 4096;

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
    let len = opened.plain_file().map_or(u64::MAX, |(_, len)| len.saturating_add(1));
    let mut text = opened.into_document().into_text();
    let mut scanner = finder.scanner();
    let mut block = vec![0; len.clamp(LEAST, BLOCK as u64) as usize];
    while !scanner.is_stopped() {
        if waits {
            sink.flush().map_err(Trouble::Output)?;
        }
        let held = waits && pace == Pace::Settled && scanner.pushed() > 0;
        let reminder = (held && scanner.awaits_charset()).then(|| Reminder::new(path));
        let read = text.read(&mut block);
        drop(reminder);
        match read {
            Ok(0) => break,
            Ok(n) => push(&mut scanner, &block[..n], sink, pace).map_err(Trouble::Output)?,
            // It was interrupted. Any other error ends the text, which keeps it.
            Err(_) => {}
        }
    }
    let summary = scanner.finish(sink).map_err(Trouble::Output)?;
    Ok(Reading::new(path, summary, text.take_error(), unfinished))
}

/// Scans the next bytes. If lines are to be written when they end, the first ones decide on the charset.
fn push<S: Sink<Error = io::Error>>(
    scanner: &mut Scanner,
    mut bytes: &[u8],
    sink: &mut S,
    pace: Pace,
) -> io::Result<()> {
    while pace == Pace::Lines
        && scanner.charset().1 == Basis::Ascii
        && let Some(end) = memchr::memchr(b'\n', bytes)
    {
        let (line, rest) = bytes.split_at(end + 1);
        scanner.push(line, sink)?;
        scanner.flush(sink)?;
        bytes = rest;
    }
    scanner.push(bytes, sink)
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
