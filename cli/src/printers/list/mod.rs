//! `find`: writes one result for each link.
//!
//! In go the links of an input; out come lines, records of JSON, or lines in colour, as the
//! options want. What must hold: the results are written in the order of the links.

mod form;
mod numbers;

use std::{
    borrow::Cow,
    collections::{HashSet, VecDeque},
    io::{self, Write},
    mem,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use iriscan::{
    Basis, Charset, Match, Position, Positions, Sink, Summary, UriError, Viewer,
    mail::{Headers, MailLink},
};
use iriscan_documents::RecordPlace;

use self::{form::Form, numbers::Numbers};
use super::{
    context::{Context, Each, Near, ShownLink},
    item::{InMail, Item, Name, Source},
    lines,
    readable::{first, last},
    stats::Stats,
    tally::Tally,
    terminal::Painter,
};
use crate::{
    args::find::FindArgs,
    messages::notes::{self, Notes},
};

/// Writes the results of one input, or of a piece of it.
pub(crate) struct Lister<'a, W> {
    args: &'a FindArgs,
    form: Form<'a>,
    source: Source<'a>,
    /// The name of the zip container, in a member of it.
    container: Option<Name<'a>>,
    out: W,
    /// The results so far, with `--unique`.
    unique: HashSet<String>,
    /// The place where the text and the links so far end, if `--offsets` asks for it.
    positions: Option<Positions>,
    /// With `--nested`: the place where the last link or text began.
    began: Option<Positions>,
    numbers: Numbers,
    notes: Notes,
    /// Collects the text around links, with `--color` and `--context`.
    view: Option<View>,
    /// Each host is mapped and judged once.
    viewer: Viewer,
}

/// Shows links with the text around them.
struct View {
    how: Around,
    context: Context,
}

/// How the text around links is shown.
enum Around {
    /// Each link in its line, for people.
    Lines(Painter),
    /// With each result. These wait for their text.
    Results(VecDeque<Waiting>),
}

