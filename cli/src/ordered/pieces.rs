//! One large file on several threads: it is cut at boundaries that no link can cross, the
//! pieces are scanned side by side, and their results are put together in order.
//!
//! In go a file and a function that makes the sink of a piece; out come the sinks, in order.
//! What must hold: the results are those of one scanner over the whole file.
//!
//! ```text
//! alone     one thread scans, until the charset is known and the file can be cut
//! together  all threads scan pieces of about 96 KiB, until a piece shows that it cannot be
//!           scanned on its own: no boundary is near, or the charset changes
//! alone     and so on, to the end
//! ```

use std::{
    fs::File,
    io,
    path::Path,
    sync::{Arc, Mutex},
    thread,
};

use iriscan::{Basis, Finder, Scanner, Sink, Summary};
use iriscan_documents::Content;

use super::{
    POISONED,
    sequence::{Sequence, Step},
};
use crate::{
    inputs::{
        open::{AllCores, Opened},
        scan::Reading,
    },
    messages::{
        progress::Meter,
        trouble::{Trouble, Unfinished},
    },
};

/// The bytes of a piece.
const PIECE: u64 = 96 << 10;

/// The first size of a buffer: a piece, and the bytes in which the next cut is searched. A
/// buffer that grows leaves holes in the heap; from 128 KiB on, the allocator maps memory for
/// it alone.
const ROOM: usize = 136 << 10;

/// The bytes before a piece that are read too, because they decide whether the file can be
/// cut there. A multiple of the size of any code unit.
const BEFORE: u64 = 64;

/// How far a boundary is searched after the end of a piece: pages have scripts of such a
/// length. Text without any boundary, such as a list of links, is scanned by one thread, which
/// needs less memory.
const FAR: u64 = 256 << 10;

/// How far that one thread searches for a boundary, in each block.
const NEAR: usize = 16 << 10;

/// The most threads that share a file.
const JOBS_MAX: usize = 64;

/// Shorter files are not worth more threads.
const LEAST: u64 = 1 << 20;

/// The summary of a scan, and the error that ended it.
type Scanned = (Summary, Option<io::Error>);

/// Takes the results out of the sink of a piece: at its end and, while one thread scans
/// alone, in between.
pub(crate) type Pour<'p, P> = dyn FnMut(&mut P, Extent) -> io::Result<()> + 'p;

/// How much of a piece has been scanned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extent {
    Whole,
    Part,
}

/// A file that is scanned by several threads.
pub(crate) struct SharedFile {
    file: Arc<File>,
    jobs: usize,
    meter: Meter,
    unfinished: Unfinished,
    _cores: AllCores,
}

impl SharedFile {
    /// The file of the input, if more than one thread should scan it: it is large, and no other
    /// file is scanned this way.
    pub(crate) fn of(opened: &Opened, jobs: usize) -> Option<SharedFile> {
        let document = matches!(opened.content(), Content::Document(_));
        let (file, _) = opened.plain_file().filter(|(_, len)| *len >= LEAST)?;
        if jobs <= 1 || !document {
            return None;
        }
        Some(SharedFile {
            file: Arc::clone(file),
            jobs,
            meter: opened.meter().clone(),
            unfinished: opened.unfinished(),
            _cores: opened.take_cores()?,
        })
    }

    /// Scans the file. `make` gives the sink of a piece, and `pour` takes the results out of the
    /// sinks in the order of the file; its errors end the scan.
    pub(crate) fn scan<P: Sink<Error = io::Error> + Send>(
        self,
        finder: &Finder,
        path: &Path,
        make: &(dyn Fn() -> P + Sync),
        pour: &mut Pour<'_, P>,
    ) -> Result<Reading, Trouble> {
        let (summary, trouble) = scan(finder, &self.file, &self.meter, self.jobs, make, pour)
            .map_err(Trouble::Output)?;
        Ok(Reading::new(path, summary, trouble, self.unfinished))
    }
}

