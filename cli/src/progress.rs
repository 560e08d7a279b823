//! Progress of long work, on standard error.
//!
//! Knows how much was read, and a line of a terminal. Invariant: nothing is written
//! unless standard error is a terminal and standard output is none, so neither a log
//! nor what is shown is disturbed; and the line is gone before anything else is said.

use std::{
    fmt::Write as _,
    io::{self, IsTerminal, Read, Write},
    path::Path,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use crate::show;

/// Work that is over sooner says nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// From one line to the next.
const PACE: Duration = Duration::from_millis(200);

/// Bytes of inputs, and inputs begun.
static BYTES: AtomicU64 = AtomicU64::new(0);
static FILES: AtomicU64 = AtomicU64::new(0);

/// Nothing more is shown.
static OVER: AtomicBool = AtomicBool::new(false);

/// Whether a line stands there.
static LINE: Mutex<bool> = Mutex::new(false);

/// How far one input was read, by however many readers: threads whose pieces overlap, or a
/// file that is read a second time to be rewritten. Each of its bytes counts once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meter(Arc<Far>);

#[derive(Debug, Default)]
struct Far {
    /// The end of what was read.
    end: AtomicU64,
    begun: AtomicBool,
}

impl Meter {
    /// The input was opened. It counts as one, however often it is.
    pub(crate) fn begin(&self) {
        if !self.0.begun.swap(true, Ordering::Relaxed) {
            FILES.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// The input was read up to byte `end`.
    pub(crate) fn reached(&self, end: u64) {
        let before = self.0.end.fetch_max(end, Ordering::Relaxed);
        BYTES.fetch_add(end.saturating_sub(before), Ordering::Relaxed);
    }

    /// The end of what was read.
    #[cfg(test)]
    pub(crate) fn end(&self) -> u64 {
        self.0.end.load(Ordering::Relaxed)
    }
}

/// A reader of an input from its start, whose bytes count.
#[derive(Debug)]
pub(crate) struct Counted<R> {
    reader: R,
    at: u64,
    meter: Meter,
}

impl<R> Counted<R> {
    pub(crate) fn new(reader: R, meter: &Meter) -> Counted<R> {
        Counted { reader, at: 0, meter: meter.clone() }
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.reader.read(buffer)?;
        self.at += n as u64;
        self.meter.reached(self.at);
        Ok(n)
    }
}

/// Begins to show progress, if there is somebody to see it and `wanted`. Colours are
/// another matter: `NO_COLOR` means nothing here, `TERM=dumb` does.
pub(crate) fn start<'p>(wanted: bool, paths: impl IntoIterator<Item = &'p Path>) {
    if !wanted || show::is_dumb() || !io::stderr().is_terminal() || io::stdout().is_terminal() {
        return;
    }
    let begun = Instant::now();
    let total = total(paths);
    // Ends with the program.
    let _ = thread::Builder::new().name("progress".into()).spawn(move || {
        thread::sleep(PATIENCE);
        loop {
            let bytes = BYTES.load(Ordering::Relaxed);
            let text = line(bytes, FILES.load(Ordering::Relaxed), total, begun.elapsed());
            let mut there = LINE.lock().unwrap_or_else(PoisonError::into_inner);
            if OVER.load(Ordering::Relaxed) {
                return;
            }
            *there = io::stderr().write_all(format!("\r{text}\x1b[K").as_bytes()).is_ok();
            drop(there);
            thread::sleep(PACE);
        }
    });
}

/// How many bytes there will be and of how many inputs, if all are files.
fn total<'p>(paths: impl IntoIterator<Item = &'p Path>) -> Option<(u64, u64)> {
    let mut all = (0, 0);
    for path in paths {
        let about = path.metadata().ok().filter(|about| about.is_file())?;
        all = (all.0 + about.len(), all.1 + 1);
    }
    Some(all)
}

/// Calls `say` with the line out of the way.
pub(crate) fn aside<T>(say: impl FnOnce() -> T) -> T {
    let mut there = LINE.lock().unwrap_or_else(PoisonError::into_inner);
    if std::mem::take(&mut *there) {
        let _ = io::stderr().write_all(b"\r\x1b[K");
    }
    say()
}

/// Takes the line away, for good: the work is over.
pub(crate) fn clear() {
    OVER.store(true, Ordering::Relaxed);
    aside(|| ());
}

/// What is shown: short enough for a narrow terminal. A file that has grown makes a total
/// that is too small, which is left out.
fn line(bytes: u64, files: u64, total: Option<(u64, u64)>, time: Duration) -> String {
    let rate = u128::from(bytes) * 1000 / time.as_millis().max(1);
    let mut line = size(bytes.into());
    if let Some((all, _)) = total.filter(|(all, _)| *all >= bytes) {
        let _ = write!(line, " of {}", size(all.into()));
    }
    let _ = write!(line, ", {}/s", size(rate));
    match total {
        Some((_, many @ 2..)) => {
            let _ = write!(line, ", file {} of {many}", files.min(many));
        }
        None if files > 1 => {
            let _ = write!(line, ", {files} files");
        }
        _ => {}
    }
    if let Some((all, _)) = total.filter(|(all, _)| *all > bytes && bytes > 0) {
        let left = u128::from(all - bytes).div_ceil(rate.max(1));
        let _ = write!(line, ", {}:{:02} left", left / 60, left % 60);
    }
    line
}

/// Three or four digits and a unit. Of whole numbers: nothing else here writes fractions,
/// and what writes them is 25 KB.
fn size(bytes: u128) -> String {
    let mut unit = 1;
    for name in ["B", "KiB", "MiB", "GiB"] {
        if bytes < 1000 * unit {
            return match unit > 1 && bytes < 10 * unit {
                true => tenths(bytes, unit) + " " + name,
                false => format!("{} {name}", (bytes + unit / 2) / unit),
            };
        }
        unit *= 1024;
    }
    tenths(bytes, unit) + " TiB"
}

fn tenths(bytes: u128, unit: u128) -> String {
    let tenths = (10 * bytes + unit / 2) / unit;
    format!("{}.{}", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_is_known() {
        let after = |seconds| Duration::from_secs(seconds);
        let mib = |n: u64| n * 1024 * 1024;
        assert_eq!(line(mib(50), 1, None, after(2)), "50 MiB, 25 MiB/s");
        assert_eq!(line(mib(50), 3, None, after(2)), "50 MiB, 25 MiB/s, 3 files");
        assert_eq!(
            line(mib(50), 3, Some((mib(2500), 7)), after(2)),
            "50 MiB of 2.4 GiB, 25 MiB/s, file 3 of 7, 1:38 left"
        );
        // The file grew.
        assert_eq!(line(mib(50), 1, Some((mib(40), 1)), after(2)), "50 MiB, 25 MiB/s");
        assert_eq!(line(0, 0, Some((5, 1)), after(1)), "0 B of 5 B, 0 B/s");
    }

    #[test]
    fn each_byte_of_an_input_counts_once() {
        let meter = Meter::default();
        let mut first = Counted::new(&[0; 100][..], &meter);
        io::copy(&mut first.by_ref().take(70), &mut io::sink()).expect("no error");
        assert_eq!(meter.end(), 70);
        // Read again, it adds what is new.
        io::copy(&mut Counted::new(&[0; 100][..], &meter), &mut io::sink()).expect("no error");
        io::copy(&mut first, &mut io::sink()).expect("no error");
        meter.reached(90);
        assert_eq!(meter.end(), 100);
    }

    #[test]
    fn sizes_are_short() {
        for (bytes, text) in
            [(0, "0 B"), (999, "999 B"), (1000, "1.0 KiB"), (10u128.pow(18), "909494.7 TiB")]
        {
            assert_eq!(size(bytes), text);
        }
    }
}
