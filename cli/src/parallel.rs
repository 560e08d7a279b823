//! One large file on several cores: it is cut where nothing can go over, the
//! pieces are scanned side by side, and what they give is put together in order.
//!
//! Invariant: what is put out is what one scanner over all of it would put out.

use std::{
    fs::File,
    io,
    sync::{Condvar, Mutex, MutexGuard},
    thread,
};

use iriscan::{Basis, Finder, Scanner, Sink, Summary};

use crate::progress::Meter;

/// How much one thread takes at once.
const PIECE: u64 = 96 << 10;

/// What a buffer holds at first: a piece, and where the next cut is looked for. What
/// grows leaves holes, and from 128 KiB on the allocator maps memory of its own for it.
const ROOM: usize = 136 << 10;

/// What is read before a piece, to see whether it may be cut there. A multiple of
/// the bytes of any unit.
const BEFORE: u64 = 64;

/// How far a place to cut is looked for: pages have scripts of such a length. Text without
/// any, such as a list of links, is scanned by one thread, which holds less.
const FAR: u64 = 256 << 10;

/// How far that thread looks for one, in each block.
const NEAR: usize = 16 << 10;

/// The most threads that share a file.
const JOBS_MAX: usize = 64;

/// A file shorter than this is not worth it.
pub(crate) const LEAST: u64 = 1 << 20;

/// What a scan of a file gave, and what was wrong with reading it.
pub(crate) type Scanned = (Summary, Option<io::Error>);

/// Takes what the sink of a piece holds: now and then while one thread goes on, and
/// when it is over.
pub(crate) type Pour<'p, P> = dyn FnMut(&mut P, Over) -> io::Result<()> + 'p;

/// Whether all of a piece has been scanned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Over {
    Yes,
    No,
}

/// Scans `file` on up to `jobs` threads. `make` gives the sink of a piece, and
/// `pour` takes from them in the order of the file; its errors end the scan.
pub(crate) fn scan<P: Sink<Error = io::Error> + Send>(
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
            if total.basis == Basis::Ascii {
                (total.charset, total.basis) = (summary.charset, summary.basis);
            }
        }
    };
    let work = Work { finder, file, meter, make };
    let (mut at, mut scanner, mut block) = (0, finder.scanner(), buffer());
    let trouble = loop {
        // Alone, up to where the charset is known and the file may be cut.
        let (mut done, cut, trouble) = work.alone(at, scanner, &mut block, pour)?;
        add(done.summary);
        pour(&mut done.part, Over::Yes)?;
        match (cut, trouble) {
            (Some((cut, rest)), None) => (at, scanner) = (cut, rest),
            (_, trouble) => break trouble,
        }
        let mut take = |mut done: Done<P>| {
            add(done.summary);
            pour(&mut done.part, Over::Yes)
        };
        match work.together(at, &scanner, jobs, &mut block, &mut take)? {
            Next::From(from) => (at, scanner) = (from, scanner.rest(from)),
            Next::Over => break None,
            Next::Failed(e) => break Some(e),
        }
    };
    let total = total.expect("a scan should have begun with a stretch");
    Ok((total, trouble))
}

/// Buffers that were written, to be filled again: new ones cost more than what
/// goes into them.
#[derive(Debug, Default)]
pub(crate) struct Buffers(Mutex<Vec<Vec<u8>>>);

impl Buffers {
    /// An empty one.
    pub(crate) fn take(&self) -> Vec<u8> {
        self.0.lock().expect(POISONED).pop().unwrap_or_else(buffer)
    }

    pub(crate) fn put(&self, mut buffer: Vec<u8>) {
        buffer.clear();
        self.0.lock().expect(POISONED).push(buffer);
    }
}

/// What every thread shares.
struct Work<'w, P> {
    finder: &'w Finder,
    file: &'w File,
    meter: &'w Meter,
    make: &'w (dyn Fn() -> P + Sync),
}

/// A part of the file that was scanned.
struct Done<P> {
    part: P,
    summary: Summary,
    /// The file ends with it.
    last: bool,
}

/// A place that the file was cut at, and a scanner for what is behind.
type Cut = (u64, Scanner);

/// How it goes on behind the last piece that was taken.
enum Next {
    /// One thread has to look: the charset shows, or no place to cut is near, or what
    /// looked like one is none.
    From(u64),
    Over,
    Failed(io::Error),
}

