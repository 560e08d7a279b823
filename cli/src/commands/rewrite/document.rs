//! `iriscan rewrite` of documents: all formats but mail.

use std::{
    io::{self, Write},
    mem,
    ops::ControlFlow,
    path::Path,
};

use iriscan::{Basis, Charset, Finder, Format, Match, Rewrite, Rewriter, Sink, Summary};

use crate::{
    args::{rewrite::RewriteArgs, scan::Pace},
    inputs::{
        Outcome,
        open::Opened,
        scan::{Reading, scan},
    },
    messages::{
        notes::{self, Notes},
        text::name,
        trouble::Trouble,
    },
    ordered::pieces::{Buffers, Extent, SharedFile},
    output::Destination,
    printers::{
        diff::{Diff, LinePairing},
        stats::Stats,
    },
};

/// Rewrites the document at `path`.
pub(super) fn rewrite(
    finder: &Finder,
    format: Format,
    path: &Path,
    mut opened: Opened,
    args: &RewriteArgs,
    to: &mut Destination<'_>,
    mut stats: Option<&mut Stats>,
) -> Result<Outcome, Trouble> {
    let (why, is_member) = (opened.why(), opened.is_member());
    let before = charset_ahead(finder, &mut opened, args);
    let told = before.map(|(charset, _)| finder.clone().charset(charset));
    let finder = told.as_ref().unwrap_or(finder);
    let probe = matches!(to, Destination::Probe);
    let out = match to {
        Destination::All(out) => Out::To(*out),
        Destination::Diff(_) => Out::Kept(Vec::new()),
        Destination::Nowhere | Destination::Probe => Out::Nowhere(io::sink()),
    };
    let mut sink = RewritingSink::new(finder, out, path, args, probe);
    let mut counts = Counts::default();
    let read = scan_into(finder, opened, args, &mut sink, &mut counts, &mut stats)?;
    if read.summary().is_some_and(|summary| summary.stopped) {
        return Ok(Outcome { links: 1, whole: true });
    }
    if let Some(stats) = &mut stats {
        if !is_member {
            stats.document(read.summary(), format);
        }
        stats.rewritten(counts.changed);
    }
    if let Some(summary) = read.summary() {
        // A charset that was guessed may be wrong, and decides which bytes change.
        let basis = before.map_or(summary.basis, |(_, basis)| basis);
        let mut summary = *summary;
        summary.basis = basis;
        let summary = &summary;
        if args.scan.run.verbose || basis == Basis::Detector {
            notes::report_charset(path, summary, format, why);
        }
    }
    let mixed = match read.summary() {
        Some(summary) if summary.charset != Charset::UTF_8 => counts.early,
        _ => 0,
    };
    notes::report_mixed(path, mixed);
    counts.report_staying(path, &sink.rewrite, args.scan.run.verbose);
    notes::report_overlong(path, read.overlong(), args.scan.rules.max_len);
    let original = sink.original.take();
    let new = sink.rewriter.into_inner().0.kept();
    if let (Some(old), Some(new), Some(summary), Destination::Diff(out)) =
        (original, new, read.summary(), to)
    {
        let [old, new] = [&old, &new].map(|bytes| summary.charset.decode(bytes));
        Diff::new(name(path))
            .write(out, 1, old.as_bytes(), new.as_bytes(), LinePairing::Paired)
            .map_err(Trouble::Output)?;
    }
    Ok(Outcome { links: counts.changed, whole: read.is_whole() && mixed == 0 })
}

/// The charset that the first bytes show that are not ASCII, and why; only if links before them are written in it.
fn charset_ahead(
    finder: &Finder,
    opened: &mut Opened,
    args: &RewriteArgs,
) -> Option<(Charset, Basis)> {
    let is_open = finder.config().get_charset().is_none()
        && args.to_iri()
        && args.scan.run.pace() == Pace::Settled;
    if is_open { opened.charset(finder) } else { None }
}

