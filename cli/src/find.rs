//! `iriscan find`.

use std::{
    collections::HashSet,
    io::{self, Write},
    mem,
    path::Path,
    process::ExitCode,
    sync::Mutex,
    time::Instant,
};

use iriscan::{
    Basis, Charset, Finder, Match, Position, Positions, Sink, Summary, UriError, mail::MailLink,
};

use crate::{
    args::{FindArgs, Offsets},
    context::{Context, Each, Seen},
    input::{self, Archives, Content, Notes, Opened, Outcome, Trouble},
    mail,
    parallel::{Buffers, Over},
    queue::{self, Turn},
    record::Record,
    show::{self, Painter},
    stats::{self, Stats},
    walk::{Folders, Input, Inputs},
    warc,
};

pub(crate) fn run(args: &FindArgs) -> Result<ExitCode, Trouble> {
    let begun = Instant::now();
    args.scan.show_progress();
    let finder = args.scan.finder().map_err(Trouble::Config)?;
    // What is for programs is never dressed up.
    let plain = args.json || args.null || args.iri || args.count;
    let painter = (!plain && show::in_color(args.color)).then(|| Painter::new(!args.no_filename));
    let all = stats::Sum::wanted(args.scan.stats);
    input::output_is_standard();
    let mut inputs = Inputs::new(&args.scan, Folders::Walked)?;
    // What came before counts for --unique.
    let workers = if args.unique { 1 } else { args.scan.workers() };
    let (named, seen) = (args.names_inputs(), Mutex::new(HashSet::new()));
    let total = queue::run(&mut inputs, workers, args.scan.pace(), &|input, turn| {
        let Some(input) = input::there(input, &all) else { return Ok(Outcome::NOTHING) };
        input::wait(&input, turn)?;
        let mut lister = Lister::new(args, &input.path, named, turn, Notes::Said);
        lister.view = painter.map(|painter| (painter, Context::new()));
        if args.unique {
            lister.seen = mem::take(&mut *seen.lock().expect("one thread should have it"));
        }
        let done = find(&finder, &mut lister, &input);
        if args.unique {
            *seen.lock().expect("one thread should have it") = lister.seen;
        }
        all.add(lister.stats, done.as_ref().is_ok_and(|done| done.whole));
        done
    })?;
    inputs.say_unmatched();
    input::say_unused_fields(&args.scan);
    all.say(args.scan.stats, begun);
    Ok(ExitCode::from(match (total.trouble, total.links > 0) {
        (true, _) => 2,
        (false, true) => 0,
        (false, false) => 1,
    }))
}

/// Lists the links of the input that `lister` is for.
fn find(
    finder: &Finder,
    lister: &mut Lister<'_, &mut Turn<'_>>,
    input: &Input,
) -> Result<Outcome, Trouble> {
    let (args, path) = (lister.args, lister.path);
    let counting = args.offsets.iter().any(|o| *o != Offsets::Bytes);
    lister.positions = counting.then(Positions::undecided);
    // What came before a piece counts for these.
    let whole = counting || args.unique || lister.view.is_some();
    let opened = match input::begin(finder, input, &args.scan, Archives::Taken) {
        Ok(opened) => opened,
        Err(done) => return Ok(done),
    };
    let why = opened.why();
    let format = match opened.content() {
        Content::Mail => return mail::find(finder, opened, lister),
        Content::Archive => return archive(opened, lister, counting),
        Content::Document(format) => format,
    };
    let finder = finder.clone().format(format);
    let jobs = if whole { 1 } else { args.scan.threads() };
    let read = match input::divisible(&opened, jobs) {
        None => input::scan(&finder, path, opened, lister, |l| l.out.flush())?,
        Some(shared) => {
            let named = lister.named;
            let buffers = Buffers::default();
            let make =
                || Lister::new(args, path, named, buffers.take(), Notes::Kept(String::new()));
            let pour = &mut |piece: &mut Lister<'_, Vec<u8>>, over| {
                lister.take(piece)?;
                if over == Over::Yes {
                    buffers.put(mem::take(&mut piece.out));
                }
                Ok(())
            };
            input::scan_pieces(&finder, path, shared, &make, pour)?
        }
    };
    if let Some(stats) = &mut lister.stats {
        stats.document(read.summary(), format);
    }
    if read.is_whole() {
        lister.count()?;
    }
    if let Some(summary) = read.summary().filter(|_| args.scan.verbose) {
        input::report_charset(path, summary, format, why);
    }
    lister.report_left();
    Ok(Outcome { links: lister.listed, whole: read.is_whole() })
}