impl<P: Sink<Error = io::Error> + Send> Work<'_, P> {
    /// Scans from `at` on, block by block, at least one; what they give does not
    /// wait for the others. With the cut that it came to, and a scanner for the rest.
    fn alone(
        &self,
        mut at: u64,
        mut scanner: Scanner,
        block: &mut Vec<u8>,
        pour: &mut Pour<'_, P>,
    ) -> io::Result<(Done<P>, Option<Cut>, Option<io::Error>)> {
        let (mut part, first) = ((self.make)(), at);
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
                scanner.push(&block[start..boundary], &mut part)?;
                start = boundary;
                let at = from + boundary as u64;
                cut = scanner.is_at_boundary().then(|| (at, scanner.rest(at)));
            }
            if cut.is_none() {
                scanner.push(&block[start..], &mut part)?;
                at = from + block.len() as u64;
            }
            if cut.is_some() || at < to {
                let summary = scanner.finish(&mut part)?;
                let last = cut.is_none();
                return Ok((Done { part, summary, last }, cut, trouble));
            }
            pour(&mut part, Over::No)?;
        }
    }

    /// Scans from the cut at `start` on, on `jobs` threads with this one, whose block is
    /// `own`, and hands what they give to `take`, in order. `scanner` has come there.
    fn together(
        &self,
        start: u64,
        scanner: &Scanner,
        jobs: usize,
        own: &mut Vec<u8>,
        take: &mut dyn FnMut(Done<P>) -> io::Result<()>,
    ) -> io::Result<Next> {
        let line = Line {
            state: Mutex::new(State {
                ahead: jobs + 2,
                begun: 0,
                taken: 0,
                waiting: 0,
                stop: false,
                done: Vec::new(),
            }),
            changed: Condvar::new(),
        };
        thread::scope(|scope| {
            for _ in 1..jobs {
                scope.spawn(|| {
                    let mut block = buffer();
                    while let Some(i) = line.begin() {
                        line.put(i, self.piece(start, i as u64, scanner, &mut block));
                    }
                });
            }
            // This thread takes what is done, and scans too while nothing is.
            let next = loop {
                match line.next() {
                    Turn::Begin(i) => line.put(i, self.piece(start, i as u64, scanner, own)),
                    Turn::Take(Ok(done)) => {
                        let over = done.last;
                        match take(done) {
                            Ok(()) if over => break Ok(Next::Over),
                            Ok(()) => line.took(),
                            Err(e) => break Err(e),
                        }
                    }
                    Turn::Take(Err(next)) => break Ok(next),
                }
            };
            line.stop();
            next
        })
    }

    /// Scans the piece `i` of those behind `start`.
    fn piece(
        &self,
        start: u64,
        i: u64,
        scanner: &Scanner,
        block: &mut Vec<u8>,
    ) -> Result<Done<P>, Next> {
        let (charset, basis) = scanner.charset();
        let nominal = |i: u64| (start / PIECE + i) * PIECE;
        let from = if i == 0 { before(start) } else { nominal(i) - BEFORE };
        let mut far = BEFORE;
        let (head, cut) = loop {
            let to = nominal(i + 1) + far;
            self.read(from, to, block).map_err(Next::Failed)?;
            let over = from + (block.len() as u64) < to;
            let boundary = |at: u64| {
                let at = usize::try_from(at - from).unwrap_or(usize::MAX);
                // The last piece ends where the file does, however far that is.
                let end = if over {
                    block.len()
                } else {
                    block.len().min(at.saturating_add(far as usize))
                };
                self.finder.boundary(&block[..end], charset, at).map(|i| from + i as u64)
            };
            let head = if i == 0 { Some(start) } else { boundary(nominal(i)) };
            match (head, boundary(nominal(i + 1))) {
                (Some(head), Some(cut)) => break (head, Some(cut)),
                (Some(head), None) if over => break (head, None),
                // It belongs to the piece before, which the file ends with.
                (None, _) if over => return Err(Next::Over),
                _ if far < FAR => far *= 8,
                (head, _) => return Err(Next::From(head.unwrap_or(u64::MAX))),
            }
        };
        let end = cut.map_or(block.len(), |cut| (cut - from) as usize);
        let (mut part, mut scanner) = ((self.make)(), scanner.rest(head));
        let piece = &block[(head - from) as usize..end];
        scanner.push(piece, &mut part).map_err(Next::Failed)?;
        let divides = cut.is_none() || scanner.is_at_boundary();
        let summary = scanner.finish(&mut part).map_err(Next::Failed)?;
        // What tells the charset tells it to all that follows.
        if !divides || basis == Basis::Ascii && summary.basis != Basis::Ascii {
            return Err(Next::From(head));
        }
        Ok(Done { part, summary, last: cut.is_none() })
    }

    /// Reads from `from` to `to`, or to the end of the file.
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