/// Scans the document into `sink`, on several threads if that is worth it.
fn scan_into(
    finder: &Finder,
    opened: Opened,
    args: &RewriteArgs,
    sink: &mut RewritingSink<'_, Out<'_>>,
    counts: &mut Counts,
    stats: &mut Option<&mut Stats>,
) -> Result<Reading, Trouble> {
    let (path, probe) = (sink.path, sink.probe);
    let alone = args.diff || args.numbers_links();
    let jobs = if alone { 1 } else { args.scan.run.threads_of_one() };
    let Some(file) = SharedFile::of(&opened, jobs) else {
        let read = scan(finder, path, opened, sink, args.scan.run.pace());
        counts.add(sink, stats);
        return read;
    };
    let buffers = Buffers::default();
    let make = || {
        let mut piece = RewritingSink::new(finder, buffers.take(), path, args, probe);
        piece.notes = Notes::Kept(String::new());
        piece
    };
    let pour = &mut |piece: &mut RewritingSink<'_, Vec<u8>>, extent| {
        piece.notes.say();
        let out = piece.rewriter.get_mut();
        sink.rewriter.get_mut().write_all(out)?;
        out.clear();
        if extent == Extent::Whole {
            buffers.put(mem::take(out));
            counts.add(piece, stats);
        }
        Ok(())
    };
    file.scan(finder, path, &make, pour)
}

/// The numbers of links of a document.
#[derive(Default)]
struct Counts {
    changed: u64,
    /// Links that stay as they are.
    unconvertible: u64,
    /// Those of them that have a URI form, which cannot be where they are.
    held: u64,
    /// Identifiers that stay.
    identifiers: u64,
    /// Characters that became `?`.
    lost: u64,
    /// Links that were written in UTF-8 before the charset was known.
    early: u64,
}

impl Counts {
    /// Says how many links stay as they are, and why, and what was lost in the others.
    fn report_staying(&self, path: &Path, rewrite: &Rewrite, verbose: bool) {
        let report_kept = match rewrite {
            Rewrite::Template(_) => notes::report_left,
            Rewrite::Iri(_) => notes::report_unreadable,
            Rewrite::Edit(_) => notes::report_unedited,
            _ => notes::report_unconvertible,
        };
        report_kept(path, self.unconvertible - self.held, verbose);
        notes::report_held(path, self.held, verbose);
        notes::report_lost(path, self.lost);
        notes::report_identifiers(path, self.identifiers);
    }

    /// Adds the numbers of a sink that has come to its end.
    fn add<W: Write>(&mut self, sink: &mut RewritingSink<'_, W>, stats: &mut Option<&mut Stats>) {
        self.changed += sink.rewriter.changed();
        self.unconvertible += sink.rewriter.unconvertible();
        self.held += sink.held;
        self.identifiers += sink.rewriter.identifiers();
        self.lost += sink.rewriter.lost();
        self.early += sink.rewriter.before_charset();
        if let (Some(all), Some(stats)) = (stats, &mut sink.stats) {
            all.merge(stats);
        }
    }
}

/// Why a link stays though it has a URI form.
const UNWRITABLE: &str = "its URI cannot stand there: the charset lacks a character of it, the \
                          format has no place for it, or what is directly before it would make \
                          something else of it";

/// Why a link over tags stays.
const DIVIDED: &str = "markup is within it, and another text in its place would lose that";

/// Why a link over two strings stays.
const JOINED: &str = "it is in two strings, and another text in its place would make one of them";

/// Why a link stays as a URI.
const UNREADABLE: &str = "decoded, it would be another URI, or not be found whole where it stands";

/// Why a link stays of which parts change.
const UNEDITED: &str = "the new part cannot be written there: the format or the charset has no place for it, or \
                        a browser opens another host";

/// Why a link stays though it has the fields of the template.
const SWALLOWED: &str = "the new text cannot stand there: the format has no place for it, or \
                         malformed bytes directly before it would take its first byte";

