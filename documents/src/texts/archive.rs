//! The texts of a web archive.

use std::{
    collections::{BTreeMap, VecDeque},
    io::{self, Read},
};

use iriscan::{Finder, reference::BaseUri};

use super::text::{Place, RecordPlace, Text};
use crate::{
    archive::{ArchiveRecord, Item, NoPayload, Payload, Records},
    content::read_as,
    note::{Note, NoteKind},
};

/// The most content codings that are counted apart; a hostile archive may have any number.
const CODINGS_MAX: usize = 16;

pub(super) struct Archive {
    pub(super) records: Records<Box<dyn Read + Send>>,
    pub(super) count: u64,
    /// The records of each content coding that is not known.
    codings: BTreeMap<String, u64>,
    /// The text of the last record, unless notes about it come first.
    ready: Option<(RecordPlace, Payload)>,
    ended: bool,
}

impl Archive {
    pub(super) fn new(records: Records<Box<dyn Read + Send>>) -> Archive {
        Archive { records, count: 0, codings: BTreeMap::new(), ready: None, ended: false }
    }

    /// The next text; `None` if there is a note before it, or the archive has ended.
    pub(super) fn next(
        &mut self,
        finder: &Finder,
        notes: &mut VecDeque<Note>,
    ) -> io::Result<Option<Text<'static>>> {
        while self.ready.is_none() && !self.ended {
            match self.records.next()? {
                Some(Item::Record(record)) => self.record(record, notes),
                Some(Item::Passed(what)) => notes.push_back(Note::new(NoteKind::Passed(what))),
                None => {
                    self.ended = true;
                    let codings = std::mem::take(&mut self.codings).into_iter();
                    notes.extend(
                        codings.map(|(coding, count)| Note::new(NoteKind::Codings(count, coding))),
                    );
                }
            }
            if !notes.is_empty() {
                return Ok(None);
            }
        }
        let Some((place, payload)) = self.ready.take() else { return Ok(None) };
        let finder = finder_of(finder, &payload, &place.target);
        let (format, bytes) = (payload.format, Box::new(io::Cursor::new(payload.bytes)));
        let (place, why) = (Place::Record(place), "by its media type");
        Ok(Some(Text { place, format, why, finder, bytes }))
    }

    /// Takes the payload out of a record, and notes what is wrong with it.
    fn record(&mut self, mut record: ArchiveRecord, notes: &mut VecDeque<Note>) {
        self.count += 1;
        let (at, wanted) = (record.at, record.is_wanted());
        let mut note = |kind| notes.push_back(Note::new(kind));
        if let Some(problem) = record.problem.take() {
            note(NoteKind::Damaged(at, problem));
        }
        match record.payload() {
            Ok(payload) => {
                if payload.cut {
                    note(NoteKind::Cut(at));
                }
                let target = record.target().to_owned();
                let place = RecordPlace { target, offset: at, start: payload.start };
                self.ready = Some((place, payload));
            }
            Err(NoPayload::TooLong) if wanted => note(NoteKind::TooLong(at)),
            Err(NoPayload::Coding(coding)) => {
                let is_listed =
                    self.codings.len() < CODINGS_MAX || self.codings.contains_key(&coding);
                let counted = if is_listed { coding.clone() } else { "of others".to_owned() };
                *self.codings.entry(counted).or_default() += 1;
                note(NoteKind::Coding(at, coding));
            }
            Err(_) => {}
        }
    }
}

/// The finder for a payload that came from `target`.
fn finder_of(finder: &Finder, payload: &Payload, target: &str) -> Finder {
    let config = finder.config();
    let mut finder = finder.clone().format(read_as(&config, payload.format));
    // The charset that the server declared, unless the caller gave one.
    if let Some(charset) = payload.declared().filter(|_| config.get_charset().is_none()) {
        finder = finder.charset(charset);
    }
    let outer = config.get_base().and_then(|base| BaseUri::new(&base.resolve(target)).ok());
    match outer.or_else(|| BaseUri::new(target).ok()) {
        Some(base) => finder.base(base),
        None => finder,
    }
}