/// Scans `file` on up to `jobs` threads; see [`SharedFile::scan`].
fn scan<P: Sink<Error = io::Error> + Send>(
    finder: &Finder,
    file: &File,
    meter: &Meter,
    jobs: usize,
    make: &(dyn Fn() -> P + Sync),
    pour: &mut Pour<'_, P>,
) -> io::Result<Scanned> {
    let jobs = jobs.min(JOBS_MAX);
    let mut total: Option<Summary> = None;
    let mut add = |summary: Summary| match &mut total {
        None => total = Some(summary),
        Some(total) => {
            total.bytes += summary.bytes;
            total.links += summary.links;
            total.overlong += summary.overlong;
            total.stopped |= summary.stopped;
            if total.basis == Basis::Ascii {
                (total.charset, total.basis) = (summary.charset, summary.basis);
            }
        }
    };
    let work = Scan { finder, file, meter, make };
    let (mut at, mut scanner, mut block) = (0, finder.scanner(), buffer());
    let trouble = loop {
        let (mut done, cut, trouble) = work.alone(at, scanner, &mut block, pour)?;
        add(done.summary);
        pour(&mut done.sink, Extent::Whole)?;
        if done.summary.stopped {
            break trouble;
        }
        match (cut, trouble) {
            (Some((cut, rest)), None) => (at, scanner) = (cut, rest),
            (_, trouble) => break trouble,
        }
        let mut take = |mut done: Piece<P>| {
            add(done.summary);
            pour(&mut done.sink, Extent::Whole)
        };
        match work.together(at, &scanner, jobs, &mut block, &mut take)? {
            After::Alone(from) => (at, scanner) = (from, scanner.rest(from)),
            After::End => break None,
            After::Failed(e) => break Some(e),
        }
    };
    let total = total.expect("a scan should have begun with a stretch");
    Ok((total, trouble))
}

/// Buffers to be filled again after they were written, because making a new one costs more
/// than filling it.
#[derive(Debug, Default)]
pub(crate) struct Buffers(Mutex<Vec<Vec<u8>>>);

impl Buffers {
    /// An empty buffer.
    pub(crate) fn take(&self) -> Vec<u8> {
        self.0.lock().expect(POISONED).pop().unwrap_or_else(buffer)
    }

    pub(crate) fn put(&self, mut buffer: Vec<u8>) {
        buffer.clear();
        self.0.lock().expect(POISONED).push(buffer);
    }
}

/// What all threads use.
struct Scan<'w, P> {
    finder: &'w Finder,
    file: &'w File,
    meter: &'w Meter,
    make: &'w (dyn Fn() -> P + Sync),
}

/// A piece of the file that was scanned.
struct Piece<P> {
    sink: P,
    summary: Summary,
    /// True if the file ends with it, or the sink stopped the scan.
    last: bool,
}

/// A boundary that the file was cut at, and a scanner for the bytes after it.
type Cut = (u64, Scanner);

/// How the scan goes on after pieces were scanned side by side.
enum After {
    /// One thread has to go on alone from this byte: the charset became known, no boundary is
    /// near, or the scanner is in a state that goes over the boundary.
    Alone(u64),
    /// The file has ended.
    End,
    /// It could not be read on.
    Failed(io::Error),
}

