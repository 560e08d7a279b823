//! A line on standard error that shows the progress of long work.
//!
//! In goes the number of bytes that were read, and a count of all inputs, which may take a while; out comes one
//! line, rewritten five times a second, with the count once that is known. What must hold: the line is written only if standard error is a terminal and
//! standard output is not, so that no log and no result is disturbed; and the line is removed
//! before any other message is written.

use std::{
    fmt::Write as _,
    io::{self, IsTerminal, Read, Write},
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use super::terminal;

/// No line is shown for work that ends before this time.
const PATIENCE: Duration = Duration::from_secs(1);

/// The time between two updates of the line.
const PACE: Duration = Duration::from_millis(200);

/// Bytes read of all inputs, and inputs opened.
static BYTES: AtomicU64 = AtomicU64::new(0);
static FILES: AtomicU64 = AtomicU64::new(0);

/// Bytes of inputs that were not read to their end, such as binary files of a folder.
static LEFT_OUT: AtomicU64 = AtomicU64::new(0);

/// The sum of the sizes of all inputs, and their number.
pub(crate) type Total = (u64, u64);

/// The work has ended: the line is not written again.
static OVER: AtomicBool = AtomicBool::new(false);

/// True while the line is on the terminal.
static LINE: Mutex<bool> = Mutex::new(false);

/// How far one input was read. Several readers share it: threads that read overlapping
/// pieces, or the two scans of `rewrite -i`. Each byte of the input counts once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meter(Arc<Far>);

#[derive(Debug, Default)]
struct Far {
    /// The first byte that was not read yet.
    end: AtomicU64,
    begun: AtomicBool,
    /// The size of the input; 0 if it is not known.
    len: AtomicU64,
}

impl Drop for Far {
    /// Nobody reads the input any more.
    fn drop(&mut self) {
        let rest = self.len.get_mut().saturating_sub(*self.end.get_mut());
        LEFT_OUT.fetch_add(rest, Ordering::Relaxed);
    }
}

impl Meter {
    /// The input was opened, or is left out, and has `len` bytes if that is known. It counts once, even if it is
    /// opened again.
    pub(crate) fn begin(&self, len: Option<u64>) {
        self.0.len.store(len.unwrap_or_default(), Ordering::Relaxed);
        if !self.0.begun.swap(true, Ordering::Relaxed) {
            FILES.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// The input was read up to byte `end`.
    pub(crate) fn reached(&self, end: u64) {
        let before = self.0.end.fetch_max(end, Ordering::Relaxed);
        BYTES.fetch_add(end.saturating_sub(before), Ordering::Relaxed);
    }

    /// The first byte that was not read yet.
    #[cfg(test)]
    pub(crate) fn end(&self) -> u64 {
        self.0.end.load(Ordering::Relaxed)
    }
}

/// Reads an input from its start and reports each read to the meter.
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

/// Starts the progress line if it is `wanted` and standard error is a terminal that can
/// show it. `NO_COLOR` does not matter here, because the line has no colours. `count` is called on a thread of its
/// own once the line is shown; it returns `None` if the inputs are known only when they are read.
pub(crate) fn start(wanted: bool, count: impl FnOnce() -> Option<Total> + Send + 'static) {
    static TOTAL: OnceLock<Total> = OnceLock::new();

    if !wanted || terminal::is_dumb() || !io::stderr().is_terminal() || io::stdout().is_terminal() {
        return;
    }
    let begun = Instant::now();
    // The threads end with the program.
    let _ = thread::Builder::new().name("progress".into()).spawn(move || {
        thread::sleep(PATIENCE);
        let _ = thread::Builder::new()
            .name("count".into())
            .spawn(move || count().map(|all| TOTAL.set(all)));
        loop {
            let bytes = BYTES.load(Ordering::Relaxed);
            let left_out = LEFT_OUT.load(Ordering::Relaxed);
            let total = TOTAL.get().map(|(all, many)| (all.saturating_sub(left_out), *many));
            let text = line(bytes, FILES.load(Ordering::Relaxed), total, begun.elapsed());
            let mut shown = LINE.lock().unwrap_or_else(PoisonError::into_inner);
            if OVER.load(Ordering::Relaxed) {
                return;
            }
            *shown = io::stderr().write_all(format!("\r{text}\x1b[K").as_bytes()).is_ok();
            drop(shown);
            thread::sleep(PACE);
        }
    });
}

/// Removes the line from the terminal, then calls `say`.
pub(crate) fn aside<T>(say: impl FnOnce() -> T) -> T {
    let mut shown = LINE.lock().unwrap_or_else(PoisonError::into_inner);
    if std::mem::take(&mut *shown) {
        let _ = io::stderr().write_all(b"\r\x1b[K");
    }
    say()
}

/// Removes the line for good, because the work has ended.
pub(crate) fn clear() {
    OVER.store(true, Ordering::Relaxed);
    aside(|| ());
}

/// The text of the line, short enough for a narrow terminal. If files have grown, the total
/// is less than what was read, and is left out.
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

/// A size with three or four digits and a unit. Computed with integers, because printing
/// floats would add 25 KB to the program.
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
        // A second reader adds only the bytes that are new.
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
