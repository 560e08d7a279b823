//! `iriscan rewrite`.

use std::{
    io::{self, BufWriter, Write},
    path::Path,
    process::ExitCode,
};

use iriscan::{Basis, Match, Rewriter, Sink, Summary};

use crate::{
    args::RewriteArgs,
    input::{self, Trouble},
};

pub(crate) fn run(args: &RewriteArgs) -> Result<ExitCode, Trouble> {
    let finder = args.scan.finder().map_err(Trouble::Config)?;
    let (mut trouble, mut changes) = (false, false);
    for path in args.scan.inputs() {
        let out: Box<dyn Write> =
            if args.check { Box::new(io::sink()) } else { Box::new(io::stdout().lock()) };
        let mut sink = Reporting {
            rewriter: Rewriter::new(BufWriter::with_capacity(128 * 1024, out), &finder),
            path: &path,
            verbose: args.scan.verbose,
        };
        let read = input::scan(&finder, &path, &mut sink, |sink| sink.rewriter.get_mut().flush())?;
        changes |= sink.rewriter.changed() > 0;
        let unconvertible = sink.rewriter.unconvertible();
        trouble |= !read.is_whole();
        if let Some(summary) = read.summary() {
            let guessed = summary.basis == Basis::Detector;
            if args.scan.verbose || guessed {
                input::report_charset(&path, summary);
            }
        }
        input::report_unconvertible(&path, unconvertible, args.scan.verbose);
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
}

impl<W: Write> Sink for Reporting<'_, W> {
    type Error = io::Error;

    fn text(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.rewriter.text(bytes)
    }

    fn matched(&mut self, link: &Match<'_>) -> io::Result<()> {
        if self.verbose
            && let Some(why) = link.unconvertible()
        {
            input::report_link(self.path, link, &why);
        }
        self.rewriter.matched(link)
    }

    fn finish(&mut self, summary: &Summary) -> io::Result<()> {
        self.rewriter.finish(summary)
    }
}
