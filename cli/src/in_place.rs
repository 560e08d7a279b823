//! `rewrite -i`: files replaced by what they become; and a report, by a new one.
//!
//! Knows files, their attributes and signals, and nothing of links. Invariant: at
//! any moment, killed or not, the name of a file leads to all of the old bytes or
//! to all of the new ones.
//!
//! ```text
//! look   scan, write nothing; the first change ends it, none: done, untouched
//! write  scan again into a temporary file in the same folder
//! keep   mode, owner and group, access list, other attributes; sync
//! check  the file is still the one that was read; else leave it
//! rename over the old one; with a suffix, the old one has another name first
//! ```

use std::{
    collections::BTreeSet,
    fs::{self, File, Metadata},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    sync::{Condvar, Mutex, MutexGuard},
    time::SystemTime,
};

use tempfile::TempPath;

use crate::{
    input::{self, Outcome, Trouble},
    rewrite::To,
};

/// Rewrites the file at `path`. `rewrite` does it, once to see whether anything
/// changes, and then, if so, to write. With a `suffix` the old file is kept under
/// its name and that.
pub(crate) fn file(
    path: &Path,
    suffix: &str,
    rewrite: &mut dyn FnMut(&mut To<'_>) -> Result<Outcome, Trouble>,
) -> Result<Outcome, Trouble> {
    let name = input::name(path);
    if path == Path::new("-") {
        input::say("-: standard input cannot be rewritten in place; name files, or leave out -i");
        return Ok(Outcome::NOTHING);
    }
    // Named twice, it is rewritten by one thread after the other.
    let _turn = Turn::wait(path);
    let old = match Old::of(path) {
        Ok(old) if old.about.is_file() => old,
        Ok(_) => {
            input::say(format_args!("{name}: not a regular file; leave out -i to read it"));
            return Ok(Outcome::NOTHING);
        }
        Err(e) => {
            input::complain_of_opening(path, &e);
            return Ok(Outcome::NOTHING);
        }
    };
    let (looked, notes) = input::holding(|| rewrite(&mut To::Probe));
    let looked = looked?;
    if looked.links == 0 || !looked.whole {
        input::put(&notes);
        return Ok(looked);
    }
    let read_only = |e: &io::Error| match e.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "the file is as it was; make its folder writable"
        }
        _ => "the file is as it was; make room for a copy in its folder",
    };
    let failed = |e: &io::Error| {
        input::say(format_args!("{name}: {}; {}", input::plain(e), read_only(e)));
        Ok(Outcome::NOTHING)
    };
    let new = match Temporary::create(folder(&old.target), PRIVATE) {
        Ok(new) => new,
        Err(e) => return failed(&e),
    };
    let mut out = BufWriter::with_capacity(256 * 1024, &new.file);
    let done = match rewrite(&mut To::Out(&mut out)) {
        Err(Trouble::Output(e)) => return failed(&e),
        done => done?,
    };
    if !done.whole {
        return Ok(done);
    }
    let written = out.flush().and_then(|()| {
        drop(out);
        old.lend_attributes(&new.file)?;
        new.file.sync_all()
    });
    if !old.is_still_at(path) {
        input::say(format_args!(
            "{name}: changed by somebody else while it was read; left as it is, run again"
        ));
        return Ok(Outcome::NOTHING);
    }
    if let Err(e) = written {
        return failed(&e);
    }
    match old.keep(suffix).and_then(|()| new.replace(&old.target)) {
        Ok(()) => Ok(done),
        Err(e) => failed(&e),
    }
}

