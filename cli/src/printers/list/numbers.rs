//! What is counted: results, and what `--stats` and `--count-by` ask for.
//!
//! What must hold: the numbers of the pieces of an input add up to those of the whole.

use std::mem;

use iriscan::Match;

use crate::{
    args::find::{CountByArg, FindArgs},
    printers::{stats::Stats, tally::Tally},
};

/// The numbers of links of an input.
pub(super) struct Numbers {
    /// Links that were listed.
    pub(super) listed: u64,
    /// Links that have no URI form.
    pub(super) unconvertible: u64,
    /// Links that are too long.
    pub(super) overlong: u64,
    /// The numbers for `--stats`.
    pub(super) stats: Option<Stats>,
    /// The field of `--count-by`, and its numbers.
    by: Option<CountByArg>,
    pub(super) tally: Tally,
}

impl Numbers {
    pub(super) fn wanted(args: &FindArgs) -> Numbers {
        Numbers {
            listed: 0,
            unconvertible: 0,
            overlong: 0,
            stats: Stats::wanted(args.scan.run.stats),
            by: args.count_by,
            tally: Tally::default(),
        }
    }

    /// Counts a link for `--count-by`; false if that is not wanted.
    pub(super) fn tally(&mut self, link: &Match<'_>) -> bool {
        self.by.inspect(|field| self.tally.link(*field, link)).is_some()
    }

    /// Adds the numbers of a piece, and resets them.
    pub(super) fn merge(&mut self, piece: &mut Numbers) {
        self.listed += mem::take(&mut piece.listed);
        self.unconvertible += mem::take(&mut piece.unconvertible);
        self.overlong += mem::take(&mut piece.overlong);
        if let (Some(all), Some(stats)) = (&mut self.stats, &mut piece.stats) {
            all.merge(stats);
        }
        self.tally.merge(&mut piece.tally);
    }
}
