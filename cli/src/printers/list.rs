//! `find`: writes one result for each link.
//!
//! In go the links of an input; out come lines, records of JSON, or lines in colour, as the
//! options want. What must hold: the results are written in the order of the links.

use std::{
    borrow::Cow,
    cell::OnceCell,
    collections::{HashSet, VecDeque},
    io::{self, Write},
    mem,
    ops::ControlFlow,
    ops::Range,
    path::{Path, PathBuf},
};

use iriscan::{
    Basis, Charset, Match, Position, Positions, Sink, Summary, UriError, Viewer,
    mail::{Headers, MailLink},
};

use super::{
    columns::{self, Place, Table},
    context::{Context, Each, Near, ShownLink},
    json::Record,
    readable::{first, folded, last},
    stats::Stats,
    tally::Tally,
    terminal::Painter,
};
use crate::{
    args::find::FindArgs,
    messages::{
        notes::{self, Notes},
        terminal,
        text::{self, one_record, shown},
    },
};

/// Writes the results of one input, or of a piece of it.
pub(crate) struct Lister<'a, W> {
    args: &'a FindArgs,
    name: Name<'a>,
    /// That of the zip container, in a member of it.
    container: Option<Name<'a>>,
    out: W,
    /// The results so far, with `--unique`.
    unique: HashSet<String>,
    /// The place where the text and the links so far end, if `--offsets` asks for it.
    positions: Option<Positions>,
    /// The record of a web archive that the links are in.
    record: Option<ArchivePlace>,
    counts: Counts,
    notes: Notes,
    /// The numbers for `--stats`.
    stats: Option<Stats>,
    /// The numbers for `--count-by`.
    tally: Tally,
    /// Collects the text around links, with `--color` and `--context`.
    view: Option<View>,
    /// Links that wait for the text after them.
    waiting: VecDeque<Waiting>,
    /// Each host is mapped and judged once.
    viewer: Viewer,
}

/// The name of what the links are in: the input, or a member of it.
struct Name<'a> {
    path: Cow<'a, Path>,
    /// True if each result begins with it.
    printed: bool,
    /// As it is shown, once a line needed it.
    shown: OnceCell<String>,
}

impl<'a> Name<'a> {
    fn new(path: Cow<'a, Path>, printed: bool) -> Self {
        Name { path, printed, shown: OnceCell::new() }
    }

    fn shown(&self) -> &str {
        self.shown.get_or_init(|| text::name(&self.path))
    }
}

/// A link that waits for the text after it.
struct Waiting {
    n: u64,
    shown: String,
    at: Option<[Position; 2]>,
}

/// A link that is ready to be written.
struct Item<'i> {
    link: &'i Match<'i>,
    /// The result, as one text.
    shown: &'i str,
    /// Its number in the input, from 1.
    n: u64,
    /// Its start and end in the units of `--offsets`.
    at: Option<[Position; 2]>,
    mail: Option<InMail<'i>>,
    /// The text before and after it, if that is wanted.
    around: Option<[&'i str; 2]>,
}

/// The place of a link in mail.
struct InMail<'i> {
    found: &'i MailLink,
    /// The byte and the line that its message starts at.
    at: u64,
    line: u64,
    message: &'i Headers,
}

/// The numbers of links of an input.
#[derive(Default)]
struct Counts {
    listed: u64,
    /// Links that have no URI form.
    unconvertible: u64,
    /// Links that are too long.
    overlong: u64,
}

/// Shows links with the text around them.
struct View {
    how: Around,
    context: Context,
}

/// How the text around links is shown.
#[derive(Clone, Copy)]
enum Around {
    /// Each link in its line, for people.
    Lines(Painter),
    /// With each result.
    Results,
}

/// The place of a text in a web archive.
pub(crate) struct ArchivePlace {
    /// The address that the text came from.
    pub(crate) target: String,
    /// The byte that its record starts at.
    pub(crate) offset: u64,
    /// The byte that the text starts at; `None` if the text was decoded.
    pub(crate) start: Option<u64>,
}

