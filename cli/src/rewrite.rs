//! `iriscan rewrite`.

use std::{
    fs::File,
    io::{self, Write},
    mem,
    path::Path,
    process::ExitCode,
    sync::Arc,
    time::Instant,
};

use iriscan::{Basis, Charset, Finder, Match, Rewriter, Sink, Summary};

use crate::{
    args::RewriteArgs,
    compressed::Writer,
    diff::{Diff, Lines},
    in_place::{self, Backups},
    input::{self, Archives, Content, Notes, Opened, Outcome, Trouble},
    mail,
    parallel::{Buffers, Over},
    queue,
    show::{self, PaintedDiff},
    stats::{self, Stats},
    walk::{Folders, Input, Inputs, Origin},
};

pub(crate) fn run(args: &RewriteArgs) -> Result<ExitCode, Trouble> {
    let begun = Instant::now();
    args.scan.show_progress();
    let all = stats::Sum::wanted(args.scan.stats);
    let config = args.scan.config_in(None).identifiers(args.identifiers);
    let finder = config.build().map_err(Trouble::Config)?;
    if args.in_place.is_some() {
        if args.scan.paths.is_empty() && args.scan.files_from.is_none() {
            let what = "-i rewrites files, and none is named; name some, or leave it out";
            return Err(Trouble::Usage(what.into()));
        }
        // Of files, none would be kept.
        let suffix = args.scan.paths.first().and_then(|path| path.to_str());
        let suffix = suffix.filter(|name| name.starts_with('.') && !Path::new(name).exists());
        if let (Some(""), Some(suffix)) = (args.in_place.as_deref(), suffix)
            && args.scan.paths.len() > 1
        {
            let name = input::shown(suffix);
            return Err(Trouble::Usage(format!(
                "{name}: no such file; a SUFFIX stands behind `=`: write --in-place={name}"
            )));
        }
        input::leave_broken();
        in_place::catch_signals().map_err(Trouble::Signals)?;
    }
    if args.in_place.is_none() {
        input::output_is_standard();
    }
    let folders = match args.in_place.is_some() || args.diff || args.check {
        true => Folders::Walked,
        false => Folders::Refused("add -i, --diff or --check, or name the files in it"),
    };
    let mut inputs = Inputs::new(&args.scan, folders)?;
    let backups = match args.in_place.as_deref() {
        None | Some("") => Backups::none(),
        Some(suffix) => Backups::new(suffix, inputs.all_named()),
    };
    let total = queue::run(&mut inputs, args.scan.workers(), args.scan.pace(), &|input, turn| {
        let Some(input) = input::there(input, &all) else { return Ok(Outcome::NOTHING) };
        input::wait(&input, turn)?;
        let mut seen = None;
        let mut read = |file: Option<&Arc<File>>, to: &mut To<'_>| {
            // In place there are two, of which the last one counts.
            seen = Stats::wanted(args.scan.stats);
            rewrite(&finder, &input, file, args, to, seen.as_mut())
        };
        let mut once = |to: &mut To<'_>| read(None, to);
        let done = match (&args.in_place, args.diff, args.check) {
            (Some(_), ..) if input.origin == Origin::Tree && backups.has_name_of(&input.path) => {
                if args.scan.verbose {
                    let name = input::name(&input.path);
                    input::say(format_args!(
                        "{name}: a backup by its name, left out; name it to have it"
                    ));
                }
                Ok(Outcome::LEFT_OUT)
            }
            (Some(_), ..) => in_place::file(&input, &backups, &mut |file, to| read(Some(file), to)),
            (None, true, _) => {
                let mut out = PaintedDiff::new(turn, show::in_color(args.color));
                once(&mut To::Diff(&mut out))
            }
            (None, false, true) => {
                let done = once(&mut To::Nowhere);
                // Of a single one the exit status says it.
                let single = matches!(&args.scan.paths[..], [path] if *path == input.path);
                let single = single || input.path == Path::new("-");
                if let Ok(Outcome { links: links @ 1.., .. }) = done
                    && (!single || args.scan.verbose)
                {
                    let (name, links) = (input::name(&input.path), input::plural(links, "link"));
                    input::say(format_args!("{name}: {links} would change"));
                }
                done
            }
            (None, false, false) => once(&mut To::Out(turn)),
        };
        all.add(
            seen.or_else(|| Stats::wanted(args.scan.stats)),
            done.as_ref().is_ok_and(|done| done.whole),
        );
        done
    })?;
    inputs.say_unmatched();
    input::say_unused_fields(&args.scan);
    all.say(args.scan.stats, begun);
    Ok(ExitCode::from(match (total.trouble, args.check && total.links > 0) {
        (true, _) => 2,
        (false, true) => 1,
        (false, false) => 0,
    }))
}

