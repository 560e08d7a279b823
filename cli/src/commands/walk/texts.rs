//! Web archives and zip containers: the links of each text in them.

use std::path::Path;

use iriscan::Finder;
use iriscan_documents::{self as documents, Content, Next, Note, NoteKind, Text, Texts};

use super::visitor::{End, Place, Visitor};
use crate::{
    args::scan::ScanArgs,
    inputs::open::Opened,
    messages::{
        notes, say,
        text::{name, plural, shown},
        trouble::{Trouble, Unfinished, complain},
    },
    printers::readable::is_markup,
};

/// Gives every text to the visitor.
pub(super) fn walk(
    finder: &Finder,
    path: &Path,
    opened: Opened,
    args: &ScanArgs,
    visitor: &mut dyn Visitor,
) -> Result<End, Trouble> {
    let is_archive = opened.content() == Content::Archive;
    let (meter, len) = (opened.meter().clone(), opened.plain_file().map(|(_, len)| len));
    let (mut bytes, mut searched) = (0, 0);
    let whole = match opened.into_document().into_texts(finder) {
        Ok(mut texts) => {
            let whole = each(path, &mut texts, args.run.verbose, visitor)?;
            (bytes, searched) = (texts.bytes(), texts.searched());
            if args.run.verbose {
                let (name, count) = (name(path), texts.count());
                match is_archive {
                    true => {
                        let count = plural(count, "record");
                        say(format_args!("{name}: format warc; {count}, {searched} searched"));
                    }
                    false => {
                        let count = plural(count, "member");
                        let what = "zip container by its first bytes";
                        say(format_args!("{name}: {what}; {count}, {searched} searched"));
                    }
                }
            }
            whole
        }
        Err(e) => {
            complain(path, &e, Unfinished::Used);
            false
        }
    };
    // A container is not read from its start to its end.
    if let Some(len) = len.filter(|_| !is_archive) {
        meter.reached(len);
    }
    if let Some(stats) = visitor.stats() {
        stats.archive(bytes, if is_archive { "warc" } else { "zip" });
    }
    let what = if is_archive { "format warc" } else { "zip container" };
    Ok(End { note: format!("{what}; {}", plural(searched, "text")), whole })
}

/// Gives the texts to the visitor. Returns false if something could not be read, of which the user was
/// told.
fn each(
    path: &Path,
    texts: &mut Texts,
    verbose: bool,
    visitor: &mut dyn Visitor,
) -> Result<bool, Trouble> {
    let mut whole = true;
    loop {
        match texts.next() {
            Ok(Some(Next::Text(text))) => scan(text, verbose, visitor)?,
            Ok(Some(Next::Note(note))) => {
                whole &= !note.is_loss();
                tell(path, &note, verbose);
            }
            Ok(None) => return Ok(whole),
            Err(e) => {
                complain(path, &e, Unfinished::Used);
                whole = false;
            }
        }
    }
}

/// Gives a text to the visitor.
fn scan(mut text: Text<'_>, verbose: bool, mut visitor: &mut dyn Visitor) -> Result<(), Trouble> {
    let place = text.place.clone();
    let member = match &place {
        documents::Place::Member(path) if verbose => Some(path.clone()),
        _ => None,
    };
    let finder = text.finder.clone();
    visitor.enter(Place::In(place), is_markup(finder.config().get_format()));
    let (format, why) = (text.format, text.why);
    let summary = finder.scan(&mut text, &mut visitor).map_err(Trouble::Output)?;
    if let Some(member) = member {
        notes::report_charset(&member, &summary, format, why);
    }
    Ok(())
}

/// Tells the user what could not be read.
pub(in crate::commands) fn tell(path: &Path, note: &Note, verbose: bool) {
    let path = note.member().map_or(path, |member| member);
    let name = name(path);
    match note.kind() {
        NoteKind::Coding(..) if !verbose => {}
        NoteKind::Codings(..) => {
            let advice = if verbose { "see above" } else { "-v names each" };
            say(format_args!("{name}: {}; {advice}", shown(&note.to_string())));
        }
        NoteKind::Unreadable(e) => complain(path, e, Unfinished::Used),
        _ => say(format_args!("{name}: {}", shown(&note.to_string()))),
    }
}