/// An empty buffer, for what is read or written of a piece.
fn buffer() -> Vec<u8> {
    Vec::with_capacity(ROOM)
}

/// Where to read from, so that [`Finder::boundary`] sees enough before `at`.
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

/// Pieces that are begun and done, on their way to who takes them in order.
struct Line<P> {
    state: Mutex<State<P>>,
    changed: Condvar,
}

struct State<P> {
    /// How many may be begun, with the one that is being taken.
    ahead: usize,
    begun: usize,
    taken: usize,
    /// How many threads wait for a change.
    waiting: usize,
    stop: bool,
    /// What waits for its turn: not more than may be begun.
    done: Vec<(usize, Result<Done<P>, Next>)>,
}

/// What the thread that takes the pieces does next.
enum Turn<P> {
    Begin(usize),
    Take(Result<Done<P>, Next>),
}

impl<P> State<P> {
    /// The next piece, if it is among the next `ahead`.
    fn begin(&mut self) -> Option<usize> {
        (self.begun < self.taken + self.ahead).then(|| {
            self.begun += 1;
            self.begun - 1
        })
    }
}

impl<P> Line<P> {
    /// Changes the state, and has those look that wait.
    fn change<T>(&self, by: impl FnOnce(&mut State<P>) -> T) {
        let mut state = self.lock();
        by(&mut state);
        let waiting = state.waiting > 0;
        drop(state);
        if waiting {
            self.changed.notify_all();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<P>> {
        self.state.lock().expect(POISONED)
    }

    fn wait<'l>(&self, mut state: MutexGuard<'l, State<P>>) -> MutexGuard<'l, State<P>> {
        state.waiting += 1;
        state = self.changed.wait(state).expect(POISONED);
        state.waiting -= 1;
        state
    }

    /// Waits for a piece that may be begun; none is, when no more is wanted.
    fn begin(&self) -> Option<usize> {
        let mut state = self.lock();
        loop {
            if state.stop {
                return None;
            }
            match state.begin() {
                None => state = self.wait(state),
                i => return i,
            }
        }
    }

    /// Waits for the next piece to be done, or for one that may be begun.
    fn next(&self) -> Turn<P> {
        let mut state = self.lock();
        loop {
            let taken = state.taken;
            if let Some(at) = state.done.iter().position(|(i, _)| *i == taken) {
                return Turn::Take(state.done.swap_remove(at).1);
            }
            match state.begin() {
                Some(i) => return Turn::Begin(i),
                None => state = self.wait(state),
            }
        }
    }

    fn put(&self, i: usize, done: Result<Done<P>, Next>) {
        self.change(|state| state.done.push((i, done)));
    }

    /// What [`Line::next`] gave was taken.
    fn took(&self) {
        self.change(|state| state.taken += 1);
    }

    fn stop(&self) {
        self.change(|state| state.stop = true);
    }
}

/// A thread panicked, which the program does not survive.
const POISONED: &str = "no thread should have panicked";

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use iriscan::{Charset, Config, Match};

    use super::*;

    /// What it was given and nobody has taken.
    #[derive(Default)]
    struct Held(usize);

    impl Sink for Held {
        type Error = io::Error;

        fn text(&mut self, bytes: &[u8]) -> io::Result<()> {
            self.0 += bytes.len();
            Ok(())
        }

        fn matched(&mut self, link: &Match<'_>) -> io::Result<()> {
            self.text(link.source())
        }
    }

    /// Without a place to cut, or with a state, a file is not held either.
    #[test]
    fn what_one_thread_scans_is_not_held() {
        let solid = "http://a.example/x,".repeat(1 << 16);
        let shifted = "\x1B$BF|K\\\x1B(B http://e.org/ ".repeat(1 << 16);
        for (text, charset) in [(solid, Charset::UTF_8), (shifted, Charset::ISO_2022_JP)] {
            let mut file = tempfile::tempfile().expect("there should be room");
            file.write_all(text.as_bytes()).expect("there should be room");
            let finder = Config::new().charset(charset).build().expect("that is valid");
            let (mut most, mut all) = (0, 0);
            let pour = &mut |held: &mut Held, _: Over| {
                most = most.max(held.0);
                all += std::mem::take(&mut held.0);
                Ok(())
            };
            let meter = Meter::default();
            let (summary, trouble) = scan(&finder, &file, &meter, 3, &Held::default, pour).unwrap();
            assert!(trouble.is_none());
            // However often pieces of it were read.
            assert_eq!(meter.end(), text.len() as u64);
            assert_eq!((summary.bytes, all), (text.len() as u64, text.len()));
            assert!(most as u64 <= 4 * PIECE, "{charset}: {most} bytes held");
        }
    }
}
