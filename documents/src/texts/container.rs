//! The texts of a zip container.

use std::{
    collections::VecDeque,
    path::{Path, PathBuf},
};

use iriscan::Finder;

use super::text::{Place, Text};
use crate::{
    container::{Container, Entry, Inflating},
    content::read_as,
    note::{Note, NoteKind},
};

pub(super) struct Members {
    path: PathBuf,
    pub(super) container: Container,
    /// The member that was given last.
    last: Option<PathBuf>,
}

impl Members {
    pub(super) fn new(container: Container, path: &Path) -> Members {
        Members { path: path.to_owned(), container, last: None }
    }

    /// The next text; `None` if there is a note before it, or the container has ended.
    pub(super) fn next(&mut self, finder: &Finder, notes: &mut VecDeque<Note>) -> Option<Text<'_>> {
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
        let (place, bytes) = (Place::Member(path), Box::new(inflated));
        Some(Text { place, format, why, finder, bytes })
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
