//! `iriscan find`: lists the links of the inputs.

mod visit;

use std::{collections::HashSet, mem, process::ExitCode, sync::Mutex};

use super::{put, run::Run, walk::walk};
use crate::{
    args::find::FindArgs,
    inputs::{
        Outcome, choosing,
        list::{Folders, Inputs},
        open::Purpose,
    },
    messages::{notes::Notes, terminal, text::shown, trouble::Trouble},
    output,
    printers::{
        colors, columns,
        list::Lister,
        tally::{SharedTally, Tally},
        terminal::Painter,
    },
};

pub(crate) fn run(args: &FindArgs) -> Result<ExitCode, Trouble> {
    let run = Run::begin(&args.scan, Purpose::Find);
    let painter = (!args.is_plain() && colors::are_wanted(args.color))
        .then(|| Painter::new(!args.no_filename));
    let config = choosing::config(&args.scan)?;
    let config = config.elements(args.shows_elements() || painter.is_some());
    let finder = config.unwrap(args.unwrap).nested(args.nested);
    let finder = finder.build().map_err(Trouble::Config)?;
    output::set_to_stdout();
    let mut inputs = Inputs::new(&args.scan.inputs, Folders::Walked)?;
    if let Some(delimiter) = args.delimiter() {
        let mut header = Vec::new();
        columns::header(delimiter, &mut header).map_err(Trouble::Output)?;
        put(&header)?;
    }
    let tally = SharedTally::default();
    // With --unique, the results of an input depend on all inputs before it.
    let workers = if args.unique { 1 } else { args.scan.workers() };
    let (named, unique) = (args.names_inputs(), Mutex::new(HashSet::new()));
    let total = run.each(&mut inputs, workers, |input, turn| {
        let mut lister = Lister::new(args, &input.path, named, turn, Notes::Said);
        if let Some(painter) = painter {
            lister.show_lines(painter);
        } else if let Some(chars) = args.context() {
            lister.add_context(chars);
        }
        if args.unique {
            mem::swap(lister.unique(), &mut *unique.lock().expect(ONE_THREAD));
        }
        let whole = walk(&finder, &input, run.opener(), &mut lister);
        if args.unique {
            mem::swap(lister.unique(), &mut *unique.lock().expect(ONE_THREAD));
        }
        tally.add(lister.take_tally());
        run.count(lister.take_stats(), matches!(whole, Ok(true)));
        whole.map(|whole| Outcome { links: lister.listed(), whole })
    })?;
    if args.count_by.is_some() {
        put(&counted(&tally.into_inner(), args.end()))?;
    }
    run.end(&inputs);
    Ok(ExitCode::from(match (total.trouble, total.links > 0) {
        (true, _) => 2,
        (false, true) => 0,
        (false, false) => 1,
    }))
}

/// The lines of `--count-by`.
fn counted(tally: &Tally, end: u8) -> Vec<u8> {
    let mut out = Vec::new();
    for (value, n) in tally.most(usize::MAX) {
        let value = if terminal::is_output() { shown(value) } else { value.to_owned() };
        out.extend(format!("{n}\t{value}").into_bytes());
        out.push(end);
    }
    out
}

const ONE_THREAD: &str = "with --unique there is one thread";