impl<'a, W: Write> Lister<'a, W> {
    /// For the input at `path`, or a piece of it, whose results go to `out`.
    pub(crate) fn new(
        args: &'a FindArgs,
        path: impl Into<Cow<'a, Path>>,
        named: bool,
        out: W,
        notes: Notes,
    ) -> Self {
        Lister {
            args,
            name: Name::new(path.into(), named),
            container: None,
            out,
            unique: HashSet::new(),
            positions: None,
            record: None,
            counts: Counts::default(),
            notes,
            stats: Stats::wanted(args.scan.run.stats),
            tally: Tally::default(),
            view: None,
            waiting: VecDeque::new(),
            viewer: Viewer::new(),
        }
    }

    /// Counts positions in characters, UTF-16 and lines, for `--offsets` and columns.
    pub(crate) fn count_positions(&mut self) {
        self.positions = Some(Positions::undecided());
    }

    /// Shows links in their lines.
    pub(crate) fn show_lines(&mut self, painter: Painter) {
        self.view = Some(View { how: Around::Lines(painter), context: Context::new() });
    }

    /// Adds so many characters of the text around links to results.
    pub(crate) fn add_context(&mut self, chars: usize) {
        let context = Context::of(Near::Chars(chars), false);
        self.view = Some(View { how: Around::Results, context });
    }

    /// The text that comes next is markup or not.
    pub(crate) fn set_markup(&mut self, markup: bool) {
        if let Some(view) = &mut self.view {
            view.context = Context::of(view.context.near(), markup);
        }
    }

    /// How much of the text around links is wanted, if any is.
    pub(crate) fn near(&self) -> Option<Near> {
        self.view.as_ref().map(|view| view.context.near())
    }

    /// True if the text around links is shown.
    pub(crate) fn shows_lines(&self) -> bool {
        self.view.is_some()
    }

    /// A lister for a piece of the input; see [`Lister::take_piece`].
    pub(crate) fn piece(&self) -> impl Fn(Vec<u8>) -> Lister<'a, Vec<u8>> + use<'a, W> {
        let (args, path, named) = (self.args, self.name.path.clone(), self.name.printed);
        move |out| Lister::new(args, path.clone(), named, out, Notes::Kept(String::new()))
    }

    /// Takes over the results that the next piece has so far.
    pub(crate) fn take_piece(&mut self, piece: &mut Lister<'_, Vec<u8>>) -> io::Result<()> {
        piece.notes.say();
        let counts = mem::take(&mut piece.counts);
        self.counts.listed += counts.listed;
        self.counts.unconvertible += counts.unconvertible;
        self.counts.overlong += counts.overlong;
        if let (Some(all), Some(stats)) = (&mut self.stats, &mut piece.stats) {
            all.merge(stats);
        }
        self.tally.merge(&mut piece.tally);
        self.out.write_all(&piece.out)?;
        piece.out.clear();
        Ok(())
    }

    /// The links that come next are in this record of a web archive.
    pub(crate) fn enter_record(&mut self, record: ArchivePlace) {
        self.record = Some(record);
    }

    /// The links that come next are in the member of a zip container with this path.
    pub(crate) fn enter_member(&mut self, path: PathBuf) {
        let member = Name::new(path.into(), self.args.names_members());
        let before = mem::replace(&mut self.name, member);
        self.container.get_or_insert(before);
        self.positions = self.args.counts_positions().then(Positions::undecided);
    }