/// Where what an input becomes goes.
pub(crate) enum To<'o> {
    /// All of it.
    Out(&'o mut dyn Write),
    /// What changes, as a diff.
    Diff(&'o mut dyn Write),
    Nowhere,
    /// Nowhere, and the first change ends it.
    Probe,
}

impl To<'_> {
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        match self {
            To::Out(out) | To::Diff(out) => out.flush(),
            To::Nowhere | To::Probe => Ok(()),
        }
    }
}

/// Rewrites an input, whose `file` may be open already.
pub(crate) fn rewrite(
    finder: &Finder,
    input: &Input,
    file: Option<&Arc<File>>,
    args: &RewriteArgs,
    to: &mut To<'_>,
    stats: Option<&mut Stats>,
) -> Result<Outcome, Trouble> {
    let opened = match input::begin_with(finder, input, file, &args.scan, Archives::Refused) {
        Ok(opened) => opened,
        Err(done) => return Ok(done),
    };
    if opened.content() == Content::Archive {
        let name = input::name(&input.path);
        input::say(format_args!(
            "{name}: a web archive, whose lengths and digests would be wrong; `find` lists \
             its links"
        ));
        return Ok(Outcome::NOTHING);
    }
    match (opened.compression(), to) {
        (Some(compression), To::Out(out)) => {
            let mut out = Writer::new(&compression, *out).map_err(Trouble::Output)?;
            let to = &mut To::Out(&mut out);
            let done = rewrite_opened(finder, &input.path, opened, args, to, stats)?;
            out.finish().map(|()| done).map_err(Trouble::Output)
        }
        (_, to) => rewrite_opened(finder, &input.path, opened, args, to, stats),
    }
}

fn rewrite_opened(
    finder: &Finder,
    path: &Path,
    opened: Opened,
    args: &RewriteArgs,
    to: &mut To<'_>,
    mut stats: Option<&mut Stats>,
) -> Result<Outcome, Trouble> {
    let Content::Document(format) = opened.content() else {
        return mail::rewrite(finder, path, opened, args, to, stats);
    };
    let why = opened.why();
    let finder = finder.clone().format(format);
    let (diff, probe) = (matches!(to, To::Diff(_)), matches!(to, To::Probe));
    let out = match to {
        To::Out(out) => Out::To(*out),
        To::Diff(_) => Out::Kept(Vec::new()),
        To::Nowhere | To::Probe => Out::Nowhere(io::sink()),
    };
    let mut sink = Reporting::new(Rewriter::new(out, &finder), path, args);
    sink.probe = probe;
    let jobs = if diff { 1 } else { args.scan.threads() };
    let (mut changed, mut unconvertible, mut identifiers) = (0, 0, 0);
    let read = match input::divisible(&opened, jobs) {
        None => {
            let read = input::scan(&finder, path, opened, &mut sink, |sink| {
                sink.rewriter.get_mut().flush()
            });
            (changed, unconvertible) = (sink.rewriter.changed(), sink.rewriter.unconvertible());
            identifiers = sink.rewriter.identifiers();
            if let (Some(all), Some(seen)) = (&mut stats, &mut sink.stats) {
                all.merge(seen);
            }
            read
        }
        Some(shared) => {
            let buffers = Buffers::default();
            let make = || {
                let rewriter = Rewriter::new(buffers.take(), &finder);
                let mut piece = Reporting::new(rewriter, path, args);
                piece.notes = Notes::Kept(String::new());
                piece
            };
            let pour = &mut |piece: &mut Reporting<'_, Vec<u8>>, over| {
                piece.notes.say();
                let out = piece.rewriter.get_mut();
                sink.rewriter.get_mut().write_all(out)?;
                out.clear();
                if over == Over::Yes {
                    buffers.put(mem::take(out));
                    changed += piece.rewriter.changed();
                    unconvertible += piece.rewriter.unconvertible();
                    identifiers += piece.rewriter.identifiers();
                    if let (Some(all), Some(seen)) = (&mut stats, &mut piece.stats) {
                        all.merge(seen);
                    }
                }
                if probe && piece.rewriter.changed() > 0 {
                    return Err(seen_enough());
                }
                Ok(())
            };
            input::scan_pieces(&finder, path, shared, &make, pour)
        }
    };
    let read = match read {
        Err(Trouble::Output(_)) if probe => return Ok(Outcome { links: 1, whole: true }),
        read => read?,
    };
    if let Some(stats) = &mut stats {
        stats.document(read.summary(), format);
        stats.rewritten(changed);
    }
    if let Some(summary) = read.summary() {
        let guessed = summary.basis == Basis::Detector;
        if args.scan.verbose || guessed {
            input::report_charset(path, summary, format, why);
        }
    }
    input::report_unconvertible(path, unconvertible, args.scan.verbose);
    input::report_identifiers(path, identifiers);
    input::report_overlong(path, read.overlong(), args.scan.max_len);
    let original = sink.original.take();
    let new = match sink.rewriter.into_inner().0 {
        Out::Kept(new) => Some(new),
        _ => None,
    };
    if let (Some(old), Some(new), Some(summary), To::Diff(out)) =
        (original, new, read.summary(), to)
    {
        let [old, new] = [&old, &new].map(|bytes| summary.charset.decode(bytes));
        Diff::new(input::name(path))
            .write(out, 1, old.as_bytes(), new.as_bytes(), Lines::Paired)
            .map_err(Trouble::Output)?;
    }
    Ok(Outcome { links: changed, whole: read.is_whole() })
}

