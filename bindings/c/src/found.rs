//! What reading a document finds, kept until C asks for it.

use std::{collections::VecDeque, ffi::CString, io, ops::ControlFlow, sync::Arc};

use iriscan::{Basis, Charset, Finder, Match, Sink, mail};
use iriscan_documents::{MailPiece, Note, NoteKind, Place, Visitor};

use crate::{
    finder::iriscan_finder,
    link::{Counter, Spot, iriscan_link},
    names::*,
};

/// A message about the document with this name.
pub(crate) fn message(name: &str, what: impl std::fmt::Display) -> String {
    match name {
        "" => what.to_string(),
        name => format!("{name}: {what}"),
    }
}

/// A string for C.
pub(crate) fn c_string(text: impl Into<String>) -> CString {
    let text: String = text.into();
    // A NUL would end the string.
    CString::new(text.replace('\0', "?")).unwrap_or_default()
}

/// A link or a note, and what points into it.
pub(crate) enum Current {
    Note(CString),
    Link { link: Box<iriscan_link>, within: Option<Arc<Within>>, message: u64 },
}

/// The text of an archive or a container.
pub(crate) struct Within {
    pub(crate) member: Option<CString>,
    pub(crate) record: Option<CString>,
    pub(crate) record_offset: u64,
    /// The byte of the document that it starts at; `None` if it was decoded.
    pub(crate) start: Option<u64>,
}

/// Keeps what a step finds.
pub(crate) struct Found {
    name: String,
    finder: Finder,
    units: Units,
    counter: Counter,
    within: Option<Arc<Within>>,
    pub(crate) queue: VecDeque<Current>,
}

impl Found {
    pub(crate) fn new(finder: &iriscan_finder, name: &str) -> Found {
        let (units, name) = (finder.units, name.to_owned());
        let (finder, counter) = (finder.finder.clone(), Counter::new(units));
        Found { name, finder, units, counter, within: None, queue: VecDeque::new() }
    }

    fn keep(&mut self, link: &Match<'_>, mut spot: Spot) {
        if let Some(within) = &self.within {
            spot.begin_at(within.start);
        }
        let link = Box::new(iriscan_link::new(link.to_link(), spot));
        self.queue.push_back(Current::Link { link, within: self.within.clone(), message: 0 });
    }

    pub(crate) fn say(&mut self, note: &Note) {
        let member = note.member().map(|path| path.to_string_lossy());
        let text = message(member.as_deref().unwrap_or(&self.name), note);
        self.queue.push_back(Current::Note(c_string(text)));
    }
}

impl Sink for Found {
    type Error = io::Error;

    fn charset(&mut self, charset: Charset, _: Basis) -> io::Result<()> {
        self.counter.decide(charset);
        Ok(())
    }

    fn text(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.counter.mark();
        self.counter.advance(bytes);
        Ok(())
    }

    fn matched(&mut self, link: &Match<'_>) -> io::Result<ControlFlow<()>> {
        self.counter.mark();
        let spot = self.counter.next(link);
        self.keep(link, spot);
        Ok(ControlFlow::Continue(()))
    }

    fn nested(&mut self, link: &Match<'_>, around: &Match<'_>) -> io::Result<ControlFlow<()>> {
        let spot = self.counter.nested(link, around);
        self.keep(link, spot);
        Ok(ControlFlow::Continue(()))
    }
}

impl Visitor for Found {
    fn begin(&mut self, place: &Place) -> io::Result<()> {
        self.counter = Counter::new(self.units);
        self.within = Some(Arc::new(match place {
            Place::Record(place) => Within {
                member: None,
                record: Some(c_string(&*place.target)),
                record_offset: place.offset,
                start: place.start,
            },
            Place::Member(path) => Within {
                member: Some(c_string(path.to_string_lossy())),
                record: None,
                record_offset: IRISCAN_NO_OFFSET,
                start: Some(0),
            },
        }));
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        self.within = None;
        Ok(())
    }

    fn message(&mut self, message: &[u8], place: &MailPiece) -> io::Result<()> {
        let mut headers = None;
        mail::find_each(&self.finder, message, |link| {
            let mut link = Box::new(iriscan_link::in_mail(link, (place.at, place.line)));
            // Only a message with links needs them.
            link.set_message(headers.get_or_insert_with(|| Arc::new(mail::headers(message))));
            self.queue.push_back(Current::Link { link, within: None, message: place.number });
        });
        Ok(())
    }

    fn note(&mut self, note: Note) -> io::Result<()> {
        // They are counted, and the number comes at the end.
        if !matches!(note.kind(), NoteKind::Coding(..)) {
            self.say(&note);
        }
        Ok(())
    }
}
