//! Reads inputs for links with the text around them: for `report` and `pick`.
//!
//! In go inputs; out come links in their context, one after the other, and for each input a note on
//! how it was read.

use std::{io, ops::ControlFlow, path::Path, sync::Arc};

use iriscan::{
    Basis, Charset, Finder, Match, Sink, Summary,
    mail::{Headers, MailLink},
};
use iriscan_documents as documents;

use super::walk::{Place, Visitor, walk};
use crate::{
    args::scan::Pace,
    inputs::{
        list::Input,
        open::{InputOpener, Opened},
        scan::{Reading, scan},
    },
    messages::{notes, trouble::Trouble},
    printers::{
        context::{Context, Near, ShownLink},
        page::{Page, UNREADABLE},
        stats::Stats,
    },
};

/// Takes the links of inputs.
pub(super) trait Shelf {
    /// How much of the text around links is wanted.
    fn near(&self) -> Near;

    fn link(&mut self, link: &ShownLink<'_>);

    /// The input at `path` is over; `note` says how it was read.
    fn end_input(&mut self, path: &Path, note: &str);
}

impl Shelf for Page {
    fn near(&self) -> Near {
        Near::Line
    }

    fn link(&mut self, link: &ShownLink<'_>) {
        Page::link(self, link);
    }

    fn end_input(&mut self, path: &Path, note: &str) {
        Page::end_input(self, path, note);
    }
}

/// Reads an input onto the shelf. Returns true if it was read to its end.
pub(super) fn read(
    finder: &Finder,
    input: &Input,
    opener: &InputOpener<'_>,
    shelf: &mut dyn Shelf,
    stats: Option<&mut Stats>,
) -> Result<bool, Trouble> {
    let context = Context::of(shelf.near());
    let max_len = opener.args().rules.max_len;
    walk(
        finder,
        input,
        opener,
        &mut Shown { shelf, stats, context, place: None, overlong: 0, max_len },
    )
}

/// Gives the links of an input to the shelf.
struct Shown<'r> {
    shelf: &'r mut dyn Shelf,
    stats: Option<&'r mut Stats>,
    context: Context,
    /// In a web archive, the address that the text came from; in a zip container, its path.
    place: Option<String>,
    /// The links that are longer than `max_len`.
    overlong: u64,
    max_len: u64,
}

impl Visitor for Shown<'_> {
    fn near(&self) -> Option<Near> {
        Some(self.shelf.near())
    }

    fn stats(&mut self) -> Option<&mut Stats> {
        self.stats.as_deref_mut()
    }

    fn enter(&mut self, place: Place, markup: bool) {
        self.context = self.context.restarted(markup);
        self.place = match place {
            Place::Whole => None,
            Place::In(documents::Place::Record(place)) => Some(place.target),
            Place::In(documents::Place::Member(path)) => Some(path.to_string_lossy().into_owned()),
        };
    }

    fn document(
        &mut self,
        finder: &Finder,
        path: &Path,
        opened: Opened,
    ) -> Result<Reading, Trouble> {
        scan(finder, path, opened, self, Pace::Settled)
    }

    fn mail_link(
        &mut self,
        link: &MailLink,
        at: u64,
        line: u64,
        message: &Arc<Headers>,
    ) -> io::Result<()> {
        if let Some(stats) = &mut self.stats {
            stats.mail_link(link);
        }
        let near = self.shelf.near();
        self.shelf.link(&ShownLink::of_mail(link, near, at, line, Some(message)));
        Ok(())
    }

    fn end_input(&mut self, path: &Path, note: &str) -> io::Result<()> {
        self.shelf.end_input(path, note);
        notes::report_overlong(path, self.overlong, self.max_len);
        Ok(())
    }

    fn unreadable(&mut self, path: &Path) {
        self.shelf.end_input(path, UNREADABLE);
    }
}

/// Adds each link, which is at `place`, to the shelf.
fn adder<'a>(
    shelf: &'a mut dyn Shelf,
    place: &'a Option<String>,
) -> impl FnMut(ShownLink<'_>) -> io::Result<()> + 'a {
    move |link| {
        let place = place.as_deref().map(Into::into).or(link.place.clone());
        shelf.link(&ShownLink { place, ..link });
        Ok(())
    }
}

impl Sink for Shown<'_> {
    type Error = io::Error;

    fn charset(&mut self, charset: Charset, _: Basis) -> io::Result<()> {
        self.context.charset(charset);
        Ok(())
    }

    fn text(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.context.text(bytes, &mut adder(self.shelf, &self.place))
    }

    fn matched(&mut self, link: &Match<'_>) -> io::Result<ControlFlow<()>> {
        if let Some(stats) = &mut self.stats {
            stats.link(link);
        }
        self.context.link(link, None, &mut adder(self.shelf, &self.place))?;
        Ok(ControlFlow::Continue(()))
    }

    fn nested(&mut self, link: &Match<'_>, around: &Match<'_>) -> io::Result<ControlFlow<()>> {
        if let Some(stats) = &mut self.stats {
            stats.link(link);
        }
        self.context.link(link, Some(around), &mut adder(self.shelf, &self.place))?;
        Ok(ControlFlow::Continue(()))
    }

    fn finish(&mut self, summary: &Summary) -> io::Result<()> {
        self.overlong += summary.overlong;
        self.context.finish(&mut adder(self.shelf, &self.place))
    }
}