/// A rewriter that also counts, and names the links that it cannot convert.
struct RewritingSink<'p, W> {
    rewriter: Rewriter<W>,
    path: &'p Path,
    verbose: bool,
    rewrite: Rewrite,
    /// Links that stay though they have a URI form.
    held: u64,
    /// True if the first change ends the scan.
    probe: bool,
    /// The bytes of the input, with `--diff`.
    original: Option<Vec<u8>>,
    notes: Notes,
    /// The numbers for `--stats`.
    stats: Option<Stats>,
}

impl<'p, W: Write> RewritingSink<'p, W> {
    /// Says why a link stays as it is.
    #[cold]
    fn say_why(&mut self, link: &Match<'_>) {
        let lacks = match &self.rewrite {
            Rewrite::Template(template) => {
                Some(!matches!(template.write(link, 1, &mut String::new()), Ok(true)))
            }
            _ => None,
        };
        let (text, iri) = (link.text(), link.iri());
        let has_lost = |c: char| text.contains(c) && !iri.contains(c);
        let why = match (lacks, link.uri()) {
            (None | Some(false), Ok(_)) if has_lost('<') => DIVIDED.to_owned(),
            (None | Some(false), Ok(_)) if has_lost('"') || has_lost('\n') => JOINED.to_owned(),
            (None, _) if matches!(self.rewrite, Rewrite::Edit(_)) => UNEDITED.to_owned(),
            (None, Ok(_)) if matches!(self.rewrite, Rewrite::Iri(_)) => UNREADABLE.to_owned(),
            (Some(false), _) => SWALLOWED.to_owned(),
            (_, Err(why)) => why.to_string(),
            (Some(true), _) => "it lacks a field of the template".to_owned(),
            (None, _) => UNWRITABLE.to_owned(),
        };
        self.notes.staying(self.path, link, &why);
    }

    fn new(finder: &Finder, out: W, path: &'p Path, args: &RewriteArgs, probe: bool) -> Self {
        let rewriter = Rewriter::new(out, finder);
        let original = args.diff.then(Vec::new);
        let verbose = args.scan.run.verbose;
        let stats = Stats::wanted(args.scan.run.stats);
        let (rewrite, notes) = (finder.config().get_rewrite().clone(), Notes::Said);
        RewritingSink { rewriter, path, verbose, rewrite, held: 0, probe, original, notes, stats }
    }
}

/// Where the rewritten bytes go.
enum Out<'o> {
    To(&'o mut dyn Write),
    Kept(Vec<u8>),
    Nowhere(io::Sink),
}

impl Out<'_> {
    /// The bytes that were kept.
    fn kept(self) -> Option<Vec<u8>> {
        match self {
            Out::Kept(bytes) => Some(bytes),
            Out::To(_) | Out::Nowhere(_) => None,
        }
    }

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

impl<W: Write> Sink for RewritingSink<'_, W> {
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

    fn matched(&mut self, link: &Match<'_>) -> io::Result<ControlFlow<()>> {
        if let Some(stats) = &mut self.stats {
            stats.link(link);
        }
        if let Some(original) = &mut self.original {
            original.extend_from_slice(link.source());
        }
        let before = self.rewriter.unconvertible();
        let flow = self.rewriter.matched(link)?;
        if self.rewriter.unconvertible() > before {
            let to_uri = matches!(self.rewrite, Rewrite::Uri);
            self.held += u64::from(to_uri && link.unconvertible().is_none());
            if self.verbose {
                self.say_why(link);
            }
        }
        match self.probe && self.rewriter.changed() > 0 {
            true => Ok(ControlFlow::Break(())),
            false => Ok(flow),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.rewriter.flush()
    }

    fn finish(&mut self, summary: &Summary) -> io::Result<()> {
        self.rewriter.finish(summary)
    }
}