/// Lists the links of a web archive.
fn archive(
    opened: Opened,
    lister: &mut Lister<'_, &mut Turn<'_>>,
    counting: bool,
) -> Result<Outcome, Trouble> {
    if counting {
        let what = "--offsets other than bytes are of one text, and an archive has many; leave \
                    them out";
        return Err(Trouble::Usage(what.into()));
    }
    let read = warc::find(opened, lister)?;
    if read.whole {
        lister.count()?;
    }
    lister.report_left();
    Ok(read)
}

/// Writes one result per link.
pub(crate) struct Lister<'a, W> {
    pub(crate) args: &'a FindArgs,
    out: W,
    pub(crate) path: &'a Path,
    /// Each result begins with the name of its input.
    named: bool,
    seen: HashSet<String>,
    /// Where the text and links so far end, if anybody asked.
    positions: Option<Positions>,
    /// In a web archive: the record.
    pub(crate) place: Option<Place>,
    pub(crate) listed: u64,
    unconvertible: u64,
    overlong: u64,
    notes: Notes,
    /// With --stats.
    pub(crate) stats: Option<Stats>,
    /// Links are shown in their lines.
    pub(crate) view: Option<(Painter, Context)>,
}

/// Where a text is that is not the whole input.
pub(crate) struct Place {
    /// What it was found at.
    pub(crate) record: String,
    /// Where its record starts.
    pub(crate) offset: u64,
    /// Where the text starts, if it stands there as it is.
    pub(crate) start: Option<u64>,
}

impl<'a, W: Write> Lister<'a, W> {
    /// For the file at `path`, or a piece of it, whose results go to `out`.
    fn new(args: &'a FindArgs, path: &'a Path, named: bool, out: W, notes: Notes) -> Self {
        Lister {
            args,
            out,
            path,
            named,
            seen: HashSet::new(),
            positions: None,
            place: None,
            listed: 0,
            unconvertible: 0,
            overlong: 0,
            notes,
            stats: Stats::wanted(args.scan.stats),
            view: None,
        }
    }

    /// The results that the next piece has so far.
    fn take(&mut self, piece: &mut Lister<'_, Vec<u8>>) -> io::Result<()> {
        piece.notes.say();
        self.listed += mem::take(&mut piece.listed);
        self.unconvertible += mem::take(&mut piece.unconvertible);
        self.overlong += mem::take(&mut piece.overlong);
        if let (Some(all), Some(stats)) = (&mut self.stats, &mut piece.stats) {
            all.merge(stats);
        }
        self.out.write_all(&piece.out)?;
        piece.out.clear();
        Ok(())
    }

    fn line(&mut self, text: &str) -> io::Result<()> {
        if self.args.null {
            return self.raw(text, b"\0");
        }
        if !input::to_terminal() {
            return self.raw(text, b"\n");
        }
        // A name or a link may hold what a terminal obeys.
        let path = if self.named { input::name(self.path) + ":" } else { String::new() };
        writeln!(self.out, "{path}{}", input::shown(text))
    }

    fn raw(&mut self, text: &str, end: &[u8]) -> io::Result<()> {
        if self.named {
            write_path(&mut self.out, self.path)?;
        }
        self.out.write_all(text.as_bytes())?;
        self.out.write_all(end)
    }

    fn record(&mut self, link: &Match<'_>, at: Option<[Position; 2]>) -> io::Result<()> {
        // Of what was decoded there are no bytes in the input.
        let start = self.place.as_ref().map_or(Some(0), |place| place.start);
        let mut record = Record::of(self.path, link, start);
        if let Some(place) = &self.place {
            record.archived(&place.record, place.offset);
        }
        if let Some(at) = at {
            record.offsets(at, &self.args.offsets);
        }
        record.write(&mut self.out)
    }

    /// With --count: how many there were.
    pub(crate) fn count(&mut self) -> Result<(), Trouble> {
        match self.args.count {
            true => self.line(&self.listed.to_string()).map_err(Trouble::Output),
            false => Ok(()),
        }
    }

    /// Says how many links have no URI form, and how many were too long.
    pub(crate) fn report_left(&self) {
        input::report_unconvertible(self.path, self.unconvertible, self.args.scan.verbose);
        input::report_overlong(self.path, self.overlong, self.args.scan.max_len);
    }

