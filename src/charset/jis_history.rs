//! The places of the last units of a stream, for charsets in which the meaning of a byte depends on
//! the units before it: ISO-2022-JP, and multi-byte charsets under UTS #58.
//!
//! Units of the same length and state that follow each other are one run, so that a word is a run
//! and not a list of units.

use alloc::collections::VecDeque;

use super::{Shift, cursor::JisState};

/// How many units before a place can be asked for.
pub(crate) const UNITS_MAX: usize = 264;

/// The last units before some place.
#[derive(Clone, Debug)]
pub(crate) struct JisHistory {
    /// Their runs: at least one unit more than [`UNITS_MAX`], if there were so many.
    runs: VecDeque<UnitRun>,
    /// How many units the runs have together.
    count: u64,
    /// The state after the last unit.
    pub(crate) state: JisState,
}

/// Units of one length, one after the other in one state.
#[derive(Clone, Copy, Debug)]
struct UnitRun {
    at: u64,
    /// Bytes a unit.
    len: u64,
    count: u64,
    state: JisState,
}

/// A unit that was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Passed {
    pub(crate) at: u64,
    /// In bytes.
    pub(crate) len: u64,
    /// The state before it.
    pub(crate) state: JisState,
}

impl UnitRun {
    fn end(&self) -> u64 {
        self.at + self.len * self.count
    }

    /// The unit with the index `i`.
    fn unit(&self, i: u64) -> Passed {
        Passed { at: self.at + i * self.len, len: self.len, state: self.state }
    }

    /// How many of the units begin before `at`.
    fn before(&self, at: u64) -> u64 {
        at.saturating_sub(self.at).div_ceil(self.len).min(self.count)
    }
}

impl JisHistory {
    pub(crate) const START: JisHistory = JisHistory {
        runs: VecDeque::new(),
        count: 0,
        state: JisState { shift: Shift::Ascii, fresh: false },
    };

    /// Adds the unit of `len` bytes at `at`. `state` is the state after it.
    pub(crate) fn pass(&mut self, at: u64, len: usize, state: JisState) {
        self.push(at, len, 1);
        self.state = state;
    }

    /// Adds `count` units of text of `len` bytes each from `at` on. The shift stays the same.
    pub(crate) fn pass_text(&mut self, at: u64, len: usize, count: usize) {
        // Directly after an escape sequence another one is malformed, so the state of the first
        // unit may differ from the others.
        let fresh = count.min(usize::from(self.state.fresh));
        self.push(at, len, fresh);
        if count > 0 {
            self.state.fresh = false;
        }
        self.push(at + (len * fresh) as u64, len, count - fresh);
    }

    fn push(&mut self, at: u64, len: usize, count: usize) {
        let (state, len, count) = (self.state, len as u64, count as u64);
        if count == 0 {
            return;
        }
        match self.runs.back_mut() {
            Some(run) if run.state == state && run.len == len && run.end() == at => {
                run.count += count;
            }
            _ => self.runs.push_back(UnitRun { at, len, count, state }),
        }
        self.count += count;
        while let Some(run) = self.runs.front()
            && self.count - run.count > UNITS_MAX as u64
        {
            self.count -= run.count;
            self.runs.pop_front();
        }
    }

    /// Where the unit `back` units ago starts, or the oldest one.
    pub(crate) fn back(&self, back: usize) -> Option<u64> {
        let mut left = back as u64;
        for run in self.runs.iter().rev() {
            if left <= run.count {
                return left.checked_sub(1).map(|_| run.unit(run.count - left).at);
            }
            left -= run.count;
        }
        self.runs.front().map(|run| run.at)
    }

    /// The state before the unit that starts at `at`.
    pub(crate) fn at(&self, at: u64) -> Option<JisState> {
        self.before(at + 1).next().filter(|unit| unit.at == at).map(|unit| unit.state)
    }

    /// The units that start before `at`, nearest first.
    pub(crate) fn before(&self, at: u64) -> impl Iterator<Item = Passed> + '_ {
        let mut runs = self.runs.iter().rev();
        let (mut run, mut left) = (None, 0);
        core::iter::from_fn(move || {
            while left == 0 {
                run = Some(runs.next()?);
                left = run?.before(at);
            }
            left -= 1;
            run.map(|run: &UnitRun| run.unit(left))
        })
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Compares the history with a list of single units.
        #[test]
        fn a_history_of_runs_equals_a_list_of_units(
            steps in prop::collection::vec((1..=3_usize, 1..400_usize, any::<bool>(), 0..4_u8), 1..12),
        ) {
            let (mut track, mut units, mut at) = (JisHistory::START, Vec::new(), 0);
            for (len, count, fresh, shift) in steps {
                let shift =
                    [Shift::Ascii, Shift::Roman, Shift::Katakana, Shift::Kanji][usize::from(shift)];
                let after = JisState { shift, fresh };
                units.push(Passed { at, len: 3, state: track.state });
                track.pass(at, 3, after);
                at += 3;
                for i in 0..count {
                    let state = JisState { fresh: fresh && i == 0, ..after };
                    units.push(Passed { at: at + (i * len) as u64, len: len as u64, state });
                }
                track.pass_text(at, len, count);
                at += (len * count) as u64;
                prop_assert_eq!(track.state, JisState { fresh: false, ..after });
            }
            let known = &units[units.len().saturating_sub(UNITS_MAX + 1)..];
            prop_assert!(track.before(at).count() >= known.len());
            prop_assert!(track.before(at).take(known.len()).eq(known.iter().rev().copied()));
            for (i, unit) in known.iter().enumerate() {
                prop_assert_eq!(track.at(unit.at), Some(unit.state));
                prop_assert_eq!(track.back(known.len() - i), Some(unit.at));
                prop_assert!(unit.len == 1 || track.at(unit.at + 1).is_none());
                let before = track.before(unit.at).take(i);
                prop_assert!(before.eq(known[..i].iter().rev().copied()));
            }
        }
    }
}
