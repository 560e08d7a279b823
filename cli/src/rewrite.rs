//! `iriscan rewrite`.

use std::{
    io::{self, BufWriter, Write},
    mem,
    path::Path,
    process::ExitCode,
};

use iriscan::{Basis, Match, Rewriter, Sink, Summary};

use crate::{
    args::RewriteArgs,
    diff,
    input::{self, Notes, Trouble},
    mail,
    parallel::{Buffers, Over},
};

pub(crate) fn run(args: &RewriteArgs) -> Result<ExitCode, Trouble> {
    let finder = args.scan.finder().map_err(Trouble::Config)?;
    let (mut trouble, mut changes) = (false, false);
    for path in args.scan.inputs() {
        let Some(opened) = input::open(&path, args.scan.format) else {
            trouble = true;
            continue;
        };
        if opened.is_mail() {
            let read = mail::rewrite(&finder, &path, opened, args)?;
            changes |= read.links > 0;
            trouble |= !read.whole;
            continue;
        }
        let format = opened.format();
        let finder = finder.clone().format(format.0);
        let out = match (args.diff, args.check) {
            (true, _) => Out::Kept(Vec::new()),
            (false, true) => Out::Nowhere(io::sink()),
            (false, false) => Out::Stdout(BufWriter::with_capacity(
                256 * 1024,
                input::stdout().map_err(Trouble::Output)?,
            )),
        };
        let mut sink = Reporting::new(Rewriter::new(out, &finder), &path, args);
        let jobs = if args.diff { 1 } else { args.scan.jobs };
        let (mut changed, mut unconvertible) = (0, 0);
        let read = match input::divisible(&path, format.0, jobs) {
            None => {
                let read = input::scan(&finder, &path, opened, &mut sink, |sink| {
                    sink.rewriter.get_mut().flush()
                })?;
                (changed, unconvertible) = (sink.rewriter.changed(), sink.rewriter.unconvertible());
                read
            }
            Some(shared) => {
                let buffers = Buffers::default();
                let make = || {
                    let rewriter = Rewriter::new(buffers.take(), &finder);
                    let mut piece = Reporting::new(rewriter, &path, args);
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
                    }
                    Ok(())
                };
                let read = input::scan_pieces(&finder, &path, shared, &make, pour)?;
                sink.rewriter.get_mut().flush().map_err(Trouble::Output)?;
                read
            }
        };
        changes |= changed > 0;
        trouble |= !read.is_whole();
        if let Some(summary) = read.summary() {
            let guessed = summary.basis == Basis::Detector;
            if args.scan.verbose || guessed {
                input::report_charset(&path, summary, format);
            }
        }
        input::report_unconvertible(&path, unconvertible, args.scan.verbose);
        let original = sink.original.take();
        if let (Some(old), (Out::Kept(new), _), Some(summary)) =
            (original, sink.rewriter.into_inner(), read.summary())
        {
            let text = |bytes| summary.charset.decode(bytes);
            let mut out = BufWriter::new(io::stdout().lock());
            diff::write(&mut out, &input::name(&path), &text(&old), &text(&new))
                .and_then(|()| out.flush())
                .map_err(Trouble::Output)?;
        }
    }
    Ok(ExitCode::from(match (trouble, args.check && changes) {
        (true, _) => 2,
        (false, true) => 1,
        (false, false) => 0,
    }))
}

/// A rewriter that names the links it cannot convert.
struct Reporting<'p, W> {
    rewriter: Rewriter<W>,
    path: &'p Path,
    verbose: bool,
    /// With --diff: the input.
    original: Option<Vec<u8>>,
    notes: Notes,
}

impl<'p, W: Write> Reporting<'p, W> {
    fn new(rewriter: Rewriter<W>, path: &'p Path, args: &RewriteArgs) -> Self {
        let original = args.diff.then(Vec::new);
        let verbose = args.scan.verbose;
        Reporting { rewriter, path, verbose, original, notes: Notes::Said }
    }
}

/// Where the rewritten bytes go.
enum Out {
    Stdout(BufWriter<input::Stdout>),
    Kept(Vec<u8>),
    Nowhere(io::Sink),
}

impl Out {
    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Out::Stdout(out) => out,
            Out::Kept(out) => out,
            Out::Nowhere(out) => out,
        }
    }
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer().flush()
    }
}

impl<W: Write> Sink for Reporting<'_, W> {
    type Error = io::Error;

    fn text(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Some(original) = &mut self.original {
            original.extend_from_slice(bytes);
        }
        self.rewriter.text(bytes)
    }

    fn matched(&mut self, link: &Match<'_>) -> io::Result<()> {
        if self.verbose
            && let Some(why) = link.unconvertible()
        {
            self.notes.link(self.path, link, &why);
        }
        if let Some(original) = &mut self.original {
            original.extend_from_slice(link.source());
        }
        self.rewriter.matched(link)
    }

    fn finish(&mut self, summary: &Summary) -> io::Result<()> {
        self.rewriter.finish(summary)
    }
}
