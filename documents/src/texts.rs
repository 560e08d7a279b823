//! The texts of a web archive or a container, one after the other.
//!
//! In goes an input that was opened; out come texts, each with the finder that reads it, and notes
//! about what could not be read. What must hold: one text is held or open at a time, and what is
//! wrong with one hides no other one.

use std::{
    collections::{BTreeMap, VecDeque},
    fmt,
    io::{self, Read},
    path::{Path, PathBuf},
};

use iriscan::{Finder, Format, reference::BaseUri};

use crate::{
    archive::{ArchiveRecord, Item, NoPayload, Payload, Records},
    container::{Container, Entry, Inflated, Inflating},
    content::read_as,
    note::{Note, NoteKind},
};

/// The most content codings that are counted apart; a hostile archive may have any number.
const CODINGS_MAX: usize = 16;

/// The texts of a web archive or a container. [`Texts::next`] gives them.
pub struct Texts {
    finder: Finder,
    /// Told before anything else comes.
    notes: VecDeque<Note>,
    /// Texts so far.
    searched: u64,
    source: Source,
}

enum Source {
    Archive(Archive),
    Container(Members),
}

struct Archive {
    records: Records<Box<dyn Read + Send>>,
    count: u64,
    /// The records of each content coding that is not known.
    codings: BTreeMap<String, u64>,
    /// The text of the last record, unless notes about it come first.
    ready: Option<(RecordPlace, Payload)>,
    ended: bool,
}

struct Members {
    path: PathBuf,
    container: Container,
    /// The member that was given last.
    last: Option<PathBuf>,
}

/// What comes next.
#[derive(Debug)]
pub enum Next<'t> {
    /// A text, to be read to its end.
    Text(Text<'t>),
    /// Something could not be read.
    Note(Note),
}

/// A text in an archive or a container. Reading it never fails: an error ends it, and
/// [`Texts::next`] gives a note about that.
pub struct Text<'t> {
    /// Where it is.
    pub place: Place,
    /// Its format, by its media type or its name.
    pub format: Format,
    /// How the format is known, in words.
    pub why: &'static str,
    /// Reads it: the finder that the texts were opened with, in this format, with the charset that a
    /// server declared and the base that the text came from.
    pub finder: Finder,
    bytes: Bytes<'t>,
}

/// Where a text is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a record of a web archive.
    Record(RecordPlace),
    /// The member of a container with this path: the path of the container, `!`, and the name of the
    /// member. Nothing opens a file by it.
    Member(PathBuf),
}

/// The place of a text in a web archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordPlace {
    /// The address that the text came from.
    pub target: String,
    /// The byte that its record starts at.
    pub offset: u64,
    /// The byte that the text starts at; `None` if the text was decoded.
    pub start: Option<u64>,
}

enum Bytes<'t> {
    Record(io::Cursor<Vec<u8>>),
    Member(Box<Inflated<'t>>),
}

impl fmt::Debug for Texts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Texts").field("searched", &self.searched).finish_non_exhaustive()
    }
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Text { place, format, .. } = self;
        f.debug_struct("Text").field("place", place).field("format", format).finish_non_exhaustive()
    }
}

impl Read for Text<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.bytes {
            Bytes::Record(bytes) => bytes.read(buffer),
            Bytes::Member(inflated) => inflated.read(buffer),
        }
    }
}

impl Texts {
    pub(crate) fn of_archive(records: Records<Box<dyn Read + Send>>, finder: &Finder) -> Texts {
        let codings = BTreeMap::new();
        let archive = Archive { records, count: 0, codings, ready: None, ended: false };
        Texts::new(Source::Archive(archive), finder)
    }

    pub(crate) fn of_container(container: Container, path: &Path, finder: &Finder) -> Texts {
        let members = Members { path: path.to_owned(), container, last: None };
        Texts::new(Source::Container(members), finder)
    }

    fn new(source: Source, finder: &Finder) -> Texts {
        Texts { finder: finder.clone(), notes: VecDeque::new(), searched: 0, source }
    }

