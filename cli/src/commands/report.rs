//! `iriscan report`: writes a page with all links of the inputs.

use std::{io, path::Path, process::ExitCode};

use iriscan::{
    Basis, Charset, Finder, Format, Match, Sink, Summary,
    mail::{self, Piece},
};

use super::{archive::each_text, container::each_member, put, run::Run};
use crate::{
    args::report::ReportArgs,
    inputs::{
        choosing,
        content::Content,
        list::{Folders, Input, Inputs, Origin},
        mail::{MailPiece, Mailbox, NOT_SEARCHED},
        open::{self, Archives, Opened},
        scan::scan,
    },
    messages::{
        notes,
        text::{name, plural},
        trouble::{Trouble, complain_of_output},
    },
    output::{self, temporary::catch_signals},
    printers::{
        context::{Context, ShownLink},
        page::{Page, UNREADABLE},
        stats::Stats,
    },
};

pub(crate) fn run(args: &ReportArgs) -> Result<ExitCode, Trouble> {
    let run = Run::begin(&args.scan);
    catch_signals().map_err(Trouble::Signals)?;
    let config = choosing::config(&args.scan)?.elements(true);
    let finder = config.build().map_err(Trouble::Config)?;
    let mut page = Page::new(args.limit);
    let mut trouble = false;
    let to_stdout = args.output == Path::new("-");
    match to_stdout {
        true => output::set_to_stdout(),
        false => output::set_to_file(&args.output),
    }
    let mut inputs = Inputs::new(&args.scan.inputs, Folders::Walked)?;
    for input in &mut inputs {
        let Some(input) = run.input(input) else {
            trouble = true;
            continue;
        };
        if input.origin == Origin::Named && output::leads_to_output(&input.path) {
            let what = "it is the output too, and would be lost; write to another file";
            return Err(Trouble::Usage(format!("{}: {what}", name(&input.path))));
        }
        let mut stats = Stats::wanted(args.scan.run.stats);
        let whole = read(&finder, &input, args, &mut page, stats.as_mut())?;
        trouble |= !whole;
        run.count(stats, whole);
    }
    let html = page.into_html();
    if to_stdout {
        put(html.as_bytes())?;
    } else if let Err(e) = output::write_file(&args.output, html.as_bytes()) {
        // The file may be a pipe, as /dev/stdout can be.
        if e.kind() == io::ErrorKind::BrokenPipe {
            return Err(Trouble::Output(e));
        }
        complain_of_output(&args.output, &e);
        trouble = true;
    }
    run.end(&inputs);
    Ok(ExitCode::from(if trouble { 2 } else { 0 }))
}

/// Reads an input into the page. Returns true if it was read to its end.
fn read(
    finder: &Finder,
    input: &Input,
    args: &ReportArgs,
    page: &mut Page,
    stats: Option<&mut Stats>,
) -> Result<bool, Trouble> {
    let path = &input.path;
    let opened = match open::open(finder, input, None, &args.scan, Archives::Taken) {
        Ok(opened) => opened,
        // It was left out, as it should be.
        Err(outcome) if outcome.whole => return Ok(true),
        Err(_) => {
            page.end_input(path, UNREADABLE);
            return Ok(false);
        }
    };
    match opened.content() {
        Content::Archive => read_archive(finder, path, opened, args, page, stats),
        Content::Container => read_container(finder, path, &opened, args, page, stats),
        Content::Mail => Ok(read_mail(finder, path, opened, args, page, stats)),
        Content::Document(format) => {
            let finder = finder.clone().format(format);
            read_document(&finder, format, path, opened, args, page, stats)
        }
    }
}

fn read_mail(
    finder: &Finder,
    path: &Path,
    opened: Opened,
    args: &ReportArgs,
    page: &mut Page,
    mut stats: Option<&mut Stats>,
) -> bool {
    let why = opened.why();
    let mut mailbox = Mailbox::new(path, opened, NOT_SEARCHED);
    while let Some(MailPiece { piece, line, .. }) = mailbox.next() {
        let Piece::Message(message) = piece else { continue };
        mail::find_each(finder, &message, |link| {
            if let Some(stats) = &mut stats {
                stats.mail_link(&link);
            }
            page.link(&ShownLink::of_mail(&link, line));
        });
    }
    if args.scan.run.verbose {
        mailbox.say_messages(why);
    }
    page.end_input(path, &notes::how_mail(mailbox.messages(), why));
    if let Some(stats) = stats {
        stats.mail(mailbox.bytes(), mailbox.messages());
    }
    mailbox.is_whole()
}

