//! `rewrite -i=SUFFIX`: the backups of files that are replaced.
//!
//! In goes a file that will be replaced; out comes a backup beside it, or the reason why it
//! cannot be made. What must hold: a backup replaces no file, and has the bytes that the file had
//! before this run.

use std::{
    collections::BTreeSet,
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard},
};

use super::old_file::OldFile;
use crate::{files::folder, messages::text};

/// The names of backups with `--in-place=SUFFIX`.
///
/// A file is not rewritten, and the user is told, if the name of its backup belongs to an
/// input, or to a file that this run did not make. A file that this run changes twice keeps its
/// first backup.
pub(crate) struct Backups {
    suffix: String,
    /// The names that the user gave and that end in the suffix, folders resolved.
    inputs: BTreeSet<PathBuf>,
    /// The names of backups that this run made, folders resolved.
    made: Mutex<BTreeSet<PathBuf>>,
}

impl Backups {
    /// No backups are made.
    pub(crate) fn none() -> Backups {
        Backups { suffix: String::new(), inputs: BTreeSet::new(), made: Mutex::default() }
    }

    /// Backups whose names end in `suffix`. `inputs` are all names that the user gave.
    pub(crate) fn new<'p>(suffix: &str, inputs: impl Iterator<Item = &'p Path>) -> Backups {
        let mut backups = Backups { suffix: suffix.into(), ..Backups::none() };
        backups.inputs = inputs.filter(|path| backups.has_name_of(path)).map(resolved).collect();
        backups
    }

    /// True if the file has the name of a backup.
    pub(crate) fn has_name_of(&self, path: &Path) -> bool {
        let suffix = self.suffix.as_bytes();
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        !suffix.is_empty() && name.ends_with(suffix)
    }

    /// The name of the backup of `old`.
    fn name(&self, old: &OldFile) -> PathBuf {
        let mut name = OsString::from(old.target());
        name.push(&self.suffix);
        name.into()
    }

    /// The reason why `old` can have no backup, and what to do; `None` if it can have one.
    pub(crate) fn refuse(&self, old: &OldFile) -> Option<String> {
        if self.suffix.is_empty() {
            return None;
        }
        let name = self.name(old);
        let place = resolved(&name);
        if self.inputs.contains(&place) {
            let (name, what) = (text::name(&name), "is an input too; left as it is");
            return Some(format!("its backup {name} {what}, name one of them at a time"));
        }
        let made = self.lock().contains(&place);
        (!made && name.symlink_metadata().is_ok() && !old.is_at(&name)).then(|| self.taken(old))
    }

    /// Says that the name of the backup of `old` is taken, and what to do.
    pub(crate) fn taken(&self, old: &OldFile) -> String {
        let name = text::name(&self.name(old));
        format!("its backup {name} exists already; left as it is, move that or give another SUFFIX")
    }

    /// Makes the backup of `old`, if one is wanted and this run has not made it before. `link`
    /// makes a hard link; if it fails, the file is copied. The error
    /// [`io::ErrorKind::AlreadyExists`] means that the name is taken.
    pub(crate) fn keep(
        &self,
        old: &OldFile,
        link: impl Fn(&Path, &Path) -> io::Result<()>,
    ) -> io::Result<Option<Backup>> {
        if self.suffix.is_empty() {
            return Ok(None);
        }
        let name = self.name(old);
        let place = resolved(&name);
        if self.lock().contains(&place) {
            return Ok(None);
        }
        match link(old.target(), &name) {
            Ok(()) => {}
            // An earlier run was killed after it had made this backup.
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists && old.is_at(&name) => {
                return Ok(Some(Backup { name: None, place }));
            }
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => return Err(e),
            Err(_) => old.copy_to(&name)?,
        }
        Ok(Some(Backup { name: Some(name), place }))
    }

    /// The old file has been replaced: its backup stays.
    pub(crate) fn made(&self, backup: Option<Backup>) {
        if let Some(mut backup) = backup {
            backup.name = None;
            self.lock().insert(std::mem::take(&mut backup.place));
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeSet<PathBuf>> {
        self.made.lock().expect(POISONED)
    }
}

/// A thread panicked, which the program does not survive.
const POISONED: &str = "no thread should have panicked";

/// A backup of a file that has not been replaced yet. It is removed with this value.
pub(crate) struct Backup {
    /// The name to remove; `None` if the backup stays.
    name: Option<PathBuf>,
    place: PathBuf,
}

impl Drop for Backup {
    fn drop(&mut self) {
        if let Some(name) = &self.name {
            let _ = fs::remove_file(name);
        }
    }
}

/// `path` with the links and `..` in its folder resolved. Its last part stays as it is,
/// because it may be a link, or belong to no file.
fn resolved(path: &Path) -> PathBuf {
    match (fs::canonicalize(folder(path)), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}
