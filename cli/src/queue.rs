//! Many inputs on several cores: each is worked on by one thread, and what they
//! write and say comes out in the order of the inputs.
//!
//! Knows nothing of what the work is. Invariant: standard output and standard error
//! are what one thread would write; what waits for its turn is bounded.

use std::{
    io::{self, BufWriter, Write},
    sync::{Condvar, Mutex, MutexGuard},
    thread,
};

use crate::input::{self, Outcome, Stdout, Trouble};

/// The most threads that share inputs.
const JOBS_MAX: usize = 64;

/// How many inputs per thread may be done, or begun, before their turn.
const AHEAD: usize = 8;

/// How much one input writes before it waits for its turn.
const HELD: usize = 128 << 10;

/// How much the one whose turn it is writes at once.
const BLOCK: usize = 64 << 10;

/// What became of all inputs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Total {
    pub(crate) links: u64,
    pub(crate) trouble: bool,
}

/// When what is written is seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pace {
    /// When there is enough of it.
    Filling,
    /// Behind each input: more may be long in coming.
    Live,
}

/// What is done with an input.
pub(crate) type Work<'w, I> = dyn Fn(I, &mut Turn<'_>) -> Result<Outcome, Trouble> + Sync + 'w;

/// Does `work` on each of `inputs`, on up to `jobs` threads; with one, on this.
pub(crate) fn run<I: Iterator + Send>(
    inputs: I,
    jobs: usize,
    pace: Pace,
    work: &Work<'_, I::Item>,
) -> Result<Total, Trouble> {
    // What is held is more than that, and goes by it.
    let out = BufWriter::with_capacity(BLOCK / 4, input::stdout().map_err(Trouble::Output)?);
    let state =
        State { turn: 0, done: Vec::new(), out, total: Total::default(), failed: None, pace };
    let line = Line { state: Mutex::new(state), changed: Condvar::new() };
    let inputs = Mutex::new(inputs.enumerate());
    let next = || inputs.lock().expect(POISONED).next();
    let jobs = jobs.min(JOBS_MAX);
    if jobs <= 1 {
        let mut held = Vec::new();
        while let Some((i, input)) = next() {
            let mut turn = Turn { line: &line, i, mine: true, held };
            let done = work(input, &mut turn);
            held = turn.held;
            if !line.finish(i, &mut held, String::new(), done) {
                break;
            }
        }
    } else {
        thread::scope(|scope| {
            for _ in 0..jobs {
                scope.spawn(|| {
                    while let Some((i, input)) = next() {
                        if !line.may_begin(i, jobs * AHEAD) {
                            return;
                        }
                        let mut turn = Turn { line: &line, i, mine: false, held: Vec::new() };
                        let (done, notes) = input::holding(|| work(input, &mut turn));
                        if !line.finish(i, &mut turn.held, notes, done) {
                            return;
                        }
                    }
                });
            }
        });
    }
    let mut state = line.state.into_inner().expect(POISONED);
    match state.failed.take() {
        Some(failed) => {
            // What came before it stands.
            let _ = state.out.flush();
            Err(failed)
        }
        None => state.out.flush().map(|()| state.total).map_err(Trouble::Output),
    }
}

/// Standard output, as the work on one input sees it.
pub(crate) struct Turn<'l> {
    line: &'l Line,
    i: usize,
    mine: bool,
    held: Vec<u8>,
}

impl Turn<'_> {
    /// Waits until all inputs before are done.
    pub(crate) fn wait(&mut self) -> io::Result<()> {
        if !self.mine {
            let wait = |state: &mut State| state.failed.is_none() && state.turn < self.i;
            let state = self.line.changed.wait_while(self.line.lock(), wait).expect(POISONED);
            if state.failed.is_some() {
                return Err(over());
            }
            self.mine = true;
        }
        Ok(())
    }

    /// Holds `more` too, in twice the room, or puts it out if there is enough.
    #[inline(never)]
    fn make_room(&mut self, more: &[u8]) -> io::Result<()> {
        let most = if self.mine { BLOCK } else { HELD };
        let len = self.held.len() + more.len();
        if len > most {
            return self.spill(more);
        }
        let room = len.max(2 * self.held.capacity()).min(most);
        self.held.reserve_exact(room - self.held.len());
        self.held.extend_from_slice(more);
        Ok(())
    }

    /// Puts out what is held, and `more`.
    fn spill(&mut self, more: &[u8]) -> io::Result<()> {
        self.wait()?;
        let mut state = self.line.lock();
        let written = state.out.write_all(&self.held).and_then(|()| state.out.write_all(more));
        self.held.clear();
        written
    }
}

impl Write for Turn<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match bytes.len() <= self.held.capacity() - self.held.len() {
            true => self.held.extend_from_slice(bytes),
            false => self.make_room(bytes)?,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.spill(&[])?;
        self.line.lock().out.flush()
    }
}

/// Another input has ended it all.
fn over() -> io::Error {
    io::ErrorKind::Other.into()
}

struct Line {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    /// The first input that is not done.
    turn: usize,
    /// Those behind it that are: no more than may be begun.
    done: Vec<(usize, Done)>,
    out: BufWriter<Stdout>,
    total: Total,
    /// What ended it.
    failed: Option<Trouble>,
    pace: Pace,
}

/// What an input wrote, what was said of it, and what became of it.
type Done = (Vec<u8>, String, Result<Outcome, Trouble>);

impl Line {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect(POISONED)
    }

    /// Waits until the input `i` is among the next `ahead`; whether it is wanted.
    fn may_begin(&self, i: usize, ahead: usize) -> bool {
        let wait = |state: &mut State| state.failed.is_none() && i >= state.turn + ahead;
        self.changed.wait_while(self.lock(), wait).expect(POISONED).failed.is_none()
    }

    /// Puts out what the input `i` gave, when it is its turn, and what waited for it.
    /// Whether there may be more; `held` is empty then.
    fn finish(
        &self,
        i: usize,
        held: &mut Vec<u8>,
        notes: String,
        done: Result<Outcome, Trouble>,
    ) -> bool {
        let mut state = self.lock();
        if i > state.turn {
            state.done.push((i, (std::mem::take(held), notes, done)));
        } else {
            state.put(held, &notes, done);
            held.clear();
            while state.failed.is_none()
                && let Some((held, notes, done)) = state.next()
            {
                state.put(&held, &notes, done);
            }
            self.changed.notify_all();
        }
        state.failed.is_none()
    }
}

impl State {
    /// What waits, if it is its turn.
    fn next(&mut self) -> Option<Done> {
        let at = self.done.iter().position(|(i, _)| *i == self.turn)?;
        Some(self.done.swap_remove(at).1)
    }

    /// What the input whose turn it is gave.
    fn put(&mut self, held: &[u8], notes: &str, done: Result<Outcome, Trouble>) {
        input::put(notes);
        let mut written = self.out.write_all(held);
        if self.pace == Pace::Live && written.is_ok() {
            written = self.out.flush();
        }
        match (written, done) {
            (Ok(()), Ok(done)) => {
                self.total.links += done.links;
                self.total.trouble |= !done.whole;
                self.turn += 1;
            }
            // What it failed for tells more than what came of it.
            (_, Err(trouble)) => self.failed = Some(trouble),
            (Err(e), _) => self.failed = Some(Trouble::Output(e)),
        }
    }
}

/// A thread panicked, which the program does not survive.
const POISONED: &str = "no thread should have panicked";
