//! Temporary files, which take the name of another file when they are complete.
//!
//! What must hold: a temporary file is removed when its value is dropped and when a signal ends
//! the program. (Only when the program is killed it stays, as `.iriscan-*.tmp`.)

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard},
};

use crate::files::folder;

/// The names of all temporary files that exist. A thread holds the lock while it makes,
/// renames or removes one. The thread that handles a signal takes the lock and never gives it
/// back, so that no file is made or renamed after the others were removed.
static NAMES: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

pub(crate) fn names() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    NAMES.lock().expect(POISONED)
}

/// A thread panicked, which the program does not survive.
const POISONED: &str = "no thread should have panicked";

/// The mode of a copy, because the file may be secret.
pub(crate) const PRIVATE: u32 = 0o600;
/// The mode of a new file; the user's mask is removed from it.
pub(crate) const ORDINARY: u32 = 0o666;

/// A file that is removed with this value, or when a signal ends the program.
pub(crate) struct Temporary {
    file: File,
    path: PathBuf,
}

impl Temporary {
    /// Makes a file with a new name in `folder`. The user's mask is removed from `mode`.
    pub(crate) fn create(folder: &Path, mode: u32) -> io::Result<Temporary> {
        let mut names = names();
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
        #[cfg(not(unix))]
        let _ = mode;
        let file = builder.prefix(".iriscan-").suffix(".tmp").tempfile_in(folder);
        let (file, path) = file?.keep()?;
        names.insert(path.clone());
        Ok(Temporary { file, path })
    }

    /// Makes a file with the name `path`, which must be free. Only the user may read it.
    pub(super) fn claim(path: &Path) -> io::Result<Temporary> {
        let mut names = names();
        let mut options = File::options();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, PRIVATE);
        let file = options.open(path)?;
        names.insert(path.to_owned());
        Ok(Temporary { file, path: path.to_owned() })
    }

    /// The open file.
    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    /// Gives the file the name `path`, in place of any file that has it.
    pub(crate) fn replace(self, path: &Path) -> io::Result<()> {
        self.rename(path)?;
        sync_folder(folder(path));
        Ok(())
    }

    /// The same, but the new name may not be on the disk yet.
    pub(crate) fn rename(self, path: &Path) -> io::Result<()> {
        let mut names = names();
        fs::rename(&self.path, path)?;
        names.remove(&self.path);
        Ok(())
    }

    /// Keeps the file.
    pub(super) fn stay(self) {
        names().remove(&self.path);
    }
}

/// Waits until the names of files in `folder` are on the disk. Not every system can do this.
pub(crate) fn sync_folder(folder: &Path) {
    #[cfg(unix)]
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    #[cfg(not(unix))]
    let _ = folder;
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let mut names = names();
        if names.remove(&self.path) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// From now on, a signal that ends the program removes the temporary files first, and a
/// write beyond the limit on the size of files is an error, like a full disk.
#[cfg(unix)]
pub(crate) fn catch_signals() -> io::Result<()> {
    use signal_hook::{
        consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ},
        iterator::Signals,
    };
    let ignored = ignored();
    let ends = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|n| ignored >> (n - 1) & 1 == 0);
    let mut signals = Signals::new(ends.chain([SIGXFSZ]))?;
    std::thread::spawn(move || {
        for signal in &mut signals {
            if signal != SIGXFSZ {
                let names = names();
                for path in &*names {
                    let _ = fs::remove_file(path);
                }
                crate::messages::progress::clear();
                std::process::exit(128 + signal);
            }
        }
    });
    Ok(())
}

#[cfg(not(unix))]
pub(crate) fn catch_signals() -> io::Result<()> {
    Ok(())
}

/// The signals that the program was started to ignore, as `nohup` does, a bit for each. Only
/// Linux can be asked; on other systems no bit is set.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    line.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok()).unwrap_or(0)
}
