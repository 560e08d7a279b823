//! The places that results go to: standard output here, files in the modules below.
//!
//! What must hold: an input that is also the output is recognised, because it would grow
//! while it is read, without end.

pub(crate) mod backups;
pub(crate) mod old_file;
pub(crate) mod temporary;

use std::{
    fs::{self, File, Metadata},
    io::{self, BufWriter, Write},
    path::Path,
    sync::OnceLock,
};

use self::{
    old_file::{FileAt, Links},
    temporary::{ORDINARY, PRIVATE, Temporary},
};
use crate::files::folder;

/// Standard output, which several threads write to. On Unix it has no buffer; the one of
/// [`io::stdout`] is flushed at each line end.
#[cfg(unix)]
pub(crate) type Stdout = fs::File;
/// Standard output, which several threads write to. Only [`io::stdout`] translates text
/// for a Windows console.
#[cfg(not(unix))]
pub(crate) type Stdout = io::Stdout;

/// Standard output, to be buffered by the caller.
#[cfg(unix)]
pub(crate) fn stdout() -> io::Result<Stdout> {
    use std::os::fd::AsFd;
    io::stdout().as_fd().try_clone_to_owned().map(fs::File::from)
}

#[cfg(not(unix))]
pub(crate) fn stdout() -> io::Result<Stdout> {
    Ok(io::stdout())
}

/// Where the rewritten form of an input goes.
pub(crate) enum Destination<'o> {
    /// All of it is written here.
    All(&'o mut dyn Write),
    /// A diff of it is written here.
    Diff(&'o mut dyn Write),
    /// Nothing is written; changes are only counted.
    Nowhere,
    /// Nothing is written, and the scan ends at the first change.
    Probe,
}

impl Destination<'_> {
    /// The same for a part of the input; what would be written whole goes to `part`.
    pub(crate) fn with_all_in<'p>(&'p mut self, part: &'p mut Vec<u8>) -> Destination<'p> {
        match self {
            Destination::All(_) => Destination::All(part),
            Destination::Diff(out) => Destination::Diff(&mut **out),
            Destination::Nowhere => Destination::Nowhere,
            Destination::Probe => Destination::Probe,
        }
    }

    pub(crate) fn flush(&mut self) -> io::Result<()> {
        match self {
            Destination::All(out) | Destination::Diff(out) => out.flush(),
            Destination::Nowhere | Destination::Probe => Ok(()),
        }
    }
}

/// The file that results go to, if it is a regular file.
static OUTPUT: OnceLock<FileId> = OnceLock::new();

/// The numbers of a file's device and of the file on it.
type FileId = [u64; 2];

/// Results go to standard output: an input that is the same file is refused from now on.
pub(crate) fn set_to_stdout() {
    #[cfg(unix)]
    if let Some(id) = stdout().ok().and_then(|out| file_id(&out.metadata().ok()?)) {
        let _ = OUTPUT.set(id);
    }
}

/// Results go to the file at `path`, if there is one: an input that is the same file is
/// refused from now on.
pub(crate) fn set_to_file(path: &Path) {
    if let Some(id) = path.metadata().ok().and_then(|about| file_id(&about)) {
        let _ = OUTPUT.set(id);
    }
}

/// True if the file with this metadata is the output.
pub(crate) fn is_output(about: Option<&Metadata>) -> bool {
    OUTPUT.get().is_some_and(|output| about.and_then(file_id).as_ref() == Some(output))
}

/// True if the file at `path` is the output.
pub(crate) fn leads_to_output(path: &Path) -> bool {
    OUTPUT.get().is_some() && is_output(path.metadata().ok().as_ref())
}

/// The numbers of a regular file; `None` for anything else.
fn file_id(about: &Metadata) -> Option<FileId> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        about.is_file().then(|| [about.dev(), about.ino()])
    }
    #[cfg(not(unix))]
    {
        let _ = about;
        None
    }
}

/// Writes `bytes` to the file at `path`. A regular file, or one that does not exist yet, is
/// replaced in one step; a device or a pipe is written to directly.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_by(path, |out| out.write_all(bytes).map(|()| true)).map(drop)
}

/// Gives `write` the file at `path` to write to, as [`write_file`] does; if it returns false, a regular file stays as it
/// was. Returns what `write` returned.
pub(crate) fn write_by(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<bool>,
) -> io::Result<bool> {
    let directly = |write: &mut dyn FnMut(&mut dyn Write) -> io::Result<bool>| {
        write(&mut File::options().write(true).create(true).truncate(true).open(path)?)
    };
    let mut write = Some(write);
    let mut write = move |out: &mut dyn Write| match write.take() {
        Some(write) => write(out),
        None => Ok(false),
    };
    let old = match fs::metadata(path) {
        Ok(_) => match FileAt::look(path, Links::Followed)? {
            None => return directly(&mut write),
            Some(file) => match file.open()? {
                None => return Err(io::Error::other("changed by somebody else")),
                old => old,
            },
        },
        // A symbolic link to nothing: the file that it names is made, as by a shell.
        Err(e) if e.kind() == io::ErrorKind::NotFound && path.is_symlink() => {
            return directly(&mut write);
        }
        Err(e) if e.kind() == io::ErrorKind::NotFound => None,
        Err(e) => return Err(e),
    };
    let target = old.as_ref().map_or(path, |old| old.target());
    let mode = if old.is_some() { PRIVATE } else { ORDINARY };
    let new = Temporary::create(folder(target), mode)?;
    let mut out = BufWriter::with_capacity(256 * 1024, new.file());
    if !write(&mut out)? {
        return Ok(false);
    }
    out.flush()?;
    drop(out);
    if let Some(old) = &old {
        old.lend_attributes(new.file())?;
    }
    new.file().sync_all()?;
    let target = target.to_owned();
    // Closed, because Windows replaces no file that is open.
    drop(old);
    new.replace(&target).map(|()| true)
}