    /// If links are shown in their lines, `takes` takes what comes next, and those that
    /// are complete are shown. Whether they are.
    fn in_view(
        &mut self,
        takes: impl FnOnce(&mut Context, &mut Each<'_>) -> io::Result<()>,
    ) -> io::Result<bool> {
        let Lister { view: Some((painter, context)), out, path, .. } = self else {
            return Ok(false);
        };
        takes(context, &mut |seen| painter.write(out, path, &seen)).map(|()| true)
    }

    /// Whether nobody wants to know what the links are.
    fn only_counts(&self) -> bool {
        self.args.count && !self.args.unique
    }

    /// Whether a result counts: with --unique, it is new.
    fn takes(&mut self, shown: &str) -> bool {
        let new = !self.args.unique || self.seen.insert(shown.to_owned());
        self.listed += u64::from(new);
        new
    }

    /// Shows a link, unless it was seen before with --unique.
    #[inline(never)]
    fn list(&mut self, link: &Match<'_>) -> io::Result<()> {
        let at = self.positions.as_mut().map(|positions| {
            let start = positions.position();
            positions.advance(link.source());
            [start, positions.position()]
        });
        let uri = match self.args.iri {
            true => link.unconvertible().map_or(Ok(None), Err),
            false => link.uri().map(Some),
        };
        if let Err(why) = &uri {
            self.left(link, why);
        }
        let uri = uri.ok().flatten();
        let iri;
        let shown = match &uri {
            Some(uri) => uri.as_str(),
            None => {
                iri = link.iri();
                &*iri
            }
        };
        if !self.takes(shown) {
            return self.in_view(|context, each| context.text(link.source(), each)).map(drop);
        }
        if self.in_view(|context, each| context.link(link, each))? {
            return Ok(());
        }
        match (self.args.count, self.args.json) {
            (true, _) => Ok(()),
            (_, true) => self.record(link, at),
            _ => self.line(shown),
        }
    }

    /// A link that has no URI form.
    #[cold]
    fn left(&mut self, link: &Match<'_>, why: &UriError) {
        self.unconvertible += 1;
        if self.args.scan.verbose {
            self.notes.link(self.path, link, why);
        }
    }

    /// A link of a message, which starts at byte `at` and in line `line`.
    pub(crate) fn mailed(&mut self, link: &MailLink, at: u64, line: u64) -> io::Result<()> {
        if let Some(stats) = &mut self.stats {
            stats.mail_link(link);
        }
        if let Err(why) = link.link().uri() {
            self.unconvertible += 1;
            if self.args.scan.verbose {
                mail::say_left(self.path, at, link, &why.to_string());
            }
        }
        if self.only_counts() {
            self.listed += 1;
            return Ok(());
        }
        let (iri, uri) = (link.link().iri(), link.link().uri());
        let shown = match &uri {
            Ok(uri) if !self.args.iri => uri.as_str(),
            _ => &iri,
        };
        if !self.takes(shown) {
            return Ok(());
        }
        if let Some((painter, _)) = &self.view {
            return painter.write(&mut self.out, self.path, &Seen::of_mail(link, line));
        }
        match (self.args.count, self.args.json) {
            (true, _) => Ok(()),
            (_, true) => Record::of_mail(self.path, link, at, line).write(&mut self.out),
            _ => self.line(shown),
        }
    }

    /// What was found is seen before more is waited for.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// `PATH:`, before a result.
fn write_path(out: &mut impl Write, path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    out.write_all(std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()))?;
    #[cfg(not(unix))]
    out.write_all(input::name(path).as_bytes())?;
    out.write_all(b":")
}

impl<W: Write> Sink for Lister<'_, W> {
    type Error = io::Error;

    fn charset(&mut self, charset: Charset, _: Basis) -> io::Result<()> {
        if let Some((_, context)) = &mut self.view {
            context.charset(charset);
        }
        if let Some(positions) = &mut self.positions {
            positions.decide(charset);
        }
        Ok(())
    }

    fn text(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Some(positions) = &mut self.positions {
            positions.advance(bytes);
        }
        self.in_view(|context, each| context.text(bytes, each)).map(drop)
    }

    fn matched(&mut self, link: &Match<'_>) -> io::Result<()> {
        if let Some(stats) = &mut self.stats {
            stats.link(link);
        }
        if !self.only_counts() {
            return self.list(link);
        }
        // Whether there is a URI is cheaper to tell than which.
        if let Some(why) = link.unconvertible() {
            self.left(link, &why);
        }
        self.listed += 1;
        Ok(())
    }

    fn finish(&mut self, summary: &Summary) -> io::Result<()> {
        self.overlong += summary.overlong;
        self.in_view(|context, each| context.finish(each)).map(drop)
    }
}