    /// The next text or note; `None` at the end.
    ///
    /// # Errors
    ///
    /// The input cannot be read further. What came before is whole, and the next calls give what else
    /// there is to say.
    #[allow(clippy::should_implement_trait, reason = "a text borrows from the input")]
    pub fn next(&mut self) -> io::Result<Option<Next<'_>>> {
        if let Some(note) = self.notes.pop_front() {
            return Ok(Some(Next::Note(note)));
        }
        let Texts { finder, notes, searched, source } = self;
        let text = match source {
            Source::Archive(archive) => archive.next(finder, notes)?,
            Source::Container(members) => members.next(finder, notes),
        };
        *searched += u64::from(text.is_some());
        Ok(text.map(Next::Text).or_else(|| notes.pop_front().map(Next::Note)))
    }

    /// The number of bytes that were read, decompressed.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        match &self.source {
            Source::Archive(archive) => archive.records.bytes(),
            Source::Container(members) => members.container.inflating().bytes,
        }
    }

    /// The number of records so far, or of the members that the container has.
    #[must_use]
    pub fn count(&self) -> u64 {
        match &self.source {
            Source::Archive(archive) => archive.count,
            Source::Container(members) => members.container.len() as u64,
        }
    }

    /// The number of texts so far.
    #[must_use]
    pub fn searched(&self) -> u64 {
        self.searched
    }
}

impl Archive {
    /// The next text; `None` if there is a note before it, or the archive has ended.
    fn next(
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
        let (format, bytes) = (payload.format, Bytes::Record(io::Cursor::new(payload.bytes)));
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

impl Members {
    /// The next text; `None` if there is a note before it, or the container has ended.
    fn next(&mut self, finder: &Finder, notes: &mut VecDeque<Note>) -> Option<Text<'_>> {
        if let Some(last) = self.last.take()
            && self.has_ended(Some(last), notes)
        {
            return None;
        }
        let entry = self.find_text(finder, notes)?;
        let path = entry.path(&self.path);
        self.last = Some(path.clone());
        let inflated = match self.container.read(&entry) {
            Ok(inflated) => inflated,
            Err(e) => {
                notes.push_back(Note::of_member(path, NoteKind::Unreadable(e)));
                return None;
            }
        };
        let Entry { format, basis: why, .. } = entry;
        let finder = finder.clone().format(read_as(&finder.config(), format));
        let bytes = Bytes::Member(Box::new(inflated));
        Some(Text { place: Place::Member(path), format, why, finder, bytes })
    }

    /// The next member that is text; `None` if there is a note before it, or the container has ended.
    fn find_text(&mut self, finder: &Finder, notes: &mut VecDeque<Note>) -> Option<Entry> {
        loop {
            if self.container.inflating().full {
                return None;
            }
            let entry = self.container.next()?;
            let path = || entry.path(&self.path);
            if let Some(why) = entry.closed {
                notes.push_back(Note::of_member(path(), NoteKind::Closed(why)));
                return None;
            }
            match self.container.is_text(&entry, finder) {
                Ok(true) => return Some(entry),
                Ok(false) => {
                    if self.has_ended(None, notes) {
                        return None;
                    }
                }
                Err(e) => {
                    notes.push_back(Note::of_member(path(), NoteKind::Unreadable(e)));
                    return None;
                }
            }
        }
    }

    /// Notes what ended the last member, if it was an error or too many bytes. An error of a member
    /// that is no text is of no interest: `member` is `None`.
    fn has_ended(&mut self, member: Option<PathBuf>, notes: &mut VecDeque<Note>) -> bool {
        let Inflating { trouble, full, .. } = self.container.inflating_mut();
        let trouble = trouble.take().zip(member);
        if let Some((e, member)) = trouble {
            notes.push_back(Note::of_member(member, NoteKind::Unreadable(e)));
        }
        if *full {
            notes.push_back(Note::new(NoteKind::Overfull));
        }
        !notes.is_empty()
    }
}
