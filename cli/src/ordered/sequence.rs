//! The queue that puts results in order.
//!
//! Threads ask for the next number, work, and hand in the result. Results come out in the order
//! of the numbers. What must hold: at most `ahead` numbers are given out before the first of
//! them has come out, so that the results that wait are bounded.

use std::sync::{Condvar, Mutex, MutexGuard};

use super::POISONED;

/// Numbers for work, and the results that wait for their turn.
pub(super) struct Sequence<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

struct State<T> {
    /// How many numbers may be given out, counted from `turn`.
    ahead: usize,
    /// The next number to give out.
    begun: usize,
    /// The number whose result comes out next.
    turn: usize,
    /// Results that are early. There are at most `ahead`, so a list is enough.
    early: Vec<(usize, T)>,
    /// Threads that wait for a change.
    waiting: usize,
    stopped: bool,
}

/// What a thread that takes results and also works does next.
pub(super) enum Step<T> {
    /// Work on this number.
    Begin(usize),
    /// Take this result; then call [`Sequence::advance_only`].
    Take(T),
}

impl<T> State<T> {
    /// Gives out the next number, if it is among the next `ahead`.
    fn begin(&mut self) -> Option<usize> {
        (self.begun < self.turn + self.ahead).then(|| {
            self.begun += 1;
            self.begun - 1
        })
    }

    /// Removes the result whose turn it is, if it has been handed in.
    fn take(&mut self) -> Option<T> {
        let at = self.early.iter().position(|(i, _)| *i == self.turn)?;
        Some(self.early.swap_remove(at).1)
    }
}

impl<T> Sequence<T> {
    pub(super) fn new(ahead: usize) -> Sequence<T> {
        let early = Vec::new();
        let state = State { ahead, begun: 0, turn: 0, early, waiting: 0, stopped: false };
        Sequence { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// The next number; waits until it may be given out. `None` if the work is stopped.
    pub(super) fn begin(&self) -> Option<usize> {
        let mut state = self.lock();
        loop {
            if state.stopped {
                return None;
            }
            match state.begin() {
                None => state = self.wait(state),
                i => return i,
            }
        }
    }

    /// The result whose turn it is, or else a number to work on. Waits until there is either.
    pub(super) fn next_step(&self) -> Step<T> {
        let mut state = self.lock();
        loop {
            if let Some(result) = state.take() {
                return Step::Take(result);
            }
            match state.begin() {
                Some(i) => return Step::Begin(i),
                None => state = self.wait(state),
            }
        }
    }

    /// Waits until it is the turn of `i`. Returns false if the work is stopped.
    pub(super) fn wait_for_turn(&self, i: usize) -> bool {
        let mut state = self.lock();
        while !state.stopped && state.turn < i {
            state = self.wait(state);
        }
        !state.stopped
    }

    /// Hands in the result of `i`, to be taken by [`Sequence::next_step`].
    pub(super) fn put(&self, i: usize, result: T) {
        self.change(|state| state.early.push((i, result)));
    }

    /// Hands in the result of `i`. If it is its turn, returns it instead: the caller lets it
    /// out, and then all that [`Sequence::advance`] returns.
    pub(super) fn put_or_take(&self, i: usize, result: T) -> Option<T> {
        let mut state = self.lock();
        if state.turn == i {
            return Some(result);
        }
        state.early.push((i, result));
        None
    }

    /// The result whose turn it was has come out. Returns the next one, if it was handed in.
    pub(super) fn advance(&self) -> Option<T> {
        self.change(|state| {
            state.turn += 1;
            state.take()
        })
    }

    /// The result whose turn it was has come out, and [`Sequence::next_step`] gives the next.
    pub(super) fn advance_only(&self) {
        self.change(|state| state.turn += 1);
    }

    /// Stops the work: no more numbers are given out, and nobody waits.
    pub(super) fn stop(&self) {
        self.change(|state| state.stopped = true);
    }

    /// Changes the state and wakes the threads that wait for a change.
    fn change<R>(&self, by: impl FnOnce(&mut State<T>) -> R) -> R {
        let mut state = self.lock();
        let result = by(&mut state);
        let waiting = state.waiting > 0;
        drop(state);
        if waiting {
            self.changed.notify_all();
        }
        result
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().expect(POISONED)
    }

    fn wait<'l>(&self, mut state: MutexGuard<'l, State<T>>) -> MutexGuard<'l, State<T>> {
        state.waiting += 1;
        state = self.changed.wait(state).expect(POISONED);
        state.waiting -= 1;
        state
    }
}

#[cfg(test)]
mod tests {
    use std::{sync::Mutex, thread};

    use super::*;

    /// Results are handed in by three threads, and let out by whichever has the turn.
    #[test]
    fn results_come_out_in_order() {
        let (sequence, out) = (Sequence::new(5), Mutex::new(Vec::new()));
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    while let Some(i) = sequence.begin() {
                        let mut result = sequence.put_or_take(i, i);
                        while let Some(i) = result {
                            out.lock().unwrap().push(i);
                            if i == 999 {
                                return sequence.stop();
                            }
                            result = sequence.advance();
                        }
                    }
                });
            }
        });
        assert_eq!(out.into_inner().unwrap(), (0..1000).collect::<Vec<_>>());
    }

    /// One thread takes all results, and works while it has to wait for the next one.
    #[test]
    fn no_more_than_allowed_is_early() {
        let sequence = Sequence::new(4);
        let Step::Begin(first) = sequence.next_step() else { panic!("nothing was handed in") };
        let others: Vec<_> = (0..3).map(|_| sequence.begin().unwrap()).collect();
        assert_eq!((first, &*others), (0, &[1, 2, 3][..]));
        for i in [3, 0, 2, 1] {
            sequence.put(i, i);
        }
        for i in 0..4 {
            assert!(matches!(sequence.next_step(), Step::Take(result) if result == i));
            sequence.advance_only();
        }
        sequence.stop();
        assert!(sequence.begin().is_none() && !sequence.wait_for_turn(9));
    }
}
