//! A run over inputs, as `find`, `rewrite` and `report` have it: its inputs, its statistics,
//! and the notes at its end.

use std::time::Instant;

use crate::{
    args::scan::ScanArgs,
    inputs::{
        Outcome,
        list::{Input, Inputs, Origin},
        open::{InputOpener, Purpose},
    },
    messages::{say, trouble::Trouble},
    ordered::each::{self, Pace, Total, TurnWriter},
    printers::stats::{SharedStats, Stats},
};

/// A run over inputs.
pub(super) struct Run<'a> {
    opener: InputOpener<'a>,
    begun: Instant,
    stats: SharedStats,
}

impl<'a> Run<'a> {
    /// Begins the run and starts the progress line.
    pub(super) fn begin(args: &'a ScanArgs, purpose: Purpose) -> Run<'a> {
        let begun = Instant::now();
        Inputs::show_progress(&args.inputs, !args.run.no_progress);
        let opener = InputOpener::new(args, purpose);
        Run { opener, begun, stats: SharedStats::wanted(args.run.stats) }
    }

    /// Opens the inputs.
    pub(super) fn opener(&self) -> &InputOpener<'a> {
        &self.opener
    }

    /// Does `work` on each input, on up to `workers` threads.
    pub(super) fn each(
        &self,
        inputs: &mut Inputs,
        workers: usize,
        work: impl Fn(Input, &mut TurnWriter<'_>) -> Result<Outcome, Trouble> + Sync,
    ) -> Result<Total, Trouble> {
        let pace = if self.opener.args().inputs.is_live() { Pace::Live } else { Pace::Filling };
        each::run(inputs, workers, pace, &|input, turn| {
            let Some(input) = self.input(input) else { return Ok(Outcome::NOTHING) };
            // The bytes of a pipe may depend on the results before them.
            if input.origin == Origin::Named && !input.path.is_file() {
                turn.wait().map_err(Trouble::Output)?;
            }
            work(input, turn)
        })
    }

    /// The input. If it cannot be one, says why, counts it as failed, and returns `None`.
    pub(super) fn input(&self, input: Result<Input, String>) -> Option<Input> {
        input
            .map_err(|why| {
                say(why);
                self.stats.failed();
            })
            .ok()
    }

    /// Adds the statistics of an input. `whole` is true if it was read to its end.
    pub(super) fn count(&self, stats: Option<Stats>, whole: bool) {
        self.stats.add(stats, whole);
    }

    /// Says what is to be said at the end.
    pub(super) fn end(&self, inputs: &Inputs) {
        inputs.say_unmatched();
        self.opener.say_unused();
        self.stats.say(self.opener.args().run.stats, self.begun);
    }
}
