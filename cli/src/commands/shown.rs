//! Reads inputs for links with the text around them: for `report` and `pick`.
//!
//! In go inputs; out come links in their context, one after the other, and for each input a note on
//! how it was read.

use std::{cell::OnceCell, io, ops::ControlFlow, path::Path, sync::Arc};

use iriscan::{
    Basis, Charset, Finder, Format, Match, Sink, Summary,
    mail::{self, MailLink, Piece},
};

use super::{archive::each_text, container::each_member};
use crate::{
    args::scan::ScanArgs,
    inputs::{
        content::Content,
        list::Input,
        mail::{MailPiece, Mailbox, NOT_SEARCHED},
        open::{self, Archives, Opened},
        scan::scan,
    },
    messages::{notes, text::plural, trouble::Trouble},
    printers::{
        context::{Context, Near, ShownLink},
        page::{Page, UNREADABLE},
        readable::is_markup,
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
    args: &ScanArgs,
    shelf: &mut dyn Shelf,
    stats: Option<&mut Stats>,
) -> Result<bool, Trouble> {
    let path = &input.path;
    let opened = match open::open(finder, input, None, args, Archives::Taken) {
        Ok(opened) => opened,
        // It was left out, as it should be.
        Err(outcome) if outcome.whole => return Ok(true),
        Err(_) => {
            shelf.end_input(path, UNREADABLE);
            return Ok(false);
        }
    };
    match opened.content() {
        Content::Archive => read_archive(finder, path, opened, args, shelf, stats),
        Content::Container => read_container(finder, path, &opened, args, shelf, stats),
        Content::Mail => Ok(read_mail(finder, path, opened, args, shelf, stats)),
        Content::Document(format) => {
            let finder = finder.clone().format(format);
            read_document(&finder, format, path, opened, args, shelf, stats)
        }
    }
}

fn read_mail(
    finder: &Finder,
    path: &Path,
    opened: Opened,
    args: &ScanArgs,
    shelf: &mut dyn Shelf,
    mut stats: Option<&mut Stats>,
) -> bool {
    let why = opened.why();
    let mut mailbox = Mailbox::new(path, opened, NOT_SEARCHED, args.run.verbose);
    let near = shelf.near();
    while let Some(MailPiece { piece, at, line }) = mailbox.next() {
        let Piece::Message(message) = piece else { continue };
        // Only a message with links needs them.
        let headers = OnceCell::new();
        let each = |link: MailLink| {
            if let Some(stats) = &mut stats {
                stats.mail_link(&link);
            }
            let headers = headers.get_or_init(|| Arc::new(mail::headers(&message)));
            shelf.link(&ShownLink::of_mail(&link, near, at, line, Some(headers)));
        };
        let mut closed = Vec::new();
        mail::find_noting(finder, &message, Some(near.in_mail()), each, |part| closed.push(part));
        mailbox.count_closed(&closed, at, line);
    }
    mailbox.say_end(why);
    shelf.end_input(path, &notes::how_mail(mailbox.messages(), why));
    if let Some(stats) = stats {
        stats.mail(mailbox.bytes(), mailbox.messages());
    }
    mailbox.is_whole()
}

fn read_archive(
    finder: &Finder,
    path: &Path,
    opened: Opened,
    args: &ScanArgs,
    shelf: &mut dyn Shelf,
    mut stats: Option<&mut Stats>,
) -> Result<bool, Trouble> {
    let (mut texts, mut overlong) = (0_u64, 0);
    let end = each_text(finder, args, path, opened, &mut |finder, text| {
        texts += 1;
        let markup = is_markup(finder.config().get_format());
        let (context, stats) = (Context::of(shelf.near(), markup), stats.as_deref_mut());
        let mut sink = ShelfSink { shelf, context, stats, place: Some(text.target) };
        let read = finder.scan(&text.payload.bytes[..], &mut sink);
        overlong += read.map_err(Trouble::Output)?.overlong;
        Ok(())
    })?;
    shelf.end_input(path, &format!("format warc; {}", plural(texts, "text")));
    notes::report_overlong(path, overlong, args.rules.max_len);
    if let Some(stats) = stats {
        stats.archive(end.bytes, "warc");
    }
    Ok(end.whole)
}

fn read_container(
    finder: &Finder,
    path: &Path,
    opened: &Opened,
    args: &ScanArgs,
    shelf: &mut dyn Shelf,
    mut stats: Option<&mut Stats>,
) -> Result<bool, Trouble> {
    let mut overlong = 0;
    let end = each_member(finder, args, path, opened, &mut |finder, inner, reader| {
        // A member is XML or HTML.
        let (context, stats) = (Context::of(shelf.near(), true), stats.as_deref_mut());
        let place = Some(inner.to_string_lossy().into_owned());
        let mut sink = ShelfSink { shelf, context, stats, place };
        let read = finder.scan(reader, &mut sink)?;
        overlong += read.overlong;
        Ok(read)
    })?;
    shelf.end_input(path, &format!("zip container; {}", plural(end.members, "text")));
    notes::report_overlong(path, overlong, args.rules.max_len);
    if let Some(stats) = stats {
        stats.archive(end.bytes, "zip");
    }
    Ok(end.whole)
}

fn read_document(
    finder: &Finder,
    format: Format,
    path: &Path,
    opened: Opened,
    args: &ScanArgs,
    shelf: &mut dyn Shelf,
    mut stats: Option<&mut Stats>,
) -> Result<bool, Trouble> {
    let (why, context) = (opened.why(), Context::of(shelf.near(), is_markup(format)));
    let mut sink = ShelfSink { shelf, context, stats: stats.as_deref_mut(), place: None };
    let read = scan(finder, path, opened, &mut sink)?;
    let how = |summary| notes::how(summary, format, why);
    shelf.end_input(path, &read.summary().map_or(UNREADABLE.to_owned(), how));
    if let Some(summary) = read.summary().filter(|_| args.run.verbose) {
        notes::report_charset(path, summary, format, why);
    }
    notes::report_overlong(path, read.overlong(), args.rules.max_len);
    if let Some(stats) = stats {
        stats.document(read.summary(), format);
    }
    Ok(read.is_whole())
}

/// Adds the links of a document to the shelf.
struct ShelfSink<'r> {
    shelf: &'r mut dyn Shelf,
    context: Context,
    stats: Option<&'r mut Stats>,
    /// In a web archive, the address that the text came from; in a zip container, its path.
    place: Option<String>,
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

impl Sink for ShelfSink<'_> {
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
        self.context.link(link, &mut adder(self.shelf, &self.place))?;
        Ok(ControlFlow::Continue(()))
    }

    fn finish(&mut self, _: &Summary) -> io::Result<()> {
        self.context.finish(&mut adder(self.shelf, &self.place))
    }
}