    /// The options.
    pub(crate) fn args(&self) -> &'a FindArgs {
        self.args
    }

    /// The results so far, for `--unique`.
    pub(crate) fn unique(&mut self) -> &mut HashSet<String> {
        &mut self.unique
    }

    /// The output.
    pub(crate) fn out(&mut self) -> &mut W {
        &mut self.out
    }

    /// The number of links that were listed.
    pub(crate) fn listed(&self) -> u64 {
        self.counts.listed
    }

    /// The numbers for `--stats`, if they are wanted.
    pub(crate) fn stats(&mut self) -> Option<&mut Stats> {
        self.stats.as_mut()
    }

    /// The numbers for `--count-by`, at the end.
    pub(crate) fn take_tally(&mut self) -> Tally {
        mem::take(&mut self.tally)
    }

    /// The numbers for `--stats`, at the end.
    pub(crate) fn take_stats(&mut self) -> Option<Stats> {
        self.stats.take()
    }

    /// Writes a result and what ends it; after a tab, what is around it.
    fn line(&mut self, text: &str, around: Option<&str>) -> io::Result<()> {
        let tab = if around.is_some() { "\t" } else { "" };
        let around = around.unwrap_or_default();
        if self.args.null || !terminal::is_output() {
            let end: &[u8] = if self.args.null { b"\0" } else { b"\n" };
            return match around {
                "" => self.raw(&one_record(text), end),
                _ => self.raw(&[&*one_record(text), tab, &*one_record(around)].concat(), end),
            };
        }
        // A name or a link may contain characters that a terminal obeys.
        let path =
            if self.name.printed { text::name(&self.name.path) + ":" } else { String::new() };
        writeln!(self.out, "{path}{}{tab}{}", shown(text), shown(around))
    }

    fn raw(&mut self, text: &str, end: &[u8]) -> io::Result<()> {
        if self.name.printed {
            write_path(&mut self.out, &self.name.path)?;
        }
        self.out.write_all(text.as_bytes())?;
        self.out.write_all(end)
    }

    /// The bytes of a link in the source; `None` if it was decoded from other bytes.
    fn span(&self, link: &Match<'_>) -> Option<Range<u64>> {
        span_in(self.record.as_ref(), link)
    }

    /// Writes a link as the options want.
    fn write(&mut self, item: &Item<'_>) -> io::Result<()> {
        if self.args.print.is_some() || self.args.delimiter().is_some() {
            return self.write_columns(item);
        }
        match (self.args.count, self.args.json) {
            (true, _) => Ok(()),
            (_, true) => self.write_record(item),
            _ => {
                let around = item.around.map(|[before, after]| {
                    let iri = item.link.iri();
                    let link = item.link.anchor().unwrap_or(&iri);
                    folded(&[before, link, after].concat()).trim().to_owned()
                });
                self.line(item.shown, around.as_deref())
            }
        }
    }

    /// Writes the record of a link.
    fn write_record(&mut self, item: &Item<'_>) -> io::Result<()> {
        let link = item.link;
        let mut record = match &item.mail {
            Some(mail) => {
                Record::of_mail(&self.name.path, mail.found, mail.at, mail.line, &mut self.viewer)
            }
            None => Record::of(&self.name.path, link, self.span(link), &mut self.viewer),
        };
        // Links of plain text know no base.
        if link.base().is_none() && self.args.scan.rules.base().is_some() {
            record.absolute(link);
        }
        record.unwrapped(self.inner(link));
        if let Some(mail) = &item.mail {
            record.of_message(mail.message);
        }
        if let Some(place) = &self.record {
            record.archived(&place.target, place.offset);
        }
        if let Some(at) = item.at {
            record.offsets(at, &self.args.offsets);
        }
        if let Some(around) = item.around {
            record.around(around);
        }
        record.write(&mut self.out)
    }

    /// Writes the columns of a link for `--print`, `--csv` or `--tsv`.
    fn write_columns(&mut self, item: &Item<'_>) -> io::Result<()> {
        let (span, line, column) = match &item.mail {
            Some(mail) => {
                let span = mail.found.span().map(|span| mail.at + span.start..mail.at + span.end);
                (span, Some(mail.line + mail.found.line() - 1), None)
            }
            None => {
                let start = item.at.map(|[start, _]| start);
                (self.span(item.link), start.map(|at| at.line), start.map(|at| at.column))
            }
        };
        let message = item.mail.as_ref().map(|mail| mail.message);
        let Item { n, around, .. } = *item;
        let place = Place { path: &self.name.path, span, line, column, n, message, around };
        match (&self.args.print, self.args.delimiter()) {
            (Some(template), _) => {
                let end: &[u8] = if self.args.null { b"\0" } else { b"\n" };
                columns::print(template, item.link, &place, end, &mut self.viewer, &mut self.out)
            }
            (None, Some(delimiter)) => {
                let table = Table { delimiter, safe: self.args.csv_safe };
                columns::record(table, item.link, &place, &mut self.viewer, &mut self.out)
            }
            (None, None) => Ok(()),
        }
    }

    /// Writes a link that waited for the text after it.
    fn write_waiting(&mut self, link: &ShownLink<'_>) -> io::Result<()> {
        let Some(Waiting { n, shown, at }) = self.waiting.pop_front() else { return Ok(()) };
        let around = Some([&*link.before, &*link.after]);
        let link = &link.link;
        self.write(&Item { link, shown: &shown, n, at, mail: None, around })
    }

    /// Ends the input: with `--count`, writes the number of links; says how many links have no URI
    /// form, and how many were too long.
    pub(crate) fn end(&mut self) -> io::Result<()> {
        if let Some(container) = self.container.take() {
            self.name = container;
        }
        if self.args.count {
            self.line(&self.counts.listed.to_string(), None)?;
        }
        let (path, scan) = (&self.name.path, &self.args.scan);
        notes::report_unconvertible(path, self.counts.unconvertible, scan.run.verbose);
        notes::report_overlong(path, self.counts.overlong, scan.rules.max_len);
        Ok(())
    }

    /// If the text around links is wanted, gives the context to `next`, which adds the text or
    /// the link that comes next, and writes the links that are complete. Returns false if
    /// it is not wanted.
    fn in_view(
        &mut self,
        next: impl FnOnce(&mut Context, &mut Each<'_>) -> io::Result<()>,
    ) -> io::Result<bool> {
        let Some(mut view) = self.view.take() else { return Ok(false) };
        let how = view.how;
        let written = next(&mut view.context, &mut |link| match how {
            Around::Lines(painter) => {
                let why = self.paint(painter, &link)?;
                // With --unique, it was counted when the URI was compared.
                if let Some(why) = why.filter(|_| !self.args.unique) {
                    self.unconvertible(&link.link, &why);
                }
                Ok(())
            }
            Around::Results => self.write_waiting(&link),
        });
        self.view = Some(view);
        written.map(|()| true)
    }

    /// Writes a link in its line, or so much of that as `--context` says. Returns why it has no URI
    /// form, if it has none.
    fn paint(&mut self, painter: Painter, link: &ShownLink<'_>) -> io::Result<Option<UriError>> {
        let shortened;
        let link = match self.args.context() {
            Some(chars) => {
                let before = last(&link.before, chars).into();
                let after = first(&link.after, chars).into();
                shortened = ShownLink { before, after, ..link.clone() };
                &shortened
            }
            None => link,
        };
        painter.write(&mut self.out, self.name.shown(), link, &mut self.viewer)
    }

    /// True if only the number of links is wanted.
    fn only_counts(&self) -> bool {
        (self.args.count || self.args.count_by.is_some()) && !self.args.unique
    }

    /// Counts a link for `--count-by`; false if that is not wanted.
    fn tally(&mut self, link: &Match<'_>) -> bool {
        self.args.count_by.inspect(|field| self.tally.link(*field, link)).is_some()
    }

    /// With `--unwrap`: the link inside, if `link` is a wrapper.
    fn inner(&self, link: &Match<'_>) -> Option<String> {
        self.args.unwrap.then(|| link.unwrapped()).flatten()
    }

    /// Counts a result; false if it was there before, with `--unique`.
    fn is_new(&mut self, shown: &str) -> bool {
        let new = !self.args.unique || self.unique.insert(shown.to_owned());
        self.counts.listed += u64::from(new);
        new
    }

    /// Writes a link, unless it was there before, with `--unique`.
    #[inline(never)]
    fn list(&mut self, link: &Match<'_>) -> io::Result<()> {
        let at = self.positions.as_mut().map(|positions| {
            let start = positions.position();
            positions.advance(link.source());
            [start, positions.position()]
        });
        // Lines show more than the result, so that is not made.
        if matches!(self.view, Some(View { how: Around::Lines(_), .. })) && !self.args.unique {
            self.counts.listed += 1;
            return self.in_view(|context, each| context.link(link, each)).map(drop);
        }
        let uri = match self.args.iri {
            true => link.unconvertible().map_or(Ok(None), Err),
            false => self.viewer.uri(link).map(Some),
        };
        if let Err(why) = &uri {
            self.unconvertible(link, why);
        }
        let uri = uri.ok().flatten();
        let inner = self.inner(link);
        let iri;
        let shown = match (&inner, &uri) {
            (Some(inner), _) => &**inner,
            (None, Some(uri)) => uri.as_str(),
            (None, None) => {
                iri = link.iri();
                &*iri
            }
        };
        if !self.is_new(shown) {
            return self.in_view(|context, each| context.text(link.source(), each)).map(drop);
        }
        if self.tally(link) {
            return Ok(());
        }
        let n = self.counts.listed;
        if self.view.is_none() {
            return self.write(&Item { link, shown, n, at, mail: None, around: None });
        }
        if matches!(self.view, Some(View { how: Around::Results, .. })) {
            self.waiting.push_back(Waiting { n, shown: shown.to_owned(), at });
        }
        self.in_view(|context, each| context.link(link, each)).map(drop)
    }

    /// Counts a link that has no URI form.
    #[cold]
    fn unconvertible(&mut self, link: &Match<'_>, why: &UriError) {
        self.counts.unconvertible += 1;
        if self.args.scan.run.verbose {
            self.notes.staying(&self.name.path, link, why);
        }
    }

    /// Takes a link of a message, which starts at byte `at` and in line `line`.
    pub(crate) fn mail_link(
        &mut self,
        link: &MailLink,
        at: u64,
        line: u64,
        message: &Headers,
    ) -> io::Result<()> {
        if let Some(stats) = &mut self.stats {
            stats.mail_link(link);
        }
        let as_match = link.link().as_match();
        let uri = self.viewer.uri(&as_match);
        if let Err(why) = &uri {
            self.counts.unconvertible += 1;
            if self.args.scan.run.verbose {
                notes::report_staying(&self.name.path, at, link, &why.to_string());
            }
        }
        if self.only_counts() {
            self.counts.listed += 1;
            self.tally(&as_match);
            return Ok(());
        }
        let iri = link.link().iri();
        let inner = self.inner(&as_match);
        let shown = match (&inner, &uri) {
            (Some(inner), _) => inner,
            (None, Ok(uri)) if !self.args.iri => uri.as_str(),
            _ => &iri,
        };
        if !self.is_new(shown) {
            return Ok(());
        }
        if self.tally(&as_match) {
            return Ok(());
        }
        let near = self.near();
        if let Some(View { how: Around::Lines(painter), .. }) = self.view {
            let seen = ShownLink::of_mail(link, Near::Line, at, line, None);
            return self.paint(painter, &seen).map(drop);
        }
        let around = near.map(|near| near.of_mail(link));
        self.write(&Item {
            link: &as_match,
            shown,
            n: self.counts.listed,
            at: None,
            mail: Some(InMail { found: link, at, line, message }),
            around: around.as_ref().map(|(before, after)| [&**before, &**after]),
        })
    }
}

