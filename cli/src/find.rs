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

use base64::Engine as _;
use iriscan::{Basis, Charset, Finder, Match, Position, Positions, Sink, Summary};
use serde_json::{Map, Value, json};

use crate::{
    args::{FindArgs, Offsets},
    context::Context,
    input::{self, Notes, Outcome, Trouble},
    mail,
    parallel::{Buffers, Over},
    queue::{self, Turn},
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
    let painter = (!plain && show::in_color(args.color)).then(Painter::new);
    let all = stats::Sum::wanted(args.scan.stats);
    let inputs = Inputs::new(&args.scan, Folders::Walked)?;
    // What came before counts for --unique.
    let workers = if args.unique { 1 } else { args.scan.workers() };
    let (named, seen) = (args.scan.is_many(), Mutex::new(HashSet::new()));
    let total = queue::run(inputs, workers, args.scan.pace(), &|input, turn| {
        let input = match input {
            Ok(input) => input,
            Err(why) => {
                input::say(why);
                all.failed();
                return Ok(Outcome::NOTHING);
            }
        };
        input::wait(&input, turn)?;
        let mut lister = Lister {
            args,
            out: turn,
            path: &input.path,
            named,
            seen: HashSet::new(),
            positions: None,
            place: None,
            listed: 0,
            unconvertible: 0,
            notes: Notes::Said,
            stats: Stats::wanted(args.scan.stats),
            view: painter.map(|painter| (painter, Context::new())),
        };
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
    let opened = match input::begin(finder, input, &args.scan) {
        Ok(opened) => opened,
        Err(done) => return Ok(done),
    };
    if opened.is_mail() {
        let Lister { out, seen, named, stats, view, .. } = lister;
        let (stats, painter) = (stats.as_mut(), view.as_ref().map(|view| view.0));
        let listing = mail::Listing { args, out: *out, seen, named: *named, stats, painter };
        return mail::find(finder, path, opened, listing);
    }
    if opened.is_warc() {
        if counting {
            let what = "--offsets other than bytes are of one text, and an archive has many; \
                        leave them out";
            return Err(Trouble::Usage(what.into()));
        }
        let read = warc::find(opened, lister)?;
        if args.count && read.whole {
            lister.line(&lister.listed.to_string()).map_err(Trouble::Output)?;
        }
        input::report_unconvertible(path, lister.unconvertible, args.scan.verbose);
        return Ok(read);
    }
    let format = opened.format();
    let finder = finder.clone().format(format.0);
    let jobs = if whole { 1 } else { args.scan.jobs };
    let read = match input::divisible(path, &opened, jobs) {
        None => input::scan(&finder, path, opened, lister, |l| l.out.flush())?,
        Some(shared) => {
            let named = lister.named;
            let buffers = Buffers::default();
            let make = || Lister::of_piece(args, path, named, buffers.take());
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
        stats.document(read.summary(), format.0);
    }
    if args.count && read.is_whole() {
        lister.line(&lister.listed.to_string()).map_err(Trouble::Output)?;
    }
    if let Some(summary) = read.summary().filter(|_| args.scan.verbose) {
        input::report_charset(path, summary, format);
    }
    input::report_unconvertible(path, lister.unconvertible, args.scan.verbose);
    Ok(Outcome { links: lister.listed, whole: read.is_whole() })
}

/// Writes one result per link.
pub(crate) struct Lister<'a, W> {
    pub(crate) args: &'a FindArgs,
    out: W,
    pub(crate) path: &'a Path,
    /// More than one input: results name theirs.
    named: bool,
    seen: HashSet<String>,
    /// Where the text and links so far end, if anybody asked.
    positions: Option<Positions>,
    /// In a web archive: the record.
    pub(crate) place: Option<Place>,
    pub(crate) listed: u64,
    unconvertible: u64,
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

impl<'a> Lister<'a, Vec<u8>> {
    /// For a piece of the file at `path`.
    fn of_piece(args: &'a FindArgs, path: &'a Path, named: bool, out: Vec<u8>) -> Self {
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
            notes: Notes::Kept(String::new()),
            stats: Stats::wanted(args.scan.stats),
            view: None,
        }
    }
}

impl<W: Write> Lister<'_, W> {
    /// The results that the next piece has so far.
    fn take(&mut self, piece: &mut Lister<'_, Vec<u8>>) -> io::Result<()> {
        piece.notes.say();
        self.listed += mem::take(&mut piece.listed);
        self.unconvertible += mem::take(&mut piece.unconvertible);
        if let (Some(all), Some(stats)) = (&mut self.stats, &mut piece.stats) {
            all.merge(stats);
        }
        self.out.write_all(&piece.out)?;
        piece.out.clear();
        Ok(())
    }

    fn line(&mut self, text: &str) -> io::Result<()> {
        if self.named {
            write_path(&mut self.out, self.path)?;
        }
        self.out.write_all(text.as_bytes())?;
        self.out.write_all(if self.args.null { b"\0" } else { b"\n" })
    }

    fn record(&mut self, link: &Match<'_>, at: Option<[Position; 2]>) -> io::Result<()> {
        let mut record = Map::new();
        match self.path.to_str() {
            Some(path) => record.insert("path".into(), path.into()),
            None => record.insert("path_bytes".into(), path_bytes(self.path).into()),
        };
        let uri = link.uri();
        let iri = link.iri();
        // Of what was decoded there are no bytes in the input.
        let start = self.place.as_ref().map_or(Some(0), |place| place.start);
        record.insert("start".into(), start.map(|start| start + link.span().start).into());
        record.insert("end".into(), start.map(|start| start + link.span().end).into());
        record.insert("text".into(), link.text().into());
        record.insert("iri".into(), iri.into());
        let text = uri.as_ref().ok().map(|uri| uri.as_str());
        record.insert("uri".into(), text.into());
        record.insert("open".into(), link.open().ok().into());
        if let Err(e) = &uri {
            record.insert("error".into(), e.to_string().into());
        }
        record.insert("kind".into(), link.kind().as_str().into());
        record.insert("scheme".into(), link.scheme().into());
        record.insert("host".into(), link.host().into());
        record.insert("charset".into(), link.charset().name().into());
        let warnings: Vec<Value> = link.warnings().iter().map(|w| w.as_str().into()).collect();
        record.insert("warnings".into(), warnings.into());
        if let Some(place) = &self.place {
            record.insert("record".into(), place.record.as_str().into());
            record.insert("offset".into(), place.offset.into());
        }
        if let Some([start, end]) = at {
            let wants = |unit| self.args.offsets.contains(&unit);
            if wants(Offsets::Utf16) {
                record.insert("utf16".into(), json!([start.utf16, end.utf16]));
            }
            if wants(Offsets::Chars) {
                record.insert("chars".into(), json!([start.chars, end.chars]));
            }
            if wants(Offsets::Lines) {
                record.insert("line".into(), start.line.into());
                record.insert("column".into(), start.column.into());
            }
        }
        serde_json::to_writer(&mut self.out, &record)?;
        self.out.write_all(b"\n")
    }
}

/// `PATH:`, before a result.
pub(crate) fn write_path(out: &mut impl Write, path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    out.write_all(std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()))?;
    #[cfg(not(unix))]
    out.write_all(input::name(path).as_bytes())?;
    out.write_all(b":")
}

