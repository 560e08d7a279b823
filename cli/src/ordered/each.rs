//! Many inputs on several threads: each is worked on by one thread, and what they write and
//! say comes out in the order of the inputs.
//!
//! In go the inputs and the work; out go the results, to standard output. What must hold:
//! standard output and standard error are what one thread would write.

use std::{
    io::{self, BufWriter, Write},
    sync::Mutex,
    thread,
};

use super::{POISONED, sequence::Sequence};
use crate::{
    inputs::Outcome,
    messages::{self, trouble::Trouble},
    output::{self, Stdout},
};

/// The most threads that share inputs.
const JOBS_MAX: usize = 64;

/// How many inputs for each thread may be begun before their turn.
const AHEAD: usize = 8;

/// The most bytes that an input writes before it waits for its turn.
const HELD: usize = 128 << 10;

/// The bytes that the input whose turn it is writes at once.
const BLOCK: usize = 64 << 10;

/// The sum of the outcomes of all inputs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Total {
    pub(crate) links: u64,
    /// The inputs that have links.
    pub(crate) inputs: u64,
    pub(crate) trouble: bool,
}

/// When results are flushed to standard output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pace {
    /// When there are enough of them.
    Filling,
    /// After each input, because the next one may be long in coming.
    Live,
}

/// The work on one input.
pub(crate) type Work<'w, I> =
    dyn Fn(I, &mut TurnWriter<'_>) -> Result<Outcome, Trouble> + Sync + 'w;

/// Does `work` on each of `inputs`, on up to `jobs` threads; with one, on this thread.
pub(crate) fn run<I: Iterator + Send>(
    inputs: I,
    jobs: usize,
    pace: Pace,
    work: &Work<'_, I::Item>,
) -> Result<Total, Trouble> {
    let jobs = jobs.clamp(1, JOBS_MAX);
    // The buffer may be small: blocks of results are longer and are not copied into it.
    let stdout = output::stdout().map_err(Trouble::Output)?;
    let out = BufWriter::with_capacity(BLOCK / 4, stdout);
    let results = Results { out, pace, total: Total::default(), failed: None };
    let line = Line { sequence: Sequence::new(jobs * AHEAD), results: Mutex::new(results) };
    let inputs = Mutex::new(inputs);
    if jobs == 1 {
        let mut held = Vec::new();
        while let Some((i, input)) = line.next(&inputs) {
            let mut turn = TurnWriter { line: &line, i, mine: true, held };
            let outcome = work(input, &mut turn);
            held = turn.held;
            held = line.finish(i, Done { held, notes: String::new(), outcome });
        }
    } else {
        thread::scope(|scope| {
            for _ in 0..jobs {
                scope.spawn(|| {
                    while let Some((i, input)) = line.next(&inputs) {
                        let mut turn = TurnWriter { line: &line, i, mine: false, held: Vec::new() };
                        let (outcome, notes) = messages::holding(|| work(input, &mut turn));
                        line.finish(i, Done { held: turn.held, notes, outcome });
                    }
                });
            }
        });
    }
    line.results.into_inner().expect(POISONED).finish()
}

/// Standard output for the work on one input. It holds what is written until it is the turn
/// of the input.
pub(crate) struct TurnWriter<'l> {
    line: &'l Line,
    i: usize,
    /// True once it is the turn of the input.
    mine: bool,
    held: Vec<u8>,
}

impl TurnWriter<'_> {
    /// Waits until all inputs before this one are done.
    pub(crate) fn wait(&mut self) -> io::Result<()> {
        if !self.mine {
            if !self.line.sequence.wait_for_turn(self.i) {
                return Err(stopped());
            }
            self.mine = true;
        }
        Ok(())
    }

    /// Holds `more` too, in a buffer of twice the size, or writes if there is enough.
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

    /// Writes what is held, and `more`.
    fn spill(&mut self, more: &[u8]) -> io::Result<()> {
        self.wait()?;
        let mut results = self.line.results.lock().expect(POISONED);
        let written = results.out.write_all(&self.held).and_then(|()| results.out.write_all(more));
        self.held.clear();
        written
    }
}

impl Write for TurnWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match bytes.len() <= self.held.capacity() - self.held.len() {
            true => self.held.extend_from_slice(bytes),
            false => self.make_room(bytes)?,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.spill(&[])?;
        self.line.results.lock().expect(POISONED).out.flush()
    }
}

/// The error of a write after the trouble with another input has stopped the work.
fn stopped() -> io::Error {
    io::ErrorKind::Other.into()
}

/// The inputs that are worked on. Only the thread whose input has the turn uses the results,
/// so nobody waits for their lock.
struct Line {
    sequence: Sequence<Done>,
    results: Mutex<Results>,
}

/// The result of one input.
struct Done {
    /// The bytes that it wrote and that were not written out yet.
    held: Vec<u8>,
    /// Its messages, if they were held.
    notes: String,
    outcome: Result<Outcome, Trouble>,
}

impl Line {
    /// The next input and its number; `None` at the end, or if the work is stopped.
    fn next<I: Iterator>(&self, inputs: &Mutex<I>) -> Option<(usize, I::Item)> {
        // Locked before the number is given out, so that both are in the same order.
        let mut inputs = inputs.lock().expect(POISONED);
        Some((self.sequence.begin()?, inputs.next()?))
    }

    /// Lets out the result of the input `i`, and those after it that waited, when it is their
    /// turn. Returns an empty buffer for the next input.
    fn finish(&self, i: usize, done: Done) -> Vec<u8> {
        let mut next = self.sequence.put_or_take(i, done);
        let mut buffer = Vec::new();
        while let Some(done) = next {
            let mut results = self.results.lock().expect(POISONED);
            if !results.put(&done.held, &done.notes, done.outcome) {
                self.sequence.stop();
                break;
            }
            drop(results);
            buffer = done.held;
            next = self.sequence.advance();
        }
        buffer.clear();
        buffer
    }
}

/// Standard output, and the sum of the results so far.
struct Results {
    out: BufWriter<Stdout>,
    pace: Pace,
    total: Total,
    /// The first trouble that ends the command.
    failed: Option<Trouble>,
}

impl Results {
    /// Writes the result of an input. Returns false if that ends the command.
    fn put(&mut self, held: &[u8], notes: &str, outcome: Result<Outcome, Trouble>) -> bool {
        messages::put(notes);
        let mut written = self.out.write_all(held);
        if self.pace == Pace::Live && written.is_ok() {
            written = self.out.flush();
        }
        match (written, outcome) {
            (Ok(()), Ok(outcome)) => {
                self.total.links += outcome.links;
                self.total.inputs += u64::from(outcome.links > 0);
                self.total.trouble |= !outcome.whole;
            }
            // The trouble of the input says more than an error of writing that came after it.
            (_, Err(trouble)) => self.failed = Some(trouble),
            (Err(e), _) => self.failed = Some(Trouble::Output(e)),
        }
        self.failed.is_none()
    }

    /// Writes out what is buffered, and returns the total, or the trouble.
    fn finish(mut self) -> Result<Total, Trouble> {
        let flushed = self.out.flush();
        match self.failed {
            // The results before the trouble are written.
            Some(failed) => Err(failed),
            None => flushed.map(|()| self.total).map_err(Trouble::Output),
        }
    }
}
