//! The texts of a web archive or a container, one after the other.
//!
//! In goes an input that was opened; out come texts, each with the finder that reads it, and notes
//! about what could not be read. What must hold: one text is held or open at a time, and what is
//! wrong with one hides no other one.

mod archive;
#[cfg(feature = "zip")]
mod container;
mod text;

#[cfg(feature = "zip")]
use std::path::Path;
use std::{
    collections::VecDeque,
    fmt,
    io::{self, Read},
};

use iriscan::Finder;

use self::archive::Archive;
#[cfg(feature = "zip")]
use self::container::Members;
pub use self::text::{Place, RecordPlace, Text};
#[cfg(feature = "zip")]
use crate::container::Container;
use crate::{archive::Records, note::Note};

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
    #[cfg(feature = "zip")]
    Container(Members),
}

/// What comes next.
#[derive(Debug)]
pub enum Next<'t> {
    /// A text, to be read to its end.
    Text(Text<'t>),
    /// Something could not be read.
    Note(Note),
}

impl fmt::Debug for Texts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Texts").field("searched", &self.searched).finish_non_exhaustive()
    }
}

impl Texts {
    pub(crate) fn of_archive(records: Records<Box<dyn Read + Send>>, finder: &Finder) -> Texts {
        Texts::new(Source::Archive(Archive::new(records)), finder)
    }

    #[cfg(feature = "zip")]
    pub(crate) fn of_container(container: Container, path: &Path, finder: &Finder) -> Texts {
        Texts::new(Source::Container(Members::new(container, path)), finder)
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
            #[cfg(feature = "zip")]
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
            #[cfg(feature = "zip")]
            Source::Container(members) => members.container.inflating().bytes,
        }
    }

    /// The number of records so far, or of the members that the container has.
    #[must_use]
    pub fn count(&self) -> u64 {
        match &self.source {
            Source::Archive(archive) => archive.count,
            #[cfg(feature = "zip")]
            Source::Container(members) => members.container.len() as u64,
        }
    }

    /// The number of texts so far.
    #[must_use]
    pub fn searched(&self) -> u64 {
        self.searched
    }
}