/// The bytes of a link in the source, of which the text is this record; `None` if it was decoded from
/// other bytes.
fn span_in(record: Option<&ArchivePlace>, link: &Match<'_>) -> Option<Range<u64>> {
    let start = record.map_or(Some(0), |place| place.start)?;
    let at = link.span();
    Some(start + at.start..start + at.end)
}

/// Writes `PATH:`, which is before a result.
fn write_path(out: &mut impl Write, path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    out.write_all(std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()))?;
    #[cfg(not(unix))]
    out.write_all(text::name(path).as_bytes())?;
    out.write_all(b":")
}

impl<W: Write> Sink for Lister<'_, W> {
    type Error = io::Error;

    fn charset(&mut self, charset: Charset, _: Basis) -> io::Result<()> {
        if let Some(view) = &mut self.view {
            view.context.charset(charset);
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

    fn matched(&mut self, link: &Match<'_>) -> io::Result<ControlFlow<()>> {
        if let Some(stats) = &mut self.stats {
            stats.link(link);
        }
        if !self.only_counts() {
            return self.list(link).map(ControlFlow::Continue);
        }
        // Whether there is a URI form costs less than the URI.
        if let Some(why) = link.unconvertible() {
            self.unconvertible(link, &why);
        }
        self.counts.listed += 1;
        self.tally(link);
        Ok(ControlFlow::Continue(()))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    fn finish(&mut self, summary: &Summary) -> io::Result<()> {
        self.counts.overlong += summary.overlong;
        self.in_view(|context, each| context.finish(each)).map(drop)
    }
}
