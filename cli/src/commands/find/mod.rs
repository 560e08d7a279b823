//! `iriscan find`: lists the links of the inputs.

mod archive;
mod container;
mod mail;

use std::{collections::HashSet, mem, path::Path, process::ExitCode, sync::Mutex};

use iriscan::{Field, Finder, Format};

use super::{put, run::Run};
use crate::{
    args::find::FindArgs,
    inputs::{
        Outcome, choosing,
        content::Content,
        list::{Folders, Input, Inputs},
        open::{self, Archives, Opened},
        scan::scan,
    },
    messages::{
        notes::{self, Notes},
        terminal,
        text::shown,
        trouble::Trouble,
    },
    ordered::{
        each::TurnWriter,
        pieces::{Buffers, Extent, SharedFile},
    },
    output,
    printers::{
        colors, columns,
        list::Lister,
        readable::is_markup,
        tally::{SharedTally, Tally},
        terminal::Painter,
    },
};

pub(crate) fn run(args: &FindArgs) -> Result<ExitCode, Trouble> {
    let run = Run::begin(&args.scan);
    let painter = (!args.is_plain() && colors::are_wanted(args.color))
        .then(|| Painter::new(!args.no_filename));
    let config = choosing::config(&args.scan)?;
    let finder = config.elements(args.shows_elements() || painter.is_some()).unwrap(args.unwrap);
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
        let done = find(&finder, args, &mut lister, &input);
        if args.unique {
            mem::swap(lister.unique(), &mut *unique.lock().expect(ONE_THREAD));
        }
        tally.add(lister.take_tally());
        run.count(lister.take_stats(), done.as_ref().is_ok_and(|done| done.whole));
        done
    })?;
    if args.count_by.is_some() {
        put(&counted(&tally.into_inner(), args.null))?;
    }
    run.end(&inputs);
    Ok(ExitCode::from(match (total.trouble, total.links > 0) {
        (true, _) => 2,
        (false, true) => 0,
        (false, false) => 1,
    }))
}

/// The lines of `--count-by`.
fn counted(tally: &Tally, null: bool) -> Vec<u8> {
    let mut out = Vec::new();
    for (value, n) in tally.most(usize::MAX) {
        let value = if terminal::is_output() { shown(value) } else { value.to_owned() };
        out.extend(format!("{n}\t{value}").into_bytes());
        out.push(if null { 0 } else { b'\n' });
    }
    out
}

const ONE_THREAD: &str = "with --unique there is one thread";

/// Lists the links of an input.
fn find(
    finder: &Finder,
    args: &FindArgs,
    lister: &mut Lister<'_, &mut TurnWriter<'_>>,
    input: &Input,
) -> Result<Outcome, Trouble> {
    let opened = match open::open(finder, input, None, &args.scan, Archives::Taken) {
        Ok(opened) => opened,
        Err(outcome) => return Ok(outcome),
    };
    let whole = match opened.content() {
        Content::Document(format) => document(finder, args, lister, &input.path, opened, format)?,
        Content::Mail => mail::find(finder, args, lister, &input.path, opened)?,
        Content::Archive => archive::find(finder, args, lister, &input.path, opened)?,
        Content::Container => container::find(finder, args, lister, &input.path, &opened)?,
    };
    // Of an input that could not be read to its end, what could be read was used.
    lister.write_count().map_err(Trouble::Output)?;
    lister.report_left();
    Ok(Outcome { links: lister.listed(), whole })
}

/// Lists the links of a document. Returns true if it was read to its end.
fn document(
    finder: &Finder,
    args: &FindArgs,
    lister: &mut Lister<'_, &mut TurnWriter<'_>>,
    path: &Path,
    opened: Opened,
    format: Format,
) -> Result<bool, Trouble> {
    let why = opened.why();
    let finder = finder.clone().format(format);
    let counting = args.counts_positions();
    if counting {
        lister.count_positions();
    }
    lister.set_markup(is_markup(format));
    // These depend on all text before a link, so the document is not cut into pieces.
    let alone = counting || args.unique || args.prints(Field::N) || lister.shows_lines();
    let jobs = if alone { 1 } else { args.scan.run.threads() };
    let read = match SharedFile::of(&opened, jobs) {
        None => scan(&finder, path, opened, lister)?,
        Some(file) => {
            let (piece, buffers) = (lister.piece(), Buffers::default());
            let make = || piece(buffers.take());
            let pour = &mut |piece: &mut Lister<'_, Vec<u8>>, extent| {
                lister.take_piece(piece)?;
                if extent == Extent::Whole {
                    buffers.put(mem::take(piece.out()));
                }
                Ok(())
            };
            file.scan(&finder, path, &make, pour)?
        }
    };
    if let Some(stats) = lister.stats() {
        stats.document(read.summary(), format);
    }
    if let Some(summary) = read.summary().filter(|_| args.scan.run.verbose) {
        notes::report_charset(path, summary, format, why);
    }
    Ok(read.is_whole())
}