/// Why a link stays though it has a URI form.
const UNWRITABLE: &str = "its URI cannot stand there: the charset lacks a character of it, or \
                          what is directly before it would make something else of it";

/// Ends a scan that only looks whether anything changes.
fn seen_enough() -> io::Error {
    io::ErrorKind::Other.into()
}

/// A rewriter that names the links it cannot convert.
struct Reporting<'p, W> {
    rewriter: Rewriter<W>,
    path: &'p Path,
    verbose: bool,
    /// The first change ends the scan.
    probe: bool,
    /// With --diff: the input.
    original: Option<Vec<u8>>,
    notes: Notes,
    /// With --stats.
    stats: Option<Stats>,
}

impl<'p, W: Write> Reporting<'p, W> {
    fn new(rewriter: Rewriter<W>, path: &'p Path, args: &RewriteArgs) -> Self {
        let original = args.diff.then(Vec::new);
        let verbose = args.scan.verbose;
        let stats = Stats::wanted(args.scan.stats);
        Reporting { rewriter, path, verbose, probe: false, original, notes: Notes::Said, stats }
    }
}

/// Where the rewritten bytes go.
enum Out<'o> {
    To(&'o mut dyn Write),
    Kept(Vec<u8>),
    Nowhere(io::Sink),
}

impl Out<'_> {
    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Out::To(out) => *out,
            Out::Kept(out) => out,
            Out::Nowhere(out) => out,
        }
    }
}

impl Write for Out<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer().flush()
    }
}

impl<W: Write> Sink for Reporting<'_, W> {
    type Error = io::Error;

    fn charset(&mut self, charset: Charset, basis: Basis) -> io::Result<()> {
        self.rewriter.charset(charset, basis)
    }

    fn text(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Some(original) = &mut self.original {
            original.extend_from_slice(bytes);
        }
        self.rewriter.text(bytes)
    }

    fn matched(&mut self, link: &Match<'_>) -> io::Result<()> {
        if let Some(stats) = &mut self.stats {
            stats.link(link);
        }
        if let Some(original) = &mut self.original {
            original.extend_from_slice(link.source());
        }
        let before = self.rewriter.unconvertible();
        self.rewriter.matched(link)?;
        if self.verbose && self.rewriter.unconvertible() > before {
            match link.unconvertible() {
                Some(why) => self.notes.link(self.path, link, &why),
                None => self.notes.link(self.path, link, &UNWRITABLE),
            }
        }
        if self.probe && self.rewriter.changed() > 0 { Err(seen_enough()) } else { Ok(()) }
    }

    fn finish(&mut self, summary: &Summary) -> io::Result<()> {
        self.rewriter.finish(summary)
    }
}