pub(crate) fn path_bytes(path: &Path) -> String {
    #[cfg(unix)]
    let bytes = std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str());
    #[cfg(not(unix))]
    let bytes = path.as_os_str().as_encoded_bytes();
    base64::engine::general_purpose::STANDARD.encode(bytes)
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
        let Lister { view: Some((painter, context)), out, path, .. } = self else { return Ok(()) };
        context.text(bytes, &mut |seen| painter.write(out, path, &seen))
    }

    fn matched(&mut self, link: &Match<'_>) -> io::Result<()> {
        let at = self.positions.as_mut().map(|positions| {
            let start = positions.position();
            positions.advance(link.source());
            [start, positions.position()]
        });
        if let Some(stats) = &mut self.stats {
            stats.link(link);
        }
        if let Some(why) = link.unconvertible() {
            self.unconvertible += 1;
            if self.args.scan.verbose {
                self.notes.link(self.path, link, &why);
            }
        }
        let quiet = self.args.count && !self.args.unique;
        if quiet {
            self.listed += 1;
            return Ok(());
        }
        let shown = if self.args.iri {
            link.iri().into_owned()
        } else {
            link.uri().map_or_else(|_| link.iri().into_owned(), |uri| uri.to_string())
        };
        if self.args.unique && !self.seen.insert(shown.clone()) {
            let Lister { view: Some((painter, context)), out, path, .. } = self else {
                return Ok(());
            };
            return context.text(link.source(), &mut |seen| painter.write(out, path, &seen));
        }
        self.listed += 1;
        if let Lister { view: Some((painter, context)), out, path, .. } = self {
            return context.link(link, &mut |seen| painter.write(out, path, &seen));
        }
        match (self.args.count, self.args.json) {
            (true, _) => Ok(()),
            (_, true) => self.record(link, at),
            _ => self.line(&shown),
        }
    }

    fn finish(&mut self, _: &Summary) -> io::Result<()> {
        let Lister { view: Some((painter, context)), out, path, .. } = self else { return Ok(()) };
        context.finish(&mut |seen| painter.write(out, path, &seen))
    }
}