fn read_archive(
    finder: &Finder,
    path: &Path,
    opened: Opened,
    args: &ReportArgs,
    page: &mut Page,
    mut stats: Option<&mut Stats>,
) -> Result<bool, Trouble> {
    let (mut texts, mut overlong) = (0_u64, 0);
    let end = each_text(finder, &args.scan, path, opened, &mut |finder, text| {
        texts += 1;
        let (context, stats) = (Context::new(), stats.as_deref_mut());
        let mut sink = PageSink { page, context, stats, place: Some(text.target) };
        let read = finder.scan(&text.payload.bytes[..], &mut sink, |_| Ok(()));
        overlong += read.map_err(Trouble::Output)?.overlong;
        Ok(())
    })?;
    page.end_input(path, &format!("format warc; {}", plural(texts, "text")));
    notes::report_overlong(path, overlong, args.scan.rules.max_len);
    if let Some(stats) = stats {
        stats.archive(end.bytes, "warc");
    }
    Ok(end.whole)
}

fn read_container(
    finder: &Finder,
    path: &Path,
    opened: &Opened,
    args: &ReportArgs,
    page: &mut Page,
    mut stats: Option<&mut Stats>,
) -> Result<bool, Trouble> {
    let mut overlong = 0;
    let end = each_member(finder, &args.scan, path, opened, &mut |finder, inner, reader| {
        let (context, stats) = (Context::new(), stats.as_deref_mut());
        let place = Some(inner.to_string_lossy().into_owned());
        let mut sink = PageSink { page, context, stats, place };
        let read = finder.scan(reader, &mut sink, |_| Ok(()))?;
        overlong += read.overlong;
        Ok(read)
    })?;
    page.end_input(path, &format!("zip container; {}", plural(end.members, "text")));
    notes::report_overlong(path, overlong, args.scan.rules.max_len);
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
    args: &ReportArgs,
    page: &mut Page,
    mut stats: Option<&mut Stats>,
) -> Result<bool, Trouble> {
    let (why, context) = (opened.why(), Context::new());
    let mut sink = PageSink { page, context, stats: stats.as_deref_mut(), place: None };
    let read = scan(finder, path, opened, &mut sink, |_| Ok(()))?;
    let how = |summary| notes::how(summary, format, why);
    page.end_input(path, &read.summary().map_or(UNREADABLE.to_owned(), how));
    if let Some(summary) = read.summary().filter(|_| args.scan.run.verbose) {
        notes::report_charset(path, summary, format, why);
    }
    notes::report_overlong(path, read.overlong(), args.scan.rules.max_len);
    if let Some(stats) = stats {
        stats.document(read.summary(), format);
    }
    Ok(read.is_whole())
}

/// Adds the links of a document to the page.
struct PageSink<'r> {
    page: &'r mut Page,
    context: Context,
    stats: Option<&'r mut Stats>,
    /// In a web archive, the address that the text came from; in a zip container, its path.
    place: Option<String>,
}

/// Adds each link, which is at `place`, to the page.
fn adder<'a>(
    page: &'a mut Page,
    place: &'a Option<String>,
) -> impl FnMut(ShownLink) -> io::Result<()> + 'a {
    move |link| {
        page.link(&ShownLink { place: place.clone().or(link.place.clone()), ..link });
        Ok(())
    }
}

impl Sink for PageSink<'_> {
    type Error = io::Error;

    fn charset(&mut self, charset: Charset, _: Basis) -> io::Result<()> {
        self.context.charset(charset);
        Ok(())
    }

    fn text(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.context.text(bytes, &mut adder(self.page, &self.place))
    }

    fn matched(&mut self, link: &Match<'_>) -> io::Result<()> {
        if let Some(stats) = &mut self.stats {
            stats.link(link);
        }
        self.context.link(link, &mut adder(self.page, &self.place))
    }

    fn finish(&mut self, _: &Summary) -> io::Result<()> {
        self.context.finish(&mut adder(self.page, &self.place))
    }
}