/// Writes `bytes` to the file at `path`: in one step, if it is a regular file, or is to
/// be one; a device or a pipe just gets them.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let old = match fs::metadata(path) {
        Ok(about) if !about.is_file() => return fs::write(path, bytes),
        Ok(_) => Some(Old::of(path)?),
        // A link that leads to nothing yet: what it names is made, as by a shell.
        Err(e) if e.kind() == io::ErrorKind::NotFound && path.is_symlink() => {
            return fs::write(path, bytes);
        }
        Err(e) if e.kind() == io::ErrorKind::NotFound => None,
        Err(e) => return Err(e),
    };
    let target = old.as_ref().map_or(path, |old| &old.target);
    let new = Temporary::create(folder(target), if old.is_some() { PRIVATE } else { ORDINARY })?;
    (&new.file).write_all(bytes)?;
    if let Some(old) = &old {
        old.lend_attributes(&new.file)?;
    }
    new.file.sync_all()?;
    new.replace(target)
}

/// The files that are being rewritten.
static BUSY: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
static DONE: Condvar = Condvar::new();

/// No other thread rewrites the same file.
struct Turn(PathBuf);

impl Turn {
    /// Waits for the one that does.
    fn wait(path: &Path) -> Turn {
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let busy = BUSY.lock().expect(POISONED);
        let mut busy = DONE.wait_while(busy, |busy| busy.contains(&path)).expect(POISONED);
        busy.insert(path.clone());
        Turn(path)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        BUSY.lock().expect(POISONED).remove(&self.0);
        DONE.notify_all();
    }
}

/// A thread panicked, which the program does not survive.
const POISONED: &str = "no thread should have panicked";

/// The folder that a file is in.
fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// A file to be replaced.
struct Old {
    /// Its name, behind symbolic links.
    target: PathBuf,
    about: Metadata,
}

impl Old {
    fn of(path: &Path) -> io::Result<Old> {
        let about = fs::metadata(path)?;
        // Only a file must have a name: /dev/stdout may lead to a pipe.
        let link = about.is_file() && fs::symlink_metadata(path)?.is_symlink();
        let target = if link { fs::canonicalize(path)? } else { path.to_owned() };
        Ok(Old { target, about })
    }

    /// Whether `path` leads to the same file as before, and nobody wrote to it.
    fn is_still_at(&self, path: &Path) -> bool {
        let same = |path| fs::metadata(path).is_ok_and(|now| print(&now) == print(&self.about));
        same(path) && same(&self.target)
    }

    /// Gives its mode and its extended attributes to `new`, and its owner and group where
    /// that is permitted.
    fn lend_attributes(&self, new: &File) -> io::Result<()> {
        let mut permissions = self.about.permissions();
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
            let now = new.metadata()?;
            let (owner, group) = (self.about.uid(), self.about.gid());
            let kept = (owner, group) == (now.uid(), now.gid())
                || fchown(new, Some(owner), Some(group)).is_ok();
            if !kept {
                // Of a stranger's file the group at least; but nobody gets a
                // program that runs as somebody else.
                let _ = fchown(new, None, Some(group));
                permissions.set_mode(permissions.mode() & 0o1777);
            }
        }
        // Windows lets nobody rename over a file that is read-only.
        #[cfg(not(unix))]
        #[allow(clippy::permissions_set_readonly_false)]
        permissions.set_readonly(false);
        #[cfg(not(target_os = "linux"))]
        return new.set_permissions(permissions);
        #[cfg(target_os = "linux")]
        {
            // What the folder gives to new files would be added to the mode.
            extended::drop_list(new);
            new.set_permissions(permissions)?;
            extended::lend(&self.target, new)
        }
    }

    /// The old bytes under another name as well, if there is a suffix.
    fn keep(&self, suffix: &str) -> io::Result<()> {
        if suffix.is_empty() {
            return Ok(());
        }
        let mut kept = self.target.clone().into_os_string();
        kept.push(suffix);
        // A link costs nothing and keeps all attributes, but takes no name that is
        // in use, so it has a temporary one first.
        let link = Temporary::create(folder(&self.target), PRIVATE)?;
        fs::remove_file(&link.path)?;
        if fs::hard_link(&self.target, &link.path).is_err() {
            fs::copy(&self.target, &link.path)?;
        }
        link.replace(Path::new(&kept))
    }
}