impl<P: Sink<Error = io::Error> + Send> Scan<'_, P> {
    /// Scans from `at` on, block by block, until the file can be cut, and hands on the results
    /// of each block. Returns the last sink, the cut if the file has not ended, and the error
    /// that ended it.
    fn alone(
        &self,
        mut at: u64,
        mut scanner: Scanner,
        block: &mut Vec<u8>,
        pour: &mut Pour<'_, P>,
    ) -> io::Result<(Piece<P>, Option<Cut>, Option<io::Error>)> {
        let (mut sink, first) = ((self.make)(), at);
        loop {
            let from = before(at);
            let to = (at / PIECE + 1) * PIECE;
            let trouble = self.read(from, to, block).err();
            let mut start = block.len().min((at - from) as usize);
            let known = at > first && !scanner.awaits_charset();
            let boundary = match scanner.charset().0 {
                charset if known => {
                    let near = &block[..block.len().min(start + NEAR)];
                    self.finder.boundary(near, charset, start + 1)
                }
                _ => None,
            };
            let mut cut = None;
            if let Some(boundary) = boundary {
                scanner.push(&block[start..boundary], &mut sink)?;
                start = boundary;
                let at = from + boundary as u64;
                cut = scanner.is_at_boundary().then(|| (at, scanner.rest(at)));
            }
            if cut.is_none() {
                scanner.push(&block[start..], &mut sink)?;
                at = from + block.len() as u64;
            }
            if cut.is_some() || at < to || scanner.is_stopped() {
                let summary = scanner.finish(&mut sink)?;
                let last = cut.is_none();
                return Ok((Piece { sink, summary, last }, cut, trouble));
            }
            pour(&mut sink, Extent::Part)?;
        }
    }

    /// Scans from the cut at `start` on, on `jobs` threads, and gives the pieces to `take` in
    /// order. `scanner` has come to the cut. This thread is one of the threads, and uses the
    /// block `own`.
    fn together(
        &self,
        start: u64,
        scanner: &Scanner,
        jobs: usize,
        own: &mut Vec<u8>,
        take: &mut dyn FnMut(Piece<P>) -> io::Result<()>,
    ) -> io::Result<After> {
        let sequence = Sequence::new(jobs + 2);
        thread::scope(|scope| {
            for _ in 1..jobs {
                scope.spawn(|| {
                    let mut block = buffer();
                    while let Some(i) = sequence.begin() {
                        sequence.put(i, self.piece(start, i as u64, scanner, &mut block));
                    }
                });
            }
            // This thread takes the pieces in order, and scans while the next one is not done.
            let after = loop {
                match sequence.next_step() {
                    Step::Begin(i) => sequence.put(i, self.piece(start, i as u64, scanner, own)),
                    Step::Take(Ok(done)) => {
                        let last = done.last;
                        match take(done) {
                            Ok(()) if last => break Ok(After::End),
                            Ok(()) => sequence.advance_only(),
                            Err(e) => break Err(e),
                        }
                    }
                    Step::Take(Err(after)) => break Ok(after),
                }
            };
            sequence.stop();
            after
        })
    }

    /// Scans the piece `i` of those after `start`.
    fn piece(
        &self,
        start: u64,
        i: u64,
        scanner: &Scanner,
        block: &mut Vec<u8>,
    ) -> Result<Piece<P>, After> {
        let (charset, basis) = scanner.charset();
        let nominal = |i: u64| (start / PIECE + i) * PIECE;
        let from = if i == 0 { before(start) } else { nominal(i) - BEFORE };
        let mut far = BEFORE;
        let (head, cut) = loop {
            let to = nominal(i + 1) + far;
            self.read(from, to, block).map_err(After::Failed)?;
            let ends = from + (block.len() as u64) < to;
            let boundary = |at: u64| {
                let at = usize::try_from(at - from).unwrap_or(usize::MAX);
                // The last piece goes up to the end of the file, however far that is.
                let end = if ends {
                    block.len()
                } else {
                    block.len().min(at.saturating_add(far as usize))
                };
                self.finder.boundary(&block[..end], charset, at).map(|i| from + i as u64)
            };
            let head = if i == 0 { Some(start) } else { boundary(nominal(i)) };
            match (head, boundary(nominal(i + 1))) {
                (Some(head), Some(cut)) => break (head, Some(cut)),
                (Some(head), None) if ends => break (head, None),
                // These bytes belong to the piece before, which is the last one.
                (None, _) if ends => return Err(After::End),
                _ if far < FAR => far *= 8,
                (head, _) => return Err(After::Alone(head.unwrap_or(u64::MAX))),
            }
        };
        let end = cut.map_or(block.len(), |cut| (cut - from) as usize);
        let (mut sink, mut scanner) = ((self.make)(), scanner.rest(head));
        let piece = &block[(head - from) as usize..end];
        scanner.push(piece, &mut sink).map_err(After::Failed)?;
        let divides = cut.is_none() || scanner.is_at_boundary();
        let summary = scanner.finish(&mut sink).map_err(After::Failed)?;
        if summary.stopped {
            return Ok(Piece { sink, summary, last: true });
        }
        // A charset that shows in this piece holds for all that follows.
        if !divides || basis == Basis::Ascii && summary.basis != Basis::Ascii {
            return Err(After::Alone(head));
        }
        Ok(Piece { sink, summary, last: cut.is_none() })
    }

    /// Fills `block` with the bytes from `from` to `to`, or to the end of the file.
    fn read(&self, from: u64, to: u64, block: &mut Vec<u8>) -> io::Result<()> {
        let room = (to - from) as usize;
        block.reserve_exact(room.saturating_sub(block.len()));
        block.resize(room, 0);
        let mut len = 0;
        let result = loop {
            if len == block.len() {
                break Ok(());
            }
            match read_at(self.file, &mut block[len..], from + len as u64) {
                Ok(0) => break Ok(()),
                Ok(n) => {
                    len += n;
                    self.meter.reached(from + len as u64);
                }
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => break Err(e),
            }
        };
        block.truncate(len);
        result
    }
}