/// A result that waits for the text after it.
struct Waiting {
    n: u64,
    shown: String,
    at: Option<[Position; 2]>,
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
            form: Form::of(args),
            source: Source { name: Name::new(path.into(), named), record: None },
            container: None,
            out,
            unique: HashSet::new(),
            positions: None,
            began: None,
            numbers: Numbers::wanted(args),
            notes,
            view: None,
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
        let context = Context::of(Near::Chars(chars));
        self.view = Some(View { how: Around::Results(VecDeque::new()), context });
    }

    /// The text that comes next is markup or not.
    pub(crate) fn set_markup(&mut self, markup: bool) {
        if let Some(view) = &mut self.view {
            view.context = view.context.restarted(markup);
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
        let (args, path, named) =
            (self.args, self.source.name.path.clone(), self.source.name.printed);
        move |out| Lister::new(args, path.clone(), named, out, Notes::Kept(String::new()))
    }

    /// Takes over the results that the next piece has so far.
    pub(crate) fn take_piece(&mut self, piece: &mut Lister<'_, Vec<u8>>) -> io::Result<()> {
        piece.notes.say();
        self.numbers.merge(&mut piece.numbers);
        self.out.write_all(&piece.out)?;
        piece.out.clear();
        Ok(())
    }

    /// The links that come next are in this record of a web archive.
    pub(crate) fn enter_record(&mut self, record: RecordPlace) {
        self.source.record = Some(record);
    }

    /// The links that come next are in the member of a zip container with this path.
    pub(crate) fn enter_member(&mut self, path: PathBuf) {
        let member = Name::of_member(path.into(), self.args.names_members());
        let before = mem::replace(&mut self.source.name, member);
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
        self.numbers.listed
    }

    /// The numbers for `--stats`, if they are wanted.
    pub(crate) fn stats(&mut self) -> Option<&mut Stats> {
        self.numbers.stats.as_mut()
    }

    /// The numbers for `--count-by`, at the end.
    pub(crate) fn take_tally(&mut self) -> Tally {
        mem::take(&mut self.numbers.tally)
    }

    /// The numbers for `--stats`, at the end.
    pub(crate) fn take_stats(&mut self) -> Option<Stats> {
        self.numbers.stats.take()
    }

    /// Writes a link as the options want.
    fn write(&mut self, item: &Item<'_>) -> io::Result<()> {
        self.form.write(item, &self.source, &mut self.viewer, &mut self.out)
    }

    /// Writes a link that waited for the text after it.
    fn write_waited(&mut self, waited: &Waiting, link: &ShownLink<'_>) -> io::Result<()> {
        let Waiting { n, ref shown, at } = *waited;
        let around = Some([&*link.before, &*link.after]);
        let inner = self.inner(&link.link);
        self.write(&Item {
            link: &link.link,
            shown,
            inner: inner.as_deref(),
            n,
            at,
            mail: None,
            around,
        })
    }

    /// Ends the input: with `--count`, writes the number of links; says how many links have no URI
    /// form, and how many were too long.
    pub(crate) fn end(&mut self) -> io::Result<()> {
        if let Some(container) = self.container.take() {
            self.source.name = container;
        }
        if self.args.count {
            let listed = self.numbers.listed.to_string();
            lines::line(&listed, None, &self.source.name, self.args.end(), &mut self.out)?;
        }
        let (path, scan) = (&self.source.name.path, &self.args.scan);
        notes::report_unconvertible(path, self.numbers.unconvertible, scan.run.verbose);
        notes::report_overlong(path, self.numbers.overlong, scan.rules.max_len);
        Ok(())
    }

    /// If the text around links is wanted, gives the context to `next`, which adds the text or
    /// the link that comes next, and writes the links that are complete.
    fn in_view(
        &mut self,
        next: impl FnOnce(&mut Context, &mut Each<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let Some(mut view) = self.view.take() else { return Ok(()) };
        let written = next(&mut view.context, &mut |link| match &mut view.how {
            Around::Lines(painter) => {
                let why = self.paint(*painter, &link)?;
                // With --unique, it was counted when the URI was compared.
                if let Some(why) = why.filter(|_| !self.args.unique) {
                    self.unconvertible(&link.link, &why);
                }
                Ok(())
            }
            Around::Results(waiting) => match waiting.pop_front() {
                Some(waited) => self.write_waited(&waited, &link),
                None => Ok(()),
            },
        });
        self.view = Some(view);
        written
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
        painter.write(&mut self.out, self.source.name.shown(), link, &mut self.viewer)
    }

    /// True if only the number of links is wanted.
    fn only_counts(&self) -> bool {
        (self.args.count || self.args.count_by.is_some()) && !self.args.unique
    }

    /// With `--unwrap`: the link inside, if `link` is a wrapper.
    fn inner(&self, link: &Match<'_>) -> Option<String> {
        self.args.unwrap.then(|| link.unwrapped()).flatten()
    }

    /// Counts a result; false if it was there before, with `--unique`.
    fn is_new(&mut self, shown: &str) -> bool {
        let new = !self.args.unique || self.unique.insert(shown.to_owned());
        self.numbers.listed += u64::from(new);
        new
    }

    /// Writes a link, unless it was there before, with `--unique`.
    #[inline(never)]
    fn list(&mut self, link: &Match<'_>) -> io::Result<()> {
        let at = self.positions.as_ref().map(Positions::position);
        self.advance(link.source());
        let at = at.zip(self.positions.as_ref()).map(|(start, end)| [start, end.position()]);
        self.list_at(link, at, None)
    }

    /// Writes a link, unless it was there before. `at`: its place. `around`: the link that it is in.
    fn list_at(
        &mut self,
        link: &Match<'_>,
        at: Option<[Position; 2]>,
        around: Option<&Match<'_>>,
    ) -> io::Result<()> {
        // Lines show more than the result, so that is not made.
        if matches!(self.view, Some(View { how: Around::Lines(_), .. })) && !self.args.unique {
            self.numbers.listed += 1;
            return self.in_view(|context, each| context.link(link, around, each));
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
            return match around {
                Some(_) => Ok(()),
                None => self.in_view(|context, each| context.text(link.source(), each)),
            };
        }
        if self.numbers.tally(link) {
            return Ok(());
        }
        let n = self.numbers.listed;
        match &mut self.view {
            None => {
                let inner = inner.as_deref();
                return self.write(&Item { link, shown, inner, n, at, mail: None, around: None });
            }
            Some(View { how: Around::Results(waiting), .. }) => {
                waiting.push_back(Waiting { n, shown: shown.to_owned(), at });
            }
            Some(View { how: Around::Lines(_), .. }) => {}
        }
        self.in_view(|context, each| context.link(link, around, each))
    }

    /// Adds text or a link to the positions.
    fn advance(&mut self, bytes: &[u8]) {
        if let Some(positions) = &mut self.positions {
            if self.args.nested {
                self.began = Some(positions.clone());
            }
            positions.advance(bytes);
        }
    }

    /// The place of a link that is in `around`, which was the last link or text.
    fn place_in(&self, link: &Match<'_>, around: &Match<'_>) -> Option<[Position; 2]> {
        let mut positions = self.began.clone()?;
        let at = (link.span().start - around.span().start) as usize;
        positions.advance(&around.source()[..at]);
        let start = positions.position();
        positions.advance(link.source());
        Some([start, positions.position()])
    }

    /// Counts a link, and writes it by `list` if it is listed.
    fn take(
        &mut self,
        link: &Match<'_>,
        list: impl FnOnce(&mut Self) -> io::Result<()>,
    ) -> io::Result<ControlFlow<()>> {
        if let Some(stats) = &mut self.numbers.stats {
            stats.link(link);
        }
        if !self.only_counts() {
            return list(self).map(ControlFlow::Continue);
        }
        // Whether there is a URI form costs less than the URI.
        if let Some(why) = link.unconvertible() {
            self.unconvertible(link, &why);
        }
        self.numbers.listed += 1;
        self.numbers.tally(link);
        Ok(ControlFlow::Continue(()))
    }

    /// Counts a link that has no URI form.
    #[cold]
    fn unconvertible(&mut self, link: &Match<'_>, why: &UriError) {
        self.numbers.unconvertible += 1;
        if self.args.scan.run.verbose {
            self.notes.staying(&self.source.name.path, link, why);
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
        if let Some(stats) = &mut self.numbers.stats {
            stats.mail_link(link);
        }
        let as_match = link.link().as_match();
        let uri = self.viewer.uri(&as_match);
        if let Err(why) = &uri {
            self.numbers.unconvertible += 1;
            if self.args.scan.run.verbose {
                notes::report_staying(&self.source.name.path, at, link, &why.to_string());
            }
        }
        if self.only_counts() {
            self.numbers.listed += 1;
            self.numbers.tally(&as_match);
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
        if self.numbers.tally(&as_match) {
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
            inner: inner.as_deref(),
            n: self.numbers.listed,
            at: None,
            mail: Some(InMail { found: link, at, line, message }),
            around: around.as_ref().map(|(before, after)| [&**before, &**after]),
        })
    }
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
        self.advance(bytes);
        self.in_view(|context, each| context.text(bytes, each))
    }

    fn matched(&mut self, link: &Match<'_>) -> io::Result<ControlFlow<()>> {
        self.take(link, |lister| lister.list(link))
    }

    fn nested(&mut self, link: &Match<'_>, around: &Match<'_>) -> io::Result<ControlFlow<()>> {
        self.take(link, |lister| {
            let at = lister.place_in(link, around);
            lister.list_at(link, at, Some(around))
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    fn finish(&mut self, summary: &Summary) -> io::Result<()> {
        self.numbers.overlong += summary.overlong;
        self.in_view(|context, each| context.finish(each))
    }
}