/// Extended attributes, of which an access list is one.
#[cfg(target_os = "linux")]
mod extended {
    use std::{fs::File, io, path::Path};

    use rustix::{
        fs::{XattrFlags, fremovexattr, fsetxattr, getxattr, listxattr},
        io::Errno,
    };

    /// The most bytes that a value, or all names, may have.
    const MAX: usize = 64 << 10;

    const ACCESS_LIST: &[u8] = b"system.posix_acl_access";
    const LABEL: &[u8] = b"security.selinux";

    /// Takes the access list away, if there is one.
    pub(super) fn drop_list(new: &File) {
        let _ = fremovexattr(new, ACCESS_LIST);
    }

    /// Gives those of the file at `old` to `new`: what users put there and the access
    /// list, without which some could read it who could not before; the label where that
    /// is permitted. Others tell what the bytes were, or are the system's own.
    pub(super) fn lend(old: &Path, new: &File) -> io::Result<()> {
        let mut names = vec![0; MAX];
        let len = match listxattr(old, &mut names[..]) {
            Ok(len) => len,
            Err(Errno::NOTSUP) => 0,
            Err(e) => return Err(e.into()),
        };
        let mut value = vec![0; if len > 0 { MAX } else { 0 }];
        for name in names[..len].split(|b| *b == 0) {
            let must = name.starts_with(b"user.") || name == ACCESS_LIST;
            if !must && name != LABEL {
                continue;
            }
            let lent = getxattr(old, name, &mut value[..])
                .and_then(|len| fsetxattr(new, name, &value[..len], XattrFlags::empty()));
            if must {
                lent?;
            }
        }
        Ok(())
    }
}

/// What tells a file that was written to from one that was not.
fn print(about: &Metadata) -> (u64, Option<SystemTime>, [u64; 2]) {
    #[cfg(unix)]
    let id = {
        use std::os::unix::fs::MetadataExt;
        [about.dev(), about.ino()]
    };
    #[cfg(not(unix))]
    let id = [0, 0];
    (about.len(), about.modified().ok(), id)
}

/// The names of all temporary files there are. Who makes, renames or removes one
/// holds the lock, and so does who is ended by a signal, for good.
static NAMES: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn names() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    NAMES.lock().expect(POISONED)
}

/// Modes: of a copy of who knows what, and of any file that is made.
const PRIVATE: u32 = 0o600;
const ORDINARY: u32 = 0o666;

/// A file that is gone with the value, or with the program.
struct Temporary {
    file: File,
    path: TempPath,
}

impl Temporary {
    /// With this mode, less what the user leaves of one.
    fn create(folder: &Path, mode: u32) -> io::Result<Temporary> {
        let mut names = names();
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
        #[cfg(not(unix))]
        let _ = mode;
        let file = builder.prefix(".iriscan-").suffix(".tmp").tempfile_in(folder);
        let (file, path) = file?.into_parts();
        names.insert(path.to_path_buf());
        Ok(Temporary { file, path })
    }

    /// Gives it the name `path`, which it takes from any other file.
    fn replace(mut self, path: &Path) -> io::Result<()> {
        let mut names = names();
        fs::rename(&self.path, path)?;
        names.remove(&*self.path);
        // Two names of one file stay both: that happens where a run was killed
        // between them.
        let _ = fs::remove_file(&self.path);
        self.path.disable_cleanup(true);
        // So that the name lasts too. Not every system has it.
        #[cfg(unix)]
        let _ = File::open(folder(path)).and_then(|folder| folder.sync_all());
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let mut names = names();
        if names.remove(&*self.path) {
            let _ = fs::remove_file(&self.path);
        }
        self.path.disable_cleanup(true);
    }
}

/// From now on a signal that ends the program ends the temporary files too, and a
/// limit on the size of files is an error like a full disk.
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
                crate::progress::clear();
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

/// The signals, a bit each, that whoever started the program wants it to ignore, as
/// nohup does. Linux says; elsewhere none.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    line.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok()).unwrap_or(0)
}