/// An empty buffer, for the bytes or the results of a piece.
fn buffer() -> Vec<u8> {
    Vec::with_capacity(ROOM)
}

/// The byte to read from, so that [`Finder::boundary`] sees enough bytes before `at`.
fn before(at: u64) -> u64 {
    at.saturating_sub(BEFORE) / BEFORE * BEFORE
}

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, bytes, at)
}

#[cfg(windows)]
fn read_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, bytes, at)
}

#[cfg(test)]
mod tests {
    use std::{io::Write as _, ops::ControlFlow};

    use iriscan::{Charset, Config, Match};

    use super::*;

    /// The number of bytes that the sink was given and nobody has taken.
    #[derive(Default)]
    struct Held(usize);

    impl Sink for Held {
        type Error = io::Error;

        fn text(&mut self, bytes: &[u8]) -> io::Result<()> {
            self.0 += bytes.len();
            Ok(())
        }

        fn matched(&mut self, link: &Match<'_>) -> io::Result<ControlFlow<()>> {
            self.text(link.source()).map(ControlFlow::Continue)
        }
    }

    /// A file that cannot be cut, or has a charset with a state, is not held in memory either.
    #[test]
    fn one_thread_holds_no_more_than_a_block() {
        let solid = "http://a.example/x,".repeat(1 << 16);
        let shifted = "\x1B$BF|K\\\x1B(B http://e.org/ ".repeat(1 << 16);
        for (text, charset) in [(solid, Charset::UTF_8), (shifted, Charset::ISO_2022_JP)] {
            let mut file = tempfile::tempfile().expect("there should be room");
            file.write_all(text.as_bytes()).expect("there should be room");
            let finder = Config::new().charset(charset).build().expect("that is valid");
            let (mut most, mut all) = (0, 0);
            let pour = &mut |held: &mut Held, _: Extent| {
                most = most.max(held.0);
                all += std::mem::take(&mut held.0);
                Ok(())
            };
            let meter = Meter::default();
            let (summary, trouble) = scan(&finder, &file, &meter, 3, &Held::default, pour).unwrap();
            assert!(trouble.is_none());
            // Also if some bytes were read twice.
            assert_eq!(meter.end(), text.len() as u64);
            assert_eq!((summary.bytes, all), (text.len() as u64, text.len()));
            assert!(most as u64 <= 4 * PIECE, "{charset}: {most} bytes held");
        }
    }
}
