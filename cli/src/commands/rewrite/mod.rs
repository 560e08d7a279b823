//! `iriscan rewrite`: copies the inputs with each link replaced by its URI form; or rewrites
//! the files in place, shows a diff, or checks whether anything would change.

mod container;
mod document;
mod in_place;
mod input;
mod mail;

use std::{
    io, mem,
    path::Path,
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use self::{in_place::Batch, input::InputRewriter};
use super::run::Run;
use crate::{
    args::rewrite::RewriteArgs,
    inputs::{
        Outcome, choosing,
        list::{Folders, Input, Inputs, Origin},
        open::Purpose,
    },
    messages::{
        say,
        text::{name, plural, shown},
        trouble::{Trouble, complain_of_output},
    },
    ordered::each::TurnWriter,
    output::{self, Destination, backups::Backups, temporary::catch_signals},
    printers::{colors, painted_diff::PaintedDiff, stats::Stats},
};

pub(crate) fn run(args: &RewriteArgs) -> Result<ExitCode, Trouble> {
    let purpose = match args.in_place {
        Some(_) => Purpose::RewriteInPlace,
        None => Purpose::Rewrite,
    };
    let run = Run::begin(&args.scan, purpose);
    let rewrite = args.rewrite().map_err(Trouble::Usage)?;
    let config = choosing::rewriting(&args.scan, rewrite)?.identifiers(args.identifiers);
    args.check_chosen(config.get_filter()).map_err(Trouble::Usage)?;
    let finder = config.build().map_err(Trouble::Config)?;
    if args.in_place.is_some() {
        check_in_place(args)?;
        catch_signals().map_err(Trouble::Signals)?;
    } else {
        match &args.output {
            Some(output) => {
                check_output(args)?;
                catch_signals().map_err(Trouble::Signals)?;
                output::set_to_file(output);
            }
            None => output::set_to_stdout(),
        }
    }
    let folders = match args.in_place.is_some() || args.diff || args.check {
        true => Folders::Walked,
        false => Folders::Refused("add -i, --diff or --check, or name the files in it"),
    };
    let mut inputs = Inputs::new(&args.scan.inputs, folders)?;
    let backups = match args.in_place.as_deref() {
        None | Some("") => Backups::none(),
        Some(suffix) => Backups::new(suffix, inputs.all_named()),
    };
    let read = AtomicU64::new(0);
    let rewriter = InputRewriter { finder: &finder, args, opener: run.opener(), read };
    let batch = Batch::new(&backups);
    let total = run.each(&mut inputs, args.scan.workers(), |input, turn| {
        let mut stats = None;
        let done = one(&rewriter, &input, &backups, &batch, turn, &mut stats);
        // An input that was not read counts too.
        let stats = stats.or_else(|| Stats::wanted(args.scan.run.stats));
        run.count(stats, done.as_ref().is_ok_and(|done| done.whole));
        done
    });
    let failed = batch.finish();
    let total = total?;
    if args.in_place.is_some() && (inputs.are_many() || args.scan.run.verbose) {
        let read = plural(rewriter.read.into_inner(), "file");
        let (changed, links) = (total.inputs - failed, plural(total.links, "link"));
        say(format_args!("{read} read, {changed} changed; {links} rewritten"));
    }
    run.end(&inputs);
    Ok(ExitCode::from(match (total.trouble || failed > 0, args.check && total.links > 0) {
        (true, _) => 2,
        (false, true) => 1,
        (false, false) => 0,
    }))
}

/// Writes the rewritten form of an input to a file.
fn to_file(
    output: &Path,
    read: &mut dyn FnMut(&mut Destination<'_>) -> Result<Outcome, Trouble>,
) -> Result<Outcome, Trouble> {
    let mut done = Ok(Outcome::NOTHING);
    let written = output::write_by(output, |out| {
        done = read(&mut Destination::All(out));
        match &mut done {
            Ok(done) => Ok(done.whole),
            Err(Trouble::Output(e)) => Err(mem::replace(e, io::ErrorKind::Other.into())),
            Err(_) => Ok(false),
        }
    });
    match written {
        Ok(_) => done,
        Err(e) => {
            complain_of_output(output, &e);
            Ok(Outcome::NOTHING)
        }
    }
}

/// Refuses `-i` without inputs, and `-i .bak`, which names a file and gives no suffix.
fn check_in_place(args: &RewriteArgs) -> Result<(), Trouble> {
    let inputs = &args.scan.inputs;
    if inputs.is_empty() {
        let what = "-i rewrites files, and none is named; name some, or leave it out";
        return Err(Trouble::Usage(what.into()));
    }
    let suffix = inputs.paths.first().and_then(|path| path.to_str());
    let suffix = suffix.filter(|name| name.starts_with('.') && !Path::new(name).exists());
    if let (Some(""), Some(suffix)) = (args.in_place.as_deref(), suffix)
        && inputs.paths.len() > 1
    {
        let name = shown(suffix);
        return Err(Trouble::Usage(format!(
            "{name}: no such file; a SUFFIX comes after `=`: write --in-place={name}"
        )));
    }
    Ok(())
}

/// Refuses `-o` with other than one input.
fn check_output(args: &RewriteArgs) -> Result<(), Trouble> {
    let inputs = &args.scan.inputs;
    match inputs.paths.len() {
        0 | 1 if inputs.files_from.is_none() => Ok(()),
        _ => Err(Trouble::Usage("-o is for one input; -i rewrites many files".into())),
    }
}

/// Does with one input what the options want. `stats` gets the numbers of the last scan.
fn one(
    rewriter: &InputRewriter<'_>,
    input: &Input,
    backups: &Backups,
    batch: &Batch<'_>,
    turn: &mut TurnWriter<'_>,
    stats: &mut Option<Stats>,
) -> Result<Outcome, Trouble> {
    let args = rewriter.args;
    let mut is_read = false;
    let mut read = |file: Option<&Arc<_>>, to: &mut Destination<'_>| {
        *stats = Stats::wanted(args.scan.run.stats);
        rewriter.rewrite(input, file, to, stats.as_mut(), &mut is_read)
    };
    let done = match (&args.in_place, args.diff, args.check) {
        (Some(_), ..) if input.origin == Origin::Tree && backups.has_name_of(&input.path) => {
            if args.scan.run.verbose {
                let name = name(&input.path);
                say(format_args!("{name}: a backup by its name, left out; name it to have it"));
            }
            input.meter.begin(input.path.metadata().ok().map(|about| about.len()));
            Ok(Outcome::LEFT_OUT)
        }
        (Some(_), ..) => in_place::rewrite(input, batch, &mut |file, to| read(Some(file), to)),
        (None, true, _) => {
            let mut out = PaintedDiff::new(turn, colors::are_wanted(args.color));
            read(None, &mut Destination::Diff(&mut out))
        }
        (None, false, true) => {
            let done = read(None, &mut Destination::Nowhere)?;
            // For a single input, the exit status is enough.
            let single = matches!(&args.scan.inputs.paths[..], [path] if *path == input.path);
            let single = single || input.path == Path::new("-");
            if done.links > 0 && (!single || args.scan.run.verbose) {
                let (name, links) = (name(&input.path), plural(done.links, "link"));
                say(format_args!("{name}: {links} would change"));
            }
            Ok(done)
        }
        (None, false, false) => match &args.output {
            None => read(None, &mut Destination::All(turn)),
            Some(output) => to_file(output, &mut |to| read(None, to)),
        },
    };
    rewriter.read.fetch_add(u64::from(is_read), Ordering::Relaxed);
    done
}
